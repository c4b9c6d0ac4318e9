//! The controller around laws that know one freedom each.

use super::axis::Efforts;
use super::{Aim, Aimed, Axis, PdGains, PidGains, Seen, Target, VelocityGains};
use crate::controller::{Commands, Controller, LoadError, NotSavable, Readings};
use crate::joint::JointId;
use crate::snapshot::SnapshotError;
use crate::snapshot::bytes::{Sink, Source};
use crate::world::World;

/// A law of control of one freedom, with its gains.
pub trait Law: Clone + Send + Sync {
    /// What it remembers from tick to tick: as many numbers as it needs.
    const MEMORY: usize;

    /// Which law it is, in saved bytes.
    const KIND: u8;

    /// True of a law whose targets are velocities.
    const AIMS_AT_RATES: bool = false;

    /// The force that it asks for, before the motor's limits `[N·m or N]`.
    fn asked(&self, aim: &Aim, seen: &Seen, memory: &[f64]) -> f64;

    /// Goes on from a tick, after a period in which the motor gave what `limits` of it left.
    fn remember(&self, moment: &Moment, memory: &mut [f64]);

    /// What it remembers at its first tick.
    fn begin(&self, seen: &Seen, memory: &mut [f64]);

    /// Its gains as numbers, to be saved.
    fn gains(&self) -> Vec<f64>;

    /// From its gains; none if they are not such.
    fn from_gains(gains: &[f64]) -> Option<Self>;
}

/// What a law is told when a tick is over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The aim at the tick before.
    pub aim: Aim,
    /// What was seen then.
    pub seen: Seen,
    /// Positive where the motor was at its upper limit then, negative at its lower one, else zero.
    pub saturated: f64,
    /// The time since `[s]`.
    pub period: f64,
}

/// A PD controller of joints.
pub type Pd = Servo<PdGains>;
/// A PID controller of joints.
pub type Pid = Servo<PidGains>;
/// A controller of the velocities of joints.
pub type VelocityPd = Servo<VelocityGains>;

/// Controls freedoms of joints, each by a law of its own gains.
///
/// ```
/// use carom::control::{Axis, Pd, PdGains};
/// use carom::{Body, Joint, JointKind, Rate, World};
/// use carom_geometry::{Shape, shapes::Ball};
/// use glam::DVec3;
///
/// let mut world = World::builder().build()?;
/// let bob = world.add(Body::free(Shape::Ball(Ball::new(0.05)?)).mass(1.0).at(DVec3::X))?;
/// let hinge = JointKind::Revolute { axis: DVec3::Y };
/// let joint = world.join(Joint::new(hinge, None, bob).at(DVec3::ZERO))?;
/// let gains = PdGains { position: 200.0, velocity: 30.0 };
/// let pd = Pd::new().control(Axis::new(joint).target(-0.5), gains);
/// world.add_controller(Rate::Hertz(1000.0), Box::new(pd))?;
/// world.advance_to(1.0)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Servo<L> {
    axes: Vec<Controlled<L>>,
}

/// One freedom with its law and what the law remembers.
#[derive(Clone, Debug)]
struct Controlled<L> {
    axis: Axis,
    law: L,
    memory: Vec<f64>,
    last: Option<Last>,
}

/// The tick before.
#[derive(Clone, Copy, Debug)]
struct Last {
    time: f64,
    aim: Aim,
    seen: Seen,
    saturated: f64,
}

impl<L: Law> Default for Servo<L> {
    fn default() -> Self {
        Self::new()
    }
}

impl<L: Law> Servo<L> {
    /// Controls nothing yet.
    pub const fn new() -> Self {
        Self { axes: Vec::new() }
    }

    /// Controls one more freedom.
    #[must_use]
    pub fn control(mut self, axis: Axis, law: L) -> Self {
        self.axes.push(Controlled { axis, law, memory: vec![0.0; L::MEMORY], last: None });
        self
    }
}

