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
//! its ends, a vertex as the middle of a ball whose radius is taken off again. So the answer stays smooth when the point gets to the border of a feature, and `room` tells.

use std::borrow::Cow;

use carom_geometry::Pose;
use carom_geometry::distance::{Convex, Feature, Warm, closest, rates, refined};
use carom_geometry::shapes::{Ball, HalfSpace};
use glam::DVec3;

use super::element::edge_ends;
use super::{ContactPoint, Placed, Plane, Solid, Track};

/// A convex solid and its placement in the frame of its body.
struct Part<'a> {
    convex: Cow<'a, Convex>,
    frame_from_convex: Pose,
    /// Radius of a ball that stands for its middle, else zero `[m]`.
    ball: f64,
}

impl<'a> Part<'a> {
    fn whole(convex: Cow<'a, Convex>, frame_from_convex: Pose) -> Self {
        Self { convex, frame_from_convex, ball: 0.0 }
    }

    /// A vertex or an edge of a polyhedron by itself, else the whole piece.
    fn of(convex: &'a Convex, frame_from_convex: Pose, feature: Feature, size: f64) -> Self {
        if let Some(vertex) = vertex_of(convex, feature)
            && let Ok(ball) = Ball::new(size)
        {
            let frame_from_ball =
                Pose::new(frame_from_convex.point(vertex), frame_from_convex.rotation);
            let convex = Cow::Owned(Convex::Ball(ball));
            return Self { convex, frame_from_convex: frame_from_ball, ball: size };
        }
        let convex = match edge_ends(convex, feature) {
            Some([from, to]) => {
                let (from, to) = (2.0 * from - to, 2.0 * to - from);
                Cow::Owned(Convex::Triangle([from, to, to]))
            }
            None => Cow::Borrowed(convex),
        };
        Self::whole(convex, frame_from_convex)
    }
}

fn vertex_of(convex: &Convex, feature: Feature) -> Option<DVec3> {
    match (convex, feature) {
        (Convex::Polyhedron(it), Feature::Vertex(v)) => it.vertices().get(v as usize).copied(),
        (Convex::Triangle(corners), Feature::Vertex(v)) => Some(corners[v as usize % 3]),
        _ => None,
    }
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
    let curved = Part::whole(Cow::Borrowed(&piece.convex), frame_from_convex);
    let half_space = HalfSpace::new(plane.normal, plane.offset).ok()?;
    let below = Part::whole(Cow::Owned(Convex::HalfSpace(half_space)), Pose::IDENTITY);
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
    let size = solids[0].size.min(solids[1].size);
    let part = |i: usize| -> Option<Part<'_>> {
        let (piece, frame_from_convex) = solids[i].piece(point.pieces[i])?;
        Some(Part::of(&piece.convex, frame_from_convex, point.features[i], size))
    };
    Some(track(&[part(0)?, part(1)?], placed, warm))
}

/// Equations (11) and (12).
fn track(parts: &[Part<'_>; 2], placed: &[Placed; 2], warm: &mut Warm) -> Track {
    let [here, there] = [0, 1].map(|i| placed[i].pose.then_from(&parts[i].frame_from_convex));
    let a_from_b = here.inverse().then_from(&there);
    let [a, b] = [0, 1].map(|i| parts[i].convex.as_ref());
    let found = refined(a, b, &a_from_b, &closest(a, b, &a_from_b, warm));
    let origin = there.translation;
    let velocity =
        here.vector_inverse(placed[1].velocity_at(origin) - placed[0].velocity_at(origin));
    let spin = here.vector_inverse(placed[1].spin - placed[0].spin);
    let seen = rates(a, b, &a_from_b, &found, velocity, spin);
    let normal = here.vector(found.normal);
    let mut points = [found.point_a, found.point_b].map(|point| here.point(point));
    let slides = [seen.point_a, seen.point_b];
    let rate = |i: usize| placed[0].velocity_at(points[i]) + here.vector(slides[i]);
    let mut point_rates = [rate(0), rate(1)];
    for i in [0, 1] {
        if parts[i].ball > 0.0 {
            points[i] = placed[i].pose.point(parts[i].frame_from_convex.translation);
            point_rates[i] = placed[i].velocity_at(points[i]);
        }
    }
    let normal_rate = here.vector(seen.normal) + placed[0].spin.cross(normal);
    let balls = parts[0].ball + parts[1].ball;
    Track {
        points,
        point_rates,
        normal,
        normal_rate: normal_rate - normal * normal.dot(normal_rate),
        gap: found.distance + balls,
        radius: if balls > 0.0 { 0.0 } else { seen.radius },
        is_determined: seen.is_determined,
    }
}

/// How a direction of the world looks in the axes of a piece.
pub(super) fn in_piece(placed: &Placed, frame_from_convex: &Pose, direction: DVec3) -> DVec3 {
    frame_from_convex.vector_inverse(placed.pose.vector_inverse(direction))
}
