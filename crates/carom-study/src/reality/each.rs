//! One question to many tosses, on all cores.

use super::StudyError;

/// What each item gives, in order; `done` is told after each.
pub(super) fn each<I: Sync, T: Send>(
    items: &[I],
    id: fn(&I) -> &str,
    done: &(impl Fn() + Sync),
    work: impl Fn(&I) -> Result<T, String> + Sync,
) -> Result<Vec<T>, StudyError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = items.len().div_ceil(threads).max(1);
    let of_one = |item: &I| {
        let found =
            work(item).map_err(|problem| StudyError::Run { id: id(item).to_owned(), problem });
        done();
        found
    };
    let of_share = |share: &[I]| share.iter().map(of_one).collect::<Result<Vec<T>, _>>();
    let shares: Vec<Result<Vec<T>, StudyError>> = std::thread::scope(|scope| {
        let of_share = &of_share;
        let threads: Vec<_> =
            items.chunks(share).map(|share| scope.spawn(move || of_share(share))).collect();
        let panicked =
            || StudyError::Run { id: String::new(), problem: "a thread panicked".into() };
        threads.into_iter().map(|it| it.join().unwrap_or_else(|_| Err(panicked()))).collect()
    });
    let mut all = Vec::with_capacity(items.len());
    for share in shares {
        all.extend(share?);
    }
    Ok(all)
}
