//! The language of expressions: `2*height + 0.1`, `if n > 3 { 1 } else { 0.5 }`.
//!
//! Every number of a scene may be written as an expression of its parameters, and what a scene promises is
//! measured by expressions. The language is rhai, within walls: no files, no output, no loops, no functions of
//! one's own, no evaluation of texts; every expression ends after work that its length bounds.
//!
//! | | |
//! |---|---|
//! | numbers | `2`, `0.5`, `1e-3`, `1_000`; all are floating-point, so `1/2` is 0.5 |
//! | operators, loosest first | `\|\|`, `&&`, `== !=`, `< <= > >=`, `+ -`, `* / %`, `**`, unary `- !` |
//! | choice | `if condition { a } else { b }`, chained by `else if`; the branch not taken is not evaluated |
//! | names | `let r = 2*height; r*r` |
//! | texts | `"steel"` or `'steel'`; they can be compared |
//! | vectors | `[x, y, z]` with `+`, `-`, `*` and `/` by numbers, and parts `.x`, `.y`, `.z` |
//! | constants | `pi`, `tau`, `true`, `false` |
//! | functions | [`function_names`] |
//!
//! Transcendental functions and powers come from `libm` and give the same bits on every machine.

mod engine;
mod functions;
#[cfg(test)]
mod tests;
mod translate;
mod value;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use rhai::{AST, ASTNode, Engine, Expr, Scope};

pub(crate) use engine::{base_engine, shared_engine};
pub use functions::{CONSTANTS, function_names};
pub(crate) use translate::{parse_error, run_error};
pub use value::Value;

/// An expression that has been read, without the names it mentions being known yet.
#[derive(Clone, Debug)]
pub struct Expression {
    text: Arc<str>,
    ast: Arc<AST>,
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

    /// The names that a mistaken one may have meant: variables and own functions.
    fn names(&self) -> Vec<String>;

    /// How one of its own functions is written, for a hint.
    fn usage(&self, _name: &str) -> Option<&str> {
        None
    }

    /// What may follow a dot, for a hint.
    fn parts(&self) -> String {
        "vectors have the parts `.x`, `.y` and `.z`".to_owned()
    }
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
        if text.trim().is_empty() {
            return Err(ExpressionError::new(0..text.len(), "the expression is empty")
                .hint("write a number or an expression such as \"2*height\""));
        }
        let ast = shared_engine()
            .compile(with_double_quotes(text))
            .map_err(|error| parse_error(text, &error))?;
        let (names, n_nodes) = mentioned(&ast);
        Ok(Self { text: Arc::from(text), ast: Arc::new(ast), names, n_nodes })
    }

    /// The variables and functions it mentions, constants and built-in functions left out, each once.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// How many values it is made of: a bound on the work of one evaluation.
    pub fn n_nodes(&self) -> u32 {
        self.n_nodes
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its value.
    ///
    /// # Errors
    /// If it mentions unknown names or mixes up kinds of values.
    pub fn evaluate(&self, names: &dyn Environment) -> Result<Value, ExpressionError> {
        self.evaluate_with(shared_engine(), names)
    }

    /// Its value, with the functions of an engine of its own.
    pub(crate) fn evaluate_with(
        &self,
        engine: &Engine,
        names: &dyn Environment,
    ) -> Result<Value, ExpressionError> {
        let mut scope = Scope::new();
        for (name, value) in CONSTANTS {
            scope.push_constant(name, value);
        }
        for name in &self.names {
            if let Some(value) = names.variable(name) {
                scope.push_constant_dynamic(name.as_str(), value.into());
            }
        }
        let result = engine
            .eval_ast_with_scope::<rhai::Dynamic>(&mut scope, &self.ast)
            .map_err(|error| run_error(&self.text, &error, names))?;
        Value::of(&result).ok_or_else(|| {
            let message = format!("this gives {}, not a number", value::kind_of(&result, engine));
            ExpressionError::new(0..self.text.len(), message)
        })
    }
}

/// Texts may stand in single quotes, which are easier to write inside a string of a scene file; places stay.
fn with_double_quotes(text: &str) -> Cow<'_, str> {
    if text.contains('\'') && !text.contains('"') {
        Cow::Owned(text.replace('\'', "\""))
    } else {
        Cow::Borrowed(text)
    }
}

/// The names that a tree mentions, each once, and the number of its nodes.
fn mentioned(ast: &AST) -> (Vec<String>, u32) {
    let (mut names, mut n_nodes) = (Vec::new(), 0_u32);
    let mut add = |name: &str| {
        let known = CONSTANTS.iter().any(|(constant, _)| *constant == name)
            || functions::is_function(name)
            || !name.starts_with(|first: char| first.is_alphabetic() || first == '_');
        if !known && !names.iter().any(|other| other == name) {
            names.push(name.to_owned());
        }
    };
    ast.walk(&mut |path| {
        n_nodes = n_nodes.saturating_add(1);
        if let Some(ASTNode::Expr(node)) = path.last() {
            match node {
                Expr::Variable(variable, ..) => add(&variable.1),
                Expr::FnCall(call, _) => add(&call.name),
                _ => {}
            }
        }
        true
    });
    (names, n_nodes)
}

impl ExpressionError {
    pub(crate) fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), hint: None }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
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
