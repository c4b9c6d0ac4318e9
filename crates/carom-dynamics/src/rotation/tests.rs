//! The laws of free rotation (guide RB-R2 to RB-R5) and agreement with 50 digits.

mod bounds;
mod extremes;
mod splitting;

use std::f64::consts::{FRAC_PI_2, TAU};

use proptest::prelude::*;

use super::*;
use crate::testing::{any_moments, body, close_moments, property, rotation, turned_body, vector};

/// Angle between two attitudes `[rad]`.
fn angle(a: DQuat, b: DQuat) -> f64 {
    2.0 * (a.conjugate() * b).xyz().length()
}

fn energy(mass: &Mass, orientation: DQuat, angular_velocity: DVec3) -> f64 {
    0.5 * mass.angular_momentum(orientation, angular_velocity).dot(angular_velocity)
}

/// Relative changes of energy and of the angular momentum vector after a time.
fn drift(mass: &Mass, orientation: DQuat, angular_velocity: DVec3, time: f64) -> [f64; 2] {
    let (later, rate) = FreeRotation::new(mass, orientation, angular_velocity).at(time);
    let before = energy(mass, orientation, angular_velocity);
    let momentum = mass.angular_momentum(orientation, angular_velocity);
    [
        (energy(mass, later, rate) / before - 1.0).abs(),
        (mass.angular_momentum(later, rate) - momentum).length() / momentum.length(),
    ]
}

/// proves: data/free-rotation
#[test]
fn integration_in_fifty_digits_is_met_within_the_stated_rounding() {
    for (name, case) in oracles::free_rotation::free_rotations().unwrap() {
        let attitude = |[w, x, y, z]: [f64; 4]| DQuat::from_xyzw(x, y, z, w);
        let start = DVec3::from_array(case.angular_velocity);
        let motion = FreeRotation::new(&body(case.moments), attitude(case.orientation), start);
        let (orientation, angular_velocity) = motion.at(case.time);
        let turned = angle(orientation, attitude(case.final_orientation));
        let expected = DVec3::from_array(case.final_angular_velocity);
        let rate = (angular_velocity - expected).length() / start.length();
        let bound = motion.rounding(case.time);
        println!("{name}: attitude off by {turned:.1e} rad, rate by {rate:.1e}, bound {bound:.1e}");
        // Tightest that pass; near the separatrix k'² is 2e-6, and rounding of the start grows.
        let seen = if name == "near_separatrix" { 1e-11 } else { 1e-13 };
        let bound = bound.min(seen);
        assert!(turned <= bound, "{name}: attitude is off by {turned:e}, more than {bound:e}");
        assert!(rate <= bound, "{name}: angular velocity is off by {rate:e}, more than {bound:e}");
    }
}

/// proves: ref/E1
#[test]
fn the_asymmetric_body_of_the_reference_cases_turns_over_on_time() {
    let mass = body([1.0, 2.0, 3.0]);
    let start = DVec3::new(0.01, 2.0, 0.0);
    let motion = FreeRotation::new(&mass, DQuat::IDENTITY, start);
    let body_rates = |t: f64| {
        let (orientation, angular_velocity) = motion.at(t);
        orientation.conjugate() * angular_velocity
    };
    // The middle rate at the time of its n-th zero; it passes zero at 2.3 rad/s².
    for n in 0..6 {
        let zero = 5.7890128 + 11.5780256 * f64::from(n);
        let (before, after) = (body_rates(zero - 1e-6).y, body_rates(zero + 1e-6).y);
        assert!(before * after < 0.0, "no zero within 1e-6 s of {zero}: {before:e}, {after:e}");
    }
    let error = (body_rates(10.0) - DVec3::new(0.03173255, -1.99977325, -0.0173873)).length();
    assert!(error < 1e-7, "rates at 10 s are off by {error:e}");
    let period = 23.1560512;
    let back = (body_rates(period) - start).length();
    assert!(back < 1e-7, "rates after a period are off by {back:e}");
    let [energy, momentum] = drift(&mass, DQuat::IDENTITY, start, 60.0);
    assert!(energy < 1e-14 && momentum < 1e-14, "drift {energy:e}, {momentum:e}");
}

/// proves: m1/RB-R2
#[test]
fn a_tumbling_box_keeps_energy_and_momentum() {
    // A box of edges 1, 2, 3 and mass 12.
    let mass = body([5.0, 10.0, 13.0]);
    let spin = DVec3::splat(10.0 / 3.0_f64.sqrt());
    for time in [10.0, 1000.0, 1e6] {
        let [energy, momentum] = drift(&mass, DQuat::IDENTITY, spin, time);
        // The checklist asks for 1e-8; rounding of one evaluation is what is left.
        assert!(energy < 4e-15 && momentum < 4e-15, "after {time} s: {energy:e}, {momentum:e}");
    }
}

#[test]
fn energy_and_momentum_do_not_drift_in_a_thousand_seconds() {
    let bodies = prop_oneof![turned_body(any_moments()), turned_body(close_moments())];
    let worst = std::cell::Cell::new([0.0_f64; 2]);
    let mut runner = proptest::test_runner::TestRunner::new(property(4000));
    let law = |(mass, attitude, spin): (Mass, DQuat, DVec3)| {
        let [energy, momentum] = drift(&mass, attitude, spin, 1000.0);
        let [most_energy, most_momentum] = worst.get();
        worst.set([most_energy.max(energy), most_momentum.max(momentum)]);
        // What one evaluation and one measurement round.
        prop_assert!(energy < 1e-14, "energy drifts by {energy:e}");
        prop_assert!(momentum < 1e-14, "momentum drifts by {momentum:e}");
        Ok(())
    };
    let result = runner.run(&(bodies, rotation(), vector(10.0)), law);
    println!("largest drift of energy and momentum in 1000 s: {:?}", worst.get());
    result.unwrap();
}

