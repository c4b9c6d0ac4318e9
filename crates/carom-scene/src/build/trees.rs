//! What joints make of bodies: trees.

use std::collections::BTreeSet;

use super::Builder;
use crate::decode::Text;
use crate::format::JointTable;
use crate::problem::{Place, Problem};
use crate::scene::{ChangeKind, MotionSpec};

/// What a joint calls the world itself.
const WORLD: &str = "world";

/// A mistake that has been noted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told;

impl Builder<'_, '_> {
    /// Parent and child of a joint.
    pub(super) fn joint_ends(&mut self, table: &JointTable) -> Option<(Option<usize>, usize)> {
        let [parent, child] = &table.bodies[..] else {
            let problem = Problem::error(table.place, "a joint holds two bodies")
                .label(format!("`bodies` names {}", table.bodies.len()))
                .hint("write `bodies = [\"parent\", \"child\"]`, or \"world\" for the parent");
            self.report(problem);
            return None;
        };
        // Both are looked up before a mistake ends it, so that each is told.
        let found = self.joint_parent(parent);
        let child_body = self.joint_child(child);
        let (found, child_body) = (found.ok()?, child_body?);
        self.check_between(table, (found, parent), (child_body, child))?;
        Some((found, child_body))
    }

    /// The body that a joint is on, or none for the world.
    fn joint_parent(&mut self, text: &Text) -> Result<Option<usize>, Told> {
        let Some(body) = self.body_or_world(text)? else { return Ok(None) };
        let motion = &self.bodies[body].motion;
        if !matches!(motion, MotionSpec::Free | MotionSpec::Fixed) {
            let message = format!("the body `{}` follows a law", self.bodies[body].name);
            let problem = Problem::error(text.place, message)
                .related(self.bodies[body].place, "moves as its `motion` says")
                .hint("only free and fixed bodies carry joints");
            self.report(problem);
            return Err(Told);
        }
        self.check_stays(body, text.place, "joint").ok_or(Told)?;
        Ok(Some(body))
    }

    /// The body that a text names, or none for the world.
    pub(super) fn body_or_world(&mut self, text: &Text) -> Result<Option<usize>, Told> {
        if self.text(text).ok_or(Told)? != WORLD {
            return self.body(text).ok_or(Told).map(Some);
        }
        let Some(body) = self.index_of(WORLD) else { return Ok(None) };
        let problem = Problem::error(text.place, "is this the world, or the body `world`?")
            .related(self.bodies[body].place, "called as the world is")
            .hint("give the body another name");
        self.report(problem);
        Err(Told)
    }

    /// The body that a joint moves.
    fn joint_child(&mut self, text: &Text) -> Option<usize> {
        if self.text(text)? == WORLD && self.index_of(WORLD).is_none() {
            let problem = Problem::error(text.place, "no joint moves the world")
                .hint("the parent stands first: bodies = [\"world\", …]");
            self.report(problem);
            return None;
        }
        let body = self.body(text)?;
        if self.bodies[body].motion != MotionSpec::Free {
            let message =
                format!("the body `{}` is not free, so no joint moves it", self.bodies[body].name);
            let problem = Problem::error(text.place, message)
                .related(self.bodies[body].place, "moves as its `motion` says")
                .hint("the second of `bodies` is the one that moves");
            self.report(problem);
            return None;
        }
        self.check_stays(body, text.place, "joint")?;
        Some(body)
    }

    /// Joints and elements hold from the start to the end, and so do their bodies.
    pub(super) fn check_stays(&mut self, body: usize, place: Place, what: &str) -> Option<()> {
        let (from, until) = (self.bodies[body].from, self.bodies[body].until);
        let message = if from > 0.0 {
            format!("`{}` is not there at the start", self.bodies[body].name)
        } else if until.is_finite() {
            format!("`{}` vanishes, and its {what} would not", self.bodies[body].name)
        } else {
            return Some(());
        };
        let problem =
            Problem::error(place, message).related(self.bodies[body].place, "comes and goes").hint(
                format!("bodies of {what}s are there all the time: leave `from` and `until` out"),
            );
        self.report(problem);
        None
    }

