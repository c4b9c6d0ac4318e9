//! Masses.

use std::f64::consts::PI;

use super::*;

/// Moments of a body with one shape, against closed forms.
#[test]
fn shapes_at_a_density_have_the_moments_of_their_closed_forms() {
    let (r, h) = (0.3_f64, 0.8_f64);
    let cylinder = PI * r * r * h * 500.0;
    let ball = 4.0 / 3.0 * PI * r * r * r * 500.0;
    // A capsule: the cylinder, and two half balls whose centres are 3r/8 beyond its ends.
    let ends = ball * (2.0 / 5.0 * r * r + h * h / 4.0 + 3.0 / 8.0 * h * r);
    let across = cylinder * (r * r / 4.0 + h * h / 12.0);
    let cases = [
        ("type='sphere' size='0.3'", ball, [0.4 * ball * r * r; 3]),
        (
            "type='box' size='0.1 0.2 0.3'",
            24.0,
            [24.0 * 0.52 / 12.0, 24.0 * 0.4 / 12.0, 24.0 * 0.2 / 12.0],
        ),
        ("type='cylinder' size='0.3 0.4'", cylinder, [across, across, 0.5 * cylinder * r * r]),
        (
            "type='capsule' size='0.3 0.4'",
            cylinder + ball,
            [across + ends, across + ends, 0.5 * cylinder * r * r + 0.4 * ball * r * r],
        ),
        (
            "type='ellipsoid' size='0.1 0.2 0.3'",
            500.0 * 4.0 / 3.0 * PI * 0.006,
            [0.13, 0.10, 0.05].map(|sum| 500.0 * 4.0 / 3.0 * PI * 0.006 * sum / 5.0),
        ),
        (
            "type='cylinder' size='0.3' fromto='0 0 -0.4 0 0 0.4'",
            cylinder,
            [across, across, 0.5 * cylinder * r * r],
        ),
    ];
    for (geom, mass, moments) in cases {
        let text = format!(
            "<mujoco><worldbody><body name='a'><geom {geom} density='500'/></body></worldbody></mujoco>"
        );
        let found = robot(mjcf(&text)).links[0].mass.unwrap();
        let exact = DMat3::from_diagonal(DVec3::from_array(moments));
        let gaps =
            (matrix_apart(&found.inertia, &exact) / moments[0], (found.mass - mass).abs() / mass);
        println!("{geom}: inertia {:e}, mass {:e} relative", gaps.0, gaps.1);
        assert!(gaps.0 < 1e-14 && gaps.1 < 1e-14, "{geom}");
    }
}

#[test]
fn two_shapes_add_up_by_the_parallel_axis_rule() {
    let text = "<mujoco><worldbody><body name='a'>\
        <geom size='0.1' pos='0 0 1' mass='1'/><geom size='0.1' pos='0 0 -1' mass='1'/><geom size='9' mass='0'/>\
        </body></worldbody></mujoco>";
    let mass = robot(mjcf(text)).links[0].mass.unwrap();
    let own = 2.0 * 0.4 * 0.01;
    let exact = DMat3::from_diagonal(DVec3::new(own + 2.0, own + 2.0, own));
    assert!(matrix_apart(&mass.inertia, &exact) < ROUNDING);
    assert_eq!((mass.mass, mass.center), (2.0, DVec3::ZERO));
}

#[test]
fn inertiafromgeom_groups_and_total_mass_are_obeyed() {
    let text = |compiler: &str| {
        format!(
            "<mujoco><compiler {compiler}/><worldbody><body name='a'>\
             <inertial pos='0 0 0' mass='7' fullinertia='1 2 2.5 0.1 0.2 0.3'/><geom size='0.1' mass='1'/>\
             <geom size='0.1' mass='2' group='3'/></body></worldbody></mujoco>"
        )
    };
    let mass = |compiler: &str| robot(mjcf(&text(compiler))).links[0].mass.unwrap();
    let stated = mass("angle='degree'");
    assert_eq!((stated.mass, stated.inertia.x_axis.to_array()), (7.0, [1.0, 0.1, 0.2]));
    assert_eq!(stated.inertia.y_axis.z, 0.3);
    assert_eq!(mass("inertiafromgeom='true'").mass, 3.0);
    assert_eq!(mass("inertiafromgeom='true' inertiagrouprange='0 2'").mass, 1.0);
    let scaled = mass("settotalmass='14'");
    assert_eq!((scaled.mass, scaled.inertia.x_axis.x), (14.0, 2.0));
}

