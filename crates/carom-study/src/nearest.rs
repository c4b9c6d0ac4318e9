//! How far two bodies of a scene are from each other at a time.

use carom::{Explanation, Nearest};
use carom_scene::{Problems, Scene};
use thiserror::Error;

use crate::run::in_words;

/// Two bodies at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Proximity {
    /// When `[s]`.
    pub time: f64,
    /// Their names, A and B as asked for.
    pub names: [String; 2],
    /// Where they are nearest.
    pub nearest: Nearest,
    /// The features of that in words.
    pub feature_names: [String; 2],
    /// Why the pair is looked at when it is.
    pub explanation: Explanation,
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum NearestError {
    /// The engine refuses what the scene says.
    #[error("the scene cannot be built")]
    Build(Problems),
    /// The run broke down before the time asked for.
    #[error("the run ended early, {0}")]
    Fault(String),
    /// A body is not there at the time asked for.
    #[error("\"{name}\" is not there at {time} s\nhint: it {when}")]
    Absent {
        /// Its name.
        name: String,
        /// The time asked for `[s]`.
        time: f64,
        /// When it comes or goes.
        when: String,
    },
}

/// Runs a scene to a time and asks where two of its bodies are nearest then. Where the scene has a touch end the run,
/// bodies pass through each other.
///
/// # Errors
/// If the engine refuses the scene, the run breaks down, or a body is not there at that time.
///
/// # Panics
/// If an index is out of range.
pub fn nearest(scene: &Scene, bodies: [usize; 2], time: f64) -> Result<Proximity, NearestError> {
    let (mut world, ids) = scene.build_with_ids(1).map_err(NearestError::Build)?;
    let fault = |fault| NearestError::Fault(in_words(&fault, scene, &ids));
    world.advance_to(time).map_err(fault)?;
    let [a, b] = bodies.map(|index| ids[index]);
    for (index, id) in bodies.into_iter().zip([a, b]) {
        if world.body(id).is_none() {
            return Err(absent(scene, index, time));
        }
    }
    let (Some(nearest), Some(explanation)) = (world.nearest(a, b, time), world.explain(a, b))
    else {
        return Err(absent(scene, bodies[0], time));
    };
    let feature = |side: usize| {
        let shape = &scene.bodies[bodies[side]].shape;
        shape.feature_name(nearest.pieces[side], nearest.features[side])
    };
    Ok(Proximity {
        time,
        names: bodies.map(|index| scene.bodies[index].name.clone()),
        nearest,
        feature_names: [feature(0), feature(1)],
        explanation,
    })
}

fn absent(scene: &Scene, index: usize, time: f64) -> NearestError {
    let body = &scene.bodies[index];
    let when = if body.from > time {
        format!("appears at {} s", body.from)
    } else if body.until <= time {
        format!("vanishes at {} s", body.until)
    } else {
        "is removed before by a [[change]]".to_owned()
    };
    NearestError::Absent { name: body.name.clone(), time, when }
}
