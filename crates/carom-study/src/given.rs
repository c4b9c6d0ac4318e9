//! Actions of a person while a run goes on: pushes, other gravity, other surfaces, bodies that come and go, hands that pull at
//! them, motors and targets of joints.
//!
//! An action is taken at a time between instants, when everything up to that time has been worked. The same scene with the same
//! actions at the same times gives the same bits, so a session is saved as its actions; recordings carry them as JSON.

use carom::control::Target;
use carom::{
    Body, BodyId, ControllerId, ControllerRef, JointId, MaterialId, Surface, World, WorldError,
};
use carom_geometry::shapes::{Ball, Capsule, Cuboid, Cylinder};
use carom_geometry::{Pose, Shape};
use carom_record::GivenCommand;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::grab;

/// An action, and when it was taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// When `[s]`.
    pub time: f64,
    /// What was done.
    pub action: Action,
}

/// What a person can do to a world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Strike a body.
    Push {
        /// Its name.
        body: String,
        /// Time integral of force `[N·s]`.
        impulse: [f64; 3],
        /// Where in the world; none for its centre of mass `[m]`.
        point: Option<[f64; 3]>,
    },
    /// Change gravity.
    Gravity {
        /// To this `[m/s²]`.
        gravity: [f64; 3],
    },
    /// Change a material; pairs that the scene states for themselves stay as they are.
    Material {
        /// Its name.
        material: String,
        /// Coefficient of friction; none leaves it.
        friction: Option<f64>,
        /// Coefficient of restitution; none leaves it.
        restitution: Option<f64>,
    },
    /// Add a free body.
    Add {
        /// What it is to be called; no body may have the name.
        name: String,
        /// Its shape.
        shape: AddedShape,
        /// `[kg/m³]`.
        density: f64,
        /// Where its centre is `[m]`.
        position: [f64; 3],
        /// `[m/s]`.
        velocity: [f64; 3],
        /// World axes `[rad/s]`.
        angular_velocity: [f64; 3],
        /// Name of its material; none for the default one.
        material: Option<String>,
    },
    /// Take a body away.
    Remove {
        /// Its name.
        body: String,
    },
    /// Take hold of a body; see [`grab`].
    Grab {
        /// Its name.
        body: String,
        /// Where, in the body frame `[m]`.
        point: [f64; 3],
        /// Where the hand is `[m]`.
        to: [f64; 3],
    },
    /// Move the hand that holds a body.
    Move {
        /// Its name.
        body: String,
        /// Where to `[m]`.
        to: [f64; 3],
    },
    /// Let go of a body.
    LetGo {
        /// Its name.
        body: String,
    },
    /// Set what the motors of a joint give.
    Drive {
        /// Its name.
        joint: String,
        /// One number for each of its freedoms `[N·m or N]`.
        force: Vec<f64>,
    },
    /// Set what the controller of a joint aims at.
    Target {
        /// Name of the joint.
        joint: String,
        /// Which of its freedoms, from 0.
        freedom: usize,
        /// Where it is to be; of a controller of velocities, how fast `[rad or m, or rad/s or m/s]`.
        target: f64,
    },
    /// Switch the controllers of a joint on or off, with all that they control.
    Enable {
        /// Name of the joint.
        joint: String,
        /// False to stop them.
        enabled: bool,
    },
}

/// A shape that can be added while a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum AddedShape {
    /// A ball.
    Ball {
        /// `[m]`.
        radius: f64,
    },
    /// A box.
    Box {
        /// Its sides `[m]`.
        size: [f64; 3],
    },
    /// A cylinder that stands upright.
    Cylinder {
        /// `[m]`.
        radius: f64,
        /// From end to end `[m]`.
        length: f64,
    },
    /// A cylinder with round ends that stands upright.
    Capsule {
        /// `[m]`.
        radius: f64,
        /// Of its straight part `[m]`.
        length: f64,
    },
}

