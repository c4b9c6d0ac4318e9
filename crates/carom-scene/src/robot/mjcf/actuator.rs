//! `<actuator>`: motors on joints.

use super::Mjcf;
use super::defaults::Resolved;
use crate::robot::description::{Actuator, ActuatorKind};
use crate::robot::fault::FaultKind;
use crate::robot::xml::Element;

/// Attributes of a motor that are read.
pub(super) const KNOWN: &[&str] = &[
    "gear",
    "ctrlrange",
    "ctrllimited",
    "forcerange",
    "forcelimited",
    "kp",
    "kv",
    "gaintype",
    "biastype",
    "dyntype",
    "gainprm",
    "biasprm",
];

impl<'t> Mjcf<'_, '_, 't> {
    pub(super) fn actuators(&mut self, root: &Element<'t>) {
        for section in root.children_called("actuator") {
            for element in section.children() {
                if matches!(element.tag(), "motor" | "position" | "velocity" | "general") {
                    let actuator = self.actuator(&element);
                    self.robot.actuators.extend(actuator);
                }
            }
        }
    }

    fn actuator(&self, element: &Element<'t>) -> Option<Actuator> {
        let reader = self.reader;
        let resolved = self.defaults.resolve(reader, element, None);
        let name = resolved.element.attribute("name").map_or("", |name| name.value).to_owned();
        let Some(joint_name) = resolved.element.attribute("joint") else {
            Self::unsupported(element);
            return None;
        };
        let Some(joint) = self.joints.get(joint_name.value).copied() else {
            let kind = FaultKind::Unknown { what: "joint", name: joint_name.value.to_owned() };
            reader.fault(joint_name.place, kind);
            return None;
        };
        let gear = match resolved.attribute("gear") {
            Some(gear) => reader.numbers(&gear)?,
            None => Vec::new(),
        };
        let kind = self.actuator_kind(&resolved);
        let is_along_one = gear.iter().skip(1).all(|ratio| *ratio == 0.0);
        // Motors of joints with several coordinates pull along a vector.
        let has_one = self.robot.joints[joint].kind.n_coordinates() == 1;
        let (Some(kind), true, true) = (kind, is_along_one, has_one) else {
            Self::unsupported(element);
            return None;
        };
        let range = |name: &str, flag: &str| {
            let range = resolved.attribute(name);
            let is_limited =
                self.compiler.is_limited(reader, resolved.attribute(flag), range.is_some());
            reader.exactly::<2>(range.filter(|_| is_limited))
        };
        Some(Actuator {
            name,
            joint,
            kind,
            gear: gear.first().copied().unwrap_or(1.0),
            control_range: range("ctrlrange", "ctrllimited"),
            force_range: range("forcerange", "forcelimited"),
        })
    }

    /// What it does; none if that is not supported.
    fn actuator_kind(&self, resolved: &Resolved<'t>) -> Option<ActuatorKind> {
        let number =
            |name, otherwise| self.reader.number(resolved.attribute(name)).unwrap_or(otherwise);
        match resolved.element.tag() {
            "motor" => Some(ActuatorKind::Motor { gain: 1.0 }),
            "position" => {
                Some(ActuatorKind::Position { gain: number("kp", 1.0), damping: number("kv", 0.0) })
            }
            "velocity" => Some(ActuatorKind::Velocity { gain: number("kv", 1.0) }),
            _ => self.general(resolved),
        }
    }

    /// Force = gain·control + b₀ + b₁·q + b₂·q̇, where that is one of the three.
    fn general(&self, resolved: &Resolved<'t>) -> Option<ActuatorKind> {
        let word = |name, otherwise| resolved.attribute(name).map_or(otherwise, |word| word.value);
        let (gain, bias) = (word("gaintype", "fixed"), word("biastype", "none"));
        if word("dyntype", "none") != "none" || gain != "fixed" {
            return None;
        }
        let list = |name| {
            resolved.attribute(name).map_or(Some(Vec::new()), |list| self.reader.numbers(&list))
        };
        let (gains, biases) = (list("gainprm")?, list("biasprm")?);
        let gain = gains.first().copied().unwrap_or(1.0);
        let bias_at = |index: usize| biases.get(index).copied().unwrap_or(0.0);
        match (bias, [bias_at(0), bias_at(1), bias_at(2)]) {
            ("none", _) | ("affine", [0.0, 0.0, 0.0]) => Some(ActuatorKind::Motor { gain }),
            ("affine", [0.0, 0.0, rate]) if rate == -gain => Some(ActuatorKind::Velocity { gain }),
            ("affine", [0.0, place, rate]) if place == -gain => {
                Some(ActuatorKind::Position { gain, damping: -rate })
            }
            _ => None,
        }
    }
}
