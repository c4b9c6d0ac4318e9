//! Linkages in motion: a tree with what acts in its joints, integrated ahead, link by link a motion like any other.
//!
//! **Problem.** A [`Tree`] under gravity, springs, dampers and motors held constant obeys
//!
//! ```text
//! (H(q) + diag I_r)·v̇ + C(q, v) = τ − k·(q − q_r) − c·v + Σ Jᵀ·f̂                                  (1)
//! ```
//!
//! with reflected inertias I_r, stiffnesses k about rests q_r and dampings c of single freedoms, motors τ and wrenches f̂
//! on links; force elements between links add to it ([`elements`]). [`Linkage::extend`] integrates (1) from a state to a time as late as the tolerance allows and returns a
//! [`Course`], which is data: a polynomial for every freedom in the chart around the start. Every question to it is a
//! pure read. [`Course::link`] gives the motion of one link, which answers where the link is, what box it stays in and
//! how far its points get (`rates.rs` has the proof).
//!
//! **In charts.** The integrator knows numbers s with q = q(s), v = N(s)·ṡ (`tree/chart.rs`). Damping is implicit there:
//! it acts on the velocity N·(w + γ·s̈), and since N·s̈ = v̇ − Ṅ·ṡ, one call of forward dynamics solves
//!
//! ```text
//! (H + diag(I_r + γ·c))·v̇ = τ − k·(q − q_r) − C − c·N·w + γ·c·Ṅ·ṡ + Σ Jᵀ·f̂                          (2)
//! ```
//!
//! **Tolerance.** One number ε for a linkage. With L its size, the largest distance along its links from a root's origin
//! to the far side of a link (centre of mass plus radius of gyration), and T = √(L/g₀), a freedom that turns is held to
//! ε·1 rad and ε·(1/T + |v|), one that slides to ε·L and ε·(L/T + |v|), at every time of a segment. g₀ is standard
//! gravity whatever the scene's is: a fixed measure of what is fast, so that a linkage at rest in free space has one, too.
//! Nothing else has a size, so that a linkage with all lengths 1000 times as large does the same √1000 times as slowly.
//! A linkage without any extent (points that slide) counts as one metre large.
//!
//! **Friction and stops.** Dry friction and stops make (1) an equation with inequalities. Within a segment a [`Mode`] is
//! frozen, under which each such freedom is free, slides in one direction, or does not move; the derivative stays smooth, and
//! the segment ends where an inequality would be broken, which [`Course::transition`] tells. [`Linkage::settle`] then answers
//! impacts on stops and chooses the next mode. Whoever drives a linkage with restraints calls settle, extend, settle, …
//!
//! **Contact.** Surfaces that touch lastingly are part of the mode, too: which points are in contact is frozen, and their forces follow
//! from the accelerations that they allow ([`contacts`]).
//!
//! **Breaking.** Joints may have a [`Strength`]. A segment ends where the load of one becomes too much ([`Course::breaks`]); who drives
//! the linkage then goes on with one that has no such joint.
//!
//! **Springs of joints with quaternions.** A spring of a free joint's position acts in the axes of the joint frame. One
//! that turns must be the same about all axes with its rest at zero; it pulls with k times the rotation vector.
//!
//! | symbol | meaning | unit |
//! |---|---|---|
//! | s, ṡ, s̈ | displacement from the segment's start in its chart, and rates | rad or m, /s, /s² |
//! | q, v | configuration and velocity of the tree | |
//! | γ, w | share of the new acceleration in the velocity that damps, and that without it | s, … |
//! | L, T, ε | size, time and tolerance | m, s, – |
//!
//! | file | idea |
//! |---|---|
//! | `extend`, `ahead`, `workspace` | equation (2), what one segment leaves for the next, and storage |
//! | `restraint`, `mode`, `guard/`, `settle` | friction and stops; what is frozen over a segment; what ends it; what follows |
//! | `contacts/` | surfaces that keep links apart |
//! | `strike`, `energy` | impulses and responses; energies |
//! | `strength` | what joints carry, and what is too much for them |
//! | `required` | forces of motors for accelerations that are asked for |
//! | `course`, `books` | a segment, its joints at a time; work and losses |
//! | `link_motion`, `window`, `memo` | one link: states; boxes and travel; what was asked before |
//! | `elements/` | what acts between links besides joints |
//! | `joint_rates`, `rates` | what a joint, and a chain of them, cannot exceed |

