//! A camera that has in frame what matters.
//!
//! What matters is whatever moves at any of the times, and fixed bodies that are not much larger, down to the ground below
//! them. The camera looks across the longest horizontal direction of that, from the higher the flatter it is. With points
//! p = (x, y, z) in its axes (right, up, ahead) and tangents h of half the angle of view, all are in frame when
//! |x − c_x| ≤ h·(z − c_z): with A = max(x − h·z) and B = max(−x − h·z) this holds for c_z ≤ −(A + B)/(2h), and
//! c_x = (A − B)/2 has it in the middle. The same goes for y, and the farther one counts.

use carom_geometry::Aabb;
use glam::{DVec2, DVec3};

use crate::camera::Camera;
use crate::film::{Actor, Film, Frame, Role};
use crate::form::Plane;
use crate::tolerances::{FLED_SHARE, GROUND_SHARE, HEIGHT_SHARE};

/// What a picture has to show.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    /// Corners of boxes around all that matters `[m]`.
    pub(crate) points: Vec<DVec3>,
    /// Of each actor, whether it is ground: without end, or fixed and much larger than what moves.
    pub(crate) is_ground: Vec<bool>,
    pub(crate) up: DVec3,
}

/// Points that a camera is chosen by. More: tighter frames of long films; fewer: chosen sooner.
const MOST_POINTS: usize = 1_000_000;

/// Share of the picture left free on the left and right, below, and above, where words are.
const MARGINS: [f64; 3] = [0.05, 0.09, 0.10];

impl Content {
    /// Of these frames of a film.
    pub(crate) fn of(film: &Film, frames: &[usize], up: DVec3) -> Self {
        let up = up.try_normalize().unwrap_or(DVec3::Z);
        let shown: Vec<&Frame> = frames.iter().filter_map(|&it| film.frames.get(it)).collect();
        let places = (shown.len() * film.actors.len()).max(1);
        let outline = |actor: &Actor| actor.outline(MOST_POINTS / places);
        let outlines: Vec<Vec<DVec3>> = film.actors.iter().map(outline).collect();
        let mut gathered =
            Gathered { film, outlines, company: company(film, &shown), points: Vec::new() };
        let stays = stays(film, &shown);
        for frame in &shown {
            gathered.add(frame, &|index| film.moves(index) && stays[index]);
        }
        let size = Aabb::from_points(gathered.points.iter().copied()).diagonal();
        let size = if size.is_finite() { size } else { f64::INFINITY };
        let is_huge = |index: usize| {
            let bounds = film.actors[index].bounds;
            bounds.is_none_or(|it| !film.moves(index) && it.diagonal() > GROUND_SHARE * size)
        };
        let is_ground: Vec<bool> = (0..film.actors.len()).map(is_huge).collect();
        // Fixed bodies are where they are all the time, but may come and go.
        for frame in shown.iter().take(1).chain(shown.last()) {
            gathered.add(frame, &|index| !film.moves(index) && !is_ground[index]);
        }
        let mut content = Self { points: gathered.points, is_ground, up };
        if let Some(frame) = shown.first() {
            content.add_feet(&film.planes(frame));
        }
        content
    }

    /// Points of the ground below what is not far above it.
    fn add_feet(&mut self, planes: &[(usize, Plane)]) {
        let size = Aabb::from_points(self.points.iter().copied()).diagonal();
        for (_, plane) in planes {
            if plane.normal.dot(self.up) < 0.5 {
                continue;
            }
            let feet: Vec<DVec3> = self
                .points
                .iter()
                .map(|point| (*point, plane.height(*point)))
                .filter(|(_, height)| *height > 0.0 && *height < HEIGHT_SHARE * size)
                .map(|(point, height)| point - height * plane.normal)
                .collect();
            self.points.extend(feet);
        }
    }

