//! Carom beside its peers, on scenes: what it costs, and how far off the answers are.
//!
//! **Takes** scene files. **Gives** a [`report::Report`]: figures of ours, the peers' runs at several step sizes, and ratios of
//! cost read at equal error. **Refuses to know** any scene by name.

pub mod clock;
pub mod curve;
pub mod description;
pub mod memory;
pub mod mujoco;
pub mod ours;
pub mod picture;
pub mod quantity;
pub mod rapier;
pub mod report;
pub mod scaling;
pub mod scene;
pub mod table;
pub mod track;

#[cfg(test)]
mod tests;
