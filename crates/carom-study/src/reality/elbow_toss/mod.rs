//! Tosses of two boxes on a free hinge, tracked at 148 Hz (Bianchini, Halm, Posa 2023).
//!
//! **Score C**, as the data describes it: from row 2, with position, velocity and hinge of that row, half a frame of free fall
//! taken off the velocity and the medians of the rates of rows 1 to 4; compared at the row of the first contact c, which is the first
//! with a corner below 4 mm, and 5 and 10 rows later, for tosses with c ≥ 6. Medians count: after the contact the motion
//! is so sensitive that some tosses are far off whatever the law.
//!
//! **Score F**, the flight alone (`flight.rs`): the fourteen numbers of the start are fitted to all rows before the contact, and what is
//! left is held against the same fit with the hinge gone. That is a test of articulated dynamics without noise in the start.
//!
//! Nothing here is fitted but F's start. Friction is that of the other simulator's run, which is part of the data's description;
//! restitution is that of the cube of the same laboratory, tossed upon the same table (`cube_toss`). Inertias are those of uniform
//! boxes: the real ones are not published.

mod flight;
mod linkage;
#[cfg(test)]
mod tests;

use std::path::Path;

use glam::{DQuat, DVec3};
use oracles::measured::{ElbowFrame, elbow_tosses};

use super::each::each;
use super::spread::median;
use super::{Parameters, Quantity, Report, StudyError, cube_toss, materials, told};
use linkage::{FRAME_RATE, GRAVITY, Simulation, Start, lowest_of};

pub use oracles::measured::ElbowToss;

/// A row with a corner below this is one of contact `[m]`.
const CONTACT_HEIGHT: f64 = 0.004;

/// The least row of contact.
const LEAST_FLIGHT: usize = 6;

/// The row from which score C starts.
const START: usize = 2;

/// Rows after the contact at which score C compares.
const ROWS_AFTER: [usize; 3] = [0, 5, 10];

/// With which tosses are scored unless others are given.
pub const GIVEN: Parameters =
    Parameters { friction: 0.2, restitution: cube_toss::FITTED.restitution };

/// Medians of MuJoCo 4.0 as the data's description states them, on every second toss: uniform boxes, no friction in the hinge,
/// friction 0.2. Centre `[cm]`, turn of the first box `[°]`, hinge `[°]`; at the contact, 5 and 10 rows later.
const MUJOCO: [[f64; 3]; 3] = [[0.90, 5.0, 4.2], [1.8, 26.0, 19.0], [2.6, 51.0, 35.0]];

/// How many times those of MuJoCo our medians may be, as the description asks.
const ALLOWED: [Option<f64>; 3] = [Some(1.1), Some(1.2), None];

/// How far a simulated linkage is from the tracked one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Error {
    /// Of the first box's centre `[cm]`.
    position: f64,
    /// Of the first box `[°]`.
    rotation: f64,
    /// `[°]`
    hinge: f64,
}

impl Error {
    fn of(frame: &ElbowFrame, found: &Start) -> Self {
        let cosine = found.orientation.dot(quaternion(frame)).abs().min(1.0);
        Self {
            position: 100.0 * (found.position - DVec3::from_array(frame.link.position)).length(),
            rotation: (2.0 * libm::acos(cosine)).to_degrees(),
            hinge: (found.hinge - frame.hinge).abs().to_degrees(),
        }
    }
}

fn quaternion(frame: &ElbowFrame) -> DQuat {
    let [w, x, y, z] = frame.link.quaternion;
    DQuat::from_xyzw(x, y, z, w).normalize()
}

/// The row of the first contact, if there was enough flight before.
fn contact_row(toss: &ElbowToss) -> Option<usize> {
    let lowest = |frame: &ElbowFrame| {
        lowest_of(DVec3::from_array(frame.link.position), quaternion(frame), frame.hinge)
    };
    let row = toss.frames.iter().position(|frame| lowest(frame) < CONTACT_HEIGHT);
    row.filter(|row| *row >= LEAST_FLIGHT)
}

/// Motion at the row from which score C starts.
fn start(toss: &ElbowToss) -> Option<Start> {
    let frame = toss.frames.get(START)?;
    let around = toss.frames.get(START - 1..START + 3)?;
    let middle = |of: fn(&ElbowFrame) -> f64| median(&around.iter().map(of).collect::<Vec<_>>());
    Some(Start {
        position: DVec3::from_array(frame.link.position),
        orientation: quaternion(frame),
        // The tracker's velocities are differences of a frame and the one before, so those of half a frame earlier.
        velocity: DVec3::from_array(frame.link.velocity) - 0.5 * GRAVITY / FRAME_RATE * DVec3::Z,
        body_rates: DVec3::new(
            middle(|it| it.link.body_rates[0]),
            middle(|it| it.link.body_rates[1]),
            middle(|it| it.link.body_rates[2]),
        ),
        hinge: frame.hinge,
        hinge_rate: middle(|it| it.hinge_rate),
    })
}

/// What score C has of one toss.
struct After {
    errors: [Option<Error>; 3],
    /// Energy that came from nowhere, of that at the start.
    unbooked: f64,
}

