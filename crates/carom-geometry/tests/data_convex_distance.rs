//! The data set `convex-distance`: distances and depths of 12 shapes in 229 placements, solved by others.
//!
//! The queries lie in a folder beside the project, `shared/data`, or the one that `CAROM_DATA` names; without it there
//! is nothing to check, and the test says so.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use carom_geometry::distance::{Closest, Convex, Feature, Warm, closest};
use carom_geometry::{Pose, convex_hull};
use glam::{DMat3, DQuat, DVec3};
use oracles::distances::{ConvexPair, convex_pairs};
use oracles::meshes::convex_shapes;

/// As the data states it: the sources agree to these.
const DISTANCE: f64 = 1e-7;
const DEPTH: f64 = 1e-6;
const POINT: f64 = 1e-5;

fn data_folder() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("CAROM_DATA") {
        return Some(path.into());
    }
    let clone = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    Some(clone.parent()?.join("shared/data"))
}

fn pose(pair: &ConvexPair) -> Pose {
    let rows = pair.rotation.map(DVec3::from_array);
    let rotation = DMat3::from_cols(rows[0], rows[1], rows[2]).transpose();
    let translation = DVec3::from_array(pair.translation);
    Pose::new(translation, DQuat::from_mat3(&rotation).normalize())
}

fn shapes() -> BTreeMap<String, Convex> {
    let cases = convex_shapes(None).expect("the shapes are carried");
    let hull = |case: &oracles::meshes::ConvexCase| {
        let points: Vec<DVec3> = case.vertices.iter().map(|v| DVec3::from_array(*v)).collect();
        Convex::Polyhedron(Arc::new(convex_hull(&points).expect("the points span a solid")))
    };
    cases.iter().map(|(name, case)| (name.clone(), hull(case))).collect()
}

fn counts(solid: &Convex) -> [u32; 3] {
    let Convex::Polyhedron(it) = solid else { unreachable!("all shapes are polyhedra") };
    [it.vertices().len(), it.half_edges().len(), it.faces().len()].map(|count| count as u32)
}

/// Any feature, by a number.
fn feature(solid: &Convex, number: u32) -> Feature {
    let [vertices, half_edges, faces] = counts(solid);
    match number % 3 {
        0 => Feature::Vertex(number / 3 % vertices),
        1 => Feature::Edge(number / 3 % half_edges),
        _ => Feature::Face(number / 3 % faces),
    }
}

fn find_fault(pair: &ConvexPair, answer: &Closest) -> Option<String> {
    let allowed = if pair.distance > 0.0 { DISTANCE } else { DEPTH };
    let is_right = (answer.distance - pair.distance).abs() <= allowed;
    if !is_right {
        return Some(format!("{} instead of {}", answer.distance, pair.distance));
    }
    let [a, b] = pair.points?.map(DVec3::from_array);
    let off = answer.point_a.distance(a).max(answer.point_b.distance(b));
    let are_right = off <= POINT;
    if !are_right {
        return Some(format!("points off by {off:e}"));
    }
    // Printed points determine the direction to their last digit over the distance.
    let turned = (answer.normal - (a - b).normalize_or_zero()).length();
    let is_along = turned <= POINT + 1e-8 / pair.distance;
    (!is_along).then(|| format!("direction off by {turned:e}"))
}

/// proves: m1/LC-R2
#[test]
fn all_queries_agree_cold_warm_and_from_any_features() {
    let pairs = data_folder().and_then(|folder| convex_pairs(&folder).expect("a sound table"));
    let Some(pairs) = pairs else {
        println!("skipped: data not present: convex-distance");
        return;
    };
    let shapes = shapes();
    let mut worst = [0.0_f64; 2];
    for (row, pair) in pairs.iter().enumerate() {
        let (a, b, pose) = (&shapes[&pair.a], &shapes[&pair.b], pose(pair));
        let mut warm = Warm::Cold;
        let first = closest(a, b, &pose, &mut warm);
        let mut answers = vec![first, closest(a, b, &pose, &mut warm)];
        for start in 0..50_u32 {
            let numbers = [start * 7919 + row as u32, start * 104_729 + 3 * row as u32];
            let features = [feature(a, numbers[0]), feature(b, numbers[1])];
            let mut warm = Warm::Last(Closest { features, distance: 1.0, ..first });
            answers.push(closest(a, b, &pose, &mut warm));
        }
        let is_deep = usize::from(pair.distance < 0.0);
        for answer in &answers {
            worst[is_deep] = worst[is_deep].max((answer.distance - pair.distance).abs());
            assert!((answer.distance - first.distance).abs() <= 1e-14, "row {row}: {answer:?}");
            assert_eq!(find_fault(pair, answer), None, "row {row}, {}", pair.category);
        }
    }
    println!("{} queries, worst distance {:e}, worst depth {:e}", pairs.len(), worst[0], worst[1]);
}
