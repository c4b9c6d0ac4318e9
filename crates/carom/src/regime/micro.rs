//! Which collisions are slow, and what they are asked to do: microcollisions (thesis 3.5, guide MC-2).
//!
//! A body that comes to rest collides ever more softly and ever more often; left alone, the collisions would follow one
//! another without time passing. The envelope ε_c puts an end to that: a collision slower than a fall through it,
//!
//! ```text
//! v_μ = √(2aε_c)   (M 3.18)
//! ```
//!
//! with a the larger of gravity and the acceleration that presses the bodies together, is *slow*. Deviations from the
//! thesis, where every slow collision is answered by a coefficient of restitution that grows with the depth in the envelope:
//!
//! - Every touch is a true one, so there is no depth. A slow collision is micro only as part of a *train*: when the pair
//!   has collided within the last few falls through the envelope, √(2ε_c/a). A slow collision by itself is an ordinary one.
//! - The answer is the impulse that reverses the velocity, where that lies in the friction cone, else one that turns a part
//!   of the sliding back, else a collision that runs on to a rebound at v_μ. So no boost lifts a body by more than about the
//!   envelope, whereas Stronge's law with a coefficient of 5 gives rebounds over a range of 30. A reversal leaves as fast as
//!   it came, so never slower than e times that; what slides into a corner may by Stronge's law leave faster still. What looks
//!   the same to all tangents, such as a ball, rolls: it leaves with no slip in the mean over its flight.
//! - Two free bodies fall alike, and gravity presses them only if a third holds one of them up: those that meet in free
//!   fall make no train.
//! - Where bodies are pressed together and a collision can lose energy, by restitution or by friction, no collision ends slower than a share of v_μ. Without
//!   this floor, a body whose coefficient of restitution is small collides without end while it settles. Those that rock
//!   from corner to corner in a hurry get more. Bodies that are put down in contact without any speed get the floor even if
//!   they bounce perfectly: they would collide without end where they are, so this is the one boost at e = 1 and μ = 0.
//!
//! All that this adds is booked as boost.

use super::Microcollisions;
use crate::material::Surface;
use crate::tolerances::{
    DISTURBED, HURRIED_FALLS, HURRIED_REBOUND, LEAST_REBOUND, LIVELY_RESTITUTION,
    PLAIN_RESTITUTION, RETURNING_GAPS, TRAIN_FALLS,
};

/// What decides how a collision is answered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Approach {
    /// At which the bodies close; 0 for bodies that are in contact without closing `[m/s]`.
    pub(crate) speed: f64,
    pub(crate) surface: Surface,
    /// Of the pair `[m]`.
    pub(crate) envelope: f64,
    /// `[m/s²]`
    pub(crate) gravity: f64,
    /// With which gravity and driven bodies press the pair together `[m/s²]`.
    pub(crate) driven: f64,
    /// With which the gap closes, turning of the bodies included `[m/s²]`.
    pub(crate) pressing: f64,
    /// At which the touch was found `[m]`.
    pub(crate) gap: f64,
    /// Since the last collision of the pair `[s]`.
    pub(crate) since_last: f64,
    /// Since one of the two last collided with a third body `[s]`.
    pub(crate) since_others: f64,
    /// True when the pair has collided so often at this instant that it shall hop no more.
    pub(crate) is_late: bool,
}

/// How a collision is to be answered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Manner {
    /// True for a microcollision.
    pub(crate) micro: bool,
    /// True where the thesis's rule holds as it stands: a microcollision is reversed as a whole or not at all.
    pub(crate) by_the_letter: bool,
    /// The coefficient of restitution.
    pub(crate) restitution: f64,
    /// The least speed at which a reversal may leave, and any other answer `[m/s]`.
    pub(crate) least_reversed: f64,
    pub(crate) least_rebound: f64,
    /// Collisions of the pair that are no farther apart are one train `[s]`.
    pub(crate) train: f64,
    /// True when bodies at rest are so no longer.
    pub(crate) disturbs: bool,
    /// How long an ideal train of bounces would still last, where this collision is one of its end `[s]`.
    pub(crate) settles_after: Option<f64>,
}

