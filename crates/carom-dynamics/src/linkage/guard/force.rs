//! Forces that hold freedoms along a segment, and when they leave their ranges.
//!
//! **The force.** λ is what mixed dynamics says a held freedom takes, less what acts in it anyway, at the q and v of the course. It
//! is one call of the derivative for all held freedoms together.
//!
//! **Followed.** λ(t) is smooth but no polynomial. It is sampled at the nine extrema of T₈ over a window,
//!
//! ```text
//! x_j = cos(πj/8),   c_k = ¼·Σ''_j λ(x_j)·cos(πjk/8),   λ ≈ Σ''_k c_k·T_k(x),   x = 2θ − 1           (1)
//! ```
//!
//! ('' halves the first and the last term) and turned into Bernstein form, where T_n has the coefficients (−1)^(n−i)·C(2n, 2i)/C(n, i). For
//! a smooth function coefficients fall geometrically, and what is missing is of the size of the last ones, |c₇| + |c₈|. Where
//! that is more than a share of δ for any freedom, the window is halved. This is control by an estimate, not a proof; it
//! can be deceived by a force that swings between the samples by more than the last coefficients show.

use super::load::write_squares;
use super::root::{Bernstein, MOST};
use super::{Change, Ending, First, Transition};
use crate::collocation::{Implicit, IntegrationError, Probe, SecondOrder};
use crate::linkage::extend::System;
use crate::linkage::mode::{Grip, Sense};
use crate::linkage::restraint::Restraint;
use crate::linkage::{Course, Workspace};
use crate::tolerances::{FORCE_ERROR_SHARE, FORCE_HALVINGS, FORCE_ROUNDING};

/// N of (1).
const DEGREE: usize = MOST - 1;

/// cos(πm/8) for m from 0 to 8.
pub(in crate::linkage) const COSINES: [f64; MOST] = [
    1.0,
    0.923_879_532_511_286_7,
    0.707_106_781_186_547_5,
    0.382_683_432_365_089_8,
    0.0,
    -0.382_683_432_365_089_8,
    -0.707_106_781_186_547_5,
    -0.923_879_532_511_286_7,
    -1.0,
];

/// λ of all freedoms and squares of loads at the nine points, point after point; storage that is used again.
#[derive(Clone, Debug, Default)]
pub(in crate::linkage) struct Samples {
    pub(in crate::linkage) forces: Vec<f64>,
    s: Vec<f64>,
    s_dot: Vec<f64>,
    s_ddot: Vec<f64>,
}

impl Course {
    /// Writes the forces that hold freedoms at `time`, of friction and stops together, zero for those that move
    /// `[N·m or N]`. They are dual to v: a lower stop pushes with positive ones.
    ///
    /// # Errors
    /// If a joint is singular there.
    ///
    /// # Panics
    /// If the workspace is that of another linkage, or `out` has not one number for each freedom.
    pub fn holding_forces(
        &self,
        time: f64,
        workspace: &mut Workspace,
        out: &mut [f64],
    ) -> Result<(), IntegrationError> {
        assert_eq!(out.len(), self.linkage().tree().n_v(), "number of forces");
        if self.mode.held().is_empty() {
            out.fill(0.0);
            return Ok(());
        }
        self.derive(time, workspace)?;
        self.write_holding(workspace, out);
        Ok(())
    }

    /// λ of held freedoms, as the last derivation has them.
    fn write_holding(&self, workspace: &Workspace, out: &mut [f64]) {
        out.fill(0.0);
        let buffers = &workspace.buffers;
        let held = self.mode.held().iter().enumerate();
        for (k, _) in held.filter(|(_, is_held)| **is_held) {
            out[k] = buffers.needed[k] - buffers.tau[k];
        }
    }

    /// Calls the derivative at the q and v of a time.
    pub(in crate::linkage) fn derive(
        &self,
        time: f64,
        workspace: &mut Workspace,
    ) -> Result<(), IntegrationError> {
        let n = self.linkage().tree().n_v();
        let Workspace { chart, buffers, samples, .. } = workspace;
        let Samples { s, s_dot, s_ddot, .. } = samples;
        for list in [&mut *s, &mut *s_dot, &mut *s_ddot] {
            list.resize(n, 0.0);
        }
        self.chart_state(time, s, s_dot);
        chart.restart(self.start()[0]);
        let mut system = System {
            linkage: self.linkage(),
            drive: &self.drive,
            mode: &self.mode,
            chart,
            buffers,
        };
        let implicit = Implicit { gamma: 0.0, w: s_dot };
        let probe = Probe { time, q: s, v: s_dot, implicit };
        system
            .acceleration(&probe, s_ddot)
            .map_err(|reason| IntegrationError::NoAcceleration { time, reason })
    }

