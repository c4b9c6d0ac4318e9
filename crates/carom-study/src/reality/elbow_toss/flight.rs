//! The flight alone, with its start fitted to it.
//!
//! Fourteen numbers x make a start: position, a small turn, velocity, rates, the hinge and its rate. With residuals r of all rows, each
//! over the tracker's noise σ, Gauss and Newton's step solves
//!
//! ```text
//! (JᵀJ)·δ = −Jᵀ·r,   J = ∂r/∂x by differences.                                                                      (1)
//! ```
//!
//! Flights are short and the first guess is the tracked motion, so that a few steps suffice. The same is done with a model in which
//! the boxes do not act on each other: what it leaves beyond the first is what articulated dynamics explains.

use glam::{DQuat, DVec3};
use oracles::measured::ElbowFrame;

use super::linkage::{FRAME_RATE, Simulation, Start, apart};
use super::{Error, quaternion};

/// Numbers of a start.
const FREEDOMS: usize = 14;

/// Of the tracker: centre `[m]` and angles `[rad]`. Their ratio weighs the two against each other; 1 mm is 1° at 6 cm.
const NOISE: [f64; 2] = [1e-3, 1.75e-2];

/// Steps of Gauss and Newton.
const STEPS: usize = 4;

/// Rows that a fit needs: with fewer there are hardly more residuals than unknowns.
const LEAST_ROWS: usize = 8;

/// By how much each number is varied for a difference, of the unit of its kind.
const VARIATION: f64 = 1e-5;

/// What is left of a flight after its best start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    /// Root mean squares over all rows.
    pub(super) left: Error,
    /// Sum of squares of all residuals over their noise.
    pub(super) loss: f64,
}

/// Of the hinged boxes, and of boxes that do not act on each other; none for a flight that is too short.
pub(super) fn fits(rows: &[ElbowFrame]) -> Result<Option<[Fit; 2]>, String> {
    if rows.len() < LEAST_ROWS {
        return Ok(None);
    }
    let hinged = |start: &Start| {
        let mut simulation = Simulation::new(start, None).ok_or("no such linkage")?;
        (0..rows.len()).map(|row| simulation.at(row as f64 / FRAME_RATE)).collect()
    };
    let unhinged = |start: &Start| {
        let at = |row: usize| apart(start, row as f64 / FRAME_RATE);
        (0..rows.len()).map(|row| at(row).ok_or_else(|| "no such box".to_owned())).collect()
    };
    Ok(Some([fit(rows, &hinged)?, fit(rows, &unhinged)?]))
}

/// A start that the numbers make of another.
fn moved(start: &Start, x: &[f64; FREEDOMS]) -> Start {
    let three = |at: usize| DVec3::new(x[at], x[at + 1], x[at + 2]);
    Start {
        position: start.position + three(0),
        orientation: (start.orientation * DQuat::from_scaled_axis(three(3))).normalize(),
        velocity: start.velocity + three(6),
        body_rates: start.body_rates + three(9),
        hinge: start.hinge + x[12],
        hinge_rate: start.hinge_rate + x[13],
    }
}

/// Residuals of one row over their noise.
fn residuals(frame: &ElbowFrame, found: &Start) -> [f64; 7] {
    let place = found.position - DVec3::from_array(frame.link.position);
    let turn = quaternion(frame).conjugate() * found.orientation;
    let turn = if turn.w < 0.0 { -turn } else { turn }.to_scaled_axis();
    let [length, angle] = NOISE;
    let (place, turn) = (place / length, turn / angle);
    [place.x, place.y, place.z, turn.x, turn.y, turn.z, (found.hinge - frame.hinge) / angle]
}

fn fit(
    rows: &[ElbowFrame],
    flight: &impl Fn(&Start) -> Result<Vec<Start>, String>,
) -> Result<Fit, String> {
    let of = |start: &Start| -> Result<Vec<f64>, String> {
        let found = flight(start)?;
        Ok(rows.iter().zip(&found).flat_map(|(row, it)| residuals(row, it)).collect())
    };
    let first = rows[0];
    let mut start = Start {
        position: DVec3::from_array(first.link.position),
        orientation: quaternion(&first),
        velocity: DVec3::from_array(first.link.velocity),
        body_rates: DVec3::from_array(first.link.body_rates),
        hinge: first.hinge,
        hinge_rate: first.hinge_rate,
    };
    for _ in 0..STEPS {
        let here = of(&start)?;
        let mut columns = Vec::with_capacity(FREEDOMS);
        for freedom in 0..FREEDOMS {
            let mut x = [0.0; FREEDOMS];
            x[freedom] = VARIATION;
            let there = of(&moved(&start, &x))?;
            let slope = |(a, b): (&f64, &f64)| (b - a) / VARIATION;
            columns.push(here.iter().zip(&there).map(slope).collect::<Vec<f64>>());
        }
        start = moved(&start, &step(&columns, &here).ok_or("the start does not show")?);
    }
    let left = of(&start)?;
    let share = |from: usize, to: usize, unit: f64| {
        let squares = left.chunks(7).flat_map(|row| &row[from..to]).map(|r| r * r).sum::<f64>();
        unit * (squares / rows.len() as f64).sqrt()
    };
    Ok(Fit {
        left: Error {
            position: share(0, 3, 100.0 * NOISE[0]),
            rotation: share(3, 6, NOISE[1].to_degrees()),
            hinge: share(6, 7, NOISE[1].to_degrees()),
        },
        loss: left.iter().map(|r| r * r).sum(),
    })
}

/// (1), by Cholesky's factors; none where the matrix is not positive.
fn step(columns: &[Vec<f64>], residuals: &[f64]) -> Option<[f64; FREEDOMS]> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut factor = [[0.0; FREEDOMS]; FREEDOMS];
    let mut x = [0.0; FREEDOMS];
    for i in 0..FREEDOMS {
        for j in 0..=i {
            let rest = dot(&columns[i], &columns[j]) - dot(&factor[i][..j], &factor[j][..j]);
            factor[i][j] = if i == j {
                if rest <= 0.0 {
                    return None;
                }
                rest.sqrt()
            } else {
                rest / factor[j][j]
            };
        }
        x[i] = (-dot(&columns[i], residuals) - dot(&factor[i][..i], &x[..i])) / factor[i][i];
    }
    for i in (0..FREEDOMS).rev() {
        let rest = (i + 1..FREEDOMS).map(|k| factor[k][i] * x[k]).sum::<f64>();
        x[i] = (x[i] - rest) / factor[i][i];
    }
    Some(x)
}
