//! When bodies touch.
//!
//! **Takes** two motions and the convex solids that ride on them. **Gives** the first time at which they touch, proven:
//! before it there is no time at which they overlap. **Refuses to know** who else there is, in which order things
//! happen and what follows from a touch.

pub mod tolerances;
pub mod touch;
