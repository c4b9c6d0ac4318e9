//! Tosses that the engine makes itself.

use super::*;

/// A toss that the engine makes itself, as the tracker would see it: velocities of the frame and the one before.
fn own_toss(units: Units, with: Parameters) -> Toss {
    let start = Start {
        position: DVec3::new(0.1, -0.2, 0.25),
        orientation: DQuat::from_scaled_axis(DVec3::new(0.4, -0.7, 0.2)),
        velocity: DVec3::new(0.8, 0.3, -0.5),
        body_rates: DVec3::new(2.0, -3.0, 1.0),
    };
    let mut simulation = Simulation::new(units, &start, with).expect("a cube");
    let mut frames = Vec::new();
    for index in 0..60 {
        simulation.world.advance_to(f64::from(index) / FRAME_RATE).expect("no fault");
        let state = simulation.world.state(simulation.cube).expect("a cube");
        let q = state.orientation;
        frames.push(TossFrame {
            position: state.position.to_array(),
            quaternion: [q.w, q.x, q.y, q.z],
            velocity: (state.velocity + 0.5 / FRAME_RATE * units.gravity * DVec3::Z).to_array(),
            body_rates: (q.conjugate() * state.angular_velocity).to_array(),
        });
    }
    Toss { id: "own".to_owned(), frames }
}

#[test]
fn a_toss_of_its_own_has_no_error() {
    let toss = own_toss(TRACKED_UNITS, FITTED);
    let whole = whole(&toss, TRACKED_UNITS, 0.5, FITTED).unwrap();
    assert!(whole.mean.position < 1e-6 && whole.mean.rotation < 1e-5, "{:?}", whole.mean);
    assert!(whole.lowest > 0.0 && whole.unbooked < 1e-9);
    // The median of body rates is that of two frames before, when a body that tumbles turned about another axis.
    for error in after_contact(&toss, FITTED).unwrap().into_iter().flatten() {
        assert!(error.position < 1e-3 && error.rotation < 1e-2, "{error:?}");
    }
}

#[test]
fn another_friction_has_an_error() {
    let toss = own_toss(TRUE_UNITS, FITTED);
    let other = Parameters { friction: 0.4, ..FITTED };
    assert!(whole(&toss, TRUE_UNITS, 0.5, other).unwrap().mean.position > 1.0);
}

#[test]
fn a_hollow_cube_has_more_inertia_than_a_solid_one() {
    let solid = MASS * EDGE * EDGE / 6.0;
    let shell = 5.0 / 18.0 * MASS * EDGE * EDGE;
    assert!(inertia() > solid && inertia() < shell);
    assert!((inertia() - 1.023e-3).abs() < 1e-6, "{}", inertia());
}
