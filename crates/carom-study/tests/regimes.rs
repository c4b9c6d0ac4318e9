//! Where an outcome is determinate, the impulse and the constraint regime agree on it.

use carom::{
    Body, BodyId, ContactSettings, Happening, Instant, Material, Observer, Observers, Regime, Stop,
    Surface, World,
};
use carom_geometry::Shape;
use carom_geometry::shapes::{Ball, Cuboid, HalfSpace};
use glam::DVec3;

const GRAVITY: f64 = 9.81;

/// Times of all collisions.
#[derive(Default)]
struct Times(Vec<f64>);

impl Observer for Times {
    fn between(&mut self, _: &World, _: std::ops::Range<f64>) -> Result<(), Stop> {
        Ok(())
    }

    fn after(&mut self, _: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        let hits = instant.events.iter().filter(|it| matches!(it.what, Happening::Collision(_)));
        self.0.extend(hits.map(|it| it.time));
        Ok(())
    }
}

/// A smooth floor and bodies over it, run under a regime: times of the first collisions, and where all are at the end.
fn run(
    regime: Regime,
    restitution: f64,
    bodies: &[(Shape, f64, f64)],
    until: f64,
) -> (Vec<f64>, Vec<(DVec3, DVec3)>) {
    let contact = ContactSettings { regime, ..ContactSettings::default() };
    let gravity = GRAVITY * DVec3::NEG_Z;
    let mut world = World::builder()
        .gravity(gravity)
        .contact(contact)
        .build()
        .expect("a world that is in order");
    let surface = Surface { friction: 0.0, restitution, ..Surface::default() };
    let material = world
        .add_material(Material { name: "smooth".into(), surface })
        .expect("a world that is in order");
    let floor = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).expect("a world that is in order"));
    world.add(Body::fixed(floor).material(material)).expect("a world that is in order");
    let mut add = |(shape, mass, height): &(Shape, f64, f64)| {
        let body = Body::free(shape.clone()).mass(*mass).material(material);
        world.add(body.at(*height * DVec3::Z)).expect("a world that is in order")
    };
    let ids: Vec<BodyId> = bodies.iter().map(&mut add).collect();
    let mut times = Times::default();
    world
        .advance_watched(until, &mut Observers::none().with(&mut times))
        .expect("a world that is in order");
    let states = ids.iter().map(|id| world.state(*id).expect("a world that is in order"));
    (times.0, states.map(|state| (state.position, state.velocity)).collect())
}

#[track_caller]
fn agree(restitution: f64, bodies: &[(Shape, f64, f64)], until: f64, hits: usize, within: f64) {
    let (times, ends) = run(Regime::Impulse, restitution, bodies, until);
    let (others, other_ends) = run(Regime::Constraint, restitution, bodies, until);
    assert!(times.len() >= hits && others.len() >= hits, "{times:?} and {others:?}");
    for (time, other) in times.iter().zip(&others).take(hits) {
        assert!((time - other).abs() < within, "{time} s and {other} s");
    }
    for ((place, velocity), (other, other_velocity)) in ends.iter().zip(&other_ends) {
        assert!((place - other).length() < within, "{place} and {other}");
        assert!(
            (velocity - other_velocity).length() < 20.0 * within,
            "{velocity}, {other_velocity}"
        );
    }
}

fn ball(radius: f64) -> Shape {
    Shape::Ball(Ball::new(radius).expect("a world that is in order"))
}

#[test]
fn a_ball_bounces_alike_under_both_regimes() {
    // Seven bounces in 3.2 s, all above what either regime calls slow.
    agree(0.8, &[(ball(0.05), 1.0, 1.05)], 3.2, 7, 1e-7);
}

#[test]
fn a_light_ball_on_a_heavy_one_shoots_up_alike() {
    let bodies = [(ball(0.12), 0.6, 1.12), (ball(0.033), 0.06, 1.273 + 1e-6)];
    agree(0.9, &bodies, 0.8, 2, 1e-7);
}

#[test]
fn a_box_dropped_flat_comes_to_rest_at_the_same_place() {
    let shape =
        Shape::Cuboid(Cuboid::new(DVec3::new(0.1, 0.15, 0.1)).expect("a world that is in order"));
    // While it bounces, to what collisions are told; at rest, to the envelope, 1e-4 of its size, by which it hops under impulses.
    agree(0.5, &[(shape.clone(), 2.0, 0.4)], 0.3, 1, 1e-7);
    let ends = [Regime::Impulse, Regime::Constraint]
        .map(|regime| run(regime, 0.5, &[(shape.clone(), 2.0, 0.4)], 2.0).1[0].0);
    assert!((ends[0] - ends[1]).length() < 2e-4 * 0.42, "{ends:?}");
}