    /// A camera with everything in frame, for a picture so many times as wide as it is high.
    pub(crate) fn camera(&self, aspect: f64) -> Camera {
        let ahead = -self.direction();
        let right = ahead.cross(self.up).try_normalize().unwrap_or(DVec3::X);
        let upright = right.cross(ahead);
        let fov = Camera::DEFAULT_FOV;
        let tangent = libm::tan(0.5 * fov);
        let [side, below, above] = MARGINS;
        let seen = |axis: DVec3| self.points.iter().map(move |it| (it.dot(axis), it.dot(ahead)));
        // Tangents of the four edges within the margins.
        let across = tangent * aspect * (1.0 - 2.0 * side);
        let (low, high) = (tangent * (1.0 - 2.0 * below), tangent * (1.0 - 2.0 * above));
        let (x, z_across) = placed(seen(right), [across; 2]);
        let (y, z_up) = placed(seen(upright), [low, high]);
        let z = z_across.min(z_up);
        // A camera farther away than the height asks for keeps what it sees in the middle of its height.
        let y = if z < z_up { y - (z_up - z) * 0.5 * (high - low) } else { y };
        let eye = x * right + y * upright + z * ahead;
        let (first, last) = extent(self.points.iter().map(|point| point.dot(ahead)));
        let middle = 0.5 * (first + last);
        if !eye.is_finite() || !middle.is_finite() {
            let eye = DVec3::new(2.0, -4.0, 2.0);
            return Camera { eye, target: DVec3::ZERO, up: self.up, fov };
        }
        let target = eye + ahead * (middle - z).abs().max(f64::MIN_POSITIVE);
        Camera { eye, target, up: self.up, fov }
    }

    /// Where to look from.
    fn direction(&self) -> DVec3 {
        let east = if self.up.dot(DVec3::X).abs() < 0.9 { DVec3::X } else { DVec3::Y };
        let east = (east - east.dot(self.up) * self.up).try_normalize().unwrap_or(DVec3::X);
        let north = self.up.cross(east);
        let flat = |point: &DVec3| DVec2::new(point.dot(east), point.dot(north));
        let (long, lengths) = spread(&self.points.iter().map(flat));
        let (low, high) = extent(self.points.iter().map(|point| point.dot(self.up)));
        let height = (high - low).max(0.0);
        // Across the long direction, from the south and a little from the side.
        let is_long = lengths[1] < 0.55 * lengths[0];
        let across = DVec2::new(long.y, -long.x);
        let across =
            if across.y > 1e-9 || across.y > -1e-9 && across.x < 0.0 { -across } else { across };
        let from = if is_long { across } else { DVec2::new(0.0, -1.0) };
        let turn = DVec2::from_angle(if is_long { 0.38 } else { 0.5 });
        let from = turn.rotate(from);
        let flatness = lengths[1] / (height + lengths[1]).max(f64::MIN_POSITIVE);
        let elevation = 0.2 + 0.5 * flatness.clamp(0.0, 1.0);
        let (sin, cos) = libm::sincos(elevation);
        cos * (from.x * east + from.y * north) + sin * self.up
    }
}

/// Points in the making.
struct Gathered<'a> {
    film: &'a Film,
    /// Of each actor, in its own frame.
    outlines: Vec<Vec<DVec3>>,
    /// The middle of what moves, and how far from there it matters `[m]`.
    company: (DVec3, f64),
    points: Vec<DVec3>,
}

impl Gathered<'_> {
    /// Adds the actors that are wanted, where they are at a frame.
    fn add(&mut self, frame: &Frame, wanted: &dyn Fn(usize) -> bool) {
        let (center, reach) = self.company;
        for index in (0..self.film.actors.len()).filter(|index| wanted(*index)) {
            let Some(pose) = frame.pose(index) else { continue };
            let place = pose.point(self.film.actors[index].center);
            if self.film.moves(index) && place.distance(center) > reach {
                continue;
            }
            let placed = self.outlines[index].iter().map(|point| pose.point(*point));
            self.points.extend(placed.filter(|point| point.is_finite()));
        }
    }
}

impl Film {
    /// Whether an actor is not fixed.
    fn moves(&self, actor: usize) -> bool {
        self.actors[actor].role != Role::Fixed
    }

    /// The planes at a frame, with the actors that they belong to.
    pub(crate) fn planes(&self, frame: &Frame) -> Vec<(usize, Plane)> {
        let mut planes = Vec::new();
        for (index, actor) in self.actors.iter().enumerate() {
            let Some(pose) = frame.pose(index) else { continue };
            planes.extend(actor.form.planes().iter().map(|plane| (index, plane.placed(pose))));
        }
        planes
    }
}

