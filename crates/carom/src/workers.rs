//! Threads: the same bits from any number of them.
//!
//! Work is split by what there is to do, never by who does it, and results come back in the order of the
//! work. With one thread nothing is started at all.

use std::sync::atomic::{AtomicU64, Ordering};

use carom_dynamics::BodyState;
use rayon::prelude::*;

use crate::body::BodyId;
use crate::error::WorldError;
use crate::group::GroupId;
use crate::world::World;

/// Fewer pieces than this are not worth waking a thread for: a piece takes about a microsecond, and so does
/// waking.
const WORTH_SHARING: usize = 64;

/// Pieces that one thread takes at a time.
const PIECES_AT_A_TIME: usize = 32;

/// The threads of a world.
#[derive(Debug, Default)]
pub(crate) struct Workers {
    pool: Option<rayon::ThreadPool>,
    /// Pieces done by each thread.
    done: Vec<AtomicU64>,
}

impl Workers {
    pub(crate) fn new(threads: usize) -> Result<Self, WorldError> {
        let refused = |reason: String| WorldError::Threads { threads, reason };
        if threads == 0 {
            return Err(refused("at least one is needed".to_owned()));
        }
        let done = (0..threads).map(|_| AtomicU64::new(0)).collect();
        if threads == 1 {
            return Ok(Self { pool: None, done });
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| refused(error.to_string()))?;
        Ok(Self { pool: Some(pool), done })
    }

    pub(crate) const fn threads(&self) -> usize {
        self.done.len()
    }

    pub(crate) fn work(&self) -> Vec<u64> {
        self.done.iter().map(|count| count.load(Ordering::Relaxed)).collect()
    }

    /// Applies a pure function to every item and writes the results down in order.
    pub(crate) fn map<T: Sync, R: Send>(
        &self,
        items: &[T],
        results: &mut Vec<R>,
        work: impl Fn(&T) -> R + Sync,
    ) {
        results.clear();
        let Some(pool) = self.pool.as_ref().filter(|_| items.len() >= WORTH_SHARING) else {
            self.count(0, items.len());
            results.extend(items.iter().map(work));
            return;
        };
        let piece = |chunk: &[T]| {
            self.count(rayon::current_thread_index().unwrap_or(0), chunk.len());
            chunk.iter().map(&work).collect::<Vec<R>>()
        };
        let chunks: Vec<Vec<R>> =
            pool.install(|| items.par_chunks(PIECES_AT_A_TIME).map(piece).collect());
        results.extend(chunks.into_iter().flatten());
    }

    /// Works on each of the chosen items by itself; `chosen` are places in increasing order, those beyond the end nobody's.
    pub(crate) fn each_of<T: Send>(
        &self,
        items: &mut [T],
        chosen: &[u32],
        work: impl Fn(&mut T) + Sync,
    ) {
        let Some(pool) = self.pool.as_ref().filter(|_| chosen.len() >= WORTH_SHARING) else {
            self.count(0, chosen.len());
            for place in chosen {
                if let Some(item) = items.get_mut(*place as usize) {
                    work(item);
                }
            }
            return;
        };
        let (mut rest, mut passed) = (items, 0);
        let pick = |place: &u32| {
            let skipped = *place as usize - passed;
            passed = *place as usize + 1;
            rest.split_off_mut(skipped..).and_then(|from| {
                let (item, others) = from.split_first_mut()?;
                rest = others;
                Some(item)
            })
        };
        let mut picked: Vec<&mut T> = chosen.iter().map_while(pick).collect();
        pool.install(|| {
            picked.par_chunks_mut(PIECES_AT_A_TIME).for_each(|chunk| {
                self.count(rayon::current_thread_index().unwrap_or(0), chunk.len());
                for item in chunk {
                    work(item);
                }
            });
        });
    }

    /// States of all bodies, in order of their ids.
    pub(crate) fn states_at(
        &self,
        world: &World,
        time: f64,
        states: &mut Vec<(BodyId, BodyState)>,
    ) {
        states.clear();
        let bodies = world.state.bodies.iter();
        if self.pool.is_none() {
            self.count(0, world.state.bodies.len());
            states.extend(bodies.filter_map(|(id, body)| state_of(world, id, body.group, time)));
            return;
        }
        let bodies: Vec<(BodyId, GroupId)> = bodies.map(|(id, body)| (id, body.group)).collect();
        let mut found = Vec::new();
        self.map(&bodies, &mut found, |&(id, group)| state_of(world, id, group, time));
        states.extend(found.into_iter().flatten());
    }

    fn count(&self, thread: usize, pieces: usize) {
        if let Some(count) = self.done.get(thread) {
            count.fetch_add(pieces as u64, Ordering::Relaxed);
        }
    }
}

fn state_of(world: &World, id: BodyId, group: GroupId, time: f64) -> Option<(BodyId, BodyState)> {
    let group = world.state.groups.get(group)?;
    let member = group.member(id)?;
    let holds = group.span(world.state.now).contains(time);
    holds.then(|| (id, group.state_of(member, time)))
}
