//! What a motor can give.
//!
//! A direct-current motor at its full voltage gives its stall torque Q_s at rest, and less in proportion to its speed, down to
//! nothing at the no-load speed v₀, where the voltage it induces is that of the supply:
//!
//! ```text
//! Q ≤ Q_s·(1 − v/v₀) while it drives (v > 0), Q ≤ Q_s while it brakes                                     (1)
//! ```
//!
//! and the same with both signs turned. Beyond the no-load speed it drives no more. The curve is taken at the tick, with the
//! speed that the joint has then: the force is held until the next.

use crate::snapshot::SnapshotError;
use crate::snapshot::bytes::{Sink, Source};

/// The limits of a motor; by default there are none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    effort: f64,
    no_load_speed: f64,
}

impl Default for Motor {
    fn default() -> Self {
        Self { effort: f64::INFINITY, no_load_speed: f64::INFINITY }
    }
}

impl Motor {
    /// A motor that gives at most this, at any speed; what is not a positive number is no motor `[N·m or N]`.
    pub fn limited(effort: f64) -> Self {
        Self { effort: positive(effort), ..Self::default() }
    }

    /// Gives the less the faster it turns, and nothing beyond this speed `[rad/s or m/s]`.
    #[must_use]
    pub fn no_load_speed(mut self, speed: f64) -> Self {
        self.no_load_speed = positive(speed);
        self
    }

    /// The largest force `[N·m or N]`.
    pub const fn effort(&self) -> f64 {
        self.effort
    }

    /// (1): the least and the largest force at a speed.
    pub fn range(&self, speed: f64) -> [f64; 2] {
        if self.effort == f64::INFINITY {
            return [f64::NEG_INFINITY, f64::INFINITY];
        }
        let share = |along: f64| {
            let left =
                if self.no_load_speed > 0.0 { 1.0 - along / self.no_load_speed } else { 0.0 };
            left.clamp(0.0, 1.0)
        };
        [-self.effort * share(-speed), self.effort * share(speed)]
    }

    /// What it gives of what is asked for.
    pub fn given(&self, asked: f64, speed: f64) -> f64 {
        let [least, most] = self.range(speed);
        asked.max(least).min(most)
    }

    pub(crate) fn write(&self, sink: &mut dyn Sink) {
        sink.f64(self.effort);
        sink.f64(self.no_load_speed);
    }

    pub(crate) fn read(source: &mut Source<'_>) -> Result<Self, SnapshotError> {
        let (effort, no_load_speed) = (source.f64()?, source.f64()?);
        if effort >= 0.0 && no_load_speed >= 0.0 {
            Ok(Self { effort, no_load_speed })
        } else {
            Err(SnapshotError::wrong("a motor has no limits"))
        }
    }
}

fn positive(value: f64) -> f64 {
    if value > 0.0 { value } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_motor_drives_the_less_the_faster_it_is_and_brakes_fully() {
        let motor = Motor::limited(8.0).no_load_speed(4.0);
        assert_eq!(motor.given(100.0, 0.0), 8.0);
        assert_eq!(motor.given(100.0, 1.0), 6.0);
        assert_eq!(motor.given(100.0, 5.0), 0.0);
        assert_eq!(motor.given(-100.0, 1.0), -8.0);
        assert_eq!(motor.given(-100.0, -3.0), -2.0);
        assert_eq!(motor.given(1.5, 2.0), 1.5);
        assert_eq!(Motor::default().given(1e9, 1e9), 1e9);
        assert_eq!(Motor::limited(-1.0).given(5.0, 0.0), 0.0);
    }
}
