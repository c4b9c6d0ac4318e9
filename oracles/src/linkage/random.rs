//! Linkages at random, the same on every run.

use super::{IDENTITY, Link, Linkage, Vec3};
use crate::impact::samples::Random;

/// What a random linkage is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One link after the other.
    Serial,
    /// Links on any earlier one.
    Tree,
    /// A tree whose first body floats: its first six coordinates are ways along x, y, z and turns about z, y, x.
    Floating,
}

impl Linkage {
    /// With so many links that have mass, and a state of it: coordinates, rates and joint forces.
    pub fn random(kind: Kind, n: usize, random: &mut Random) -> (Self, [Vec<f64>; 3]) {
        let mut links = Vec::new();
        if kind == Kind::Floating {
            for k in 0..6 {
                let axis = if k < 3 { unit(k) } else { unit(5 - k) };
                links.push(Link {
                    parent: links.len().checked_sub(1),
                    slides: k < 3,
                    axis,
                    place: [0.0; 3],
                    turn: IDENTITY,
                    mass: 0.0,
                    center: [0.0; 3],
                    inertia: [[0.0; 3]; 3],
                });
            }
            let body = body(random);
            let last = &mut links[5];
            (last.mass, last.center, last.inertia) = body;
        }
        let first = links.len();
        while links.len() < first + n - usize::from(kind == Kind::Floating) {
            let last = links.len().checked_sub(1);
            let parent = match kind {
                Kind::Serial => last,
                Kind::Tree => last.map(|last| below(random, last + 1)),
                Kind::Floating => last.map(|last| 5 + below(random, last - 4)),
            };
            let (mass, center, inertia) = body(random);
            let turn = rotation(random);
            let place = three(random, 0.5);
            let (slides, axis) = (random.unit() < 0.25, direction(random));
            links.push(Link { parent, slides, axis, place, turn, mass, center, inertia });
        }
        let mut numbers = |size: f64| -> Vec<f64> {
            (0..links.len()).map(|_| size * (2.0 * random.unit() - 1.0)).collect()
        };
        let state = [numbers(1.2), numbers(2.0), numbers(3.0)];
        (Self { links }, state)
    }
}

fn unit(axis: usize) -> Vec3 {
    IDENTITY[axis]
}

fn three(random: &mut Random, size: f64) -> Vec3 {
    [0, 1, 2].map(|_| size * (2.0 * random.unit() - 1.0))
}

fn direction(random: &mut Random) -> Vec3 {
    loop {
        let x = three(random, 1.0);
        let length = super::dot(x, x).sqrt();
        if length > 0.1 {
            return x.map(|x| x / length);
        }
    }
}

/// Axes one after the other, made perpendicular.
fn rotation(random: &mut Random) -> [Vec3; 3] {
    let first = direction(random);
    let other = direction(random);
    let third = super::cross(first, other);
    let length = super::dot(third, third).sqrt();
    if length < 0.1 {
        return rotation(random);
    }
    let third = third.map(|x| x / length);
    [first, super::cross(third, first), third]
}

/// Mass, centre and inertia of a box that is turned in its link.
fn body(random: &mut Random) -> (f64, Vec3, [Vec3; 3]) {
    let mass = 0.2 + 2.0 * random.unit();
    let edges = [0, 1, 2].map(|_| 0.05 + 0.4 * random.unit());
    let square: f64 = edges.iter().map(|x| x * x).sum();
    let moments = edges.map(|x| mass / 12.0 * (square - x * x));
    let r = rotation(random);
    let inertia = [0, 1, 2].map(|i: usize| {
        [0, 1, 2].map(|j: usize| (0..3).map(|k: usize| r[k][i] * moments[k] * r[k][j]).sum())
    });
    (mass, three(random, 0.3), inertia)
}

/// A whole number below `limit`.
fn below(random: &mut Random, limit: usize) -> usize {
    ((random.unit() * limit as f64) as usize).min(limit - 1)
}
