//! What a law says of its energy is what its force does.

use std::cell::Cell;

use super::*;
use crate::BodyState;
use crate::tree::tests::for_all;

fn any_end() -> impl Strategy<Value = BodyState> {
    (vector(1.5), rotation(), vector(2.0), vector(2.0)).prop_map(
        |(position, orientation, velocity, angular_velocity)| BodyState {
            position,
            orientation,
            velocity,
            angular_velocity,
        },
    )
}

/// The end a little later, as if it moved on like this.
fn later(end: &BodyState, tau: f64) -> BodyState {
    let turn = DQuat::from_scaled_axis(tau * end.angular_velocity);
    BodyState {
        position: end.position + tau * end.velocity,
        orientation: turn * end.orientation,
        ..*end
    }
}

#[test]
fn power_of_a_force_with_energy_is_what_its_energy_loses() {
    let worst = Cell::new(0.0_f64);
    let numbers = proptest::array::uniform6(0.05..1.0_f64);
    let even = (0..7_usize, numbers, any_end(), any_end());
    for_all(2000, &even, |(kind, x, on, from)| {
        let law = match kind {
            // Uneven torsion is the one that needs T.
            6 => ElementLaw::Bushing(Bushing {
                stiffness: DVec3::new(x[0], x[1], x[2]),
                torsion_stiffness: DVec3::new(x[3], x[4], x[5]),
                ..Bushing::default()
            }),
            5 => ElementLaw::Attraction(Attraction { strength: x[0] }),
            kind => any_law(kind, x),
        };
        let element = Element::on(center(0), law);
        let at = |tau: f64| Ends { time: 0.0, on: later(&on, tau), from: later(&from, tau) };
        let tau = 1e-5;
        let gain = (element.energy(&at(tau)) - element.energy(&at(-tau))) / (2.0 * tau);
        let now = at(0.0);
        let power = element.act(&now, element.is_beyond(&now), &mut |_| {}).dot(now.relative());
        // A rotation vector that jumps within the difference, or points that nearly meet, say nothing.
        let turn = (from.orientation.conjugate() * on.orientation).w.abs();
        let stored = element.energy(&now).abs();
        if turn > 0.01 && now.arm().length() > 0.2 && stored < 1e3 {
            worst.set(worst.get().max((power + gain).abs() / (1.0 + stored)));
        }
    });
    println!("power and loss of energy differ by {:.1e} W", worst.get());
    // Differences over 10⁻⁵ s round to 10⁻¹¹ of energies of some 100 J, and err by their third derivatives.
    assert!(worst.get() < 1e-6, "{:e}", worst.get());
}

#[test]
fn dampers_and_drag_never_give_energy() {
    let numbers = proptest::array::uniform6(0.0..1.0_f64);
    for_all(2000, &(0..KINDS, numbers, any_end(), any_end()), |(kind, x, on, from)| {
        let element = Element::on(center(0), any_law(kind, x));
        let ends = Ends { time: 0.0, on, from };
        let relative = ends.relative();
        element.act(&ends, false, &mut |damper| {
            assert!(damper.damping >= 0.0);
            let slip = damper.direction.dot(relative) - damper.drift;
            assert!(damper.damping * slip * slip >= 0.0);
        });
    });
}

#[test]
fn a_half_turn_is_where_a_torsion_spring_changes_sides() {
    let law = Bushing::torsion(2.0, 0.0);
    let torque = |angle: f64| {
        let on = BodyState::at_rest(Pose::new(DVec3::ZERO, DQuat::from_rotation_z(angle)));
        let ends = Ends { time: 0.0, on, from: BodyState::at_rest(Pose::IDENTITY) };
        law.act(&ends, Bushing::real_part(&ends) <= 0.0, &mut |_| {}).angular.z
    };
    println!("{} N·m before and {} N·m after", torque(3.1), torque(3.2));
    assert!((torque(3.1) + 6.2).abs() < 1e-12);
    assert!((torque(3.2) - 2.0 * (std::f64::consts::TAU - 3.2)).abs() < 1e-12);
}