impl<L: Law> Controlled<L> {
    /// The force of its motor from now on; none if the joint is gone.
    fn tick(&mut self, world: &World) -> Option<f64> {
        let (time, seen) = (world.now(), self.axis.seen(world)?);
        let aim = self.axis.target.at(time);
        match self.last {
            None => self.law.begin(&seen, &mut self.memory),
            Some(Last { time: before, aim, seen, saturated }) => {
                let moment = Moment { aim, seen, saturated, period: time - before };
                self.law.remember(&moment, &mut self.memory);
            }
        }
        let asked = self.law.asked(&aim, &seen, &self.memory);
        let given = self.axis.motor.given(asked, seen.velocity);
        let saturated = if asked == given { 0.0 } else { asked - given };
        self.last = Some(Last { time, aim, seen, saturated });
        Some(given)
    }

    fn write(&self, sink: &mut dyn Sink) {
        self.axis.write(sink);
        for numbers in [&self.law.gains()[..], &self.memory] {
            sink.u64(numbers.len() as u64);
            for number in numbers {
                sink.f64(*number);
            }
        }
        sink.bool(self.last.is_some());
        if let Some(Last { time, aim, seen, saturated }) = self.last {
            let Aim { position, velocity, acceleration } = aim;
            let numbers = [time, position, velocity, acceleration];
            let rest = [seen.position, seen.velocity, saturated];
            for number in numbers.into_iter().chain(rest) {
                sink.f64(number);
            }
        }
    }

    fn read(source: &mut Source<'_>) -> Result<Self, SnapshotError> {
        let axis = Axis::read(source)?;
        let gains = source.list(8, Source::f64)?;
        let memory = source.list(8, Source::f64)?;
        let law = L::from_gains(&gains).filter(|_| memory.len() == L::MEMORY);
        let law = law.ok_or_else(|| SnapshotError::wrong("gains are not those of the law"))?;
        let has_last = source.bool()?;
        let mut next = || source.f64();
        let mut read_last = || {
            Ok::<_, SnapshotError>(Last {
                time: next()?,
                aim: Aim { position: next()?, velocity: next()?, acceleration: next()? },
                seen: Seen { position: next()?, velocity: next()? },
                saturated: next()?,
            })
        };
        let last = if has_last { Some(read_last()?) } else { None };
        Ok(Self { axis, law, memory, last })
    }
}

impl<L: Law> Controller for Servo<L> {
    fn tick(&mut self, readings: &Readings<'_>, commands: &mut Commands) {
        let world = readings.world();
        let mut efforts = Efforts::default();
        for it in &mut self.axes {
            if let Some(effort) = it.tick(world) {
                efforts.set(world, &it.axis, effort);
            }
        }
        efforts.into_commands(commands);
    }

    fn aim(&mut self, joint: JointId, freedom: usize, target: &Target) -> Result<(), &'static str> {
        let found = self.axes.iter_mut().map(|it| &mut it.axis);
        super::axis::aim(found, joint, freedom, target)
    }

    fn aims(&self) -> Vec<Aimed<'_>> {
        self.axes.iter().map(|it| it.axis.aimed(L::AIMS_AT_RATES)).collect()
    }

    fn let_go(&mut self, world: &World, commands: &mut Commands) {
        let mut efforts = Efforts::default();
        for it in &mut self.axes {
            it.last = None;
            it.memory.fill(0.0);
            efforts.set(world, &it.axis, 0.0);
        }
        efforts.into_commands(commands);
    }

    fn save(&self) -> Result<Vec<u8>, NotSavable> {
        let mut bytes = vec![L::KIND];
        bytes.u64(self.axes.len() as u64);
        self.axes.iter().for_each(|it| it.write(&mut bytes));
        Ok(bytes)
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let mut source = Source::new(bytes);
        let mut read = || {
            if source.u8()? != L::KIND {
                return Err(SnapshotError::wrong("it is a controller of another law"));
            }
            let axes = source.list(57, Controlled::read)?;
            if source.is_empty() { Ok(axes) } else { Err(SnapshotError::wrong("it is too long")) }
        };
        self.axes = read().map_err(|error| LoadError { reason: error.to_string() })?;
        Ok(())
    }
}
