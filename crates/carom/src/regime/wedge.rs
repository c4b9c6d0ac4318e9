//! What is wedged is stopped at once.
//!
//! Collisions one after the other pass an impulse to and fro between two bodies that close in on a third, and each time the heavier one
//! loses about the share m/M of its speed: a part that a door pushes against the edge of a track, along the door, would take a hundred
//! thousand rounds. When a pair has collided so often at one instant that it shall bounce no more (`effects.rs`), all points of
//! the instant are therefore answered together, without bounce and without friction: normal impulses z and rates w of the gaps with
//!
//! ```text
//! w = A·z + u ≥ h,   z ≥ 0,   zᵀ(w − h) = 0,   A_ij = n_iᵀ·K_ij·n_j                                (1)
//! ```
//!
//! where u are the rates before and K_ij is how the relative velocity at point i answers an impulse at point j. A is
//! symmetric and semidefinite, so that w is unique. h is the speed of a hop, a share of that of a fall
//! through the envelope, lest what
//! presses them together has them touch again before any time has passed. Where there is no room for that, between two walls that give
//! way to nothing, h is 0.
//!
//! Impulse i does the work z_i·½(u_i + w_i); where that is positive it is boost. With h = 0 all of them together take energy: zᵀ(u +
//! ½A·z) = −½zᵀA·z. What drives a link against its stop is answered by the linkage, after which (1) is asked again.
//!
//! Without an answer, as between two driven bodies, it goes on one after the other.

use carom_dynamics::complementarity::{Lemke, Outcome, Pivoting, Problem, Solution, Solver};
use glam::DVec3;

use super::effects::{Effects, Spot};
use super::impulse::tell;
use super::{Regime, TouchPoint, Touches};
use crate::contacts::Share;
use crate::tolerances::{ENOUGH_OF_A_REBOUND, LEAST_REBOUND, MOST_WEDGED};

/// A point of contact with what it gets.
struct Row {
    spot: Spot,
    point: TouchPoint,
    before: DVec3,
    /// Of the gap `[m/s]`.
    rate: f64,
    /// h `[m/s]`.
    hop: f64,
    /// Whether something has to come of it.
    due: bool,
}

/// Answers all points of an instant together, if one of its pairs has lost its patience; false if there is no answer.
pub(super) fn stop_at_once(touches: &Touches, effects: &mut Effects<'_>) -> bool {
    let own = || touches.all.iter().filter(|touch| touch.regime == Regime::Impulse);
    let is_over = own().any(|touch| effects.patience(touch.bodies).is_over());
    if !is_over || touches.points.len() > MOST_WEDGED {
        return false;
    }
    let rows = rows(touches, effects);
    let tolerated = effects.rounded_speed();
    let is_enough = |row: &Row| {
        let least = if row.due { ENOUGH_OF_A_REBOUND * row.hop } else { 0.0 };
        row.rate >= least - tolerated
    };
    if rows.iter().all(is_enough) {
        return true;
    }
    let matrix = responses(&rows, effects);
    let with_hops = solved(&rows, &matrix, 1.0);
    let Some((z, w)) = with_hops.or_else(|| solved(&rows, &matrix, 0.0)) else { return false };
    let given: Vec<(Spot, DVec3)> =
        rows.iter().zip(&z).map(|(row, z)| (row.spot, *z * row.spot.normal)).collect();
    let driven: Vec<f64> =
        given.iter().map(|(spot, impulse)| effects.driven_work(spot, *impulse)).collect();
    effects.strike_all(&given);
    for (i, (row, (spot, impulse))) in rows.iter().zip(&given).enumerate() {
        if z[i] > 0.0 {
            let after = effects.relative_velocity(spot);
            let share = Share { point: row.point, weight: 1.0, before: row.before, after };
            let work = 0.5 * z[i] * (row.rate + w[i]);
            tell(spot, &share, *impulse, [work, driven[i]], effects);
        }
    }
    true
}

/// All points of an instant.
fn rows(touches: &Touches, effects: &mut Effects<'_>) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for touch in touches.all.iter().filter(|touch| touch.regime == Regime::Impulse) {
        let first = rows.len();
        for point in &touches.points[touch.indices()] {
            let spot = Spot { bodies: touch.bodies, point: point.point, normal: point.normal };
            effects.feel(&spot);
            let before = effects.relative_velocity(&spot);
            let (rate, hop) = (before.dot(spot.normal), hop(&spot, effects));
            rows.push(Row { spot, point: *point, before, rate, hop, due: touch.due });
        }
        if touch.due && rows[first..].iter().all(|row| row.rate >= 0.0) {
            effects.note_hop(touch.bodies);
        }
    }
    rows
}

/// h: as who has come to rest, and out of contact `[m/s]`.
fn hop(spot: &Spot, effects: &Effects<'_>) -> f64 {
    let acceleration = effects.world.model.gravity.length().max(effects.driven(spot));
    let slow_speed = (2.0 * acceleration * effects.world.envelope_of(spot.bodies)).sqrt();
    effects.least_hop(spot).max(LEAST_REBOUND * slow_speed)
}

/// A, row by row `[1/kg]`.
fn responses(rows: &[Row], effects: &Effects<'_>) -> Vec<f64> {
    let between = |one: &Spot, other: &Spot| {
        let mut sum = 0.0;
        for (of, sign) in one.bodies.into_iter().zip([1.0, -1.0]) {
            for (at, other_sign) in other.bodies.into_iter().zip([1.0, -1.0]) {
                let response = effects.world.response_between((of, one.point), (at, other.point));
                let answer = response.unwrap_or_default() * other.normal;
                sum += sign * other_sign * one.normal.dot(answer);
            }
        }
        sum
    };
    let n = rows.len();
    let mut matrix = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let value = between(&rows[i].spot, &rows[j].spot);
            (matrix[i * n + j], matrix[j * n + i]) = (value, value);
        }
    }
    matrix
}

/// z and w of (1), with a share of h.
fn solved(rows: &[Row], matrix: &[f64], share: f64) -> Option<(Vec<f64>, Vec<f64>)> {
    let offset: Vec<f64> = rows.iter().map(|row| row.rate - share * row.hop).collect();
    let problem = Problem::standard(matrix, &offset).ok()?;
    let mut solution = Solution::default();
    let mut outcome = Pivoting::new().solve(&problem, &mut solution);
    if outcome != Outcome::Solved {
        outcome = Lemke::new().solve(&problem, &mut solution);
    }
    let Solution { z, mut w, .. } = solution;
    for (w, row) in w.iter_mut().zip(rows) {
        *w += share * row.hop;
    }
    (outcome == Outcome::Solved).then_some((z, w))
}
