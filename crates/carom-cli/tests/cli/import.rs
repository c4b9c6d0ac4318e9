//! `carom import` from the outside: scenes of robots, and what is told of what was not carried over.

use crate::common::{Folder, root};

/// An arm of two links with a camera that nothing is made of.
const ARM: &str = r#"<robot name="arm">
  <link name="base"><collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>
  <link name="upper">
    <inertial><origin xyz="0 0 0.2"/><mass value="2"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.01"/></inertial>
    <collision><origin xyz="0 0 0.25"/><geometry><box size="0.05 0.05 0.3"/></geometry></collision>
  </link>
  <joint name="shoulder" type="continuous">
    <origin xyz="0 0 0.05"/><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/><dynamics damping="0.1"/>
    <safety_controller soft_lower_limit="-1" k_velocity="3"/>
  </joint>
  <gazebo reference="upper"><mu1>0.2</mu1></gazebo>
</robot>"#;

#[test]
fn an_imported_arm_loads_and_runs() {
    let folder = Folder::with("arm.urdf", ARM);
    let run = folder.carom(&["import", "arm.urdf", "--out", "arm.toml", "--start", "shoulder=0.5"]);
    let run = run.ended(0).said(&["left out", "robot/gazebo", "safety_controller"]);
    assert!(run.out.starts_with("arm.toml: 2 links, 1 joint, 2 kg\n"), "{}", run.out);
    assert!(folder.text("arm.toml").contains("start = 0.5"));
    folder.carom(&["check", "arm.toml"]).ended(0);
    folder.carom(&["run", "arm.toml", "--until", "0.2", "-q"]).ended(0);
}

#[test]
fn machines_get_every_element_and_attribute_that_was_left_out() {
    let folder = Folder::with("arm.urdf", ARM);
    let json = folder.carom(&["import", "arm.urdf", "-o", "arm.toml", "--json"]).ended(0).json();
    assert_eq!((&json["links"], &json["ok"]), (&2.into(), &true.into()));
    let paths: Vec<&str> = json["left_out"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["path"].as_str().unwrap())
        .collect();
    println!("{paths:?}");
    assert!(paths.iter().any(|path| path.contains("safety_controller")));
    assert!(paths.iter().any(|path| path.ends_with("gazebo/mu1")));
}

#[test]
fn without_a_file_the_scene_goes_to_standard_output_alone() {
    let folder = Folder::with("arm.xml", ARM);
    let run = folder.carom(&["import", "arm.xml", "--base", "free", "--at", "0,0,-1", "-q"]);
    // The base has no mass, and can stand but not float.
    let run = run.ended(1).said(&["the free body `base` has no mass"]);
    assert!(run.out.contains("[[joint]]"), "{}", run.out);
}

#[test]
fn what_cannot_be_imported_says_why() {
    let folder = Folder::with("arm.urdf", ARM);
    folder.carom(&["import", "arn.urdf"]).ended(2).said(&["there is no file", "arm.urdf"]);
    let wrong = ["import", "arm.urdf", "--start", "sholder=1"];
    folder.carom(&wrong).ended(2).said(&["no joint \"sholder\"", "shoulder"]);
    folder.carom(&["import", "arm.urdf", "--start", "shoulder"]).ended(2).said(&["JOINT=VALUE"]);
    std::fs::write(folder.path("bad.urdf"), ARM.replace("\"2\"", "\"-2\"")).unwrap();
    folder.carom(&["import", "bad.urdf", "-o", "bad.toml"]).ended(1).said(&["negative"]);
    assert!(!folder.path("bad.toml").exists(), "nothing is written of a robot with mistakes");
    std::fs::write(folder.path("note.xml"), "<note/>").unwrap();
    folder.carom(&["import", "note.xml"]).ended(2).said(&["neither <robot>"]);
}

#[test]
fn the_quadruped_of_the_project_imports_whole() {
    let folder = Folder::with("empty.txt", "");
    let part = root().join("parts/quadruped.urdf");
    let part = part.to_str().unwrap();
    let run = folder.carom(&["import", part, "-o", "dog.toml", "--base", "free"]).ended(0);
    assert_eq!(run.talk, "", "nothing is left out");
    assert!(run.out.starts_with("dog.toml: 13 links, 12 joints, 10 kg\n"), "{}", run.out);
}

/// Only what was built and started is said to run.
#[test]
fn a_scene_is_said_to_run_only_if_it_starts() {
    // The tip overlaps the base, two joints on.
    let mesh = "<mesh filename=\"../meshes/tip.obj\"/>";
    let tip = r#"<link name="tip"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
      <collision><geometry><box size="1 1 1"/></geometry></collision></link>
      <joint name="wrist" type="revolute"><origin xyz="0 0 -0.02"/><parent link="upper"/><child link="tip"/><limit lower="0.2" upper="1" effort="1" velocity="1"/></joint></robot>"#;
    let arm = ARM.replace("</robot>", tip);
    let folder = Folder::with("arm.urdf", &arm);
    let run = folder.carom(&["import", "arm.urdf", "-o", "arm.toml"]).ended(0);
    let run = run.said(&["overlap at the start", "base, tip", "wrist: starts at 0.2"]);
    assert!(run.out.contains("carom run arm.toml runs it"), "{}", run.out);
    folder.carom(&["run", "arm.toml", "--until", "0.01", "-q"]).ended(0);
    let json = folder.carom(&["import", "arm.urdf", "-o", "arm.toml", "--json"]).ended(0).json();
    assert_eq!(json["overlaps"][0][1].as_str(), Some("tip"));
    let beyond = ["import", "arm.urdf", "--start", "wrist=0"];
    folder.carom(&beyond).ended(2).said(&["cannot start at 0", "0.2 and 1"]);

    std::fs::create_dir_all(folder.path("meshes")).unwrap();
    std::fs::create_dir_all(folder.path("robots")).unwrap();
    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    std::fs::write(folder.path("meshes/tip.obj"), corners).unwrap();
    let meshed = arm.replace("<box size=\"1 1 1\"/>", mesh);
    std::fs::write(folder.path("robots/arm.urdf"), meshed).unwrap();
    let outside = ["import", "robots/arm.urdf", "-o", "robots/arm.toml"];
    let run = folder.carom(&outside).ended(1).said(&["outside the folder", "--allow-path"]);
    assert!(run.out.contains("does not run") && !run.out.contains("runs it"), "{}", run.out);
    let run = folder.carom(&[&outside[..], &["--allow-path", "meshes"]].concat()).ended(0);
    assert!(
        run.out.contains("carom run robots/arm.toml --allow-path meshes runs it"),
        "{}",
        run.out
    );
}
