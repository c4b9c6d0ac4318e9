//! Bodies in flight: drag, ropes, rockets, orbits, and what users write.

use std::f64::consts::TAU;

use super::*;
use crate::tree::tests::GRAVITY;

#[test]
fn a_falling_body_nears_its_terminal_velocity_by_the_hyperbolic_tangent() {
    let drag = Drag::of_area(1.2, 0.47, 0.5);
    let linkage =
        joined(tree_of(&[ball(3.0)]), vec![Element::on(center(0), ElementLaw::Drag(drag))], 1e-10);
    let mut run = Run::new(&linkage, &at_places(&[DVec3::ZERO]), &[0.0; 6]);
    let terminal = (2.0 * 3.0 * 9.81 / (1.2 * 0.47 * 0.5_f64)).sqrt();
    let mut worst = 0.0_f64;
    while run.time < 30.0 {
        let course = run.step(30.0);
        for time in looks(&course) {
            let state = course.link(0).state_at(time);
            let x = 9.81 * time / terminal;
            worst = worst.max((state.velocity.z + terminal * libm::tanh(x)).abs());
            let fallen = terminal * terminal / 9.81 * libm::log(libm::cosh(x));
            worst = worst.max((state.position.z + fallen).abs() / terminal);
        }
    }
    println!(
        "terminal velocity {terminal:.4} m/s, reached to {:.1e}, tanh law off by {worst:.1e}, {} segments, {} calls",
        run.v[2] + terminal,
        run.segments,
        run.calls
    );
    // Velocities are held to the tolerance times themselves, some 14 m/s.
    assert!(worst < 1e-7, "{worst:e}");
}

#[test]
fn wind_carries_a_body_along_and_its_work_is_booked() {
    let (linear, wind) = (0.8, DVec3::new(5.0, -3.0, 1.0));
    let law = ElementLaw::Drag(Drag { linear, wind, ..Drag::default() });
    let linkage = joined(tree_of(&[ball(2.0)]), vec![Element::on(center(0), law)], 1e-10);
    let mut run = adrift(&linkage, &at_places(&[DVec3::ZERO]), &[0.0; 6]);
    let (mut work, mut loss) = (0.0, 0.0);
    while run.time < 20.0 {
        let course = run.step(20.0);
        work += course.work(course.span().start, course.span().end);
        loss += course.loss(course.span().start, course.span().end);
    }
    let gone = 1.0 - libm::exp(-linear * 20.0 / 2.0);
    let velocity = DVec3::from_slice(&run.v[..3]);
    // The momentum that the wind hands over goes at the wind's speed.
    let exact = 2.0 * wind.length_squared() * gone;
    println!(
        "velocity off by {:.1e} m/s, work {work:.6} J off by {:.1e}, loss {loss:.6} J",
        (velocity - gone * wind).length(),
        work - exact
    );
    assert!((velocity - gone * wind).length() < 1e-7);
    assert!((work - exact).abs() < 1e-6);
    assert!((work - loss - run.energy()).abs() < 1e-7);
}

/// Falls 1 m on a slack rope, which then stretches and throws it back.
fn on_a_rope(damping: f64, tolerance: f64, end: f64) -> (Run, f64) {
    let rope = Spring { stiffness: 400.0, rest: 1.0, damping, pulls_only: true };
    let element = Element::on(center(0), ElementLaw::Spring(rope));
    let linkage = joined(tree_of(&[ball(2.0)]), vec![element], tolerance);
    let mut run = Run::new(&linkage, &at_places(&[DVec3::ZERO]), &[0.0; 6]);
    let (mut worst, start) = (0.0_f64, run.energy());
    let mut books = 0.0;
    while run.time < end {
        let course = run.step(end);
        let span = course.span();
        books += course.work(span.start, span.end) - course.loss(span.start, span.end);
        worst = worst.max((run.energy() - start - books).abs());
    }
    (run, worst)
}

