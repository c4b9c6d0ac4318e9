//! Whether two triangles of a mesh share more than the corners or the side they should.
//!
//! Decided by exact predicates on points from [`crate::predicates::ExactPoints`]; triangles must not be
//! collinear. What counts depends on the corners in common:
//!
//! - none: any common point of the closed triangles, also a touch;
//! - one: the side opposite to it of either triangle meets the other. The intersection is convex and
//!   contains the common corner; if it is more than that, follow it away from the corner: it ends where
//!   one of the triangles ends, and that is on the side opposite;
//! - two: the triangles are coplanar and folded onto the same side of the common edge;
//! - three: the faces are duplicates, which is a different complaint.
//!
//! Before that, a separating direction is tried in floating point with a bound on the rounding: exact
//! arithmetic is slow precisely where points are almost coplanar, as on every flat face of a rotated body.

use std::cmp::Ordering;

use glam::DVec3;

use crate::predicates::{side_of_plane, turn_2d};
use crate::tolerances::{PROJECTION_ROUNDING, PROJECTION_UNDERFLOW};

/// Whether the triangles, given by vertices, share more than the vertices they have in common.
pub(crate) fn triangles_cross(points: &[DVec3], first: [u32; 3], second: [u32; 3]) -> bool {
    let at = |v: u32| points[v as usize];
    let mut common = first.iter().enumerate().filter(|(_, v)| second.contains(v));
    match (common.next(), common.next(), common.next()) {
        (None, ..) => disjoint_triangles_meet(first.map(at), second.map(at)),
        (Some((k, &corner)), None, _) => {
            let l = (0..3).find(|&l| second[l] == corner).unwrap_or(0);
            let opposite_1 = [at(first[(k + 1) % 3]), at(first[(k + 2) % 3])];
            let opposite_2 = [at(second[(l + 1) % 3]), at(second[(l + 2) % 3])];
            corner_sharers_cross(at(corner), opposite_1, opposite_2)
        }
        (Some((j, _)), Some((k, _)), None) => {
            let apex_1 = first[3 - j - k];
            let on_edge = |v: &&u32| **v == first[j] || **v == first[k];
            let apex_2 = second.iter().find(|v| !on_edge(v)).copied().unwrap_or(apex_1);
            side_sharers_are_folded([at(first[j]), at(first[k])], at(apex_1), at(apex_2))
        }
        (Some(_), Some(_), Some(_)) => false,
    }
}

fn disjoint_triangles_meet(first: [DVec3; 3], second: [DVec3; 3]) -> bool {
    !are_clearly_apart(first, second) && exactly_meet(first, second)
}

fn exactly_meet(first: [DVec3; 3], second: [DVec3; 3]) -> bool {
    let is_one_sided = |plane: [DVec3; 3], corners: [DVec3; 3]| {
        let [a, b, c] = corners.map(|p| side_of_plane(plane, p));
        a != Ordering::Equal && a == b && b == c
    };
    if is_one_sided(first, second) || is_one_sided(second, first) {
        return false;
    }
    let sides = |[a, b, c]: [DVec3; 3]| [[a, b], [b, c], [c, a]];
    sides(first).iter().any(|&side| segment_meets_triangle(side, second))
        || sides(second).iter().any(|&side| segment_meets_triangle(side, first))
}

fn corner_sharers_cross(corner: DVec3, first: [DVec3; 2], second: [DVec3; 2]) -> bool {
    !is_clearly_one_sided(corner, first, second)
        && !is_clearly_one_sided(corner, second, first)
        && !fans_are_clearly_apart(corner, first, second)
        && corner_sharers_exactly_cross(corner, first, second)
}

