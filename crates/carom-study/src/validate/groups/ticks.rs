//! The second guide's checklist R-29: controllers at four rates together, counted over ten seconds.

use std::sync::{Arc, Mutex};

use carom::{Commands, Controller, EventKind, LoadError, NotSavable, Rate, Readings, World};

use super::super::{Context, Row};

const GUIDE: &str = "guide to Mirtich 1996, part 2, checklist R-29";

const RATES: [f64; 4] = [20.0, 100.0, 1000.0, 2000.0];

/// When each controller was called.
type Log = Arc<Mutex<Vec<(f64, usize)>>>;

/// Writes down its name when it is called.
struct Scribe {
    name: usize,
    log: Log,
}

impl Controller for Scribe {
    fn tick(&mut self, readings: &Readings<'_>, _: &mut Commands) {
        if let Ok(mut log) = self.log.lock() {
            log.push((readings.time(), self.name));
        }
    }

    fn save(&self) -> Result<Vec<u8>, NotSavable> {
        Err(NotSavable { reason: "its log is elsewhere".to_owned() })
    }

    fn load(&mut self, _: &[u8]) -> Result<(), LoadError> {
        Ok(())
    }
}

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let (log, counted) = run(context).unwrap_or_default();
    let of = |name: usize| log.iter().filter(move |(_, who)| *who == name).map(|(time, _)| *time);
    let counts = [0, 1, 2, 3].map(|name| of(name).count() as f64);
    let last = [0, 1, 2, 3].map(|name| of(name).next_back().unwrap_or(f64::NAN));
    let drift = RATES.iter().enumerate().flat_map(|(name, hertz)| {
        of(name).enumerate().map(move |(count, time)| (time - count as f64 / hertz).abs())
    });
    let mut times: Vec<f64> = log.iter().map(|(time, _)| *time).collect();
    times.dedup();
    let row = |key: &str, what: &str| {
        Row::case(
            format!("m2/R-29/{key}"),
            format!("controllers at 20, 100, 1000 and 2000 Hz from 0 to 10 s: {what}"),
            GUIDE,
        )
    };
    let drift = drift.fold(if log.is_empty() { f64::NAN } else { 0.0 }, f64::max);
    // Whole numbers, and times that are exact by definition.
    vec![
        row("calls", "calls of each").absolute(
            0.0,
            vec![201.0, 1001.0, 10001.0, 20001.0],
            counts.to_vec(),
        ),
        row("counted", "ticks that the world counted").absolute(0.0, 31204.0, counted),
        row("last", "time of the last call of each").in_unit("s").absolute(
            0.0,
            vec![10.0; 4],
            last.to_vec(),
        ),
        row("drift", "largest deviation of call n from n divided by the rate")
            .in_unit("s")
            .absolute(0.0, 0.0, drift),
        row("ties", "different times at which anybody is called").absolute(
            0.0,
            20001.0,
            times.len() as f64,
        ),
        // 603 where all four meet, 1600 where three do and 9000 where two do.
        row("order", "pairs of calls at one time, the lower number first").absolute(
            0.0,
            11203.0,
            in_order(&log),
        ),
    ]
}

/// Calls in order, and the ticks that the world counted.
fn run(context: &Context) -> Option<(Vec<(f64, usize)>, f64)> {
    let log = Log::default();
    let mut world = World::builder().build().ok()?;
    for (name, hertz) in RATES.into_iter().enumerate() {
        let scribe = Box::new(Scribe { name, log: Arc::clone(&log) });
        world.add_controller(Rate::Hertz(context.subject.hertz(hertz)), scribe).ok()?;
    }
    world.advance_to(10.0).ok()?;
    let calls = log.lock().ok()?.clone();
    Some((calls, world.event_counts().of(EventKind::Tick) as f64))
}

fn in_order(log: &[(f64, usize)]) -> f64 {
    let tied = |pair: &&[(f64, usize)]| pair[0].0 == pair[1].0 && pair[0].1 < pair[1].1;
    log.windows(2).filter(tied).count() as f64
}
