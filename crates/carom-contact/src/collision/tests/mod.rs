//! Tests of collisions: reference vectors, the checklist, random input, and a second way to integrate.

mod agreement;
mod cases;
mod checklist;
mod edges;
mod invariants;
mod random;
mod rank;
mod rays;
mod reference;
mod vectors;

use glam::{DMat3, DVec3};

use super::{Collision, RestitutionLaw};

/// K of the thesis's example (figure 3.3), in the order of [`matrix`].
const THESIS: [f64; 6] = [8.0, -2.0, 1.0, 3.0, -1.0, 5.0];

/// K from its entries in the order of M 3.15: (a, f, e | b, d | c).
fn matrix([a, f, e, b, d, c]: [f64; 6]) -> DMat3 {
    DMat3::from_cols_array(&[a, f, e, f, b, d, e, d, c])
}

/// A collision under Stronge's law.
fn collision(k: [f64; 6], friction: f64, restitution: f64, velocity: [f64; 3]) -> Collision {
    Collision {
        matrix: matrix(k),
        velocity: DVec3::from_array(velocity),
        friction,
        restitution,
        law: RestitutionLaw::Stronge,
        least_rebound: 0.0,
    }
}
