//! What is computed on the way, kept where it can be used again.

use glam::{DMat3, DQuat, DVec3};

use super::{Link, Tree};
use crate::spatial::{ArticulatedInertia, ForceVector, MotionVector, RigidInertia};

/// Working memory of one tree. Holds what the last call computed; never part of a state.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// Where links are and how they move.
    pub(super) frames: Vec<Frame>,
    /// What solvers leave with links.
    pub(super) works: Vec<Work>,
    /// One for each freedom.
    pub(super) columns: Vec<Column>,
    /// Of the subtree that each link carries; mass matrix only.
    pub(super) composites: Vec<RigidInertia>,
    pub(super) factor: Factor,
}

/// What the columns hold of a factorisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Factor {
    /// Nothing for this configuration.
    Missing,
    /// That of H.
    Plain,
    /// That of something else: with an added diagonal, or with prescribed freedoms.
    Other,
}

/// By `place`: world axes, six-vectors seen at the origin of the link frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// `world_from_link`, as quaternion and as matrix.
    pub orientation: DQuat,
    pub rotation: DMat3,
    pub origin: DVec3,
    /// r, from the origin of the parent, or of the world.
    pub arm: DVec3,
    pub velocity: MotionVector,
    /// â⁰, the acceleration at v̇ = 0.
    pub bias: MotionVector,
    pub inertia: RigidInertia,
}

/// By whoever solves, in the same axes and at the same point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    /// What v̇, or a jump of v, adds to the motion of the link.
    pub change: MotionVector,
    /// p̂ of the link's children, seen at this link.
    pub force: ForceVector,
    /// ÎA of the link's children, seen at this link.
    pub carried: ArticulatedInertia,
}

/// A freedom: its direction, and what is left of it by elimination.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Column {
    /// ŝ, by `place`.
    pub axis: MotionVector,
    /// True where ŝ has no linear part, whatever the configuration.
    pub turns: bool,
    /// Û = ÎA·ŝ.
    pub momentum: ForceVector,
    /// 1/D.
    pub inv_d: f64,
    /// τ − ŝ·p̂.
    pub drive: f64,
}

impl Scratch {
    /// Memory for this tree; nothing that follows allocates.
    pub fn new(tree: &Tree) -> Self {
        Self {
            frames: vec![Frame::default(); tree.n_links()],
            works: vec![Work::default(); tree.n_links()],
            columns: tree.links.iter().flat_map(columns_of).collect(),
            composites: vec![RigidInertia::ZERO; tree.n_links()],
            factor: Factor::Missing,
        }
    }
}

/// The columns of a joint, empty but for their kind.
fn columns_of(link: &Link) -> impl Iterator<Item = Column> {
    let turns = link.joint.turns();
    (0..link.joint.n_v()).map(move |k| Column { turns: turns[k], ..Column::default() })
}
