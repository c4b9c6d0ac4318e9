//! Numbers as bytes: little-endian, one way to write each value.
//!
//! The same writing goes into snapshots and into the hash, so what is hashed is what is saved. Reading never
//! trusts a length: it is checked against the bytes that are left before anything is reserved.

use carom_dynamics::{BodyState, Span};
use carom_geometry::Pose;
use glam::{DQuat, DVec3};

use super::SnapshotError;
use crate::arena::{Arena, Content, Handle};

/// Where bytes go.
pub(crate) trait Sink {
    fn put(&mut self, bytes: &[u8]);

    fn u8(&mut self, value: u8) {
        self.put(&[value]);
    }

    fn u32(&mut self, value: u32) {
        self.put(&value.to_le_bytes());
    }

    fn u64(&mut self, value: u64) {
        self.put(&value.to_le_bytes());
    }

    fn f64(&mut self, value: f64) {
        self.put(&value.to_bits().to_le_bytes());
    }

    fn bool(&mut self, value: bool) {
        self.u8(u8::from(value));
    }

    fn blob(&mut self, bytes: &[u8]) {
        self.u64(bytes.len() as u64);
        self.put(bytes);
    }

    fn text(&mut self, text: &str) {
        self.blob(text.as_bytes());
    }

    fn vector(&mut self, v: DVec3) {
        v.to_array().into_iter().for_each(|x| self.f64(x));
    }

    fn rotation(&mut self, q: DQuat) {
        q.to_array().into_iter().for_each(|x| self.f64(x));
    }

    fn pose(&mut self, pose: &Pose) {
        self.vector(pose.translation);
        self.rotation(pose.rotation);
    }

    fn span(&mut self, span: &Span) {
        self.f64(span.start);
        self.f64(span.end);
    }

    fn body_state(&mut self, state: &BodyState) {
        self.vector(state.position);
        self.rotation(state.orientation);
        self.vector(state.velocity);
        self.vector(state.angular_velocity);
    }
}

impl Sink for Vec<u8> {
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

impl Sink for xxhash_rust::xxh3::Xxh3 {
    fn put(&mut self, bytes: &[u8]) {
        self.update(bytes);
    }
}

/// Writes what is in the slots of an arena.
pub(crate) fn write_slots<'a, H: Handle, T: 'a>(
    arena: &'a Arena<H, T>,
    sink: &mut dyn Sink,
    mut one: impl FnMut(&'a T, &mut dyn Sink) -> Result<(), SnapshotError>,
) -> Result<(), SnapshotError> {
    sink.u64(arena.slots().len() as u64);
    for (generation, content) in arena.slots() {
        sink.u32(generation);
        match content {
            Content::Free => sink.u8(0),
            Content::Reserved => sink.u8(1),
            Content::Filled(value) => {
                sink.u8(2);
                one(value, sink)?;
            }
        }
    }
    Ok(())
}

/// Reads what [`write_slots`] wrote.
pub(crate) fn read_slots<H: Handle, T>(
    source: &mut Source<'_>,
    mut one: impl FnMut(&mut Source<'_>) -> Result<T, SnapshotError>,
) -> Result<Arena<H, T>, SnapshotError> {
    let slot = |source: &mut Source<'_>| {
        let generation = source.u32()?;
        let content = match source.u8()? {
            0 => Content::Free,
            1 => Content::Reserved,
            2 => Content::Filled(one(source)?),
            _ => return Err(SnapshotError::wrong("a slot is neither free nor filled")),
        };
        Ok((generation, content))
    };
    Ok(Arena::from_slots(source.list(5, slot)?.into_iter()))
}

/// Where bytes come from.
pub(crate) struct Source<'a> {
    rest: &'a [u8],
}

impl<'a> Source<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], SnapshotError> {
        let (head, rest) = self.rest.split_at_checked(length).ok_or(SnapshotError::TooShort)?;
        self.rest = rest;
        Ok(head)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], SnapshotError> {
        self.take(N)?.try_into().map_err(|_| SnapshotError::TooShort)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, SnapshotError> {
        Ok(self.array::<1>()?[0])
    }

    pub(crate) fn u32(&mut self) -> Result<u32, SnapshotError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, SnapshotError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// A number that counts places in memory.
    pub(crate) fn index(&mut self) -> Result<usize, SnapshotError> {
        usize::try_from(self.u64()?).map_err(|_| SnapshotError::wrong("a number is too large"))
    }

    pub(crate) fn f64(&mut self) -> Result<f64, SnapshotError> {
        Ok(f64::from_bits(self.u64()?))
    }

    pub(crate) fn bool(&mut self) -> Result<bool, SnapshotError> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(SnapshotError::wrong("a truth value is neither 0 nor 1")),
        }
    }

    /// A count of things that take at least `size` bytes each.
    pub(crate) fn count(&mut self, size: usize) -> Result<usize, SnapshotError> {
        let count = usize::try_from(self.u64()?).map_err(|_| SnapshotError::TooShort)?;
        if count.checked_mul(size).is_none_or(|bytes| bytes > self.rest.len()) {
            return Err(SnapshotError::TooShort);
        }
        Ok(count)
    }

    /// A list of things that take at least `size` bytes each.
    pub(crate) fn list<T>(
        &mut self,
        size: usize,
        mut one: impl FnMut(&mut Self) -> Result<T, SnapshotError>,
    ) -> Result<Vec<T>, SnapshotError> {
        let count = self.count(size)?;
        (0..count).map(|_| one(self)).collect()
    }

    pub(crate) fn blob(&mut self) -> Result<&'a [u8], SnapshotError> {
        let length = self.count(1)?;
        self.take(length)
    }

    pub(crate) fn text(&mut self) -> Result<String, SnapshotError> {
        let bytes = self.blob()?.to_vec();
        String::from_utf8(bytes).map_err(|_| SnapshotError::wrong("a name is not text"))
    }

    pub(crate) fn vector(&mut self) -> Result<DVec3, SnapshotError> {
        Ok(DVec3::new(self.f64()?, self.f64()?, self.f64()?))
    }

    pub(crate) fn rotation(&mut self) -> Result<DQuat, SnapshotError> {
        Ok(DQuat::from_xyzw(self.f64()?, self.f64()?, self.f64()?, self.f64()?))
    }

    /// A placement whose numbers are finite and whose quaternion is unit.
    pub(crate) fn pose(&mut self) -> Result<Pose, SnapshotError> {
        let pose = Pose::new(self.vector()?, self.rotation()?);
        if pose.is_valid(carom_geometry::tolerances::UNIT_QUATERNION) {
            Ok(pose)
        } else {
            Err(SnapshotError::wrong("a placement is not rigid"))
        }
    }

    pub(crate) fn span(&mut self) -> Result<Span, SnapshotError> {
        Ok(Span::new(self.f64()?, self.f64()?))
    }

    pub(crate) fn body_state(&mut self) -> Result<BodyState, SnapshotError> {
        let pose = self.pose()?;
        let state = BodyState {
            velocity: self.vector()?,
            angular_velocity: self.vector()?,
            ..BodyState::at_rest(pose)
        };
        if state.is_finite() {
            Ok(state)
        } else {
            Err(SnapshotError::wrong("a body's state is not finite"))
        }
    }
}
