//! Tosses of an acrylic cube onto a table, tracked at 148 Hz (Pfrommer, Halm, Posa 2020; scored as by Acosta, Yang,
//! Posa 2022).
//!
//! **Score A**, the whole toss: started from the first frame as it stands, compared frame by frame. **Score B**, the first
//! impact: started from motion fitted to the last frames of flight, compared 5, 10, 20 and 40 frames after the first
//! contact. Chaos takes over within a few impacts, so B says more about one impact, and A more about friction in the long
//! run.
//!
//! The tracker's lengths are 2 % short: free flight shows 9.611 m/s² and the cube rests at 51.24 mm instead of 52.4 mm. The
//! published figures of A ignore that; B uses the tracker's own units throughout, and so does **score A′**, which also
//! takes half a frame of free fall off the velocity at the start: the tracker's velocities are differences of the frame
//! and the one before.
//!
//! The moment of inertia that goes around with the data, 8.1e-4 kg·m², is not that of the cube it describes. It is hollow,
//! of acrylic; walls of even thickness that weigh 0.37 kg at 1180 kg/m³ leave an edge b inside of an edge a with
//!
//! ```text
//! b³ = a³ − m/ρ,   I = ρ(a⁵ − b⁵)/6 = 1.02e-3 kg·m².
//! ```
//!
//! The tosses agree: five frames after the first contact the error has its minimum at 1.1e-3, where it is a fifth less than
//! with 8.1e-4. Score **A°** is A with 8.1e-4.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;

use carom::{Body, Material, RestitutionLaw, Surface, World};
use carom_geometry::shapes::{Cuboid, HalfSpace};
use carom_geometry::{MassProperties, Pose, Shape};
use glam::{DMat3, DQuat, DVec3};
use oracles::measured::{TossFrame, cube_tosses};

use super::each::each;
use super::fit::fit;
use super::spread::{self, median};
use super::{Parameters, Quantity, Report, StudyError, materials, told};

pub use oracles::measured::Toss;

/// Frames a second.
const FRAME_RATE: f64 = 148.0;

/// By which published scores divide positions `[m]`.
const EDGE: f64 = 0.1048;

/// Of the cube `[kg]`.
const MASS: f64 = 0.37;

/// Of acrylic `[kg/m³]`.
const DENSITY: f64 = 1180.0;

/// About every axis through its centre, as published `[kg·m²]`.
const PUBLISHED_INERTIA: f64 = 8.1e-4;

/// The first frame whose lowest corner is below this is that of contact `[m]`.
const CONTACT_HEIGHT: f64 = 0.004;

/// Frames of flight that score B needs before the contact.
const FRAMES_OF_FLIGHT: usize = 6;

/// Frames after the contact at which score B compares.
const FRAMES_AFTER: [usize; 4] = [5, 10, 20, 40];

/// How high above the table a cube starts whose first frame puts it lower `[m]`.
const LEAST_HEIGHT: f64 = 1e-5;

/// The envelope, a thousandth of the edge: hops are below the tracker's noise of 0.3 mm `[m]`.
const ENVELOPE: f64 = 1e-4;

/// Fitted to the 167 tosses of the public part.
pub const FITTED: Parameters = Parameters { friction: 0.177, restitution: 0.233 };

/// How often a fit simulates every toss.
pub const TRIES: usize = super::fit::TRIES;

/// A cube, in the units of a tracker.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Units {
    half_edge: f64,
    gravity: f64,
    /// The published moment of inertia instead of that of a hollow cube.
    as_published: bool,
}

/// As it is.
const TRUE_UNITS: Units = Units { half_edge: 0.0524, gravity: 9.81, as_published: false };

/// As the tracker sees it.
const TRACKED_UNITS: Units = Units { half_edge: 0.05124, gravity: 9.611, as_published: false };

/// Motion at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Start {
    position: DVec3,
    orientation: DQuat,
    velocity: DVec3,
    /// In the axes of the cube.
    body_rates: DVec3,
}

/// How far a simulated cube is from the tracked one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Error {
    /// Of the centre, of an edge `[%]`.
    position: f64,
    /// `[°]`
    rotation: f64,
}

impl Error {
    fn of(frame: &TossFrame, position: DVec3, orientation: DQuat) -> Self {
        let cosine = orientation.dot(quaternion(frame)).abs().min(1.0);
        Self {
            position: 100.0 * (position - DVec3::from_array(frame.position)).length() / EDGE,
            rotation: (2.0 * libm::acos(cosine)).to_degrees(),
        }
    }
}

/// Moment of inertia of a hollow cube about every axis through its centre `[kg·m²]`.
fn inertia() -> f64 {
    let volume = EDGE * EDGE * EDGE;
    let inside = libm::cbrt(volume - MASS / DENSITY);
    DENSITY / 6.0 * (volume * EDGE * EDGE - inside * inside * inside * inside * inside)
}

