//! What every shape must satisfy, whatever its kind; the numbers themselves are compared with quadrature by
//! `carom validate`, group `primitives`.

use std::sync::Arc;

use glam::DVec3;
use proptest::prelude::*;

use super::*;
use crate::shape::{Shape, ShapeError, Solid};
use crate::testing::{box_corners, direction, point, pose, property};
use crate::{ClosedMesh, Pose, TriMesh, convex_hull};

fn size() -> impl Strategy<Value = f64> {
    0.05..2.0
}

fn exponent() -> impl Strategy<Value = f64> {
    prop_oneof![1.0..1.2_f64, 1.2..8.0_f64, 8.0..60.0_f64, Just(1.0), Just(2.0)]
}

fn sizes() -> impl Strategy<Value = DVec3> {
    proptest::array::uniform3(size()).prop_map(DVec3::from_array)
}

fn primitive() -> impl Strategy<Value = Shape> {
    prop_oneof![
        size().prop_map(|r| Shape::Ball(Ball::new(r).unwrap())),
        sizes().prop_map(|half| Shape::Cuboid(Cuboid::new(half).unwrap())),
        (size(), size()).prop_map(|(h, r)| Shape::Capsule(Capsule::new(h, r).unwrap())),
        (size(), size()).prop_map(|(h, r)| Shape::Cylinder(Cylinder::new(h, r).unwrap())),
        (size(), size()).prop_map(|(h, r)| Shape::Cone(Cone::new(h, r).unwrap())),
        sizes().prop_map(|axes| Shape::Ellipsoid(Ellipsoid::new(axes).unwrap())),
        (sizes(), exponent(), exponent())
            .prop_map(|(axes, m, n)| Shape::Superquadric(Superquadric::new(axes, m, n).unwrap())),
        sizes()
            .prop_map(|half| Shape::Polyhedron(Arc::new(convex_hull(&box_corners(half)).unwrap()))),
        (0.2..0.5_f64, sizes())
            .prop_map(|(tube, stretch)| Shape::Mesh(Arc::new(torus(tube, stretch)))),
    ]
}

fn torus(tube: f64, stretch: DVec3) -> ClosedMesh {
    let round = crate::mesh::fixtures::torus(1.0, tube, 14, 7);
    let vertices = round.vertices().iter().map(|v| *v * stretch).collect();
    ClosedMesh::new(TriMesh::new(vertices, round.triangles().to_vec()).unwrap()).unwrap()
}

fn shape() -> impl Strategy<Value = Shape> {
    let part =
        (primitive(), pose()).prop_map(|(shape, body_from_shape)| Part { body_from_shape, shape });
    let compound = proptest::collection::vec(part, 1..4)
        .prop_map(|parts| Shape::Compound(Arc::new(Compound::new(parts).unwrap())));
    prop_oneof![4 => primitive(), 1 => compound]
}

/// Points of the shape spread over its surface: its own support points in many directions.
fn surface_points(solid: &dyn Solid) -> Vec<DVec3> {
    let spiral = |i: i32| {
        let z = 1.0 - (2.0 * f64::from(i) + 1.0) / 300.0;
        let (sin, cos) = libm::sincos(2.399963229728653 * f64::from(i));
        DVec3::new(cos, sin, 0.0) * (1.0 - z * z).sqrt() + DVec3::Z * z
    };
    let axes = [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z];
    (0..300).map(spiral).chain(axes).filter_map(|d| solid.support(d)).collect()
}

