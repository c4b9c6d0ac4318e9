//! What joints carry, and what is too much for them.
//!
//! **Load.** The load of a joint is all that the parent's side does to the child's through it: what it holds by its shape, and its
//! motor, spring, damper, friction and stops; not what force elements do beside it. It is a wrench at the joint's point on the
//! child's side, the origin of the link frame. By Newton and Euler it is what the child and all that hangs on it need beyond
//! gravity and what else acts on them,
//!
//! ```text
//! ŵ_i = Σ over the subtree of i  (Î·(â − ĝ) + gyroscopic terms − f̂)                                   (1)
//! ```
//!
//! which inverse dynamics finds for all joints in one pass (`tree/inverse.rs`) from the accelerations under the present mode. It
//! is a force sensor's reading at the joint. An inertia I_r of the drive is counted to the parent's side.
//!
//! **Breaking by force.** Within a segment (1) is a smooth function of time. A joint breaks at the first time at which |f| or |n|
//! exceeds its strength: a guard (`guard/load.rs`).
//!
//! **Breaking by impulse.** An impact takes no time, so that no force says how hard it is; what a joint carries of it is an
//! impulse, (1) with jumps in place of accelerations. Strength against impulses is therefore a number of its own. The joint holds
//! through the impact, all of whose impulses at one instant are added up, and breaks after it if that was too much. So the
//! impact is that of the whole linkage, and breaking itself takes no energy and no momentum from the bodies.
//!
//! Bodies that lie on links in trains of collisions load joints by impulses, which forces do not see.

use glam::DVec3;

use super::{Linkage, LinkageError, Workspace};
use crate::spatial::ForceVector;
use crate::tree::LinkImpulse;

/// What a joint can carry; infinite where nothing is too much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Largest force `[N]`.
    pub force: f64,
    /// Largest torque at the joint's point `[N·m]`.
    pub torque: f64,
    /// Largest impulse at one instant `[N·s]`.
    pub impulse: f64,
    /// Largest angular impulse at the joint's point, at one instant `[N·m·s]`.
    pub angular_impulse: f64,
}

/// Which strength was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overload {
    /// That against forces.
    Force,
    /// That against torques.
    Torque,
    /// That against impulses.
    Impulse,
    /// That against angular impulses.
    AngularImpulse,
}

impl Overload {
    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Force => "force",
            Self::Torque => "torque",
            Self::Impulse => "impulse",
            Self::AngularImpulse => "angular impulse",
        }
    }
}

impl Default for Strength {
    fn default() -> Self {
        Self::UNBREAKABLE
    }
}

impl Strength {
    /// Carries everything.
    pub const UNBREAKABLE: Self = Self {
        force: f64::INFINITY,
        torque: f64::INFINITY,
        impulse: f64::INFINITY,
        angular_impulse: f64::INFINITY,
    };

    /// Its numbers, with what they are against.
    pub const fn parts(&self) -> [(Overload, f64); 4] {
        [
            (Overload::Force, self.force),
            (Overload::Torque, self.torque),
            (Overload::Impulse, self.impulse),
            (Overload::AngularImpulse, self.angular_impulse),
        ]
    }

    /// True when something can be too much.
    pub fn is_breakable(&self) -> bool {
        *self != Self::UNBREAKABLE
    }

    /// Which strength an impulse exceeds, if one.
    pub fn broken_by(&self, carried: &ForceVector) -> Option<Overload> {
        if carried.linear.length() > self.impulse {
            Some(Overload::Impulse)
        } else if carried.angular.length() > self.angular_impulse {
            Some(Overload::AngularImpulse)
        } else {
            None
        }
    }
}

/// A force or torque that a joint can carry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limit {
    pub(super) link: usize,
    pub(super) overload: Overload,
    /// `[N or N·m]`
    most: f64,
}

impl Limit {
    /// (|f|/F)² or (|n|/N)² of a load, smooth where the load is: beyond 1 the joint breaks.
    pub(super) fn square(&self, load: &ForceVector) -> f64 {
        let part: DVec3 = match self.overload {
            Overload::Torque | Overload::AngularImpulse => load.angular,
            Overload::Force | Overload::Impulse => load.linear,
        };
        (part / self.most).length_squared()
    }
}

/// What can break.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Strengths {
    /// One for each link, or none where nothing breaks.
    list: Vec<Strength>,
    /// Those against forces and torques that are finite.
    pub(super) limits: Vec<Limit>,
    /// Whether impulses can break a joint.
    by_impulses: bool,
}

impl Linkage {
    /// With a strength for the joint of each link.
    ///
    /// # Errors
    /// When there is not one for each link, or a number is not above zero.
    pub fn with_strengths(mut self, list: Vec<Strength>) -> Result<Self, LinkageError> {
        let expected = self.tree.n_links();
        if list.len() != expected {
            return Err(LinkageError::Strengths { expected, given: list.len() });
        }
        let mut limits = Vec::new();
        let mut by_impulses = false;
        for (link, strength) in list.iter().enumerate() {
            for (overload, most) in strength.parts() {
                if most.is_nan() || most <= 0.0 {
                    return Err(LinkageError::Strength {
                        link,
                        what: overload.name(),
                        value: most,
                    });
                }
                match overload {
                    _ if most == f64::INFINITY => {}
                    Overload::Force | Overload::Torque => {
                        limits.push(Limit { link, overload, most });
                    }
                    Overload::Impulse | Overload::AngularImpulse => by_impulses = true,
                }
            }
        }
        let is_any = by_impulses || !limits.is_empty();
        let list = if is_any { list } else { Vec::new() };
        self.strengths = Strengths { list, limits, by_impulses };
        Ok(self)
    }

    /// What the joint of a link can carry.
    pub fn strength(&self, link: usize) -> Strength {
        self.strengths.list.get(link).copied().unwrap_or_default()
    }

    /// True when an impulse can be too much for one of its joints.
    pub const fn breaks_by_impulses(&self) -> bool {
        self.strengths.by_impulses
    }

    /// Adds to `carried` what the joints of all links carry when impulses on links, and whatever acts within joints, make the
    /// velocity jump from `before` to `after`; one for each link, in world axes at the origins of the link frames `[N·s, N·m·s]`.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn carried_impulses(
        &self,
        q: &[f64],
        [before, after]: [&[f64]; 2],
        impulses: &[LinkImpulse],
        workspace: &mut Workspace,
        carried: &mut Vec<ForceVector>,
    ) {
        let buffers = &mut workspace.buffers;
        self.tree.place(q, before, &mut buffers.scratch);
        buffers.v_dot.clear();
        buffers.v_dot.extend(after.iter().zip(before).map(|(after, before)| after - before));
        self.tree.carry_impulses(impulses, &buffers.v_dot, &mut buffers.scratch);
        carried.resize(self.tree.n_links(), ForceVector::ZERO);
        for (link, sum) in carried.iter_mut().enumerate() {
            *sum += buffers.scratch.joint_wrench(link);
        }
    }
}
