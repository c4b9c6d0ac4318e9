//! What can hold a freedom: dry friction and stops.
//!
//! A restrained freedom is one that a mode (`mode.rs`) can hold at v = 0. The force λ that does so has a range, with F the
//! largest friction and stops that push only:
//!
//! ```text
//! away from stops  −F ≤ λ ≤ F,     at the lower one  −F ≤ λ,     at the upper one  λ ≤ F              (1)
//! ```
//!
//! **Sizes.** Forces are known to a share of their size, so that (1) needs a width δ. The size of a force in a freedom is the weight of
//! what it carries, M·g₀ for lengths and M·g₀·L for angles, plus that of its own inertia I_r·S_v/T, plus F. δ is half the tolerance of
//! integration of that. A freedom is let go at settling when no λ within δ of (1) holds it, and during a segment when λ leaves (1)
//! by 2δ; so what was just held is not let go at once, and what was let go leaves with an acceleration that is not rounding.
//!
//! **Slow strikes.** A bounce that rises by no more than ε·S_q, the error that is allowed anyway, is none. Under g₀ as the
//! measure of accelerations that is an approach of √(2ε)·S_v, and below it a stop is struck with e = 0. Bounces are
//! therefore finite in number, and two of them at least 2·√(2ε)·S_v/a apart.

use super::{JointForce, LinkageError};
use crate::collocation::Accuracy;
use crate::tolerances::{LEAST_FORCE_SLACK, STANDARD_GRAVITY, STOP_REACH};
use crate::tree::Tree;
use crate::tree::constraint::Side;

/// A freedom with friction or stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Restraint {
    /// As a position in v.
    pub(super) freedom: usize,
    /// As a position in q.
    pub(super) coordinate: usize,
    /// F `[N·m or N]`.
    pub(super) friction: f64,
    pub(super) limits: Option<[f64; 2]>,
    pub(super) restitution: f64,
    /// δ `[N·m or N]`.
    pub(super) slack: f64,
    /// Gap up to which it is at a stop `[rad or m]`.
    pub(super) reach: f64,
    /// Approach below which a stop is struck without restitution `[rad/s or m/s]`.
    pub(super) slow: f64,
}

impl Side {
    /// Direction in which the stop pushes.
    pub(super) const fn sign(self) -> f64 {
        match self {
            Self::Lower => 1.0,
            Self::Upper => -1.0,
        }
    }
}

impl Restraint {
    /// Distance to a stop, negative beyond it; infinite where there is none `[rad or m]`.
    pub(super) fn gap(&self, side: Side, q: f64) -> f64 {
        match (self.limits, side) {
            (None, _) => f64::INFINITY,
            (Some([low, _]), Side::Lower) => q - low,
            (Some([_, high]), Side::Upper) => high - q,
        }
    }

    /// The stop that a coordinate is at.
    pub(super) fn touched(&self, q: f64) -> Option<Side> {
        let (below, above) = (self.gap(Side::Lower, q), self.gap(Side::Upper, q));
        let (gap, side) = if below <= above { (below, Side::Lower) } else { (above, Side::Upper) };
        (gap <= self.reach).then_some(side)
    }

    /// The range (1), wider by so many δ on both sides.
    pub(super) fn range(&self, stop: Option<Side>, slacks: f64) -> [f64; 2] {
        let most = self.friction + slacks * self.slack;
        match stop {
            None => [-most, most],
            Some(Side::Lower) => [-most, f64::INFINITY],
            Some(Side::Upper) => [f64::NEG_INFINITY, most],
        }
    }
}

/// Refuses friction and stops that are none, or where there is no coordinate for them.
pub(super) fn check(tree: &Tree, joints: &[JointForce]) -> Result<(), LinkageError> {
    for (freedom, joint) in joints.iter().enumerate() {
        let link = tree.link_of_freedom(freedom);
        if !(0.0..=1.0).contains(&joint.restitution) {
            let value = joint.restitution;
            return Err(LinkageError::Restitution { link, freedom, value });
        }
        if let Some([low, high]) = joint.limits
            && !(low.is_finite() && high.is_finite() && low < high)
        {
            return Err(LinkageError::Limits { link, freedom, low, high });
        }
        let is_restrained = joint.friction > 0.0 || joint.limits.is_some();
        if is_restrained && tree.joint(link).quaternion().is_some() {
            let what = if joint.limits.is_some() { "stops" } else { "dry friction" };
            return Err(LinkageError::NoCoordinate { link, freedom, what });
        }
    }
    Ok(())
}

/// The restrained freedoms, in rising order.
pub(super) fn restraints(
    tree: &Tree,
    joints: &[JointForce],
    (size, accuracy): (f64, &Accuracy),
) -> Vec<Restraint> {
    let mut carried: Vec<f64> =
        (0..tree.n_links()).map(|link| tree.mass_properties(link).mass).collect();
    for link in (0..tree.n_links()).rev() {
        if let Some(parent) = tree.parent(link) {
            carried[parent] += carried[link];
        }
    }
    let (tolerance, rate) = (accuracy.tolerance(), (STANDARD_GRAVITY / size).sqrt());
    let mut out = Vec::new();
    for (freedom, joint) in joints.iter().enumerate() {
        if joint.friction == 0.0 && joint.limits.is_none() {
            continue;
        }
        let link = tree.link_of_freedom(freedom);
        let scale = accuracy.scales()[freedom];
        // Angles have a scale of 1 and feel forces with an arm; lengths have that of L.
        let arm = size / scale.displacement;
        let inertial =
            carried[link] * STANDARD_GRAVITY * arm + joint.armature * scale.velocity * rate;
        let force = inertial + joint.friction;
        out.push(Restraint {
            freedom,
            coordinate: tree.q_range(link).start + freedom - tree.v_range(link).start,
            friction: joint.friction,
            limits: joint.limits,
            restitution: joint.restitution,
            slack: 0.5 * tolerance.max(LEAST_FORCE_SLACK) * force,
            reach: STOP_REACH * scale.displacement,
            slow: (2.0 * tolerance).sqrt() * scale.velocity,
        });
    }
    out
}