proptest! {
    #![proptest_config(property(400))]

    #[test]
    fn the_support_point_is_the_farthest_and_its_value_agrees(shape in shape(), d in direction()) {
        let solid = shape.as_solid();
        let value = solid.support_value(d);
        prop_assert!((solid.support(d).unwrap().dot(d) - value).abs() < 1e-13 * (1.0 + value.abs()));
        prop_assert!((solid.support_value(3.0 * d) - 3.0 * value).abs() < 1e-12 * (1.0 + value.abs()));
        for p in surface_points(solid) {
            prop_assert!(p.dot(d) <= value + 1e-13 * (1.0 + value.abs()), "{} beyond {}", p.dot(d), value);
        }
    }

    #[test]
    fn the_length_of_the_direction_does_not_matter(
        shape in shape(), d in direction(), exponent in prop_oneof![-990..-900_i32, 900..990_i32],
    ) {
        let solid = shape.as_solid();
        let (near, far) = (solid.support(d).unwrap(), solid.support(d * libm::scalbn(1.0, exponent)).unwrap());
        let reach = solid.support_value(d);
        prop_assert!((far.dot(d) - near.dot(d)).abs() <= 1e-12 * (1.0 + reach.abs()), "{} beside {}", far, near);
        let scaled = libm::scalbn(solid.support_value(d * libm::scalbn(1.0, exponent)), -exponent);
        prop_assert!((scaled - reach).abs() <= 1e-12 * (1.0 + reach.abs()), "{} beside {}", scaled, reach);
    }

    #[test]
    fn boxes_and_radii_hold_every_point_of_the_placed_shape(shape in shape(), at in pose(), from in point(3.0)) {
        let solid = shape.as_solid();
        let bounds = shape.aabb(&at);
        let radius = solid.radius_about(from);
        for p in surface_points(solid) {
            prop_assert!(bounds.contains(at.point(p)), "{:?} misses {}", bounds, at.point(p));
            prop_assert!(p.distance(from) <= radius * (1.0 + 1e-14), "{} beyond {}", p.distance(from), radius);
        }
        prop_assert!(shape.bounding_radius() <= shape.width(DVec3::X) + shape.width(DVec3::Y) + shape.width(DVec3::Z));
    }

    #[test]
    fn radii_are_tight_except_for_superquadrics_off_centre(shape in primitive(), from in point(1.0)) {
        let off_centre = !matches!(shape, Shape::Superquadric(_));
        let from = if off_centre { from } else { DVec3::ZERO };
        // The farthest point is a fixed point of p ← support(p − from), which ascends from any start.
        let solid = shape.as_solid();
        let mut best: f64 = 0.0;
        for start in surface_points(solid) {
            let mut p = start;
            for _ in 0..200 {
                p = solid.support(p - from).unwrap();
            }
            best = best.max(p.distance(from));
        }
        let radius = solid.radius_about(from);
        prop_assert!((radius - best) <= 1e-6 * radius, "{} but the farthest point is at {}", radius, best);
    }

    #[test]
    fn a_half_space_ends_along_its_normal_however_that_was_scaled_or_turned(
        normal in direction(), offset in -2.0..2.0_f64, scale in 1e-3..1e3_f64, at in pose(), tilt in 1e-9..3.0_f64,
    ) {
        let wall = Shape::HalfSpace(HalfSpace::new(normal, offset).unwrap());
        let along = at.vector_inverse(at.vector(normal * scale));
        let reach = wall.as_solid().support_value(along);
        prop_assert!((reach - offset * scale).abs() <= 1e-12 * (1.0 + reach.abs()), "{}", reach);
        let side = normal.any_orthonormal_vector();
        let (sin, cos) = libm::sincos(tilt);
        prop_assert_eq!(wall.as_solid().support_value(normal * cos + side * sin), f64::INFINITY);
    }

    #[test]
    fn mass_properties_belong_to_a_possible_body_and_scale_with_density(shape in shape()) {
        let solid = shape.as_solid();
        let mass = solid.mass_properties(2.5).unwrap();
        prop_assert_eq!(mass.verdict(), Ok(()));
        prop_assert!((mass.mass / (2.5 * solid.volume()) - 1.0).abs() < 1e-13);
        let heavy = solid.mass_properties(5.0).unwrap();
        prop_assert!((heavy.mass / mass.mass - 2.0).abs() < 1e-14);
        // The isoperimetric inequality holds for every solid, and a union of disjoint ones.
        let (v, a) = (solid.volume(), solid.surface_area());
        prop_assert!(a * a * a >= 36.0 * std::f64::consts::PI * v * v * (1.0 - 1e-12), "V {} A {}", v, a);
    }
}

