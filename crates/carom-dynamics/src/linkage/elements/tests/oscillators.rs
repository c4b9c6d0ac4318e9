//! Springs of all kinds against closed forms.

use std::f64::consts::TAU;

use super::*;

fn spring(stiffness: f64, rest: f64, damping: f64) -> ElementLaw {
    ElementLaw::Spring(Spring { stiffness, rest, damping, pulls_only: false })
}

/// x(t) of ẍ + 2δẋ + ω²x = 0.
fn damped(omega: f64, delta: f64, x: f64, v: f64, t: f64) -> f64 {
    let square = omega * omega - delta * delta;
    let rate = square.abs().sqrt();
    let side = (v + delta * x) / rate;
    if square > 0.0 {
        let (sin, cos) = libm::sincos(rate * t);
        return libm::exp(-delta * t) * (x * cos + side * sin);
    }
    // The slow root by Vieta, because δ − rate loses its digits.
    let (fast, slow) = (delta + rate, omega * omega / (delta + rate));
    0.5 * (x + side) * libm::exp(-slow * t) + 0.5 * (x - side) * libm::exp(-fast * t)
}

#[test]
fn two_masses_on_a_spring_swing_with_the_period_of_their_reduced_mass() {
    let (masses, stiffness, rest) = ([1.0, 3.0], 50.0, 1.0);
    let along = DVec3::new(0.48, 0.6, 0.64);
    let places = [DVec3::ZERO, 1.2 * along];
    let drift = DVec3::new(0.3, -0.2, 0.1);
    let element = Element::between(center(0), center(1), spring(stiffness, rest, 0.0));
    let linkage = joined(tree_of(&masses.map(ball)), vec![element], 1e-11);
    let mut run = adrift(&linkage, &at_places(&places), &with_velocities(&[drift; 2]));
    let omega = (stiffness * (1.0 / masses[0] + 1.0 / masses[1])).sqrt();
    let (before, mut worst, mut moved) = (momentum(&run), 0.0_f64, 0.0_f64);
    let end = 10.0 * TAU / omega;
    while run.time < end {
        let course = run.step(end);
        for time in looks(&course) {
            let length = (course.link(1).state_at(time).position
                - course.link(0).state_at(time).position)
                .length();
            worst = worst.max((length - rest - 0.2 * libm::cos(omega * time)).abs());
        }
        moved = moved.max((momentum(&run).linear - before.linear).length());
    }
    println!(
        "ten periods of {:.6} s: length off by {worst:.1e} m, momentum by {moved:.1e} of {:.2} N·s, {} segments, {} calls",
        TAU / omega,
        before.linear.length(),
        run.segments,
        run.calls
    );
    // Each of some hundred segments adds its tolerance.
    assert!(worst < 1e-9, "{worst:e}");
    // Both masses get the same force; what is left is rounding of some hundred segments.
    assert!(moved < 1e-13, "{moved:e}");
}

#[test]
fn a_damped_spring_between_two_bodies_follows_its_formula() {
    for (stiffness, damping) in
        [(50.0, 1.5), (50.0, 30.0), (50.0, 3000.0), (2000.0, 20.0), (50.0, 8000.0)]
    {
        let masses = [2.0, 1.0];
        let element = Element::between(center(0), center(1), spring(stiffness, 1.0, damping));
        let linkage = joined(tree_of(&masses.map(ball)), vec![element], 1e-10);
        let q = at_places(&[DVec3::ZERO, 1.3 * DVec3::X]);
        let mut run = adrift(&linkage, &q, &with_velocities(&[DVec3::ZERO, DVec3::X]));
        let reduced = masses[0] * masses[1] / (masses[0] + masses[1]);
        let (omega, delta) = ((stiffness / reduced).sqrt(), 0.5 * damping / reduced);
        let mut worst = 0.0_f64;
        while run.time < 3.0 {
            let course = run.step(3.0);
            for time in looks(&course) {
                let x = [0, 1].map(|link| course.link(link).state_at(time).position.x);
                let exact = 1.0 + damped(omega, delta, 0.3, 1.0, time);
                worst = worst.max((x[1] - x[0] - exact).abs());
            }
        }
        println!(
            "k {stiffness}, c {damping} (c/μ {:.0}/s): off by {worst:.1e} m, {} segments, {} calls",
            damping / reduced,
            run.segments,
            run.calls
        );
        assert!(worst < 1e-8, "{worst:e}");
    }
}

