//! Links that give way in a plane or along a line only, alone and against what nothing stops.

use carom::{
    Body, BodyId, Event, Fault, Happening, History, Joint, JointKind, Law, Material, Observers,
    RestitutionLaw, Surface, World,
};
use carom_geometry::Pose;
use glam::{DQuat, DVec3};

use crate::common::{ball, chain, cuboid};

fn material(world: &mut World, friction: f64, restitution: f64) -> carom::MaterialId {
    let surface = Surface { friction, restitution, law: RestitutionLaw::default() };
    world.add_material(Material { name: "stuff".to_owned(), surface }).expect("a material")
}

/// A rod on a hinge half a metre above the floor, long enough to strike it; more than a friction of 1 wedges it there.
fn striking(friction: f64, restitution: f64) -> (World, BodyId, BodyId) {
    let mut world = World::builder().build().expect("a world");
    let stuff = material(&mut world, friction, restitution);
    let floor = Body::fixed(cuboid(DVec3::new(3.0, 3.0, 0.5))).at(-0.5 * DVec3::Z).material(stuff);
    let floor = world.add(floor.named("floor")).expect("a floor");
    let half = DVec3::new(0.35, 0.01, 0.01);
    let at = DVec3::new(0.35, 0.0, 0.5);
    let rod = Body::free(cuboid(half)).mass(1.0).at(at).material(stuff).named("rod");
    let rod = world.add(rod).expect("a rod");
    let hinge = JointKind::Revolute { axis: DVec3::Y };
    world.join(Joint::new(hinge, None, rod).at(0.5 * DVec3::Z)).expect("a hinge");
    (world, floor, rod)
}

/// K of the tip of a hinged rod has rank 1. It strikes the floor, bounces or is wedged by friction, and comes to rest on it.
///
/// proves: m2/R-20
#[test]
fn a_hinged_rod_comes_to_rest_on_the_floor_with_any_friction() {
    for friction in [0.0, 0.3, 0.9, 1.2, 3.0] {
        for restitution in [0.0, 0.5] {
            let (mut world, floor, rod) = striking(friction, restitution);
            let mut history = History::of_all();
            world
                .advance_watched(2.0, &mut Observers::none().with(&mut history))
                .unwrap_or_else(|fault| panic!("{friction} {restitution}: {fault}"));
            let (account, state) = (world.account(), world.state(rod).unwrap());
            println!(
                "friction {friction}, restitution {restitution}: {} events, {} rad/s left, {:e} J",
                history.events().len(),
                state.angular_velocity.length(),
                account.residual
            );
            assert!(state.position.is_finite());
            // Trains of microcollisions hold it within the envelope.
            let envelope = world.envelope_of([floor, rod]);
            for i in 0..=100 {
                let time = 1.5 + 0.005 * f64::from(i);
                let gap = history.nearest_at(floor, rod, time).unwrap().distance;
                assert!(gap < 3.0 * envelope, "{gap} m above the floor, {envelope} m are allowed");
            }
            assert!(account.residual.abs() < 1e-10, "{account:?}");
            let most = account.initial + account.boost + account.integration + 1e-12;
            assert!(account.total() <= most, "{account:?}");
            for i in 0..=400 {
                let gap = history.nearest_at(floor, rod, 0.005 * f64::from(i)).unwrap().distance;
                assert!(gap > -1e-9, "overlap of {gap}");
            }
        }
    }
}

