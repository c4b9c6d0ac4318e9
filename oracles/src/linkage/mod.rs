//! Linkages by dense matrices, in the plainest way there is.
//!
//! Every link has one freedom, a turn about an axis or a way along it. Poses are written down as functions of the coordinates, and
//! evaluated in numbers that carry two derivatives with respect to time (`jet.rs`): velocities and accelerations are exact derivatives of
//! poses, without any formula for Coriolis terms. With Jacobians J of centres and spins, one column for each unit velocity,
//!
//! ```text
//! H = Σ m·J_vᵀJ_v + J_ωᵀ·I·J_ω,   b = Σ J_vᵀ·m(a⁰ − g) + J_ωᵀ(I·α⁰ + ω×Iω),   q̈ = H⁻¹(τ + Jᵀf − b)          (1)
//! ```
//!
//! and a contact answers with K = J·H⁻¹·Jᵀ. A body that floats hangs on six freedoms with nothing between them.

mod jet;
mod random;
#[cfg(test)]
mod tests;

use jet::{Jet, Matrix, applied, constant, product, sum, turned};

pub use random::Kind;

/// Three numbers.
pub type Vec3 = [f64; 3];

/// A link with the joint that carries it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// An earlier one, or none for the world.
    pub parent: Option<usize>,
    /// Whether it slides along its axis, or else turns about it.
    pub slides: bool,
    /// Unit, in the frame of the joint.
    pub axis: Vec3,
    /// Where the joint is in the frame of the parent `[m]`.
    pub place: Vec3,
    /// Axes of the joint's frame in that of the parent, row by row.
    pub turn: [Vec3; 3],
    /// `[kg]`
    pub mass: f64,
    /// Centre of mass in the link's frame `[m]`.
    pub center: Vec3,
    /// About the centre, in the link's axes, row by row `[kg·m²]`.
    pub inertia: [Vec3; 3],
}

/// Links, parents first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Linkage {
    /// One for each coordinate.
    pub links: Vec<Link>,
}

/// How a link moves, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Origin of its frame `[m]`.
    pub origin: Vec3,
    /// Its axes, row by row.
    pub axes: [Vec3; 3],
    /// Of its centre of mass `[m]`, `[m/s]`, `[m/s²]`.
    pub center: [Vec3; 3],
    /// Angular velocity and acceleration `[rad/s]`, `[rad/s²]`.
    pub spin: [Vec3; 2],
}

impl Motion {
    /// Velocity of a point of the link that is there now `[m/s]`.
    pub fn velocity_at(&self, point: Vec3) -> Vec3 {
        let [x, v, _] = self.center;
        add(v, cross(self.spin[0], less(point, x)))
    }
}

impl Linkage {
    /// Motions of all links for coordinates, rates and accelerations.
    pub fn motions(&self, q: &[f64], v: &[f64], a: &[f64]) -> Vec<Motion> {
        let mut frames: Vec<([Jet; 3], Matrix)> = Vec::new();
        let mut motions = Vec::new();
        for (i, link) in self.links.iter().enumerate() {
            let coordinate = Jet([q[i], v[i], a[i]]);
            let world = ([Jet::default(); 3], constant(IDENTITY));
            let (origin, axes) = link.parent.map_or(world, |parent| frames[parent]);
            let mut origin = sum(&origin, &applied(&axes, &link.place.map(Jet::of)));
            let mut axes = product(&axes, &constant(link.turn));
            if link.slides {
                let way = link.axis.map(|u| coordinate * Jet::of(u));
                origin = sum(&origin, &applied(&axes, &way));
            } else {
                axes = product(&axes, &turned(link.axis, coordinate));
            }
            let center = sum(&origin, &applied(&axes, &link.center.map(Jet::of)));
            motions.push(Motion {
                origin: origin.map(|it| it.0[0]),
                axes: axes.map(|row| row.map(|it| it.0[0])),
                center: [0, 1, 2].map(|d: usize| center.map(|it| it.0[d])),
                spin: spin(&axes),
            });
            frames.push((origin, axes));
        }
        motions
    }

