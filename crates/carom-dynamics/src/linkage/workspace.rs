//! Storage that is used again.

use carom_geometry::Pose;

use super::Linkage;
use super::contacts::{ContactRoom, ContactSettling};
use super::elements::Storage;
use super::guard::Samples;
use super::settle::SettleScratch;
use crate::collocation::{Integrator, Segment};
use crate::spatial::ForceVector;
use crate::tree::{Chart, ResponseScratch, Scratch};

/// Buffers for one linkage. Nothing in it is part of a state; throw it away at will.
#[derive(Clone, Debug)]
pub struct Workspace {
    pub(super) integrator: Integrator,
    pub(super) segment: Segment,
    /// Around the start of the segment that is being integrated.
    pub(super) chart: Chart,
    /// s and ṡ at that start.
    pub(super) start: Vec<f64>,
    pub(super) rates: Vec<f64>,
    pub(super) buffers: Buffers,
    pub(super) responses: ResponseScratch,
    pub(super) samples: Samples,
    pub(super) settling: SettleScratch,
    pub(super) contacts: ContactSettling,
}

/// What one call of forward dynamics needs.
#[derive(Clone, Debug)]
pub(super) struct Buffers {
    pub(super) scratch: Scratch,
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) v_dot: Vec<f64>,
    /// Forces in freedoms.
    pub(super) tau: Vec<f64>,
    /// Those that make prescribed accelerations.
    pub(super) needed: Vec<f64>,
    /// I_r + γ·c.
    pub(super) diagonal: Vec<f64>,
    /// Displacements of springs.
    pub(super) strain: Vec<f64>,
    /// N·w and Ṅ·ṡ, where they are not w and 0.
    pub(super) damped: Vec<f64>,
    pub(super) bias: Vec<f64>,
    pub(super) zero: Vec<f64>,
    /// Wrenches at the origins of the links.
    pub(super) wrenches: Vec<ForceVector>,
    pub(super) elements: Storage,
    pub(super) contacts: ContactRoom,
}

impl Linkage {
    /// Puts a workspace into a state, of which [`Workspace::link_pose`] then tells.
    ///
    /// # Panics
    /// If a slice has the wrong length, or the workspace is that of another linkage.
    pub fn place(&self, q: &[f64], v: &[f64], workspace: &mut Workspace) {
        self.tree.place(q, v, &mut workspace.buffers.scratch);
    }
}

impl Workspace {
    /// Where the frame of a link is, in the state that was looked at last; its origin is at the joint.
    pub fn link_pose(&self, link: usize) -> Pose {
        self.buffers.scratch.pose(link)
    }

    /// For this linkage; nothing that follows allocates, but for segments that are handed out.
    pub fn new(linkage: &Linkage) -> Self {
        let tree = &linkage.tree;
        let numbers = || vec![0.0; tree.n_v()];
        Self {
            integrator: Integrator::new(linkage.accuracy.clone()),
            segment: Segment::new(),
            chart: linkage.neutral.clone(),
            start: numbers(),
            rates: numbers(),
            buffers: Buffers {
                scratch: Scratch::new(tree),
                q: vec![0.0; tree.n_q()],
                v: numbers(),
                v_dot: numbers(),
                tau: numbers(),
                needed: numbers(),
                diagonal: numbers(),
                strain: numbers(),
                damped: numbers(),
                bias: numbers(),
                zero: numbers(),
                wrenches: Vec::new(),
                elements: Storage::default(),
                contacts: ContactRoom::default(),
            },
            responses: ResponseScratch::default(),
            samples: Samples::default(),
            settling: SettleScratch::default(),
            contacts: ContactSettling::default(),
        }
    }
}
