//! Gauges in scenes: what they read, what measures make of it, and what is said about mistakes.

use carom::{Observers, World};
use carom_scene::measure::{Measures, Memory};
use carom_scene::{Built, Scene};

use crate::{complains, scene};

/// What tolerance 1e-9 of a linkage leaves over a few seconds, with room.
const INTEGRATED: f64 = 1e-7;

/// An arm that turns at 2 rad/s without gravity, a wall ahead of a ball that stands still, and a gauge of each kind but one.
const TURNING: &str = r#"
format = 1
[world]
gravity = [0, 0, 0]
until = 3
[[body]]
name = "bob"
shape = { kind = "ball", radius = 0.1 }
mass = 1
position = [1, 0, 0]
[[body]]
name = "eye"
shape = { kind = "ball", radius = 0.1 }
mass = 1
position = [0, 5, 0]
velocity = [0.5, 0, 0]
[[body]]
name = "wall"
shape = { kind = "box", size = [1, 1, 1] }
motion = { kind = "fixed" }
position = [4, 5, 0]
[[joint]]
name = "hinge"
kind = "revolute"
bodies = ["world", "bob"]
at = [0, 0, 0]
axis = [0, 0, 1]
velocity = 2
[[gauge]]
name = "angle"
kind = "encoder"
joint = "hinge"
resolution = 0.25
rate_hz = 10
[[gauge]]
name = "imu"
kind = "imu"
body = "bob"
position = [0.5, 0, 0]
[[gauge]]
name = "place"
kind = "pose"
body = "bob"
position = [1, 0, 0]
[[gauge]]
name = "speed"
kind = "velocity"
body = "bob"
axes = "sensor"
[[gauge]]
name = "ahead"
kind = "range"
body = "eye"
reach = 10
[[gauge]]
name = "behind"
kind = "range"
body = "eye"
axis = [0, 0, 1]
angle_deg = 180
reach = 10
"#;

fn expecting(measures: &[(&str, f64, f64)]) -> String {
    let table = |(measure, value, tolerance): &(&str, f64, f64)| {
        format!(
            "[[expect]]\nwhat = \"{measure}\"\nmeasure = \"{measure}\"\nequals = {value}\ntolerance = {tolerance}\n"
        )
    };
    format!("{TURNING}{}", measures.iter().map(table).collect::<String>())
}

/// The world at the end of the scene, after all its expectations have been met.
fn met(scene: &Scene) -> World {
    let Built { mut world, .. } = scene.build_whole(1).expect("it is right");
    let mut memory = Memory::of(scene).expect("it has expectations");
    let watched = world.advance_watched(scene.until, &mut Observers::none().with(&mut memory));
    watched.expect("it runs");
    let measures = Measures::new(scene, memory, &world);
    let (findings, problems) = measures.findings();
    assert!(!problems.has_errors(), "{problems}");
    for finding in findings {
        assert!(finding.pass, "{finding:?}");
    }
    world
}

#[test]
fn every_gauge_reads_what_the_motion_is_and_holds_it_between_ticks() {
    let e = INTEGRATED;
    let scene = scene(&expecting(&[
        // 2 rad/s, in steps of 0.25 rad, at ticks of 0.1 s.
        ("gauge('angle').at(1.0).position", 2.0, e),
        ("gauge('angle').at(1.19).position", 2.25, e),
        ("gauge('angle').at(1.19).velocity", 2.0, e),
        // ω²·r inwards at 1.5 m from the axis.
        ("gauge('imu').at(2.5).ax", -6.0, e),
        ("gauge('imu').at(2.5).ay", 0.0, e),
        ("gauge('imu').at(2.5).wz", 2.0, e),
        ("gauge('place').at(2).x", 2.0 * libm::cos(4.0), e),
        ("gauge('place').at(2.0099).y", 2.0 * libm::sin(4.0), e),
        ("gauge('speed').at(1).vy", 2.0, e),
        ("gauge('ahead').at(2).distance", 2.5, e),
        ("gauge('ahead').sees", 1.0, 0.0),
        ("gauge('behind').distance", 10.0, 0.0),
        ("gauge('behind').sees", 0.0, 0.0),
        ("maximum(|t| gauge('ahead').at(t).distance, 0, 3)", 3.5, e),
    ]));
    let watched = met(&scene);
    let mut alone = scene.build(1).unwrap();
    alone.advance_to(scene.until).unwrap();
    assert_eq!(alone.hash(), watched.hash());
}

