//! Other derivations of the same numbers.