#[test]
fn a_rope_lets_fall_and_then_jerks_and_keeps_the_energy() {
    // Taut from t₁ on: x = 1 + g/ω²·(1 − cos ωτ) + (v₁/ω)·sin ωτ.
    let (omega, g) = (200.0_f64.sqrt(), 9.81_f64);
    let (taut, speed) = ((2.0 / g).sqrt(), (2.0 * g).sqrt());
    for tolerance in [1e-6, 1e-8, 1e-10] {
        let (run, _) = on_a_rope(0.0, tolerance, taut + 0.2);
        let (sin, cos) = libm::sincos(omega * 0.2);
        let exact = 1.0 + g / (omega * omega) * (1.0 - cos) + speed / omega * sin;
        let off = run.q[2] + exact;
        let (calls, (long, worst)) = (run.calls, on_a_rope(0.0, tolerance, 10.0));
        println!(
            "tolerance {tolerance:e}: off by {off:.1e} m after the jerk ({calls} calls); in 10 s energy off by {worst:.1e} of 20 J, {} segments, {} calls",
            long.segments, long.calls
        );
        assert!(off.abs() < 10.0 * tolerance, "{off:e}");
        assert!(worst < 20.0 * 100.0 * tolerance, "{worst:e}");
    }
}

#[test]
fn a_damped_rope_jumps_to_its_tension_and_the_books_stay_closed() {
    for tolerance in [1e-6, 1e-8, 1e-10] {
        let (run, worst) = on_a_rope(10.0, tolerance, 10.0);
        println!(
            "tolerance {tolerance:e}: books open by {worst:.1e} of 20 J, {} segments, {} calls",
            run.segments, run.calls
        );
        assert!(worst < 20.0 * 1000.0 * tolerance, "{worst:e}");
    }
}

#[test]
fn a_spinning_rocket_flies_a_cycloid() {
    let (push, spin, mass) = (3.0, 2.0, 1.5);
    let law = Thrust { force: push * DVec3::X, torque: DVec3::ZERO, axes: Axes::End };
    let element = Element::on(center(0), ElementLaw::Thrust(law));
    let linkage = joined(tree_of(&[ball(mass)]), vec![element], 1e-10);
    let v = [0.0, 0.0, 0.0, 0.0, 0.0, spin];
    let mut run = adrift(&linkage, &at_places(&[DVec3::ZERO]), &v);
    let size = push / (mass * spin * spin);
    let (mut worst, mut work) = (0.0_f64, 0.0);
    while run.time < 10.0 {
        let course = run.step(10.0);
        for time in looks(&course) {
            let (sin, cos) = libm::sincos(spin * time);
            let exact = size * DVec3::new(1.0 - cos, spin * time - sin, 0.0);
            worst = worst.max((course.link(0).state_at(time).position - exact).length());
        }
        work += course.work(course.span().start, course.span().end);
    }
    let kinetic = run.energy() - 0.5 * 0.004 * mass * spin * spin;
    println!("off by {worst:.1e} m after 10 s, work {work:.6} J off by {:.1e}", work - kinetic);
    assert!(worst < 1e-8, "{worst:e}");
    assert!((work - kinetic).abs() < 1e-8);
}

