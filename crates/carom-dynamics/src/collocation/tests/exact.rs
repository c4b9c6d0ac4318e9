//! Motions whose solution is known.

use super::testing::{Given, Run, accuracy};
use crate::collocation::{Implicit, Point, Probe, Rule, SecondOrder, Undefined};
use crate::elliptic::{first_kind, mean_with_one};

/// Largest deviation of q and v from a known motion at 16 times of every segment.
fn deviation<S: SecondOrder>(
    run: &mut Run<S>,
    end: f64,
    exact: impl Fn(f64) -> (f64, f64),
) -> (f64, f64) {
    let (mut worst, mut point) = ((0.0_f64, 0.0_f64), Point::default());
    while run.time < end {
        run.step(end);
        let span = run.segment.span();
        for k in 0..=16 {
            let t =
                if k == 16 { span.end } else { span.start + span.length() * f64::from(k) / 16.0 };
            run.segment.state_at(t, &mut point);
            let (q, v) = exact(t);
            worst = (worst.0.max((point.q[0] - q).abs()), worst.1.max((point.v[0] - v).abs()));
        }
    }
    worst
}

#[test]
fn free_fall_is_exact_to_rounding_and_takes_few_segments() {
    let fall = Given(1, |_: f64, _: &[f64], _: &[f64], out: &mut [f64]| out[0] = -9.81);
    let mut run = Run::new(fall, accuracy(1e-9, 1, 1.0), &[3.0], &[2.0]);
    let exact = |t: f64| (3.0 + t * (2.0 - 0.5 * 9.81 * t), 2.0 - 9.81 * t);
    let (q, v) = deviation(&mut run, 10.0, exact);
    println!("off by {q:e} m and {v:e} m/s after {} segments", run.segments);
    // 16 roundings of numbers up to 500 m and 100 m/s.
    assert!(q < 1e-12 && v < 2e-13 && run.segments < 15);
}

#[test]
fn what_was_cut_at_rest_many_times_is_set_in_motion_within_few_attempts() {
    let spring = Given(1, |_: f64, q: &[f64], _: &[f64], out: &mut [f64]| out[0] = -1e6 * q[0]);
    let mut run = Run::new(spring, accuracy(1e-10, 1, 1.0), &[0.0], &[0.0]);
    for k in 1..=200 {
        run.step(f64::INFINITY);
        run.cut(1e-3 * f64::from(k));
    }
    run.point.v[0] = 1.0;
    run.step(f64::INFINITY);
    println!("{} attempts, a step of {} s", run.effort.attempts, run.segment.span().length());
    // From 64 s to some 1e-4 s at a fifth each is 8.
    assert!(run.effort.attempts < 20, "{} attempts", run.effort.attempts);
}

#[test]
fn an_oscillator_follows_the_cosine_for_a_hundred_periods() {
    for rule in [Rule::Four, Rule::Six] {
        let spring = Given(1, |_: f64, q: &[f64], _: &[f64], out: &mut [f64]| out[0] = -q[0]);
        let mut run = Run::new(spring, accuracy(1e-10, 1, 1.0), &[1.0], &[0.0]);
        run.rule = rule;
        let (q, v) = deviation(&mut run, 628.0, |t| (libm::cos(t), -libm::sin(t)));
        println!("{rule:?}: {q:e}, {v:e} after {} segments, {} calls", run.segments, run.calls);
        // One segment errs by less than 1e-10; phase errors at their ends add up.
        assert!(q.max(v) < 2e-10, "{q:e} {v:e}");
    }
}

/// q̈ = −q − c·q̇ with the damping implicit.
struct Damped(f64);

impl SecondOrder for Damped {
    fn freedoms(&self) -> usize {
        1
    }

    fn is_damped(&self) -> bool {
        true
    }

    fn acceleration(&mut self, probe: &Probe, out: &mut [f64]) -> Result<(), Undefined> {
        let Implicit { gamma, w } = probe.implicit;
        out[0] = (-probe.q[0] - self.0 * w[0]) / (1.0 + gamma * self.0);
        Ok(())
    }
}

#[test]
fn damped_oscillators_decay_as_they_should_from_weak_to_stiff() {
    for c in [0.1, 1.0, 10.0, 100.0, 4000.0] {
        let mut run = Run::new(Damped(c), accuracy(1e-9, 1, 1.0), &[1.0], &[0.0]);
        // Roots of λ² + cλ + 1, the smaller one without cancellation; a complex pair below c = 2.
        let exact = |t: f64| {
            if c < 2.0 {
                let (decay, w) = (0.5 * c, (1.0 - 0.25 * c * c).sqrt());
                let (sin, cos) = libm::sincos(w * t);
                let envelope = libm::exp(-decay * t);
                (envelope * (cos + decay / w * sin), -envelope * sin * (w + decay * decay / w))
            } else {
                let fast = -0.5 * (c + (c * c - 4.0).sqrt());
                let slow = 1.0 / fast;
                let [f, s] = [fast, slow].map(|root| libm::exp(root * t));
                let share = 1.0 / (fast - slow);
                (share * (fast * s - slow * f), share * (s - f))
            }
        };
        let (q, v) = deviation(&mut run, 10.0, exact);
        println!("c = {c}: {q:e}, {v:e}, {} segments, {} calls", run.segments, run.calls);
        assert!(q.max(v) < 1e-9, "c = {c}: {q:e} {v:e}");
    }
}

#[test]
fn a_pendulum_passes_every_angle_when_the_elliptic_integral_says() {
    let release: f64 = 2.5;
    let (k, complement) = (libm::sin(0.5 * release), libm::cos(0.5 * release));
    let quarter = std::f64::consts::FRAC_PI_2 / mean_with_one(complement);
    let mut worst = 0.0_f64;
    for rule in [Rule::Four, Rule::Six] {
        let swing =
            Given(1, |_: f64, q: &[f64], _: &[f64], out: &mut [f64]| out[0] = -libm::sin(q[0]));
        let mut run = Run::new(swing, accuracy(1e-12, 1, 1.0), &[release], &[0.0]);
        run.rule = rule;
        // sin(θ/2) = k·sin φ; the swing takes K − F(φ, k) from its release to θ.
        for i in (0..10).rev() {
            let (sin, cos) = libm::sincos(f64::from(i) / 10.0 * std::f64::consts::FRAC_PI_2);
            let time = quarter - first_kind(sin, cos, complement);
            run.advance(time);
            let angle = 2.0 * libm::asin(k * sin);
            worst = worst.max((run.point.q[0] - angle).abs());
            worst = worst.max((run.point.v[0] + 2.0 * k * cos).abs());
        }
        run.advance(20.0 * quarter);
        worst = worst.max((run.point.q[0] - release).abs()).max(run.point.v[0].abs());
    }
    println!("angles and velocities are off by at most {worst:e}");
    assert!(worst < 2e-11, "{worst:e}");
}
