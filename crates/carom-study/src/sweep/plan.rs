//! Which runs a sweep consists of.
//!
//! Lists and steps span a grid in which the last of them varies fastest. At each of its points there is one run, or, in a
//! random set, so many runs with values drawn between the ends of the other settings.
//!
//! The draws of a run come from PCG XSL-RR 128/64 with the seed of the sweep as its state and the place in the grid (high
//! half) and the number of the draw there (low half) as its stream: first the settings in their order, then the seed of
//! the scene. So they depend on nothing else, and a larger set begins like a smaller one.

use std::fmt;

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// No sweep has more runs than this: their rows are held in memory, some kilobytes each.
pub const MOST_RUNS: u64 = 10_000_000;

/// Why there is no such sweep.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PlanError {
    /// The ends of a range are no numbers.
    #[error(
        "'{text}' is not a range of numbers\n\
         hint: write 0.1..0.5/9 for 9 values from 0.1 to 0.5, or 0.1,0.2,0.5 for these three"
    )]
    Range {
        /// What was written.
        text: String,
    },
    /// The number of steps is no number, or 0.
    #[error(
        "'{text}' is not a number of values\nhint: 0.1..0.5/9 has 9 values, the ends among them"
    )]
    Count {
        /// What was written.
        text: String,
    },
    /// A value that is not there.
    #[error(
        "a value is missing in '{text}'\nhint: values stand between commas, such as 0.1,0.2,0.5"
    )]
    Missing {
        /// What was written.
        text: String,
    },
    /// A range without a number of values in a sweep that is not random.
    #[error(
        "how many values shall {name} take from {from:?} to {to:?}?\n\
         hint: {name}={from:?}..{to:?}/9 for 9 of them, or --random N for values drawn between the ends"
    )]
    Unbounded {
        /// The parameter.
        name: String,
        /// Where the range begins.
        from: f64,
        /// Where it ends.
        to: f64,
    },
    /// A parameter that is set twice.
    #[error("{name} is set twice\nhint: several values of one parameter are a list, {name}=1,2,5")]
    Twice {
        /// The parameter.
        name: String,
    },
    /// Nothing is set, so there is nothing to sweep.
    #[error(
        "nothing varies\n\
         hint: --set NAME=FROM..TO/N for a grid, or --random N for runs that differ by their seeds"
    )]
    Nothing,
    /// More runs than a sweep may have.
    #[error("that is more than {MOST_RUNS} runs\nhint: sweep in parts")]
    TooMany,
}

/// What a parameter is set to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Values {
    /// Each of these, as a scene reads them: numbers, expressions, words.
    Listed(Vec<String>),
    /// So many values at equal distances, the ends among them.
    Steps {
        /// The first.
        from: f64,
        /// The last.
        to: f64,
        /// How many.
        count: u64,
    },
    /// Drawn between two ends.
    Between {
        /// The one end.
        from: f64,
        /// The other.
        to: f64,
    },
}

impl Values {
    /// Reads `1`, `1,2,5`, `0..1/11` or `0..1`.
    ///
    /// # Errors
    /// If it looks like a range and is none, or a value is missing.
    pub fn parse(text: &str) -> Result<Self, PlanError> {
        let Some((from, rest)) = text.split_once("..") else { return Self::listed(text) };
        let (to, count) = rest.rsplit_once('/').map_or((rest, None), |(to, n)| (to, Some(n)));
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        let (from, to) = match (number(from), number(to)) {
            (Some(from), Some(to)) => (from, to),
            // Two dots in a word, such as a path, are for the scene to understand.
            (None, None) => return Self::listed(text),
            _ => return Err(PlanError::Range { text: text.to_owned() }),
        };
        if !(to - from).is_finite() {
            return Err(PlanError::Range { text: text.to_owned() });
        }
        let Some(count) = count else { return Ok(Self::Between { from, to }) };
        match count.trim().parse() {
            Ok(count) if count > 0 => Ok(Self::Steps { from, to, count }),
            _ => Err(PlanError::Count { text: count.to_owned() }),
        }
    }

    fn listed(text: &str) -> Result<Self, PlanError> {
        let pieces = pieces(text);
        if pieces.iter().any(String::is_empty) {
            return Err(PlanError::Missing { text: text.to_owned() });
        }
        Ok(Self::Listed(pieces))
    }

    /// Points of the grid that it spans.
    fn count(&self) -> u64 {
        match self {
            Self::Listed(list) => list.len() as u64,
            Self::Steps { count, .. } => *count,
            Self::Between { .. } => 1,
        }
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listed(list) => f.write_str(&list.join(",")),
            Self::Steps { from, to, count } => write!(f, "{from:?}..{to:?}/{count}"),
            Self::Between { from, to } => write!(f, "{from:?}..{to:?}"),
        }
    }
}

