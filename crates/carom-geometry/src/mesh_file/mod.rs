//! Mesh files: STL, OBJ, PLY and glTF into [`TriMesh`].
//!
//! **Takes** a path or bytes, the unit of the file and limits. **Gives** one mesh in metres holding all
//! triangles of the file in its order, and warnings. **Refuses to know** about materials, normals, colours
//! and texture coordinates, and leaves judging the mesh to others.
//!
//! Rules that hold for every format:
//!
//! - Coordinates are `f64` from the first digit on. Text keeps all its digits.
//! - No input makes the readers panic, and a count that a file claims costs nothing until the file has
//!   been seen to be long enough for it; see [`Limits`].
//! - Polygons are cut by ear clipping. STL and glTF cannot share vertices, or split them, so there
//!   bit-identical positions are joined; OBJ and PLY keep their vertices as given.
//! - Errors say what is wrong, where (line, byte or numbered part) and what to do. Their text is complete,
//!   so that none has a `source`.
//!
//! All four readers are written here. What spoke against each library is in the header of its module.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path};

use crate::TriMesh;
use crate::tolerances::{IMPLAUSIBLY_LARGE_MESH, IMPLAUSIBLY_SMALL_MESH, LARGE_FOR_METRES_UNSAID};

mod build;
mod error;
mod gltf;
mod limits;
mod obj;
mod ply;
mod polygon;
mod stl;
mod text;
mod unit;
mod weld;

#[cfg(test)]
mod tests;

use build::MeshBuilder;
pub use error::{MeshFileError, MeshFileWarning, Place};
pub use limits::{Limit, Limits};
pub use unit::{Unit, UnknownUnit};

/// A mesh file format; whether text or binary is seen from the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// STL, text or binary.
    Stl,
    /// Wavefront OBJ.
    Obj,
    /// PLY, text or binary of either byte order.
    Ply,
    /// glTF 2.0, as JSON (.gltf) or in one binary file (.glb).
    Gltf,
}

impl Format {
    /// The format that a file name's extension stands for, upper or lower case.
    pub fn from_extension(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "stl" => Some(Self::Stl),
            "obj" => Some(Self::Obj),
            "ply" => Some(Self::Ply),
            "gltf" | "glb" => Some(Self::Gltf),
            _ => None,
        }
    }

    /// The format that the content looks like.
    pub fn from_content(bytes: &[u8]) -> Option<Self> {
        let text = text::without_bom(bytes).trim_ascii_start();
        if bytes.starts_with(b"glTF") || text.starts_with(b"{") {
            return Some(Self::Gltf);
        }
        if stl::is_exact_binary(bytes) || starts_with_word(text, "solid") {
            return Some(Self::Stl);
        }
        if starts_with_word(text, "ply") {
            return Some(Self::Ply);
        }
        obj::looks_like_obj(bytes).then_some(Self::Obj)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Stl => "STL",
            Self::Obj => "OBJ",
            Self::Ply => "PLY",
            Self::Gltf => "glTF",
        })
    }
}

/// How to read a mesh file.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// The unit of the file's lengths; none if nobody stated it, which is read as metres.
    ///
    /// glTF lengths are metres by definition; for the many that are not, another unit counts there too. A
    /// unit that was stated is doubted at larger sizes only.
    pub unit: Option<Unit>,
    /// Factor on all lengths, on top of the unit; positive `[-]`.
    pub scale: f64,
    /// How much the file may ask for.
    pub limits: Limits,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { unit: None, scale: 1.0, limits: Limits::default() }
    }
}

/// What a mesh file held.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshFile {
    /// All triangles, in metres.
    pub mesh: TriMesh,
    /// The format it was read as.
    pub format: Format,
    /// What its owner should know.
    pub warnings: Vec<MeshFileWarning>,
}

/// Fetches a buffer that a glTF keeps outside: takes its relative path with `%` escapes undone and the
/// most bytes it may have; a longer one is an error of kind [`io::ErrorKind::FileTooLarge`].
pub type LoadBuffer<'a> = dyn Fn(&str, u64) -> io::Result<Vec<u8>> + 'a;

/// Reads a mesh file. The extension tells the format, or else the content.
///
/// A file that cannot be read as what its extension says, but can as what its content looks like, is read
/// as that, with a warning.
///
/// glTF buffers in files of their own are read from the folder of the file and its subfolders.
///
/// # Errors
/// If the file cannot be read, is over a limit, breaks the rules of its format, uses what is not
/// supported, or holds no triangles.
pub fn read_mesh(path: &Path, options: &ReadOptions) -> Result<MeshFile, MeshFileError> {
    let io_error = |cause| MeshFileError::Io { path: path.to_owned(), cause };
    let size = plain_file_size(path).map_err(io_error)?;
    options.limits.check(Limit::FileBytes, size, Place::File)?;
    let bytes = read_at_most(path, options.limits.file_bytes).map_err(io_error)?;
    check_not_empty(&bytes)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let load = |name: &str, max_bytes: u64| read_beside(folder, name, max_bytes);
    let parse_as = |format| parse_mesh_with(&bytes, format, options, &load);
    let Some(named) = Format::from_extension(path) else {
        let unknown = || MeshFileError::UnknownFormat { name: path.display().to_string() };
        return parse_as(Format::from_content(&bytes).ok_or_else(unknown)?);
    };
    parse_as(named).or_else(|error| {
        let other = Format::from_content(&bytes).filter(|format| *format != named);
        let Some(mut file) = other.and_then(|format| parse_as(format).ok()) else {
            return Err(error);
        };
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        let is_binary = file.format == Format::Stl && stl::is_binary(&bytes);
        let format = file.format;
        file.warnings.insert(0, MeshFileWarning::Misnamed { extension, format, is_binary });
        Ok(file)
    })
}

