//! The next segment: how long, and how far from the truth.
//!
//! An attempt of length h is solved, its error estimated by (5), and accepted when that is within the tolerance.
//! The error grows like h^(s+1), so the next attempt is
//!
//! ```text
//! h' = h·0.8·error^(−1/(s+1))                                                                       (11)
//! ```
//!
//! within limits. An attempt that is refused by the system, does not converge or is not finite is halved. Where
//! a segment ends depends on the start, the memory and the latest end, on nothing else; who asks how often does
//! not matter.

use super::rule::Rule;
use super::segment::{Segment, add_products};
use super::sweep::{Attempt, Sweeper, in_tolerances};
use super::{Accuracy, Implicit, IntegrationError, Memory, Obstacle, Probe, SecondOrder};
use crate::Span;
use crate::tolerances::{
    ERROR_SAFETY, GREATEST_GROWTH, GREATEST_SHRINKING, LONGEST_STEP, MOST_ATTEMPTS,
    SHORTEST_STEP_ULPS, STEP_SAFETY,
};

/// Where a segment starts and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// t₀ `[s]`.
    pub time: f64,
    /// q₀.
    pub q: &'a [f64],
    /// q̇₀.
    pub v: &'a [f64],
    /// q̈ there, where a segment ended and nothing has changed since; `None` costs one call.
    pub acceleration: Option<&'a [f64]>,
    /// The segment ends here at the latest `[s]`; may be infinite.
    pub latest_end: f64,
    /// How many nodes to use.
    pub rule: Rule,
}

/// What a segment took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Calls of the system.
    pub calls: u64,
    /// Sweeps of the attempt that was accepted.
    pub sweeps: u32,
    /// Attempts, the accepted one included.
    pub attempts: u32,
    /// The estimate of the error, in units of the tolerance.
    pub error: f64,
}

/// Integrates segments; keeps nothing between them but storage.
#[derive(Clone, Debug)]
pub struct Integrator {
    accuracy: Accuracy,
    sweeper: Sweeper,
    allowed: Vec<(f64, f64)>,
    /// a₀.
    first: Vec<f64>,
    /// a₀ − a(0).
    defect: Vec<f64>,
    /// Coefficients of θ^(s−1).
    highest: Vec<f64>,
    /// ε^(1/(s+1)) by rule.
    shares: [f64; 2],
}

impl Integrator {
    /// For systems with as many coordinates as the accuracy has scales.
    pub fn new(accuracy: Accuracy) -> Self {
        let n = accuracy.scales().len();
        let numbers = vec![0.0; n];
        let shares = [Rule::Four, Rule::Six].map(|rule| per_order(accuracy.tolerance(), rule));
        Self {
            accuracy,
            sweeper: Sweeper::default(),
            allowed: vec![(0.0, 0.0); n],
            first: numbers.clone(),
            defect: numbers.clone(),
            highest: numbers,
            shares,
        }
    }

    /// The tolerance it keeps.
    pub const fn accuracy(&self) -> &Accuracy {
        &self.accuracy
    }

    /// Integrates one segment from `start`, into `segment`; `memory` becomes that of the next.
    ///
    /// # Errors
    ///
    /// When the start makes no sense, the system has no finite acceleration there, or no step is short enough.
    /// The memory is then as it was, and the segment is of no use.
    pub fn extend(
        &mut self,
        system: &mut impl SecondOrder,
        start: &Start,
        memory: &mut Memory,
        segment: &mut Segment,
    ) -> Result<Effort, IntegrationError> {
        self.validate(system.freedoms(), start)?;
        self.sweeper.calls = 0;
        for (i, allowed) in self.allowed.iter_mut().enumerate() {
            *allowed = self.accuracy.allowed(i, start.v[i]);
        }
        self.find_first(system, start)?;
        let wanted = memory.step(start.rule).unwrap_or_else(|| self.first_step(start));
        let wanted = wanted.min(self.longest_step());
        let mut step = wanted;
        let mut attempts = 0;
        loop {
            attempts += 1;
            let span = span_of(start, step);
            let h = span.length();
            let obstacle = match self.attempt(system, start, span, memory) {
                Ok((error, sweeps)) if error <= 1.0 => {
                    self.accept(start, span, (error, wanted.max(h)), memory, segment);
                    let calls = self.sweeper.calls;
                    return Ok(Effort { calls, sweeps, attempts, error });
                }
                Ok((error, _)) => Obstacle::Error(error),
                Err(obstacle) => obstacle,
            };
            step = h * shrinking(obstacle, start.rule);
            let shortest = SHORTEST_STEP_ULPS * f64::EPSILON * start.time.abs();
            if attempts == MOST_ATTEMPTS || !(step > shortest && step > f64::MIN_POSITIVE) {
                let time = start.time;
                return Err(IntegrationError::StepCollapsed { time, step, attempts, obstacle });
            }
        }
    }

    fn validate(&self, freedoms: usize, start: &Start) -> Result<(), IntegrationError> {
        let n = self.allowed.len();
        let bad = |what| Err(IntegrationError::BadStart { time: start.time, what });
        let others = start.acceleration.map_or(n, <[f64]>::len);
        if n == 0 || [freedoms, start.q.len(), start.v.len(), others] != [n; 4] {
            return bad("system, state and scales must have the same number of coordinates, not 0");
        }
        let finite = |list: &[f64]| list.iter().all(|x| x.is_finite());
        if !(start.time.is_finite() && finite(start.q) && finite(start.v)) {
            return bad("the state to integrate from is not finite");
        }
        if start.latest_end > start.time {
            Ok(())
        } else {
            bad("the latest end of a segment must be after its start")
        }
    }

