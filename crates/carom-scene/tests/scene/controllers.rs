//! Controllers in scenes: what is made of them, and what is said about mistakes.

use carom::control::{
    Axis, ComputedTorque, Motor, Pd, PdGains, Pid, PidGains, Target, TrackingGains, VelocityGains,
    VelocityPd, Waypoint,
};
use carom::{Body, Controller, Joint, JointId, JointKind, Rate, World};
use carom_geometry::Shape;
use carom_geometry::shapes::Ball;
use carom_scene::ControlLaw;
use glam::DVec3;

use crate::{complains, load_text, scene};

/// An arm of two bobs with hinges about y at x = 0 and x = 1, to which tables are added.
fn arm(tables: &str) -> String {
    format!(
        "format = 1
[[body]]
name = \"upper\"
shape = {{ kind = \"ball\", radius = 0.05 }}
mass = 0.5
position = [1, 0, 0]
[[body]]
name = \"lower\"
shape = {{ kind = \"ball\", radius = 0.05 }}
mass = 0.25
position = [2, 0, 0]
[[joint]]
name = \"shoulder\"
kind = \"revolute\"
bodies = [\"world\", \"upper\"]
at = [0, 0, 0]
axis = [0, 1, 0]
start = 0.2
effort = 30
speed = 8
[[joint]]
name = \"elbow\"
kind = \"revolute\"
bodies = [\"upper\", \"lower\"]
at = [1, 0, 0]
axis = [0, 1, 0]
damping = 0.1
{tables}
"
    )
}

/// The controller of the arm with these keys.
fn controller(keys: &str) -> String {
    arm(&format!("[[controller]]\nname = \"hold\"\njoints = [\"shoulder\", \"elbow\"]\n{keys}"))
}

/// The same arm by hand, with its joints.
fn by_hand() -> (World, [JointId; 2]) {
    let mut world = World::builder().build().expect("it is right");
    let ball = || Shape::Ball(Ball::new(0.05).expect("it is right"));
    let upper = Body::free(ball()).named("upper").mass(0.5).at(DVec3::X);
    let upper = world.add(upper).expect("it is right");
    let lower = Body::free(ball()).named("lower").mass(0.25).at(2.0 * DVec3::X).except(upper);
    let lower = world.add(lower).expect("it is right");
    let kind = JointKind::Revolute { axis: DVec3::Y };
    let shoulder = Joint::new(kind, None, upper).named("shoulder").at(DVec3::ZERO).start(&[0.2]);
    let damped = carom::JointForce { damping: 0.1, ..carom::JointForce::default() };
    let elbow = Joint::new(kind, Some(upper), lower).named("elbow").at(DVec3::X).force(damped);
    let joints = world.join_all(vec![shoulder, elbow]).expect("it is right");
    (world, [joints[0], joints[1]])
}

fn angles(world: &World) -> Vec<f64> {
    world.joints().flat_map(|joint| joint.coordinates()).collect()
}

/// Runs both for a while and compares every bit of what decides their future.
#[track_caller]
fn agree(read: &str, hertz: f64, made: impl FnOnce([JointId; 2]) -> Box<dyn Controller>) {
    let mut read = scene(read).build(1).expect("it is right");
    let (mut world, joints) = by_hand();
    // Materials of a scene are a model of their own, so angles are compared, not hashes.
    world.add_controller(Rate::Hertz(hertz), made(joints)).expect("it is right");
    for world in [&mut read, &mut world] {
        world.advance_to(0.75).expect("it is right");
    }
    assert_eq!(angles(&read), angles(&world));
}

#[test]
fn every_law_in_a_file_is_that_of_the_engine_to_the_bit() {
    let motors = [Motor::limited(30.0).no_load_speed(8.0), Motor::default()];
    let axis = |joints: [JointId; 2], at: usize, target: f64| {
        Axis::new(joints[at]).target(target).motor(motors[at])
    };
    agree(&controller("kind = \"pd\"\nkp = 40\nkv = [6, 3]"), 1000.0, |joints| {
        let gains = |velocity| PdGains { position: 40.0, velocity };
        let pd = Pd::new().control(axis(joints, 0, 0.2), gains(6.0));
        Box::new(pd.control(axis(joints, 1, 0.0), gains(3.0)))
    });
    let pid =
        "kind = \"pid\"\nkp = 40\nkv = 6\nki = 20\nrate_hz = 250\ntarget = [0.5, \"rad(-30)\"]";
    agree(&controller(pid), 250.0, |joints| {
        let gains = PidGains { position: 40.0, velocity: 6.0, integral: 20.0 };
        let pid = Pid::new().control(axis(joints, 0, 0.5), gains);
        Box::new(pid.control(axis(joints, 1, (-30.0_f64).to_radians()), gains))
    });
    let turning = "kind = \"velocity\"\nkv = 5\nkp = 2\ntarget = { kind = \"sine\", amplitude = 1, frequency_hz = 2, phase_deg = 90 }";
    agree(&controller(turning), 1000.0, |joints| {
        let phase = 90.0 * (std::f64::consts::PI / 180.0);
        let target = Target::Sine { middle: 0.0, amplitude: 1.0, frequency: 2.0, phase };
        let gains = VelocityGains { velocity: 5.0, position: 2.0 };
        let on = |at: usize| Axis::new(joints[at]).target(target.clone()).motor(motors[at]);
        Box::new(VelocityPd::new().control(on(0), gains).control(on(1), gains))
    });
    let course = "kind = \"computed_torque\"\nkp = 100\neffort = 1e9\nspeed = 1e9\ntarget = [\
        { kind = \"waypoints\", points = [{ time = 0, position = 0.2 }, { time = 1, position = 1, velocity = 0.5 }] }, \
        { kind = \"polynomial\", coefficients = [0, 0.5, -0.25] }]";
    agree(&controller(course), 1000.0, |joints| {
        let points = vec![
            Waypoint { time: 0.0, position: 0.2, velocity: 0.0 },
            Waypoint { time: 1.0, position: 1.0, velocity: 0.5 },
        ];
        let motor = Motor::limited(1e9).no_load_speed(1e9);
        let coefficients = vec![0.0, 0.5, -0.25];
        let targets = [Target::Waypoints(points), Target::Polynomial { start: 0.0, coefficients }];
        let gains = TrackingGains::critical(10.0);
        let made = joints.into_iter().zip(targets).fold(ComputedTorque::new(), |made, it| {
            made.control(Axis::new(it.0).target(it.1).motor(motor), gains)
        });
        Box::new(made)
    });
}

#[test]
fn a_controller_holds_where_joints_start_and_takes_limits_of_motors_from_them() {
    let scene = scene(&controller("kind = \"pd\"\nkp = 40\nkv = 6\nspeed = [5, 6]"));
    let controller = &scene.controllers[0];
    assert_eq!((controller.law, controller.rate_hz), (ControlLaw::Pd, 1000.0));
    let targets: Vec<&Target> = controller.axes.iter().map(|axis| &axis.target).collect();
    assert_eq!(targets, [&Target::Constant(0.2), &Target::Constant(0.0)]);
    let motors: Vec<Motor> = controller.axes.iter().map(|axis| axis.motor).collect();
    assert_eq!(motors[0], Motor::limited(30.0).no_load_speed(5.0));
    assert_eq!(motors[1], Motor::default().no_load_speed(6.0));
}

#[test]
fn patterns_name_joints_in_the_order_of_the_file_and_each_freedom_is_driven_or_one() {
    let more = "[[body]]
name = \"head\"
shape = { kind = \"ball\", radius = 0.05 }
mass = 1
position = [-1, 0, 0]
[[joint]]
name = \"neck\"
kind = \"universal\"
bodies = [\"world\", \"head\"]
at = [-0.5, 0, 0]
axes = [[0, 1, 0], [0, 0, 1]]
start = [0.1, -0.1]
";
    let driven = |keys: &str| -> Vec<(usize, usize)> {
        let text = arm(&format!(
            "{more}[[controller]]\nname = \"c\"\nkind = \"pd\"\nkp = 1\nkv = 1\n{keys}"
        ));
        scene(&text).controllers[0].axes.iter().map(|axis| (axis.joint, axis.freedom)).collect()
    };
    assert_eq!(driven("joints = [\"*\"]"), [(0, 0), (1, 0), (2, 0), (2, 1)]);
    assert_eq!(driven("joints = [\"neck\", \"?lbow\"]"), [(2, 0), (2, 1), (1, 0)]);
    assert_eq!(driven("joints = [\"neck\"]\nfreedom = 1\ntarget = [0.3]"), [(2, 1)]);
}

#[test]
fn a_controller_begins_and_stops_when_it_is_told() {
    let keys = "kind = \"pd\"\nkp = 400\nkv = 60\nfrom = 0.25\nuntil = 0.5\neffort = 1e6";
    let mut world = scene(&controller(keys)).build(1).unwrap();
    let mut free = scene(&arm("")).build(1).unwrap();
    let torque =
        |world: &World| world.joints().flat_map(|joint| joint.torque()).collect::<Vec<f64>>();
    for (time, is_driven) in [(0.2, false), (0.3, true), (0.49, true), (0.6, false)] {
        world.advance_to(time).unwrap();
        free.advance_to(time).unwrap();
        println!("{time} s: {:?}, {:?}", torque(&world), angles(&world));
        assert_eq!(torque(&world) != [0.0, 0.0], is_driven);
        assert_eq!(angles(&world) == angles(&free), time < 0.25);
    }
    let mut again =
        World::restore(&world.snapshot().unwrap(), vec![ControlLaw::Pd.fresh()], 1).unwrap();
    assert_eq!(again.hash(), world.hash());
    for world in [&mut again, &mut world] {
        world.advance_to(0.9).unwrap();
    }
    assert_eq!(again.hash(), world.hash());
}

#[test]
fn a_restored_world_goes_on_with_its_controllers_as_if_nothing_had_been() {
    let keys = "kind = \"pid\"\nkp = 40\nkv = 6\nki = 20\nrate_hz = 250";
    let scene = scene(&controller(keys));
    let mut whole = scene.build(1).unwrap();
    whole.advance_to(0.3333).unwrap();
    let saved = whole.snapshot().unwrap();
    let mut again = World::restore(&saved, vec![scene.controllers[0].law.fresh()], 1).unwrap();
    for world in [&mut whole, &mut again] {
        world.advance_to(1.0).unwrap();
    }
    assert_eq!(whole.hash(), again.hash());
}

#[test]
fn mistakes_in_controllers_are_told_all_at_once() {
    let cases: [(&str, &[&str]); 17] = [
        ("kind = \"pdd\"\nkp = 1\nkv = 1", &["pdd", "\"pd\""]),
        ("kind = \"pd\"\nkp = 1", &["a PD controller needs `kv`"]),
        ("kind = \"pd\"\nkp = 1\nkv = 1\nki = 1", &["ki"]),
        (
            "kind = \"pd\"\nkp = [1, 2, 3]\nkv = 1",
            &["`kp` is one for all", "the 2 freedoms", "this has 3"],
        ),
        (
            "kind = \"pd\"\nkp = -1\nkv = -2",
            &["`kp` must not be negative", "`kv` must not be negative"],
        ),
        ("kind = \"pd\"\nkp = 1\nkv = 1\ntarget = [1]", &["`target` is one for all", "this has 1"]),
        ("kind = \"pd\"\nkp = 1\nkv = 1\ntarget = { kind = \"sin\" }", &["did you mean", "sine"]),
        (
            "kind = \"pd\"\nkp = 1\nkv = 1\ntarget = { kind = \"sine\" }",
            &["a sine needs `amplitude`", "`frequency_hz`"],
        ),
        (
            "kind = \"pd\"\nkp = 1\nkv = 1\ntarget = { kind = \"waypoints\", points = [] }",
            &["waypoints need at least one point"],
        ),
        (
            "kind = \"pd\"\nkp = 1\nkv = 1\ntarget = { kind = \"waypoints\", points = [{ time = 1, position = 0 }, { time = 1, position = 2 }] }",
            &["times of points must increase", "the one before is 1"],
        ),
        (
            "kind = \"pd\"\nkp = 1\nkv = 1\ntarget = { kind = \"polynomial\", coefficients = [] }",
            &["a polynomial needs a coefficient"],
        ),
        ("kind = \"pd\"\nkp = 1\nkv = 1\ntarget = true", &["`target` must be a number"]),
        ("kind = \"pd\"\nkp = 1\nkv = 1\nrate_hz = 0", &["`rate_hz` must be positive"]),
        (
            "kind = \"pd\"\nkp = 1\nkv = 1\nfrom = 2\nuntil = 1",
            &["the controller stops before it begins"],
        ),
        (
            "kind = \"pd\"\nkp = 1\nkv = 1\nfreedom = 1",
            &["the joint `shoulder` has one freedom, number 0"],
        ),
        (
            "kind = \"pd\"\nkp = 1\nkv = 1\neffort = -1\nspeed = 0",
            &["`effort` must not be negative", "`speed` must be positive"],
        ),
        ("kind = \"pd\"\nkp = 1\nkv = 1\njionts = 3", &["jionts", "`joints`"]),
    ];
    for (keys, parts) in cases {
        complains(&controller(keys), parts);
    }
    let named = |joints: &str| {
        arm(&format!(
            "[[controller]]\nname = \"c\"\nkind = \"pd\"\nkp = 1\nkv = 1\njoints = {joints}"
        ))
    };
    complains(&named("[]"), &["the controller drives nothing"]);
    complains(&named("[\"elbo\"]"), &["there is no joint `elbo`", "did you mean `elbow`?"]);
    complains(&named("[\"knee_*\"]"), &["no joint is called `knee_*`"]);
    complains(&named("[\"*\", \"elbow\"]"), &["the joint `elbow` is named twice"]);
    let twice = controller("kind = \"pd\"\nkp = 1\nkv = 1");
    let again = twice.split("[[controller]]").nth(1).unwrap();
    complains(&format!("{twice}[[controller]]{again}"), &["two controllers are called `hold`"]);
    // A joint that has a mistake is not missed as well.
    let broken =
        controller("kind = \"pd\"\nkp = 1\nkv = 1").replace("damping = 0.1", "damping = -1");
    let told = load_text(&broken).problems.render(false);
    assert!(told.contains("1 error") && told.contains("`damping` must not be negative"), "{told}");
}

#[test]
fn gains_that_sampling_cannot_stand_and_rivals_are_warned_of() {
    let warned = |text: &str, part: &str| {
        let loaded = load_text(text);
        let told = loaded.problems.render(false);
        assert!(loaded.scene.is_some() && told.contains(part), "{told}");
    };
    let quick = "kind = \"pd\"\nkp = 1000\nkv = 4\nrate_hz = 100";
    warned(&controller(quick), "this swings the joint `shoulder` up");
    warned(&controller(quick), "kp/(2·rate_hz) is 5, and kv is 4");
    let good = controller("kind = \"pd\"\nkp = 1000\nkv = 6\nrate_hz = 100");
    assert_eq!(load_text(&good).problems.render(false), "");
    let both = format!(
        "{good}[[controller]]\nname = \"other\"\nkind = \"velocity\"\nkv = 1\njoints = [\"elbow\"]\n"
    );
    warned(&both, "`hold` and `other` drive the same joint");
    let apart = format!("{good}until = 1\n") + &both[good.len()..] + "from = 1\n";
    assert_eq!(load_text(&apart).problems.render(false), "");
}
