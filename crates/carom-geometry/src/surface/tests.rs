use std::collections::BTreeMap;
use std::sync::Arc;

use glam::DQuat;
use proptest::prelude::*;

use super::*;
use crate::shapes::{
    Ball, Capsule, Compound, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Part, Superquadric,
};
use crate::testing::property;
use crate::{ClosedMesh, convex_hull};

fn superquadric(m: f64, n: f64) -> Shape {
    Shape::Superquadric(Superquadric::new(DVec3::new(0.3, 0.5, 0.2), m, n).unwrap())
}

fn tetrahedron() -> Shape {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    Shape::Polyhedron(Arc::new(convex_hull(&corners).unwrap()))
}

fn shapes() -> Vec<Shape> {
    let cuboid = Shape::Cuboid(Cuboid::new(DVec3::new(0.1, 0.2, 0.3)).unwrap());
    let ball = Shape::Ball(Ball::new(0.4).unwrap());
    let place = Pose::new(DVec3::new(3.0, 0.0, 1.0), DQuat::from_xyzw(0.5, 0.5, -0.5, 0.5));
    let parts = [(Pose::IDENTITY, cuboid.clone()), (place, ball.clone())];
    let parts = parts.map(|(body_from_shape, shape)| Part { body_from_shape, shape });
    let nut = Surface::of(&Shape::Cylinder(Cylinder::new(0.1, 0.3).unwrap()), Fineness::around(24));
    let nut = nut.unwrap();
    let nut = TriMesh::new(nut.positions, nut.triangles).unwrap();
    vec![
        ball,
        cuboid,
        Shape::Capsule(Capsule::new(0.5, 0.2).unwrap()),
        Shape::Cylinder(Cylinder::new(0.5, 0.2).unwrap()),
        Shape::Cone(Cone::new(0.5, 0.2).unwrap()),
        Shape::Ellipsoid(Ellipsoid::new(DVec3::new(0.1, 2.0, 0.5)).unwrap()),
        superquadric(2.0, 2.0),
        superquadric(1.0, 1.0),
        superquadric(8.0, 1.5),
        superquadric(1.0, 40.0),
        superquadric(1000.0, 1000.0),
        tetrahedron(),
        Shape::Mesh(Arc::new(ClosedMesh::new(nut).unwrap())),
        Shape::Compound(Arc::new(Compound::new(parts.to_vec()).unwrap())),
    ]
}

fn corners(surface: &Surface) -> impl Iterator<Item = [DVec3; 3]> {
    surface.triangles.iter().map(|it| it.map(|corner| surface.positions[corner as usize]))
}

fn volume(surface: &Surface) -> f64 {
    corners(surface).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
}

/// Every edge of the welded surface is run once in each direction.
fn is_closed(surface: &Surface) -> bool {
    let key = |point: DVec3| (point + DVec3::ZERO).to_array().map(f64::to_bits);
    let mut edges = BTreeMap::new();
    for [a, b, c] in corners(surface) {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *edges.entry((key(from), key(to))).or_insert(0) += 1;
        }
    }
    edges.iter().all(|(&(from, to), &count)| count == 1 && edges.get(&(to, from)) == Some(&1))
}

#[test]
fn every_surface_is_closed_and_its_normals_are_unit_and_outward() {
    for shape in shapes() {
        for edges in [8, 32, 60] {
            let surface = Surface::of(&shape, Fineness::around(edges)).unwrap();
            let kind = shape.as_solid().kind();
            assert!(is_closed(&surface), "{kind} with {edges}");
            assert_eq!(surface.positions.len(), surface.normals.len());
            for normal in &surface.normals {
                assert!((normal.length() - 1.0).abs() < 1e-14, "{kind}: {normal}");
            }
            for (triangle, [a, b, c]) in surface.triangles.iter().zip(corners(&surface)) {
                let Some(face) = (b - a).cross(c - a).try_normalize() else { continue };
                for corner in triangle {
                    // Slivers of nearly sharp superquadrics turn by up to a right angle from one end to the other.
                    let turn = face.dot(surface.normals[*corner as usize]);
                    assert!(turn > -1e-3, "{kind} with {edges}: {turn}");
                }
            }
        }
    }
}