/// Of each actor, whether a picture has to show it: it is there at the end or at half of the times. Where no body that moves
/// is, all have to.
fn stays(film: &Film, shown: &[&Frame]) -> Vec<bool> {
    let is_there = |frame: &&&Frame, index: usize| frame.pose(index).is_some();
    let stays = |index: usize| {
        let times = shown.iter().filter(|frame| is_there(frame, index)).count();
        2 * times >= shown.len() || shown.last().is_some_and(|last| is_there(&last, index))
    };
    let stays: Vec<bool> = (0..film.actors.len()).map(stays).collect();
    let any = (0..stays.len()).any(|index| film.moves(index) && stays[index]);
    if any { stays } else { vec![true; film.actors.len()] }
}

/// The middle of what moves as it begins, and how far from there things matter: without end, unless some get much farther
/// than the others `[m]`.
fn company(film: &Film, shown: &[&Frame]) -> (DVec3, f64) {
    let center_of = |frame: &Frame, index: usize| {
        let place = frame.pose(index)?.point(film.actors[index].center);
        place.is_finite().then_some(place)
    };
    let moves = |index: &usize| {
        film.actors[*index].role != Role::Fixed && film.actors[*index].bounds.is_some()
    };
    let moving: Vec<usize> = (0..film.actors.len()).filter(moves).collect();
    let first = |index: usize| shown.iter().find_map(|frame| center_of(frame, index));
    let starts: Vec<DVec3> = moving.iter().filter_map(|&index| first(index)).collect();
    let median = |axis: usize| {
        let mut values: Vec<f64> = starts.iter().map(|start| start[axis]).collect();
        values.sort_unstable_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or_default()
    };
    let center = DVec3::new(median(0), median(1), median(2));
    let farthest = |index: usize| {
        let size = film.actors[index].bounds.map_or(0.0, |bounds| bounds.diagonal());
        let places = shown.iter().filter_map(|frame| center_of(frame, index));
        places.map(|place| place.distance(center)).fold(size, f64::max)
    };
    let mut reaches: Vec<f64> = moving.iter().map(|&index| farthest(index)).collect();
    reaches.sort_unstable_by(f64::total_cmp);
    let inner = reaches.len().div_ceil(2).max(1);
    let gap = (inner..reaches.len()).find(|&i| reaches[i] > FLED_SHARE * reaches[i - 1]);
    (center, gap.map_or(f64::INFINITY, |i| 1.5 * reaches[i - 1]))
}

/// Where the camera is across and ahead, for tangents of the two edges.
fn placed(points: impl Iterator<Item = (f64, f64)> + Clone, [low, high]: [f64; 2]) -> (f64, f64) {
    let a = points.clone().map(|(x, z)| x - high * z).fold(f64::NEG_INFINITY, f64::max);
    let b = points.map(|(x, z)| -x - low * z).fold(f64::NEG_INFINITY, f64::max);
    // x − c ≤ high·(z − d) and c − x ≤ low·(z − d), both with equality.
    let ahead = -(a + b) / (low + high);
    (a + high * ahead, ahead)
}

/// The least and the largest of some numbers.
pub(crate) fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), it| (low.min(it), high.max(it)))
}

/// The longest direction of some points, and their extents along and across it.
fn spread(points: &(impl Iterator<Item = DVec2> + Clone)) -> (DVec2, [f64; 2]) {
    let count = points.clone().count().max(1) as f64;
    let mean = points.clone().sum::<DVec2>() / count;
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for point in points.clone() {
        let from = point - mean;
        xx += from.x * from.x;
        xy += from.x * from.y;
        yy += from.y * from.y;
    }
    let angle = 0.5 * libm::atan2(2.0 * xy, xx - yy);
    let (sin, cos) = libm::sincos(angle);
    let long = DVec2::new(cos, sin);
    let along = |axis: DVec2| {
        let (low, high) = extent(points.clone().map(|point| point.dot(axis)));
        (high - low).max(0.0)
    };
    (long, [along(long), along(long.perp())])
}
