//! Actions of a person while a run goes on: pushes, other gravity, other surfaces, bodies that come and go.
//!
//! An action is taken at a time between instants, when everything up to that time has been worked. The same scene with the same
//! actions at the same times gives the same bits, so a session is saved as its actions; recordings carry them as JSON.

use carom::{Body, BodyId, MaterialId, Surface, World, WorldError};
use carom_geometry::shapes::{Ball, Capsule, Cuboid, Cylinder};
use carom_geometry::{Pose, Shape};
use carom_record::GivenCommand;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use thiserror::Error;

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

fn find_material(world: &World, name: &str) -> Result<MaterialId, ActionError> {
    let found = world.materials().find(|(_, material)| material.name == name);
    found.map(|(id, _)| id).ok_or_else(|| ActionError::NoMaterial(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use carom_scene::{DiskFiles, Options, Source, load};

    use super::*;

    fn world() -> World {
        let scene = carom_scene::built_in("bouncing_ball").expect("it is built in");
        let loaded = load(&Source::text("b", scene.text), &Options::default(), &DiskFiles);
        loaded.scene.expect("it is right").build_with_ids(1).expect("it can be built").0
    }

    #[test]
    fn actions_come_back_from_recordings_and_do_what_they_say() {
        let actions = [
            Action::Push { body: "lively".into(), impulse: [0.0, 0.0, 1.0], point: None },
            Action::Gravity { gravity: [0.0, 0.0, -1.62] },
            Action::Add {
                name: "thrown".into(),
                shape: AddedShape::Box { size: [0.1, 0.1, 0.1] },
                density: 1000.0,
                position: [0.0, 5.0, 3.0],
                velocity: [0.0, 1.0, 0.0],
                angular_velocity: [0.0; 3],
                material: None,
            },
            Action::Remove { body: "thrown".into() },
        ];
        let mut world = world();
        world.advance_to(0.1).unwrap();
        let before = world.body_count();
        for action in actions {
            let given = Given { time: 0.1, action };
            assert_eq!(Given::of_recorded(&given.to_recorded()).unwrap(), given);
            given.action.take(&mut world).unwrap();
            world.advance_to(world.now()).unwrap();
        }
        assert_eq!((world.body_count(), world.gravity().z), (before, -1.62));
    }

    #[test]
    fn what_cannot_be_done_is_refused_in_words() {
        let mut world = world();
        let told = |action: Action, world: &mut World| action.take(world).unwrap_err().to_string();
        let push = |body: &str, x: f64| Action::Push {
            body: body.into(),
            impulse: [x, 0.0, 0.0],
            point: None,
        };
        assert!(told(push("nobody", 1.0), &mut world).contains("no body called \"nobody\""));
        assert!(told(push("lively", f64::NAN), &mut world).contains("not finite"));
        let lively = world.state(world.find("lively").unwrap()).unwrap().position;
        let add = |name: &str, radius: f64| Action::Add {
            name: name.into(),
            shape: AddedShape::Ball { radius },
            density: 1.0,
            position: lively.to_array(),
            velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            material: None,
        };
        assert!(told(add("new", 0.1), &mut world).contains("would overlap"));
        assert!(told(add("lively", 0.1), &mut world).contains("already"));
        assert!(told(add("new", -1.0), &mut world).contains("positive"));
        let unknown = GivenCommand { time_s: 0.0, text: "{\"do\":\"dance\"}".into() };
        assert!(Given::of_recorded(&unknown).is_err());
    }
}
