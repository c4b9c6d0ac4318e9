//! Answers that are known without computing.

use glam::DQuat;

use super::cases::{Kind, cuboid, polyhedron, prism, solid, tessellated};
use super::*;

/// A turn about an axis.
fn turn(axis: DVec3, angle: f64) -> DQuat {
    let (sin, cos) = libm::sincos(0.5 * angle);
    let axis = axis.normalize_or_zero() * sin;
    DQuat::from_xyzw(axis.x, axis.y, axis.z, cos)
}

/// Distance within rounding, from a cold start and from twenty memories without sense.
fn check(a: &Convex, b: &Convex, pose: &Pose, expected: f64, allowed: f64) -> Closest {
    let mut dice = Dice::new(9);
    let first = cold(a, b, pose);
    for _ in 0..20 {
        let (again, effort) = solved(a, b, pose, &any_memory(&mut dice, a, b));
        let error = (again.distance - expected).abs();
        assert!(error <= allowed, "{} instead of {expected}", again.distance);
        assert_eq!([effort.cut_off, effort.last_resorts], [0; 2]);
    }
    let contradiction =
        find_contradiction(&first, &Bare::new(a, &Pose::IDENTITY), &Bare::new(b, pose), 1e-14);
    assert_eq!(contradiction, None, "{first:?}");
    first
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z))
}

/// proves: m1/LC-R5
#[test]
fn boxes_with_parallel_axes_are_as_far_apart_as_their_intervals() {
    let unit = cuboid(DVec3::ONE);
    // Face over face, edge beside edge, vertex beside vertex, all with planes in common.
    check(&unit, &unit, &at(0.0, 0.0, 2.5), 0.5, 0.0);
    check(&unit, &unit, &at(2.0, 0.0, 2.5), 0.5, 0.0);
    check(&unit, &unit, &at(2.0, 2.0, 2.5), 0.5, 0.0);
    check(&unit, &unit, &at(2.3, 0.0, 2.4), 0.5, 4e-16);
    check(&unit, &unit, &at(2.3, 2.0, 2.4), 0.5, 4e-16);
    check(&unit, &unit, &at(2.2, 2.1, 2.2), 0.3, 4e-16);
    // Touching by a face, an edge, a vertex.
    check(&unit, &unit, &at(0.0, 0.0, 2.0), 0.0, 0.0);
    check(&unit, &unit, &at(0.5, 2.0, 2.0), 0.0, 0.0);
    check(&unit, &unit, &at(2.0, 2.0, 2.0), 0.0, 0.0);
}

#[test]
fn a_vertex_above_an_edge_is_found_with_the_edge() {
    let roof = polyhedron(&[
        DVec3::new(-1.0, -1.0, 0.0),
        DVec3::new(-1.0, 1.0, 0.0),
        DVec3::new(1.0, -1.0, 0.0),
        DVec3::new(1.0, 1.0, 0.0),
        DVec3::new(-1.0, 0.0, 1.0),
        DVec3::new(1.0, 0.0, 1.0),
    ]);
    let tip = polyhedron(&[
        DVec3::ZERO,
        DVec3::new(1.0, 1.0, 3.0),
        DVec3::new(-1.0, 1.0, 3.0),
        DVec3::new(0.0, -1.0, 3.0),
    ]);
    let answer = check(&roof, &tip, &at(0.25, 0.0, 1.5), 0.5, 0.0);
    assert!(matches!(answer.features, [Feature::Edge(_), Feature::Vertex(_)]), "{answer:?}");
    assert_eq!(answer.normal, -DVec3::Z);
    assert_eq!(answer.point_a, DVec3::new(0.25, 0.0, 1.0));
}

/// proves: baraff/13
#[test]
fn stacked_equal_cubes_lowered_by_a_thousandth_overlap_by_it() {
    let cube = cuboid(DVec3::splat(0.5));
    for (x, y) in [(0.0, 0.0), (0.25, 0.0), (0.3, -0.2)] {
        let answer = check(&cube, &cube, &at(x, y, 0.999), -1e-3, 1e-15);
        assert_eq!(answer.normal, -DVec3::Z, "{answer:?}");
    }
}

