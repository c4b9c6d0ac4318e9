//! Data set `convex-distance`: distances and depths of 12 shapes in 229 placements, solved by others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};
use oracles::DataError;
use oracles::distances::{ConvexPair, convex_pairs};
use oracles::meshes::{ConvexCase, convex_shapes};

use carom_geometry::distance::{Convex, Warm, closest};
use carom_geometry::{Pose, convex_hull};

use super::super::super::data::{CONVEX_DISTANCE, on_data};
use super::super::super::{Context, Row};

const SOURCE: &str = "convex-distance/pairs.csv in the data folder (Clarabel, Qhull; Coal agrees)";

/// One row for each category: the worst of its queries, asked cold and again from the answer.
pub(super) fn rows(context: &Context) -> Vec<Row> {
    let row = Row::case("data/convex-distance/queries", "distances of convex polyhedra", SOURCE);
    let mut rows = Vec::new();
    let first = on_data(context.data.as_ref(), &CONVEX_DISTANCE, row, |folder, row| {
        rows = category_rows(context, folder)?;
        Ok(rows.pop().unwrap_or_else(|| row.failed(&"there are no queries")))
    });
    rows.push(first);
    rows
}

fn category_rows(context: &Context, folder: &Path) -> Result<Vec<Row>, DataError> {
    let shapes = convex_shapes(Some(folder))?;
    let shapes: BTreeMap<&str, Convex> =
        shapes.iter().filter_map(|(name, case)| Some((name.as_str(), hull(case)?))).collect();
    let pairs = convex_pairs(folder)?.unwrap_or_default();
    let categories: BTreeSet<&str> = pairs.iter().map(|pair| pair.category.as_str()).collect();
    let row_of = |category: &str| {
        let pairs: Vec<&ConvexPair> = pairs.iter().filter(|it| it.category == category).collect();
        let errors = pairs.iter().map(|pair| error(context, &shapes, pair));
        let worst =
            errors.fold(0.0_f64, |worst, e| if worst >= e || worst.is_nan() { worst } else { e });
        let id = format!("data/convex-distance/queries/{category}");
        let what = format!("worst distance of {} {category} pairs, cold and warm", pairs.len());
        // As the data states it: its sources agree to these.
        let tolerance = if category == "penetrating" { 1e-6 } else { 1e-7 };
        Row::case(id, what, SOURCE).in_unit("m").absolute(tolerance, 0.0, worst)
    };
    Ok(categories.into_iter().map(row_of).collect())
}

fn hull(case: &ConvexCase) -> Option<Convex> {
    let points: Vec<DVec3> = case.vertices.iter().map(|v| DVec3::from_array(*v)).collect();
    Some(Convex::Polyhedron(Arc::new(convex_hull(&points).ok()?)))
}

/// How far the distance is off; NaN for a shape that is not there.
fn error(context: &Context, shapes: &BTreeMap<&str, Convex>, pair: &ConvexPair) -> f64 {
    let (Some(a), Some(b)) = (shapes.get(pair.a.as_str()), shapes.get(pair.b.as_str())) else {
        return f64::NAN;
    };
    let rows = pair.rotation.map(DVec3::from_array);
    let rotation =
        DQuat::from_mat3(&DMat3::from_cols_array_2d(&rows.map(|it| it.to_array())).transpose());
    let pose = Pose::new(DVec3::from_array(pair.translation), rotation.normalize());
    let mut warm = Warm::Cold;
    let answers = [(); 2].map(|()| closest(a, b, &pose, &mut warm).distance);
    let off = answers.map(|it| (context.subject.extent(it) - pair.distance).abs());
    if off[0] > off[1] { off[0] } else { off[1] }
}