    /// Velocities of all links for a unit velocity of each coordinate.
    fn columns(&self, q: &[f64]) -> Vec<Vec<Motion>> {
        let n = self.links.len();
        let unit = |k: usize| (0..n).map(|i| if i == k { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
        (0..n).map(|k| self.motions(q, &unit(k), &vec![0.0; n])).collect()
    }

    /// H of (1), row by row.
    pub fn mass_matrix(&self, q: &[f64]) -> Vec<Vec<f64>> {
        let columns = self.columns(q);
        let entry = |a: &[Motion], b: &[Motion]| {
            let of = |(link, (a, b)): (&Link, (&Motion, &Motion))| {
                let inertia = world_inertia(link, a);
                link.mass * dot(a.center[1], b.center[1])
                    + dot(a.spin[0], times(&inertia, b.spin[0]))
            };
            self.links.iter().zip(a.iter().zip(b)).map(of).sum()
        };
        columns.iter().map(|a| columns.iter().map(|b| entry(a, b)).collect()).collect()
    }

    /// b of (1): the forces that it takes not to accelerate.
    pub fn bias(&self, q: &[f64], v: &[f64], gravity: Vec3) -> Vec<f64> {
        let still = self.motions(q, v, &vec![0.0; v.len()]);
        let mut needed = Vec::new();
        for (link, motion) in self.links.iter().zip(&still) {
            let inertia = world_inertia(link, motion);
            let [spin, rate] = motion.spin;
            let force = less(motion.center[2], gravity).map(|x| link.mass * x);
            let moment = add(times(&inertia, rate), cross(spin, times(&inertia, spin)));
            needed.push((force, moment));
        }
        let of = |column: &Vec<Motion>| {
            let each = column.iter().zip(&needed);
            each.map(|(m, (f, t))| dot(m.center[1], *f) + dot(m.spin[0], *t)).sum()
        };
        self.columns(q).iter().map(of).collect()
    }

    /// Rows of the Jacobian of a point of a link, in world axes, one for each coordinate.
    pub fn jacobian(&self, q: &[f64], link: usize, point: Vec3) -> Vec<Vec3> {
        self.columns(q).iter().map(|column| column[link].velocity_at(point)).collect()
    }

    /// q̈ of (1) under joint forces.
    pub fn accelerations(&self, q: &[f64], v: &[f64], tau: &[f64], gravity: Vec3) -> Vec<f64> {
        let bias = self.bias(q, v, gravity);
        let right: Vec<f64> = tau.iter().zip(&bias).map(|(t, b)| t - b).collect();
        solve(&self.mass_matrix(q), &right)
    }

    /// K of points on links, J·H⁻¹·Jᵀ with the rows of one point after those of the other.
    pub fn response(&self, q: &[f64], points: &[(usize, Vec3)]) -> Vec<Vec<f64>> {
        let h = self.mass_matrix(q);
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for (link, point) in points {
            let jacobian = self.jacobian(q, *link, *point);
            rows.extend((0..3).map(|axis| jacobian.iter().map(|it| it[axis]).collect()));
        }
        let solved: Vec<Vec<f64>> = rows.iter().map(|row| solve(&h, row)).collect();
        let inner = |a: &Vec<f64>, b: &Vec<f64>| a.iter().zip(b).map(|(a, b)| a * b).sum();
        rows.iter().map(|a| solved.iter().map(|b| inner(a, b)).collect()).collect()
    }

    /// Kinetic and potential energy `[J]`.
    pub fn energy(&self, q: &[f64], v: &[f64], gravity: Vec3) -> f64 {
        let motions = self.motions(q, v, &vec![0.0; v.len()]);
        let of = |(link, motion): (&Link, &Motion)| {
            let inertia = world_inertia(link, motion);
            let [spin, _] = motion.spin;
            let kinetic = 0.5 * link.mass * dot(motion.center[1], motion.center[1])
                + 0.5 * dot(spin, times(&inertia, spin));
            kinetic - link.mass * dot(gravity, motion.center[0])
        };
        self.links.iter().zip(&motions).map(of).sum()
    }
}

const IDENTITY: [Vec3; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// ω̃ = Ṙ·Rᵀ, and its derivative R̈·Rᵀ + Ṙ·Ṙᵀ.
fn spin(axes: &Matrix) -> [Vec3; 2] {
    let transposed = [0, 1, 2].map(|i: usize| [0, 1, 2].map(|j: usize| axes[j][i]));
    let rate = axes.map(|row| row.map(|it| Jet([it.0[1], it.0[2], 0.0])));
    let cross = product(&rate, &transposed);
    let of = |d: usize| [cross[2][1].0[d], cross[0][2].0[d], cross[1][0].0[d]];
    [of(0), of(1)]
}

fn world_inertia(link: &Link, motion: &Motion) -> [Vec3; 3] {
    let r = motion.axes;
    [0, 1, 2].map(|i: usize| [0, 1, 2].map(|j: usize| dot(r[i], times(&link.inertia, r[j]))))
}

/// x with A·x = b, by elimination with the largest pivot of each column.
pub fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let n = right.len();
    let mut rows: Vec<Vec<f64>> =
        matrix.iter().zip(right).map(|(row, b)| [&row[..], &[*b]].concat()).collect();
    for k in 0..n {
        let best = (k..n).max_by(|i, j| rows[*i][k].abs().total_cmp(&rows[*j][k].abs()));
        rows.swap(k, best.unwrap_or(k));
        let pivot = rows[k].clone();
        for row in &mut rows[k + 1..] {
            let share = row[k] / pivot[k];
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= share * p);
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| rows[k][j] * x[j]).sum();
        x[k] = (rows[k][n] - known) / rows[k][k];
    }
    x
}

fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn less(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn times(matrix: &[Vec3; 3], x: Vec3) -> Vec3 {
    matrix.map(|row| dot(row, x))
}
