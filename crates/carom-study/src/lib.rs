//! What people do with many runs; for now, the table of reference cases behind `carom validate`.
//!
//! **Takes** carom's public API and the answers of `oracles`. **Gives** rows: what was asked, what is expected
//! and from where, what came out, and whether that is good enough. **Refuses to know** how any of it is
//! computed, and to print.

pub mod validate;
