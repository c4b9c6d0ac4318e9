//! When bodies touch, and what a collision does.
//!
//! [`touch`] **takes** two motions and the convex solids that ride on them and **gives** the first time at which they
//! touch, proven: before it there is no time at which they overlap. [`collision`] **takes** how two points in contact
//! answer impulses, and how they move, and **gives** the impulse between them. [`lasting`] **takes** two solids and how they move
//! at one time and **gives** the points at which they are in contact, with the gap there and its derivatives. All **refuse to
//! know** who else there is and in which order things happen.

pub mod collision;
pub mod lasting;
pub mod tolerances;
pub mod touch;
