//! Six-vectors: what a change of the reference point must leave alone.

use glam::{DMat3, DVec3};
use proptest::prelude::*;

use super::{ArticulatedInertia, ForceVector, MotionVector, RigidInertia};
use crate::testing::{any_moments, property, rotation, vector};

fn motion() -> impl Strategy<Value = MotionVector> {
    (vector(2.0), vector(2.0)).prop_map(|(angular, linear)| MotionVector { angular, linear })
}

fn force() -> impl Strategy<Value = ForceVector> {
    (vector(2.0), vector(2.0)).prop_map(|(angular, linear)| ForceVector { angular, linear })
}

fn rigid() -> impl Strategy<Value = RigidInertia> {
    (0.1..3.0, vector(1.0), any_moments(), rotation()).prop_map(|(mass, center, moments, turn)| {
        let turn = DMat3::from_quat(turn);
        let inertia = turn * DMat3::from_diagonal(DVec3::from_array(moments)) * turn.transpose();
        RigidInertia::new(mass, center, &inertia)
    })
}

fn difference(a: ForceVector, b: ForceVector) -> f64 {
    (a - b).angular.length() + (a - b).linear.length()
}

proptest! {
    #![proptest_config(property(2000))]

    /// proves: m2/R-01
    #[test]
    fn power_and_kinetic_energy_do_not_depend_on_the_reference_point(
        v in motion(), f in force(), inertia in rigid(), arm in vector(3.0),
    ) {
        let power = f.dot(v);
        prop_assert!((f.at(arm).dot(v.at(arm)) - power).abs() < 1e-13 * 100.0);
        prop_assert!(difference(f.at(arm).carried(arm), f) < 1e-14 * 10.0);
        let energy = inertia.times(v).dot(v);
        // Seen from the point from which the reference point lies at `arm`.
        let moved = inertia.carried(arm).times(v.at(-arm)).dot(v.at(-arm));
        prop_assert!((moved - energy).abs() < 1e-12 * (1.0 + energy), "{moved} {energy}");
    }

    /// proves: m2/R-01
    #[test]
    fn a_carried_inertia_gives_the_carried_force(
        inertia in rigid(), freedom in motion(), a in motion(), arm in vector(3.0),
    ) {
        let full = ArticulatedInertia::from(inertia);
        let momentum = full.times(freedom);
        let mut reduced = full;
        reduced.give_way(momentum, 1.0 / momentum.dot(freedom));
        for inertia in [&full, &reduced] {
            let want = inertia.times(a.at(arm)).carried(arm);
            let off = difference(inertia.carried(arm).times(a), want);
            prop_assert!(off < 1e-12 * (1.0 + want.angular.length()), "{off:e}");
        }
        let rigidly = ArticulatedInertia::from(inertia.carried(arm)).times(a);
        prop_assert!(difference(rigidly, full.carried(arm).times(a)) < 1e-12 * 100.0);
        let both = reduced.with(&inertia).times(a);
        prop_assert!(difference(both, reduced.times(a) + full.times(a)) < 1e-12 * 100.0);
        // A freedom that gives way resists nothing.
        let left = reduced.times(freedom);
        prop_assert!(difference(left, ForceVector::ZERO) < 1e-12 * (1.0 + momentum.angular.length()));
    }

    #[test]
    fn turning_an_inertia_turns_what_it_does(inertia in rigid(), turn in rotation(), a in motion()) {
        let turn = DMat3::from_quat(turn);
        let turned = MotionVector::new(turn * a.angular, turn * a.linear);
        let want = inertia.times(a);
        let want = ForceVector::new(turn * want.angular, turn * want.linear);
        prop_assert!(difference(inertia.turned(&turn).times(turned), want) < 1e-13 * 100.0);
    }
}
