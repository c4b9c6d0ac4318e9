//! The constraint regime: fast touches are collisions, lasting contact is forces (Baraff's thesis).
//!
//! A touch that closes faster than v_μ = √(2gε_c) and bounces is a collision as under the impulse regime, worked in sequence with all
//! others of the instant; across contacts that last, too, whose held gap counts as none. Any other touch *joins* (`lasting.rs`):
//! what it still closes at is taken in one inelastic impact of all contacts of its group, where the group's next course is made.
//! Where the scene wants simultaneous impacts (guide section 16), every touch joins, and that impact bounces.

use super::effects::{Effects, Spot};
use super::impulse::{self, speed_at};
use super::{Answers, Impacts, Regime, Touch, TouchPoint, Touches};

/// Collisions, and contacts that join.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Constraint;

impl Answers for Constraint {
    fn round(&self, touches: &Touches, effects: &mut Effects<'_>) {
        if effects.world.model.contact.impacts == Impacts::Simultaneous {
            return;
        }
        for touch in touches.all.iter().filter(|touch| touch.regime == Regime::Constraint) {
            let points = &touches.points[touch.indices()];
            if bounces(touch, points, effects) {
                // What does not close fast enough joins.
                impulse::answer(&Touch { due: false, ..*touch }, points, effects);
            }
        }
    }
}

fn bounces(touch: &Touch, points: &[TouchPoint], effects: &Effects<'_>) -> bool {
    let slow = effects.world.slow_speed(touch.bodies);
    effects.world.surface_between(touch.bodies).restitution > 0.0
        && !effects.patience(touch.bodies).is_thin()
        && fastest(touch, points, effects) > slow
}

/// The fastest at which a point of a touch closes; negative where all part `[m/s]`.
pub(crate) fn fastest(touch: &Touch, points: &[TouchPoint], effects: &Effects<'_>) -> f64 {
    let closing = |point: &TouchPoint| speed_at(touch, point, effects).1;
    points.iter().map(closing).fold(f64::NEG_INFINITY, f64::max)
}

/// True of a touch from which lasting contact comes, after all collisions of the instant.
pub(crate) fn joins(touch: &Touch, points: &[TouchPoint], effects: &Effects<'_>) -> bool {
    if touch.regime != Regime::Constraint {
        return false;
    }
    let closing = fastest(touch, points, effects);
    let was_found = touch.found && closing >= -effects.least_parting(touch, points);
    closing > 0.0 || was_found
}

impl Effects<'_> {
    /// What a touch that was found must part with, lest it is found again `[m/s]`.
    fn least_parting(&self, touch: &Touch, points: &[TouchPoint]) -> f64 {
        let hop = |point: &TouchPoint| {
            self.least_hop(&Spot { bodies: touch.bodies, point: point.point, normal: point.normal })
        };
        points.iter().map(hop).fold(0.0, f64::max)
    }
}
