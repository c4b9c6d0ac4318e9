//! Measuring: what a scene promises, asked of the run.
//!
//! Measures are expressions like all others, with these words beside the parameters:
//!
//! | | |
//! |---|---|
//! | `end` | the time at which the run ended `[s]` |
//! | `envelope` | the collision envelope in force, of `[world]` or --envelope; `equals`, `at_least`, `at_most` and tolerances know it, too `[m]` |
//! | `body("ball")` | a body; its parts are those of its state at the end |
//! | `body("ball").at(t)` | its state at a time: see [`STATE_PARTS`] |
//! | `distance("a", "b", t)` | between the centres of two bodies `[m]` |
//! | `gap("a", "b", t)` | between their surfaces, negative where they overlap `[m]` |
//! | `joint("hinge")`, `joint("hinge").at(t)` | a joint at the end, or at a time: see [`JOINT_PARTS`]; of one freedom a number, of several a list |
//! | `linkage("arm")`, `linkage("arm").at(t)` | all bodies that joints hold together with one, at the end or at a time: see [`LINKAGE_PARTS`] `[J]` |
//! | `ledger(t)` | the ledger at a time: see [`LEDGER_PARTS`] `[J]` |
//! | `contact("a", "b")` | what two bodies did to each other until the end: see [`CONTACT_PARTS`] |
//! | `contact("a", "b").at(t)` | the same up to a time, collisions at that time included |
//! | `force("a", "b", from, to)` | mean normal force: normal impulses after `from` up to `to`, divided by the time between `[N]` |
//! | `force("a", "b", piece, from, to)` | the same of one convex piece of a, numbered from 0 in the order of a compound's parts |
//! | `gauge("imu").at(t)` | what a gauge had read last at a time; its parts are those of its kind, such as `.ax` of "imu" |
//! | `gauge("imu")` | its last reading |
//! | `count("impulse")` | how many events of a name or kind there were |
//! | `count("touch", "a")`, `count("touch", "a", "b")` | how many of them concern one body, or both of two |
//! | `event_time("impulse", n)` | when the one with number n, from 0, came `[s]` |
//! | `event_time("touch", "a", "b", n)` | the same of events that concern one body or both of two; without n the first |
//! | `count("collision", …)`, `event_time("collision", …)` | a collision of several points at once is one; microcollisions count |
//! | `first_zero(\|t\| f, from, to)` | a time at which f changes its sign, to rounding; the first that shows between two of 2000 parts |
//! | `maximum(\|t\| f, from, to)`, `minimum(…)` | the largest, least value of f, to rounding where f is smooth |
//! | `mean(\|t\| f, from, to)` | the mean of f (Simpson's rule) |
//!
//! Impulses are those on the first of the two bodies that are named. Of every pair whose bodies are both named in measures,
//! sums are kept at each of its collisions, some 100 bytes, and five million of them at most; a run that needs more ends.
//!
//! Motions are asked, nothing is interpolated. The last four cut the time into 2000 parts: what comes and goes
//! within one part is not seen, so give them an interval in which f does not swing often. A maximum is exact to
//! rounding where f is smooth around it; the mean of a function that jumps is off by a share of a part.
//!
//! A run that a touch has ended is measured for the time that it lasted: `end` is then the time of the touch. What asks
//! for a later time, or for an event that had not come, is not reached, and not met.

mod contact_words;
mod contacts;
mod happenings;
mod joint_words;
mod memory;
mod readings;
mod search;
mod words;

use std::sync::Arc;

use carom::{History, World};
use rhai::Engine;

use crate::build::ENVELOPE;
use crate::expectation::{Bound, Expectation};
use crate::expression::{Environment, Value, base_engine};
use crate::problem::{Problem, Problems};
use crate::scene::Scene;
pub use contact_words::CONTACT_PARTS;
pub use joint_words::{JOINT_PARTS, LINKAGE_PARTS};
pub use memory::Memory;
pub use words::{FUNCTIONS, LEDGER_PARTS, STATE_PARTS};
use words::{Run, register};

/// What came of an expectation.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What is expected, in a sentence.
    pub what: String,
    /// What the measured number is compared with.
    pub bound: Bound,
    /// What was measured; none if it could not be.
    pub got: Option<f64>,
    /// False if a touch ended the run before what is measured had come.
    pub reached: bool,
    /// How far it may be off.
    pub tolerance: f64,
    /// Whether it is met.
    pub pass: bool,
    /// Where the expected value comes from.
    pub source: String,
    /// Whether it is one of the numbers that prove the scene.
    pub proof: bool,
}

