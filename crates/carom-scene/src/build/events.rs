//! Impulses and changes.

use glam::DVec3;

use super::Builder;
use crate::decode::{Number, Vector};
use crate::format::{ChangeTable, ImpulseTable};
use crate::limits::Limit;
use crate::load::Document;
use crate::problem::Problem;
use crate::scene::{Change, ChangeKind, Impulse, MotionSpec, Point};

impl Builder<'_, '_> {
    pub(super) fn add_events(&mut self, documents: &[Document]) {
        for document in documents {
            for table in document.table.impulse.iter().flat_map(|tables| &tables.tables) {
                self.add_impulses(table);
            }
            for table in document.table.change.iter().flat_map(|tables| &tables.tables) {
                self.add_change(table);
            }
        }
    }

    /// How many more events there may be.
    pub(super) fn events_left(&self) -> u64 {
        let n_events = self.impulses.len() + self.changes.len() + self.expectations.len();
        self.loader.options.limits.events.saturating_sub(n_events as u64)
    }

    fn add_impulses(&mut self, table: &ImpulseTable) -> Option<()> {
        let most = (self.events_left(), Limit::Events);
        let copies = self.copies(table.repeat.as_ref(), &table.body.value, most)?;
        for index in 0..copies.count() {
            let copy = copies.get(index);
            self.copy = copy.numbers;
            let impulse = self.impulse(table, copy.offset);
            self.copy = None;
            self.impulses.push(impulse?);
        }
        Some(())
    }

    fn impulse(&mut self, table: &ImpulseTable, offset: DVec3) -> Option<Impulse> {
        let at = self.event_time(&table.at);
        let body = self.body(&table.body);
        if let Some(body) = body
            && self.bodies[body].motion != MotionSpec::Free
        {
            let message = format!(
                "the body `{}` is not free, so impulses do not move it",
                self.bodies[body].name
            );
            let problem = Problem::error(table.body.place, message)
                .related(self.bodies[body].place, "moves as its `motion` says");
            self.report(problem);
        }
        if table.impulse.is_none() && table.angular_impulse.is_none() && !table.faulty {
            let problem = Problem::error(
                table.place,
                "how strong? `impulse` or `angular_impulse` is missing",
            )
            .hint("such as impulse = [1, 0, 0], in N·s");
            self.report(problem);
        }
        let impulse = self.vector_or(table.impulse.as_ref(), DVec3::ZERO);
        let angular_impulse = self.vector_or(table.angular_impulse.as_ref(), DVec3::ZERO);
        let point = if let Some(point) = &table.point {
            let place = point.place;
            let point = self.vector(point).map(|point| point + offset);
            if point.is_some_and(|point| !point.is_finite()) {
                self.error(place, "the point overflows: numbers reach up to about 1.8e308");
                return None;
            }
            point.map(Point::World)
        } else if let Some(point) = &table.point_body {
            self.vector(point).map(Point::Body)
        } else {
            Some(Point::CenterOfMass)
        };
        let (impulse, angular_impulse, point) = (impulse?, angular_impulse?, point?);
        Some(Impulse { at: at?, body: body?, impulse, angular_impulse, point, place: table.place })
    }

    /// A time from 0; one that never comes is worth a warning.
    fn event_time(&mut self, number: &Number) -> Option<f64> {
        let at = self.not_negative(number, "at")?;
        if at > self.until {
            let message = format!("this never happens: the scene ends at {} s", self.until);
            let problem = Problem::warning(number.place, message)
                .hint("let the scene run longer with `until` under [world]");
            self.report(problem);
        }
        Some(at)
    }

    fn add_change(&mut self, table: &ChangeTable) -> Option<()> {
        if self.events_left() == 0 {
            self.report_limit(Limit::Events, table.place, "the scene has more events");
            return None;
        }
        let at = self.event_time(&table.at);
        let what = self.change_kind(table);
        self.changes.push(Change { at: at?, what: what?, place: table.place });
        Some(())
    }

    fn change_kind(&mut self, table: &ChangeTable) -> Option<ChangeKind> {
        self.check_partners(table)?;
        if let Some(gravity) = &table.gravity {
            return self.vector(gravity).map(ChangeKind::Gravity);
        }
        if let Some(material) = &table.material {
            let index = self.material(material);
            let friction =
                table.friction.as_ref().map(|number| self.not_negative(number, "friction"));
            let restitution =
                table.restitution.as_ref().map(|number| self.share(number, "restitution"));
            if friction.is_none() && restitution.is_none() && !table.faulty {
                let problem = Problem::error(table.place, "what of the material changes?")
                    .hint("add `friction = …` or `restitution = …`");
                self.report(problem);
                return None;
            }
            let all =
                |number: Option<Option<f64>>| number.map_or(Some(None), |inner| inner.map(Some));
            let (friction, restitution) = (all(friction)?, all(restitution)?);
            return Some(ChangeKind::Material { material: index?, friction, restitution });
        }
        if let Some(body) = &table.remove {
            return self.body(body).map(ChangeKind::Remove);
        }
        if let Some(body) = &table.release {
            return self.body(body).map(ChangeKind::Release);
        }
        if let (Some(body), Some(by)) = (&table.carry, &table.by) {
            let place = by.place;
            let (body, by) = (self.body(body), self.body(by));
            let (body, by) = (body?, by?);
            if body == by {
                self.error(place, "a body cannot carry itself");
                return None;
            }
            return Some(ChangeKind::Carry { body, by });
        }
        if let Some(what) = self.change_of_linkage(table) {
            return what.ok();
        }
        if !table.faulty {
            let problem = Problem::error(table.place, "what changes?").hint(
                "one of `gravity`, `material` with `friction` or `restitution`, `remove`, `carry` with `by`, `release`, \
                 `controller` with `target` or `enabled`, `drive` with `effort`, `push` with `force` or `torque`, `part`, `untie`",
            );
            self.report(problem);
        }
        None
    }

    /// Keys that mean something beside another one only.
    fn check_partners(&mut self, table: &ChangeTable) -> Option<()> {
        let on = |it: &Option<Vector>| it.as_ref().map(|it| it.place);
        let (controller, push) = (table.controller.is_some(), table.push.is_some());
        let lonely = [
            (table.target.as_ref().map(|t| t.place), controller, "target", "controller"),
            (table.enabled.map(|_| table.place), controller, "enabled", "controller"),
            (
                table.joints.as_ref().map(|_| table.place),
                table.target.is_some(),
                "joints",
                "target",
            ),
            (table.effort.as_ref().map(|n| n.place), table.drive.is_some(), "effort", "drive"),
            (on(&table.force), push, "force", "push"),
            (on(&table.torque), push, "torque", "push"),
            (on(&table.point), push, "point", "push"),
            (on(&table.point_body), push, "point_body", "push"),
            (
                table.friction.as_ref().map(|n| n.place),
                table.material.is_some(),
                "friction",
                "material",
            ),
            (
                table.restitution.as_ref().map(|n| n.place),
                table.material.is_some(),
                "restitution",
                "material",
            ),
            (table.by.as_ref().map(|t| t.place), table.carry.is_some(), "by", "carry"),
            (table.carry.as_ref().map(|t| t.place), table.by.is_some(), "carry", "by"),
        ];
        let mut is_good = true;
        for (place, has_partner, key, partner) in lonely {
            let Some(place) = place.filter(|_| !has_partner && !table.faulty) else { continue };
            let problem = Problem::error(place, format!("`{key}` needs `{partner}`"))
                .label(format!("`{partner}` is missing beside it"));
            self.report(problem);
            is_good = false;
        }
        is_good.then_some(())
    }
}
