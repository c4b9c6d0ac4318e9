//! Where elements take hold, and how two ends move relative to each other.

use carom_geometry::Pose;
use glam::{DQuat, DVec3};

use crate::BodyState;
use crate::spatial::{ForceVector, MotionVector};

/// Where an element takes hold: a point with axes, of a link or of the world, which does not move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End {
    /// The link, `None` for the world.
    pub link: Option<usize>,
    /// Where point and axes are in the frame of the link, or in the world `[m]`.
    pub frame: Pose,
}

impl End {
    /// A point of a link, in the link's frame and with its axes `[m]`.
    pub const fn of_link(link: usize, point_link: DVec3) -> Self {
        Self { link: Some(link), frame: Pose::from_translation(point_link) }
    }

    /// A point of the world, with the world's axes `[m]`.
    pub const fn of_world(point: DVec3) -> Self {
        Self { link: None, frame: Pose::from_translation(point) }
    }

    /// The same point with axes that this rotation turns those of the link, or of the world, into.
    #[must_use]
    pub const fn turned(self, rotation: DQuat) -> Self {
        Self { frame: Pose::new(self.frame.translation, rotation), ..self }
    }

    /// The end as it moves, from the state of its point in the axes of its link; `None` for the world.
    pub(super) fn state(&self, point: Option<BodyState>) -> BodyState {
        match point {
            Some(state) => {
                BodyState { orientation: state.orientation * self.frame.rotation, ..state }
            }
            None => BodyState::at_rest(self.frame),
        }
    }
}

/// Both ends of an element at a time, each followed at its point, in its axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// t `[s]`.
    pub time: f64,
    /// The end that is acted on.
    pub on: BodyState,
    /// The end that is acted from, on which the opposite acts at the same point of space.
    pub from: BodyState,
}

impl Ends {
    /// d, from the one end to the other `[m]`.
    pub fn arm(&self) -> DVec3 {
        self.on.position - self.from.position
    }

    /// How `on` moves, seen at its point from axes that move with `from`.
    pub fn relative(&self) -> MotionVector {
        MotionVector::new(
            self.on.angular_velocity - self.from.angular_velocity,
            self.on.velocity - self.from.velocity_at(self.on.position),
        )
    }
}

/// The line between two ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// l `[m]`.
    pub(super) length: f64,
    /// n, unit, away from `from`; that of the motion where the ends meet, and zero where they do not move either.
    pub(super) direction: DVec3,
    /// l̇ `[m/s]`.
    pub(super) rate: f64,
}

impl Line {
    pub(super) fn of(ends: &Ends) -> Self {
        let (arm, velocity) = (ends.arm(), ends.on.velocity - ends.from.velocity);
        let length = arm.length();
        // Ends that pass through each other on a straight line have n·nᵀ of their motion before and after.
        let along = if length > 0.0 { arm / length } else { velocity.normalize_or_zero() };
        Self { length, direction: along, rate: along.dot(velocity) }
    }

    /// A tension pulls `on` along the line; nothing where the line has no direction, the mean of both sides.
    pub(super) fn pull(&self, tension: f64) -> ForceVector {
        let force = if self.length > 0.0 { -tension * self.direction } else { DVec3::ZERO };
        ForceVector::new(DVec3::ZERO, force)
    }

    /// Damping along the line.
    pub(super) fn damper(&self, damping: f64) -> Damper {
        Damper { direction: ForceVector::new(DVec3::ZERO, self.direction), damping, drift: 0.0 }
    }
}

/// Damping along one direction: the wrench −c·(r − r₀)·d̂ on `on`, where r = d̂·(relative motion).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Damper {
    /// d̂, seen at the point of `on`: a unit force, or a unit torque.
    pub(super) direction: ForceVector,
    /// c `[N·s/m or N·m·s/rad]`.
    pub(super) damping: f64,
    /// r₀, the rate at which it is at rest `[m/s or rad/s]`.
    pub(super) drift: f64,
}
