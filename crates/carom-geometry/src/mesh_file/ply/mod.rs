//! PLY, text and binary of either byte order.
//!
//! A header in text declares elements, each with a count and properties: numbers of eight types, or lists
//! of them. The rows of all elements follow in that order. Read are `x`, `y`, `z` of the element `vertex`
//! and the list `vertex_indices` or `vertex_index` of the element `face`, wherever they stand; everything
//! else is passed over. In text, a row is a line, and coordinates keep all their digits even where the
//! header calls them `float`.
//!
//! Not supported, and refused by name: `tristrips`, whose corners are in no face.
//!
//! The crate `ply-rs-bw` 4.0.1 reads text coordinates declared `float` into f32, refuses numbers such as
//! `1.` and `.5`, counts rows of binary data as lines, takes memory for each face, and loops through the
//! claimed count of an element without properties, each round storing one.

mod body;
mod header;

use glam::DVec3;

use super::Limit;
use super::build::MeshBuilder;
use super::error::{MeshFileError, Place};
use body::{Binary, Body, Text};
use header::{Element, Encoding, Kind, Property, Scalar};

const HINT_EMPTY: &str = "it is a cloud of points; export it with faces";
const HINT_SYNTAX: &str = "the file may be damaged; export it anew";
const HINT_SHORT: &str = "the file is incomplete; copy or export it anew";

pub(super) fn read(
    bytes: &[u8],
    builder: &mut MeshBuilder<'_>,
) -> Result<&'static str, MeshFileError> {
    let header = header::parse(bytes, builder)?;
    if let Some(strips) = header.elements.iter().find(|e| e.name == "tristrips") {
        return Err(builder.unsupported(
            Place::Line(strips.line),
            "the element tristrips".to_owned(),
            "export faces instead of triangle strips",
        ));
    }
    match header.encoding {
        Encoding::Text => read_body(Text::new(header.body), &header.elements, builder),
        Encoding::LittleEndian | Encoding::BigEndian => {
            let start = bytes.len() - header.body.rest().len();
            let is_big = header.encoding == Encoding::BigEndian;
            read_body(Binary::new(bytes, start, is_big), &header.elements, builder)
        }
    }?;
    Ok(HINT_EMPTY)
}

/// Walks through the elements. Faces that come before the vertices are returned to once those are known.
fn read_body<B: Body>(
    mut body: B,
    elements: &[Element],
    builder: &mut MeshBuilder<'_>,
) -> Result<(), MeshFileError> {
    let wanted = |name: &str| elements.iter().position(|e| e.name == name);
    let Some(vertices) = wanted("vertex") else {
        let what = "the header declares no element vertex".to_owned();
        return Err(builder.malformed(Place::File, what, HINT_SYNTAX));
    };
    let Some(faces) = wanted("face") else { return Ok(()) };
    let mut before_faces = None;
    for (i, element) in elements[..=vertices.max(faces)].iter().enumerate() {
        check_room(&body, element, builder)?;
        if i == vertices {
            read_vertices(&mut body, element, builder)?;
        } else if i == faces && vertices < faces {
            read_faces(&mut body, element, builder)?;
        } else {
            if i == faces {
                before_faces = Some(body.clone());
            }
            skip_element(&mut body, element, builder)?;
        }
    }
    match before_faces {
        Some(mut body) => read_faces(&mut body, &elements[faces], builder),
        None => Ok(()),
    }
}

/// Compares the claimed number of rows with the bytes that are there.
fn check_room<B: Body>(
    body: &B,
    element: &Element,
    builder: &MeshBuilder<'_>,
) -> Result<(), MeshFileError> {
    let row_bytes: u64 = element.properties.iter().map(|p| B::least_bytes(p.kind)).sum();
    let n_left = body.n_left();
    // In text, the last row needs no line end.
    if u128::from(row_bytes) * u128::from(element.count) > u128::from(n_left) + 1 {
        let what = format!(
            "the header claims {} rows of {} with at least {row_bytes} bytes each, but {n_left} bytes \
             are left",
            element.count, element.name
        );
        return Err(builder.malformed(Place::Line(element.line), what, HINT_SHORT));
    }
    Ok(())
}

