//! Laws of motion as the engine takes them.

use carom::Law;
use carom_dynamics::law::{LawError, LawSpec, Oscillation, Swing, Waypoint};
use carom_geometry::Pose;

use crate::scene::{MotionSpec, OscillatorTerm};

impl MotionSpec {
    /// The law of a body that starts at this pose at this time `[s]`; none for bodies that are free or fixed.
    ///
    /// # Errors
    /// If there is no such motion.
    pub fn law(&self, world_from_body: &Pose, start: f64) -> Option<Result<Law, LawError>> {
        Some(Law::new(match self {
            Self::Free | Self::Fixed => return None,
            Self::Constant { velocity, angular_velocity } => LawSpec::Constant {
                start,
                world_from_body: *world_from_body,
                velocity: *velocity,
                angular_velocity: *angular_velocity,
            },
            Self::Cycler { center, semi_axis_a, semi_axis_b, rate, phase } => LawSpec::Cycler {
                centre: *center,
                semi_axes: [*semi_axis_a, *semi_axis_b],
                rate: *rate,
                phase: *phase,
                orientation: world_from_body.rotation,
            },
            Self::Oscillator { terms } => LawSpec::Oscillator {
                base: *world_from_body,
                terms: terms.iter().map(oscillation).collect(),
            },
            Self::Waypoints { points, repeat } => {
                let mut points: Vec<Waypoint> = points
                    .iter()
                    .map(|point| Waypoint { time: point.time, pose: point.world_from_body })
                    .collect();
                let mut period = None;
                // The last point of a round is the first of the next.
                if *repeat && points.len() > 1 {
                    let taken = points[points.len() - 1].time - points[0].time;
                    points.pop();
                    period = Some(taken);
                }
                LawSpec::Waypoints { points, period }
            }
        }))
    }

    /// Whether a way that starts anew ends where it begins; a jump is no motion.
    pub(crate) fn closes(&self) -> bool {
        match self {
            Self::Waypoints { points, repeat: true } => {
                points.len() > 1
                    && points.first().map(|point| point.world_from_body)
                        == points.last().map(|point| point.world_from_body)
            }
            _ => true,
        }
    }
}

fn oscillation(term: &OscillatorTerm) -> Oscillation {
    match *term {
        OscillatorTerm::Shift { along, amplitude, rate, phase } => {
            Oscillation { swing: Swing::Along { axis: along }, amplitude, rate, phase, mean: 0.0 }
        }
        OscillatorTerm::Turn { about, pivot, amplitude, rate, phase } => Oscillation {
            swing: Swing::About { axis: about, pivot },
            amplitude,
            rate,
            phase,
            mean: 0.0,
        },
    }
}
