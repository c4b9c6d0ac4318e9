//! MJCF.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::DQuat;

use super::*;
use crate::robot::{ActuatorKind, Coordinates, JointKind};

/// A body with one attribute of orientation.
fn turned(compiler: &str, orientation: &str) -> DQuat {
    let text = format!(
        "<mujoco>{compiler}<worldbody><body name='a' {orientation}><geom size='1'/></body></worldbody></mujoco>"
    );
    let robot = robot(mjcf(&text));
    robot.world_from_links(&Pose::IDENTITY, &Coordinates::new())[0].rotation
}

#[test]
fn orientations_in_all_spellings_are_the_same_turn() {
    let half = 0.5_f64.sqrt();
    let radian = "<compiler angle='radian'/>";
    let about_z = DQuat::from_xyzw(0.0, 0.0, half, half);
    let spellings = [
        ("", "quat='2 0 0 2'"),
        ("", "axisangle='0 0 5 90'"),
        (radian, "axisangle='0 0 1 1.5707963267948966'"),
        ("", "euler='0 0 90'"),
        (radian, "euler='0 0 1.5707963267948966'"),
        ("", "xyaxes='0 3 0 -1 1 0'"),
        ("<compiler eulerseq='zxy'/>", "euler='90 0 0'"),
    ];
    for (compiler, orientation) in spellings {
        let gap = (turned(compiler, orientation) * about_z.inverse()).xyz().length();
        println!("{orientation}: {gap:e}");
        assert!(gap < ROUNDING, "{orientation}");
    }
    // z goes to y by a turn about x, against the right hand.
    let to_y = turned("", "zaxis='0 2 0'");
    assert!(
        (to_y * DVec3::Z - DVec3::Y).length() < ROUNDING
            && (to_y * DVec3::X - DVec3::X).length() < ROUNDING
    );
    // Small letters turn with the body, capitals about fixed axes: the same angles in the opposite order.
    let intrinsic = turned("<compiler eulerseq='xyz'/>", "euler='10 20 30'");
    let extrinsic = turned("<compiler eulerseq='ZYX'/>", "euler='30 20 10'");
    assert!((intrinsic * extrinsic.inverse()).xyz().length() < ROUNDING);
}

#[test]
fn joints_of_one_body_act_one_after_the_other_about_their_anchors() {
    let text = r#"<mujoco><worldbody>
        <body name="a" pos="0 0 1">
          <joint name="slide" type="slide" axis="1 0 0"/>
          <joint name="first" pos="0 0 -0.5" axis="0 1 0" ref="30"/>
          <joint name="second" axis="0 0 2"/>
          <geom size="0.1"/>
        </body></worldbody></mujoco>"#;
    let imported = mjcf(text);
    assert!(imported.leftovers.is_empty(), "{:?}", imported.leftovers);
    let robot = robot(imported);
    assert_eq!(robot.links.len(), 3);
    assert!(robot.links[..2].iter().all(|link| link.mass.is_none()));
    assert_eq!(robot.joint("first").unwrap().start, [30.0 * PI / 180.0]);
    let start = robot.world_from_links(&Pose::IDENTITY, &Coordinates::new());
    assert!(apart(&start[2], &Pose::from_translation(DVec3::Z)) < ROUNDING);
    let q = Coordinates::from([
        ("slide".into(), vec![0.25]),
        ("first".into(), vec![30.0 * PI / 180.0 + FRAC_PI_2]),
        ("second".into(), vec![FRAC_PI_2]),
    ]);
    let pose = robot.world_from_links(&Pose::IDENTITY, &q)[2];
    // About (0.25, ·, 0.5) the body tips over to x, and then turns about its own z, which is x by now.
    assert!((pose.translation - DVec3::new(0.75, 0.0, 0.5)).length() < ROUNDING, "{pose:?}");
    assert!((pose.vector(DVec3::X) - DVec3::Y).length() < ROUNDING, "{pose:?}");
}

