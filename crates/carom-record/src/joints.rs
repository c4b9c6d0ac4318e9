//! Joints: what a viewer needs to draw them, and what they do over time.
//!
//! A joint lies between two frames: F on the parent's side, in which its coordinates count, and L on the child's. Both are stated
//! in the axes of their bodies, from the reference points at which bodies are followed, so that a state of `/states` times the
//! placement is the frame in the world. Coordinates follow from both but for whole turns; `/joint_states` has them all the same,
//! with rates, what motors give and what controllers aim at.

use std::collections::BTreeMap;

use carom::{JointRef, World};
use carom_geometry::Pose;
use serde::{Deserialize, Serialize};

use crate::proto::{Encoder, Field, FieldType, Fields};

/// A joint as a recording describes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointDescription {
    /// Its number in the recording.
    pub joint: u32,
    /// What people call it.
    pub name: String,
    /// When it was first seen `[s]`.
    pub since_s: f64,
    /// Revolute, prismatic, screw, cylindrical, planar, universal, spherical or fixed.
    pub kind: String,
    /// Number of the body that carries it; none for the world, and for a body that is not recorded.
    pub parent: Option<u32>,
    /// Name of that body; none for the world.
    pub parent_name: Option<String>,
    /// Number of the body that it carries.
    pub child: u32,
    /// F in the parent's axes, from its reference point; in the world without a parent.
    pub parent_from_joint: PlacementDescription,
    /// L in the child's axes, from its reference point.
    pub child_from_link: PlacementDescription,
    /// Unit vectors, in F and in L alike; of a universal joint the first in F, the second in L.
    pub axes: Vec<[f64; 3]>,
    /// What acts in each of its freedoms.
    pub freedoms: Vec<FreedomDescription>,
}

/// Where a frame is in another one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacementDescription {
    /// Where its origin is `[m]`.
    pub position_m: [f64; 3],
    /// Turns its axes into those of the other.
    pub orientation_xyzw: [f64; 4],
}

/// A freedom of a joint as a recording describes it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FreedomDescription {
    /// True of a turn in radians, false of a slide in metres.
    pub turns: bool,
    /// Where its stop is on the lower side; none where there is none `[rad or m]`.
    pub lower: Option<f64>,
    /// And on the upper side.
    pub upper: Option<f64>,
    /// Force per rate `[N·m·s/rad or N·s/m]`.
    pub damping: f64,
    /// Force per displacement `[N·m/rad or N/m]`.
    pub stiffness: f64,
    /// Where the spring is relaxed `[rad or m]`.
    pub rest: f64,
    /// Dry friction `[N·m or N]`.
    pub friction: f64,
}

/// Schema of the messages of `/joints`.
pub(crate) const JSON_SCHEMA: &str = r##"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "carom.Joint",
  "description": "A joint, when it is first seen.",
  "type": "object",
  "$defs": {
    "placement": {
      "type": "object",
      "properties": {
        "position_m": {"type": "array", "items": {"type": "number"}},
        "orientation_xyzw": {"type": "array", "items": {"type": "number"}}
      }
    }
  },
  "properties": {
    "joint": {"type": "integer", "description": "number of the joint in the recording"},
    "name": {"type": "string"},
    "since_s": {"type": "number"},
    "kind": {"type": "string"},
    "parent": {"type": ["integer", "null"], "description": "number of the body that carries it"},
    "parent_name": {"type": ["string", "null"]},
    "child": {"type": "integer", "description": "number of the body that it carries"},
    "parent_from_joint": {"$ref": "#/$defs/placement"},
    "child_from_link": {"$ref": "#/$defs/placement"},
    "axes": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
    "freedoms": {"type": "array", "items": {"type": "object"}}
  }
}"##;

const fn row(name: &'static str, number: u32, kind: FieldType) -> Field {
    Field { name, number, kind, repeated: true }
}

/// One number for each freedom of each joint; a target is nan where no controller has one.
pub(crate) const JOINT_STATES: [Field; 6] = [
    Field { name: "time_s", number: 1, kind: FieldType::Double, repeated: false },
    row("joint", 2, FieldType::Fixed32),
    row("position", 3, FieldType::Double),
    row("rate", 4, FieldType::Double),
    row("force", 5, FieldType::Double),
    row("target", 6, FieldType::Double),
];

/// What all recorded joints do at one time.
#[derive(Clone, Debug, Default)]
pub struct JointSample {
    /// When `[s]`.
    pub time: f64,
    /// A row for each freedom of each joint, in the order of the joints.
    pub rows: Vec<JointRow>,
}

/// What one freedom of a joint does.
#[derive(Clone, Copy, Debug)]
pub struct JointRow {
    /// Number of the joint in the recording.
    pub joint: u32,
    /// Its coordinate; of a spherical joint a component of the rotation vector `[rad or m]`.
    pub position: f64,
    /// How fast that changes `[rad/s or m/s]`.
    pub rate: f64,
    /// What its motor gives `[N·m or N]`.
    pub force: f64,
    /// What its controller aims at, nan without one `[rad or m, or rad/s or m/s]`.
    pub target: f64,
}

