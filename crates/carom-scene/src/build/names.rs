//! Names of bodies and of all else.

use std::collections::BTreeMap;

use super::Builder;
use crate::decode::{Broken, Text};
use crate::problem::{Place, Problem};
use crate::suggest::hint_for;

/// Longest name of a body `[byte]`: copies multiply it, and tables and plots show it.
const LONGEST_NAME: usize = 200;

/// Names looked through for a suggestion; enough for what people write, and quick.
const MOST_SUGGESTIONS: usize = 2000;

/// All names of bodies.
#[derive(Debug, Default)]
pub(crate) struct Names {
    known: BTreeMap<String, (usize, Place)>,
    /// Beginnings of the names of bodies that could not be made.
    broken: Vec<String>,
    /// Whether a body without a readable name could not be made: then any name may be right.
    any_broken: bool,
}

impl Names {
    /// Notes a body that could not be made.
    pub(super) fn note_broken(&mut self, name: Option<&str>) {
        match name {
            Some(name) => self.broken.push(name.split('{').next().unwrap_or_default().to_owned()),
            None => self.any_broken = true,
        }
    }

    fn is_broken(&self, name: &str) -> bool {
        self.any_broken || self.broken.iter().any(|broken| name.starts_with(broken))
    }

    /// The index that was meant for a body of this name.
    fn get(&self, name: &str) -> Option<usize> {
        self.known.get(name).map(|(index, _)| *index)
    }

    /// Whether some names are missing because of other mistakes.
    pub(super) fn are_incomplete(&self) -> bool {
        self.any_broken || !self.broken.is_empty()
    }
}

/// What has names beside bodies; each kind has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Named {
    Joint,
    Element,
    Controller,
    Gauge,
}

impl Named {
    /// What many are, what one is, and such as what.
    const fn words(self) -> [&'static str; 3] {
        match self {
            Self::Joint => ["joints", "joint", "hinge"],
            Self::Element => ["elements", "element", "spring"],
            Self::Controller => ["controllers", "controller", "hold"],
            Self::Gauge => ["gauges", "gauge", "imu"],
        }
    }
}

/// All names beside those of bodies.
#[derive(Debug, Default)]
pub(crate) struct OtherNames {
    known: BTreeMap<(Named, String), Place>,
    /// Beginnings of the names of what could not be made; empty where nothing is known of them.
    broken: Vec<(Named, String)>,
}

impl OtherNames {
    /// Notes tables that could not be read.
    pub(super) fn note_broken(&mut self, named: Named, broken: &[Broken]) {
        for table in broken {
            self.note_named(named, table.name.as_deref().unwrap_or_default());
        }
    }

    /// Notes something that could not be made.
    pub(super) fn note_unmade(&mut self, named: Named, name: &Text) {
        self.note_named(named, &name.value);
    }

    fn note_named(&mut self, named: Named, name: &str) {
        self.broken.push((named, name.split('{').next().unwrap_or_default().to_owned()));
    }

    /// Whether a name may be missing because of another mistake.
    fn may_be_missing(&self, named: Named, name: &str) -> bool {
        self.broken.iter().any(|(kind, start)| *kind == named && name.starts_with(start))
    }

    /// Whether some names are missing because of other mistakes.
    pub(super) fn are_incomplete(&self, named: Named) -> bool {
        self.broken.iter().any(|(kind, _)| *kind == named)
    }
}

impl Builder<'_, '_> {
    /// Takes a name for the body with that index; false, with a problem noted, if it is taken.
    pub(super) fn take_name(&mut self, name: &str, index: usize, place: Place) -> bool {
        if !self.check_name(name, place) {
            return false;
        }
        let Some((_, first)) = self.names.known.get(name) else {
            self.names.known.insert(name.to_owned(), (index, place));
            return true;
        };
        let first = *first;
        self.name_taken(name, place, first, ["bodies", "body", "ball"]);
        false
    }

    /// False, with a problem noted, of what cannot be a name.
    fn check_name(&mut self, name: &str, place: Place) -> bool {
        if name.trim().is_empty() {
            self.error(place, "a name must not be empty");
            return false;
        }
        if name.len() > LONGEST_NAME {
            self.error(place, format!("a name must not have more than {LONGEST_NAME} bytes"));
            return false;
        }
        true
    }

    /// Tells that a name is taken; of what there are two, of what each is one, and such as what.
    fn name_taken(&mut self, name: &str, place: Place, first: Place, [many, one, such]: [&str; 3]) {
        let problem =
            Problem::error(place, format!("two {many} are called `{name}`")).label("used again");
        let problem = if first == place {
            problem
                .label("used for several copies")
                .hint(format!("put the number of the copy into the name: \"{such}_{{i}}\""))
        } else {
            problem.related(first, "used first").hint(format!("give each {one} a name of its own"))
        };
        self.report(problem);
    }

    /// The name of a joint or the like, or of a copy with that number; none, with a problem noted, if it is taken.
    pub(super) fn own_name(
        &mut self,
        text: &Text,
        copy: Option<usize>,
        named: Named,
    ) -> Option<String> {
        let mut name = self.text(text)?;
        if let (Some(index), false) = (copy, text.value.contains('{')) {
            name.push_str(&format!("_{index}"));
        }
        if !self.check_name(&name, text.place) {
            return None;
        }
        if let Some(first) = self.others.known.get(&(named, name.clone())).copied() {
            self.name_taken(&name, text.place, first, named.words());
            return None;
        }
        self.others.known.insert((named, name.clone()), text.place);
        Some(name)
    }

    /// Tells that nothing is called so, unless that follows from another mistake.
    pub(super) fn nothing_called(&mut self, named: Named, name: &str, place: Place) {
        if self.others.may_be_missing(named, name) {
            return;
        }
        let [many, one, _] = named.words();
        let known: Vec<&str> = (self.others.known.keys())
            .filter(|(kind, _)| *kind == named)
            .take(MOST_SUGGESTIONS)
            .map(|(_, name)| name.as_str())
            .collect();
        let hint = hint_for(name, many, &known);
        self.report(Problem::error(place, format!("there is no {one} `{name}`")).hint(hint));
    }

    /// The body of this name; none as well if its name was taken but the body could not be made.
    pub(super) fn index_of(&self, name: &str) -> Option<usize> {
        let is_there =
            |index: &usize| self.bodies.get(*index).is_some_and(|body| body.name == name);
        self.names.get(name).filter(is_there)
    }

    /// The body that a text names.
    pub(super) fn body(&mut self, text: &Text) -> Option<usize> {
        let name = self.text(text)?;
        if let Some(index) = self.index_of(&name) {
            return Some(index);
        }
        if self.names.get(&name).is_none() && !self.names.is_broken(&name) {
            let known: Vec<&str> = (self.names.known.keys())
                .chain(&self.names.broken)
                .take(MOST_SUGGESTIONS)
                .map(String::as_str)
                .collect();
            let hint = hint_for(&name, "bodies", &known);
            let problem =
                Problem::error(text.place, format!("there is no body `{name}`")).hint(hint);
            self.report(problem);
        }
        None
    }
}