fn quaternion(frame: &TossFrame) -> DQuat {
    let [w, x, y, z] = frame.quaternion;
    DQuat::from_xyzw(x, y, z, w).normalize()
}

/// Height of the lowest corner `[m]`.
fn lowest(position: DVec3, orientation: DQuat, half_edge: f64) -> f64 {
    let up = orientation.conjugate() * DVec3::Z;
    position.z - half_edge * (up.x.abs() + up.y.abs() + up.z.abs())
}

/// A simulated cube.
struct Simulation {
    world: World,
    cube: carom::BodyId,
    half_edge: f64,
}

impl Simulation {
    fn new(units: Units, start: &Start, with: Parameters) -> Option<Self> {
        let gravity = -units.gravity * DVec3::Z;
        let mut world = World::builder().gravity(gravity).envelope(ENVELOPE).build().ok()?;
        let Parameters { friction, restitution } = with;
        let law = RestitutionLaw::Stronge;
        let surface = Surface { friction, restitution, law };
        let material = world.add_material(Material { name: "acrylic".into(), surface }).ok()?;
        let table = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).ok()?);
        world.add(Body::fixed(table).material(material)).ok()?;
        let Start { position, orientation, velocity, body_rates } = *start;
        let height = lowest(position, orientation, units.half_edge);
        let lifted = position + (LEAST_HEIGHT - height).max(0.0) * DVec3::Z;
        let inertia = if units.as_published { PUBLISHED_INERTIA } else { inertia() };
        let cuboid = Shape::Cuboid(Cuboid::new(DVec3::splat(units.half_edge)).ok()?);
        let cube = Body::free(cuboid)
            .material(material)
            .mass_properties(MassProperties {
                mass: MASS,
                center: DVec3::ZERO,
                inertia: DMat3::from_diagonal(DVec3::splat(inertia)),
            })
            .pose(Pose::new(lifted, orientation))
            .velocity(velocity)
            .angular_velocity(orientation * body_rates);
        let cube = world.add(cube).ok()?;
        Some(Self { world, cube, half_edge: units.half_edge })
    }

    fn error_at(&mut self, time: f64, frame: &TossFrame) -> Result<Error, String> {
        self.world.advance_to(time).map_err(|fault| fault.to_string())?;
        let state = self.world.state(self.cube).ok_or("the cube is gone")?;
        Ok(Error::of(frame, state.position, state.orientation))
    }

    /// Height of the lowest corner `[m]`.
    fn lowest(&self) -> f64 {
        let state = self.world.state(self.cube);
        state.map_or(f64::NAN, |it| lowest(it.position, it.orientation, self.half_edge))
    }
}

/// What a whole toss gives.
struct Whole {
    /// Mean over all frames.
    mean: Error,
    /// At the last frame.
    end: Error,
    /// Of the lowest corner at any frame `[m]`.
    lowest: f64,
    /// Energy that came from nowhere, of that at the start.
    unbooked: f64,
    /// The most by which energy, but for boost, rose from a frame to the next, of that at the start.
    rise: f64,
    /// At the last frame `[m/s]`.
    speed: f64,
}

/// Score A from a start at the first frame.
fn whole(toss: &Toss, units: Units, lag: f64, with: Parameters) -> Result<Whole, String> {
    let first = toss.frames.first().ok_or("no frames")?;
    let fallen = lag * units.gravity / FRAME_RATE;
    let start = Start {
        position: DVec3::from_array(first.position),
        orientation: quaternion(first),
        velocity: DVec3::from_array(first.velocity) - fallen * DVec3::Z,
        body_rates: DVec3::from_array(first.body_rates),
    };
    let mut simulation = Simulation::new(units, &start, with).ok_or("no such cube")?;
    let count = toss.frames.len() as f64;
    let mut whole = Whole {
        mean: Error { position: 0.0, rotation: 0.0 },
        end: Error { position: 0.0, rotation: 0.0 },
        lowest: f64::INFINITY,
        unbooked: 0.0,
        rise: 0.0,
        speed: 0.0,
    };
    let mut before = f64::INFINITY;
    for (index, frame) in toss.frames.iter().enumerate() {
        let error = simulation.error_at(index as f64 / FRAME_RATE, frame)?;
        whole.mean.position += error.position / count;
        whole.mean.rotation += error.rotation / count;
        whole.lowest = whole.lowest.min(simulation.lowest());
        whole.end = error;
        let account = simulation.world.account();
        let energy = account.total() - account.boost;
        whole.rise = whole.rise.max(energy - before);
        before = energy;
    }
    let account = simulation.world.account();
    let scale = account.initial.abs().max(f64::MIN_POSITIVE);
    whole.unbooked = account.residual.abs() / scale;
    whole.rise /= scale;
    whole.speed =
        simulation.world.state(simulation.cube).map_or(f64::NAN, |it| it.velocity.length());
    Ok(whole)
}

