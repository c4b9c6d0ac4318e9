//! Linkages, beside Pinocchio and MuJoCo in one run: forward dynamics, long runs, strikes, bounds, control.
//!
//! Time is that the thread worked, here and in the peers' process. What is compared is measured in turns, several times, and
//! medians are printed. `cargo bench … --bench linkages -- forward rods strikes bounds control` chooses parts.

mod control;
mod forward;
mod models;
mod peers;
mod rods;
mod run;
mod strikes;
mod window;

use peers::Peers;

/// How often each of two is measured, in turns.
pub const ROUNDS: usize = 9;

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with('-')).collect();
    let is_chosen = |part: &str| chosen.is_empty() || chosen.iter().any(|it| it == part);
    if cfg!(debug_assertions) {
        println!("DEBUG BUILD: timings say nothing");
    }
    let are_compared = ["forward", "rods"].into_iter().any(is_chosen);
    let mut peers =
        if are_compared { Peers::start() } else { Err("nothing to compare".to_owned()) };
    match &peers {
        Ok(peers) => println!("{}\n", peers.versions),
        Err(reason) => println!("without peers: {reason}\n"),
    }
    if is_chosen("forward") {
        forward::measure(peers.as_mut().ok());
    }
    if is_chosen("rods") {
        rods::measure(peers.as_mut().ok());
    }
    if is_chosen("strikes") {
        strikes::measure();
    }
    if is_chosen("bounds") {
        window::measure();
    }
    if is_chosen("control") {
        control::measure();
    }
}

/// The middle one.
///
/// # Panics
/// If there is none.
pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// Time that the thread worked for one of `repeats` calls `[s]`.
pub fn seconds(repeats: u32, mut work: impl FnMut()) -> f64 {
    let clock = carom_bench::compare::clock::Moment::now();
    for _ in 0..repeats {
        work();
    }
    clock.seconds() / f64::from(repeats)
}

/// The median of several measurements by [`seconds`].
pub fn median_seconds(repeats: u32, mut work: impl FnMut()) -> f64 {
    median((0..ROUNDS).map(|_| seconds(repeats, &mut work)).collect())
}