impl Approach {
    /// How it is to be answered.
    pub(crate) fn manner(&self, rule: Microcollisions) -> Manner {
        let acceleration = self.gravity.max(self.pressing);
        let ordinary = Manner {
            micro: false,
            by_the_letter: false,
            restitution: self.surface.restitution,
            least_reversed: 0.0,
            least_rebound: 0.0,
            train: 0.0,
            disturbs: true,
            settles_after: None,
        };
        if acceleration <= 0.0 || rule == Microcollisions::Off || self.is_late {
            return ordinary;
        }
        let slow_speed = (2.0 * acceleration * self.envelope).sqrt();
        let train = TRAIN_FALLS * slow_speed / acceleration;
        let ordinary = Manner { train, disturbs: self.speed > DISTURBED * slow_speed, ..ordinary };
        match rule {
            Microcollisions::Plain if self.is_slow_by_gravity() => Manner {
                micro: true,
                by_the_letter: true,
                restitution: self.boosted(),
                settles_after: Some(self.ideal_rest(acceleration)),
                ..ordinary
            },
            Microcollisions::Plain | Microcollisions::Off => ordinary,
            Microcollisions::Trains => self.in_trains(slow_speed, ordinary),
        }
    }

    /// The thesis's rule: slower than a fall through the envelope (M 3.18).
    fn is_slow_by_gravity(&self) -> bool {
        self.speed < (2.0 * self.gravity * self.envelope).sqrt()
    }

    /// e(δ) = e + (e_max − e)(δ/ε_c)², δ = ε_c − d (guide MC-2).
    fn boosted(&self) -> f64 {
        let e = self.surface.restitution;
        let depth = (1.0 - self.gap / self.envelope).clamp(0.0, 1.0);
        e + (PLAIN_RESTITUTION - e) * depth * depth
    }

    fn in_trains(&self, slow_speed: f64, ordinary: Manner) -> Manner {
        let Surface { friction, restitution, .. } = self.surface;
        // Two free bodies fall alike: gravity presses them only if something else holds one of them up.
        let is_held = self.gravity > 0.0 && self.since_others <= ordinary.train;
        let is_forced = self.driven > 0.0 || is_held;
        let in_train = is_forced && self.since_last <= ordinary.train;
        // What leaves at v_μ from one gap comes back to another, up to four times as wide.
        let acceleration = self.gravity.max(self.pressing);
        let returning = slow_speed * slow_speed + RETURNING_GAPS * acceleration * self.gap.max(0.0);
        let slow = self.speed * self.speed < returning;
        let pressed = self.pressing > 0.0 || is_held && slow;
        let loses = restitution < 1.0 || friction > 0.0;
        // Who is put down at rest hops like who has come to rest.
        let floor =
            if pressed && (loses || self.speed == 0.0) { LEAST_REBOUND * slow_speed } else { 0.0 };
        if !(slow && in_train && loses) {
            return Manner { least_rebound: floor, ..ordinary };
        }
        // Bodies that rock from corner to corner at the least speed would do so for ever; those that bounce leave it.
        let hurried = floor > 0.0 && self.since_last < HURRIED_FALLS * slow_speed / acceleration;
        let lossy = ((1.0 - restitution) / (1.0 - LIVELY_RESTITUTION)).clamp(0.0, 1.0);
        let haste = lossy * (HURRIED_REBOUND - LEAST_REBOUND);
        Manner {
            micro: true,
            least_reversed: if hurried { floor + haste * slow_speed } else { floor },
            least_rebound: slow_speed,
            settles_after: Some(self.ideal_rest(acceleration)),
            ..ordinary
        }
    }

    /// How long bounces last that each leave with e times the speed of the one before: Σ 2eⁿu/a = 2eu/(a(1 − e)) `[s]`.
    fn ideal_rest(&self, acceleration: f64) -> f64 {
        let e = self.surface.restitution;
        if e < 1.0 { 2.0 * e * self.speed / (acceleration * (1.0 - e)) } else { 0.0 }
    }
}
