//! Round caps that lie flat: a cylinder or a cone that stands.
//!
//! The region of contact of a flat cap has a curved border, and no finite set of points holds all of it (Baraff lists this as unsolved).
//! But for given accelerations of the bodies the gap acceleration is an affine function of the place on the cap, and takes its least value
//! on the border: at a corner of the region, or at the one point of the rim that lies farthest along a direction known in closed form
//! (`sufficient`). So the set consists of
//!
//! - eight points of the rim, fixed in the body, as far as they lie over the face below,
//! - corners of the face below the cap, or points of the rim of a cap below,
//! - where the rim crosses the border of the face,
//!
//! all of them corners over a plane, and grows by the worst point of the rim until that is none.
//!
//! **Hand-over.** A cap counts as flat while all of its rim is within reach: 2R·sin θ ≤ reach. Tilted more, it stands on one point of
//! its rim, of kind `Rim`, whose place on the rim depends on the placement. A rim point of a flat cap has room until sin θ is twice
//! that, a rim until it is half of it; so the tilt crosses a factor of four between hand-overs back and forth, and each hand-over is a
//! refresh of the set at a gap that differs by at most the reach.

use carom_geometry::Pose;
use carom_geometry::distance::{Convex, Feature};
use glam::DVec3;

use super::pair::{FlatCap, PiecePair};
use super::room::border;
use super::{Circle, ContactPoint, Kind, Plane};
use crate::tolerances::ON_BORDER;

/// Fixed points of a rim.
const FIXED: u32 = 8;

/// cos and sin of an eighth of a turn.
const DIAGONAL: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Around a circle, by eighths.
const EIGHTHS: [(f64, f64); FIXED as usize] = [
    (1.0, 0.0),
    (DIAGONAL, DIAGONAL),
    (0.0, 1.0),
    (-DIAGONAL, DIAGONAL),
    (-1.0, 0.0),
    (-DIAGONAL, -DIAGONAL),
    (0.0, -1.0),
    (DIAGONAL, -DIAGONAL),
];

/// Two unit vectors in the plane of a circle of a piece, fixed in the body, in its frame.
pub(super) fn basis(frame_from_convex: &Pose) -> [DVec3; 2] {
    [DVec3::X, DVec3::Y].map(|axis| frame_from_convex.vector(axis))
}

/// A point of a rim at a direction in its plane.
pub(super) fn rim_point(circle: &Circle, [u, v]: [DVec3; 2], cos: f64, sin: f64) -> DVec3 {
    circle.center + circle.radius * (cos * u + sin * v)
}

/// The contact point of a material point of a rim over a plane.
pub(super) fn rim_corner(
    pieces: [u32; 2],
    of: usize,
    features: [Feature; 2],
    slot: u32,
    center: DVec3,
    plane: Plane,
    most_tilt: f64,
) -> ContactPoint {
    let kind = Kind::Corner { of, center, radius: 0.0, plane, most_tilt };
    ContactPoint { pieces, features, slot, kind, is_alone: false }
}

/// Number of a rim point that is not one of the eight, by its direction.
pub(super) fn slot_of(cos: f64, sin: f64) -> u32 {
    // A quarter for each side of a square around the circle: as good as the angle, and the same on every machine.
    let along = sin / (cos.abs() + sin.abs());
    let turn = if cos < 0.0 { 2.0 - along } else { 4.0 + along };
    FIXED + (turn * f64::from(1 << 24)) as u32
}

/// A flat cap and what is below it.
struct Standing<'a> {
    pair: &'a PiecePair<'a>,
    cap: &'a FlatCap,
    most_tilt: f64,
    rounding: f64,
}

/// Appends the contact points of a cap that lies flat.
pub(super) fn push_flat(pair: &PiecePair<'_>, cap: &FlatCap, out: &mut Vec<ContactPoint>) {
    let most_tilt = 2.0 * pair.flat_tilt(cap.circle.radius);
    let rounding = ON_BORDER * pair.size;
    let standing = Standing { pair, cap, most_tilt, rounding };
    standing.push_rim(out);
    match pair.convexes[1 - cap.of] {
        Convex::Polyhedron(_) | Convex::Triangle(_) => standing.push_polygon(out),
        Convex::Cylinder(_) | Convex::Cone(_) => standing.push_cap_below(out),
        _ => {}
    }
}

