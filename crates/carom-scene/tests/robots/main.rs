//! Robots as scenes: what is read, written, and read again has the same dynamics, and runs.

mod direct;
mod drop;
mod dynamics;
mod round_trip;
