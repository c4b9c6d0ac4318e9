//! Numbers and texts of tables, evaluated for the copy at hand.

use std::cell::Cell;

use glam::DVec3;

use super::Builder;
use crate::decode::{Number, NumberKind, Text, Vector, expression_place, expression_problem};
use crate::expression::{Environment, Expression, ExpressionError, Value};
use crate::limits::Limit;
use crate::load::Parameters;
use crate::problem::{Place, Problem};

/// The name of the collision envelope in expectations.
pub(crate) const ENVELOPE: &str = "envelope";

/// The name of the seed of everything random, where no parameter is called so.
const SEED: &str = "seed";

/// Where that name means something.
pub(super) const WHERE_ENVELOPE: &str = "`envelope` exists in [[expect]], where [world] states an `envelope` or --envelope gives one; without, each pair has its own";

/// What a repeated table knows of its copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CopyNumbers {
    pub(crate) i: f64,
    pub(crate) count: f64,
    /// ix, iy and iz of a grid.
    pub(crate) grid: Option<[f64; 3]>,
}

impl CopyNumbers {
    fn get(&self, name: &str) -> Option<f64> {
        match (name, self.grid) {
            ("i", _) => Some(self.i),
            ("count", _) => Some(self.count),
            ("ix", Some(grid)) => Some(grid[0]),
            ("iy", Some(grid)) => Some(grid[1]),
            ("iz", Some(grid)) => Some(grid[2]),
            _ => None,
        }
    }
}

/// Names of the copy, then the envelope, then parameters, then the seed.
struct Scope<'a> {
    parameters: &'a Parameters,
    copy: Option<CopyNumbers>,
    seed: u64,
    /// Where it may be named.
    envelope: Option<f64>,
    /// Set when a number of the copy is asked for.
    asked_for_copy: &'a Cell<bool>,
}

impl Environment for Scope<'_> {
    fn variable(&self, name: &str) -> Option<Value> {
        let own = self.copy.and_then(|copy| copy.get(name)).map(Value::Number);
        self.asked_for_copy.set(self.asked_for_copy.get() || own.is_some());
        let envelope = || self.envelope.filter(|_| name == ENVELOPE).map(Value::Number);
        let seed = || (name == SEED).then_some(Value::Number(self.seed as f64));
        own.or_else(envelope).or_else(|| self.parameters.get(name).cloned()).or_else(seed)
    }

    fn names(&self) -> Vec<String> {
        let mut names = self.parameters.names();
        names.push(SEED.to_owned());
        names.extend(self.envelope.map(|_| ENVELOPE.to_owned()));
        if let Some(copy) = self.copy {
            let own = ["i", "count", "ix", "iy", "iz"]
                .into_iter()
                .filter(|name| copy.get(name).is_some());
            names.extend(own.map(str::to_owned));
        }
        names
    }
}

impl Builder<'_, '_> {
    /// The value of a number.
    pub(super) fn number(&mut self, number: &Number) -> Option<f64> {
        let (expression, start) = match &number.kind {
            NumberKind::Literal(value) => return self.charge(1, number.place).map(|()| *value),
            NumberKind::Expression(expression, start) => (expression, *start),
        };
        let value = self.value(expression, number.place, start)?;
        let place = number.place;
        match value {
            Value::Number(value) if value.is_finite() => Some(value),
            Value::Number(value) => {
                let problem = Problem::error(place, format!("the expression comes out as {value}"))
                    .hint("numbers of a scene must be finite; check for roots of negative numbers and overflow");
                self.report(problem);
                None
            }
            value => {
                let shown = if let Value::Text(text) = &value {
                    format!(" \"{text}\"")
                } else {
                    String::new()
                };
                let message =
                    format!("a number is needed, but the expression gives {}{shown}", value.kind());
                self.error(place, message);
                None
            }
        }
    }

    /// Counts operations against their limit; none if it is exceeded.
    pub(super) fn charge(&mut self, n_operations: u64, place: Place) -> Option<()> {
        self.n_operations = self.n_operations.saturating_add(n_operations);
        if self.n_operations <= self.loader.options.limits.operations {
            return Some(());
        }
        self.report_limit(Limit::Operations, place, "the scene takes more operations to make");
        None
    }

