//! How much a mesh file may ask for.

use std::fmt;

use super::error::{MeshFileError, Place};

/// The name of one bound of [`Limits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Limits::file_bytes`].
    FileBytes,
    /// [`Limits::triangles`].
    Triangles,
    /// [`Limits::vertices`].
    Vertices,
    /// [`Limits::polygon_corners`].
    PolygonCorners,
    /// [`Limits::node_depth`].
    NodeDepth,
    /// [`Limits::json_objects`].
    JsonObjects,
}

impl Limit {
    /// All limits, those that files meet most often first.
    pub const ALL: [Self; 6] = [
        Self::FileBytes,
        Self::Triangles,
        Self::Vertices,
        Self::PolygonCorners,
        Self::NodeDepth,
        Self::JsonObjects,
    ];

    /// A single word: bytes, triangles, vertices, corners, depth or objects.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FileBytes => "bytes",
            Self::Triangles => "triangles",
            Self::Vertices => "vertices",
            Self::PolygonCorners => "corners",
            Self::NodeDepth => "depth",
            Self::JsonObjects => "objects",
        }
    }

    /// What is counted, as it follows a number.
    pub const fn counted(self) -> &'static str {
        match self {
            Self::FileBytes => "bytes of a mesh file",
            Self::Triangles => "triangles",
            Self::Vertices => "vertices",
            Self::PolygonCorners => "corners of a polygon",
            Self::NodeDepth => "levels of nodes",
            Self::JsonObjects => "objects in the JSON text",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

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
    pub triangles: u64,
    /// Vertices of the mesh; by default 60 million, three for each triangle.
    pub vertices: u64,
    /// Corners of one polygon; by default 4096.
    ///
    /// Cutting n corners up takes time n², here about a tenth of a second. Flat faces of CAD programs
    /// have a few hundred.
    pub polygon_corners: u64,
    /// Depth of a glTF node tree; by default 256. Skeletons, the deepest trees met, have dozens.
    pub node_depth: u64,
    /// Objects in a glTF's JSON text, counted by their opening braces; by default one million.
    ///
    /// Each costs about a hundred bytes once read, even if written as `{}`.
    pub json_objects: u64,
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
    /// The value of the bound with that name.
    pub const fn get(&self, limit: Limit) -> u64 {
        match limit {
            Limit::FileBytes => self.file_bytes,
            Limit::Triangles => self.triangles,
            Limit::Vertices => self.vertices,
            Limit::PolygonCorners => self.polygon_corners,
            Limit::NodeDepth => self.node_depth,
            Limit::JsonObjects => self.json_objects,
        }
    }

    /// Changes the bound with that name.
    pub const fn set(&mut self, limit: Limit, value: u64) {
        *match limit {
            Limit::FileBytes => &mut self.file_bytes,
            Limit::Triangles => &mut self.triangles,
            Limit::Vertices => &mut self.vertices,
            Limit::PolygonCorners => &mut self.polygon_corners,
            Limit::NodeDepth => &mut self.node_depth,
            Limit::JsonObjects => &mut self.json_objects,
        } = value;
    }

    /// Fails if more was found than allowed. No limit allows more triangles or vertices than 32-bit indices
    /// can name.
    pub(super) fn check(
        &self,
        limit: Limit,
        found: u64,
        place: Place,
    ) -> Result<(), MeshFileError> {
        let allowed = match limit {
            Limit::Triangles | Limit::Vertices => self.get(limit).min(u64::from(u32::MAX)),
            _ => self.get(limit),
        };
        if found > allowed {
            return Err(MeshFileError::OverLimit { limit, allowed, found, place });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_is_set_and_read_by_its_own_name() {
        let mut limits = Limits::default();
        for (limit, value) in Limit::ALL.into_iter().zip(100..) {
            limits.set(limit, value);
        }
        for (limit, value) in Limit::ALL.into_iter().zip(100..) {
            assert_eq!(limits.get(limit), value, "{limit}");
            assert!(limits.check(limit, value, Place::File).is_ok());
            let message = limits.check(limit, value + 1, Place::Line(3)).unwrap_err().to_string();
            let parts = [limit.counted(), &format!("limit \"{limit}\" of {value}"), "line 3"];
            assert!(parts.iter().all(|part| message.contains(part)), "{message}");
        }
        let names = Limit::ALL.map(Limit::name);
        assert_eq!(names, ["bytes", "triangles", "vertices", "corners", "depth", "objects"]);
    }
}
