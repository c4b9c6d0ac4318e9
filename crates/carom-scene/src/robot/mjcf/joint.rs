//! `<joint>` and `<freejoint>`.

use carom_geometry::Pose;
use glam::DVec3;

use super::Mjcf;
use super::defaults::Resolved;
use crate::robot::description::{Joint, JointKind};
use crate::robot::fault::FaultKind;

/// Attributes of a joint that are read.
pub(super) const KNOWN: &[&str] = &[
    "type",
    "pos",
    "axis",
    "range",
    "limited",
    "ref",
    "springref",
    "stiffness",
    "damping",
    "frictionloss",
    "armature",
    "actuatorfrcrange",
    "actuatorfrclimited",
];

impl<'t> Mjcf<'_, '_, 't> {
    /// The kind of a joint; none, with a fault noted, if there is no such kind.
    pub(super) fn joint_kind(&self, joint: &Resolved<'t>) -> Option<JointKind> {
        if joint.element.tag() == "freejoint" {
            return Some(JointKind::Free);
        }
        let Some(kind) = joint.attribute("type") else { return Some(JointKind::Revolute) };
        match kind.value {
            "hinge" => Some(JointKind::Revolute),
            "slide" => Some(JointKind::Prismatic),
            "ball" => Some(JointKind::Spherical),
            "free" => Some(JointKind::Free),
            _ => {
                self.reader.bad_value(&kind, "hinge, slide, ball or free");
                None
            }
        }
    }

    /// Reads what a joint says into `joint`, whose kind, name and links are known. `parent_from_frame` is where the
    /// body is before the joint moves it, `body_from_frame` the frame that the joint's place is given in.
    pub(super) fn fill_joint(
        &self,
        resolved: &Resolved<'t>,
        joint: &mut Joint,
        parent_from_body: &Pose,
        body_from_frame: &Pose,
    ) -> Option<()> {
        let reader = self.reader;
        if joint.kind == JointKind::Free {
            return self.free_joint(joint, parent_from_body, resolved);
        }
        let is_turn = matches!(joint.kind, JointKind::Revolute);
        let is_ball = joint.kind == JointKind::Spherical;
        let unit = if is_turn || is_ball { self.compiler.angle } else { 1.0 };
        let at = reader.vector(resolved.attribute("pos")).unwrap_or(DVec3::ZERO);
        let anchor = body_from_frame.point(at);
        joint.parent_from_joint = parent_from_body.then_from(&Pose::from_translation(anchor));
        joint.joint_from_child = Pose::from_translation(-anchor);
        if let Some(axis) = resolved.attribute("axis")
            && !is_ball
        {
            let given = reader.axis(reader.vector(Some(axis))?, &joint.name, axis.place, false)?;
            joint.axis = body_from_frame.vector(given);
        } else {
            joint.axis = body_from_frame.vector(DVec3::Z);
        }
        if !is_ball {
            joint.reference = reader.number(resolved.attribute("ref")).unwrap_or(0.0) * unit;
            joint.rest = reader.number(resolved.attribute("springref")).unwrap_or(0.0) * unit;
            joint.start = vec![joint.reference];
        }
        self.limits(resolved, joint, unit)?;
        let number = |name| reader.number(resolved.attribute(name)).unwrap_or(0.0);
        joint.stiffness = number("stiffness");
        joint.damping = number("damping");
        joint.friction = number("frictionloss");
        joint.armature = number("armature");
        Some(())
    }

    fn limits(&self, resolved: &Resolved<'t>, joint: &mut Joint, unit: f64) -> Option<()> {
        let reader = self.reader;
        let range = resolved.attribute("range");
        if self.compiler.is_limited(reader, resolved.attribute("limited"), range.is_some()) {
            let [lower, upper] = reader.exactly(range)?;
            if lower > upper {
                reader.fault(range?.place, FaultKind::Limits { lower, upper });
                return None;
            }
            joint.limits = Some([lower * unit, upper * unit]);
        }
        let forces = resolved.attribute("actuatorfrcrange");
        let flag = resolved.attribute("actuatorfrclimited");
        if self.compiler.is_limited(reader, flag, forces.is_some()) {
            let [lower, upper] = reader.exactly(forces)?;
            joint.effort = Some(f64::max(lower.abs(), upper.abs()));
        }
        Some(())
    }

    /// Its coordinates are the place in the world; it starts where the body is.
    fn free_joint(
        &self,
        joint: &mut Joint,
        world_from_body: &Pose,
        free: &Resolved<'t>,
    ) -> Option<()> {
        if joint.parent.is_some() {
            let message = "free joints are supported in bodies of the world only";
            self.reader.fault(free.element.place(), FaultKind::NotSupported(message.to_owned()));
            return None;
        }
        // Forces of a free joint act on a body that is free.
        for name in ["stiffness", "damping", "frictionloss", "armature"] {
            if let Some(attribute) = free.attribute(name)
                && free.element.tag() == "joint"
                && self.reader.number(Some(attribute)) != Some(0.0)
            {
                free.leave_stated(name);
            }
        }
        let (at, turn) = (world_from_body.translation, world_from_body.rotation);
        joint.start = vec![at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w];
        Some(())
    }
}
