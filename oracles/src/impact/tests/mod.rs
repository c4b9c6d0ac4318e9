//! Against the guide's vectors, exact planar answers, and itself.

mod laws;
mod planar;
mod random;
mod rays;
mod vectors;

use super::{Impact, Law, Outcome, solve};

fn solved(impact: &Impact) -> Outcome {
    solve(impact).unwrap_or_else(|| panic!("no answer to {impact:?}"))
}

/// K from (a, f, e | b, d | c), the order of the guide.
fn matrix([a, f, e, b, d, c]: [f64; 6]) -> [[f64; 3]; 3] {
    [[a, f, e], [f, b, d], [e, d, c]]
}

fn assert_near<const N: usize>(got: [f64; N], expected: [f64; N], tolerance: f64, what: &str) {
    for (a, b) in got.iter().zip(expected) {
        assert!((a - b).abs() <= tolerance, "{what}: {got:?} instead of {expected:?}");
    }
}

/// A case with the law that all vectors of the guide have.
fn stronge(k: [f64; 6], friction: f64, restitution: f64, velocity: [f64; 3]) -> Impact {
    Impact { matrix: matrix(k), velocity, friction, restitution, law: Law::Stronge }
}