#[test]
fn a_mass_passes_through_the_end_of_a_spring_without_rest_length() {
    let stiffness = 40.0;
    for damping in [0.0, 0.5] {
        let element = Element::on(center(0), spring(stiffness, 0.0, damping));
        let linkage = joined(tree_of(&[ball(1.0)]), vec![element], 1e-10);
        // It starts in the very point, and crosses it ten times.
        let mut run = adrift(&linkage, &at_places(&[DVec3::ZERO]), &with_velocities(&[DVec3::X]));
        let (omega, delta) = (stiffness.sqrt(), 0.5 * damping);
        let mut worst = 0.0_f64;
        while run.time < 5.0 {
            let course = run.step(5.0);
            for time in looks(&course) {
                let x = course.link(0).state_at(time).position;
                let exact = damped(omega, delta, 0.0, 1.0, time);
                worst = worst.max((x - exact * DVec3::X).length());
            }
        }
        println!(
            "c {damping}: off by {worst:.1e} m, {} segments, {} calls",
            run.segments, run.calls
        );
        assert!(worst < 1e-8, "{worst:e}");
    }
}

const GAS: GasSpring = GasSpring {
    force: 300.0,
    extended: 0.6,
    stroke: 0.25,
    column: 0.4,
    exponent: 1.3,
    damping: 0.0,
};

#[test]
fn a_gas_spring_stores_the_work_of_its_stroke() {
    for exponent in [1.0, 1.0 + 1e-9, 1.3, 1.4] {
        let gas = GasSpring { exponent, ..GAS };
        for end in [-0.3_f64, 0.1, 0.25, 0.4] {
            // Simpson's rule on both sides of the kink in the slope's slope.
            let mut work = 0.0;
            for [from, to] in [[0.0, end.min(gas.stroke)], [gas.stroke.min(end), end]] {
                let h = (to - from) / 2000.0;
                for k in 0..1000 {
                    let x = from + 2.0 * h * f64::from(k);
                    let ends = gas.push(x) + gas.push(x + 2.0 * h);
                    work += h / 3.0 * (ends + 4.0 * gas.push(x + h));
                }
            }
            let stored = gas.energy_at(end);
            println!("n {exponent}, {end} m: stored {stored:.9} J, off by {:.1e} J", stored - work);
            assert!((stored - work).abs() < 1e-10 * 300.0);
        }
    }
    // At the end of the stroke and beyond, and with the ends on top of each other, it stays finite.
    assert!((GAS.push(0.25) - 300.0 * libm::pow(0.4 / 0.15, 1.3)).abs() < 1e-9);
    assert!(GAS.push(0.6).is_finite() && GAS.energy_at(0.6).is_finite());
}

#[test]
fn a_mass_thrown_on_a_gas_spring_turns_where_its_energy_is_stored() {
    let rail = LinkSpec { joint: Joint::Prismatic { axis: DVec3::X }, ..ball(2.0) };
    let element = Element::on(center(0), ElementLaw::GasSpring(GAS));
    let linkage = joined(tree_of(&[rail]), vec![element], 1e-10);
    let mut run = adrift(&linkage, &[0.6], &[-6.0]);
    let mut nearest = 1.0_f64;
    while run.v[0] < 0.0 || run.q[0] < 0.6 {
        let course = run.step(f64::INFINITY);
        // Shortest length within the segment, by halving where the velocity changes its sign.
        let (mut early, mut late) = (course.span().start, course.span().end);
        let (mut q, mut v) = ([0.0], [0.0]);
        for _ in 0..60 {
            let middle = 0.5 * (early + late);
            course.joint_state(middle, &mut q, &mut v);
            if v[0] < 0.0 { early = middle } else { late = middle }
        }
        nearest = nearest.min(q[0]);
    }
    let off = GAS.energy_at(0.6 - nearest) - 36.0;
    println!("36 J turn at {nearest:.6} m, off by {off:.1e} J; {} segments", run.segments);
    assert!(off.abs() < 1e-6, "{off:e}");
}

