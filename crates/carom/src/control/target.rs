//! What a controller aims at, as a function of time.
//!
//! A target gives a position with its first two derivatives, so that laws can feed them forward. Between waypoints it follows
//! the cubic of Hermite through their positions and rates: with s = (t − t₀)/h from 0 to 1
//!
//! ```text
//! p(s) = p₀ + h·r₀·s + (3·Δ − h·(2r₀ + r₁))·s² + (h·(r₀ + r₁) − 2·Δ)·s³,   Δ = p₁ − p₀                  (1)
//! ```
//!
//! whose position and rate are continuous. Before the first and after the last it stands still there.

use crate::snapshot::SnapshotError;
use crate::snapshot::bytes::{Sink, Source};

/// A position with its derivatives `[rad or m, /s, /s²]`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aim {
    /// Where to be.
    pub position: f64,
    /// How fast.
    pub velocity: f64,
    /// And with what acceleration.
    pub acceleration: f64,
}

/// A point in time that a target passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    /// When, in world time `[s]`.
    pub time: f64,
    /// Where `[rad or m]`.
    pub position: f64,
    /// How fast `[rad/s or m/s]`.
    pub velocity: f64,
}

/// What a controller aims at. For controllers of velocity, the positions are velocities.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// Stay here `[rad or m]`.
    Constant(f64),
    /// Swing: middle + amplitude·sin(2π·frequency·t + phase).
    Sine {
        /// About which it swings `[rad or m]`.
        middle: f64,
        /// How far to each side `[rad or m]`.
        amplitude: f64,
        /// Swings in a second `[Hz]`.
        frequency: f64,
        /// At world time 0 `[rad]`.
        phase: f64,
    },
    /// Σ cₖ·(t − start)ᵏ.
    Polynomial {
        /// World time from which it counts `[s]`.
        start: f64,
        /// c₀, c₁, … `[rad or m, /sᵏ]`.
        coefficients: Vec<f64>,
    },
    /// Pass these, at times that grow.
    Waypoints(Vec<Waypoint>),
}

impl Default for Target {
    fn default() -> Self {
        Self::Constant(0.0)
    }
}

impl From<f64> for Target {
    fn from(position: f64) -> Self {
        Self::Constant(position)
    }
}

impl Target {
    /// The aim at a time.
    pub fn at(&self, time: f64) -> Aim {
        match self {
            Self::Constant(position) => Aim { position: *position, ..Aim::default() },
            Self::Sine { middle, amplitude, frequency, phase } => {
                let omega = std::f64::consts::TAU * frequency;
                let (sin, cos) = libm::sincos(omega * time + phase);
                Aim {
                    position: middle + amplitude * sin,
                    velocity: amplitude * omega * cos,
                    acceleration: -amplitude * omega * omega * sin,
                }
            }
            Self::Polynomial { start, coefficients } => polynomial(coefficients, time - start),
            Self::Waypoints(points) => between(points, time),
        }
    }

    /// True when all numbers are finite, and waypoints are there and in order.
    pub fn is_valid(&self) -> bool {
        match self {
            Self::Constant(position) => position.is_finite(),
            Self::Sine { middle, amplitude, frequency, phase } => {
                [middle, amplitude, frequency, phase].into_iter().all(|it| it.is_finite())
            }
            Self::Polynomial { start, coefficients } => {
                start.is_finite() && coefficients.iter().all(|it| it.is_finite())
            }
            Self::Waypoints(points) => {
                let finite = |it: &Waypoint| {
                    it.time.is_finite() && it.position.is_finite() && it.velocity.is_finite()
                };
                !points.is_empty()
                    && points.iter().all(finite)
                    && points.windows(2).all(|pair| pair[0].time < pair[1].time)
            }
        }
    }

    pub(crate) fn write(&self, sink: &mut dyn Sink) {
        match self {
            Self::Constant(position) => {
                sink.u8(0);
                sink.f64(*position);
            }
            Self::Sine { middle, amplitude, frequency, phase } => {
                sink.u8(1);
                for number in [middle, amplitude, frequency, phase] {
                    sink.f64(*number);
                }
            }
            Self::Polynomial { start, coefficients } => {
                sink.u8(2);
                sink.f64(*start);
                sink.u64(coefficients.len() as u64);
                for number in coefficients {
                    sink.f64(*number);
                }
            }
            Self::Waypoints(points) => {
                sink.u8(3);
                sink.u64(points.len() as u64);
                for Waypoint { time, position, velocity } in points {
                    for number in [time, position, velocity] {
                        sink.f64(*number);
                    }
                }
            }
        }
    }

