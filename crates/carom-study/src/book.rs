//! The Rust programs on pages of the manual, compiled and run as tests of documentation.
//!
//! This crate may use all that a reader's program uses. The step `book` of `cargo xtask test` fails when a page has programs and
//! is not named here.

#[doc = include_str!("../../../book/src/rust.md")]
struct Rust;

#[doc = include_str!("../../../book/src/guides/linkages.md")]
struct Linkages;

#[doc = include_str!("../../../book/src/guides/controllers.md")]
struct Controllers;

#[doc = include_str!("../../../book/src/guides/robots.md")]
struct Robots;
