//! Energies of elements, and their work and losses along a course.
//!
//! Rates are integrated by the same points as those of joints. What a user's energy stores is no integral: it is taken at
//! both ends of the interval, so that work is power plus the change of that energy. A slack rope that is still longer than
//! its rest gives its energy to its own damper, which is no integral either.

use super::end::{Damper, Ends};
use super::{Element, ElementLaw, End};
use crate::BodyState;
use crate::linkage::books::integral;
use crate::linkage::{Course, Linkage, Workspace};
use crate::tree::{Carried, Walk};

impl Linkage {
    /// What springs, gas springs, bushings, attractions and users' forces between links store `[J]`.
    ///
    /// # Panics
    /// If `q` has the wrong length.
    pub fn element_energy(&self, q: &[f64], workspace: &mut Workspace) -> f64 {
        if self.elements.list.is_empty() {
            return 0.0;
        }
        let buffers = &mut workspace.buffers;
        self.tree.place(q, &buffers.zero, &mut buffers.scratch);
        // Energies do not depend on time.
        let energy =
            |element: &Element| element.energy(&Self::ends(element, 0.0, &buffers.scratch));
        self.elements.list.iter().map(energy).sum()
    }
}

impl Course {
    /// Work of constant forces, winds and users' forces between two times of the span `[J]`.
    pub(in crate::linkage) fn element_work(&self, from: f64, to: f64) -> f64 {
        let mut sum = 0.0;
        for element in self.linkage().elements() {
            if !(element.does_work() || matches!(element.law, ElementLaw::Drag(_))) {
                continue;
            }
            sum += integral(from, to, |time| self.ends_at(element, time).work_rate(element));
            if let ElementLaw::User(law) = &element.law {
                let stored = |time: f64| law.energy(&self.ends_at(element, time));
                sum += stored(to) - stored(from);
            }
        }
        sum
    }

    /// Energy that dampers and drag took between two times of the span `[J]`.
    pub(in crate::linkage) fn element_loss(&self, from: f64, to: f64) -> f64 {
        let mut sum = 0.0;
        for element in self.linkage().elements() {
            if element.is_rope() && self.is_slack(element) {
                let stored = |time: f64| element.energy(&self.ends_at(element, time));
                sum += stored(from) - stored(to);
            } else if element.dampers() > 0 || matches!(element.law, ElementLaw::Drag(_)) {
                sum += integral(from, to, |time| self.ends_at(element, time).loss_rate(element));
            }
        }
        sum
    }

    /// Whether a rope is slack throughout the span.
    fn is_slack(&self, element: &Element) -> bool {
        element.is_beyond(&self.ends_at(element, self.span().start))
    }

    pub(super) fn ends_at(&self, element: &Element, time: f64) -> Ends {
        let [on, from] = [&element.on, &element.from].map(|end| self.end_at(end, time));
        Ends { time, on, from }
    }

    fn end_at(&self, end: &End, time: f64) -> BodyState {
        let Some(link) = end.link else { return end.state(None) };
        let (tree, at) = (self.linkage().tree(), self.weights_at(time));
        let (mut walk, mut base): (Walk, Option<Carried>) = (Walk::default(), None);
        self.linkage().outward(link, |i| {
            base = Some(walk.step(tree, i, base.as_ref(), &self.joint(i, &at).state));
        });
        let point = end.frame.translation;
        end.state(base.map(|carried| carried.body_kinematics(point).state))
    }
}

impl Ends {
    /// Work by (3) of the module; forces that do work have one side `[W]`.
    fn work_rate(&self, element: &Element) -> f64 {
        let relative = self.relative();
        let mut rate = 0.0;
        let wrench = element.act(self, false, &mut |Damper { direction, damping, drift }| {
            rate -= damping * (direction.dot(relative) - drift) * drift;
        });
        if element.does_work() { rate + wrench.dot(relative) } else { rate }
    }

    /// Loss by (3) of the module, of a rope that is taut `[W]`.
    fn loss_rate(&self, element: &Element) -> f64 {
        let relative = self.relative();
        let mut rate = 0.0;
        element.act(self, false, &mut |Damper { direction, damping, drift }| {
            let slip = direction.dot(relative) - drift;
            rate += damping * slip * slip;
        });
        rate
    }
}
