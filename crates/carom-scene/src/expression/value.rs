//! What expressions are about.

use std::fmt;
use std::sync::Arc;

use glam::DVec3;
use rhai::{Dynamic, Engine};

use super::functions::{list, vector};

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number; not always finite.
    Number(f64),
    /// True or false.
    Bool(bool),
    /// A text.
    Text(Arc<str>),
    /// Three numbers.
    Vector(DVec3),
}

impl Value {
    /// What kind of value it is, as it follows "is".
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Number(_) => "a number",
            Self::Bool(_) => "true or false",
            Self::Text(_) => "a text",
            Self::Vector(_) => "a vector",
        }
    }

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }
}

impl Value {
    /// What a value of the language is to a scene.
    pub(super) fn of(value: &Dynamic) -> Option<Self> {
        if let Ok(number) = value.as_float() {
            return Some(Self::Number(number));
        }
        if let Ok(flag) = value.as_bool() {
            return Some(Self::Bool(flag));
        }
        if let Ok(text) = value.as_immutable_string_ref() {
            return Some(Self::Text(Arc::from(text.as_str())));
        }
        let list = value.as_array_ref().ok()?;
        vector(&list).ok().map(Self::Vector)
    }
}

impl From<Value> for Dynamic {
    fn from(value: Value) -> Self {
        match value {
            Value::Number(number) => Self::from_float(number),
            Value::Bool(flag) => Self::from_bool(flag),
            Value::Text(text) => text.to_string().into(),
            Value::Vector(v) => Self::from_array(list(v)),
        }
    }
}

/// What kind of value of the language this is, as it follows "gives".
pub(super) fn kind_of(value: &Dynamic, engine: &Engine) -> String {
    match engine.map_type_name(value.type_name()) {
        "()" => "nothing".to_owned(),
        "array" => "a list that is no vector".to_owned(),
        "Fn" => "a function".to_owned(),
        named if named.starts_with("a ") || named.starts_with("the ") => named.to_owned(),
        other => format!("a {}", other.rsplit("::").next().unwrap_or(other)),
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Bool(flag) => write!(f, "{flag}"),
            Self::Text(text) => write!(f, "{text}"),
            Self::Vector(v) => write!(f, "[{}, {}, {}]", v.x, v.y, v.z),
        }
    }
}