/// The frame of the first contact, if there was enough flight before.
fn contact_frame(toss: &Toss) -> Option<usize> {
    let touches = |frame: &TossFrame| {
        let position = DVec3::from_array(frame.position);
        lowest(position, quaternion(frame), TRACKED_UNITS.half_edge) < CONTACT_HEIGHT
    };
    toss.frames.iter().position(touches).filter(|frame| *frame >= FRAMES_OF_FLIGHT)
}

/// Value and slope at the last of some evenly spaced numbers, of the line through them.
fn line(numbers: &[f64]) -> [f64; 2] {
    let count = numbers.len() as f64;
    let middle = 0.5 * (count - 1.0);
    let mean = numbers.iter().sum::<f64>() / count;
    let place = |index: usize| index as f64 - middle;
    let products = numbers.iter().enumerate().map(|(i, y)| place(i) * (y - mean));
    let squares: f64 = (0..numbers.len()).map(|i| place(i) * place(i)).sum();
    let slope = products.sum::<f64>() / squares;
    [mean + slope * middle, slope * FRAME_RATE]
}

/// Motion at a frame of flight, from that and the five before.
fn fitted_flight(frames: &[TossFrame], at: usize) -> Start {
    let recent = &frames[at - 5..=at];
    let gravity = TRACKED_UNITS.gravity;
    // In free fall z + ½gt² is a line, with the time counted from the last frame.
    let fallen = |index: usize| {
        let time = (index as f64 - 5.0) / FRAME_RATE;
        0.5 * gravity * time * time
    };
    let axis = |axis: usize| {
        let fall = |index: usize| if axis == 2 { fallen(index) } else { 0.0 };
        let numbers: Vec<f64> =
            recent.iter().enumerate().map(|(i, frame)| frame.position[axis] + fall(i)).collect();
        line(&numbers)
    };
    let [x, y, z] = [0, 1, 2].map(axis);
    let rate = |axis: usize| {
        median(&frames[at - 4..=at].iter().map(|frame| frame.body_rates[axis]).collect::<Vec<_>>())
    };
    Start {
        position: DVec3::new(x[0], y[0], z[0]),
        orientation: quaternion(&frames[at]),
        velocity: DVec3::new(x[1], y[1], z[1]),
        body_rates: DVec3::new(rate(0), rate(1), rate(2)),
    }
}

/// Score B: errors some frames after the contact, where there are so many.
fn after_contact(toss: &Toss, with: Parameters) -> Result<[Option<Error>; 4], String> {
    let Some(contact) = contact_frame(toss) else { return Ok([None; 4]) };
    let at = contact - 2;
    if at < 5 {
        return Ok([None; 4]);
    }
    let start = fitted_flight(&toss.frames, at);
    let mut simulation = Simulation::new(TRACKED_UNITS, &start, with).ok_or("no such cube")?;
    let mut errors = [None; 4];
    for (error, after) in errors.iter_mut().zip(FRAMES_AFTER) {
        let Some(frame) = toss.frames.get(contact + after) else { break };
        let time = (contact + after - at) as f64 / FRAME_RATE;
        *error = Some(simulation.error_at(time, frame)?);
    }
    Ok(errors)
}

const QUANTITIES: [Quantity; 20] = {
    const fn percent(score: &'static str) -> Quantity {
        Quantity { score, name: "position", unit: "% of edge" }
    }
    const fn degrees(score: &'static str) -> Quantity {
        Quantity { score, name: "rotation", unit: "deg" }
    }
    [
        percent("A"),
        degrees("A"),
        percent("A'"),
        degrees("A'"),
        percent("A°"),
        degrees("A°"),
        percent("B5"),
        degrees("B5"),
        percent("B10"),
        degrees("B10"),
        percent("B20"),
        degrees("B20"),
        percent("B40"),
        degrees("B40"),
        Quantity { score: "A", name: "final_face", unit: "1 within 10 deg, else 0" },
        Quantity { score: "A", name: "lowest_corner", unit: "m" },
        Quantity { score: "A", name: "unbooked_energy", unit: "of that at the start" },
        Quantity { score: "A", name: "energy_rise", unit: "of that at the start" },
        Quantity { score: "A", name: "speed_at_end", unit: "m/s" },
        Quantity { score: "A", name: "frames", unit: "1" },
    ]
};