/// A text cut at its commas, except for those in brackets and quotes.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut depth = 0_i64;
    let mut quote = None;
    for letter in text.chars() {
        match letter {
            _ if quote == Some(letter) => quote = None,
            _ if quote.is_some() => {}
            '\'' | '"' => quote = Some(letter),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                pieces.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(letter);
        }
    }
    pieces.iter().map(|piece| piece.trim().to_owned()).collect()
}

/// A parameter and what it is set to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// Name of the parameter.
    pub name: String,
    /// Its values.
    pub values: Values,
}

/// How values are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draws {
    /// Runs at each point of the grid.
    pub count: u64,
    /// Where the draws start.
    pub seed: u64,
}

/// All runs of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    settings: Vec<Setting>,
    draws: Option<Draws>,
    runs: u64,
}

/// One run of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Which one, from 0.
    pub index: u64,
    /// What its parameters are set to.
    pub overrides: Vec<(String, String)>,
    /// The seed of its scene, if it has one of its own.
    pub seed: Option<u64>,
}

impl Plan {
    /// A grid, or with draws a random set.
    ///
    /// # Errors
    /// If nothing varies, something is set twice, a range is drawn from in a grid, or there are too many runs.
    pub fn new(settings: Vec<Setting>, draws: Option<Draws>) -> Result<Self, PlanError> {
        if settings.is_empty() && draws.is_none() {
            return Err(PlanError::Nothing);
        }
        let mut runs = draws.map_or(1, |draws| draws.count);
        for (index, Setting { name, values }) in settings.iter().enumerate() {
            if settings[..index].iter().any(|earlier| earlier.name == *name) {
                return Err(PlanError::Twice { name: name.clone() });
            }
            if let (&Values::Between { from, to }, None) = (values, draws) {
                return Err(PlanError::Unbounded { name: name.clone(), from, to });
            }
            runs = runs.saturating_mul(values.count());
        }
        if runs > MOST_RUNS {
            return Err(PlanError::TooMany);
        }
        Ok(Self { settings, draws, runs })
    }

    /// How many runs there are.
    pub const fn runs(&self) -> u64 {
        self.runs
    }

    /// What is set.
    pub fn settings(&self) -> &[Setting] {
        &self.settings
    }

    /// How values are drawn, in a random set.
    pub const fn draws(&self) -> Option<Draws> {
        self.draws
    }

    /// A run by its number.
    pub fn trial(&self, index: u64) -> Trial {
        let per_point = self.draws.map_or(1, |draws| draws.count.max(1));
        let (point, draw) = (index / per_point, index % per_point);
        let stream = u128::from(point) << 64 | u128::from(draw);
        let mut random = self.draws.map(|draws| Pcg64::new(u128::from(draws.seed), stream));
        // The place in each setting, the last of which varies fastest.
        let mut rest = point;
        let mut places = vec![0; self.settings.len()];
        for (place, setting) in places.iter_mut().zip(&self.settings).rev() {
            let count = setting.values.count().max(1);
            *place = rest % count;
            rest /= count;
        }
        let value = |(setting, &place): (&Setting, &u64)| {
            (setting.name.clone(), value(&setting.values, place, random.as_mut()))
        };
        let overrides = self.settings.iter().zip(&places).map(value).collect();
        // Seeds that every program reads as the number they are.
        let seed = random.as_mut().map(|random| random.next_u64() >> 11);
        Trial { index, overrides, seed }
    }
}

fn value(values: &Values, place: u64, random: Option<&mut Pcg64>) -> String {
    match values {
        Values::Listed(list) => list.get(place as usize).cloned().unwrap_or_default(),
        &Values::Steps { from, to, count } => {
            let last = count.saturating_sub(1);
            // The ends are what was written, to the bit.
            let step = match place {
                0 => from,
                place if place == last => to,
                place => decimal(from + (to - from) * (place as f64 / last as f64)),
            };
            format!("{step:?}")
        }
        &Values::Between { from, to } => {
            let unit = random.map_or(0.0, unit);
            format!("{:?}", from + (to - from) * unit)
        }
    }
}

/// The number of 15 digits that is nearest, so that of 0.4..0.84/45 the second is 0.41 and not some rounding beside it.
pub(super) fn decimal(x: f64) -> f64 {
    format!("{x:.14e}").parse().unwrap_or(x)
}

