//! Groups: bodies that move by one motion.
//!
//! A group is named by its smallest body and stored in that body's slot, so its name depends on who belongs
//! to it and not on when it formed.

use carom_dynamics::{BodyState, Mass, Motion, Span};
use carom_geometry::Pose;
use smallvec::SmallVec;

use crate::arena::Handle;
use crate::body::{BodyId, BodyModel};

/// A group, by its smallest body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GroupId(pub(crate) BodyId);

/// A body and its place in the frame that the group's motion moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Member {
    pub(crate) body: BodyId,
    /// Placement of the body's axes, with its reference point as origin.
    pub(crate) frame_from_body: Pose,
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

/// What answers impulses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum System {
    /// Takes no notice.
    Passive,
    /// One free body.
    Free(Mass),
}

/// Bodies that move by one motion.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// In order of their ids, never empty.
    pub(crate) members: SmallVec<[Member; 1]>,
    /// Whose body frame the motion moves.
    pub(crate) carrier: BodyId,
    pub(crate) motion: Motion,
    pub(crate) system: System,
    /// The state from which the motion is made anew at the end of this instant; between instants none.
    pub(crate) restart: Option<BodyState>,
    pub(crate) dirty: bool,
}

impl Group {
    /// State of the moving frame; within an instant, what the instant made of it so far.
    pub(crate) fn frame_at(&self, time: f64) -> BodyState {
        self.restart.unwrap_or_else(|| self.motion.state_at(time))
    }

    /// State of a member.
    pub(crate) fn state_of(&self, member: &Member, time: f64) -> BodyState {
        carried(&self.frame_at(time), &member.frame_from_body)
    }

    pub(crate) fn member(&self, body: BodyId) -> Option<&Member> {
        self.members.iter().find(|member| member.body == body)
    }

    /// The times for which the motion is known, around `time`.
    pub(crate) fn span(&self, time: f64) -> Span {
        if self.restart.is_some() { Span::new(time, time) } else { self.motion.span(time) }
    }

    pub(crate) fn mass(&self) -> Option<&Mass> {
        match &self.system {
            System::Passive => None,
            System::Free(mass) => Some(mass),
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