fn values_of(toss: &Toss, with: Parameters) -> Result<Vec<Option<f64>>, String> {
    let published = whole(toss, TRUE_UNITS, 0.0, with)?;
    let corrected = whole(toss, TRACKED_UNITS, 0.5, with)?;
    let mut values = Vec::with_capacity(QUANTITIES.len());
    let light = whole(toss, Units { as_published: true, ..TRUE_UNITS }, 0.0, with)?;
    for error in [published.mean, corrected.mean, light.mean] {
        values.extend([Some(error.position), Some(error.rotation)]);
    }
    for error in after_contact(toss, with)? {
        values.extend([error.map(|it| it.position), error.map(|it| it.rotation)]);
    }
    let same_face = if published.end.rotation < 10.0 { 1.0 } else { 0.0 };
    let Whole { lowest, unbooked, rise, speed, .. } = published;
    let numbers = [same_face, lowest, unbooked, rise, speed, toss.frames.len() as f64];
    values.extend(numbers.map(Some));
    Ok(values)
}

/// Every toss of a folder.
///
/// # Errors
/// If there are none, or they cannot be read.
pub fn tosses_in(folder: &Path) -> Result<Vec<Toss>, StudyError> {
    let tosses = cube_tosses(folder)?;
    if tosses.is_empty() {
        return Err(StudyError::Empty { what: "toss", place: folder.display().to_string() });
    }
    Ok(tosses)
}

/// Scores tosses with given parameters; `done` is told after each.
///
/// # Errors
/// If one cannot be simulated.
pub fn score(
    tosses: &[Toss],
    with: Parameters,
    done: &(impl Fn() + Sync),
) -> Result<Report, StudyError> {
    let found = each(tosses, id, done, |toss| values_of(toss, with))?;
    let (scores, items) = told(&QUANTITIES, &by_id(tosses, found));
    let mut params = materials("", with);
    params.insert("inertia".to_owned(), inertia());
    Ok(Report { params, scores, items })
}

/// Scores every toss with parameters that were fitted to tosses without it: the tosses are dealt out to so many folds, and each
/// fold is scored with what the others give; `done` is told after each toss of each try.
///
/// # Errors
/// If one cannot be simulated.
pub fn cross_validated(
    tosses: &[Toss],
    folds: usize,
    done: &(impl Fn() + Sync),
) -> Result<Report, StudyError> {
    let mut params = BTreeMap::from([("inertia".to_owned(), inertia())]);
    let mut found = Vec::with_capacity(tosses.len());
    for fold in 0..folds {
        let is_in = |index: usize| index % folds == fold;
        let part = |inside: bool| -> Vec<Toss> {
            let all = tosses.iter().enumerate();
            all.filter(|(index, _)| is_in(*index) == inside).map(|(_, it)| it.clone()).collect()
        };
        let (others, own) = (part(false), part(true));
        let with = fitted(&others, done)?;
        params.extend(materials(&format!("fold_{}_", fold + 1), with));
        let values = each(&own, id, done, |toss| values_of(toss, with))?;
        found.extend(by_id(&own, values));
    }
    let (scores, items) = told(&QUANTITIES, &found);
    Ok(Report { params, scores, items })
}

fn by_id<T>(tosses: &[Toss], values: Vec<T>) -> Vec<(String, T)> {
    tosses.iter().map(|toss| toss.id.clone()).zip(values).collect()
}

/// Parameters for which the product of the mean errors is least, so that none counts by its unit: position and rotation, over
/// the whole toss, and 5 and 10 frames after the first contact, score A counting twice as much as both of score B; `done` is told
/// after each toss of each try.
///
/// # Errors
/// If one cannot be simulated.
pub fn fitted(tosses: &[Toss], done: &(impl Fn() + Sync)) -> Result<Parameters, StudyError> {
    fit(Parameters { friction: 0.6, restitution: 0.6 }, |with| {
        let errors = each(tosses, id, done, |toss| {
            let whole = whole(toss, TRUE_UNITS, 0.0, with)?.mean;
            let [five, ten, ..] = after_contact(toss, with)?;
            Ok([Some(whole), five, ten])
        })?;
        let mut loss = 0.0;
        for (index, weight) in [4.0, 1.0, 1.0].into_iter().enumerate() {
            let of_toss = errors.iter().filter_map(|errors| errors[index]);
            let positions: Vec<f64> = of_toss.clone().map(|error| error.position).collect();
            let rotations: Vec<f64> = of_toss.map(|error| error.rotation).collect();
            let [position, rotation] = [positions, rotations].map(|it| spread::of(&it)[0]);
            loss += weight * (libm::log(position) + libm::log(rotation));
        }
        Ok(loss)
    })
}

fn id(toss: &Toss) -> &str {
    &toss.id
}
