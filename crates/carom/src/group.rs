//! Groups: bodies that must be moved together.
//!
//! A body that nothing holds is a group of its own; riders and their carrier are one; and so are the links of a linkage.
//! A group is named by its smallest body and stored in that body's slot, so its name depends on who belongs
//! to it and not on when it formed.

use carom_dynamics::{BodyState, Impulse, Mass, Motion, Span};
use carom_geometry::Pose;
use smallvec::SmallVec;

use crate::arena::Handle;
use crate::body::{BodyId, BodyModel};
use crate::coupled::{Coupled, Restart};

/// A group, by its smallest body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GroupId(pub(crate) BodyId);

/// A body and its place in the frame that a motion of its group moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Member {
    pub(crate) body: BodyId,
    /// Placement of the body's axes, with its reference point as origin.
    pub(crate) frame_from_body: Pose,
    /// Which of the group's frames: a link of a coupled group, else 0.
    pub(crate) link: u32,
}

impl Member {
    /// Placement of its shape in the moving frame.
    pub(crate) fn frame_from_shape(&self, model: &BodyModel) -> Pose {
        let body_from_shape = model.body_from_shape();
        // Nearly every body is alone in its group.
        if self.frame_from_body == Pose::IDENTITY {
            return body_from_shape;
        }
        self.frame_from_body.then_from(&body_from_shape)
    }
}

/// What moves a group and answers impulses.
#[derive(Clone, Debug)]
pub(crate) enum System {
    /// Takes no notice: one frame, fixed or scripted.
    Passive(Motion),
    /// One free body.
    Free(FreeBody),
    /// Bodies that do not move independently: linkages.
    Coupled(Box<Coupled>),
}

/// What moves one free body.
#[derive(Clone, Debug)]
pub(crate) struct FreeBody {
    pub(crate) mass: Mass,
    /// A stand-in until the end of the instant in which the body came.
    pub(crate) motion: Motion,
    /// The state from which the motion is made anew at the end of this instant; between instants none.
    pub(crate) restart: Option<BodyState>,
}

/// A free group after impulses.
#[derive(Debug)]
pub(crate) enum Struck {
    Body(BodyState),
    Linkage(Restart),
}

impl Struck {
    /// State of one of its frames.
    pub(crate) fn frame(&self, link: u32) -> BodyState {
        match self {
            Self::Body(state) => *state,
            Self::Linkage(restart) => restart.frame(link),
        }
    }

    /// The same before stops of joints answered: what the impulses did their work on.
    pub(crate) fn driven_frame(&self, link: u32) -> BodyState {
        match self {
            Self::Body(state) => *state,
            Self::Linkage(restart) => restart.driven_frame(link),
        }
    }
}

/// Bodies that must be moved together.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// In order of their ids, never empty.
    pub(crate) members: SmallVec<[Member; 1]>,
    /// On whom the others ride, in a passive group.
    pub(crate) carrier: BodyId,
    pub(crate) system: System,
    pub(crate) dirty: bool,
}

impl Group {
    /// The motion of a member's frame.
    pub(crate) fn motion_of(&self, member: &Member) -> &Motion {
        match &self.system {
            System::Passive(motion) | System::Free(FreeBody { motion, .. }) => motion,
            System::Coupled(coupled) => coupled.motion(member.link),
        }
    }

    /// State of a member's frame; within an instant, what the instant made of it so far.
    fn frame_of(&self, member: &Member, time: f64) -> BodyState {
        match &self.system {
            System::Passive(motion) => motion.state_at(time),
            System::Free(body) => body.restart.unwrap_or_else(|| body.motion.state_at(time)),
            System::Coupled(coupled) => coupled.frame_at(member.link, time),
        }
    }

    /// State of a member; within an instant, what the instant made of it so far.
    pub(crate) fn state_of(&self, member: &Member, time: f64) -> BodyState {
        carried(&self.frame_of(member, time), &member.frame_from_body)
    }

    /// State of the frame that carries a passive group, or of a free body.
    pub(crate) fn frame_at(&self, time: f64) -> BodyState {
        self.frame_of(&self.members[0], time)
    }

    pub(crate) fn member(&self, body: BodyId) -> Option<&Member> {
        // Groups of many members are worth a search.
        let place = self.members.binary_search_by_key(&body, |member| member.body);
        place.ok().map(|place| &self.members[place])
    }

