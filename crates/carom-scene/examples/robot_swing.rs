//! A quadruped from URDF is dropped on the floor; PD controllers hold its legs and swing its hips.

use carom::Rate;
use carom::control::{Axis, Motor, Pd, PdGains, Target};
use carom_geometry::Pose;
use carom_scene::robot::{Base, ReadOptions, SceneOptions, read_urdf};
use carom_scene::{DiskFiles, Options, Source, load};

const FLOOR: &str = "\n[[body]]\nname = \"floor\"\nshape = { kind = \"half_space\" }\nmotion = { kind = \"fixed\" }\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = Source::Path("parts/quadruped.urdf".into());
    let imported = read_urdf(&file, &ReadOptions::default(), &DiskFiles);
    let robot = imported.robot.ok_or_else(|| imported.problems.render(false))?;
    let mut options = SceneOptions { base: Base::Free, ..SceneOptions::default() };
    options.world_from_base = Pose::from_translation([0.0, 0.0, 0.45].into());
    for leg in ["front_left", "front_right", "rear_left", "rear_right"] {
        options.start.insert(format!("{leg}_thigh"), vec![0.8]);
        options.start.insert(format!("{leg}_calf"), vec![-1.6]);
    }
    let text = robot.to_scene(&options)? + FLOOR;
    let loaded = load(&Source::text("robot.toml", text), &Options::default(), &DiskFiles);
    let scene = loaded.scene.ok_or_else(|| loaded.problems.render(false))?;
    let mut world = scene.build(1).map_err(|problems| problems.render(false))?;
    let gains = PdGains { position: 60.0, velocity: 2.0 };
    let pd = world.joints().fold(Pd::new(), |pd, joint| {
        let amplitude = if joint.name().ends_with("_hip") { 0.2 } else { 0.0 };
        let middle = joint.coordinates()[0];
        let target = Target::Sine { middle, amplitude, frequency: 1.0, phase: 0.0 };
        pd.control(Axis::new(joint.id()).target(target).motor(Motor::limited(24.0)), gains)
    });
    world.add_controller(Rate::Hertz(500.0), Box::new(pd))?;
    world.advance_to(1.0)?;
    let trunk = world.find("trunk").and_then(|trunk| world.state(trunk)).ok_or("no trunk")?;
    assert!((0.2..0.4).contains(&trunk.position.z), "it stands, and did not fall: {trunk:?}");
    Ok(())
}
