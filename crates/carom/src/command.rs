//! What comes from outside.

use carom_dynamics::linkage::elements::ElementLaw;
use glam::DVec3;

use smallvec::SmallVec;

use crate::body::{Body, BodyId};
use crate::control::Target;
use crate::controller::ControllerId;
use crate::element::{Element, ElementId, Hold};
use crate::joint::{Joint, JointId};
use crate::material::{MaterialId, Surface};

/// A change that a world makes to itself when its time comes.
#[derive(Clone, Debug)]
pub enum Command {
    /// Strike a body.
    Impulse(Push),
    /// Add a body, at the pose and velocity that it states.
    Add {
        /// The body.
        body: Box<Body>,
        /// Its handle, if [`World::schedule_add`](crate::World::schedule_add) has given it out already.
        reserved: Option<BodyId>,
    },
    /// Take a body away.
    Remove(BodyId),
    /// Let a body ride, where it is, on the motion of a fixed or scripted one.
    Carry {
        /// Who rides.
        body: BodyId,
        /// On whom.
        by: BodyId,
    },
    /// Let a carried body go, at the velocity it has.
    Release(BodyId),
    /// Change gravity `[m/s²]`.
    Gravity(DVec3),
    /// Change what a material does.
    Material {
        /// Which.
        material: MaterialId,
        /// Its new surface.
        surface: Surface,
    },
    /// Let two bodies take no notice of each other from now on, or again.
    Exclude {
        /// The two.
        bodies: [BodyId; 2],
        /// False to take it back.
        excluded: bool,
    },
    /// Join two bodies, or a body and the world.
    Join(Box<Joint>),
    /// Join many bodies at once, as [`World::join_all`](crate::World::join_all) does.
    JoinAll(Vec<Joint>),
    /// Part what a joint holds.
    Part(JointId),
    /// Add a force element.
    Tie(Box<Element>),
    /// Take a force element away.
    Untie(ElementId),
    /// Let a force element do something else, or take hold elsewhere.
    Retie {
        /// Which.
        element: ElementId,
        /// What it does from now on.
        law: Box<ElementLaw>,
        /// Where it takes hold.
        ends: [Hold; 2],
    },
    /// Set the forces of the motors of a joint, one for each of its freedoms `[N·m or N]`.
    Drive {
        /// Which.
        joint: JointId,
        /// The forces, dual to the rates of its coordinates.
        torque: SmallVec<[f64; 1]>,
    },
    /// Hold a force and a torque on a body from now on, instead of those that were held on it before; zero takes them away.
    ///
    /// What is held is the wrench about the centre of mass, in world axes, as it is now: it goes with the centre of mass and does
    /// not turn with the body. Whoever wants a thruster commands it anew as often as it turns. A body that nothing else holds
    /// is integrated ahead meanwhile, like a linkage of one link, and flies freely again afterwards.
    Force {
        /// On whom.
        body: BodyId,
        /// In world axes `[N]`.
        force: DVec3,
        /// Beyond that of the force, in world axes `[N·m]`.
        torque: DVec3,
        /// Where the force acts now.
        point: Place,
    },
    /// Set what a controller aims at, from its next tick on.
    Target {
        /// Which.
        controller: ControllerId,
        /// A joint that it controls.
        joint: JointId,
        /// Which of the joint's freedoms, from 0.
        freedom: usize,
        /// The new aim.
        target: Target,
    },
    /// Let a controller tick or not; one that stops lets go of what it holds.
    Enable {
        /// Which.
        controller: ControllerId,
        /// False to stop it.
        enabled: bool,
    },
}

impl Command {
    /// Adds a body.
    pub fn add(body: Body) -> Self {
        Self::Add { body: Box::new(body), reserved: None }
    }
}

/// An impulse to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Push {
    /// On whom.
    pub body: BodyId,
    /// Time integral of force `[N·s]`.
    pub linear: DVec3,
    /// Time integral of torque beyond that of `linear` `[N·m·s]`.
    pub angular: DVec3,
    /// Where it acts.
    pub point: Place,
}

/// Where on a body something acts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Place {
    /// At its reference point: the centre of mass.
    #[default]
    Center,
    /// At a point of the world `[m]`.
    World(DVec3),
    /// At a point of the body frame `[m]`.
    Body(DVec3),
}

impl Push {
    /// An impulse through the centre of mass.
    pub const fn central(body: BodyId, linear: DVec3) -> Self {
        Self { body, linear, angular: DVec3::ZERO, point: Place::Center }
    }

    /// An impulse at a point of the world.
    pub const fn at_point(body: BodyId, linear: DVec3, point: DVec3) -> Self {
        Self { body, linear, angular: DVec3::ZERO, point: Place::World(point) }
    }
}

/// A command that waits for its time; [`World::cancel`](crate::World::cancel) takes it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Scheduled {
    /// Bits that are ordered like the times.
    pub(crate) time_bits: u64,
    /// Of several at one time, the first scheduled has the least.
    pub(crate) order: u64,
}
