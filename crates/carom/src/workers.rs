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

    /// Applies a pure function to every item; results in order.
    pub(crate) fn map<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&T) -> R + Sync,
    ) -> Vec<R> {
        let Some(pool) = self.pool.as_ref().filter(|_| items.len() >= WORTH_SHARING) else {
            self.count(0, items.len());
            return items.iter().map(work).collect();
        };
        let piece = |chunk: &[T]| {
            self.count(rayon::current_thread_index().unwrap_or(0), chunk.len());
            chunk.iter().map(&work).collect::<Vec<R>>()
        };
        let chunks: Vec<Vec<R>> =
            pool.install(|| items.par_chunks(PIECES_AT_A_TIME).map(piece).collect());
        chunks.into_iter().flatten().collect()
    }

    /// Works on every item by itself.
    pub(crate) fn each<T: Send>(&self, items: &mut [T], work: impl Fn(&mut T) + Sync) {
        let Some(pool) = self.pool.as_ref().filter(|_| items.len() >= WORTH_SHARING) else {
            self.count(0, items.len());
            items.iter_mut().for_each(work);
            return;
        };
        pool.install(|| {
            items.par_chunks_mut(PIECES_AT_A_TIME).for_each(|chunk| {
                self.count(rayon::current_thread_index().unwrap_or(0), chunk.len());
                chunk.iter_mut().for_each(&work);
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
        let found = self.map(&bodies, |&(id, group)| state_of(world, id, group, time));
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