/// A run, ready to be asked.
pub struct Measures<'a> {
    scene: &'a Scene,
    run: Arc<Run>,
    engine: Engine,
    end: f64,
    ended_by_touch: bool,
}

impl<'a> Measures<'a> {
    /// Of a run that has ended.
    pub fn new(scene: &'a Scene, memory: Memory, world: &World) -> Self {
        let run = Arc::new(Run::new(scene, memory, world));
        let mut engine = base_engine();
        register(&mut engine, &run);
        Self { scene, run, engine, end: world.now(), ended_by_touch: false }
    }

    /// Of motions that were told, not run: those of another engine, or measured ones. What asks for contacts, events or the
    /// ledger's sums finds none.
    pub fn of_motions(scene: &'a Scene, history: History) -> Self {
        let end = history.observed().map_or(0.0, |observed| observed.end);
        let run = Arc::new(Run::of_motions(scene, history, end));
        let mut engine = base_engine();
        register(&mut engine, &run);
        Self { scene, run, engine, end, ended_by_touch: false }
    }

    /// Of a run that a touch has ended: what had not come by then is not reached, which is no mistake of the measure.
    #[must_use]
    pub fn ended_by_touch(mut self) -> Self {
        self.ended_by_touch = true;
        self
    }

    /// What came of every expectation that holds for the scene's regime, in order; what could not be measured is a
    /// problem as well.
    pub fn findings(&self) -> (Vec<Finding>, Problems) {
        let mut problems = Problems::new(Arc::clone(&self.scene.sources));
        let asked = self.scene.expectations.iter().filter(|it| it.holds_for(self.scene.regime));
        let findings = asked
            .map(|expectation| {
                self.run.take_unreached();
                let measured = self.measure(expectation);
                let reached =
                    measured.is_ok() || !(self.run.take_unreached() && self.ended_by_touch);
                let got = match measured {
                    Ok(got) => Some(got),
                    Err(problem) => {
                        if reached {
                            problems.push(problem);
                        }
                        None
                    }
                };
                Finding {
                    what: expectation.what.clone(),
                    bound: expectation.bound,
                    got,
                    reached,
                    tolerance: expectation.tolerance,
                    pass: got.is_some_and(|got| expectation.is_met_by(got)),
                    source: expectation.source.clone(),
                    proof: expectation.proof,
                }
            })
            .collect();
        (findings, problems)
    }

    fn measure(&self, expectation: &Expectation) -> Result<f64, Problem> {
        let value = expectation.measure.evaluate_with(&self.engine, self);
        let place = expectation.measure_place;
        match value {
            Ok(Value::Number(number)) => Ok(number),
            Ok(Value::Bool(truth)) => Ok(if truth { 1.0 } else { 0.0 }),
            Ok(other) => {
                let message = format!("a measure must give a number, but this is {}", other.kind());
                Err(Problem::error(place, message))
            }
            Err(error) => {
                let start = expectation.measure_start;
                let place = crate::decode::expression_place(place, start, &error.span);
                let problem = Problem::error(place, error.message);
                Err(match error.hint {
                    Some(hint) => problem.hint(hint),
                    None => problem,
                })
            }
        }
    }
}

impl Environment for Measures<'_> {
    fn variable(&self, name: &str) -> Option<Value> {
        if name == "end" {
            return Some(Value::Number(self.end));
        }
        if name == ENVELOPE {
            return self.scene.envelope.map(Value::Number);
        }
        self.scene.parameter(name).cloned()
    }

    fn parts(&self) -> String {
        let of_state = STATE_PARTS.map(|(part, _)| part).join(", ");
        let of_contact = CONTACT_PARTS.map(|(part, _)| part).join(", ");
        let of_joint = JOINT_PARTS.map(|(part, _)| part).join(", ");
        let of_linkage = LINKAGE_PARTS.join(", ");
        let of_ledger = LEDGER_PARTS.join(", ");
        format!(
            "a body has {of_state}; a joint has {of_joint}; a linkage has {of_linkage}; the ledger has {of_ledger}; \
             a contact has {of_contact}"
        )
    }

    fn usage(&self, name: &str) -> Option<&str> {
        FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, form)| *form)
    }

    fn names(&self) -> Vec<String> {
        let parameters = self.scene.parameters.iter().map(|parameter| parameter.name.clone());
        let own =
            FUNCTIONS.iter().map(|(name, _)| *name).chain(["end", ENVELOPE]).map(str::to_owned);
        parameters.chain(own).collect()
    }
}