    /// λ of all freedoms, then squares of loads, at a time.
    fn sample(
        &self,
        time: f64,
        workspace: &mut Workspace,
        out: &mut [f64],
    ) -> Result<(), IntegrationError> {
        let (holding, squares) = out.split_at_mut(self.linkage().tree().n_v());
        self.derive(time, workspace)?;
        self.write_holding(workspace, holding);
        if !squares.is_empty() {
            self.find_loads(workspace);
            write_squares(&self.linkage().strengths.limits, workspace, squares);
        }
        Ok(())
    }

    /// The first time before that of `first` at which a holding force leaves its range or a load is too much.
    pub(super) fn search_forces(
        &self,
        first: &mut First,
        workspace: &mut Workspace,
    ) -> Result<(), IntegrationError> {
        let mut forces = std::mem::take(&mut workspace.samples.forces);
        let window = [0.0, first.theta];
        let found = self.search_window(window, FORCE_HALVINGS, first, &mut forces, workspace);
        workspace.samples.forces = forces;
        found
    }

    /// Searches a window of θ, halved as often as is needed and allowed.
    fn search_window(
        &self,
        [from, to]: [f64; 2],
        halvings: u32,
        first: &mut First,
        forces: &mut Vec<f64>,
        workspace: &mut Workspace,
    ) -> Result<(), IntegrationError> {
        let linkage = self.linkage();
        let (freedoms, limits) = (linkage.tree().n_v(), &linkage.strengths.limits);
        let n = freedoms + limits.len();
        forces.resize(MOST * n, 0.0);
        for (x, out) in COSINES.iter().zip(forces.chunks_exact_mut(n)) {
            let theta = from + 0.5 * (1.0 + x) * (to - from);
            self.sample(self.time_at(theta), workspace, out)?;
        }
        first.calls += MOST as u64;
        let own = |restraint: &Restraint| Interpolant::new(forces, restraint.freedom, n);
        let load = |limit: usize| Interpolant::new(forces, freedoms + limit, n);
        let held = || {
            let held = |freedom: usize| self.mode.grip(freedom).is_held();
            linkage.restraints.iter().filter(move |restraint| held(restraint.freedom))
        };
        let is_rough = |restraint| {
            let (own, allowed) = (own(restraint), FORCE_ERROR_SHARE * restraint.slack);
            own.missing() > allowed.max(FORCE_ROUNDING * own.size())
        };
        let is_rough_load = |limit: usize| linkage.is_rough_load(&load(limit));
        if halvings > 0 && (held().any(is_rough) || (0..limits.len()).any(is_rough_load)) {
            let middle = 0.5 * (from + to);
            for window in [[from, middle], [middle, to]] {
                if window[0] < first.theta {
                    self.search_window(window, halvings - 1, first, forces, workspace)?;
                }
            }
            return Ok(());
        }
        for restraint in held() {
            let grip = self.mode.grip(restraint.freedom);
            if let Some((x, change)) = own(restraint).leaves(restraint, grip) {
                let transition = Transition { freedom: restraint.freedom, change };
                first.offer(from + x * (to - from), Ending::Transition(transition));
            }
        }
        for (number, limit) in limits.iter().enumerate() {
            if let Some(x) = load(number).exceeds() {
                let (link, overload) = (limit.link, limit.overload);
                first.offer(from + x * (to - from), Ending::Breaks { link, overload });
            }
        }
        Ok(())
    }
}

/// c of (1), for one number over a window.
pub(in crate::linkage) struct Interpolant {
    coefficients: [f64; MOST],
}

impl Interpolant {
    /// Of one among `n` numbers at each point.
    pub(in crate::linkage) fn new(forces: &[f64], number: usize, n: usize) -> Self {
        let mut coefficients = [0.0; MOST];
        for (k, c) in coefficients.iter_mut().enumerate() {
            for j in 0..MOST {
                // cos has period 16 and is even about 8 in units of π/8.
                let m = (j * k) % (2 * DEGREE);
                let cosine = COSINES[m.min(2 * DEGREE - m)];
                *c += ends_halved(j) * cosine * forces[j * n + number];
            }
            *c *= 2.0 / DEGREE as f64 * ends_halved(k);
        }
        Self { coefficients }
    }

