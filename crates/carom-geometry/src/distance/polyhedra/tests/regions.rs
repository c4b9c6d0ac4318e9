//! The conditions that make a pair of features the nearest one.

use super::cases::{KINDS, Kind, PLACINGS, place, solid};
use super::*;
use crate::ConvexPolyhedron;

/// How far a point is beyond the planes of the region of points nearest to a feature, at most `[m]`.
fn beyond_region(solid: &ConvexPolyhedron, feature: Feature, point: DVec3) -> f64 {
    let position = |v: u32| solid.vertices()[v as usize];
    let normal =
        |half_edge: u32| solid.faces()[solid.half_edges()[half_edge as usize].face as usize].normal;
    // Height of the point over the upright plane through a half-edge of a face, inwards.
    let inwards = |half_edge: u32| {
        let [tail, head] = solid.ends(half_edge).map(position);
        let inward = normal(half_edge).cross(head - tail).normalize_or_zero();
        inward.dot(point - tail)
    };
    let along = |from: DVec3, to: DVec3| (to - from).normalize_or_zero().dot(point - from);
    match feature {
        Feature::Vertex(v) => solid
            .neighbors(v)
            .map(|next| along(position(v), position(next)))
            .fold(f64::NEG_INFINITY, f64::max),
        Feature::Edge(edge) => {
            let [tail, head] = solid.ends(edge).map(position);
            let twin = solid.half_edges()[edge as usize].twin;
            let past_ends = (-along(tail, head)).max(-along(head, tail));
            past_ends.max(inwards(edge)).max(inwards(twin))
        }
        Feature::Face(face) => {
            let it = solid.faces()[face as usize];
            let rim = it.first_half_edge..it.first_half_edge + it.n_edges;
            let outside =
                rim.map(|half_edge| -inwards(half_edge)).fold(f64::NEG_INFINITY, f64::max);
            outside.max(it.offset - it.normal.dot(point))
        }
    }
}

/// proves: m1/LC-R3
#[test]
fn each_nearest_point_lies_in_the_region_of_the_other_s_feature() {
    let mut dice = Dice::new(11);
    let kinds: Vec<Kind> = KINDS
        .into_iter()
        .filter(|kind| !matches!(kind, Kind::Triangle | Kind::SliverTriangle))
        .collect();
    let mut checked = 0;
    for index in 0..20_000 {
        let (kind_a, kind_b) = (dice.pick(&kinds), dice.pick(&kinds));
        let (a, b) = (solid(&mut dice, kind_a), solid(&mut dice, kind_b));
        let placing = dice.pick(&PLACINGS);
        let pose = place(&mut dice, placing);
        let answer = cold(&a, &b, &pose);
        let (Convex::Polyhedron(hull_a), Convex::Polyhedron(hull_b)) = (&a, &b) else { continue };
        if answer.distance <= 1e-9 {
            continue;
        }
        let beyond_a = beyond_region(hull_a, answer.features[0], answer.point_b);
        let point_a_in_b = pose.inverse().point(answer.point_a);
        let beyond_b = beyond_region(hull_b, answer.features[1], point_a_in_b);
        // Rounding of a point, a plane and a change of frame at coordinates up to 6.
        assert!(
            beyond_a.max(beyond_b) <= 1e-14,
            "pair {index}: {beyond_a:e} {beyond_b:e} {answer:?}"
        );
        checked += 1;
    }
    assert!(checked > 8_000, "{checked}");
}

/// proves: baraff/12
#[test]
fn climbing_ends_as_high_as_a_scan_of_all_vertices() {
    let mut dice = Dice::new(12);
    for index in 0..5_000 {
        let kind = dice.pick(&KINDS);
        let solid = solid(&mut dice, kind);
        let Convex::Polyhedron(hull) = &solid else { continue };
        let direction = dice.direction();
        let start = dice.below(hull.vertices().len() as u64) as u32;
        let found = hull.climbed(start, direction);
        let height = |v: &DVec3| direction.dot(*v);
        let highest = hull.vertices().iter().map(height).fold(f64::NEG_INFINITY, f64::max);
        let climbed = height(&hull.vertices()[found as usize]);
        assert!(highest - climbed <= 4e-16, "solid {index}: {climbed} below {highest}");
    }
}
