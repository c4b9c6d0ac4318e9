//! Forward dynamics: accelerations from forces, in time proportional to the number of links.
//!
//! Claim (M 4.2, guide F-4.2): the force that the handle of a subtree needs is affine in its acceleration. Split that
//! into â⁰, known from velocities, and δ̂, caused by v̇ (`kinematics.rs`). Then for link i with children c
//!
//! ```text
//! p̂   = Î·(â⁰ − ĝ) + gyroscopic terms − f̂ + Σ_c carried p̂_c                                  (1)
//! ÎA  = Î + Σ_c carried ÎA_c                                                                  (2)
//! ```
//!
//! with ĝ gravity and f̂ what acts on the link. Its freedoms are eliminated from the outermost inward:
//!
//! ```text
//! Û = ÎA·ŝ,   D = ŝ·Û + γ,   u = τ − ŝ·p̂                                                      (3)
//! ÎA ← ÎA − Û·Ûᵀ/D,   p̂ ← p̂ + Û·u/D                                                            (M 4.28, 4.29)
//! ```
//!
//! and what is left is carried to the parent. Outward again, δ̂ starts as the parent's and
//!
//! ```text
//! v̇ = (u − Û·δ̂)/D,   δ̂ ← δ̂ + ŝ·v̇                                                              (M 4.27)
//! ```
//!
//! Deviation: the thesis carries ĉ through ÎA, 36 products for each link; here â⁰ meets the rigid Î only, and (3)
//! is purely linear in τ and p̂, so that impulses (`response.rs`) use the same elimination.
//!
//! **γ** is added to the diagonal of H: (H + diag γ)·v̇ = τ − C. An integrator that takes a damping c implicitly over a
//! step h puts h·c there; reflected inertia of a motor is another use.
//!
//! **Singular joints.** D is ŝᵀ·ÎA·ŝ, zero where nothing resists: a massless leaf, or a point mass on the axis. Against the
//! size of ÎA a D below `SINGULAR_SHARE` is rounding, and an error.

#![expect(
    clippy::inline_always,
    reason = "left alone, the compiler hands inertias of 22 numbers from call to call through memory"
)]

use glam::DVec3;
use thiserror::Error;

use super::{Column, Factor, Scratch, Tree};
use crate::spatial::{ArticulatedInertia, ForceVector, MotionVector};
use crate::tolerances::SINGULAR_SHARE;

/// What acts on a tree. Empty slices stand for zeros.
#[derive(Clone, Copy, Debug, Default)]
pub struct Load<'a> {
    /// Acceleration of free fall `[m/s²]`.
    pub gravity: DVec3,
    /// Forces τ of the joints, dual to v; `n_v` numbers or none.
    pub tau: &'a [f64],
    /// Wrenches on the links, in world axes at the origins of the link frames; `n_links` or none.
    pub wrenches: &'a [ForceVector],
    /// γ, added to the diagonal of H; `n_v` numbers or none.
    pub added_diagonal: &'a [f64],
}

/// No force or inertia determines how a joint accelerates.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error(
    "the joint of link {link} is singular: freedom {freedom} meets an inertia of {inertia:e} where {scale:e} is its \
     scale\nhint: give the links that it carries mass off its axis, or make the joint fixed; if the inertia is not a \
     number, neither is the configuration"
)]
pub struct SingularJoint {
    /// The link that the joint carries.
    pub link: usize,
    /// The freedom, as a position in v.
    pub freedom: usize,
    /// D `[kg·m²]` or `[kg]`.
    pub inertia: f64,
    /// What D is compared with, in the same unit.
    pub scale: f64,
}

impl Load<'_> {
    /// Panics unless every slice is empty or as long as it must be.
    pub(super) fn validate(&self, tree: &Tree) {
        let fits = |length: usize, full: usize| length == 0 || length == full;
        assert!(fits(self.tau.len(), tree.n_v()), "length of tau");
        assert!(fits(self.wrenches.len(), tree.n_links()), "number of wrenches");
        assert!(fits(self.added_diagonal.len(), tree.n_v()), "length of the added diagonal");
    }
}

/// A number of a slice that may be empty.
#[inline]
pub(super) fn entry(slice: &[f64], k: usize) -> f64 {
    if slice.is_empty() { 0.0 } else { slice[k] }
}

