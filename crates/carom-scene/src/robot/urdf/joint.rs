//! Joints of URDF.

use glam::DVec3;

use super::Urdf;
use crate::robot::description::{Joint, JointKind, Robot};
use crate::robot::fault::FaultKind;
use crate::robot::xml::Element;

impl Urdf<'_, '_> {
    pub(super) fn joint(&self, element: &Element<'_>, robot: &Robot) -> Option<Joint> {
        let reader = self.reader;
        let name = reader.required(element, "name");
        let kind = reader.required(element, "type");
        let (parent, child) = (self.end(element, "parent"), self.end(element, "child"));
        let (name, stated) = (name?, kind?);
        let mut joint = Joint::new(name.value.to_owned(), JointKind::Fixed, Some(parent?), child?);
        if robot.joints.iter().any(|other| other.name == joint.name) {
            let kind = FaultKind::NameTaken { what: "joints", name: joint.name.clone() };
            reader.fault(name.place, kind);
        }
        let kind = match stated.value {
            "revolute" | "continuous" => JointKind::Revolute,
            "prismatic" => JointKind::Prismatic,
            "fixed" => JointKind::Fixed,
            "floating" => JointKind::Free,
            "planar" => JointKind::Planar,
            _ => {
                let kinds = "revolute, continuous, prismatic, fixed, floating or planar";
                reader.bad_value(&stated, kinds);
                return None;
            }
        };
        joint.kind = kind;
        joint.start = Joint::new(String::new(), kind, None, 0).start;
        joint.parent_from_joint = self.origin(element);
        let has_axis =
            matches!(kind, JointKind::Revolute | JointKind::Prismatic | JointKind::Planar);
        // An axis of a fixed joint is not read, and so told.
        if has_axis {
            joint.axis = self.axis(element, &joint.name)?;
        }
        let has_limits = matches!(stated.value, "revolute" | "prismatic");
        if has_axis {
            self.limits(element, &mut joint, has_limits)?;
            self.dynamics(element, &mut joint);
        }
        Some(joint)
    }

    /// Index of the link that a `<parent>` or `<child>` names.
    fn end(&self, element: &Element<'_>, tag: &'static str) -> Option<usize> {
        let Some(end) = self.only(element, tag) else {
            let kind = FaultKind::MissingElement { element: "joint".to_owned(), child: tag };
            self.reader.fault(element.place(), kind);
            return None;
        };
        let name = self.reader.required(&end, "link")?;
        let found = self.links.get(name.value).map(|(index, _)| *index);
        if found.is_none() {
            let kind = FaultKind::Unknown { what: "link", name: name.value.to_owned() };
            self.reader.fault(name.place, kind);
        }
        found
    }

    fn axis(&self, element: &Element<'_>, joint: &str) -> Option<DVec3> {
        let Some(axis) = self.only(element, "axis") else { return Some(DVec3::X) };
        let xyz = self.reader.required(&axis, "xyz")?;
        self.reader.axis(self.reader.vector(Some(xyz))?, joint, xyz.place, true)
    }

    fn limits(&self, element: &Element<'_>, joint: &mut Joint, has_limits: bool) -> Option<()> {
        let Some(limit) = self.only(element, "limit") else {
            if has_limits {
                let kind =
                    FaultKind::MissingElement { element: "joint".to_owned(), child: "limit" };
                self.reader.fault(element.place(), kind);
                return None;
            }
            return Some(());
        };
        let number = |name| self.reader.number(limit.attribute(name));
        joint.effort = number("effort");
        joint.speed = number("velocity");
        if has_limits {
            let (lower, upper) = (number("lower").unwrap_or(0.0), number("upper").unwrap_or(0.0));
            if lower > upper {
                self.reader.fault(limit.place(), FaultKind::Limits { lower, upper });
                return None;
            }
            joint.limits = Some([lower, upper]);
        }
        Some(())
    }

    fn dynamics(&self, element: &Element<'_>, joint: &mut Joint) {
        let Some(dynamics) = self.only(element, "dynamics") else { return };
        let number = |name| self.reader.number(dynamics.attribute(name)).unwrap_or(0.0);
        joint.damping = number("damping");
        joint.friction = number("friction");
    }
}