    fn value(
        &mut self,
        expression: &Expression,
        whole: Place,
        start: Option<u32>,
    ) -> Option<Value> {
        self.charge(u64::from(expression.n_nodes()), whole)?;
        let asked_for_copy = &self.asked_for_copy;
        let (parameters, copy, envelope) = (&self.parameters, self.copy, self.envelope);
        let scope = Scope { parameters, copy, seed: self.seed, envelope, asked_for_copy };
        match expression.evaluate(&scope) {
            Ok(value) => Some(value),
            Err(error) => {
                self.report_expression(expression, error, whole, start);
                None
            }
        }
    }

    fn report_expression(
        &mut self,
        expression: &Expression,
        error: ExpressionError,
        whole: Place,
        start: Option<u32>,
    ) {
        // What follows from another mistake is not told again.
        if expression.names().any(|name| self.parameters.is_broken(name)) {
            return;
        }
        let mut problem = expression_problem(whole, start, error);
        let needs_copy =
            expression.names().any(|name| ["i", "count", "ix", "iy", "iz"].contains(&name));
        if needs_copy && self.copy.is_none_or(|copy| copy.grid.is_none()) {
            let hint =
                "`i` and `count` exist in tables with `repeat`, `ix`, `iy` and `iz` in grids";
            problem.hint = Some(hint.to_owned());
        }
        if expression.names().any(|name| name == ENVELOPE) && self.envelope.is_none() {
            problem.hint = Some(WHERE_ENVELOPE.to_owned());
        }
        self.report(problem);
    }

    /// Three numbers.
    pub(super) fn vector(&mut self, vector: &Vector) -> Option<DVec3> {
        let [x, y, z] = vector.values.as_ref();
        let parts = [self.number(x), self.number(y), self.number(z)];
        Some(DVec3::new(parts[0]?, parts[1]?, parts[2]?))
    }

    /// Three numbers, or a default where none are given; the outer none is a mistake.
    pub(super) fn vector_or(&mut self, vector: Option<&Vector>, default: DVec3) -> Option<DVec3> {
        vector.map_or(Some(default), |vector| self.vector(vector))
    }

    /// A number, or a default where none is given; the outer none is a mistake.
    pub(super) fn number_or(&mut self, number: Option<&Number>, default: f64) -> Option<f64> {
        number.map_or(Some(default), |number| self.number(number))
    }

    /// A text with the expressions in its braces evaluated; `{{` stands for a brace.
    pub(super) fn text(&mut self, text: &Text) -> Option<String> {
        if !text.value.contains(['{', '}']) {
            return Some(text.value.clone());
        }
        let mut result = String::new();
        let mut rest = text.value.as_str();
        while let Some(at) = rest.find(['{', '}']) {
            result.push_str(&rest[..at]);
            let doubled = rest.get(at..at + 2).filter(|two| ["{{", "}}"].contains(two));
            if let Some(doubled) = doubled {
                result.push_str(&doubled[..1]);
                rest = &rest[at + 2..];
                continue;
            }
            let offset = text.value.len() - rest.len() + at;
            let Some(length) = rest[at..].strip_prefix('{').and_then(|inner| inner.find('}'))
            else {
                let place = expression_place(text.place, text.start, &(offset..offset + 1));
                let problem = Problem::error(place, "a brace stands alone")
                    .hint("expressions stand between { and }; a brace itself is written {{ or }}");
                self.report(problem);
                return None;
            };
            let inner = &rest[at + 1..=at + length];
            result.push_str(&self.placeholder(inner, text, offset + 1)?);
            rest = &rest[at + length + 2..];
        }
        result.push_str(rest);
        Some(result)
    }

    fn placeholder(&mut self, inner: &str, text: &Text, offset: usize) -> Option<String> {
        let start = text.start.map(|start| start + offset as u32);
        let expression = match self.loader.expressions.get(inner) {
            Ok(expression) => expression,
            Err(error) => {
                self.report(expression_problem(text.place, start, error));
                return None;
            }
        };
        self.value(&expression, text.place, start).map(|value| value.to_string())
    }
}
