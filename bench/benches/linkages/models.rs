//! Trees that all engines are told: those of the data set `articulated`, and made ones.

use std::path::PathBuf;

use carom_bench::motion::Numbers;
use carom_dynamics::linkage::{JointForce, Linkage};
use carom_dynamics::tree::{Joint, LinkSpec, Tree};
use carom_geometry::{MassProperties, Pose};
use glam::{DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// As the data set writes it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Model {
    pub gravity: DVec3List,
    pub bodies: Vec<Link>,
    pub samples: Vec<State>,
}

type DVec3List = [f64; 3];

/// A body and the joint that carries it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Link {
    /// -1 is the world.
    pub parent: i64,
    pub joint: String,
    #[serde(default)]
    pub axis: Option<DVec3List>,
    #[serde(rename = "R")]
    pub rotation: [f64; 9],
    pub p: DVec3List,
    pub mass: f64,
    pub com: DVec3List,
    pub inertia_com: [f64; 9],
}

/// A state and the forces of joints.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct State {
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub tau: Vec<f64>,
}

impl Model {
    /// One of the data set, in the folder beside the project or where `CAROM_DATA` says; none without it.
    pub fn read(name: &str) -> Option<Self> {
        let beside = || Some(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"));
        let folder = std::env::var_os("CAROM_DATA").map(PathBuf::from).or_else(beside)?;
        let text = std::fs::read_to_string(folder.join(format!("articulated/{name}.json"))).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// So many bodies on revolute joints about random axes, each on one of the last `reach` before it.
    pub fn random(count: usize, reach: u64, seed: u64) -> Self {
        let mut numbers = Numbers(seed);
        let bodies = (0..count)
            .map(|i| {
                let back = if i == 0 { 1 } else { 1 + numbers.below(reach.min(i as u64)) };
                let turn = DQuat::from_axis_angle(numbers.direction(), numbers.signed());
                let half = 0.1 * (DVec3::splat(1.3) + numbers.vector());
                let mass = 1.0 + 0.5 * numbers.signed();
                let moments = mass / 3.0
                    * DVec3::new(
                        half.y * half.y + half.z * half.z,
                        half.x * half.x + half.z * half.z,
                        half.x * half.x + half.y * half.y,
                    );
                let axes = DMat3::from_quat(DQuat::from_axis_angle(numbers.direction(), 1.0));
                let inertia = axes * DMat3::from_diagonal(moments) * axes.transpose();
                Link {
                    parent: (i as u64).checked_sub(back).map_or(-1, u64::cast_signed),
                    joint: "revolute".to_owned(),
                    axis: Some(numbers.direction().to_array()),
                    rotation: DMat3::from_quat(turn).transpose().to_cols_array(),
                    p: (0.2 * numbers.vector()).to_array(),
                    mass,
                    com: (0.1 * numbers.vector()).to_array(),
                    inertia_com: inertia.to_cols_array(),
                }
            })
            .collect();
        let mut list = |size: f64| (0..count).map(|_| size * numbers.signed()).collect();
        let samples =
            (0..8).map(|_| State { q: list(3.0), v: list(1.0), tau: list(5.0) }).collect();
        Self { gravity: [0.0, 0.0, -9.81], bodies, samples }
    }

    /// As our tree.
    ///
    /// # Panics
    /// If it is none.
    pub fn tree(&self) -> Tree {
        let mut builder = Tree::builder();
        for link in &self.bodies {
            let axis = DVec3::from_array(link.axis.unwrap_or_default());
            let joint = match &link.joint[..] {
                "revolute" => Joint::Revolute { axis },
                "prismatic" => Joint::Prismatic { axis },
                "spherical" => Joint::Spherical,
                "floating" => Joint::Free,
                other => panic!("a joint {other}"),
            };
            let rotation = DMat3::from_cols_array(&link.rotation).transpose();
            builder.add(LinkSpec {
                parent: usize::try_from(link.parent).ok(),
                parent_from_joint: Pose::new(
                    DVec3::from_array(link.p),
                    DQuat::from_mat3(&rotation).normalize(),
                ),
                joint,
                body: MassProperties {
                    mass: link.mass,
                    center: DVec3::from_array(link.com),
                    inertia: DMat3::from_cols_array(&link.inertia_com).transpose(),
                },
            });
        }
        builder.build().expect("a sound tree")
    }
}

/// Rods end to end along x, hinged about y.
///
/// # Panics
/// Never, for positive numbers.
pub fn rods(count: usize, length: f64, mass: f64) -> Tree {
    let moment = mass * length * length / 12.0;
    let mut builder = Tree::builder();
    for i in 0..count {
        let at = if i == 0 { DVec3::ZERO } else { length * DVec3::X };
        builder.add(LinkSpec {
            parent: i.checked_sub(1),
            parent_from_joint: Pose::from_translation(at),
            joint: Joint::Revolute { axis: DVec3::Y },
            body: MassProperties {
                mass,
                center: 0.5 * length * DVec3::X,
                inertia: DMat3::from_diagonal(DVec3::new(0.0, moment, moment)),
            },
        });
    }
    builder.build().expect("a sound tree")
}

/// A trunk of 10 kg that floats, with four legs of three links of 0.5 kg each.
///
/// # Panics
/// Never.
pub fn robot() -> Tree {
    let mut builder = Tree::builder();
    let body = |mass: f64, center: DVec3, moments: [f64; 3]| MassProperties {
        mass,
        center,
        inertia: DMat3::from_diagonal(DVec3::from_array(moments)),
    };
    builder.add(LinkSpec {
        parent: None,
        parent_from_joint: Pose::IDENTITY,
        joint: Joint::Free,
        body: body(10.0, DVec3::ZERO, [0.1, 0.3, 0.35]),
    });
    for leg in 0..4 {
        for (k, (at, axis)) in leg_joints(leg).into_iter().enumerate() {
            let before = 3 * leg + k;
            builder.add(LinkSpec {
                parent: Some(if k == 0 { 0 } else { before }),
                parent_from_joint: Pose::from_translation(at),
                joint: Joint::Revolute { axis },
                body: body(0.5, -0.1 * DVec3::Z, [2e-3, 2e-3, 3e-4]),
            });
        }
    }
    builder.build().expect("a sound tree")
}

/// Place of each joint of a leg on the link before, and its axis.
pub fn leg_joints(leg: usize) -> [(DVec3, DVec3); 3] {
    let sign = |bit: usize| if leg >> bit & 1 == 0 { -1.0 } else { 1.0 };
    [
        (DVec3::new(0.2 * sign(0), 0.1 * sign(1), 0.0), DVec3::X),
        (DVec3::new(0.0, 0.05 * sign(1), 0.0), DVec3::Y),
        (DVec3::new(0.0, 0.0, -0.2), DVec3::Y),
    ]
}

/// With nothing in its joints.
///
/// # Panics
/// Never, for trees that move and tolerances within limits.
pub fn free(tree: Tree, tolerance: f64) -> std::sync::Arc<Linkage> {
    let joints = vec![JointForce::default(); tree.n_v()];
    std::sync::Arc::new(Linkage::new(tree, joints, tolerance).expect("a sound linkage"))
}
