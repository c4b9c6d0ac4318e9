//! The `carom` command from the outside: text, exit status and JSON.

mod common;
mod mass;
mod usage;
mod validate;