    /// a₀, given or asked for.
    fn find_first(
        &mut self,
        system: &mut impl SecondOrder,
        start: &Start,
    ) -> Result<(), IntegrationError> {
        let time = start.time;
        if let Some(known) = start.acceleration {
            self.first.copy_from_slice(known);
        } else {
            let implicit = Implicit { gamma: 0.0, w: start.v };
            let probe = Probe { time, q: start.q, v: start.v, implicit };
            self.sweeper.calls += 1;
            system
                .acceleration(&probe, &mut self.first)
                .map_err(|reason| IntegrationError::NoAcceleration { time, reason })?;
        }
        match self.first.iter().position(|a| !a.is_finite()) {
            Some(coordinate) => Err(IntegrationError::NotFinite { time, coordinate }),
            None => Ok(()),
        }
    }

    /// The longest step that is tried, whatever was remembered `[s]`.
    fn longest_step(&self) -> f64 {
        let times = self.accuracy.scales().iter().map(|it| it.displacement / it.velocity);
        LONGEST_STEP * times.fold(0.0, f64::max)
    }

    /// A step for a motion of which nothing is known but its start: a small share of the time in which it moves by
    /// its scales.
    fn first_step(&self, start: &Start) -> f64 {
        let mut time = f64::INFINITY;
        for (i, scale) in self.accuracy.scales().iter().enumerate() {
            let (v, a) = (start.v[i].abs(), self.first[i].abs());
            let speed = scale.velocity + v;
            time = time.min(scale.displacement / speed).min(speed / a);
        }
        time * self.shares[start.rule as usize]
    }

    /// Solves the collocation equations over `span` and estimates the error.
    fn attempt(
        &mut self,
        system: &mut impl SecondOrder,
        start: &Start,
        span: Span,
        memory: &Memory,
    ) -> Result<(f64, u32), Obstacle> {
        let (n, h) = (self.first.len(), span.length());
        let tables = start.rule.tables();
        self.sweeper.resize(n, tables.nodes.len());
        self.defect.copy_from_slice(&self.first);
        let guess = &mut self.sweeper.at_nodes;
        memory.guess(start.time, tables.nodes, h, &mut self.defect, guess);
        let attempt = Attempt {
            rule: start.rule,
            time: start.time,
            h,
            q0: start.q,
            v0: start.v,
            allowed: &self.allowed,
        };
        let sweeps = self.sweeper.solve(system, &attempt)?;
        Ok((self.error(start.rule, h), sweeps))
    }

    /// The estimate (5), in units of the tolerance.
    ///
    /// It may pass through zero by accident, so it is held above a share of what would be missing without the
    /// highest power. The steps that a tolerance ε allows grow like ε^(1/(s+1)), and so do ratios of successive
    /// coefficients; hence the share.
    fn error(&mut self, rule: Rule, h: f64) -> f64 {
        let tables = rule.tables();
        let (s, n) = (tables.nodes.len(), self.first.len());
        let share = self.shares[rule as usize];
        self.defect.fill(0.0);
        self.highest.fill(0.0);
        add_products(&tables.bernstein[..s], &self.sweeper.at_nodes, &mut self.defect);
        add_products(tables.leading, &self.sweeper.at_nodes, &mut self.highest);
        let mut most = 0.0_f64;
        for i in 0..n {
            self.defect[i] = self.first[i] - self.defect[i];
            let least = share * self.highest[i].abs() / tables.defect;
            let size = ERROR_SAFETY * self.defect[i].abs().max(least);
            let velocity = size * tables.dense_velocity * h;
            let displacement = size * tables.dense_displacement * h * h;
            most = most.max(in_tolerances(self.allowed[i], velocity, displacement));
        }
        most
    }

    /// Writes the segment and what is to be remembered of it; `size` is the error and the step that was wanted.
    fn accept(
        &mut self,
        start: &Start,
        span: Span,
        size: (f64, f64),
        memory: &mut Memory,
        segment: &mut Segment,
    ) {
        let tables = start.rule.tables();
        let ((error, wanted), h) = (size, span.length());
        segment.begin(span, tables.nodes.len(), start.q, start.v);
        segment.finish(tables.bernstein, &self.sweeper.at_nodes);
        memory.keep(segment, start.rule, &self.defect);
        // A segment that ended early says little about longer ones: what was wanted before stays.
        let factor = ideal_factor(error, start.rule);
        memory.set_step(start.rule, (h * factor).min(wanted.max(GREATEST_GROWTH * h)));
    }
}

/// From the start as far as `step` and the latest end allow; two equal parts where one would leave a stub.
fn span_of(start: &Start, step: f64) -> Span {
    let left = start.latest_end - start.time;
    let end = if left <= step {
        start.latest_end
    } else if left < 2.0 * step {
        start.time + 0.5 * left
    } else {
        start.time + step
    };
    Span::new(start.time, end)
}

/// error^(1/(s+1)).
fn per_order(error: f64, rule: Rule) -> f64 {
    libm::pow(error, 1.0 / (rule.nodes() as f64 + 1.0))
}

/// (11).
fn ideal_factor(error: f64, rule: Rule) -> f64 {
    if error > 0.0 { STEP_SAFETY / per_order(error, rule) } else { f64::INFINITY }
}

/// The share of a step that failed which is tried next.
fn shrinking(obstacle: Obstacle, rule: Rule) -> f64 {
    match obstacle {
        Obstacle::Error(error) => ideal_factor(error, rule).clamp(GREATEST_SHRINKING, STEP_SAFETY),
        Obstacle::Sweeps(_) | Obstacle::NotFinite | Obstacle::Undefined(_) => 0.5,
    }
}