#[test]
fn superquadrics_contain_the_other_solids_as_limits() {
    let axes = DVec3::new(0.3, 0.2, 0.5);
    let ellipsoid = Ellipsoid::new(axes).unwrap();
    let same = Superquadric::new(axes, 2.0, 2.0).unwrap();
    let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
    close(same.volume(), ellipsoid.volume());
    close(same.surface_area(), ellipsoid.surface_area());
    close(same.support_value(DVec3::ONE), ellipsoid.support_value(DVec3::ONE));
    // Exponent one: an octahedron, with 8 faces of area ½|(b−a)×(c−a)|.
    let octahedron = Superquadric::new(DVec3::ONE, 1.0, 1.0).unwrap();
    close(octahedron.volume(), 4.0 / 3.0);
    close(octahedron.surface_area(), 4.0 * 3.0_f64.sqrt());
    close(octahedron.support_value(DVec3::new(1.0, -2.0, 0.5)), 2.0);
    // Exponent 1000: nearly a box.
    let boxy = Superquadric::new(axes, 1000.0, 1000.0).unwrap();
    let cuboid = Cuboid::new(axes).unwrap();
    assert!((boxy.volume() / cuboid.volume() - 1.0).abs() < 1e-4);
    assert!((boxy.surface_area() / cuboid.surface_area() - 1.0).abs() < 2e-2);
    assert!((boxy.bounding_radius_about_centre() / cuboid.half().length() - 1.0).abs() < 2e-3);
}

impl Superquadric {
    fn bounding_radius_about_centre(&self) -> f64 {
        self.radius_about(DVec3::ZERO)
    }
}

#[test]
fn the_area_of_an_ever_flatter_ellipsoid_tends_to_two_discs_and_of_a_needle_to_zero() {
    for thickness in [1e-20, 1e-80, 1e-160, 1e-170, 1e-300] {
        let disc = Ellipsoid::new(DVec3::new(1.0, 1.0, thickness)).unwrap().surface_area();
        assert!((disc / std::f64::consts::TAU - 1.0).abs() < 1e-14, "{thickness}: {disc}");
        let needle = Ellipsoid::new(DVec3::new(1.0, thickness, thickness)).unwrap().surface_area();
        // A prolate spheroid of vanishing width b has the area π²·a·b.
        let expected = std::f64::consts::PI * std::f64::consts::PI * thickness;
        assert!((needle / expected - 1.0).abs() < 1e-12, "{thickness}: {needle}");
    }
}

/// The literals come from another quadrature (graded Gauss) of the same integrand over the same charts: they judge
/// the quadrature, not the formula. The formula is judged by `carom validate`, group `primitives`, where the
/// surface is parametrised otherwise, and by the bounds that nesting of convex bodies sets.
#[test]
fn areas_of_sharp_superquadrics_are_right_and_within_the_bounds_of_nested_bodies() {
    let area = |c: f64, m: f64, n: f64| {
        Superquadric::new(DVec3::new(1.0, 1.0, c), m, n).unwrap().surface_area()
    };
    let known = [
        (1.0, 20.0, 2.0, 15.696276568255994),
        (1.0, 50.0, 2.0, 15.88200521720633),
        (1.0, 1000.0, 2.0, 15.994222841516589),
        (1.0, 1.0, 1000.0, 15.303235168198412),
        (1.0, 200.0, 3.0, 18.337525207253094),
        (1e4, 1000.0, 2.0, 125594.20837129508),
    ];
    for (c, m, n, expected) in known {
        let got = area(c, m, n);
        assert!((got / expected - 1.0).abs() < 1e-10, "c {c} m {m} n {n}: {got} beside {expected}");
    }
    // Inside a box of half edges 1, 1, 1e-6; and its shadow along z, twice, is inside the surface.
    assert!(area(1e-6, 1000.0, 2.0) <= 8.0 + 16e-6, "{}", area(1e-6, 1000.0, 2.0));
    assert!(area(1e-6, 1.0, 1000.0) >= 4.0, "{}", area(1e-6, 1.0, 1000.0));
}