#[test]
fn an_impossible_inertia_is_refused_unless_it_moves_with_a_possible_one() {
    let link = |name: &str, moments: [f64; 3]| {
        let [x, y, z] = moments;
        format!(
            "<link name='{name}'><inertial><mass value='1'/>\
             <inertia ixx='{x}' ixy='0' ixz='0' iyy='{y}' iyz='0' izz='{z}'/></inertial></link>"
        )
    };
    let text = |kind: &str| {
        format!(
            "<robot name='r'>{}{}<joint name='j' type='{kind}'><parent link='a'/><child link='b'/></joint></robot>",
            link("a", [1.0, 1.0, 1.0]),
            link("b", [0.1, 0.1, 0.3])
        )
    };
    let fixed = urdf(&text("fixed"));
    assert!(matches!(faults(&fixed)[..], [FaultKind::InertiaOfPart { .. }]), "{}", fixed.problems);
    assert!(fixed.robot.is_some());
    let moving = urdf(&text("continuous"));
    assert!(matches!(faults(&moving)[..], [FaultKind::Inertia { .. }]), "{}", moving.problems);
    assert!(moving.robot.is_none());
    let options = ReadOptions { balance_inertia: true, ..ReadOptions::default() };
    let balanced = read_urdf(&Source::text("r", text("continuous")), &options, &DiskFiles);
    assert!(matches!(faults(&balanced)[..], [FaultKind::InertiaBalanced { .. }]));
    let inertia = robot(balanced).links[1].mass.unwrap().inertia;
    assert!(matrix_apart(&inertia, &DMat3::from_diagonal(DVec3::splat(0.5 / 3.0))) < ROUNDING);
}

#[test]
fn an_inertia_without_mass_is_left_out_and_told() {
    let text = "<robot name='r'><link name='a'><inertial><mass value='0'/>\
        <inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link></robot>";
    let imported = urdf(text);
    assert!(matches!(faults(&imported)[..], [FaultKind::InertiaWithoutMass { .. }]));
    assert_eq!(robot(imported).links[0].mass, None);
}

/// A cube of 0.2 m with one corner at the origin, as a mesh.
#[test]
fn a_mesh_has_the_mass_of_the_solid_inside_of_it() {
    use crate::files::{EmbeddedFile, EmbeddedFiles};
    let mut cube = String::new();
    for corner in 0..8 {
        cube += &format!("v {} {} {}\n", corner & 1, (corner >> 1) & 1, corner >> 2);
    }
    cube += "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    let files = EmbeddedFiles::new([EmbeddedFile {
        path: "m/cube.obj".into(),
        bytes: cube.as_bytes().into(),
    }]);
    // Mirrored in x, so that the corner is the other one.
    let text = "<mujoco><compiler meshdir='m'/><asset><mesh file='cube.obj' scale='-0.2 0.2 0.2' inertia='exact'/></asset>\
        <worldbody><body><geom type='mesh' mesh='cube' density='500'/></body></worldbody></mujoco>";
    let imported = read_mjcf(&Source::text("r.xml", text), &ReadOptions::default(), &files);
    assert!(imported.problems.is_empty(), "{}", imported.problems);
    let mass = robot(imported).links[0].mass.unwrap();
    let exact = DMat3::from_diagonal(DVec3::splat(4.0 * 0.04 / 6.0));
    let gap = matrix_apart(&mass.inertia, &exact);
    println!("mass {:e} kg off, inertia {gap:e} kg·m²", mass.mass - 4.0);
    assert!((mass.mass - 4.0).abs() < ROUNDING && gap < ROUNDING);
    assert!((mass.center - DVec3::new(-0.1, 0.1, 0.1)).length() < ROUNDING);
}
