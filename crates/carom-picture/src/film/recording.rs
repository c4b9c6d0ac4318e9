//! A film of a recording.

use std::collections::BTreeMap;
use std::io::{Read, Seek};

use carom::BodyState;
use carom_geometry::Pose;
use carom_record::{BodyDescription, Message, ReadError, Reader, Sample};
use glam::DVec3;

use super::touches::Gathering;
use super::{Actor, Film, FilmOptions, Frame, Looks, Role, Touch};
use crate::form::{Form, of_meshes};
use crate::tolerances::SAME_TOUCH;

impl Film {
    /// From a recording, with places between samples in proportion; times before the first and after the last sample are
    /// shown as these.
    ///
    /// # Errors
    /// If the recording cannot be read.
    pub fn of_recording<R: Read + Seek>(
        reader: &mut Reader<R>,
        options: &FilmOptions,
        looks: &Looks,
    ) -> Result<Self, ReadError> {
        let meshes = of_meshes(reader.meshes().collect::<Result<_, _>>()?);
        let bodies: Vec<BodyDescription> = reader.bodies().collect::<Result<_, _>>()?;
        let mut making = Making::default();
        let mut colors = looks.clone();
        for body in &bodies {
            making.numbers.insert(body.body, making.actors.len());
            making.references.push(DVec3::from_array(body.reference_m));
            let form = Form::described(&body.shape, &meshes);
            let see_through = body.ghost || body.sensor;
            let center = DVec3::from_array(body.reference_m);
            let role = Role::of_name(&body.role);
            making.actors.push(Actor::new(&body.name, role, form, center, see_through));
            if let Some([r, g, b, _]) = body.color {
                let color = [r, g, b].map(|part| (part * 255.0).round() as u8);
                colors.colors.entry(body.name.clone()).or_insert(color);
            }
        }
        making.read(reader, options)?;
        colors.dress(&mut making.actors);
        Ok(Self { actors: making.actors, frames: making.frames })
    }
}

/// A film in the making.
#[derive(Debug, Default)]
struct Making {
    actors: Vec<Actor>,
    /// Where actors are followed, in their own frames.
    references: Vec<DVec3>,
    /// Actors by their numbers in the recording.
    numbers: BTreeMap<u32, usize>,
    frames: Vec<Frame>,
}

impl Making {
    fn read<R: Read + Seek>(
        &mut self,
        reader: &mut Reader<R>,
        options: &FilmOptions,
    ) -> Result<(), ReadError> {
        let times = &options.times;
        let mut gatherings = vec![Gathering::default(); times.len()];
        let mut last: Option<Sample> = None;
        for message in reader.messages() {
            match message? {
                Message::Sample(sample) => {
                    let before = last.as_ref().unwrap_or(&sample);
                    self.take(times, before, &sample, sample.time);
                    last = Some(sample);
                }
                Message::Contacts(collisions) => {
                    for collision in collisions {
                        let Some(index) = options.shown_by(collision.time) else { continue };
                        let actor = |body: Option<u32>| self.numbers.get(&body?).copied();
                        let actors = collision.bodies.map(actor);
                        let (point, impulse) = (collision.point, collision.impulse);
                        let touch = Touch { actors, point, impulse };
                        gatherings[index].add(touch, self.near(&touch));
                    }
                }
                _ => {}
            }
        }
        // The end of the run, within what rounding makes of its time, and all that is asked for beyond it.
        if let Some(last) = last {
            self.take(times, &last, &last, f64::INFINITY);
        }
        for (frame, gathering) in self.frames.iter_mut().zip(gatherings) {
            frame.touches = gathering.finish();
        }
        Ok(())
    }

    /// Takes the frames up to a time that are not taken yet, between two samples.
    fn take(&mut self, times: &[f64], before: &Sample, after: &Sample, until: f64) {
        while let Some(&time) = times.get(self.frames.len())
            && time <= until
        {
            let frame = self.between(before, after, time);
            self.frames.push(frame);
        }
    }

    fn near(&self, touch: &Touch) -> f64 {
        let bounds = touch.actors.iter().flatten().filter_map(|&index| self.actors[index].bounds);
        SAME_TOUCH * bounds.map(|it| 0.5 * it.diagonal()).fold(f64::INFINITY, f64::min)
    }

    /// Everybody between two samples.
    fn between(&self, before: &Sample, after: &Sample, time: f64) -> Frame {
        let span = after.time - before.time;
        let share = if span > 0.0 { ((time - before.time) / span).clamp(0.0, 1.0) } else { 1.0 };
        let mut poses = vec![None; self.actors.len()];
        let earlier: BTreeMap<u32, &BodyState> =
            before.states.iter().map(|(number, state)| (*number, state)).collect();
        for (number, state) in &after.states {
            let Some(&index) = self.numbers.get(number) else { continue };
            let start = earlier.get(number).copied().unwrap_or(state);
            let rotation = start.orientation.slerp(state.orientation, share);
            let reference = start.position.lerp(state.position, share);
            let translation = reference - rotation * self.references[index];
            poses[index] = Some(Pose::new(translation, rotation));
        }
        Frame { time, poses, touches: Vec::new() }
    }
}
