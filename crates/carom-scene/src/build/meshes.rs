//! Shapes from mesh files: each file is read once, and each way of reading it built once.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use carom_geometry::mesh::MeshVerdict;
use carom_geometry::mesh_file::{
    Format, MeshFile, MeshFileError, MeshFileWarning, ReadOptions, Unit, parse_mesh_with,
};
use carom_geometry::{ClosedMesh, Shape, convex_hull};

use super::Builder;
use super::shapes::MeshSpec;
use crate::decode::Text;
use crate::files::{EmbeddedFile, embedded_path};
use crate::format::MeshTable;
use crate::problem::Problem;

/// Operations that making a shape of a mesh counts for, whatever its size.
const MESH_COST: u64 = 1000;

/// Bytes of a mesh file that count for one operation: the largest file allowed must pass a few times.
const BYTES_PER_OPERATION: u64 = 16;

/// What was read and built so far; none where it failed, which has been told.
#[derive(Debug, Default)]
pub(crate) struct MeshCache {
    files: BTreeMap<PathBuf, Option<Arc<[u8]>>>,
    shapes: BTreeMap<Way, Option<Arc<Shape>>>,
}

/// A way to read a file: path, unit, bits of the scale, and whether its hull is taken.
type Way = (PathBuf, Option<&'static str>, u64, bool);

impl Builder<'_, '_> {
    /// Evaluates what a table says of a mesh file.
    pub(super) fn mesh_spec(&mut self, table: &MeshTable) -> Option<MeshSpec> {
        let name = self.text(&table.file);
        let unit = table.unit.as_ref().map(|text| self.unit(text));
        let scale = table.scale.as_ref().map_or(Some(1.0), |scale| self.positive(scale, "scale"));
        let place = table.file.place;
        let folder = self.folder.clone();
        let name = name?;
        let path = self.loader.find(&folder, &name, place)?;
        let unit = match unit {
            Some(unit) => Some(unit?),
            None => None,
        };
        let relative = self.relative_folder.join(name);
        Some(MeshSpec { path, relative, unit, scale: scale?, place })
    }

    fn unit(&mut self, text: &Text) -> Option<Unit> {
        let name = self.text(text)?;
        let unit = name.parse().ok();
        if unit.is_none() {
            let problem =
                Problem::error(text.place, format!("there is no unit of length \"{name}\""))
                    .hint("one of m, cm, mm, um, in, ft");
            self.report(problem);
        }
        unit
    }

    /// The solid inside a mesh, or its convex hull.
    pub(super) fn mesh_shape(&mut self, spec: &MeshSpec, is_hull: bool) -> Option<Arc<Shape>> {
        let unit = spec.unit.map(Unit::name);
        let way = (spec.path.clone(), unit, spec.scale.to_bits(), is_hull);
        if let Some(known) = self.meshes.shapes.get(&way) {
            return known.clone();
        }
        let shape = self.read_shape(spec, is_hull).map(Arc::new);
        self.meshes.shapes.insert(way, shape.clone());
        shape
    }

    fn read_shape(&mut self, spec: &MeshSpec, is_hull: bool) -> Option<Shape> {
        let bytes = self.mesh_bytes(spec)?;
        // Each copy of another scale costs the reading anew.
        self.charge(MESH_COST + bytes.len() as u64 / BYTES_PER_OPERATION, spec.place)?;
        let file = match self.parse(spec, &bytes) {
            Ok(file) => file,
            Err(error) => {
                let text = error.to_string();
                let (message, hint) = text.split_once("\nhint: ").unwrap_or((&text, ""));
                let mut problem =
                    Problem::error(spec.place, format!("cannot read the mesh: {message}"));
                problem.hint = Some(hint.to_owned()).filter(|hint| !hint.is_empty());
                self.report(problem);
                return None;
            }
        };
        for warning in &file.warnings {
            self.report(mesh_warning(spec, warning));
        }
        if is_hull {
            return match convex_hull(file.mesh.vertices()) {
                Ok(hull) => Some(Shape::Polyhedron(Arc::new(hull))),
                Err(error) => {
                    self.error(spec.place, format!("the mesh has no hull: {error}"));
                    None
                }
            };
        }
        match ClosedMesh::new(file.mesh) {
            Ok(mesh) => Some(Shape::Mesh(Arc::new(mesh))),
            Err(verdict) => {
                self.report(not_solid(spec, &verdict));
                None
            }
        }
    }

    /// The content of the file, which is read once and embedded.
    fn mesh_bytes(&mut self, spec: &MeshSpec) -> Option<Arc<[u8]>> {
        if let Some(bytes) = self.meshes.files.get(&spec.path) {
            return bytes.clone();
        }
        let most = self.loader.options.limits.mesh.file_bytes;
        let bytes: Option<Arc<[u8]>> = match self.loader.files.read(&spec.path, most) {
            Ok(bytes) => Some(Arc::from(bytes)),
            Err(cause) => {
                let problem = self.loader.unreadable(&spec.relative, &cause, Some(spec.place));
                self.report(problem);
                None
            }
        };
        if let Some(bytes) = &bytes {
            self.embed(&spec.relative, bytes);
        }
        self.meshes.files.insert(spec.path.clone(), bytes.clone());
        bytes
    }

    fn embed(&mut self, path: &Path, bytes: &Arc<[u8]>) {
        let path = embedded_path(path);
        if !self.loader.embedded.iter().any(|file| file.path == path) {
            self.loader.embedded.push(EmbeddedFile { path, bytes: Arc::clone(bytes) });
        }
    }

    /// By its extension, or else by its content.
    fn parse(&mut self, spec: &MeshSpec, bytes: &[u8]) -> Result<MeshFile, MeshFileError> {
        let limits = self.loader.options.limits.mesh.clone();
        let options = ReadOptions { unit: spec.unit, scale: spec.scale, limits };
        let folder = spec.path.parent().unwrap_or(Path::new("")).to_owned();
        let buffers = RefCell::new(Vec::new());
        let files = self.loader.files;
        let load = |name: &str, most: u64| -> io::Result<Vec<u8>> {
            let is_below = Path::new(name)
                .components()
                .all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
            let path = files.resolve(&folder.join(name))?;
            if !is_below || !path.starts_with(&folder) {
                let what = "it is not in the folder of the mesh file";
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, what));
            }
            let bytes = files.read(&path, most)?;
            let relative = spec.relative.with_file_name("").join(name);
            buffers.borrow_mut().push((relative, Arc::<[u8]>::from(bytes.as_slice())));
            Ok(bytes)
        };
        let named = Format::from_extension(&spec.path);
        let looks = Format::from_content(bytes);
        let unknown = || MeshFileError::UnknownFormat { name: spec.relative.display().to_string() };
        let first = named.or(looks).ok_or_else(unknown)?;
        let result = parse_mesh_with(bytes, first, &options, &load).or_else(|error| {
            let other = looks.filter(|other| *other != first);
            other.and_then(|other| parse_mesh_with(bytes, other, &options, &load).ok()).ok_or(error)
        });
        for (path, bytes) in buffers.into_inner() {
            self.embed(&path, &bytes);
        }
        result
    }
}

fn mesh_warning(spec: &MeshSpec, warning: &MeshFileWarning) -> Problem {
    let problem = Problem::warning(spec.place, format!("mesh file: {warning}"));
    match warning.suggested_unit() {
        Some(unit) => problem.hint(format!("add `unit = \"{unit}\"`")),
        None => problem,
    }
}

fn not_solid(spec: &MeshSpec, verdict: &MeshVerdict) -> Problem {
    let first = verdict.complaints().into_iter().next();
    let label = first
        .map_or_else(String::new, |complaint| format!("{} × {}", complaint.count, complaint.what));
    Problem::error(spec.place, "the mesh does not bound a solid").label(label).hint(
        "`carom mass FILE` shows all faults and --repair mends some; \
             or take its convex hull: kind = \"hull_of_mesh\"",
    )
}
