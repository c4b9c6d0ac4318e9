//! What the coefficient of restitution multiplies.

/// Which quantity the coefficient of restitution multiplies; in the order of preference where two materials
/// disagree, for the first never creates energy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum RestitutionLaw {
    /// Energy: the work of restitution is e² times that of compression. Never creates energy.
    #[default]
    Stronge,
    /// Impulse: the normal impulse of restitution is e times that of compression.
    Poisson,
    /// Velocity: the normal speed after is e times that before. Can create energy under friction.
    Newton,
}

impl RestitutionLaw {
    /// All laws.
    pub const ALL: [Self; 3] = [Self::Stronge, Self::Poisson, Self::Newton];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stronge => "stronge",
            Self::Poisson => "poisson",
            Self::Newton => "newton",
        }
    }

    /// By its name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|law| law.name() == name)
    }
}
