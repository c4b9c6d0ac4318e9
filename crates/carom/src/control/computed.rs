//! Computed torque: the law that knows the whole linkage.
//!
//! With the error e = q* − q of each axis, the motors give what makes the linkage accelerate by
//!
//! ```text
//! a = q̈* + k_v·ė + k_p·e,     so that ë + k_v·ė + k_p·e = 0                                                (1)
//! ```
//!
//! at the tick, whatever hangs on the joints: Q = H·a + C − p with p what springs, dampers, dry friction, force elements and held
//! forces give (guide 2 F-8.2). Freedoms of the linkage that are not under control keep their motor forces and go as they go: mixed dynamics, which
//! includes bases that float. With both gains zero and a constant target this is compensation of gravity and of
//! velocity terms: a linkage that was at rest stays where it is put.
//!
//! Between ticks forces are held, so that e is of the order of the period T. Stops are not compensated: whoever is to move into
//! one presses on it.

use super::axis::Efforts;
use super::{Aimed, Axis, Target};
use crate::body::BodyId;
use crate::controller::{Commands, Controller, LoadError, NotSavable, Readings};
use crate::joint::JointId;
use crate::snapshot::SnapshotError;
use crate::snapshot::bytes::{Sink, Source};
use crate::world::World;

/// Which law it is, in saved bytes.
const KIND: u8 = 4;

/// How errors of computed torque shall die out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackingGains {
    /// k_p: the square of the frequency at which they would swing `[1/s²]`.
    pub position: f64,
    /// k_v `[1/s]`.
    pub velocity: f64,
}

impl TrackingGains {
    /// None: gravity and velocity terms are compensated, and no more.
    pub const NONE: Self = Self { position: 0.0, velocity: 0.0 };

    /// Critical damping at an angular frequency ω: errors die out like (1 + ω·t)·exp(−ω·t) `[rad/s]`.
    pub fn critical(omega: f64) -> Self {
        Self { position: omega * omega, velocity: 2.0 * omega }
    }
}

/// Controls freedoms of linkages by inverse dynamics.
#[derive(Clone, Debug, Default)]
pub struct ComputedTorque {
    axes: Vec<(Axis, TrackingGains)>,
}

impl ComputedTorque {
    /// Controls nothing yet.
    pub const fn new() -> Self {
        Self { axes: Vec::new() }
    }

    /// Controls one more freedom.
    #[must_use]
    pub fn control(mut self, axis: Axis, gains: TrackingGains) -> Self {
        self.axes.push((axis, gains));
        self
    }

    /// Compensates gravity in the first freedoms of these joints.
    pub fn compensating(joints: &[JointId]) -> Self {
        let axis = |joint: &JointId| (Axis::new(*joint), TrackingGains::NONE);
        Self { axes: joints.iter().map(axis).collect() }
    }

    /// (1) of one axis.
    fn wanted(axis: &Axis, gains: &TrackingGains, world: &World) -> Option<f64> {
        let (aim, seen) = (axis.target.at(world.now()), axis.seen(world)?);
        Some(
            aim.acceleration
                + gains.velocity * (aim.velocity - seen.velocity)
                + gains.position * (aim.position - seen.position),
        )
    }

    /// The forces of all axes on the linkage that this body belongs to.
    fn drive(&self, world: &World, first: BodyId, efforts: &mut Efforts) -> Option<()> {
        let linkage = world.linkage(first)?;
        let mut prescribed = vec![None; linkage.freedoms()];
        let place = |axis: &Axis| {
            linkage.freedoms_of(axis.joint).and_then(|range| range.into_iter().nth(axis.freedom))
        };
        for (axis, gains) in &self.axes {
            if let Some(place) = place(axis) {
                prescribed[place] = Self::wanted(axis, gains, world);
            }
        }
        // A linkage that cannot follow keeps the forces that it has.
        let (_, torque) = linkage.mixed_dynamics(&prescribed).ok()?;
        for (axis, _) in &self.axes {
            if let (Some(place), Some(seen)) = (place(axis), axis.seen(world)) {
                efforts.set(world, axis, axis.motor.given(torque[place], seen.velocity));
            }
        }
        Some(())
    }

    /// One body of each linkage that it controls.
    fn linkages(&self, world: &World) -> Vec<BodyId> {
        let first = |(axis, _): &(Axis, TrackingGains)| {
            let linkage = world.linkage(world.joint(axis.joint)?.child())?;
            linkage.links().map(|(body, _)| body).min()
        };
        let mut found: Vec<BodyId> = self.axes.iter().filter_map(first).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl Controller for ComputedTorque {
    fn tick(&mut self, readings: &Readings<'_>, commands: &mut Commands) {
        let world = readings.world();
        let mut efforts = Efforts::default();
        for first in self.linkages(world) {
            let _ = self.drive(world, first, &mut efforts);
        }
        efforts.into_commands(commands);
    }

    fn aim(&mut self, joint: JointId, freedom: usize, target: &Target) -> Result<(), &'static str> {
        super::axis::aim(self.axes.iter_mut().map(|it| &mut it.0), joint, freedom, target)
    }

    fn aims(&self) -> Vec<Aimed<'_>> {
        // What only compensates gravity aims at nothing.
        let tracked = self.axes.iter().filter(|(_, gains)| *gains != TrackingGains::NONE);
        tracked.map(|(axis, _)| axis.aimed(false)).collect()
    }

    fn let_go(&mut self, world: &World, commands: &mut Commands) {
        let mut efforts = Efforts::default();
        self.axes.iter().for_each(|(axis, _)| efforts.set(world, axis, 0.0));
        efforts.into_commands(commands);
    }

    fn save(&self) -> Result<Vec<u8>, NotSavable> {
        let mut bytes = vec![KIND];
        bytes.u64(self.axes.len() as u64);
        for (axis, gains) in &self.axes {
            axis.write(&mut bytes);
            bytes.f64(gains.position);
            bytes.f64(gains.velocity);
        }
        Ok(bytes)
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let mut source = Source::new(bytes);
        let one = |source: &mut Source<'_>| {
            let axis = Axis::read(source)?;
            let gains = TrackingGains { position: source.f64()?, velocity: source.f64()? };
            Ok((axis, gains))
        };
        let mut read = || {
            if source.u8()? != KIND {
                return Err(SnapshotError::wrong("it is a controller of another law"));
            }
            let axes = source.list(57, one)?;
            if source.is_empty() { Ok(axes) } else { Err(SnapshotError::wrong("it is too long")) }
        };
        self.axes = read().map_err(|error| LoadError { reason: error.to_string() })?;
        Ok(())
    }
}
