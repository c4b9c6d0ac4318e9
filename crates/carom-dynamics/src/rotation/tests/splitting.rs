//! Any split of a time gives the same result: the motion is a flow.

use super::*;
use crate::testing::log_uniform;

/// Angle and relative rate between going once for `time` and going in parts.
fn split_error(mass: &Mass, attitude: DQuat, spin: DVec3, time: f64, cuts: &[f64]) -> f64 {
    let (whole, rate) = FreeRotation::new(mass, attitude, spin).at(time);
    let (mut at, mut q, mut w) = (0.0, attitude, spin);
    for next in cuts.iter().map(|cut| cut * time).chain([time]) {
        (q, w) = FreeRotation::new(mass, q, w).at(next - at);
        at = next;
    }
    angle(whole, q).max((rate - w).length() / spin.length())
}

/// What is asked: 1e-12, and beyond a thousand radians as much per radian.
fn asked(spin: f64, time: f64) -> f64 {
    1e-12 * (spin * time.abs() / 1000.0).max(1.0)
}

fn cuts() -> impl Strategy<Value = Vec<f64>> {
    proptest::collection::vec(0.0..1.0_f64, 1..5).prop_map(|mut cuts| {
        cuts.sort_by(f64::total_cmp);
        cuts
    })
}

fn symmetric_moments() -> impl Strategy<Value = [f64; 3]> {
    (log_uniform(-3.0..0.0), 0..3).prop_map(|(share, kind)| match kind {
        0 => [share, 1.0, 1.0],
        1 => [1.0, 1.0, 1.0 + share],
        _ => [1.0, 1.0, 1.0],
    })
}

/// Runs a law over random motions of a kind of body and prints the largest error over what is asked.
fn check(
    name: &str,
    bodies: impl Strategy<Value = Mass>,
    allowed: impl Fn(&FreeRotation, DVec3, f64) -> f64,
) {
    let speeds = (vector(1.0), log_uniform(-3.0..2.0), log_uniform(-1.0..4.0));
    let worst = std::cell::Cell::new(0.0_f64);
    let mut runner = proptest::test_runner::TestRunner::new(property(4000));
    let law = |(mass, attitude, (spin, speed, radians), cuts): (Mass, DQuat, _, Vec<f64>)| {
        let (spin, time): (DVec3, f64) = (spin * speed, radians / speed);
        let error = split_error(&mass, attitude, spin, time, &cuts);
        let allowed = allowed(&FreeRotation::new(&mass, attitude, spin), spin, time);
        worst.set(worst.get().max(error / allowed));
        prop_assert!(error <= allowed, "{error:e} instead of {allowed:e}");
        Ok(())
    };
    let result = runner.run(&(bodies, rotation(), speeds, cuts()), law);
    println!("{name}: largest error over what is allowed {:.3}", worst.get());
    result.unwrap();
}

#[test]
fn splitting_the_time_of_a_symmetric_body_changes_nothing() {
    check("symmetric", turned_body(symmetric_moments()), |motion, _, time| {
        asked(motion.omega_max(), time)
    });
}

/// Moments that differ by 1e-3 to 1e-13: neighbouring motions part too slowly to matter.
#[test]
fn splitting_the_time_of_a_nearly_symmetric_body_changes_nothing() {
    check("nearly symmetric", turned_body(close_moments()), |motion, _, time| {
        asked(motion.omega_max(), time)
    });
}

/// All bodies and all motions, the separatrix included, to the growth that the module states.
#[test]
fn splitting_the_time_of_any_body_changes_no_more_than_stated() {
    check("any", turned_body(any_moments()), |motion, _, time| {
        asked(motion.omega_max(), time) * motion.rates().growth(time)
    });
}

proptest! {
    #![proptest_config(property(4000))]

    /// Spins within 1e-9 to 0.1 of the middle axis: errors grow like e^(σt) and are bounded by that.
    #[test]
    fn splitting_near_the_separatrix_changes_no_more_than_stated(
        moments in any_moments(),
        attitude in rotation(),
        offset in vector(1.0),
        share in log_uniform(-9.0..-1.0),
        turns in log_uniform(-1.0..2.5),
        cuts in cuts(),
    ) {
        let mass = body(moments);
        let spin = attitude * (DVec3::Y + share * offset);
        let error = split_error(&mass, attitude, spin, turns, &cuts);
        let motion = FreeRotation::new(&mass, attitude, spin);
        // Each part adds its own roundings.
        let bound = (cuts.len() + 2) as f64 * motion.rounding(turns);
        prop_assert!(error <= bound, "{error:e} instead of {bound:e}");
    }

    /// However far a motion near the separatrix has gone from where it should be, from there on it goes on as a motion does:
    /// over less than a radian, the motion that begins there agrees without the growth.
    #[test]
    fn from_any_result_on_the_others_follow_without_growth(
        moments in any_moments(),
        attitude in rotation(),
        offset in vector(1.0),
        share in log_uniform(-9.0..-1.0),
        turns in log_uniform(-1.0..3.0),
        leg in 0.0..0.7_f64,
    ) {
        let mass = body(moments);
        let spin = attitude * (DVec3::Y + share * offset);
        let motion = FreeRotation::new(&mass, attitude, spin);
        let (q, w) = motion.at(turns);
        let (here, rate) = FreeRotation::new(&mass, q, w).at(leg / w.length());
        let (there, expected) = motion.at(turns + leg / w.length());
        let error = angle(here, there).max((rate - expected).length() / spin.length());
        let bound = 2.0 * motion.local_rounding(turns + leg / w.length());
        prop_assert!(error <= bound, "{error:e} instead of {bound:e}");
    }

    #[test]
    fn going_back_returns(
        mass in turned_body(any_moments()),
        attitude in rotation(),
        spin in vector(1.0),
        time in -100.0..100.0_f64,
    ) {
        let motion = FreeRotation::new(&mass, attitude, spin);
        let (q, w) = motion.at(time);
        let (back, rate) = FreeRotation::new(&mass, q, w).at(-time);
        let bound = 2.0 * motion.rounding(time);
        let error = angle(back, attitude).max((rate - spin).length() / spin.length());
        prop_assert!(error <= bound, "{error:e} instead of {bound:e}");
    }
}
