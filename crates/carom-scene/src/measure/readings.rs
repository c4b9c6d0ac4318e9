//! Gauges in measures: what they had read by a time.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom::sense::Parts;
use carom::{Happening, Instant, Stop, World};
use rhai::Engine;

use super::words::{Answer, Run};
use crate::scene::Scene;

/// Numbers that are kept of all gauges together; a run that needs more ends.
const MOST_NUMBERS: usize = 20_000_000;

/// What gauges have read, each reading with its time.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadingTracks {
    tracks: BTreeMap<String, Track>,
    /// Names of the gauges that are followed, by the slots of their controllers.
    slots: BTreeMap<u32, String>,
    /// All names, so that what is not followed is told from what is not there.
    known: Vec<String>,
    n_numbers: usize,
}

#[derive(Clone, Debug)]
struct Track {
    parts: Parts,
    times: Vec<f64>,
    /// As many of each time as there are parts.
    numbers: Vec<f64>,
}

impl ReadingTracks {
    /// Of the gauges of a scene that are asked for.
    pub(super) fn of(scene: &Scene, is_asked: impl Fn(&str) -> bool) -> Self {
        let mut readings = Self::default();
        for (index, gauge) in scene.gauges.iter().enumerate() {
            readings.known.push(gauge.name.clone());
            // Gauges come after the controllers, each in the next slot.
            let slot = u32::try_from(scene.controllers.len() + index);
            let (Ok(slot), true) = (slot, is_asked(&gauge.name)) else { continue };
            let parts = gauge.what.parts();
            let track = Track { parts, times: Vec::new(), numbers: Vec::new() };
            readings.tracks.insert(gauge.name.clone(), track);
            readings.slots.insert(slot, gauge.name.clone());
        }
        readings
    }

    pub(super) fn hear(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        if self.slots.is_empty() {
            return Ok(());
        }
        for event in instant.events {
            let Happening::Tick { controller, .. } = event.what else { continue };
            let track = self.slots.get(&controller.slot()).and_then(|it| self.tracks.get_mut(it));
            let (Some(track), Some(shown)) = (track, world.shown(controller)) else { continue };
            if shown.len() != track.parts.len() {
                continue;
            }
            self.n_numbers += shown.len();
            if self.n_numbers > MOST_NUMBERS {
                let message = format!(
                    "measures ask for more than {MOST_NUMBERS} numbers of gauges\n\
                     hint: give the gauges a lower `rate_hz`"
                );
                return Err(Stop::failed(message));
            }
            track.times.push(instant.time);
            track.numbers.extend_from_slice(shown);
        }
        Ok(())
    }
}

/// A gauge in a measure.
#[derive(Clone)]
struct MeasuredGauge {
    run: Arc<Run>,
    name: String,
    /// `[s]`
    time: f64,
}

impl MeasuredGauge {
    fn at(&self, time: f64) -> Answer<Self> {
        self.run.reached(time)?;
        Ok(Self { time, ..self.clone() })
    }

    fn part(&self, name: &str) -> Answer<f64> {
        let (gauge, time) = (&self.name, self.time);
        let track = self.run.readings.tracks.get(gauge);
        let track = track.ok_or_else(|| format!("the gauge \"{gauge}\" was not followed"))?;
        let Some(part) = track.parts.iter().position(|(known, _)| *known == name) else {
            let parts: Vec<&str> = track.parts.iter().map(|it| it.0).collect();
            let has = parts.join(", ");
            return Err(format!("the gauge \"{gauge}\" has no `{name}`; it has {has}").into());
        };
        let Some(last) = track.times.partition_point(|at| *at <= time).checked_sub(1) else {
            return Err(format!("the gauge \"{gauge}\" has read nothing by {time} s").into());
        };
        Ok(track.numbers[last * track.parts.len() + part])
    }
}

/// Gives an engine the words for gauges.
pub(super) fn register(engine: &mut Engine, run: &Arc<Run>) {
    engine.register_type_with_name::<MeasuredGauge>("a gauge");
    let of = Arc::clone(run);
    engine.register_fn("gauge", move |name: &str| -> Answer<MeasuredGauge> {
        let known = &of.readings.known;
        if !known.iter().any(|it| it == name) {
            let near = crate::suggest::nearest(name, known.iter().map(String::as_str));
            let hint = near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
            return Err(format!("there is no gauge \"{name}\"{hint}").into());
        }
        Ok(MeasuredGauge { run: Arc::clone(&of), name: name.to_owned(), time: of.end })
    });
    engine.register_fn("at", |gauge: &mut MeasuredGauge, time: f64| gauge.at(time));
    let all = [
        carom::sense::ENCODER_PARTS,
        carom::sense::POSE_PARTS,
        carom::sense::VELOCITY_PARTS,
        carom::sense::IMU_PARTS,
        carom::sense::CONTACT_FORCE_PARTS,
        carom::sense::RANGE_PARTS,
    ];
    for (part, _) in all.into_iter().flatten() {
        engine.register_get(*part, move |gauge: &mut MeasuredGauge| gauge.part(part));
    }
}
