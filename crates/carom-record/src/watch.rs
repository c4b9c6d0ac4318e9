//! What all writers share: when to sample, whom, and in which order things are told.

use std::collections::BTreeMap;
use std::ops::Range;

use carom::{
    BodyId, BodyState, Collision, Event, FreedomState, Happening, Instant, JointId, JointState,
    SampleTimes, World,
};

use crate::contacts::RecordedCollision;
use crate::error::RecordError;
use crate::events::RecordedEvent;
use crate::joints::{JointDescription, JointRow, targets_at};
use crate::options::Options;
use crate::roster::Roster;

/// Takes down what a watch sees.
pub(crate) trait Sink {
    /// A body that has not been seen before.
    fn body(
        &mut self,
        world: &World,
        body: BodyId,
        number: u32,
        time: f64,
    ) -> Result<(), RecordError>;

    /// The states of the selected bodies at one time.
    fn sample(&mut self, world: &World, sample: &Seen<'_>) -> Result<(), RecordError>;

    /// A joint that has not been seen before; tables have none.
    fn joint(&mut self, _: JointDescription) -> Result<(), RecordError> {
        Ok(())
    }

    /// An event that is no collision.
    fn event(&mut self, event: &RecordedEvent) -> Result<(), RecordError>;

    /// The collisions of an instant.
    fn contacts(&mut self, world: &World, struck: &Struck<'_>) -> Result<(), RecordError>;
}

/// The collisions of an instant in which selected bodies had a part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Struck<'a> {
    pub(crate) time: f64,
    /// As they were told, and as they are recorded, one by one.
    pub(crate) told: &'a [Collision],
    pub(crate) recorded: &'a [RecordedCollision],
    pub(crate) roster: &'a Roster,
}

/// The states of the selected bodies at one time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    pub(crate) time: f64,
    pub(crate) states: &'a [(BodyId, BodyState)],
    /// Numbers of the bodies of `states`, one by one.
    pub(crate) numbers: &'a [u32],
    /// What the joints of these bodies do.
    pub(crate) joints: &'a [JointRow],
    pub(crate) roster: &'a Roster,
}

/// Follows a run and tells a sink.
#[derive(Debug)]
pub(crate) struct Watch {
    rate_hz: f64,
    events: bool,
    roster: Roster,
    /// None until the run is first seen.
    times: Option<SampleTimes>,
    states: Vec<(BodyId, BodyState)>,
    numbers: Vec<u32>,
    joints: Joints,
    told: Vec<Collision>,
    recorded: Vec<RecordedCollision>,
}

impl Watch {
    pub(crate) fn new(options: &Options) -> Result<Self, RecordError> {
        let rate_hz = options.rate_hz;
        if SampleTimes::new(0.0, rate_hz).is_none() {
            return Err(RecordError::Rate { rate_hz });
        }
        Ok(Self {
            rate_hz,
            events: options.events,
            roster: Roster::new(options.bodies.clone()),
            times: None,
            states: Vec::new(),
            numbers: Vec::new(),
            joints: Joints::default(),
            told: Vec::new(),
            recorded: Vec::new(),
        })
    }

    /// The number of a body that is recorded.
    pub(crate) fn number(&self, body: BodyId) -> Option<u32> {
        self.roster.number(body)
    }

    /// Samples from the start of `times` up to, but not including, its end.
    pub(crate) fn between(
        &mut self,
        world: &World,
        times: Range<f64>,
        sink: &mut impl Sink,
    ) -> Result<(), RecordError> {
        self.begin(world, times.start, sink)?;
        while let Some(time) = self.times.as_mut().and_then(|it| it.next_before(times.end)) {
            self.sample(world, time, sink)?;
        }
        Ok(())
    }

    /// Tells what happened at an instant.
    pub(crate) fn after(
        &mut self,
        world: &World,
        instant: &Instant<'_>,
        sink: &mut impl Sink,
    ) -> Result<(), RecordError> {
        self.begin(world, instant.time, sink)?;
        for event in instant.events {
            if let (Happening::Added { name }, Some(change)) = (&event.what, event.change) {
                self.meet(world, change.body, name, event.time, sink)?;
            }
            if let Happening::Joined { name, .. } = &event.what
                && let Some(id) = world.find_joint(name)
            {
                self.meet_joint(world, id, event.time, sink)?;
            }
            if !self.events || !self.wants(event) {
                continue;
            }
            if let Happening::Collision(collision) = event.what {
                let bodies = collision.contact.bodies.map(|body| self.roster.number(body));
                self.recorded.push(RecordedCollision::of(event.time, bodies, &collision));
                self.told.push(collision);
            } else {
                let who = |body: BodyId| {
                    let number = self.roster.number(body);
                    (number, number.map(|number| self.roster.name(number).to_owned()))
                };
                sink.event(&RecordedEvent::of(event, world, &who))?;
            }
        }
        self.tell_contacts(world, instant.time, sink)
    }

