//! Once warm, a world in which bodies bounce takes no memory: queue, boxes, broad phase, searches, touches, partings and
//! strikes all work in what they have.

use std::sync::Arc;

use carom::{Body, BodyId, Contact, EventKind, Fault, Observers, StopAtTouch, World};
use carom_dynamics::BodyState;
use carom_geometry::shapes::{Ball, Compound, Cuboid, HalfSpace, Part};
use carom_geometry::{Pose, Shape};
use glam::{DMat3, DVec3};

/// A small generator of numbers that look random (splitmix64); the same everywhere.
struct Numbers(u64);

impl Numbers {
    /// From −1 to 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}

/// Balls, every fifth replaced by a box and every twentieth by a dumbbell, in a room without gravity.
fn gas(per_side: usize) -> World {
    let mut world = World::builder().passing().gravity(DVec3::ZERO).build().expect("a world");
    let half = 0.5 * per_side as f64;
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        for normal in [axis, -axis] {
            let wall = HalfSpace::new(normal, -half).expect("a wall");
            world.add(Body::fixed(Shape::HalfSpace(wall))).expect("a wall");
        }
    }
    let valid = "the sizes are positive";
    let ball = Shape::Ball(Ball::new(0.3).expect(valid));
    let cuboid = Shape::Cuboid(Cuboid::new(DVec3::new(0.2, 0.15, 0.25)).expect(valid));
    let end = Shape::Ball(Ball::new(0.15).expect(valid));
    let part =
        |x: f64| Part { body_from_shape: Pose::from_translation(DVec3::X * x), shape: end.clone() };
    let ends = Compound::new(vec![part(-0.2), part(0.2)]).expect("parts");
    let dumbbell = Shape::Compound(Arc::new(ends));
    let mut numbers = Numbers(3);
    for i in 0..per_side * per_side * per_side {
        let cell = [i % per_side, i / per_side % per_side, i / per_side / per_side];
        let place = DVec3::from_array(cell.map(|k| k as f64 + 0.5)) - half;
        let shape = match i % 20 {
            0 => &dumbbell,
            5 | 10 | 15 => &cuboid,
            _ => &ball,
        };
        let body = Body::free(shape.clone()).at(place + 0.05 * numbers.vector());
        world.add(body.density(1000.0).velocity(numbers.vector())).expect("a body");
    }
    world
}

/// How much the normal speed at a point changes by a unit impulse along the normal there `[1/kg]`.
fn yielding(world: &World, id: BodyId, state: &BodyState, contact: &Contact) -> f64 {
    let body = world.body(id).expect("a body");
    let Some(mass) = body.mass().filter(|_| body.is_free()) else { return 0.0 };
    let axes = DMat3::from_quat(state.orientation * mass.body_from_principal);
    let arm = contact.point - state.position;
    let turn = axes.transpose() * arm.cross(contact.normal);
    1.0 / mass.mass + (turn * turn / mass.moments).element_sum()
}

/// Goes on to the next touch and answers it elastically.
fn bounce(world: &mut World) {
    let mut stop = StopAtTouch::default();
    let end = world.advance_watched(1e6, &mut Observers::none().with(&mut stop));
    assert!(matches!(end, Err(Fault::Stopped { .. })), "{end:?}");
    let (_, contact) = stop.touch.expect("a touch");
    let states = contact.bodies.map(|id| world.state(id).expect("a state"));
    let yields = [0, 1].map(|i| yielding(world, contact.bodies[i], &states[i], &contact));
    let [a, b] = states.map(|state| state.velocity_at(contact.point).dot(contact.normal));
    let impulse = -2.0 * (a - b) / (yields[0] + yields[1]) * contact.normal;
    for (i, sign) in [1.0, -1.0].into_iter().enumerate() {
        if yields[i] > 0.0 {
            let struck = world.apply_impulse(contact.bodies[i], sign * impulse, contact.point);
            struck.expect("a strike");
        }
    }
}

#[test]
fn a_gas_of_balls_boxes_and_dumbbells_takes_no_memory_once_warm() {
    let mut world = gas(7);
    let energy = world.account().kinetic;
    for _ in 0..12_000 {
        bounce(&mut world);
    }
    let boxes = world.event_counts().of(EventKind::Box);
    let memory = allocation_counter::measure(|| {
        for _ in 0..1000 {
            bounce(&mut world);
        }
    });
    assert!(world.event_counts().of(EventKind::Box) > boxes + 50);
    let change = (world.account().kinetic - energy).abs() / energy;
    assert!(change < 1e-9, "energy changed by {change:e}");
    assert_eq!(memory.count_total, 0, "{memory:?}");
}