impl PartialEq for JointSample {
    fn eq(&self, other: &Self) -> bool {
        self.time == other.time && self.rows == other.rows
    }
}

impl PartialEq for JointRow {
    fn eq(&self, other: &Self) -> bool {
        let bits = |it: &Self| [it.position, it.rate, it.force, it.target].map(f64::to_bits);
        self.joint == other.joint && bits(self) == bits(other)
    }
}

impl PlacementDescription {
    fn of(pose: &Pose) -> Self {
        Self { position_m: pose.translation.to_array(), orientation_xyzw: pose.rotation.to_array() }
    }
}

impl JointDescription {
    /// Describes a joint whose bodies have these numbers.
    pub(crate) fn of(
        joint: &JointRef<'_>,
        number: u32,
        since_s: f64,
        (parent, child): (Option<u32>, u32),
        world: &World,
    ) -> Self {
        let finite = |limit: Option<f64>| limit.filter(|it| it.is_finite());
        let freedom = |(turns, force): (&bool, &carom::JointForce)| FreedomDescription {
            turns: *turns,
            lower: finite(force.limits.map(|it| it[0])),
            upper: finite(force.limits.map(|it| it[1])),
            damping: force.damping,
            stiffness: force.stiffness,
            rest: force.rest,
            friction: force.friction,
        };
        let carrier = joint.parent().and_then(|id| world.body(id));
        Self {
            joint: number,
            name: joint.name().to_owned(),
            since_s,
            kind: joint.kind_name().to_owned(),
            parent,
            parent_name: carrier.map(|it| it.name().to_owned()),
            child,
            parent_from_joint: PlacementDescription::of(&joint.parent_from_joint()),
            child_from_link: PlacementDescription::of(&joint.child_from_link()),
            axes: joint.axes().iter().map(glam::DVec3::to_array).collect(),
            freedoms: joint.turns().iter().zip(joint.forces()).map(freedom).collect(),
        }
    }
}

/// What controllers aim at, by joint and freedom, at a time.
pub(crate) fn targets_at(world: &World, time: f64) -> BTreeMap<(carom::JointId, usize), f64> {
    let enabled = world.controllers().filter(carom::ControllerRef::is_enabled);
    let aims = enabled.flat_map(|it| it.aims());
    aims.map(|it| ((it.joint, it.freedom), it.target.at(time).position)).collect()
}

impl JointSample {
    pub(crate) fn encode(time: f64, rows: &[JointRow], message: &mut Encoder) {
        message.bytes.clear();
        message.double(1, time);
        message.words(2, rows, |row| [row.joint]);
        message.doubles(3, rows, |row| [row.position]);
        message.doubles(4, rows, |row| [row.rate]);
        message.doubles(5, rows, |row| [row.force]);
        message.doubles(6, rows, |row| [row.target]);
    }

    /// Reads a sample; none if the message is not one.
    pub(crate) fn decode(message: &[u8]) -> Option<Self> {
        let (mut time, mut joints) = (None, Vec::new());
        let mut columns: [Vec<[f64; 1]>; 4] = Default::default();
        for field in Fields::of(message) {
            let (number, value) = field?;
            match number {
                1 => time = Some(value.double()?),
                2 => joints = value.words::<1>()?.collect(),
                3..=6 => columns[number as usize - 3] = value.doubles::<1>()?.collect(),
                _ => {}
            }
        }
        if columns.iter().any(|column| column.len() != joints.len()) {
            return None;
        }
        let row = |(place, [joint]): (usize, &[u32; 1])| {
            let [position, rate, force, target] =
                [0, 1, 2, 3].map(|it: usize| columns[it][place][0]);
            JointRow { joint: *joint, position, rate, force, target }
        };
        Some(Self { time: time?, rows: joints.iter().enumerate().map(row).collect() })
    }

