//! What expressions are about.

use std::fmt;
use std::sync::Arc;

use glam::DVec3;

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
