//! Lasting contact by forces, as users of the engine see it.

mod common;
mod impacts;
mod random;
mod resting;