proptest! {
    #![proptest_config(property(4000))]

    #[test]
    fn the_rates_are_the_derivatives(
        mass in prop_oneof![turned_body(any_moments()), turned_body(close_moments())],
        attitude in rotation(),
        spin in vector(1.0),
        time in -50.0..50.0_f64,
    ) {
        let motion = FreeRotation::new(&mass, attitude, spin);
        let h = 1e-3 / motion.omega_max();
        let [before, here, after] = [time - h, time, time + h].map(|t| motion.attitude_at(t));
        let turn = (after.orientation * before.orientation.conjugate()).to_scaled_axis() / (2.0 * h);
        // Truncation of central differences: h²·|third derivative|, times a factor for stiff bodies.
        let scale = motion.omega_max();
        let allowed = 1e-5 * (1.0 + motion.rates().jerk / (scale * scale * scale));
        let error = (turn - here.angular_velocity).length() / scale;
        prop_assert!(error < allowed, "ω is off by {error:e}");
        let change = (after.angular_velocity - before.angular_velocity) / (2.0 * h);
        let error = (change - here.angular_acceleration).length() / (scale * scale);
        prop_assert!(error < allowed, "ω̇ is off by {error:e}");
    }
}

/// proves: m1/RB-R3
#[test]
fn a_million_restarts_keep_the_quaternion_unit_and_the_matrix_orthogonal() {
    let mass = body([0.7, 1.0, 1.4]);
    let (mut orientation, mut angular_velocity) = (DQuat::IDENTITY, DVec3::new(1.0, -2.0, 3.0));
    let momentum = mass.angular_momentum(orientation, angular_velocity);
    let before = energy(&mass, orientation, angular_velocity);
    let mut worst = 0.0_f64;
    for _ in 0..1_000_000 {
        let motion = FreeRotation::new(&mass, orientation, angular_velocity);
        (orientation, angular_velocity) = motion.at(1e-3);
        worst = worst.max((orientation.length() - 1.0).abs());
    }
    let matrix = glam::DMat3::from_quat(orientation);
    let product = matrix.transpose() * matrix - glam::DMat3::IDENTITY;
    let skew = product.to_cols_array().iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let drift = (mass.angular_momentum(orientation, angular_velocity) - momentum).length();
    let gain = (energy(&mass, orientation, angular_velocity) / before - 1.0).abs();
    println!("|q| − 1: {worst:.1e}, RᵀR − 1: {skew:.1e}, L: {drift:.1e}, E: {gain:.1e}");
    assert!(worst < 4.0 * f64::EPSILON, "|q| is off by {worst:e}");
    assert!(skew < 4.0 * f64::EPSILON, "RᵀR is off by {skew:e}");
    // A hundredth of a unit in the last place per restart.
    assert!(drift / momentum.length() < 1e-10 && gain < 1e-10, "drift {drift:e}, {gain:e}");
}

/// proves: m1/RB-R4
#[test]
fn spin_about_a_principal_axis_returns_after_a_turn() {
    let tilt = DQuat::from_xyzw(0.18, -0.24, 0.4, 0.866).normalize();
    for moments in [[1.0, 2.0, 2.5], [1.0, 1.0, 1.5], [0.1, 1.0, 1.0], [1.0, 1.0, 1.0]] {
        for axis in DVec3::AXES {
            let rate = 7.0;
            let motion = FreeRotation::new(&body(moments), tilt, tilt * (rate * axis));
            // The spin about the middle axis is unstable, and the world axes round it: one turn only.
            let error = angle(motion.at(TAU / rate).0, tilt);
            let bound = motion.rounding(TAU / rate);
            assert!(error < bound, "{moments:?} about {axis}: {error:e} rad after a turn");
            let quarter = tilt * DQuat::from_axis_angle(axis, FRAC_PI_2);
            let error = angle(motion.at(0.25 * TAU / rate).0, quarter);
            assert!(error < bound, "{moments:?} about {axis}: {error:e} rad after a quarter");
        }
    }
}

/// proves: m1/RB-R5
#[test]
fn spin_about_the_middle_axis_flips_and_keeps_its_invariants() {
    let mass = body([1.0, 2.0, 3.0]);
    let spin = DVec3::new(1e-6, 5.0, -1e-6);
    let motion = FreeRotation::new(&mass, DQuat::IDENTITY, spin);
    let mut flips = 0;
    let mut side = 1.0;
    for i in 0..20_000 {
        let (orientation, angular_velocity) = motion.at(f64::from(i) * 0.005);
        let middle = (orientation.conjugate() * angular_velocity).y;
        if middle * side < -4.9 {
            (flips, side) = (flips + 1, -side);
        }
        let error =
            (mass.angular_momentum(orientation, angular_velocity) - mass.moments * spin).length();
        assert!(error < 1e-14 * 10.0, "angular momentum is off by {error:e}");
    }
    // One every 2K/λ = 11.4 s.
    assert!((8..=9).contains(&flips), "{flips} flips in 100 s");
    let steady = FreeRotation::new(&mass, DQuat::IDENTITY, DVec3::new(0.0, 5.0, 0.0));
    let (_, angular_velocity) = steady.at(1e4);
    assert_eq!(angular_velocity, DVec3::new(0.0, 5.0, 0.0), "an exact spin does not flip");
}
