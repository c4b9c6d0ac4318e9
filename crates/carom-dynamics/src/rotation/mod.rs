//! Free rotation: the attitude of a body without torque, in closed form at any time.
//!
//! Problem (guide RB-4): I·ω̇ = (I·ω) × ω in principal axes, Ṙ = R·ω̃, given R and ω at one time; wanted at
//! another, without stepping. The angular momentum L = R·I·ω stays, and so does E = ½ω·I·ω.
//!
//! | body | motion | file |
//! |---|---|---|
//! | three equal moments; spin about a principal axis; rest | turns steadily | `symmetric` |
//! | two equal moments | spins about its axis while that turns about L | `symmetric` |
//! | three different moments | theta functions of time | `asymmetric` |
//!
//! **Accuracy.** A result is the exact motion of a body whose rates differ from the given ones by a few units
//! in the last place; angles are therefore good to about ε·(1 + |ω|τ), energy and momentum to a few ε after any
//! time. Near the *separatrix* (motion from and to a spin about the middle axis) the motion itself is unstable:
//! neighbouring motions part like e^(σt),
//!
//! ```text
//! σ = √((I₂−I₁)(I₃−I₂)/(I₁I₃))·|L|/I₂
//! ```
//!
//! until one of them has turned over, after which they stay apart in proportion to the number of turns. So what
//! can be promised, and is tested, is an error of at most
//!
//! ```text
//! ROTATION_ULPS·ε·(1 + |ω|τ)·min(e^(σ|τ|), 1/k'²)   `[rad]`
//! ```
//!
//! where 1/k'² is 1 far from the separatrix and infinite on it. All results of one motion belong to the *same* exact motion,
//! though: from any of them on, the others are where that motion goes to ROTATION_ULPS·ε·(1 + |ω|τ), without the growth.

mod asymmetric;
mod rates;
mod symmetric;

use glam::{DQuat, DVec3};

use crate::Mass;
use crate::tolerances::{ROTATION_ULPS, STEADY_SHARE};
use asymmetric::Asymmetric;
use symmetric::Symmetric;

pub(crate) use rates::RotationRates;

/// Torque-free rotation of one body from a given attitude and angular velocity.
///
/// Two bodies or two times never influence each other: [`Self::at`] is a pure read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreeRotation {
    orientation: DQuat,
    angular_velocity: DVec3,
    angular_acceleration: DVec3,
    rates: RotationRates,
    law: Law,
}

/// Attitude and its rates at one time, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Attitude {
    pub(crate) orientation: DQuat,
    pub(crate) angular_velocity: DVec3,
    pub(crate) angular_acceleration: DVec3,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Law {
    Rest,
    Symmetric(Symmetric),
    Asymmetric(Asymmetric),
}

impl FreeRotation {
    /// The rotation that has this attitude and this angular velocity (world axes `[rad/s]`) at time zero.
    ///
    /// Moments must be positive and ascending, as [`Mass`] has them. Numbers that are not finite make every
    /// later answer NaN.
    pub fn new(mass: &Mass, orientation: DQuat, angular_velocity: DVec3) -> Self {
        let unit = with_unit_length(orientation);
        let start = Start::new(mass, unit, angular_velocity);
        let (law, rates) = if angular_velocity == DVec3::ZERO {
            (Law::Rest, RotationRates::REST)
        } else if start.is_steady() {
            let law = Symmetric::steady(unit, angular_velocity);
            (Law::Symmetric(law), law.rates(angular_velocity))
        } else if let Some(axis) = start.symmetry_axis() {
            let law = Symmetric::new(mass, unit, angular_velocity, axis);
            (Law::Symmetric(law), law.rates(angular_velocity))
        } else {
            let (law, rates) = Asymmetric::new(&start, mass);
            (Law::Asymmetric(law), rates)
        };
        let angular_acceleration = match law {
            Law::Rest => DVec3::ZERO,
            Law::Symmetric(law) => law.at(0.0).angular_acceleration,
            Law::Asymmetric(law) => law.at(0.0).angular_acceleration,
        };
        Self { orientation, angular_velocity, angular_acceleration, rates, law }
    }

    /// Unit quaternion that turns body axes into world axes, and angular velocity in world axes `[rad/s]`, at
    /// `tau` seconds after the start; negative times are before it.
    ///
    /// At zero these are the given numbers, to the bit.
    pub fn at(&self, tau: f64) -> (DQuat, DVec3) {
        let Attitude { orientation, angular_velocity, .. } = self.attitude_at(tau);
        (orientation, angular_velocity)
    }