fn read_vertices<B: Body>(
    body: &mut B,
    element: &Element,
    builder: &mut MeshBuilder<'_>,
) -> Result<(), MeshFileError> {
    let mut axis_of = Vec::with_capacity(element.properties.len());
    for property in &element.properties {
        let axis = ["x", "y", "z"].iter().position(|axis| *axis == property.name);
        axis_of.push(axis.filter(|_| matches!(property.kind, Kind::Number(_))));
    }
    for (axis, name) in ["x", "y", "z"].iter().enumerate() {
        if axis_of.iter().filter(|a| **a == Some(axis)).count() != 1 {
            let what = format!("the element vertex must have one number {name}");
            return Err(builder.malformed(Place::Line(element.line), what, HINT_SYNTAX));
        }
    }
    builder.limits.check(Limit::Vertices, element.count, Place::Line(element.line))?;
    builder.reserve(element.count as usize, 0);
    for _ in 0..element.count {
        body.start_row(builder)?;
        let place = body.place();
        let mut position = DVec3::ZERO;
        for (property, axis) in element.properties.iter().zip(&axis_of) {
            match (property.kind, *axis) {
                (Kind::Number(scalar), Some(axis)) => {
                    position[axis] = body.number(scalar, builder)?;
                }
                _ => skip_property(body, property, builder)?,
            }
        }
        body.end_row(builder)?;
        builder.push_vertex(position, place)?;
    }
    Ok(())
}

fn read_faces<B: Body>(
    body: &mut B,
    element: &Element,
    builder: &mut MeshBuilder<'_>,
) -> Result<(), MeshFileError> {
    let (list, types) = find_corner_list(element, builder)?;
    builder.limits.check(Limit::Triangles, element.count, Place::Line(element.line))?;
    builder.reserve(0, element.count as usize);
    let mut corners = Vec::new();
    for _ in 0..element.count {
        body.start_row(builder)?;
        let place = body.place();
        for (i, property) in element.properties.iter().enumerate() {
            if i == list {
                read_corners(body, types, builder, &mut corners)?;
            } else {
                skip_property(body, property, builder)?;
            }
        }
        body.end_row(builder)?;
        builder.push_face(&corners, place)?;
    }
    Ok(())
}

/// Which property of a face lists its corners, and the types of its count and entries.
fn find_corner_list(
    element: &Element,
    builder: &MeshBuilder<'_>,
) -> Result<(usize, [Scalar; 2]), MeshFileError> {
    let is_list = |p: &Property| p.name == "vertex_indices" || p.name == "vertex_index";
    let found = element.properties.iter().position(is_list);
    let types = found.map(|i| element.properties[i].kind);
    match (found, types) {
        (Some(i), Some(Kind::List(count, entry))) if entry.is_integer() => Ok((i, [count, entry])),
        _ => {
            let what = "the element face must have a list vertex_indices of integers".to_owned();
            Err(builder.malformed(Place::Line(element.line), what, HINT_SYNTAX))
        }
    }
}

fn read_corners<B: Body>(
    body: &mut B,
    [count, entry]: [Scalar; 2],
    builder: &MeshBuilder<'_>,
    corners: &mut Vec<u32>,
) -> Result<(), MeshFileError> {
    corners.clear();
    let place = body.place();
    let n_corners = read_count(body, count, builder)?;
    builder.limits.check(Limit::PolygonCorners, n_corners, place)?;
    for _ in 0..n_corners {
        let place = body.place();
        let index = body.integer(entry, builder)?;
        let vertex = builder.find_vertex(index);
        corners.push(vertex.ok_or_else(|| MeshFileError::NoSuchVertex {
            format: builder.format,
            place,
            index,
            n_vertices: builder.n_vertices(),
        })?);
    }
    Ok(())
}

/// Length of a list.
fn read_count<B: Body>(
    body: &mut B,
    scalar: Scalar,
    builder: &MeshBuilder<'_>,
) -> Result<u64, MeshFileError> {
    let place = body.place();
    let count = body.integer(scalar, builder)?;
    u64::try_from(count).map_err(|_| {
        builder.malformed(place, format!("a list claims {count} entries"), HINT_SYNTAX)
    })
}

fn skip_property<B: Body>(
    body: &mut B,
    property: &Property,
    builder: &MeshBuilder<'_>,
) -> Result<(), MeshFileError> {
    match property.kind {
        Kind::Number(scalar) => body.skip(scalar, 1, builder),
        Kind::List(count, entry) => {
            let n_entries = read_count(body, count, builder)?;
            body.skip(entry, n_entries, builder)
        }
    }
}

fn skip_element<B: Body>(
    body: &mut B,
    element: &Element,
    builder: &MeshBuilder<'_>,
) -> Result<(), MeshFileError> {
    if element.properties.is_empty() {
        return Ok(());
    }
    for _ in 0..element.count {
        body.start_row(builder)?;
        for property in &element.properties {
            skip_property(body, property, builder)?;
        }
        body.end_row(builder)?;
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests;
