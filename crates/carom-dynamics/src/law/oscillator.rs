//! Oscillators: a base pose, shifted and turned by sums of sinusoids.
//!
//! x(t) = c + R(u, θ(t))·(x₀ − c) + Σ aᵢ·sᵢ(t), orientation R(u, θ(t))·q₀, θ(t) = Σ sⱼ(t), with terms
//! s(t) = mean + amplitude·sin(Ωt + φ): the turn about the pivot c comes first, the shifts carry it along.
//!
//! Terms of one rate are joined into one sinusoid, so that a circular vibration is bounded as a circle and not
//! as a square. Rotations about different axes do not commute, so that "their sum" would depend on an
//! order nobody stated; such terms are refused.

use std::sync::Arc;

use carom_geometry::Pose;
use glam::DVec3;

use super::angle::Angle;
use super::course::{Course, Hinge, Turn};
use super::range::Range;
use super::wave::{VectorWave, Wave, range_of_sum, rounding};
use super::{LawError, LawSpec, given, given_pose, given_vector};
use crate::Span;
use crate::tolerances::{LAW_ROUNDING_ULPS, SAME_AXIS};

/// What a term of an [`Oscillator`] moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Swing {
    /// Along an axis, of any length but zero; the term is in `[m]`.
    Along {
        /// Direction.
        axis: DVec3,
    },
    /// About a fixed axis, of any length but zero; the term is in `[rad]`.
    About {
        /// Direction.
        axis: DVec3,
        /// A point of the axis `[m]`.
        pivot: DVec3,
    },
}

/// A term mean + amplitude·sin(rate·t + phase).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oscillation {
    /// What it moves.
    pub swing: Swing,
    /// `[m]` or `[rad]`.
    pub amplitude: f64,
    /// `[rad/s]`.
    pub rate: f64,
    /// `[rad]`.
    pub phase: f64,
    /// `[m]` or `[rad]`.
    pub mean: f64,
}

/// A body that shakes and rocks, such as the bowl of a vibrating feeder.
#[derive(Clone, Debug, PartialEq)]
pub struct Oscillator {
    hinge: Hinge,
    mean_shift: DVec3,
    mean_angle: f64,
    shifts: Arc<[VectorWave]>,
    turns: Arc<[Wave]>,
    pub(super) spec: Arc<LawSpec>,
}

impl Oscillator {
    /// The sum of the terms about a base pose.
    ///
    /// # Errors
    /// If a number is not finite or absurdly large, an axis has no direction, the quaternion is not
    /// unit, or two terms turn about different axes.
    pub fn new(base: Pose, terms: &[Oscillation]) -> Result<Self, LawError> {
        let spec = Arc::new(LawSpec::Oscillator { base, terms: terms.to_vec() });
        let base = given_pose("base pose", base)?;
        let mut law = Self {
            hinge: Hinge {
                origin: base.translation,
                axis: DVec3::Z,
                arm: DVec3::ZERO,
                orientation: base.rotation,
            },
            mean_shift: DVec3::ZERO,
            mean_angle: 0.0,
            shifts: Arc::from([]),
            turns: Arc::from([]),
            spec,
        };
        let (mut shifts, mut turns) = (Vec::new(), Vec::new());
        let mut first_turn = None;
        for (index, term) in terms.iter().enumerate() {
            let (mean, wave) = wave_of(term)?;
            match term.swing {
                Swing::Along { axis } => {
                    let axis = direction_of(axis, index)?;
                    law.mean_shift += mean * axis;
                    join_vector(&mut shifts, wave, axis);
                }
                Swing::About { axis, pivot } => {
                    let axis = direction_of(axis, index)?;
                    given_vector("pivot", pivot)?;
                    let (first_axis, first_pivot, first) =
                        *first_turn.get_or_insert((axis, pivot, index));
                    if !same_line((first_axis, first_pivot), (axis, pivot)) {
                        return Err(LawError::DifferentAxes { first, term: index });
                    }
                    law.hinge.origin = first_pivot;
                    law.hinge.axis = first_axis;
                    law.hinge.arm = base.translation - first_pivot;
                    let sense = 1.0_f64.copysign(axis.dot(first_axis));
                    law.mean_angle += sense * mean;
                    join(&mut turns, Wave { cos: sense * wave.cos, sin: sense * wave.sin, ..wave });
                }
            }
        }
        law.shifts = shifts.into();
        law.turns = turns.into();
        Ok(law)
    }

    /// True when the orientation changes.
    pub fn rotates(&self) -> bool {
        self.turns.iter().any(|wave| wave.cos != 0.0 || wave.sin != 0.0)
    }

