//! Robots from URDF and MJCF files, and as scenes.
//!
//! **Takes** the file of a robot. **Gives** a [`Robot`], plain data in which both formats are one, and a list of
//! everything that nothing was made of. **Refuses to know** how robots move.
//!
//! ```text
//! read_urdf ┐                     ┌ faults: what is wrong, typed, with places
//!           ├→ Imported { robot } ┤
//! read_mjcf ┘         │           └ leftovers: every element and attribute that was not read, and why
//!                     └→ Robot::to_scene → TOML
//! ```
//!
//! A robot is a tree. A joint with coordinates q places its child by
//!
//! parent_from_child = parent_from_joint · motion(q − reference) · joint_from_child          (1)
//!
//! URDF puts the frame of the child at the joint, so joint_from_child is the identity. MJCF puts joints anywhere in
//! the body they move and may have several, which act one after the other from the parent outward; with body_from_anchor
//! the shift to the joint, (1) holds with parent_from_body · body_from_anchor before and anchor_from_body after the
//! motion, and links without mass stand between the joints of one body.
//!
//! Mass is in the frame of the link, about its centre. Where MJCF gives shapes only, a body's mass is the sum over its
//! shapes, each evenly filled.
//!
//! Nothing is dropped in silence: reading marks every element and attribute it has understood, and what is not marked in
//! the end is listed. No document types, no entities, bounded size and depth.

mod description;
mod fault;
mod inertias;
mod meshes;
mod mjcf;
mod pose;
mod reader;
mod urdf;
mod write;
mod xml;

#[cfg(test)]
mod tests;

pub use description::{
    Actuator, ActuatorKind, Coordinates, Geometry, GeometryShape, Joint, JointKind, Keyframe, Link,
    Mesh, Robot,
};
pub use fault::{Fault, FaultKind, Leftover, Why};
pub use reader::ReadOptions;
pub use write::{
    Base, FixedJoints, MeshSurface, SceneError, SceneOptions, Written, exclude_overlaps,
};
pub use xml::RobotLimits;

use crate::files::Files;
use crate::load::Source;
use crate::problem::Problems;

/// What came of reading a robot.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The robot; none if there are errors.
    pub robot: Option<Robot>,
    /// Faults and leftovers by place, to be shown; what is inside of a leftover element is counted with it.
    pub problems: Problems,
    /// Everything that is wrong.
    pub faults: Vec<Fault>,
    /// Every element, attribute and text that nothing was made of.
    pub leftovers: Vec<Leftover>,
}

/// Reads a robot in URDF.
pub fn read_urdf(source: &Source, options: &ReadOptions, files: &dyn Files) -> Imported {
    urdf::read(source, options, files)
}

/// Reads a robot in MJCF, MuJoCo's format: its bodies, joints, shapes, masses, motors and defaults.
pub fn read_mjcf(source: &Source, options: &ReadOptions, files: &dyn Files) -> Imported {
    mjcf::read(source, options, files)
}
