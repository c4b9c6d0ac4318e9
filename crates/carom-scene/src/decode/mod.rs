//! From TOML values with places to typed tables, every mistake noted on the way.
//!
//! A mistake never stops the reading: what cannot be read is left out, its table is marked `faulty` so that
//! nobody complains of what is missing from it, and the rest goes on.

pub(crate) mod declare;
mod lists;
mod schema;
pub(crate) mod table;
mod values;

use std::collections::HashMap;
use std::rc::Rc;

use toml::Spanned;
use toml::de::DeValue;

pub(crate) use declare::{choice, table};
pub(crate) use lists::{Numbers, Ranges};
pub(crate) use schema::{ObjectSchema, Schema};
pub(crate) use table::{Fields, KeyInfo, Table, decode_table, unknown_kind};
pub(crate) use values::{
    Broken, Flag, Four, Matrix, Number, NumberKind, Scalar, ScalarKind, Tables, Text, Vector,
    expression_place, expression_problem,
};

use crate::expression::Expression;
use crate::problem::{FileId, Place, Problem, Problems};

/// A value as the parser gives it.
pub(crate) type Raw<'i> = Spanned<DeValue<'i>>;

/// Something that can stand behind a key.
pub(crate) trait Decode: Sized {
    /// Reads it; none, with a problem noted, if the value is of another kind.
    fn decode(value: &Raw<'_>, decoder: &mut Decoder<'_>) -> Option<Self>;

    /// Its JSON Schema.
    fn schema(schema: &mut Schema) -> serde_json::Value;
}

/// What reading a file needs at every step.
pub(crate) struct Decoder<'a> {
    pub(crate) file: FileId,
    pub(crate) text: &'a str,
    pub(crate) problems: &'a mut Problems,
    pub(crate) expressions: &'a mut ExpressionCache,
    /// The key whose value is being read.
    pub(crate) key: String,
}

/// Expressions by their text, so that what many bodies say is read once.
#[derive(Debug, Default)]
pub(crate) struct ExpressionCache {
    pub(crate) max_bytes: usize,
    known: HashMap<String, Rc<Expression>>,
}

impl ExpressionCache {
    pub(crate) fn new(max_bytes: usize) -> Self {
        Self { max_bytes, known: HashMap::new() }
    }

    pub(crate) fn get(
        &mut self,
        text: &str,
    ) -> Result<Rc<Expression>, crate::expression::ExpressionError> {
        if let Some(known) = self.known.get(text) {
            return Ok(Rc::clone(known));
        }
        let expression = Rc::new(Expression::new(text, self.max_bytes)?);
        self.known.insert(text.to_owned(), Rc::clone(&expression));
        Ok(expression)
    }
}

impl Decoder<'_> {
    pub(crate) fn place(&self, value: &Raw<'_>) -> Place {
        Place::new(self.file, value.span())
    }

    /// Notes that a value is of the wrong kind.
    pub(crate) fn wrong_kind(&mut self, value: &Raw<'_>, expected: &str) {
        let found = found(value.get_ref());
        let message = format!("`{}` must be {expected}", self.key);
        let problem = Problem::error(self.place(value), message).label(format!("this is {found}"));
        self.problems.push(problem);
    }
}

/// What a value is, as it follows "this is".
pub(crate) fn found(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
