//! Parameters: merged over the files, set from outside, and evaluated in the order of their needs.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::{Document, Loader};
use crate::decode::{Number, NumberKind, Scalar, ScalarKind, expression_problem};
use crate::expression::{CONSTANTS, Environment, Expression, Value, function_names};
use crate::format::ParameterEntry;
use crate::problem::{Place, Problem};
use crate::scene::Parameter;
use crate::suggest::hint_for;

/// Names that mean something in repeated tables.
const RESERVED: [&str; 5] = ["i", "count", "ix", "iy", "iz"];

/// The values of all parameters.
#[derive(Debug, Default)]
pub(crate) struct Parameters {
    values: BTreeMap<String, Entry>,
    /// Names that exist but have no value because of a mistake.
    broken: BTreeSet<String>,
    /// All names, whether their values are known yet or not.
    all: BTreeSet<String>,
}

#[derive(Debug)]
struct Entry {
    value: Value,
    is_used: Cell<bool>,
}

impl Parameters {
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        let entry = self.values.get(name)?;
        entry.is_used.set(true);
        Some(&entry.value)
    }

    /// Whether the name exists but its value is unknown, which has been told already.
    pub(crate) fn is_broken(&self, name: &str) -> bool {
        self.broken.contains(name)
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.all.iter().cloned().collect()
    }

    fn is_used(&self, name: &str) -> bool {
        self.values.get(name).is_none_or(|entry| entry.is_used.get())
    }

    fn insert(&mut self, name: &str, value: Value) {
        self.values.insert(name.to_owned(), Entry { value, is_used: Cell::new(false) });
    }
}

impl Environment for Parameters {
    fn variable(&self, name: &str) -> Option<Value> {
        self.get(name).cloned()
    }

    fn names(&self) -> Vec<String> {
        self.names()
    }
}

/// A parameter before its value is known.
struct Draft {
    name: String,
    /// Where its name stands.
    place: Place,
    value: Scalar,
    expression: Option<Rc<Expression>>,
    min: Option<Number>,
    max: Option<Number>,
    unit: String,
    about: String,
    depth: u64,
    state: State,
    is_top: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    /// Being evaluated: meeting it again closes a circle.
    Open,
    Done,
}

/// Evaluates all parameters; those with mistakes are noted and marked as broken.
pub(crate) fn evaluate_parameters(
    loader: &mut Loader<'_>,
    documents: &[Document],
) -> (Parameters, Vec<Parameter>) {
    let mut parameters = Parameters::default();
    let (mut drafts, index_of) = merge(loader, documents, &mut parameters);
    parameters.all.extend(index_of.keys().cloned());
    parameters.all.extend(parameters.broken.iter().cloned());
    set_from_outside(loader, &mut drafts, &index_of, &parameters);
    for draft in &mut drafts {
        compile(loader, draft, &index_of, &mut parameters);
    }
    for index in 0..drafts.len() {
        evaluate(loader, (&mut drafts, &index_of), index, &mut Vec::new(), &mut parameters);
    }
    let list = drafts.iter().filter_map(|draft| finish(loader, draft, &parameters)).collect();
    (parameters, list)
}

/// Warns of parameters that nothing refers to; those of included files may serve other scenes.
pub(crate) fn warn_of_unused(
    loader: &mut Loader<'_>,
    parameters: &Parameters,
    list: &[Parameter],
    is_top: impl Fn(Place) -> bool,
) {
    for parameter in list.iter().filter(|parameter| is_top(parameter.place)) {
        if !parameters.is_used(&parameter.name) {
            let message = format!("the parameter `{}` is never used", parameter.name);
            let problem = Problem::warning(parameter.place, message)
                .hint("use it in an expression, or remove it");
            loader.problems.push(problem);
        }
    }
}

/// Parameters by name.
type Index = BTreeMap<String, usize>;

/// One draft for each name; the file nearest to the scene wins.
fn merge(
    loader: &mut Loader<'_>,
    documents: &[Document],
    parameters: &mut Parameters,
) -> (Vec<Draft>, Index) {
    let mut drafts: Vec<Draft> = Vec::new();
    let mut index_of = Index::new();
    let mut by_depth: Vec<&Document> = documents.iter().collect();
    by_depth.sort_by_key(|document| document.depth);
    for document in by_depth {
        let Some(map) = &document.table.parameters else { continue };
        parameters.broken.extend(map.broken.iter().cloned());
        for entry in &map.entries {
            if !is_good_name(loader, entry) {
                parameters.broken.insert(entry.name.clone());
                continue;
            }
            let draft = Draft::new(entry, document.depth);
            let Some(&index) = index_of.get(&entry.name) else {
                index_of.insert(entry.name.clone(), drafts.len());
                drafts.push(draft);
                continue;
            };
            let known = &mut drafts[index];
            if known.depth == draft.depth {
                let message = format!("two included files define the parameter `{}`", entry.name);
                let problem = Problem::error(draft.place, message)
                    .label("defined again")
                    .related(known.place, "defined first")
                    .hint("define it in the file that includes both: that value wins");
                loader.problems.push(problem);
                continue;
            }
            // The known one is nearer and wins; it inherits what it leaves unsaid.
            known.min = known.min.take().or(draft.min);
            known.max = known.max.take().or(draft.max);
            if known.unit.is_empty() {
                known.unit = draft.unit;
            }
            if known.about.is_empty() {
                known.about = draft.about;
            }
        }
    }
    (drafts, index_of)
}

