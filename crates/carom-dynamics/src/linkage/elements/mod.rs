//! Force elements: what acts between links, or between a link and the world, besides joints.
//!
//! **Problem.** An element takes hold at two [`End`]s, points with axes of links or of the world. Its law gives a wrench f̂ on the
//! one that it acts *on*, as a function of how both move and of time; the opposite acts on the one it acts *from*, at the same
//! point of space. So momentum and angular momentum change only by what acts from the world. Elements join
//! the equation of motion of a linkage on its right-hand side,
//!
//! ```text
//! (H + diag I_r)·v̇ + C = … + Σ_e J_eᵀ·f̂_e,      V_e = J_e·v                                          (1)
//! ```
//!
//! where V_e is how `on` moves relative to `from`, seen at the point of `on`. Trees may be several: a spring between two free
//! bodies is an element of a linkage with two roots.
//!
//! **Damping.** The part of f̂ that opposes motion is a sum over directions d̂ (dampers of one direction each)
//!
//! ```text
//! f̂ = ĝ(q, t) − Σ_i c_i·(r_i − r⁰_i)·d̂_i,      r_i = d̂_i·V_e = R_i·v                                  (2)
//! ```
//!
//! with r⁰ the drift of a medium. Stiff dampers are implicit, as those of joints are ((2) of `linkage`): with the matrix R of
//! rows R_i and the diagonal c, sweeps solve (H + … + γ·Rᵀ·c·R)·v̇ = … − Rᵀ·c·(R·(N·w − γ·Ṅ·ṡ) − r⁰). Rows join trees, which the articulated-body
//! method does not know; how the product is added is in `tree/damped.rs`. Drag acts on one link alike in all directions, and
//! there γ·c is a mass that only counts in the solution (`assembly`). Coefficients that depend on speed are taken at the
//! newest velocity. Above `MOST_IMPLICIT_DAMPERS` rows all but drag is explicit, and stiff damping costs short segments.
//!
//! **Energy.** f̂·V_e is the power that an element gives. It is split, law by law, into
//!
//! ```text
//! f̂·V_e = −dU/dt − loss + work                                                                       (3)
//! ```
//!
//! | law | U | loss | work |
//! |---|---|---|---|
//! | [`Spring`] | ½k·x² | c·ẋ² | |
//! | [`GasSpring`] | ∫F | c·ẋ² | |
//! | [`Bushing`] | ½dᵀKd + ½φᵀK_φφ | ḋᵀCḋ + ωᵀC_φω | |
//! | [`Drag`] | | −f·(v − wind) − τ·ω | f·wind |
//! | [`Thrust`] | | | f·v + τ·ω |
//! | [`Attraction`] | −κ/l | | |
//! | [`User`] | as it says | | the rest |
//!
//! | symbol | meaning | unit |
//! |---|---|---|
//! | f̂, d̂ | wrench and unit wrench on `on`, seen at its point | N·m, N |
//! | V_e, r | motion of `on` relative to `from`; one component of it | rad/s, m/s |
//! | c, γ | damping; share of the new acceleration in the velocity that damps | N·s/m or N·m·s/rad; s |
//!
//! **Tolerance.** Sizes by which errors are measured are those of the links; elements have none. Points without extent
//! count as one metre large, so an orbit of 10⁷ m wants a tolerance that is so much larger.
//!
//! | file | idea |
//! |---|---|
//! | `end` | ends, lines between them, dampers |
//! | `spring`, `gas_spring`, `bushing`, `drag`, `thrust`, `attraction`, `user` | one law each |
//! | `check` | what is refused |
//! | `sides` | when ropes become taut or slack and bushings turn over |
//! | `assembly`, `books` | wrenches and rows for the integrator; energies, work and losses |

mod assembly;
mod attraction;
mod books;
mod bushing;
mod check;
mod drag;
mod end;
mod gas_spring;
mod sides;
mod spring;
mod thrust;
mod user;

#[cfg(test)]
mod tests;

pub(super) use assembly::{Moment, Storage};
pub use attraction::Attraction;
pub use bushing::Bushing;
pub use check::ElementFault;
pub use drag::Drag;
pub use end::{End, Ends};
pub use gas_spring::GasSpring;
pub use spring::Spring;
pub use thrust::{Axes, Thrust};
pub use user::{User, UserForce};

use end::Damper;
use glam::DVec3;

use super::{Linkage, LinkageError};
use crate::spatial::ForceVector;
use crate::tolerances::MOST_IMPLICIT_DAMPERS;

/// Something that acts on an end, from another.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// The end that it acts on.
    pub on: End,
    /// The end that feels the opposite.
    pub from: End,
    /// What it does.
    pub law: ElementLaw,
}

