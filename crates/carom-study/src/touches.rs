//! Who touched whom first, and who passed which sensor, by the names of a scene.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use carom::{BodyId, Contact, Happening, Instant, Observer, Stop, World};
use carom_geometry::distance::Feature;
use carom_scene::{OnTouch, Scene};
use glam::DVec3;

/// First touches that are kept; of more pairs only the number. A pair takes some 300 bytes, and in a report as JSON
/// twice that: more is better read from a recording.
pub const MOST_TOUCHES: usize = 10_000;

/// How much farther apart than where they touch bodies may be elsewhere and touch there too, as a share of the smaller
/// one's size `[-]`.
pub const CONTACT_SHARE: f64 = 1e-6;

/// The first touch of a pair of bodies, A and B.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstTouch {
    /// When `[s]`.
    pub time: f64,
    /// Names of A and B.
    pub bodies: [String; 2],
    /// Halfway between the closest points `[m]`.
    pub point: DVec3,
    /// All places at which they are as close but for [`CONTACT_SHARE`] of the smaller one's size: the corners of faces that
    /// lie on each other, the ends of edges, or just the point `[m]`.
    pub contact_points: Vec<DVec3>,
    /// Unit vector from B to A.
    pub normal: DVec3,
    /// Distance of the bodies `[m]`.
    pub distance: f64,
    /// Rate of the distance, negative while they close `[m/s]`.
    pub speed: f64,
    /// Closest features.
    pub features: [Feature; 2],
    /// The same in words.
    pub feature_names: [String; 2],
    /// Which convex piece of each body they belong to.
    pub pieces: [u32; 2],
}

/// How often a sensor was passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SensorCounts {
    /// Name of the sensor.
    pub name: String,
    /// How often a body entered it.
    pub entered: u64,
    /// How often a body left it.
    pub left: u64,
}

/// What a run had of touches and sensors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Touches {
    /// The first touch of every pair in the order of time, at most [`MOST_TOUCHES`].
    pub first: Vec<FirstTouch>,
    /// Pairs that touched.
    pub pairs: usize,
    /// All sensors of the scene, in its order.
    pub sensors: Vec<SensorCounts>,
}

/// An observer that takes down first touches and counts who passes sensors; it ends the run at a touch if told to.
#[derive(Debug)]
pub(crate) struct TouchWatch<'a> {
    scene: &'a Scene,
    /// Places of the bodies in the scene.
    places: BTreeMap<BodyId, usize>,
    seen: BTreeSet<[BodyId; 2]>,
    /// Places of the sensors in the list of counts, by their places in the scene.
    sensors: BTreeMap<usize, usize>,
    found: Touches,
    stopped: bool,
}

impl<'a> TouchWatch<'a> {
    /// Of a world whose bodies have these handles, in the order of the scene.
    pub(crate) fn new(scene: &'a Scene, ids: &[BodyId]) -> Self {
        let places = ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
        let is_sensor = |place: &usize| scene.bodies[*place].sensor;
        let sensors: Vec<usize> = (0..scene.bodies.len()).filter(is_sensor).collect();
        let counts = |&place: &usize| SensorCounts {
            name: scene.bodies[place].name.clone(),
            entered: 0,
            left: 0,
        };
        let found = Touches { sensors: sensors.iter().map(counts).collect(), ..Touches::default() };
        let sensors = sensors.into_iter().zip(0..).collect();
        Self { scene, places, seen: BTreeSet::new(), sensors, found, stopped: false }
    }

    /// Whether a touch has ended the run.
    pub(crate) const fn stopped(&self) -> bool {
        self.stopped
    }

    pub(crate) fn finish(self) -> Touches {
        self.found
    }

    fn touch(&mut self, world: &World, time: f64, contact: &Contact) {
        if !self.seen.insert(contact.bodies) {
            return;
        }
        self.found.pairs += 1;
        if self.found.first.len() == MOST_TOUCHES {
            return;
        }
        let body = |side: usize| {
            let place = self.places.get(&contact.bodies[side]);
            place.and_then(|&place| self.scene.bodies.get(place))
        };
        let name = |side| body(side).map_or_else(String::new, |it| it.name.clone());
        let feature = |side: usize| {
            let (piece, feature) = (contact.pieces[side], contact.features[side]);
            body(side)
                .map_or_else(|| feature.to_string(), |it| it.shape.feature_name(piece, feature))
        };
        let first = FirstTouch {
            time,
            bodies: [name(0), name(1)],
            point: contact.point,
            contact_points: contact_points(world, time, contact),
            normal: contact.normal,
            distance: contact.distance,
            speed: contact.speed,
            features: contact.features,
            feature_names: [feature(0), feature(1)],
            pieces: contact.pieces,
        };
        self.found.first.push(first);
    }

    fn counts_of(&mut self, sensor: BodyId) -> Option<&mut SensorCounts> {
        let row = *self.sensors.get(self.places.get(&sensor)?)?;
        self.found.sensors.get_mut(row)
    }
}

/// Halfway between the bodies at all places where they touch.
fn contact_points(world: &World, time: f64, contact: &Contact) -> Vec<DVec3> {
    let [a, b] = contact.bodies;
    let radius = |id| world.body(id).map_or(f64::INFINITY, |body| body.radius());
    let reach = contact.distance.max(0.0) + 2.0 * CONTACT_SHARE * radius(a).min(radius(b));
    let points = world.contact_points(a, b, reach, time).unwrap_or_default();
    points.iter().map(|it| it.points[0].midpoint(it.points[1])).collect()
}

impl Observer for TouchWatch<'_> {
    fn between(&mut self, _: &World, _: Range<f64>) -> Result<(), Stop> {
        Ok(())
    }

    fn after(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        let mut touched = false;
        for event in instant.events {
            match &event.what {
                Happening::Touch(contact) => {
                    touched = true;
                    self.touch(world, event.time, contact);
                }
                Happening::Collision(collision) => {
                    touched = true;
                    self.touch(world, event.time, &collision.contact);
                }
                Happening::Entered { sensor, .. } => {
                    if let Some(counts) = self.counts_of(*sensor) {
                        counts.entered += 1;
                    }
                }
                Happening::Left { sensor, .. } => {
                    if let Some(counts) = self.counts_of(*sensor) {
                        counts.left += 1;
                    }
                }
                _ => {}
            }
        }
        if touched && self.scene.on_touch == OnTouch::Stop {
            self.stopped = true;
            return Err(Stop::Enough);
        }
        Ok(())
    }
}
