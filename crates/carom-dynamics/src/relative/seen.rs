//! One body as another sees it: where it is, how it moves and how much of that can change.

use glam::{DQuat, DVec3};

use super::jets::Jet;
use super::{RelativeMotion, RelativeRates};
use crate::tolerances::BOUND_ROUNDING_ULPS;

/// Body B at the start of a window, in axes that turn with body A and from A's reference point.
///
/// Derivatives are those an observer on A sees. With c the reference point of B, Q the rotation from B's axes to A's
/// and Ω the relative angular velocity, Q̇ = Ω×Q, and the rates bound c⃛ and Ω̈ throughout the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// c, ċ, c̈ `[m]`, `[m/s]`, `[m/s²]`.
    pub offset: [DVec3; 3],
    /// Q.
    pub a_from_b: DQuat,
    /// Ω `[rad/s]`.
    pub spin: DVec3,
    /// Ω̇ `[rad/s²]`.
    pub spin_rate: DVec3,
    /// Throughout the window.
    pub rates: RelativeRates,
    /// How far computed places at the start and later may be from the motion that begins there, for points at the
    /// reference points `[m]`.
    pub rounding: f64,
    /// The same, per metre of A's and of B's points from their reference points `[rad]`.
    pub angular_rounding: [f64; 2],
}

impl RelativeMotion {
    /// B as A sees it.
    pub fn seen_from_a(&self) -> Seen {
        let (a, b) = (&self.a.kinematics, &self.b.kinematics);
        let a_from_world = a.state.orientation.conjugate();
        let spin = b.state.angular_velocity - a.state.angular_velocity;
        let spin_rate =
            b.angular_acceleration - a.angular_acceleration - a.state.angular_velocity.cross(spin);
        let offset = Jet::of_origin(b).minus(Jet::of_origin(a)).seen_from(a);
        // What bodies that are carried together have left of these is rounding.
        let within = |vector: DVec3, most: f64| vector.clamp_length_max(most);
        let [c, first, second] = offset.0.map(|vector| a_from_world * vector);
        let ulps = BOUND_ROUNDING_ULPS * f64::EPSILON;
        let places = a.state.position.length() + b.state.position.length();
        Seen {
            offset: [
                c,
                within(first, self.rates.velocity),
                within(second, self.rates.acceleration),
            ],
            a_from_b: a_from_world * b.state.orientation,
            spin: within(a_from_world * spin, self.rates.spin),
            spin_rate: within(a_from_world * spin_rate, self.rates.angular_acceleration),
            rates: self.rates,
            rounding: 2.0 * (self.a.rates.rounding + self.b.rates.rounding)
                + f64::EPSILON * places
                + ulps * c.length(),
            angular_rounding: [self.a, self.b]
                .map(|body| 2.0 * body.rates.angular_rounding + 0.5 * ulps),
        }
    }
}
