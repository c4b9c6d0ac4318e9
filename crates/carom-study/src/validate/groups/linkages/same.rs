//! A linkage of the oracle as a tree of ours, in the same state.

use glam::{DMat3, DQuat, DVec3};
use oracles::impact::samples::Random;
use oracles::linkage::{Kind, Linkage, Vec3};

use carom_dynamics::tree::{Joint, LinkSpec, Load, Scratch, Tree};
use carom_geometry::{MassProperties, Pose};

use super::super::super::Context;

/// Of all rows here `[m/s²]`.
pub(super) const GRAVITY: Vec3 = [0.4, -0.9, -9.6];

/// The freedoms of a body that floats.
const FLOATING: usize = 6;

/// One linkage twice.
pub(super) struct Same {
    pub(super) dense: Linkage,
    pub(super) tree: Tree,
    /// Coordinates, rates and forces as the oracle counts them.
    pub(super) theirs: [Vec<f64>; 3],
    /// As the tree counts them.
    pub(super) ours: [Vec<f64>; 3],
    /// How many freedoms both count differently, from the first.
    pub(super) other: usize,
}

impl Same {
    pub(super) fn random(kind: Kind, links: usize, seed: u64) -> Option<Self> {
        let (dense, [q, v, mut tau]) = Linkage::random(kind, links, &mut Random(seed));
        let floats = kind == Kind::Floating;
        let (mut ours_q, mut ours_v) = (q.clone(), v.clone());
        let mut builder = Tree::builder();
        let root = if floats {
            tau[..FLOATING].fill(0.0);
            let motion = dense.motions(&q, &v, &vec![0.0; v.len()])[FLOATING - 1];
            let axes = matrix(&motion.axes);
            let turn = DQuat::from_mat3(&axes).normalize();
            let velocity = axes.transpose() * DVec3::from(motion.velocity_at(motion.origin));
            let spin = axes.transpose() * DVec3::from(motion.spin[0]);
            ours_q = [&motion.origin[..], &turn.to_array(), &q[FLOATING..]].concat();
            ours_v = [&velocity.to_array()[..], &spin.to_array(), &v[FLOATING..]].concat();
            FLOATING - 1
        } else {
            0
        };
        for (index, link) in dense.links.iter().enumerate().skip(root) {
            let body = MassProperties {
                mass: link.mass,
                center: DVec3::from(link.center),
                inertia: symmetric(&link.inertia),
            };
            let turn = DQuat::from_mat3(&matrix(&link.turn)).normalize();
            let axis = DVec3::from(link.axis).try_normalize()?;
            let spec = if floats && index == root {
                let joint = Joint::Free;
                LinkSpec { parent: None, parent_from_joint: Pose::IDENTITY, joint, body }
            } else {
                LinkSpec {
                    parent: link.parent.map(|parent| parent - root),
                    parent_from_joint: Pose::new(DVec3::from(link.place), turn),
                    joint: if link.slides {
                        Joint::Prismatic { axis }
                    } else {
                        Joint::Revolute { axis }
                    },
                    body,
                }
            };
            builder.add(spec);
        }
        let other = if floats { FLOATING } else { 0 };
        let tree = builder.build().ok()?;
        Some(Self { dense, tree, ours: [ours_q, ours_v, tau.clone()], theirs: [q, v, tau], other })
    }

    /// Placed in its state, with rates on their way in.
    pub(super) fn placed(&self, context: &Context) -> Scratch {
        let mut scratch = Scratch::new(&self.tree);
        self.tree.place(&self.ours[0], &context.subject.rates(&self.ours[1]), &mut scratch);
        scratch
    }

    /// Gravity and joint forces.
    pub(super) fn load(&self, context: &Context) -> Load<'_> {
        let gravity = context.subject.gravity(DVec3::from(GRAVITY));
        Load { gravity, tau: &self.ours[2], ..Load::default() }
    }

    /// Accelerations under gravity and joint forces, of the freedoms that both count alike.
    pub(super) fn accelerations(&self, context: &Context) -> Option<Vec<f64>> {
        let mut v_dot = vec![0.0; self.tree.n_v()];
        let mut scratch = self.placed(context);
        self.tree.forward(&self.load(context), &mut scratch, &mut v_dot).ok()?;
        Some(v_dot[self.other..].to_vec())
    }

    /// The same from dense matrices.
    pub(super) fn expected(&self) -> Vec<f64> {
        let [q, v, tau] = &self.theirs;
        self.dense.accelerations(q, v, tau, GRAVITY)
    }

    /// The oracle's number of a link of ours.
    pub(super) fn link(&self, link: usize) -> usize {
        if self.other > 0 { link + FLOATING - 1 } else { link }
    }
}

pub(super) fn matrix(rows: &[Vec3; 3]) -> DMat3 {
    DMat3::from_cols_array_2d(rows).transpose()
}

fn symmetric(rows: &[Vec3; 3]) -> DMat3 {
    let matrix = matrix(rows);
    0.5 * (matrix + matrix.transpose())
}
