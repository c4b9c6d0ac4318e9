//! What a law was made from, as plain data: to be saved, shown, or made again with the same bits.

use carom_geometry::Pose;
use glam::{DQuat, DVec3};

use super::{Constant, Cycler, Law, LawError, Oscillation, Oscillator, Waypoint, Waypoints};

/// The arguments of a law's constructor.
#[derive(Clone, Debug, PartialEq)]
pub enum LawSpec {
    /// Of [`Constant::new`].
    Constant {
        /// When the body is at its pose `[s]`.
        start: f64,
        /// The pose then.
        world_from_body: Pose,
        /// `[m/s]`.
        velocity: DVec3,
        /// In world axes `[rad/s]`.
        angular_velocity: DVec3,
    },
    /// Of [`Cycler::new`].
    Cycler {
        /// `[m]`.
        centre: DVec3,
        /// `[m]`.
        semi_axes: [DVec3; 2],
        /// `[rad/s]`.
        rate: f64,
        /// `[rad]`.
        phase: f64,
        /// Of the body, for ever.
        orientation: DQuat,
    },
    /// Of [`Oscillator::new`].
    Oscillator {
        /// About which it swings.
        base: Pose,
        /// The sinusoids.
        terms: Vec<Oscillation>,
    },
    /// Of [`Waypoints::new`], or of [`Waypoints::closed`] with a period.
    Waypoints {
        /// The poses.
        points: Vec<Waypoint>,
        /// Time of a round, for a closed way `[s]`.
        period: Option<f64>,
    },
}

impl Law {
    /// From plain data.
    ///
    /// # Errors
    /// As the constructor of its kind.
    pub fn new(spec: LawSpec) -> Result<Self, LawError> {
        Ok(match spec {
            LawSpec::Constant { start, world_from_body, velocity, angular_velocity } => {
                let law = Constant::new(start, world_from_body, velocity, angular_velocity)?;
                Self::Constant(law)
            }
            LawSpec::Cycler { centre, semi_axes, rate, phase, orientation } => {
                Self::Cycler(Cycler::new(centre, semi_axes, rate, phase, orientation)?)
            }
            LawSpec::Oscillator { base, terms } => Self::Oscillator(Oscillator::new(base, &terms)?),
            LawSpec::Waypoints { points, period: None } => {
                Self::Waypoints(Waypoints::new(&points)?)
            }
            LawSpec::Waypoints { points, period: Some(period) } => {
                Self::Waypoints(Waypoints::closed(&points, period)?)
            }
        })
    }

    /// What it was made from; [`Self::new`] makes the same law of it.
    pub fn spec(&self) -> &LawSpec {
        match self {
            Self::Constant(law) => &law.spec,
            Self::Cycler(law) => &law.spec,
            Self::Oscillator(law) => &law.spec,
            Self::Waypoints(law) => &law.spec,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{for_all, law};
    use super::*;

    #[test]
    fn a_law_made_again_from_its_data_is_the_same_law() {
        for_all(256, &law(), |law| assert_eq!(Law::new(law.spec().clone()), Ok(law)));
    }
}
