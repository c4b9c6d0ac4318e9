//! Signed distances of curved solids, through the public interface.
//!
//! | module | compares with |
//! |---|---|
//! | `constructed` | pairs built to be a known distance apart |
//! | `bounded` | the two bounds of another search, which nothing but support points enters |
//! | `parry` | the library of that name, for the kinds it has |
//! | `sampled` | the best of many directions, for the depth of overlaps |
//! | `invariance` | the same pair swapped, turned, scaled, and queried from other starts |
//! | `sweeps` | itself, along motions through touch |
//! | `degenerate` | answers that need no computation |
//! | `features` | the table in the documentation of `Feature` |
//! | `motion` | finite differences |
//! | `ellipsoids` | formulas of two other descriptions of the same surface |

mod bounded;
mod constructed;
mod degenerate;
mod ellipsoids;
mod features;
mod invariance;
mod linear;
mod motion;
mod parry;
mod random;
mod sampled;
mod sweeps;
