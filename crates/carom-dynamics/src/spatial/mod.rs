//! Six-vectors: motion and force of a rigid body as one thing each.
//!
//! A rigid body moves by an angular and a linear part and is moved by a moment and a force. Bundled, revolute and
//! prismatic joints share one formula (guide F-1.1). Both kinds are written in world axes *at a reference point* that
//! the context names, and only the point is ever changed, by [`MotionVector::at`] and [`ForceVector::at`].
//!
//! | guide | here |
//! |---|---|
//! | v̂ = (ω; v), â = (α; a) | [`MotionVector`], parts by name |
//! | f̂ = (f; τ), halves swapped | [`ForceVector`], parts by name, a type of its own |
//! | spatial transpose f̂'v̂ | [`ForceVector::dot`], the power |
//! | frame change _G X̂_F = \[R 0; −r̃R R\] | a shift of the point alone: R = 1 in world axes |
//! | P·Î, symmetric positive definite | [`RigidInertia`], [`ArticulatedInertia`]: rows moment, then force |
//!
//! Accelerations are the ordinary ones of the material point, (α, a), not their spatial derivatives; the terms
//! ω×(ω×r) that a shift of the point leaves out belong to the bias of whoever shifts.

mod force;
mod inertia;
mod motion;
mod symmetric;

pub use force::ForceVector;
pub use inertia::{ArticulatedInertia, RigidInertia};
pub use motion::MotionVector;
pub use symmetric::Symmetric3;

#[cfg(test)]
mod tests;
