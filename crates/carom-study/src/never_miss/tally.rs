//! Findings of many cases, counted.

use super::{Finding, Verdict};

/// Findings of many cases.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Cases run.
    pub cases: u64,
    /// Of them, those in which a touch was told.
    pub touches: u64,
    /// [`Verdict::Missed`] and [`Verdict::Late`].
    pub missed: u64,
    /// [`Verdict::False`].
    pub false_touches: u64,
    /// [`Verdict::Undecided`].
    pub undecided: u64,
    /// [`Verdict::Failed`], and cases that could not be drawn.
    pub failed: u64,
    /// Least and largest true distance at a touch, as a share of d_touch; the ends of intervals `[-]`.
    pub shares: Option<[f64; 2]>,
    /// Widest interval of a distance at a touch, as a share of d_touch `[-]`.
    pub widest: f64,
    /// Distance queries of each case.
    pub queries: Vec<u64>,
    /// Turns of all cases that turn more than once, and the queries of these `[-]`.
    pub turning: (f64, u64),
    /// The most queries for one turn in such a case `[-]`.
    pub most_per_turn: f64,
    /// What the engine took for all of them `[s]`.
    pub seconds: f64,
    /// Distances that the judge measured.
    pub judged_by: u64,
    /// Numbers of the cases that are not right, with the verdict.
    pub wrong: Vec<(u64, Verdict)>,
}

impl Tally {
    /// Counts a case; none could be drawn where there is no finding.
    pub fn add(&mut self, index: u64, finding: Option<Finding>) {
        self.cases += 1;
        let Some(finding) = finding else {
            self.failed += 1;
            self.wrong.push((index, Verdict::Failed("no draw made a case".into())));
            return;
        };
        match finding.verdict {
            Verdict::Right => {}
            Verdict::Missed(_) | Verdict::Late(_) => self.missed += 1,
            Verdict::False(_) => self.false_touches += 1,
            Verdict::Undecided(_) => self.undecided += 1,
            Verdict::Failed(_) => self.failed += 1,
        }
        if finding.verdict != Verdict::Right {
            self.wrong.push((index, finding.verdict));
        }
        if let Some(landing) = finding.landing {
            self.touches += 1;
            let [low, high] = [landing.gap.lower, landing.gap.upper]
                .map(|distance| distance / landing.touch_distance);
            let [least, most] = self.shares.unwrap_or([low, high]);
            self.shares = Some([least.min(low), most.max(high)]);
            self.widest = self.widest.max(high - low);
        }
        if finding.turns > 1.0 {
            self.turning.0 += finding.turns;
            self.turning.1 += finding.queries;
            self.most_per_turn = self.most_per_turn.max(finding.queries as f64 / finding.turns);
        }
        self.queries.push(finding.queries);
        self.seconds += finding.seconds;
        self.judged_by += finding.judged_by;
    }

    /// Counts what another has counted.
    pub fn merge(&mut self, other: Self) {
        self.cases += other.cases;
        self.touches += other.touches;
        self.missed += other.missed;
        self.false_touches += other.false_touches;
        self.undecided += other.undecided;
        self.failed += other.failed;
        self.shares = match (self.shares, other.shares) {
            (Some([a, b]), Some([c, d])) => Some([a.min(c), b.max(d)]),
            (one, another) => one.or(another),
        };
        self.widest = self.widest.max(other.widest);
        self.queries.extend(other.queries);
        self.turning.0 += other.turning.0;
        self.turning.1 += other.turning.1;
        self.most_per_turn = self.most_per_turn.max(other.most_per_turn);
        self.seconds += other.seconds;
        self.judged_by += other.judged_by;
        self.wrong.extend(other.wrong);
    }

    /// Mean, 99th percentile and maximum of the distance queries of a case.
    pub fn query_figures(&self) -> Option<(f64, u64, u64)> {
        let mut queries = self.queries.clone();
        queries.sort_unstable();
        let mean = queries.iter().sum::<u64>() as f64 / queries.len() as f64;
        let last = *queries.last()?;
        Some((mean, *queries.get((queries.len() - 1) * 99 / 100)?, last))
    }
}
