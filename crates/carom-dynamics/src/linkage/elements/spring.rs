//! Springs with dampers along the line between two points; ropes.
//!
//! With the length l, the elongation x = l − l₀ and the unit vector n from one end to the other,
//!
//! ```text
//! tension = k·x + c·ẋ,      force on `on` = −tension·n,      energy ½k·x²,      loss c·ẋ²             (1)
//! ```
//!
//! **Ends that meet.** n has no limit at l = 0. Where l₀ = 0 the force −k·d does not need it. Otherwise ends that pass
//! through each other are pushed by ±k·l₀ before and after; the force there is the mean, zero. The damper acts along n·nᵀ, which is
//! the same before and after for ends that pass on a straight line, and that is what it is at l = 0.
//!
//! **Ropes** only pull: the tension is that of (1) where x > 0 and it is positive, else zero. Without damping it
//! has a kink at x = 0, with damping it jumps to c·ẋ where a rope becomes taut. Nothing looks for these times: the error of a
//! segment across a kink is seen by its defect, so that steps shorten until what the kink adds is within the tolerance.

use super::end::{Damper, Ends, Line};
use crate::spatial::ForceVector;

/// A spring with a damper along the line between two points (1).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spring {
    /// k `[N/m]`.
    pub stiffness: f64,
    /// l₀ `[m]`.
    pub rest: f64,
    /// c `[N·s/m]`.
    pub damping: f64,
    /// A rope: it acts where it is longer than its rest, and never pushes.
    pub pulls_only: bool,
}

impl Spring {
    pub(super) fn act(&self, ends: &Ends, damp: &mut impl FnMut(Damper)) -> ForceVector {
        let line = Line::of(ends);
        let elongation = line.length - self.rest;
        let tension = self.stiffness * elongation;
        if self.is_slack(elongation, tension + self.damping * line.rate) {
            return ForceVector::ZERO;
        }
        if self.damping > 0.0 {
            damp(line.damper(self.damping));
        }
        line.pull(tension)
    }

    pub(super) fn energy(&self, ends: &Ends) -> f64 {
        let elongation = ends.arm().length() - self.rest;
        if self.pulls_only && elongation <= 0.0 {
            return 0.0;
        }
        0.5 * self.stiffness * elongation * elongation
    }

    fn is_slack(&self, elongation: f64, tension: f64) -> bool {
        // Written so that a length that is not a number is not slack, and so refused.
        self.pulls_only && (elongation <= 0.0 || tension <= 0.0)
    }
}
