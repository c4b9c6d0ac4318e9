//! Data set `convex-distance`: the hull of each shape's vertices against the surface that Qhull found.

use glam::DVec3;
use oracles::meshes::{ConvexCase, convex_shapes};
use oracles::tetrahedra::mass_of_mesh;

use carom_geometry::convex_hull;
use carom_geometry::mass::VolumeIntegrals;

use super::super::data::of_carried;
use super::super::{Context, Row};

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let (folder, source) =
        of_carried(context.data.as_ref(), "convex-distance/shapes.json", "Qhull");
    match convex_shapes(folder) {
        Ok(shapes) => {
            shapes.iter().flat_map(|(name, case)| hull_rows(context, name, case, &source)).collect()
        }
        Err(error) => vec![Row::case("data/convex-distance/hull", "hulls", &source).failed(&error)],
    }
}

fn hull_rows(context: &Context, name: &str, case: &ConvexCase, source: &str) -> Vec<Row> {
    // Points inside must not matter: each vertex again, pulled to the middle.
    let outer: Vec<DVec3> = case.vertices.iter().map(|v| DVec3::from_array(*v)).collect();
    let middle = outer.iter().sum::<DVec3>() / outer.len() as f64;
    let inner = outer.iter().map(|v| middle + 0.5 * (*v - middle));
    let points: Vec<DVec3> = inner.chain(outer.iter().copied()).collect();
    let hull = convex_hull(&points).ok();
    let count = hull.as_ref().map_or(f64::NAN, |hull| hull.vertices().len() as f64);
    let mesh = hull.map(|hull| context.subject.mesh(hull.to_mesh()));
    let volume = mesh.map_or(f64::NAN, |mesh| VolumeIntegrals::of_mesh(&mesh).volume);
    let expected = mass_of_mesh(&case.vertices, &case.triangles).volume;
    let row = |key: &str, what: &str| {
        let id = format!("data/convex-distance/hull/{name}/{key}");
        Row::case(id, format!("hull of {name}: {what}"), source)
    };
    vec![
        // Two sums over the same surface differ by rounding only.
        row("volume", "volume by signed tetrahedra")
            .in_unit("m³")
            .relative(1e-12, expected, volume),
        row("vertices", "number of vertices").absolute(
            0.0,
            case.vertices.len() as f64,
            context.subject.extent(count),
        ),
    ]
}
