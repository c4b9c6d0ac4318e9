//! Motors of MJCF as `[[controller]]` tables.
//!
//! A motor with the gear g turns its joint by g times its force, and sees g times the coordinate (length l = g·q). So
//!
//! ```text
//! position:  g·(k·(u − g·q) − c·g·q̇) = g²k·(u/g − q) − g²c·q̇,      velocity:  g·k·(u − g·q̇) = g²k·(u/g − q̇)      (3)
//! ```
//!
//! are PD and velocity controllers with gains g²k and g²c. Controls u start at zero, or where their range is nearest to it. Several
//! motors of one joint are springs and dampers side by side: gains add up, and the target is their mean, weighted by the gains. Motors
//! that take a force as their control give none until somebody asks: they are written as the joint's `effort`.

use super::Writer;
use super::text::{number, quoted};
use crate::robot::description::{Actuator, ActuatorKind, Robot};

/// What the motors of a joint do together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Together {
    /// Σ g²k of positions `[N·m/rad or N/m]`.
    kp: f64,
    /// Σ g²c, and g²k of velocities `[N·m·s/rad or N·s/m]`.
    kv: f64,
    /// Where they pull to `[rad or m]`, or how fast if they pull to no place.
    target: f64,
}

impl Actuator {
    /// The control that it starts with.
    fn first_control(&self) -> f64 {
        self.control_range.map_or(0.0, |[least, most]| 0.0_f64.max(least).min(most))
    }

    /// What of it is not in the scene, if anything.
    pub(super) fn unwritten(&self) -> Option<&'static str> {
        let is_lopsided = |range: Option<[f64; 2]>| range.is_some_and(|[a, b]| a != -b);
        match self.kind {
            ActuatorKind::Motor { .. } if is_lopsided(self.control_range) => {
                Some("a range that is not the same both ways; the scene has the larger one")
            }
            ActuatorKind::Position { .. } | ActuatorKind::Velocity { .. }
                if self.control_range.is_some() =>
            {
                Some("the range of its control")
            }
            _ if is_lopsided(self.force_range) => {
                Some("a force range that is not the same both ways; the scene has the larger one")
            }
            _ => None,
        }
    }
}

impl Robot {
    /// What of a motor that takes a force is lost beside others of its joint.
    pub(super) fn lost_beside(&self, motor: &Actuator) -> Option<&'static str> {
        let is_motor = |it: &Actuator| matches!(it.kind, ActuatorKind::Motor { .. });
        let mut others =
            self.actuators.iter().filter(|it| it.joint == motor.joint && !is_motor(it));
        // With a bound on all of them, the joint's effort has its share.
        let is_lost =
            is_motor(motor) && others.next().is_some() && self.effort(motor.joint).is_none();
        is_lost.then_some(
            "all of it: another one of the joint has no bound, and the scene has only that one's controller",
        )
    }

    /// (3) of all motors of a joint; none if none of them pulls to anything.
    fn motors_together(&self, joint: usize) -> Option<Together> {
        let mut sum = Together::default();
        let (mut places, mut rates) = (0.0, 0.0);
        let motors = self.actuators.iter().filter(|it| it.joint == joint && it.gear != 0.0);
        for motor in motors {
            let (square, aim) = (motor.gear * motor.gear, motor.first_control() / motor.gear);
            match motor.kind {
                ActuatorKind::Motor { .. } => {}
                ActuatorKind::Position { gain, damping } => {
                    sum.kp += square * gain;
                    sum.kv += square * damping;
                    places += square * gain * aim;
                }
                ActuatorKind::Velocity { gain } => {
                    sum.kv += square * gain;
                    rates += square * gain * aim;
                }
            }
        }
        if sum.kp > 0.0 {
            // A pull to a rate beside one to a place moves the place where both are at rest.
            sum.target = (places + rates) / sum.kp;
        } else if sum.kv > 0.0 {
            sum.target = rates / sum.kv;
        } else {
            return None;
        }
        Some(sum)
    }
}

impl Writer<'_> {
    /// A controller for all joints whose motors do the same.
    pub(super) fn motors(&mut self) {
        let mut groups: Vec<(Together, Vec<String>)> = Vec::new();
        for (&joint, name) in &self.joint_names {
            let Some(together) = self.robot.motors_together(joint) else { continue };
            match groups.iter_mut().find(|(known, _)| *known == together) {
                Some((_, names)) => names.push(quoted(name)),
                None => groups.push((together, vec![quoted(name)])),
            }
        }
        for (number_of_group, (Together { kp, kv, target }, names)) in
            groups.into_iter().enumerate()
        {
            let name = format!("{}motors_{}", self.options.prefix, number_of_group + 1);
            let kind = if kp > 0.0 { "pd" } else { "velocity" };
            self.line(&format!("\n[[controller]]\nname = {}\nkind = \"{kind}\"", quoted(&name)));
            self.line(&format!("joints = [{}]", names.join(", ")));
            if kp > 0.0 {
                self.line(&format!("kp = {}", number(kp)));
            }
            self.line(&format!("kv = {}\ntarget = {}", number(kv), number(target)));
        }
    }
}
