//! The commands of the project itself.
fn main() {}