/// Uniform in [0, 1).
fn unit(random: &mut Pcg64) -> f64 {
    const SCALE: f64 = 1.0 / (1_u64 << 53) as f64;
    (random.next_u64() >> 11) as f64 * SCALE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(text: &str) -> Setting {
        let (name, values) = text.split_once('=').expect("NAME=VALUES");
        let values = Values::parse(values).expect("the test writes values");
        Setting { name: name.to_owned(), values }
    }

    fn plan(settings: &[&str], draws: Option<Draws>) -> Result<Plan, PlanError> {
        Plan::new(settings.iter().map(|text| setting(text)).collect(), draws)
    }

    fn texts(plan: &Plan, index: u64) -> Vec<String> {
        plan.trial(index).overrides.into_iter().map(|(_, value)| value).collect()
    }

    #[test]
    fn values_are_read_as_they_are_written() {
        let listed = |texts: &[&str]| Values::Listed(texts.iter().map(|&it| it.into()).collect());
        let cases = [
            ("1", listed(&["1"])),
            ("1, 2,5", listed(&["1", "2", "5"])),
            ("max(1,2),[1,2],'a,b'", listed(&["max(1,2)", "[1,2]", "'a,b'"])),
            ("../part.stl", listed(&["../part.stl"])),
            ("0..1/11", Values::Steps { from: 0.0, to: 1.0, count: 11 }),
            ("-1e-3..2", Values::Between { from: -1e-3, to: 2.0 }),
        ];
        for (text, expected) in cases {
            assert_eq!(Values::parse(text).unwrap(), expected, "{text}");
            let again = Values::parse(&expected.to_string()).unwrap();
            assert_eq!(again, expected, "{expected}");
        }
        for text in ["0..x", "x..1/3", "..1", "1..", "0..inf", "-1e308..1e308"] {
            assert!(matches!(Values::parse(text), Err(PlanError::Range { .. })), "{text}");
        }
        for text in ["", "1,,2", "1,2,"] {
            assert!(matches!(Values::parse(text), Err(PlanError::Missing { .. })), "{text}");
        }
        for text in ["0..1/0", "0..1/x", "0..1/2.5", "0..1/-1", "0..1/"] {
            assert!(matches!(Values::parse(text), Err(PlanError::Count { .. })), "{text}");
        }
    }

    #[test]
    fn in_a_grid_the_last_setting_varies_fastest_and_both_ends_are_there() {
        let plan = plan(&["a=0..1/3", "b=x", "c=1,2"], None).unwrap();
        let all: Vec<String> = (0..plan.runs()).map(|n| texts(&plan, n).join(" ")).collect();
        let expected =
            ["0.0 x 1", "0.0 x 2", "0.5 x 1", "0.5 x 2", "1.0 x 1", "1.0 x 2"].map(str::to_owned);
        assert_eq!(all, expected);
        assert!((0..plan.runs()).all(|n| plan.trial(n).seed.is_none()));
        let steps = self::plan(&["a=0.1..0.7/7"], None).unwrap();
        assert_eq!(texts(&steps, 6), ["0.7"]);
        let fine = self::plan(&["a=0.4..0.84/45"], None).unwrap();
        let second_and_third = [1, 2].map(|n| texts(&fine, n).join(""));
        assert_eq!(second_and_third, ["0.41", "0.42"]);
    }

    #[test]
    fn draws_depend_on_the_seed_and_their_place_only() {
        let draws = |count, seed| Some(Draws { count, seed });
        let settings = ["a=-1..3", "hook=0,1", "b=0..1"];
        let few = plan(&settings, draws(5, 7)).unwrap();
        let many = plan(&settings, draws(50, 7)).unwrap();
        let others = plan(&settings, draws(5, 8)).unwrap();
        assert_eq!(few.runs(), 10);
        for draw in 0..5 {
            for point in 0..2 {
                let (a, b) = (few.trial(5 * point + draw), many.trial(50 * point + draw));
                assert_eq!((&a.overrides, a.seed), (&b.overrides, b.seed));
                assert_eq!(a.overrides[1].1, point.to_string());
                let other = others.trial(5 * point + draw);
                assert_ne!((a.overrides, a.seed), (other.overrides, other.seed));
            }
        }
        let values: Vec<f64> =
            (0..50).map(|n| many.trial(n).overrides[0].1.parse().unwrap()).collect();
        assert!(values.iter().all(|value| (-1.0..3.0).contains(value)), "{values:?}");
        let mean = values.iter().sum::<f64>() / 50.0;
        // Four standard deviations of the mean of 50 draws from a width of 4.
        assert!((mean - 1.0).abs() < 4.0 * 4.0 / (12.0_f64 * 50.0).sqrt(), "{mean}");
    }

    #[test]
    fn what_makes_no_sweep_is_refused_with_advice() {
        let refused = |settings: &[&str]| plan(settings, None).unwrap_err();
        assert_eq!(refused(&[]), PlanError::Nothing);
        assert_eq!(refused(&["a=1", "a=2"]), PlanError::Twice { name: "a".to_owned() });
        assert_eq!(refused(&["a=0..1/4000", "b=0..1/4000"]), PlanError::TooMany);
        assert_eq!(refused(&["a=0..1/18446744073709551615", "b=1,2"]), PlanError::TooMany);
        let message = refused(&["a=0..1"]).to_string();
        assert!(message.contains("a=0.0..1.0/9") && message.contains("--random"), "{message}");
        assert_eq!(plan(&[], Some(Draws { count: 3, seed: 0 })).unwrap().runs(), 3);
    }
}
