//! The language of expressions: `2*height + 0.1`, `if n > 3 { 1 } else { 0.5 }`.
//!
//! Every number of a scene may be written as an expression of its parameters. The language has numbers,
//! truth values, texts and vectors; operators, functions and a choice, and nothing that repeats, assigns or
//! reaches outside. So an expression always ends: its cost is bounded by its length.
//!
//! | | |
//! |---|---|
//! | numbers | `2`, `0.5`, `1e-3`, `1_000`; all are floating-point, so `1/2` is 0.5 |
//! | operators, loosest first | `\|\|`, `&&`, `== !=`, `< <= > >=`, `+ -`, `* / %`, unary `- !`, `**` (from the right) |
//! | choice | `if condition { a } else { b }`, chained by `else if`; the branch not taken is not evaluated |
//! | texts | `"steel"` or `'steel'`; they can be compared |
//! | vectors | `[x, y, z]` with `+`, `-`, `*` and `/` by numbers, and parts `.x`, `.y`, `.z` |
//! | constants | `pi`, `tau`, `true`, `false` |
//! | functions | [`function_names`] |
//!
//! Transcendental functions come from `libm` and give the same bits on every machine. The syntax is that of
//! rhai's expressions, so that scripts in that language can later say the same things in the same words.

mod eval;
mod functions;
mod lex;
mod parse;
#[cfg(test)]
mod tests;
mod value;

use std::fmt;
use std::ops::Range;

pub use functions::{CONSTANTS, function_names};
use parse::Node;
pub use value::Value;

/// An expression that has been read, without the names it mentions being known yet.
#[derive(Clone, Debug)]
pub struct Expression {
    root: Node,
    names: Vec<String>,
    n_nodes: u32,
}

/// What is wrong with an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionError {
    /// Where in the text of the expression `[byte]`.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
}

/// What the names in an expression stand for.
pub trait Environment {
    /// The value of a variable.
    fn variable(&self, name: &str) -> Option<Value>;

    /// The value of a function that is not built in; none if there is no such function.
    fn call(&self, _name: &str, _arguments: &[Value]) -> Option<Result<Value, String>> {
        None
    }

    /// The names that a mistaken one may have meant: variables and own functions.
    fn names(&self) -> Vec<String>;
}

/// Nothing but the constants and built-in functions.
#[derive(Clone, Copy, Debug)]
pub struct NoNames;

impl Environment for NoNames {
    fn variable(&self, _name: &str) -> Option<Value> {
        None
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

impl Expression {
    /// Reads an expression of at most `max_bytes` bytes.
    ///
    /// # Errors
    /// If the text is too long, nested too deeply or breaks the rules of the language.
    pub fn new(text: &str, max_bytes: usize) -> Result<Self, ExpressionError> {
        if text.len() > max_bytes {
            let message = format!(
                "the expression has {} characters, more than the limit of {max_bytes}",
                text.len()
            );
            let hint = Some("split it over several parameters".to_owned());
            return Err(ExpressionError { span: 0..text.len(), message, hint });
        }
        parse::parse(text)
    }

    /// The variables and functions it mentions, constants and built-in functions left out, each once.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// How many values it is made of: a bound on the work of one evaluation.
    pub fn n_nodes(&self) -> u32 {
        self.n_nodes
    }

    /// Its value.
    ///
    /// # Errors
    /// If it mentions unknown names, mixes up kinds of values or divides by zero.
    pub fn evaluate(&self, names: &dyn Environment) -> Result<Value, ExpressionError> {
        eval::evaluate(&self.root, names)
    }
}

impl ExpressionError {
    fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), hint: None }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, "\nhint: {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ExpressionError {}
