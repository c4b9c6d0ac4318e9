//! Scenes as Rapier gets them, and the report of a small one.

use carom_scene::{DiskFiles, Options, Scene, Source, load};
use glam::DVec3;
use rapier3d_f64::prelude as rapier;

use super::description::{Description, Role};
use super::rapier::{Stage, Stepping, run, steps_until};
use super::report::Report;
use super::scene::{STEPS, compare};
use super::{mujoco, ours, quantity};

/// Two materials with a pair of their own, bodies with an offset centre, turned and moving, and an exclusion.
const TEXT: &str = r#"
    format = 1
    [world]
    gravity = [0, 0, -9.81]
    until = 0.5
    [[material]]
    name = "rubber"
    density = 1000
    friction = 0.9
    restitution = 0.8
    [[material]]
    name = "ice"
    density = 900
    friction = 0.04
    restitution = 0.1
    [[material_pair]]
    materials = ["rubber", "rubber"]
    friction = 0.2
    restitution = 0.5
    [[body]]
    name = "floor"
    shape = { kind = "half_space", normal = [0, 0, 1], offset = -1 }
    material = "ice"
    motion = { kind = "fixed" }
    [[body]]
    name = "ball"
    shape = { kind = "ball", radius = 0.1 }
    material = "rubber"
    position = [0, 0, 0.5]
    velocity = [1, 2, 3]
    [[body]]
    name = "rod"
    shape = { kind = "cylinder", radius = 0.1, height = 1 }
    material = "rubber"
    position = [3, 0, 2]
    axis = [0, 1, 0]
    angle_deg = 90
    angular_velocity = [0, 0, 2]
"#;

/// A ball that falls on a floor, and says how high it comes.
const BOUNCE: &str = r#"
    format = 1
    [world]
    gravity = [0, 0, -10]
    until = 1
    [[material]]
    name = "rubber"
    density = 1000
    friction = 0
    restitution = 0.8
    [[body]]
    name = "floor"
    shape = { kind = "half_space", normal = [0, 0, 1] }
    material = "rubber"
    motion = { kind = "fixed" }
    [[body]]
    name = "ball"
    shape = { kind = "ball", radius = 0.1 }
    material = "rubber"
    position = [0, 0, 0.9]
    [[expect]]
    what = "its speed is not that of free fall all the time"
    measure = "count('collision', 'ball', 'floor')"
    at_least = 1
    [[expect]]
    what = "it rises to e² of its height"
    measure = "maximum(|t| body('ball').at(t).z - 0.1, 0.45, 1)"
    equals = "0.64*0.8"
    tolerance = 1e-9
"#;

fn scene(text: &str) -> Scene {
    let loaded = load(&Source::text("test.toml", text), &Options::default(), &DiskFiles);
    loaded.scene.unwrap_or_else(|| panic!("{}", loaded.problems.render(false)))
}

#[test]
fn pairs_of_materials_keep_their_values_in_rapier() {
    let scene = scene(TEXT);
    let about = Description::of(&scene).unwrap();
    assert!(about.has_pairs);
    let stage = Stage::new(&scene, &about, Stepping::by_default(1e-3)).unwrap();
    let combined = |a: usize, b: usize| {
        let [a, b] = [a, b].map(|index| {
            let body = &stage.world.bodies[stage.handles[index]];
            &stage.world.colliders[body.colliders()[0]]
        });
        let rule = rapier::CoefficientCombineRule::combine;
        [
            rule(a.friction(), b.friction(), a.friction_combine_rule(), b.friction_combine_rule()),
            rule(
                a.restitution(),
                b.restitution(),
                a.restitution_combine_rule(),
                b.restitution_combine_rule(),
            ),
        ]
    };
    let ours = scene.surface(scene.bodies[0].material, scene.bodies[1].material);
    let [friction, restitution] = combined(0, 1);
    assert!((friction - ours.friction).abs() < 1e-15, "{friction}");
    assert_eq!(restitution, ours.restitution);
    // The stated pair is other than the rule; every collider asks the hook for it.
    let rubber = scene.bodies[1].material;
    assert_eq!((about.friction[rubber][rubber], about.restitution[rubber][rubber]), (0.2, 0.5));
    let asks = |(_, it): (_, &rapier::Collider)| {
        it.active_hooks().contains(rapier::ActiveHooks::MODIFY_SOLVER_CONTACTS)
    };
    assert!(stage.world.colliders.iter().all(asks));
}