impl Draft {
    fn new(entry: &ParameterEntry, depth: u64) -> Self {
        let table = &entry.table;
        let text =
            |text: &Option<crate::decode::Text>| text.as_ref().map(|text| text.value.clone());
        Self {
            name: entry.name.clone(),
            place: entry.name_place,
            value: table.value.clone(),
            expression: None,
            min: table.min.clone(),
            max: table.max.clone(),
            unit: text(&table.unit).unwrap_or_default(),
            about: text(&table.about).unwrap_or_default(),
            depth,
            state: State::New,
            is_top: depth == 0,
        }
    }
}

fn is_good_name(loader: &mut Loader<'_>, entry: &ParameterEntry) -> bool {
    let name = entry.name.as_str();
    let mut letters = name.chars();
    let is_word = letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_');
    let reason = if !is_word {
        "a name consists of letters a to z, digits and `_`, and does not begin with a digit"
    } else if RESERVED.contains(&name) {
        "it numbers the copies of a repeated table"
    } else if CONSTANTS.iter().any(|(constant, _)| *constant == name) {
        "it is a constant"
    } else if function_names().any(|(function, _)| function == name) {
        "it is a function"
    } else if ["if", "else", "true", "false"].contains(&name) {
        "it is a word of the language of expressions"
    } else {
        return true;
    };
    let problem =
        Problem::error(entry.name_place, format!("a parameter cannot be called `{name}`"))
            .label(reason)
            .hint("choose another name");
    loader.problems.push(problem);
    false
}

/// Applies `--set`.
fn set_from_outside(
    loader: &mut Loader<'_>,
    drafts: &mut [Draft],
    index_of: &Index,
    parameters: &Parameters,
) {
    for (name, value) in &loader.options.overrides.clone() {
        let text = format!("{name}={value}");
        let file = loader.sources.add(format!("--set {text}"), text.as_str().into());
        let place = Place::new(file, name.len() + 1..text.len());
        let Some(draft) = index_of.get(name).and_then(|&index| drafts.get_mut(index)) else {
            if !parameters.is_broken(name) {
                let known: Vec<&str> = drafts.iter().map(|draft| draft.name.as_str()).collect();
                let message = format!("there is no parameter `{name}` to set");
                let problem = Problem::error(Place::new(file, 0..name.len()), message)
                    .hint(hint_for(name, "parameters", &known));
                loader.problems.push(problem);
            }
            continue;
        };
        let start = Some((name.len() + 1) as u32);
        let trimmed = value.trim();
        let kind = match trimmed {
            "true" => ScalarKind::Flag(true),
            "false" => ScalarKind::Flag(false),
            _ => ScalarKind::Text(crate::decode::Text { place, value: value.clone(), start }),
        };
        draft.value = Scalar { place, kind };
    }
}

/// Reads the expression, if the value is one: a lone word that names nothing is a text.
fn compile(loader: &mut Loader<'_>, draft: &mut Draft, names: &Index, parameters: &mut Parameters) {
    let ScalarKind::Text(text) = &draft.value.kind else { return };
    let is_name = |word: &str| {
        names.contains_key(word)
            || parameters.is_broken(word)
            || CONSTANTS.iter().any(|(constant, _)| *constant == word)
            || ["true", "false"].contains(&word)
    };
    let is_word = text.value.starts_with(char::is_alphabetic)
        && text.value.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
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
fn evaluate(
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
        let value = match &drafts[index].value.kind {
            ScalarKind::Number(number) => Value::Number(*number),
            ScalarKind::Flag(flag) => Value::Bool(*flag),
            ScalarKind::Text(text) => Value::Text(text.value.as_str().into()),
        };
        parameters.insert(&drafts[index].name, value);
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
    let draft = &mut drafts[index];
    let start = if let ScalarKind::Text(text) = &draft.value.kind { text.start } else { None };
    let result = expression.evaluate(parameters).and_then(|value| match value {
        Value::Number(number) if !number.is_finite() => Err(crate::expression::ExpressionError {
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
fn finish(loader: &mut Loader<'_>, draft: &Draft, parameters: &Parameters) -> Option<Parameter> {
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