#[test]
fn depth_is_the_shortest_way_out() {
    let cube = cuboid(DVec3::ONE);
    let answer = check(&cube, &cube, &at(0.9, 0.5, -0.3), -1.1, 1e-15);
    assert_eq!(answer.normal, -DVec3::X);
    let small = cuboid(DVec3::splat(0.1));
    check(&cube, &small, &at(0.0, 0.0, 0.75), -0.35, 1e-15);
    check(&cube, &small, &Pose::IDENTITY, -1.1, 1e-15);
    check(&cube, &cube, &Pose::IDENTITY, -2.0, 1e-15);
    // A tip 1 % below the middle of a face.
    let tip = polyhedron(&[
        DVec3::ZERO,
        DVec3::new(1.0, 1.0, 3.0),
        DVec3::new(-1.0, 1.0, 3.0),
        DVec3::new(0.0, -1.0, 3.0),
    ]);
    let answer = check(&cube, &tip, &at(0.1, 0.2, 0.99), -0.01, 1e-15);
    assert_eq!(answer.normal, -DVec3::Z);
}

#[test]
fn edges_parallel_up_to_a_billionth_are_as_far_apart_as_their_lines() {
    // Two roofs ridge to ridge: ridges along x, the upper one turned by the angle about z.
    let ridge = |up: f64| {
        let [foot, top] = [-up, 0.0];
        polyhedron(&[
            DVec3::new(-1.0, -1.0, foot),
            DVec3::new(-1.0, 1.0, foot),
            DVec3::new(1.0, -1.0, foot),
            DVec3::new(1.0, 1.0, foot),
            DVec3::new(-1.0, 0.0, top),
            DVec3::new(1.0, 0.0, top),
        ])
    };
    let (lower, upper) = (ridge(1.0), ridge(-1.0));
    for exponent in 3..=9 {
        let angle = libm::pow(10.0, -f64::from(exponent));
        for gap in [1.0, 1e-3, 1e-6, 1e-9, 1e-12, -1e-12, -1e-9, -1e-6] {
            // Deeper, the way out is aside, along a face.
            if gap < -0.1 * angle {
                continue;
            }
            // Beside the middle, so that the ridges still cross in plan.
            let pose = Pose::new(DVec3::new(0.1, 0.25 * angle, gap), turn(DVec3::Z, angle));
            let answer = check(&lower, &upper, &pose, gap, 4e-16);
            assert!((answer.normal + DVec3::Z).length() < 1e-5, "{angle:e} {gap:e}: {answer:?}");
        }
    }
}

#[test]
fn tessellated_balls_touch_where_their_facets_do() {
    // Up to 5000 facets, against the plane of one of their own facets.
    for n in [12, 83, 2502] {
        let ball = tessellated(n);
        let Convex::Polyhedron(hull) = &ball else { unreachable!("it was made as one") };
        let mut dice = Dice::new(u64::from(n));
        for _ in 0..20 {
            let face = hull.faces()[dice.below(hull.faces().len() as u64) as usize];
            let gap = dice.pick(&[0.5, 1e-3, 1e-9, -1e-9, -1e-3]);
            // A large box whose lower face is parallel to the facet.
            let block = cuboid(DVec3::splat(2.0));
            let rotation = DQuat::from_rotation_arc(DVec3::Z, face.normal);
            let pose = Pose::new(face.normal * (face.offset + gap + 2.0), rotation);
            check(&ball, &block, &pose, gap, 4e-15);
        }
    }
}

#[test]
fn deep_overlap_of_five_thousand_facets_is_as_deep_as_the_widths_allow() {
    let ball = tessellated(2502);
    let mut dice = Dice::new(8);
    for shift in [0.0, 0.1, 0.5, 1.5] {
        let pose = Pose::new(dice.direction() * shift, dice.rotation());
        let (answer, effort) = solved(&ball, &ball, &pose, &Warm::Cold);
        let (a, b) = (Bare::new(&ball, &Pose::IDENTITY), Bare::new(&ball, &pose));
        assert_eq!(find_contradiction(&answer, &a, &b, 1e-14), None, "{answer:?}");
        assert_eq!(effort.last_resorts, 0);
        // No direction tried at random is a shorter way out.
        for _ in 0..300 {
            assert!(width(&a, &b, dice.direction()) <= answer.distance + 1e-14);
        }
    }
}

