//! What the language complains of, in our words and at its place.

use std::ops::Range;

use rhai::{EvalAltResult, ParseError, ParseErrorType, Position};

use super::engine::DEEPEST;
use super::functions::{function_names, usage};
use super::{CONSTANTS, Environment, ExpressionError};
use crate::suggest::nearest;

/// A text that is no expression.
pub(crate) fn parse_error(text: &str, error: &ParseError) -> ExpressionError {
    let span = span_at(text, error.position());
    if !matches!(error.err_type(), ParseErrorType::ExprTooDeep)
        && let Some(slip) = common_slip(text, &span)
    {
        return slip;
    }
    let end = span.start >= text.len();
    match error.err_type() {
        ParseErrorType::MissingToken(token, _) if token == "{" && has_word(text, "if") => {
            ExpressionError::new(span, "a choice needs braces")
                .hint("choices are written `if condition { a } else { b }`")
        }
        ParseErrorType::MissingToken(token, _) => {
            let stops = if end { "the expression stops here, but " } else { "" };
            ExpressionError::new(span, format!("{stops}`{token}` should follow"))
        }
        ParseErrorType::UnexpectedEOF => {
            ExpressionError::new(span, "the expression stops here, but something should follow")
        }
        ParseErrorType::ExprExpected(_) if end => {
            ExpressionError::new(span, "the expression stops here, but something should follow")
        }
        ParseErrorType::ExprTooDeep => {
            let message = format!("the expression is nested deeper than {DEEPEST} levels");
            ExpressionError::new(span, message)
                .hint("split it over several parameters")
        }
        ParseErrorType::Reserved(word) => {
            ExpressionError::new(span, format!("`{word}` cannot be used in expressions"))
                .hint("expressions have operators, functions and `if`, but no loops and nothing that reaches outside")
        }
        ParseErrorType::BadInput(rhai::LexError::ImproperSymbol(word, _)) => {
            ExpressionError::new(span, format!("`{word}` cannot be used in expressions"))
        }
        ParseErrorType::BadInput(what) => ExpressionError::new(span, lowered(&what.to_string())),
        other => ExpressionError::new(span, lowered(&other.to_string())),
    }
}

/// An expression that has no value.
pub(crate) fn run_error(
    text: &str,
    error: &EvalAltResult,
    names: &dyn Environment,
) -> ExpressionError {
    let span = span_at(text, error.position());
    match error {
        EvalAltResult::ErrorVariableNotFound(name, _) => unknown_name(name, span, names),
        EvalAltResult::ErrorFunctionNotFound(signature, _) => {
            unknown_function(signature, span, names)
        }
        EvalAltResult::ErrorInFunctionCall(.., inner, _) => run_error(text, inner, names),
        EvalAltResult::ErrorTooManyOperations(_) => {
            ExpressionError::new(span, "the expression takes too many operations")
        }
        EvalAltResult::ErrorRuntime(what, _) => ExpressionError::new(span, what.to_string()),
        EvalAltResult::ErrorMismatchDataType(expected, found, _) if expected == "bool" => {
            let message = format!("a condition is needed here, but this is {}", kind(found));
            ExpressionError::new(span, message).hint("conditions are written `a < b`, `a == b`, …")
        }
        EvalAltResult::ErrorMismatchDataType(expected, found, _) => {
            let message = format!("{} is needed here, but this is {}", kind(expected), kind(found));
            ExpressionError::new(span, message)
        }
        EvalAltResult::ErrorAssignmentToConstant(name, _) => {
            ExpressionError::new(span, format!("`{name}` cannot be given another value"))
                .hint("to compare, write `==`; for a name of your own, `let r = …;`")
        }
        EvalAltResult::ErrorDotExpr(..) | EvalAltResult::ErrorPropertyNotFound(..) => {
            ExpressionError::new(span, "there is no such part").hint(names.parts())
        }
        other => {
            let message = other.unwrap_inner().to_string();
            let message = message.split(" (line ").next().unwrap_or(&message);
            ExpressionError::new(span, lowered(message))
        }
    }
}

fn unknown_name(name: &str, span: Range<usize>, names: &dyn Environment) -> ExpressionError {
    if let Some(usage) = usage(name) {
        let message = format!("`{name}` is a function; write `{name}(…)`");
        return ExpressionError::new(span, message).hint(usage);
    }
    let error = ExpressionError::new(span, format!("nothing is called `{name}`"));
    let known = names.names();
    let constants = CONSTANTS.iter().map(|(constant, _)| *constant);
    match nearest(name, known.iter().map(String::as_str).chain(constants)) {
        Some(near) => error.hint(format!("did you mean `{near}`?")),
        None => error,
    }
}

