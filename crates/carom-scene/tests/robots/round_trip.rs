//! Import, write, load: the same mass matrix and the same accelerations as straight from the description.

use carom_scene::robot::{
    Base, FixedJoints, JointKind, ReadOptions, Robot, SceneOptions, read_mjcf, read_urdf,
};
use carom_scene::{DiskFiles, Options, Scene, Source, load};

use crate::dynamics::{Dynamics, apart};

/// Numbers are written with all digits, so only sums in another order differ: a few units in the last place of entries near the
/// largest, through chains of some ten links.
const SAME: f64 = 1e-12;

const ARM: &str = include_str!("arm.urdf");
const WALKER: &str = include_str!("walker.xml");
const QUADRUPED: &str = include_str!("../../../../parts/quadruped.urdf");

pub(crate) fn urdf(text: &str) -> Robot {
    let imported =
        read_urdf(&Source::text("robot.urdf", text), &ReadOptions::default(), &DiskFiles);
    imported.robot.unwrap_or_else(|| panic!("{}", imported.problems))
}

fn mjcf(text: &str) -> Robot {
    let imported = read_mjcf(&Source::text("robot.xml", text), &ReadOptions::default(), &DiskFiles);
    imported.robot.unwrap_or_else(|| panic!("{}", imported.problems))
}

/// The scene of a text, without friction and stops, which take no part in the mass matrix.
pub(crate) fn smooth(text: &str) -> Scene {
    let loaded = load(&Source::text("scene.toml", text), &Options::default(), &DiskFiles);
    let mut scene = loaded.scene.unwrap_or_else(|| panic!("{}\n{text}", loaded.problems));
    for freedom in scene.joints.iter_mut().flat_map(|joint| &mut joint.freedoms) {
        (freedom.friction, freedom.limits, freedom.restitution) = (0.0, None, 0.0);
    }
    scene
}

/// Numbers from −1 to 1, the same on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// A random state of a robot, its first with all coordinates as they start.
fn random_state(robot: &Robot, base: Base, seed: u64) -> SceneOptions {
    let mut random = Random(seed);
    let mut options = SceneOptions { base, combine_joints: false, ..SceneOptions::default() };
    (options.fixed_joints, options.heed_stops) = (FixedJoints::Keep, false);
    if seed == 0 {
        return options;
    }
    for joint in &robot.joints {
        let start = match joint.kind {
            JointKind::Fixed | JointKind::Free => continue,
            JointKind::Spherical => {
                let turn = glam::DVec4::new(random.next(), random.next(), random.next(), 1.5);
                turn.normalize().to_array().to_vec()
            }
            _ => vec![random.next()],
        };
        if start.len() == 1 {
            options.rates.insert(joint.name.clone(), 2.0 * random.next());
        }
        options.start.insert(joint.name.clone(), start);
    }
    options
}

/// Largest differences of mass matrix and accelerations.
fn round_trip(robot: &Robot, options: &SceneOptions) -> [f64; 2] {
    let gravity = robot.gravity.unwrap_or(carom_scene::DEFAULT_GRAVITY);
    let exact = crate::direct::dynamics(robot, options).answer(gravity);
    let text = robot.to_scene(options).expect("its own joints");
    let mut scene = smooth(&text);
    // In random states links lie in each other, which is nothing to dynamics.
    scene.bodies.iter_mut().for_each(|body| body.ghost = true);
    let world = scene.build(1).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    assert_eq!(world.gravity(), gravity);
    let mut gaps = [0.0_f64; 2];
    let mut n_freedoms = 0;
    for linkage in Dynamics::of_world(&world) {
        let found = linkage.answer(gravity);
        n_freedoms += found.accelerations.len();
        gaps[0] = gaps[0].max(apart(&found.mass_matrix, &exact.mass_matrix));
        gaps[1] = gaps[1].max(apart(&found.accelerations, &exact.accelerations));
    }
    assert_eq!(n_freedoms, exact.accelerations.len(), "all freedoms are there");
    gaps
}

/// The largest differences over twenty states, in words.
#[track_caller]
fn check(name: &str, robot: &Robot, base: Base) -> String {
    let mut worst = [0.0_f64; 2];
    for seed in 0..20 {
        let gaps = round_trip(robot, &random_state(robot, base, seed));
        worst = [worst[0].max(gaps[0]), worst[1].max(gaps[1])];
    }
    assert!(worst.iter().all(|gap| *gap < SAME), "{name}: {worst:?}");
    let [mass_matrix, accelerations] = worst;
    format!(
        "{name}, {base:?}: mass matrix {mass_matrix:e}, accelerations {accelerations:e} relative"
    )
}

#[test]
fn an_urdf_arm_keeps_its_dynamics_through_a_scene() {
    println!("{}", check("arm", &urdf(ARM), Base::Fixed));
}

#[test]
fn an_mjcf_walker_keeps_its_dynamics_through_a_scene() {
    println!("{}", check("walker", &mjcf(WALKER), Base::Fixed));
}

#[test]
fn the_quadruped_keeps_its_dynamics_through_a_scene() {
    let robot = urdf(QUADRUPED);
    println!("{} kg", robot.total_mass());
    assert!((robot.total_mass() - 10.0).abs() < 1e-12 && robot.joints.len() == 12);
    println!("{}", check("quadruped", &robot, Base::Free));
    println!("{}", check("quadruped", &robot, Base::Fixed));
}

/// What is merged has fewer bodies and the same motion.
#[test]
fn merging_fixed_links_changes_the_bodies_and_not_the_motion() {
    let robot = urdf(ARM);
    let mut options = random_state(&robot, Base::Fixed, 7);
    let apart = smooth(&robot.to_scene(&options).unwrap());
    options.fixed_joints = FixedJoints::Merge;
    let merged = smooth(&robot.to_scene(&options).unwrap());
    assert_eq!((apart.bodies.len(), merged.bodies.len()), (6, 4));
    let coordinates = |mut scene: Scene| {
        (scene.tolerance, scene.on_touch) = (1e-11, carom_scene::OnTouch::Pass);
        scene.bodies.iter_mut().for_each(|body| body.ghost = true);
        let mut world = scene.build(1).unwrap();
        world.advance_to(0.3).unwrap();
        ["turn", "slide", "bend"]
            .map(|name| world.joint(world.find_joint(name).unwrap()).unwrap().coordinates()[0])
    };
    let (apart, merged) = (coordinates(apart), coordinates(merged));
    let gap = apart.iter().zip(merged).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!("coordinates differ by {gap:e} after 0.3 s");
    // Integration errors, at a tolerance of 1e-11 for each segment.
    assert!(gap < 1e-9);
}