/// A see-saw: a plank on a hinge, with blocks that are dropped on it on either side.
///
/// proves: m2/R-20
#[test]
fn a_see_saw_rocks_under_blocks_and_its_books_close() {
    let mut world = World::builder().build().unwrap();
    let wood = material(&mut world, 0.5, 0.2);
    let floor = Body::fixed(cuboid(DVec3::new(4.0, 4.0, 0.5))).at(-0.5 * DVec3::Z).material(wood);
    world.add(floor).unwrap();
    let half = DVec3::new(1.0, 0.15, 0.02);
    let plank = Body::free(cuboid(half)).mass(4.0).at(0.3 * DVec3::Z).material(wood);
    let plank = world.add(plank.named("plank")).unwrap();
    let hinge = JointKind::Revolute { axis: DVec3::Y };
    let pivot = world.join(Joint::new(hinge, None, plank).at(0.3 * DVec3::Z)).unwrap();
    for (x, z, mass) in [(-0.8, 0.6, 1.0), (0.8, 1.4, 1.5)] {
        let at = DVec3::new(x, 0.0, z);
        let block = Body::free(cuboid(DVec3::splat(0.08))).mass(mass).at(at).material(wood);
        world.add(block).unwrap();
    }
    let (mut least, mut most) = (0.0_f64, 0.0_f64);
    for i in 1..=60 {
        world.advance_to(0.05 * f64::from(i)).unwrap();
        let angle = world.joint(pivot).unwrap().coordinates()[0];
        (least, most) = (least.min(angle), most.max(angle));
        let account = world.account();
        assert!(account.residual.abs() < 1e-9, "{account:?}");
    }
    println!("rocked between {least} and {most} rad");
    assert!(least < -0.1 && most > 0.1);
}

/// A plate that is driven along the axis of a hinge against the link that hangs on it: no finite impulse stops either.
///
/// proves: m2/R-21
#[test]
fn what_nothing_can_stop_is_a_fault_that_names_bodies_and_time() {
    for turn in [DQuat::IDENTITY, DQuat::from_rotation_z(0.37), DQuat::from_rotation_x(0.6)] {
        let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
        let rod = Body::free(ball(0.1)).at(turn * DVec3::X).named("bob");
        let rod = world.add(rod).unwrap();
        let hinge = JointKind::Revolute { axis: turn * DVec3::Y };
        world.join(Joint::new(hinge, None, rod).at(DVec3::ZERO)).unwrap();
        let spec = carom_dynamics::law::LawSpec::Constant {
            start: 0.0,
            world_from_body: Pose::new(turn * DVec3::new(1.0, -0.6, 0.0), turn),
            velocity: turn * DVec3::Y,
            angular_velocity: DVec3::ZERO,
        };
        let plate = cuboid(DVec3::new(0.5, 0.1, 0.5));
        let plate = Body::scripted(plate, Law::new(spec).unwrap()).named("plate");
        let plate = world.add(plate).unwrap();
        let fault = world.advance_to(1.0).unwrap_err();
        println!("{fault}");
        let Fault::Jammed { time, bodies } = &fault else { panic!("{fault}") };
        assert!((time - 0.4).abs() < 1e-6, "{time}");
        assert!(bodies.contains("bob") && bodies.contains("plate"), "{bodies}");
        let gap = world.nearest(rod, plate, world.now()).unwrap().distance;
        assert!(gap > -1e-9, "{gap}");
    }
}

/// The base of a chain is struck, and its far end, which was going to miss a plate, now hits it: found as a world finds it that
/// predicts everything anew.
///
/// proves: m2/R-16
#[test]
fn an_impulse_on_one_link_renews_what_was_predicted_of_all() {
    let build = || {
        let mut world = World::builder().gravity(DVec3::ZERO).build().expect("a world");
        let (bodies, _) = chain(&mut world, 4, 0.25);
        let plate = cuboid(DVec3::new(3.0, 3.0, 0.1));
        let plate = Body::fixed(plate).at(DVec3::new(0.0, 0.0, -0.5)).named("plate");
        (bodies, world.add(plate).expect("a plate"), world)
    };
    let (bodies, plate, mut world) = build();
    world.advance_to(0.5).unwrap();
    let mut seen = Changed::default();
    world.apply_impulse(bodies[0], -9.0 * DVec3::Z, 0.2 * DVec3::X).unwrap();
    let mut again = World::restore(&world.snapshot().unwrap(), Vec::new(), 1).unwrap();
    let mut history = History::of_all();
    world.advance_watched(2.0, &mut Observers::none().with(&mut history).with(&mut seen)).unwrap();
    assert_eq!(seen.first, bodies, "all links are made anew");
    again.advance_to(2.0).unwrap();
    let strikes = |it: &&Event| matches!(&it.what, Happening::Collision(it) if it.contact.bodies.contains(&plate));
    let strikes = history.events().iter().filter(strikes).count();
    println!("{strikes} collisions with the plate");
    assert!(strikes > 0 && again.hash() == world.hash());
    // Undisturbed it hangs where it is.
    let (_, _, mut still) = build();
    still.advance_to(2.0).unwrap();
    assert!(still.event_counts().of(carom::EventKind::Check) == 0);
}

