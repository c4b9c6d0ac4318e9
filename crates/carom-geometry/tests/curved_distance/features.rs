//! Features as numbered in the documentation of `Feature`.

use std::sync::Arc;

use carom_geometry::distance::{Closest, Convex, Feature, Warm, closest};
use carom_geometry::shapes::{Ball, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Superquadric};
use carom_geometry::{ConvexPolyhedron, Pose, convex_hull};
use glam::DVec3;

use Feature::{Edge, Face, Vertex};

const VALID: &str = "the sizes are positive";

/// A small ball whose surface is `gap` away from `point` along the unit vector `out`, and the feature it finds.
fn probe(solid: &Convex, point: DVec3, out: DVec3, gap: f64) -> Closest {
    let radius = 0.01;
    let ball = Convex::Ball(Ball::new(radius).expect(VALID));
    let center = point + (radius + gap) * out.normalize_or_zero();
    closest(solid, &ball, &Pose::from_translation(center), &mut Warm::Cold)
}

#[track_caller]
fn expect(solid: &Convex, point: DVec3, out: DVec3, feature: Feature) {
    for gap in [0.3, 1e-3, 0.0] {
        let answer = probe(solid, point, out, gap);
        assert_eq!(answer.features, [feature, Face(0)], "{answer:?} at {point} of {solid:?}");
        assert!((answer.distance - gap).abs() < 1e-14, "{answer:?} at {point} of {solid:?}");
        assert!(answer.point_a.distance(point) < 1e-12, "{answer:?} at {point} of {solid:?}");
    }
}

#[test]
fn round_solids_name_their_patches() {
    let capsule = Convex::Capsule(Capsule::new(1.0, 0.5).expect(VALID));
    expect(&capsule, DVec3::new(0.5, 0.0, 0.9), DVec3::X, Face(0));
    expect(&capsule, DVec3::Z * 1.5, DVec3::Z, Face(1));
    expect(&capsule, DVec3::Z * -1.5, -DVec3::Z, Face(2));
    let cylinder = Convex::Cylinder(Cylinder::new(1.0, 0.5).expect(VALID));
    expect(&cylinder, DVec3::new(0.0, 0.5, 0.9), DVec3::Y, Face(0));
    expect(&cylinder, DVec3::new(0.1, 0.2, 1.0), DVec3::Z, Face(1));
    expect(&cylinder, DVec3::new(0.1, 0.2, -1.0), -DVec3::Z, Face(2));
    expect(&cylinder, DVec3::new(0.5, 0.0, 1.0), DVec3::new(1.0, 0.0, 1.0), Edge(0));
    expect(&cylinder, DVec3::new(0.5, 0.0, -1.0), DVec3::new(1.0, 0.0, -1.0), Edge(1));
    let cone = Convex::Cone(Cone::new(1.0, 1.0).expect(VALID));
    expect(&cone, DVec3::new(0.5, 0.0, 0.0), DVec3::new(2.0, 0.0, 1.0), Face(0));
    expect(&cone, DVec3::new(0.5, 0.0, -1.0), -DVec3::Z, Face(1));
    expect(&cone, DVec3::new(1.0, 0.0, -1.0), DVec3::new(1.0, 0.0, -1.0), Edge(0));
    expect(&cone, DVec3::Z, DVec3::new(0.1, 0.0, 1.0), Vertex(0));
    let axes = DVec3::new(1.0, 0.5, 0.25);
    let ellipsoid = Convex::Ellipsoid(Ellipsoid::new(axes).expect(VALID));
    expect(&ellipsoid, DVec3::Y * 0.5, DVec3::Y, Face(0));
    let superquadric = Convex::Superquadric(Superquadric::new(axes, 3.0, 5.0).expect(VALID));
    expect(&superquadric, DVec3::Y * 0.5, DVec3::Y, Face(0));
    let plane = Convex::HalfSpace(HalfSpace::new(DVec3::Z, 0.5).expect("a unit vector"));
    expect(&plane, DVec3::new(3.0, 2.0, 0.5), DVec3::Z, Face(0));
}

#[test]
fn triangles_number_sides_from_the_corner_they_leave() {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let triangle = Convex::Triangle(corners);
    expect(&triangle, DVec3::new(0.2, 0.3, 0.0), DVec3::Z, Face(0));
    expect(&triangle, DVec3::new(0.2, 0.3, 0.0), -DVec3::Z, Face(0));
    expect(&triangle, DVec3::new(0.5, 0.0, 0.0), -DVec3::Y, Edge(0));
    expect(&triangle, DVec3::new(0.5, 0.5, 0.0), DVec3::new(1.0, 1.0, 0.5), Edge(1));
    expect(&triangle, DVec3::new(0.0, 0.5, 0.0), -DVec3::X, Edge(2));
    expect(&triangle, corners[1], DVec3::new(2.0, -0.5, 0.1), Vertex(1));
    expect(&triangle, corners[2], DVec3::new(-0.5, 2.0, -0.1), Vertex(2));
}

