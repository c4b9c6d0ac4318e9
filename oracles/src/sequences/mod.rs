//! Motions through many contacts that have a closed form: bouncing, hitting in turn, sliding, rolling.
//!
//! Each formula carries its derivation, and its test compares it with the numbers of the list of reference cases (`B1`,
//! `C3`, …), where that has any.

mod bouncing;
mod rolling;
mod sliding;
mod striking;

pub use bouncing::{BouncingBall, FallingGrid};
pub use rolling::{BallOnSlope, BallOnTurntable, EulerDisk, SlidingBall};
pub use sliding::BlockOnSlope;
pub use striking::{Cradle, CutShot, StackedDrop};

/// Asserts that a number agrees with one that is printed to a share of it.
#[cfg(test)]
fn assert_prints(got: f64, printed: f64, share: f64) {
    assert!((got - printed).abs() <= share * printed.abs(), "{got} is not {printed}");
}
