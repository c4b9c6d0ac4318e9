//! What happens, and what is remembered of it.

use carom_dynamics::linkage::{Overload, Sense};
use carom_dynamics::tree::constraint::Side;
use carom_dynamics::{BodyState, Impulse};
use carom_geometry::distance::Feature;
use glam::DVec3;

use crate::body::BodyId;
use crate::contacts::Share;
use crate::controller::ControllerId;
use crate::joint::JointId;
use crate::material::{MaterialId, Surface};
use crate::regime::TouchPoint;

/// The seven kinds of events, in the order in which one instant works them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum EventKind {
    /// Something from outside: an impulse, a body added or removed, a value changed.
    Command,
    /// A scripted law goes over into its next piece.
    Law,
    /// A pair may touch now.
    Check,
    /// A joint meets its stop, sticks, slips or breaks; a rope becomes taut or slack.
    Transition,
    /// A controller is due.
    Tick,
    /// The window of a swept box ends.
    Box,
    /// A prediction ends.
    Span,
}

impl EventKind {
    /// All kinds, in order.
    pub const ALL: [Self; 7] = [
        Self::Command,
        Self::Law,
        Self::Check,
        Self::Transition,
        Self::Tick,
        Self::Box,
        Self::Span,
    ];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::Law => "law",
            Self::Check => "check",
            Self::Transition => "transition",
            Self::Tick => "tick",
            Self::Box => "box",
            Self::Span => "span",
        }
    }
}

/// How many events of each kind have been worked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventCounts {
    counts: [u64; 7],
}

impl EventCounts {
    /// Of one kind.
    pub const fn of(&self, kind: EventKind) -> u64 {
        self.counts[kind as usize]
    }

    /// Of all kinds.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    pub(crate) fn count(&mut self, kind: EventKind) {
        self.counts[kind as usize] += 1;
    }

    pub(crate) const fn raw(&self) -> &[u64; 7] {
        &self.counts
    }

    pub(crate) const fn from_raw(counts: [u64; 7]) -> Self {
        Self { counts }
    }
}

/// Something worth telling that happened at an instant. Ends of windows and spans are bookkeeping and not
/// told.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When `[s]`.
    pub time: f64,
    /// What.
    pub what: Happening,
    /// To whom, if to a body, with its state just before and just after; a body that was not there before
    /// or is not there after has none.
    pub change: Option<StateChange>,
}

impl Event {
    /// Whom it concerns: the body it happened to, both of a pair, the sensor and who passes it, the rider and its
    /// carrier, the bodies that a joint or a rope connects.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> {
        let [a, b] = match &self.what {
            Happening::Touch(Contact { bodies: [a, b], .. })
            | Happening::Collision(Collision { contact: Contact { bodies: [a, b], .. }, .. })
            | Happening::Parted { bodies: [a, b] }
            | Happening::Entered { sensor: a, body: b }
            | Happening::Left { sensor: a, body: b } => [Some(*a), Some(*b)],
            Happening::Carried { by } => [self.change.map(|it| it.body), Some(*by)],
            Happening::Joined { parent, .. }
            | Happening::Unjoined { parent, .. }
            | Happening::Broken { parent, .. } => [self.change.map(|it| it.body), *parent],
            Happening::Stop { site, .. }
            | Happening::Rested { site, .. }
            | Happening::Lifted { site, .. }
            | Happening::Stuck { site }
            | Happening::Slipped { site, .. } => [Some(site.child), site.parent],
            Happening::Taut { bodies, .. } | Happening::Slack { bodies, .. } => *bodies,
            Happening::Rests { bodies } | Happening::Lifts { bodies } => bodies.map(Some),
            _ => [self.change.map(|it| it.body), None],
        };
        a.into_iter().chain(b)
    }

    /// The name of the joint or force element that it is about, if it is about one.
    pub fn tie(&self) -> Option<&str> {
        match &self.what {
            Happening::Joined { name, .. }
            | Happening::Unjoined { name, .. }
            | Happening::Broken { name, .. }
            | Happening::Taut { name, .. }
            | Happening::Slack { name, .. } => Some(name),
            Happening::Stop { site, .. }
            | Happening::Rested { site, .. }
            | Happening::Lifted { site, .. }
            | Happening::Stuck { site }
            | Happening::Slipped { site, .. } => Some(&site.name),
            _ => None,
        }
    }
}

/// One freedom of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointSite {
    /// The joint.
    pub joint: JointId,
    /// Its name.
    pub name: String,
    /// Which of its freedoms, from 0.
    pub freedom: usize,
    /// The body that carries it; none for the world.
    pub parent: Option<BodyId>,
    /// The body that it carries.
    pub child: BodyId,
}

