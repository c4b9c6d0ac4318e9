//! A recording, read for charts.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Seek};

use carom::{BodyState, CollisionKind};
use glam::DVec3;

use super::{FigureError, FigureOptions};
use crate::bodies::BodyDescription;
use crate::contacts::RecordedCollision;
use crate::error::ReadError;
use crate::messages::{LedgerLine, Sample};
use crate::reader::{Message, Reader};

/// Everything of a recording that charts show.
#[derive(Clone, Debug)]
pub struct RecordedRun {
    /// What it is called on charts.
    pub label: String,
    pub(super) rate_hz: f64,
    pub(super) bodies: Vec<BodyDescription>,
    pub(super) samples: Vec<Sample>,
    pub(super) ledger: Vec<LedgerLine>,
    pub(super) contacts: Vec<RecordedCollision>,
}

impl RecordedRun {
    /// Reads a recording, which charts call `label`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read<R: Read + Seek>(
        reader: &mut Reader<R>,
        label: impl Into<String>,
    ) -> Result<Self, ReadError> {
        let mut run = Self {
            label: label.into(),
            rate_hz: reader.rate_hz(),
            bodies: Vec::new(),
            samples: Vec::new(),
            ledger: Vec::new(),
            contacts: Vec::new(),
        };
        for message in reader.messages() {
            match message? {
                Message::Body(body) => run.bodies.push(body),
                Message::Sample(sample) => run.samples.push(sample),
                Message::Ledger(line) => run.ledger.push(line),
                Message::Contacts(collisions) => run.contacts.extend(collisions),
                Message::Mesh(_) | Message::Event(_) | Message::Joint(_) | Message::Joints(_) => {}
            }
        }
        Ok(run)
    }

    pub(super) fn name(&self, number: Option<u32>) -> &str {
        let place = |number: u32| self.bodies.binary_search_by_key(&number, |body| body.body).ok();
        let body = number.and_then(place).and_then(|place| self.bodies.get(place));
        body.map_or("(not recorded)", |body| &body.name)
    }

    /// What is asked of every sample of bodies, body by body: the number of the sample, its time and the state. A `gap` is put
    /// between samples that have a collision of the body between them, where speed jumps; microcollisions, which hold a body
    /// at rest, make none.
    pub(super) fn ways<T: Clone>(
        &self,
        bodies: &[&BodyDescription],
        gap: Option<&T>,
        row: impl Fn(&BodyDescription, usize, f64, &BodyState) -> T,
    ) -> Vec<(String, Vec<T>)> {
        let jumps = if gap.is_some() { self.jumps() } else { BTreeMap::new() };
        let numbers = bodies.iter().enumerate().map(|(place, body)| (body.body, place));
        let places: BTreeMap<u32, usize> = numbers.collect();
        let mut all: Vec<(String, Vec<T>)> =
            bodies.iter().map(|body| (body.name.clone(), Vec::new())).collect();
        for (index, sample) in self.samples.iter().enumerate() {
            for (number, state) in &sample.states {
                if let Some(&place) = places.get(number) {
                    let has_jumped = || jumps.get(number).is_some_and(|it| it.contains(&index));
                    all[place].1.extend(gap.filter(|_| has_jumped()).cloned());
                    all[place].1.push(row(bodies[place], index, sample.time, state));
                }
            }
        }
        all
    }

    /// For every body, the samples before which it collided.
    fn jumps(&self) -> BTreeMap<u32, BTreeSet<usize>> {
        let mut jumps: BTreeMap<u32, BTreeSet<usize>> = BTreeMap::new();
        for collision in self.contacts.iter().filter(|it| it.kind == CollisionKind::Ordinary) {
            let next = self.samples.partition_point(|sample| sample.time < collision.time);
            for body in collision.bodies.into_iter().flatten() {
                jumps.entry(body).or_default().insert(next);
            }
        }
        jumps
    }

    /// The bodies that are asked for; without any, those that move by themselves.
    pub(super) fn chosen(&self, names: &[String]) -> Vec<&BodyDescription> {
        let wanted = |body: &&BodyDescription| match names {
            [] => body.role == "free" || body.role == "linked",
            names => names.contains(&body.name),
        };
        self.bodies.iter().filter(wanted).collect()
    }

    /// Against gravity, or z where the recording does not tell it.
    pub(super) fn up(&self) -> DVec3 {
        let gravity = self.ledger.first().and_then(|line| line.gravity);
        gravity.and_then(|gravity| (-gravity).try_normalize()).unwrap_or(DVec3::Z)
    }

    /// That every body that is asked for is there.
    pub(super) fn check_names(&self, options: &FigureOptions) -> Result<(), FigureError> {
        let asked = options.bodies.iter().chain(options.pair.iter().flatten());
        for asked in asked {
            if self.bodies.iter().all(|body| body.name != *asked) {
                return Err(FigureError::NoBody {
                    asked: asked.clone(),
                    label: self.label.clone(),
                    known: self.bodies.iter().map(|body| body.name.clone()).collect(),
                });
            }
        }
        Ok(())
    }

    /// True for a collision of the pair that is asked for, and of any of the bodies.
    pub(super) fn is_wanted(&self, collision: &RecordedCollision, options: &FigureOptions) -> bool {
        let is_named = |body: Option<u32>| options.bodies.iter().any(|it| it == self.name(body));
        let is_of_bodies = options.bodies.is_empty() || collision.bodies.into_iter().any(is_named);
        is_of_bodies && self.is_of(collision, options.pair.as_ref())
    }

    /// True if a collision is one of these two, either way round.
    pub(super) fn is_of(&self, collision: &RecordedCollision, pair: Option<&[String; 2]>) -> bool {
        let names = collision.bodies.map(|body| self.name(body));
        pair.is_none_or(|[a, b]| names == [a, b] || names == [b, a])
    }
}
