//! The functions that every expression may use.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use super::Value;

/// Numbers that have a name.
pub const CONSTANTS: [(&str, f64); 2] = [("pi", PI), ("tau", TAU)];

/// A function of numbers or vectors.
#[derive(Clone, Copy)]
enum Function {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
    Three(fn(f64, f64, f64) -> f64),
    /// Of at least one number, combined from the left.
    Fold(fn(f64, f64) -> f64),
    Length,
    Dot,
    Cross,
}

/// All functions by name, with what they give, for the manual.
const FUNCTIONS: [(&str, Function, &str); 27] = [
    ("abs", Function::One(f64::abs), "abs(x): x without its sign"),
    ("acos", Function::One(libm::acos), "acos(x): the angle with that cosine, in radians"),
    ("asin", Function::One(libm::asin), "asin(x): the angle with that sine, in radians"),
    ("atan", Function::One(libm::atan), "atan(x): the angle with that tangent, in radians"),
    ("atan2", Function::Two(libm::atan2), "atan2(y, x): the angle of the point (x, y), in radians"),
    ("ceil", Function::One(f64::ceil), "ceil(x): the next whole number up"),
    ("clamp", Function::Three(clamp), "clamp(x, low, high): x brought between low and high"),
    ("cos", Function::One(libm::cos), "cos(angle in radians)"),
    ("cross", Function::Cross, "cross(a, b): the vector product"),
    ("deg", Function::One(degrees), "deg(angle in radians): the angle in degrees"),
    ("dot", Function::Dot, "dot(a, b): the scalar product of two vectors"),
    ("exp", Function::One(libm::exp), "exp(x): e to the power of x"),
    ("floor", Function::One(f64::floor), "floor(x): the next whole number down"),
    ("hypot", Function::Two(libm::hypot), "hypot(x, y): the square root of x² + y²"),
    ("length", Function::Length, "length(v): the length of a vector"),
    ("ln", Function::One(libm::log), "ln(x): the natural logarithm"),
    ("log10", Function::One(libm::log10), "log10(x): the decimal logarithm"),
    ("max", Function::Fold(f64::max), "max(a, b, …): the largest"),
    ("min", Function::Fold(f64::min), "min(a, b, …): the smallest"),
    ("pow", Function::Two(libm::pow), "pow(x, y): x to the power of y, also x**y"),
    ("rad", Function::One(radians), "rad(angle in degrees): the angle in radians"),
    (
        "round",
        Function::One(f64::round),
        "round(x): the nearest whole number, halves away from zero",
    ),
    ("sign", Function::One(sign), "sign(x): -1, 0 or 1"),
    ("sin", Function::One(libm::sin), "sin(angle in radians)"),
    ("sqrt", Function::One(f64::sqrt), "sqrt(x): the square root"),
    ("tan", Function::One(libm::tan), "tan(angle in radians)"),
    ("trunc", Function::One(f64::trunc), "trunc(x): the whole part"),
];

/// The built-in functions with a line on each, by name.
pub fn function_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    FUNCTIONS.iter().map(|(name, _, about)| (*name, *about))
}

pub(super) fn is_function(name: &str) -> bool {
    find(name).is_some()
}

fn find(name: &str) -> Option<&'static (&'static str, Function, &'static str)> {
    FUNCTIONS.iter().find(|(known, ..)| *known == name)
}

/// The value of a built-in function; none if there is no such function.
pub(super) fn call(name: &str, arguments: &[Value]) -> Option<Result<Value, String>> {
    let (_, function, usage) = find(name)?;
    let value = match (*function, arguments) {
        (Function::One(f), &[Value::Number(x)]) => Value::Number(f(x)),
        (Function::Two(f), &[Value::Number(x), Value::Number(y)]) => Value::Number(f(x, y)),
        (Function::Three(f), &[Value::Number(x), Value::Number(y), Value::Number(z)]) => {
            Value::Number(f(x, y, z))
        }
        (Function::Fold(f), [first, rest @ ..]) => match fold(f, first, rest) {
            Some(value) => value,
            None => return Some(Err(misuse(usage, arguments))),
        },
        (Function::Length, &[Value::Vector(v)]) => Value::Number(length(v)),
        (Function::Dot, &[Value::Vector(a), Value::Vector(b)]) => Value::Number(a.dot(b)),
        (Function::Cross, &[Value::Vector(a), Value::Vector(b)]) => Value::Vector(a.cross(b)),
        _ => return Some(Err(misuse(usage, arguments))),
    };
    Some(Ok(value))
}

fn fold(f: fn(f64, f64) -> f64, first: &Value, rest: &[Value]) -> Option<Value> {
    let mut result = first.as_number()?;
    for value in rest {
        result = f(result, value.as_number()?);
    }
    Some(Value::Number(result))
}

fn misuse(usage: &str, arguments: &[Value]) -> String {
    let given: Vec<&str> = arguments.iter().map(Value::kind).collect();
    let given = if given.is_empty() { "nothing".to_owned() } else { given.join(", ") };
    format!("this function is used as {usage}; here it is given {given}")
}

fn clamp(x: f64, low: f64, high: f64) -> f64 {
    x.max(low).min(high)
}

fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

fn degrees(angle: f64) -> f64 {
    angle * (180.0 / PI)
}

fn radians(angle: f64) -> f64 {
    angle * (PI / 180.0)
}

fn length(v: DVec3) -> f64 {
    libm::hypot(libm::hypot(v.x, v.y), v.z)
}
