//! How far a run has come, and whether it shall go on.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use carom_study::run::Supervisor;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How often the bar is drawn anew.
const REDRAWN: Duration = Duration::from_millis(100);

/// A bar of this many steps.
const STEPS: u64 = 10_000;

/// Watches the person and shows them the time.
pub(crate) struct Progress {
    bar: ProgressBar,
    interrupted: Arc<AtomicBool>,
    started: Instant,
    drawn: Instant,
}

/// A flag that is true once Ctrl-C was pressed; pressed again it ends the program.
#[expect(clippy::exit, reason = "whoever presses Ctrl-C twice does not want to wait")]
fn interruption() -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    // Without a handler Ctrl-C ends the program at once, which is no disaster either.
    drop(ctrlc::try_set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    }));
    interrupted
}

/// A bar on a terminal that wants one.
fn bar(shown: bool, length: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden());
    if shown && std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {msg}") {
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
        Self { bar: bar(shown, STEPS), interrupted: interruption(), started: now, drawn: now }
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// So many of all pictures are drawn; false to end it here.
    pub(crate) fn pictures(&mut self, done: usize, all: usize) -> bool {
        if done == 0 {
            self.bar.reset();
        }
        let share = done as f64 / all.max(1) as f64;
        self.bar.set_position((share * STEPS as f64) as u64);
        self.bar.set_message(format!("{done} of {all} pictures"));
        !self.interrupted.load(Ordering::Relaxed)
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
    format!("{now:.2} of {until} s simulated, {rate:.3} times real time{left}")
}

impl Supervisor for Progress {
    fn goes_on(&mut self, now: f64, until: f64) -> bool {
        if self.drawn.elapsed() >= REDRAWN {
            self.draw(now, until);
        }
        !self.interrupted.load(Ordering::Relaxed)
    }
}

/// Shows how many runs of a sweep are done; Ctrl-C stops those that are under way.
pub(crate) struct SweepProgress {
    bar: ProgressBar,
    interrupted: Arc<AtomicBool>,
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
        let interrupted = interruption();
        Self { bar, interrupted, started: Instant::now(), done_before, done: done_before, runs }
    }

    /// True once the person has ended it.
    pub(crate) fn interrupted(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupted)
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
    use super::{message, sweep_message};

    #[test]
    fn the_progress_of_a_sweep_counts_only_what_is_done_now() {
        let text = sweep_message(30, 70, 20, 10.0);
        assert_eq!(text, "30 of 70 runs, 2.0 a second, 20 s left");
    }

    #[test]
    fn progress_tells_time_rate_and_time_left() {
        let text = message(2.5, 10.0, 1.25, 3.75);
        assert_eq!(text, "2.50 of 10 s simulated, 2.000 times real time, 4 s left");
    }
}