mod ahead;
mod books;
pub mod contacts;
mod course;
pub mod elements;
mod energy;
mod extend;
mod guard;
mod joint_rates;
mod link_motion;
mod memo;
mod mode;
mod rates;
mod required;
mod restraint;
mod settle;
mod strength;
mod strike;
mod window;
mod workspace;

#[cfg(test)]
mod tests;

use glam::DVec3;
use thiserror::Error;

pub use ahead::Ahead;
pub use books::Flow;
pub use contacts::{ContactFlow, ContactSettled, Contacts, HoldLaw, Site, Surfaces, Tag, Touching};
pub use course::Course;
pub use guard::{Change, Ending, Transition};
pub use link_motion::LinkMotion;
pub use mode::{Grip, Mode, Sense};
pub use required::Situation;
use restraint::Restraint;
pub use settle::{SettleError, Settled, StopStrike};
pub use strength::{Overload, Strength};
pub use window::Window;
pub use workspace::Workspace;

use crate::collocation::{Accuracy, IntegrationError, Scale};
use crate::spatial::ForceVector;
use crate::tolerances::STANDARD_GRAVITY;
use crate::tree::{Chart, Joint, Tree};

/// What acts in one freedom of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointForce {
    /// c, force per velocity `[N·m·s/rad or N·s/m]`.
    pub damping: f64,
    /// k, force per displacement `[N·m/rad or N/m]`.
    pub stiffness: f64,
    /// Where the spring is relaxed `[rad or m]`.
    pub rest: f64,
    /// I_r, inertia of the joint's own drive, reflected to it `[kg·m² or kg]`.
    pub armature: f64,
    /// F, largest force of dry friction, the same at rest and in motion `[N·m or N]`.
    pub friction: f64,
    /// Stops: least and greatest value of the coordinate `[rad or m]`.
    pub limits: Option<[f64; 2]>,
    /// e of the stops, from 0 to 1 `[-]`.
    pub restitution: f64,
}

/// What acts on a linkage from outside, constant over a segment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drive {
    /// Acceleration of free fall `[m/s²]`.
    pub gravity: DVec3,
    /// Forces of motors, dual to v; one for each freedom, or none.
    pub torque: Vec<f64>,
    /// Wrenches in world axes at the links' centres of mass; one for each link, or none.
    pub wrenches: Vec<ForceVector>,
}