fn after_contact(toss: &ElbowToss, with: Parameters) -> Result<Option<After>, String> {
    let (Some(contact), Some(start)) = (contact_row(toss), start(toss)) else { return Ok(None) };
    let mut simulation = Simulation::new(&start, Some(with)).ok_or("no such linkage")?;
    let mut errors = [None; 3];
    for (error, after) in errors.iter_mut().zip(ROWS_AFTER) {
        let Some(frame) = toss.frames.get(contact + after) else { break };
        let found = simulation.at((contact + after - START) as f64 / FRAME_RATE)?;
        *error = Some(Error::of(frame, &found));
    }
    Ok(Some(After { errors, unbooked: simulation.unbooked() }))
}

const QUANTITIES: [Quantity; 18] = {
    const fn three(score: &'static str) -> [Quantity; 3] {
        [
            Quantity { score, name: "position", unit: "cm" },
            Quantity { score, name: "rotation", unit: "deg" },
            Quantity { score, name: "hinge", unit: "deg" },
        ]
    }
    let ([a, b, c], [d, e, f], [g, h, i]) = (three("C"), three("C+5"), three("C+10"));
    let ([j, k, l], [m, n, o]) = (three("F"), three("F without hinge"));
    [
        a,
        b,
        c,
        d,
        e,
        f,
        g,
        h,
        i,
        j,
        k,
        l,
        m,
        n,
        o,
        Quantity { score: "F", name: "ratio", unit: "1, of both fits" },
        Quantity { score: "C+10", name: "unbooked_energy", unit: "of that at the start" },
        Quantity { score: "C", name: "row_of_contact", unit: "1" },
    ]
};

fn values_of(toss: &ElbowToss, with: Parameters) -> Result<Vec<Option<f64>>, String> {
    let mut values = Vec::with_capacity(QUANTITIES.len());
    let three = |it: Error| [it.position, it.rotation, it.hinge].map(Some);
    let after = after_contact(toss, with)?;
    for index in 0..ROWS_AFTER.len() {
        let error = after.as_ref().and_then(|it| it.errors[index]);
        values.extend(error.map_or([None; 3], three));
    }
    let contact = contact_row(toss);
    let fits = match contact {
        Some(contact) => flight::fits(&toss.frames[..contact])?,
        None => None,
    };
    match fits {
        Some([hinged, apart]) => {
            values.extend(three(hinged.left));
            values.extend(three(apart.left));
            values.push(Some((hinged.loss / apart.loss).sqrt()));
        }
        None => values.extend([None; 7]),
    }
    values.push(after.map(|it| it.unbooked));
    values.push(contact.map(|row| row as f64));
    Ok(values)
}

fn id(toss: &ElbowToss) -> &str {
    &toss.id
}

/// Every toss of a folder.
///
/// # Errors
/// If there are none, or they cannot be read.
pub fn tosses_in(folder: &Path) -> Result<Vec<ElbowToss>, StudyError> {
    let tosses = elbow_tosses(folder)?;
    if tosses.is_empty() {
        return Err(StudyError::Empty { what: "toss", place: folder.display().to_string() });
    }
    Ok(tosses)
}

/// Medians of score C at the contact and 5 rows later, and the largest that meet the target: centre `[cm]`, turn `[°]`, hinge `[°]`.
pub(crate) fn medians(tosses: &[ElbowToss]) -> Result<Vec<[f64; 2]>, StudyError> {
    let found = each(tosses, id, &|| (), |toss| after_contact(toss, GIVEN))?;
    let mut medians = Vec::new();
    for (index, (row, allowed)) in MUJOCO.iter().zip(ALLOWED).enumerate() {
        let Some(times) = allowed else { break };
        let errors = found.iter().flatten().filter_map(|after| after.errors[index]);
        let of = |part: fn(Error) -> f64| median(&errors.clone().map(part).collect::<Vec<_>>());
        let found = [of(|it| it.position), of(|it| it.rotation), of(|it| it.hinge)];
        medians.extend(found.iter().zip(row).map(|(found, mujoco)| [*found, times * mujoco]));
    }
    Ok(medians)
}

/// Scores tosses with given parameters; `done` is told after each.
///
/// # Errors
/// If one cannot be simulated.
pub fn score(
    tosses: &[ElbowToss],
    with: Parameters,
    done: &(impl Fn() + Sync),
) -> Result<Report, StudyError> {
    let found = each(tosses, id, done, |toss| values_of(toss, with))?;
    let ids = tosses.iter().map(|toss| toss.id.clone());
    let (mut scores, items) = told(&QUANTITIES, &ids.zip(found).collect::<Vec<_>>());
    let known = MUJOCO.iter().zip(ALLOWED).flat_map(|(row, allowed)| row.map(|it| (it, allowed)));
    for (score, (mujoco, allowed)) in scores.iter_mut().zip(known) {
        score.mujoco = Some(mujoco);
        score.target = allowed.map(|times| times * mujoco);
    }
    Ok(Report { params: materials("", with), scores, items })
}
