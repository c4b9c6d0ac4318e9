//! One value for all, or a list with one for each.

use serde_json::{Value as Json, json};
use toml::de::DeValue;

use super::{Decode, Decoder, Number, Raw, Schema};
use crate::problem::Place;

/// A number, or several.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    pub(crate) place: Place,
    pub(crate) values: Vec<Number>,
    /// Whether they stand in a list.
    pub(crate) is_list: bool,
}

impl Decode for Numbers {
    fn decode(value: &Raw<'_>, decoder: &mut Decoder<'_>) -> Option<Self> {
        let place = decoder.place(value);
        let is_list = matches!(value.get_ref(), DeValue::Array(_));
        let values = if is_list {
            Vec::decode(value, decoder)?
        } else {
            vec![Number::decode(value, decoder)?]
        };
        Some(Self { place, values, is_list })
    }

    fn schema(schema: &mut Schema) -> Json {
        let one = Number::schema(schema);
        json!({ "anyOf": [one, { "type": "array", "items": one }] })
    }
}

/// A smallest and a largest number, or several such pairs.
#[derive(Clone, Debug)]
pub(crate) struct Ranges {
    pub(crate) place: Place,
    pub(crate) values: Vec<[Number; 2]>,
    /// Whether the pairs stand in a list.
    pub(crate) is_list: bool,
}

impl Decode for Ranges {
    fn decode(value: &Raw<'_>, decoder: &mut Decoder<'_>) -> Option<Self> {
        let place = decoder.place(value);
        let DeValue::Array(array) = value.get_ref() else {
            decoder
                .wrong_kind(value, "a list of 2 numbers, such as [-1, 1], or a list of such lists");
            return None;
        };
        let is_list = array.iter().any(|entry| matches!(entry.get_ref(), DeValue::Array(_)));
        if !is_list {
            return Some(Self { place, values: vec![pair(value, decoder)?], is_list });
        }
        let values: Vec<Option<_>> = array.iter().map(|entry| pair(entry, decoder)).collect();
        Some(Self { place, values: values.into_iter().collect::<Option<_>>()?, is_list })
    }

    fn schema(schema: &mut Schema) -> Json {
        let one = super::values::Many::<Number, 2>::schema(schema);
        json!({ "anyOf": [one, { "type": "array", "items": one }] })
    }
}

fn pair(value: &Raw<'_>, decoder: &mut Decoder<'_>) -> Option<[Number; 2]> {
    super::values::Many::<Number, 2>::decode(value, decoder).map(|pair| *pair.values)
}