impl Tree {
    /// v̇ under a load, in the state that `scratch` was placed in. Leaves accelerations of all links in `scratch`.
    ///
    /// # Errors
    /// If a joint is singular in this configuration.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn forward(
        &self,
        load: &Load<'_>,
        scratch: &mut Scratch,
        v_dot: &mut [f64],
    ) -> Result<(), SingularJoint> {
        load.validate(self);
        assert_eq!(v_dot.len(), self.n_v, "length of the accelerations");
        scratch.factor = Factor::Missing;
        for i in (0..self.links.len()).rev() {
            let (mut inertia, mut force) = scratch.needed(self, i, load);
            for k in self.links[i].v_range().rev() {
                let column = &mut scratch.columns[k];
                let needed = force.dot(column.axis);
                let is_regular = column.reduce(&mut inertia, entry(load.added_diagonal, k));
                if !is_regular {
                    return Err(column.singular(&inertia, i, k));
                }
                column.drive = entry(load.tau, k) - needed;
                force += (column.drive * column.inv_d) * column.momentum;
            }
            scratch.carry(self, i, &inertia, force);
        }
        scratch.factor = if load.added_diagonal.is_empty() { Factor::Plain } else { Factor::Other };
        self.solve_outward(scratch, v_dot);
        Ok(())
    }

    /// v̇, or a jump of v, from what elimination left in the columns.
    #[inline]
    pub(super) fn solve_outward(&self, scratch: &mut Scratch, v_dot: &mut [f64]) {
        for (i, link) in self.links.iter().enumerate() {
            let mut change = scratch.change_of_parent(link.parent, i);
            for k in link.v_range() {
                let column = &scratch.columns[k];
                let rate = (column.drive - column.momentum.dot(change)) * column.inv_d;
                v_dot[k] = rate;
                change += rate * column.axis;
            }
            scratch.works[i].change = change;
        }
    }

    /// Factorises H for this configuration, unless that was done.
    pub(super) fn factorise(&self, scratch: &mut Scratch) -> Result<(), SingularJoint> {
        if scratch.factor == Factor::Plain {
            return Ok(());
        }
        self.factorise_with(&[], scratch)
    }

    /// Factorises H + diag(γ), γ given or empty, for what is asked of this configuration until it is placed again:
    /// responses to impulses are then those of joints with that much inertia of their own.
    ///
    /// # Errors
    /// If a joint is singular in this configuration.
    pub(crate) fn factorise_with(
        &self,
        added_diagonal: &[f64],
        scratch: &mut Scratch,
    ) -> Result<(), SingularJoint> {
        scratch.factor = Factor::Missing;
        for i in (0..self.links.len()).rev() {
            let mut inertia = scratch.inertia(self, i);
            for k in self.links[i].v_range().rev() {
                let column = &mut scratch.columns[k];
                let is_regular = column.reduce(&mut inertia, entry(added_diagonal, k));
                if !is_regular {
                    return Err(column.singular(&inertia, i, k));
                }
            }
            scratch.carry(self, i, &inertia, ForceVector::ZERO);
        }
        scratch.factor = Factor::Plain;
        Ok(())
    }
}

impl Column {
    /// Û, D and what is left of the inertia when this freedom gives way; false, with the inertia as it was, where D is
    /// zero but for rounding.
    #[inline(always)]
    pub(super) fn reduce(&mut self, inertia: &mut ArticulatedInertia, added: f64) -> bool {
        let (momentum, d, scale) = if self.turns {
            // ŝ = (u, 0) with u unit.
            let momentum = inertia.times_angular(self.axis.angular);
            (momentum, momentum.angular.dot(self.axis.angular), inertia.angular_size)
        } else {
            let momentum = inertia.times(self.axis);
            (momentum, momentum.dot(self.axis), inertia.scale(self.axis))
        };
        let d = d + added;
        self.momentum = momentum;
        // Written so that a NaN is an error, too.
        let is_regular = d > SINGULAR_SHARE * scale;
        if is_regular {
            self.inv_d = 1.0 / d;
            inertia.give_way(self.momentum, self.inv_d);
        }
        is_regular
    }

    /// The error for a freedom that [`Self::reduce`] refused.
    #[cold]
    pub(super) fn singular(
        &self,
        inertia: &ArticulatedInertia,
        link: usize,
        freedom: usize,
    ) -> SingularJoint {
        let (d, scale) = (self.momentum.dot(self.axis), inertia.scale(self.axis));
        SingularJoint { link, freedom, inertia: d, scale }
    }
}

impl Scratch {
    /// ÎA of link `i` before its own freedoms give way (2).
    #[inline(always)]
    pub(super) fn inertia(&self, tree: &Tree, i: usize) -> ArticulatedInertia {
        if tree.links[i].has_children {
            self.works[i].carried.with(&self.frames[i].inertia)
        } else {
            ArticulatedInertia::from(self.frames[i].inertia)
        }
    }

    /// ÎA (2) and p̂ (1) of link `i` before its own freedoms give way.
    #[inline(always)]
    pub(super) fn needed(
        &self,
        tree: &Tree,
        i: usize,
        load: &Load<'_>,
    ) -> (ArticulatedInertia, ForceVector) {
        let frame = &self.frames[i];
        let felt = MotionVector::new(frame.bias.angular, frame.bias.linear - load.gravity);
        let mut force =
            frame.inertia.times(felt) + frame.inertia.gyroscopic(frame.velocity.angular);
        if !load.wrenches.is_empty() {
            force = force - load.wrenches[i];
        }
        if tree.links[i].has_children {
            force += self.works[i].force;
        }
        (self.inertia(tree, i), force)
    }

    /// Hands inertia and force of link `i` to its parent.
    #[inline(always)]
    pub(super) fn carry(
        &mut self,
        tree: &Tree,
        i: usize,
        inertia: &ArticulatedInertia,
        force: ForceVector,
    ) {
        let link = &tree.links[i];
        let Some(parent) = link.parent else { return };
        let arm = self.frames[i].arm;
        let (inertia, force) = (inertia.carried(arm), force.carried(arm));
        let parent = &mut self.works[parent as usize];
        if link.is_last_child {
            parent.carried = inertia;
            parent.force = force;
        } else {
            parent.carried += inertia;
            parent.force += force;
        }
    }
}