/// As [`read_mesh`] for the content of a file; glTF buffers must be inside it.
///
/// # Errors
/// As [`read_mesh`].
pub fn parse_mesh(
    bytes: &[u8],
    format: Format,
    options: &ReadOptions,
) -> Result<MeshFile, MeshFileError> {
    let load = |_: &str, _: u64| {
        Err(io::Error::new(io::ErrorKind::Unsupported, "files beside this one are out of reach"))
    };
    parse_mesh_with(bytes, format, options, &load)
}

/// As [`parse_mesh`], with glTF buffers outside the file fetched by `load`.
///
/// # Errors
/// As [`read_mesh`].
pub fn parse_mesh_with(
    bytes: &[u8],
    format: Format,
    options: &ReadOptions,
    load: &LoadBuffer<'_>,
) -> Result<MeshFile, MeshFileError> {
    let &ReadOptions { unit, scale, ref limits } = options;
    if !(scale.is_finite() && scale > 0.0) {
        return Err(MeshFileError::BadScale { scale });
    }
    limits.check(Limit::FileBytes, bytes.len() as u64, Place::File)?;
    check_not_empty(bytes)?;
    let mut builder = MeshBuilder::new(format, limits);
    let hint_if_empty = match format {
        Format::Stl => stl::read(bytes, &mut builder)?,
        Format::Obj => obj::read(bytes, &mut builder)?,
        Format::Ply => ply::read(bytes, &mut builder)?,
        Format::Gltf => gltf::read(bytes, load, &mut builder)?,
    };
    let (mesh, mut warnings) =
        builder.finish(unit.unwrap_or_default().metres() * scale, hint_if_empty)?;
    warnings.extend(judge_size(&mesh, format, unit));
    Ok(MeshFile { mesh, format, warnings })
}

/// Warns of a size that speaks for a wrong unit. Large glTF files are not suspicious by themselves: they are
/// in metres by definition, and whole cities come in them.
fn judge_size(mesh: &TriMesh, format: Format, unit: Option<Unit>) -> Option<MeshFileWarning> {
    let extent = mesh.aabb().extents().max_element();
    let largest = match (unit, format) {
        (Some(_), _) => IMPLAUSIBLY_LARGE_MESH,
        (None, Format::Gltf) => f64::INFINITY,
        (None, Format::Stl | Format::Obj | Format::Ply) => LARGE_FOR_METRES_UNSAID,
    };
    let is_odd = extent > largest || extent < IMPLAUSIBLY_SMALL_MESH;
    is_odd.then_some(MeshFileWarning::ImplausibleSize { format, unit, extent })
}

/// Reads a plain file, and not a byte more than allowed should it grow meanwhile.
fn read_at_most(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let size = plain_file_size(path)?;
    if size > max_bytes {
        let what = format!("its {size} bytes exceed the limit of {max_bytes}");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    let mut bytes = Vec::with_capacity(size as usize);
    File::open(path)?.take(max_bytes).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Length of a file that may be opened: opening a pipe would wait for its other end.
fn plain_file_size(path: &Path) -> io::Result<u64> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder, not a file"));
    }
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a plain file"));
    }
    Ok(metadata.len())
}

fn check_not_empty(bytes: &[u8]) -> Result<(), MeshFileError> {
    if text::without_bom(bytes).trim_ascii().is_empty() {
        return Err(MeshFileError::Empty { n_bytes: bytes.len() as u64 });
    }
    Ok(())
}

/// Reads a file in a folder or below, so that a foreign file cannot have others read.
fn read_beside(folder: &Path, name: &str, max_bytes: u64) -> io::Result<Vec<u8>> {
    let relative = Path::new(name);
    let is_below =
        relative.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    if !is_below {
        let what = "it is not in the folder of the file";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, what));
    }
    read_at_most(&folder.join(relative), max_bytes)
}

/// Whether a text starts with a whole word, in any case.
fn starts_with_word(text: &[u8], word: &str) -> bool {
    let (head, rest) = text.split_at(word.len().min(text.len()));
    head.eq_ignore_ascii_case(word.as_bytes()) && rest.first().is_none_or(u8::is_ascii_whitespace)
}
