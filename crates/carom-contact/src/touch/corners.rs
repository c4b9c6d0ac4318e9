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

use carom_geometry::Pose;
use carom_geometry::distance::Convex;
use glam::DVec3;

use super::certificate::{Bound, Placed, Quadratic, Support};
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
    pub(super) fn of(
        solid: &Placed<'_>,
        support: &Support,
        path: &Quadratic,
        horizon: f64,
    ) -> Option<Self> {
        let corners = match solid.convex {
            Convex::Polyhedron(it) if it.vertices().len() <= MOST_CORNERS => it.vertices(),
            Convex::Triangle(corners) => corners,
            Convex::HalfSpace(_) if path.is_still() => return Some(Self::foot(support, path)),
            _ => return None,
        };
        let [n, first, second] = path.0;
        let turn = horizon * (first.length() + 0.5 * horizon * second.length());
        let highest = solid.frame_from_convex.vector_inverse(n);
        let support = support.corner?;
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
    fn foot(support: &Support, path: &Quadratic) -> Self {
        let n = path.0[0];
        let mut this = Self { places: [DVec3::ZERO; MOST_CORNERS], count: 1 };
        this.places[0] = support.value / n.length_squared() * n;
        this
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &DVec3> {
        self.places[..self.count].iter()
    }
}

/// The direction in the frame's axes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Here {
    Still(DVec3),
    /// Its control points.
    Turning([DVec3; 3]),
}

/// What control values on an interval are made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Terms {
    here: Here,
    /// Control points of the direction in the axes of the other solid.
    there: [DVec3; 3],
    /// Of n·c₂.
    along: Controls,
    /// Of the remainder.
    remainder: Controls,
    margin: f64,
}

impl Terms {
    pub(super) fn on(
        direction: &Quadratic,
        path: &Quadratic,
        bound: &Bound,
        low: f64,
        high: f64,
    ) -> Self {
        let offset = bound.offset.controls(low, high);
        let (n, along) = if direction.is_still() {
            (Here::Still(direction.0[0]), still_product(direction.0[0], offset))
        } else {
            let n = direction.controls(low, high);
            (Here::Turning(n), product(n, offset, DVec3::dot))
        };
        let [a, b, c, d, e] = cube(low, high);
        let third = bound.third;
        Self {
            here: n,
            there: path.controls(low, high),
            along,
            remainder: [third * a, third * b, third * c, third * d, third * e],
            margin: bound.margin,
        }
    }

    /// Of n·x.
    pub(super) fn here(&self, corner: &DVec3) -> [f64; 3] {
        match &self.here {
            Here::Still(direction) => [direction.dot(*corner); 3],
            Here::Turning(directions) => heights(directions, corner),
        }
    }

    /// Of m·y.
    pub(super) fn there(&self, corner: &DVec3) -> [f64; 3] {
        heights(&self.there, corner)
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

/// Control values of the product of a vector that stands still and a quadratic, with the bits of [`product`].
fn still_product(still: DVec3, quadratic: [DVec3; 3]) -> Controls {
    let [a, b, c] = heights(&quadratic, &still);
    [a, 0.5 * (b + a), (c + 4.0 * b + a) / 6.0, 0.5 * (c + b), c]
}

/// All pairs of corners on an interval, one row for each corner of the frame's solid.
pub(super) struct Rows<'a> {
    corners: [&'a Corners; 2],
    terms: Option<Terms>,
    here: [[f64; 3]; MOST_CORNERS],
    there: [[f64; 3]; MOST_CORNERS],
    /// Least of `here` and largest of `there`, control by control.
    nearest: [[f64; 3]; 2],
}

impl<'a> Rows<'a> {
    pub(super) fn of(of_frame: &'a Corners, of_other: &'a Corners) -> Self {
        Self {
            corners: [of_frame, of_other],
            terms: None,
            here: [[0.0; 3]; MOST_CORNERS],
            there: [[0.0; 3]; MOST_CORNERS],
            nearest: [[0.0; 3]; 2],
        }
    }

    /// Looks at them on an interval.
    pub(super) fn update(&mut self, terms: Terms) {
        self.nearest = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        let [least, largest] = &mut self.nearest;
        for (place, corner) in self.here.iter_mut().zip(self.corners[0].iter()) {
            *place = terms.here(corner);
            for i in 0..3 {
                least[i] = lesser(least[i], place[i]);
            }
        }
        for (place, corner) in self.there.iter_mut().zip(self.corners[1].iter()) {
            *place = terms.there(corner);
            for i in 0..3 {
                largest[i] = -lesser(-largest[i], -place[i]);
            }
        }
        self.terms = Some(terms);
    }

    fn is_clear(&self, here: [f64; 3], there: [f64; 3]) -> bool {
        self.terms.as_ref().is_some_and(|terms| is_positive(&terms.values(here, there)))
    }

    /// True when no pair can come to zero.
    pub(super) fn all_clear(&self) -> bool {
        self.is_clear(self.nearest[0], self.nearest[1])
    }

    /// True when no pair of a corner of the frame's solid can.
    pub(super) fn row_clear(&self, i: usize) -> bool {
        self.is_clear(self.here[i], self.nearest[1])
    }

    /// True when a pair cannot.
    pub(super) fn pair_clear(&self, i: usize, j: usize) -> bool {
        self.is_clear(self.here[i], self.there[j])
    }
}

/// Corners above a plane for some time, whichever piece of a shape they belong to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Overview {
    /// With the direction in the axes of the shape.
    terms: Terms,
    /// Of the plane, from the origin of the shape.
    plane: [f64; 3],
}

impl Overview {
    pub(super) fn new(terms: Terms, foot: &DVec3, frame_from_shape: &Pose) -> Self {
        let [foot, origin] = [terms.here(foot), terms.there(&frame_from_shape.translation)];
        let there = terms.there.map(|direction| frame_from_shape.vector_inverse(direction));
        Self { plane: [0, 1, 2].map(|i| foot[i] - origin[i]), terms: Terms { there, ..terms } }
    }