#[test]
fn volumes_are_exact_for_flat_faces_and_off_by_the_square_of_the_angle_for_curved_ones() {
    for shape in shapes() {
        let kind = shape.as_solid().kind();
        let exact = shape.as_solid().volume();
        let error = |edges: u32| {
            1.0 - volume(&Surface::of(&shape, Fineness::around(edges)).unwrap()) / exact
        };
        let [coarse, fine] = [error(32), error(64)];
        // 1 − sinc of 1/32 of a turn is 0.64 % around, and as much again from pole to pole.
        assert!((-1e-12..0.035).contains(&coarse), "{kind}: {coarse}");
        if coarse > 1e-6 {
            assert!((3.5..4.5).contains(&(coarse / fine)), "{kind}: {coarse}, {fine}");
        }
    }
}

#[test]
fn vertices_lie_on_the_surface_to_rounding() {
    for shape in shapes() {
        let surface = Surface::of(&shape, Fineness::default()).unwrap();
        let solid = shape.as_solid();
        for (&position, &normal) in surface.positions.iter().zip(&surface.normals) {
            // A point of a convex solid is on its surface where it is the farthest along a normal there.
            if let Shape::Mesh(_) | Shape::Compound(_) = shape {
                continue;
            }
            let beyond = solid.support_value(normal) - normal.dot(position);
            let is_creased =
                matches!(&shape, Shape::Superquadric(it) if it.exponents().contains(&1.0));
            if is_creased {
                let Shape::Superquadric(it) = &shape else { unreachable!() };
                let (norm, _) = it.norm_and_gradient(position);
                assert!((norm - 1.0).abs() < 1e-14, "{norm}");
            } else {
                assert!(beyond.abs() < 4e-15, "{}: {beyond}", solid.kind());
            }
        }
    }
}

#[test]
fn an_unbounded_shape_has_no_surface_and_a_square_shows_a_part_of_it() {
    let floor = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.5).unwrap());
    assert_eq!(Surface::of(&floor, Fineness::default()), None);
    for normal in [DVec3::Z, -DVec3::Z, DVec3::new(0.6, 0.0, 0.8)] {
        let square = Surface::square(DVec3::splat(0.5), normal, 2.0);
        let area: DVec3 = corners(&square).map(|[a, b, c]| 0.5 * (b - a).cross(c - a)).sum();
        assert!((area - 16.0 * normal).length() < 1e-14, "{area}");
    }
}

#[test]
fn edges_of_a_mesh_stay_sharp_and_its_round_parts_smooth() {
    let cylinder =
        Surface::of(&Shape::Cylinder(Cylinder::new(0.5, 0.2).unwrap()), Fineness::around(24));
    let cylinder = cylinder.unwrap();
    let mesh = TriMesh::new(cylinder.positions.clone(), cylinder.triangles.clone()).unwrap();
    let shaded = Surface::of_mesh(&mesh);
    // Two rims, each once for the flat end and once for the side; two centres.
    assert_eq!(shaded.positions.len(), 4 * 24 + 2);
    for (position, normal) in shaded.positions.iter().zip(&shaded.normals) {
        let radial = DVec3::new(position.x, position.y, 0.0).normalize_or_zero();
        let flat = (normal.z.abs() - 1.0).abs() < 1e-15;
        assert!(flat || normal.dot(radial) > 0.999, "{position}: {normal}");
    }
}

proptest! {
    #![proptest_config(property(64))]

    #[test]
    fn superquadrics_of_any_exponents_are_closed_and_inscribed(
        m in 1.0..1000.0_f64, n in 1.0..1000.0_f64, edges in 1..200_u32,
    ) {
        let shape = superquadric(m, n);
        let surface = Surface::of(&shape, Fineness::around(edges)).unwrap();
        prop_assert!(is_closed(&surface));
        let share = volume(&surface) / shape.as_solid().volume();
        prop_assert!((0.5..=1.0 + 1e-12).contains(&share), "{share}");
    }
}
