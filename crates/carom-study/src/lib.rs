//! What people do with runs: one run with all that belongs to it, many of them over a set of parameters, one scene under
//! several regimes, a run's audit, a question to a run, the never-miss grid, and the table of reference cases.
//!
//! **Takes** carom's public API and the answers of `oracles`. **Gives** rows: what was asked, what is expected
//! and from where, what came out, and whether that is good enough. **Refuses to know** how any of it is
//! computed, and to print.

pub mod audit;
#[cfg(doctest)]
mod book;
pub mod compare;
pub mod contacts;
pub mod given;
pub mod grab;
pub mod nearest;
pub mod never_miss;
pub mod reality;
pub mod recorded;
pub mod reversal;
pub mod run;
pub mod solvers;
pub mod sweep;
pub mod touches;
pub mod validate;
