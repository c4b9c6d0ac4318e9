//! The value of a tree.

use std::ops::Range;

use glam::DVec3;

use super::functions::{self, function_names};
use super::parse::{Kind, Node};
use super::{CONSTANTS, Environment, ExpressionError, Value};
use crate::suggest::nearest;

type Result<T> = std::result::Result<T, ExpressionError>;

pub(super) fn evaluate(node: &Node, names: &dyn Environment) -> Result<Value> {
    match &node.kind {
        Kind::Value(value) => Ok(value.clone()),
        Kind::Variable(name) => {
            names.variable(name).ok_or_else(|| unknown_name(name, &node.span, names))
        }
        Kind::Unary(sign, inner) => unary(sign, evaluate(inner, names)?, &node.span),
        Kind::Binary(sign, sides) => binary(sign, sides, &node.span, names),
        Kind::Call(name, arguments) => call(name, arguments, &node.span, names),
        Kind::Vector(parts) => {
            let mut vector = DVec3::ZERO;
            for (i, part) in parts.iter().enumerate() {
                vector[i] = number(part, names)?;
            }
            Ok(Value::Vector(vector))
        }
        Kind::Part(inner, part) => match (evaluate(inner, names)?, part.as_str()) {
            (Value::Vector(v), "x") => Ok(Value::Number(v.x)),
            (Value::Vector(v), "y") => Ok(Value::Number(v.y)),
            (Value::Vector(v), "z") => Ok(Value::Number(v.z)),
            (value, _) => {
                let message = format!("{} has no part `{part}`", value.kind());
                Err(ExpressionError::new(node.span.clone(), message)
                    .hint("vectors have the parts `.x`, `.y` and `.z`"))
            }
        },
        Kind::If(branches) => {
            let [condition, then, otherwise] = branches.as_ref();
            let branch = if truth(condition, names)? { then } else { otherwise };
            evaluate(branch, names)
        }
    }
}

fn number(node: &Node, names: &dyn Environment) -> Result<f64> {
    let value = evaluate(node, names)?;
    value.as_number().ok_or_else(|| {
        ExpressionError::new(
            node.span.clone(),
            format!("expected a number, this is {}", value.kind()),
        )
    })
}

fn truth(node: &Node, names: &dyn Environment) -> Result<bool> {
    match evaluate(node, names)? {
        Value::Bool(truth) => Ok(truth),
        value => {
            let message = format!("expected a condition, this is {}", value.kind());
            Err(ExpressionError::new(node.span.clone(), message)
                .hint("a condition is a comparison such as `n > 3`"))
        }
    }
}

fn unary(sign: &str, value: Value, span: &Range<usize>) -> Result<Value> {
    Ok(match (sign, value) {
        ("-", Value::Number(x)) => Value::Number(-x),
        ("-", Value::Vector(v)) => Value::Vector(-v),
        ("+", value @ (Value::Number(_) | Value::Vector(_))) => value,
        ("!", Value::Bool(truth)) => Value::Bool(!truth),
        (_, value) => {
            let message = format!("`{sign}` cannot be applied to {}", value.kind());
            return Err(ExpressionError::new(span.clone(), message));
        }
    })
}

fn binary(
    sign: &str,
    sides: &[Node; 2],
    span: &Range<usize>,
    names: &dyn Environment,
) -> Result<Value> {
    let [left, right] = sides;
    match sign {
        "&&" => return Ok(Value::Bool(truth(left, names)? && truth(right, names)?)),
        "||" => return Ok(Value::Bool(truth(left, names)? || truth(right, names)?)),
        _ => {}
    }
    let (a, b) = (evaluate(left, names)?, evaluate(right, names)?);
    if matches!(sign, "/" | "%") && b == Value::Number(0.0) {
        return Err(ExpressionError::new(span.clone(), "division by zero")
            .hint("the divisor comes out as 0 with the present parameters"));
    }
    apply(sign, &a, &b).ok_or_else(|| {
        let message = format!("`{sign}` cannot be applied to {} and {}", a.kind(), b.kind());
        ExpressionError::new(span.clone(), message)
    })
}

fn apply(sign: &str, a: &Value, b: &Value) -> Option<Value> {
    Some(match (sign, a, b) {
        ("==", a, b) if a.kind() == b.kind() => Value::Bool(a == b),
        ("!=", a, b) if a.kind() == b.kind() => Value::Bool(a != b),
        (_, &Value::Number(x), &Value::Number(y)) => match sign {
            "+" => Value::Number(x + y),
            "-" => Value::Number(x - y),
            "*" => Value::Number(x * y),
            "/" => Value::Number(x / y),
            "%" => Value::Number(x % y),
            "**" => Value::Number(libm::pow(x, y)),
            "<" => Value::Bool(x < y),
            "<=" => Value::Bool(x <= y),
            ">" => Value::Bool(x > y),
            ">=" => Value::Bool(x >= y),
            _ => return None,
        },
        ("+", &Value::Vector(u), &Value::Vector(v)) => Value::Vector(u + v),
        ("-", &Value::Vector(u), &Value::Vector(v)) => Value::Vector(u - v),
        ("*", &Value::Vector(v), &Value::Number(x))
        | ("*", &Value::Number(x), &Value::Vector(v)) => Value::Vector(v * x),
        ("/", &Value::Vector(v), &Value::Number(x)) => Value::Vector(v / x),
        _ => return None,
    })
}

fn call(
    name: &str,
    arguments: &[Node],
    span: &Range<usize>,
    names: &dyn Environment,
) -> Result<Value> {
    let values = arguments.iter().map(|node| evaluate(node, names)).collect::<Result<Vec<_>>>()?;
    let answer = functions::call(name, &values).or_else(|| names.call(name, &values));
    match answer {
        Some(Ok(value)) => Ok(value),
        Some(Err(message)) => Err(ExpressionError::new(span.clone(), message)),
        None => {
            let own = names.names();
            let known =
                function_names().map(|(name, _)| name).chain(own.iter().map(String::as_str));
            let error = ExpressionError::new(
                span.start..span.start + name.len(),
                format!("there is no function `{name}`"),
            );
            Err(match nearest(name, known) {
                Some(near) => error.hint(format!("did you mean `{near}`?")),
                None => error,
            })
        }
    }
}

fn unknown_name(name: &str, span: &Range<usize>, names: &dyn Environment) -> ExpressionError {
    let error = ExpressionError::new(span.clone(), format!("nothing is called `{name}`"));
    if functions::is_function(name) {
        return error.hint(format!("`{name}` is a function: write `{name}(…)`"));
    }
    let own = names.names();
    let known = own.iter().map(String::as_str).chain(CONSTANTS.iter().map(|(name, _)| *name));
    match nearest(name, known) {
        Some(near) => error.hint(format!("did you mean `{near}`?")),
        None if own.is_empty() => error.hint(format!("define it: `{name} = …` under [parameters]")),
        None => {
            let known = crate::suggest::list(own.iter().map(String::as_str));
            error.hint(format!("known names: {known}; or define `{name} = …` under [parameters]"))
        }
    }
}
