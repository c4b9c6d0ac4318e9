//! Distance queries per approach: the thesis's pair bound beside the engine's search, over the same approaches.
//!
//! A search by the thesis's bound is given up after 10,000 distances, which then count as that many. Passes that come no
//! nearer than half the touch distance may be told as a touch or not; they are counted where the two searches differ.
//! All counts are the same on every machine.

use carom_contact::touch::{Outcome, thesis, touch_distance};
use common::{Body, search};
use families::{
    box_on_plane, curved, curved_grazing, departure, grazing, spinning_rod, turns_of_rod,
    under_one_turn,
};

#[path = "../../crates/carom-contact/tests/approaches/common.rs"]
mod common;
#[path = "../../crates/carom-contact/tests/approaches/families.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod families;

/// Distances after which a search is given up.
const MOST: u32 = 10_000;

fn main() {
    println!("| approaches | number | touches | engine | thesis | given up |");
    println!("|---|---|---|---|---|---|");
    table("less than one turn in reach", (0..3000).map(under_one_turn), 20.0);
    table("grazing", (1..).filter_map(|seed| Some(grazing(seed)?.0)).take(1500), 20.0);
    table("box, rod or plate on a plane", (0..2000).map(box_on_plane), 20.0);
    table("departures after an impact", (0..2000).filter_map(departure), 20.0);
    let kinds = || (0..7).flat_map(|first| (first..7).map(move |second| [first, second]));
    let all = |seed| kinds().map(move |pair| curved(pair, seed));
    table("curved kinds, less than one turn", (0..60).flat_map(all), 20.0);
    let any = |first| move |seed| Some(curved_grazing(first, seed)?.0);
    let passes = (0..7).flat_map(|first| (1..).filter_map(any(first)).take(60));
    table("curved kinds, grazing", passes, 20.0);
    let rods = table("rod at 10⁴ rad/s and a plate", (0..60).map(spinning_rod), 3.0);
    println!("{}", rods.per_turn());
}

#[derive(Default)]
struct Counts {
    engine: Vec<f64>,
    thesis: Vec<f64>,
    turns: Vec<f64>,
    touches: usize,
    given_up: usize,
    close_calls: usize,
    different: usize,
}

/// Counts a family and prints its row.
fn table(name: &str, cases: impl Iterator<Item = [Body; 2]>, end: f64) -> Counts {
    let mut counts = Counts::default();
    for [a, b] in cases {
        counts.add(&a, &b, end);
    }
    let Counts { engine, thesis, touches, given_up, .. } = &counts;
    println!(
        "| {name} | {} | {touches} | {} | {} | {given_up} |",
        engine.len(),
        summary(engine, 1),
        summary(thesis, 1)
    );
    if counts.close_calls + counts.different > 0 {
        let Counts { close_calls, different, .. } = counts;
        println!("{name}: {close_calls} close calls, {different} differ otherwise");
    }
    counts
}

impl Counts {
    fn add(&mut self, a: &Body, b: &Body, end: f64) {
        let (found, outcome) = search(a, b, end);
        self.engine.push(f64::from(found.queries));
        let mut baseline = thesis::Search::from(0.0);
        let theirs = baseline.advance(&a.mover(), &b.mover(), end, MOST);
        self.thesis.push(f64::from(baseline.queries()));
        let touch_of = |outcome| match outcome {
            Outcome::Touch(touch) => Some(touch),
            _ => None,
        };
        let (ours, theirs_found) = (touch_of(outcome), touch_of(theirs));
        self.touches += usize::from(ours.is_some());
        self.turns.push(turns_of_rod(ours.map(|touch| touch.time)));
        match (ours, theirs_found) {
            _ if matches!(theirs, Outcome::Later(_)) => self.given_up += 1,
            (Some(_), Some(_)) | (None, None) => {}
            (Some(touch), None) | (None, Some(touch)) => {
                let half = 0.5 * touch_distance(&a.mover(), &b.mover(), touch.time);
                let count =
                    if touch.distance > half { &mut self.close_calls } else { &mut self.different };
                *count += 1;
            }
        }
    }

    /// The same per turn; less than one counts as one.
    fn per_turn(&self) -> String {
        let per = |counts: &[f64]| -> Vec<f64> {
            counts.iter().zip(&self.turns).map(|(count, turns)| count / turns.max(1.0)).collect()
        };
        let (engine, thesis) = (per(&self.engine), per(&self.thesis));
        format!("| the same, per turn | | | {} | {} | |", summary(&engine, 2), summary(&thesis, 2))
    }
}

/// Mean / 99 % / largest.
fn summary(counts: &[f64], digits: usize) -> String {
    let mut sorted = counts.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
    let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share) as usize];
    let rest = if digits > 1 { digits } else { 0 };
    format!("{mean:.digits$} / {:.rest$} / {:.rest$}", at(0.99), at(1.0))
}
