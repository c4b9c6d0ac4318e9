//! How far inside its features a contact point is.
//!
//! A *place* on a face or an edge has room up to the border, and a *direction* at an edge, a corner or a rim has room up to where the
//! normal leaves the cone of outward normals there: along a unit vector t into a neighbouring feature, −t·m is the sine of the angle
//! that the outward normal m has left. Angles count by the smaller size of the two bodies. Negative room means that another
//! feature is nearer; what a point says stays smooth there, and how far to let it go is the caller's choice.

use carom_geometry::distance::{Convex, Feature};
use carom_geometry::{ConvexPolyhedron, Pose};
use glam::DVec3;

use super::element::edge_ends;
use super::nearest::in_piece;
use super::{ContactPoint, Kind, Line, Placed, Plane, Solid, Track};
use crate::tolerances::LEANING;

/// Room of a contact point `[m]`.
pub(super) fn room(
    point: &ContactPoint,
    solids: [&Solid<'_>; 2],
    placed: &[Placed; 2],
    track: &Track,
) -> f64 {
    let size = solids[0].size.min(solids[1].size);
    let see = |i: usize| View::of(point, solids, placed, track, i);
    let on_face = |of: usize, plane: &Plane| {
        see(1 - of).map_or(f64::INFINITY, |it| it.border(plane.face, LEANING * size))
    };
    match &point.kind {
        Kind::Corner { of, plane, most_tilt, .. } => {
            let tilt = see(*of).filter(|_| most_tilt.is_finite());
            on_face(*of, plane).min(tilt.map_or(f64::INFINITY, |it| it.tilt_room(*most_tilt)))
        }
        Kind::Rim { of, plane, circle, least_tilt } => {
            let axis = placed[*of].pose.vector(circle.axis);
            let tilt = axis.cross(track.normal).length() - least_tilt;
            on_face(*of, plane).min(circle.radius * tilt)
        }
        Kind::Points { .. } => directions(point, see(0), see(1), size),
        Kind::PointLine { of, line, .. } => along(line, &placed[1 - of], track.points[1 - of])
            .min(directions(point, see(0), see(1), size)),
        Kind::Lines { lines, .. } => along(&lines[0], &placed[0], track.points[0]).min(along(
            &lines[1],
            &placed[1],
            track.points[1],
        )),
        Kind::Support { of, plane } => on_face(*of, plane),
        Kind::Nearest => {
            let place = |i: usize| see(i).map_or(f64::INFINITY, |it| it.place(point.features[i]));
            place(0).min(place(1)).min(directions(point, see(0), see(1), size))
        }
    }
}

/// Room of the normal in the cones of both features, of a point that is alone.
fn directions(point: &ContactPoint, a: Option<View<'_>>, b: Option<View<'_>>, size: f64) -> f64 {
    let room = |view: Option<View<'_>>, feature: Feature| {
        view.map_or(f64::INFINITY, |it| it.direction(feature))
    };
    if point.is_alone {
        size * room(a, point.features[0]).min(room(b, point.features[1]))
    } else {
        f64::INFINITY
    }
}

/// How far from the nearer end of a line the foot of a point is.
fn along(line: &Line, placed: &Placed, point: DVec3) -> f64 {
    let here = point - placed.pose.point(line.middle);
    line.half - placed.pose.vector(line.direction).dot(here).abs()
}

/// How far a point in the frame of a piece is from the border of a face of it, or inside of `leaning` from a vertex or an edge.
pub(super) fn border(convex: &Convex, face: Feature, point: DVec3, leaning: f64) -> f64 {
    View { convex, point, outward: DVec3::ZERO }.border(face, leaning)
}

/// A piece, and the contact point in its frame.
struct View<'a> {
    convex: &'a Convex,
    point: DVec3,
    /// Unit vector towards the other body.
    outward: DVec3,
}

impl<'a> View<'a> {
    fn of(
        point: &ContactPoint,
        solids: [&'a Solid<'a>; 2],
        placed: &[Placed; 2],
        track: &Track,
        i: usize,
    ) -> Option<Self> {
        let (piece, frame_from_convex): (_, Pose) = solids[i].piece(point.pieces[i])?;
        let outward = if i == 0 { -track.normal } else { track.normal };
        let place = placed[i].pose.then_from(&frame_from_convex).inverse().point(track.points[i]);
        let outward = in_piece(&placed[i], &frame_from_convex, outward);
        Some(Self { convex: &piece.convex, point: place, outward })
    }

    /// How far from the border of a face, or inside of `leaning` from a vertex or an edge.
    fn border(&self, face: Feature, leaning: f64) -> f64 {
        let p = self.point;
        match (self.convex, face) {
            (Convex::Polyhedron(it), Feature::Face(f)) if (f as usize) < it.faces().len() => {
                inside_face(it, f as usize, p)
            }
            (Convex::Triangle(corners), Feature::Face(_)) => inside_triangle(corners, p),
            (Convex::Cylinder(it), Feature::Face(1 | 2)) => it.radius() - across(p),
            (Convex::Cone(it), Feature::Face(1)) => it.radius() - across(p),
            (Convex::Polyhedron(it), Feature::Vertex(v)) if (v as usize) < it.vertices().len() => {
                leaning - it.vertices()[v as usize].distance(p)
            }
            (Convex::Triangle(corners), Feature::Vertex(v)) => {
                leaning - corners[v as usize % 3].distance(p)
            }
            (_, Feature::Edge(_)) => edge_ends(self.convex, face)
                .map_or(f64::INFINITY, |ends| leaning - distance_to_segment(p, ends)),
            _ => f64::INFINITY,
        }
    }