#[test]
fn defaults_are_inherited_class_by_class() {
    let text = r#"<mujoco>
      <default>
        <geom size="0.1" rgba="1 0 0 1"/><joint damping="1" armature="0.5"/>
        <default class="leg"><joint damping="2"/>
          <default class="shin"><joint axis="0 1 0" range="-90 90"/><geom type="capsule" size="0.1 0.2"/></default>
        </default>
      </default>
      <worldbody>
        <body name="plain"><joint name="j0"/><geom/></body>
        <body name="leg" childclass="leg"><joint name="j1"/><geom/>
          <body name="shin"><joint name="j2" class="shin" damping="3"/><geom class="shin"/></body>
          <frame childclass="shin"><body name="foot"><joint name="j3"/><geom/></body></frame>
        </body>
      </worldbody></mujoco>"#;
    let imported = mjcf(text);
    assert!(imported.leftovers.is_empty(), "{:?}", imported.leftovers);
    let robot = robot(imported);
    let damping = |name: &str| robot.joint(name).unwrap().damping;
    assert_eq!(["j0", "j1", "j2", "j3"].map(damping), [1.0, 2.0, 3.0, 2.0]);
    assert!(robot.joints.iter().all(|joint| joint.armature == 0.5));
    assert_eq!(robot.joint("j2").unwrap().limits, Some([-FRAC_PI_2, FRAC_PI_2]));
    assert_eq!(robot.joint("j3").unwrap().axis, DVec3::Y);
    assert_eq!(robot.joint("j1").unwrap().axis, DVec3::Z);
    assert_eq!(robot.links[0].collisions[0].color, Some([1.0, 0.0, 0.0, 1.0]));
}

#[test]
fn angles_are_degrees_unless_the_file_says_radians() {
    let text = |compiler: &str, range: &str| {
        format!(
            "<mujoco>{compiler}<worldbody><body><joint name='h' range='{range}' springref='{range_end}' stiffness='1'/>\
             <joint name='s' type='slide' range='-1 1'/><geom size='1'/></body></worldbody></mujoco>",
            range_end = range.split(' ').next_back().unwrap()
        )
    };
    let degrees = robot(mjcf(&text("", "-180 180")));
    let radians =
        robot(mjcf(&text("<compiler angle='radian'/>", "-3.141592653589793 3.141592653589793")));
    for robot in [&degrees, &radians] {
        assert_eq!(robot.joint("h").unwrap().limits, Some([-PI, PI]));
        assert_eq!(robot.joint("h").unwrap().rest, PI);
        assert_eq!(robot.joint("s").unwrap().limits, Some([-1.0, 1.0]));
    }
    // Without autolimits a range counts only where `limited` says so.
    let without = robot(mjcf(&text("<compiler autolimits='false'/>", "-180 180")));
    assert_eq!(without.joint("h").unwrap().limits, None);
}

