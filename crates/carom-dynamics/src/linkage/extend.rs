//! One segment of a linkage: equation (2) of the module, handed to the integrator.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::elements::Moment;
use super::workspace::Buffers;
use super::{Ahead, Course, Drive, Linkage, Workspace};
use crate::collocation::{IntegrationError, Probe, SecondOrder, Start, Undefined};
use crate::spatial::ForceVector;
use crate::tolerances::{CHART_TURN_SHARE, LARGEST_CHART_TURN};
use crate::tree::{Chart, Joint, Load};

impl Linkage {
    /// Integrates from a state at `time` to a time as late as the tolerance allows, at the latest `latest_end`, which may
    /// be infinite. `ahead` becomes that of the next segment.
    ///
    /// # Errors
    /// When the state or the drive makes no sense, a joint is singular there, or no step is short enough.
    ///
    /// # Panics
    /// If the workspace is that of another linkage.
    #[expect(clippy::too_many_arguments, reason = "a state, what acts on it, and two memories")]
    pub fn extend(
        self: &Arc<Self>,
        time: f64,
        q: &[f64],
        v: &[f64],
        drive: &Drive,
        latest_end: f64,
        ahead: &mut Ahead,
        workspace: &mut Workspace,
    ) -> Result<Course, IntegrationError> {
        self.validate(time, [q, v], drive)?;
        let Workspace { integrator, segment, chart, start, rates, buffers, .. } = workspace;
        chart.restart(q);
        chart.rates(&self.tree, start, v, rates);
        ahead.turn_to(self, time, q, &mut buffers.strain);
        let latest_end = latest_end.min(time + self.longest_turn(v)).min(ahead.horizon(time));
        let start = Start {
            time,
            q: start,
            v: rates,
            acceleration: None,
            latest_end,
            rule: ahead.rule(time, latest_end),
        };
        self.note_sides(q, v, buffers);
        let mut system = System { linkage: self, drive, chart, buffers };
        let effort = integrator.extend(&mut system, &start, &mut ahead.memory, segment)?;
        let mut course = Course::new(Arc::clone(self), drive.clone(), [q, v], segment, effort);
        if let Some(change) = course.first_change(&buffers.elements.beyond) {
            course.end_early(change);
        }
        ahead.keep(course.span());
        Ok(course)
    }

    fn validate(
        &self,
        time: f64,
        [q, v]: [&[f64]; 2],
        drive: &Drive,
    ) -> Result<(), IntegrationError> {
        let bad = |what| Err(IntegrationError::BadStart { time, what });
        if self.tree.check_state(q, v).is_err() {
            return bad("the state to integrate from is not one of this linkage");
        }
        let fits = |length: usize, full: usize| length == 0 || length == full;
        if !fits(drive.torque.len(), self.tree.n_v()) {
            return bad("there must be one torque for each freedom of the linkage, or none");
        }
        if !fits(drive.wrenches.len(), self.tree.n_links()) {
            return bad("there must be one wrench for each link, or none");
        }
        let finite = drive.gravity.is_finite()
            && drive.torque.iter().all(|x| x.is_finite())
            && drive.wrenches.iter().all(|wrench| wrench.is_finite());
        if finite { Ok(()) } else { bad("gravity, torques and wrenches must be finite") }
    }

    /// How long the spins of the start may last within one chart `[s]`.
    fn longest_turn(&self, v: &[f64]) -> f64 {
        if !self.has_quaternions {
            return f64::INFINITY;
        }
        let mut fastest = 0.0_f64;
        for link in 0..self.tree.n_links() {
            if let Some(start) = self.tree.joint(link).quaternion() {
                let spin = DVec3::from_slice(&v[self.tree.v_range(link)][start..]);
                fastest = fastest.max(spin.length());
            }
        }
        CHART_TURN_SHARE * LARGEST_CHART_TURN / fastest
    }

    /// Adds the forces of springs to `tau`, for a configuration that `strain` is made from.
    pub(super) fn add_spring_forces(&self, q: &[f64], strain: &mut [f64], tau: &mut [f64]) {
        if !self.has_springs {
            return;
        }
        self.neutral.displacement(&self.tree, q, strain);
        for (strain, joint) in strain.iter_mut().zip(&self.joints) {
            *strain = -joint.stiffness * (*strain - joint.rest);
        }
        for link in 0..self.tree.n_links() {
            // A free joint's position is in joint axes, its velocity in link axes.
            if let Joint::Free = self.tree.joint(link) {
                let joint_from_link = DQuat::from_slice(&q[self.tree.q_range(link)][3..]);
                let force = &mut strain[self.tree.v_range(link)][..3];
                (joint_from_link.conjugate() * DVec3::from_slice(force)).write_to_slice(force);
            }
        }
        for (tau, force) in tau.iter_mut().zip(&*strain) {
            *tau += force;
        }
    }
}