    /// Hands on the collisions that have been gathered.
    fn tell_contacts(
        &mut self,
        world: &World,
        time: f64,
        sink: &mut impl Sink,
    ) -> Result<(), RecordError> {
        if self.told.is_empty() {
            return Ok(());
        }
        let Self { told, recorded, roster, .. } = self;
        let written = sink.contacts(world, &Struck { time, told, recorded, roster });
        told.clear();
        recorded.clear();
        written
    }

    /// Samples the end of a run, if its time has come.
    pub(crate) fn end(&mut self, world: &World, sink: &mut impl Sink) -> Result<(), RecordError> {
        let now = world.now();
        self.between(world, now..now.next_up(), sink)
    }

    /// Everything that is there when the run is first seen.
    fn begin(
        &mut self,
        world: &World,
        start: f64,
        sink: &mut impl Sink,
    ) -> Result<(), RecordError> {
        if self.times.is_some() {
            return Ok(());
        }
        self.times = SampleTimes::new(start, self.rate_hz);
        for body in world.bodies() {
            self.meet(world, body.id(), body.name(), start, sink)?;
        }
        for joint in world.joints() {
            self.meet_joint(world, joint.id(), start, sink)?;
        }
        Ok(())
    }

    /// Takes note of a joint; one whose child is not recorded has no place to be drawn at.
    fn meet_joint(
        &mut self,
        world: &World,
        id: JointId,
        time: f64,
        sink: &mut impl Sink,
    ) -> Result<(), RecordError> {
        let Some(joint) = world.joint(id) else { return Ok(()) };
        let Some(child) = self.roster.number(joint.child()) else { return Ok(()) };
        let Some(number) = self.joints.meet(id) else { return Ok(()) };
        let parent = joint.parent().and_then(|body| self.roster.number(body));
        sink.joint(JointDescription::of(&joint, number, time, (parent, child), world))
    }

    fn meet(
        &mut self,
        world: &World,
        body: BodyId,
        name: &str,
        time: f64,
        sink: &mut impl Sink,
    ) -> Result<(), RecordError> {
        match self.roster.meet(body, name) {
            Some(number) => sink.body(world, body, number, time),
            None => Ok(()),
        }
    }

    /// What happens to a selected body, between bodies of which one is selected, or to the world.
    fn wants(&self, event: &Event) -> bool {
        let selected = |body: BodyId| self.roster.number(body).is_some();
        match event.change {
            Some(change) => selected(change.body),
            None => event.bodies().next().is_none() || event.bodies().any(selected),
        }
    }

    fn sample(
        &mut self,
        world: &World,
        time: f64,
        sink: &mut impl Sink,
    ) -> Result<(), RecordError> {
        let Self { roster, states, numbers, .. } = self;
        world.states_at(time, states);
        numbers.clear();
        states.retain(|&(body, _)| {
            let number = roster.number(body);
            numbers.extend(number);
            number.is_some()
        });
        let joints = self.joints.at(world, time);
        sink.sample(world, &Seen { time, states, numbers, joints, roster })
    }

    /// What the recorded joints do at a time.
    pub(crate) fn joints_at(&self, world: &World, time: f64) -> Vec<JointRow> {
        let mut joints = Joints { numbers: self.joints.numbers.clone(), ..Joints::default() };
        joints.at(world, time);
        joints.rows
    }

    /// The joint with a number.
    pub(crate) fn joint(&self, number: u32) -> Option<JointId> {
        self.joints.numbers.iter().find(|(_, it)| **it == number).map(|(id, _)| *id)
    }
}

/// Numbers of joints, which a recording gives out once, and what they do.
#[derive(Debug, Default)]
struct Joints {
    numbers: BTreeMap<JointId, u32>,
    states: Vec<JointState>,
    rows: Vec<JointRow>,
}

impl Joints {
    /// The number of a joint, if it is new.
    fn meet(&mut self, joint: JointId) -> Option<u32> {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(joint).or_insert(next);
        (number == next).then_some(number)
    }

    /// What those that have numbers do at a time.
    fn at(&mut self, world: &World, time: f64) -> &[JointRow] {
        self.rows.clear();
        if self.numbers.is_empty() {
            return &self.rows;
        }
        let targets = targets_at(world, time);
        world.joint_states_at(time, &mut self.states);
        for JointState { joint: id, freedoms } in &self.states {
            let Some(&joint) = self.numbers.get(id) else { continue };
            for (freedom, it) in freedoms.iter().enumerate() {
                let target = targets.get(&(*id, freedom)).copied().unwrap_or(f64::NAN);
                let FreedomState { position, rate, force } = *it;
                self.rows.push(JointRow { joint, position, rate, force, target });
            }
        }
        &self.rows
    }
}