/// `signature` is a name with the types it was given: `foo (f64, array)`.
fn unknown_function(
    signature: &str,
    span: Range<usize>,
    names: &dyn Environment,
) -> ExpressionError {
    let (name, given) = signature.split_once(" (").unwrap_or((signature, ""));
    let given: Vec<&str> = given
        .strip_suffix(')')
        .unwrap_or(given)
        .split(", ")
        .filter(|it| !it.is_empty())
        .map(kind)
        .collect();
    let given = if given.is_empty() { "nothing".to_owned() } else { given.join(" and ") };
    if let Some(part) = name.strip_prefix("get$") {
        return ExpressionError::new(span, format!("{given} has no part `{part}`"))
            .hint("vectors have the parts `.x`, `.y` and `.z`");
    }
    if !name.starts_with(|first: char| first.is_alphabetic() || first == '_') {
        if name == "^" {
            let error = ExpressionError::new(span, "`^` is no operator");
            return error.hint("powers are written `x**2`");
        }
        return ExpressionError::new(span, format!("`{name}` cannot be applied to {given}"));
    }
    if let Some(usage) = usage(name) {
        let message = format!("this function is used as {usage}; here it is given {given}");
        return ExpressionError::new(span, message);
    }
    let own = names.names();
    if own.iter().any(|known| known == name) {
        let message = format!("`{name}` cannot be called with {given}");
        let error = ExpressionError::new(span, message);
        return match names.usage(name) {
            Some(form) => error.hint(format!("it is written {form}")),
            None => error,
        };
    }
    let error = ExpressionError::new(span, format!("there is no function `{name}`"));
    let functions = function_names().map(|(function, _)| function);
    match nearest(name, functions.chain(own.iter().map(String::as_str))) {
        Some(near) => error.hint(format!("did you mean `{near}`?")),
        None => error,
    }
}

/// What people write who come from mathematics or other languages.
fn common_slip(text: &str, span: &Range<usize>) -> Option<ExpressionError> {
    let find = |sign: &str| text.find(sign).map(|at| at..at + sign.len());
    if let Some(span) = find("−").or_else(|| find("–")) {
        return Some(
            ExpressionError::new(span, "this is a printed minus sign")
                .hint("use the sign on the keyboard, `-`"),
        );
    }
    if let Some(span) = find("?") {
        return Some(
            ExpressionError::new(span, "there is no `?` in expressions")
                .hint("choices are written `if condition { a } else { b }`"),
        );
    }
    let before = text[..span.start.min(text.len())].trim_end();
    let found = text.get(span.clone()).unwrap_or_default();
    let last_word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let after_value = before.ends_with(|c: char| c.is_alphanumeric() || c == ')')
        && !["if", "else", "let", "return"].contains(&last_word);
    if after_value && found.starts_with(|c: char| c.is_alphanumeric() || c == '(') {
        return Some(
            ExpressionError::new(span.clone(), "expected an operator or the end here")
                .hint(
                    "a product is written with `*`, such as `2*height`; units are not written: all numbers \
                     are in SI units",
                ),
        );
    }
    None
}

/// The words or the sign at a position.
fn span_at(text: &str, position: Position) -> Range<usize> {
    let Some(column) = position.position().filter(|column| *column > 0) else {
        return text.len()..text.len();
    };
    let line = position.line().unwrap_or(1);
    let line_start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let rest = &text[line_start.min(text.len())..];
    let start = rest.char_indices().nth(column - 1).map_or(text.len(), |(at, _)| line_start + at);
    let tail = &text[start..];
    let word = tail.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(tail.len());
    let length = if word > 0 { word } else { tail.chars().next().map_or(0, char::len_utf8) };
    start..start + length
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|part| part == word)
}

/// What a type of the language is called in a scene.
fn kind(type_name: &str) -> &str {
    match type_name.trim() {
        "f64" | "i64" => "a number",
        "bool" => "true or false",
        "string" | "char" => "a text",
        text if text.contains("String") => "a text",
        "array" => "a vector",
        "Fn" => "a function",
        "()" => "nothing",
        other => other,
    }
}

fn lowered(message: &str) -> String {
    let mut letters = message.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}
