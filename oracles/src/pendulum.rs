//! A planar pendulum of several rigid links on hinges without friction, from Lagrange's equations.
//!
//! With φ_i the angle of link i from hanging down, l_i its length from hinge to hinge, c_i the distance of its centre of mass from
//! its upper hinge, m_i its mass, J_i its moment of inertia about its centre of mass and M_i = Σ_{k>i} m_k what hangs below it,
//!
//! ```text
//! a_ii = J_i + m_i·c_i² + M_i·l_i²,   a_ij = l_i·(m_j·c_j + M_j·l_j) for i < j,   b_i = m_i·c_i + M_i·l_i
//! T = ½·Σ a_ij·cos(φ_i − φ_j)·φ̇_i·φ̇_j,   V = −g·Σ b_i·cos φ_i                                          (1)
//! Σ_j a_ij·(cos(φ_i − φ_j)·φ̈_j + sin(φ_i − φ_j)·φ̇_j²) + g·b_i·sin φ_i = 0                               (2)
//! ```
//!
//! (2) is solved by elimination and integrated by extrapolation of the modified midpoint rule (Gragg, Bulirsch and Stoer) to
//! order 16 in steps of one length. What is left is rounding, which grows as neighbouring motions part.

/// One link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PendulumLink {
    /// From hinge to hinge `[m]`.
    pub length: f64,
    /// From the upper hinge to the centre of mass, along the link `[m]`.
    pub center: f64,
    /// `[kg]`
    pub mass: f64,
    /// About the centre of mass `[kg·m²]`.
    pub inertia: f64,
}

/// A pendulum of several links.
#[derive(Clone, Debug)]
pub struct Pendulum {
    /// a of equation (1), row by row `[kg·m²]`.
    a: Vec<Vec<f64>>,
    /// b of equation (1) `[kg·m]`.
    b: Vec<f64>,
    /// `[m/s²]`
    gravity: f64,
}

/// Substeps of the columns of an extrapolation.
const SUBSTEPS: [usize; 8] = [2, 4, 6, 8, 10, 12, 14, 16];

impl Pendulum {
    /// Of links from the pivot downward.
    pub fn new(links: &[PendulumLink], gravity: f64) -> Self {
        let below = |i: usize| links[i + 1..].iter().map(|link| link.mass).sum::<f64>();
        let arm = |i: usize| links[i].mass * links[i].center + below(i) * links[i].length;
        let of = |i: usize, j: usize| match i.cmp(&j) {
            std::cmp::Ordering::Less => links[i].length * arm(j),
            std::cmp::Ordering::Greater => links[j].length * arm(i),
            std::cmp::Ordering::Equal => {
                let PendulumLink { length, center, mass, inertia } = links[i];
                inertia + mass * center * center + below(i) * length * length
            }
        };
        let n = links.len();
        let a = (0..n).map(|i| (0..n).map(|j| of(i, j)).collect()).collect();
        Self { a, b: (0..n).map(arm).collect(), gravity }
    }

    /// T + V of a state, angles first `[J]`.
    pub fn energy(&self, state: &[f64]) -> f64 {
        let (angles, rates) = state.split_at(self.b.len());
        let mut energy = 0.0;
        for (i, row) in self.a.iter().enumerate() {
            for (j, a) in row.iter().enumerate() {
                energy += 0.5 * a * libm::cos(angles[i] - angles[j]) * rates[i] * rates[j];
            }
            energy -= self.gravity * self.b[i] * libm::cos(angles[i]);
        }
        energy
    }

    /// Angles from hanging down and their rates after some time, in so many steps: φ, then φ̇ `[rad, rad/s]`.
    pub fn after(&self, start: &[f64], time: f64, steps: usize) -> Vec<f64> {
        let mut state = start.to_vec();
        for _ in 0..steps {
            state = self.step(&state, time / steps as f64);
        }
        state
    }

    /// One step by extrapolation to substeps of no length.
    fn step(&self, state: &[f64], step: f64) -> Vec<f64> {
        // Aitken and Neville: table[j] holds the newest value of column j, with one power of h² less for each column.
        let mut table: Vec<Vec<f64>> = Vec::new();
        for (k, n) in SUBSTEPS.into_iter().enumerate() {
            let mut finer = self.midpoints(state, step, n);
            for j in 0..k {
                let finer_by = n as f64 / SUBSTEPS[k - 1 - j] as f64;
                let ratio = finer_by * finer_by;
                let coarser = std::mem::replace(&mut table[j], finer);
                let cancel = |(fine, coarse): (&f64, &f64)| fine + (fine - coarse) / (ratio - 1.0);
                finer = table[j].iter().zip(&coarser).map(cancel).collect();
            }
            table.push(finer);
        }
        table.pop().unwrap_or_default()
    }

