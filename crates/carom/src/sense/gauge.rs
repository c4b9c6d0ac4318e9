//! Gauges: sensors that read by themselves, at their own rate, and hold what they read until the next tick.
//!
//! A gauge is a controller that commands nothing. What it shows is part of the world's state, whether anybody looks or not: it is
//! saved, restored and hashed, and runs that are watched are those that are not.

use super::{Axes, ContactForce, Encoder, Imu, PoseSensor, Range, VelocitySensor};
use crate::controller::{Commands, Controller, LoadError, NotSavable, Readings};
use crate::snapshot::SnapshotError;
use crate::snapshot::bodies::{read_body_id, write_body_id};
use crate::snapshot::bytes::{Sink, Source};
use crate::world::World;

/// Names and units of numbers, in order.
pub type Parts = &'static [(&'static str, &'static str)];

/// What an encoder reads.
pub const ENCODER_PARTS: Parts = &[("position", "rad or m"), ("velocity", "rad/s or m/s")];

/// What a sensor of pose reads.
pub const POSE_PARTS: Parts =
    &[("x", "m"), ("y", "m"), ("z", "m"), ("qx", "-"), ("qy", "-"), ("qz", "-"), ("qw", "-")];

/// What a sensor of velocity reads.
pub const VELOCITY_PARTS: Parts = &[
    ("vx", "m/s"),
    ("vy", "m/s"),
    ("vz", "m/s"),
    ("wx", "rad/s"),
    ("wy", "rad/s"),
    ("wz", "rad/s"),
];

/// What an inertial measurement unit reads.
pub const IMU_PARTS: Parts = &[
    ("ax", "m/s²"),
    ("ay", "m/s²"),
    ("az", "m/s²"),
    ("wx", "rad/s"),
    ("wy", "rad/s"),
    ("wz", "rad/s"),
];

/// What a sensor of contact reads.
pub const CONTACT_FORCE_PARTS: Parts = &[("fx", "N"), ("fy", "N"), ("fz", "N")];

/// What a range finder reads: how far, and 1 if there is something.
pub const RANGE_PARTS: Parts = &[("distance", "m"), ("sees", "-")];

/// A sensor of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Instrument {
    /// Of a joint.
    Encoder(Encoder),
    /// Where a mount is.
    Pose(PoseSensor),
    /// How it moves.
    Velocity(VelocitySensor),
    /// What it feels.
    Imu(Imu),
    /// How a body is pressed.
    ContactForce(ContactForce),
    /// How far it is to what is ahead.
    Range(Range),
}

impl Instrument {
    /// Names and units of the numbers that it reads, in order.
    pub const fn parts(&self) -> Parts {
        match self {
            Self::Encoder(_) => ENCODER_PARTS,
            Self::Pose(_) => POSE_PARTS,
            Self::Velocity(_) => VELOCITY_PARTS,
            Self::Imu(_) => IMU_PARTS,
            Self::ContactForce(_) => CONTACT_FORCE_PARTS,
            Self::Range(_) => RANGE_PARTS,
        }
    }

    /// Its numbers now; none if what it measures is gone. A range finder that sees nothing reads its reach.
    pub fn read(&mut self, world: &World) -> Option<Vec<f64>> {
        let both = |a: glam::DVec3, b: glam::DVec3| [a.to_array(), b.to_array()].concat();
        Some(match self {
            Self::Encoder(it) => it.read(world).map(|seen| vec![seen.position, seen.velocity])?,
            Self::Pose(it) => {
                let pose = it.read(world)?;
                [&pose.translation.to_array()[..], &pose.rotation.to_array()].concat()
            }
            Self::Velocity(it) => {
                it.read(world).map(|twist| both(twist.velocity, twist.angular_velocity))?
            }
            Self::Imu(it) => {
                it.read(world).map(|felt| both(felt.specific_force, felt.angular_velocity))?
            }
            Self::ContactForce(it) => it.read(world).to_array().to_vec(),
            Self::Range(it) => {
                world.body(it.body)?;
                match it.read(world) {
                    Some(ranged) => vec![ranged.distance, 1.0],
                    None => vec![it.reach, 0.0],
                }
            }
        })
    }

