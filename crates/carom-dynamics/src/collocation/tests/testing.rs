//! Systems and a driver that the tests share.

use super::super::*;

/// Same scale for all coordinates.
pub(super) fn accuracy(tolerance: f64, freedoms: usize, velocity: f64) -> Accuracy {
    Accuracy::new(tolerance, vec![Scale { displacement: 1.0, velocity }; freedoms]).unwrap()
}

/// A motion being integrated: what an engine would keep.
pub(super) struct Run<S> {
    pub(super) system: S,
    pub(super) integrator: Integrator,
    pub(super) memory: Memory,
    pub(super) segment: Segment,
    pub(super) time: f64,
    pub(super) point: Point,
    pub(super) rule: Rule,
    /// True while the acceleration at `time` is that of the segment before.
    pub(super) goes_on: bool,
    pub(super) calls: u64,
    pub(super) segments: u64,
    pub(super) attempts: u64,
    pub(super) effort: Effort,
}

impl<S: SecondOrder> Run<S> {
    pub(super) fn new(system: S, accuracy: Accuracy, q: &[f64], v: &[f64]) -> Self {
        Self {
            system,
            integrator: Integrator::new(accuracy),
            memory: Memory::new(),
            segment: Segment::new(),
            time: 0.0,
            point: Point { q: q.to_vec(), v: v.to_vec(), a: vec![0.0; q.len()] },
            rule: Rule::Six,
            goes_on: false,
            calls: 0,
            segments: 0,
            attempts: 0,
            effort: Effort::default(),
        }
    }

    /// The next segment, which ends at `latest` at the latest.
    pub(super) fn try_step(&mut self, latest: f64) -> Result<(), IntegrationError> {
        let Point { q, v, a } = &self.point;
        let acceleration = self.goes_on.then_some(&a[..]);
        let start =
            Start { time: self.time, q, v, acceleration, latest_end: latest, rule: self.rule };
        self.effort = self.integrator.extend(
            &mut self.system,
            &start,
            &mut self.memory,
            &mut self.segment,
        )?;
        self.calls += self.effort.calls;
        self.segments += 1;
        self.attempts += u64::from(self.effort.attempts);
        self.time = self.segment.span().end;
        self.segment.state_at(self.time, &mut self.point);
        self.goes_on = true;
        Ok(())
    }

    pub(super) fn step(&mut self, latest: f64) {
        self.try_step(latest).unwrap();
    }

    pub(super) fn advance(&mut self, end: f64) {
        while self.time < end {
            self.step(end);
        }
    }

    /// Cuts the present segment at `time`, from where the motion goes on.
    pub(super) fn cut(&mut self, time: f64) {
        self.segment.cut(time);
        self.time = self.segment.span().end;
        self.segment.state_at(self.time, &mut self.point);
        self.goes_on = false;
    }
}

/// q̈ = f(t, q, q̇) given as a function, without damping.
pub(super) struct Given<F>(pub(super) usize, pub(super) F);

impl<F: FnMut(f64, &[f64], &[f64], &mut [f64])> SecondOrder for Given<F> {
    fn freedoms(&self) -> usize {
        self.0
    }

    fn acceleration(&mut self, probe: &Probe, out: &mut [f64]) -> Result<(), Undefined> {
        (self.1)(probe.time, probe.q, probe.v, out);
        Ok(())
    }
}

/// Numbers between 0 and 1 that look random and are the same every time.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Rods hanging on each other in a plane, by the angles of all from the downward vertical.
///
/// With M_ij = m(n − 1 − max(i, j) + ½), ⅓ in place of ½ on the diagonal, and G_i = m(n − i − ½):
/// l²·Σ_j M_ij·cos(φ_i − φ_j)·φ̈_j = −l²·Σ_j M_ij·sin(φ_i − φ_j)·φ̇_j² − g·l·G_i·sin φ_i − (damping between
/// neighbours). A dense solve; nothing of it is articulated.
pub(super) struct Rods {
    pub(super) n: usize,
    pub(super) length: f64,
    pub(super) masses: Vec<f64>,
    pub(super) damping: Vec<f64>,
    coupling: Vec<f64>,
    gravity: Vec<f64>,
    matrix: Vec<f64>,
    turn: Vec<(f64, f64)>,
}

pub(super) const GRAVITY: f64 = 9.81;

