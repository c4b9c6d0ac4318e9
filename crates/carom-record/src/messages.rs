//! The messages in protobuf: states, ledger lines and meshes; those of contacts are in `contacts.rs`.

use carom::{Account, BodyId, BodyState};
use glam::{DQuat, DVec3};

use crate::bodies::MeshData;
use crate::contacts::CONTACTS;
use crate::joints::JOINT_STATES;
use crate::proto::{
    Encoder, Field, FieldType, Fields, MessageType, ProtoFile, file_descriptor_set,
};

const fn field(name: &'static str, number: u32, kind: FieldType) -> Field {
    Field { name, number, kind, repeated: false }
}

const fn row(name: &'static str, number: u32, kind: FieldType) -> Field {
    Field { name, number, kind, repeated: true }
}

/// Rows are one number, or group of numbers, for each body: `position` has x, y, z of the first body, then of
/// the second, and so on. Groups of one kind lie together so that a plot can name them by index.
const STATES: [Field; 6] = [
    field("time_s", 1, FieldType::Double),
    row("body", 2, FieldType::Fixed32),
    row("position_m", 3, FieldType::Double),
    row("orientation_xyzw", 4, FieldType::Double),
    row("velocity_m_s", 5, FieldType::Double),
    row("angular_velocity_rad_s", 6, FieldType::Double),
];

const LEDGER: [Field; 12] = [
    field("time_s", 1, FieldType::Double),
    field("initial_J", 2, FieldType::Double),
    field("kinetic_J", 3, FieldType::Double),
    field("potential_J", 4, FieldType::Double),
    field("work_J", 5, FieldType::Double),
    field("restitution_loss_J", 6, FieldType::Double),
    field("friction_loss_J", 7, FieldType::Double),
    field("boost_J", 8, FieldType::Double),
    field("projection_J", 9, FieldType::Double),
    field("integration_J", 10, FieldType::Double),
    field("residual_J", 11, FieldType::Double),
    row("gravity_m_s2", 12, FieldType::Double),
];

const MESH: [Field; 3] = [
    field("mesh", 1, FieldType::Uint32),
    row("vertices_m", 2, FieldType::Double),
    row("triangles", 3, FieldType::Fixed32),
];

const fn of(name: &'static str, fields: &'static [Field]) -> MessageType {
    MessageType { name, fields, words: None }
}

/// Describes all of them to readers that have never heard of carom.
pub(crate) fn descriptor_set() -> Vec<u8> {
    file_descriptor_set(&[ProtoFile {
        name: "carom.proto",
        package: "carom",
        uses: &[],
        messages: &const {
            [
                of("States", &STATES),
                of("Ledger", &LEDGER),
                of("Mesh", &MESH),
                of("Contacts", &CONTACTS),
                of("JointStates", &JOINT_STATES),
            ]
        },
    }])
}

/// The states of all recorded bodies at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// When `[s]`.
    pub time: f64,
    /// Bodies by their numbers in the recording, and their states.
    pub states: Vec<(u32, BodyState)>,
}

impl Sample {
    /// Writes a sample; `numbers` belong to `states` one by one.
    pub(crate) fn encode(
        time: f64,
        numbers: &[u32],
        states: &[(BodyId, BodyState)],
        message: &mut Encoder,
    ) {
        message.bytes.clear();
        message.bytes.reserve(64 + 108 * numbers.len());
        message.double(1, time);
        message.words(2, numbers, |&number| [number]);
        message.doubles(3, states, |(_, state)| state.position.to_array());
        message.doubles(4, states, |(_, state)| state.orientation.to_array());
        message.doubles(5, states, |(_, state)| state.velocity.to_array());
        message.doubles(6, states, |(_, state)| state.angular_velocity.to_array());
    }

    /// Reads a sample; none if the message is not one.
    pub(crate) fn decode(message: &[u8]) -> Option<Self> {
        let (mut time, mut numbers) = (None, Vec::new());
        let (mut positions, mut orientations) = (Vec::new(), Vec::new());
        let (mut velocities, mut spins) = (Vec::new(), Vec::new());
        for field in Fields::of(message) {
            let (number, value) = field?;
            match number {
                1 => time = Some(value.double()?),
                2 => numbers = value.words::<1>()?.collect(),
                3 => positions = value.doubles::<3>()?.map(DVec3::from_array).collect(),
                4 => orientations = value.doubles::<4>()?.map(DQuat::from_array).collect(),
                5 => velocities = value.doubles::<3>()?.map(DVec3::from_array).collect(),
                6 => spins = value.doubles::<3>()?.map(DVec3::from_array).collect(),
                _ => {}
            }
        }
        let count = numbers.len();
        let lengths = [positions.len(), orientations.len(), velocities.len(), spins.len()];
        if lengths.iter().any(|&length| length != count) {
            return None;
        }
        let state = |i: usize| BodyState {
            position: positions[i],
            orientation: orientations[i],
            velocity: velocities[i],
            angular_velocity: spins[i],
        };
        let states = numbers.iter().enumerate().map(|(i, &[number])| (number, state(i))).collect();
        Some(Self { time: time?, states })
    }
}