/// What an element does.
#[derive(Clone, Debug, PartialEq)]
pub enum ElementLaw {
    /// Spring, damper or rope along the line between the ends.
    Spring(Spring),
    /// Gas that pushes the ends apart.
    GasSpring(GasSpring),
    /// Springs and dampers between the frames of the ends; torsion springs.
    Bushing(Bushing),
    /// Drag of a medium; its other end is the world.
    Drag(Drag),
    /// A constant force.
    Thrust(Thrust),
    /// Attraction by the square of the distance.
    Attraction(Attraction),
    /// What a user wrote.
    User(User),
}

impl Element {
    /// Between two ends.
    pub const fn between(on: End, from: End, law: ElementLaw) -> Self {
        Self { on, from, law }
    }

    /// On one end, from the world.
    pub const fn on(on: End, law: ElementLaw) -> Self {
        Self { on, from: End::of_world(DVec3::ZERO), law }
    }

    /// The wrench on `on` at its point without damping, and all dampers (2), on this side of where its law changes.
    fn act(&self, ends: &Ends, is_beyond: bool, damp: &mut impl FnMut(Damper)) -> ForceVector {
        match &self.law {
            ElementLaw::Spring(law) if is_beyond && law.pulls_only => ForceVector::ZERO,
            ElementLaw::Spring(law) => law.act(ends, damp),
            ElementLaw::GasSpring(law) => law.act(ends, damp),
            ElementLaw::Bushing(law) => law.act(ends, is_beyond, damp),
            ElementLaw::Drag(law) => law.act(ends, damp),
            ElementLaw::Thrust(law) => law.act(ends),
            ElementLaw::Attraction(law) => law.act(ends),
            ElementLaw::User(User(law)) => law.wrench(ends),
        }
    }

    /// U of (3) `[J]`.
    fn energy(&self, ends: &Ends) -> f64 {
        match &self.law {
            ElementLaw::Spring(law) => law.energy(ends),
            ElementLaw::GasSpring(law) => law.energy(ends),
            ElementLaw::Bushing(law) => law.energy(ends),
            ElementLaw::Attraction(law) => law.energy(ends),
            ElementLaw::User(law) => law.energy(ends),
            ElementLaw::Drag(_) | ElementLaw::Thrust(_) => 0.0,
        }
    }

    /// What is zero where its law changes: a rope becomes taut or slack, a bushing is turned over.
    fn side(&self, ends: &Ends) -> f64 {
        match &self.law {
            ElementLaw::Spring(law) if law.pulls_only => law.tautness(ends),
            ElementLaw::Bushing(law) if law.twists() => Bushing::real_part(ends),
            _ => f64::INFINITY,
        }
    }

    /// The side on which a rope is slack.
    fn is_beyond(&self, ends: &Ends) -> bool {
        self.side(ends) <= 0.0
    }

    fn has_sides(&self) -> bool {
        self.is_rope() || matches!(&self.law, ElementLaw::Bushing(law) if law.twists())
    }

    pub(super) const fn is_rope(&self) -> bool {
        matches!(self.law, ElementLaw::Spring(Spring { pulls_only: true, .. }))
    }

    /// True where the wrench that is no damping is work, but for a user's energy.
    const fn does_work(&self) -> bool {
        matches!(self.law, ElementLaw::Thrust(_) | ElementLaw::User(_))
    }

    /// Most dampers that it joins two ends by.
    fn dampers(&self) -> usize {
        match &self.law {
            ElementLaw::Spring(law) => usize::from(law.damping > 0.0),
            ElementLaw::GasSpring(law) => usize::from(law.damping > 0.0),
            ElementLaw::Bushing(law) => law.dampers(),
            ElementLaw::Drag(_)
            | ElementLaw::Thrust(_)
            | ElementLaw::Attraction(_)
            | ElementLaw::User(_) => 0,
        }
    }
}

/// The elements of a linkage, with what is known of them once and for all.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Elements {
    pub(super) list: Vec<Element>,
    /// Whether any damping is implicit.
    pub(super) is_damped: bool,
    /// Whether dampers between ends are implicit.
    has_implicit_rows: bool,
    /// Whether the law of any changes somewhere.
    has_sides: bool,
}

impl Linkage {
    /// The same linkage with these elements, and no others.
    ///
    /// # Errors
    /// When an element names a link that is not there, has a number that makes no sense, or joins a link to itself.
    pub fn with_elements(mut self, elements: Vec<Element>) -> Result<Self, LinkageError> {
        for (element, given) in elements.iter().enumerate() {
            check::check(given, &self.tree)
                .map_err(|fault| LinkageError::Element { element, fault })?;
        }
        let rows: usize = elements.iter().map(Element::dampers).sum();
        let has_implicit_rows = rows > 0 && rows <= MOST_IMPLICIT_DAMPERS;
        let has_drag = elements.iter().any(|given| matches!(given.law, ElementLaw::Drag(_)));
        let is_damped = has_implicit_rows || has_drag;
        let has_sides = elements.iter().any(Element::has_sides);
        self.elements = Elements { list: elements, is_damped, has_implicit_rows, has_sides };
        Ok(self)
    }

    /// What acts between its links besides joints.
    pub fn elements(&self) -> &[Element] {
        &self.elements.list
    }
}
