//! How deep two polytopes overlap: the facet of their difference nearest to the origin.
//!
//! K = A − B holds all differences a − b. Its support function is −s(−m), so the signed distance is s* = −min h_K(m)
//! over unit m. Where the origin lies inside K the minimum is at a facet: the normal of a face of A or B, or
//! of two edges whose arcs cross on the Gauss sphere. A polytope P ⊂ K grows from a simplex of support
//! points; the facet of P with the lowest offset is pushed out to the support of K along its normal, until it cannot
//! be. Then
//!
//! h_K(m) ≥ h_P(m) ≥ lowest offset of P = h_K(m₀)   for all m,
//!
//! which proves the depth to be global, and it is a facet of K. Offsets are signed, so the origin need not lie inside
//! P, nor inside K: if it is outside, a slab of positive width turns up and ends the search.

use std::cmp::Ordering;

use glam::DVec3;

use super::grown::{Corner, Grown};
use super::pair::Query;
use super::polytope::Polytope;
use super::proof::slab;
use crate::predicates::{collinear, side_of_plane};

/// What the search found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Deep {
    /// No direction is wider than this one, which may be a facet of K or the normal of a flat K.
    Facet {
        /// From B to A.
        normal: DVec3,
        corners: [Corner; 3],
    },
    /// A slab between these vertices is wider than asked for.
    Apart { vertices: [u32; 2] },
    /// The surface cannot be grown, or grew too long.
    Unknown,
}

/// Support points added before the search gives up.
const MAX_POINTS: u32 = 200_000;

/// Searches from a normal and a vertex of each solid until a slab is wider than `apart`; returns the number of support
/// points too.
pub(super) fn deepest<A: Polytope, B: Polytope>(
    query: &Query<A, B>,
    hull: &mut Grown,
    normal: DVec3,
    from: [u32; 2],
    apart: f64,
) -> (Deep, u32) {
    hull.clear();
    let seeker = Seeker { query, from };
    let simplex = match seeker.first_simplex(normal, apart) {
        First::Simplex(simplex) => simplex,
        First::Flat(corners, normal) => return (Deep::Facet { normal, corners }, 3),
        First::Apart(vertices) => return (Deep::Apart { vertices }, 3),
        First::Thin => return (Deep::Unknown, 3),
    };
    if !hull.restart(simplex) {
        return (Deep::Unknown, 4);
    }
    for count in 4..MAX_POINTS {
        let Some(facet) = hull.lowest() else { return (Deep::Unknown, count) };
        let outward = hull.facet(facet).normal;
        if outward == DVec3::ZERO {
            return (Deep::Unknown, count);
        }
        let corners = hull.corners_of(facet);
        let found = slab(query, -outward, corners[0].vertices);
        if found.width > apart {
            return (Deep::Apart { vertices: found.vertices }, count);
        }
        let corner = corner_of(query, found.vertices);
        let is_beyond = outward.dot(corner.point - corners[0].point) > query.touch;
        if !is_beyond || !hull.add(facet, corner) {
            return (Deep::Facet { normal: -outward, corners }, count);
        }
    }
    (Deep::Unknown, MAX_POINTS)
}

/// The point of K from these vertices.
pub(super) fn corner_of<A: Polytope, B: Polytope>(
    query: &Query<A, B>,
    vertices: [u32; 2],
) -> Corner {
    let point = query.ab.near.position(vertices[0]) - query.ab.far_position(vertices[1]);
    Corner { point, vertices }
}

/// Four support points to start from, or why there are none.
enum First {
    Simplex([Corner; 4]),
    /// K lies in a plane with this normal, oriented from B to A.
    Flat([Corner; 3], DVec3),
    /// A slab between these vertices is wider than asked for.
    Apart([u32; 2]),
    /// K has no area.
    Thin,
}

/// Looks for support points of K.
struct Seeker<'q, 's, A, B> {
    query: &'q Query<'s, A, B>,
    from: [u32; 2],
}

impl<A: Polytope, B: Polytope> Seeker<'_, '_, A, B> {
    fn support(&self, direction: DVec3) -> Corner {
        corner_of(self.query, slab(self.query, -direction, self.from).vertices)
    }

    /// The support point along one of the directions for which `far` is largest, if it is more than zero.
    fn farthest(&self, directions: &[DVec3], far: impl Fn(DVec3) -> f64) -> Option<Corner> {
        let mut best: (f64, Option<Corner>) = (0.0, None);
        for direction in directions {
            let corner = self.support(*direction);
            let reach = far(corner.point);
            if reach > best.0 {
                best = (reach, Some(corner));
            }
        }
        best.1
    }

    /// The support along the normal and against it, then the farthest from their line, then from their plane.
    fn first_simplex(&self, normal: DVec3, apart: f64) -> First {
        let axes = [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z];
        let a = self.support(-normal);
        if normal.dot(a.point) > apart {
            return First::Apart(a.vertices);
        }
        let from_a = |p: DVec3| p.distance(a.point);
        let b = self.farthest(&[normal], from_a).or_else(|| self.farthest(&axes, from_a));
        let Some(b) = b else { return First::Thin };
        let line = b.point - a.point;
        let (s, t) = line.normalize_or(DVec3::Z).any_orthonormal_pair();
        let from_line = |p: DVec3| {
            let is_on_it = collinear(a.point, b.point, p);
            if is_on_it { 0.0 } else { (p - a.point).cross(line).length() }
        };
        let Some(c) = self.farthest(&[s, t, -s, -t], from_line) else { return First::Thin };
        let plane = line.cross(c.point - a.point);
        let from_plane = |p: DVec3| match side_of_plane([a.point, b.point, c.point], p) {
            Ordering::Equal => 0.0,
            _ => (p - a.point).dot(plane).abs().max(f64::MIN_POSITIVE),
        };
        let across = [plane, -plane];
        let d = self.farthest(&across, from_plane).or_else(|| self.farthest(&axes, from_plane));
        if let Some(d) = d {
            return First::Simplex([a, b, c, d]);
        }
        let unit = plane.normalize_or(normal);
        First::Flat([a, b, c], if unit.dot(a.point) < 0.0 { -unit } else { unit })
    }
}
