//! Pairs whose touches and partings have a closed form.

use carom_dynamics::Motion;
use carom_geometry::distance::Convex;
use glam::DVec3;

use super::balls::Balls;
use super::plane::BallAbovePlane;
use super::resolution::Standing;
use super::{Beginning, Outcome, Rigid};
use crate::tolerances::BLURRED;

/// A pair whose touches and partings have a closed form.
pub(super) enum Closed<'a> {
    Balls(Balls<'a>),
    Plane(BallAbovePlane<'a>),
}

impl<'a> Closed<'a> {
    /// The two bodies, if they are such a pair.
    pub(super) fn of(a: &Rigid<'a>, b: &Rigid<'a>) -> Option<Self> {
        let (one, other) = (a.pieces.single()?, b.pieces.single()?);
        match (&one.convex, &other.convex) {
            (Convex::Ball(_), Convex::Ball(_)) => Balls::of(a, b).map(Self::Balls),
            (Convex::Ball(_), Convex::HalfSpace(plane)) => {
                BallAbovePlane::of(a, b, plane, false).map(Self::Plane)
            }
            (Convex::HalfSpace(plane), Convex::Ball(_)) => {
                BallAbovePlane::of(b, a, plane, true).map(Self::Plane)
            }
            _ => None,
        }
    }

    /// The first touch from a time on.
    pub(super) fn first_touch(&self, from: &Beginning, end: f64) -> Outcome {
        let (outcome, size) = match self {
            Self::Balls(balls) => (balls.first_touch(from, end), balls.size()),
            Self::Plane(plane) => (plane.first_touch(from, end), plane.size()),
        };
        match outcome {
            Outcome::Touch(touch) if touch.distance > BLURRED * size => {
                Outcome::Blurred(touch.time)
            }
            outcome => outcome,
        }
    }

    /// When two bodies that overlap come apart, as [`Outcome::Later`], if they do.
    pub(super) fn parting(&self, from: f64, end: f64) -> Outcome {
        match self {
            Self::Balls(balls) => balls.parting(from, end),
            Self::Plane(plane) => plane.parting(from, end),
        }
    }
}

/// A ball whose centre is the reference point of its motion, or, with radius zero, what stands at that point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Centered<'a> {
    pub(super) motion: &'a Motion,
    pub(super) radius: f64,
    pub(super) size: f64,
}

impl<'a> Centered<'a> {
    /// The body, if it is one.
    pub(super) fn of(body: &Rigid<'a>) -> Option<Self> {
        let piece = body.pieces.single()?;
        let Convex::Ball(ball) = &piece.convex else { return None };
        let centered = body.frame_from_shape.translation == DVec3::ZERO
            && piece.shape_from_piece.translation == DVec3::ZERO;
        centered.then_some(Self { motion: body.motion, radius: ball.radius(), size: body.size })
    }

    pub(super) fn standing(&self, time: f64) -> Standing {
        Standing::of(self.motion, self.radius, self.size, time)
    }
}