/// The first bodies that an observer is told have changed.
#[derive(Default)]
struct Changed {
    first: Vec<BodyId>,
}

impl carom::Observer for Changed {
    fn between(&mut self, _: &World, _: std::ops::Range<f64>) -> Result<(), carom::Stop> {
        Ok(())
    }

    fn after(&mut self, world: &World, instant: &carom::Instant<'_>) -> Result<(), carom::Stop> {
        if self.first.is_empty() {
            self.first = instant.changed.to_vec();
            for body in &self.first {
                let motion =
                    world.body(*body).map(|it| it.motion().map(|it| it.0.span(instant.time).start));
                assert_eq!(motion, Some(Some(instant.time)));
            }
        }
        Ok(())
    }
}

/// Parent and child do not touch unless it is asked for, other links do unless it is forbidden.
///
/// proves: m2/R-19
#[test]
fn parents_and_children_are_exempt_and_others_are_not() {
    let collide = |colliding: bool, excluded: bool| {
        let mut world = World::builder().gravity(DVec3::ZERO).build().expect("a world");
        let steel = material(&mut world, 0.0, 1.0);
        let half = DVec3::new(0.1, 0.02, 0.02);
        let (mut bodies, mut joints) = (Vec::<BodyId>::new(), Vec::new());
        // A chain of three that is bent into a triangle: the last comes to the first, and the second folds on it.
        for i in 0..3 {
            let at = DVec3::X * (0.13 + 0.26 * f64::from(i));
            let rod = Body::free(cuboid(half)).mass(1.0).at(at).material(steel);
            bodies.push(world.add(rod).expect("a rod"));
        }
        for i in 0..3_usize {
            let parent = i.checked_sub(1).map(|it| bodies[it]);
            let hinge = JointKind::Revolute { axis: DVec3::Y };
            let place = 0.26 * i as f64 * DVec3::X;
            let joint = Joint::new(hinge, parent, bodies[i]).at(place);
            let joint = if colliding { joint.colliding() } else { joint };
            joints.push(world.join(joint).expect("a joint"));
        }
        for joint in &joints[1..] {
            world.drive(*joint, &[0.1]).expect("a motor");
        }
        if excluded {
            world.exclude(bodies[0], bodies[2]).expect("two bodies");
        }
        let mut history = History::of_all();
        world.advance_watched(3.0, &mut Observers::none().with(&mut history)).expect("a run");
        let mut pairs = Vec::new();
        for event in history.events() {
            if let Happening::Collision(it) = &event.what {
                let place = |body| bodies.iter().position(|it| *it == body).expect("a rod");
                pairs.push(it.contact.bodies.map(place));
                // K with its cross terms: what is propagated is what the collision found.
                let (before, after) =
                    (it.before.dot(it.contact.normal), it.after.dot(it.contact.normal));
                assert!((before + after).abs() < 1e-9, "{before} {after}");
            }
        }
        let account = world.account();
        assert!(account.residual.abs() < 1e-10 && account.restitution_loss.abs() < 1e-9);
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    };
    assert_eq!(collide(false, false), [[0, 2]]);
    assert_eq!(collide(false, true), [[0_usize; 2]; 0]);
    let all = collide(true, false);
    println!("{all:?}");
    assert!(all.contains(&[0, 1]) || all.contains(&[1, 2]), "{all:?}");
}
