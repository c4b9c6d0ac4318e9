//! Triangle meshes: plain storage, and what can be said about one.

use glam::DVec3;
use thiserror::Error;

use crate::Aabb;

mod bvh;
mod closed;
mod closest;
mod crossing;
#[cfg(test)]
pub(crate) mod fixtures;
pub(crate) mod nesting;
mod repair;
mod topology;
mod verdict;

pub use bvh::Bvh;
pub use closed::{ClosedMesh, SurfacePoint};
pub use closest::{Feature, closest_on_triangle};
pub use repair::{Refusal, RepairAction, RepairError, RepairOptions, RepairReport, repair};
pub use verdict::{
    Complaint, EdgePlace, FacePairPlace, FacePlace, Finding, MeshVerdict, Severity, ShellPlace,
    VerdictOptions, VertexPlace,
};

/// Vertices and the triangles between them.
///
/// Promises that every coordinate is finite and every index names a vertex, and nothing else: the mesh
/// may be open, inside out or self-intersecting. Corners run counter-clockwise seen from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct TriMesh {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

/// Why vertices and triangles do not make a mesh.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MeshError {
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} has the coordinates {position}, which are not finite numbers")]
    NotFinite {
        /// Index of the vertex.
        vertex: usize,
        /// Its coordinates.
        position: DVec3,
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, but there are only {n_vertices} vertices")]
    NoSuchVertex {
        /// Index of the triangle.
        triangle: usize,
        /// The index it names.
        vertex: u32,
        /// How many vertices there are.
        n_vertices: usize,
    },
    /// More vertices or triangles than a 32-bit index can name.
    #[error("{count} vertices or triangles are more than the {limit} that a mesh can index")]
    TooLarge {
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// There is no triangle.
    #[error("the mesh has no triangles")]
    Empty,
}

impl TriMesh {
    /// Checks the two promises of the type.
    ///
    /// # Errors
    /// Where a coordinate is not finite, an index names no vertex, or there is no triangle.
    pub fn new(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        let limit = u32::MAX as usize;
        for count in [vertices.len(), triangles.len()] {
            if count > limit {
                return Err(MeshError::TooLarge { count, limit });
            }
        }
        if triangles.is_empty() {
            return Err(MeshError::Empty);
        }
        if let Some(vertex) = vertices.iter().position(|v| !v.is_finite()) {
            return Err(MeshError::NotFinite { vertex, position: vertices[vertex] });
        }
        let n_vertices = vertices.len();
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= n_vertices) {
                return Err(MeshError::NoSuchVertex { triangle, vertex, n_vertices });
            }
        }
        Ok(Self { vertices, triangles })
    }

    /// For makers inside the crate that keep both promises by construction.
    pub(crate) fn from_parts(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Self {
        debug_assert!(Self::new(vertices.clone(), triangles.clone()).is_ok());
        Self { vertices, triangles }
    }

    /// Vertex positions `[m]`.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Vertex indices of each triangle, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Positions of a triangle's corners.
    ///
    /// # Panics
    /// If there is no such triangle.
    pub fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|v| self.vertices[v as usize])
    }

    /// Corner positions of all triangles in order.
    pub fn iter_corners(&self) -> impl ExactSizeIterator<Item = [DVec3; 3]> + Clone + '_ {
        self.triangles.iter().map(|t| t.map(|v| self.vertices[v as usize]))
    }

    /// The smallest box around the vertices that a triangle uses.
    pub fn aabb(&self) -> Aabb {
        Aabb::from_points(self.iter_corners().flatten())
    }

    /// The same mesh with every coordinate multiplied by `factor`, a finite number.
    ///
    /// # Errors
    /// If a product is not finite.
    pub fn scaled(&self, factor: f64) -> Result<Self, MeshError> {
        let vertices = self.vertices.iter().map(|v| *v * factor).collect();
        Self::new(vertices, self.triangles.clone())
    }

    /// The same surface seen from the other side: every triangle wound the other way.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let triangles = self.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        Self { vertices: self.vertices.clone(), triangles }
    }

    /// Largest distance of any of its points from `point` `[m]`.
    pub fn radius_about(&self, point: DVec3) -> f64 {
        let corners = self.iter_corners().flatten();
        corners.map(|v| v.distance_squared(point)).fold(0.0, f64::max).sqrt()
    }

    /// Total area of the triangles `[m²]`.
    pub fn surface_area(&self) -> f64 {
        self.iter_corners().map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_without_a_vertex_is_refused_by_name() {
        let error = TriMesh::new(vec![DVec3::ZERO; 3], vec![[0, 1, 3]]).unwrap_err();
        assert_eq!(error.to_string(), "triangle 0 names vertex 3, but there are only 3 vertices");
    }

    #[test]
    fn a_coordinate_that_is_not_finite_is_refused() {
        let bad = vec![DVec3::ZERO, DVec3::new(0.0, f64::NAN, 0.0), DVec3::ONE];
        let error = TriMesh::new(bad, vec![[0, 1, 2]]).unwrap_err();
        assert!(matches!(error, MeshError::NotFinite { vertex: 1, .. }), "{error}");
    }
}
