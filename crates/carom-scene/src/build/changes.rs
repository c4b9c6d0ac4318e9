//! Changes of joints, elements, controllers and what is held on bodies.

use carom::control::Target;
use glam::DVec3;

use super::Builder;
use super::controllers::Driven;
use super::names::Named;
use super::trees::Told;
use crate::decode::Text;
use crate::format::ChangeTable;
use crate::problem::Problem;
use crate::scene::{ChangeKind, MotionSpec, Point};

impl Builder<'_, '_> {
    /// What changes, if the table is about one of these.
    pub(super) fn change_of_linkage(
        &mut self,
        table: &ChangeTable,
    ) -> Option<Result<ChangeKind, Told>> {
        let what = if let Some(text) = &table.controller {
            self.change_of_controller(table, text)
        } else if let Some(text) = &table.drive {
            self.change_of_drive(table, text)
        } else if let Some(text) = &table.push {
            self.push(table, text)
        } else if let Some(text) = &table.part {
            self.one_joint(text).map(ChangeKind::Part)
        } else if let Some(text) = &table.untie {
            let find = |it: &Self, name: &str| it.elements.iter().position(|it| it.name == name);
            self.one_named(text, Named::Element, find).map(ChangeKind::Untie)
        } else {
            return None;
        };
        Some(what.ok_or(Told))
    }

    /// The index of what a text names.
    fn one_named(
        &mut self,
        text: &Text,
        named: Named,
        find: impl Fn(&Self, &str) -> Option<usize>,
    ) -> Option<usize> {
        let name = self.text(text)?;
        let found = find(self, &name);
        if found.is_none() {
            self.nothing_called(named, &name, text.place);
        }
        found
    }

    pub(super) fn one_joint(&mut self, text: &Text) -> Option<usize> {
        self.charge(self.joints.len() as u64, text.place)?;
        let find = |it: &Self, name: &str| it.joints.iter().position(|it| it.name == name);
        self.one_named(text, Named::Joint, find)
    }

    fn change_of_controller(&mut self, table: &ChangeTable, text: &Text) -> Option<ChangeKind> {
        let find = |it: &Self, name: &str| it.controllers.iter().position(|it| it.name == name);
        let controller = self.one_named(text, Named::Controller, find);
        match (&table.target, table.enabled) {
            (Some(target), None) => {
                let controller = controller?;
                let driven = self.retargeted(table, controller)?;
                let law = self.controllers[controller].law;
                let targets = self.targets(Some(target), &driven, law)?;
                let entry = |((joint, freedom), target): (Driven, Target)| (joint, freedom, target);
                let targets = driven.into_iter().zip(targets).map(entry).collect();
                Some(ChangeKind::Target { controller, targets })
            }
            (None, Some(enabled)) => {
                Some(ChangeKind::Enable { controller: controller?, enabled: enabled.value })
            }
            (Some(target), Some(_)) => {
                let problem = Problem::error(target.place, "two changes in one table")
                    .hint("give `target` and `enabled` a [[change]] each, at the same time");
                self.report(problem);
                None
            }
            (None, None) => {
                if !table.faulty {
                    let problem = Problem::error(table.place, "what of the controller changes?")
                        .hint("add `target = …`, `enabled = true` or `enabled = false`");
                    self.report(problem);
                }
                None
            }
        }
    }

    /// The freedoms of a controller that get another target.
    fn retargeted(&mut self, table: &ChangeTable, controller: usize) -> Option<Vec<Driven>> {
        let axes = |it: &Self| -> Vec<Driven> {
            it.controllers[controller].axes.iter().map(|it| (it.joint, it.freedom)).collect()
        };
        let Some(texts) = &table.joints else { return Some(axes(self)) };
        let mut driven = Vec::new();
        for text in texts {
            let joints = self.matching_joints(text)?;
            let before = driven.len();
            driven.extend(axes(self).into_iter().filter(|(joint, _)| joints.contains(joint)));
            if driven.len() == before {
                let name = &self.controllers[controller].name;
                let message = format!("the controller `{name}` does not drive `{}`", text.value);
                self.error(text.place, message);
                return None;
            }
        }
        Some(driven)
    }

    fn change_of_drive(&mut self, table: &ChangeTable, text: &Text) -> Option<ChangeKind> {
        let joint = self.one_joint(text);
        let Some(effort) = &table.effort else {
            if !table.faulty {
                let problem = Problem::error(table.place, "what does the motor give?")
                    .hint("add `effort = …`, in N·m or N");
                self.report(problem);
            }
            return None;
        };
        let joint = joint?;
        let freedoms = self.joints[joint].freedoms.len();
        if freedoms == 0 {
            let name = &self.joints[joint].name;
            let message = format!("the joint `{name}` has no freedom to drive");
            self.error(text.place, message);
            return None;
        }
        let efforts =
            self.per_axis(Some(effort), "effort", freedoms, |it, number, _| it.number(number))?;
        let effort = efforts.into_iter().map(Option::unwrap_or_default).collect();
        Some(ChangeKind::Drive { joint, effort })
    }

    fn push(&mut self, table: &ChangeTable, text: &Text) -> Option<ChangeKind> {
        let body = self.body(text);
        if let Some(body) = body
            && self.bodies[body].motion != MotionSpec::Free
        {
            let name = &self.bodies[body].name;
            let message = format!("the body `{name}` is not free, so forces do not move it");
            let problem = Problem::error(text.place, message)
                .related(self.bodies[body].place, "moves as its `motion` says");
            self.report(problem);
            return None;
        }
        if table.force.is_none() && table.torque.is_none() && !table.faulty {
            let problem = Problem::error(table.place, "how strong? `force` or `torque` is missing")
                .hint("such as force = [1, 0, 0], in N; [0, 0, 0] lets go");
            self.report(problem);
            return None;
        }
        let force = self.vector_or(table.force.as_ref(), DVec3::ZERO);
        let torque = self.vector_or(table.torque.as_ref(), DVec3::ZERO);
        let point = if let Some(point) = &table.point {
            self.vector(point).map(Point::World)
        } else if let Some(point) = &table.point_body {
            self.vector(point).map(Point::Body)
        } else {
            Some(Point::CenterOfMass)
        };
        Some(ChangeKind::Push { body: body?, force: force?, torque: torque?, point: point? })
    }
}
