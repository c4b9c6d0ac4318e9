//! From a point of a manifold to a contact point that can be followed.
//!
//! | features of the two | kind |
//! |---|---|
//! | corner, round end or side over a flat face | corner over the plane |
//! | rim over a flat face | rim; a point of the rim where it lies flat (`flat`) |
//! | smooth surface over a flat face | support |
//! | two edges or round sides | lines |
//! | parallel ones | an end of one over the other, or over the ground |
//! | round end and edge, corner or round end or side | point and line, or points |
//! | corner on corner, corner on edge or rim | corner over the ground; where they are clearly apart as round ends are |
//! | anything else that is curved | nearest points |
//!
//! Where the edges of two faces cross on the ground at a small angle, their cross product says little about the normal and the crossing
//! runs along them as they turn; there the point of the edge that is at the crossing now is kept instead, as a corner over the
//! ground. It is smooth, and right until the bodies have moved along each other; `room` tells when.

use carom_geometry::distance::{Feature, ManifoldPoint};
use glam::DVec3;

use super::element::{Element, cap_of};
use super::pair::{Ground, PiecePair};
use super::{ContactPoint, Kind, Line, Plane};
use crate::tolerances::{CLEARLY_APART, CROSSING_SINE, FACING_COSINE, LINES_SINE};

/// A point of the manifold of two pieces.
pub(super) struct Freeze<'a> {
    pub(super) pair: &'a PiecePair<'a>,
    pub(super) ground: Option<&'a Ground>,
    /// From B to A, along the axes of the world.
    pub(super) normal: DVec3,
    /// On A and B, from the origin of A's frame `[m]`.
    points: [DVec3; 2],
    features: [Feature; 2],
    is_alone: bool,
}

impl<'a> Freeze<'a> {
    pub(super) fn new(
        pair: &'a PiecePair<'a>,
        ground: Option<&'a Ground>,
        normal: DVec3,
        found: &ManifoldPoint,
        is_alone: bool,
    ) -> Self {
        let here = pair.placement(0);
        let points = [found.point_a, found.point_b].map(|point| here.point(point));
        Self { pair, ground, normal, points, features: found.features, is_alone }
    }

    /// The contact point.
    pub(super) fn freeze(&self) -> ContactPoint {
        use Element::{Circle, Curved, Line, Plane, Point};
        let elements = [0, 1].map(|i| self.element(i));
        match elements {
            [Point { center, radius }, Plane(plane)] => self.over(0, center, radius, plane),
            [Plane(plane), Point { center, radius }] => self.over(1, center, radius, plane),
            [Line { line, radius }, Plane(plane)] => self.over(0, self.on(0, &line), radius, plane),
            [Plane(plane), Line { line, radius }] => self.over(1, self.on(1, &line), radius, plane),
            [Plane(_), Plane(plane)] => self.over(0, self.local(0), 0.0, plane),
            [Circle(circle), Plane(plane)] => self.rim(0, circle, plane),
            [Plane(plane), Circle(circle)] => self.rim(1, circle, plane),
            [Curved, Plane(plane)] => self.made(Kind::Support { of: 0, plane }, 0),
            [Plane(plane), Curved] => self.made(Kind::Support { of: 1, plane }, 0),
            [Point { center: a, radius: r }, Point { center: b, radius: s }]
                if self.is_clear(r + s) =>
            {
                self.made(Kind::Points { centers: [a, b], radii: [r, s] }, 0)
            }
            [Point { center, radius: r }, Line { line, radius: s }] if self.is_clear(r + s) => {
                self.made(Kind::PointLine { of: 0, center, line, radii: [r, s] }, 0)
            }
            [Line { line, radius: s }, Point { center, radius: r }] if self.is_clear(r + s) => {
                self.made(Kind::PointLine { of: 1, center, line, radii: [r, s] }, 0)
            }
            [Point { .. }, Point { .. } | Line { .. }] | [Line { .. }, Point { .. }] => {
                self.degenerate(0)
            }
            [Line { line: a, radius: r }, Line { line: b, radius: s }] => {
                self.lines([a, b], [r, s])
            }
            _ => self.made(Kind::Nearest, 0),
        }
    }

