//! One declaration per table: [`table`] makes the struct, its reader, the list of its keys and its schema;
//! [`choice`] does the same for tables that come in kinds.
//!
//! The documentation of a key becomes the description in the schema, and its first sentence the hint when
//! the key is missing.

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

/// The field type of a key that is `required` or `optional`.
macro_rules! field_type {
    (required $ty:ty) => { $ty };
    (optional $ty:ty) => { Option<$ty> };
}
pub(crate) use field_type;

/// Reads a key that is `required` or `optional`.
macro_rules! field_read {
    (required $fields:ident $decoder:ident $info:expr) => {
        $fields.required($info, $decoder)
    };
    (optional $fields:ident $decoder:ident $info:expr) => {
        Some($fields.optional($info.name, $decoder))
    };
}
pub(crate) use field_read;

macro_rules! field_require {
    (required $object:ident $key:expr) => {
        $object.required.push(serde_json::Value::from($key))
    };
    (optional $object:ident $key:expr) => {};
}
pub(crate) use field_require;

/// Declares a table: its struct, reader, keys and schema.
macro_rules! table {
    (
        $(#[doc = $about:literal])*
        $name:ident as $title:literal {
            $( $(#[doc = $key_about:literal])* $key:ident: $mode:ident $ty:ty, )*
            $( + $shared:ident: $shared_ty:ty, )*
        }
        $( exclusive [ $($exclusive:ident),* ] )*
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug)]
        pub(crate) struct $name {
            $( $(#[doc = $key_about])* pub(crate) $key: $crate::decode::table::field_type!($mode $ty), )*
            $( pub(crate) $shared: $shared_ty, )*
            /// Where it stands.
            pub(crate) place: $crate::problem::Place,
            /// Whether something in it could not be read.
            pub(crate) faulty: bool,
        }

        impl $crate::decode::Table for $name {
            const TITLE: &'static str = $title;
            const ABOUT: &'static [&'static str] = &[$($about),*];

            fn keys() -> Vec<$crate::decode::KeyInfo> {
                let own: &[$crate::decode::KeyInfo] = &[
                    $( $crate::decode::KeyInfo { name: stringify!($key), about: &[$($key_about),*] }, )*
                ];
                let shared: &[fn() -> Vec<$crate::decode::KeyInfo>] =
                    &[$( <$shared_ty as $crate::decode::Table>::keys ),*];
                own.iter().copied().chain(shared.iter().flat_map(|keys| keys())).collect()
            }

            fn take(
                fields: &mut $crate::decode::Fields<'_, '_>,
                decoder: &mut $crate::decode::Decoder<'_>,
            ) -> Option<Self> {
                let _ = &decoder;
                $(
                    let info = $crate::decode::KeyInfo { name: stringify!($key), about: &[$($key_about),*] };
                    let $key = $crate::decode::table::field_read!($mode fields decoder info);
                )*
                $( let $shared = <$shared_ty as $crate::decode::Table>::take(fields, decoder); )*
                $( fields.exclude(&[$(stringify!($exclusive)),*], decoder); )*
                let (place, faulty) = (fields.place, fields.faulty);
                Some(Self { $($key: $key?,)* $($shared: $shared?,)* place, faulty })
            }

            fn state(&self) -> ($crate::problem::Place, bool) {
                (self.place, self.faulty)
            }

            fn describe(
                schema: &mut $crate::decode::Schema,
                object: &mut $crate::decode::ObjectSchema,
            ) {
                let _ = (&schema, &object);
                $(
                    let value = <$ty as $crate::decode::Decode>::schema(schema);
                    let about = $crate::decode::table::joined(&[$($key_about),*]);
                    object.property(stringify!($key), &about, value);
                    $crate::decode::table::field_require!($mode object stringify!($key));
                )*
                $( <$shared_ty as $crate::decode::Table>::describe(schema, object); )*
                $(
                    let keys = [$(stringify!($exclusive)),*];
                    for (i, a) in keys.iter().enumerate() {
                        object.exclusive.extend(keys[i + 1..].iter().map(|b| [*a, *b]));
                    }
                )*
            }
        }

        impl $crate::decode::Decode for $name {
            fn decode(
                value: &$crate::decode::Raw<'_>,
                decoder: &mut $crate::decode::Decoder<'_>,
            ) -> Option<Self> {
                $crate::decode::decode_table(value, decoder)
            }

            fn schema(schema: &mut $crate::decode::Schema) -> serde_json::Value {
                schema.reference(stringify!($name), |schema| {
                    let mut object = $crate::decode::ObjectSchema::default();
                    <Self as $crate::decode::Table>::describe(schema, &mut object);
                    let about = $crate::decode::table::joined(&[$($about),*]);
                    object.finish(&about)
                })
            }
        }
    };
}
pub(crate) use table;

/// Declares a table that comes in kinds, told apart by its key `kind`.
macro_rules! choice {
    (
        $(#[doc = $about:literal])*
        $name:ident as $title:literal {
            $( $kind:literal => $variant:ident($ty:ty), )*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug)]
        pub(crate) enum $name {
            $(
                #[doc = concat!("`", $kind, "`")]
                $variant(Box<$ty>),
            )*
        }

        impl $name {
            const KINDS: &'static [&'static str] = &[$($kind),*];
        }

        impl $crate::decode::table::Placed for $name {
            fn place(&self) -> $crate::problem::Place {
                match self {
                    $( Self::$variant(table) => $crate::decode::Table::state(table.as_ref()).0, )*
                }
            }
        }

        impl $crate::decode::Decode for $name {
            fn decode(
                value: &$crate::decode::Raw<'_>,
                decoder: &mut $crate::decode::Decoder<'_>,
            ) -> Option<Self> {
                use $crate::decode::table::{decode_keys, kind_of};
                let place = decoder.place(value);
                let (table, kind) = kind_of(value, Self::KINDS, $title, decoder)?;
                match kind {
                    $(
                        $kind => {
                            let title = <$ty as $crate::decode::Table>::TITLE;
                            let keys = decode_keys::<$ty>(table, place, title, &["kind"], decoder);
                            keys.map(|keys| Self::$variant(Box::new(keys)))
                        }
                    )*
                    _ => {
                        $crate::decode::unknown_kind(table, kind, Self::KINDS, $title, decoder);
                        None
                    }
                }
            }

            fn schema(schema: &mut $crate::decode::Schema) -> serde_json::Value {
                schema.reference(stringify!($name), |schema| {
                    let mut kinds: Vec<serde_json::Value> = Vec::new();
                    $({
                        let mut object = $crate::decode::ObjectSchema::default();
                        let kind = serde_json::json!({ "const": $kind });
                        object.property("kind", "Which kind it is.", kind);
                        object.required.push(serde_json::Value::from("kind"));
                        <$ty as $crate::decode::Table>::describe(schema, &mut object);
                        let about = <$ty as $crate::decode::Table>::ABOUT;
                        kinds.push(object.finish(&$crate::decode::table::joined(about)));
                    })*
                    let about = $crate::decode::table::joined(&[$($about),*]);
                    serde_json::json!({ "description": about, "oneOf": kinds })
                })
            }
        }
    };
}
pub(crate) use choice;