/// Why a linkage is refused.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum LinkageError {
    /// A tree that cannot move.
    #[error("no joint of the linkage can move\nhint: make its links fixed bodies")]
    NoFreedom,
    /// Not one force for each freedom.
    #[error("the tree has {expected} freedoms, but {given} of them are given what acts in them")]
    JointForces {
        /// How many there must be.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// A number that is not finite, or negative.
    #[error(
        "the {what} of freedom {freedom} (joint of link {link}) is {value}\nhint: it must be finite, and all but a rest not negative"
    )]
    Number {
        /// The link that the joint carries.
        link: usize,
        /// The freedom, as a position in v.
        freedom: usize,
        /// What it is.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A restitution out of range.
    #[error(
        "the restitution of freedom {freedom} (joint of link {link}) is {value}\nhint: it must be from 0 to 1"
    )]
    Restitution {
        /// The link that the joint carries.
        link: usize,
        /// The freedom, as a position in v.
        freedom: usize,
        /// Its value.
        value: f64,
    },
    /// Stops that leave no way to go.
    #[error(
        "the stops of freedom {freedom} (joint of link {link}) are at {low} and {high}\nhint: both must be finite, and the \
         first below the second; a joint that cannot move is fixed"
    )]
    Limits {
        /// The link that the joint carries.
        link: usize,
        /// The freedom, as a position in v.
        freedom: usize,
        /// The lower stop.
        low: f64,
        /// The upper stop.
        high: f64,
    },
    /// Stops or friction of a freedom without a coordinate of its own.
    #[error(
        "freedom {freedom} (joint of link {link}) cannot have {what}, because a spherical or free joint has no angles and \
         its axes turn with it\nhint: use universal and revolute joints"
    )]
    NoCoordinate {
        /// The link that the joint carries.
        link: usize,
        /// The freedom, as a position in v.
        freedom: usize,
        /// What was asked for.
        what: &'static str,
    },
    /// A spring that turns differently about different axes.
    #[error(
        "the springs that turn link {link} must be equal about all three axes and rest at 0, because a spherical or free \
         joint has no angles\nhint: use universal and revolute joints for springs about single axes"
    )]
    UnevenSpring {
        /// The link that the joint carries.
        link: usize,
    },
    /// A force element that is none.
    #[error("element {element}: {fault}")]
    Element {
        /// Its number, from 0.
        element: usize,
        /// What is wrong with it.
        fault: elements::ElementFault,
    },
    /// Not one strength for each link.
    #[error("the tree has {expected} links, but strengths are given for {given} joints")]
    Strengths {
        /// How many there must be.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// A joint that would break by nothing.
    #[error(
        "the joint of link {link} breaks by a {what} of {value}\nhint: it must be above 0; leave it out where nothing is too much"
    )]
    Strength {
        /// The link that the joint carries.
        link: usize,
        /// Against what.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A tolerance out of range.
    #[error(transparent)]
    Tolerance(#[from] IntegrationError),
}

/// A tree with what acts in its joints; constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Linkage {
    tree: Tree,
    joints: Vec<JointForce>,
    elements: elements::Elements,
    /// I_r of every freedom; empty where all are zero.
    armature: Vec<f64>,
    accuracy: Accuracy,
    /// Around the configuration in which all displacements are zero.
    neutral: Chart,
    /// How many links are between a link and the world.
    depths: Vec<u32>,
    /// Whether the orientation of a link can change.
    turning: Vec<bool>,
    has_springs: bool,
    is_damped: bool,
    /// Whether velocities are not plain derivatives of coordinates somewhere.
    has_quaternions: bool,
    /// Freedoms with friction or stops.
    restraints: Vec<Restraint>,
    strengths: strength::Strengths,
}

impl Linkage {
    /// A tree with one [`JointForce`] for each freedom, to be integrated with this tolerance.
    ///
    /// # Errors
    /// When nothing can move, a number makes no sense, or a spring is not one.
    pub fn new(tree: Tree, joints: Vec<JointForce>, tolerance: f64) -> Result<Self, LinkageError> {
        check(&tree, &joints)?;
        let size = size(&tree);
        let accuracy = Accuracy::new(tolerance, scales(&tree, size))?;
        let has_armature = joints.iter().any(|joint| joint.armature > 0.0);
        let armature = joints.iter().map(|joint| joint.armature).filter(|_| has_armature).collect();
        let (mut depths, mut turning) = (Vec::new(), Vec::new());
        for link in 0..tree.n_links() {
            let parent = tree.parent(link);
            depths.push(parent.map_or(0, |parent| depths[parent] + 1));
            let turns = !matches!(tree.joint(link), Joint::Fixed | Joint::Prismatic { .. });
            turning.push(turns || parent.is_some_and(|parent| turning[parent]));
        }
        Ok(Self {
            restraints: restraint::restraints(&tree, &joints, (size, &accuracy)),
            neutral: Chart::new(&tree, &tree.neutral()),
            has_springs: joints.iter().any(|joint| joint.stiffness > 0.0),
            is_damped: joints.iter().any(|joint| joint.damping > 0.0),
            has_quaternions: (0..tree.n_links()).any(|i| tree.joint(i).quaternion().is_some()),
            tree,
            joints,
            elements: elements::Elements::default(),
            strengths: strength::Strengths::default(),
            armature,
            accuracy,
            depths,
            turning,
        })
    }

