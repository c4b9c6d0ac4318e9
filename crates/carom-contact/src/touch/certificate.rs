//! A moving direction that proves two bodies apart.
//!
//! In axes that ride on one body, the *frame* F, with its reference point as origin, let the other body O have its
//! reference point at c(τ) and its axes turned by Q(τ). For any vector n from O to F,
//!
//! S = −h_F(−n) − n·c − h_O(m),   m = Qᵀn,
//!
//! is at most |n| times the distance. So bodies are apart as long as S > 0 along *some* path n(τ), and whichever path we
//! choose, nothing that is proven is wrong; a path that turns with the closest features proves most.
//!
//! Let n be a quadratic of τ. The relative motion gives c and m to second order with bounds on the third derivatives,
//!
//! |c⃛| ≤ K_c,   |m⃛| ≤ K_m = (J + 3AW + W³)·N₀ + 3(A + W²)·N₁ + 3W·N₂,
//!
//! with W, A, J bounding the relative spin and its derivatives and N₀, N₁, N₂ bounding n and its derivatives. h_O is
//! Lipschitz with the reach r_O, hence with the Taylor polynomials c₂, m₂
//!
//! S ≥ −h_F(−n) − n·c₂ − h_O(m₂) − ⅙(N₀·K_c + r_O·K_m)·τ³.
//!
//! Support functions are convex, so along a quadratic path of directions with control points b₀, b₁, b₂ they are at most
//! the quadratic with control values h(b₀), h(b₁), h(b₂): on any interval the right-hand side lies above a polynomial of
//! degree four with known control values, and no curvature of the bodies is needed. Clipping intervals makes the excess
//! of the chords vanish; it costs support points, not distances.
//!
//! Of polyhedra with few corners each corner that can be a support point meanwhile has a polynomial of its own (`corners`). A
//! ball around its reference point looks the same however it turns: h_O(Qᵀn) = R·|n|, and K_m does not count.

use carom_dynamics::Seen;
use carom_geometry::Pose;
use carom_geometry::distance::Convex;
use glam::DVec3;

use super::clip::{Clear, Controls, cube, first_zero, product, raised};
use super::corners::{Corners, Overview, Rows, Terms};

/// A quadratic of time: value, first and second derivative at 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Quadratic(pub(super) [DVec3; 3]);

impl Quadratic {
    pub(super) fn at(&self, time: f64) -> DVec3 {
        let [value, first, second] = self.0;
        value + time * (first + 0.5 * time * second)
    }

    fn negated(&self) -> Self {
        Self(self.0.map(|vector| -vector))
    }

    pub(super) fn is_still(&self) -> bool {
        self.0[1] == DVec3::ZERO && self.0[2] == DVec3::ZERO
    }

    pub(super) fn controls(&self, low: f64, high: f64) -> [DVec3; 3] {
        let [_, first, second] = self.0;
        let start = self.at(low);
        [start, start + 0.5 * (high - low) * (first + low * second), self.at(high)]
    }

    /// Bounds on the length of it and its derivatives from 0 to a time.
    fn sizes(&self, until: f64) -> [f64; 3] {
        let [value, first, second] = self.0;
        let middle = value + 0.5 * until * first;
        let longest = value.length().max(middle.length()).max(self.at(until).length());
        [longest, first.length().max((first + until * second).length()), second.length()]
    }
}

/// A convex solid on a moving frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'a> {
    pub(super) convex: &'a Convex,
    pub(super) frame_from_convex: Pose,
    /// Largest distance of its points from the frame's reference point `[m]`.
    pub(super) reach: f64,
}