#[test]
fn masses_poses_and_velocities_are_ours() {
    let scene = scene(TEXT);
    let about = Description::of(&scene).unwrap();
    let mut stage = Stage::new(&scene, &about, Stepping::by_default(1e-3)).unwrap();
    let (world, ids) = ours::build(&scene).unwrap();
    for (index, body) in about.bodies.iter().enumerate().filter(|it| it.1.role == Role::Free) {
        let (theirs, ours) = (stage.state(index), world.state(ids[index]).unwrap());
        assert!(theirs.velocity.distance(ours.velocity) < 1e-12, "{}", body.name);
        assert!(theirs.angular_velocity.distance(ours.angular_velocity) < 1e-12, "{}", body.name);
        assert!(theirs.orientation.dot(ours.orientation).abs() > 1.0 - 1e-12, "{}", body.name);
        assert!(theirs.position.distance(ours.position) < 1e-12, "{theirs:?} {ours:?}");
    }
    stage.step();
    let rod = &stage.world.bodies[stage.handles[2]];
    let mass = 1000.0 * std::f64::consts::PI * 0.01;
    assert!((rod.mass() - mass).abs() < 1e-9 * mass, "{} {mass}", rod.mass());
    // The rod lies along x: the box of its collider says so.
    let collider = &stage.world.colliders[rod.colliders()[0]];
    let sides = collider.compute_aabb().extents();
    assert!((sides.x - 1.0).abs() < 0.01 && (sides.z - 0.2).abs() < 0.01, "{sides:?}");
}

#[test]
fn a_ball_bounces_in_rapier_as_it_is_told_and_is_measured_by_the_scene() {
    let scene = scene(BOUNCE);
    let asked = quantity::comparable(&scene);
    // Collisions cannot be asked of a peer.
    assert_eq!(asked.expectations.len(), 1);
    let about = Description::of(&scene).unwrap();
    let stepped = run(&scene, &about, Stepping::by_default(1.0 / 4000.0)).unwrap();
    assert_eq!(stepped.steps, 4000);
    assert_eq!(stepped.track.times.len(), 4001);
    // It starts 0.8 m above the floor and leaves it with 0.8 of √(2·10·0.8) = 4 m/s.
    let fastest = stepped.track.states.iter().map(|it| it.velocity.z).fold(0.0, f64::max);
    println!("leaves with {fastest} m/s");
    assert!((fastest - 3.2).abs() < 0.1, "{fastest}");
    let (world, ids) = ours::build(&asked).unwrap();
    let history = stepped.track.history(&asked, &world, &ids).unwrap().unwrap();
    let measures = carom_scene::measure::Measures::of_motions(&asked, history);
    let promises = quantity::promises(&measures);
    println!("{promises:?}");
    assert!(promises[0].error.unwrap() < 0.03, "{promises:?}");
}

#[test]
fn free_fall_of_a_peer_is_measured_between_its_steps() {
    let scene = scene(BOUNCE);
    let about = Description::of(&scene).unwrap();
    let stepped = run(&scene, &about, Stepping::by_default(1.0 / 60.0)).unwrap();
    let (world, ids) = ours::build(&scene).unwrap();
    let history = stepped.track.history(&scene, &world, &ids).unwrap().unwrap();
    let [before, after] = [10, 11].map(|row: usize| stepped.track.states[row].position);
    let half = history.state_at(ids[1], 10.5 / 60.0).unwrap().position;
    assert!(half.z < before.z && half.z > after.z);
    // A parabola lies above its chord by g·h²/8.
    let above = half.z - before.midpoint(after).z;
    assert!(above > 0.0 && above < 10.0 / 3600.0, "{above}");
    assert_eq!(history.state_at(ids[1], 10.0 / 60.0).unwrap().position, before);
    assert!(stepped.track.last_positions(&scene)[0].distance(DVec3::ZERO) < 1.0);
}