/// A linkage in a chart, as the integrator sees it.
struct System<'a> {
    linkage: &'a Linkage,
    drive: &'a Drive,
    chart: &'a Chart,
    buffers: &'a mut Buffers,
}

impl SecondOrder for System<'_> {
    fn freedoms(&self) -> usize {
        self.linkage.tree.n_v()
    }

    fn is_damped(&self) -> bool {
        self.linkage.is_damped || self.linkage.elements.is_damped
    }

    fn acceleration(&mut self, probe: &Probe, out: &mut [f64]) -> Result<(), Undefined> {
        let tree = &self.linkage.tree;
        if self.linkage.has_quaternions && Chart::turn(tree, probe.q) > LARGEST_CHART_TURN {
            return Err(Undefined::OutOfChart(0));
        }
        let Buffers { scratch, q, v, .. } = &mut *self.buffers;
        self.chart.configuration(tree, probe.q, q);
        self.chart.velocity(tree, probe.q, probe.v, v);
        tree.place(q, v, scratch);
        self.gather_forces(probe);
        let Buffers { scratch, tau, diagonal, wrenches, elements, v_dot, .. } = &mut *self.buffers;
        let has_diagonal = self.linkage.is_damped || !self.linkage.armature.is_empty();
        let load = Load {
            gravity: self.drive.gravity,
            tau,
            wrenches,
            added_diagonal: if has_diagonal { diagonal } else { &[] },
        };
        tree.forward(&load, scratch, v_dot)
            .map_err(|singular| Undefined::Singular(singular.freedom))?;
        if !elements.rows.is_empty() {
            let gamma = probe.implicit.gamma;
            tree.damp_forward(&elements.rows, gamma, scratch, &mut elements.memory, v_dot);
        }
        self.chart.accelerations(tree, probe.q, probe.v, v_dot, out);
        Ok(())
    }
}

impl System<'_> {
    /// τ, wrenches at origins and the diagonal of (2).
    fn gather_forces(&mut self, probe: &Probe) {
        let (linkage, drive) = (self.linkage, self.drive);
        let Buffers { scratch, q, tau, diagonal, strain, wrenches, .. } = &mut *self.buffers;
        if drive.torque.is_empty() {
            tau.fill(0.0);
        } else {
            tau.copy_from_slice(&drive.torque);
        }
        linkage.add_spring_forces(q, strain, tau);
        wrenches.clear();
        wrenches.extend(
            drive
                .wrenches
                .iter()
                .enumerate()
                .map(|(link, wrench)| wrench.carried(scratch.arm_of_center(&linkage.tree, link))),
        );
        if linkage.armature.is_empty() {
            diagonal.fill(0.0);
        } else {
            diagonal.copy_from_slice(&linkage.armature);
        }
        if linkage.is_damped {
            self.damp(probe);
        }
        if !linkage.elements.list.is_empty() {
            self.add_elements(probe);
        }
    }

    /// What force elements add to wrenches, and rows of their dampers.
    fn add_elements(&mut self, probe: &Probe) {
        let (linkage, gamma) = (self.linkage, probe.implicit.gamma);
        let is_implicit = gamma > 0.0 && linkage.elements.is_damped;
        if is_implicit {
            self.find_damping_velocity(probe);
        }
        let Buffers { scratch, wrenches, elements, damped, bias, .. } = &mut *self.buffers;
        if is_implicit {
            elements.velocity.clear();
            elements.velocity.extend(damped.iter().zip(&*bias).map(|(w, n)| w - gamma * n));
            linkage.tree.change_outward(&elements.velocity, scratch);
        }
        wrenches.resize(linkage.tree.n_links(), ForceVector::ZERO);
        let moment = Moment { time: probe.time, gamma, gravity: self.drive.gravity };
        linkage.add_elements(&moment, scratch, elements, wrenches);
    }

    /// The terms of (2) with c.
    fn damp(&mut self, probe: &Probe) {
        self.find_damping_velocity(probe);
        let (linkage, gamma) = (self.linkage, probe.implicit.gamma);
        let Buffers { tau, diagonal, damped, bias, .. } = &mut *self.buffers;
        for (k, joint) in linkage.joints.iter().enumerate() {
            tau[k] += joint.damping * (gamma * bias[k] - damped[k]);
            diagonal[k] += gamma * joint.damping;
        }
    }

    /// N·w and Ṅ·ṡ.
    fn find_damping_velocity(&mut self, probe: &Probe) {
        let linkage = self.linkage;
        let Buffers { damped, bias, zero, .. } = &mut *self.buffers;
        if linkage.has_quaternions {
            let tree = &linkage.tree;
            self.chart.velocity(tree, probe.q, probe.implicit.w, damped);
            // Ṅ·ṡ is v̇ at s̈ = 0.
            self.chart.velocity_rates(tree, probe.q, probe.v, zero, bias);
        } else {
            damped.copy_from_slice(probe.implicit.w);
            bias.fill(0.0);
        }
    }
}