/// Why an action cannot be taken.
#[derive(Debug, Error)]
pub enum ActionError {
    /// There is no such body.
    #[error("there is no body called \"{0}\"")]
    NoBody(String),
    /// There is no such material.
    #[error("there is no material called \"{0}\"")]
    NoMaterial(String),
    /// The name is taken.
    #[error("there is a body called \"{0}\" already")]
    Taken(String),
    /// There is no room for it.
    #[error("it would overlap \"{0}\"\nhint: add it where nothing is")]
    NoRoom(String),
    /// There is no such joint.
    #[error("there is no joint called \"{0}\"")]
    NoJoint(String),
    /// No controller drives it.
    #[error("no controller drives freedom {1} of the joint \"{0}\"")]
    NotControlled(String, usize),
    /// It does not move.
    #[error("\"{0}\" is {1}: it cannot be pulled\nhint: free and linked bodies can")]
    Immovable(String, &'static str),
    /// Somebody holds it.
    #[error("\"{0}\" is held already")]
    Held(String),
    /// Nobody holds it.
    #[error("nobody holds \"{0}\"")]
    NotHeld(String),
    /// A hand is nowhere.
    #[error("a hand is at a finite place")]
    Place,
    /// Its sizes make no shape.
    #[error("its sizes must be positive finite numbers")]
    Shape,
    /// The engine refuses it.
    #[error(transparent)]
    World(#[from] WorldError),
    /// A recording has an action that is not known.
    #[error("the recording has an action at {time} s that this version does not know: {text}")]
    Unknown {
        /// When `[s]`.
        time: f64,
        /// In the words of the recording.
        text: String,
    },
}

impl Given {
    /// As a recording has it.
    pub fn to_recorded(&self) -> GivenCommand {
        let text = serde_json::to_string(&self.action).unwrap_or_default();
        GivenCommand { time_s: self.time, text }
    }

    /// From a recording.
    ///
    /// # Errors
    /// If this version does not know the action.
    pub fn of_recorded(recorded: &GivenCommand) -> Result<Self, ActionError> {
        let GivenCommand { time_s: time, ref text } = *recorded;
        let unknown = |_| ActionError::Unknown { time, text: text.clone() };
        Ok(Self { time, action: serde_json::from_str(text).map_err(unknown)? })
    }
}

impl Action {
    /// Takes it, at the time at which the world is.
    ///
    /// # Errors
    /// If it cannot be taken; the world is as it was.
    pub fn take(&self, world: &mut World) -> Result<(), ActionError> {
        match self {
            Self::Push { body, impulse, point } => {
                let body = find_body(world, body)?;
                let push = match point.map(DVec3::from_array) {
                    Some(point) => carom::Push::at_point(body, DVec3::from_array(*impulse), point),
                    None => carom::Push::central(body, DVec3::from_array(*impulse)),
                };
                Ok(world.command(carom::Command::Impulse(push))?)
            }
            Self::Gravity { gravity } => Ok(world.set_gravity(DVec3::from_array(*gravity))?),
            Self::Material { material, friction, restitution } => {
                let material = find_material(world, material)?;
                let old = world.material(material)?.surface;
                let surface = Surface {
                    friction: friction.unwrap_or(old.friction),
                    restitution: restitution.unwrap_or(old.restitution),
                    law: old.law,
                };
                Ok(world.set_surface(material, surface)?)
            }
            Self::Add { .. } => self.add(world),
            Self::Remove { body } => {
                let body = find_body(world, body)?;
                Ok(world.remove(body)?)
            }
            Self::Grab { body, point, to } => {
                let [point, to] = [point, to].map(|it| DVec3::from_array(*it));
                grab::grab(world, body, point, to)
            }
            Self::Move { body, to } => grab::drag(world, body, DVec3::from_array(*to)),
            Self::LetGo { body } => grab::let_go(world, body),
            Self::Drive { joint, force } => {
                let joint = find_joint(world, joint)?;
                Ok(world.drive(joint, force)?)
            }
            Self::Target { joint, freedom, target } => {
                let id = find_joint(world, joint)?;
                let found = controllers_of(world, id, Some(*freedom)).next();
                let unknown = || ActionError::NotControlled(joint.clone(), *freedom);
                let controller = found.ok_or_else(unknown)?;
                Ok(world.set_target(controller, id, *freedom, Target::Constant(*target))?)
            }
            Self::Enable { joint, enabled } => {
                let id = find_joint(world, joint)?;
                let found: Vec<ControllerId> = controllers_of(world, id, None).collect();
                if found.is_empty() {
                    return Err(ActionError::NotControlled(joint.clone(), 0));
                }
                found.into_iter().try_for_each(|it| Ok(world.enable(it, *enabled)?))
            }
        }
    }

    fn add(&self, world: &mut World) -> Result<(), ActionError> {
        let Self::Add { name, shape, density, position, velocity, angular_velocity, material } =
            self
        else {
            return Ok(());
        };
        if world.find(name).is_some() {
            return Err(ActionError::Taken(name.clone()));
        }
        let shape = shape.solid()?;
        let position = DVec3::from_array(*position);
        if position.is_finite() {
            let place = Pose::new(position, DQuat::IDENTITY);
            let met = world.overlapping(&shape, &place, world.now());
            let solid = |id: &BodyId| {
                world.body(*id).is_some_and(|body| !body.is_ghost() && !body.is_sensor())
            };
            if let Some(body) = met.into_iter().find(solid).and_then(|id| world.body(id)) {
                return Err(ActionError::NoRoom(body.name().to_owned()));
            }
        }
        let mut body = Body::free(shape)
            .named(name.as_str())
            .density(*density)
            .at(position)
            .velocity(DVec3::from_array(*velocity))
            .angular_velocity(DVec3::from_array(*angular_velocity));
        if let Some(material) = material {
            body = body.material(find_material(world, material)?);
        }
        world.add(body)?;
        Ok(())
    }
}

impl AddedShape {
    fn solid(self) -> Result<Shape, ActionError> {
        match self {
            Self::Ball { radius } => Ball::new(radius).map(Shape::Ball),
            Self::Box { size } => Cuboid::new(0.5 * DVec3::from_array(size)).map(Shape::Cuboid),
            Self::Cylinder { radius, length } => {
                Cylinder::new(0.5 * length, radius).map(Shape::Cylinder)
            }
            Self::Capsule { radius, length } => {
                Capsule::new(0.5 * length, radius).map(Shape::Capsule)
            }
        }
        .map_err(|_| ActionError::Shape)
    }
}

fn find_body(world: &World, name: &str) -> Result<BodyId, ActionError> {
    world.find(name).ok_or_else(|| ActionError::NoBody(name.to_owned()))
}

fn find_joint(world: &World, name: &str) -> Result<JointId, ActionError> {
    world.find_joint(name).ok_or_else(|| ActionError::NoJoint(name.to_owned()))
}

/// The controllers that drive a joint, or one of its freedoms.
fn controllers_of(
    world: &World,
    joint: JointId,
    freedom: Option<usize>,
) -> impl Iterator<Item = ControllerId> {
    let drives = move |it: &ControllerRef<'_>| {
        let mut aims = it.aims().into_iter();
        aims.any(|aim| aim.joint == joint && freedom.is_none_or(|it| it == aim.freedom))
    };
    world.controllers().filter(drives).map(|it| it.id())
}

fn find_material(world: &World, name: &str) -> Result<MaterialId, ActionError> {
    let found = world.materials().find(|(_, material)| material.name == name);
    found.map(|(id, _)| id).ok_or_else(|| ActionError::NoMaterial(name.to_owned()))
}

#[cfg(test)]
mod tests;
