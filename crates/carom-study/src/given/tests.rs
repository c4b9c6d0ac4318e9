use carom_scene::{DiskFiles, Options, Source, load};

use super::*;

fn world() -> World {
    let scene = carom_scene::built_in("bouncing_ball").expect("it is built in");
    let loaded = load(&Source::text("b", scene.text), &Options::default(), &DiskFiles);
    loaded.scene.expect("it is right").build_with_ids(1).expect("it can be built").0
}

#[test]
fn actions_come_back_from_recordings_and_do_what_they_say() {
    let actions = [
        Action::Push { body: "lively".into(), impulse: [0.0, 0.0, 1.0], point: None },
        Action::Gravity { gravity: [0.0, 0.0, -1.62] },
        Action::Add {
            name: "thrown".into(),
            shape: AddedShape::Box { size: [0.1, 0.1, 0.1] },
            density: 1000.0,
            position: [0.0, 5.0, 3.0],
            velocity: [0.0, 1.0, 0.0],
            angular_velocity: [0.0; 3],
            material: None,
        },
        Action::Remove { body: "thrown".into() },
    ];
    let mut world = world();
    world.advance_to(0.1).unwrap();
    let before = world.body_count();
    for action in actions {
        let given = Given { time: 0.1, action };
        assert_eq!(Given::of_recorded(&given.to_recorded()).unwrap(), given);
        given.action.take(&mut world).unwrap();
        world.advance_to(world.now()).unwrap();
    }
    assert_eq!((world.body_count(), world.gravity().z), (before, -1.62));
}

/// A pendulum with a motor, and a second one that a controller turns.
fn arms() -> World {
    use carom::control::{Axis, Pd, PdGains};
    use carom::{Joint, JointKind, Rate};

    let mut world = World::builder().build().unwrap();
    for (name, y) in [("driven", 0.0), ("aimed", 1.0)] {
        let ball = Shape::Ball(Ball::new(0.05).unwrap());
        let bob = Body::free(ball).named(name).mass(0.5).at(DVec3::new(1.0, y, 0.0));
        let bob = world.add(bob).unwrap();
        let hinge = JointKind::Revolute { axis: DVec3::Y };
        let hinge = Joint::new(hinge, None, bob).named(format!("{name} hinge"));
        world.join(hinge.at(DVec3::new(0.0, y, 0.0))).unwrap();
    }
    let joint = world.find_joint("aimed hinge").unwrap();
    let gains = PdGains { position: 200.0, velocity: 30.0 };
    let pd = Pd::new().control(Axis::new(joint), gains);
    world.add_controller(Rate::Hertz(500.0), Box::new(pd)).unwrap();
    world
}

#[test]
fn joints_are_driven_aimed_and_pulled_the_same_way_every_time() {
    let given = |time, action| Given { time, action };
    let held = || "driven".to_owned();
    let actions = [
        given(0.1, Action::Drive { joint: "driven hinge".into(), force: vec![-20.0] }),
        given(0.2, Action::Target { joint: "aimed hinge".into(), freedom: 0, target: -0.6 }),
        given(0.3, Action::Grab { body: held(), point: [0.0; 3], to: [1.0, 0.0, 0.5] }),
        given(0.35, Action::Move { body: held(), to: [0.5, 0.0, 0.9] }),
        given(0.7, Action::LetGo { body: held() }),
        given(0.8, Action::Enable { joint: "aimed hinge".into(), enabled: false }),
    ];
    let run = || {
        let mut world = arms();
        let mut angles = Vec::new();
        for given in &actions {
            world.advance_to(given.time).unwrap();
            angles.push(world.joints().map(|it| it.coordinates()[0]).collect::<Vec<f64>>());
            assert_eq!(Given::of_recorded(&given.to_recorded()).unwrap(), *given);
            given.action.take(&mut world).unwrap();
        }
        world.advance_to(1.0).unwrap();
        let account = world.account();
        assert!(account.residual.abs() < 1e-9 && account.work > 0.0, "{account:?}");
        (world.hash(), angles)
    };
    let (hash, angles) = run();
    // The motor is stronger than the weight of 4.9 N·m, the hand lifts further, and the controller comes to its target.
    assert!(angles[2][0] < angles[1][0], "{angles:?}");
    assert!(angles[4][0] < -0.8, "{angles:?}");
    assert!((angles[5][1] + 0.6).abs() < 0.05, "{angles:?}");
    assert_eq!(run().0, hash);
}

#[test]
fn nonsense_about_joints_is_refused_in_words() {
    let mut world = arms();
    let mut told = |action: Action| action.take(&mut world).unwrap_err().to_string();
    let joint = || "driven hinge".to_owned();
    assert!(told(Action::Drive { joint: "no".into(), force: vec![1.0] }).contains("no joint"));
    assert!(told(Action::Drive { joint: joint(), force: vec![] }).contains("torque"));
    assert!(told(Action::Drive { joint: joint(), force: vec![f64::NAN] }).contains("torque"));
    let target =
        |joint: &str, freedom, target| Action::Target { joint: joint.into(), freedom, target };
    assert!(told(target("driven hinge", 0, 1.0)).contains("no controller drives"));
    assert!(told(target("aimed hinge", 1, 1.0)).contains("no controller drives"));
    assert!(told(target("aimed hinge", 0, f64::NAN)).contains("make no sense"));
    let enable = Action::Enable { joint: joint(), enabled: false };
    assert!(told(enable).contains("no controller drives"));
}

#[test]
fn what_cannot_be_done_is_refused_in_words() {
    let mut world = world();
    let told = |action: Action, world: &mut World| action.take(world).unwrap_err().to_string();
    let push = |body: &str, x: f64| Action::Push {
        body: body.into(),
        impulse: [x, 0.0, 0.0],
        point: None,
    };
    assert!(told(push("nobody", 1.0), &mut world).contains("no body called \"nobody\""));
    assert!(told(push("lively", f64::NAN), &mut world).contains("not finite"));
    let lively = world.state(world.find("lively").unwrap()).unwrap().position;
    let add = |name: &str, radius: f64| Action::Add {
        name: name.into(),
        shape: AddedShape::Ball { radius },
        density: 1.0,
        position: lively.to_array(),
        velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        material: None,
    };
    assert!(told(add("new", 0.1), &mut world).contains("would overlap"));
    assert!(told(add("lively", 0.1), &mut world).contains("already"));
    assert!(told(add("new", -1.0), &mut world).contains("positive"));
    let unknown = GivenCommand { time_s: 0.0, text: "{\"do\":\"dance\"}".into() };
    assert!(Given::of_recorded(&unknown).is_err());
}
