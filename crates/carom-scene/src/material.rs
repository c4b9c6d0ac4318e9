//! Materials, and what happens where two of them meet.

/// What restitution means.
///
/// In the order of preference where two materials disagree: the first never creates energy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ImpactLaw {
    /// The square root of the ratio of energies: what restitution gives back and compression took.
    #[default]
    Stronge,
    /// The ratio of the impulses of restitution and compression.
    Poisson,
    /// The ratio of the normal speeds after and before.
    Newton,
}

impl ImpactLaw {
    /// All laws.
    pub const ALL: [Self; 3] = [Self::Stronge, Self::Poisson, Self::Newton];

    /// What scene files call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stronge => "stronge",
            Self::Poisson => "poisson",
            Self::Newton => "newton",
        }
    }
}

/// How a surface, or a pair of surfaces, answers contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Coefficient of Coulomb friction `[-]`.
    pub friction: f64,
    /// Coefficient of restitution `[-]`.
    pub restitution: f64,
    /// What restitution means.
    pub law: ImpactLaw,
}

impl Default for Surface {
    /// Friction 0.5 and no bounce, as most simulators start.
    fn default() -> Self {
        Self { friction: 0.5, restitution: 0.0, law: ImpactLaw::Stronge }
    }
}

impl Surface {
    /// Where two surfaces meet and nothing is said of the pair: friction is the geometric mean, so that one
    /// slippery surface is enough; restitution the larger one, so that a rubber ball bounces on any floor;
    /// the law the earlier in the order of [`ImpactLaw`].
    #[must_use]
    pub fn combined(&self, other: &Self) -> Self {
        Self {
            friction: (self.friction * other.friction).sqrt(),
            restitution: self.restitution.max(other.restitution),
            law: self.law.min(other.law),
        }
    }
}

/// What bodies are made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// What bodies call it; "default" for the one of bodies that name none.
    pub name: String,
    /// Mass per volume `[kg/m³]`.
    pub density: Option<f64>,
    /// How its surface answers contact with itself.
    pub surface: Surface,
    /// A remark; may be empty.
    pub about: String,
}

/// What happens where two given materials touch.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialPair {
    /// Indices of the materials.
    pub materials: [usize; 2],
    /// How they answer contact, gaps filled by combination.
    pub surface: Surface,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ice_makes_any_pair_slippery_and_rubber_makes_any_pair_bounce() {
        let ice = Surface { friction: 0.0, restitution: 0.1, law: ImpactLaw::Newton };
        let rubber = Surface { friction: 1.0, restitution: 0.9, law: ImpactLaw::Poisson };
        let pair = ice.combined(&rubber);
        assert_eq!(pair, Surface { friction: 0.0, restitution: 0.9, law: ImpactLaw::Poisson });
        assert_eq!(pair, rubber.combined(&ice));
        assert_eq!(rubber.combined(&rubber), rubber);
    }
}
