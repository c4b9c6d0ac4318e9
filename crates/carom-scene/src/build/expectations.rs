//! Expectations: all that can be said of them before the run.

use super::Builder;
use super::evaluate::{ENVELOPE, WHERE_ENVELOPE};
use crate::decode::{Text, expression_place, expression_problem};
use crate::expectation::{Bound, Expectation};
use crate::format::ExpectTable;
use crate::limits::Limit;
use crate::load::Document;
use crate::problem::Problem;

use crate::suggest::nearest;

impl Builder<'_, '_> {
    pub(super) fn add_expectations(&mut self, documents: &[Document]) {
        for document in documents {
            for table in document.table.expect.iter().flat_map(|tables| &tables.tables) {
                if let Some(expectation) = self.expectation(table) {
                    self.expectations.push(expectation);
                }
            }
        }
    }

    fn expectation(&mut self, table: &ExpectTable) -> Option<Expectation> {
        if self.events_left() == 0 {
            self.report_limit(Limit::Events, table.place, "the scene has more events");
            return None;
        }
        let measure = self.measure(&table.measure);
        let bound = self.bound(table);
        let tolerance = self.tolerance(table, bound);
        let regimes: Vec<Option<String>> =
            table.regime.iter().flatten().map(|regime| self.regime(regime)).collect();
        let text =
            |text: &Option<Text>| text.as_ref().map_or_else(String::new, |text| text.value.clone());
        Some(Expectation {
            what: table.what.value.clone(),
            name: text(&table.name),
            measure: measure?,
            measure_text: table.measure.value.clone(),
            measure_place: table.measure.place,
            measure_start: table.measure.start,
            bound: bound?,
            tolerance: tolerance?,
            source: text(&table.source),
            regimes: regimes.into_iter().collect::<Option<_>>()?,
            proof: table.proof.is_some_and(|proof| proof.value),
            place: table.place,
        })
    }

    /// Reads the expression; what its names stand for is known when the scene runs.
    fn measure(&mut self, text: &Text) -> Option<crate::expression::Expression> {
        match self.loader.expressions.get(&text.value) {
            Ok(expression) => {
                for name in expression.names() {
                    // A parameter that only an expectation mentions is used too.
                    let _ = self.parameters.get(name);
                }
                self.check_named(text);
                if expression.names().any(|name| name == ENVELOPE) && self.envelope.is_none() {
                    let problem = Problem::error(text.place, "there is no one envelope");
                    self.report(problem.hint(WHERE_ENVELOPE));
                }
                Some(expression.as_ref().clone())
            }
            Err(error) => {
                self.report(expression_problem(text.place, text.start, error));
                None
            }
        }
    }

    /// Bodies, joints and gauges that a measure names outright must be there; names that are put together are known when it runs.
    fn check_named(&mut self, text: &Text) {
        // A body that could not be read is missing only because of that.
        if self.loader.problems.has_errors() {
            return;
        }
        let bodies: Vec<&str> = self.bodies.iter().map(|body| body.name.as_str()).collect();
        let joints: Vec<&str> = self.joints.iter().map(|joint| joint.name.as_str()).collect();
        let gauges: Vec<&str> = self.gauges.iter().map(|gauge| gauge.name.as_str()).collect();
        let either = bodies.iter().chain(&joints).copied().collect();
        let asked = [
            ("body", bodies, &BODY_WORDS[..]),
            ("joint", joints, &JOINT_WORDS[..]),
            ("gauge", gauges, &GAUGE_WORDS[..]),
            ("body", either, &EVENT_WORDS[..]),
        ];
        let mut unknown = Vec::new();
        for (what, known, words) in asked {
            for (at, name) in named_in(&text.value, words) {
                if known.contains(&name) {
                    continue;
                }
                let place = expression_place(text.place, text.start, &(at..at + name.len()));
                let problem = Problem::error(place, format!("there is no {what} \"{name}\""));
                unknown.push(match nearest(name, known.iter().copied()) {
                    Some(near) => problem.label(format!("did you mean \"{near}\"?")),
                    None => problem,
                });
            }
        }
        for problem in unknown {
            self.report(problem);
        }
    }

    fn bound(&mut self, table: &ExpectTable) -> Option<Bound> {
        if let Some(equals) = &table.equals {
            return self.number(equals).map(Bound::Equals);
        }
        if table.at_least.is_none() && table.at_most.is_none() {
            if !table.faulty {
                let problem = Problem::error(table.place, "what value is expected?")
                    .hint("add `equals = …`, or `at_least = …` or `at_most = …`");
                self.report(problem);
            }
            return None;
        }
        let low = self.number_or(table.at_least.as_ref(), f64::NEG_INFINITY);
        let high = self.number_or(table.at_most.as_ref(), f64::INFINITY);
        let (low, high) = (low?, high?);
        if low > high {
            let place = table.at_most.as_ref().map_or(table.place, |number| number.place);
            let problem = Problem::error(place, "nothing is at least and at most that")
                .label(format!("`at_least` is {low}"));
            self.report(problem);
            return None;
        }
        Some(Bound::Between(low, high))
    }

