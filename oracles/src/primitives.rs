//! Primitive solids with mass properties and area found by quadrature; see `tools/primitives.py`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::{DataError, malformed};

/// A primitive solid at density 1.
#[derive(Clone, Debug, Deserialize)]
pub struct PrimitiveCase {
    /// Which kind: `ball`, `box`, `capsule`, `cylinder`, `cone`, `ellipsoid` or `superquadric`.
    pub kind: String,
    /// Its sizes in the order of that kind's constructor: radius; half edges; half length and radius;
    /// semi-axes; semi-axes and the exponents of xy and of z.
    pub sizes: Vec<f64>,
    /// Volume.
    pub volume: f64,
    /// Centre of mass.
    pub center: [f64; 3],
    /// Diagonal of the inertia about the centre of mass.
    pub inertia: [f64; 3],
    /// Surface area.
    pub area: f64,
    /// How far it reaches along some directions.
    pub support: Vec<Reach>,
}

/// The largest d·x over a solid.
#[derive(Clone, Debug, Deserialize)]
pub struct Reach {
    /// A unit vector d.
    pub direction: [f64; 3],
    /// The reach along it.
    pub value: f64,
}

/// All cases by name.
///
/// # Errors
/// If the carried file is not of its layout.
pub fn primitives() -> Result<BTreeMap<String, PrimitiveCase>, DataError> {
    serde_json::from_str(include_str!("../data/primitives.json"))
        .map_err(|error| malformed(Path::new("primitives.json"), &error))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    /// The oracle against what everybody knows.
    #[test]
    fn quadrature_agrees_with_the_simplest_closed_forms() {
        let cases = primitives().unwrap();
        let ball = &cases["ball"];
        let r = ball.sizes[0];
        assert!((ball.volume / (4.0 / 3.0 * PI * r * r * r) - 1.0).abs() < 1e-14);
        assert!((ball.area / (4.0 * PI * r * r) - 1.0).abs() < 1e-14);
        assert!(ball.support.iter().all(|reach| (reach.value / r - 1.0).abs() < 1e-15));
        assert!((ball.inertia[0] / (0.4 * ball.volume * r * r) - 1.0).abs() < 1e-14);
        let cylinder = &cases["cylinder"];
        let (h, r) = (cylinder.sizes[0], cylinder.sizes[1]);
        assert!((cylinder.volume / (2.0 * PI * r * r * h) - 1.0).abs() < 1e-14);
        assert!((cylinder.inertia[2] / (0.5 * cylinder.volume * r * r) - 1.0).abs() < 1e-14);
    }
}
