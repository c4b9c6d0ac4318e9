//! Questions about space, and who takes notice of whom.

use carom::{Body, BodyId, Layers, Observers, Relation, StopAtTouch, Unnoticed, World, WorldError};
use carom_geometry::distance::Feature;
use carom_geometry::{Pose, Shape};
use glam::{DQuat, DVec3};

use crate::common::{Numbers, ball, cuboid, floor};

fn still() -> World {
    World::builder().passing().gravity(DVec3::ZERO).build().expect("a world")
}

/// Unit cubes around the origin and 3 m along x.
fn two_cubes() -> (World, [BodyId; 2]) {
    let mut world = still();
    let cube = || Body::fixed(cuboid(1.0, 1.0, 1.0));
    let a = world.add(cube()).expect("a cube");
    let b = world.add(cube().at(3.0 * DVec3::X)).expect("a cube");
    (world, [a, b])
}

#[test]
fn the_nearest_points_are_told_from_either_side() {
    let (world, [a, b]) = two_cubes();
    let there = world.nearest(a, b, 0.0).unwrap();
    let back = world.nearest(b, a, 0.0).unwrap();
    assert_eq!((there.distance, back.distance), (2.0, 2.0));
    assert_eq!((there.normal, back.normal), (DVec3::NEG_X, DVec3::X));
    assert_eq!((there.points[0].x, there.points[1].x), (0.5, 2.5));
    // Corners stand over corners.
    assert!(matches!(there.features, [Feature::Vertex(_), Feature::Vertex(_)]), "{there:?}");
}

#[test]
fn moving_bodies_are_asked_about_at_any_time_of_their_motions() {
    let mut world = still();
    let a = world.add(Body::free(ball(0.5)).velocity(DVec3::X)).unwrap();
    let b = world.add(Body::free(ball(0.5)).at(10.0 * DVec3::X)).unwrap();
    for (time, expected) in [(0.0, 9.0), (4.0, 5.0)] {
        let found = world.nearest(a, b, time).unwrap().distance;
        assert!((found - expected).abs() < 1e-14, "{found} at {time}");
    }
}

#[test]
fn a_box_on_the_floor_has_four_contact_points_and_one_above_it_none() {
    let mut world = still();
    let floor = world.add(Body::fixed(floor())).unwrap();
    let turned = Pose::new(DVec3::new(2.0, 1.0, 0.5), DQuat::from_rotation_z(0.3));
    let low = world.add(Body::free(cuboid(1.0, 1.0, 1.0)).pose(turned)).unwrap();
    let high = world.add(Body::free(cuboid(1.0, 1.0, 1.0)).at(5.0 * DVec3::Z)).unwrap();
    let points = world.contact_points(floor, low, 1e-6, 0.0).unwrap();
    assert_eq!(points.len(), 4);
    for point in &points {
        assert!(point.gap.abs() < 1e-15 && point.points[0].z.abs() < 1e-15, "{point:?}");
        assert_eq!(point.normal, DVec3::NEG_Z);
        let arm = (point.points[1] - DVec3::new(2.0, 1.0, 0.0)).length();
        assert!((arm - 0.5_f64.sqrt()).abs() < 1e-14, "{arm}");
    }
    assert_eq!(world.contact_points(floor, high, 1e-6, 0.0), Some(Vec::new()));
}

#[test]
fn a_shape_overlaps_whom_it_touches() {
    let (world, [a, b]) = two_cubes();
    let at = |x: f64| Pose::from_translation(x * DVec3::X);
    assert_eq!(world.overlapping(&ball(0.9), &at(1.5), 0.0), []);
    assert_eq!(world.overlapping(&ball(0.9), &at(1.0), 0.0), [a]);
    assert_eq!(world.overlapping(&ball(1.01), &at(1.5), 0.0), [a, b]);
}

/// Rays and small balls from all around, beside the closed form of a sphere and of each other.
#[test]
fn casts_hit_the_first_body_on_their_way() {
    let mut world = still();
    let near = world.add(Body::fixed(ball(1.0)).at(5.0 * DVec3::X)).unwrap();
    let far = world.add(Body::fixed(ball(1.0)).at(9.0 * DVec3::X)).unwrap();
    world.add(Body::fixed(ball(1.0)).at(2.0 * DVec3::X).ghost()).unwrap();
    world.add(Body::fixed(ball(0.5)).at(2.0 * DVec3::X).sensor()).unwrap();
    let ray = |world: &World| world.cast_ray(DVec3::ZERO, DVec3::X, 20.0, 0.0);
    let hit = ray(&world).unwrap();
    assert_eq!((hit.body, hit.share, hit.normal), (near, 0.2, DVec3::NEG_X));
    world.remove(near).unwrap();
    assert_eq!(ray(&world).unwrap().body, far);
    assert_eq!(world.cast_ray(DVec3::ZERO, DVec3::X, 7.9, 0.0), None, "too short");
    let endless = world.cast_ray(DVec3::ZERO, DVec3::X, f64::INFINITY, 0.0).unwrap();
    assert_eq!((endless.body, endless.point), (far, 8.0 * DVec3::X));
    let mut numbers = Numbers(3);
    for _ in 0..200 {
        let start = 9.0 * DVec3::X + 4.0 * numbers.vector().normalize_or_zero();
        let way = 8.0 * numbers.vector();
        let cast = world.cast_shape(&ball(0.25), &Pose::from_translation(start), way, 0.0);
        // |start − c + t·way| = 1.25
        let (from, along) = (start - 9.0 * DVec3::X, way);
        let (a, b, c) = (along.dot(along), along.dot(from), from.dot(from) - 1.25 * 1.25);
        let root = (-b - (b * b - a * c).max(0.0).sqrt()) / a;
        let expected = (b * b >= a * c && (0.0..1.0).contains(&root)).then_some(root);
        assert_eq!(cast.is_some(), expected.is_some(), "{start} {way}");
        if let (Some(hit), Some(root)) = (cast, expected) {
            assert!((hit.share - root).abs() < 1e-6, "{} instead of {root}", hit.share);
        }
    }
}

