//! How much a mesh file may ask for.

use super::error::{MeshFileError, Place};

/// Bounds on what is read from one mesh file; beyond one, reading stops with an error that names it.
///
/// Counts that a file merely claims are compared with its length before memory is taken for them, so
/// memory stays within a small multiple of the file's size. The exception is glTF, where many nodes may
/// share one mesh: there `triangles` is the bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file, together with the buffer files it names; by default 1 GiB.
    ///
    /// 20 million triangles of binary STL are 1.0 GB. The file is held in memory while it is read.
    pub file_bytes: u64,
    /// Triangles of the mesh, polygons cut up; by default 20 million.
    ///
    /// Indices and vertices of that many take half a gigabyte, and judging them some times that.
    pub triangles: usize,
    /// Vertices of the mesh; by default 60 million, three for each triangle.
    pub vertices: usize,
    /// Corners of one polygon; by default 4096.
    ///
    /// Cutting n corners up takes time n², here about a tenth of a second. Flat faces of CAD programs
    /// have a few hundred.
    pub polygon_corners: usize,
    /// Depth of a glTF node tree; by default 256. Skeletons, the deepest trees met, have dozens.
    pub node_depth: usize,
    /// Objects in a glTF's JSON text, counted by their opening braces; by default one million.
    ///
    /// Each costs about a hundred bytes once read, even if written as `{}`.
    pub json_objects: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 1 << 30,
            triangles: 20_000_000,
            vertices: 60_000_000,
            polygon_corners: 4096,
            node_depth: 256,
            json_objects: 1_000_000,
        }
    }
}

impl Limits {
    pub(super) fn check_file_bytes(&self, found: u64) -> Result<(), MeshFileError> {
        check("bytes of a mesh file", self.file_bytes, found, Place::File)
    }

    pub(super) fn check_triangles(&self, found: u64, place: Place) -> Result<(), MeshFileError> {
        let allowed = self.triangles.min(u32::MAX as usize) as u64;
        check("triangles", allowed, found, place)
    }

    pub(super) fn check_vertices(&self, found: u64, place: Place) -> Result<(), MeshFileError> {
        let allowed = self.vertices.min(u32::MAX as usize) as u64;
        check("vertices", allowed, found, place)
    }

    pub(super) fn check_polygon(&self, found: u64, place: Place) -> Result<(), MeshFileError> {
        check("corners of a polygon", self.polygon_corners as u64, found, place)
    }

    pub(super) fn check_depth(&self, found: usize, place: Place) -> Result<(), MeshFileError> {
        check("levels of nodes", self.node_depth as u64, found as u64, place)
    }

    pub(super) fn check_objects(&self, found: usize) -> Result<(), MeshFileError> {
        check("objects in the JSON text", self.json_objects as u64, found as u64, Place::File)
    }
}

fn check(limit: &'static str, allowed: u64, found: u64, place: Place) -> Result<(), MeshFileError> {
    if found > allowed {
        return Err(MeshFileError::OverLimit { limit, allowed, found, place });
    }
    Ok(())
}
