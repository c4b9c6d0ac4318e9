//! Joints of a scene, as plain data.

use carom::{JointForce, JointKind, Strength};
use glam::DVec3;

use crate::problem::Place;

/// How a body may move against another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its own name.
    pub name: String,
    /// What it lets the child do; axes in world axes, as the bodies stand at the start.
    pub kind: JointKind,
    /// Index into [`Scene::bodies`](crate::Scene::bodies) of the body that carries it; none for the world.
    pub parent: Option<usize>,
    /// Index into [`Scene::bodies`](crate::Scene::bodies) of the body that it moves.
    pub child: usize,
    /// A point of the axis, the plane or the centre, in the world; none of a fixed joint that states none `[m]`.
    pub at: Option<DVec3>,
    /// Its coordinates as the bodies stand, one for each freedom; empty of a spherical joint `[rad or m]`.
    pub start: Vec<f64>,
    /// Rates of its coordinates, if they are stated `[rad/s or m/s]`.
    pub velocity: Option<Vec<f64>>,
    /// What is said of each of its freedoms.
    pub freedoms: Vec<Freedom>,
    /// What it can carry.
    pub strength: Strength,
    /// Whether parent and child touch each other.
    pub collide: bool,
    /// Where it stands in the scene file.
    pub place: Place,
}

/// What acts in one freedom of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Freedom {
    /// Force per rate `[N·m·s/rad or N·s/m]`.
    pub damping: f64,
    /// Force per displacement `[N·m/rad or N/m]`.
    pub stiffness: f64,
    /// Where the spring is relaxed `[rad or m]`.
    pub rest: f64,
    /// Inertia of its drive `[kg·m² or kg]`.
    pub armature: f64,
    /// Dry friction `[N·m or N]`.
    pub friction: f64,
    /// Smallest and largest coordinate `[rad or m]`.
    pub limits: Option<[f64; 2]>,
    /// Coefficient of restitution of its stops `[-]`.
    pub restitution: f64,
    /// Most that its motor gives `[N·m or N]`.
    pub effort: Option<f64>,
    /// Most that its motor moves `[rad/s or m/s]`.
    pub speed: Option<f64>,
}

impl Freedom {
    /// What of it the engine carries out.
    pub const fn force(&self) -> JointForce {
        let Self { damping, stiffness, rest, armature, friction, limits, restitution, .. } = *self;
        JointForce { damping, stiffness, rest, armature, friction, limits, restitution }
    }
}