#[test]
fn a_body_that_is_taken_away_is_there_until_then() {
    let gone = "position = [0, 0, 0.9]\n    until = 0.25\n";
    let scene = scene(&BOUNCE.replace("position = [0, 0, 0.9]\n", gone));
    let about = Description::of(&scene).unwrap();
    assert_eq!([0, 1].map(|index| about.bodies[index].until), [None, Some(0.25)]);
    let mut stage = Stage::new(&scene, &about, Stepping::by_default(1e-3)).unwrap();
    for _ in 0..300 {
        stage.prepare();
        stage.step();
    }
    assert_eq!(stage.world.bodies.len(), 1);
    let stepped = run(&scene, &about, Stepping::by_default(1e-3)).unwrap();
    let last = stepped.track.states.last().unwrap();
    // It has fallen by g·t²/2, and its last state is kept.
    assert!((last.position.z - (0.9 - 5.0 * 0.0625)).abs() < 2e-3, "{last:?}");
    assert!(stepped.track.last_positions(&scene).is_empty());
    let (world, ids) = ours::build(&scene).unwrap();
    let history = stepped.track.history(&scene, &world, &ids).unwrap().unwrap();
    assert!(history.state_at(ids[1], 0.249).is_some() && history.state_at(ids[1], 0.25).is_none());
}

#[test]
fn steps_reach_the_end_and_not_one_more() {
    assert_eq!(steps_until(1.0, 1.0 / 60.0), 60);
    assert_eq!(steps_until(0.1, 1e-3), 100);
    assert_eq!(steps_until(0.1001, 1e-3), 101);
    assert_eq!(steps_until(0.0, 1e-3), 0);
}

#[test]
fn a_scene_that_cannot_be_told_says_why() {
    let text = BOUNCE.replace("until = 1\n", "until = 1\non_touch = \"pass\"\n");
    let reason = Description::of(&scene(&text)).unwrap_err();
    assert!(reason.contains("pass"), "{reason}");
}

#[test]
fn the_report_has_its_keys_in_json() {
    let scene = scene(BOUNCE);
    let python = mujoco::Python::absent();
    let report = Report { scenes: vec![compare("bounce", &scene, &python)], ..Report::default() };
    let json = serde_json::to_value(&report).unwrap();
    let row = &json["scenes"][0];
    assert_eq!(row["scene"], "bounce");
    assert_eq!(row["quantity"]["kind"], "expectation");
    assert_eq!(row["quantity"]["what"], "it rises to e² of its height");
    assert!(row["error"].as_f64().unwrap() < 1e-9, "{row}");
    let figures = &row["carom"];
    for key in ["cpu_s", "speed", "events_per_s", "checks_per_collision"] {
        assert!(figures[key].as_f64().unwrap() > 0.0, "{key}");
    }
    let shares = figures["profile"].as_array().unwrap().iter().map(|it| it.as_f64().unwrap());
    assert!((shares.sum::<f64>() - 1.0).abs() < 1e-12);
    let rapier = &row["peers"][0];
    assert_eq!(rapier["engine"], "Rapier");
    assert_eq!(rapier["runs"].as_array().unwrap().len(), STEPS.len());
    assert!(rapier["runs"][2]["error"].as_f64().unwrap() > 1e-9);
    assert_eq!(rapier["reading"]["at_equal_error"], false);
    assert!(rapier["cost_at_1khz"].as_f64().is_some() && rapier["wins"] == false);
    let mujoco = &row["peers"][2];
    assert!(mujoco["not_run"].as_str().unwrap().contains("not installed"), "{mujoco}");
}
