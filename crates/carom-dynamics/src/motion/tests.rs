//! Boxes and bounds of motions as the engine asks for them, against sampled points of bodies.

use std::cell::Cell;
use std::sync::Arc;

use carom_geometry::shapes::{
    Ball, Capsule, Compound, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Part, Superquadric,
};
use carom_geometry::{ClosedMesh, convex_hull};
use proptest::prelude::*;

use super::*;
use crate::Mass;
use crate::law::testing::{Tightness, for_all, law, pose, samples};
use crate::testing::{any_moments, direction, log_uniform, rotation, turned_body, vector};

fn ballistic(spin: f64) -> impl Strategy<Value = Ballistic> {
    let state = (vector(50.0), rotation(), vector(20.0), vector(1.0));
    let gravity = prop_oneof![Just(DVec3::new(0.0, 0.0, -9.81)), vector(10.0), Just(DVec3::ZERO)];
    (state, gravity, turned_body(any_moments()), -10.0..10.0_f64).prop_map(
        move |((position, orientation, velocity, turn), gravity, mass, start)| {
            let angular_velocity = spin * turn;
            let state = BodyState { position, orientation, velocity, angular_velocity };
            Ballistic::new(start, state, gravity, &mass)
        },
    )
}

/// Still, scripted, falling and tumbling.
fn motion() -> impl Strategy<Value = Motion> {
    prop_oneof![
        1 => pose().prop_map(Motion::Fixed),
        2 => law().prop_map(Motion::Scripted),
        1 => ballistic(0.0).prop_map(Motion::Ballistic),
        2 => ballistic(30.0).prop_map(Motion::Ballistic),
    ]
}

/// A window of at least 10⁻¹³ s, within a span of the motion.
fn window_of(motion: &Motion, delay: f64, length: f64) -> Span {
    let start = match motion {
        Motion::Ballistic(arc) => arc.span().start + delay,
        _ => delay,
    };
    Span::new(start, (start + length).min(motion.span(start).end))
}

/// Windows that start soon or after a quarter of an hour, and last from 10⁻¹³ s to 30 s.
fn times() -> impl Strategy<Value = (f64, f64)> {
    let delay = prop_oneof![4 => 0.0..5.0_f64, 1 => Just(0.0), 1 => 0.0..1000.0_f64];
    let length = prop_oneof![6 => log_uniform(-13.0..1.5), 1 => Just(0.0)];
    (delay, length)
}

/// One of every kind with an end.
fn shapes() -> Vec<Shape> {
    let corner = |i: u32| {
        let bit = |shift: u32| f64::from((i >> shift) & 1);
        DVec3::new(bit(0) - 0.2, 0.5 * bit(1) + 0.1 * bit(0), 0.7 * bit(2) - 0.3)
    };
    let hull = convex_hull(&(0..8).map(corner).collect::<Vec<DVec3>>()).unwrap();
    let mesh = ClosedMesh::new(hull.to_mesh()).unwrap();
    let sizes = DVec3::new(0.1, 0.5, 0.3);
    let part = |x: f64| Part {
        body_from_shape: Pose::from_translation(x * DVec3::X),
        shape: Shape::Ball(Ball::new(0.2).unwrap()),
    };
    vec![
        Shape::Ball(Ball::new(0.4).unwrap()),
        Shape::Cuboid(Cuboid::new(sizes).unwrap()),
        Shape::Capsule(Capsule::new(0.3, 0.1).unwrap()),
        Shape::Cylinder(Cylinder::new(0.3, 0.1).unwrap()),
        Shape::Cone(Cone::new(0.3, 0.2).unwrap()),
        Shape::Ellipsoid(Ellipsoid::new(sizes).unwrap()),
        Shape::Superquadric(Superquadric::new(sizes, 3.0, 4.0).unwrap()),
        Shape::Polyhedron(Arc::new(hull)),
        Shape::Mesh(Arc::new(mesh)),
        Shape::Compound(Arc::new(Compound::new(vec![part(-0.5), part(0.7)]).unwrap())),
    ]
}

/// A shape, its place in the moving frame, and the largest distance of its points from the frame's origin.
fn placed() -> impl Strategy<Value = (Shape, Pose, f64)> {
    let place =
        (prop_oneof![3 => vector(0.3), 1 => vector(50.0), 1 => Just(DVec3::ZERO)], rotation());
    (proptest::sample::select(shapes()), place).prop_map(|(shape, (offset, turn))| {
        let frame_from_shape = Pose::new(offset, turn);
        let origin_shape = frame_from_shape.inverse().point(DVec3::ZERO);
        let radius = shape.as_solid().radius_about(origin_shape);
        (shape, frame_from_shape, radius)
    })
}