    /// The tolerance in the unit of the measure.
    fn tolerance(&mut self, table: &ExpectTable, bound: Option<Bound>) -> Option<f64> {
        if let Some(tolerance) = &table.tolerance {
            return self.not_negative(tolerance, "tolerance");
        }
        if let Some(number) = &table.tolerance_relative {
            let relative = self.not_negative(number, "tolerance_relative")?;
            let scale = match bound? {
                Bound::Equals(expected) => expected.abs(),
                Bound::Between(low, high) => [low, high]
                    .into_iter()
                    .filter(|x| x.is_finite())
                    .fold(0.0, |m: f64, x| m.max(x.abs())),
            };
            if !(relative * scale).is_finite() {
                self.error(
                    number.place,
                    "the tolerance overflows: numbers reach up to about 1.8e308",
                );
                return None;
            }
            if scale == 0.0 {
                let problem = Problem::error(number.place, "a share of zero is no tolerance")
                    .label("the expected value is 0")
                    .hint("give `tolerance`, in the unit of the measure");
                self.report(problem);
                return None;
            }
            return Some(relative * scale);
        }
        if table.equals.is_some() && !table.faulty {
            let problem =
                Problem::error(table.place, "how near must it come? `tolerance` is missing").hint(
                    "add `tolerance = …` in the unit of the measure, or `tolerance_relative = …`",
                );
            self.report(problem);
            return None;
        }
        Some(0.0)
    }
}

/// Words of measures that take names of bodies, and how many texts stand before these.
const BODY_WORDS: [(&str, usize); 6] =
    [("body(", 0), ("linkage(", 0), ("distance(", 0), ("gap(", 0), ("contact(", 0), ("force(", 0)];

/// Those that take names of joints.
const JOINT_WORDS: [(&str, usize); 1] = [("joint(", 0)];

/// Those that take names of gauges.
const GAUGE_WORDS: [(&str, usize); 1] = [("gauge(", 0)];

/// Those that take names of bodies or joints.
const EVENT_WORDS: [(&str, usize); 2] = [("count(", 1), ("event_time(", 1)];

/// Names that are given outright, such as in `body("…")`, each with its place in the text.
fn named_in<'a>(text: &'a str, words: &[(&str, usize)]) -> Vec<(usize, &'a str)> {
    let mut found = Vec::new();
    for &(word, before) in words {
        for (at, _) in text.match_indices(word) {
            let within = |c: char| c.is_alphanumeric() || c == '_';
            if !text[..at].ends_with(within) {
                found.extend(texts_after(text, at + word.len()).into_iter().skip(before));
            }
        }
    }
    found
}

/// The texts in quotes that stand one after the other, each followed by a comma or a bracket.
pub(crate) fn texts_after(text: &str, start: usize) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = start;
    loop {
        let rest = text[at..].trim_start();
        let opening = text.len() - rest.len();
        let Some(quote) = rest.chars().next().filter(|it| ['"', '\''].contains(it)) else { break };
        let Some((name, after)) = rest[1..].split_once(quote) else { break };
        let after = after.trim_start();
        if !after.starts_with([',', ')']) {
            break;
        }
        found.push((opening + 1, name));
        if after.starts_with(')') {
            break;
        }
        at = text.len() - after.len() + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{BODY_WORDS, EVENT_WORDS, JOINT_WORDS, named_in};

    #[test]
    fn names_given_outright_are_found_and_those_put_together_are_not() {
        let text = "body('a').x + body(\"b c\" ).y - body('d' + i).z + body(n).x";
        assert_eq!(named_in(text, &BODY_WORDS), [(6, "a"), (20, "b c")]);
        assert_eq!(&text[20..23], "b c");
    }

    #[test]
    fn words_that_take_several_names_are_looked_through() {
        let words: Vec<(&str, usize)> = BODY_WORDS.iter().chain(&EVENT_WORDS).copied().collect();
        let names = |text| named_in(text, &words).into_iter().map(|it| it.1).collect::<Vec<_>>();
        assert_eq!(names("distance('a', \"b\", 3)"), ["a", "b"]);
        assert_eq!(names("gap( 'a' , n, t)"), ["a"]);
        assert_eq!(names("count('touch') + count('touch', 'a', 'b')"), ["a", "b"]);
        assert_eq!(names("event_time('touch', 'a', 2) - event_time('left', 1)"), ["a"]);
        assert_eq!(names("discount('x', 'y') + nobody('z')"), [""; 0]);
        assert_eq!(names("count('touch', 'a' + i, 'b') + gap('"), [""; 0]);
        assert_eq!(names("linkage('a').at(2).energy + joint('b').position"), ["a"]);
        assert_eq!(named_in("joint('b').position + joints('c')", &JOINT_WORDS), [(7, "b")]);
    }
}
