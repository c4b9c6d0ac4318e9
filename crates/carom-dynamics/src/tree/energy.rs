//! Energies and momenta, summed over links.

use glam::DVec3;

use super::{Frame, Scratch, Tree};

/// Momentum of a whole tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Momentum {
    /// Σ m·v `[N·s]`.
    pub linear: DVec3,
    /// About the origin of the world `[N·m·s]`.
    pub angular: DVec3,
}

impl Scratch {
    /// ½·Σ (ω·J·ω + 2·v·(ω×h) + m·v²) of the state placed last `[J]`.
    pub fn kinetic_energy(&self) -> f64 {
        self.frames
            .iter()
            .map(|frame| 0.5 * frame.inertia.times(frame.velocity).dot(frame.velocity))
            .sum()
    }

    /// −Σ m·g·x, zero with all mass at the height of the world's origin `[J]`.
    pub fn potential_energy(&self, gravity: DVec3) -> f64 {
        let moment = |frame: &Frame| frame.inertia.mass * frame.origin + frame.inertia.first_moment;
        -self.frames.iter().map(|frame| gravity.dot(moment(frame))).sum::<f64>()
    }

    /// Linear momentum, and angular momentum about the origin of the world.
    pub fn momentum(&self) -> Momentum {
        let zero = Momentum { linear: DVec3::ZERO, angular: DVec3::ZERO };
        self.frames.iter().fold(zero, |sum, frame| {
            let momentum = frame.inertia.times(frame.velocity).carried(frame.origin);
            Momentum {
                linear: sum.linear + momentum.linear,
                angular: sum.angular + momentum.angular,
            }
        })
    }
}

impl Tree {
    /// Mass of all links `[kg]`.
    pub fn mass(&self) -> f64 {
        self.links.iter().map(|link| link.inertia_body.mass).sum()
    }
}