#[test]
fn sizes_whose_volume_underflows_still_have_a_radius() {
    let speck = Shape::Ball(Ball::new(1e-150).unwrap());
    assert!((speck.bounding_radius() / 1e-150 - 1.0).abs() < 1e-12, "{}", speck.bounding_radius());
}

#[test]
fn a_half_space_ends_along_its_normal_only() {
    let floor = Shape::HalfSpace(HalfSpace::new(2.0 * DVec3::Z, 0.5).unwrap());
    assert_eq!(floor.as_solid().support_value(DVec3::Z), 0.5);
    assert_eq!(floor.as_solid().support_value(DVec3::X), f64::INFINITY);
    assert_eq!(floor.as_solid().support(-DVec3::Z), None);
    let bounds = floor.aabb(&Pose::from_translation(DVec3::Z));
    assert!((bounds.max.z - 1.5).abs() < 1e-14, "{bounds:?}");
    assert_eq!((bounds.min, bounds.max.x), (DVec3::NEG_INFINITY, f64::INFINITY));
    assert_eq!(floor.bounding_radius(), f64::INFINITY);
    let error = floor.as_solid().mass_properties(1.0).unwrap_err().to_string();
    assert_eq!(error, "a half-space is unbounded and has no mass: use it for fixed bodies only");
}

#[test]
fn sizes_that_make_no_shape_are_refused_by_name() {
    let message = |error: Result<Ball, ShapeError>| error.unwrap_err().to_string();
    assert_eq!(
        message(Ball::new(-1.0)),
        "the radius of a sphere is -1, but must be a positive finite number"
    );
    assert!(Cuboid::new(DVec3::new(1.0, 0.0, 1.0)).is_err());
    assert!(Capsule::new(f64::NAN, 1.0).is_err());
    assert!(Cylinder::new(1.0, f64::INFINITY).is_err());
    assert!(Superquadric::new(DVec3::ONE, 0.5, 2.0).is_err());
    assert!(HalfSpace::new(DVec3::ZERO, 0.0).is_err());
    assert!(HalfSpace::new(DVec3::Z, f64::NAN).is_err());
    assert!(matches!(Compound::new(Vec::new()), Err(ShapeError::NoParts)));
    let floor = Part {
        body_from_shape: Pose::IDENTITY,
        shape: Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).unwrap()),
    };
    assert!(matches!(Compound::new(vec![floor]), Err(ShapeError::UnboundedPart { .. })));
}

#[test]
fn nesting_ends() {
    let mut shape = Shape::Ball(Ball::new(1.0).unwrap());
    for _ in 0..32 {
        let part = Part { body_from_shape: Pose::IDENTITY, shape };
        shape = Shape::Compound(Arc::new(Compound::new(vec![part]).unwrap()));
    }
    let part = Part { body_from_shape: Pose::IDENTITY, shape };
    assert!(matches!(Compound::new(vec![part]), Err(ShapeError::TooDeep { limit: 32 })));
}

#[test]
fn a_compound_weighs_each_part_with_its_own_density() {
    let ball = Shape::Ball(Ball::new(0.5).unwrap());
    let at = |x: f64| Pose::from_translation(DVec3::X * x);
    let parts = [-1.0, 1.0].map(|x| Part { body_from_shape: at(x), shape: ball.clone() });
    let pair = Compound::new(parts.to_vec()).unwrap();
    let mass = pair.mass_with_densities(&[1.0, 3.0]).unwrap();
    let each = ball.as_solid().volume();
    assert!((mass.mass / (4.0 * each) - 1.0).abs() < 1e-15);
    assert!((mass.center - DVec3::X * 0.5).length() < 1e-15);
    // Own inertias, and the reduced mass times the squared distance of the centres.
    let across = 0.4 * 0.25 * 4.0 * each + 0.75 * each * 4.0;
    assert!((mass.inertia.y_axis.y / across - 1.0).abs() < 1e-14);
    assert!(matches!(pair.mass_with_densities(&[1.0]), Err(MassError::WrongCount { .. })));
}
