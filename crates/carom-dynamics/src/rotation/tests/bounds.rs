//! Bounds on the rates hold, are attained, and are ordered as the thesis says (guide TOI-R5).

use super::*;

/// (M 2.5) and (M 2.4).
fn ellipsoid_bounds(mass: &Mass, orientation: DQuat, spin: DVec3) -> [f64; 2] {
    let least = mass.moments.x;
    [
        (2.0 * energy(mass, orientation, spin) / least).sqrt(),
        mass.angular_momentum(orientation, spin).length() / least,
    ]
}

/// Three rates that come near their bounds somewhere, for the print-out.
fn sampled(motion: &FreeRotation, times: usize, step: f64) -> [f64; 3] {
    let mut largest = [0.0_f64; 3];
    let h = 1e-4 / motion.omega_max();
    for i in 0..times {
        let time = i as f64 * step;
        let here = motion.attitude_at(time);
        let [before, after] =
            [time - h, time + h].map(|t| motion.attitude_at(t).angular_acceleration);
        let jerk = (after - before).length() / (2.0 * h);
        let rates = [here.angular_velocity.length(), here.angular_acceleration.length(), jerk];
        for (most, rate) in largest.iter_mut().zip(rates) {
            *most = most.max(rate);
        }
    }
    largest
}

/// proves: m1/TOI-R5
#[test]
fn the_largest_rate_is_below_the_energy_bound_and_that_below_the_momentum_bound() {
    // Ordered, and (2.5)/(2.4) within [√(I_min/I_max), 1] (M 2.6).
    let mut runner = proptest::test_runner::TestRunner::new(property(2000));
    let strategy = (turned_body(any_moments()), rotation(), vector(5.0));
    let law = |(mass, attitude, spin): (Mass, DQuat, DVec3)| {
        let motion = FreeRotation::new(&mass, attitude, spin);
        let [energy, momentum] = ellipsoid_bounds(&mass, attitude, spin);
        let slack = 1.0 + 1e-14;
        let most = motion.omega_max();
        prop_assert!(most <= energy * slack, "{most} above (2.5), {energy}");
        prop_assert!(energy <= momentum * slack, "(2.5) {energy} above (2.4), {momentum}");
        let ratio = energy / momentum;
        let least = (mass.moments.x / mass.moments.z).sqrt();
        prop_assert!(ratio * slack >= least, "(2.5)/(2.4) is {ratio}, below {least}");
        for i in 0..100 {
            let rate = motion.at(f64::from(i) * 0.37).1.length();
            prop_assert!(rate <= most, "|ω| = {rate} above {most}");
        }
        Ok(())
    };
    runner.run(&strategy, law).unwrap();

    // Equality for a cube, and for spin about the axis of the least moment.
    for (moments, spin) in
        [([2.0, 2.0, 2.0], DVec3::new(1.0, 2.0, -2.0)), ([1.0, 2.0, 2.5], 3.0 * DVec3::X)]
    {
        let mass = body(moments);
        let [energy, momentum] = ellipsoid_bounds(&mass, DQuat::IDENTITY, spin);
        let most = FreeRotation::new(&mass, DQuat::IDENTITY, spin).omega_max();
        for bound in [energy, momentum, most] {
            assert!((bound / 3.0 - 1.0).abs() < 1e-14, "{moments:?}: {bound} instead of 3");
        }
    }
}

proptest! {
    #![proptest_config(property(500))]

    #[test]
    fn rates_never_exceed_their_bounds(
        mass in prop_oneof![turned_body(any_moments()), turned_body(close_moments())],
        attitude in rotation(),
        spin in vector(3.0),
    ) {
        let motion = FreeRotation::new(&mass, attitude, spin);
        let rates = motion.rates();
        let found = sampled(&motion, 200, 0.113);
        // The third is a difference quotient; its truncation is 1e-8 of the fifth derivative of the attitude.
        let slack = [1.0, 1.0 + 1e-14, 1.0 + 1e-4];
        for ((found, bound), slack) in found.iter().zip([rates.spin, rates.acceleration, rates.jerk]).zip(slack) {
            let noise = 1e-11 * rates.spin * rates.spin * rates.spin;
            prop_assert!(*found <= bound * slack + noise, "{found:?} above {rates:?}");
        }
    }
}

#[test]
fn bounds_on_rates_are_tight_for_an_ordinary_body() {
    let motion =
        FreeRotation::new(&body([1.0, 2.0, 2.5]), DQuat::IDENTITY, DVec3::new(1.0, 2.0, -1.5));
    let found = sampled(&motion, 100_000, 1e-3);
    let rates = motion.rates();
    let ratios = [rates.spin / found[0], rates.acceleration / found[1], rates.jerk / found[2]];
    println!(
        "bound over largest seen: |ω| {:.6}, |ω̇| {:.6}, |ω̈| {:.3}",
        ratios[0], ratios[1], ratios[2]
    );
    assert!(ratios[0] < 1.0 + 1e-5 && ratios[1] < 1.0 + 1e-5, "{ratios:?}");
    assert!(ratios[2] < 2.0, "{ratios:?}");
}
