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

impl MeshCase {
    /// Length of the diagonal of the box around the vertices.
    pub fn size(&self) -> f64 {
        let extent = |axis: usize| {
            let along = || self.vertices.iter().map(|v| v[axis]);
            along().fold(f64::MIN, f64::max) - along().fold(f64::MAX, f64::min)
        };
        [0, 1, 2].map(extent).iter().map(|x| x * x).sum::<f64>().sqrt()
    }

    /// The same case turned by a rotation R, given by rows, and moved by t: centre R·c + t, inertia R·I·Rᵀ.
    #[must_use]
    pub fn moved(&self, rotation: [[f64; 3]; 3], shift: [f64; 3]) -> Self {
        let turned =
            |v: [f64; 3]| rotation.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
        let placed = |v: [f64; 3]| {
            let turned = turned(v);
            [0, 1, 2].map(|i| turned[i] + shift[i])
        };
        // R·I·Rᵀ: turn the rows of I, then the columns of what that gives.
        let row = |i: usize| {
            [self.inertia_com[3 * i], self.inertia_com[3 * i + 1], self.inertia_com[3 * i + 2]]
        };
        let half = [turned(row(0)), turned(row(1)), turned(row(2))];
        let mut inertia_com = [0.0; 9];
        for j in 0..3 {
            let column = turned([half[0][j], half[1][j], half[2][j]]);
            for i in 0..3 {
                inertia_com[3 * i + j] = column[i];
            }
        }
        Self {
            vertices: self.vertices.iter().map(|v| placed(*v)).collect(),
            triangles: self.triangles.clone(),
            volume: self.volume,
            com: placed(self.com),
            inertia_com,
        }
    }
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
    fn a_quarter_turn_about_z_swaps_the_first_two_moments() {
        let case = &mass_properties(None).unwrap()["frame_with_hole"];
        let turn = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        let moved = case.moved(turn, [10.0, 0.0, 0.0]);
        let diagonal = |case: &MeshCase| [0, 4, 8].map(|i| case.inertia_com[i]);
        let [a, b, c] = diagonal(case);
        assert_eq!(diagonal(&moved), [b, a, c]);
        assert_eq!(moved.com, [10.0 - case.com[1], case.com[0], case.com[2]]);
        assert_eq!(moved.size(), case.size());
    }

    #[test]
    fn text_that_is_not_of_the_layout_is_refused_with_the_place() {
        let error = parse_text::<BTreeMap<String, MeshCase>>(Path::new("x.json"), "{\"a\": {}}");
        let message = error.unwrap_err().to_string();
        assert!(message.starts_with("x.json: missing field `vertices` at line 1"), "{message}");
    }
}
