//! How rigid bodies move.
//!
//! **Takes** masses, states and laws of motion. **Gives** motions that can be asked for their state at any
//! time of their span, and for boxes and bounds that prove where a body cannot be. **Refuses to know** what
//! happens between bodies: contact, events and the order of things belong to the engine.
//!
//! Every question to a motion is a pure read (nothing is stepped or stored), so that any reader may ask at
//! any time, in any order and from any thread, and gets the same bits.

mod ballistic;
mod bounds;
pub mod collocation;
pub mod complementarity;
mod elliptic;
pub mod law;
pub mod linkage;
mod mass;
mod motion;
pub mod relative;
mod rotation;
mod span;
pub mod spatial;
mod state;
mod taylor;
#[cfg(test)]
mod testing;
pub mod tolerances;
pub mod tree;

pub use ballistic::Ballistic;
pub use bounds::{GapBound, RateBounds, Reach, Travel};
pub use law::{Law, LawError};
pub use mass::{Impulse, Mass};
pub use motion::Motion;
pub use relative::{BodyEdge, BodyPlane, Moving, RelativeMotion, RelativeRates, Seen};
pub use rotation::FreeRotation;
pub use span::Span;
pub use state::{BodyState, Kinematics};
