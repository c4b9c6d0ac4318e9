//! One segment of a linkage: equation (2) of the module, handed to the integrator.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::elements::Moment;
use super::guard::Search;
use super::workspace::Buffers;
use super::{Ahead, Course, Drive, Linkage, Mode, Workspace};
use crate::collocation::{Effort, IntegrationError, Probe, SecondOrder, Start, Undefined};
use crate::spatial::ForceVector;
use crate::tolerances::{
    CHART_TURN_SHARE, FALSE_START_SHARE, LARGEST_CHART_TURN, MOST_FALSE_STARTS,
};
use crate::tree::{Chart, Joint, Load, Scratch};

impl Linkage {
    /// Integrates from a state at `time` to a time as late as the tolerance and the mode allow, at the latest `latest_end`,
    /// which may be infinite. `ahead` becomes that of the next segment.
    ///
    /// # Errors
    /// When the state, the mode or the drive makes no sense, a joint is singular there, or no step is short enough.
    ///
    /// # Panics
    /// If the workspace is that of another linkage.
    #[expect(clippy::too_many_arguments, reason = "a state, what acts on it, and two memories")]
    pub fn extend(
        self: &Arc<Self>,
        time: f64,
        q: &[f64],
        v: &[f64],
        mode: &Mode,
        drive: &Drive,
        latest_end: f64,
        ahead: &mut Ahead,
        workspace: &mut Workspace,
    ) -> Result<Course, IntegrationError> {
        let fault = self.fault_of_state([q, v], drive);
        if let Some(what) = fault.or_else(|| self.fault_of_mode(q, v, mode)) {
            return Err(IntegrationError::BadStart { time, what });
        }
        workspace.chart.restart(q);
        workspace.chart.rates(&self.tree, &workspace.start, v, &mut workspace.rates);
        ahead.turn_to(self, time, q, &mut workspace.buffers.strain);
        ahead.still(mode.held());
        self.note_sides(q, v, &mut workspace.buffers);
        let mut mode = mode.clone();
        if !mode.contacts().is_idle() {
            let Buffers { scratch, contacts, .. } = &mut workspace.buffers;
            self.tree.place(q, v, scratch);
            contacts
                .anchor(mode.contacts_mut(), time, (&self.tree, scratch))
                .map_err(|reason| IntegrationError::NoAcceleration { time, reason })?;
        }
        let mode = &mode;
        let mut latest_end = latest_end.min(time + self.longest_turn(v)).min(ahead.horizon(time));
        let mut calls = 0;
        for _ in 0..MOST_FALSE_STARTS {
            let effort = self.integrate((time, latest_end), (mode, drive), ahead, workspace)?;
            calls += effort.calls;
            let segment = &workspace.segment;
            let forced = (mode.clone(), drive.clone());
            let mut course = Course::new(Arc::clone(self), forced, [q, v], segment, effort);
            course.beyond.clone_from(&workspace.buffers.elements.beyond);
            ahead.keep(segment.span());
            let (found, samples) = course.search(workspace)?;
            calls += samples;
            course.count(calls);
            let change = course.first_change(&workspace.buffers.elements.beyond);
            match found {
                Search::FalseStart => {
                    latest_end = time + FALSE_START_SHARE * course.length();
                    continue;
                }
                Search::Nothing => {}
                Search::Found(theta, ending) => course.end_with(theta, ending),
            }
            // Where an element changes its law before anything else happens.
            if let Some(change) = change.filter(|change| *change < course.span().end) {
                course.end_early(change);
                ahead.keep(course.span());
            }
            return Ok(course);
        }
        let what = "a freedom that its mode lets go is pressed on by what acts: settle it first";
        Err(IntegrationError::BadStart { time, what })
    }

