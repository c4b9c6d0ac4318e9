//! What follows a transition or an impulse: impacts on stops, then the next mode.
//!
//! **Impact.** All stops that are touched take part in one impact with restitution (`tree/constraint/restitution.rs`), through the
//! whole tree, if any of them is approached. Friction has a bounded force and no impulse. Approaches that are slow
//! (`restraint.rs`) come back with nothing.
//!
//! **Mode.** Velocities that are not zero decide by themselves. Freedoms with v = 0 that have friction or touch a stop may stay so;
//! their accelerations under forces λ are a = K·λ + a⁰, K = (H⁻¹)_kk for these rows, a⁰ with λ = 0, and
//!
//! ```text
//! λ within its range ⇒ a = 0,   λ at the lower end ⇒ a ≥ 0,   λ at the upper end ⇒ a ≤ 0              (1)
//! ```
//!
//! which is the problem of `complementarity`, with the ranges of `restraint.rs` wider by one δ. K is definite, so that (1) has exactly one
//! answer. Held freedoms are those with a = 0; the others leave in the direction of a, and since friction is F and not F + δ
//! then, with more than nothing.
//!
//! **Transitions.** A freedom whose force was found to leave its range is let go first, with λ at that end, and (1) solved for the
//! others. Only if it would not move off is it asked like the rest. So a guard that fired is never taken back by rounding.

use thiserror::Error;

use super::extend::System;
use super::guard::{Change, Transition};
use super::mode::{Grip, Sense};
use super::restraint::Restraint;
use super::{Drive, Linkage, Mode, Workspace};
use crate::collocation::{Implicit, Probe, SecondOrder, Undefined};
use crate::complementarity::{Lemke, Outcome, Pivoting, Place, Problem, Reason, Solution, Solver};
use crate::tolerances::REST_SHARE;
use crate::tree::Row;
use crate::tree::constraint::{ConstraintError, ConstraintScratch, Contact, Side, Stop};

/// What settling did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settled {
    /// Kinetic energy that impacts on stops took, never negative `[J]`.
    pub loss: f64,
    /// How many stops were struck.
    pub strikes: usize,
}

/// A stop that was struck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopStrike {
    /// The freedom, as a position in v.
    pub freedom: usize,
    /// Which of its stops.
    pub side: Side,
    /// Rate of the coordinate just before `[rad/s or m/s]`.
    pub before: f64,
    /// And just after, by what all stops gave `[rad/s or m/s]`.
    pub after: f64,
    /// Impulse of the stop; a lower one pushes with positive ones `[N·m·s or N·s]`.
    pub impulse: f64,
    /// −P·½(v⁻ + v⁺), what it took of the kinetic energy; those of all stops add up to the loss `[J]`.
    pub loss: f64,
}

/// Why a state could not be settled.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SettleError {
    /// The state or the drive makes no sense.
    #[error("{what}")]
    State {
        /// What is wrong.
        what: &'static str,
    },
    /// No acceleration there.
    #[error(transparent)]
    Undefined(#[from] Undefined),
    /// An impact, or forces, without an answer.
    #[error(transparent)]
    Constraint(#[from] ConstraintError),
}

/// A freedom that may be held.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    restraint: Restraint,
    stop: Option<Side>,
    /// The direction in which it is let go without being asked.
    departs: Option<Sense>,
}

/// Storage that is used again.
#[derive(Clone, Debug, Default)]
pub(super) struct SettleScratch {
    /// The stop that each restrained freedom is at.
    stops: Vec<Option<Side>>,
    constraint: ConstraintScratch,
    contacts: Vec<Contact>,
    strikes: Vec<StopStrike>,
    jumps: Vec<f64>,
    impulses: Vec<f64>,
    candidates: Vec<Candidate>,
    rows: Vec<Row>,
    /// K, a⁰ and the ranges of λ.
    matrix: Vec<f64>,
    offset: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
    s_ddot: Vec<f64>,
    solution: Solution,
    pivoting: Pivoting,
    lemke: Lemke,
}

impl Linkage {
    /// Answers impacts on stops in `v`, and replaces the mode up to now by that in which the motion goes on. `transition`
    /// is that of the course that ended here, if one did and no impulse has come in between.
    ///
    /// # Errors
    /// When the state or the drive makes no sense, or a joint is singular there; `v` and `mode` then hold nothing of use.
    ///
    /// # Panics
    /// If the workspace is that of another linkage.
    pub fn settle(
        &self,
        q: &[f64],
        v: &mut [f64],
        drive: &Drive,
        transition: Option<Transition>,
        mode: &mut Mode,
        workspace: &mut Workspace,
    ) -> Result<Settled, SettleError> {
        if let Some(what) = self.fault_of_state([q, v], drive) {
            return Err(SettleError::State { what });
        }
        if transition.is_some_and(|transition| transition.freedom >= v.len()) {
            return Err(SettleError::State { what: "the transition is of another linkage" });
        }
        workspace.settling.strikes.clear();
        if self.restraints.is_empty() {
            mode.let_go();
            return Ok(Settled::default());
        }
        let mut scratch = std::mem::take(&mut workspace.settling);
        let settled = Settling { linkage: self, q, drive, transition, scratch: &mut scratch }
            .run(v, mode, workspace);
        workspace.settling = scratch;
        settled
    }
}