impl Rods {
    pub(super) fn new(length: f64, masses: &[f64], damping: &[f64]) -> Self {
        let n = masses.len();
        let beyond = |i: usize| masses[i + 1..].iter().sum::<f64>();
        let mut coupling = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                let far = i.max(j);
                let own = if i == j { 1.0 / 3.0 } else { 0.5 };
                coupling[i * n + j] = length * length * (own * masses[far] + beyond(far));
            }
        }
        let gravity = (0..n).map(|i| GRAVITY * length * (0.5 * masses[i] + beyond(i))).collect();
        Self {
            n,
            length,
            masses: masses.to_vec(),
            damping: damping.to_vec(),
            coupling,
            gravity,
            matrix: vec![0.0; n * n],
            turn: vec![(0.0, 1.0); n],
        }
    }

    pub(super) fn equal(n: usize, length: f64, mass: f64) -> Self {
        Self::new(length, &vec![mass; n], &vec![0.0; n])
    }

    fn look(&mut self, q: &[f64]) {
        for (turn, q) in self.turn.iter_mut().zip(q) {
            *turn = libm::sincos(*q);
        }
    }

    fn cos(&self, i: usize, j: usize) -> f64 {
        let ((si, ci), (sj, cj)) = (self.turn[i], self.turn[j]);
        ci * cj + si * sj
    }

    fn sin(&self, i: usize, j: usize) -> f64 {
        let ((si, ci), (sj, cj)) = (self.turn[i], self.turn[j]);
        si * cj - ci * sj
    }

    /// Kinetic and potential energy, the latter 0 for the horizontal.
    pub(super) fn energy(&mut self, q: &[f64], v: &[f64]) -> f64 {
        self.look(q);
        let n = self.n;
        let mut sum = 0.0;
        for i in 0..n {
            sum -= self.gravity[i] * self.turn[i].1;
            for j in 0..n {
                sum += 0.5 * self.coupling[i * n + j] * self.cos(i, j) * v[i] * v[j];
            }
        }
        sum
    }

    /// M·g·L/2.
    pub(super) fn reference_energy(&self) -> f64 {
        0.5 * self.masses.iter().sum::<f64>() * GRAVITY * self.length * self.n as f64
    }

    /// Adds γ·C to the matrix and takes C·w from the right-hand side.
    fn damp(&mut self, implicit: Implicit, out: &mut [f64]) {
        let n = self.n;
        for (i, &c) in self.damping.iter().enumerate() {
            let before = if i > 0 { implicit.w[i - 1] } else { 0.0 };
            let torque = c * (implicit.w[i] - before);
            out[i] -= torque;
            self.matrix[i * n + i] += implicit.gamma * c;
            if i > 0 {
                out[i - 1] += torque;
                self.matrix[(i - 1) * n + i - 1] += implicit.gamma * c;
                self.matrix[i * n + i - 1] -= implicit.gamma * c;
            }
        }
    }

    /// Cholesky on the lower triangle.
    fn solve(&mut self, out: &mut [f64]) -> Result<(), Undefined> {
        let n = self.n;
        let a = &mut self.matrix;
        for j in 0..n {
            for i in j..n {
                let mut sum = a[i * n + j];
                for k in 0..j {
                    sum -= a[i * n + k] * a[j * n + k];
                }
                if i == j {
                    if sum <= 0.0 {
                        return Err(Undefined::Singular(j));
                    }
                    a[j * n + j] = sum.sqrt();
                } else {
                    a[i * n + j] = sum / a[j * n + j];
                }
            }
        }
        for i in 0..n {
            for k in 0..i {
                out[i] -= a[i * n + k] * out[k];
            }
            out[i] /= a[i * n + i];
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                out[i] -= a[k * n + i] * out[k];
            }
            out[i] /= a[i * n + i];
        }
        Ok(())
    }
}

impl SecondOrder for Rods {
    fn freedoms(&self) -> usize {
        self.n
    }

    fn is_damped(&self) -> bool {
        self.damping.iter().any(|c| *c != 0.0)
    }

    fn acceleration(&mut self, probe: &Probe, out: &mut [f64]) -> Result<(), Undefined> {
        self.look(probe.q);
        let n = self.n;
        for (i, force) in out.iter_mut().enumerate() {
            *force = -self.gravity[i] * self.turn[i].0;
            for j in 0..n {
                let coupling = self.coupling[i * n + j];
                *force -= coupling * self.sin(i, j) * probe.v[j] * probe.v[j];
                if j <= i {
                    self.matrix[i * n + j] = coupling * self.cos(i, j);
                }
            }
        }
        if self.is_damped() {
            self.damp(probe.implicit, out);
        }
        self.solve(out)
    }
}
