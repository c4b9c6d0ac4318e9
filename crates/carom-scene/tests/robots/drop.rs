//! The quadruped dropped onto a floor, with nobody at its motors.

use carom_geometry::Pose;
use carom_scene::robot::{Base, SceneOptions};
use glam::DVec3;

use crate::round_trip::{smooth, urdf};

const QUADRUPED: &str = include_str!("../../../../parts/quadruped.urdf");

const FLOOR: &str = "
[[body]]
name = \"floor\"
shape = { kind = \"half_space\" }
motion = { kind = \"fixed\" }
";

#[test]
fn a_limp_quadruped_falls_onto_the_floor_and_gains_no_energy() {
    let mut options = SceneOptions { base: Base::Free, ..SceneOptions::default() };
    options.world_from_base = Pose::from_translation(DVec3::new(0.0, 0.0, 0.45));
    for leg in ["front_left", "front_right", "rear_left", "rear_right"] {
        options.start.insert(format!("{leg}_thigh"), vec![0.8]);
        options.start.insert(format!("{leg}_calf"), vec![-1.6]);
    }
    let text = urdf(QUADRUPED).to_scene(&options).unwrap() + FLOOR;
    let scene = smooth(&text);
    let mut world = scene.build(1).unwrap_or_else(|problems| panic!("{problems}"));
    let before = world.account();
    let feet = |world: &carom::World| {
        let calf = world.state(world.find("front_left_calf").unwrap()).unwrap();
        calf.position.z
    };
    println!("calf at {} m", feet(&world));
    for i in 1..=10 {
        world.advance_to(0.05 * f64::from(i)).unwrap();
        let account = world.account();
        let gained = account.kinetic + account.potential - before.kinetic - before.potential;
        println!(
            "{} s: gained {gained} J, boost {} J, residual {:e} J",
            world.now(),
            account.boost,
            account.residual
        );
        assert!(gained < account.boost + 1e-6, "energy from nowhere: {account:?}");
        assert!(account.residual.abs() < 1e-9);
    }
    let trunk = world.state(world.find("trunk").unwrap()).unwrap().position;
    println!("trunk at {trunk}");
    // It cannot fall through: half its height is 0.05 m.
    assert!(trunk.z > 0.03 && trunk.z < 0.45);
}