/// True only if both other points surely lie on the same side of the plane through the corner and the first
/// two: the cheapest test, and the one that settles most neighbours on a curved surface.
fn is_clearly_one_sided(corner: DVec3, [a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> bool {
    let (u, v, p, q) = (a - corner, b - corner, c - corner, d - corner);
    let normal = u.cross(v);
    // Each of the six products in a determinant of rounded differences is off by a few ulp.
    let sum = |x: DVec3| x.abs().element_sum();
    let error = PROJECTION_ROUNDING * sum(u) * sum(v);
    let (height_p, height_q) = (normal.dot(p), normal.dot(q));
    let surely = |height: f64, x: DVec3| height.abs() > error * sum(x) + PROJECTION_UNDERFLOW;
    (height_p > 0.0) == (height_q > 0.0) && surely(height_p, p) && surely(height_q, q)
}

/// True only if a plane through the corner surely separates the rest: fans around a vertex are mostly told
/// apart by the one between their middle directions.
fn fans_are_clearly_apart(corner: DVec3, [a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> bool {
    let middle =
        |p: DVec3, q: DVec3| (p - corner).normalize_or_zero() + (q - corner).normalize_or_zero();
    let between = Direction { origin: corner, axis: middle(a, b) - middle(c, d) };
    [a, b].iter().all(|&p| between.range(p).0 > PROJECTION_UNDERFLOW)
        && [c, d].iter().all(|&p| between.range(p).1 < -PROJECTION_UNDERFLOW)
}

fn corner_sharers_exactly_cross(corner: DVec3, [a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> bool {
    let (first, second) = ([corner, a, b], [corner, c, d]);
    let is_one_sided = |plane: [DVec3; 3], [p, q]: [DVec3; 2]| {
        let side = side_of_plane(plane, p);
        side != Ordering::Equal && side == side_of_plane(plane, q)
    };
    if is_one_sided(first, [c, d]) || is_one_sided(second, [a, b]) {
        return false;
    }
    segment_meets_triangle([a, b], second) || segment_meets_triangle([c, d], first)
}

fn side_sharers_are_folded([start, end]: [DVec3; 2], apex_1: DVec3, apex_2: DVec3) -> bool {
    // Folded triangles have the same normal direction; opposite ones are mostly told in floating point.
    let (along, arm_1, arm_2) = (end - start, apex_1 - start, apex_2 - start);
    let (normal_1, normal_2) = (along.cross(arm_1), along.cross(arm_2));
    let scale = along.length_squared() * arm_1.length() * arm_2.length();
    if normal_1.dot(normal_2) < -PROJECTION_ROUNDING * scale - PROJECTION_UNDERFLOW {
        return false;
    }
    let first = [start, end, apex_1];
    if side_of_plane(first, apex_2) != Ordering::Equal {
        return false;
    }
    let flat = Shadow::of(first);
    flat.turn(start, end, apex_1) == flat.turn(start, end, apex_2)
}

/// Whether a segment and a triangle have a point in common.
pub(crate) fn segment_meets_triangle([p, q]: [DVec3; 2], triangle: [DVec3; 3]) -> bool {
    let [a, b, c] = triangle;
    match (side_of_plane(triangle, p), side_of_plane(triangle, q)) {
        (Ordering::Equal, Ordering::Equal) => {
            let flat = Shadow::of(triangle);
            flat.contains(triangle, p)
                || flat.contains(triangle, q)
                || [[a, b], [b, c], [c, a]].iter().any(|&side| flat.segments_meet([p, q], side))
        }
        (side_p, side_q) if side_p == side_q => false,
        // The line meets the plane in one point, whose barycentric weights have the signs of the volumes
        // that the line spans with the sides.
        _ => {
            let around = [[a, b], [b, c], [c, a]].map(|[s, t]| side_of_plane([p, q, s], t));
            !(around.contains(&Ordering::Greater) && around.contains(&Ordering::Less))
        }
    }
}

/// A coordinate plane into which a triangle casts a shadow with area.
#[derive(Clone, Copy, Debug)]
struct Shadow {
    u: usize,
    v: usize,
}

impl Shadow {
    /// The first such plane; any, for collinear corners.
    fn of([a, b, c]: [DVec3; 3]) -> Self {
        let has_area = |&(u, v): &(usize, usize)| Self { u, v }.turn(a, b, c) != Ordering::Equal;
        let (u, v) = [(0, 1), (1, 2), (2, 0)].into_iter().find(has_area).unwrap_or((0, 1));
        Self { u, v }
    }

    fn turn(self, a: DVec3, b: DVec3, c: DVec3) -> Ordering {
        let flat = |p: DVec3| [p[self.u], p[self.v]];
        turn_2d(flat(a), flat(b), flat(c))
    }

    fn contains(self, [a, b, c]: [DVec3; 3], p: DVec3) -> bool {
        let turns = [self.turn(a, b, p), self.turn(b, c, p), self.turn(c, a, p)];
        !(turns.contains(&Ordering::Greater) && turns.contains(&Ordering::Less))
    }

    fn segments_meet(self, [a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> bool {
        let (abc, abd) = (self.turn(a, b, c), self.turn(a, b, d));
        let (cda, cdb) = (self.turn(c, d, a), self.turn(c, d, b));
        if abc == abd && abc == Ordering::Equal {
            // All on one line: the intervals overlap in both coordinates.
            return [self.u, self.v]
                .iter()
                .all(|&k| a[k].min(b[k]) <= c[k].max(d[k]) && c[k].min(d[k]) <= a[k].max(b[k]));
        }
        let straddles = |s: Ordering, t: Ordering| s != t || s == Ordering::Equal;
        straddles(abc, abd) && straddles(cda, cdb)
    }
}

/// A direction on which points are projected, with bounds on the rounding.
struct Direction {
    origin: DVec3,
    axis: DVec3,
}

impl Direction {
    /// Bounds on the exact projection of a point.
    fn range(&self, point: DVec3) -> (f64, f64) {
        let arm = point - self.origin;
        let value = self.axis.dot(arm);
        let error = PROJECTION_ROUNDING * self.axis.abs().dot(arm.abs());
        (value - error, value + error)
    }

    /// Whether a plane across this direction surely has the triangles on different sides.
    fn separates(&self, first: [DVec3; 3], second: [DVec3; 3]) -> bool {
        let range = |corners: [DVec3; 3]| {
            let [a, b, c] = corners.map(|p| self.range(p));
            (a.0.min(b.0).min(c.0), a.1.max(b.1).max(c.1))
        };
        let (low_1, high_1) = range(first);
        let (low_2, high_2) = range(second);
        low_1 > high_2 + PROJECTION_UNDERFLOW || low_2 > high_1 + PROJECTION_UNDERFLOW
    }
}

/// True only if a plane surely separates the triangles: one parallel to either, or upright on a side.
fn are_clearly_apart(first: [DVec3; 3], second: [DVec3; 3]) -> bool {
    for [a, b, c] in [first, second] {
        let normal = (b - a).cross(c - a);
        for axis in [normal, normal.cross(b - a), normal.cross(c - b), normal.cross(a - c)] {
            if (Direction { origin: a, axis }).separates(first, second) {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use parry3d_f64::math::{Pose, Vector};
    use parry3d_f64::query::distance;
    use parry3d_f64::shape::Triangle;
    use proptest::prelude::*;

    use super::*;
    use crate::testing::property;

    fn points(coordinates: &[[i32; 3]]) -> Vec<DVec3> {
        let point = |&[x, y, z]: &[i32; 3]| DVec3::new(x.into(), y.into(), z.into()) / 16.0;
        coordinates.iter().map(point).collect()
    }

    #[test]
    fn touching_counts_and_a_gap_of_one_ulp_does_not() {
        let mut p = points(&[[0, 0, 0], [8, 0, 0], [0, 8, 0], [2, 2, 0], [2, 2, 5], [3, 2, 5]]);
        assert!(triangles_cross(&p, [0, 1, 2], [3, 4, 5]));
        p[3].z = f64::EPSILON * 1e-10;
        assert!(!triangles_cross(&p, [0, 1, 2], [3, 4, 5]));
        // Tip to side, in the plane.
        let p = points(&[[0, 0, 0], [8, 0, 0], [0, 8, 0], [4, 4, 0], [9, 4, 0], [9, 5, 0]]);
        assert!(triangles_cross(&p, [0, 1, 2], [3, 4, 5]));
    }

    #[test]
    fn neighbors_may_share_what_they_have_in_common_and_no_more() {
        let p = points(&[[0, 0, 0], [8, 0, 0], [0, 8, 0], [8, 8, 0], [2, 1, 0], [8, 8, 4]]);
        assert!(!triangles_cross(&p, [0, 1, 2], [2, 1, 3]), "flat neighbours");
        assert!(triangles_cross(&p, [0, 1, 2], [0, 1, 4]), "folded flat");
        assert!(!triangles_cross(&p, [0, 1, 2], [0, 1, 5]), "standing on the edge");
        assert!(triangles_cross(&p, [0, 1, 2], [0, 3, 5]), "a corner and a crossing");
        let p = points(&[[0, 0, 0], [8, 0, 0], [0, 8, 0], [-8, 0, 0], [0, -8, 0], [4, 4, 0]]);
        assert!(!triangles_cross(&p, [0, 1, 2], [0, 3, 4]), "a corner only");
        assert!(triangles_cross(&p, [0, 1, 2], [0, 5, 4]), "overlapping sectors");
        assert!(triangles_cross(&p, [0, 1, 2], [0, 5, 3]), "a side along a face");
    }

    proptest! {
        #![proptest_config(property(256))]

        #[test]
        fn the_filters_never_contradict_the_exact_answer(
            coordinates in proptest::collection::vec([-3..4_i32, -3..4_i32, -3..4_i32], 6),
            nudges in proptest::collection::vec(-2..3_i32, 6),
            tilt in -1.0..1.0_f64,
        ) {
            // Lattice points sheared out of the lattice and nudged by single ulps: nearly coplanar,
            // nearly touching.
            let nudge = |x: f64, n: i32| f64::from_bits(x.to_bits().wrapping_add_signed(n.into()));
            let p: Vec<DVec3> = points(&coordinates)
                .iter()
                .zip(nudges)
                .map(|(v, n)| DVec3::new(1.5 + v.x, 1.5 + v.y, nudge(1.5 + v.z + tilt * v.x, n)))
                .collect();
            let flat = |t: [usize; 3]| crate::predicates::collinear(p[t[0]], p[t[1]], p[t[2]]);
            prop_assume!(!flat([0, 1, 2]) && !flat([3, 4, 5]) && !flat([0, 3, 4]));
            let (first, second) = ([p[0], p[1], p[2]], [p[3], p[4], p[5]]);
            if are_clearly_apart(first, second) {
                prop_assert!(!exactly_meet(first, second));
            }
            if fans_are_clearly_apart(p[0], [p[1], p[2]], [p[3], p[4]]) {
                prop_assert!(!corner_sharers_exactly_cross(p[0], [p[1], p[2]], [p[3], p[4]]));
            }
        }

        #[test]
        fn the_order_of_triangles_and_corners_does_not_matter(
            coordinates in proptest::collection::vec([-3..4_i32, -3..4_i32, -3..4_i32], 6),
        ) {
            // Coarse lattice points: coplanar, touching and overlapping cases are frequent.
            let p = points(&coordinates);
            let flat = |t: [usize; 3]| crate::predicates::collinear(p[t[0]], p[t[1]], p[t[2]]);
            prop_assume!(!flat([0, 1, 2]) && !flat([3, 4, 5]));
            let expected = triangles_cross(&p, [0, 1, 2], [3, 4, 5]);
            for (first, second) in [([3, 4, 5], [0, 1, 2]), ([1, 2, 0], [4, 3, 5]), ([2, 1, 0], [5, 3, 4])] {
                prop_assert_eq!(triangles_cross(&p, first, second), expected);
            }
        }

        #[test]
        fn away_from_contact_the_answer_is_that_of_parry(
            p in proptest::collection::vec((-1.0..1.0, -1.0..1.0, -1.0..1.0_f64), 6),
        ) {
            let p: Vec<DVec3> = p.into_iter().map(DVec3::from).collect();
            let triangle = |t: [usize; 3]| {
                let [a, b, c] = t.map(|k| Vector::new(p[k].x, p[k].y, p[k].z));
                Triangle::new(a, b, c)
            };
            let (first, second) = (triangle([0, 1, 2]), triangle([3, 4, 5]));
            let here = Pose::IDENTITY;
            let gap = distance(&here, &first, &here, &second).unwrap().distance;
            // Iterative distances are good to about eight digits: skip the band between.
            prop_assume!(gap == 0.0 || gap > 1e-6);
            prop_assert_eq!(triangles_cross(&p, [0, 1, 2], [3, 4, 5]), gap == 0.0);
        }
    }
}
