//! Mass matrix and accelerations of linkages, freedoms by name.

use std::collections::BTreeMap;

use carom::World;
use carom_dynamics::tree::{Load, Scratch, Tree};
use glam::DVec3;

/// What acts in a freedom.
#[derive(Clone, Debug, Default)]
pub(crate) struct Acting {
    pub(crate) name: String,
    /// Of springs and dampers `[N·m or N]`.
    pub(crate) force: f64,
    pub(crate) armature: f64,
}

/// A tree in a state.
pub(crate) struct Dynamics {
    tree: Tree,
    q: Vec<f64>,
    v: Vec<f64>,
    acting: Vec<Acting>,
}

/// Entries of the mass matrix by the names of their freedoms, and accelerations.
pub(crate) struct Answer {
    pub(crate) mass_matrix: BTreeMap<[String; 2], f64>,
    pub(crate) accelerations: BTreeMap<String, f64>,
}

impl Dynamics {
    pub(crate) fn new(tree: Tree, q: Vec<f64>, v: Vec<f64>, acting: Vec<Acting>) -> Self {
        assert_eq!((tree.n_q(), tree.n_v(), tree.n_v()), (q.len(), v.len(), acting.len()));
        Self { tree, q, v, acting }
    }

    /// All linkages of a world.
    pub(crate) fn of_world(world: &World) -> Vec<Self> {
        let mut seen: Vec<carom::BodyId> = Vec::new();
        let mut all = Vec::new();
        for body in world.bodies() {
            let Some(found) = world.linkage(body.id()).filter(|_| !seen.contains(&body.id()))
            else {
                continue;
            };
            let (q, v) = found.state();
            let (linkage, tree) = (found.linkage(), found.linkage().tree());
            let mut acting = vec![Acting::default(); tree.n_v()];
            for (link, (body, joint)) in found.links().enumerate() {
                seen.push(body);
                let name = match joint {
                    Some(joint) => world.joint(joint).expect("a joint").name().to_owned(),
                    None => format!("{} floats", world.body(body).expect("a body").name()),
                };
                let freedoms = tree.v_range(link);
                for (i, freedom) in freedoms.clone().enumerate() {
                    let force = linkage.joint_forces()[freedom];
                    let displacement = if freedoms.len() == 1 {
                        q[tree.q_range(link)][0] - force.rest
                    } else {
                        0.0
                    };
                    acting[freedom] = Acting {
                        name: if freedoms.len() == 1 {
                            name.clone()
                        } else {
                            format!("{name}, {i}")
                        },
                        force: -force.stiffness * displacement - force.damping * v[freedom],
                        armature: force.armature,
                    };
                }
            }
            all.push(Self { tree: tree.clone(), q, v, acting });
        }
        all
    }

    pub(crate) fn answer(&self, gravity: DVec3) -> Answer {
        let (tree, n) = (&self.tree, self.tree.n_v());
        let mut scratch = Scratch::new(tree);
        tree.place(&self.q, &self.v, &mut scratch);
        let mut h = vec![0.0; n * n];
        tree.mass_matrix(&mut scratch, &mut h);
        let tau: Vec<f64> = self.acting.iter().map(|acting| acting.force).collect();
        let armature: Vec<f64> = self.acting.iter().map(|acting| acting.armature).collect();
        let load = Load { gravity, tau: &tau, wrenches: &[], added_diagonal: &armature };
        let mut v_dot = vec![0.0; n];
        tree.forward(&load, &mut scratch, &mut v_dot).expect("no joint is singular");
        let name = |i: usize| self.acting[i].name.clone();
        let entry = |at: usize| ([name(at / n), name(at % n)], h[at]);
        Answer {
            mass_matrix: (0..n * n).map(entry).collect(),
            accelerations: v_dot.into_iter().enumerate().map(|(i, a)| (name(i), a)).collect(),
        }
    }
}

/// Largest difference of two tables over the largest entry; every name of the first must stand in the second, or be zero.
pub(crate) fn apart<K: Ord + std::fmt::Debug>(a: &BTreeMap<K, f64>, b: &BTreeMap<K, f64>) -> f64 {
    let largest = b.values().fold(0.0_f64, |most, it| most.max(it.abs()));
    let gap = |(name, value): (&K, &f64)| {
        let other = b.get(name).unwrap_or_else(|| panic!("{name:?} is missing"));
        (value - other).abs()
    };
    a.iter().map(gap).fold(0.0, f64::max) / largest
}