    /// Gragg's modified midpoint rule, smoothed.
    fn midpoints(&self, state: &[f64], step: f64, n: usize) -> Vec<f64> {
        let h = step / n as f64;
        let moved = |from: &[f64], by: &[f64], times: f64| -> Vec<f64> {
            from.iter().zip(by).map(|(x, d)| x + times * d).collect()
        };
        let mut before = state.to_vec();
        let mut now = moved(state, &self.derivative(state), h);
        for _ in 1..n {
            let next = moved(&before, &self.derivative(&now), 2.0 * h);
            before = std::mem::replace(&mut now, next);
        }
        let last = moved(&before, &self.derivative(&now), h);
        now.iter().zip(&last).map(|(x, y)| 0.5 * (x + y)).collect()
    }

    /// φ̇ and φ̈ by equation (2).
    fn derivative(&self, state: &[f64]) -> Vec<f64> {
        let n = self.b.len();
        let (angles, rates) = state.split_at(n);
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for i in 0..n {
            let apart = |j: usize| angles[i] - angles[j];
            let mut row: Vec<f64> = (0..n).map(|j| self.a[i][j] * libm::cos(apart(j))).collect();
            let pull = (0..n).map(|j| self.a[i][j] * libm::sin(apart(j)) * rates[j] * rates[j]);
            row.push(-pull.sum::<f64>() - self.gravity * self.b[i] * libm::sin(angles[i]));
            rows.push(row);
        }
        let mut derivative = rates.to_vec();
        derivative.extend(eliminated(rows));
        derivative
    }
}

/// The solution of linear equations with their right sides at the ends of the rows; the matrix is positive definite.
fn eliminated(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rows.len();
    for k in 0..n {
        for i in k + 1..n {
            let (above, below) = rows.split_at_mut(i);
            let (pivot, row) = (&above[k], &mut below[0]);
            let share = row[k] / pivot[k];
            for (entry, of_pivot) in row[k..].iter_mut().zip(&pivot[k..]) {
                *entry -= share * of_pivot;
            }
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| rows[k][j] * x[j]).sum();
        x[k] = (rows[k][n] - known) / rows[k][k];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_1_SQRT_2, PI};

    /// Complete elliptic integral of the first kind by the arithmetic-geometric mean.
    fn elliptic(k: f64) -> f64 {
        let (mut a, mut b) = (1.0, (1.0 - k * k).sqrt());
        for _ in 0..8 {
            (a, b) = (0.5 * (a + b), (a * b).sqrt());
        }
        PI / (a + b)
    }

    const ROD: PendulumLink =
        PendulumLink { length: 1.0, center: 0.5, mass: 2.0, inertia: 2.0 / 12.0 };

    #[test]
    fn one_link_from_the_horizontal_is_back_after_its_period() {
        // T = 4·K(sin(φ₀/2))·√(2l/3g) of a rod.
        let gravity = 9.81_f64;
        let period = 4.0 * elliptic(FRAC_1_SQRT_2) * (2.0 / (3.0 * gravity)).sqrt();
        let state = Pendulum::new(&[ROD], gravity).after(&[PI / 2.0, 0.0], period, 100);
        println!("after a period {:e} rad, {:e} rad/s off", state[0] - PI / 2.0, state[1]);
        assert!((state[0] - PI / 2.0).abs() < 1e-13 && state[1].abs() < 1e-12);
    }

    #[test]
    fn links_that_start_as_one_rod_without_gravity_turn_as_one() {
        let state = Pendulum::new(&[ROD; 3], 0.0).after(&[0.3, 0.3, 0.3, 2.0, 2.0, 2.0], 1.5, 50);
        // Free hinges do not hold a whirling chain straight, but a straight one has no reason to bend.
        // Extrapolation makes rounding some hundred times larger, in each of 50 steps.
        assert!(state[..3].iter().all(|angle| (angle - 3.3).abs() < 1e-11), "{state:?}");
    }

    #[test]
    fn three_links_keep_their_energy_and_halved_steps_agree() {
        let pendulum = Pendulum::new(&[ROD; 3], 9.81);
        let start = [PI / 2.0, PI / 2.0, PI / 2.0, 0.0, 0.0, 0.0];
        let [coarse, fine] = [500, 1000].map(|steps| pendulum.after(&start, 2.0, steps));
        let off = coarse.iter().zip(&fine).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let drift = (pendulum.energy(&fine) - pendulum.energy(&start)).abs();
        println!("halved steps differ by {off:e}, energy by {drift:e} J");
        // Rounding, grown by what neighbouring motions part in 2 s; and 1000 steps that each round 60 J by up to 4 units in the last place.
        assert!(off < 1e-9 && drift < 1000.0 * 4.0 * 60.0 * f64::EPSILON);
    }
}