    /// The times for which its motions are known, around `time`.
    pub(crate) fn span(&self, time: f64) -> Span {
        if self.is_restarted() {
            return Span::new(time, time);
        }
        self.motion_of(&self.members[0]).span(time)
    }

    /// What impulses on its frames, all at once, make of a free group.
    pub(crate) fn struck(&self, time: f64, impulses: &[(u32, Impulse)]) -> Result<Struck, String> {
        Ok(match &self.system {
            System::Passive(motion) => Struck::Body(motion.state_at(time)),
            System::Free(body) => {
                let before = body.restart.unwrap_or_else(|| body.motion.state_at(time));
                let strike =
                    |state, (_, impulse): &(u32, Impulse)| body.mass.struck(&state, impulse);
                Struck::Body(impulses.iter().fold(before, strike))
            }
            System::Coupled(coupled) => Struck::Linkage(coupled.struck(time, impulses)?),
        })
    }

    /// Goes on from there.
    pub(crate) fn take(&mut self, struck: Struck) {
        match (&mut self.system, struck) {
            (System::Free(body), Struck::Body(state)) => body.restart = Some(state),
            (System::Coupled(coupled), Struck::Linkage(restart)) => coupled.go_on_from(restart),
            _ => debug_assert!(false, "what was struck is what goes on"),
        }
    }

    /// True within an instant that has changed its velocity, when its motion is yet to be made.
    pub(crate) fn is_restarted(&self) -> bool {
        match &self.system {
            System::Passive(_) => false,
            System::Free(body) => body.restart.is_some(),
            System::Coupled(coupled) => coupled.is_restarted(),
        }
    }

    /// True when forces and impulses move it.
    pub(crate) const fn is_free(&self) -> bool {
        !matches!(self.system, System::Passive(_))
    }

    /// True when it never moves.
    pub(crate) const fn is_fixed(&self) -> bool {
        matches!(self.system, System::Passive(Motion::Fixed(_)))
    }

    /// Of one free body.
    pub(crate) const fn mass(&self) -> Option<&Mass> {
        match &self.system {
            System::Free(body) => Some(&body.mass),
            System::Passive(_) | System::Coupled(_) => None,
        }
    }

    /// What moves a coupled group.
    pub(crate) fn coupled(&self) -> Option<&Coupled> {
        match &self.system {
            System::Coupled(coupled) => Some(coupled),
            System::Passive(_) | System::Free(_) => None,
        }
    }

    /// The same, to be changed.
    pub(crate) fn coupled_mut(&mut self) -> Option<&mut Coupled> {
        match &mut self.system {
            System::Coupled(coupled) => Some(coupled),
            System::Passive(_) | System::Free(_) => None,
        }
    }
}

/// State of what is fixed in a moving frame.
pub(crate) fn carried(frame: &BodyState, frame_from_body: &Pose) -> BodyState {
    if *frame_from_body == Pose::IDENTITY {
        return *frame;
    }
    let arm = frame.orientation * frame_from_body.translation;
    BodyState {
        position: frame.position + arm,
        orientation: frame.orientation * frame_from_body.rotation,
        velocity: frame.velocity + frame.angular_velocity.cross(arm),
        angular_velocity: frame.angular_velocity,
    }
}

/// All groups, each in the slot of its smallest body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Groups {
    slots: Vec<Option<Group>>,
}

impl Groups {
    /// Stores a group under its own name.
    pub(crate) fn insert(&mut self, group: Group) -> GroupId {
        let id = GroupId(group.members[0].body);
        let slot = id.0.index() as usize;
        if self.slots.len() <= slot {
            self.slots.resize_with(slot + 1, || None);
        }
        self.slots[slot] = Some(group);
        id
    }

    pub(crate) fn get(&self, id: GroupId) -> Option<&Group> {
        let group = self.slots.get(id.0.index() as usize)?.as_ref()?;
        (group.members[0].body == id.0).then_some(group)
    }

    pub(crate) fn get_mut(&mut self, id: GroupId) -> Option<&mut Group> {
        let group = self.slots.get_mut(id.0.index() as usize)?.as_mut()?;
        (group.members[0].body == id.0).then_some(group)
    }

    pub(crate) fn remove(&mut self, id: GroupId) -> Option<Group> {
        self.get(id)?;
        self.slots[id.0.index() as usize].take()
    }

    /// In order of names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (GroupId, &Group)> {
        self.slots.iter().flatten().map(|group| (GroupId(group.members[0].body), group))
    }
}
