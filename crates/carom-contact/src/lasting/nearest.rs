//! Surfaces that are curved in their own way: nearest points and their rates as the distance query knows them.
//!
//! The query works in the frame of A's piece and takes the motion of B seen from there. With o the origin of B's piece,
//!
//! ```text
//! v' = Rᵀ(V_B(o) − V_A(o)),   ω' = Rᵀ(ω_B − ω_A),                                                              (11)
//! ṅ = R·ṅ' + ω_A×n,   ṗ_A = V_A(p_A) + R·ṗ'_A,   ṗ_B = V_A(p_B) + R·ṗ'_B                                       (12)
//! ```
//!
//! with R from the axes of the piece to those of the world and primes for what is seen from A. The rates solve K·ṗ = … of Baraff's
//! section on curvature, in a form that does not divide by curvatures; a direction in which both are flat and nothing forces them
//! to roll gets no share (his det K = 0 with harmless motion).
//!
//! Of a polyhedron only the frozen feature takes part: a face as the half-space behind it, an edge as a segment that goes on beyond
//! its ends, a vertex as a point. So the answer stays smooth when the point gets to the border of a feature, and `room` tells.

use carom_geometry::Pose;
use carom_geometry::distance::{Convex, Feature, Warm, closest, rates};
use carom_geometry::shapes::HalfSpace;
use glam::DVec3;

use super::{ContactPoint, Placed, Plane, Solid, Track};

/// A convex solid and its placement in the frame of its body.
struct Part<'a> {
    convex: std::borrow::Cow<'a, Convex>,
    frame_from_convex: Pose,
}

/// A curved piece of one body over a plane of the other.
pub(super) fn support(
    point: &ContactPoint,
    solids: [&Solid<'_>; 2],
    placed: &[Placed; 2],
    of: usize,
    plane: &Plane,
    warm: &mut Warm,
) -> Option<Track> {
    let (piece, frame_from_convex) = solids[of].piece(point.pieces[of])?;
    let curved = Part { convex: std::borrow::Cow::Borrowed(&piece.convex), frame_from_convex };
    let half_space = HalfSpace::new(plane.normal, plane.offset).ok()?;
    let below = Part {
        convex: std::borrow::Cow::Owned(Convex::HalfSpace(half_space)),
        frame_from_convex: Pose::IDENTITY,
    };
    let parts = if of == 0 { [curved, below] } else { [below, curved] };
    Some(track(&parts, placed, warm))
}

/// Two pieces, of polyhedra their features.
pub(super) fn nearest(
    point: &ContactPoint,
    solids: [&Solid<'_>; 2],
    placed: &[Placed; 2],
    warm: &mut Warm,
) -> Option<Track> {
    let part = |i: usize| -> Option<Part<'_>> {
        let (piece, frame_from_convex) = solids[i].piece(point.pieces[i])?;
        let convex = feature_alone(&piece.convex, point.features[i])
            .map_or(std::borrow::Cow::Borrowed(&piece.convex), std::borrow::Cow::Owned);
        Some(Part { convex, frame_from_convex })
    };
    Some(track(&[part(0)?, part(1)?], placed, warm))
}

/// A vertex or an edge of a polyhedron as a solid of its own.
fn feature_alone(convex: &Convex, feature: Feature) -> Option<Convex> {
    let ends = match (convex, feature) {
        (Convex::Polyhedron(it), Feature::Vertex(v)) => [*it.vertices().get(v as usize)?; 2],
        (Convex::Polyhedron(it), Feature::Edge(e)) if (e as usize) < it.half_edges().len() => {
            it.ends(e).map(|v| it.vertices()[v as usize])
        }
        (Convex::Triangle(corners), Feature::Vertex(v)) => [corners[v as usize % 3]; 2],
        (Convex::Triangle(corners), Feature::Edge(e)) => {
            [corners[e as usize % 3], corners[(e as usize + 1) % 3]]
        }
        _ => return None,
    };
    let beyond = ends[1] - ends[0];
    Some(Convex::Triangle([ends[0] - beyond, ends[1] + beyond, ends[1] + beyond]))
}

/// Equations (11) and (12).
fn track(parts: &[Part<'_>; 2], placed: &[Placed; 2], warm: &mut Warm) -> Track {
    let [here, there] = [0, 1].map(|i| placed[i].pose.then_from(&parts[i].frame_from_convex));
    let a_from_b = here.inverse().then_from(&there);
    let [a, b] = [0, 1].map(|i| parts[i].convex.as_ref());
    let found = closest(a, b, &a_from_b, warm);
    let origin = there.translation;
    let velocity =
        here.vector_inverse(placed[1].velocity_at(origin) - placed[0].velocity_at(origin));
    let spin = here.vector_inverse(placed[1].spin - placed[0].spin);
    let seen = rates(a, b, &a_from_b, &found, velocity, spin);
    let normal = here.vector(found.normal);
    let points = [found.point_a, found.point_b].map(|point| here.point(point));
    let slides = [seen.point_a, seen.point_b];
    let rate = |i: usize| placed[0].velocity_at(points[i]) + here.vector(slides[i]);
    let normal_rate = here.vector(seen.normal) + placed[0].spin.cross(normal);
    Track {
        points,
        point_rates: [rate(0), rate(1)],
        normal,
        normal_rate: normal_rate - normal * normal.dot(normal_rate),
        gap: found.distance,
        radius: seen.radius,
        is_determined: seen.is_determined,
    }
}

/// How a direction of the world looks in the axes of a piece.
pub(super) fn in_piece(placed: &Placed, frame_from_convex: &Pose, direction: DVec3) -> DVec3 {
    frame_from_convex.vector_inverse(placed.pose.vector_inverse(direction))
}
