//! What can be wrong with what a world is told, and what can go wrong while it runs.

use carom_geometry::MassError;
use carom_geometry::mass::InertiaFault;
use glam::DVec3;
use thiserror::Error;

use crate::arena::Handle as _;
use crate::body::BodyId;
use crate::controller::ControllerId;
use crate::element::ElementId;
use crate::joint::JointId;
use crate::material::MaterialId;
use crate::short::Short;

/// Why a body cannot be.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BodyError {
    /// Its shape gives no mass properties.
    #[error("body \"{body}\": {error}")]
    Mass {
        /// Its name.
        body: String,
        /// What geometry says.
        error: MassError,
    },
    /// Its mass is not a positive finite number.
    #[error("body \"{body}\": the mass is {mass} kg, but must be a positive finite number")]
    MassValue {
        /// Its name.
        body: String,
        /// The mass `[kg]`.
        mass: f64,
    },
    /// Its inertia belongs to no solid.
    #[error("body \"{body}\": {fault}")]
    Inertia {
        /// Its name.
        body: String,
        /// What is wrong.
        fault: InertiaFault,
    },
    /// A body without end cannot have mass.
    #[error("body \"{body}\" has no end and cannot have a mass\nhint: make it fixed or scripted")]
    Unbounded {
        /// Its name.
        body: String,
    },
    /// A number of its first state is not finite, or its quaternion not unit.
    #[error("body \"{body}\": the {what} is not valid: {value}")]
    State {
        /// Its name.
        body: String,
        /// Which.
        what: &'static str,
        /// The value.
        value: String,
    },
    /// A velocity given to a body that does not move freely.
    #[error(
        "body \"{body}\" is not free, so it cannot be given a velocity\n\
         hint: put the velocity into its law of motion"
    )]
    VelocityOfPassive {
        /// Its name.
        body: String,
    },
    /// Two bodies of one name.
    #[error("there is already a body named \"{body}\"\nhint: names must be unique in a world")]
    NameTaken {
        /// The name.
        body: String,
    },
    /// Its material is not there.
    #[error("body \"{body}\" is made of {material}, which is not a material of this world")]
    NoMaterial {
        /// Its name.
        body: String,
        /// The handle.
        material: MaterialId,
    },
    /// Its carrier is not there, or moves freely.
    #[error("body \"{body}\" cannot ride on {carrier}: {reason}")]
    Carrier {
        /// Its name.
        body: String,
        /// The handle.
        carrier: BodyId,
        /// Why not.
        reason: &'static str,
    },
}

/// Why a joint cannot be.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum JointError {
    /// A number that makes no sense.
    #[error(
        "joint \"{joint}\": the {what} is not valid: {value}\n\
         hint: numbers must be finite and as many as the joint has freedoms, and axes must have a direction"
    )]
    Value {
        /// Its name.
        joint: String,
        /// Which.
        what: &'static str,
        /// The value.
        value: String,
    },
    /// Two joints of one name.
    #[error("there is already a joint named \"{joint}\"\nhint: names must be unique in a world")]
    NameTaken {
        /// The name.
        joint: String,
    },
    /// A child that is not free, or a parent that moves by a script.
    #[error("joint \"{joint}\": body \"{body}\" is {role}, but must be {wanted}")]
    Role {
        /// Its name.
        joint: String,
        /// The body.
        body: String,
        /// What it is.
        role: &'static str,
        /// What it must be.
        wanted: &'static str,
    },
    /// A child that hangs on another joint already.
    #[error(
        "joint \"{joint}\": body \"{body}\" already hangs on joint \"{other}\"\n\
         hint: linkages are trees; swap the bodies of one of the joints"
    )]
    Taken {
        /// Its name.
        joint: String,
        /// The child.
        body: String,
        /// The joint it hangs on.
        other: String,
    },
    /// A joint that closes a loop.
    #[error(
        "joint \"{joint}\" would close a loop: \"{parent}\" hangs on \"{child}\"\n\
         hint: linkages are trees; leave one joint of every loop out"
    )]
    Loop {
        /// Its name.
        joint: String,
        /// Its parent.
        parent: String,
        /// Its child.
        child: String,
    },
    /// A link without mass at the end of a joint that moves.
    #[error(
        "joint \"{joint}\": body \"{body}\" has no mass and carries none, so nothing says how it moves\n\
         hint: join what it carries first, or all of it at once with `World::join_all`; or give it a mass"
    )]
    Massless {
        /// Its name.
        joint: String,
        /// Its child.
        body: String,
    },
    /// What the tree or the linkage says.
    #[error("joint \"{joint}\": {fault}")]
    Linkage {
        /// Its name.
        joint: String,
        /// What is wrong.
        fault: String,
    },
}

