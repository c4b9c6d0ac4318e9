//! Wavefront OBJ.
//!
//! Read are `v x y z` and `f`, whose corners are `v`, `v/vt`, `v//vn` or `v/vt/vn` with indices from 1, or
//! negative ones counted back from the last vertex above the face. `\` at the end of a line continues it,
//! `#` starts a comment. What follows z (a weight or a colour) is ignored: weights belong to free-form
//! curves. Objects, groups, smoothing and materials do not part the mesh. Points, lines and free-form
//! geometry are ignored with a warning, as are lines that no OBJ has.
//!
//! Two passes: vertices, then faces, since a face may name vertices further down.
//!
//! The crate `tobj` 4.0.5 gives no line numbers, knows no continued lines, takes `l 1 2 3` for a triangle,
//! splits vertices between groups, which opens closed meshes along group borders, cuts every polygon as a
//! fan, and overflows on a huge normal index.

use glam::DVec3;

use super::Limit;
use super::build::MeshBuilder;
use super::error::{MeshFileError, MeshFileWarning, Place};
use super::text::{Lines, next_word, parse_integer, parse_number, shown};

const HINT_EMPTY: &str = "it may hold points, lines or free-form surfaces only; export polygons";
const HINT_SYNTAX: &str = "correct that line, or export the file anew";

/// Statements without influence on polygons.
const HARMLESS: [&[u8]; 30] = [
    b"vt",
    b"vn",
    b"vp",
    b"o",
    b"g",
    b"s",
    b"mg",
    b"usemtl",
    b"mtllib",
    b"maplib",
    b"usemap",
    b"bevel",
    b"c_interp",
    b"d_interp",
    b"lod",
    b"shadow_obj",
    b"trace_obj",
    b"ctech",
    b"stech",
    b"cstype",
    b"deg",
    b"bmat",
    b"step",
    b"parm",
    b"trim",
    b"hole",
    b"scrv",
    b"sp",
    b"end",
    b"con",
];

/// Statements for geometry that is not made of polygons.
const OTHER_GEOMETRY: [&[u8]; 5] = [b"p", b"l", b"curv", b"curv2", b"surf"];

/// Whether one of the first lines is a statement with numbers that only OBJ has.
pub(super) fn looks_like_obj(bytes: &[u8]) -> bool {
    Lines::new(bytes).take(1000).any(|mut line| {
        let is_vertex = matches!(next_word(&mut line), Some(b"v" | b"vn" | b"vt"));
        is_vertex && next_word(&mut line).and_then(parse_number).is_some()
    })
}

pub(super) fn read(
    bytes: &[u8],
    builder: &mut MeshBuilder<'_>,
) -> Result<&'static str, MeshFileError> {
    let mut ignored = Ignored::default();
    for_each_statement(bytes, |keyword, rest, line| {
        match keyword {
            b"v" => push_vertex(rest, line, builder)?,
            b"f" => {}
            other => ignored.note(other, line),
        }
        Ok(())
    })?;
    let mut n_above: i64 = 0;
    let mut corners = Vec::new();
    for_each_statement(bytes, |keyword, rest, line| {
        match keyword {
            b"v" => n_above += 1,
            b"f" => {
                corners.clear();
                parse_corners(rest, n_above, line, builder, &mut corners)?;
                builder.push_face(&corners, Place::Line(line))?;
            }
            _ => {}
        }
        Ok(())
    })?;
    ignored.report(&mut builder.warnings);
    Ok(HINT_EMPTY)
}

/// Calls `visit` with the keyword, the rest and the line number of each statement.
fn for_each_statement<'a>(
    bytes: &'a [u8],
    mut visit: impl FnMut(&[u8], &[u8], u64) -> Result<(), MeshFileError>,
) -> Result<(), MeshFileError> {
    let mut lines = Lines::new(bytes);
    let mut joined = Vec::new();
    while let Some(first) = lines.next() {
        let number = lines.line;
        let mut statement: &[u8] = without_comment(first);
        if statement.trim_ascii_end().ends_with(b"\\") {
            joined.clear();
            let mut part: Option<&'a [u8]> = Some(first);
            while let Some(line) = part {
                let line = without_comment(line).trim_ascii_end();
                let kept = line.strip_suffix(b"\\");
                joined.extend_from_slice(kept.unwrap_or(line));
                joined.push(b' ');
                part = if kept.is_some() { lines.next() } else { None };
            }
            statement = &joined;
        }
        if let Some(keyword) = next_word(&mut statement) {
            visit(keyword, statement, number)?;
        }
    }
    Ok(())
}

fn without_comment(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|&b| b == b'#').unwrap_or(line.len());
    &line[..end]
}

fn push_vertex(
    mut rest: &[u8],
    line: u64,
    builder: &mut MeshBuilder<'_>,
) -> Result<(), MeshFileError> {
    let mut position = [0.0; 3];
    for coordinate in &mut position {
        let word = next_word(&mut rest).unwrap_or_default();
        *coordinate = parse_number(word).ok_or_else(|| {
            let what = format!("expected a coordinate, found \"{}\"", shown(word));
            builder.malformed(Place::Line(line), what, HINT_SYNTAX)
        })?;
    }
    builder.push_vertex(DVec3::from_array(position), Place::Line(line))?;
    Ok(())
}

/// Indices of a face's corners, from 0. Stops early if there are too many for a polygon.
fn parse_corners(
    mut rest: &[u8],
    n_above: i64,
    line: u64,
    builder: &MeshBuilder<'_>,
    corners: &mut Vec<u32>,
) -> Result<(), MeshFileError> {
    let place = Place::Line(line);
    while let Some(word) = next_word(&mut rest) {
        let end = word.iter().position(|&b| b == b'/').unwrap_or(word.len());
        let index = parse_integer(&word[..end]).ok_or_else(|| {
            let what = format!("expected a vertex index, found \"{}\"", shown(word));
            builder.malformed(place, what, HINT_SYNTAX)
        })?;
        let from_zero = if index > 0 { index - 1 } else { index.saturating_add(n_above) };
        let n_vertices = builder.n_vertices();
        let is_absent = || {
            let n_vertices = if index < 0 { n_above as usize } else { n_vertices };
            MeshFileError::NoSuchVertex { format: builder.format, place, index, n_vertices }
        };
        if index == 0 {
            return Err(is_absent());
        }
        corners.push(builder.find_vertex(from_zero).ok_or_else(is_absent)?);
        builder.limits.check(Limit::PolygonCorners, corners.len() as u64, place)?;
    }
    Ok(())
}

/// Statements that were passed over.
#[derive(Default)]
struct Ignored {
    geometry: Option<(u64, u64)>,
    unknown: Option<(String, u64, u64)>,
}

impl Ignored {
    fn note(&mut self, keyword: &[u8], line: u64) {
        if HARMLESS.contains(&keyword) {
            return;
        }
        if OTHER_GEOMETRY.contains(&keyword) {
            self.geometry.get_or_insert((line, 0)).1 += 1;
        } else {
            self.unknown.get_or_insert_with(|| (shown(keyword), line, 0)).2 += 1;
        }
    }

    fn report(self, warnings: &mut Vec<MeshFileWarning>) {
        if let Some((line, count)) = self.geometry {
            let what = "points, lines, curves or free-form surfaces";
            warnings.push(MeshFileWarning::Ignored { what, count, first: Place::Line(line) });
        }
        if let Some((word, line, count)) = self.unknown {
            warnings.push(MeshFileWarning::UnknownStatements { word, line, count });
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
