//! The values that stand behind keys: numbers or expressions, texts, flags, vectors, lists.

use std::ops::Range;
use std::rc::Rc;

use serde_json::{Value as Json, json};
use toml::de::{DeFloat, DeInteger, DeValue};

use super::{Decode, Decoder, Raw, Schema};
use crate::expression::{Expression, ExpressionError};
use crate::problem::{Place, Problem};

/// A number, or an expression that gives one.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    pub(crate) place: Place,
    pub(crate) kind: NumberKind,
}

#[derive(Clone, Debug)]
pub(crate) enum NumberKind {
    Literal(f64),
    /// The expression, and where its text begins in the file; none if escapes make the two differ.
    Expression(Rc<Expression>, Option<u32>),
}

impl Decode for Number {
    fn decode(value: &Raw<'_>, decoder: &mut Decoder<'_>) -> Option<Self> {
        let place = decoder.place(value);
        let kind = match value.get_ref() {
            DeValue::Integer(integer) => NumberKind::Literal(integer_value(integer)),
            DeValue::Float(float) => NumberKind::Literal(float_value(float)),
            DeValue::String(text) => expression(value.span(), text, decoder)?,
            _ => {
                decoder.wrong_kind(value, "a number, or an expression in quotes");
                return None;
            }
        };
        if let NumberKind::Literal(number) = kind
            && !number.is_finite()
        {
            let message = format!("`{}` must be a finite number", decoder.key);
            decoder
                .problems
                .push(Problem::error(place, message).label(format!("this is {number}")));
            return None;
        }
        Some(Self { place, kind })
    }

    fn schema(schema: &mut Schema) -> Json {
        schema.reference("Number", |_| {
            json!({
                "description": "A number, or an expression of the parameters such as \"2*height + 0.1\".",
                "type": ["number", "string"],
            })
        })
    }
}

fn integer_value(integer: &DeInteger<'_>) -> f64 {
    match integer.radix() {
        10 => integer.as_str().parse().unwrap_or(f64::NAN),
        radix => {
            i64::from_str_radix(integer.as_str(), radix).map_or(f64::NAN, |value| value as f64)
        }
    }
}

fn float_value(float: &DeFloat<'_>) -> f64 {
    float.as_str().parse().unwrap_or(f64::NAN)
}

/// Compiles the expression in a text.
pub(crate) fn expression(
    span: Range<usize>,
    text: &str,
    decoder: &mut Decoder<'_>,
) -> Option<NumberKind> {
    let start = content_start(decoder.text, &span, text);
    match decoder.expressions.get(text) {
        Ok(expression) => Some(NumberKind::Expression(expression, start)),
        Err(error) => {
            let whole = Place::new(decoder.file, span);
            decoder.problems.push(expression_problem(whole, start, error));
            None
        }
    }
}

/// Where the content of a TOML string begins, if it stands there letter by letter.
pub(crate) fn content_start(file: &str, span: &Range<usize>, content: &str) -> Option<u32> {
    let written = file.get(span.clone())?;
    let quotes = ["\"\"\"\n", "'''\n", "\"\"\"\r\n", "'''\r\n", "\"\"\"", "'''", "\"", "'"];
    let opening = quotes.into_iter().find(|quote| written.starts_with(quote))?.len();
    written[opening..].starts_with(content).then_some((span.start + opening) as u32)
}

/// A stretch of an expression in its file; the whole text where the two differ.
pub(crate) fn expression_place(whole: Place, start: Option<u32>, span: &Range<usize>) -> Place {
    let Some(start) = start else { return whole };
    Place::new(whole.file, start as usize + span.start..start as usize + span.end)
}

/// What is wrong with an expression, shown in its file.
pub(crate) fn expression_problem(
    whole: Place,
    start: Option<u32>,
    error: ExpressionError,
) -> Problem {
    let place = expression_place(whole, start, &error.span);
    Problem { hint: error.hint, ..Problem::error(place, error.message) }
}

/// A text with its place.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) place: Place,
    pub(crate) value: String,
    /// Where its content begins in the file, if it stands there letter by letter.
    pub(crate) start: Option<u32>,
}

impl Decode for Text {
    fn decode(value: &Raw<'_>, decoder: &mut Decoder<'_>) -> Option<Self> {
        let DeValue::String(text) = value.get_ref() else {
            decoder.wrong_kind(value, "a text in quotes");
            return None;
        };
        let start = content_start(decoder.text, &value.span(), text);
        Some(Self { place: decoder.place(value), value: text.as_ref().to_owned(), start })
    }

    fn schema(_: &mut Schema) -> Json {
        json!({ "type": "string" })
    }
}

/// True or false.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flag {
    pub(crate) value: bool,
}

impl Decode for Flag {
    fn decode(value: &Raw<'_>, decoder: &mut Decoder<'_>) -> Option<Self> {
        let DeValue::Boolean(flag) = value.get_ref() else {
            decoder.wrong_kind(value, "true or false");
            return None;
        };
        Some(Self { value: *flag })
    }