#[test]
fn a_torsion_pendulum_swings_with_the_period_of_its_moment() {
    let (moment, stiffness) = (0.02, 0.5);
    for damping in [0.0, 0.01] {
        for joint in [Joint::Free, Joint::Spherical] {
            let body = diagonal(1.0, DVec3::ZERO, [0.03, 0.025, moment]);
            let disc = LinkSpec { joint, body, ..ball(1.0) };
            let law = ElementLaw::Bushing(Bushing::torsion(stiffness, damping));
            let linkage = joined(tree_of(&[disc]), vec![Element::on(center(0), law)], 1e-10);
            let start = 1.5;
            let turn = DQuat::from_rotation_z(start);
            let mut q = linkage.tree().neutral();
            let n = q.len();
            turn.write_to_slice(&mut q[n - 4..]);
            let mut run = adrift(&linkage, &q, &vec![0.0; linkage.tree().n_v()]);
            let (omega, delta) = ((stiffness / moment).sqrt(), 0.5 * damping / moment);
            let mut worst = 0.0_f64;
            while run.time < 10.0 {
                let course = run.step(10.0);
                for time in looks(&course) {
                    let turned = course.link(0).state_at(time).orientation;
                    let angle = 2.0 * libm::atan2(turned.z, turned.w);
                    worst = worst.max((angle - damped(omega, delta, start, 0.0, time)).abs());
                }
            }
            println!(
                "{joint:?}, c {damping}: period {:.4} s, off by {worst:.1e} rad, {} segments, {} calls",
                TAU / omega,
                run.segments,
                run.calls
            );
            assert!(worst < 1e-8, "{worst:e}");
        }
    }
}

#[test]
fn a_torsion_spring_that_is_thrown_over_half_a_turn_pulls_on_to_the_whole_and_keeps_its_energy() {
    let (moment, stiffness) = (0.02, 0.5);
    let body = diagonal(1.0, DVec3::ZERO, [moment; 3]);
    let disc = LinkSpec { joint: Joint::Revolute { axis: DVec3::Z }, body, ..ball(1.0) };
    let law = ElementLaw::Bushing(Bushing::torsion(stiffness, 0.0));
    let linkage = joined(tree_of(&[disc]), vec![Element::on(center(0), law)], 1e-10);
    // From the middle to half a turn it slows down as cos and sin do, and from there the same way back up.
    let (omega, spin) = ((stiffness / moment).sqrt(), 20.0_f64);
    let half = libm::asin(omega * 0.5 * TAU / spin) / omega;
    let mut run = adrift(&linkage, &[0.0], &[spin]);
    let (start, mut worst) = (run.energy(), 0.0_f64);
    while run.time < 20.0 * half {
        run.step(20.0 * half);
        worst = worst.max((run.energy() - start).abs());
    }
    let off = run.q[0] - 10.0 * TAU;
    println!(
        "ten turns in {:.4} s: off by {off:.1e} rad, energy by {worst:.1e} of {start:.1} J, {} segments, {} calls",
        run.time, run.segments, run.calls
    );
    // Each of ten ends within a segment may err by the tolerance, 10⁻¹⁰ of 20 rad/s, and grows to later turns.
    assert!(off.abs() < 3e-8 && worst < 1e-8);
}