    pub(crate) fn read(source: &mut Source<'_>) -> Result<Self, SnapshotError> {
        let target = match source.u8()? {
            0 => Self::Constant(source.f64()?),
            1 => Self::Sine {
                middle: source.f64()?,
                amplitude: source.f64()?,
                frequency: source.f64()?,
                phase: source.f64()?,
            },
            2 => Self::Polynomial {
                start: source.f64()?,
                coefficients: source.list(8, Source::f64)?,
            },
            3 => Self::Waypoints(source.list(24, |source| {
                Ok(Waypoint {
                    time: source.f64()?,
                    position: source.f64()?,
                    velocity: source.f64()?,
                })
            })?),
            _ => return Err(SnapshotError::wrong("a target is of no kind")),
        };
        if target.is_valid() {
            Ok(target)
        } else {
            Err(SnapshotError::wrong("a target makes no sense"))
        }
    }
}

/// By Horner's scheme, with both derivatives.
fn polynomial(coefficients: &[f64], time: f64) -> Aim {
    let [mut p, mut v, mut a] = [0.0; 3];
    for c in coefficients.iter().rev() {
        a = a * time + 2.0 * v;
        v = v * time + p;
        p = p * time + c;
    }
    Aim { position: p, velocity: v, acceleration: a }
}

/// (1).
fn between(points: &[Waypoint], time: f64) -> Aim {
    let next = points.partition_point(|point| point.time <= time);
    let (Some(to), Some(from)) = (points.get(next), next.checked_sub(1).map(|i| points[i])) else {
        let end = if next == 0 { points.first() } else { points.last() };
        return Aim { position: end.map_or(0.0, |it| it.position), ..Aim::default() };
    };
    let h = to.time - from.time;
    let way = to.position - from.position;
    let (r0, r1) = (h * from.velocity, h * to.velocity);
    let course = polynomial(
        &[from.position, r0, 3.0 * way - (2.0 * r0 + r1), r0 + r1 - 2.0 * way],
        (time - from.time) / h,
    );
    Aim {
        position: course.position,
        velocity: course.velocity / h,
        acceleration: course.acceleration / (h * h),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds() -> Vec<Target> {
        vec![
            Target::Constant(0.3),
            Target::Sine { middle: 0.1, amplitude: 0.5, frequency: 0.7, phase: 0.2 },
            Target::Polynomial { start: 0.5, coefficients: vec![1.0, -2.0, 0.5, 0.25] },
            Target::Waypoints(vec![
                Waypoint { time: 0.0, position: 0.0, velocity: 0.0 },
                Waypoint { time: 1.0, position: 2.0, velocity: 1.0 },
                Waypoint { time: 3.0, position: -1.0, velocity: 0.0 },
            ]),
        ]
    }

    /// Truncation of a central difference over 2·10⁻⁵ s, and its rounding.
    const DIFFERENCE: f64 = 1e-8;

    #[test]
    fn rates_of_targets_are_derivatives_of_their_positions() {
        for target in kinds() {
            for i in 1..40 {
                let (t, h) = (0.1 * f64::from(i) + 0.013, 1e-5);
                let [before, at, after] = [t - h, t, t + h].map(|t| target.at(t));
                let v = (after.position - before.position) / (2.0 * h);
                let a = (after.velocity - before.velocity) / (2.0 * h);
                assert!((v - at.velocity).abs() < DIFFERENCE, "{target:?} {t}: {v} {at:?}");
                assert!((a - at.acceleration).abs() < DIFFERENCE, "{target:?} {t}: {a} {at:?}");
            }
        }
    }

    #[test]
    fn waypoints_are_passed_and_held_at_the_ends() {
        let target = &kinds()[3];
        assert_eq!(target.at(1.0), Aim { position: 2.0, velocity: 1.0, acceleration: -6.5 });
        assert_eq!(target.at(-1.0), Aim::default());
        assert_eq!(target.at(5.0).position, -1.0);
    }

    #[test]
    fn a_target_is_the_same_after_it_was_written_and_read() {
        for target in kinds() {
            let mut bytes = Vec::new();
            target.write(&mut bytes);
            assert_eq!(Target::read(&mut Source::new(&bytes)), Ok(target));
        }
        for bad in [Target::Constant(f64::NAN), Target::Waypoints(Vec::new())] {
            let mut bytes = Vec::new();
            bad.write(&mut bytes);
            assert!(!bad.is_valid() && Target::read(&mut Source::new(&bytes)).is_err());
        }
    }
}
