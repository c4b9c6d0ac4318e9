//! Collects vertices and faces within the limits.

use glam::DVec3;

use super::error::{MeshFileError, MeshFileWarning, Place};
use super::polygon;
use super::{Format, Limit, Limits};
use crate::TriMesh;

/// A mesh in the making.
pub(super) struct MeshBuilder<'a> {
    pub(super) format: Format,
    pub(super) limits: &'a Limits,
    pub(super) warnings: Vec<MeshFileWarning>,
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// How many polygons were fanned, and where the first is.
    fanned: Option<(u64, Place)>,
    /// Positions of the corners of the polygon at hand, kept for its memory.
    outline: Vec<DVec3>,
}

impl<'a> MeshBuilder<'a> {
    pub(super) fn new(format: Format, limits: &'a Limits) -> Self {
        Self {
            format,
            limits,
            warnings: Vec::new(),
            vertices: Vec::new(),
            triangles: Vec::new(),
            fanned: None,
            outline: Vec::new(),
        }
    }

    pub(super) fn n_vertices(&self) -> usize {
        self.vertices.len()
    }

    /// Takes memory for counts that were checked against the length of the file.
    pub(super) fn reserve(&mut self, n_vertices: usize, n_triangles: usize) {
        self.vertices.reserve_exact(n_vertices);
        self.triangles.reserve_exact(n_triangles);
    }

    /// Adds a vertex and gives its index.
    pub(super) fn push_vertex(
        &mut self,
        position: DVec3,
        place: Place,
    ) -> Result<u32, MeshFileError> {
        if !position.is_finite() {
            return Err(MeshFileError::NotFinite { format: self.format, place, position });
        }
        self.limits.check(Limit::Vertices, self.vertices.len() as u64 + 1, place)?;
        self.vertices.push(position);
        Ok((self.vertices.len() - 1) as u32)
    }

    /// Adds a triangle between existing vertices.
    pub(super) fn push_triangle(
        &mut self,
        corners: [u32; 3],
        place: Place,
    ) -> Result<(), MeshFileError> {
        self.limits.check(Limit::Triangles, self.triangles.len() as u64 + 1, place)?;
        self.triangles.push(corners);
        Ok(())
    }

    /// Fails if that many more triangles would be too many.
    pub(super) fn check_more_triangles(
        &self,
        n_more: usize,
        place: Place,
    ) -> Result<(), MeshFileError> {
        self.limits.check(Limit::Triangles, (self.triangles.len() + n_more) as u64, place)
    }

    /// Adds a face of three or more corners, cut into triangles. Indices must exist.
    pub(super) fn push_face(&mut self, corners: &[u32], place: Place) -> Result<(), MeshFileError> {
        if let &[a, b, c] = corners {
            return self.push_triangle([a, b, c], place);
        }
        if corners.len() < 3 {
            return Err(self.malformed(
                place,
                format!("a face has {} corners", corners.len()),
                "faces need three corners or more; remove that one",
            ));
        }
        self.limits.check(Limit::PolygonCorners, corners.len() as u64, place)?;
        self.check_more_triangles(corners.len() - 2, place)?;
        self.outline.clear();
        self.outline.extend(corners.iter().map(|&v| self.vertices[v as usize]));
        let cut = polygon::triangulate(&self.outline);
        if !cut.is_sound {
            self.fanned.get_or_insert((0, place)).0 += 1;
        }
        self.triangles.extend(cut.triangles.iter().map(|t| t.map(|i| corners[i])));
        Ok(())
    }

    /// An index from 0, if there is such a vertex.
    pub(super) fn find_vertex(&self, index: i64) -> Option<u32> {
        u32::try_from(index).ok().filter(|&vertex| (vertex as usize) < self.vertices.len())
    }

    /// An error about the content, at a place.
    pub(super) fn malformed(
        &self,
        place: Place,
        what: String,
        hint: &'static str,
    ) -> MeshFileError {
        MeshFileError::Malformed { format: self.format, place, what: clipped(what), hint }
    }

    /// An error about something that is not read here.
    pub(super) fn unsupported(
        &self,
        place: Place,
        what: String,
        hint: &'static str,
    ) -> MeshFileError {
        MeshFileError::Unsupported { format: self.format, place, what: clipped(what), hint }
    }

    /// The mesh with its lengths multiplied by `factor`, and what was noticed on the way.
    pub(super) fn finish(
        mut self,
        factor: f64,
        hint: &'static str,
    ) -> Result<(TriMesh, Vec<MeshFileWarning>), MeshFileError> {
        if self.triangles.is_empty() {
            return Err(MeshFileError::NoTriangles { format: self.format, hint });
        }
        if let Some((count, first)) = self.fanned {
            self.warnings.push(MeshFileWarning::Fanned { count, first });
        }
        for vertex in &mut self.vertices {
            *vertex *= factor;
        }
        let mesh = TriMesh::new(self.vertices, self.triangles);
        Ok((mesh.map_err(|cause| MeshFileError::Mesh { cause })?, self.warnings))
    }
}

/// At most 300 characters of a message, since names in a file may be as long as the file.
fn clipped(mut what: String) -> String {
    if let Some((end, _)) = what.char_indices().nth(300) {
        what.truncate(end);
        what.push('…');
    }
    what
}
