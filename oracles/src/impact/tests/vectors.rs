//! The guide's section 20 and the list of reference cases, part A.

use super::super::cases::{THESIS_MATRIX, VECTORS, Vector, body_cases};
use super::super::rays;
use super::*;

#[test]
fn the_vectors_of_the_guide_are_reproduced_to_their_seven_digits() {
    for vector in VECTORS {
        let got = solved(&vector.impact());
        assert_near(got.impulse, vector.impulse, Vector::DIGITS, vector.id);
        assert_near(got.velocity, vector.after, Vector::DIGITS, vector.id);
        assert!(
            vector.id == "B2" || got.pattern == vector.pattern,
            "{}: {}",
            vector.id,
            got.pattern
        );
        assert!(got.error < 1e-14, "{}: {:e}", vector.id, got.error);
    }
}

#[test]
fn a_start_on_the_converging_ray_leaves_along_the_diverging_one() {
    let angle = rays(&THESIS_MATRIX, 0.2).iter().find(|ray| ray.rate < 0.0).unwrap().angle;
    assert!((angle.to_degrees() - 147.0010577).abs() < 5e-8);
    let vector = VECTORS.iter().find(|vector| vector.id == "B2").unwrap();
    let velocity = [0.2 * libm::cos(angle), 0.2 * libm::sin(angle), -1.0];
    let got = solved(&Impact { velocity, ..vector.impact() });
    assert_near(got.impulse, vector.impulse, Vector::DIGITS, "B2");
    assert_near(got.velocity, vector.after, Vector::DIGITS, "B2");
}

#[test]
fn the_reference_cases_of_one_impact_are_reproduced() {
    for case in body_cases() {
        let got = solved(&case.impact());
        let (velocity, spin) = case.body.after(got.impulse);
        let pairs = [(got.impulse, case.impulse), (velocity, case.velocity), (spin, case.spin)];
        for (got, expected) in pairs {
            let largest = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            assert_near(got, expected, case.tolerance * largest, case.id);
        }
    }
}
