//! Built-in scenes: the same bits everywhere, no overlap, no energy from nowhere, and the same numbers with other envelopes
//! and to the ends of the ranges of their parameters.

mod bits;
mod common;
mod envelopes;
mod linkages;
mod physics;
mod ranges;
mod rattleback;
