//! What surfaces are made of, and what two of them do to each other.

use crate::arena::handle;

handle!(
    /// A material of a world.
    MaterialId,
    "material"
);

/// Which quantity the coefficient of restitution multiplies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RestitutionLaw {
    /// Energy: the work of restitution is e² times that of compression. Never creates energy.
    #[default]
    Stronge,
    /// Impulse: the normal impulse of restitution is e times that of compression.
    Poisson,
    /// Velocity: the normal speed after is e times that before. Can create energy under friction.
    Newton,
}

/// What a pair of surfaces does in contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Coulomb's coefficient of friction `[-]`.
    pub friction: f64,
    /// Coefficient of restitution, 0 to 1 `[-]`.
    pub restitution: f64,
    /// What it multiplies.
    pub law: RestitutionLaw,
}

impl Default for Surface {
    /// Dry and half elastic: μ = 0.5, e = 0.5, Stronge's law.
    fn default() -> Self {
        Self { friction: 0.5, restitution: 0.5, law: RestitutionLaw::Stronge }
    }
}

impl Surface {
    /// What two surfaces do together where nothing is stated for the pair: the geometric means of friction
    /// and of restitution (so that zero on either side stays zero and equal materials keep their value), and
    /// Stronge's law unless both name the same other one.
    #[must_use]
    pub fn combined(&self, other: &Self) -> Self {
        Self {
            friction: (self.friction * other.friction).sqrt(),
            restitution: (self.restitution * other.restitution).sqrt(),
            law: if self.law == other.law { self.law } else { RestitutionLaw::Stronge },
        }
    }

    /// What is wrong with the numbers, if anything.
    pub(crate) fn complaint(&self) -> Option<String> {
        if !(self.friction.is_finite() && self.friction >= 0.0) {
            return Some(format!(
                "the friction is {}, but must be a finite number of at least 0",
                self.friction
            ));
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            return Some(format!(
                "the restitution is {}, but must lie between 0 and 1",
                self.restitution
            ));
        }
        None
    }
}

/// A named surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// What people call it.
    pub name: String,
    /// How it behaves against itself, and combined with others.
    pub surface: Surface,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combining_is_symmetric_keeps_equals_and_zeros() {
        let ice = Surface { friction: 0.0, restitution: 0.3, law: RestitutionLaw::Newton };
        let rubber = Surface { friction: 1.2, restitution: 0.9, law: RestitutionLaw::Newton };
        assert_eq!(ice.combined(&rubber), rubber.combined(&ice));
        assert_eq!(ice.combined(&rubber).friction, 0.0);
        assert_eq!(ice.combined(&rubber).law, RestitutionLaw::Newton);
        let twice = rubber.combined(&rubber);
        assert!((twice.friction - 1.2).abs() < 1e-15 && (twice.restitution - 0.9).abs() < 1e-15);
        let mixed = ice.combined(&Surface::default());
        assert_eq!(mixed.law, RestitutionLaw::Stronge);
    }

    #[test]
    fn a_surface_outside_its_range_is_named() {
        let surface = Surface { friction: f64::NAN, ..Surface::default() };
        assert!(surface.complaint().is_some_and(|text| text.contains("friction is NaN")));
        let surface = Surface { restitution: 1.1, ..Surface::default() };
        assert!(surface.complaint().is_some_and(|text| text.contains("restitution is 1.1")));
    }
}