#[test]
fn a_cast_that_begins_inside_hits_at_once() {
    let (world, [a, _]) = two_cubes();
    let hit = world.cast_shape(&ball(0.2), &Pose::IDENTITY, DVec3::X, 0.0).unwrap();
    assert_eq!((hit.body, hit.share), (a, 0.0));
}

/// A ball thrown at another; true if they touch.
fn touches(prepare: impl FnOnce(&mut World) -> [BodyId; 2]) -> (bool, Relation) {
    let mut world = still();
    let [a, b] = prepare(&mut world);
    let relation = world.explain(a, b).expect("two bodies").relation;
    assert_eq!(world.meets(a, b), relation == Relation::Solid);
    let mut stop = StopAtTouch::default();
    let _ = world.advance_watched(10.0, &mut Observers::none().with(&mut stop));
    (stop.touch.is_some(), relation)
}

fn thrown() -> Body {
    Body::free(ball(0.5)).at(-5.0 * DVec3::X).velocity(DVec3::X)
}

#[test]
fn layers_exclusions_ghosts_and_sensors_decide_who_touches() {
    let target = || Body::free(ball(0.5));
    let both = |world: &mut World, a: Body, b: Body| {
        [world.add(a).expect("a ball"), world.add(b).expect("a ball")]
    };
    let layers = |belongs, meets| Layers { belongs, meets };
    assert_eq!(touches(|world| both(world, thrown(), target())), (true, Relation::Solid));
    let apart = |world: &mut World| {
        both(world, thrown().layers(layers(1, 1)), target().layers(layers(2, 3)))
    };
    assert_eq!(touches(apart), (false, Relation::None(Unnoticed::Layers)));
    let mutual = |world: &mut World| {
        both(world, thrown().layers(layers(1, 2)), target().layers(layers(2, 1)))
    };
    assert_eq!(touches(mutual), (true, Relation::Solid));
    let excluded = |world: &mut World| {
        let [a, b] = both(world, thrown(), target());
        world.exclude(a, b).expect("two bodies");
        [a, b]
    };
    assert_eq!(touches(excluded), (false, Relation::None(Unnoticed::Excluded)));
    let included = |world: &mut World| {
        let [a, b] = excluded(world);
        world.include(b, a).expect("two bodies");
        [a, b]
    };
    assert_eq!(touches(included), (true, Relation::Solid));
    let ghost = |world: &mut World| both(world, thrown(), target().ghost());
    assert_eq!(touches(ghost), (false, Relation::None(Unnoticed::Ghost)));
    let sensor = |world: &mut World| both(world, thrown(), target().sensor());
    assert_eq!(touches(sensor), (false, Relation::Sensor));
}

#[test]
fn whoever_would_overlap_is_refused_with_the_way_out() {
    let (mut world, [a, _]) = two_cubes();
    let cube = || Body::free(cuboid(1.0, 1.0, 1.0));
    let place = DVec3::new(0.1, 0.2, 0.95);
    let error = world.add(cube().named("new").at(place)).unwrap_err();
    let WorldError::Overlap { body, other, depth, direction } = error else {
        panic!("{error:?}");
    };
    assert_eq!((body.as_str(), other), ("new", world.body(a).unwrap().name().to_owned()));
    assert!((depth - 0.05).abs() < 1e-15 && direction == DVec3::Z, "{depth} {direction}");
    // By that way it is let in, and touches.
    let new = world.add(cube().at(place + depth * direction)).unwrap();
    let gap = world.nearest(a, new, 0.0).unwrap().distance;
    assert!(gap.abs() < 1e-15, "{gap}");
    // What takes no notice of the others may overlap them.
    world.add(cube().at(place).ghost()).unwrap();
    world.add(cube().at(place).sensor()).unwrap();
    world.add(cube().at(place).layers(Layers { belongs: 2, meets: 2 })).unwrap();
    world.add(cube().at(place - DVec3::Z)).unwrap_err();
    world.add(cube().at(place - DVec3::Z).except(a).except(new)).unwrap();
}

#[test]
fn a_body_inside_a_closed_mesh_overlaps_it() {
    let corners = (0..8_u32).map(|i| {
        let sign = |bit: u32| if i >> bit & 1 == 0 { -2.0 } else { 2.0 };
        DVec3::new(sign(0), sign(1), sign(2))
    });
    let corners: Vec<DVec3> = corners.collect();
    let mesh = carom_geometry::convex_hull(&corners).unwrap().to_mesh();
    let mesh = carom_geometry::ClosedMesh::new(mesh).unwrap();
    let mut world = still();
    world.add(Body::fixed(Shape::Mesh(std::sync::Arc::new(mesh)))).unwrap();
    let error = world.add(Body::free(ball(0.5)).at(1.2 * DVec3::X)).unwrap_err();
    assert!(matches!(error, WorldError::Overlap { .. }), "{error:?}");
}