/// Why a force element cannot be.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ElementError {
    /// Two elements of one name.
    #[error(
        "there is already an element named \"{element}\"\nhint: names must be unique in a world"
    )]
    NameTaken {
        /// The name.
        element: String,
    },
    /// A body that moves by a script.
    #[error(
        "element \"{element}\" takes hold of \"{body}\", which moves by a script\n\
         hint: elements act on free, linked and fixed bodies"
    )]
    Driven {
        /// Its name.
        element: String,
        /// The body.
        body: String,
    },
    /// Nothing that it could move.
    #[error(
        "element \"{element}\" takes hold of nothing that moves\nhint: one end must be on a free body"
    )]
    Nobody {
        /// Its name.
        element: String,
    },
}

/// Why a world refuses what it was told.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum WorldError {
    /// A body that cannot be.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// A joint that cannot be.
    #[error(transparent)]
    Joint(#[from] JointError),
    /// An element that cannot be.
    #[error(transparent)]
    Element(#[from] ElementError),
    /// An element that is not there.
    #[error("{element} is not in this world (any more)")]
    NoElement {
        /// The handle.
        element: ElementId,
    },
    /// A joint that is not there.
    #[error("{joint} is not in this world (any more)")]
    NoJoint {
        /// The handle.
        joint: JointId,
    },
    /// A body that hangs on a joint or carries one.
    #[error("body \"{body}\" is part of joint \"{joint}\"\nhint: part the joint first")]
    Linked {
        /// Its name.
        body: String,
        /// The joint.
        joint: String,
    },
    /// A body that a force element acts on.
    #[error(
        "element \"{element}\" takes hold of body \"{body}\"\nhint: take the element away first"
    )]
    Tied {
        /// Its name.
        body: String,
        /// The element.
        element: String,
    },
    /// A tolerance that is none.
    #[error("the tolerance is {tolerance}, but must be between 1e-13 and 1e-2")]
    Tolerance {
        /// The setting.
        tolerance: f64,
    },
    /// A body that is not there.
    #[error("{body} is not in this world (any more)")]
    NoBody {
        /// The handle.
        body: BodyId,
    },
    /// A material that is not there.
    #[error("{material} is not a material of this world")]
    NoMaterial {
        /// The handle.
        material: MaterialId,
    },
    /// A surface out of range.
    #[error("material \"{name}\": {complaint}")]
    Material {
        /// Name of the material.
        name: String,
        /// What is wrong.
        complaint: String,
    },
    /// A controller that is not there.
    #[error("{controller} is not in this world (any more)")]
    NoController {
        /// The handle.
        controller: ControllerId,
    },
    /// A controller that does not aim at this.
    #[error(
        "{controller} takes no target for freedom {freedom} of joint {joint}: {reason}\n\
         hint: targets are for controllers of joints, and for freedoms that they control"
    )]
    Target {
        /// The controller.
        controller: ControllerId,
        /// Name of the joint.
        joint: String,
        /// The freedom, from 0.
        freedom: usize,
        /// Why.
        reason: &'static str,
    },
    /// A rate without a period.
    #[error("a controller's rate must be a positive finite number, but it is {rate}")]
    Rate {
        /// The rate.
        rate: String,
    },
    /// Gravity or an impulse with numbers that are not finite.
    #[error("the {what} {value} is not finite, or too large to compute with")]
    NotFinite {
        /// Which vector.
        what: &'static str,
        /// The vector.
        value: DVec3,
    },
    /// A time before now, or none at all.
    #[error("the time {time} s is {reason}: the world is at {now} s")]
    Time {
        /// The time asked for `[s]`.
        time: f64,
        /// What is wrong with it.
        reason: &'static str,
        /// The world's time `[s]`.
        now: f64,
    },
    /// An impulse on a body that takes no notice of impulses is a mistake of whoever gave it.
    #[error(
        "body \"{body}\" is {role} and takes no impulses\n\
         hint: impulses act on free bodies only"
    )]
    Passive {
        /// Its name.
        body: String,
        /// Fixed, scripted or carried.
        role: &'static str,
    },
    /// A body that nobody carries cannot be let go.
    #[error("body \"{body}\" is not carried, so it cannot be released")]
    NotCarried {
        /// Its name.
        body: String,
    },
    /// Something rides on the body.
    #[error(
        "body \"{body}\" carries \"{rider}\" and cannot be removed\nhint: release or remove the rider first"
    )]
    Carries {
        /// Its name.
        body: String,
        /// Who rides on it.
        rider: String,
    },
    /// A body that would overlap another one.
    #[error(
        "body \"{body}\" overlaps \"{other}\" by {} m\n\
         hint: move \"{body}\" by {} m along ({}, {}, {}), make one of them a ghost, or exclude the pair",
        Short(*depth), Short(way_out(*depth)), plain(direction.x), plain(direction.y), plain(direction.z)
    )]
    Overlap {
        /// The body that comes.
        body: String,
        /// The one that is there.
        other: String,
        /// How deep they overlap `[m]`.
        depth: f64,
        /// Unit vector along which the body leaves the other by the shortest way.
        direction: DVec3,
    },
    /// A body and itself are no pair.
    #[error("{body} cannot be excluded from touching itself")]
    NoPair {
        /// The handle.
        body: BodyId,
    },
    /// The world had a fault and cannot go on.
    #[error("the world cannot go on after a fault: {first}")]
    Broken {
        /// What the fault said.
        first: String,
    },
    /// Windows without a length.
    #[error("window_radii is {radii}, but must be a positive finite number")]
    WindowRadii {
        /// The setting.
        radii: f64,
    },
    /// An envelope without a width.
    #[error("the envelope is {envelope} m, but must be a positive finite number")]
    Envelope {
        /// The setting `[m]`.
        envelope: f64,
    },
    /// A number of threads that cannot be started.
    #[error("{threads} threads cannot be started: {reason}")]
    Threads {
        /// How many.
        threads: usize,
        /// Why.
        reason: String,
    },
}

