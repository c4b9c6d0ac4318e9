//! Exact planar answers, turned about the normal.

use super::super::planar::{self, PlanarImpact};
use super::super::samples::Random;
use super::*;

/// A planar contact: a rod of random length and tilt, or any positive definite K.
fn case(random: &mut Random) -> PlanarImpact {
    let (a, c) = (random.scale(0.1, 10.0), random.scale(0.1, 10.0));
    let e = 0.999 * (a * c).sqrt() * random.signed();
    let sliding =
        if random.unit() < 0.1 { 0.0 } else { random.signed() * random.scale(0.01, 10.0) };
    let law = [Law::Stronge, Law::Poisson, Law::Newton][(3.0 * random.unit()) as usize];
    PlanarImpact {
        matrix: [a, e, c],
        velocity: [sliding, -1.0],
        friction: random.scale(0.02, 3.0),
        restitution: random.unit(),
        law,
    }
}

/// The same contact in three dimensions, in axes turned by an angle.
fn turned(case: &PlanarImpact, across: f64, [cos, sin]: [f64; 2]) -> Impact {
    let [a, e, c] = case.matrix;
    let k = [
        a * cos * cos + across * sin * sin,
        (a - across) * cos * sin,
        e * cos,
        a * sin * sin + across * cos * cos,
        e * sin,
        c,
    ];
    let [x, z] = case.velocity;
    Impact {
        matrix: matrix(k),
        velocity: [x * cos, x * sin, z],
        friction: case.friction,
        restitution: case.restitution,
        law: case.law,
    }
}

#[test]
fn planar_collisions_agree_with_their_exact_solution() {
    let mut random = Random(1);
    for number in 0..500 {
        let case = case(&mut random);
        let across = random.scale(0.1, 10.0);
        // A direction with exact components keeps the contact in its plane.
        let direction = [[1.0, 0.0], [0.0, -1.0], [0.6, 0.8], [-0.8, 0.6]][number % 4];
        let exact = planar::solve(&case).unwrap_or_else(|| panic!("{case:?}"));
        let got = solved(&turned(&case, across, direction));
        let along = |v: [f64; 3]| v[0] * direction[0] + v[1] * direction[1];
        let numbers = [
            along(got.impulse) - exact.impulse[0],
            got.impulse[2] - exact.impulse[1],
            along(got.velocity) - exact.velocity[0],
            got.velocity[2] - exact.velocity[1],
            got.compression_work - exact.compression_work,
            got.normal_work - exact.normal_work,
            got.friction_work - exact.friction_work,
        ];
        let size = 1.0 + exact.impulse[1] + case.velocity[0].abs();
        for number in numbers {
            assert!(number.abs() < 1e-12 * size * size, "{case:?}: {got:?}, exactly {exact:?}");
        }
    }
}
