//! Impulses on coupled groups, forces of motors, and how points answer.

use std::collections::BTreeMap;

use carom_dynamics::Impulse;
use carom_dynamics::linkage::{Drive, Grip, Mode, Situation};
use carom_dynamics::spatial::ForceVector;
use carom_dynamics::tree::{LinkImpulse, LinkPoint, SingularJoint};
use glam::{DMat3, DVec3};
use smallvec::SmallVec;

use super::{Coupled, Link, Restart};
use crate::assemble::JointBefore;
use crate::body::BodyId;
use crate::joint::JointId;

impl Coupled {
    /// A state to go on from.
    pub(super) fn state_of(&self, q: Vec<f64>, v: Vec<f64>) -> Restart {
        let mut frames = Vec::with_capacity(self.links.len());
        self.linkage.body_states(&q, &v, &mut self.room(), &mut frames);
        let toll = self.restart.as_ref().map(|it| it.toll.clone()).unwrap_or_default();
        Restart { q, v, frames, driven: Vec::new(), toll }
    }

    /// Goes on from where it is, by a course yet to be made.
    pub(crate) fn cut(&mut self, time: f64) {
        if self.restart.is_none() {
            let (q, v) = self.joint_state(time);
            self.restart = Some(self.state_of(q, v));
        }
    }

    /// What impulses on links, all at once, make of it.
    pub(crate) fn struck(&self, time: f64, impulses: &[(u32, Impulse)]) -> Result<Restart, String> {
        let (q, v) = self.joint_state(time);
        let impulses: SmallVec<[LinkImpulse; 2]> = impulses
            .iter()
            .map(|(link, impulse)| LinkImpulse { link: *link as usize, impulse: *impulse })
            .collect();
        let mut after = vec![0.0; v.len()];
        let mut room = self.room();
        let singular = |it: SingularJoint| it.to_string();
        self.linkage.struck(&q, &v, &impulses, &[], &mut room, &mut after).map_err(singular)?;
        let free = after.clone();
        // What is driven against a stop leaves it at once.
        let (drive, mut mode) = (self.drive_now(DVec3::ZERO), self.mode.clone());
        let settled = self
            .linkage
            .settle(&q, &mut after, &drive, None, &mut mode, &mut room)
            .map_err(|it| it.to_string())?;
        let strikes = room.strikes().to_vec();
        let mut driven = Vec::new();
        if settled.strikes > 0 {
            self.linkage.body_states(&q, &free, &mut room, &mut driven);
        }
        drop(room);
        let mut restart = self.state_of(q, after);
        restart.driven = driven;
        restart.toll.loss += settled.loss;
        restart.toll.strikes.extend(strikes);
        if self.linkage.breaks_by_impulses() {
            let (jump, mut room) = ([&v[..], &restart.v[..]], self.room());
            let (q, carried) = (&restart.q, &mut restart.toll.carried);
            self.linkage.carried_impulses(q, jump, &impulses, &mut room, carried);
        }
        Ok(restart)
    }

    /// Goes on from a state, by a course yet to be made.
    pub(crate) fn go_on_from(&mut self, restart: Restart) {
        self.restart = Some(restart);
    }

    /// How points of links answer impulses at points of links: the blocks K with Δu_a = K_ab·p_b, row by row `[1/kg]`.
    pub(crate) fn responses<const N: usize>(
        &self,
        time: f64,
        points: [(u32, DVec3); N],
    ) -> Option<[[DMat3; N]; N]> {
        let (q, _) = self.joint_state(time);
        let points = points.map(|(link, point)| LinkPoint { link: link as usize, point });
        let mut blocks = [[DMat3::ZERO; N]; N];
        let flat = blocks.as_flattened_mut();
        self.linkage.responses(&q, &points, &mut self.room(), flat).ok()?;
        Some(blocks)
    }

    /// Changes the forces of the motors in some freedoms.
    pub(crate) fn drive(&mut self, time: f64, freedoms: std::ops::Range<usize>, torque: &[f64]) {
        self.cut(time);
        self.torque[freedoms].copy_from_slice(torque);
    }

    /// Sets all forces of motors, of a linkage that is on no course yet.
    pub(crate) fn set_torque(&mut self, torque: Vec<f64>) {
        self.torque = torque;
    }

    /// Takes over the wrenches that are held on its bodies.
    pub(crate) fn take_wrenches(&mut self, held: &BTreeMap<BodyId, ForceVector>) {
        let of = |link: &Link| held.get(&link.body).copied().unwrap_or_default();
        let wrenches: Vec<ForceVector> = self.links.iter().map(of).collect();
        let is_any = wrenches.iter().any(|wrench| *wrench != ForceVector::ZERO);
        self.wrenches = if is_any { wrenches } else { Vec::new() };
    }

    /// What acts from outside, as it is held.
    pub(crate) fn drive_now(&self, gravity: DVec3) -> Drive {
        let still = self.torque.iter().all(|torque| *torque == 0.0);
        let torque = if still { Vec::new() } else { self.torque.clone() };
        Drive { gravity, torque, wrenches: self.wrenches.clone() }
    }

    /// Accelerations where motors are as commanded, and forces of motors where accelerations are prescribed; see
    /// [`Linkage::required`]. Returns v̇ and the forces.
    pub(crate) fn required(
        &self,
        time: f64,
        [q, v]: [&[f64]; 2],
        gravity: DVec3,
        prescribed: &[Option<f64>],
    ) -> Result<[Vec<f64>; 2], SingularJoint> {
        let mut v_dot: Vec<f64> = prescribed.iter().map(|it| it.unwrap_or(0.0)).collect();
        let mut torque = vec![0.0; v_dot.len()];
        let is_prescribed: Vec<bool> = prescribed.iter().map(Option::is_some).collect();
        let drive = self.drive_now(gravity);
        let at = Situation { time, q, v, drive: &drive, mode: &self.mode };
        let out = [&mut v_dot[..], &mut torque[..]];
        self.linkage.required(&at, &is_prescribed, out, &mut self.room())?;
        Ok([v_dot, torque])
    }

    /// Takes over the forces of motors that joints have already, and what holds them.
    pub(crate) fn take_over<'a>(&mut self, of: impl Fn(JointId) -> Option<&'a JointBefore>) {
        let mut grips = vec![Grip::Free; self.torque.len()];
        for (link, it) in self.links.iter().enumerate() {
            let Some(before) = it.joint.and_then(&of) else { continue };
            let freedoms = self.linkage.tree().v_range(link);
            self.torque[freedoms.clone()].copy_from_slice(&before.torque);
            if let Some(own) = &before.grips {
                grips[freedoms].copy_from_slice(own);
                self.known[link] = true;
            }
        }
        self.mode = Mode::new(grips);
    }

    /// What holds the freedoms of a link.
    pub(crate) fn grips(&self, link: usize) -> Vec<Grip> {
        self.linkage.tree().v_range(link).map(|freedom| self.mode.grip(freedom)).collect()
    }
}
