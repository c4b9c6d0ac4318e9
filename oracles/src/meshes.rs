//! Meshes with known mass properties, and convex shapes with known surfaces.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::{DataError, malformed, read_text};

/// A closed mesh and its mass properties at density 1.
#[derive(Clone, Debug, Deserialize)]
pub struct MeshCase {
    /// Vertex positions.
    pub vertices: Vec<[f64; 3]>,
    /// Vertex indices of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Volume.
    pub volume: f64,
    /// Centre of mass.
    pub com: [f64; 3],
    /// Inertia about the centre of mass, row by row.
    pub inertia_com: [f64; 9],
}

/// A convex polyhedron as an outward triangle mesh.
#[derive(Clone, Debug, Deserialize)]
pub struct ConvexCase {
    /// Vertex positions.
    pub vertices: Vec<[f64; 3]>,
    /// Vertex indices of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Cases of the data set `mass-properties` by name: from a data folder, or those carried here.
///
/// # Errors
/// If the file cannot be read or is not of that layout.
pub fn mass_properties(folder: Option<&Path>) -> Result<BTreeMap<String, MeshCase>, DataError> {
    let carried = include_str!("../data/mass-properties.json");
    let cases: BTreeMap<String, MeshCase> =
        parse(folder.map(|f| f.join("mass-properties/meshes.json")).as_deref(), carried)?;
    let surfaces = cases.iter().map(|(name, case)| (name, case.vertices.len(), &case.triangles));
    check_indices(surfaces)?;
    Ok(cases)
}

/// Shapes of the data set `convex-distance` by name: from a data folder, or those carried here.
///
/// # Errors
/// If the file cannot be read or is not of that layout.
pub fn convex_shapes(folder: Option<&Path>) -> Result<BTreeMap<String, ConvexCase>, DataError> {
    let carried = include_str!("../data/convex-shapes.json");
    let cases: BTreeMap<String, ConvexCase> =
        parse(folder.map(|f| f.join("convex-distance/shapes.json")).as_deref(), carried)?;
    let surfaces = cases.iter().map(|(name, case)| (name, case.vertices.len(), &case.triangles));
    check_indices(surfaces)?;
    Ok(cases)
}

fn parse<T: for<'a> Deserialize<'a>>(path: Option<&Path>, carried: &str) -> Result<T, DataError> {
    match path {
        Some(path) if path.exists() => parse_text(path, &read_text(path)?),
        _ => parse_text(Path::new("carried data"), carried),
    }
}

fn parse_text<T: for<'a> Deserialize<'a>>(path: &Path, text: &str) -> Result<T, DataError> {
    serde_json::from_str(text).map_err(|error| malformed(path, &error))
}

fn check_indices<'a>(
    surfaces: impl Iterator<Item = (&'a String, usize, &'a Vec<[u32; 3]>)>,
) -> Result<(), DataError> {
    for (name, n_vertices, triangles) in surfaces {
        if let Some(bad) = triangles.iter().flatten().find(|&&v| v as usize >= n_vertices) {
            let message = format!("'{name}' names vertex {bad} of {n_vertices}");
            return Err(malformed(Path::new(name), &message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_carried_sets_are_complete() {
        assert_eq!(mass_properties(None).unwrap().len(), 9);
        assert_eq!(convex_shapes(None).unwrap().len(), 12);
    }

    #[test]
    fn text_that_is_not_of_the_layout_is_refused_with_the_place() {
        let error = parse_text::<BTreeMap<String, MeshCase>>(Path::new("x.json"), "{\"a\": {}}");
        let message = error.unwrap_err().to_string();
        assert!(message.starts_with("x.json: missing field `vertices` at line 1"), "{message}");
    }
}
