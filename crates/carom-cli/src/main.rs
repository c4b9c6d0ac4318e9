//! The `carom` command.
fn main() {}