    /// An estimate of its error.
    pub(in crate::linkage) fn missing(&self) -> f64 {
        self.coefficients[DEGREE - 1].abs() + self.coefficients[DEGREE].abs()
    }

    /// A bound on its size.
    pub(in crate::linkage) fn size(&self) -> f64 {
        self.coefficients.iter().map(|c| c.abs()).sum()
    }

    /// Σ c_k·T_k in Bernstein form.
    pub(in crate::linkage) fn bernstein(&self) -> [f64; MOST] {
        let mut out = [0.0; MOST];
        for (n, c) in self.coefficients.iter().enumerate() {
            let mut terms = chebyshev(n);
            for degree in n..DEGREE {
                raise(&mut terms, degree);
            }
            for (sum, term) in out.iter_mut().zip(&terms) {
                *sum += c * term;
            }
        }
        out
    }

    /// Where the force leaves the range that the grip gives it, as a share of the window, and what then happens.
    fn leaves(&self, restraint: &Restraint, grip: Grip) -> Option<(f64, Change)> {
        let function = self.bernstein();
        let [low, high] = restraint.range(grip.stop(), 2.0);
        let change = |sense: Sense| match grip.stop() {
            Some(side) => Change::LeavesStop(side),
            None => Change::Slips(sense),
        };
        // Below its range the force cannot keep the freedom from moving forward, above from moving backward.
        let sides = [(-low, 1.0, Sense::Forward), (high, -1.0, Sense::Backward)];
        let mut first: Option<(f64, Change)> = None;
        for (start, sign, sense) in sides.into_iter().filter(|(start, ..)| start.is_finite()) {
            let until = first.map_or(1.0, |(x, _)| x);
            if let Some(x) = Bernstein::new(start, sign, &function).first_negative(until) {
                first = Some((x, change(sense)));
            }
        }
        first
    }
}

fn ends_halved(index: usize) -> f64 {
    if index == 0 || index == DEGREE { 0.5 } else { 1.0 }
}

/// Bernstein coefficients of T_n(2θ − 1), n + 1 of them.
fn chebyshev(n: usize) -> [f64; MOST] {
    let mut out = [0.0; MOST];
    let mut term = if n.is_multiple_of(2) { 1.0 } else { -1.0 };
    for (i, value) in out.iter_mut().enumerate().take(n + 1) {
        *value = term;
        // Ratio of successive C(2n, 2i)/C(n, i).
        let ratio = (2 * (n - i)) as f64 - 1.0;
        term *= -ratio / (2 * i + 1) as f64;
    }
    out
}

/// From coefficients of one degree to those of the next.
fn raise(terms: &mut [f64; MOST], degree: usize) {
    let next = (degree + 1) as f64;
    for i in (1..=degree + 1).rev() {
        let share = i as f64 / next;
        terms[i] = share * terms[i - 1] + (1.0 - share) * terms[i];
    }
}

#[cfg(test)]
mod tests {
    use super::{COSINES, DEGREE, Interpolant, MOST};
    use crate::linkage::guard::root::Bernstein;

    #[test]
    fn a_polynomial_of_degree_eight_is_followed_exactly_and_its_first_root_found() {
        let value = |theta: f64| {
            // A double root that touches at 0.3, and a crossing at 0.71.
            let touch = (theta - 0.3) * (theta - 0.3) + 1e-9;
            touch * (0.71 - theta) * (1.0 + theta * theta * theta * theta * theta)
        };
        let forces: Vec<f64> = COSINES.iter().map(|x| value(0.5 * (1.0 + x))).collect();
        let interpolant = Interpolant::new(&forces, 0, 1);
        let root = Bernstein::new(0.0, 1.0, &interpolant.bernstein()).first_negative(1.0);
        println!("root at {root:?}, last coefficients {:.1e}", interpolant.missing());
        assert!((root.unwrap() - 0.71).abs() < 1e-13);
        let at_end = interpolant.bernstein()[DEGREE];
        assert!((at_end - value(1.0)).abs() < 1e-14);
        assert_eq!(MOST, DEGREE + 1);
    }
}
