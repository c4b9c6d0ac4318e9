//! How far a run has come, and whether it shall go on.

use std::fs::File;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use carom::Short;
use carom_study::run::Supervisor;
use indicatif::{ProgressBar, ProgressBarIter, ProgressDrawTarget, ProgressStyle};

use crate::interrupt::Asking;

/// How often the bar is drawn anew.
const REDRAWN: Duration = Duration::from_millis(100);

/// A bar of this many steps.
const STEPS: u64 = 10_000;

/// Watches the person and shows them the time.
pub(crate) struct Progress {
    bar: ProgressBar,
    asking: Asking,
    started: Instant,
    drawn: Instant,
}

/// A bar on a terminal that wants one.
fn bar(shown: bool, length: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden());
    if shown && std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {msg}") {
            bar.set_style(style);
        }
    }
    bar
}

impl Progress {
    /// A bar on a terminal that wants one; Ctrl-C ends the run at its next pause, and the program when it is
    /// pressed again.
    pub(crate) fn new(shown: bool) -> Self {
        let now = Instant::now();
        Self { bar: bar(shown, STEPS), asking: Asking::new(), started: now, drawn: now }
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// So many of all pictures are drawn; false to end it here.
    pub(crate) fn pictures(&mut self, done: usize, all: usize) -> bool {
        if done == 0 {
            self.bar.reset();
            self.started = Instant::now();
        }
        let share = done as f64 / all.max(1) as f64;
        self.bar.set_position((share * STEPS as f64) as u64);
        let wall = self.started.elapsed().as_secs_f64();
        self.bar.set_message(steps_message(done, all, "pictures", wall));
        !self.asking.is_pressed()
    }

    fn draw(&mut self, now: f64, until: f64) {
        self.drawn = Instant::now();
        let wall = self.started.elapsed().as_secs_f64();
        let share = if until > 0.0 { now / until } else { 1.0 };
        self.bar.set_position((share * STEPS as f64) as u64);
        let left = if share > 0.0 { wall * (1.0 - share) / share } else { f64::INFINITY };
        self.bar.set_message(message(now, until, wall, left));
    }
}

fn message(now: f64, until: f64, wall: f64, left: f64) -> String {
    let rate = if wall > 0.0 { now / wall } else { 0.0 };
    let left = if left.is_finite() { format!(", {left:.0} s left") } else { String::new() };
    format!("{now:.2} of {} s, {rate:.3} times real time{left}", Short(until))
}

impl Supervisor for Progress {
    fn goes_on(&mut self, now: f64, until: f64) -> bool {
        if self.drawn.elapsed() >= REDRAWN {
            self.draw(now, until);
        }
        !self.asking.is_pressed()
    }
}

/// Shows how many steps of something are done.
pub(crate) struct Steps {
    bar: ProgressBar,
    started: Instant,
    done: AtomicUsize,
    all: usize,
    what: &'static str,
}

impl Steps {
    /// So many steps, called so.
    pub(crate) fn new(shown: bool, all: usize, what: &'static str) -> Self {
        let bar = bar(shown, all as u64);
        bar.set_message(steps_message(0, all, what, 0.0));
        bar.enable_steady_tick(REDRAWN);
        Self { bar, started: Instant::now(), done: AtomicUsize::new(0), all, what }
    }

    /// Another step is done.
    pub(crate) fn done(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let wall = self.started.elapsed().as_secs_f64();
        self.bar.set_message(steps_message(done, self.all, self.what, wall));
        self.bar.set_position(done as u64);
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// As many steps are left as are not done, each as long as those were.
fn steps_message(done: usize, all: usize, what: &str, wall: f64) -> String {
    if done == 0 {
        return format!("0 of {all} {what}");
    }
    let left = wall / done as f64 * all.saturating_sub(done) as f64;
    format!("{done} of {all} {what}, {left:.0} s left")
}

/// Shows that something is done that does not say how far it is, with the time, and about how long it takes if that is
/// known; it is gone when this is dropped.
pub(crate) struct Wait(ProgressBar);

impl Wait {
    /// Called so, with about how long it takes `[s]`.
    pub(crate) fn new(shown: bool, what: &str, seconds: Option<f64>) -> Self {
        let bar = bar(shown, 0);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}, {elapsed} passed") {
            bar.set_style(style);
        }
        let about = seconds.map_or_else(String::new, |it| format!(", about {it:.0} s in all"));
        bar.set_message(format!("{what}{about}"));
        bar.enable_steady_tick(REDRAWN);
        Self(bar)
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Shows how much of a file has been read.
pub(crate) struct ByteProgress(ProgressBar);

impl ByteProgress {
    pub(crate) fn new(shown: bool) -> Self {
        let bar = bar(shown, 0);
        let template = "{wide_bar} {bytes} of {total_bytes}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// A file whose reading is shown.
    pub(crate) fn watch(&self, file: File) -> ProgressBarIter<File> {
        self.0.set_length(file.metadata().map_or(0, |it| it.len()));
        self.0.wrap_read(file)
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.0.finish_and_clear();
    }
}

/// Shows how many runs of a sweep are done; Ctrl-C stops those that are under way.
pub(crate) struct SweepProgress {
    bar: ProgressBar,
    asking: Asking,
    started: Instant,
    done_before: u64,
    done: u64,
    runs: u64,
}

impl SweepProgress {
    /// With so many of all runs done before.
    pub(crate) fn new(shown: bool, done_before: u64, runs: u64) -> Self {
        let bar = bar(shown, runs);
        bar.set_position(done_before);
        let asking = Asking::new();
        Self { bar, asking, started: Instant::now(), done_before, done: done_before, runs }
    }

    /// True once the person has ended it.
    pub(crate) fn interrupted(&self) -> Arc<AtomicBool> {
        self.asking.flag()
    }

    /// Another run is done.
    pub(crate) fn done(&mut self) {
        self.done += 1;
        let wall = self.started.elapsed().as_secs_f64();
        let message = sweep_message(self.done, self.runs, self.done - self.done_before, wall);
        self.bar.set_message(message);
        self.bar.set_position(self.done);
    }

    /// Takes the bar away and tells the time that it was there `[s]`.
    pub(crate) fn clear(&self) -> f64 {
        self.bar.finish_and_clear();
        self.started.elapsed().as_secs_f64()
    }
}

fn sweep_message(done: u64, runs: u64, fresh: u64, wall: f64) -> String {
    let rate = fresh as f64 / wall.max(f64::MIN_POSITIVE);
    let left = (runs - done.min(runs)) as f64 / rate;
    format!("{done} of {runs} runs, {rate:.1} a second, {left:.0} s left")
}

#[cfg(test)]
mod tests {
    use super::{message, steps_message, sweep_message};

    #[test]
    fn steps_that_are_left_take_as_long_as_those_before() {
        assert_eq!(steps_message(0, 8, "groups", 3.0), "0 of 8 groups");
        assert_eq!(steps_message(2, 8, "groups", 3.0), "2 of 8 groups, 9 s left");
        assert_eq!(steps_message(8, 8, "groups", 3.0), "8 of 8 groups, 0 s left");
    }

    #[test]
    fn the_progress_of_a_sweep_counts_only_what_is_done_now() {
        let text = sweep_message(30, 70, 20, 10.0);
        assert_eq!(text, "30 of 70 runs, 2.0 a second, 20 s left");
    }

    #[test]
    fn progress_tells_time_rate_and_time_left() {
        let text = message(2.5, 10.0, 1.25, 3.75);
        assert_eq!(text, "2.50 of 10 s, 2.000 times real time, 4 s left");
    }
}