fn unit_box() -> Arc<ConvexPolyhedron> {
    let sign = |i: u32, bit: u32| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
    let corner = |i: u32| DVec3::new(sign(i, 0), sign(i, 1), sign(i, 2));
    Arc::new(convex_hull(&(0..8).map(corner).collect::<Vec<DVec3>>()).expect("a box has a volume"))
}

/// proves: baraff/18
#[test]
fn a_ball_over_a_box_finds_face_edge_or_corner() {
    let polyhedron = unit_box();
    let solid = Convex::Polyhedron(Arc::clone(&polyhedron));
    for (index, face) in (0..).zip(polyhedron.faces()) {
        let tangent = face.normal.any_orthonormal_vector();
        expect(&solid, face.normal + 0.7 * tangent, face.normal, Face(index));
    }
    for &h in polyhedron.edges() {
        let [from, to] = polyhedron.ends(h).map(|v| polyhedron.vertices()[v as usize]);
        let faces = [h, polyhedron.half_edges()[h as usize].twin]
            .map(|h| polyhedron.faces()[polyhedron.half_edges()[h as usize].face as usize].normal);
        expect(&solid, 0.3 * from + 0.7 * to, faces[0] + 0.4 * faces[1], Edge(h));
    }
    for (index, vertex) in (0..).zip(polyhedron.vertices()) {
        expect(&solid, *vertex, *vertex + 0.3 * vertex.x * DVec3::X, Vertex(index));
    }
}

/// Rolling exactly over a border, where rounding puts the point on either side of it, and across it.
///
/// proves: baraff/18
#[test]
fn borders_are_crossed_once_and_lingered_on_without_flipping() {
    let solid = Convex::Polyhedron(unit_box());
    let mut changes = 0;
    let mut last = probe(&solid, DVec3::new(0.0, 0.2, 1.0), DVec3::Z, 0.1).features[0];
    for k in 0..2000 {
        let x = 0.9 + 1e-4 * f64::from(k);
        let answer = probe(&solid, DVec3::new(x, 0.2, 1.0), DVec3::Z, 0.1);
        changes += u32::from(answer.features[0] != last);
        last = answer.features[0];
    }
    assert_eq!(changes, 1, "from the face to the edge, at {last:?}");
    let mut lingering = std::collections::BTreeSet::new();
    for k in 0..1000 {
        let noise = 1e-15 * f64::from(k % 7 - 3);
        let point = DVec3::new(1.0 + noise, 0.01 * f64::from(k % 100 - 50), 1.0);
        lingering.insert(probe(&solid, point, DVec3::Z, 0.1).features[0]);
    }
    assert_eq!(lingering.len(), 1, "{lingering:?}");
    let cylinder = Convex::Cylinder(Cylinder::new(1.0, 0.5).expect(VALID));
    for k in 0..1000 {
        let angle = 0.1 * f64::from(k);
        let out = DVec3::new(libm::cos(angle), libm::sin(angle), 0.0);
        assert_eq!(probe(&cylinder, 0.5 * out + DVec3::Z, DVec3::Z, 0.1).features[0], Edge(0));
        assert_eq!(probe(&cylinder, 0.5 * out + DVec3::Z, out, 0.1).features[0], Edge(0));
    }
}

/// Features of curved partners come out of the iterations, not of a single projection.
#[test]
fn partners_with_an_extent_find_the_same_features() {
    let cylinder = Convex::Cylinder(Cylinder::new(1.0, 0.5).expect(VALID));
    let ellipsoid = Convex::Ellipsoid(Ellipsoid::new(DVec3::new(0.3, 0.2, 0.1)).expect(VALID));
    let at = |x: f64, z: f64| {
        let pose = Pose::from_translation(DVec3::new(x, 0.0, z));
        closest(&cylinder, &ellipsoid, &pose, &mut Warm::Cold).features
    };
    assert_eq!(at(1.5, 0.3), [Face(0), Face(0)]);
    assert_eq!(at(0.1, 2.0), [Face(1), Face(0)]);
    assert_eq!(at(0.1, -2.0), [Face(2), Face(0)]);
    assert_eq!(at(1.5, 2.0), [Edge(0), Face(0)]);
    assert_eq!(at(1.5, -2.0), [Edge(1), Face(0)]);
    let floor = Convex::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).expect("a unit vector"));
    let tilted = Pose::new(DVec3::Z * 3.0, glam::DQuat::from_rotation_x(0.3));
    let answer = closest(&floor, &cylinder, &tilted, &mut Warm::Cold);
    assert_eq!(answer.features, [Face(0), Edge(1)]);
}