    /// Its links.
    pub const fn tree(&self) -> &Tree {
        &self.tree
    }

    /// What acts in its freedoms.
    pub fn joint_forces(&self) -> &[JointForce] {
        &self.joints
    }

    /// What integration promises.
    pub const fn accuracy(&self) -> &Accuracy {
        &self.accuracy
    }
}

fn check(tree: &Tree, joints: &[JointForce]) -> Result<(), LinkageError> {
    if tree.n_v() == 0 {
        return Err(LinkageError::NoFreedom);
    }
    if joints.len() != tree.n_v() {
        return Err(LinkageError::JointForces { expected: tree.n_v(), given: joints.len() });
    }
    for (freedom, joint) in joints.iter().enumerate() {
        let numbers = [
            ("damping", joint.damping, joint.damping >= 0.0),
            ("stiffness", joint.stiffness, joint.stiffness >= 0.0),
            ("rest", joint.rest, true),
            ("armature", joint.armature, joint.armature >= 0.0),
            ("friction", joint.friction, joint.friction >= 0.0),
        ];
        for (what, value, is_lawful) in numbers {
            if !(is_lawful && value.is_finite()) {
                let link = tree.link_of_freedom(freedom);
                return Err(LinkageError::Number { link, freedom, what, value });
            }
        }
    }
    for link in 0..tree.n_links() {
        let Some(start) = tree.joint(link).quaternion() else { continue };
        let turning = &joints[tree.v_range(link)][start..];
        let stiffness = turning[0].stiffness;
        let is_even = |joint: &JointForce| joint.stiffness == stiffness && joint.rest == 0.0;
        let is_spring = turning.iter().any(|joint| joint.stiffness > 0.0);
        if is_spring && !turning.iter().all(is_even) {
            return Err(LinkageError::UnevenSpring { link });
        }
    }
    restraint::check(tree, joints)
}

/// L: how far it reaches from the origins of its roots, along its links `[m]`.
fn size(tree: &Tree) -> f64 {
    let mut reach = vec![0.0_f64; tree.n_links()];
    let mut largest = 0.0_f64;
    for link in (0..tree.n_links()).rev() {
        let body = tree.mass_properties(link);
        let inertia = &body.inertia;
        // Half the trace is at least the largest moment.
        let moment = 0.5 * (inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z);
        let gyration = if body.mass > 0.0 { (moment / body.mass).max(0.0).sqrt() } else { 0.0 };
        reach[link] = reach[link].max(body.center.length() + gyration);
        match tree.parent(link) {
            Some(parent) => {
                let arm = tree.parent_from_joint(link).translation.length();
                reach[parent] = reach[parent].max(arm + reach[link]);
            }
            None => largest = largest.max(reach[link]),
        }
    }
    if largest > 0.0 { largest } else { 1.0 }
}

/// Sizes of displacements and velocities of every freedom.
fn scales(tree: &Tree, size: f64) -> Vec<Scale> {
    let time = (size / STANDARD_GRAVITY).sqrt();
    let scale = |displacement: f64| Scale { displacement, velocity: displacement / time };
    let mut scales = Vec::with_capacity(tree.n_v());
    for link in 0..tree.n_links() {
        let joint = tree.joint(link);
        scales.extend((0..joint.n_v()).map(|k| scale(if slides(joint, k) { size } else { 1.0 })));
    }
    scales
}

/// Whether a freedom of a joint is a length; screws are angles.
const fn slides(joint: &Joint, freedom: usize) -> bool {
    match joint {
        Joint::Prismatic { .. } => true,
        Joint::Cylindrical { .. } => freedom == 1,
        Joint::Planar => freedom < 2,
        Joint::Free => freedom < 3,
        Joint::Fixed
        | Joint::Revolute { .. }
        | Joint::Screw { .. }
        | Joint::Universal { .. }
        | Joint::Spherical => false,
    }
}
