//! Against values in 40 digits (mpmath), rounded to doubles.

use glam::DVec2;

use super::*;

#[test]
fn the_mean_with_one_is_right_to_rounding_down_to_tiny_numbers() {
    let table = [
        (1e-150, 0.004529740011260156),
        (1e-9, 0.07104602320096255),
        (0.1, 0.4250407094932275),
        (0.5, 0.7283955155234534),
        (0.9999999, 0.9999999499999994),
        (1.0, 1.0),
        (3.0, 1.8636167832448964),
        (0.0, 0.0),
    ];
    for (x, expected) in table {
        let error = (mean_with_one(x) - expected).abs();
        assert!(error <= 2.0 * f64::EPSILON * expected, "M(1, {x:e}) is off by {error:e}");
    }
}

#[test]
fn carlsons_integral_is_right_to_rounding() {
    let table = [
        ([0.0, 1e-20, 1.0], 24.412145291060348),
        ([1e-280, 0.0, 1.0], 323.74820738028626),
        ([1.0, 2.0, 3.0], 0.7269459354689082),
        ([0.0, 0.25, 1.0], 2.1565156474996434),
        ([1e10, 2.0, 1e-10], 0.00012552639165344968),
        ([1.0, 1.0, 1.001], 0.9998334082887208),
    ];
    for ([x, y, z], expected) in table {
        let error = (carlson_rf(x, y, z) / expected - 1.0).abs();
        assert!(error <= 4.0 * f64::EPSILON, "R_F({x}, {y}, {z}) is off by {error:e}");
    }
    assert!(carlson_rf(0.0, 0.0, 1.0).is_nan() || carlson_rf(0.0, 0.0, 1.0) > 1e3);
}

#[test]
fn integrals_of_the_first_kind_are_right_up_to_the_separatrix() {
    let table = [
        ([0.6, 0.8, 0.5], 0.6787462902932583),
        ([0.8, 0.6, 1e-8], 1.0986122886681098),
        ([-0.6, 0.8, 1.0], -0.6435011087932844),
        ([1.0, 0.0, 1e-12], 29.017315477048438),
        ([0.96, 0.28, 0.01], 1.9456527947411824),
    ];
    for ([sin, cos, complement], expected) in table {
        let error = (first_kind(sin, cos, complement) / expected - 1.0).abs();
        assert!(error <= 4.0 * f64::EPSILON, "F({sin}, {complement}) is off by {error:e}");
    }
}

/// β/α over its size at u = 0, which no common factor changes.
fn ratio(pair: &ThetaPair, u: f64) -> DVec2 {
    let quotient =
        |even: DVec2, odd: DVec2| DVec2::new(even.x, -even.y).rotate(odd) / even.length_squared();
    let (here, zero) = (pair.at(u), pair.at(0.0));
    quotient(here.even, here.odd) / quotient(zero.even, zero.odd).length()
}

#[test]
fn theta_functions_are_right_in_both_forms() {
    // π/2K, π/2K', η, u, and β/α. The first two and the last sum trigonometric terms, the others hyperbolic ones.
    let table = [
        (0.9741726903999478, 0.6092863473194138, 1.2890460566740867, 1.1287089441041536),
        (0.8057151781215013, 0.8837013829430584, 1.599767434342128, -0.7798270999224104),
        (0.42504070949322753, 0.9974921442428744, 0.0787372780758678, 3.5108554948403805),
        (0.18938830241027918, 0.9999997499999219, 0.9424780316965194, 4.1470257318005315),
        (0.9999999975, 0.1482353938588149, 10.586038122330573, 0.4712388992165662),
    ];
    let expected = [
        DVec2::new(-0.4531532076169778, -1.0476792637986685),
        DVec2::new(-0.7562733509033355, 0.6947376729407007),
        DVec2::new(-0.033690179374621265, -23.047459890985717),
        DVec2::new(-0.0492693065456828, -1.9258336357134018),
        DVec2::new(-0.8910065237388879, -0.45399050064575647),
    ];
    for ((per_quarter, per_co_quarter, eta, u), expected) in table.into_iter().zip(expected) {
        let measured = ratio(&ThetaPair::new(per_quarter, per_co_quarter, eta), u);
        let error = (measured - expected).length() / expected.length();
        // u and η are rounded, and K is recovered from its inverse.
        assert!(error <= 8.0 * f64::EPSILON, "{measured} instead of {expected}, off by {error:e}");
    }
}

#[test]
fn the_two_forms_agree_where_they_meet() {
    // K = 2K' on either side of the switch: k'² = 0.0294372515…, both means to rounding.
    let co_quarter = 0.9926046230871935;
    for share in [1e-9, 0.3, 0.999] {
        let eta = share * 0.5 * std::f64::consts::PI / co_quarter;
        let below = ThetaPair::new(0.5 * co_quarter * (1.0 - 1e-15), co_quarter, eta);
        let above = ThetaPair::new(0.5 * co_quarter * (1.0 + 1e-15), co_quarter, eta);
        for u in [0.0, 0.4, -1.7, 3.0, 5.0, -40.0] {
            let gap = (ratio(&below, u) - ratio(&above, u)).length() / ratio(&above, u).length();
            assert!(gap < 1e-13, "the forms are {gap:e} apart at u = {u}, η = {eta}");
        }
    }
}
