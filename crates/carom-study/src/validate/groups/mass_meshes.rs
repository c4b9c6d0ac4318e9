//! Data set `mass-properties`: closed meshes, convex and not, as they are, moved and turned inside out.

use glam::DVec3;
use oracles::meshes::{MeshCase, mass_properties};

use carom_geometry::MassProperties;
use carom_geometry::mass::VolumeIntegrals;

use super::super::data::of_carried;
use super::super::{Context, Row};
use super::{mesh_of, no_mass};

/// The data set's own tolerance.
const TOLERANCE: f64 = 1e-9;

/// By 120° about (1, 1, 1), then by the 3-4-5 triangle about z: rows of a rotation with short decimals.
const TURN: [[f64; 3]; 3] = [[-0.8, 0.0, 0.6], [0.6, 0.0, 0.8], [0.0, 1.0, 0.0]];
const SHIFT: [f64; 3] = [0.3, -1.1, 2.0];

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let file = "mass-properties/meshes.json";
    let (folder, source) = of_carried(context.data.as_ref(), file, "trimesh 5.2");
    match mass_properties(folder) {
        Ok(cases) => {
            cases.iter().flat_map(|(name, case)| mesh_rows(context, name, case, &source)).collect()
        }
        Err(error) => vec![Row::case("data/mass-properties", "meshes", &source).failed(&error)],
    }
}

/// The case as it is, turned and moved, and turned inside out, as the data set's rules ask.
fn mesh_rows(context: &Context, name: &str, case: &MeshCase, source: &str) -> Vec<Row> {
    let row = |key: &str, what: &str, unit: &'static str| {
        let id = format!("data/mass-properties/{name}/{key}");
        Row::case(id, format!("{name}: {what}"), source).in_unit(unit)
    };
    let moved = case.moved(TURN, SHIFT);
    let (got, got_moved) = (mass_of(context, case), mass_of(context, &moved));
    let mesh = mesh_of(&case.vertices, &case.triangles);
    let flipped = mesh.map(|mesh| context.subject.mesh(mesh).flipped());
    let got_flipped = flipped.map_or(f64::NAN, |mesh| VolumeIntegrals::of_mesh(&mesh).volume);
    let center = |case: &MeshCase| DVec3::from_array(case.com);
    let inertia = |case: &MeshCase| case.inertia_com.to_vec();
    let size = case.size();
    vec![
        row("volume", "volume", "m³").relative(TOLERANCE, case.volume, got.mass),
        row("center", "centre of mass", "m").relative_to(size, TOLERANCE, center(case), got.center),
        row("inertia", "inertia about the centre", "kg·m²").relative(
            TOLERANCE,
            inertia(case),
            got.inertia,
        ),
        row("moved-center", "centre when moved", "m").relative_to(
            size,
            TOLERANCE,
            center(&moved),
            got_moved.center,
        ),
        row("moved-inertia", "inertia when turned", "kg·m²").relative(
            TOLERANCE,
            inertia(&moved),
            got_moved.inertia,
        ),
        row("flipped", "volume when turned inside out", "m³").relative(
            TOLERANCE,
            -case.volume,
            context.subject.extent(got_flipped),
        ),
    ]
}

fn mass_of(context: &Context, case: &MeshCase) -> MassProperties {
    let mesh = mesh_of(&case.vertices, &case.triangles).map(|mesh| context.subject.mesh(mesh));
    let mass = mesh.and_then(|mesh| MassProperties::of_mesh(&mesh, 1.0).ok());
    context.subject.mass(mass.unwrap_or_else(no_mass))
}
