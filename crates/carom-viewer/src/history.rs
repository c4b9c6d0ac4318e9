//! What can be shown of a run: messages in chunks by time, of a run that goes on in memory, of a recording in its file.
//!
//! Whoever looks at a stretch of time gets the messages of the chunks that it lies in, and no others are read.

use std::collections::VecDeque;
use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use carom_record::{Message, ReadError, Reader};

/// Messages after which a chunk of a run that goes on is closed, and rows: whoever asks for the open chunk gets a copy.
const CHUNK_MESSAGES: usize = 512;
const CHUNK_ROWS: usize = 40_000;

/// States and contact points that a run that goes on keeps at most, some 100 bytes each; the oldest chunks go first.
const MOST_ROWS: usize = 8_000_000;

/// Chunks of a recording that are kept after they have been read.
const CACHED_CHUNKS: usize = 32;

/// Messages that belong together in time.
pub(crate) type Chunk = Arc<Vec<Message>>;

/// A run as far as it can be shown.
#[derive(Debug)]
pub(crate) enum History {
    /// Of a run that goes on.
    Live(Mutex<Kept>),
    /// Of a recording.
    Recorded(Box<Mutex<Recorded>>),
}

/// The chunks of a run that goes on.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// Each with its latest time `[s]`.
    closed: VecDeque<(f64, Chunk)>,
    open: Vec<Message>,
    open_rows: usize,
    rows: usize,
    /// End of the last chunk that there was no room for `[s]`.
    forgotten: Option<f64>,
}

/// The chunks of a recording.
#[derive(Debug)]
pub(crate) struct Recorded {
    reader: Reader<BufReader<File>>,
    ends: Vec<f64>,
    cache: VecDeque<(usize, Chunk)>,
}

impl History {
    /// Of a run that is about to begin.
    pub(crate) fn live() -> Self {
        Self::Live(Mutex::default())
    }

    /// Of a recording.
    pub(crate) fn of(reader: Reader<BufReader<File>>) -> Self {
        let ends = reader.chunk_ends().collect();
        Self::Recorded(Box::new(Mutex::new(Recorded { reader, ends, cache: VecDeque::new() })))
    }

    /// Adds messages to a run that goes on.
    pub(crate) fn extend(&self, messages: Vec<Message>) {
        let Self::Live(kept) = self else { return };
        let mut kept = lock(kept);
        let more = messages.iter().map(rows).sum::<usize>();
        kept.rows += more;
        kept.open_rows += more;
        kept.open.extend(messages);
        if kept.open.len() >= CHUNK_MESSAGES || kept.open_rows >= CHUNK_ROWS {
            kept.open_rows = 0;
            let open = std::mem::take(&mut kept.open);
            let end = open.iter().map(time).fold(f64::NEG_INFINITY, f64::max);
            kept.closed.push_back((end, Arc::new(open)));
        }
        while kept.rows > MOST_ROWS
            && let Some((end, oldest)) = kept.closed.pop_front()
        {
            kept.forgotten = Some(end);
            kept.rows -= oldest.iter().map(rows).sum::<usize>();
        }
    }

    /// How many chunks there are now, and the latest time of each but an open last one `[s]`.
    fn ends(&self) -> (usize, Vec<f64>) {
        match self {
            Self::Live(kept) => {
                let kept = lock(kept);
                (kept.closed.len() + 1, kept.closed.iter().map(|(end, _)| *end).collect())
            }
            Self::Recorded(recorded) => {
                let recorded = lock(recorded);
                (recorded.ends.len(), recorded.ends.clone())
            }
        }
    }

    /// The end of what was forgotten because there is no room for all of it `[s]`.
    pub(crate) fn forgotten(&self) -> Option<f64> {
        match self {
            Self::Live(kept) => lock(kept).forgotten,
            Self::Recorded(_) => None,
        }
    }

    /// A chunk by its place.
    ///
    /// # Errors
    /// If the recording is damaged there.
    pub(crate) fn chunk(&self, place: usize) -> Result<Chunk, ReadError> {
        match self {
            Self::Live(kept) => {
                let kept = lock(kept);
                let closed = kept.closed.get(place).map(|(_, chunk)| Arc::clone(chunk));
                Ok(closed.unwrap_or_else(|| Arc::new(kept.open.clone())))
            }
            Self::Recorded(recorded) => lock(recorded).chunk(place),
        }
    }

    /// How many chunks there are.
    pub(crate) fn count(&self) -> usize {
        self.ends().0
    }

    /// Goes over what lies in a stretch of time, and perhaps some more at both ends, until it is enough.
    ///
    /// # Errors
    /// If the recording is damaged there.
    pub(crate) fn visit(
        &self,
        [from, to]: [f64; 2],
        mut see: impl FnMut(&Message) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        let (count, ends) = self.ends();
        // A sample before the stretch is wanted, too; where much happens, it may lie some chunks back.
        let mut first = ends.partition_point(|end| *end < from).saturating_sub(1);
        let is_sample = |message: &Message| matches!(message, Message::Sample(_));
        while first > 0 && !self.chunk(first)?.iter().any(is_sample) {
            first -= 1;
        }
        for place in first..count {
            // A chunk begins where the one before ends; one more has the next sample.
            let begins_late = |back: usize| {
                place.checked_sub(back).and_then(|it| ends.get(it)).is_some_and(|end| *end > to)
            };
            if begins_late(2) {
                return Ok(());
            }
            for message in self.chunk(place)?.iter() {
                if see(message).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Goes back over chunks from the one that a time lies in, until it is enough.
    ///
    /// # Errors
    /// If the recording is damaged there.
    pub(crate) fn visit_back(
        &self,
        to: f64,
        mut see: impl FnMut(&[Message]) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        let (count, ends) = self.ends();
        let last = (ends.partition_point(|end| *end < to) + 1).min(count);
        for place in (0..last).rev() {
            if see(&self.chunk(place)?).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }
}

impl Recorded {
    fn chunk(&mut self, place: usize) -> Result<Chunk, ReadError> {
        if let Some((_, chunk)) = self.cache.iter().find(|(known, _)| *known == place) {
            return Ok(Arc::clone(chunk));
        }
        let chunk = Arc::new(self.reader.chunk(place)?);
        if self.cache.len() == CACHED_CHUNKS {
            self.cache.pop_front();
        }
        self.cache.push_back((place, Arc::clone(&chunk)));
        Ok(chunk)
    }
}

/// The inside of a lock, whoever broke down with it: chunks are put in whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// When a message was `[s]`.
pub(crate) fn time(message: &Message) -> f64 {
    match message {
        Message::Sample(sample) => sample.time,
        Message::Ledger(line) => line.time,
        Message::Event(event) => event.time,
        Message::Contacts(collisions) => collisions.first().map_or(f64::NEG_INFINITY, |it| it.time),
        Message::Body(body) => body.since_s,
        Message::Joint(joint) => joint.since_s,
        Message::Joints(sample) => sample.time,
        Message::Mesh(_) => f64::NEG_INFINITY,
    }
}

/// How much room a message takes, in rows of some 100 bytes.
fn rows(message: &Message) -> usize {
    match message {
        Message::Sample(sample) => 1 + sample.states.len(),
        Message::Contacts(collisions) => 1 + 2 * collisions.len(),
        Message::Joints(sample) => 1 + sample.rows.len() / 2,
        Message::Event(_) => 6,
        _ => 2,
    }
}