/// What a joint carries: all that its parent's side does to its child's, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLoad {
    /// The joint's point on the child's side, about which the torque is `[m]`.
    pub point: DVec3,
    /// `[N]`; of an impact the impulse `[N·s]`.
    pub force: DVec3,
    /// `[N·m]`; of an impact the angular impulse `[N·m·s]`.
    pub torque: DVec3,
}

/// A body before and after an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StateChange {
    /// The body.
    pub body: BodyId,
    /// Its state just before.
    pub before: Option<BodyState>,
    /// Its state just after.
    pub after: Option<BodyState>,
}

/// Two bodies that touch, A the one with the smaller id.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// A and B.
    pub bodies: [BodyId; 2],
    /// Halfway between the closest points `[m]`.
    pub point: DVec3,
    /// Unit vector from B to A.
    pub normal: DVec3,
    /// Distance of the bodies, positive but for a start in contact `[m]`.
    pub distance: f64,
    /// Rate of the distance `[m/s]`.
    pub speed: f64,
    /// Closest features.
    pub features: [Feature; 2],
    /// Which convex piece of each body they belong to.
    pub pieces: [u32; 2],
}

/// How a collision was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollisionKind {
    /// By the pair's coefficient of restitution.
    Ordinary,
    /// As one of the train of slow collisions that holds bodies at rest.
    Micro,
}

impl CollisionKind {
    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ordinary => "collision",
            Self::Micro => "micro",
        }
    }
}

/// A collision, or one point's part in a collision of several points at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collision {
    /// Who touched whom, where and how fast.
    pub contact: Contact,
    /// How it was answered.
    pub kind: CollisionKind,
    /// Which part of one collision this point had, from 0 to 1; the parts of a collision add up to 1.
    pub share: f64,
    /// Velocity of A's surface less that of B's at the point, before `[m/s]`.
    pub before: DVec3,
    /// And after; of one point of several, after what all of them got `[m/s]`.
    pub after: DVec3,
    /// Impulse on A; B gets the opposite `[N·s]`.
    pub impulse: DVec3,
    /// Work of its normal part on both bodies, boost included `[J]`.
    pub normal_work: f64,
    /// Work of friction, never positive `[J]`.
    pub friction_work: f64,
    /// What of the normal work is more than the law of restitution gives back; of a microcollision that reverses the
    /// velocity, what it gives beyond that `[J]`.
    pub boost: f64,
    /// Work of driven bodies and moving surfaces through the impulse `[J]`.
    pub driven_work: f64,
}

impl Collision {
    /// A part of it.
    pub(crate) fn scaled(&self, share: f64) -> Self {
        Self {
            share: share * self.share,
            impulse: share * self.impulse,
            normal_work: share * self.normal_work,
            friction_work: share * self.friction_work,
            boost: share * self.boost,
            driven_work: share * self.driven_work,
            ..*self
        }
    }

