//! Mesh files that a robot names: where they are, and their hulls where scenes cannot scale them.

use std::io;
use std::path::{Path, PathBuf};

use carom_geometry::convex_hull;
use carom_geometry::mesh_file::{self, Format, ReadOptions as MeshOptions, parse_mesh_with};
use carom_geometry::{ClosedMesh, MassError, MassProperties, TriMesh};
use glam::DVec3;

use super::description::Mesh;
use super::fault::FaultKind;
use super::reader::Reader;
use crate::problem::Place;

impl Reader<'_> {
    /// The mesh of a name such as `package://NAME/PATH`, `file:///PATH` or `PATH`, which starts from `folder`.
    pub(super) fn mesh(
        &self,
        named: &str,
        folder: &Path,
        scale: DVec3,
        place: Place,
    ) -> Option<Mesh> {
        let candidates = self.candidates(named, folder);
        let found = candidates.iter().find_map(|path| self.files.resolve(path).ok());
        let Some(path) = found else {
            let tried = candidates.iter().map(|path| path.display().to_string()).collect();
            self.fault(place, FaultKind::MeshNotFound { name: named.to_owned(), tried });
            return None;
        };
        if scale.to_array().contains(&0.0) {
            let cause = "its scale is zero".to_owned();
            self.fault(place, FaultKind::BadMesh { name: named.to_owned(), cause });
            return None;
        }
        let is_readable = Format::from_extension(&path).is_some();
        if !is_readable {
            self.fault(place, FaultKind::MeshFormat { name: named.to_owned() });
        }
        let mut mesh = Mesh { named: named.to_owned(), path, scale, hull: Vec::new(), is_readable };
        let is_even = scale.x == scale.y && scale.y == scale.z && scale.x > 0.0;
        if is_readable && !is_even {
            let triangles = self.read_mesh(&mesh, place)?;
            let points: Vec<DVec3> = triangles.vertices().iter().map(|at| *at * scale).collect();
            match convex_hull(&points) {
                Ok(hull) => mesh.hull = hull.vertices().to_vec(),
                Err(error) => {
                    let cause = error.to_string();
                    self.fault(place, FaultKind::BadMesh { name: named.to_owned(), cause });
                    return None;
                }
            }
        }
        Some(mesh)
    }

    /// Mass properties of the solid in a mesh at a density.
    pub(super) fn mesh_mass(
        &self,
        mesh: &Mesh,
        density: f64,
        place: Place,
    ) -> Option<Result<MassProperties, MassError>> {
        let triangles = self.read_mesh(mesh, place)?;
        let points = triangles.vertices().iter().map(|at| *at * mesh.scale).collect();
        let is_mirrored = mesh.scale.x * mesh.scale.y * mesh.scale.z < 0.0;
        let faces = triangles.triangles().iter();
        let faces = faces.map(|[a, b, c]| if is_mirrored { [*a, *c, *b] } else { [*a, *b, *c] });
        let scaled = TriMesh::new(points, faces.collect()).ok()?;
        let mass = MassProperties::of_mesh(&scaled, density);
        if ClosedMesh::new(scaled).is_err() {
            self.fault(place, FaultKind::MeshNotSolid { name: mesh.named.clone() });
        }
        Some(mass)
    }

    fn read_mesh(&self, mesh: &Mesh, place: Place) -> Option<TriMesh> {
        let name = mesh.named.clone();
        let limits = mesh_file::Limits::default();
        let result =
            self.files.read(&mesh.path, limits.file_bytes).map_err(|error| error.to_string());
        let result = result.and_then(|bytes| {
            let format = Format::from_extension(&mesh.path).or(Format::from_content(&bytes));
            let format = format.ok_or_else(|| "its format is not known".to_owned())?;
            let options = MeshOptions { limits, ..MeshOptions::default() };
            let no_others = |_: &str, _: u64| -> io::Result<Vec<u8>> {
                Err(io::Error::other("it is in another file"))
            };
            parse_mesh_with(&bytes, format, &options, &no_others).map_err(|error| error.to_string())
        });
        match result {
            Ok(file) => Some(file.mesh),
            Err(cause) => {
                self.fault(place, FaultKind::BadMesh { name, cause });
                None
            }
        }
    }

    /// Paths that a name may stand for, the likeliest first.
    fn candidates(&self, named: &str, folder: &Path) -> Vec<PathBuf> {
        if let Some(path) = named.strip_prefix("file://") {
            return vec![PathBuf::from(path)];
        }
        let in_package =
            named.strip_prefix("package://").or_else(|| named.strip_prefix("model://"));
        let search = &self.options.search;
        let Some(path) = in_package else {
            let beside = std::iter::once(folder.join(named));
            return beside.chain(search.iter().map(|folder| folder.join(named))).collect();
        };
        let path = path.trim_start_matches('/');
        let (package, rest) = path.split_once('/').unwrap_or((path, ""));
        let root = self.files.resolve(folder).unwrap_or_else(|_| folder.to_owned());
        let mut candidates = Vec::new();
        for folder in search.iter().map(PathBuf::as_path).chain(root.ancestors()) {
            if folder.file_name().is_some_and(|name| name == package) {
                candidates.push(folder.join(rest));
            }
            candidates.push(folder.join(path));
        }
        candidates
    }
}
