//! The verdict on inertias that a person or a file states.
//!
//! For any distribution of positive mass the principal moments are positive sums of squares,
//! I_1 = ∫(y² + z²) dm and so on, hence I_3 ≤ I_1 + I_2 with equality only for flat bodies. A tensor that
//! breaks this belongs to no body, and simulating it gives motions that no body makes.

use glam::{DMat3, DVec3};
use thiserror::Error;

use super::PrincipalFrame;
use crate::tolerances::{GIVEN_ASYMMETRY, GIVEN_TRIANGLE};

/// What is wrong with a mass or an inertia.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum InertiaFault {
    /// The mass is not a positive finite number.
    #[error("the mass is {mass} kg, but must be a positive finite number")]
    Mass {
        /// The mass `[kg]`.
        mass: f64,
    },
    /// An entry is NaN or infinite.
    #[error("the inertia has entries that are not finite numbers")]
    NotFinite,
    /// The tensor is not symmetric.
    #[error(
        "the inertia is not symmetric: the entries in row {row}, column {column} and its mirror image \
         are {one} and {other}"
    )]
    NotSymmetric {
        /// Row of the first entry, from 1.
        row: usize,
        /// Column of the first entry, from 1.
        column: usize,
        /// The entry.
        one: f64,
        /// Its mirror image.
        other: f64,
    },
    /// A principal moment is zero or negative.
    #[error(
        "the principal moments are {:e}, {:e} and {:e} kg·m²: all must be positive; \
         check the signs of the products of inertia", .moments.x, .moments.y, .moments.z
    )]
    NotPositive {
        /// Principal moments, ascending `[kg·m²]`.
        moments: DVec3,
    },
    /// The largest moment exceeds the sum of the others.
    #[error(
        "the principal moments are {:e}, {:e} and {:e} kg·m²: the largest exceeds the sum of the others by {excess:e} \
         kg·m², and no body has such an inertia; is it given about the centre of mass?",
        .moments.x, .moments.y, .moments.z
    )]
    Triangle {
        /// Principal moments, ascending `[kg·m²]`.
        moments: DVec3,
        /// How much the largest exceeds the sum of the others `[kg·m²]`.
        excess: f64,
    },
}

/// Whether a body with this mass `[kg]` and inertia about its centre of mass `[kg·m²]` can exist.
///
/// # Errors
/// The first fault found.
pub fn check_inertia(mass: f64, inertia: &DMat3) -> Result<(), InertiaFault> {
    if !(mass.is_finite() && mass > 0.0) {
        return Err(InertiaFault::Mass { mass });
    }
    if !inertia.is_finite() {
        return Err(InertiaFault::NotFinite);
    }
    let entries = inertia.transpose().to_cols_array_2d();
    let largest = inertia.to_cols_array().iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let (one, other) = (entries[i][j], entries[j][i]);
        if (one - other).abs() > GIVEN_ASYMMETRY * largest {
            return Err(InertiaFault::NotSymmetric { row: i + 1, column: j + 1, one, other });
        }
    }
    let moments = PrincipalFrame::of(inertia).moments;
    if moments.x <= 0.0 {
        return Err(InertiaFault::NotPositive { moments });
    }
    let excess = moments.z - moments.x - moments.y;
    if excess > GIVEN_TRIANGLE * moments.z {
        return Err(InertiaFault::Triangle { moments, excess });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(diagonal: [f64; 3]) -> Option<InertiaFault> {
        check_inertia(1.0, &DMat3::from_diagonal(DVec3::from_array(diagonal))).err()
    }

    #[test]
    fn a_flat_body_is_possible_and_a_flatter_one_is_not() {
        assert_eq!(fault([1.0, 2.0, 3.0]), None);
        assert!(matches!(fault([1.0, 2.0, 3.001]), Some(InertiaFault::Triangle { .. })));
    }

    #[test]
    fn each_fault_is_named() {
        assert!(matches!(fault([0.0, 1.0, 1.0]), Some(InertiaFault::NotPositive { .. })));
        assert!(matches!(fault([-1.0, 1.0, 1.0]), Some(InertiaFault::NotPositive { .. })));
        assert_eq!(fault([f64::NAN, 1.0, 1.0]), Some(InertiaFault::NotFinite));
        assert!(matches!(check_inertia(0.0, &DMat3::IDENTITY), Err(InertiaFault::Mass { .. })));
        let mut lopsided = DMat3::IDENTITY;
        lopsided.x_axis.y = 0.1;
        let message = check_inertia(1.0, &lopsided).unwrap_err().to_string();
        assert!(message.contains("row 1, column 2"), "{message}");
        assert!(message.contains("are 0 and 0.1"), "{message}");
    }
}
