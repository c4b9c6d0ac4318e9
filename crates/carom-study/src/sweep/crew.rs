//! Threads that take pieces of work one after the other.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Stack of a thread, that of the main one on common systems `[B]`. Less: expressions of scenes that nest as deep as they
/// may could overflow it.
const STACK_BYTES: usize = 8 << 20;

/// Works off items on at most so many threads and hands results over on the calling thread, as they come. No item is begun
/// after `stop` is true or a result was not taken; work without a result was stopped.
pub(super) fn work<R: Send, E>(
    items: &[u64],
    threads: usize,
    stop: &AtomicBool,
    work: &(dyn Fn(u64) -> Option<R> + Sync),
    take: &mut dyn FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let refused = AtomicBool::new(false);
    let take_next = || {
        let goes_on = !stop.load(Ordering::Relaxed) && !refused.load(Ordering::Relaxed);
        let item = items.get(next.fetch_add(1, Ordering::Relaxed)).filter(|_| goes_on)?;
        work(*item)
    };
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        let start = |_: usize| -> io::Result<()> {
            let (sender, take_next) = (sender.clone(), &take_next);
            let all = move || {
                while take_next().is_some_and(|result| sender.send(result).is_ok()) {}
            };
            thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, all).map(drop)
        };
        let started =
            (0..threads.clamp(1, items.len().max(1))).map_while(|n| start(n).ok()).count();
        drop(sender);
        // A system that gives no threads leaves the work to this one.
        if started == 0 {
            while let Some(result) = take_next() {
                take(result)?;
            }
        }
        let taken = results.iter().try_for_each(&mut *take);
        refused.store(taken.is_err(), Ordering::Relaxed);
        taken
    })
}

/// What a closure gives, or the message of its panic.
pub(super) fn guarded<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|thrown| message(&*thrown))
}

fn message(thrown: &(dyn Any + Send)) -> String {
    let text = thrown.downcast_ref::<&str>().copied();
    let text = text.or_else(|| thrown.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without words").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(n: u64, threads: usize) -> Vec<u64> {
        let items: Vec<u64> = (0..n).collect();
        let mut taken = Vec::new();
        let stop = AtomicBool::new(false);
        let mut take = |result| {
            taken.push(result);
            Ok::<(), ()>(())
        };
        work(&items, threads, &stop, &|item| Some(item * item), &mut take).expect("all is taken");
        taken.sort_unstable();
        taken
    }

    #[test]
    fn every_item_is_worked_once_by_any_number_of_threads() {
        let squares: Vec<u64> = (0..100).map(|n| n * n).collect();
        for threads in [0, 1, 2, 7] {
            assert_eq!(all(100, threads), squares, "{threads} threads");
        }
        assert!(all(0, 3).is_empty());
    }

    #[test]
    fn what_is_not_taken_ends_the_work() {
        let items: Vec<u64> = (0..1_000_000).collect();
        let begun = AtomicUsize::new(0);
        let stop = AtomicBool::new(false);
        let count = |item| {
            begun.fetch_add(1, Ordering::Relaxed);
            thread::sleep(std::time::Duration::from_micros(100));
            Some(item)
        };
        let ended = work(&items, 2, &stop, &count, &mut |_: u64| Err("full"));
        assert_eq!(ended, Err("full"));
        assert!(begun.load(Ordering::Relaxed) < items.len());
    }

    #[test]
    fn a_panic_is_a_message() {
        assert_eq!(guarded(|| 3), Ok(3));
        assert_eq!(guarded(|| -> u8 { panic!("off by {}", 1) }), Err("off by 1".to_owned()));
    }
}