    /// The element of a feature; a cap where its rim lies flat along the normal.
    fn element(&self, i: usize) -> Element {
        let element = self.pair.element(i, self.features[i], self.normal);
        if let Element::Circle(circle) = element {
            let axis = self.pair.placed[i].vector(circle.axis);
            let is_flat = axis.cross(self.normal).length() <= self.pair.flat_tilt(circle.radius);
            let cap = cap_of(self.pair.convexes[i], self.features[i]);
            if let (true, Some([cap, _])) = (is_flat, cap)
                && let Some(plane) = self.pair.plane(i, cap, self.normal)
            {
                return Element::Plane(plane);
            }
        }
        element
    }

    /// Whether the way between the nearest points has a direction: a radius keeps their centres apart, or they are.
    fn is_clear(&self, radii: f64) -> bool {
        let apart = self.points[0].distance(self.points[1]);
        radii > 0.0 || apart > (CLEARLY_APART * self.pair.size).max(self.pair.reach)
    }

    fn made(&self, kind: Kind, slot: u32) -> ContactPoint {
        let (pieces, features) = (self.pair.pieces, self.features);
        ContactPoint { pieces, features, slot, kind, is_alone: self.is_alone }
    }

    /// A point of a body, in its frame.
    fn in_frame(&self, i: usize, point: DVec3) -> DVec3 {
        self.pair.placed[i].inverse().point(point)
    }

    fn local(&self, i: usize) -> DVec3 {
        self.in_frame(i, self.points[i])
    }

    /// The point of a line of body i below the contact.
    fn on(&self, i: usize, line: &Line) -> DVec3 {
        line.middle + line.direction * line.direction.dot(self.local(i) - line.middle)
    }

    /// A corner of body i over a plane of the other, unless that plane looks elsewhere: a wall beside the contact.
    fn over(&self, i: usize, center: DVec3, radius: f64, plane: Plane) -> ContactPoint {
        if self.pair.normal_of(1 - i, &plane).dot(self.normal) < FACING_COSINE {
            return if radius > 0.0 { self.made(Kind::Nearest, 0) } else { self.degenerate(0) };
        }
        let most_tilt = f64::INFINITY;
        self.made(Kind::Corner { of: i, center, radius, plane, most_tilt }, 0)
    }

    fn rim(&self, i: usize, circle: super::Circle, plane: Plane) -> ContactPoint {
        let least_tilt = 0.5 * self.pair.flat_tilt(circle.radius);
        self.made(Kind::Rim { of: i, circle, plane, least_tilt }, 0)
    }

    /// Edges and round sides.
    fn lines(&self, lines: [Line; 2], radii: [f64; 2]) -> ContactPoint {
        let [a, b] = [0, 1].map(|i| self.pair.placed[i].vector(lines[i].direction));
        let cross = a.cross(b);
        let is_sharp = radii[0] + radii[1] == 0.0;
        let least = if is_sharp && self.ground.is_some() { CROSSING_SINE } else { LINES_SINE };
        if cross.length() > least {
            let sign = 1f64.copysign(cross.dot(self.normal));
            return self.made(Kind::Lines { lines, radii, sign }, 0);
        }
        // Which line's end it is: 0 and 1 for A's, 2 and 3 for B's, lower end first.
        let along = [0, 1].map(|i| lines[i].direction.dot(self.local(i) - lines[i].middle));
        let short = [0, 1].map(|i| lines[i].half - along[i].abs());
        let of = usize::from(short[1] < short[0]);
        let slot = 2 * of as u32 + u32::from(along[of] > 0.0);
        if is_sharp {
            return self.degenerate(slot);
        }
        let (center, line) = (self.on(of, &lines[of]), lines[1 - of]);
        let radii = [radii[of], radii[1 - of]];
        self.made(Kind::PointLine { of, center, line, radii }, slot)
    }

    /// A corner over the ground, or over a plane across the normal that rides on the other body.
    fn degenerate(&self, slot: u32) -> ContactPoint {
        let (of, plane) =
            self.ground.map_or_else(|| self.leaning(), |ground| (1 - ground.of, ground.plane));
        let (center, most_tilt) = (self.local(of), f64::INFINITY);
        self.made(Kind::Corner { of, center, radius: 0.0, plane, most_tilt }, slot)
    }

    /// A body with a corner, and a plane across the normal that leans on the other's feature.
    fn leaning(&self) -> (usize, Plane) {
        let of = usize::from(!matches!(self.features[0], Feature::Vertex(_)));
        let other = 1 - of;
        let up = if of == 0 { self.normal } else { -self.normal };
        let normal = self.pair.placed[other].vector_inverse(up);
        let offset = normal.dot(self.local(other));
        (of, Plane { normal, offset, face: self.features[other] })
    }
}
