//! Forces that users write themselves.

use std::fmt::Debug;
use std::sync::Arc;

use carom_geometry::Pose;

use super::end::Ends;
use crate::spatial::ForceVector;

/// A force between two ends that is a function of time and of how they move.
///
/// It is asked many times for every segment, also for states that the motion never reaches, in any order and from
/// any thread, and must give the same bits for the same question. The smoother it is, the longer are segments; a jump is passed
/// in many short ones.
pub trait UserForce: Send + Sync + Debug {
    /// What acts on `on`, in world axes at its point; the opposite acts on `from`, at the same point of space.
    fn wrench(&self, ends: &Ends) -> ForceVector;

    /// The energy that it stores where the ends are, in the world `[J]`. What its power leaves of this is booked as work; without
    /// an energy, all of it is.
    fn potential_energy(&self, on: &Pose, from: &Pose) -> f64 {
        let _ = (on, from);
        0.0
    }
}

/// A force of a user, shared. Two are equal when they are the same object.
#[derive(Clone, Debug)]
pub struct User(pub Arc<dyn UserForce>);

impl PartialEq for User {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl User {
    pub(super) fn energy(&self, ends: &Ends) -> f64 {
        self.0.potential_energy(&ends.on.pose(), &ends.from.pose())
    }
}
