//! Pairs of bodies in flight, of three different moments.

use super::*;
use crate::testing::{any_moments, close_moments, turned_body, vector};

/// A body in flight since up to 10 s before time zero.
fn flight() -> impl Strategy<Value = Body> {
    let masses = prop_oneof![4 => turned_body(any_moments()), 1 => turned_body(close_moments())];
    let state = (pose(), vector(5.0), vector(8.0));
    (masses, state, -10.0..0.0_f64).prop_map(|(mass, (pose, velocity, angular_velocity), start)| {
        let state = BodyState { velocity, angular_velocity, ..BodyState::at_rest(pose) };
        let flight = Ballistic::new(start, state, DVec3::new(0.0, 0.0, -9.81), &mass);
        Body::Flight(Box::new(flight))
    })
}

/// Windows from 10⁻¹³ s to 3 s within half a minute of flight, and some of no length.
fn short_window() -> impl Strategy<Value = Span> {
    let exponent = prop_oneof![8 => (-13.0..0.5_f64).prop_map(Some), 1 => Just(None)];
    (0.0..20.0_f64, exponent)
        .prop_map(|(start, exponent)| Span::new(start, start + exponent.map_or(0.0, libm::exp10)))
}

#[test]
fn gaps_between_bodies_in_flight_stay_above_their_bounds() {
    let loss: [Tightness; 2] = Default::default();
    let inputs = (flight(), flight(), short_window(), features());
    for_all(8000, &inputs, |(a, b, window, features)| {
        let motion = RelativeMotion::independent(a.over(window), b.over(window), window);
        let bound = features.bound(&motion);
        for time in samples(window, 32) {
            let (gap, least) = (features.gap(&a, &b, time), bound.after(time - window.start));
            assert!(
                gap >= least,
                "{a:?} and {b:?} over {window:?}, {features:?} at {time}: {gap} < {least}, {bound:?}"
            );
        }
        // How far the gap really got from where it was, and how far the bound let it.
        let change = features.gap(&a, &b, window.end) - features.gap(&a, &b, window.start);
        let allowed = bound.after(window.length()) - bound.gap;
        if change < -1e-3 && window.length() < 0.1 {
            let planar = matches!(features, Features::PlanePoint(..));
            loss[usize::from(planar)].record(allowed / change);
        }
    });
    loss[0].print("closing of edge-edge gaps in flight, windows up to 0.1 s");
    loss[1].print("closing of plane-point gaps in flight, windows up to 0.1 s");
}

#[test]
fn slopes_of_gaps_in_flight_are_exact_and_the_third_is_bounded() {
    // Differences of numbers up to 2000 m, which is how deep they fall, lose three digits more than nearby ones.
    let (step, tolerance) = (5e-4, 2e-5);
    let worst = std::cell::Cell::new(0.0_f64);
    let tightness: [Tightness; 2] = Default::default();
    let inputs = (flight(), flight(), 0.0..1.0_f64, features());
    for_all(3000, &inputs, |(a, b, start, features)| {
        let window = Span::new(start, start + 0.02);
        let motion = RelativeMotion::independent(a.over(window), b.over(window), window);
        let bound = features.bound(&motion);
        let [rate, acceleration, _] = slopes(|t| features.gap(&a, &b, t), start, step);
        for (given, measured) in [(bound.rate, rate), (bound.acceleration, acceleration)] {
            let off = (given - measured).abs() / (100.0 + given.abs());
            worst.set(worst.get().max(off));
            assert!(off < tolerance, "{a:?} {b:?} {features:?}: {given}, {measured}: {off:e}");
        }
        let third = samples(window, 8)
            .map(|time| slopes(|t| features.gap(&a, &b, t), time, 2e-3)[2].abs())
            .fold(0.0, f64::max);
        // A step of 4 ms beyond the window counts, and rounding of 10⁻¹²/10⁻⁸.
        assert!(third <= bound.jerk * 1.1 + 0.1, "{a:?} {b:?} {features:?}: {third}, {bound:?}");
        if third > 10.0 {
            let planar = matches!(features, Features::PlanePoint(..));
            tightness[usize::from(planar)].record(bound.jerk / third);
        }
    });
    println!("gap slopes: largest relative difference {:.1e}, allowed {tolerance:e}", worst.get());
    tightness[0].print("third derivative of edge-edge gaps in flight over 20 ms");
    tightness[1].print("third derivative of plane-point gaps in flight over 20 ms");
}