    /// True unless the body is at rest.
    pub const fn rotates(&self) -> bool {
        !matches!(self.law, Law::Rest)
    }

    /// Largest |ω| of the whole motion, rounded up `[rad/s]`.
    pub const fn omega_max(&self) -> f64 {
        self.rates.spin
    }

    /// How far the computed attitude may be from the exact one at any time up to `tau` from the start `[rad]`.
    pub fn rounding(&self, tau: f64) -> f64 {
        if self.rotates() { self.local_rounding(tau) * self.rates.growth(tau) } else { 0.0 }
    }

    /// How far computed attitudes at times up to `tau` may be from one exact motion that goes through all of them `[rad]`.
    ///
    /// That motion may leave the one that was asked for, as neighbours do near the separatrix: then this is much less than
    /// [`Self::rounding`]. It is what a bound needs that starts from a computed attitude.
    pub fn local_rounding(&self, tau: f64) -> f64 {
        if self.rotates() {
            ROTATION_ULPS * f64::EPSILON * (1.0 + self.rates.spin * tau.abs())
        } else {
            0.0
        }
    }

    /// Bounds that hold at all times.
    pub(crate) const fn rates(&self) -> &RotationRates {
        &self.rates
    }

    pub(crate) fn attitude_at(&self, tau: f64) -> Attitude {
        match &self.law {
            Law::Symmetric(law) if tau != 0.0 => law.at(tau),
            Law::Asymmetric(law) if tau != 0.0 => law.at(tau),
            _ => Attitude {
                orientation: self.orientation,
                angular_velocity: self.angular_velocity,
                angular_acceleration: self.angular_acceleration,
            },
        }
    }
}

/// The initial state in principal axes, scaled so that no square over- or underflows.
#[derive(Clone, Copy, Debug)]
struct Start {
    world_from_principal: DQuat,
    /// Direction of the angular momentum, in principal axes.
    momentum: DVec3,
    /// |L|/I₂ `[rad/s]`.
    rate: f64,
    /// I/I₂. Rates are divided by it as they were multiplied: a rounded inverse would add a bias at every restart.
    ratios: DVec3,
}

impl Start {
    fn new(mass: &Mass, orientation: DQuat, angular_velocity: DVec3) -> Self {
        let world_from_principal = with_unit_length(orientation * mass.body_from_principal);
        let largest = angular_velocity.abs().max_element();
        let rates = turned(world_from_principal.conjugate(), angular_velocity / largest);
        let ratios = mass.moments / mass.moments.y;
        let relative = rates * ratios;
        let length = relative.length();
        Self { world_from_principal, momentum: relative / length, rate: length * largest, ratios }
    }

    /// True when the momentum lies along a principal axis or all moments are equal.
    fn is_steady(&self) -> bool {
        let size = self.momentum.abs();
        let across = size.x.max(size.y).min(size.y.max(size.z)).min(size.z.max(size.x));
        across < STEADY_SHARE || (self.ratios.x == 1.0 && self.ratios.z == 1.0)
    }

    /// The axis whose moment is not shared, where two moments are equal.
    fn symmetry_axis(&self) -> Option<usize> {
        if self.ratios.z == 1.0 {
            Some(0)
        } else if self.ratios.x == 1.0 {
            Some(2)
        } else {
            None
        }
    }
}

/// Scaled to unit length.
fn with_unit_length(q: DQuat) -> DQuat {
    let length = q.length();
    if length > 0.0 { polished(q / length) } else { q }
}

/// The nearest unit quaternion to one that is unit to rounding.
///
/// |q|² − 1 is summed from its largest term, (c − 1)(c + 1), because the length itself rounds to 1 from an
/// interval that is twice as long above 1 as below: a bias of a quarter unit, which every restart would add to
/// the angular momentum.
fn polished(q: DQuat) -> DQuat {
    q - q * (0.5 * excess(q))
}

/// |q|² − 1 of a quaternion that is unit to rounding.
fn excess(q: DQuat) -> f64 {
    let sizes = q.to_array().map(f64::abs);
    let mut first = 0;
    for i in 1..4 {
        if sizes[i] > sizes[first] {
            first = i;
        }
    }
    let [a, b, c] = [sizes[first ^ 1], sizes[first ^ 2], sizes[first ^ 3]];
    (sizes[first] - 1.0) * (sizes[first] + 1.0) + (a * a + b * b + c * c)
}

/// v turned by a quaternion that is unit to rounding, without the change of length that rounding makes.
fn turned(q: DQuat, v: DVec3) -> DVec3 {
    let w = q * v;
    w - w * excess(q)
}

#[cfg(test)]
mod tests;
