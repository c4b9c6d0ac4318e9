//! A run in memory: what a recording would hold, as messages, while the run goes on.

use std::collections::BTreeMap;
use std::ops::Range;

use carom::{BodyId, BodyState, Instant, JointId, Observer, Stop, World};

use crate::bodies::{BodyDescription, MeshNumbers};
use crate::error::RecordError;
use crate::events::RecordedEvent;
use crate::joints::{JointDescription, JointSample};
use crate::messages::{LedgerLine, Sample};
use crate::options::Options;
use crate::reader::Message;
use crate::watch::{Seen, Sink, Struck, Watch};

/// Gathers the messages that a [`Recorder`](crate::Recorder) would write, in the same order, for whoever takes them.
#[derive(Debug)]
pub struct Gatherer {
    watch: Watch,
    gathered: Gathered,
}

#[derive(Debug, Default)]
struct Gathered {
    colors: BTreeMap<String, [f64; 4]>,
    meshes: MeshNumbers,
    messages: Vec<Message>,
}

impl Gatherer {
    /// With colours of bodies by name: red, green, blue and opacity, each from 0 to 1.
    ///
    /// # Errors
    /// If the rate is not a positive finite number.
    pub fn new(options: &Options, colors: BTreeMap<String, [f64; 4]>) -> Result<Self, RecordError> {
        let watch = Watch::new(options)?;
        Ok(Self { watch, gathered: Gathered { colors, ..Gathered::default() } })
    }

    /// What came since this was last asked.
    pub fn take(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.gathered.messages)
    }

    /// The states of all recorded bodies now, whether or not a sample is due.
    pub fn sample(&self, world: &World) -> Sample {
        let mut states: Vec<(BodyId, BodyState)> = Vec::new();
        world.states_at(world.now(), &mut states);
        let numbered = |(body, state): (BodyId, BodyState)| Some((self.number(body)?, state));
        Sample { time: world.now(), states: states.into_iter().filter_map(numbered).collect() }
    }

    /// What all recorded joints do now.
    pub fn joints(&self, world: &World) -> JointSample {
        JointSample { time: world.now(), rows: self.watch.joints_at(world, world.now()) }
    }

    /// The joint with a number.
    pub fn joint(&self, number: u32) -> Option<JointId> {
        self.watch.joint(number)
    }

    /// The number that a body has in the recording.
    pub fn number(&self, body: BodyId) -> Option<u32> {
        self.watch.number(body)
    }

    /// The body with a number, of those that are there.
    pub fn body(&self, world: &World, number: u32) -> Option<BodyId> {
        world.bodies().map(|body| body.id()).find(|id| self.number(*id) == Some(number))
    }
}

impl Observer for Gatherer {
    fn between(&mut self, world: &World, times: Range<f64>) -> Result<(), Stop> {
        self.watch.between(world, times, &mut self.gathered).map_err(Stop::failed)
    }

    fn after(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        self.watch.after(world, instant, &mut self.gathered).map_err(Stop::failed)
    }

    fn broken(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        self.after(world, instant)
    }
}

impl Sink for Gathered {
    fn body(
        &mut self,
        world: &World,
        body: BodyId,
        number: u32,
        time: f64,
    ) -> Result<(), RecordError> {
        let Some(body) = world.body(body) else { return Ok(()) };
        let mut new = Vec::new();
        let mut description = BodyDescription::of(&body, number, time, &mut self.meshes, &mut new);
        description.color = self.colors.get(&description.name).copied();
        self.messages.extend(new.into_iter().map(Message::Mesh));
        self.messages.push(Message::Body(description));
        Ok(())
    }

    fn sample(&mut self, world: &World, sample: &Seen<'_>) -> Result<(), RecordError> {
        let (account, gravity) = (world.account_at(sample.time), Some(world.gravity()));
        self.messages.push(Message::Ledger(LedgerLine { time: sample.time, account, gravity }));
        if !sample.joints.is_empty() {
            let rows = sample.joints.to_vec();
            self.messages.push(Message::Joints(JointSample { time: sample.time, rows }));
        }
        let states = sample.numbers.iter().zip(sample.states);
        let states = states.map(|(&number, &(_, state))| (number, state)).collect();
        self.messages.push(Message::Sample(Sample { time: sample.time, states }));
        Ok(())
    }

    fn joint(&mut self, joint: JointDescription) -> Result<(), RecordError> {
        self.messages.push(Message::Joint(joint));
        Ok(())
    }

    fn event(&mut self, event: &RecordedEvent) -> Result<(), RecordError> {
        self.messages.push(Message::Event(event.clone()));
        Ok(())
    }

    fn contacts(&mut self, _: &World, struck: &Struck<'_>) -> Result<(), RecordError> {
        self.messages.push(Message::Contacts(struck.recorded.to_vec()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use carom::Observers;

    use super::*;
    use crate::Reader;
    use crate::testing::{landing_world, record};

    #[test]
    fn what_is_gathered_is_what_a_recording_holds() {
        let options = Options::at(100.0);
        let bytes = record(&mut landing_world(), 0.5, &options);
        let mut reader = Reader::new(Cursor::new(&bytes)).expect("it is a recording");
        let recorded: Vec<Message> = reader.messages().map(Result::unwrap).collect();
        let mut world = landing_world();
        let mut gatherer = Gatherer::new(&options, BTreeMap::new()).unwrap();
        for time in [0.1, 0.3, 0.5] {
            world.advance_watched(time, &mut Observers::none().with(&mut gatherer)).unwrap();
        }
        let gathered = gatherer.take();
        // The recorder adds the sample at the very end when it is finished.
        assert!(gathered.len() > 50 && gathered.len() <= recorded.len());
        assert_eq!(gathered[..], recorded[..gathered.len()]);
        assert!(gatherer.take().is_empty());
        let sample = gatherer.sample(&world);
        let (number, state) = sample.states[0];
        let body = gatherer.body(&world, number).expect("it is there");
        assert_eq!((sample.time, Some(state)), (0.5, world.state(body)));
    }
}
