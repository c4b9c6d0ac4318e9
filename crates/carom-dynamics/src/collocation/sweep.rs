//! Sweeps through the nodes, until the collocation equations (2) hold.
//!
//! One sweep visits the nodes in order and takes for node j
//!
//! ```text
//! q_j = q₀ + c_j·h·v₀ + h² Σ_k Q²_jk·A_k,      v_j = v₀ + h Σ_k Q_jk·A_k
//! w_j = v_j + h Σ_{i<j} (L − Q)_ji·ΔA_i − γ_j·A_j
//! ```
//!
//! with the newest A and their changes ΔA in this sweep; w_j is that of (3). How far a sweep moved the segment is
//! measured in units of what the tolerance allows,
//!
//! ```text
//! change = max over coordinates of Σ_k Q_sk·|ΔA_k| · max(h/allowed velocity, ½h²/allowed displacement)
//! ```
//!
//! and what is still missing is change·ρ/(1 − ρ), ρ the ratio of two changes.

use super::rule::{Rule, Tables};
use super::segment::add_products;
use super::{Implicit, Obstacle, Probe, SecondOrder};
use crate::tolerances::{CONTRACTION_LIMIT, MOST_SWEEPS, STALLED_SWEEP, SWEEP_SHARE};

/// What stays the same during an attempt at a segment.
#[derive(Clone, Copy)]
pub(super) struct Attempt<'a> {
    pub(super) rule: Rule,
    pub(super) time: f64,
    /// h `[s]`.
    pub(super) h: f64,
    pub(super) q0: &'a [f64],
    pub(super) v0: &'a [f64],
    /// Allowed errors of every coordinate in displacement and velocity.
    pub(super) allowed: &'a [(f64, f64)],
}

/// Storage of sweeps.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweeper {
    /// A, node by node.
    pub(super) at_nodes: Vec<f64>,
    /// ΔA of the present sweep, node by node.
    changes: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    w: Vec<f64>,
    /// Calls of the system so far.
    pub(super) calls: u64,
}

impl Sweeper {
    pub(super) fn resize(&mut self, freedoms: usize, nodes: usize) {
        for list in [&mut self.at_nodes, &mut self.changes] {
            list.resize(freedoms * nodes, 0.0);
        }
        for list in [&mut self.q, &mut self.v, &mut self.w] {
            list.resize(freedoms, 0.0);
        }
    }

    /// Sweeps from what `at_nodes` holds until what is missing is a small share of the tolerance; returns how
    /// many it took.
    pub(super) fn solve(
        &mut self,
        system: &mut impl SecondOrder,
        attempt: &Attempt,
    ) -> Result<u32, Obstacle> {
        let (mut last, mut seen) = (None, None);
        for sweep in 1..=MOST_SWEEPS {
            let change = self.sweep(system, attempt)?;
            if let Some(last) = last {
                seen = Some(change / last);
            }
            if is_solved(change, seen) {
                return Ok(sweep);
            }
            // Changes that no longer fall are rounding, or the step is too long.
            if let Some(ratio) = seen
                && ratio > STALLED_SWEEP
            {
                if change < 1.0 {
                    return Ok(sweep);
                }
                if sweep > 2 {
                    return Err(Obstacle::Sweeps(ratio));
                }
            }
            last = Some(change);
        }
        Err(Obstacle::Sweeps(seen.unwrap_or(f64::INFINITY)))
    }

    /// One sweep; its change in units of the tolerance.
    fn sweep(&mut self, system: &mut impl SecondOrder, at: &Attempt) -> Result<f64, Obstacle> {
        let tables = at.rule.tables();
        let n = at.q0.len();
        for j in 0..tables.nodes.len() {
            self.place(tables, at, j);
            let gamma = if system.is_damped() { self.implicit(tables, at.h, j) } else { 0.0 };
            let probe = Probe {
                time: at.time + tables.nodes[j] * at.h,
                q: &self.q,
                v: &self.v,
                implicit: Implicit { gamma, w: &self.w },
            };
            let fresh = &mut self.changes[j * n..(j + 1) * n];
            self.calls += 1;
            system.acceleration(&probe, fresh)?;
            for (new, old) in fresh.iter_mut().zip(&mut self.at_nodes[j * n..(j + 1) * n]) {
                let change = *new - *old;
                *old = *new;
                *new = change;
            }
        }
        self.measure(tables, at)
    }

    /// q_j and v_j.
    fn place(&mut self, tables: &Tables, at: &Attempt, j: usize) {
        let (s, h) = (tables.nodes.len(), at.h);
        let row = j * s..(j + 1) * s;
        self.q.fill(0.0);
        self.v.fill(0.0);
        add_products(&tables.twice[row.clone()], &self.at_nodes, &mut self.q);
        add_products(&tables.once[row], &self.at_nodes, &mut self.v);
        let drift = tables.nodes[j] * h;
        for (i, (q, v)) in self.q.iter_mut().zip(&mut self.v).enumerate() {
            *q = at.q0[i] + (drift * at.v0[i] + h * h * *q);
            *v = at.v0[i] + h * *v;
        }
    }

    /// w_j; returns γ_j.
    fn implicit(&mut self, tables: &Tables, h: f64, j: usize) -> f64 {
        let (s, n) = (tables.nodes.len(), self.v.len());
        self.w.copy_from_slice(&self.v);
        for i in 0..j {
            let weight = h * (tables.crout[j * s + i] - tables.once[j * s + i]);
            add_products(&[weight], &self.changes[i * n..(i + 1) * n], &mut self.w);
        }
        let gamma = h * tables.crout[j * s + j];
        add_products(&[-gamma], &self.at_nodes[j * n..(j + 1) * n], &mut self.w);
        gamma
    }

    fn measure(&self, tables: &Tables, at: &Attempt) -> Result<f64, Obstacle> {
        let (s, n, h) = (tables.nodes.len(), at.q0.len(), at.h);
        let weights = &tables.once[(s - 1) * s..];
        let mut most = 0.0_f64;
        for (i, allowed) in at.allowed.iter().enumerate() {
            let own = self.changes.iter().skip(i).step_by(n);
            let moved: f64 = weights.iter().zip(own).map(|(w, change)| w * change.abs()).sum();
            if !moved.is_finite() {
                return Err(Obstacle::NotFinite);
            }
            most = most.max(moved * in_tolerances(*allowed, h, 0.5 * h * h));
        }
        Ok(most)
    }
}

/// Largest of two errors, one in velocity and one in displacement, in units of what is allowed.
pub(super) fn in_tolerances(allowed: (f64, f64), velocity: f64, displacement: f64) -> f64 {
    (velocity / allowed.1).max(displacement / allowed.0)
}

fn is_solved(change: f64, ratio: Option<f64>) -> bool {
    match ratio {
        Some(ratio) if ratio < CONTRACTION_LIMIT => change * ratio / (1.0 - ratio) <= SWEEP_SHARE,
        Some(_) => false,
        None => change <= SWEEP_SHARE,
    }
}