    /// One point's part in it.
    pub(crate) fn shared(&self, share: &Share) -> Self {
        let TouchPoint { point, normal, gap, features, pieces } = share.point;
        let speed = share.before.dot(normal);
        Self {
            contact: Contact { point, distance: gap, speed, features, pieces, ..self.contact },
            before: share.before,
            after: share.after,
            ..self.scaled(share.weight)
        }
    }
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Happening {
    /// An impulse from outside, and the work it did `[J]`.
    Impulse {
        /// The impulse.
        impulse: Impulse,
        /// Work on the body `[J]`.
        work: f64,
    },
    /// A body was added.
    Added {
        /// Its name.
        name: String,
    },
    /// A body was removed.
    Removed {
        /// Its name.
        name: String,
    },
    /// A body began to ride on another's motion.
    Carried {
        /// The carrier.
        by: BodyId,
    },
    /// A body was let go by its carrier.
    Released,
    /// Gravity changed.
    Gravity {
        /// Its new value `[m/s²]`.
        gravity: DVec3,
    },
    /// A material changed.
    Material {
        /// Which.
        material: MaterialId,
        /// Its new surface.
        surface: Surface,
    },
    /// Two bodies touch, and nothing comes of it: they pass through each other, or stay in contact as they are.
    Touch(Contact),
    /// Two bodies collide.
    Collision(Collision),
    /// Two bodies that passed through each other have come apart.
    Parted {
        /// The smaller id first.
        bodies: [BodyId; 2],
    },
    /// A body enters a sensor, or begins inside it.
    Entered {
        /// The sensor.
        sensor: BodyId,
        /// Who enters it.
        body: BodyId,
    },
    /// A body leaves a sensor.
    Left {
        /// The sensor.
        sensor: BodyId,
        /// Who leaves it.
        body: BodyId,
    },
    /// A joint was made.
    Joined {
        /// Its name.
        name: String,
        /// The body that carries it; none for the world.
        parent: Option<BodyId>,
    },
    /// A joint was parted.
    Unjoined {
        /// Its name.
        name: String,
        /// The body that carried it; none for the world.
        parent: Option<BodyId>,
    },
    /// Two bodies stay in contact from now on.
    Rests {
        /// A and B, the smaller id first.
        bodies: [BodyId; 2],
    },
    /// Two bodies that stayed in contact no longer do.
    Lifts {
        /// A and B, the smaller id first.
        bodies: [BodyId; 2],
    },
    /// A joint broke, because it carried too much.
    Broken {
        /// Its name.
        name: String,
        /// The body that carried it; none for the world.
        parent: Option<BodyId>,
        /// What was too much.
        overload: Overload,
        /// What it carried.
        load: JointLoad,
    },
    /// A joint met a stop.
    Stop {
        /// Where.
        site: JointSite,
        /// Which stop.
        side: Side,
        /// Rate of the coordinate just before `[rad/s or m/s]`.
        before: f64,
        /// And just after `[rad/s or m/s]`.
        after: f64,
        /// Impulse of the stop along the coordinate; a lower one pushes with positive ones `[N·m·s or N·s]`.
        impulse: f64,
        /// Kinetic energy that it took `[J]`.
        loss: f64,
    },
    /// A joint came to rest on a stop.
    Rested {
        /// Where.
        site: JointSite,
        /// Which stop.
        side: Side,
    },
    /// A joint left the stop on which it rested.
    Lifted {
        /// Where.
        site: JointSite,
        /// Which stop.
        side: Side,
    },
    /// Dry friction holds a joint from now on.
    Stuck {
        /// Where.
        site: JointSite,
    },
    /// Dry friction no longer holds a joint.
    Slipped {
        /// Where.
        site: JointSite,
        /// Which way it starts.
        sense: Sense,
    },
    /// A rope, a spring that only pulls, became taut.
    Taut {
        /// Its name.
        name: String,
        /// The bodies at its ends.
        bodies: [Option<BodyId>; 2],
    },
    /// A rope became slack.
    Slack {
        /// Its name.
        name: String,
        /// The bodies at its ends.
        bodies: [Option<BodyId>; 2],
    },
    /// A force element took hold.
    Tied {
        /// Its name.
        name: String,
    },
    /// A force element was taken away.
    Untied {
        /// Its name.
        name: String,
    },
    /// A scripted law went over into its next piece.
    Law,
    /// A controller ticked.
    Tick {
        /// Which.
        controller: ControllerId,
        /// Its how-manieth tick, from 0.
        count: u64,
    },
}

impl Happening {
    /// Every name that one may have.
    pub const NAMES: [&'static str; 28] = [
        "impulse",
        "added",
        "removed",
        "carried",
        "released",
        "gravity",
        "material",
        "touch",
        "collision",
        "parted",
        "entered",
        "left",
        "joined",
        "unjoined",
        "tied",
        "untied",
        "rests",
        "lifts",
        "broken",
        "stop",
        "rested",
        "lifted",
        "stuck",
        "slipped",
        "taut",
        "slack",
        "law",
        "tick",
    ];

    /// The kind of event it was.
    pub const fn kind(&self) -> EventKind {
        match self {
            Self::Law => EventKind::Law,
            Self::Touch(_)
            | Self::Collision(_)
            | Self::Parted { .. }
            | Self::Entered { .. }
            | Self::Left { .. } => EventKind::Check,
            Self::Tick { .. } => EventKind::Tick,
            Self::Broken { .. }
            | Self::Rests { .. }
            | Self::Lifts { .. }
            | Self::Stop { .. }
            | Self::Rested { .. }
            | Self::Lifted { .. }
            | Self::Stuck { .. }
            | Self::Slipped { .. }
            | Self::Taut { .. }
            | Self::Slack { .. } => EventKind::Transition,
            _ => EventKind::Command,
        }
    }

    /// Its name in files.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Impulse { .. } => "impulse",
            Self::Added { .. } => "added",
            Self::Removed { .. } => "removed",
            Self::Carried { .. } => "carried",
            Self::Released => "released",
            Self::Gravity { .. } => "gravity",
            Self::Material { .. } => "material",
            Self::Touch(_) => "touch",
            Self::Collision(_) => "collision",
            Self::Parted { .. } => "parted",
            Self::Entered { .. } => "entered",
            Self::Left { .. } => "left",
            Self::Joined { .. } => "joined",
            Self::Unjoined { .. } => "unjoined",
            Self::Tied { .. } => "tied",
            Self::Untied { .. } => "untied",
            Self::Rests { .. } => "rests",
            Self::Lifts { .. } => "lifts",
            Self::Broken { .. } => "broken",
            Self::Stop { .. } => "stop",
            Self::Rested { .. } => "rested",
            Self::Lifted { .. } => "lifted",
            Self::Stuck { .. } => "stuck",
            Self::Slipped { .. } => "slipped",
            Self::Taut { .. } => "taut",
            Self::Slack { .. } => "slack",
            Self::Law => "law",
            Self::Tick { .. } => "tick",
        }
    }
}