#[test]
fn motors_keyframes_exclusions_and_the_world() {
    let text = r#"<mujoco model="m">
      <option gravity="0 0 -1.62"/>
      <default><motor ctrlrange="-2 2"/></default>
      <worldbody>
        <geom name="floor" type="plane" size="1 1 0.1"/>
        <body name="a" pos="0 0 3"><freejoint name="root"/><geom size="0.1"/>
          <body name="b" pos="0.3 0 0"><joint name="ball" type="ball"/><geom size="0.1"/>
            <body name="c" pos="0.3 0 0"><joint name="hinge"/><geom size="0.1"/></body></body></body>
      </worldbody>
      <actuator>
        <motor name="m1" joint="hinge" gear="50"/>
        <position name="p1" joint="hinge" kp="10" kv="2" forcerange="-3 3"/>
        <general joint="hinge" gainprm="7" biastype="affine" biasprm="0 -7 -1"/>
      </actuator>
      <contact><exclude body1="a" body2="c"/></contact>
      <keyframe><key name="up" qpos="1 2 3 0.5 0.5 0.5 0.5  0 1 0 0  0.7" qvel="0 0 0 0 0 0 0 0 0 2"/></keyframe>
    </mujoco>"#;
    let imported = mjcf(text);
    assert!(imported.leftovers.is_empty(), "{:?}", imported.leftovers);
    let robot = robot(imported);
    assert_eq!(robot.gravity, Some(DVec3::new(0.0, 0.0, -1.62)));
    assert_eq!(robot.links[0].name, "floor");
    assert_eq!(robot.joint("root").unwrap().start, [0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(robot.joint("ball").unwrap().kind, JointKind::Spherical);
    assert_eq!(robot.actuators[0].control_range, Some([-2.0, 2.0]));
    assert_eq!(robot.actuators[0].gear, 50.0);
    assert_eq!(robot.actuators[1].kind, ActuatorKind::Position { gain: 10.0, damping: 2.0 });
    assert_eq!(robot.actuators[2].kind, ActuatorKind::Position { gain: 7.0, damping: 1.0 });
    assert_eq!(robot.exclusions, [[1, 3]]);
    let frame = &robot.keyframes[0];
    assert_eq!(frame.coordinates["ball"], [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(frame.coordinates["root"], [1.0, 2.0, 3.0, 0.5, 0.5, 0.5, 0.5]);
    assert_eq!(frame.rates["hinge"], 2.0);
}

#[test]
fn included_files_stand_in_the_place_of_the_include() {
    use crate::files::{EmbeddedFile, EmbeddedFiles};
    let part = "<mujocoinclude><body name='b'><joint/><geom size='1' solref='1 1'/></body></mujocoinclude>";
    let files = EmbeddedFiles::new([EmbeddedFile {
        path: "part.xml".into(),
        bytes: part.as_bytes().into(),
    }]);
    let text = "<mujoco><worldbody><include file='part.xml'/></worldbody></mujoco>";
    let imported = read_mjcf(&Source::text("r.xml", text), &ReadOptions::default(), &files);
    let report = imported.problems.reports();
    assert_eq!(report.len(), 1, "{}", imported.problems);
    assert_eq!(report[0].at.as_ref().unwrap().file, "part.xml");
    assert_eq!(robot(imported).links[0].name, "b");
    let twice = "<mujoco><worldbody><include file='part.xml'/><include file='part.xml'/></worldbody></mujoco>";
    let imported = read_mjcf(&Source::text("r.xml", twice), &ReadOptions::default(), &files);
    assert!(matches!(faults(&imported)[..], [FaultKind::Twice(_)]), "{}", imported.problems);
}

#[test]
fn gravity_is_that_of_the_format_unless_the_file_states_it() {
    let of = |option: &str| {
        let text = format!(
            r#"<mujoco>{option}<worldbody><body name="a"><joint name="j"/><geom size="0.1"/></body></worldbody></mujoco>"#
        );
        robot(mjcf(&text)).gravity
    };
    assert_eq!(of(""), Some(DVec3::new(0.0, 0.0, -9.81)));
    assert_eq!(of(r#"<option gravity="0 0 -2"/>"#), Some(DVec3::new(0.0, 0.0, -2.0)));
    assert_eq!(of(r#"<option><flag gravity="disable"/></option>"#), Some(DVec3::ZERO));
}

/// A motor that takes a force is the joint's effort; beside one without a bound there is none to write.
#[test]
fn a_motor_beside_a_servo_without_a_bound_is_told() {
    let with = |range: &str| {
        robot(mjcf(&format!(
            "<mujoco><worldbody><body name='b'><joint name='hinge'/><geom size='1'/></body></worldbody><actuator>\
             <motor name='m' joint='hinge' ctrlrange='-2 2' ctrllimited='true'/>\
             <position name='p' joint='hinge' kp='10' {range}/></actuator></mujoco>"
        )))
    };
    let told = with("").unwritten();
    println!("{told:?}");
    assert!(told.iter().any(|line| line.starts_with("actuator m of joint hinge: all of it")));
    assert!(!with("").to_scene(&crate::robot::SceneOptions::default()).unwrap().contains("effort"));
    let bounded = with("forcerange='-3 3' forcelimited='true'");
    assert!(bounded.unwritten().is_empty(), "{:?}", bounded.unwritten());
    let scene = bounded.to_scene(&crate::robot::SceneOptions::default()).unwrap();
    assert!(scene.contains("effort = 5"), "{scene}");
}