    /// The rows of one joint, in the order of its freedoms.
    pub fn of_joint(&self, joint: u32) -> impl Iterator<Item = &JointRow> {
        self.rows.iter().filter(move |row| row.joint == joint)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use carom::control::{Axis, Pd, PdGains};
    use carom::{Body, Joint, JointForce, JointKind, Rate};
    use carom_geometry::Shape;
    use carom_geometry::shapes::Ball;
    use glam::{DQuat, DVec3};

    use super::*;
    use crate::testing::record;
    use crate::{Message, Options, Reader};

    /// A bob on a slide that hangs on a hinge, which a controller turns; the hinge has stops.
    fn arm() -> World {
        let mut world = World::builder().build().unwrap();
        let ball = |name: &str, at| {
            Body::free(Shape::Ball(Ball::new(0.05).unwrap())).named(name).mass(0.5).at(at)
        };
        let upper = world.add(ball("upper", DVec3::X)).unwrap();
        let lower = world.add(ball("lower", DVec3::new(1.5, 0.0, 0.0))).unwrap();
        let stops = JointForce { limits: Some([-3.0, 2.0]), ..JointForce::default() };
        let hinge = Joint::new(JointKind::Revolute { axis: DVec3::Y }, None, upper).named("hinge");
        let hinge = world.join(hinge.at(DVec3::ZERO).start(&[0.5]).force(stops)).unwrap();
        let slide = JointKind::Prismatic { axis: DVec3::X };
        let spring = JointForce { stiffness: 50.0, damping: 1.0, ..JointForce::default() };
        world.join(Joint::new(slide, upper, lower).named("slide").force(spring)).unwrap();
        let gains = PdGains { position: 40.0, velocity: 6.0 };
        let pd = Pd::new().control(Axis::new(hinge).target(1.25), gains);
        world.add_controller(Rate::Hertz(100.0), Box::new(pd)).unwrap();
        world
    }

    #[test]
    fn frames_and_states_of_bodies_give_the_coordinates() {
        let bytes = record(&mut arm(), 1.0, &Options::at(50.0));
        let mut reader = Reader::new(Cursor::new(&bytes)).unwrap();
        let messages: Vec<Message> = reader.messages().map(Result::unwrap).collect();
        let joints: Vec<&JointDescription> = (messages.iter())
            .filter_map(|it| if let Message::Joint(joint) = it { Some(joint) } else { None })
            .collect();
        assert_eq!(joints.len(), 2);
        assert_eq!(
            (joints[0].kind.as_str(), joints[0].parent, joints[0].child),
            ("revolute", None, 0)
        );
        assert_eq!(
            (joints[0].freedoms[0].lower, joints[0].freedoms[0].upper),
            (Some(-3.0), Some(2.0))
        );
        assert_eq!(
            (joints[1].kind.as_str(), joints[1].parent, joints[1].child),
            ("prismatic", Some(0), 1)
        );
        let pose = |it: &PlacementDescription| {
            Pose::new(DVec3::from_array(it.position_m), DQuat::from_array(it.orientation_xyzw))
        };
        let (mut states, mut compared) = (None, 0);
        for message in &messages {
            if let Message::Joints(sample) = message {
                states = Some(sample);
            }
            let Message::Sample(sample) = message else { continue };
            let rows = &states.expect("joints come first").rows;
            let body =
                |number: u32| sample.states.iter().find(|it| it.0 == number).unwrap().1.pose();
            for joint in &joints {
                let world_from_joint = joint
                    .parent
                    .map_or(Pose::IDENTITY, body)
                    .then_from(&pose(&joint.parent_from_joint));
                let world_from_link = body(joint.child).then_from(&pose(&joint.child_from_link));
                let moved = world_from_joint.inverse().then_from(&world_from_link);
                let axis = DVec3::from_array(joint.axes[0]);
                let seen = if joint.freedoms[0].turns {
                    let turn = moved.rotation;
                    2.0 * libm::atan2(DVec3::new(turn.x, turn.y, turn.z).dot(axis), turn.w)
                } else {
                    moved.translation.dot(axis)
                };
                let told = rows.iter().find(|it| it.joint == joint.joint).unwrap();
                // A state is the engine's to rounding.
                assert!((seen - told.position).abs() < 1e-9, "{}: {seen} {told:?}", joint.name);
                compared += 1;
            }
            assert_eq!((rows[0].target, rows[1].target.is_nan()), (1.25, true));
        }
        assert_eq!(compared, 2 * 51);
        let last = states.unwrap();
        assert!(last.rows[0].force != 0.0 && last.rows[1].force == 0.0, "{last:?}");
        assert!(last.rows[0].position > 0.6, "the controller turns it: {last:?}");
    }

    #[test]
    fn samples_come_back_with_every_bit_and_broken_ones_do_not() {
        let row = |joint, target| JointRow {
            joint,
            position: 0.1 + 0.2,
            rate: -0.0,
            force: 1e300,
            target,
        };
        let rows = [row(0, f64::NAN), row(7, 0.3)];
        let mut message = Encoder::default();
        JointSample::encode(0.7, &rows, &mut message);
        let read = JointSample::decode(&message.bytes).unwrap();
        assert_eq!(read, JointSample { time: 0.7, rows: rows.to_vec() });
        assert_eq!(read.of_joint(7).count(), 1);
        assert!(JointSample::decode(&message.bytes[..message.bytes.len() - 18]).is_none());
    }

    #[test]
    fn the_schema_is_json_and_names_every_field() {
        let schema: serde_json::Value = serde_json::from_str(JSON_SCHEMA).unwrap();
        let mut world = arm();
        world.advance_to(0.0).unwrap();
        let joint = world.joints().next().unwrap();
        let described = JointDescription::of(&joint, 0, 0.0, (None, 0), &world);
        let text = serde_json::to_string(&described).unwrap();
        assert_eq!(serde_json::from_str::<JointDescription>(&text).unwrap(), described);
        let described = serde_json::to_value(described).unwrap();
        let keys = |value: &serde_json::Value| -> Vec<String> {
            value.as_object().unwrap().keys().cloned().collect()
        };
        assert_eq!(keys(&described), keys(&schema["properties"]));
    }
}
