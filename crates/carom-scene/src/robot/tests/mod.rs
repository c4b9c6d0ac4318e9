//! Robots written by hand, against numbers worked out by hand.

mod inertias;
mod leftovers;
mod mistakes;
mod mjcf;
mod scene;
mod survive;
mod urdf;

use carom_geometry::Pose;
use glam::{DMat3, DVec3};

use super::{FaultKind, Imported, ReadOptions, Robot, read_mjcf, read_urdf};
use crate::files::DiskFiles;
use crate::load::Source;

fn urdf(text: &str) -> Imported {
    read_urdf(&Source::text("robot.urdf", text), &ReadOptions::default(), &DiskFiles)
}

fn mjcf(text: &str) -> Imported {
    read_mjcf(&Source::text("robot.xml", text), &ReadOptions::default(), &DiskFiles)
}

fn robot(imported: Imported) -> Robot {
    let text = imported.problems.render(false);
    imported.robot.unwrap_or_else(|| panic!("{text}"))
}

/// Kinds of all faults.
fn faults(imported: &Imported) -> Vec<FaultKind> {
    imported.faults.iter().map(|fault| fault.kind.clone()).collect()
}

/// Largest difference of two poses, lengths in metres and entries of rotation matrices.
fn apart(a: &Pose, b: &Pose) -> f64 {
    let turn = (a.rotation_matrix() - b.rotation_matrix()).to_cols_array();
    let turn = turn.into_iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
    turn.max((a.translation - b.translation).abs().max_element())
}

fn matrix_apart(a: &DMat3, b: &DMat3) -> f64 {
    (*a - *b).to_cols_array().into_iter().fold(0.0, |most: f64, entry| most.max(entry.abs()))
}

fn at(robot: &Robot, poses: &[Pose], link: &str) -> DVec3 {
    poses[robot.link(link).unwrap()].translation
}

/// Rounding of a few products of numbers near 1.
const ROUNDING: f64 = 4e-15;

/// A two-link arm with a gripper that is fixed to it.
const ARM: &str = r#"<?xml version="1.0"?>
<robot name="arm">
  <material name="steel"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="base">
    <collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision>
    <visual><geometry><cylinder radius="0.1" length="0.1"/></geometry><material name="steel"/></visual>
  </link>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 0.25" rpy="0 0 1.5707963267948966"/>
      <mass value="2"/>
      <inertia ixx="0.02" ixy="0.001" ixz="0" iyy="0.03" iyz="0" izz="0.04"/>
    </inertial>
    <collision><origin xyz="0 0 0.25"/><geometry><capsule radius="0.04" length="0.4"/></geometry></collision>
    <collision><geometry><sphere radius="0.05"/></geometry></collision>
  </link>
  <link name="lower">
    <inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
  </link>
  <link name="tool"/>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 0.1" rpy="0 0 0"/><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="2" effort="100" velocity="3"/><dynamics damping="0.1" friction="0.05"/>
  </joint>
  <joint name="elbow" type="continuous">
    <origin xyz="0 0 0.5" rpy="1.5707963267948966 0 0"/><parent link="upper"/><child link="lower"/>
    <axis xyz="0 0 1"/><limit effort="20" velocity="5"/>
  </joint>
  <joint name="grip" type="fixed"><origin xyz="0.3 0 0"/><parent link="lower"/><child link="tool"/></joint>
</robot>
"#;
