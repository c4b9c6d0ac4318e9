//! Units of length that mesh files come in.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A unit of length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Metre.
    #[default]
    Metre,
    /// Centimetre.
    Centimetre,
    /// Millimetre.
    Millimetre,
    /// Micrometre.
    Micrometre,
    /// Inch of 25.4 mm.
    Inch,
    /// Foot of 12 inches.
    Foot,
}

/// A name that stands for no unit.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no unit of length \"{name}\"\nhint: one of m, cm, mm, um, in, ft")]
pub struct UnknownUnit {
    /// The name as given.
    pub name: String,
}

impl Unit {
    /// All units, metric ones first.
    pub const ALL: [Self; 6] =
        [Self::Metre, Self::Centimetre, Self::Millimetre, Self::Micrometre, Self::Inch, Self::Foot];

    /// The short name: m, cm, mm, um, in or ft.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Metre => "m",
            Self::Centimetre => "cm",
            Self::Millimetre => "mm",
            Self::Micrometre => "um",
            Self::Inch => "in",
            Self::Foot => "ft",
        }
    }

    /// Length of one unit `[m]`.
    pub const fn metres(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Centimetre => 1e-2,
            Self::Millimetre => 1e-3,
            Self::Micrometre => 1e-6,
            Self::Inch => 0.0254,
            Self::Foot => 0.3048,
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Unit {
    type Err = UnknownUnit;

    fn from_str(name: &str) -> Result<Self, UnknownUnit> {
        let found = Self::ALL.into_iter().find(|unit| unit.name() == name);
        found.ok_or_else(|| UnknownUnit { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_its_unit() {
        for unit in Unit::ALL {
            assert_eq!(unit.to_string().parse(), Ok(unit));
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_known_ones() {
        let message = "furlong".parse::<Unit>().unwrap_err().to_string();
        for unit in Unit::ALL {
            assert!(message.contains(unit.name()), "{message}");
        }
    }
}