/// Points of the surface, farthest along world axes at the time, and along a direction of the shape.
fn surface_points(shape: &Shape, world_from_shape: &Pose, along: DVec3) -> Vec<DVec3> {
    let axes = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    let directions = axes.map(|axis| world_from_shape.vector_inverse(axis)).chain([along, -along]);
    directions.filter_map(|direction| shape.as_solid().support(direction)).collect()
}

/// proves: m1/BP-R1
#[test]
fn no_point_of_a_body_leaves_its_swept_box() {
    let tightness: [Tightness; 2] = Default::default();
    let inputs = (motion(), times(), placed(), direction());
    for_all(
        6000,
        &inputs,
        |(motion, (delay, length), (shape, frame_from_shape, radius), along)| {
            let window = window_of(&motion, delay, length);
            let swept = motion.swept_box(window, &shape, &frame_from_shape, radius);
            let mut actual = Aabb::EMPTY;
            for time in samples(window, 24) {
                let world_from_frame = motion.state_at(time).pose();
                let world_from_shape = world_from_frame.then_from(&frame_from_shape);
                for point_shape in surface_points(&shape, &world_from_shape, along) {
                    let by_frame = world_from_frame.point(frame_from_shape.point(point_shape));
                    for point in [by_frame, world_from_shape.point(point_shape)] {
                        assert!(
                            swept.contains(point),
                            "{point} at {time} is outside {swept:?} by {:e} m: {motion:?}, {window:?}, {shape:?} at \
                         {frame_from_shape:?}",
                            swept.distance_squared(point).sqrt()
                        );
                        actual = actual.with_point(point);
                    }
                }
            }
            if actual.diagonal() > 1e-6 {
                tightness[usize::from(motion.rotates())]
                    .record(swept.diagonal() / actual.diagonal());
            }
        },
    );
    tightness[0].print("diagonal of swept boxes of bodies that only shift");
    tightness[1].print("diagonal of swept boxes of bodies that turn");
}

/// Thrown up at 10 m/s under 10 m/s², so that the top of its path, 5 m up, is reached after 1 s.
///
/// proves: m1/BP-R1
#[test]
fn the_box_of_a_body_thrown_up_reaches_as_high_as_its_path() {
    let shape = Shape::Cuboid(Cuboid::new(DVec3::new(0.1, 0.2, 0.3)).unwrap());
    let radius = DVec3::new(0.1, 0.2, 0.3).length();
    let mass = Mass::new(&shape.as_solid().mass_properties(1000.0).unwrap()).unwrap();
    let state = BodyState {
        position: DVec3::ZERO,
        orientation: glam::DQuat::IDENTITY,
        velocity: DVec3::new(3.0, 0.0, 10.0),
        angular_velocity: DVec3::new(5.0, 7.0, -2.0),
    };
    let motion = Motion::Ballistic(Ballistic::new(0.0, state, DVec3::Z * -10.0, &mass));
    // Around the top, up to it, from it on, before it.
    let windows = [(0.3, 1.7, 5.0), (0.0, 1.0, 5.0), (1.0, 4.0, 5.0), (0.0, 0.5, 3.75)];
    for (start, end, highest) in windows {
        let window = Span::new(start, end);
        let swept = motion.swept_box(window, &shape, &Pose::IDENTITY, radius);
        let top = highest + radius;
        assert!((swept.max.z - top).abs() < 1e-12, "{swept:?}, not up to {top}");
        for time in samples(window, 1000).chain([1.0_f64.clamp(start, end)]) {
            let world_from_body = motion.state_at(time).pose();
            for i in 0..8 {
                let sign = |bit: u32| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
                let corner = DVec3::new(0.1 * sign(0), 0.2 * sign(1), 0.3 * sign(2));
                let corner = world_from_body.point(corner);
                assert!(swept.contains(corner), "{corner} at {time} is outside {swept:?}");
            }
        }
    }
}

#[test]
fn the_box_of_a_body_that_only_shifts_is_no_wider_than_its_way_and_itself() {
    let cube = Shape::Cuboid(Cuboid::new(DVec3::splat(0.5)).unwrap());
    let off_centre = Pose::from_translation(DVec3::X);
    let law = crate::law::Constant::new(0.0, Pose::IDENTITY, 2.0 * DVec3::Y, DVec3::ZERO).unwrap();
    let motion = Motion::Scripted(law.into());
    let swept = motion.swept_box(Span::new(0.0, 3.0), &cube, &off_centre, 9.0);
    let expected = Aabb { min: DVec3::new(0.5, -0.5, -0.5), max: DVec3::new(1.5, 6.5, 0.5) };
    let off = (swept.min - expected.min).abs().max((swept.max - expected.max).abs()).max_element();
    assert!(off < 1e-13, "{swept:?} instead of {expected:?}: off by {off:e} m, allowed 1e-13 m");
}

