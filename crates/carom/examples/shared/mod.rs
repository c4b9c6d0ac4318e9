//! What the examples share.

use std::error::Error;

/// Says what was measured and what was predicted; an error if they differ by more than `allowed`.
#[expect(clippy::print_stdout, reason = "an example talks to whoever runs it")]
pub(crate) fn agree(
    what: &str,
    unit: &str,
    measured: f64,
    predicted: f64,
    allowed: f64,
) -> Result<(), Box<dyn Error>> {
    println!("{what}: measured {measured} {unit}, predicted {predicted} {unit}");
    let off = (measured - predicted).abs();
    // A NaN must not agree with anything.
    if off <= allowed {
        Ok(())
    } else {
        Err(format!("{what} is off by {off:e} {unit}, allowed are {allowed:e} {unit}").into())
    }
}
