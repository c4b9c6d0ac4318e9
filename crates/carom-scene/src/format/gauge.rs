//! Gauges: sensors that read at their own rate.

use super::OrientationKeys;
use crate::decode::{Number, Text, Vector, choice, table};

table! {
    /// Where a gauge sits on its body.
    MountKeys as "a mount" {
        /// Where it is mounted, in the frame of the body `[m]`; by default [0, 0, 0]. Its axes are those of the body unless an
        /// orientation says otherwise.
        position: optional Vector,
        + orientation: OrientationKeys,
    }
}

table! {
    /// What all gauges have.
    GaugeKeys as "a gauge" {
        /// What it is called; every gauge has its own name.
        name: required Text,
        /// How often it reads `[Hz]`; by default 100. Between, it shows what it read last.
        rate_hz: optional Number,
    }
}

table! {
    /// Reads `position` and `velocity` of a joint.
    EncoderTable as "an encoder" {
        /// Name of the joint.
        joint: required Text,
        /// Which of its freedoms, a whole number from 0; by default 0.
        freedom: optional Number,
        /// Steps in which it reads positions `[rad or m]`; by default as fine as numbers are.
        resolution: optional Number,
        + keys: GaugeKeys,
    }
}

table! {
    /// Reads where its mount is: `x`, `y`, `z`, and its quaternion `qx`, `qy`, `qz`, `qw`.
    PoseGaugeTable as "a gauge of pose" {
        /// Name of the body on which it is mounted.
        body: required Text,
        + mount: MountKeys,
        + keys: GaugeKeys,
    }
}

table! {
    /// Reads how its mount moves: velocity `vx`, `vy`, `vz` and angular velocity `wx`, `wy`, `wz`.
    VelocityGaugeTable as "a gauge of velocity" {
        /// Name of the body on which it is mounted.
        body: required Text,
        /// In which axes it reads: those of the "world" (the default) or its own, "sensor".
        axes: optional Text,
        + mount: MountKeys,
        + keys: GaugeKeys,
    }
}

table! {
    /// An inertial measurement unit. In its own axes it reads acceleration less gravity `ax`, `ay`, `az`, zero in free fall, and angular
    /// velocity `wx`, `wy`, `wz`. Impulses of collisions are no part of it.
    ImuTable as "an inertial measurement unit" {
        /// Name of the body on which it is mounted.
        body: required Text,
        + mount: MountKeys,
        + keys: GaugeKeys,
    }
}

table! {
    /// Reads the mean force of contact since it read last, in world axes: `fx`, `fy`, `fz`.
    ContactForceTable as "a gauge of contact" {
        /// Name of the body that is pressed.
        body: required Text,
        /// Name of the other body, if only its contact is to count.
        with: optional Text,
        + keys: GaugeKeys,
    }
}

table! {
    /// Looks along the x axis of its mount: `distance` to the next body, and whether there is one within reach (`sees`, 1 or 0).
    /// Where there is none, the distance is its reach.
    RangeTable as "a range finder" {
        /// Name of the body on which it is mounted.
        body: required Text,
        /// How far it sees `[m]`.
        reach: required Number,
        + mount: MountKeys,
        + keys: GaugeKeys,
    }
}

choice! {
    /// A gauge: a sensor that reads at its own rate and shows what it read last. Measures ask for it as gauge('name').at(t).
    GaugeTable as "[[gauge]]" {
        "encoder" => Encoder(EncoderTable),
        "pose" => Pose(PoseGaugeTable),
        "velocity" => Velocity(VelocityGaugeTable),
        "imu" => Imu(ImuTable),
        "contact_force" => ContactForce(ContactForceTable),
        "range" => Range(RangeTable),
    }
}

impl GaugeTable {
    /// What all kinds have.
    pub(crate) fn keys(&self) -> &GaugeKeys {
        match self {
            Self::Encoder(table) => &table.keys,
            Self::Pose(table) => &table.keys,
            Self::Velocity(table) => &table.keys,
            Self::Imu(table) => &table.keys,
            Self::ContactForce(table) => &table.keys,
            Self::Range(table) => &table.keys,
        }
    }
}
