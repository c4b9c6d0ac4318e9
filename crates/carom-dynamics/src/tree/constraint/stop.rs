//! Joint stops: struck, rested on, and left (guide section 7).
//!
//! One stop needs no complementarity problem, and both of its laws have closed forms:
//!
//! ```text
//! P = −(1 + e)·q̇/(H⁻¹)_kk                                                                             (F-7.1)
//! q̈_k = 0 prescribed, λ = τ_k that it takes − τ_k that acts; held while λ pushes, released otherwise   (F-7.2)
//! ```
//!
//! Several stops, or stops and contacts, are constraints and contacts among others: [`Stop::resting`] and [`Stop::contact`].
//! For one stop both ways are the same answer, and tests hold them against each other.

use super::{Constraint, ConstraintScratch, Contact, Hold};
use crate::tree::forward::entry;
use crate::tree::{Load, Row, Scratch, SingularJoint, Tree};

/// Which end of its range a freedom is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The least value: the stop pushes up.
    Lower,
    /// The greatest value: the stop pushes down.
    Upper,
}

impl Side {
    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lower => "lower",
            Self::Upper => "upper",
        }
    }
}

/// A freedom at the end of its range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Which one, as a position in v.
    pub freedom: usize,
    /// Which end.
    pub side: Side,
    /// e of the stop, from 0 to 1 `[-]`.
    pub restitution: f64,
}

/// How a freedom at its stop goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RestOnStop {
    /// It stays, pushed by this much, positive at a lower stop and negative at an upper one `[N]` or `[N·m]`.
    Held(f64),
    /// It leaves, or stays by itself.
    Released,
}

impl Stop {
    /// The stop as a constraint on accelerations, for a freedom that is at it and does not move.
    pub const fn resting(&self) -> Constraint {
        Constraint { row: Row::Freedom(self.freedom), target: 0.0, hold: self.hold() }
    }

    /// The stop as a contact that is struck.
    pub const fn contact(&self) -> Contact {
        Contact {
            row: Row::Freedom(self.freedom),
            hold: self.hold(),
            restitution: self.restitution,
        }
    }

    const fn hold(&self) -> Hold {
        match self.side {
            Side::Lower => Hold::Pushes,
            Side::Upper => Hold::Pulls,
        }
    }

    /// 1 where the stop pushes up.
    const fn sign(&self) -> f64 {
        match self.side {
            Side::Lower => 1.0,
            Side::Upper => -1.0,
        }
    }
}

impl Tree {
    /// Impulse of a stop on its freedom, zero when that moves away (F-7.1), and the jumps Δv of all freedoms.
    ///
    /// # Errors
    /// If a joint is singular in this configuration.
    ///
    /// # Panics
    /// If a slice has the wrong length, or there is no such freedom.
    pub fn strike_stop(
        &self,
        v: &[f64],
        stop: &Stop,
        scratch: &mut Scratch,
        memory: &mut ConstraintScratch,
        jumps: &mut [f64],
    ) -> Result<f64, SingularJoint> {
        assert_eq!([v.len(), jumps.len()], [self.n_v; 2], "lengths of v and Δv");
        let speed = v[stop.freedom];
        jumps.fill(0.0);
        if stop.sign() * speed >= 0.0 {
            return Ok(0.0);
        }
        let mut answer = [0.0];
        let row = [Row::Freedom(stop.freedom)];
        self.response_matrix(&row, scratch, &mut memory.responses, &mut answer)?;
        let impulse = -(1.0 + stop.restitution) * speed / answer[0];
        memory.joint_impulses.clear();
        memory.joint_impulses.resize(self.n_v, 0.0);
        memory.joint_impulses[stop.freedom] = impulse;
        self.impulse_response(&[], &memory.joint_impulses, scratch, jumps)?;
        Ok(impulse)
    }

    /// v̇ with a freedom at rest at its stop (F-7.2): locked while the stop pushes, released on reversal. Leaves accelerations of
    /// all links in `scratch`.
    ///
    /// # Errors
    /// If a joint is singular in this configuration.
    ///
    /// # Panics
    /// If a slice has the wrong length, or there is no such freedom.
    pub fn rest_on_stop(
        &self,
        load: &Load<'_>,
        stop: &Stop,
        scratch: &mut Scratch,
        memory: &mut ConstraintScratch,
        v_dot: &mut [f64],
    ) -> Result<RestOnStop, SingularJoint> {
        let ConstraintScratch { prescribed, joint_impulses: tau, .. } = memory;
        prescribed.clear();
        prescribed.resize(self.n_v, false);
        prescribed[stop.freedom] = true;
        tau.clear();
        tau.resize(self.n_v, 0.0);
        v_dot[stop.freedom] = 0.0;
        self.mixed(load, prescribed, scratch, v_dot, tau)?;
        let push = tau[stop.freedom] - entry(load.tau, stop.freedom);
        if stop.sign() * push > 0.0 {
            return Ok(RestOnStop::Held(push));
        }
        self.forward(load, scratch, v_dot)?;
        Ok(RestOnStop::Released)
    }
}
