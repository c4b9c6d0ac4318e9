//! One vertex for all corners at the same position.
//!
//! STL repeats a position for every triangle around it, and glTF for every normal and texture coordinate
//! there, so without welding neither has two triangles that share an edge. Only bit-identical positions
//! are joined, with −0 and 0 the same: no tolerance, hence no false friends. Vertices come in the order
//! of their first use.

use std::collections::HashMap;

use glam::DVec3;

use super::build::MeshBuilder;
use super::error::{MeshFileError, Place};

/// Finds the vertex at a position. The hash map is only asked, never walked, so that its order cannot
/// show; it is keyed at random, so that no file can be made to collide.
#[derive(Default)]
pub(super) struct Welder {
    vertex_at: HashMap<[u64; 3], u32>,
}

impl Welder {
    /// The index of the vertex at `position`, added if there is none yet.
    pub(super) fn vertex(
        &mut self,
        builder: &mut MeshBuilder<'_>,
        position: DVec3,
        place: Place,
    ) -> Result<u32, MeshFileError> {
        // Turns −0 into 0 and changes nothing else.
        let position = position + DVec3::ZERO;
        let key = position.to_array().map(f64::to_bits);
        if let Some(&vertex) = self.vertex_at.get(&key) {
            return Ok(vertex);
        }
        let vertex = builder.push_vertex(position, place)?;
        self.vertex_at.insert(key, vertex);
        Ok(vertex)
    }
}
