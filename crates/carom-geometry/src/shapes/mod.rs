//! The kinds of shapes, one file each, with their closed forms.
//!
//! All but the half-space are centred on the middle of their bounding box; those with an axis have it
//! along z.

mod ball;
mod capsule;
mod closed_mesh;
mod compound;
mod cone;
mod cuboid;
mod cylinder;
mod ellipsoid;
mod half_space;
mod polyhedron;
mod superquadric;

pub use ball::Ball;
pub use capsule::Capsule;
pub use compound::{Compound, Part};
pub use cone::Cone;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use half_space::HalfSpace;
pub use superquadric::Superquadric;

use glam::{DMat3, DVec3};

use crate::mass::positive;
use crate::{MassError, MassProperties};

/// Mass properties of a solid that its planes of symmetry make diagonal: `squares` are the mean values of
/// x², y², z² about its centre.
fn diagonal_mass(
    density: f64,
    volume: f64,
    center: DVec3,
    squares: DVec3,
) -> Result<MassProperties, MassError> {
    let mass = positive("density", density)? * volume;
    let DVec3 { x, y, z } = squares;
    let inertia = DMat3::from_diagonal(mass * DVec3::new(y + z, z + x, x + y));
    MassProperties { mass, center, inertia }.in_range()
}

/// The unit vector along a direction of any length; `None` for zero and what is not finite.
///
/// Scaled by its largest component first, because squares of very long and very short ones leave the range
/// of numbers.
fn unit(direction: DVec3) -> Option<DVec3> {
    let largest = direction.abs().max_element();
    (largest > 0.0).then(|| direction / largest)?.try_normalize()
}

/// Distance from the z axis; squares that leave the range of numbers, and those alone, are worked with care.
fn across(direction: DVec3) -> f64 {
    let squared = direction.x * direction.x + direction.y * direction.y;
    if squared.is_normal() && squared > f64::MIN_POSITIVE / f64::EPSILON {
        squared.sqrt()
    } else {
        libm::hypot(direction.x, direction.y)
    }
}

/// Length of a direction, in range whenever its components are far from the largest number.
fn length(direction: DVec3) -> f64 {
    let largest = direction.abs().max_element();
    if largest > 0.0 { largest * (direction / largest).length() } else { 0.0 }
}

/// Unit vector of the xy part of a direction, and x where it has none.
fn radial(direction: DVec3) -> DVec3 {
    unit(DVec3::new(direction.x, direction.y, 0.0)).unwrap_or(DVec3::X)
}

/// +1 for numbers that are not negative, else −1.
fn side(x: f64) -> f64 {
    if x < 0.0 { -1.0 } else { 1.0 }
}

#[cfg(test)]
mod tests;
