//! Corners of polyhedra, each followed by itself.
//!
//! With x a corner of F and y one of O, S of `certificate` is the least over all pairs of n·x − n·c₂ − m₂·y, less the remainder.
//! So a box that hops on a face, all corners of which are nearly as low, or leans on an edge, is followed without chords from
//! corner to corner.
//!
//! Most pairs stay high throughout. Their control values on an interval are sums of what belongs to x, to y and to neither;
//! sums, multiples by positive numbers and their roundings never fall when a term rises. So if the values made of the least
//! n·x and the largest m·y of all corners, control by control, are positive, those of every pair are, to the last bit, and
//! none needs to be looked at; likewise for all pairs of one x.

use carom_geometry::distance::Convex;
use glam::DVec3;

use super::certificate::{Bound, Certificate, Placed, Quadratic};
use super::clip::{Controls, cube, is_positive, product, raised};
use crate::tolerances::{CORNER_ROUNDING, MOST_CORNERS};

/// Corners of a solid that can be support points along a path of directions.
pub(super) struct Corners {
    /// In the frame's axes `[m]`.
    places: [DVec3; MOST_CORNERS],
    count: usize,
}

impl Corners {
    /// Those of a solid with few corners, along a path up to a horizon; the foot of a half-space whose normal stands still.
    ///
    /// With p the support point at the start, n·(x − p) rises by at most |n − n₀|·|x − p| meanwhile; a corner that lies deeper
    /// than that below p at the start is never above it.
    pub(super) fn of(solid: &Placed<'_>, path: &Quadratic, horizon: f64) -> Option<Self> {
        let corners = match solid.convex {
            Convex::Polyhedron(it) if it.vertices().len() <= MOST_CORNERS => it.vertices(),
            Convex::Triangle(corners) => corners,
            Convex::HalfSpace(_) if path.is_still() => return Some(Self::foot(solid, path)),
            _ => return None,
        };
        let [n, first, second] = path.0;
        let turn = horizon * (first.length() + 0.5 * horizon * second.length());
        let highest = solid.frame_from_convex.vector_inverse(n);
        let support = solid.convex.support(highest);
        let mut this = Self { places: [DVec3::ZERO; MOST_CORNERS], count: 0 };
        for corner in corners {
            let below = highest.dot(support - *corner);
            let span = (support - *corner).length();
            let rounding = CORNER_ROUNDING * (corner.length() + support.length()) * n.length();
            if below <= turn * span + rounding {
                this.places[this.count] = solid.frame_from_convex.point(*corner);
                this.count += 1;
            }
        }
        Some(this)
    }

    /// A point at which the support value of a half-space along its own normal is taken.
    fn foot(solid: &Placed<'_>, path: &Quadratic) -> Self {
        let n = path.0[0];
        let mut this = Self { places: [DVec3::ZERO; MOST_CORNERS], count: 1 };
        this.places[0] = solid.support_value(n) / n.length_squared() * n;
        this
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &DVec3> {
        self.places[..self.count].iter()
    }
}

/// What control values on an interval are made of.
pub(super) struct Terms {
    /// Control points of the direction, in the frame's axes and in those of the other solid.
    directions: [[DVec3; 3]; 2],
    /// Of n·c₂.
    along: Controls,
    /// Of the remainder.
    remainder: Controls,
    margin: f64,
}

impl Terms {
    pub(super) fn on(
        certificate: &Certificate<'_>,
        path: &Quadratic,
        bound: &Bound,
        low: f64,
        high: f64,
    ) -> Self {
        let n = certificate.direction.controls(low, high);
        let [a, b, c, d, e] = cube(low, high);
        let third = bound.third;
        Self {
            directions: [n, path.controls(low, high)],
            along: product(n, bound.offset.controls(low, high), DVec3::dot),
            remainder: [third * a, third * b, third * c, third * d, third * e],
            margin: bound.margin,
        }
    }

    /// Of n·x.
    pub(super) fn here(&self, corner: &DVec3) -> [f64; 3] {
        heights(&self.directions[0], corner)
    }

    /// Of m·y.
    pub(super) fn there(&self, corner: &DVec3) -> [f64; 3] {
        heights(&self.directions[1], corner)
    }

    /// Control values of a pair of corners.
    pub(super) fn values(&self, here: [f64; 3], there: [f64; 3]) -> Controls {
        let apart = raised([here[0] - there[0], here[1] - there[1], here[2] - there[2]]);
        let mut values = [0.0; 5];
        for (i, value) in values.iter_mut().enumerate() {
            *value = apart[i] - self.along[i] - self.remainder[i] - self.margin;
        }
        values
    }
}

fn heights(directions: &[DVec3; 3], corner: &DVec3) -> [f64; 3] {
    let [a, b, c] = directions;
    [a.dot(*corner), b.dot(*corner), c.dot(*corner)]
}

/// All pairs of corners on an interval, one row for each corner of the frame's solid.
pub(super) struct Rows {
    terms: Terms,
    here: [[f64; 3]; MOST_CORNERS],
    there: [[f64; 3]; MOST_CORNERS],
    /// Least of `here` and largest of `there`, control by control.
    nearest: [[f64; 3]; 2],
}

impl Rows {
    pub(super) fn on(terms: Terms, of_frame: &Corners, of_other: &Corners) -> Self {
        let mut here = [[0.0; 3]; MOST_CORNERS];
        let mut there = [[0.0; 3]; MOST_CORNERS];
        let mut nearest = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        for (place, corner) in here.iter_mut().zip(of_frame.iter()) {
            *place = terms.here(corner);
            for i in 0..3 {
                nearest[0][i] = lesser(nearest[0][i], place[i]);
            }
        }
        for (place, corner) in there.iter_mut().zip(of_other.iter()) {
            *place = terms.there(corner);
            for i in 0..3 {
                nearest[1][i] = -lesser(-nearest[1][i], -place[i]);
            }
        }
        Self { terms, here, there, nearest }
    }

    /// True when no pair can come to zero.
    pub(super) fn all_clear(&self) -> bool {
        is_positive(&self.terms.values(self.nearest[0], self.nearest[1]))
    }

    /// True when no pair of a corner of the frame's solid can.
    pub(super) fn row_clear(&self, i: usize) -> bool {
        is_positive(&self.terms.values(self.here[i], self.nearest[1]))
    }

    /// True when a pair cannot.
    pub(super) fn pair_clear(&self, i: usize, j: usize) -> bool {
        is_positive(&self.terms.values(self.here[i], self.there[j]))
    }
}

/// The lesser of two; what is no number stays, and nothing is proven of it.
fn lesser(least: f64, value: f64) -> f64 {
    if value < least || value.is_nan() { value } else { least }
}
