//! Links that strike and are struck.

use carom::{
    Body, Event, Happening, History, Joint, JointKind, Material, Observers, RestitutionLaw,
    Surface, World,
};
use glam::DVec3;

use crate::common::{ball, chain, cuboid};

fn bouncing(world: &mut World, restitution: f64) -> carom::MaterialId {
    let surface = Surface { restitution, friction: 0.0, law: RestitutionLaw::default() };
    world
        .add_material(Material { name: "steel".to_owned(), surface })
        .expect("a material to test with")
}

/// A rod that hangs on a hinge at its end is struck by a ball of the same mass at its tip: with e = 1 and no friction,
/// ω⁺ = 2·m·l·u/(I + m·l²) with I = ⅓M·l² of the rod.
#[test]
fn a_hinged_rod_answers_a_ball_at_its_tip_as_the_closed_form_says() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let steel = bouncing(&mut world, 1.0);
    let half = DVec3::new(0.01, 0.01, 0.5);
    let rod =
        world.add(Body::free(cuboid(half)).mass(1.0).at(-0.5 * DVec3::Z).material(steel)).unwrap();
    let hinge = JointKind::Revolute { axis: DVec3::Y };
    let joint = world.join(Joint::new(hinge, None, rod).at(DVec3::ZERO)).unwrap();
    let at = DVec3::new(-0.5, 0.0, -0.9);
    let shot = Body::free(ball(0.05)).mass(1.0).at(at).velocity(DVec3::X).material(steel);
    let shot = world.add(shot).unwrap();
    world.advance_to(0.5).unwrap();
    let inertia = 1.0 / 12.0 * (4.0 * (0.01 * 0.01 + 0.25)) + 0.25;
    let arm: f64 = 0.9;
    let rate = -2.0 * arm / (inertia + arm * arm);
    let speed = (arm * arm - inertia) / (inertia + arm * arm);
    let (v, u) = (world.joint(joint).unwrap().rates()[0], world.state(shot).unwrap().velocity);
    println!("rod {v} rad/s, {rate} expected; ball {u}, {speed} expected");
    assert!((v - rate).abs() < 1e-9);
    assert!((u.x - speed).abs() < 1e-9);
    let account = world.account();
    assert!(account.residual.abs() < 1e-12, "{account:?}");
}

/// A chain falls upon the floor, link upon link and upon itself: nothing overlaps, and energy does not grow.
#[test]
fn a_chain_that_falls_on_the_floor_overlaps_nothing_and_gains_nothing() {
    let mut world = World::builder().build().unwrap();
    let steel = bouncing(&mut world, 0.3);
    let floor = cuboid(DVec3::new(3.0, 3.0, 0.5));
    world.add(Body::fixed(floor).at(DVec3::new(0.0, 0.0, -1.0)).material(steel)).unwrap();
    let (bodies, _) = chain(&mut world, 4, 0.3);
    let mut history = History::of_all();
    world.advance_watched(1.5, &mut Observers::none().with(&mut history)).unwrap();
    let collisions =
        history.events().iter().filter(|it| matches!(it.what, Happening::Collision(_))).count();
    let account = world.account();
    println!("{collisions} collisions, {account:?}");
    assert!(collisions > 10);
    assert!(account.residual.abs() < 1e-10, "{account:?}");
    assert!(account.total() <= account.initial + account.boost + account.integration + 1e-12);
    let floor = world.bodies().next().unwrap().id();
    for i in 0..=3000 {
        let time = 5e-4 * f64::from(i);
        for body in &bodies {
            let gap = history.nearest_at(floor, *body, time).unwrap().distance;
            assert!(gap > -1e-12, "{body} in the floor by {gap} at {time} s");
        }
    }
    assert!(history.events().iter().all(|it: &Event| it.time <= 1.5));
}

/// The last link of a folded chain meets the first: both are of one linkage, and each feels what the other gets.
#[test]
fn links_of_one_linkage_collide_with_each_other() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let steel = bouncing(&mut world, 1.0);
    let base = world
        .add(Body::free(cuboid(DVec3::new(0.5, 0.05, 0.05))).mass(3.0).material(steel))
        .unwrap();
    let arm = Body::free(cuboid(DVec3::new(0.02, 0.02, 0.2))).mass(0.5).material(steel);
    let left =
        world.add(arm.clone().named("left").at(DVec3::new(-0.4, 0.0, 0.3)).except(base)).unwrap();
    let right = world.add(arm.named("right").at(DVec3::new(0.4, 0.0, 0.3)).except(base)).unwrap();
    let hinge = JointKind::Revolute { axis: DVec3::Y };
    let one = Joint::new(hinge, base, left).at(DVec3::new(-0.4, 0.0, 0.1));
    world.join(one.velocity(&[6.0])).unwrap();
    let other = Joint::new(hinge, base, right).at(DVec3::new(0.4, 0.0, 0.1));
    world.join(other.velocity(&[-6.0])).unwrap();
    let mut history = History::of_all();
    world.advance_watched(3.0, &mut Observers::none().with(&mut history)).unwrap();
    let hits =
        history.events().iter().filter(|it| matches!(it.what, Happening::Collision(_))).count();
    let account = world.account();
    println!("{hits} collisions, {account:?}");
    assert!(hits > 0);
    assert!(account.residual.abs() < 1e-12 && account.restitution_loss.abs() < 1e-9, "{account:?}");
}
