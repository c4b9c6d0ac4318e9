//! The values of parameters, each after those it refers to.

use super::Parameters;
use super::merge::{Draft, Index, State};
use crate::decode::{Number, NumberKind, ScalarKind, expression_problem};
use crate::expression::{CONSTANTS, Expression, ExpressionError, Value};
use crate::load::Loader;
use crate::problem::Problem;
use crate::scene::Parameter;

/// Reads the expression, if the value is one: a lone word that names nothing is a text.
pub(super) fn compile(
    loader: &mut Loader<'_>,
    draft: &mut Draft,
    names: &Index,
    parameters: &mut Parameters,
) {
    let ScalarKind::Text(text) = &draft.value.kind else { return };
    let is_name = |word: &str| {
        names.contains_key(word)
            || parameters.is_broken(word)
            || CONSTANTS.iter().any(|(constant, _)| *constant == word)
            || ["true", "false"].contains(&word)
    };
    let is_word = text.value.starts_with(char::is_alphabetic)
        && text.value.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_word && !is_name(&text.value) {
        return;
    }
    match loader.expressions.get(&text.value) {
        Ok(expression) => draft.expression = Some(expression),
        Err(error) => {
            loader.problems.push(expression_problem(text.place, text.start, error));
            draft.state = State::Done;
            parameters.broken.insert(draft.name.clone());
        }
    }
}

/// Evaluates a parameter after those it refers to. `path` are the ones that wait for it.
///
/// The depth of recursion is that of the chain of references; beyond a bound it is refused.
pub(super) fn evaluate(
    loader: &mut Loader<'_>,
    (drafts, index_of): (&mut [Draft], &Index),
    index: usize,
    path: &mut Vec<usize>,
    parameters: &mut Parameters,
) {
    const LONGEST_CHAIN: usize = 500;
    match drafts[index].state {
        State::Done => return,
        State::Open => return report_circle(loader, drafts, index, path, parameters),
        State::New => {}
    }
    if path.len() == LONGEST_CHAIN {
        let message = format!("more than {LONGEST_CHAIN} parameters build on one another");
        loader
            .problems
            .push(Problem::error(drafts[index].place, message).hint("shorten the chain"));
        return break_off(&mut drafts[index], parameters);
    }
    let Some(expression) = drafts[index].expression.clone() else {
        parameters.insert(&drafts[index].name, plain_value(&drafts[index]));
        drafts[index].state = State::Done;
        return;
    };
    drafts[index].state = State::Open;
    path.push(index);
    for name in expression.names() {
        if let Some(&needed) = index_of.get(name) {
            evaluate(loader, (drafts, index_of), needed, path, parameters);
        }
    }
    path.pop();
    if drafts[index].state == State::Done {
        return;
    }
    if expression.names().any(|name| parameters.is_broken(name)) {
        return break_off(&mut drafts[index], parameters);
    }
    settle(loader, &mut drafts[index], &expression, parameters);
}

/// The value of a parameter that is no expression.
fn plain_value(draft: &Draft) -> Value {
    match &draft.value.kind {
        ScalarKind::Number(number) => Value::Number(*number),
        ScalarKind::Flag(flag) => Value::Bool(*flag),
        ScalarKind::Text(text) => Value::Text(text.value.as_str().into()),
    }
}

/// Evaluates a parameter when all it refers to have values.
fn settle(
    loader: &mut Loader<'_>,
    draft: &mut Draft,
    expression: &Expression,
    parameters: &mut Parameters,
) {
    let start = if let ScalarKind::Text(text) = &draft.value.kind { text.start } else { None };
    let result = expression.evaluate(parameters).and_then(|value| match value {
        Value::Number(number) if !number.is_finite() => Err(ExpressionError {
            span: 0..expression_length(draft),
            message: format!("the parameter `{}` comes out as {number}", draft.name),
            hint: Some("parameters must be finite numbers".to_owned()),
        }),
        value => Ok(value),
    });
    match result {
        Ok(value) => {
            parameters.insert(&draft.name, value);
            draft.state = State::Done;
        }
        Err(error) => {
            loader.problems.push(expression_problem(draft.value.place, start, error));
            break_off(draft, parameters);
        }
    }
}

fn expression_length(draft: &Draft) -> usize {
    if let ScalarKind::Text(text) = &draft.value.kind { text.value.len() } else { 0 }
}

fn break_off(draft: &mut Draft, parameters: &mut Parameters) {
    draft.state = State::Done;
    parameters.broken.insert(draft.name.clone());
}

/// Tells the whole circle and marks its members.
fn report_circle(
    loader: &mut Loader<'_>,
    drafts: &mut [Draft],
    index: usize,
    path: &[usize],
    parameters: &mut Parameters,
) {
    let start = path.iter().position(|&on_path| on_path == index).unwrap_or(0);
    let circle = &path[start..];
    let mut chain: Vec<&str> = circle.iter().map(|&i| drafts[i].name.as_str()).collect();
    chain.push(&drafts[index].name);
    let message = format!("the parameters refer to each other in a circle: {}", chain.join(" → "));
    let mut problem = Problem::error(drafts[index].value.place, message)
        .label(format!("`{}` needs its own value", drafts[index].name))
        .hint("give one of them a value of its own");
    for &other in &circle[1..] {
        problem = problem
            .related(drafts[other].value.place, format!("`{}` is part of it", drafts[other].name));
    }
    loader.problems.push(problem);
    for &member in circle {
        break_off(&mut drafts[member], parameters);
    }
}

/// Checks the range and gives the parameter out.
pub(super) fn finish(
    loader: &mut Loader<'_>,
    draft: &Draft,
    parameters: &Parameters,
) -> Option<Parameter> {
    let entry = parameters.values.get(&draft.name)?;
    let value = entry.value.clone();
    let mut bound =
        |number: &Option<Number>| number.as_ref().and_then(|n| bound_value(loader, n, parameters));
    let (min, max) = (bound(&draft.min), bound(&draft.max));
    let below = min.zip(value.as_number()).filter(|(min, value)| value < min);
    let above = max.zip(value.as_number()).filter(|(max, value)| value > max);
    for (outside, limit, which) in [(below, &draft.min, "at least"), (above, &draft.max, "at most")]
    {
        let Some((bound, number)) = outside else { continue };
        let message =
            format!("the parameter `{}` is {number}, but must be {which} {bound}", draft.name);
        let mut problem = Problem::error(draft.value.place, message).label("out of range");
        if let Some(limit) = limit {
            problem = problem.related(limit.place, "the bound");
        }
        loader.problems.push(problem);
    }
    let place = if draft.is_top { draft.place } else { draft.value.place };
    let Draft { name, unit, about, .. } = draft;
    let (name, unit, about) = (name.clone(), unit.clone(), about.clone());
    Some(Parameter { name, value, min, max, unit, about, place })
}

fn bound_value(loader: &mut Loader<'_>, number: &Number, parameters: &Parameters) -> Option<f64> {
    match &number.kind {
        NumberKind::Literal(value) => Some(*value),
        NumberKind::Expression(expression, start) => match expression.evaluate(parameters) {
            Ok(value) => value.as_number().filter(|value| value.is_finite()),
            Err(error) => {
                if !expression.names().any(|name| parameters.is_broken(name)) {
                    loader.problems.push(expression_problem(number.place, *start, error));
                }
                None
            }
        },
    }
}
