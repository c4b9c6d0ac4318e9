//! URDF.

use std::f64::consts::FRAC_PI_2;

use super::*;
use crate::robot::{Coordinates, GeometryShape, JointKind};

#[test]
fn links_stand_where_the_joints_put_them() {
    let robot = robot(urdf(ARM));
    let q = Coordinates::from([("shoulder".into(), vec![FRAC_PI_2]), ("elbow".into(), vec![0.3])]);
    let poses = robot.world_from_links(&Pose::IDENTITY, &q);
    // The upper arm points along x; its own z is x, its own y is y, its own x is −z.
    // The elbow's frame is turned about that x by 90°: its y is the arm's z and its z is the arm's −y.
    let elbow = DVec3::new(0.5, 0.0, 0.1);
    let tool = elbow + 0.3 * (libm::cos(0.3) * DVec3::NEG_Z + libm::sin(0.3) * DVec3::X);
    let gaps = [
        (at(&robot, &poses, "lower") - elbow).length(),
        (at(&robot, &poses, "tool") - tool).length(),
    ];
    println!("gaps to the exact places: {gaps:?} m");
    assert!(gaps.iter().all(|gap| *gap < ROUNDING));
}

#[test]
fn inertia_is_turned_into_the_frame_of_the_link() {
    let robot = robot(urdf(ARM));
    let mass = robot.links[1].mass.unwrap();
    // Turned by 90° about z: xx and yy change places and xy its sign.
    let exact =
        DMat3::from_cols_array_2d(&[[0.03, -0.001, 0.0], [-0.001, 0.02, 0.0], [0.0, 0.0, 0.04]]);
    let gap = matrix_apart(&mass.inertia, &exact);
    println!("{gap:e} kg·m²");
    assert!(gap < 1e-17);
    assert_eq!((mass.mass, mass.center), (2.0, DVec3::new(0.0, 0.0, 0.25)));
    assert_eq!(robot.total_mass(), 3.0);
}

#[test]
fn joints_keep_what_the_file_says_of_them() {
    let robot = robot(urdf(ARM));
    let shoulder = robot.joint("shoulder").unwrap();
    assert_eq!(shoulder.kind, JointKind::Revolute);
    assert_eq!(shoulder.limits, Some([-1.5, 2.0]));
    assert_eq!((shoulder.effort, shoulder.speed), (Some(100.0), Some(3.0)));
    assert_eq!((shoulder.damping, shoulder.friction), (0.1, 0.05));
    let elbow = robot.joint("elbow").unwrap();
    assert_eq!((elbow.kind, elbow.limits, elbow.effort), (JointKind::Revolute, None, Some(20.0)));
    assert_eq!(robot.joint("grip").unwrap().kind, JointKind::Fixed);
    assert_eq!(robot.roots(), [0]);
    assert_eq!(robot.links[0].visuals[0].color, Some([0.5, 0.5, 0.5, 1.0]));
    let capsule = GeometryShape::Capsule { radius: 0.04, length: 0.4 };
    assert_eq!(robot.links[1].collisions[0].shape, capsule);
}

#[test]
fn every_kind_of_joint_moves_as_it_is_defined() {
    let kinds = ["prismatic", "floating", "planar"];
    let joint = |kind: &str| {
        format!(
            "<robot name='k'><link name='a'/><link name='b'/><joint name='j' type='{kind}'>\
             <origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><parent link='a'/><child link='b'/>\
             {}{}</joint></robot>",
            if kind == "floating" { "" } else { "<axis xyz='0 0 1'/>" },
            if kind == "prismatic" { "<limit lower='0' upper='1'/>" } else { "" },
        )
    };
    let values = [vec![0.5], vec![0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], vec![0.5, 0.25, 0.0]];
    let exact = [[1.0, 2.0, 3.5], [1.0, 2.5, 3.0], [0.75, 2.5, 3.0]];
    for ((kind, values), exact) in kinds.iter().zip(values).zip(exact) {
        let imported = urdf(&joint(kind));
        assert!(imported.leftovers.is_empty(), "{:?}", imported.leftovers);
        let robot = robot(imported);
        let poses =
            robot.world_from_links(&Pose::IDENTITY, &Coordinates::from([("j".into(), values)]));
        let gap = (poses[1].translation - DVec3::from_array(exact)).length();
        println!("{kind}: {gap:e} m");
        assert!(gap < ROUNDING, "{kind}");
    }
}

#[test]
fn meshes_are_found_by_package_path_and_search_folder() {
    use crate::files::{EmbeddedFile, EmbeddedFiles};
    let tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    let file =
        |path: &str| EmbeddedFile { path: path.into(), bytes: tetrahedron.as_bytes().into() };
    let files = EmbeddedFiles::new([
        file("ws/my_robot/meshes/a.obj"),
        file("ws/my_robot/urdf/b.obj"),
        file("elsewhere/c.obj"),
        file("elsewhere/other/d.obj"),
    ]);
    let mesh = |name: &str| {
        format!(
            "<collision><geometry><mesh filename='{name}' scale='1 -2 1'/></geometry></collision>"
        )
    };
    let text = format!(
        "<robot name='m'><link name='a'>{}{}{}{}{}</link></robot>",
        mesh("package://my_robot/meshes/a.obj"),
        mesh("b.obj"),
        mesh("c.obj"),
        mesh("package://other/d.obj"),
        mesh("package://other/missing.obj"),
    );
    let options = ReadOptions { search: vec!["elsewhere".into()], ..ReadOptions::default() };
    let source = Source::Text { name: "r.urdf".into(), text, folder: "ws/my_robot/urdf".into() };
    let imported = read_urdf(&source, &options, &files);
    assert_eq!(imported.faults.len(), 1, "{}", imported.problems);
    let FaultKind::MeshNotFound { name, tried } = &imported.faults[0].kind else { panic!() };
    assert_eq!(name, "package://other/missing.obj");
    assert!(tried.iter().any(|path| path == "elsewhere/other/missing.obj"), "{tried:?}");
    assert!(imported.faults[0].place.is_some());
}