    fn along(&self, direction: DVec3) -> impl Iterator<Item = Wave> + Clone {
        self.shifts.iter().map(move |wave| wave.along(direction))
    }
}

impl Course for Oscillator {
    fn hinge(&self) -> Hinge {
        self.hinge
    }

    fn shift(&self, time: f64) -> [DVec3; 3] {
        self.shifts.iter().fold([self.mean_shift, DVec3::ZERO, DVec3::ZERO], |[p, v, a], wave| {
            let [dp, dv, da] = wave.at(time);
            [p + dp, v + dv, a + da]
        })
    }

    fn turn(&self, time: f64) -> Turn {
        let [angle, rate, acceleration] =
            self.turns.iter().fold([self.mean_angle, 0.0, 0.0], |[p, v, a], wave| {
                let [dp, dv, da] = wave.at(time);
                [p + dp, v + dv, a + da]
            });
        Turn { angle: Angle::plain(angle), rate, acceleration }
    }

    fn shift_range(&self, order: usize, window: Span, direction: DVec3) -> Range {
        let mean = if order == 0 { direction.dot(self.mean_shift) } else { 0.0 };
        range_of_sum(&self.along(direction), order, window).plus(Range::point(mean))
    }

    fn turn_range(&self, order: usize, window: Span) -> Range {
        let waves = self.turns.iter().copied();
        let range = range_of_sum(&waves, order, window);
        if order > 0 {
            return range;
        }
        let start = waves.fold(0.0, |angle, wave| angle + wave.at(window.start)[0]);
        range.plus(Range::point(-start)).with(0.0)
    }

    fn shift_jerk(&self) -> f64 {
        let jerk = |wave: &VectorWave| wave.rate * wave.rate * wave.rate * wave.reach();
        self.shifts.iter().map(jerk).sum()
    }

    fn rounding(&self, window: Span) -> (f64, f64) {
        let ulps = LAW_ROUNDING_ULPS * f64::EPSILON;
        let shift: f64 =
            self.shifts.iter().map(|wave| rounding(wave.reach(), wave.rate, window)).sum();
        let turn: f64 = self
            .turns
            .iter()
            .map(|wave| rounding(libm::hypot(wave.cos, wave.sin), wave.rate, window))
            .sum();
        (shift + ulps * self.mean_shift.length(), turn + ulps * self.mean_angle.abs())
    }
}

/// Mean and sinusoid of a term; one that does not change in time is all mean.
fn wave_of(term: &Oscillation) -> Result<(f64, Wave), LawError> {
    given("amplitude", term.amplitude)?;
    given("rate", term.rate)?;
    given("phase", term.phase)?;
    given("mean", term.mean)?;
    let (sin, cos) = libm::sincos(term.phase);
    if term.rate == 0.0 {
        return Ok((term.mean + term.amplitude * sin, Wave { rate: 0.0, cos: 0.0, sin: 0.0 }));
    }
    let ahead = term.amplitude * cos * 1.0_f64.copysign(term.rate);
    Ok((term.mean, Wave { rate: term.rate.abs(), cos: term.amplitude * sin, sin: ahead }))
}

fn direction_of(axis: DVec3, term: usize) -> Result<DVec3, LawError> {
    given_vector("axis", axis)?;
    axis.try_normalize().ok_or(LawError::NoDirection { term })
}

fn same_line(one: (DVec3, DVec3), other: (DVec3, DVec3)) -> bool {
    let (axis, pivot) = one;
    let apart = axis.cross(other.1 - pivot).length();
    axis.cross(other.0).length() <= SAME_AXIS
        && apart <= SAME_AXIS * (pivot.length() + other.1.length())
}

fn join(waves: &mut Vec<Wave>, wave: Wave) {
    if wave.rate == 0.0 {
        return;
    }
    if let Some(same) = waves.iter_mut().find(|other| other.rate == wave.rate) {
        same.cos += wave.cos;
        same.sin += wave.sin;
    } else {
        waves.push(wave);
    }
}

fn join_vector(waves: &mut Vec<VectorWave>, wave: Wave, axis: DVec3) {
    if wave.rate == 0.0 {
        return;
    }
    if let Some(same) = waves.iter_mut().find(|other| other.rate == wave.rate) {
        same.cos += wave.cos * axis;
        same.sin += wave.sin * axis;
    } else {
        waves.push(VectorWave { rate: wave.rate, cos: wave.cos * axis, sin: wave.sin * axis });
    }
}
