//! The shapes of bodies and what follows from shape alone.
//!
//! **Takes** dimensions, points, meshes and mesh files. **Gives** checked shapes with their support
//! points, boxes, bounding radii, areas and volumes; convex hulls and convex pieces; a verdict on every
//! mesh; mass, centre and inertia. **Refuses to know** about motion, time, materials and contact.
//!
//! Conventions: SI units; a bare name is in the frame of the shape unless its documentation says
//! otherwise; a [`Pose`] is named target-from-source (`body_from_shape`); directions need not be unit
//! unless the documentation asks for it.
//!
//! ```
//! use carom_geometry::shape::Solid;
//! use carom_geometry::shapes::Cylinder;
//!
//! let coin = Cylinder::new(0.0009, 0.01213)?; // half thickness and radius, in metres
//! let mass = coin.mass_properties(8900.0)?; // density, in kg/m³
//! assert!((mass.mass - 0.0074).abs() < 1e-4);
//! assert!(mass.verdict().is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod aabb;
pub mod decompose;
pub mod distance;
pub mod hull;
pub mod mass;
pub mod mesh;
pub mod mesh_file;
pub mod polyhedron;
pub mod pose;
mod precise;
pub mod predicates;
pub mod shape;
pub mod shapes;
mod stack;
pub mod surface;
#[cfg(test)]
mod testing;
pub mod tolerances;

pub use aabb::Aabb;
pub use hull::HullError;
pub use mass::{MassError, MassProperties};
pub use mesh::{ClosedMesh, MeshVerdict, TriMesh};
pub use polyhedron::{ConvexPolyhedron, convex_hull};
pub use pose::Pose;
pub use shape::{Shape, ShapeError};
pub use surface::{Fineness, Surface};
