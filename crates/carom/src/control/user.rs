//! Closures as controllers.

use std::fmt;

use crate::controller::{Commands, Controller, LoadError, NotSavable, Readings};

/// A controller made of a closure, for quick use. Nobody knows what a closure remembers, so a world with one cannot be saved;
/// who needs that writes a [`Controller`].
pub struct UserController<F> {
    tick: F,
}

impl<F: FnMut(&Readings<'_>, &mut Commands) + Send + Sync> UserController<F> {
    /// Calls this at every tick.
    pub const fn new(tick: F) -> Self {
        Self { tick }
    }
}

impl<F> fmt::Debug for UserController<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UserController").finish_non_exhaustive()
    }
}

impl<F: FnMut(&Readings<'_>, &mut Commands) + Send + Sync> Controller for UserController<F> {
    fn tick(&mut self, readings: &Readings<'_>, commands: &mut Commands) {
        (self.tick)(readings, commands);
    }

    fn save(&self) -> Result<Vec<u8>, NotSavable> {
        let reason =
            "it is a closure, whose memory nobody knows; write a `Controller` with save and load";
        Err(NotSavable { reason: reason.to_owned() })
    }

    fn load(&mut self, _: &[u8]) -> Result<(), LoadError> {
        Err(LoadError { reason: "a closure has nothing that could be loaded".to_owned() })
    }
}
