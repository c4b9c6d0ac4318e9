//! Torque-free bodies, integrated in 50 digits without closed forms; see `tools/free_rotation.py`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::{DataError, malformed};

/// A body that turns freely from one attitude to another; its body axes are its principal axes.
#[derive(Clone, Debug, Deserialize)]
pub struct FreeRotationCase {
    /// Principal moments, ascending.
    pub moments: [f64; 3],
    /// Body axes to world axes at the start, as (w, x, y, z).
    pub orientation: [f64; 4],
    /// At the start, in world axes.
    pub angular_velocity: [f64; 3],
    /// How long it turns; negative is backwards.
    pub time: f64,
    /// Body axes to world axes after that time.
    pub final_orientation: [f64; 4],
    /// After that time, in world axes.
    pub final_angular_velocity: [f64; 3],
}

/// All cases by name.
///
/// # Errors
/// If the carried file is not of its layout.
pub fn free_rotations() -> Result<BTreeMap<String, FreeRotationCase>, DataError> {
    serde_json::from_str(include_str!("../data/free-rotation.json"))
        .map_err(|error| malformed(Path::new("free-rotation.json"), &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The oracle against what everybody knows: a symmetric top turns about its momentum at |L|/I_t.
    #[test]
    fn integration_agrees_with_the_precession_of_a_symmetric_top() {
        let case = &free_rotations().unwrap()["prolate"];
        let [_, transverse, _] = case.moments;
        let [x, y, z] = case.angular_velocity;
        // Body and world axes agree at the start.
        let precession = [case.moments[0] * x / transverse, y, z];
        let rate = precession.iter().map(|p| p * p).sum::<f64>().sqrt();
        let axis = precession.map(|p| p / rate);
        let along: f64 = axis.iter().zip([x, y, z]).map(|(a, w)| a * w).sum();
        let (sin, cos) = libm::sincos(rate * case.time);
        let across =
            [axis[1] * z - axis[2] * y, axis[2] * x - axis[0] * z, axis[0] * y - axis[1] * x];
        for i in 0..3 {
            let start = case.angular_velocity[i] - along * axis[i];
            let turned = along * axis[i] + cos * start + sin * across[i];
            let error = (turned - case.final_angular_velocity[i]).abs();
            // Rounding of the angle of about 60 rad.
            assert!(error < 1e-13, "component {i} is off by {error:e}");
        }
    }
}