    fn schema(_: &mut Schema) -> Json {
        json!({ "type": "boolean" })
    }
}

/// A fixed count of values.
#[derive(Clone, Debug)]
pub(crate) struct Many<T, const N: usize> {
    pub(crate) place: Place,
    pub(crate) values: Box<[T; N]>,
}

/// Three numbers.
pub(crate) type Vector = Many<Number, 3>;

/// Four numbers.
pub(crate) type Four = Many<Number, 4>;

/// Three rows of three numbers.
pub(crate) type Matrix = Many<Vector, 3>;

impl<T: Decode, const N: usize> Decode for Many<T, N> {
    fn decode(value: &Raw<'_>, decoder: &mut Decoder<'_>) -> Option<Self> {
        let expected = || format!("a list of {N} numbers, such as [{}]", vec!["0"; N].join(", "));
        let DeValue::Array(array) = value.get_ref() else {
            decoder.wrong_kind(value, &expected());
            return None;
        };
        if array.len() != N {
            let problem = Problem::error(
                decoder.place(value),
                format!("`{}` must be {}", decoder.key, expected()),
            )
            .label(format!("this has {}", array.len()));
            decoder.problems.push(problem);
            return None;
        }
        // All are read before one that failed ends the vector, so that each mistake is told.
        let values: Vec<Option<T>> = array.iter().map(|value| T::decode(value, decoder)).collect();
        let values: Vec<T> = values.into_iter().collect::<Option<_>>()?;
        Some(Self { place: decoder.place(value), values: Box::new(values.try_into().ok()?) })
    }

    fn schema(schema: &mut Schema) -> Json {
        let items = T::schema(schema);
        json!({ "type": "array", "items": items, "minItems": N, "maxItems": N })
    }
}

impl<T: Decode> Decode for Vec<T> {
    fn decode(value: &Raw<'_>, decoder: &mut Decoder<'_>) -> Option<Self> {
        let DeValue::Array(array) = value.get_ref() else {
            decoder.wrong_kind(value, "a list");
            return None;
        };
        let values: Vec<Option<T>> = array.iter().map(|value| T::decode(value, decoder)).collect();
        values.into_iter().collect()
    }

    fn schema(schema: &mut Schema) -> Json {
        let items = T::schema(schema);
        json!({ "type": "array", "items": items })
    }
}

/// A number, true or false, or a text that is an expression or a word.
#[derive(Clone, Debug)]
pub(crate) struct Scalar {
    pub(crate) place: Place,
    pub(crate) kind: ScalarKind,
}

#[derive(Clone, Debug)]
pub(crate) enum ScalarKind {
    Number(f64),
    Flag(bool),
    Text(Text),
}

impl Decode for Scalar {
    fn decode(value: &Raw<'_>, decoder: &mut Decoder<'_>) -> Option<Self> {
        let place = decoder.place(value);
        let kind = match value.get_ref() {
            DeValue::Boolean(flag) => ScalarKind::Flag(*flag),
            DeValue::String(_) => ScalarKind::Text(Text::decode(value, decoder)?),
            DeValue::Integer(_) | DeValue::Float(_) => match Number::decode(value, decoder)?.kind {
                NumberKind::Literal(number) => ScalarKind::Number(number),
                NumberKind::Expression(..) => return None,
            },
            _ => {
                decoder.wrong_kind(value, "a number, an expression, a word, or true or false");
                return None;
            }
        };
        Some(Self { place, kind })
    }

    fn schema(_: &mut Schema) -> Json {
        json!({ "type": ["number", "string", "boolean"] })
    }
}

/// Tables of one kind, those that could not be read left out.
#[derive(Clone, Debug)]
pub(crate) struct Tables<T> {
    pub(crate) tables: Vec<T>,
    pub(crate) broken: Vec<Broken>,
}

/// What is known of a table that could not be read.
#[derive(Clone, Debug)]
pub(crate) struct Broken {
    /// Its name, so that nobody complains that it does not exist.
    pub(crate) name: Option<String>,
}

impl<T> Default for Tables<T> {
    fn default() -> Self {
        Self { tables: Vec::new(), broken: Vec::new() }
    }
}

impl<T: Decode> Decode for Tables<T> {
    fn decode(value: &Raw<'_>, decoder: &mut Decoder<'_>) -> Option<Self> {
        let DeValue::Array(array) = value.get_ref() else {
            let key = decoder.key.clone();
            decoder.wrong_kind(value, &format!("a list of tables, each beginning with [[{key}]]"));
            return None;
        };
        let mut tables = Self { tables: Vec::with_capacity(array.len()), broken: Vec::new() };
        for value in array {
            if let Some(table) = T::decode(value, decoder) {
                tables.tables.push(table);
            } else {
                let name = value.get_ref().get("name").and_then(|name| name.get_ref().as_str());
                tables.broken.push(Broken { name: name.map(str::to_owned) });
            }
        }
        Some(tables)
    }

    fn schema(schema: &mut Schema) -> Json {
        Vec::<T>::schema(schema)
    }
}