#[test]
fn coplanar_triangles_are_apart_in_their_plane_and_touch_where_they_cross() {
    let flat =
        |corners: [[f64; 2]; 3]| Convex::Triangle(corners.map(|[x, y]| DVec3::new(x, y, 0.0)));
    let a = flat([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]);
    let b = flat([[2.0, 0.0], [3.0, 0.0], [2.0, 1.0]]);
    check(&a, &b, &Pose::IDENTITY, 1.0, 0.0);
    check(&a, &b, &at(-1.5, 0.0, 0.0), 0.0, 0.0);
    check(&a, &a, &at(0.0, 0.0, 0.25), 0.25, 0.0);
    check(&a, &a, &Pose::IDENTITY, 0.0, 0.0);
    // One across the other in their plane, after a search that left more facets than triangles have corners.
    let ball = tessellated(100);
    assert!(cold(&ball, &ball, &at(0.1, 0.0, 0.0)).distance < -1.0);
    let across = flat([[-0.5, 0.25], [1.5, 0.25], [1.5, 0.5]]);
    check(&a, &across, &Pose::IDENTITY, 0.0, 0.0);
    // Standing on each other like a T: the foot of one 0.2 deep in the other, both ways out 0.2 or more.
    let blade = Convex::Triangle([
        DVec3::new(0.2, 0.2, -0.1),
        DVec3::new(0.2, 0.4, -0.1),
        DVec3::new(0.2, 0.3, 1.0),
    ]);
    check(&a, &blade, &Pose::IDENTITY, -0.1, 1e-15);
}

#[test]
fn a_wrong_memory_is_no_worse_than_none() {
    let cube = cuboid(DVec3::ONE);
    let triangle = Convex::Triangle([DVec3::ZERO, DVec3::X, DVec3::Y]);
    let pose = at(0.1, 0.2, 3.0);
    for other in [&cube, &triangle] {
        let right = cold(&cube, other, &pose);
        for feature in [Feature::Vertex(999), Feature::Edge(999), Feature::Face(999)] {
            for features in
                [[feature; 2], [feature, Feature::Vertex(0)], [Feature::Face(0), feature]]
            {
                let warm = Warm::Last(Closest { features, ..right });
                assert_eq!(solved(&cube, other, &pose, &warm).0.distance, right.distance);
            }
        }
    }
}

#[test]
fn nothing_hangs_or_panics_on_numbers_that_are_none() {
    let mut dice = Dice::new(3);
    let solids = [Kind::Hull, Kind::Triangle, Kind::Sliver].map(|kind| solid(&mut dice, kind));
    let point = Convex::Triangle([DVec3::ONE; 3]);
    let line = Convex::Triangle([DVec3::ZERO, DVec3::X, DVec3::X * 2.0]);
    for bad in [f64::NAN, f64::INFINITY, 1e300, 1e-300, 0.0] {
        for a in solids.iter().chain([&point, &line]) {
            for b in solids.iter().chain([&point, &line]) {
                let pose = Pose::new(DVec3::new(bad, 0.5, 0.0), DQuat::IDENTITY);
                let first = cold(a, b, &pose);
                let _ = solved(a, b, &pose, &Warm::Last(first));
                let pose = Pose::new(DVec3::ONE, DQuat::from_xyzw(bad, 0.0, 0.0, 1.0));
                let _ = cold(a, b, &pose);
            }
        }
    }
}

#[test]
fn triangles_without_area_are_segments_and_points() {
    let cube = cuboid(DVec3::ONE);
    let point = Convex::Triangle([DVec3::new(0.0, 0.0, 3.0); 3]);
    let line = Convex::Triangle([
        DVec3::new(0.0, 0.5, 3.0),
        DVec3::new(0.0, 0.5, 4.0),
        DVec3::new(0.0, 0.5, 2.0),
    ]);
    assert_eq!(cold(&cube, &point, &Pose::IDENTITY).distance, 2.0);
    assert_eq!(cold(&cube, &line, &Pose::IDENTITY).distance, 1.0);
}

#[test]
fn prisms_of_a_thousand_sides_are_no_harder() {
    let coin = prism(1000, 1.0, 0.05);
    check(&coin, &coin, &at(0.3, 0.1, 0.2), 0.1, 1e-16);
    check(&coin, &coin, &at(0.3, 0.1, 0.09), -0.01, 1e-16);
}
