//! Built-in scenes: the same bits everywhere, no overlap, no energy from nowhere, and the same numbers with other envelopes.

mod bits;
mod common;
mod envelopes;
mod physics;