/// Why a run ended before its time.
#[derive(Debug, Error)]
pub enum Fault {
    /// A command could not be carried out when its time came.
    #[error("at {time} s: {error}")]
    Command {
        /// When `[s]`.
        time: f64,
        /// Why.
        error: WorldError,
    },
    /// The time asked for cannot be reached.
    #[error(transparent)]
    Time(WorldError),
    /// A number of a body's state left the range of numbers.
    #[error(
        "at {time} s: the state of body \"{body}\" is not finite\n\
         hint: look for a huge impulse, velocity or distance"
    )]
    NotFinite {
        /// When `[s]`.
        time: f64,
        /// Its name.
        body: String,
    },
    /// A linkage that could not be integrated on.
    #[error("at {time} s: the linkage of {bodies} cannot be followed on: {reason}")]
    Linkage {
        /// When `[s]`.
        time: f64,
        /// Names of its bodies.
        bodies: String,
        /// Why.
        reason: String,
    },
    /// Too much happened in too little time.
    #[error(
        "at {time} s: the budget of {limit} {what} is spent; last at work: {culprits}\n\
         hint: look for bodies that are wedged or jammed; a program that means this much to happen raises `Settings::budget`"
    )]
    Budget {
        /// When `[s]`.
        time: f64,
        /// What was counted.
        what: &'static str,
        /// How much was allowed.
        limit: u64,
        /// Names of the bodies and controllers of the last events.
        culprits: String,
    },
    /// Collisions that do not end.
    #[error(
        "at {time} s: collisions of {bodies} do not end: {rounds} rounds at one instant\n\
         hint: something is wedged between bodies that close in on it, or jammed by friction above 1, or a body presses on one \
         that is hundreds of times lighter"
    )]
    Cascade {
        /// When `[s]`.
        time: f64,
        /// How many rounds of collisions there were.
        rounds: u64,
        /// Names of the bodies.
        bodies: String,
    },
    /// A collision that no impulse ends.
    #[error(
        "at {time} s: {bodies} are jammed: no impulse drives them apart\n\
         hint: look for a friction far above 1, or a mass without inertia"
    )]
    Jammed {
        /// When `[s]`.
        time: f64,
        /// Names of the two bodies.
        bodies: String,
    },
    /// Bounces that become ever smaller, and nothing that ends them.
    #[error(
        "at {time} s: {bodies} come to rest on each other by bounces that are too small to be told apart\n\
         hint: let them rest by microcollisions"
    )]
    Stalled {
        /// When `[s]`.
        time: f64,
        /// Names of the two bodies.
        bodies: String,
    },
    /// The search for a touch could not prove a step.
    #[error(
        "at {time} s: the search for a touch of \"{a}\" and \"{b}\" cannot go on\n\
         hint: this is a defect of the program; please report the scene"
    )]
    Search {
        /// When `[s]`.
        time: f64,
        /// One name.
        a: String,
        /// The other name.
        b: String,
    },
    /// Two bodies are near each other where places have too few digits to tell whether they touch.
    #[error(
        "at {time} s: \"{a}\" and \"{b}\" are near each other, but {distance:.3e} m from the origin places have too few \
         digits to tell whether they touch\n\
         hint: keep what matters nearer to the origin, stop earlier, or let bodies that have left be removed"
    )]
    Blurred {
        /// When `[s]`.
        time: f64,
        /// One name.
        a: String,
        /// The other name.
        b: String,
        /// From the origin `[m]`.
        distance: f64,
    },
    /// Two bodies with friction came to rest on each other under a regime that has none yet.
    #[error(
        "at {time} s: {bodies} stay in contact with a friction of {friction}, but forces of lasting contact know no friction yet\n\
         hint: use regime = \"impulse\" for them, or set their friction to 0"
    )]
    NoFriction {
        /// When `[s]`.
        time: f64,
        /// Their names.
        bodies: String,
        /// μ `[-]`.
        friction: f64,
    },
    /// Two bodies overlap that should have been found touching before.
    #[error(
        "at {time} s: \"{a}\" and \"{b}\" overlap, although no touch was found before\n\
         hint: this is a defect of the program; please report the scene"
    )]
    Overlap {
        /// When `[s]`.
        time: f64,
        /// One name.
        a: String,
        /// The other name.
        b: String,
    },
    /// An observer asked to stop.
    #[error("stopped at {time} s")]
    Stopped {
        /// When `[s]`.
        time: f64,
    },
    /// An observer failed.
    #[error("at {time} s: {error}")]
    Observer {
        /// When `[s]`.
        time: f64,
        /// Why.
        error: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The world had a fault before and cannot go on.
    #[error("the world stopped at {time} s with a fault and cannot go on: {first}")]
    Before {
        /// When `[s]`.
        time: f64,
        /// What the fault said.
        first: String,
    },
}

impl Fault {
    /// The time up to which everything is valid `[s]`; none if nothing ran.
    pub const fn time(&self) -> Option<f64> {
        match self {
            Self::Time(_) => None,
            Self::Command { time, .. }
            | Self::NotFinite { time, .. }
            | Self::Linkage { time, .. }
            | Self::Budget { time, .. }
            | Self::Cascade { time, .. }
            | Self::Stalled { time, .. }
            | Self::Jammed { time, .. }
            | Self::NoFriction { time, .. }
            | Self::Search { time, .. }
            | Self::Blurred { time, .. }
            | Self::Overlap { time, .. }
            | Self::Stopped { time }
            | Self::Observer { time, .. }
            | Self::Before { time, .. } => Some(*time),
        }
    }
}

/// How far a body has to be moved to leave a depth, in as many digits as are printed `[m]`.
fn way_out(depth: f64) -> f64 {
    1.001 * depth
}

/// A component of a unit vector, without what is only rounding.
fn plain(component: f64) -> Short {
    Short(if component.abs() < 1e-9 { 0.0 } else { component })
}

/// A handle as text, for messages.
pub(crate) fn slot_text(body: BodyId) -> String {
    format!("body {}", body.index())
}