    /// True when all of some corners, in the axes of the shape, stay above.
    pub(super) fn are_above(&self, corners: impl Iterator<Item = DVec3>) -> bool {
        let mut lowest = [f64::NEG_INFINITY; 3];
        for corner in corners {
            let depth = self.terms.there(&corner);
            for i in 0..3 {
                lowest[i] = -lesser(-lowest[i], -depth[i]);
            }
        }
        is_positive(&self.terms.values(self.plane, lowest))
    }
}

/// The lesser of two; what is no number stays, and nothing is proven of it.
fn lesser(least: f64, value: f64) -> f64 {
    if value < least || value.is_nan() { value } else { least }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between −1 and 1.
    fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed;
        move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
    }

    fn corners(next: &mut impl FnMut() -> f64) -> Corners {
        let mut corners = Corners { places: [DVec3::ZERO; MOST_CORNERS], count: 8 };
        for place in &mut corners.places[..8] {
            *place = DVec3::new(next(), next(), next());
        }
        corners
    }

    #[test]
    fn what_is_passed_over_together_is_positive_one_by_one() {
        let mut next = numbers(3);
        let (mut all, mut rows_clear, mut pairs_clear) = (0, 0, 0);
        for case in 0..4000 {
            let mut vector = |size: f64| size * DVec3::new(next(), next(), next());
            let still = case % 2 == 0;
            let rates = if still { [0.0; 2] } else { [0.3, 0.3] };
            let direction = Quadratic([vector(1.0), vector(rates[0]), vector(rates[1])]);
            let path = Quadratic([direction.0[0], vector(0.3), vector(0.3)]);
            // From almost touching to well apart.
            let place = -f64::from(case % 7) * direction.0[0].normalize_or(DVec3::X);
            let offset = Quadratic([place, vector(0.5), vector(0.5)]);
            let bound = Bound { offset, third: 0.1, margin: 1e-3, horizon: 1.0, enough: 0.0 };
            let (of_frame, of_other) = (corners(&mut next), corners(&mut next));
            let mut rows = Rows::of(&of_frame, &of_other);
            rows.update(Terms::on(&direction, &path, &bound, 0.0, 1.0));
            let pair = |i: usize| (0..8).all(|j| rows.pair_clear(i, j));
            for i in 0..8 {
                assert!(pair(i) || !rows.row_clear(i), "case {case}, row {i}");
                assert!(rows.row_clear(i) || !rows.all_clear(), "case {case}, row {i}");
                rows_clear += u32::from(rows.row_clear(i));
                pairs_clear += u32::from(pair(i));
            }
            all += u32::from(rows.all_clear());
        }
        assert!(all > 400 && rows_clear > 8 * all && pairs_clear >= rows_clear, "{all}");
    }

    #[test]
    fn a_direction_that_stands_still_has_the_bits_of_one_that_turns() {
        let mut next = numbers(4);
        for _ in 0..1000 {
            let mut vector = || DVec3::new(next(), next(), next());
            let (n, quadratic) = (vector(), [vector(), vector(), vector()]);
            assert_eq!(still_product(n, quadratic), product([n; 3], quadratic, DVec3::dot));
        }
    }
}
