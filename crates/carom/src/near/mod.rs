//! Pairs of bodies that are near: whose boxes overlap, and what is predicted of them.
//!
//! A prediction is a pure function of the two motions' present segments and of when the pair was last seen to meet or to
//! part. So everything here is derived data: it can be thrown away at any time and is then made anew, with the same bits.
//!
//! A pair comes in when its boxes begin to overlap. When they cease to, the broad phase keeps it for a few more boxes of its
//! bodies (guide HP-3), so that a pair whose boxes flicker is not searched from the beginning each time.

mod examine;
mod filter;
mod meeting;
mod predict;

use carom_contact::touch::{Aside, PairSearch, Parting, Spares, Touch};

use crate::body::BodyId;

pub(crate) use examine::slot_of;
pub use filter::Layers;
pub(crate) use filter::{Pairing, notice};
pub(crate) use meeting::{Manner, Meeting, Meetings, ordered};

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
    /// They are near, but cannot be told apart, at this time `[s]`.
    Blurred(f64),
    /// They overlap, although they should not, at this time `[s]`.
    Overlap(f64),
}

impl Prediction {
    /// When something is to be done, if at all `[s]`.
    pub(crate) fn due(&self) -> Option<f64> {
        match self {
            Self::Clear(_) => None,
            Self::Touch(touch, _) => Some(touch.time),
            Self::Part(time) | Self::Stuck(time) | Self::Blurred(time) | Self::Overlap(time) => {
                Some(*time)
            }
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
#[expect(clippy::large_enum_variant, reason = "few pairs wait for their parting")]
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
    /// True when the last look at the pair found something to search.
    searched: bool,
    /// Up to when it was to be searched: the first end of its windows `[s]`.
    pause: f64,
    /// What may tell the two apart for a window without a search.
    aside: Aside,
    /// Up to here that was enough: they are farther from each other than any touch distance, as they now move `[s]`.
    apart_until: f64,
}

impl Near {
    /// What was predicted is void.
    fn begin_anew(&mut self, spares: &mut Spares) {
        if let Some(Watch::Touch(search)) = self.watch.take() {
            spares.keep(search);
        }
        self.prediction = Prediction::Clear(f64::NEG_INFINITY);
        self.apart_until = f64::NEG_INFINITY;
    }
}

/// All near pairs, in the slots that the broad phase gives them; empty where a pair takes no notice of each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct NearPairs {
    slots: Vec<Option<Near>>,
    spares: Spares,
    /// How often a pair has come in, for those who count.
    pub(crate) entered: u64,
    /// How often a search was begun or resumed.
    pub(crate) predictions: u64,
}

impl NearPairs {
    pub(crate) fn get(&self, slot: u32) -> Option<&Near> {
        self.slots.get(slot as usize)?.as_ref()
    }

    /// What was predicted of a pair is void.
    pub(crate) fn begin_anew(&mut self, slot: u32) {
        if let Some(Some(near)) = self.slots.get_mut(slot as usize) {
            near.begin_anew(&mut self.spares);
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Near> {
        self.slots.iter().flatten()
    }

    /// Brings a pair in, unless it is there already.
    fn enter(&mut self, slot: u32, bodies: [BodyId; 2]) {
        let index = slot as usize;
        if self.slots.len() <= index {
            self.slots.resize_with(index + 1, || None);
        }
        if self.slots[index].as_ref().is_some_and(|near| near.bodies == bodies) {
            return;
        }
        self.leave(slot);
        self.entered += 1;
        self.slots[index] = Some(Near {
            bodies,
            epochs: [u64::MAX; 2],
            watch: None,
            prediction: Prediction::Clear(f64::NEG_INFINITY),
            searched: false,
            pause: f64::NEG_INFINITY,
            aside: Aside::default(),
            apart_until: f64::NEG_INFINITY,
        });
    }

    fn leave(&mut self, slot: u32) {
        if let Some(mut near) = self.slots.get_mut(slot as usize).and_then(Option::take) {
            near.begin_anew(&mut self.spares);
        }
    }
}
