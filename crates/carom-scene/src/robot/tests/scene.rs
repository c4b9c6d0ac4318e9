//! Robots as scenes.

use serde_json::Value as Json;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::*;
use crate::load::{Options, load};
use crate::robot::{Base, Coordinates, FixedJoints, SceneError, SceneOptions};

/// A scene without the tables of one kind.
fn without(scene: &str, table: &str) -> String {
    let mut kept = String::new();
    let mut is_kept = true;
    for line in scene.lines() {
        if line.starts_with("[[") {
            is_kept = line != table;
        }
        if is_kept {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

fn bodies(scene: &str) -> Vec<crate::Body> {
    let text = without(scene, "[[joint]]");
    let loaded = load(&Source::text("scene.toml", text), &Options::default(), &DiskFiles);
    let problems = loaded.problems.render(false);
    loaded.scene.unwrap_or_else(|| panic!("{problems}\n{scene}")).bodies
}

/// TOML as JSON, which is easier to ask.
fn json(value: &DeValue<'_>) -> Json {
    match value {
        DeValue::Integer(number) => Json::from(number.as_str().parse::<f64>().unwrap()),
        DeValue::Float(number) => Json::from(number.as_str().parse::<f64>().unwrap()),
        DeValue::Array(list) => list.iter().map(|value| json(value.get_ref())).collect(),
        DeValue::Table(table) => tables(table),
        DeValue::Boolean(flag) => Json::from(*flag),
        other => Json::from(other.as_str().unwrap()),
    }
}

fn tables(table: &DeTable<'_>) -> Json {
    let entry = |(key, value): (&Spanned<DeString<'_>>, &Spanned<DeValue<'_>>)| {
        (key.get_ref().to_string(), json(value.get_ref()))
    };
    Json::Object(table.iter().map(entry).collect())
}

fn parsed(scene: &str) -> Json {
    tables(DeTable::parse(scene).unwrap().get_ref())
}

/// The tables of joints.
fn joints(scene: &str) -> Vec<Json> {
    parsed(scene)["joint"].as_array().cloned().unwrap_or_default()
}

fn number(value: &Json) -> f64 {
    value.as_f64().unwrap()
}

fn vector(value: &Json) -> DVec3 {
    let parts: Vec<f64> = value.as_array().unwrap().iter().map(number).collect();
    DVec3::from_slice(&parts)
}

#[test]
fn bodies_of_a_written_arm_load_with_the_same_masses_and_places() {
    let robot = robot(urdf(ARM));
    let start = Coordinates::from([("shoulder".into(), vec![0.7]), ("elbow".into(), vec![-1.1])]);
    let world_from_base =
        Pose::new(DVec3::new(0.1, 0.2, 0.3), glam::DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8));
    let options = SceneOptions { start: start.clone(), world_from_base, ..SceneOptions::default() };
    let scene = robot.to_scene(&options).unwrap();
    let bodies = bodies(&scene);
    let poses = robot.world_from_links(&world_from_base, &start);
    // The tool has no mass and is part of the lower arm.
    assert_eq!(
        bodies.iter().map(|body| &body.name[..]).collect::<Vec<_>>(),
        ["base", "upper", "lower"]
    );
    let mut largest: f64 = 0.0;
    for (body, (link, pose)) in bodies.iter().zip(robot.links.iter().zip(&poses)) {
        largest = largest.max(apart(&body.world_from_body, pose));
        assert_eq!(body.mass.map(|mass| mass.mass), link.mass.map(|mass| mass.mass));
        if let (Some(read), Some(written)) = (body.mass, link.mass) {
            assert_eq!((read.center, read.inertia), (written.center, written.inertia), "bits");
        }
    }
    println!("largest difference of a pose: {largest:e}");
    assert!(largest < 1e-15);
    assert_eq!(bodies[0].motion, crate::MotionSpec::Fixed);
}

#[test]
fn joints_are_written_where_they_are_as_the_scene_starts() {
    let robot = robot(urdf(ARM));
    let start = Coordinates::from([("shoulder".into(), vec![0.7]), ("elbow".into(), vec![-1.1])]);
    let rates = [("elbow".to_owned(), 2.5)].into();
    let prefix = "left_".to_owned();
    let options = SceneOptions {
        start: start.clone(),
        rates,
        prefix,
        base: Base::Free,
        ..SceneOptions::default()
    };
    let scene = robot.to_scene(&options).unwrap();
    let joints = joints(&scene);
    assert_eq!(joints.len(), 2);
    let [shoulder, elbow] = &joints[..] else { panic!() };
    assert_eq!(shoulder["name"].as_str(), Some("left_shoulder"));
    assert_eq!(shoulder["kind"].as_str(), Some("revolute"));
    assert_eq!(shoulder["bodies"].to_string(), r#"["left_base","left_upper"]"#);
    assert_eq!(vector(&shoulder["at"]), DVec3::new(0.0, 0.0, 0.1));
    assert_eq!(vector(&shoulder["axis"]), DVec3::Y);
    assert_eq!(number(&shoulder["start"]), 0.7);
    assert_eq!(shoulder["limits"].to_string(), "[-1.5,2.0]");
    let numbers = ["damping", "friction", "effort", "speed"].map(|key| number(&shoulder[key]));
    assert_eq!(numbers, [0.1, 0.05, 100.0, 3.0]);
    // z of the elbow is −y of the upper arm, which turning about y leaves in place.
    let elbow_at = 0.5 * DVec3::new(libm::sin(0.7), 0.0, libm::cos(0.7)) + 0.1 * DVec3::Z;
    let gaps =
        [(vector(&elbow["at"]) - elbow_at).length(), (vector(&elbow["axis"]) + DVec3::Y).length()];
    println!("elbow: place off by {:e} m, axis by {:e}", gaps[0], gaps[1]);
    assert!(gaps.iter().all(|gap| *gap < ROUNDING));
    assert_eq!(number(&elbow["velocity"]), 2.5);
    assert!(elbow.get("limits").is_none());
}

#[test]
fn merging_fixed_links_keeps_mass_centre_and_inertia_of_the_whole() {
    let text = ARM.replace(
        "<link name=\"tool\"/>",
        "<link name=\"tool\"><inertial><origin xyz=\"0 0.1 0\"/><mass value=\"0.5\"/>\
         <inertia ixx=\"0.01\" ixy=\"0\" ixz=\"0\" iyy=\"0.02\" iyz=\"0\" izz=\"0.02\"/></inertial></link>",
    );
    let robot = robot(urdf(&text));
    let whole = |policy| {
        let options =
            SceneOptions { fixed_joints: policy, base: Base::Free, ..SceneOptions::default() };
        let text = robot.to_scene(&options).unwrap();
        let bodies = bodies(
            &without(&text, "[[nothing]]")
                .replace("# This link has no mass of its own.", "mass = 1"),
        );
        let parts: Vec<_> =
            bodies.iter().map(|body| body.mass.unwrap().placed(&body.world_from_body)).collect();
        (bodies.len(), carom_geometry::MassProperties::combined(&parts).unwrap())
    };
    let (n_kept, kept) = whole(FixedJoints::Keep);
    let (n_merged, merged) = whole(FixedJoints::Merge);
    assert_eq!((n_kept, n_merged), (4, 3));
    let gap = matrix_apart(&kept.inertia, &merged.inertia);
    println!("inertia of the whole differs by {gap:e} kg·m²");
    assert!(gap < 1e-15 && (kept.center - merged.center).length() < 1e-15);
}

#[test]
fn a_written_mjcf_robot_loads_with_floor_exclusions_and_gravity() {
    let text = r#"<mujoco model="quad {1}">
      <worldbody>
        <geom name="floor" type="plane" size="1 1 1" zaxis="0 0.1 1"/>
        <body name="trunk" pos="0 0 1"><freejoint/><geom type="box" size="0.2 0.1 0.05"/>
          <body name="hip*" pos="0.2 0.1 0"><joint name="roll" axis="1 0 0"/><joint name="pitch" axis="0 1 0" armature="0.01"/>
            <geom type="capsule" size="0.02" fromto="0 0 0 0 0 -0.2" rgba="1 0.5 0 1"/>
            <body name="foot" pos="0 0 -0.2"><joint axis="0 1 0" range="-90 0"/><geom type="ellipsoid" size="0.02 0.03 0.02"/></body>
          </body>
        </body>
      </worldbody>
      <option gravity="0 0 -3.7"/>
      <actuator><motor joint="pitch" gear="10" ctrlrange="-2 1"/></actuator>
      <contact><exclude body1="trunk" body2="foot"/></contact></mujoco>"#;
    let robot = robot(mjcf(text));
    let scene = robot.to_scene(&SceneOptions::default()).unwrap();
    assert!(scene.contains("armature = 0.01"), "{scene}");
    assert!(scene.contains("gravity = [0, 0, -3.7]"), "{scene}");
    // The link between roll and pitch has no mass, which only joints can move.
    let bodies = bodies(&scene.replace("# This link has no mass of its own.", "mass = 1"));
    let names: Vec<&str> = bodies.iter().map(|body| &body.name[..]).collect();
    assert_eq!(
        names,
        ["floor", "trunk", "hip*_after_roll".replace('*', "_").as_str(), "hip_", "foot"]
    );
    let tables = joints(&scene);
    let kinds: Vec<&str> = tables.iter().map(|joint| joint["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["revolute", "revolute", "revolute"]);
    assert_eq!(number(&tables[1]["effort"]), 20.0);
    let table = parsed(&scene);
    let excluded: Vec<String> = (table["exclude"].as_array().unwrap().iter())
        .map(|exclude| exclude["bodies"].to_string())
        .collect();
    assert_eq!(excluded, [r#"["trunk","hip_"]"#, r#"["trunk","foot"]"#]);
}

#[test]
fn motors_that_hold_places_and_speeds_become_controllers() {
    let text = r#"<mujoco><worldbody><body name="a"><joint name="x" axis="0 1 0"/><geom size="0.1"/>
      <body name="b" pos="0.3 0 0"><joint name="y" axis="0 1 0"/><geom size="0.1"/>
      <body name="c" pos="0.3 0 0"><joint name="z" axis="0 1 0"/><geom size="0.1"/>
      <body name="d" pos="0.3 0 0"><joint name="w" axis="0 1 0"/><geom size="0.1"/></body></body></body></body></worldbody>
      <actuator>
        <position name="p" joint="x" kp="10" kv="2" gear="3" ctrlrange="0.6 1" forcerange="-5 5"/>
        <position joint="y" kp="4"/><velocity joint="y" kv="0.5"/>
        <velocity joint="z" kv="2" gear="2" ctrlrange="8 9"/>
        <motor name="m" joint="w" ctrlrange="-2 1"/>
      </actuator></mujoco>"#;
    let robot = robot(mjcf(text));
    let scene = robot.to_scene(&SceneOptions::default()).unwrap();
    let loaded = load(&Source::text("r.toml", &scene), &Options::default(), &DiskFiles);
    let scene = loaded.scene.unwrap_or_else(|| panic!("{}\n{scene}", loaded.problems));
    let found: Vec<(crate::ControlLaw, f64, f64, f64)> = (scene.controllers.iter())
        .flat_map(|it| it.axes.iter().map(|axis| (it.law, axis)))
        .map(|(law, axis)| (law, axis.gains.kp, axis.gains.kv, axis.target.at(0.0).position))
        .collect();
    // g²k and g²c, the control nearest to zero over the gear; a motor alone pulls to nothing.
    let expected = [
        (crate::ControlLaw::Pd, 90.0, 18.0, 0.6 / 3.0),
        (crate::ControlLaw::Pd, 4.0, 0.5, 0.0),
        (crate::ControlLaw::Velocity, 0.0, 8.0, 4.0),
    ];
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!((found.0, found.1, found.2), (expected.0, expected.1, expected.2));
        assert!((found.3 - expected.3).abs() < ROUNDING, "{found:?}");
    }
    assert_eq!(scene.controllers[0].axes[0].motor.effort(), 15.0);
    let unwritten = robot.unwritten();
    let parts =
        ["actuator p of joint x: the range of its control", "actuator m of joint w: a range"];
    assert!(
        parts.iter().all(|part| unwritten.iter().any(|it| it.starts_with(part))),
        "{unwritten:?}"
    );
    scene.build(1).unwrap().advance_to(0.1).unwrap();
}

#[test]
fn joints_of_one_body_are_one_where_a_kind_does_what_they_do() {
    let body = |joints: &str| {
        let text = format!(
            "<mujoco><worldbody><body name='a' pos='0 0 1' euler='0 20 0'>{joints}<geom size='0.1'/></body></worldbody></mujoco>"
        );
        robot(mjcf(&text))
    };
    let slides =
        "<joint name='x' type='slide' axis='1 0 0'/><joint name='z' type='slide' axis='0 0 1'/>";
    let turn = "<joint name='y' axis='0 1 0' pos='0 0 0.2'/>";
    let cases = [
        (format!("{slides}{turn}"), "planar"),
        (format!("<joint name='x' axis='1 0 0' pos='0 0 0.2'/>{turn}"), "universal"),
        (format!("<joint name='x' type='slide' axis='0 1 0'/>{turn}"), "cylindrical"),
    ];
    for (text, kind) in cases {
        let robot = body(&text);
        let start = robot.joints.iter().map(|joint| (joint.name.clone(), vec![0.3]));
        let options = SceneOptions { start: start.collect(), ..SceneOptions::default() };
        let scene = robot.to_scene(&options).unwrap();
        let [joint] = &joints(&scene)[..] else { panic!("{scene}") };
        assert_eq!(joint["kind"].as_str(), Some(kind));
        // The body stands where the single joints put it, and the axis goes through the anchor.
        let exact = robot.world_from_links(&Pose::IDENTITY, &options.start);
        let pose = bodies(&scene)[0].world_from_body;
        let gap = apart(&pose, exact.last().unwrap());
        let anchor = (vector(&joint["at"]) - pose.point(DVec3::new(0.0, 0.0, 0.2))).length();
        println!("{kind}: pose off by {gap:e}, anchor by {anchor:e} m");
        assert!(gap < ROUNDING && anchor < ROUNDING);
        if kind == "universal" {
            // The first axis stands in the parent, the second in the body.
            let axes = [vector(&joint["axes"][0]), vector(&joint["axes"][1])];
            let before = glam::DQuat::from_rotation_y(20_f64.to_radians());
            assert!((axes[0] - before * DVec3::X).length() < ROUNDING);
            assert!((axes[1] - pose.vector(DVec3::Y)).length() < ROUNDING);
        }
    }
    // A joint with damping stays as it is, and so does one that is asked to.
    let damped =
        body(&format!("{slides}{turn}").replace("axis='0 1 0'", "axis='0 1 0' damping='1'"));
    assert_eq!(joints(&damped.to_scene(&SceneOptions::default()).unwrap()).len(), 3);
    let apart = SceneOptions { combine_joints: false, ..SceneOptions::default() };
    assert_eq!(joints(&body(&format!("{slides}{turn}")).to_scene(&apart).unwrap()).len(), 3);
}

#[test]
fn a_start_that_fits_no_joint_is_refused() {
    let robot = robot(urdf(ARM));
    let start = |name: &str, q: Vec<f64>| SceneOptions {
        start: Coordinates::from([(name.to_owned(), q)]),
        ..SceneOptions::default()
    };
    let error = |options: &SceneOptions| robot.to_scene(options).unwrap_err();
    assert_eq!(error(&start("knee", vec![1.0])), SceneError::UnknownJoint("knee".into()));
    assert!(matches!(error(&start("elbow", vec![1.0, 2.0])), SceneError::Coordinates { .. }));
    assert!(matches!(error(&start("elbow", vec![f64::NAN])), SceneError::Coordinates { .. }));
    let keyframe = SceneOptions { keyframe: Some("home".into()), ..SceneOptions::default() };
    assert_eq!(error(&keyframe), SceneError::UnknownKeyframe("home".into()));
}

/// Stops at one place hold a joint, whoever wrote them; a joint that would start beyond its stops starts at the nearest.
#[test]
fn joints_start_within_their_stops_or_are_fixed() {
    let held = ARM.replace("lower=\"-1.5\" upper=\"2\"", "lower=\"0.3\" upper=\"0.3\"");
    let arm = robot(urdf(&held));
    let written = arm.write_scene(&SceneOptions::default()).unwrap();
    let [elbow] = &joints(&written.text)[..] else { panic!("{}", written.text) };
    assert_eq!(elbow["name"].as_str(), Some("elbow"));
    assert_eq!(written.changed, ["joint shoulder: fixed, because its stops are both at 0.3"]);
    let start = Coordinates::from([("shoulder".to_owned(), vec![0.3])]);
    let exact = arm.world_from_links(&Pose::IDENTITY, &start)[arm.link("lower").unwrap()];
    let bodies = bodies(&written.text);
    let lower = bodies.iter().find(|body| body.name == "lower").unwrap();
    assert!(apart(&lower.world_from_body, &exact) < ROUNDING);

    let beyond = ARM.replace("lower=\"-1.5\" upper=\"2\"", "lower=\"0.5\" upper=\"2\"");
    let robot = robot(urdf(&beyond));
    let written = robot.write_scene(&SceneOptions::default()).unwrap();
    assert_eq!(number(&joints(&written.text)[0]["start"]), 0.5);
    println!("{:?}", written.changed);
    assert!(written.text.contains(&written.changed[0]));
    let as_it_is = SceneOptions { heed_stops: false, ..SceneOptions::default() };
    assert!(joints(&robot.to_scene(&as_it_is).unwrap())[0]["start"].is_null());
    let start = Coordinates::from([("shoulder".to_owned(), vec![0.1])]);
    let given = SceneOptions { start, ..SceneOptions::default() };
    assert!(matches!(robot.to_scene(&given), Err(SceneError::BeyondStops { .. })));
}

#[test]
fn links_that_overlap_at_the_start_are_told_all_at_once_and_excluded() {
    let ball = |name: &str| {
        format!(
            "<link name='{name}'><inertial><mass value='1'/>\
             <inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>\
             <collision><geometry><sphere radius='0.3'/></geometry></collision></link>"
        )
    };
    let joint = |name: &str, parent: &str, child: &str| {
        format!(
            "<joint name='{name}' type='continuous'><origin xyz='0.21 0 0'/><parent link='{parent}'/>\
             <child link='{child}'/></joint>"
        )
    };
    let links: String = ["a", "b", "c", "d"].map(ball).concat();
    let joints = [joint("1", "a", "b"), joint("2", "b", "c"), joint("3", "c", "d")].concat();
    let robot = robot(urdf(&format!("<robot name='r'>{links}{joints}</robot>")));
    let mut text = robot.to_scene(&SceneOptions::default()).unwrap();
    let scene = |text: &str| {
        load(&Source::text("scene.toml", text), &Options::default(), &DiskFiles).scene.unwrap()
    };
    // Neighbours take no notice of each other anyway, and a and d are apart.
    assert_eq!(scene(&text).overlaps().unwrap(), [[0, 2], [1, 3]]);
    assert!(scene(&text).build(1).is_err());
    crate::robot::exclude_overlaps(&mut text, &[["a", "c"], ["b", "d"]]);
    assert!(scene(&text).overlaps().unwrap().is_empty());
    scene(&text).build(1).unwrap().advance_to(0.0).unwrap();
}
