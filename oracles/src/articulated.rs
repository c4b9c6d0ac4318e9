//! The data set `articulated`: dynamics of robots and random linkages, which others computed; it lies beside the project.

use std::path::Path;

use serde::Deserialize;

use crate::{DataError, malformed, read_text};

/// The linkages of the set.
pub const NAMES: [&str; 6] = [
    "double_pendulum",
    "random_chain_10",
    "random_tree_20_mixed",
    "solo12_floating",
    "spherical_chain_6",
    "ur5",
];

/// A linkage with samples of its dynamics.
#[derive(Clone, Debug, Deserialize)]
pub struct Model {
    /// `[m/s²]`
    pub gravity: [f64; 3],
    /// Parents before children.
    pub bodies: Vec<Body>,
    /// States, and what comes of them.
    pub samples: Vec<Sample>,
}

/// A link with its joint.
#[derive(Clone, Debug, Deserialize)]
pub struct Body {
    /// −1 for the world.
    pub parent: i64,
    /// revolute, prismatic, spherical or floating.
    pub joint: String,
    /// In the joint's frame; of a joint that has one.
    #[serde(default)]
    pub axis: Option<[f64; 3]>,
    /// Rotation of the joint's frame in the parent's, row by row.
    #[serde(rename = "R")]
    pub rotation: [f64; 9],
    /// Its place there `[m]`.
    #[serde(rename = "p")]
    pub place: [f64; 3],
    /// `[kg]`
    pub mass: f64,
    /// `[m]`
    pub com: [f64; 3],
    /// About the centre of mass, row by row `[kg·m²]`.
    pub inertia_com: [f64; 9],
}

/// A state, and what comes of it.
#[derive(Clone, Debug, Deserialize)]
pub struct Sample {
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Forces dual to them.
    pub tau: Vec<f64>,
    /// Accelerations.
    pub qdd: Vec<f64>,
    /// Forces that let nothing accelerate.
    pub bias: Vec<f64>,
    /// `[J]`
    pub kinetic: f64,
    /// `[J]`
    pub potential: f64,
    /// A point of a link that may be struck.
    pub contact: Contact,
}

/// A point of a link, and how it answers.
#[derive(Clone, Debug, Deserialize)]
pub struct Contact {
    /// Number of the link.
    pub link: usize,
    /// In its frame `[m]`.
    pub local_point: [f64; 3],
    /// In the world `[m]`.
    pub world_point: [f64; 3],
    /// `[m/s]`
    pub point_velocity: [f64; 3],
    /// Row by row `[1/kg]`.
    #[serde(rename = "K")]
    pub response: [f64; 9],
    /// `[N·s]`
    pub impulse_world: [f64; 3],
    /// Jumps of velocities by that impulse.
    pub dv_joint: Vec<f64>,
}

/// A linkage of the set, from the folder that the set lies in.
///
/// # Errors
/// If its file cannot be read.
pub fn model(folder: &Path, name: &str) -> Result<Model, DataError> {
    let path = folder.join("articulated").join(format!("{name}.json"));
    serde_json::from_str(&read_text(&path)?).map_err(|error| malformed(&path, &error))
}

/// An unforced motion of a linkage of the set.
#[derive(Clone, Debug, Deserialize)]
pub struct Trajectory {
    /// Name of the linkage.
    pub model: String,
    /// Coordinates at the start.
    pub q0: Vec<f64>,
    /// Velocities at the start.
    pub v0: Vec<f64>,
    /// Where it is later.
    pub states: Vec<Passed>,
}

/// A state of a [`Trajectory`].
#[derive(Clone, Debug, Deserialize)]
pub struct Passed {
    /// `[s]`
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
}

/// The motions of the set, integrated with DOP853 at 1e-13.
///
/// # Errors
/// If their file cannot be read.
pub fn trajectories(folder: &Path) -> Result<Vec<Trajectory>, DataError> {
    let path = folder.join("articulated/trajectories.json");
    serde_json::from_str(&read_text(&path)?).map_err(|error| malformed(&path, &error))
}
