//! How large a ball around the origin fits into a convex set C that is known by its support points.
//!
//! A closed surface of triangles with corners in C surrounds the origin, first a tetrahedron. The triangle whose plane is
//! nearest is taken, the point of C farthest along its normal is added, and the triangles that this point lies outside of are
//! replaced by those that join it with their outline (expanding polytope; van den Bergen 2001).
//!
//! *The answer cannot be too large.* If the surface goes around the origin, every ray from there meets a triangle, at a
//! point of C no nearer than that triangle's plane. So C, being convex, holds the ball that touches the nearest plane.
//! The surface goes around the origin at first, and always after: it stays closed whatever is removed, since a set of triangles
//! and the fan over its outline have the same boundary; and its winding number around the origin would change only if the
//! origin were in a tetrahedron of a removed triangle and the new point, which lies outside that triangle's plane as the
//! origin lies inside. All that is needed is that no plane is nearer than rounding, or else the answer is zero.

use glam::DVec3;

use super::tolerances::{DEPTH_SHARE, MOST_DEPTH_POINTS};

#[derive(Clone, Copy, Debug)]
struct Face {
    corners: [usize; 3],
    normal: DVec3,
    offset: f64,
}

/// The radius of a ball around the origin within C, given a tetrahedron around it. For a unit vector, `probe` gives the
/// least depth known so far and the point of C farthest along it.
pub(super) fn expand(
    tetrahedron: [DVec3; 4],
    rounding: f64,
    probe: &mut dyn FnMut(DVec3) -> (f64, DVec3),
) -> f64 {
    let mut points = tetrahedron.to_vec();
    let mut faces = first_faces(&points);
    let mut radius = 0.0_f64;
    if faces.len() < 4 {
        return radius;
    }
    for _ in 0..MOST_DEPTH_POINTS {
        let nearest = faces.iter().min_by(|a, b| a.offset.total_cmp(&b.offset));
        let Some(nearest) = nearest.filter(|face| face.offset > rounding).copied() else {
            return radius;
        };
        radius = radius.max(nearest.offset);
        let (depth, point) = probe(nearest.normal);
        if depth - radius <= rounding.max(DEPTH_SHARE * depth) {
            return radius;
        }
        let outside = |face: &Face| face.normal.dot(point) > face.offset + rounding;
        if !outside(&nearest) {
            return radius;
        }
        let (removed, kept): (Vec<Face>, Vec<Face>) = faces.into_iter().partition(outside);
        faces = kept;
        points.push(point);
        for [a, b] in outline(&removed) {
            match face_of(&points, [a, b, points.len() - 1]) {
                Some(face) => faces.push(face),
                None => return radius,
            }
        }
    }
    radius
}

/// The faces of a tetrahedron around the origin, with their corners counter-clockwise seen from outside.
fn first_faces(points: &[DVec3]) -> Vec<Face> {
    let around = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];
    let turned = |[a, b, c]: [usize; 3]| {
        face_of(points, [a, b, c])
            .filter(|face| face.offset > 0.0)
            .or_else(|| face_of(points, [a, c, b]))
    };
    around.into_iter().filter_map(turned).collect()
}

fn face_of(points: &[DVec3], corners: [usize; 3]) -> Option<Face> {
    let [a, b, c] = corners.map(|corner| points[corner]);
    let normal = (b - a).cross(c - a).try_normalize()?;
    // No point of the triangle is lower than its lowest corner, whatever rounding did to the normal.
    let offset = normal.dot(a).min(normal.dot(b)).min(normal.dot(c));
    Some(Face { corners, normal, offset })
}

/// The edges of some faces that no two of them share, in the direction in which their face has them.
fn outline(faces: &[Face]) -> Vec<[usize; 2]> {
    let mut edges: Vec<[usize; 2]> = Vec::new();
    for Face { corners: [a, b, c], .. } in faces {
        for edge in [[*a, *b], [*b, *c], [*c, *a]] {
            match edges.iter().position(|&[from, to]| [to, from] == edge) {
                Some(place) => {
                    edges.swap_remove(place);
                }
                None => edges.push(edge),
            }
        }
    }
    edges
}
