//! Budgets: how much may happen before a run is taken to have run away.

/// Limits on what may happen; a run that exceeds one ends with a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Events in any one simulated second, per body and controller of the world.
    pub events_per_second: u64,
    /// Instants in a row at one time, or so near each other that a body would not tell.
    pub instants_without_progress: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { events_per_second: 1_000_000, instants_without_progress: 10_000 }
    }
}

/// What has been used of a budget; part of the state, so that a cut run faults where an uncut one does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Spent {
    /// The simulated second that is being counted.
    pub(crate) second: f64,
    pub(crate) events: u64,
    /// Where the instants that do not count as progress began.
    pub(crate) stalled_since: f64,
    pub(crate) stalled: u64,
}

/// What was exceeded, and its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exceeded {
    pub(crate) what: &'static str,
    pub(crate) limit: u64,
}

/// Instants nearer than this many units in the last place of the time are at nearly equal time: no motion
/// resolves them.
const NEARLY_EQUAL_ULPS: f64 = 16.0;

impl Spent {
    /// Counts an instant with so many events among so many bodies and controllers.
    pub(crate) fn count(
        &mut self,
        budget: &Budget,
        time: f64,
        events: u64,
        population: u64,
    ) -> Result<(), Exceeded> {
        let second = time.floor();
        if second != self.second {
            self.second = second;
            self.events = 0;
        }
        self.events += events;
        let limit = budget.events_per_second.saturating_mul(population.max(1));
        if self.events > limit {
            return Err(Exceeded { what: "events in one simulated second", limit });
        }
        let reach = NEARLY_EQUAL_ULPS * f64::EPSILON * time.abs();
        // Worlds may begin before time zero, where nothing has stalled yet.
        if events > 0 && (time - self.stalled_since).abs() <= reach {
            self.stalled += 1;
        } else if events > 0 {
            self.stalled_since = time;
            self.stalled = 0;
        }
        let limit = budget.instants_without_progress;
        if self.stalled > limit {
            return Err(Exceeded { what: "instants without progress in time", limit });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_that_creep_are_counted_like_instants_that_stand() {
        let budget = Budget { instants_without_progress: 10, ..Budget::default() };
        let mut spent = Spent::default();
        let mut time = 1e6_f64;
        let worked = (0..100)
            .take_while(|_| {
                time = time.next_up();
                spent.count(&budget, time, 1, 1).is_ok()
            })
            .count();
        assert!(worked < 20, "{worked}");
    }

    #[test]
    fn progress_sets_the_count_back() {
        let budget = Budget { instants_without_progress: 2, ..Budget::default() };
        let mut spent = Spent::default();
        for i in 1..100 {
            for _ in 0..2 {
                assert_eq!(spent.count(&budget, f64::from(i), 1, 1), Ok(()));
            }
        }
    }

    #[test]
    fn events_are_counted_per_second_and_per_body() {
        let budget = Budget { events_per_second: 5, ..Budget::default() };
        let mut spent = Spent::default();
        assert_eq!(spent.count(&budget, 0.1, 10, 2), Ok(()));
        assert_eq!(spent.count(&budget, 1.1, 10, 2), Ok(()));
        let exceeded = spent.count(&budget, 1.2, 1, 2).expect_err("eleven events");
        assert_eq!(exceeded.limit, 10);
    }
}