#[test]
fn a_half_space_that_shifts_keeps_its_one_side() {
    let floor = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).unwrap());
    let law = crate::law::Constant::new(0.0, Pose::IDENTITY, DVec3::Z, DVec3::ZERO).unwrap();
    for (motion, top) in [(Motion::Fixed(Pose::IDENTITY), 0.0), (Motion::Scripted(law.into()), 2.0)]
    {
        let swept = motion.swept_box(Span::new(1.0, 2.0), &floor, &Pose::IDENTITY, f64::INFINITY);
        assert_eq!(swept.min, DVec3::NEG_INFINITY, "{swept:?}");
        assert_eq!((swept.max.x, swept.max.y), (f64::INFINITY, f64::INFINITY), "{swept:?}");
        assert!((swept.max.z - top).abs() < 1e-13, "{swept:?}");
    }
}

/// Points of a body within a radius of its centre, those that travel farthest along a direction among them.
fn points_within(radius: f64, state: &BodyState, along: DVec3, some: DVec3) -> [DVec3; 4] {
    let fastest = along.cross(state.angular_velocity).normalize_or_zero();
    let body = state.orientation.conjugate();
    [radius * (body * fastest), radius * (body * along), -radius * (body * along), radius * some]
}

#[test]
fn travel_of_a_body_in_flight_never_lies_and_is_never_worse_than_the_thesis_s() {
    let (whole, single): (Tightness, Tightness) = Default::default();
    let better = Cell::new([0_u32; 2]);
    let arcs = prop_oneof![1 => ballistic(0.0), 3 => ballistic(30.0)];
    let inputs = (arcs, times(), direction(), direction(), log_uniform(-3.0..0.5));
    for_all(6000, &inputs, |(arc, (delay, length), along, some, radius)| {
        let motion = Motion::Ballistic(arc);
        let window = window_of(&motion, delay, length);
        let of_body = motion.travel(window, along, Reach::Body(radius));
        let h = window.length();
        let thesis = arc.travel(window, along, Reach::Body(radius));
        assert!(of_body.after(h) <= thesis.after(h), "{of_body:?} is worse than {thesis:?}");
        let [taylor_wins, all] = better.get();
        better.set([taylor_wins + u32::from(of_body.after(h) < thesis.after(h)), all + 1]);
        let mut longest = 0.0_f64;
        for point_body in points_within(radius, &motion.state_at(window.start), along, some) {
            let of_point = motion.travel(window, along, Reach::Point(point_body));
            let thesis = arc.travel(window, along, Reach::Point(point_body));
            assert!(of_point.after(h) <= thesis.after(h), "{of_point:?} is worse than {thesis:?}");
            let place = |time: f64| motion.state_at(time).pose().point(point_body).dot(along);
            let from = place(window.start);
            for time in samples(window, 24) {
                let way = place(time) - from;
                let tau = time - window.start;
                for (bound, what) in [(of_body, "the body"), (of_point, "the point")] {
                    assert!(
                        way <= bound.after(tau),
                        "{way:e} m after {tau:e} s, and {what} has {bound:?}: {motion:?}, {window:?}"
                    );
                }
            }
            let way = place(window.end) - from;
            longest = longest.max(way);
            if way > 1e-3 {
                single.record(of_point.after(h) / way);
            }
        }
        if longest > 1e-3 {
            whole.record(of_body.after(h) / longest);
        }
    });
    whole.print("travel of whole bodies in flight");
    single.print("travel of single points of bodies in flight");
    println!("Taylor's bound is the better one in {:?} windows", better.get());
}

#[test]
fn over_no_time_nothing_travels_but_rounding() {
    let inputs = (ballistic(30.0), 0.0..100.0_f64, direction());
    for_all(500, &inputs, |(arc, delay, along)| {
        let motion = Motion::Ballistic(arc);
        let window = window_of(&motion, delay, 0.0);
        let rates = motion.rate_bounds(window);
        // Rounding of both ends and of the coefficients.
        let allowed = 8.0 * (rates.rounding + rates.angular_rounding) + 64.0 * f64::EPSILON;
        for reach in [Reach::Body(1.0), Reach::Point(along)] {
            let travel = motion.travel(window, along, reach);
            let least = travel.after(0.0);
            assert!((0.0..=allowed).contains(&least), "{travel:?}, allowed {allowed:e}");
        }
        let path = motion.path_box(window);
        assert!(path.contains(motion.state_at(window.start).position), "{path:?}");
    });
}