#[test]
fn the_force_that_carries_a_ball_is_its_weight() {
    let text = r#"
format = 1
[world]
gravity = [0, 0, -10]
until = 3
[[body]]
name = "ball"
shape = { kind = "ball", radius = 0.1 }
mass = 2
position = [0, 0, 0.1001]
[[body]]
name = "floor"
shape = { kind = "half_space" }
motion = { kind = "fixed" }
[[gauge]]
name = "scale"
kind = "contact_force"
body = "ball"
with = "floor"
rate_hz = 1
[[expect]]
what = "the floor carries the weight"
measure = "gauge('scale').at(3).fz"
equals = 20
tolerance = 0.2
"#;
    met(&scene(text));
}

#[test]
fn a_world_with_gauges_goes_on_after_a_restore() {
    let scene = scene(TURNING);
    let mut whole = scene.build(1).unwrap();
    whole.advance_to(1.234).unwrap();
    let saved = whole.snapshot().unwrap();
    let mut again = World::restore(&saved, scene.fresh_controllers(), 1).unwrap();
    assert_eq!(again.hash(), whole.hash());
    for world in [&mut whole, &mut again] {
        world.advance_to(2.0).unwrap();
    }
    assert_eq!(again.hash(), whole.hash());
}

#[test]
fn mistakes_in_gauges_are_told() {
    let gauge = |keys: &str| format!("{TURNING}[[gauge]]\nname = \"it\"\n{keys}\n");
    let cases: [(&str, &[&str]); 9] = [
        ("kind = \"imo\"\nbody = \"bob\"", &["imo", "\"imu\""]),
        ("kind = \"imu\"", &["an inertial measurement unit needs `body`"]),
        (
            "kind = \"imu\"\nbody = \"bbo\"\nrate_hz = 0",
            &["there is no body `bbo`", "`rate_hz` must be positive"],
        ),
        (
            "kind = \"encoder\"\njoint = \"hing\"",
            &["there is no joint `hing`", "did you mean `hinge`?"],
        ),
        (
            "kind = \"encoder\"\njoint = \"hinge\"\nfreedom = 1",
            &["the joint `hinge` has 1 freedoms"],
        ),
        ("kind = \"range\"\nbody = \"eye\"\nreach = -1", &["`reach` must be positive"]),
        (
            "kind = \"contact_force\"\nbody = \"bob\"\nwith = \"bob\"",
            &["a body does not press itself"],
        ),
        ("kind = \"velocity\"\nbody = \"bob\"\naxes = \"own\"", &["`axes` is one of `world`"]),
        ("kind = \"pose\"\nbody = \"bob\"\nname = 3", &["name"]),
    ];
    for (keys, parts) in cases {
        let text = if keys.contains("name =") {
            gauge(keys).replace("name = \"it\"\n", "")
        } else {
            gauge(keys)
        };
        complains(&text, parts);
    }
    complains(
        &gauge("kind = \"imu\"\nbody = \"bob\"").replace("\"it\"", "\"imu\""),
        &["two gauges are called `imu`"],
    );
    complains(
        &expecting(&[("gauge('imo').ax", 0.0, 1.0)]),
        &["there is no gauge \"imo\"", "did you mean \"imu\"?"],
    );
    // A part that its kind does not have is told when it is asked for.
    let scene = scene(&expecting(&[("gauge('imu').distance", 0.0, 1.0)]));
    let mut world = scene.build(1).unwrap();
    let mut memory = Memory::of(&scene).unwrap();
    world.advance_watched(1.0, &mut Observers::none().with(&mut memory)).unwrap();
    let (_, problems) = Measures::new(&scene, memory, &world).findings();
    let told = problems.render(false);
    assert!(told.contains("the gauge \"imu\" has no `distance`; it has ax, ay, az"), "{told}");
}