    /// How far from where a feature ends.
    fn place(&self, feature: Feature) -> f64 {
        let p = self.point;
        match (self.convex, feature) {
            (Convex::Cylinder(it), Feature::Face(0)) => it.half_length() - p.z.abs(),
            (Convex::Capsule(it), Feature::Face(0)) => it.half_length() - p.z.abs(),
            (Convex::Cone(it), Feature::Face(0)) => {
                let side = slant(it.radius(), it.half_length());
                (it.half_length() - p.z.abs()) * side / (2.0 * it.half_length())
            }
            (_, Feature::Face(_)) => self.border(feature, 0.0),
            (_, Feature::Edge(_)) => {
                edge_ends(self.convex, feature).map_or(f64::INFINITY, |[from, to]| {
                    let share = (p - from).dot(to - from) / from.distance(to);
                    share.min(from.distance(to) - share)
                })
            }
            (_, Feature::Vertex(_)) => f64::INFINITY,
        }
    }

    /// Sine of the angle by which the outward normal may turn before it leaves the cone of a feature.
    fn direction(&self, feature: Feature) -> f64 {
        let (p, m) = (self.point, self.outward);
        let out = p.with_z(0.0).try_normalize().unwrap_or(DVec3::X);
        match (self.convex, feature) {
            (Convex::Polyhedron(it), _) => polyhedron_cone(it, feature, m),
            (Convex::Triangle(corners), Feature::Vertex(v)) => {
                let v = v as usize % 3;
                let along = |to: DVec3| -unit(to - corners[v]).dot(m);
                along(corners[(v + 1) % 3]).min(along(corners[(v + 2) % 3]))
            }
            (Convex::Triangle(corners), Feature::Edge(e)) => {
                let [a, b, c] = [0, 1, 2].map(|k| corners[(e as usize + k) % 3]);
                -unit((c - a).reject_from(b - a)).dot(m)
            }
            (Convex::Cylinder(_), Feature::Edge(0)) => m.dot(out).min(m.z),
            (Convex::Cylinder(_), Feature::Edge(1)) => m.dot(out).min(-m.z),
            (Convex::Cone(it), Feature::Edge(0)) => {
                let slant = unit(2.0 * it.half_length() * DVec3::Z - it.radius() * out);
                m.dot(out).min(-m.dot(slant))
            }
            (Convex::Cone(it), Feature::Vertex(0)) => {
                let side = slant(it.radius(), it.half_length());
                (2.0 * it.half_length() * m.z - it.radius() * across(m)) / side
            }
            (Convex::Capsule(_), Feature::Face(1)) => m.z,
            (Convex::Capsule(_), Feature::Face(2)) => -m.z,
            _ => f64::INFINITY,
        }
    }

    /// How much farther a rim may be tilted against the normal, at the rim `[m]`.
    fn tilt_room(&self, most: f64) -> f64 {
        let radius = match self.convex {
            Convex::Cylinder(it) => it.radius(),
            Convex::Cone(it) => it.radius(),
            _ => return f64::INFINITY,
        };
        radius * (most - across(self.outward))
    }
}

fn unit(v: DVec3) -> DVec3 {
    v.try_normalize().unwrap_or(DVec3::ZERO)
}

fn across(v: DVec3) -> f64 {
    f64::sqrt(v.x * v.x + v.y * v.y)
}

fn distance_to_segment(p: DVec3, [from, to]: [DVec3; 2]) -> f64 {
    let along = to - from;
    let share = ((p - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    p.distance(from + share * along)
}

/// Least distance from the lines of a face's edges, negative outside.
fn inside_face(solid: &ConvexPolyhedron, face: usize, p: DVec3) -> f64 {
    let normal = solid.faces()[face].normal;
    let corners = || solid.face_vertices(face).map(|v| solid.vertices()[v as usize]);
    let Some(last) = corners().last() else { return f64::INFINITY };
    let mut from = last;
    let mut least = f64::INFINITY;
    for to in corners() {
        least = least.min(unit(normal.cross(to - from)).dot(p - from));
        from = to;
    }
    least
}

fn inside_triangle(corners: &[DVec3; 3], p: DVec3) -> f64 {
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    let side = |i: usize| {
        let (from, to) = (corners[i], corners[(i + 1) % 3]);
        unit(normal.cross(to - from)).dot(p - from)
    };
    side(0).min(side(1)).min(side(2))
}

/// Sine of the angle that a direction has left in the cone of a vertex or an edge.
fn polyhedron_cone(solid: &ConvexPolyhedron, feature: Feature, m: DVec3) -> f64 {
    let at = |v: u32| solid.vertices()[v as usize];
    match feature {
        Feature::Vertex(v) if (v as usize) < solid.vertices().len() => {
            solid.neighbors(v).map(|to| -unit(at(to) - at(v)).dot(m)).fold(f64::INFINITY, f64::min)
        }
        Feature::Edge(e) if (e as usize) < solid.half_edges().len() => {
            let into = |half_edge: u32| {
                let [from, to] = solid.ends(half_edge).map(at);
                let face = solid.half_edges()[half_edge as usize].face;
                -unit(solid.faces()[face as usize].normal.cross(to - from)).dot(m)
            };
            into(e).min(into(solid.half_edges()[e as usize].twin))
        }
        _ => f64::INFINITY,
    }
}

/// Length of the side of a cone.
fn slant(radius: f64, half_length: f64) -> f64 {
    f64::sqrt(radius * radius + 4.0 * half_length * half_length)
}
