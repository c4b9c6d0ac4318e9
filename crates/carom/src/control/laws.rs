//! Laws that know one freedom: PD, PID and velocity PD (equations in the module's table).
//!
//! Sums are those of the samples, Σ e·T with the error e at the beginning of each period, as a computer in a robot has them. A sum
//! stands still over a period in which the motor was at its limit and the error would have driven it further.

use super::servo::{Law, Moment};
use super::{Aim, Seen};

/// Gains of a PD controller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PdGains {
    /// k_p `[N·m/rad or N/m]`.
    pub position: f64,
    /// k_v `[N·m·s/rad or N·s/m]`.
    pub velocity: f64,
}

/// Gains of a PID controller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PidGains {
    /// k_p `[N·m/rad or N/m]`.
    pub position: f64,
    /// k_v `[N·m·s/rad or N·s/m]`.
    pub velocity: f64,
    /// k_i `[N·m/(rad·s) or N/(m·s)]`.
    pub integral: f64,
}

/// Gains of a controller of velocity; its target's position is the velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VelocityGains {
    /// k_v `[N·m·s/rad or N·s/m]`.
    pub velocity: f64,
    /// k_p, on the way that is missing since the first tick; zero to let it go `[N·m/rad or N/m]`.
    pub position: f64,
}

impl Law for PdGains {
    const MEMORY: usize = 0;
    const KIND: u8 = 1;

    fn asked(&self, aim: &Aim, seen: &Seen, _: &[f64]) -> f64 {
        self.position * (aim.position - seen.position)
            + self.velocity * (aim.velocity - seen.velocity)
    }

    fn remember(&self, _: &Moment, _: &mut [f64]) {}

    fn begin(&self, _: &Seen, _: &mut [f64]) {}

    fn gains(&self) -> Vec<f64> {
        vec![self.position, self.velocity]
    }

    fn from_gains(gains: &[f64]) -> Option<Self> {
        let [position, velocity] = *gains else { return None };
        Some(Self { position, velocity })
    }
}

impl Law for PidGains {
    /// Σ e·T.
    const MEMORY: usize = 1;
    const KIND: u8 = 2;

    fn asked(&self, aim: &Aim, seen: &Seen, memory: &[f64]) -> f64 {
        self.position * (aim.position - seen.position)
            + self.velocity * (aim.velocity - seen.velocity)
            + self.integral * memory[0]
    }

    fn remember(&self, moment: &Moment, memory: &mut [f64]) {
        let error = moment.aim.position - moment.seen.position;
        if self.integral * error * moment.saturated <= 0.0 {
            memory[0] += error * moment.period;
        }
    }

    fn begin(&self, _: &Seen, memory: &mut [f64]) {
        memory[0] = 0.0;
    }

    fn gains(&self) -> Vec<f64> {
        vec![self.position, self.velocity, self.integral]
    }

    fn from_gains(gains: &[f64]) -> Option<Self> {
        let [position, velocity, integral] = *gains else { return None };
        Some(Self { position, velocity, integral })
    }
}

impl Law for VelocityGains {
    /// Where the joint should be: its position at the first tick plus Σ v*·T.
    const MEMORY: usize = 1;
    const KIND: u8 = 3;
    const AIMS_AT_RATES: bool = true;

    fn asked(&self, aim: &Aim, seen: &Seen, memory: &[f64]) -> f64 {
        self.velocity * (aim.position - seen.velocity) + self.position * (memory[0] - seen.position)
    }

    fn remember(&self, moment: &Moment, memory: &mut [f64]) {
        let missing = moment.aim.position - moment.seen.velocity;
        if moment.saturated * missing <= 0.0 {
            memory[0] += moment.aim.position * moment.period;
        } else {
            // What the motor cannot follow is not asked for again later.
            memory[0] += moment.seen.velocity * moment.period;
        }
    }

    fn begin(&self, seen: &Seen, memory: &mut [f64]) {
        memory[0] = seen.position;
    }

    fn gains(&self) -> Vec<f64> {
        vec![self.velocity, self.position]
    }

    fn from_gains(gains: &[f64]) -> Option<Self> {
        let [velocity, position] = *gains else { return None };
        Some(Self { velocity, position })
    }
}
