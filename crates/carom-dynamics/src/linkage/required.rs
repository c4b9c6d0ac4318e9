//! Forces that motors must give for accelerations that are asked for.
//!
//! With p all that acts in the freedoms besides motors, −k·(q − q_r) − c·v and dry friction, and f̂ the wrenches on links, those of
//! force elements among them, equation (1) of the module reads
//!
//! ```text
//! (H + diag I_r)·v̇ + C = (τ + p) + Σ Jᵀ·f̂                                                           (3)
//! ```
//!
//! Mixed dynamics (`tree/mixed.rs`) solves it for the whole joint force τ + p where v̇ is prescribed and for v̇ where τ is; the
//! motor's part is what p leaves over. With all freedoms prescribed this is inverse dynamics, computed torque's feed-forward.
//!
//! **Friction.** A prescribed freedom that slides feels −F against its velocity. At v = 0 it feels −F against the acceleration
//! that is asked for, so that the motor breaks it loose; where none is asked for, friction holds whatever the motor gives, and
//! counts as nothing.
//!
//! **Stops.** A stop pushes only, and as much as it must. It is not counted for a freedom that is prescribed: one that shall leave its
//! stop gets what that takes, and one that shall move into it presses on it with what would have moved it.
//!
//! **Others.** Freedoms that are not prescribed go as they go under the present mode: those that friction or a stop holds stay, and
//! take whatever force that is, even if what is prescribed elsewhere would tear them loose.

use super::extend::System;
use super::mode::Sense;
use super::{Drive, Grip, Linkage, Mode, Workspace};
use crate::collocation::{Implicit, Probe};
use crate::tree::{Load, SingularJoint};

/// A linkage at a moment.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// When; only elements that users make look at it `[s]`.
    pub time: f64,
    /// Configuration.
    pub q: &'a [f64],
    /// Velocity.
    pub v: &'a [f64],
    /// What acts from outside.
    pub drive: &'a Drive,
    /// What holds freedoms.
    pub mode: &'a Mode,
}

impl Linkage {
    /// Where `prescribed`, takes v̇ from `v_dot` and writes the motor force that it needs into `torque`; elsewhere the other way
    /// round, with forces from the drive.
    ///
    /// # Errors
    /// If a joint that is not prescribed is singular in this configuration.
    ///
    /// # Panics
    /// If a slice has the wrong length, or the workspace is that of another linkage.
    pub fn required(
        &self,
        at: &Situation<'_>,
        prescribed: &[bool],
        [v_dot, torque]: [&mut [f64]; 2],
        workspace: &mut Workspace,
    ) -> Result<(), SingularJoint> {
        let Situation { time, q, v, drive, mode } = *at;
        workspace.chart.restart(q);
        workspace.chart.rates(&self.tree, &workspace.start, v, &mut workspace.rates);
        self.note_sides(q, v, &mut workspace.buffers);
        self.tree.place(q, v, &mut workspace.buffers.scratch);
        let Workspace { chart, start, rates, buffers, .. } = workspace;
        buffers.q.copy_from_slice(q);
        buffers.v.copy_from_slice(v);
        let implicit = Implicit { gamma: 0.0, w: rates };
        let probe = Probe { time, q: start, v: rates, implicit };
        System { linkage: self, drive, mode, chart, buffers }.gather_forces(&probe);
        let mut stays = prescribed.to_vec();
        for restraint in &self.restraints {
            let k = restraint.freedom;
            let grip = mode.grip(k);
            let sense = if v[k] != 0.0 {
                Some(Sense::of(v[k]))
            } else if prescribed[k] {
                (v_dot[k] != 0.0).then(|| Sense::of(v_dot[k]))
            } else if grip.is_held() {
                stays[k] = true;
                v_dot[k] = 0.0;
                None
            } else if let Grip::Sliding(sense) = grip {
                Some(sense)
            } else {
                None
            };
            buffers.tau[k] -= sense.map_or(0.0, Sense::sign) * restraint.friction;
        }
        let given = |k: usize| drive.torque.get(k).copied().unwrap_or(0.0);
        let load = Load {
            gravity: drive.gravity,
            tau: &buffers.tau,
            wrenches: &buffers.wrenches,
            added_diagonal: &self.armature,
        };
        self.tree.mixed(&load, &stays, &mut buffers.scratch, v_dot, torque)?;
        for (k, torque) in torque.iter_mut().enumerate() {
            // What the motor gives already is part of τ + p.
            let lacking = *torque - buffers.tau[k];
            *torque = if prescribed[k] { given(k) + lacking } else { given(k) };
        }
        Ok(())
    }
}
