//! A film: who is there, where they are at the times to be drawn, and what pushes them.

mod recording;
mod touches;
mod watch;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use carom_geometry::{Aabb, Pose};
use glam::DVec3;

pub use touches::Touch;
use touches::shown_by;
pub use watch::FilmWatch;

use crate::color;
use crate::form::Form;

/// Everything that pictures are drawn from.
#[derive(Clone, Debug, Default)]
pub struct Film {
    /// Whoever is there at some time.
    pub actors: Vec<Actor>,
    /// What is to be drawn, by time.
    pub frames: Vec<Frame>,
}

/// A body as it is drawn.
#[derive(Clone, Debug)]
pub struct Actor {
    /// What people call it.
    pub name: String,
    /// What moves it.
    pub role: Role,
    /// Whether it is drawn as something one can reach through: a ghost or a sensor.
    pub see_through: bool,
    /// Its colour in linear light.
    pub(crate) color: DVec3,
    pub(crate) form: Form,
    /// Around it in its own frame; none if it has no end.
    pub(crate) bounds: Option<Aabb>,
    /// Its centre of mass in its own frame, where trails begin.
    pub(crate) center: DVec3,
}

/// What moves a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Forces and impulses.
    Free,
    /// A law, or another body that carries it.
    Driven,
    /// Nothing.
    Fixed,
}

impl Role {
    pub(crate) fn of_name(name: &str) -> Self {
        match name {
            "free" | "linked" => Self::Free,
            "fixed" => Self::Fixed,
            _ => Self::Driven,
        }
    }
}

/// Where everybody is at one time.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// When `[s]`.
    pub time: f64,
    /// Where each actor's frame is; none while it is not there.
    pub poses: Vec<Option<Pose>>,
    /// What pushed whom shortly before.
    pub touches: Vec<Touch>,
}

impl Frame {
    /// Where an actor is.
    pub fn pose(&self, actor: usize) -> Option<&Pose> {
        self.poses.get(actor)?.as_ref()
    }
}

/// What to keep of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FilmOptions {
    /// The times of frames, ascending `[s]`.
    pub times: Vec<f64>,
    /// Those of them at which pushes are shown, ascending; the others only make trails `[s]`.
    shown: Vec<f64>,
    /// How long before each of these pushes are gathered; none for not at all `[s]`.
    touches: Option<f64>,
}

impl FilmOptions {
    /// Frames at these times, in any order.
    pub fn at(times: impl IntoIterator<Item = f64>) -> Self {
        let mut times: Vec<f64> = times.into_iter().filter(|time| time.is_finite()).collect();
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        Self { shown: times.clone(), times, touches: None }
    }

    /// With more frames between, which make trails.
    #[must_use]
    pub fn with_trails(mut self, times: impl IntoIterator<Item = f64>) -> Self {
        self.times = Self::at(self.times.into_iter().chain(times)).times;
        self
    }

    /// The index of the frame that shows what is passed on at a time.
    fn shown_by(&self, time: f64) -> Option<usize> {
        let shown = self.shown[shown_by(&self.shown, self.touches?, time)?];
        Some(self.times.partition_point(|it| *it < shown))
    }

    /// With the pushes of so long before each `[s]`.
    #[must_use]
    pub fn with_touches(mut self, window: f64) -> Self {
        self.touches = Some(window);
        self
    }
}

/// What bodies look like, as far as somebody said so.
#[derive(Clone, Debug, Default)]
pub struct Looks {
    /// Colours of bodies by name: red, green and blue.
    pub colors: BTreeMap<String, [u8; 3]>,
    /// Which material each body has, by name; a colour is chosen for each.
    pub materials: BTreeMap<String, usize>,
}

impl Looks {
    /// The colour of a body, which is the `number`-th of all.
    fn color(&self, name: &str, role: Role, is_plane: bool, number: usize) -> DVec3 {
        if let Some(color) = self.colors.get(name) {
            return color::linear(*color);
        }
        match role {
            _ if is_plane => color::of_ground(),
            Role::Free => {
                color::of_material(self.materials.get(name).copied().unwrap_or_default(), number)
            }
            Role::Driven => color::of_driven(),
            Role::Fixed => color::of_fixed(),
        }
    }

    fn dress(&self, actors: &mut [Actor]) {
        for (number, actor) in actors.iter_mut().enumerate() {
            let is_plane = !actor.form.planes().is_empty();
            actor.color = self.color(&actor.name, actor.role, is_plane, number);
        }
    }
}

impl Film {
    /// The index of the frame nearest to a time.
    pub fn nearest(&self, time: f64) -> Option<usize> {
        let gap = |index: &usize| (self.frames[*index].time - time).abs();
        (0..self.frames.len()).min_by(|a, b| gap(a).total_cmp(&gap(b)))
    }
}

impl Actor {
    fn new(name: &str, role: Role, form: Form, center: DVec3, see_through: bool) -> Self {
        let bounds = form.bounds();
        let name = name.to_owned();
        Self { name, role, see_through, color: DVec3::ONE, form, bounds, center }
    }

    /// Points of its own frame that it lies between: of its surface, or of its box where these are more than `most`; none
    /// if it has no end.
    pub(crate) fn outline(&self, most: usize) -> Vec<DVec3> {
        let Some(Aabb { min, max }) = self.bounds else { return Vec::new() };
        let mut points = self.form.surface(16).points;
        points.sort_unstable_by(|a, b| {
            a.to_array().partial_cmp(&b.to_array()).unwrap_or(Ordering::Equal)
        });
        points.dedup();
        if points.len() <= most {
            return points;
        }
        let corner = |index: usize| {
            let pick = |axis: usize| if index >> axis & 1 == 0 { min[axis] } else { max[axis] };
            DVec3::new(pick(0), pick(1), pick(2))
        };
        (0..8).map(corner).collect()
    }
}