    fn write(&self, sink: &mut dyn Sink) {
        match self {
            Self::Encoder(it) => {
                sink.u8(0);
                it.write(sink);
            }
            Self::Pose(PoseSensor { body, body_from_sensor }) => {
                sink.u8(1);
                write_body_id(*body, sink);
                sink.pose(body_from_sensor);
            }
            Self::Velocity(VelocitySensor { body, body_from_sensor, axes }) => {
                sink.u8(2);
                write_body_id(*body, sink);
                sink.pose(body_from_sensor);
                sink.bool(*axes == Axes::Sensor);
            }
            Self::Imu(Imu { body, body_from_sensor }) => {
                sink.u8(3);
                write_body_id(*body, sink);
                sink.pose(body_from_sensor);
            }
            Self::ContactForce(it) => {
                sink.u8(4);
                sink.blob(&it.save());
            }
            Self::Range(Range { body, body_from_sensor, reach }) => {
                sink.u8(5);
                write_body_id(*body, sink);
                sink.pose(body_from_sensor);
                sink.f64(*reach);
            }
        }
    }

    fn read_saved(source: &mut Source<'_>) -> Result<Self, SnapshotError> {
        let kind = source.u8()?;
        if kind == 0 {
            return Encoder::read_saved(source).map(Self::Encoder);
        }
        if kind == 4 {
            let bytes = source.blob()?;
            let mut sensor = ContactForce::new(read_body_id(&mut Source::new(bytes))?);
            sensor.load(bytes).map_err(|error| SnapshotError::wrong(error.to_string()))?;
            return Ok(Self::ContactForce(sensor));
        }
        let (body, body_from_sensor) = (read_body_id(source)?, source.pose()?);
        Ok(match kind {
            1 => Self::Pose(PoseSensor { body, body_from_sensor }),
            2 => {
                let axes = if source.bool()? { Axes::Sensor } else { Axes::World };
                Self::Velocity(VelocitySensor { body, body_from_sensor, axes })
            }
            3 => Self::Imu(Imu { body, body_from_sensor }),
            5 => Self::Range(Range { body, body_from_sensor, reach: source.f64()? }),
            _ => return Err(SnapshotError::wrong("a gauge is of no kind")),
        })
    }
}

/// A sensor that reads at every tick. The default one has no instrument, and takes over that of one that was saved.
///
/// ```
/// use carom::sense::{Gauge, Imu, Instrument};
/// use carom::{Body, Rate, World};
/// use carom_geometry::{Shape, shapes::Ball};
///
/// let mut world = World::builder().build()?;
/// let ball = world.add(Body::free(Shape::Ball(Ball::new(0.1)?)).mass(1.0))?;
/// let gauge = Gauge::new(Instrument::Imu(Imu::new(ball)));
/// let imu = world.add_controller(Rate::Hertz(100.0), Box::new(gauge))?;
/// world.advance_to(0.5)?;
/// assert_eq!(world.shown(imu), Some(&[0.0; 6][..])); // in free fall
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gauge {
    /// None until one is loaded.
    instrument: Option<Instrument>,
    /// What was read at the last tick; empty before the first, and when what is measured is gone.
    reading: Vec<f64>,
}

impl Gauge {
    /// Reads nothing yet.
    pub const fn new(instrument: Instrument) -> Self {
        Self { instrument: Some(instrument), reading: Vec::new() }
    }
}

impl Controller for Gauge {
    fn tick(&mut self, readings: &Readings<'_>, _: &mut Commands) {
        let read = self.instrument.as_mut().and_then(|it| it.read(readings.world()));
        self.reading = read.unwrap_or_default();
    }

    fn shows(&self) -> &[f64] {
        &self.reading
    }

