//! Gauges of a scene, as plain data.

use carom::sense::{
    Axes, CONTACT_FORCE_PARTS, ContactForce, ENCODER_PARTS, Encoder, IMU_PARTS, Imu, Instrument,
    POSE_PARTS, Parts, PoseSensor, RANGE_PARTS, Range, VELOCITY_PARTS, VelocitySensor,
};
use carom::{BodyId, JointId};
use carom_geometry::Pose;

use crate::problem::Place;

/// A sensor that reads at its own rate.
#[derive(Clone, Debug, PartialEq)]
pub struct Gauge {
    /// Its own name.
    pub name: String,
    /// What it measures.
    pub what: Measurand,
    /// How often it reads `[Hz]`.
    pub rate_hz: f64,
    /// Where it stands in the scene file.
    pub place: Place,
}

/// What a gauge measures. Bodies and joints are indices into the scene's lists, mounts are placements in the body's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measurand {
    /// Position and velocity of a joint.
    Joint {
        /// Which.
        joint: usize,
        /// Which of its freedoms, from 0.
        freedom: usize,
        /// Steps of positions; zero for none `[rad or m]`.
        step: f64,
    },
    /// Where a mount is.
    Pose {
        /// On which body.
        body: usize,
        /// Where on it.
        mount: Pose,
    },
    /// How a mount moves.
    Velocity {
        /// On which body.
        body: usize,
        /// Where on it.
        mount: Pose,
        /// In which axes.
        axes: Axes,
    },
    /// What a mount feels.
    Imu {
        /// On which body.
        body: usize,
        /// Where on it.
        mount: Pose,
    },
    /// How a body is pressed.
    ContactForce {
        /// Which.
        body: usize,
        /// By whom; none for all.
        with: Option<usize>,
    },
    /// How far it is along the x axis of a mount.
    Range {
        /// On which body.
        body: usize,
        /// Where on it.
        mount: Pose,
        /// As far as it sees `[m]`.
        reach: f64,
    },
}

impl Measurand {
    /// The instrument for a world whose handles of bodies and joints are found by their indices; none if one was refused.
    pub(crate) fn instrument(
        &self,
        id: impl Fn(usize) -> Option<BodyId>,
        joint_id: impl Fn(usize) -> Option<JointId>,
    ) -> Option<Instrument> {
        Some(match *self {
            Self::Joint { joint, freedom, step } => Instrument::Encoder(
                Encoder::new(joint_id(joint)?).freedom(freedom).resolution(step),
            ),
            Self::Pose { body, mount } => {
                Instrument::Pose(PoseSensor { body: id(body)?, body_from_sensor: mount })
            }
            Self::Velocity { body, mount, axes } => Instrument::Velocity(VelocitySensor {
                body: id(body)?,
                body_from_sensor: mount,
                axes,
            }),
            Self::Imu { body, mount } => {
                Instrument::Imu(Imu { body: id(body)?, body_from_sensor: mount })
            }
            Self::ContactForce { body, with } => {
                let sensor = ContactForce::new(id(body)?);
                Instrument::ContactForce(match with {
                    Some(other) => sensor.with(id(other)?),
                    None => sensor,
                })
            }
            Self::Range { body, mount, reach } => {
                Instrument::Range(Range { body: id(body)?, body_from_sensor: mount, reach })
            }
        })
    }

    /// Names and units of the numbers that it reads, in order.
    pub const fn parts(&self) -> Parts {
        match self {
            Self::Joint { .. } => ENCODER_PARTS,
            Self::Pose { .. } => POSE_PARTS,
            Self::Velocity { .. } => VELOCITY_PARTS,
            Self::Imu { .. } => IMU_PARTS,
            Self::ContactForce { .. } => CONTACT_FORCE_PARTS,
            Self::Range { .. } => RANGE_PARTS,
        }
    }
}
