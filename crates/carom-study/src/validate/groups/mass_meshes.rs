//! Data set `mass-properties`: closed meshes, convex and not, as they are, moved and turned inside out.

use glam::{DMat3, DQuat, DVec3};
use oracles::DataError;
use oracles::meshes::{MeshCase, mass_properties};

use carom_geometry::mass::VolumeIntegrals;
use carom_geometry::{MassProperties, Pose, TriMesh};

use super::super::{Context, DataFolder, Row};
use super::{mesh_of, no_mass};

const SOURCE: &str = "data set mass-properties (trimesh 5.2)";

/// The data set's own tolerance.
const TOLERANCE: f64 = 1e-9;

pub(super) fn rows(context: &Context) -> Result<Vec<Row>, DataError> {
    let folder = context.data.as_ref().map(DataFolder::path);
    let mut rows = Vec::new();
    for (name, case) in mass_properties(folder)? {
        rows.extend(mesh_rows(context, &name, &case));
    }
    Ok(rows)
}

fn mesh_rows(context: &Context, name: &str, case: &MeshCase) -> Vec<Row> {
    let mesh = mesh_of(&case.vertices, &case.triangles);
    let mass = |mesh: Option<&TriMesh>| {
        let mesh = mesh.cloned().map(|mesh| context.subject.mesh(mesh));
        let mass = mesh.and_then(|mesh| MassProperties::of_mesh(&mesh, 1.0).ok());
        context.subject.mass(mass.unwrap_or_else(no_mass))
    };
    let got = mass(mesh.as_ref());
    let volume = case.volume;
    let center = DVec3::from_array(case.com);
    let inertia = DMat3::from_cols_array(&case.inertia_com).transpose();
    let size = mesh.as_ref().map_or(f64::NAN, |mesh| mesh.aabb().diagonal());
    let row = |key: &str, what: &str, unit: &'static str| {
        let id = format!("data/mass-properties/{name}/{key}");
        Row::case(id, format!("{name}: {what}"), SOURCE).in_unit(unit)
    };

    // Moved by t and turned by R: centre R·c + t, inertia R·I·Rᵀ, as the data set's rules ask.
    let turn = exact_turn();
    let pose = Pose::new(DVec3::new(0.3, -1.1, 2.0), DQuat::from_mat3(&turn));
    let moved = mesh.as_ref().and_then(|mesh| {
        let vertices = mesh.vertices().iter().map(|v| pose.point(*v)).collect();
        TriMesh::new(vertices, mesh.triangles().to_vec()).ok()
    });
    let got_moved = mass(moved.as_ref());
    let flipped = mesh.as_ref().map(|mesh| context.subject.mesh(mesh.clone()).flipped());
    let got_flipped = flipped.map_or(f64::NAN, |mesh| VolumeIntegrals::of_mesh(&mesh).volume);
    vec![
        row("volume", "volume", "m³").relative(TOLERANCE, volume, got.mass),
        row("center", "centre of mass", "m").relative_to(size, TOLERANCE, center, got.center),
        row("inertia", "inertia about the centre", "kg·m²").relative(
            TOLERANCE,
            inertia,
            got.inertia,
        ),
        row("moved-center", "centre when moved", "m").relative_to(
            size,
            TOLERANCE,
            turn * center + pose.translation,
            got_moved.center,
        ),
        row("moved-inertia", "inertia when turned", "kg·m²").relative(
            TOLERANCE,
            turn * inertia * turn.transpose(),
            got_moved.inertia,
        ),
        row("flipped", "volume when turned inside out", "m³").relative(
            TOLERANCE,
            -volume,
            context.subject.extent(got_flipped),
        ),
    ]
}

/// A rotation whose entries are short decimals: by 120° about (1, 1, 1), then by the 3-4-5 triangle about z.
fn exact_turn() -> DMat3 {
    let cyclic = DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X);
    let about_z = DMat3::from_cols(DVec3::new(0.6, 0.8, 0.0), DVec3::new(-0.8, 0.6, 0.0), DVec3::Z);
    about_z * cyclic
}
