//! Parameters: merged over the files, set from outside, and evaluated in the order of their needs.

mod evaluate;
mod merge;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::{Document, Loader};
use crate::expression::{Environment, Value};
use crate::problem::{Place, Problem};
use crate::scene::Parameter;
use evaluate::{compile, evaluate, finish};
use merge::{merge, set_from_outside};

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
