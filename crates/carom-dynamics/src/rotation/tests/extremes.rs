//! Where formulas usually break: zero, huge, tiny, the separatrix, nearly equal moments.

use super::*;

#[test]
fn at_zero_the_given_numbers_come_back_to_the_bit() {
    let orientation = DQuat::from_xyzw(0.1, -0.2, 0.3, 0.927);
    let spin = DVec3::new(-0.0, 3.0, 1e-3);
    for moments in [[1.0, 2.0, 2.5], [1.0, 1.0, 1.5], [1.0, 1.0, 1.0]] {
        let motion = FreeRotation::new(&body(moments), orientation, spin);
        let (q, w) = motion.at(0.0);
        assert_eq!(q.to_array().map(f64::to_bits), orientation.to_array().map(f64::to_bits));
        assert_eq!(w.to_array().map(f64::to_bits), spin.to_array().map(f64::to_bits));
        // And there is no step beside it.
        for tau in [1e-300, -1e-20, 1e-17] {
            let (q, w) = motion.at(tau);
            let turned = angle(q, orientation / orientation.length());
            let change = (w - spin).length() / spin.length();
            assert!(
                turned < 4e-15 && change < 4e-15,
                "{moments:?} at {tau:e}: {turned:e} {change:e}"
            );
        }
    }
}

#[test]
fn a_body_at_rest_stays() {
    let motion = FreeRotation::new(&body([1.0, 2.0, 3.0]), DQuat::IDENTITY, DVec3::ZERO);
    assert_eq!(motion.at(1e9), (DQuat::IDENTITY, DVec3::ZERO));
    assert!(!motion.rotates() && motion.omega_max() == 0.0 && motion.rounding(1e9) == 0.0);
}

/// Free rotation knows no scale of time or of mass.
#[test]
fn huge_and_tiny_spins_and_moments_turn_alike() {
    for moments in [[1.0, 2.0, 2.5], [1.0, 1.0 + 1e-11, 1.5], [1.0, 1.0, 1.5], [0.01, 1.0, 1.0]] {
        let spin = DVec3::new(0.3, -1.0, 0.7);
        let expected = FreeRotation::new(&body(moments), DQuat::IDENTITY, spin).at(20.0);
        for (speed, inertia) in [(1e150, 1.0), (1e-150, 1.0), (1e100, 1e-120), (1e-300, 1e140)] {
            let mass = body(moments.map(|i| i * inertia));
            let motion = FreeRotation::new(&mass, DQuat::IDENTITY, spin * speed);
            let (q, w) = motion.at(20.0 / speed);
            let turned = angle(q, expected.0);
            let change = (w / speed - expected.1).length();
            // Scaled moments and rates are rounded, so that differences of close moments move.
            let allowed = if moments[1] - moments[0] == 1e-11 { 1e-8 } else { 1e-13 };
            assert!(
                turned < allowed && change < allowed,
                "{moments:?} × {speed:e}: {turned:e} {change:e}"
            );
            assert!(motion.omega_max().is_finite());
        }
    }
}

#[test]
fn spins_ever_closer_to_an_axis_stay_finite_and_unit() {
    for exponent in [-3, -16, -80, -139, -141, -200, -320] {
        let share = libm::pow(10.0, f64::from(exponent));
        for axis in 0..3 {
            let mut spin = DVec3::new(share, -share, 2.0 * share);
            spin[axis] = 1.0;
            for moments in [[1.0, 2.0, 2.5], [1.0, 1.0 + 1e-15, 2.0], [1.0, 2.0, 2.0 + 1e-15]] {
                let motion = FreeRotation::new(&body(moments), DQuat::IDENTITY, spin);
                for time in [1e-3, 1.0, 1e3, 1e6, -1e9, 1e25, -1e200] {
                    let (q, w) = motion.at(time);
                    let [norm, rate] = [q.length(), w.length()];
                    assert!(
                        (norm - 1.0).abs() < 1e-15,
                        "{moments:?} {spin} at {time}: |q| = {norm}"
                    );
                    assert!(
                        rate <= motion.omega_max(),
                        "{moments:?} {spin} at {time}: |ω| = {rate}"
                    );
                }
            }
        }
    }
}

/// I₃(I₃−I₂)ω₃² = I₁(I₂−I₁)ω₁² exactly: no period, and the middle axis is approached forever.
#[test]
fn on_the_separatrix_the_body_comes_to_rest_on_the_middle_axis() {
    let mass = body([3.0, 4.0, 6.0]);
    let spin = DVec3::new(2.0, 0.5, 1.0);
    let motion = FreeRotation::new(&mass, DQuat::IDENTITY, spin);
    assert!(motion.rates().growth(1e9) > 1e100, "this motion must be taken for the separatrix");
    let end = (mass.moments * spin).length() / 4.0;
    for time in [60.0, 1e3, 1e12, -60.0, -1e3] {
        let (orientation, angular_velocity) = motion.at(time);
        let rates = orientation.conjugate() * angular_velocity;
        let error = (rates.abs() - DVec3::new(0.0, end, 0.0)).length();
        assert!(error < 1e-13, "at {time} s the rates are {rates}");
    }
}

#[test]
fn numbers_that_are_not_finite_neither_panic_nor_hide() {
    for bad in [f64::NAN, f64::INFINITY] {
        for moments in [[1.0, 2.0, 2.5], [1.0, 1.0, 1.5], [1.0, 1.0, 1.0]] {
            let spin = DVec3::new(1.0, bad, 0.5);
            let (q, w) = FreeRotation::new(&body(moments), DQuat::IDENTITY, spin).at(1.0);
            assert!(q.is_nan() && w.is_nan(), "{moments:?}: {q} {w}");
        }
    }
}
