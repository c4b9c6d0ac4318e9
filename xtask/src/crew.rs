//! Work on many things at once, with the answers in the order of the things.

use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

/// What `work` makes of each item, by as many threads as there are processors. Whoever is free takes the next item.
pub(crate) fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let waiting = Mutex::new(items.iter().enumerate());
    let answers = Mutex::new(Vec::with_capacity(items.len()));
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..threads.min(items.len()) {
            scope.spawn(|| {
                loop {
                    let Some((i, item)) = lock(&waiting).next() else { return };
                    let answer = work(item);
                    lock(&answers).push((i, answer));
                }
            });
        }
    });
    let mut answers = answers.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    answers.sort_by_key(|(i, _)| *i);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

fn lock<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        let answers = each(&items, |item| {
            // The first ones take longest.
            thread::sleep(std::time::Duration::from_micros(200 - 2 * item));
            item * item
        });
        assert_eq!(answers, items.iter().map(|item| item * item).collect::<Vec<_>>());
        assert!(each(&[], |item: &u64| *item).is_empty());
    }
}