/// The ledger at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LedgerLine {
    /// When `[s]`.
    pub time: f64,
    /// Where every joule is.
    pub account: Account,
    /// Gravity then; none in recordings that do not tell it `[m/s²]`.
    pub gravity: Option<DVec3>,
}

/// Time and lines of the ledger, in the order in which they are written.
pub(crate) fn ledger_numbers(time: f64, account: &Account) -> [f64; 11] {
    [
        time,
        account.initial,
        account.kinetic,
        account.potential,
        account.work,
        account.restitution_loss,
        account.friction_loss,
        account.boost,
        account.projection,
        account.integration,
        account.residual,
    ]
}

impl LedgerLine {
    pub(crate) fn encode(&self, message: &mut Encoder) {
        message.bytes.clear();
        for (number, line) in (1..).zip(ledger_numbers(self.time, &self.account)) {
            message.double(number, line);
        }
        if let Some(gravity) = &self.gravity {
            message.doubles(12, std::slice::from_ref(gravity), DVec3::to_array);
        }
    }

    /// Reads a line; none if the message is not one.
    pub(crate) fn decode(message: &[u8]) -> Option<Self> {
        let mut lines = [None; 11];
        let mut gravity = None;
        for field in Fields::of(message) {
            let (number, value) = field?;
            if number == 12 {
                gravity = value.doubles::<3>()?.map(DVec3::from_array).next();
            }
            let line = (number as usize).checked_sub(1).and_then(|index| lines.get_mut(index));
            if let Some(line) = line {
                *line = Some(value.double()?);
            }
        }
        let line = |index: usize| lines.get(index).copied().flatten();
        let account = Account {
            initial: line(1)?,
            kinetic: line(2)?,
            potential: line(3)?,
            work: line(4)?,
            restitution_loss: line(5)?,
            friction_loss: line(6)?,
            boost: line(7)?,
            projection: line(8)?,
            integration: line(9)?,
            residual: line(10)?,
        };
        Some(Self { time: line(0)?, account, gravity })
    }
}

impl MeshData {
    pub(crate) fn encode(
        number: u32,
        vertices: &[DVec3],
        triangles: &[[u32; 3]],
        message: &mut Encoder,
    ) {
        message.bytes.clear();
        message.uint(1, u64::from(number));
        message.doubles(2, vertices, DVec3::to_array);
        message.words(3, triangles, |&triangle| triangle);
    }

    /// Reads a mesh; none if the message is not one or a triangle names a vertex that is not there.
    pub(crate) fn decode(message: &[u8]) -> Option<Self> {
        let mut mesh = Self { number: 0, vertices: Vec::new(), triangles: Vec::new() };
        for field in Fields::of(message) {
            let (number, value) = field?;
            match number {
                1 => mesh.number = u32::try_from(value.varint()?).ok()?,
                2 => mesh.vertices = value.doubles::<3>()?.map(DVec3::from_array).collect(),
                3 => mesh.triangles = value.words::<3>()?.collect(),
                _ => {}
            }
        }
        let count = mesh.vertices.len();
        let named = mesh.triangles.iter().flatten().all(|&vertex| (vertex as usize) < count);
        named.then_some(mesh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_line_comes_back_with_every_bit() {
        let account = Account {
            initial: 0.1,
            kinetic: -0.0,
            potential: f64::MIN_POSITIVE,
            work: 1e300,
            restitution_loss: 5e-324,
            friction_loss: 1.0 / 3.0,
            boost: f64::INFINITY,
            projection: -1.0,
            integration: 2.0,
            residual: 1e-17,
        };
        let mut message = Encoder::default();
        let line = LedgerLine { time: 0.3, account, gravity: Some(DVec3::new(0.0, 0.1, -1.62)) };
        line.encode(&mut message);
        let read = LedgerLine::decode(&message.bytes).unwrap();
        assert_eq!(read, line);
        assert_eq!(read.account.kinetic.to_bits(), account.kinetic.to_bits());
        assert!(LedgerLine::decode(&message.bytes[..90]).is_none(), "a line is missing");
        // Recordings from before it was told have no gravity.
        let without = LedgerLine::decode(&message.bytes[..99]).unwrap();
        assert_eq!(without, LedgerLine { gravity: None, ..line });
    }

    #[test]
    fn a_mesh_whose_triangles_name_no_vertex_is_refused() {
        let mut message = Encoder::default();
        MeshData::encode(3, &[DVec3::X, DVec3::Y], &[[0, 1, 2]], &mut message);
        assert_eq!(MeshData::decode(&message.bytes), None);
        MeshData::encode(3, &[DVec3::X, DVec3::Y], &[[0, 1, 1]], &mut message);
        assert_eq!(MeshData::decode(&message.bytes).unwrap().number, 3);
    }

    #[test]
    fn rows_of_different_lengths_are_no_sample() {
        let mut message = Encoder::default();
        message.double(1, 0.0);
        message.words(2, &[0_u32, 1], |&number| [number]);
        assert_eq!(Sample::decode(&message.bytes), None);
    }
}
