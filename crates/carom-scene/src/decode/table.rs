//! Reading the keys of a table: those that are missing, unknown or exclude each other are told.

use toml::de::{DeTable, DeValue};

use super::{Decode, Decoder, ObjectSchema, Raw, Schema, found};
use crate::problem::{Place, Problem};
use crate::suggest::{list, nearest};

/// A key that a table may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyInfo {
    pub(crate) name: &'static str,
    /// Lines of its documentation.
    pub(crate) about: &'static [&'static str],
}

/// A set of keys: a whole table, or a part that several tables share.
pub(crate) trait Table: Sized {
    /// What it is called in messages.
    const TITLE: &'static str;
    /// What it is about.
    const ABOUT: &'static [&'static str];

    /// All its keys.
    fn keys() -> Vec<KeyInfo>;

    /// Reads them; none if one that is required is missing or wrong.
    fn take(fields: &mut Fields<'_, '_>, decoder: &mut Decoder<'_>) -> Option<Self>;

    /// Where it stands, and whether something in it could not be read.
    fn state(&self) -> (Place, bool);

    /// Adds them to a schema.
    fn describe(schema: &mut Schema, object: &mut ObjectSchema);
}

/// Something that stands somewhere.
pub(crate) trait Placed {
    /// Where it stands.
    fn place(&self) -> Place;
}

/// The keys of one table while they are read.
pub(crate) struct Fields<'a, 'i> {
    table: &'a DeTable<'i>,
    pub(crate) place: Place,
    pub(crate) title: &'static str,
    /// Whether something in the table could not be read.
    pub(crate) faulty: bool,
    /// Keys that misspelt ones may have meant.
    suggested: Vec<&'static str>,
}

impl Fields<'_, '_> {
    pub(crate) fn optional<T: Decode>(
        &mut self,
        key: &str,
        decoder: &mut Decoder<'_>,
    ) -> Option<T> {
        let value = self.table.get(key)?;
        let outer = std::mem::replace(&mut decoder.key, key.to_owned());
        let decoded = T::decode(value, decoder);
        decoder.key = outer;
        self.faulty |= decoded.is_none();
        decoded
    }

    pub(crate) fn required<T: Decode>(
        &mut self,
        key: KeyInfo,
        decoder: &mut Decoder<'_>,
    ) -> Option<T> {
        if self.table.get(key.name).is_none() {
            // A misspelt key is told as such, and once.
            if !self.suggested.contains(&key.name) {
                let message = format!("{} needs `{}`", self.title, key.name);
                let problem = Problem::error(self.place, message)
                    .label(format!("`{}` is missing", key.name))
                    .hint(format!("add `{} = …`: {}", key.name, first_sentence(key.about)));
                decoder.problems.push(problem);
            }
            self.faulty = true;
            return None;
        }
        self.optional(key.name, decoder)
    }

