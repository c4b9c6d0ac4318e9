//! Cyclers: the centre goes round an ellipse, the orientation stays (M section 2.6, guide GM-2).
//!
//! x(t) = c + a·cos(Ωt + φ) + b·sin(Ωt + φ) with a ⊥ b.
//!
//! Along a unit vector d the centre is a sinusoid of amplitude s(d) = √((d·a)² + (d·b)²), so that
//!
//! D ≤ s·Ω·τ                        (M 2.14)
//! D ≤ ½·s·Ω²·τ² + (d·v)·τ          (M 2.15)
//!
//! where the thesis, which speaks of a circle and of d in its plane, has the radius r for s. For an ellipse s is
//! at most the longer semi-axis, and less in most directions. The bounds cross at the distance
//!
//! D* = 2·(s·Ω − d·v)/Ω
//!
//! and the linear one is the better beyond it. A window shorter than a turn allows more than the thesis asks:
//! [`Law::travel`](super::Law::travel) takes the exact extremes of d·v and d·a over the window.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::course::{Course, Hinge, kinematics_at, rate_bounds};
use super::range::Range;
use super::wave::{VectorWave, range_of_sum, rounding};
use super::{LawError, LawSpec, given, given_orientation, given_vector};
use crate::tolerances::ORTHOGONAL;
use crate::{Reach, Span, Travel, taylor};

/// A body whose centre goes round an ellipse at a constant rate of its angle.
#[derive(Clone, Debug, PartialEq)]
pub struct Cycler {
    centre: DVec3,
    wave: VectorWave,
    orientation: DQuat,
    pub(super) spec: Arc<LawSpec>,
}

impl Cycler {
    /// About `centre` `[m]`, on the ellipse with these orthogonal semi-axes `[m]`: at the first where
    /// rate·t + phase is 0, at the second where it is π/2. Rate in `[rad/s]`, of either sign.
    ///
    /// # Errors
    /// If a number is not finite or absurdly large, the semi-axes are not orthogonal, or the quaternion
    /// is not unit.
    pub fn new(
        centre: DVec3,
        semi_axes: [DVec3; 2],
        rate: f64,
        phase: f64,
        orientation: DQuat,
    ) -> Result<Self, LawError> {
        given_vector("centre", centre)?;
        let [a, b] = semi_axes;
        given_vector("first semi-axis", a)?;
        given_vector("second semi-axis", b)?;
        given("rate", rate)?;
        given("phase", phase)?;
        let cosine = a.dot(b) / (a.length() * b.length());
        if cosine.abs() > ORTHOGONAL {
            return Err(LawError::NotOrthogonal { cosine });
        }
        let spec = Arc::new(LawSpec::Cycler { centre, semi_axes, rate, phase, orientation });
        let orientation = given_orientation("orientation", orientation)?;
        let (sin, cos) = libm::sincos(phase);
        let (at_start, ahead) = (a * cos + b * sin, b * cos - a * sin);
        let wave =
            VectorWave { rate: rate.abs(), cos: at_start, sin: ahead * 1.0_f64.copysign(rate) };
        Ok(Self { centre, wave, orientation, spec })
    }

    /// (M 2.14): no point gets along a direction faster than the ellipse is wide in it.
    pub fn linear_travel(&self, window: Span, direction: DVec3) -> Travel {
        self.travel_of(window, direction).0
    }

    /// (M 2.15): from the present velocity with the largest acceleration.
    pub fn quadratic_travel(&self, window: Span, direction: DVec3) -> Travel {
        self.travel_of(window, direction).1
    }

    /// D*, the distance at which (M 2.15) overtakes (M 2.14) `[m]`; infinite when it stands still.
    pub fn crossing_distance(&self, time: f64, direction: DVec3) -> f64 {
        if self.wave.rate == 0.0 {
            return f64::INFINITY;
        }
        let speed = direction.dot(kinematics_at(self, time).state.velocity);
        2.0 * (self.width(direction) * self.wave.rate - speed) / self.wave.rate
    }

    /// The bound of the thesis for a body at this distance `[m]`: (M 2.14) when D* is less, else (M 2.15).
    pub fn travel_towards(&self, window: Span, direction: DVec3, distance: f64) -> Travel {
        let (linear, quadratic) = self.travel_of(window, direction);
        if self.crossing_distance(window.start, direction) < distance { linear } else { quadratic }
    }

    /// s(d) `[m]`.
    fn width(&self, direction: DVec3) -> f64 {
        let wave = self.wave.along(direction);
        libm::hypot(wave.cos, wave.sin)
    }

    fn travel_of(&self, window: Span, direction: DVec3) -> (Travel, Travel) {
        let (kinematics, rates) = (kinematics_at(self, window.start), rate_bounds(self, window));
        let (rate, width) = (self.wave.rate, self.width(direction));
        let c = taylor::rounding(&kinematics, &rates, window, Reach::Body(0.0));
        let linear = Travel { a: 0.0, b: rate * width, c, valid_until: window.end };
        let b = direction.dot(kinematics.state.velocity);
        (linear, Travel { a: 0.5 * rate * rate * width, b, ..linear })
    }
}

impl Course for Cycler {
    fn hinge(&self) -> Hinge {
        Hinge {
            origin: self.centre,
            axis: DVec3::Z,
            arm: DVec3::ZERO,
            orientation: self.orientation,
        }
    }

    fn shift(&self, time: f64) -> [DVec3; 3] {
        self.wave.at(time)
    }

    fn shift_range(&self, order: usize, window: Span, direction: DVec3) -> Range {
        range_of_sum(&std::iter::once(self.wave.along(direction)), order, window)
    }

    fn shift_jerk(&self) -> f64 {
        let rate = self.wave.rate;
        rate * rate * rate * self.wave.reach()
    }

    fn rounding(&self, window: Span) -> (f64, f64) {
        (rounding(self.wave.reach(), self.wave.rate, window), 0.0)
    }
}