impl Placed<'_> {
    /// Support function in the frame's axes, from its reference point.
    pub(super) fn support_value(&self, direction: DVec3) -> f64 {
        let local = self.frame_from_convex.vector_inverse(direction);
        self.frame_from_convex.translation.dot(direction) + self.convex.support_value(local)
    }

    /// As [`Self::support_value`], in about the direction of a support that is known.
    fn support_value_near(&self, known: &Support, direction: DVec3) -> f64 {
        let local = self.frame_from_convex.vector_inverse(direction);
        let value = self.convex.support_value_from(known.vertex, local);
        self.frame_from_convex.translation.dot(direction) + value
    }

    /// Support value and point.
    fn support(&self, direction: DVec3) -> Support {
        let local = self.frame_from_convex.vector_inverse(direction);
        let (vertex, corner) = match self.convex {
            Convex::Polyhedron(it) => {
                let vertex = it.support_vertex(local);
                (vertex, it.vertices()[vertex as usize])
            }
            Convex::Triangle(_) => (0, self.convex.support(local)),
            _ => {
                let value = self.support_value(direction);
                return Support { value, corner: None, vertex: 0 };
            }
        };
        let value = self.frame_from_convex.translation.dot(direction) + local.dot(corner);
        Support { value, corner: Some(corner), vertex }
    }

    /// Its radius, if it is a ball around the reference point `[m]`.
    pub(super) fn round(&self) -> Option<f64> {
        match self.convex {
            Convex::Ball(ball) if self.frame_from_convex.translation == DVec3::ZERO => {
                Some(ball.radius())
            }
            _ => None,
        }
    }
}

/// Where a solid ends along a direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Support {
    /// Support value, from the frame's reference point `[m]`.
    pub(super) value: f64,
    /// A corner that lies there, of a solid that has corners only, in its own axes `[m]`.
    pub(super) corner: Option<DVec3>,
    /// Of a polyhedron, which of its vertices that is.
    vertex: u32,
}

/// What else a proof needs.
pub(super) struct Bound {
    pub(super) offset: Quadratic,
    /// Of the remainder, per cubed time.
    pub(super) third: f64,
    pub(super) margin: f64,
    pub(super) horizon: f64,
    pub(super) enough: f64,
}

/// What is to be proven apart: two solids, one seen from the frame of the other, and the path of a direction.
pub(super) struct Certificate<'a> {
    frame: Placed<'a>,
    other: Placed<'a>,
    seen: &'a Seen,
    /// n(τ), from `other` to `frame`, in the frame's axes; not zero at the start.
    pub(super) direction: Quadratic,
    /// Of the frame's solid along −n and of the other along m, at the start.
    supports: [Support; 2],
}

impl<'a> Certificate<'a> {
    pub(super) fn new(
        frame: Placed<'a>,
        other: Placed<'a>,
        seen: &'a Seen,
        direction: Quadratic,
    ) -> Self {
        let n = direction.0[0];
        let m = seen.a_from_b.conjugate() * n;
        let supports = [frame.support(-n), other.support(m)];
        Self { frame, other, seen, direction, supports }
    }

    /// Rounding of the gap `[m]`.
    pub(super) fn rounding(&self) -> f64 {
        // Of an unbounded solid only what is near the other one matters.
        let apart = self.seen.offset[0].length();
        let [frame, other] = self.seen.angular_rounding;
        self.seen.rounding
            + frame * self.frame.reach.min(apart + self.other.reach)
            + other * self.other.reach.min(apart + self.frame.reach)
    }

    /// S/|n| at the start `[m]`.
    pub(super) fn gap(&self) -> f64 {
        let n = self.direction.0[0];
        let [of_frame, of_other] = self.supports;
        let slab = -of_frame.value - n.dot(self.seen.offset[0]) - of_other.value;
        slab / n.length()
    }

    /// How long the distance is proven to stay above `aim`, looking at most `horizon` ahead, for which the relative
    /// motion must be known; `enough` is how far above `aim` counts as there.
    pub(super) fn clear(&self, horizon: f64, aim: f64, enough: f64) -> Clear {
        let path = self.seen_from_other();
        let bound = self.bound(horizon, aim, enough);
        let [here, there] = &self.supports;
        let near = Corners::of(&self.frame, here, &self.direction.negated(), horizon)
            .zip(Corners::of(&self.other, there, &path, horizon));
        if let Some((of_frame, of_other)) = near {
            return self.clear_of_corners(&of_frame, &of_other, &path, &bound);
        }
        let round = self.other.round();
        // A direction that stands still finds the frame's solid where it was.
        let still = self.direction.is_still().then_some(here.value);
        first_zero(horizon, bound.enough, |low, high| {
            let n = self.direction.controls(low, high);
            let m = path.controls(low, high);
            let of_other = |i: usize| {
                round.map_or_else(
                    || self.other.support_value_near(there, m[i]),
                    |radius| radius * n[i].length(),
                )
            };
            let of_frame =
                |i: usize| still.unwrap_or_else(|| self.frame.support_value_near(here, -n[i]));
            let support = [0, 1, 2].map(|i| of_frame(i) + of_other(i));
            let supports = raised(support);
            let along = product(n, bound.offset.controls(low, high), DVec3::dot);
            let remainder = cube(low, high);
            let value =
                |i: usize| -supports[i] - along[i] - bound.third * remainder[i] - bound.margin;
            let values: Controls = [value(0), value(1), value(2), value(3), value(4)];
            values
        })
    }

