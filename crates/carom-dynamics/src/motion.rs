//! The one thing the engine asks: a motion.

use carom_geometry::{Aabb, Pose, Shape};
use glam::DVec3;

use crate::ballistic::Ballistic;
use crate::law::Law;
use crate::linkage::LinkMotion;
use crate::{BodyState, Kinematics, RateBounds, Reach, Span, Travel, taylor};

/// How a frame moves over a span of time. Data; every question is a pure read.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "free bodies are the common case, and a box per strike would allocate in the hot path"
)]
pub enum Motion {
    /// Stands still for ever.
    Fixed(Pose),
    /// Follows a given law and takes no notice of forces.
    Scripted(Law),
    /// Flies under gravity and spins freely until struck.
    Ballistic(Ballistic),
    /// Is a link of a linkage, which was integrated ahead.
    Linked(LinkMotion),
}

impl Motion {
    /// The times around `time` for which the motion is known as one smooth formula; at a change of law, the
    /// piece that begins there.
    pub fn span(&self, time: f64) -> Span {
        match self {
            Self::Fixed(_) => Span::new(f64::NEG_INFINITY, f64::INFINITY),
            Self::Scripted(law) => law.piece(time),
            Self::Ballistic(arc) => arc.span(),
            Self::Linked(link) => link.span(),
        }
    }

    /// Where the frame is and how it moves; right-continuous.
    pub fn state_at(&self, time: f64) -> BodyState {
        match self {
            Self::Fixed(pose) => BodyState::at_rest(*pose),
            Self::Scripted(law) => law.state_at(time),
            Self::Ballistic(arc) => arc.state_at(time),
            Self::Linked(link) => link.state_at(time),
        }
    }

    /// Position and velocity of the reference point, with the bits of [`Self::state_at`], for those who need no orientation.
    pub fn place_at(&self, time: f64) -> (DVec3, DVec3) {
        match self {
            Self::Fixed(pose) => (pose.translation, DVec3::ZERO),
            Self::Scripted(law) => {
                let state = law.state_at(time);
                (state.position, state.velocity)
            }
            Self::Ballistic(arc) => arc.place_at(time),
            Self::Linked(link) => {
                let state = link.state_at(time);
                (state.position, state.velocity)
            }
        }
    }

    /// State, acceleration and angular acceleration; right-continuous.
    pub fn kinematics_at(&self, time: f64) -> Kinematics {
        match self {
            Self::Fixed(pose) => Kinematics {
                state: BodyState::at_rest(*pose),
                acceleration: DVec3::ZERO,
                angular_acceleration: DVec3::ZERO,
            },
            Self::Scripted(law) => law.kinematics_at(time),
            Self::Ballistic(arc) => arc.kinematics_at(time),
            Self::Linked(link) => link.kinematics_at(time),
        }
    }

    /// Bounds on the rates, valid throughout `window`, which must lie in one span.
    pub fn rate_bounds(&self, window: Span) -> RateBounds {
        match self {
            Self::Fixed(_) => RateBounds::STILL,
            Self::Scripted(law) => law.rate_bounds(window),
            Self::Ballistic(arc) => arc.rate_bounds(window),
            Self::Linked(link) => link.rate_bounds(window),
        }
    }

    /// False when the orientation never changes.
    pub fn rotates(&self) -> bool {
        match self {
            Self::Fixed(_) => false,
            Self::Scripted(law) => law.rotates(),
            Self::Ballistic(arc) => arc.rotates(),
            Self::Linked(link) => link.rotates(),
        }
    }

    /// A box that the reference point does not leave during `window`, which must lie in one span.
    pub fn path_box(&self, window: Span) -> Aabb {
        match self {
            Self::Fixed(pose) => Aabb { min: pose.translation, max: pose.translation },
            Self::Scripted(law) => law.path_box(window),
            Self::Ballistic(arc) => arc.path_box(window),
            Self::Linked(link) => link.path_box(window),
        }
    }

    /// A box that the shape does not leave during `window`: its own box where it only shifts, that of the
    /// ball around the reference point where it turns (guide BP-1).
    ///
    /// `radius` is the largest distance of a point of the shape from the reference point, and
    /// `frame_from_shape` the placement of the shape in the moving frame.
    pub fn swept_box(
        &self,
        window: Span,
        shape: &Shape,
        frame_from_shape: &Pose,
        radius: f64,
    ) -> Aabb {
        let path = self.path_box(window);
        self.swept_along(&path, window.start, shape, frame_from_shape, radius)
    }

    /// The same from a box that the reference point does not leave, and a time of the window.
    pub fn swept_along(
        &self,
        path: &Aabb,
        time: f64,
        shape: &Shape,
        frame_from_shape: &Pose,
        radius: f64,
    ) -> Aabb {
        if self.rotates() {
            return path.padded(radius).padded_for_rounding();
        }
        let orientation = self.state_at(time).orientation;
        let around = shape.aabb(&Pose::new(DVec3::ZERO, orientation).then_from(frame_from_shape));
        Aabb { min: path.min + around.min, max: path.max + around.max }.padded_for_rounding()
    }

    /// How far points can get along `direction`, a unit vector, from the start of `window` to its end,
    /// which must lie in one span: the better at the end of what the kind of motion knows and of the
    /// Taylor bound.
    pub fn travel(&self, window: Span, direction: DVec3, reach: Reach) -> Travel {
        match self {
            Self::Fixed(_) => Travel { a: 0.0, b: 0.0, c: 0.0, valid_until: f64::INFINITY },
            Self::Scripted(law) => law.travel(window, direction, reach),
            Self::Linked(link) => link.travel(window, direction, reach),
            Self::Ballistic(arc) => {
                let known = arc.travel(window, direction, reach);
                if !window.length().is_finite() {
                    return known;
                }
                let kinematics = arc.kinematics_at(window.start);
                let rates = arc.rate_bounds(window);
                let taylor = taylor::travel(&kinematics, &rates, window, direction, reach);
                let end = window.length();
                if known.after(end) <= taylor.after(end) { known } else { taylor }
            }
        }
    }
}

#[cfg(test)]
mod tests;
