//! Solids in their own frames.

use thiserror::Error;

use super::Pose;

/// A solid in its own frame; those with an axis have it along z.
#[derive(Clone, Debug, PartialEq)]
pub enum Solid {
    /// Around the origin.
    Ball {
        /// Radius `[m]`.
        radius: f64,
    },
    /// A box around the origin.
    Cuboid {
        /// Half its edges `[m]`.
        half: [f64; 3],
    },
    /// All points within a radius of a segment from −`half_length` to `half_length` on z.
    Capsule {
        /// Half the segment `[m]`.
        half_length: f64,
        /// Radius `[m]`.
        radius: f64,
    },
    /// From −`half_length` to `half_length` on z.
    Cylinder {
        /// Half its length `[m]`.
        half_length: f64,
        /// Radius `[m]`.
        radius: f64,
    },
    /// Base at −`half_length`, apex at `half_length` on z.
    Cone {
        /// Half its height `[m]`.
        half_length: f64,
        /// Radius of the base `[m]`.
        radius: f64,
    },
    /// Around the origin, along the axes.
    Ellipsoid {
        /// Semi-axes `[m]`.
        semi_axes: [f64; 3],
    },
    /// (|x/a|^m + |y/b|^m)^{n/m} + |z/c|^n ≤ 1.
    Superquadric {
        /// a, b, c `[m]`.
        semi_axes: [f64; 3],
        /// m, at least 1 `[-]`.
        exponent_xy: f64,
        /// n, at least 1 `[-]`.
        exponent_z: f64,
    },
    /// All x with normal·x ≤ offset·|normal|.
    HalfSpace {
        /// Out of the solid; any length.
        normal: [f64; 3],
        /// Of its plane from the origin along the normal `[m]`.
        offset: f64,
    },
    /// The convex hull of points.
    Hull {
        /// The points `[m]`.
        points: Vec<[f64; 3]>,
    },
    /// What a closed mesh encloses; triangles are counter-clockwise seen from outside.
    Mesh {
        /// Corners `[m]`.
        vertices: Vec<[f64; 3]>,
        /// Three corners each.
        triangles: Vec<[usize; 3]>,
    },
    /// Several solids as one; they may overlap.
    Compound {
        /// Where they are, and what.
        parts: Vec<(Pose, Solid)>,
    },
}

/// Why there is no such solid.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SolidError {
    /// A length or exponent out of range, or a number that is not finite.
    #[error("{0} is out of range")]
    OutOfRange(&'static str),
    /// A triangle of corners that are not there.
    #[error("triangle {0} names a corner that is not there")]
    NoCorner(usize),
    /// No points, triangles or parts.
    #[error("a {0} of nothing")]
    Empty(&'static str),
    /// A half-space as part of a compound.
    #[error("a half-space cannot be part of a compound")]
    Unbounded,
    /// Compounds within compounds without end.
    #[error("compounds are nested too deeply")]
    TooDeep,
}