    fn save(&self) -> Result<Vec<u8>, NotSavable> {
        let Some(instrument) = &self.instrument else {
            return Err(NotSavable { reason: "the gauge has no instrument".to_owned() });
        };
        let mut bytes = Vec::new();
        instrument.write(&mut bytes);
        bytes.u64(self.reading.len() as u64);
        self.reading.iter().for_each(|number| bytes.f64(*number));
        Ok(bytes)
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let mut source = Source::new(bytes);
        let mut read = || {
            let instrument = Instrument::read_saved(&mut source)?;
            let reading = source.list(8, Source::f64)?;
            let fits = reading.is_empty() || reading.len() == instrument.parts().len();
            if fits && source.is_empty() {
                Ok(Self { instrument: Some(instrument), reading })
            } else {
                Err(SnapshotError::wrong("a gauge has another reading"))
            }
        };
        *self = read().map_err(|error| LoadError { reason: error.to_string() })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use carom_geometry::shapes::Ball;
    use carom_geometry::{Pose, Shape};
    use glam::DVec3;

    use super::*;
    use crate::body::Body;
    use crate::controller::Rate;
    use crate::joint::{Joint, JointKind};

    /// A pendulum above a floor, and one gauge of each kind.
    fn world() -> (World, Vec<Gauge>) {
        let ball = || Shape::Ball(Ball::new(0.1).unwrap());
        let mut world = World::builder().build().unwrap();
        let bob = world.add(Body::free(ball()).mass(1.0).at(DVec3::X)).unwrap();
        let floor = Body::fixed(ball()).at(DVec3::new(0.0, 0.0, -1.15));
        let floor = world.add(floor).unwrap();
        let hinge = JointKind::Revolute { axis: DVec3::Y };
        let joint = world.join(Joint::new(hinge, None, bob).at(DVec3::ZERO)).unwrap();
        let mount = Pose::from_translation(0.05 * DVec3::Z);
        let gauges = vec![
            Instrument::Encoder(Encoder::new(joint).resolution(0.01)),
            Instrument::Pose(PoseSensor { body: bob, body_from_sensor: mount }),
            Instrument::Velocity(VelocitySensor {
                body: bob,
                body_from_sensor: mount,
                axes: Axes::Sensor,
            }),
            Instrument::Imu(Imu { body: bob, body_from_sensor: mount }),
            Instrument::ContactForce(ContactForce::new(bob).with(floor)),
            Instrument::Range(Range { body: bob, body_from_sensor: mount, reach: 3.0 }),
        ];
        (world, gauges.into_iter().map(Gauge::new).collect())
    }

    #[test]
    fn gauges_change_nothing_and_go_on_after_a_restore() {
        let (mut bare, gauges) = world();
        let (mut world, _) = world();
        let ids: Vec<_> = (gauges.iter())
            .map(|gauge| world.add_controller(Rate::Hertz(64.0), Box::new(gauge.clone())).unwrap())
            .collect();
        for world in [&mut bare, &mut world] {
            world.advance_to(0.7).unwrap();
        }
        let fresh = gauges.iter().map(|_| Box::new(Gauge::default()) as Box<dyn Controller>);
        let mut again = World::restore(&world.snapshot().unwrap(), fresh.collect(), 1).unwrap();
        assert_eq!(again.hash(), world.hash());
        for world in [&mut bare, &mut world, &mut again] {
            world.advance_to(2.0).unwrap();
        }
        assert_eq!(again.hash(), world.hash());
        for body in bare.bodies() {
            assert_eq!(body.state(), world.body(body.id()).unwrap().state());
        }
        for (id, gauge) in ids.iter().zip(&gauges) {
            let shown = world.shown(*id).unwrap();
            println!("{:?}: {shown:?}", gauge.instrument);
            assert_eq!(shown.len(), gauge.instrument.as_ref().unwrap().parts().len());
        }
        assert_eq!(world.shown(ids[5]), Some(&[3.0, 0.0][..]));
    }

    #[test]
    fn bytes_that_are_no_gauge_are_refused() {
        let (_, mut gauges) = world();
        let saved = gauges[0].save().unwrap();
        for bytes in [&[][..], &[9], &saved[..saved.len() - 1]] {
            assert!(gauges[1].load(bytes).is_err());
        }
        gauges[1].load(&saved).unwrap();
        assert_eq!(gauges[0], gauges[1]);
    }
}
