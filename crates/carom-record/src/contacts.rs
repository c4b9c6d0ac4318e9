//! The contact log: every collision of a recording, in protobuf.
//!
//! Bodies at rest collide some hundred times a second, so collisions are not written as events. One message has all
//! collisions of an instant, point by point, in rows like those of states: about 190 bytes for each point.

use carom::{Collision, CollisionKind};
use glam::DVec3;

use crate::proto::{Encoder, Field, FieldType, Fields, Value};

const fn row(name: &'static str, number: u32, kind: FieldType) -> Field {
    Field { name, number, kind, repeated: true }
}

/// The fields of a message; rows are one number, or group of numbers, for each point of a collision.
pub(crate) const CONTACTS: [Field; 14] = [
    Field { name: "time_s", number: 1, kind: FieldType::Double, repeated: false },
    row("bodies", 2, FieldType::Fixed32),
    row("pieces", 3, FieldType::Fixed32),
    row("kind", 4, FieldType::Fixed32),
    row("share", 5, FieldType::Double),
    row("point_m", 6, FieldType::Double),
    row("normal", 7, FieldType::Double),
    row("before_m_s", 8, FieldType::Double),
    row("after_m_s", 9, FieldType::Double),
    row("impulse_N_s", 10, FieldType::Double),
    row("normal_work_J", 11, FieldType::Double),
    row("friction_work_J", 12, FieldType::Double),
    row("boost_J", 13, FieldType::Double),
    row("driven_work_J", 14, FieldType::Double),
];

/// Stands for a body that is not recorded.
const NOBODY: u32 = u32::MAX;

/// A collision of a recording, or one point's part in a collision of several points at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordedCollision {
    /// When `[s]`.
    pub time: f64,
    /// A and B by their numbers in the recording; none for one that is not recorded.
    pub bodies: [Option<u32>; 2],
    /// Which convex piece of each body it was.
    pub pieces: [u32; 2],
    /// How it was answered.
    pub kind: CollisionKind,
    /// Which part of one collision this point had, from 0 to 1; the parts of a collision add up to 1.
    pub share: f64,
    /// Halfway between the bodies `[m]`.
    pub point: DVec3,
    /// Unit vector from B to A.
    pub normal: DVec3,
    /// Velocity of A's surface less that of B's, before `[m/s]`.
    pub before: DVec3,
    /// And after `[m/s]`.
    pub after: DVec3,
    /// Impulse on A; B gets the opposite `[N·s]`.
    pub impulse: DVec3,
    /// Work of its normal part on both bodies, boost included `[J]`.
    pub normal_work: f64,
    /// Work of friction `[J]`.
    pub friction_work: f64,
    /// What of the normal work is more than the law of restitution gives back `[J]`.
    pub boost: f64,
    /// Work of driven bodies and moving surfaces through the impulse `[J]`.
    pub driven_work: f64,
}

impl RecordedCollision {
    pub(crate) fn of(time: f64, bodies: [Option<u32>; 2], collision: &Collision) -> Self {
        Self {
            time,
            bodies,
            pieces: collision.contact.pieces,
            kind: collision.kind,
            share: collision.share,
            point: collision.contact.point,
            normal: collision.contact.normal,
            before: collision.before,
            after: collision.after,
            impulse: collision.impulse,
            normal_work: collision.normal_work,
            friction_work: collision.friction_work,
            boost: collision.boost,
            driven_work: collision.driven_work,
        }
    }

    /// Writes all collisions of an instant.
    pub(crate) fn encode(time: f64, collisions: &[Self], message: &mut Encoder) {
        message.bytes.clear();
        message.double(1, time);
        message.words(2, collisions, |it| it.bodies.map(|body| body.unwrap_or(NOBODY)));
        message.words(3, collisions, |it| it.pieces);
        message.words(4, collisions, |it| [u32::from(it.kind == CollisionKind::Micro)]);
        message.doubles(5, collisions, |it| [it.share]);
        message.doubles(6, collisions, |it| it.point.to_array());
        message.doubles(7, collisions, |it| it.normal.to_array());
        message.doubles(8, collisions, |it| it.before.to_array());
        message.doubles(9, collisions, |it| it.after.to_array());
        message.doubles(10, collisions, |it| it.impulse.to_array());
        message.doubles(11, collisions, |it| [it.normal_work]);
        message.doubles(12, collisions, |it| [it.friction_work]);
        message.doubles(13, collisions, |it| [it.boost]);
        message.doubles(14, collisions, |it| [it.driven_work]);
    }

    /// Reads the collisions of an instant; none if the message is not one.
    pub(crate) fn decode(message: &[u8]) -> Option<Vec<Self>> {
        let mut rows = Rows::default();
        for field in Fields::of(message) {
            let (number, value) = field?;
            rows.read(number, value)?;
        }
        rows.collisions()
    }
}

/// The rows of a message.
#[derive(Default)]
struct Rows {
    time: Option<f64>,
    bodies: Vec<[u32; 2]>,
    pieces: Vec<[u32; 2]>,
    kinds: Vec<[u32; 1]>,
    /// Point, normal, before, after, impulse.
    vectors: [Vec<DVec3>; 5],
    /// Share, and the four kinds of work.
    numbers: [Vec<[f64; 1]>; 5],
}

impl Rows {
    fn read(&mut self, number: u32, value: Value<'_>) -> Option<()> {
        match number {
            1 => self.time = Some(value.double()?),
            2 => self.bodies = value.words::<2>()?.collect(),
            3 => self.pieces = value.words::<2>()?.collect(),
            4 => self.kinds = value.words::<1>()?.collect(),
            5 => self.numbers[0] = value.doubles::<1>()?.collect(),
            6..=10 => {
                let row = &mut self.vectors[number as usize - 6];
                *row = value.doubles::<3>()?.map(DVec3::from_array).collect();
            }
            11..=14 => self.numbers[number as usize - 10] = value.doubles::<1>()?.collect(),
            _ => {}
        }
        Some(())
    }

