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
//! **Ropes** only pull: they are *taut*, with the tension of (1), where x > 0 and that is positive, and else *slack* without any.
//! Where x = 0 the tension has a kink or, with damping, a jump to c·ẋ. No segment goes across: which ropes are slack is decided at its
//! start and it ends where that changes (`sides.rs`). Where a taut rope stops pulling (tension 0) the force is the same on
//! both sides, and so is where it goes next; where it becomes taut, ẋ > 0 on both sides. So a rope does not chatter.
//! A damped rope that stopped pulling is still stretched; it shortens as its own damper lets it, and what it stored is loss.

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
    /// As if it were taut.
    pub(super) fn act(&self, ends: &Ends, damp: &mut impl FnMut(Damper)) -> ForceVector {
        let line = Line::of(ends);
        if self.damping > 0.0 {
            damp(line.damper(self.damping));
        }
        line.pull(self.stiffness * (line.length - self.rest))
    }

    /// How far a rope is from becoming slack, positive where it is taut: the smaller one of its elongation and of that
    /// which the tension is worth `[m]`.
    pub(super) fn tautness(&self, ends: &Ends) -> f64 {
        let line = Line::of(ends);
        let elongation = line.length - self.rest;
        let tension = self.stiffness * elongation + self.damping * line.rate;
        elongation.min(if self.stiffness > 0.0 { tension / self.stiffness } else { tension })
    }

    pub(super) fn energy(&self, ends: &Ends) -> f64 {
        let elongation = ends.arm().length() - self.rest;
        if self.pulls_only && elongation <= 0.0 {
            return 0.0;
        }
        0.5 * self.stiffness * elongation * elongation
    }
}