    /// One segment under a mode, from the start that the workspace is at.
    fn integrate(
        &self,
        (time, latest_end): (f64, f64),
        (mode, drive): (&Mode, &Drive),
        ahead: &mut Ahead,
        workspace: &mut Workspace,
    ) -> Result<Effort, IntegrationError> {
        let Workspace { integrator, segment, chart, start, rates, buffers, .. } = workspace;
        let start = Start {
            time,
            q: start,
            v: rates,
            acceleration: None,
            latest_end,
            rule: ahead.rule(time, latest_end),
        };
        let mut system = System { linkage: self, drive, mode, chart, buffers };
        integrator.extend(&mut system, &start, &mut ahead.memory, segment)
    }

    /// What speaks against a state and what acts on it, if anything does.
    pub(super) fn fault_of_state(
        &self,
        [q, v]: [&[f64]; 2],
        drive: &Drive,
    ) -> Option<&'static str> {
        if self.tree.check_state(q, v).is_err() {
            return Some("the state to integrate from is not one of this linkage");
        }
        let fits = |length: usize, full: usize| length == 0 || length == full;
        if !fits(drive.torque.len(), self.tree.n_v()) {
            return Some("there must be one torque for each freedom of the linkage, or none");
        }
        if !fits(drive.wrenches.len(), self.tree.n_links()) {
            return Some("there must be one wrench for each link, or none");
        }
        let finite = drive.gravity.is_finite()
            && drive.torque.iter().all(|x| x.is_finite())
            && drive.wrenches.iter().all(|wrench| wrench.is_finite());
        (!finite).then_some("gravity, torques and wrenches must be finite")
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
pub(super) struct System<'a> {
    pub(super) linkage: &'a Linkage,
    pub(super) drive: &'a Drive,
    pub(super) mode: &'a Mode,
    pub(super) chart: &'a Chart,
    pub(super) buffers: &'a mut Buffers,
}

impl SecondOrder for System<'_> {
    fn freedoms(&self) -> usize {
        self.linkage.tree.n_v()
    }

    fn is_damped(&self) -> bool {
        self.linkage.is_damped || self.elements_are_implicit()
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
        let Buffers { scratch, tau, diagonal, wrenches, elements, v_dot, needed, contacts, .. } =
            &mut *self.buffers;
        self.linkage.add_friction(self.mode, tau);
        let has_diagonal = self.linkage.is_damped || !self.linkage.armature.is_empty();
        let added_diagonal: &[f64] = if has_diagonal { diagonal } else { &[] };
        let load = Load { gravity: self.drive.gravity, tau, wrenches, added_diagonal };
        let held = self.mode.held();
        let mut solve = |load: &Load<'_>, scratch: &mut Scratch, v_dot: &mut [f64]| {
            let solved = if held.is_empty() {
                tree.forward(load, scratch, v_dot)
            } else {
                v_dot.fill(0.0);
                tree.mixed(load, held, scratch, v_dot, needed)
            };
            solved.map_err(|singular| Undefined::Singular(singular.freedom))
        };
        solve(&load, scratch, v_dot)?;
        let gamma = probe.implicit.gamma;
        if !self.mode.contacts().is_idle() {
            contacts.work_out(self.mode.contacts(), probe.time, (tree, scratch), wrenches)?;
            let load = Load { gravity: self.drive.gravity, tau, wrenches, added_diagonal };
            solve(&load, scratch, v_dot)?;
        } else if gamma > 0.0 && !elements.rows.is_empty() {
            tree.damp_forward(&elements.rows, gamma, scratch, &mut elements.memory, v_dot);
        }
        self.chart.accelerations(tree, probe.q, probe.v, v_dot, out);
        Ok(())
    }
}

impl System<'_> {
    /// Contact forces answer accelerations, which dampers between links do not see; so beside contacts these are explicit.
    fn elements_are_implicit(&self) -> bool {
        self.linkage.elements.is_damped && self.mode.contacts().is_idle()
    }

    /// τ, wrenches at origins and the diagonal of (2), where the tree was placed.
    pub(super) fn gather_forces(&mut self, probe: &Probe) {
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
        let is_implicit = gamma > 0.0 && self.elements_are_implicit();
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
        let gamma = if is_implicit { gamma } else { 0.0 };
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