#[test]
fn a_planet_keeps_its_orbit_for_ten_years() {
    // Two bodies about each other: semi-axis a = 1 m, eccentricity 0.5, κ/μ = 4π² so that a year is a second.
    let masses = [1.0, 0.25];
    let reduced = masses[0] * masses[1] / (masses[0] + masses[1]);
    let law = ElementLaw::Attraction(Attraction { strength: reduced * TAU * TAU });
    for tolerance in [1e-8, 1e-10, 1e-12] {
        let element = Element::between(center(0), center(1), law.clone());
        let linkage = joined(tree_of(&masses.map(ball)), vec![element], tolerance);
        // From the point where they are nearest, a(1 − e), with v = √(κ/μ·(1 + e)/(a(1 − e))).
        let speed = TAU * 3.0_f64.sqrt();
        let share = masses[0] / (masses[0] + masses[1]);
        let apart = [DVec3::ZERO, 0.5 * DVec3::X];
        let speeds = [-(1.0 - share) * speed * DVec3::Y, share * speed * DVec3::Y];
        let mut run = adrift(&linkage, &at_places(&apart), &with_velocities(&speeds));
        let (start, mut drift) = (run.energy(), 0.0_f64);
        while run.time < 10.0 {
            run.step(10.0);
            drift = drift.max((run.energy() - start).abs());
        }
        let place = |link: usize| DVec3::from_slice(&run.q[7 * link..]);
        // Off along the orbit by the error of the period times the speed.
        let late = (place(1) - place(0) - 0.5 * DVec3::X).length() / speed;
        println!(
            "tolerance {tolerance:e}: {late:.1e} years off after ten, energy by {:.1e} of itself, {} segments, {} calls",
            drift / start.abs(),
            run.segments,
            run.calls
        );
        assert!(late < 3e3 * tolerance, "{late:e}");
        assert!(drift < 3e2 * tolerance * start.abs(), "{drift:e}");
    }
}

/// Swings with time whatever the ends do.
#[derive(Debug)]
struct Shaker {
    force: f64,
    rate: f64,
}

impl UserForce for Shaker {
    fn wrench(&self, ends: &Ends) -> ForceVector {
        let force = self.force * libm::sin(self.rate * ends.time);
        ForceVector::new(DVec3::ZERO, force * DVec3::X)
    }
}

#[test]
fn a_users_force_acts_by_the_clock_and_does_work() {
    let shaker = Shaker { force: 5.0, rate: 7.0 };
    let law = ElementLaw::User(User(Arc::new(shaker)));
    let linkage = joined(tree_of(&[ball(2.0)]), vec![Element::on(center(0), law)], 1e-10);
    let mut run = adrift(&linkage, &at_places(&[DVec3::ZERO]), &[0.0; 6]);
    let (mut worst, mut open) = (0.0_f64, 0.0_f64);
    while run.time < 5.0 {
        let course = run.step(5.0);
        for time in looks(&course) {
            let exact = 2.5 / 7.0 * (time - libm::sin(7.0 * time) / 7.0);
            worst = worst.max((course.link(0).state_at(time).position.x - exact).abs());
        }
        let span = course.span();
        open += course.energy_error(span.start, span.end, &mut run.workspace);
    }
    println!("off by {worst:.1e} m, books open by {open:.1e} J, {} segments", run.segments);
    assert!(worst < 1e-8 && open.abs() < 1e-8);
}

#[test]
fn a_users_spring_moves_as_a_spring_does_and_its_energy_is_no_work() {
    let own = |knows_its_energy| {
        let force = OwnSpring { stiffness: 30.0, knows_its_energy };
        ElementLaw::User(User(Arc::new(force)))
    };
    let ours = Spring { stiffness: 30.0, rest: 0.0, damping: 0.0, pulls_only: false };
    let [given, stored, plain] = [ElementLaw::Spring(ours), own(true), own(false)].map(|law| {
        let linkage = joined(tree_of(&[ball(1.0)]), vec![Element::on(center(0), law)], 1e-10);
        let mut run = Run::new(&linkage, &at_places(&[DVec3::X]), &[0.0, 2.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(run.drive.gravity, GRAVITY);
        let mut work = 0.0;
        while run.time < 2.0 {
            let course = run.step(2.0);
            work += course.work(course.span().start, course.span().end);
        }
        (DVec3::from_slice(&run.q), work)
    });
    println!(
        "apart by {:.1e} m; work {:.1e} J where it is stored, {:.4} J where not",
        (given.0 - stored.0).length(),
        stored.1,
        plain.1
    );
    assert!((given.0 - stored.0).length() < 1e-9 && (given.0 - plain.0).length() < 1e-9);
    assert!(given.1 == 0.0 && stored.1.abs() < 1e-9 && plain.1.abs() > 0.1);
}