    /// What corners of the other solid are measured by, up to a horizon, if the frame's is a half-space whose normal stands
    /// still; the other solid's reach counts for all of them, and they are told in the axes of a shape.
    pub(super) fn overview(
        &self,
        horizon: f64,
        aim: f64,
        frame_from_shape: &Pose,
    ) -> Option<Overview> {
        let path = self.seen_from_other();
        let foot = Corners::of(&self.frame, &self.supports[0], &self.direction.negated(), horizon)?;
        let bound = self.bound(horizon, aim, 0.0);
        let terms = Terms::on(&self.direction, &path, &bound, 0.0, horizon);
        Some(Overview::new(terms, foot.iter().next()?, frame_from_shape))
    }

    /// What else a proof up to a horizon needs.
    fn bound(&self, horizon: f64, aim: f64, enough: f64) -> Bound {
        let [longest, fastest, bend] = self.direction.sizes(horizon);
        let rates = &self.seen.rates;
        let (w, a, j) = (rates.spin, rates.angular_acceleration, rates.angular_jerk);
        let turned =
            (j + 3.0 * a * w + w * w * w) * longest + 3.0 * (a + w * w) * fastest + 3.0 * w * bend;
        let turned = if self.other.round().is_some() { 0.0 } else { turned };
        let third = (longest * rates.jerk + self.other.reach * turned) / 6.0;
        // What may be negative counts by the shortest direction.
        let level = aim + self.rounding();
        let start = self.direction.0[0].length();
        let shortest = (start - horizon * (fastest + 0.5 * horizon * bend)).max(0.0);
        let margin = level * if level > 0.0 { longest } else { shortest };
        let offset = Quadratic(self.seen.offset);
        Bound { offset, third, margin, horizon, enough: enough * longest }
    }

    /// As [`Self::clear`], for each pair of corners that can be lowest.
    fn clear_of_corners(
        &self,
        of_frame: &Corners,
        of_other: &Corners,
        path: &Quadratic,
        bound: &Bound,
    ) -> Clear {
        let terms = |low: f64, high: f64| Terms::on(&self.direction, path, bound, low, high);
        let mut clear = Clear { until: bound.horizon, whole: true };
        let mut rows = Rows::of(of_frame, of_other);
        rows.update(terms(0.0, clear.until));
        if rows.all_clear() {
            return clear;
        }
        for (i, here) in of_frame.iter().enumerate() {
            if rows.row_clear(i) {
                continue;
            }
            for (j, there) in of_other.iter().enumerate() {
                if rows.pair_clear(i, j) {
                    continue;
                }
                let found = first_zero(clear.until, bound.enough, |low, high| {
                    let terms = terms(low, high);
                    terms.values(terms.here(here), terms.there(there))
                });
                if !found.whole {
                    clear = found;
                    rows.update(terms(0.0, clear.until));
                }
            }
        }
        clear
    }

    /// m(τ), the direction in the axes of the other body, to second order: with the relative spin Ω,
    /// ṁ = Qᵀ(ṅ − Ω×n), m̈ = Qᵀ(n̈ − 2Ω×ṅ − Ω̇×n + Ω×(Ω×n)).
    fn seen_from_other(&self) -> Quadratic {
        let [n, first, second] = self.direction.0;
        let (spin, spin_rate) = (self.seen.spin, self.seen.spin_rate);
        let back = self.seen.a_from_b.conjugate();
        let turned = spin.cross(n);
        Quadratic([
            back * n,
            back * (first - turned),
            back * (second - 2.0 * spin.cross(first) - spin_rate.cross(n) + spin.cross(turned)),
        ])
    }
}
