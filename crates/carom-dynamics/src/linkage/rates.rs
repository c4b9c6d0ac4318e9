//! Bounds on the rates of links, carried outward through a chain.
//!
//! Let W, A, J bound |ω|, |α|, |α̇| of a link over a window and K the third derivative of its origin; with index p those of its
//! parent, and m, l those of the joint between them (`joint_rates.rs`). A vector x that the parent carries is R_p·x in the world,
//! and |R'| ≤ W_p, |R''| ≤ A_p + W_p², |R'''| ≤ J_p + 3A_pW_p + W_p³. By Leibniz, for the joint's ω and for the arm between both
//! origins, of length up to l₀ = |arm| + η·l₁,
//!
//! ```text
//! J = J_p + (A_p + W_p²)·m₁ + 2W_p·m₂ + m₃                                                        (1)
//! A = min(A_p + W_p·m₁ + m₂,  |α_c| + η·J)                                                        (2)
//! W = min(W_p + m₁,  max over both ends |ω_c + τ·α_c| + ½η²·J)                                    (3)
//! K = K_p + (J_p + 3A_pW_p + W_p³)·l₀ + 3(A_p + W_p²)·l₁ + 3W_p·l₂ + l₃                           (4)
//! ```
//!
//! with ω_c and α_c at the moment that is looked at. Without the minima, in which the link's own motion replaces the sum over
//! its ancestors, boxes at the end of a chain are 2 to 3 times too large. The centre of mass at c from the origin has
//! K + (J + 3AW + W³)·|c|.
//!
//! **Rounding.** Let δ be how far a computed orientation is from that of exact polynomials. A joint adds the rounding of its
//! angle and, in half units u of a quaternion: sine and cosine 2, their products with stored quaternions 3, these themselves 10,
//! the product with the parent 8; for rotation vectors an exponential 8, two more products 16, the norm 4. Angles are twice
//! quaternions, so that at most 36ε remain (JOINT_TURN_ULPS). An arm is turned by a matrix of entries good to 6u and summed
//! in three products, 12ε of its length (ARM_ULPS). So with e the error of an origin
//!
//! ```text
//! δ = δ_p + rounding of the angle + 48ε,    e = e_p + (δ + 16ε)·l₀ + rounding of the length + 2ε|x|      (5)
//! ```
//!
//! Velocities and accelerations are sums of products of at most three such vectors: each is off by ρ = 4δ + 64ε of the
//! sum of the sizes of its terms, without cancellation, and by e times what arms are multiplied with. Bounds multiply them
//! by h and h², which is added to the roundings of place and orientation.

use carom_geometry::Pose;
use glam::DVec3;

use super::joint_rates::JointRates;
use super::window::Moment;
use crate::tolerances::{ARM_ULPS, JOINT_TURN_ULPS, RATE_ROUNDING_ULPS};
use crate::tree::Carried;
use crate::{BodyState, Kinematics, RateBounds};

/// Bounds of one link over a window.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rates {
    /// W, A, J.
    spin: f64,
    turn: f64,
    twist: f64,
    /// K of the origin of the link frame `[m/s³]`.
    jerk: f64,
    /// δ `[rad]`.
    tilt: f64,
    /// e `[m]`.
    shift: f64,
    sizes: Sizes,
    /// How many joints there are between the link and the world.
    joints: f64,
}

/// Sums of the sizes of all that velocities and accelerations are made of.
#[derive(Clone, Copy, Debug, Default)]
struct Sizes {
    spin: f64,
    turn: f64,
    speed: f64,
    push: f64,
}

impl Sizes {
    /// Of α×r + ω×(ω×r) for a unit vector r.
    fn swing(&self) -> f64 {
        self.turn + self.spin * self.spin
    }

    fn carried(&self, joint: &JointRates, arm: f64) -> Self {
        let ([turning, twisting], [sliding, pushing]) = (joint.turn_size, joint.slide_size);
        Self {
            spin: self.spin + turning,
            turn: self.turn + self.spin * turning + twisting,
            speed: self.speed + self.spin * arm + sliding,
            push: self.push + self.swing() * arm + 2.0 * self.spin * sliding + pushing,
        }
    }
}

impl Rates {
    /// Those of a link on this parent; the default is the world.
    pub(super) fn carried(&self, joint: &JointRates, link: &Carried, at: &Moment) -> Self {
        let eta = at.farthest();
        let (w, a) = (self.spin, self.turn);
        let ([m1, m2, m3], [l1, l2, l3]) = (joint.turn, joint.slide);
        let arm = link.arm().length() + eta * l1;
        let sizes = self.sizes.carried(joint, arm);
        let tilt = self.tilt + joint.turn_rounding + JOINT_TURN_ULPS * f64::EPSILON;
        let share = relative_rounding(tilt);
        let (omega, alpha) = (link.angular_velocity(), link.angular_acceleration());
        let ends = [at.back, at.ahead].map(|tau| (omega + tau * alpha).length());
        let twist = self.twist + (a + w * w) * m1 + 2.0 * w * m2 + m3;
        let turn = alpha.length() + eta * twist + share * sizes.swing();
        let spin = ends[0].max(ends[1])
            + 0.5 * eta * eta * twist
            + share * (sizes.spin + eta * sizes.swing());
        Self {
            spin: spin.min(w + m1),
            turn: turn.min(a + w * m1 + m2),
            twist,
            jerk: self.jerk + self.vector_jerk() * arm + 3.0 * (a + w * w) * l1 + 3.0 * w * l2 + l3,
            tilt,
            shift: self.shift
                + (tilt + ARM_ULPS * f64::EPSILON) * arm
                + joint.slide_rounding
                + 2.0 * f64::EPSILON * link.origin().length(),
            sizes,
            joints: self.joints + 1.0,
        }
    }

    /// J + 3AW + W³ `[1/s³]`.
    fn vector_jerk(&self) -> f64 {
        self.twist + 3.0 * self.turn * self.spin + self.spin * self.spin * self.spin
    }

    /// Bounds for a point at this distance from the origin, now at `position`, for windows of this length.
    pub(super) fn at_point(&self, radius: f64, position: DVec3, length: f64) -> RateBounds {
        // Sums of positive numbers, some ten roundings for every joint.
        let up = 1.0 + RATE_ROUNDING_ULPS * f64::EPSILON * (1.0 + self.joints);
        let tilt = self.tilt + ARM_ULPS * f64::EPSILON;
        let place = self.shift + tilt * radius + 2.0 * f64::EPSILON * position.length();
        let share = relative_rounding(self.tilt);
        let sizes = &self.sizes;
        let swing = length * (sizes.spin + length * sizes.swing());
        let way = length * (sizes.speed + length * sizes.push) + swing * radius;
        RateBounds {
            spin: self.spin * up,
            angular_acceleration: self.turn * up,
            angular_jerk: self.twist * up,
            jerk: (self.jerk + self.vector_jerk() * radius) * up,
            rounding: place * (1.0 + swing) + share * way,
            angular_rounding: tilt + share * swing,
        }
    }
}

/// ρ.
fn relative_rounding(tilt: f64) -> f64 {
    4.0 * tilt + 64.0 * f64::EPSILON
}

/// A link at a moment, with bounds around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    pub(super) kinematics: Kinematics,
    pub(super) rates: RateBounds,
}

impl Outlook {
    /// Of the world, which does not move.
    pub(super) const STILL: Self = Self {
        kinematics: Kinematics {
            state: BodyState::at_rest(Pose::IDENTITY),
            acceleration: DVec3::ZERO,
            angular_acceleration: DVec3::ZERO,
        },
        rates: RateBounds::STILL,
    };
}
