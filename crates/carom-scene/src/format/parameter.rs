//! Parameters: named values for expressions.

use serde_json::{Value as Json, json};
use toml::de::DeValue;

use crate::decode::{Decode, Decoder, Number, Raw, Scalar, Schema, Text, table};
use crate::problem::Place;

table! {
    /// A parameter with a range, a unit and a remark.
    ParameterTable as "a parameter" {
        /// Its value: a number, an expression of other parameters, true or false, or a word.
        value: required Scalar,
        /// Smallest value allowed.
        min: optional Number,
        /// Largest value allowed.
        max: optional Number,
        /// Its unit, for people: numbers are not converted.
        unit: optional Text,
        /// A remark.
        about: optional Text,
    }
}

/// A parameter as one file states it.
#[derive(Clone, Debug)]
pub(crate) struct ParameterEntry {
    pub(crate) name: String,
    pub(crate) name_place: Place,
    pub(crate) table: ParameterTable,
}

/// All parameters that one file states.
#[derive(Clone, Debug, Default)]
pub(crate) struct ParameterMap {
    pub(crate) entries: Vec<ParameterEntry>,
    /// Names whose values could not be read.
    pub(crate) broken: Vec<String>,
}

impl Decode for ParameterMap {
    fn decode(value: &Raw<'_>, decoder: &mut Decoder<'_>) -> Option<Self> {
        let DeValue::Table(table) = value.get_ref() else {
            decoder.wrong_kind(value, "a table of names and values");
            return None;
        };
        let mut map = Self::default();
        for (key, value) in table {
            let name = key.get_ref().as_ref().to_owned();
            let outer = std::mem::replace(&mut decoder.key, name.clone());
            let table = if value.get_ref().is_table() {
                ParameterTable::decode(value, decoder)
            } else {
                Scalar::decode(value, decoder).map(|scalar| plain(scalar, decoder.place(value)))
            };
            decoder.key = outer;
            let name_place = Place::new(decoder.file, key.span());
            match table {
                Some(table) => map.entries.push(ParameterEntry { name, name_place, table }),
                None => map.broken.push(name),
            }
        }
        map.entries.sort_by_key(|entry| entry.name_place);
        Some(map)
    }

    fn schema(schema: &mut Schema) -> Json {
        let (table, scalar) = (ParameterTable::schema(schema), Scalar::schema(schema));
        json!({
            "type": "object",
            "propertyNames": { "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" },
            "additionalProperties": { "anyOf": [scalar, table] },
        })
    }
}

fn plain(value: Scalar, place: Place) -> ParameterTable {
    ParameterTable { value, min: None, max: None, unit: None, about: None, place, faulty: false }
}
