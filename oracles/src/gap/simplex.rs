//! Where the origin is to some points: their nearest average, and whether four of them enclose it.
//!
//! All corners, edges and triangles are tried: the foot of the origin on the line or plane through them, if it lies between
//! them. The nearest foot wins. That is more work than walking from feature to feature, and has no cases to get wrong.

use glam::DVec3;
use robust::{Coord3D, orient3d};

/// The average of some points that is nearest to the origin.
#[derive(Clone, Debug)]
pub(super) struct Foot {
    /// Its length, to rounding.
    pub(super) distance: f64,
    /// Unit vector from the origin towards it, perpendicular to the edge or triangle it lies on.
    pub(super) direction: DVec3,
    /// The at most three points that it is an average of.
    pub(super) corners: Vec<DVec3>,
}

/// The nearest average of at most three of the points; none of no points.
pub(super) fn nearest(points: &[DVec3]) -> Option<Foot> {
    let mut best: Option<Foot> = None;
    let mut consider = |corners: &[DVec3], found: Option<(f64, DVec3)>| {
        if let Some((distance, direction)) = found
            && best.as_ref().is_none_or(|best| distance < best.distance)
        {
            best = Some(Foot { distance, direction, corners: corners.to_vec() });
        }
    };
    for (i, a) in points.iter().enumerate() {
        consider(&[*a], Some((a.length(), a.try_normalize().unwrap_or(DVec3::X))));
        for (j, b) in points.iter().enumerate().skip(i + 1) {
            consider(&[*a, *b], on_edge(*a, *b));
            for c in &points[j + 1..] {
                consider(&[*a, *b, *c], on_triangle(*a, *b, *c));
            }
        }
    }
    best
}

/// The foot of the origin strictly between two points: its distance and direction.
fn on_edge(a: DVec3, b: DVec3) -> Option<(f64, DVec3)> {
    let edge = b - a;
    let share = -a.dot(edge) / edge.length_squared();
    if !(share > 0.0 && share < 1.0) {
        return None;
    }
    let average = (1.0 - share) * a + share * b;
    // What is left of the average along the edge is rounding.
    let across = average - edge * (average.dot(edge) / edge.length_squared());
    let anywhere = || edge.any_orthogonal_vector().try_normalize();
    Some((average.length(), across.try_normalize().or_else(anywhere)?))
}

/// The foot of the origin strictly between three points: its distance and direction.
///
/// C − A is first made perpendicular to B − A, so that a triangle that is nearly a line costs no more digits than it must.
fn on_triangle(a: DVec3, b: DVec3, c: DVec3) -> Option<(f64, DVec3)> {
    let (ab, ac) = (b - a, c - a);
    let along = ac.dot(ab) / ab.length_squared();
    let across = ac - along * ab;
    let share_c = -a.dot(across) / across.length_squared();
    let share_b = -a.dot(ab) / ab.length_squared() - share_c * along;
    if !(share_b > 0.0 && share_c > 0.0 && share_b + share_c < 1.0) {
        return None;
    }
    let average = (1.0 - share_b - share_c) * a + share_b * b + share_c * c;
    let normal = ab.cross(ac).try_normalize()?;
    Some((average.length(), if normal.dot(average) < 0.0 { -normal } else { normal }))
}

/// True when the origin is inside a tetrahedron, and farther than the margin from all four faces.
///
/// Inside means that the origin forms tetrahedra of the same orientation with all four faces; the signs are exact.
pub(super) fn encloses([a, b, c, d]: [DVec3; 4], margin: f64) -> bool {
    let faces = [[a, b, c], [a, d, b], [a, c, d], [b, d, c]];
    let coordinates = |DVec3 { x, y, z }: DVec3| Coord3D { x, y, z };
    let is_off = |[x, y, z]: [DVec3; 3]| {
        let normal = (y - x).cross(z - x).normalize_or_zero();
        let heights = [x, y, z].map(|corner| normal.dot(corner));
        heights.iter().all(|h| *h > margin) || heights.iter().all(|h| *h < -margin)
    };
    if !faces.into_iter().all(is_off) {
        return false;
    }
    let volumes = faces.map(|face| {
        let [x, y, z] = face.map(coordinates);
        orient3d(x, y, z, coordinates(DVec3::ZERO))
    });
    volumes.iter().all(|v| *v > 0.0) || volumes.iter().all(|v| *v < 0.0)
}
