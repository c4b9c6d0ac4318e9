//! What is recorded, and how often.

/// What is recorded of a run, and how often.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Samples per simulated second `[1/s]`.
    pub rate_hz: f64,
    /// Whose states and events are kept.
    pub bodies: Selection,
    /// Whether events are kept.
    pub events: bool,
    /// Whether a recording also has channels that Foxglove shows.
    pub foxglove: bool,
}

impl Options {
    /// Everything, at a rate `[1/s]`.
    pub const fn at(rate_hz: f64) -> Self {
        Self { rate_hz, bodies: Selection::All, events: true, foxglove: false }
    }
}

/// Some of the bodies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// All of them.
    #[default]
    All,
    /// Those of these names, whenever they are there.
    Named(Vec<String>),
}

impl Selection {
    /// True when a body of this name is kept.
    pub fn wants(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Named(names) => names.iter().any(|wanted| wanted == name),
        }
    }
}