impl Standing<'_> {
    fn other(&self) -> usize {
        1 - self.cap.of
    }

    /// Features in the order of the bodies, given that of the cap's body.
    fn ordered(&self, own: Feature, others: Feature) -> [Feature; 2] {
        if self.cap.of == 0 { [own, others] } else { [others, own] }
    }

    /// A point of one body's frame, in that of the other.
    fn across(&self, from: usize, point: DVec3) -> DVec3 {
        self.pair.placed[1 - from].inverse().point(self.pair.placed[from].point(point))
    }

    /// Whether a point in the frame of body i lies over a face of body i.
    fn is_over(&self, i: usize, face: Feature, point: DVec3) -> bool {
        let local = self.pair.frame_from_convex[i].inverse().point(point);
        border(self.pair.convexes[i], face, local, 0.0) >= -self.rounding
    }

    /// A point of the cap's rim over the face below.
    fn rim(&self, others: Feature, slot: u32, center: DVec3) -> ContactPoint {
        let features = self.ordered(self.cap.rim, others);
        let FlatCap { of, below, .. } = *self.cap;
        rim_corner(self.pair.pieces, of, features, slot, center, below, self.most_tilt)
    }

    fn push_rim(&self, out: &mut Vec<ContactPoint>) {
        let FlatCap { of, circle, below, .. } = self.cap;
        let axes = basis(&self.pair.frame_from_convex[*of]);
        for (slot, (cos, sin)) in (0..).zip(EIGHTHS) {
            let center = rim_point(circle, axes, cos, sin);
            if self.is_over(self.other(), below.face, self.across(*of, center)) {
                out.push(self.rim(below.face, slot, center));
            }
        }
    }

    /// Corners of the face below the cap, and where its edges cross the rim.
    fn push_polygon(&self, out: &mut Vec<ContactPoint>) {
        let FlatCap { of, plane, circle, below, .. } = self.cap;
        let other = self.other();
        let convex = self.pair.convexes[other];
        for_each_side(convex, below.face, |vertex, edge, ends| {
            let ends = ends.map(|end| self.pair.frame_from_convex[other].point(end));
            let [from, to] = ends.map(|end| self.across(other, end));
            if self.is_over(*of, plane.face, from) {
                let kind = Kind::Corner {
                    of: other,
                    center: ends[0],
                    radius: 0.0,
                    plane: *plane,
                    most_tilt: f64::INFINITY,
                };
                let features = self.ordered(plane.face, vertex);
                let pieces = self.pair.pieces;
                out.push(ContactPoint { pieces, features, slot: 0, kind, is_alone: false });
            }
            for (slot, share) in (0..).zip(crossings(circle, from, to)) {
                if (0.0..=1.0).contains(&share) {
                    let at = from + share * (to - from);
                    out.push(self.rim(edge, slot, on_circle(circle, at)));
                }
            }
        });
    }

    /// Points of the rim of a cap below, and where the two rims cross.
    fn push_cap_below(&self, out: &mut Vec<ContactPoint>) {
        let FlatCap { of, plane, circle, below, .. } = self.cap;
        let other = self.other();
        let Some([_, rim]) = super::element::cap_of(self.pair.convexes[other], below.face) else {
            return;
        };
        let Some(circle_below) = self.pair.circle(other, rim) else { return };
        let axes = basis(&self.pair.frame_from_convex[other]);
        for (slot, (cos, sin)) in (0..).zip(EIGHTHS) {
            let center = rim_point(&circle_below, axes, cos, sin);
            if self.is_over(*of, plane.face, self.across(other, center)) {
                let features = self.ordered(plane.face, rim);
                let pieces = self.pair.pieces;
                out.push(rim_corner(pieces, other, features, slot, center, *plane, self.most_tilt));
            }
        }
        let center_below = self.across(other, circle_below.center);
        for (slot, at) in (0..).zip(common_points(circle, center_below, circle_below.radius)) {
            out.push(self.rim(rim, slot, on_circle(circle, at)));
        }
    }
}

/// Calls `look` with the vertices of a face, the edges that start there, and the ends of those.
fn for_each_side(
    convex: &Convex,
    face: Feature,
    mut look: impl FnMut(Feature, Feature, [DVec3; 2]),
) {
    match (convex, face) {
        (Convex::Polyhedron(it), Feature::Face(f)) if (f as usize) < it.faces().len() => {
            let face = it.faces()[f as usize];
            for half_edge in face.first_half_edge..face.first_half_edge + face.n_edges {
                let ends = it.ends(half_edge);
                let edge = half_edge.min(it.half_edges()[half_edge as usize].twin);
                let places = ends.map(|v| it.vertices()[v as usize]);
                look(Feature::Vertex(ends[0]), Feature::Edge(edge), places);
            }
        }
        (Convex::Triangle(corners), _) => {
            for i in 0..3 {
                let ends = [corners[i], corners[(i + 1) % 3]];
                look(Feature::Vertex(i as u32), Feature::Edge(i as u32), ends);
            }
        }
        _ => {}
    }
}

/// Shares of the way from one point to another at which a line crosses the cylinder over a circle.
fn crossings(circle: &Circle, from: DVec3, to: DVec3) -> [f64; 2] {
    let flat = |v: DVec3| v - circle.axis * circle.axis.dot(v);
    let (start, along) = (flat(from - circle.center), flat(to - from));
    let (a, b) = (along.length_squared(), start.dot(along));
    let c = start.length_squared() - circle.radius * circle.radius;
    let root = f64::sqrt(b * b - a * c);
    // Not a number where it passes by.
    [(-b - root) / a, (root - b) / a]
}

/// Where two circles in one plane cross, on the line between their centres' half-plane; none where they do not.
fn common_points(circle: &Circle, center: DVec3, radius: f64) -> impl Iterator<Item = DVec3> {
    let flat = |v: DVec3| v - circle.axis * circle.axis.dot(v);
    let between = flat(center - circle.center);
    let apart = between.length();
    let along = (apart * apart + circle.radius * circle.radius - radius * radius) / (2.0 * apart);
    let half = f64::sqrt(circle.radius * circle.radius - along * along);
    let toward = between / apart;
    let side = circle.axis.cross(toward);
    let middle = circle.center + along * toward;
    [middle - half * side, middle + half * side].into_iter().filter(|point| point.is_finite())
}

/// The point of a circle below or above a point.
fn on_circle(circle: &Circle, at: DVec3) -> DVec3 {
    let out = (at - circle.center).reject_from_normalized(circle.axis);
    circle.center + circle.radius * out.try_normalize().unwrap_or(DVec3::X)
}