impl Workspace {
    /// The stops that the last [`Linkage::settle`] saw struck, by freedom.
    pub fn strikes(&self) -> &[StopStrike] {
        &self.settling.strikes
    }
}

struct Settling<'a> {
    linkage: &'a Linkage,
    q: &'a [f64],
    drive: &'a Drive,
    transition: Option<Transition>,
    scratch: &'a mut SettleScratch,
}

impl Settling<'_> {
    fn run(
        &mut self,
        v: &mut [f64],
        mode: &mut Mode,
        workspace: &mut Workspace,
    ) -> Result<Settled, SettleError> {
        self.find_stops(mode);
        // Located to a rounding of time, in which velocities change a little.
        if let Some(Transition { freedom, change: Change::StopsSliding }) = self.transition {
            v[freedom] = 0.0;
        }
        let settled = self.strike(v, workspace)?;
        self.sort(v, mode);
        if !self.scratch.candidates.is_empty() {
            self.find_response(v, mode, workspace)?;
            if !self.solve(mode)? {
                for candidate in &mut self.scratch.candidates {
                    candidate.departs = None;
                }
                self.solve(mode)?;
            }
        }
        mode.mark_held();
        Ok(settled)
    }

    /// What the transition says of a freedom.
    fn change(&self, restraint: &Restraint) -> Option<Change> {
        let own = self.transition.filter(|transition| transition.freedom == restraint.freedom);
        own.map(|transition| transition.change)
    }

    /// The stops that freedoms are at: those that they reach now, rest on, or are within reach of.
    fn find_stops(&mut self, before: &Mode) {
        self.scratch.stops.clear();
        for restraint in &self.linkage.restraints {
            let stop = match (self.change(restraint), before.grip(restraint.freedom)) {
                (Some(Change::ReachesStop(side)), _) | (_, Grip::Resting(side)) => Some(side),
                _ => restraint.touched(self.q[restraint.coordinate]),
            };
            self.scratch.stops.push(stop);
        }
    }

    /// The restraints, each with the stop that its freedom is at.
    fn restraints(&self) -> impl Iterator<Item = (&Restraint, Option<Side>)> {
        self.linkage.restraints.iter().zip(self.scratch.stops.iter().copied())
    }

    /// The impact of all stops that are touched, if any is approached.
    fn strike(&mut self, v: &mut [f64], workspace: &mut Workspace) -> Result<Settled, SettleError> {
        let SettleScratch { constraint, contacts, strikes: told, jumps, impulses, stops, .. } =
            &mut *self.scratch;
        let restraints = || self.linkage.restraints.iter().zip(stops.iter().copied());
        contacts.clear();
        let mut strikes = 0;
        for (restraint, stop) in restraints() {
            let Some(side) = stop else { continue };
            let (freedom, before) = (restraint.freedom, v[restraint.freedom]);
            let approach = -side.sign() * before;
            strikes += usize::from(approach > 0.0);
            told.push(StopStrike { freedom, side, before, after: before, impulse: 0.0, loss: 0.0 });
            let restitution = if approach < restraint.slow { 0.0 } else { restraint.restitution };
            let stop = Stop { freedom: restraint.freedom, side, restitution };
            contacts.push(stop.contact());
        }
        if strikes == 0 {
            told.clear();
            return Ok(Settled::default());
        }
        jumps.resize(v.len(), 0.0);
        impulses.resize(contacts.len(), 0.0);
        let (tree, placed) = (&self.linkage.tree, &mut workspace.buffers.scratch);
        tree.place(self.q, v, placed);
        let armature = &self.linkage.armature;
        let bounce = tree.bounce(v, armature, contacts, placed, constraint, jumps, impulses)?;
        for (v, jump) in v.iter_mut().zip(&*jumps) {
            *v += jump;
        }
        for (restraint, stop) in restraints() {
            let (rate, jump) = (&mut v[restraint.freedom], jumps[restraint.freedom]);
            let scale = self.linkage.accuracy.scales()[restraint.freedom].velocity;
            let nothing = REST_SHARE * (scale + rate.abs() + jump.abs());
            let rests = match stop {
                Some(side) => side.sign() * *rate <= nothing,
                // What stood still and was not moved by the impact still does.
                None => *rate == jump && jump.abs() <= nothing,
            };
            if rests {
                *rate = 0.0;
            }
        }
        for (strike, impulse) in told.iter_mut().zip(&*impulses) {
            strike.impulse = *impulse;
            strike.after = v[strike.freedom];
            strike.loss = -0.5 * strike.impulse * (strike.before + strike.after);
        }
        told.retain(|strike| strike.impulse != 0.0);
        Ok(Settled { loss: (-bounce.energy_change).max(0.0), strikes })
    }

    /// The grips that velocities decide, and the freedoms that may be held.
    fn sort(&mut self, v: &mut [f64], mode: &mut Mode) {
        mode.clear(v.len());
        let mut candidates = std::mem::take(&mut self.scratch.candidates);
        candidates.clear();
        for (restraint, stop) in self.restraints() {
            let rate = &mut v[restraint.freedom];
            let has_friction = restraint.friction > 0.0;
            if *rate != 0.0 {
                if has_friction {
                    mode.set(restraint.freedom, Grip::Sliding(Sense::of(*rate)));
                }
            } else if has_friction || stop.is_some() {
                // A negative zero becomes a positive one.
                *rate = 0.0;
                let departs = match self.change(restraint) {
                    Some(Change::Slips(sense)) => Some(sense),
                    Some(Change::LeavesStop(side)) => Some(Sense::of(side.sign())),
                    _ => None,
                };
                candidates.push(Candidate { restraint: *restraint, stop, departs });
            }
        }
        self.scratch.candidates = candidates;
    }

    /// K and a⁰ of the candidates, under a mode in which they are free.
    fn find_response(
        &mut self,
        v: &[f64],
        mode: &Mode,
        workspace: &mut Workspace,
    ) -> Result<(), SettleError> {
        let Workspace { chart, start, rates, buffers, responses, .. } = workspace;
        let tree = &self.linkage.tree;
        chart.restart(self.q);
        chart.rates(tree, start, v, rates);
        let SettleScratch { candidates, rows, matrix, offset, s_ddot, .. } = &mut *self.scratch;
        s_ddot.resize(v.len(), 0.0);
        let (linkage, drive) = (self.linkage, self.drive);
        let mut system = System { linkage, drive, mode, chart, buffers };
        let implicit = Implicit { gamma: 0.0, w: rates };
        system.acceleration(&Probe { time: 0.0, q: start, v: rates, implicit }, s_ddot)?;
        let freedoms = candidates.iter().map(|candidate| candidate.restraint.freedom);
        rows.clear();
        rows.extend(freedoms.clone().map(Row::Freedom));
        offset.clear();
        offset.extend(freedoms.map(|freedom| buffers.v_dot[freedom]));
        matrix.clear();
        matrix.resize(rows.len() * rows.len(), 0.0);
        let placed = &mut buffers.scratch;
        tree.factorise_with(&linkage.armature, placed).map_err(ConstraintError::from)?;
        tree.response_matrix(rows, placed, responses, matrix).map_err(ConstraintError::from)?;
        Ok(())
    }

    /// Solves (1) and writes the grips; false when a freedom that was let go does not move off.
    fn solve(&mut self, mode: &mut Mode) -> Result<bool, SettleError> {
        let SettleScratch {
            candidates, matrix, offset, low, high, solution, pivoting, lemke, ..
        } = &mut *self.scratch;
        low.clear();
        high.clear();
        for candidate in candidates.iter() {
            let [mut least, mut most] = candidate.restraint.range(candidate.stop, 1.0);
            if let Some(sense) = candidate.departs {
                least = -sense.sign() * candidate.restraint.friction;
                most = least;
            }
            low.push(least);
            high.push(most);
        }
        let unsolved = |outcome| ConstraintError::Unsolved { rows: offset.len(), outcome };
        let Ok(problem) = Problem::bounded(matrix, offset, low, high) else {
            return Err(unsolved(Outcome::Unsolved(Reason::Accuracy)).into());
        };
        let mut outcome = pivoting.solve(&problem, solution);
        if outcome != Outcome::Solved {
            outcome = lemke.solve(&problem, solution);
        }
        if outcome != Outcome::Solved {
            return Err(unsolved(outcome).into());
        }
        let mut is_right = true;
        for (i, candidate) in candidates.iter().enumerate() {
            if let Some(sense) = candidate.departs {
                is_right &= sense.sign() * solution.w[i] > 0.0;
            }
            mode.set(candidate.restraint.freedom, candidate.grip(solution.places[i]));
        }
        Ok(is_right)
    }
}

impl Candidate {
    /// What holds it, from where its force is in its range.
    fn grip(&self, place: Place) -> Grip {
        let sense = match (self.departs, place) {
            (Some(sense), _) => sense,
            (None, Place::Lower) => Sense::Forward,
            (None, Place::Upper) => Sense::Backward,
            (None, Place::Between) => return self.stop.map_or(Grip::Stuck, Grip::Resting),
        };
        if self.restraint.friction > 0.0 { Grip::Sliding(sense) } else { Grip::Free }
    }
}
