//! What the files and the command line say of each parameter.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Parameters;
use crate::build::ENVELOPE;
use crate::decode::{Number, Scalar, ScalarKind, Text};
use crate::expression::{CONSTANTS, Expression, function_names};
use crate::format::ParameterEntry;
use crate::load::{Document, Loader};
use crate::problem::{Place, Problem};
use crate::suggest::hint_for;

/// Names that mean something in repeated tables.
const RESERVED: [&str; 5] = ["i", "count", "ix", "iy", "iz"];

/// A parameter before its value is known.
pub(super) struct Draft {
    pub(super) name: String,
    /// Where its name stands.
    pub(super) place: Place,
    pub(super) value: Scalar,
    pub(super) expression: Option<Rc<Expression>>,
    pub(super) min: Option<Number>,
    pub(super) max: Option<Number>,
    pub(super) unit: String,
    pub(super) about: String,
    pub(super) depth: u64,
    pub(super) state: State,
    pub(super) is_top: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    New,
    /// Being evaluated: meeting it again closes a circle.
    Open,
    Done,
}

/// Parameters by name.
pub(super) type Index = BTreeMap<String, usize>;

/// One draft for each name; the file nearest to the scene wins.
pub(super) fn merge(
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
        let text = |text: &Option<Text>| text.as_ref().map(|text| text.value.clone());
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
    } else if name == ENVELOPE {
        "in expectations it is the collision envelope, which [world] and --envelope set"
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
pub(super) fn set_from_outside(
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
            _ => ScalarKind::Text(Text { place, value: value.clone(), start }),
        };
        draft.value = Scalar { place, kind };
    }
}
