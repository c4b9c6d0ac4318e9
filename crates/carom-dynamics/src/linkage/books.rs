//! Work and losses along a course.
//!
//! Motors do ∫τ·v dt, dampers take ∫Σ c·v² dt, dry friction takes Σ F·|Δq| of the freedoms that slide, wrenches at centres of mass do f·Δx + ∫n·ω dt. Velocities of joints are
//! polynomials of degree s ≤ 6, so that Gauss's rule of seven points, exact to degree 13, integrates c·v² exactly, and the
//! work of a constant force is τ·Δq. Velocities of spherical and free joints are not polynomials, but smooth enough over a segment
//! for the same points.

use super::{Course, Grip, Workspace};
use crate::collocation::Weights;

/// Gauss-Legendre nodes on [−1, 1] and their weights.
pub(super) const GAUSS: [(f64, f64); 7] = [
    (-0.949_107_912_342_758_5, 0.129_484_966_168_869_7),
    (-0.741_531_185_599_394_5, 0.279_705_391_489_276_64),
    (-0.405_845_151_377_397_2, 0.381_830_050_505_118_9),
    (0.0, 0.417_959_183_673_469_4),
    (0.405_845_151_377_397_2, 0.381_830_050_505_118_9),
    (0.741_531_185_599_394_5, 0.279_705_391_489_276_64),
    (0.949_107_912_342_758_5, 0.129_484_966_168_869_7),
];

/// What came and went along a part of a course.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flow {
    /// Work of motors, wrenches and elements, and of surfaces that are driven `[J]`.
    pub work: f64,
    /// What dampers, elements and dry friction took `[J]`.
    pub loss: f64,
    /// What holding the gaps of contacts added `[J]`.
    pub hold: f64,
    /// What integration itself added: change of energy, less work and hold, plus loss `[J]`.
    pub error: f64,
    /// Of each contact `[N·s]`.
    pub impulses: Vec<f64>,
}

impl Course {
    /// Work of motors, wrenches and elements between two times of the span `[J]`.
    pub fn work(&self, from: f64, to: f64) -> f64 {
        self.motor_work(from, to) + self.wrench_work(from, to) + self.element_work(from, to)
    }

    /// Energy that dampers, elements and dry friction took between two times of the span `[J]`.
    pub fn loss(&self, from: f64, to: f64) -> f64 {
        self.damping_loss(from, to) + self.friction_loss(from, to) + self.element_loss(from, to)
    }

    /// Energy that dry friction took between two times of the span `[J]`. A freedom that slides keeps its direction, so
    /// that this is F times its way.
    pub fn friction_loss(&self, from: f64, to: f64) -> f64 {
        let restraints = &self.linkage().restraints;
        if restraints.is_empty() {
            return 0.0;
        }
        let [from, to] = [from, to].map(|time| self.weights_at(time));
        let mut sum = 0.0;
        for restraint in restraints {
            if let Grip::Sliding(sense) = self.mode.grip(restraint.freedom) {
                let coordinate = self.coordinate(restraint.freedom);
                let way = coordinate.at(&to)[0] - coordinate.at(&from)[0];
                sum += restraint.friction * sense.sign() * way;
            }
        }
        sum
    }

    /// Energy that dampers of joints took between two times of the span `[J]`.
    pub fn damping_loss(&self, from: f64, to: f64) -> f64 {
        if !self.linkage().is_damped {
            return 0.0;
        }
        integral(from, to, |time| {
            let joints = self.linkage().joint_forces();
            self.sum_over_freedoms(&self.weights_at(time), |k, v| joints[k].damping * v * v)
        })
    }

    /// What integration itself added between two times of the span: change of energy, less work, plus loss `[J]`.
    ///
    /// # Panics
    /// If the workspace is that of another linkage.
    pub fn energy_error(&self, from: f64, to: f64, workspace: &mut Workspace) -> f64 {
        self.flow(from, to, workspace).error
    }

    /// What came and went between two times of the span.
    ///
    /// # Panics
    /// If the workspace is that of another linkage.
    pub fn flow(&self, from: f64, to: f64, workspace: &mut Workspace) -> Flow {
        let change = self.energy_at(to, workspace) - self.energy_at(from, workspace);
        let contacts = self.contact_flow(from, to, workspace);
        let work = self.work(from, to) + contacts.driven;
        let (loss, hold) = (self.loss(from, to), contacts.hold);
        Flow { work, loss, hold, error: change - work + loss - hold, impulses: contacts.impulses }
    }

    /// Kinetic and potential energy, and that of springs and elements `[J]`.
    ///
    /// # Panics
    /// If the workspace is that of another linkage.
    pub fn energy_at(&self, time: f64, workspace: &mut Workspace) -> f64 {
        let mut q = std::mem::take(&mut workspace.buffers.q);
        let mut v = std::mem::take(&mut workspace.buffers.v);
        self.joint_state(time, &mut q, &mut v);
        let energy = self.linkage().energy(&q, &v, self.drive.gravity, workspace);
        (workspace.buffers.q, workspace.buffers.v) = (q, v);
        energy.total()
    }

    fn motor_work(&self, from: f64, to: f64) -> f64 {
        let torque = &self.drive.torque;
        if torque.is_empty() {
            return 0.0;
        }
        let tree = self.linkage().tree();
        let ends = [from, to].map(|time| self.weights_at(time));
        let mut sum = 0.0;
        for link in 0..tree.n_links() {
            let freedoms = tree.v_range(link);
            if torque[freedoms.clone()].iter().all(|torque| *torque == 0.0) {
                continue;
            }
            sum += if tree.joint(link).quaternion().is_some() {
                integral(from, to, |time| {
                    let state = self.joint(link, &self.weights_at(time)).state;
                    freedoms.clone().zip(state.v).map(|(k, v)| torque[k] * v).sum()
                })
            } else {
                let way = |k: usize| {
                    let [start, end] = ends.each_ref().map(|at| self.coordinate(k).at(at)[0]);
                    torque[k] * (end - start)
                };
                freedoms.map(way).sum()
            };
        }
        sum
    }

    fn wrench_work(&self, from: f64, to: f64) -> f64 {
        let mut sum = 0.0;
        for (link, wrench) in self.drive.wrenches.iter().enumerate() {
            let state = |time: f64| self.link_kinematics(link, time).state;
            sum += wrench.linear.dot(state(to).position - state(from).position);
            if wrench.angular.length_squared() > 0.0 {
                sum += integral(from, to, |time| wrench.angular.dot(state(time).angular_velocity));
            }
        }
        sum
    }

    fn sum_over_freedoms(&self, at: &Weights, term: impl Fn(usize, f64) -> f64) -> f64 {
        let tree = self.linkage().tree();
        let mut sum = 0.0;
        for link in 0..tree.n_links() {
            let state = self.joint(link, at).state;
            for (k, v) in tree.v_range(link).zip(state.v) {
                sum += term(k, v);
            }
        }
        sum
    }
}

pub(super) fn integral(from: f64, to: f64, rate: impl Fn(f64) -> f64) -> f64 {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    half * GAUSS.iter().map(|(node, weight)| weight * rate(middle + node * half)).sum::<f64>()
}
