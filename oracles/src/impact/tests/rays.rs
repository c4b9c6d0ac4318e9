//! Directions of constant sliding.

use super::super::samples::{Random, box_corner};
use super::super::{critical_friction, rays};
use super::*;

const THESIS: [f64; 6] = [8.0, -2.0, 1.0, 3.0, -1.0, 5.0];

/// Figure 3.3 of the thesis, and the guide's CR-4.
#[test]
fn the_thesis_example_has_its_two_rays_and_its_critical_friction() {
    let found = rays(&matrix(THESIS), 0.2);
    let [diverging, converging] = found[..] else { panic!("two rays, not {found:?}") };
    assert!((diverging.angle.to_degrees() + 71.113).abs() < 5e-4 && diverging.rate > 0.0);
    assert!((converging.angle.to_degrees() - 147.001).abs() < 5e-4 && converging.rate < 0.0);
    // M⁻¹s = (1, −6)/20.
    let critical = critical_friction(&matrix(THESIS));
    assert!((critical - 37.0_f64.sqrt() / 20.0).abs() < 1e-16);
    assert!((critical - 0.304138).abs() < 5e-7);
}

#[test]
fn a_diverging_ray_is_there_exactly_if_sticking_is_unstable() {
    let mut random = Random(3);
    let mut counts = std::collections::BTreeSet::new();
    for _ in 0..400 {
        let Impact { matrix, friction, .. } = box_corner(&mut random, Law::Stronge);
        let found = rays(&matrix, friction);
        let n_diverging = found.iter().filter(|ray| ray.rate > 0.0).count();
        let is_stable = critical_friction(&matrix) <= friction;
        assert_eq!(n_diverging, usize::from(!is_stable), "{matrix:?} {friction}");
        counts.insert((n_diverging, found.len() - n_diverging));
        for ray in found {
            let (sin, cos) = libm::sincos(ray.angle);
            let along = |row: [f64; 3]| row[2] - friction * (row[0] * cos + row[1] * sin);
            let [x, y] = [along(matrix[0]), along(matrix[1])];
            assert!((x * sin - y * cos).abs() < 1e-13, "{ray:?} is no ray");
            assert!((x * cos + y * sin - ray.rate).abs() < 1e-13);
        }
    }
    let expected = [(0, 2), (0, 4), (1, 1), (1, 3)];
    assert_eq!(counts.into_iter().collect::<Vec<_>>(), expected);
}

/// A ray at θ = π is t = ∞, where the quartic's leading coefficient vanishes; one at ±90° is t = ±1.
#[test]
fn rays_at_the_ends_of_the_parametrisation_are_found() {
    let turns = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
    for [cos, sin] in turns {
        let k = if sin == 0.0 {
            [2.0, 0.0, cos, 3.0, 0.0, 4.0]
        } else {
            [3.0, 0.0, 0.0, 2.0, sin, 4.0]
        };
        let diverging: Vec<_> =
            rays(&matrix(k), 0.3).into_iter().filter(|ray| ray.rate > 0.0).collect();
        let [ray] = diverging[..] else { panic!("one, not {diverging:?}") };
        assert!((ray.rate - 0.4).abs() < 1e-15);
        let (y, x) = libm::sincos(ray.angle);
        assert!((x - cos).abs() < 1e-15 && (y - sin).abs() < 1e-15);
    }
}
