//! What surfaces are made of, and what two of them do to each other.

pub use carom_contact::collision::RestitutionLaw;

use crate::arena::handle;

handle!(
    /// A material of a world.
    MaterialId,
    "material"
);

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
    /// Friction 0.5 and no bounce, as most simulators start.
    fn default() -> Self {
        Self { friction: 0.5, restitution: 0.0, law: RestitutionLaw::Stronge }
    }
}

impl Surface {
    /// Where two surfaces meet and nothing is stated for the pair: friction is the geometric mean, so that one
    /// slippery surface is enough; restitution the larger one, so that a rubber ball bounces on any floor; the
    /// law the earlier in the order of [`RestitutionLaw`].
    #[must_use]
    pub fn combined(&self, other: &Self) -> Self {
        Self {
            friction: (self.friction * other.friction).sqrt(),
            restitution: self.restitution.max(other.restitution),
            law: self.law.min(other.law),
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
    fn ice_makes_any_pair_slippery_and_rubber_makes_any_pair_bounce() {
        let ice = Surface { friction: 0.0, restitution: 0.1, law: RestitutionLaw::Newton };
        let rubber = Surface { friction: 1.0, restitution: 0.9, law: RestitutionLaw::Poisson };
        let pair = ice.combined(&rubber);
        let expected = Surface { friction: 0.0, restitution: 0.9, law: RestitutionLaw::Poisson };
        assert_eq!(pair, expected);
        assert_eq!(pair, rubber.combined(&ice));
        assert_eq!(rubber.combined(&rubber), rubber);
    }

    #[test]
    fn a_surface_outside_its_range_is_named() {
        let surface = Surface { friction: f64::NAN, ..Surface::default() };
        assert!(surface.complaint().is_some_and(|text| text.contains("friction is NaN")));
        let surface = Surface { restitution: 1.1, ..Surface::default() };
        assert!(surface.complaint().is_some_and(|text| text.contains("restitution is 1.1")));
    }
}