    /// Complains of keys that exclude each other.
    pub(crate) fn exclude(&mut self, keys: &[&'static str], decoder: &mut Decoder<'_>) {
        let mut given: Vec<_> =
            keys.iter().filter_map(|key| self.table.get_key_value(*key)).collect();
        given.sort_by_key(|(key, _)| key.span().start);
        let [first, others @ ..] = given.as_slice() else { return };
        for other in others {
            let (a, b) = (first.0.get_ref(), other.0.get_ref());
            let place = |key: &toml::Spanned<_>| Place::new(decoder.file, key.span());
            let problem =
                Problem::error(place(other.0), format!("`{a}` and `{b}` exclude each other"))
                    .label("one too many")
                    .related(place(first.0), "the other one")
                    .hint(format!("{} takes one of {}", self.title, list(keys.iter().copied())));
            decoder.problems.push(problem);
            self.faulty = true;
        }
    }

    fn refuse_unknown(
        &mut self,
        known: &[KeyInfo],
        extra: &[&'static str],
        decoder: &mut Decoder<'_>,
    ) {
        let names = || known.iter().map(|key| key.name).chain(extra.iter().copied());
        for (key, _) in self.table {
            let name = key.get_ref().as_ref();
            if names().any(|known| known == name) {
                continue;
            }
            self.faulty = true;
            let place = Place::new(decoder.file, key.span());
            let mut problem = Problem::error(place, format!("{} has no key `{name}`", self.title));
            let is_of_shape = name == "kind" && names().any(|known| known == "shape");
            problem = match nearest(name, names()) {
                Some(near) => {
                    self.suggested.push(near);
                    problem.label(format!("did you mean `{near}`?"))
                }
                None if is_of_shape => problem.label("did you mean `shape = { kind = … }`?"),
                None => problem.label("unknown key"),
            };
            decoder.problems.push(problem.hint(format!("keys allowed here: {}", list(names()))));
        }
    }
}

/// Reads a whole table.
pub(crate) fn decode_table<T: Table>(value: &Raw<'_>, decoder: &mut Decoder<'_>) -> Option<T> {
    let DeValue::Table(table) = value.get_ref() else {
        decoder.wrong_kind(value, "a table");
        return None;
    };
    decode_keys(table, decoder.place(value), T::TITLE, &[], decoder)
}

/// Reads the keys of a table; `extra` ones are read by somebody else.
pub(crate) fn decode_keys<T: Table>(
    table: &DeTable<'_>,
    place: Place,
    title: &'static str,
    extra: &[&'static str],
    decoder: &mut Decoder<'_>,
) -> Option<T> {
    let mut fields = Fields { table, place, title, faulty: false, suggested: Vec::new() };
    fields.refuse_unknown(&T::keys(), extra, decoder);
    T::take(&mut fields, decoder)
}

/// Reads the word that tells the kind of a table.
pub(crate) fn kind_of<'a>(
    value: &'a Raw<'_>,
    kinds: &[&'static str],
    title: &str,
    decoder: &mut Decoder<'_>,
) -> Option<(&'a DeTable<'a>, &'a str)> {
    let DeValue::Table(table) = value.get_ref() else {
        let expected = format!("a table such as {{ kind = \"{}\", … }}", kinds[0]);
        let word = value.get_ref().as_str().filter(|word| kinds.contains(word));
        if let Some(word) = word {
            let message = format!("`{}` must be {expected}", decoder.key);
            let problem = Problem::error(decoder.place(value), message)
                .label("this is a text")
                .hint(format!("write {{ kind = \"{word}\" }}"));
            decoder.problems.push(problem);
        } else {
            decoder.wrong_kind(value, &expected);
        }
        return None;
    };
    let Some(kind) = table.get("kind") else {
        missing_kind(decoder.place(value), kinds, title, decoder);
        return None;
    };
    let DeValue::String(name) = kind.get_ref() else {
        let place = decoder.place(kind);
        let label = format!("this is {}", found(kind.get_ref()));
        decoder.problems.push(Problem::error(place, "`kind` must be a text").label(label));
        return None;
    };
    Some((table, name.as_ref()))
}

pub(crate) fn missing_kind(
    place: Place,
    kinds: &[&'static str],
    title: &str,
    decoder: &mut Decoder<'_>,
) {
    let problem = Problem::error(place, format!("{title} needs `kind`"))
        .label("`kind` is missing")
        .hint(format!("kinds: {}", list(kinds.iter().copied())));
    decoder.problems.push(problem);
}

pub(crate) fn unknown_kind(
    table: &DeTable<'_>,
    name: &str,
    kinds: &[&'static str],
    title: &str,
    decoder: &mut Decoder<'_>,
) {
    let Some(kind) = table.get("kind") else { return };
    let mut problem =
        Problem::error(decoder.place(kind), format!("{title} has no kind \"{name}\""));
    problem = match nearest(name, kinds.iter().copied()) {
        Some(near) => problem.label(format!("did you mean \"{near}\"?")),
        None => problem.label("unknown kind"),
    };
    decoder.problems.push(problem.hint(format!("kinds: {}", list(kinds.iter().copied()))));
}

/// The documentation as one text.
pub(crate) fn joined(lines: &[&str]) -> String {
    let text: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    text.join(" ").trim().replace('`', "")
}

/// Up to the first full stop, as it continues a sentence.
fn first_sentence(lines: &[&str]) -> String {
    let text = joined(lines);
    let end = text.find(". ").unwrap_or(text.len());
    let mut letters = text[..end].trim_end_matches('.').chars();
    letters.next().map(char::to_lowercase).into_iter().flatten().chain(letters).collect()
}