    fn collisions(&self) -> Option<Vec<RecordedCollision>> {
        let (time, count) = (self.time?, self.bodies.len());
        let whole = [self.pieces.len(), self.kinds.len()].into_iter().all(|it| it == count)
            && self.vectors.iter().all(|row| row.len() == count)
            && self.numbers.iter().all(|row| row.len() == count);
        if !whole {
            return None;
        }
        let vector = |row: usize, index: usize| self.vectors[row][index];
        let number = |row: usize, index: usize| self.numbers[row][index][0];
        let collision = |index: usize| {
            Some(RecordedCollision {
                time,
                bodies: self.bodies[index].map(|body| (body != NOBODY).then_some(body)),
                pieces: self.pieces[index],
                kind: match self.kinds[index] {
                    [0] => CollisionKind::Ordinary,
                    [1] => CollisionKind::Micro,
                    _ => return None,
                },
                share: number(0, index),
                point: vector(0, index),
                normal: vector(1, index),
                before: vector(2, index),
                after: vector(3, index),
                impulse: vector(4, index),
                normal_work: number(1, index),
                friction_work: number(2, index),
                boost: number(3, index),
                driven_work: number(4, index),
            })
        };
        (0..count).map(collision).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::testing::{collisions_of, landing_world, record};
    use crate::{Options, ReadError, Reader, Selection};

    fn open(bytes: &[u8]) -> Reader<Cursor<&[u8]>> {
        Reader::new(Cursor::new(bytes)).unwrap()
    }

    fn all<T>(items: impl Iterator<Item = Result<T, ReadError>>) -> Vec<T> {
        items.collect::<Result<_, _>>().unwrap()
    }

    fn collision(bodies: [Option<u32>; 2], kind: CollisionKind) -> RecordedCollision {
        RecordedCollision {
            time: 0.1 + 0.2,
            bodies,
            pieces: [3, u32::MAX],
            kind,
            share: 1.0 / 3.0,
            point: DVec3::new(1.0, -0.0, 5e-324),
            normal: DVec3::Z,
            before: DVec3::new(0.1, 0.2, -0.3),
            after: DVec3::new(0.1, 0.2, 0.3),
            impulse: DVec3::new(0.0, 1e-300, 7.0),
            normal_work: -1.5,
            friction_work: -0.25,
            boost: 1e-9,
            driven_work: 2.0,
        }
    }

    #[test]
    fn collisions_come_back_with_every_bit() {
        let all = [
            collision([Some(0), Some(7)], CollisionKind::Ordinary),
            collision([None, Some(1)], CollisionKind::Micro),
        ];
        let mut message = Encoder::default();
        RecordedCollision::encode(0.1 + 0.2, &all, &mut message);
        let read = RecordedCollision::decode(&message.bytes).unwrap();
        assert_eq!(read, all);
        assert!(read[0].point.y.is_sign_negative());
        assert!(message.bytes.len() < 2 * 200 + 60, "{}", message.bytes.len());
    }

    #[test]
    fn a_message_with_rows_of_different_lengths_or_unknown_kinds_is_refused() {
        let all = [collision([Some(0), Some(7)], CollisionKind::Micro)];
        let mut message = Encoder::default();
        RecordedCollision::encode(1.0, &all, &mut message);
        message.doubles(13, &[1.0, 2.0], |&it| [it]);
        assert_eq!(RecordedCollision::decode(&message.bytes), None);
        RecordedCollision::encode(1.0, &all, &mut message);
        message.words(4, &[2_u32], |&it| [it]);
        assert_eq!(RecordedCollision::decode(&message.bytes), None);
        assert_eq!(RecordedCollision::decode(&[]), None);
    }

    #[test]
    fn every_collision_is_in_the_contact_log_and_none_among_the_events() {
        let told = collisions_of(landing_world(), 1.0);
        assert!(told.len() > 100 && told.iter().any(|(_, it)| it.share < 1.0), "{}", told.len());
        let bytes = record(&mut landing_world(), 1.0, &Options::at(100.0));
        let mut reader = open(&bytes);
        let kinds: Vec<String> = all(reader.events()).into_iter().map(|it| it.kind).collect();
        assert_eq!(kinds, ["added", "added", "added"]);
        let read = all(reader.contacts());
        let expected: Vec<RecordedCollision> = told
            .iter()
            .map(|(time, it)| RecordedCollision::of(*time, [Some(0), Some(1)], it))
            .collect();
        assert_eq!(read, expected);
        // What it gives holds what gravity gave in a second, but for the momentum of the last hop.
        let impulse: f64 = read.iter().map(|it| it.impulse.dot(it.normal)).sum();
        assert!((impulse / (2.0 * 9.80665) - 1.0).abs() < 0.01, "{impulse}");
    }

    #[test]
    fn of_collisions_only_those_of_selected_bodies_are_kept() {
        let read = |name: &str, events: bool| {
            let bodies = Selection::Named(vec![name.to_owned()]);
            let bytes = record(
                &mut landing_world(),
                0.5,
                &Options { bodies, events, ..Options::at(100.0) },
            );
            all(open(&bytes).contacts())
        };
        let of_cube = read("cube", true);
        assert_eq!(of_cube[0].bodies, [None, Some(0)]);
        assert_eq!(read("ball", true), []);
        assert_eq!(read("cube", false), []);
    }
}
