//! What carries a feature of a convex piece: a point, a line, a plane or a circle, with a radius around it.

use carom_geometry::Pose;
use carom_geometry::distance::{Convex, Feature, Skeleton};
use glam::DVec3;

use super::{Circle, Line, Plane};

/// What a feature is made of, in the frame of its body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Element {
    /// A corner, or the centre of a round end.
    Point { center: DVec3, radius: f64 },
    /// An edge, or the axis of a round side.
    Line { line: Line, radius: f64 },
    /// A flat face.
    Plane(Plane),
    /// A round edge.
    Circle(Circle),
    /// Curved in another way.
    Curved,
}

/// The element of a feature; `towards` the other body, in the frame.
pub(super) fn element(
    convex: &Convex,
    feature: Feature,
    frame_from_convex: &Pose,
    towards: DVec3,
) -> Element {
    if let Some(plane) = plane_of(convex, feature, frame_from_convex, towards) {
        return Element::Plane(plane);
    }
    if let Some(circle) = circle_of(convex, feature, frame_from_convex) {
        return Element::Circle(circle);
    }
    match convex.skeleton(feature) {
        Skeleton::Point(point) => {
            let radius = match convex {
                Convex::Ball(it) => it.radius(),
                Convex::Capsule(it) => it.radius(),
                _ => 0.0,
            };
            Element::Point { center: frame_from_convex.point(point), radius }
        }
        Skeleton::Line { direction, point } => {
            let (middle, half, radius) = match convex {
                Convex::Capsule(it) => (point, it.half_length(), it.radius()),
                Convex::Cylinder(it) => (point, it.half_length(), it.radius()),
                _ => {
                    let length = edge_length(convex, feature);
                    (point + 0.5 * length * direction, 0.5 * length, 0.0)
                }
            };
            let middle = frame_from_convex.point(middle);
            let direction = frame_from_convex.vector(direction);
            Element::Line { line: Line { middle, direction, half }, radius }
        }
        Skeleton::Plane(_) | Skeleton::Curved => Element::Curved,
    }
}

/// The ends of a straight edge, in the frame of its piece.
pub(super) fn edge_ends(convex: &Convex, feature: Feature) -> Option<[DVec3; 2]> {
    match (convex, feature) {
        (Convex::Polyhedron(it), Feature::Edge(e)) if (e as usize) < it.half_edges().len() => {
            Some(it.ends(e).map(|v| it.vertices()[v as usize]))
        }
        (Convex::Triangle(corners), Feature::Edge(e)) => {
            Some([corners[e as usize % 3], corners[(e as usize + 1) % 3]])
        }
        _ => None,
    }
}

fn edge_length(convex: &Convex, feature: Feature) -> f64 {
    edge_ends(convex, feature).map_or(0.0, |[from, to]| from.distance(to))
}

/// The plane of a flat face; of a triangle, the side of it that looks `towards` the other body, in the frame.
pub(super) fn plane_of(
    convex: &Convex,
    feature: Feature,
    frame_from_convex: &Pose,
    towards: DVec3,
) -> Option<Plane> {
    let (normal, offset) = match (convex, feature) {
        (Convex::HalfSpace(it), _) => (it.normal(), it.offset()),
        (Convex::Polyhedron(it), Feature::Face(f)) => {
            let face = it.faces().get(f as usize)?;
            (face.normal, face.offset)
        }
        (Convex::Triangle(corners), Feature::Face(_)) => {
            let Skeleton::Plane(normal) = convex.skeleton(feature) else { return None };
            let looks = frame_from_convex.vector(normal).dot(towards) >= 0.0;
            let normal = if looks { normal } else { -normal };
            (normal, normal.dot(corners[0]))
        }
        (Convex::Cylinder(it), Feature::Face(1)) => (DVec3::Z, it.half_length()),
        (Convex::Cylinder(it), Feature::Face(2)) => (DVec3::NEG_Z, it.half_length()),
        (Convex::Cone(it), Feature::Face(1)) => (DVec3::NEG_Z, it.half_length()),
        _ => return None,
    };
    let normal = frame_from_convex.vector(normal);
    let offset = offset + normal.dot(frame_from_convex.translation);
    Some(Plane { normal, offset, face: feature })
}

/// The circle of a rim, or of the rim around a cap.
pub(super) fn circle_of(
    convex: &Convex,
    feature: Feature,
    frame_from_convex: &Pose,
) -> Option<Circle> {
    let (z, radius) = match (convex, feature) {
        (Convex::Cylinder(it), Feature::Edge(0)) => (it.half_length(), it.radius()),
        (Convex::Cylinder(it), Feature::Edge(1)) => (-it.half_length(), it.radius()),
        (Convex::Cone(it), Feature::Edge(0)) => (-it.half_length(), it.radius()),
        _ => return None,
    };
    Some(Circle {
        center: frame_from_convex.point(z * DVec3::Z),
        axis: frame_from_convex.vector(DVec3::Z * z.signum()),
        radius,
    })
}

/// The flat cap and the rim that belong together, by either of them.
pub(super) fn cap_of(convex: &Convex, feature: Feature) -> Option<[Feature; 2]> {
    match (convex, feature) {
        (Convex::Cylinder(_) | Convex::Cone(_), Feature::Edge(0) | Feature::Face(1)) => {
            Some([Feature::Face(1), Feature::Edge(0)])
        }
        (Convex::Cylinder(_), Feature::Edge(1) | Feature::Face(2)) => {
            Some([Feature::Face(2), Feature::Edge(1)])
        }
        _ => None,
    }
}

/// True of solids that are the hull of finitely many points.
pub(super) const fn has_corners(convex: &Convex) -> bool {
    matches!(convex, Convex::Polyhedron(_) | Convex::Triangle(_))
}

/// Calls `look` with the flat faces that a feature is, or that meet in it.
pub(super) fn for_each_face(convex: &Convex, feature: Feature, mut look: impl FnMut(Feature)) {
    match (convex, feature) {
        (Convex::Polyhedron(it), Feature::Edge(e)) if (e as usize) < it.half_edges().len() => {
            let edge = it.half_edges()[e as usize];
            for half_edge in [e, edge.twin] {
                look(Feature::Face(it.half_edges()[half_edge as usize].face));
            }
        }
        (Convex::Polyhedron(it), Feature::Vertex(v)) if (v as usize) < it.vertices().len() => {
            for half_edge in it.outgoing(v) {
                look(Feature::Face(it.half_edges()[half_edge as usize].face));
            }
        }
        (Convex::Polyhedron(_) | Convex::HalfSpace(_), Feature::Face(_)) => look(feature),
        (Convex::Triangle(_), _) => look(Feature::Face(0)),
        _ => {
            if let Some([cap, _]) = cap_of(convex, feature) {
                look(cap);
            }
        }
    }
}
