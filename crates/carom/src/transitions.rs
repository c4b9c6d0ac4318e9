//! What happens to joints and ropes by themselves: they strike stops and rest on them, stick and slip, become taut and slack, and
//! break.
//!
//! A course ends where one of these comes, and the next one begins after it. What has happened is read off both: which stops were
//! struck, what held each freedom before and what does after. A blow that a joint passes on to a stop on which it rests already
//! is no meeting, and is not told; what it took is booked all the same. Nor is it told how a joint begins that was just made.
//!
//! **Breaking.** A joint breaks at the end of the instant at which its load exceeds its strength
//! (`carom_dynamics::linkage::Strength`). Its bodies keep their velocities; energy of its spring and of its drive is lost with it.
//! Then everything that it held is put together anew, which may be too much for the next joint, at the same instant.

use carom_dynamics::linkage::{Course, Grip, Linkage, Mode, Overload, StopStrike};
use carom_dynamics::spatial::ForceVector;
use glam::DVec3;

use crate::body::BodyId;
use crate::coupled::Coupled;
use crate::element::ElementId;
use crate::error::Fault;
use crate::event::{EventKind, Happening, JointLoad, JointSite};
use crate::group::GroupId;
use crate::joint::JointId;
use crate::ties::Parting;
use crate::world::World;

/// Something that happened to a linkage where a course began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Note {
    Strike(StopStrike),
    Grip { freedom: usize, before: Grip, after: Grip },
    Rope { element: ElementId, slack: bool },
}

/// A joint that breaks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Break {
    pub(crate) joint: JointId,
    pub(crate) overload: Overload,
    /// What it carried.
    pub(crate) load: JointLoad,
}

impl JointLoad {
    pub(crate) fn of(wrench: &ForceVector, point: DVec3) -> Self {
        Self { point, force: wrench.linear, torque: wrench.angular }
    }
}

/// What a linkage has to tell of a new course.
pub(crate) fn notes(
    strikes: Vec<StopStrike>,
    [before, after]: [&Mode; 2],
    is_known: impl Fn(usize) -> bool,
) -> Vec<Note> {
    let rests = |strike: &StopStrike| before.grip(strike.freedom) == Grip::Resting(strike.side);
    let mut notes: Vec<Note> =
        strikes.into_iter().filter(|strike| !rests(strike)).map(Note::Strike).collect();
    for freedom in 0..before.grips().len().max(after.grips().len()) {
        let (before, after) = (before.grip(freedom), after.grip(freedom));
        if before != after && is_known(freedom) {
            notes.push(Note::Grip { freedom, before, after });
        }
    }
    notes
}

/// Ropes that became taut or slack from one course to the next.
pub(crate) fn ropes(elements: &[ElementId], before: &Course, after: &Course) -> Vec<Note> {
    let change = |(number, element): (usize, &ElementId)| {
        let (before, slack) = (before.slackness(number)?, after.slackness(number)?);
        (before != slack).then_some(Note::Rope { element: *element, slack })
    };
    elements.iter().enumerate().filter_map(change).collect()
}

impl World {
    /// Tells what happened to the joints and ropes of a group.
    pub(crate) fn tell_notes(&mut self, id: GroupId, notes: &[Note]) {
        for note in notes {
            let Some(what) = self.told(id, note) else { continue };
            self.state.counts.count(EventKind::Transition);
            self.tell(what, None);
        }
    }

    fn told(&self, id: GroupId, note: &Note) -> Option<Happening> {
        let coupled = self.group(id).coupled()?;
        let site = |freedom| self.joint_site(coupled, freedom);
        Some(match *note {
            Note::Strike(StopStrike { freedom, side, before, after, impulse, loss }) => {
                Happening::Stop { site: site(freedom)?, side, before, after, impulse, loss }
            }
            Note::Grip { freedom, after: Grip::Resting(side), .. } => {
                Happening::Rested { site: site(freedom)?, side }
            }
            Note::Grip { freedom, before: Grip::Resting(side), .. } => {
                Happening::Lifted { site: site(freedom)?, side }
            }
            Note::Grip { freedom, after: Grip::Stuck, .. } => {
                Happening::Stuck { site: site(freedom)? }
            }
            Note::Grip { freedom, before: Grip::Stuck, after: Grip::Sliding(sense) } => {
                Happening::Slipped { site: site(freedom)?, sense }
            }
            // Sliding turns round only through rest; an impulse may reverse it, which is no slip.
            Note::Grip { .. } => return None,
            Note::Rope { element, slack } => {
                let record = self.state.elements.get(element)?;
                let bodies: Vec<BodyId> = record.bodies().collect();
                let name = record.name.clone();
                let bodies = [bodies.first().copied(), bodies.get(1).copied()];
                if slack {
                    Happening::Slack { name, bodies }
                } else {
                    Happening::Taut { name, bodies }
                }
            }
        })
    }

    fn joint_site(&self, coupled: &Coupled, freedom: usize) -> Option<JointSite> {
        let tree = coupled.linkage().tree();
        let link = tree.link_of_freedom(freedom);
        let joint = coupled.links()[link].joint?;
        let record = self.state.joints.get(joint)?;
        Some(JointSite {
            joint,
            name: record.name.clone(),
            freedom: freedom - tree.v_range(link).start,
            parent: record.parent,
            child: record.child,
        })
    }

    /// Parts a joint that carries too much.
    pub(crate) fn break_joint(&mut self, broken: &Break) -> Result<(), Fault> {
        let time = self.state.now;
        // It may have been parted by a command at this instant.
        let Some(record) = self.state.joints.get(broken.joint) else { return Ok(()) };
        let bodies: Vec<BodyId> = record.parent.into_iter().chain([record.child]).collect();
        self.part_joint(broken.joint, Parting::Break(*broken)).map_err(|error| {
            let bodies = self.listed(&bodies);
            Fault::Linkage { time, bodies, reason: format!("its joint breaks: {error}") }
        })?;
        self.state.counts.count(EventKind::Transition);
        Ok(())
    }
}

/// The joints that impulses break, each with what it carried.
pub(crate) fn broken_by_impulses(
    linkage: &Linkage,
    carried: &[ForceVector],
    joint: impl Fn(usize) -> Option<(JointId, DVec3)>,
) -> Vec<Break> {
    let broken = |(link, wrench): (usize, &ForceVector)| {
        let overload = linkage.strength(link).broken_by(wrench)?;
        let (joint, point) = joint(link)?;
        Some(Break { joint, overload, load: JointLoad::of(wrench, point) })
    };
    carried.iter().enumerate().filter_map(broken).collect()
}
