//! Once warm, a world takes no memory: queue, boxes, broad phase, searches, touches, partings and strikes all work in what
//! they have, and so do rounds of collisions, microcollisions and the records of contacts. A pair that collides for the first
//! time gets a record, which may take memory.

use std::sync::Arc;

use carom::{
    Body, BodyId, Contact, EventKind, Fault, Material, MaterialId, Observers, RestitutionLaw,
    StopAtTouch, Surface, World, WorldBuilder,
};
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

fn dumbbell() -> Shape {
    let end = Shape::Ball(Ball::new(0.15).expect("a radius"));
    let part =
        |x: f64| Part { body_from_shape: Pose::from_translation(DVec3::X * x), shape: end.clone() };
    let ends = Compound::new(vec![part(-0.2), part(0.2)]).expect("parts");
    Shape::Compound(Arc::new(ends))
}

/// Balls, every fifth replaced by a box and every twentieth by a dumbbell, in a room without gravity.
fn gas(builder: WorldBuilder, per_side: usize) -> World {
    let mut world = builder.gravity(DVec3::ZERO).build().expect("a world");
    let steel = made_of(&mut world, 0.0, 1.0);
    let half = 0.5 * per_side as f64;
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        for normal in [axis, -axis] {
            let wall = HalfSpace::new(normal, -half).expect("a wall");
            world.add(Body::fixed(Shape::HalfSpace(wall)).material(steel)).expect("a wall");
        }
    }
    let valid = "the sizes are positive";
    let ball = Shape::Ball(Ball::new(0.3).expect(valid));
    let cuboid = Shape::Cuboid(Cuboid::new(DVec3::new(0.2, 0.15, 0.25)).expect(valid));
    let dumbbell = dumbbell();
    let mut numbers = Numbers(3);
    for i in 0..per_side * per_side * per_side {
        let cell = [i % per_side, i / per_side % per_side, i / per_side / per_side];
        let place = DVec3::from_array(cell.map(|k| k as f64 + 0.5)) - half;
        let shape = match i % 20 {
            0 => &dumbbell,
            5 | 10 | 15 => &cuboid,
            _ => &ball,
        };
        let body = Body::free(shape.clone()).material(steel).at(place + 0.05 * numbers.vector());
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
    let mut world = gas(World::builder().passing(), 7);
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

/// Adds a material of these coefficients.
fn made_of(world: &mut World, friction: f64, restitution: f64) -> MaterialId {
    let surface = Surface { friction, restitution, law: RestitutionLaw::Stronge };
    let name = format!("{friction} {restitution}");
    world.add_material(Material { name, surface }).expect("a material")
}

/// Cubes beside and on each other, dumbbells and balls, just above a floor.
fn heap() -> World {
    let gravity = 9.81 * DVec3::NEG_Z;
    let mut world = World::builder().gravity(gravity).build().expect("a world");
    let rubber = made_of(&mut world, 0.4, 0.3);
    let floor = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).expect("a floor"));
    world.add(Body::fixed(floor).material(rubber)).expect("a floor");
    let ball = Shape::Ball(Ball::new(0.1).expect("a radius"));
    let cube = Shape::Cuboid(Cuboid::new(DVec3::splat(0.1)).expect("sizes"));
    for column in 0..3_u32 {
        let place = |y: f64, z: f64| DVec3::new(f64::from(column), y, z);
        for (shape, place) in [
            (&cube, place(0.0, 0.12)),
            (&cube, place(0.0, 0.34)),
            (&dumbbell(), place(1.0, 0.2)),
            (&ball, place(2.0, 0.2)),
        ] {
            world.add(Body::free(shape.clone()).material(rubber).at(place)).expect("a body");
        }
    }
    world
}

/// Collisions of all pairs, and how many of them were microcollisions.
fn collisions(world: &World) -> [u64; 2] {
    let add =
        |[all, micro]: [u64; 2], [more, more_micro]: [u64; 2]| [all + more, micro + more_micro];
    let sums = world.contacts().map(|it| [it.sums().collisions, it.sums().micro]);
    sums.fold([0, 0], add)
}

#[test]
fn bodies_that_collide_and_come_to_rest_take_no_memory_once_warm() {
    let mut world = heap();
    world.advance_to(1.0).unwrap();
    let before = collisions(&world);
    let memory = allocation_counter::measure(|| world.advance_to(4.0).unwrap());
    let after = collisions(&world);
    println!("{before:?}, {after:?}: {memory:?}");
    assert!(after[1] > before[1] + 1000);
    assert_eq!(memory.count_total, 0, "{memory:?}");
}

#[test]
fn bodies_that_have_all_met_collide_on_without_memory() {
    let mut world = gas(World::builder(), 2);
    world.advance_to(300.0).unwrap();
    let before = collisions(&world);
    // All pairs of eight bodies, and each with the six walls.
    assert_eq!(world.contacts().count(), 28 + 48);
    let memory = allocation_counter::measure(|| world.advance_to(400.0).unwrap());
    let after = collisions(&world);
    println!("{before:?}, {after:?}: {memory:?}");
    assert!(after[0] > before[0] + 1000);
    assert_eq!(memory.count_total, 0, "{memory:?}");
}