    /// Every body hangs on one joint at most, and none on itself.
    fn check_between(
        &mut self,
        table: &JointTable,
        (parent, parent_text): (Option<usize>, &Text),
        (child, child_text): (usize, &Text),
    ) -> Option<()> {
        let name = &self.bodies[child].name;
        if let Some(&other) = self.carried_by.get(&child) {
            let other = &self.joints[other];
            let message = format!("the body `{name}` already hangs on the joint `{}`", other.name);
            let mut problem = Problem::error(child_text.place, message)
                .hint("linkages are trees: every body is the second of `bodies` at most once");
            if other.place != table.place {
                problem = problem.related(other.place, "the other joint");
            }
            self.report(problem);
            return None;
        }
        let mut at = parent;
        while let Some(body) = at {
            if body == child {
                let problem = if parent == Some(child) {
                    Problem::error(child_text.place, format!("`{name}` is joined to itself"))
                } else {
                    let message = format!("the joint closes a loop: its parent hangs on `{name}`");
                    Problem::error(parent_text.place, message)
                        .hint("linkages are trees: leave one joint of every loop out")
                };
                self.report(problem);
                return None;
            }
            let joint = self.carried_by.get(&body).map(|joint| &self.joints[*joint]);
            at = joint.and_then(|joint| joint.parent);
        }
        Some(())
    }

    /// A free body without mass must be held by joints on both sides, or be fixed to what it hangs on.
    pub(super) fn check_massless(&mut self) {
        let mut told: Vec<Place> = Vec::new();
        let parents: BTreeSet<usize> =
            self.joints.iter().filter_map(|joint| joint.parent).collect();
        for index in std::mem::take(&mut self.massless) {
            let Some(body) = self.bodies.get(index).filter(|body| body.mass.is_none()) else {
                continue;
            };
            let inward = self.carried_by.get(&index).map(|joint| &self.joints[*joint]);
            let carries = parents.contains(&index);
            let holds = inward.is_some_and(|joint| carries || joint.freedoms.is_empty());
            let place = body.place;
            if holds || told.contains(&place) {
                continue;
            }
            told.push(place);
            let label = match (inward.is_some(), carries) {
                (false, false) => "how heavy is it?",
                (false, true) => "no joint moves it, so how heavy is it?",
                _ => "it carries nothing, so how heavy is it?",
            };
            let problem =
                Problem::error(place, format!("the free body `{}` has no mass", body.name))
                    .label(label)
                    .hint(
                        "give it `density` or `mass`, or a `material` that has a density; or add \
                         `motion = { kind = \"fixed\" }`; only bodies between joints may have none",
                    );
            self.report(problem);
        }
    }

    /// Bodies of joints and elements stay, and nobody carries them.
    pub(super) fn check_changes_of_joined(&mut self) {
        let mut problems = Vec::new();
        for change in &self.changes {
            let (ChangeKind::Remove(body) | ChangeKind::Carry { body, .. }) = change.what else {
                continue;
            };
            let is_end =
                |parent: Option<usize>, child: usize| child == body || parent == Some(body);
            let joint = self.joints.iter().find(|joint| is_end(joint.parent, joint.child));
            let joint = joint.map(|joint| ("joint", &joint.name, joint.place));
            let element =
                self.elements.iter().find(|it| it.ends.iter().any(|end| end.body == Some(body)));
            let element = element.map(|element| ("element", &element.name, element.place));
            if let Some((what, holder, place)) = joint.or(element) {
                let name = &self.bodies[body].name;
                let message = format!("the body `{name}` is held by the {what} `{holder}`");
                problems.push(Problem::error(change.place, message).related(place, "this one"));
            }
        }
        for problem in problems {
            self.report(problem);
        }
    }
}
