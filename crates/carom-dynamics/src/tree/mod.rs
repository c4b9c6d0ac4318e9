//! Linkages: rigid links joined in trees, in reduced coordinates.
//!
//! The equations of motion in coordinates q, velocities v and forces τ dual to v are
//!
//! ```text
//! H(q)·v̇ + C(q, v) = τ + Σ Jᵀ·f̂                                                             (1)
//! ```
//!
//! H the mass matrix, C gravity and velocity terms, f̂ wrenches on links. Nothing here forms H unless asked to; (1) is
//! solved in time proportional to the number of links by the articulated-body method (M ch. 4, guide F-4).
//!
//! **Three lifetimes.** [`Tree`] is constant. A state is two slices, q and v, owned by the caller. [`Scratch`] is
//! everything that is computed on the way, without allocating. One calls [`Tree::place`] with a state and then asks:
//!
//! | question | file |
//! |---|---|
//! | poses, velocities, accelerations of links | `kinematics.rs` |
//! | v̇ from τ, with H + diag(γ) where damping is implicit | `forward.rs` |
//! | the same with dampers between links | `damped.rs` |
//! | τ from v̇ | `inverse.rs` |
//! | some of v̇ and the other τ from the rest | `mixed.rs` |
//! | H | `mass_matrix.rs` |
//! | energies and momenta | `energy.rs` |
//! | Jacobians of points | `jacobian.rs` |
//! | jumps of v by impulses, and J·H⁻¹·Jᵀ | `response.rs` |
//! | the same for points of two links that move against each other | `between.rs` |
//! | forces and impulses that hold, drive, stop or strike joints and points | `constraint/` |
//! | one link after the other, without memory of the rest | `walk.rs` |
//!
//! **Frames.** All vectors are in world axes, and those of a link are seen at the origin of its frame. So transforms between links
//! are shifts by the arm r between two origins, which costs a third of a full change of frame, and no digits are lost
//! far from the origin of the world. Quantities with "link" in their names are in the link's own frame.
//!
//! **Freedoms one by one.** A joint of d freedoms is treated as d joints of one freedom with massless links between
//! them, all at one point (guide F-2.3). The quotient by D is then always a number, elimination is that of L·D·Lᵀ, and
//! a new joint needs nothing but its directions and biases. No joint here has a chart that locks, because v is not
//! the derivative of three angles.
//!
//! | symbol | meaning | symbol | meaning |
//! |---|---|---|---|
//! | ŝ | direction of a freedom | Î, ÎA | rigid and articulated inertia |
//! | Û = ÎA·ŝ, D = ŝ·Û + γ | | p̂ | force that the handle needs at zero acceleration |
//! | r | arm from parent's to link's origin | â⁰ | acceleration at v̇ = 0 |
//!
//! Deviations from the source: world axes instead of link axes; joint origins instead of centres of mass; the velocity
//! terms ĉ are not carried through articulated inertias but through rigid ones, as â⁰ (see `forward.rs`).

mod between;
mod build;
mod chart;
pub mod constraint;
mod damped;
mod energy;
pub(crate) mod exponential;
mod forward;
mod inverse;
mod jacobian;
mod joint;
mod kinematics;
mod mass_matrix;
mod mixed;
mod response;
mod scratch;
mod walk;

use std::ops::Range;

use carom_geometry::{MassProperties, Pose};
use glam::DQuat;

use crate::spatial::RigidInertia;

pub use between::{PairRow, PairScratch};
pub use build::{LinkSpec, TreeBuilder, TreeError};
pub use chart::Chart;
pub(crate) use damped::{DampedRow, DampingScratch};
pub use energy::Momentum;
pub use forward::{Load, SingularJoint};
pub use joint::Joint;
pub use response::{LinkImpulse, LinkPoint, ResponseScratch, Row};
pub use scratch::Scratch;
use scratch::{Column, Factor, Frame};
pub(crate) use walk::{Carried, JointState, Walk};

/// A set of linkages, constant while they move. Links are numbered so that parents come before children.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    links: Vec<Link>,
    bodies: Vec<MassProperties>,
    n_q: usize,
    n_v: usize,
}

/// One link with the joint that carries it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Link {
    /// Number of the parent, `None` for the world.
    parent: Option<u32>,
    joint: Joint,
    parent_from_joint: Pose,
    /// Rotation of `parent_from_joint` times the quaternion (u, 0) of the axis it turns about.
    joint_half_turned: DQuat,
    /// In the link frame, about its origin.
    inertia_body: RigidInertia,
    /// Where its coordinates start.
    q_start: u32,
    v_start: u32,
    has_children: bool,
    /// True for the child with the largest number, which is the first that adds to its parent on the way inward.
    is_last_child: bool,
}

impl Link {
    #[inline]
    const fn q_range(&self) -> Range<usize> {
        let start = self.q_start as usize;
        start..start + self.joint.n_q()
    }

    #[inline]
    const fn v_range(&self) -> Range<usize> {
        let start = self.v_start as usize;
        start..start + self.joint.n_v()
    }
}

impl Tree {
    /// Nothing yet; links are added one after the other.
    pub fn builder() -> TreeBuilder {
        TreeBuilder::default()
    }

    /// How many links there are.
    pub const fn n_links(&self) -> usize {
        self.links.len()
    }

    /// How many numbers a configuration has.
    pub const fn n_q(&self) -> usize {
        self.n_q
    }

    /// How many freedoms there are.
    pub const fn n_v(&self) -> usize {
        self.n_v
    }

    /// The link that carries `link`, `None` for the world.
    pub fn parent(&self, link: usize) -> Option<usize> {
        self.links[link].parent.map(|parent| parent as usize)
    }

    /// The joint between `link` and its parent.
    pub fn joint(&self, link: usize) -> &Joint {
        &self.links[link].joint
    }

    /// Where the joint frame of `link` lies in the frame of its parent, or in the world.
    pub fn parent_from_joint(&self, link: usize) -> &Pose {
        &self.links[link].parent_from_joint
    }

    /// Where the coordinates of the joint of `link` lie in a configuration.
    pub fn q_range(&self, link: usize) -> Range<usize> {
        self.links[link].q_range()
    }

    /// Where the freedoms of the joint of `link` lie in velocities and forces.
    pub fn v_range(&self, link: usize) -> Range<usize> {
        self.links[link].v_range()
    }

    /// The link whose joint has this freedom.
    pub fn link_of_freedom(&self, freedom: usize) -> usize {
        self.links.partition_point(|link| link.v_range().end <= freedom)
    }

    /// Mass, centre and inertia about it, in the link frame.
    pub fn mass_properties(&self, link: usize) -> &MassProperties {
        &self.bodies[link]
    }

    /// The configuration with all numbers zero and all quaternions the identity.
    pub fn neutral(&self) -> Vec<f64> {
        let mut q = vec![0.0; self.n_q];
        for link in &self.links {
            if let Some(start) = link.joint.quaternion() {
                q[link.q_range()][start + 3] = 1.0;
            }
        }
        q
    }
}

#[cfg(test)]
pub(crate) mod tests;
