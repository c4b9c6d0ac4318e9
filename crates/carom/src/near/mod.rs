//! Pairs of bodies that are near: whose boxes overlap, and what is predicted of them.
//!
//! A prediction is a pure function of the two motions' present segments and of when the pair was last seen to meet or to
//! part. So everything here is derived data: it can be thrown away at any time and is then made anew, with the same bits.
//!
//! A pair comes in when its boxes begin to overlap. When they cease to, it stays for a few more boxes of its bodies
//! (guide HP-3), so that a pair whose boxes flicker is not searched from the beginning each time.

mod examine;
mod filter;
mod meeting;
mod predict;

use carom_contact::touch::{PairSearch, Parting, Touch};
use rustc_hash::FxHashMap;

use crate::arena::Handle as _;
use crate::body::BodyId;

pub(crate) use examine::{is_due, pair_of};
pub use filter::Layers;
pub(crate) use filter::{Pairing, notice};
pub(crate) use meeting::{Meeting, Meetings, ordered};

/// Boxes that a pair outlives after its own ceased to overlap.
const PATIENCE: u8 = 3;

/// What is known of the future of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Prediction {
    /// Nothing happens before this time `[s]`.
    Clear(f64),
    /// They touch, with these pieces.
    Touch(Touch, [u32; 2]),
    /// They come apart `[s]`.
    Part(f64),
    /// The search could not go on from this time `[s]`.
    Stuck(f64),
    /// They overlap, although they should not, at this time `[s]`.
    Overlap(f64),
}

impl Prediction {
    /// When something is to be done, if at all `[s]`.
    pub(crate) fn due(&self) -> Option<f64> {
        match self {
            Self::Clear(_) => None,
            Self::Touch(touch, _) => Some(touch.time),
            Self::Part(time) | Self::Stuck(time) | Self::Overlap(time) => Some(*time),
        }
    }

    /// Up to when the future is known `[s]`.
    pub(crate) fn known_until(&self) -> f64 {
        match self {
            Self::Clear(time) => *time,
            _ => f64::INFINITY,
        }
    }
}

/// The search behind a prediction, to be resumed.
#[derive(Clone, Debug)]
pub(crate) enum Watch {
    /// For the next touch.
    Touch(PairSearch),
    /// For the parting of a pair that is inside each other.
    Part(Parting),
}

/// A pair of bodies that are near.
#[derive(Clone, Debug)]
pub(crate) struct Near {
    /// The smaller id first.
    pub(crate) bodies: [BodyId; 2],
    /// Under which the prediction was made.
    pub(crate) epochs: [u64; 2],
    pub(crate) watch: Option<Watch>,
    pub(crate) prediction: Prediction,
    /// Boxes since the pair's own ceased to overlap; 0 while they do.
    idle: u8,
}

/// All near pairs.
#[derive(Clone, Debug, Default)]
pub(crate) struct NearPairs {
    slots: Vec<Option<Near>>,
    free: Vec<u32>,
    by_pair: FxHashMap<(u32, u32), u32>,
    /// Slots of each body's pairs, by its index.
    of_body: Vec<Vec<u32>>,
    /// How often a pair has come in, for those who count.
    pub(crate) entered: u64,
    /// How often a search was begun or resumed.
    pub(crate) predictions: u64,
}

fn key([a, b]: [BodyId; 2]) -> (u32, u32) {
    (a.index(), b.index())
}

impl NearPairs {
    pub(crate) fn slot(&self, bodies: [BodyId; 2]) -> Option<u32> {
        let slot = *self.by_pair.get(&key(bodies))?;
        self.get(slot).filter(|near| near.bodies == bodies).map(|_| slot)
    }

    /// The pair in the slots of two bodies, by their indices.
    pub(crate) fn by_indices(&self, a: u32, b: u32) -> Option<u32> {
        self.by_pair.get(&(a, b)).copied()
    }

    pub(crate) fn get(&self, slot: u32) -> Option<&Near> {
        self.slots.get(slot as usize)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, slot: u32) -> Option<&mut Near> {
        self.slots.get_mut(slot as usize)?.as_mut()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Near> {
        self.slots.iter().flatten()
    }

    /// The slots of a body's pairs, in no order that means anything.
    pub(crate) fn of(&self, body: BodyId) -> &[u32] {
        self.of_body.get(body.index() as usize).map_or(&[], Vec::as_slice)
    }

    /// Brings a pair in, or back.
    fn enter(&mut self, bodies: [BodyId; 2]) -> u32 {
        if let Some(slot) = self.slot(bodies) {
            if let Some(near) = self.get_mut(slot) {
                near.idle = 0;
            }
            return slot;
        }
        self.entered += 1;
        let near = Near {
            bodies,
            epochs: [u64::MAX; 2],
            watch: None,
            prediction: Prediction::Clear(f64::NEG_INFINITY),
            idle: 0,
        };
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            (self.slots.len() - 1) as u32
        });
        self.slots[slot as usize] = Some(near);
        self.by_pair.insert(key(bodies), slot);
        for body in bodies {
            let index = body.index() as usize;
            if self.of_body.len() <= index {
                self.of_body.resize_with(index + 1, Vec::new);
            }
            self.of_body[index].push(slot);
        }
        slot
    }

    fn remove(&mut self, slot: u32) {
        let Some(near) = self.slots.get_mut(slot as usize).and_then(Option::take) else { return };
        self.by_pair.remove(&key(near.bodies));
        self.free.push(slot);
        for body in near.bodies {
            if let Some(list) = self.of_body.get_mut(body.index() as usize)
                && let Some(place) = list.iter().position(|other| *other == slot)
            {
                list.swap_remove(place);
            }
        }
    }

    /// Takes out every pair of a body that is gone.
    pub(crate) fn forget(&mut self, body: BodyId) {
        while let Some(&slot) = self.of(body).last() {
            self.remove(slot);
        }
    }
}
