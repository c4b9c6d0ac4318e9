//! The groups, one file each.

mod hulls;
mod mass_meshes;
mod mass_rules;
mod mass_tables;
mod primitives;
mod rest_poses;

use glam::DVec3;

use carom_geometry::{MassProperties, TriMesh};

use super::Group;

/// All groups in the order of the table.
pub const GROUPS: [Group; 6] = [
    Group {
        name: "mass-tables",
        about: "the thesis's tables of mass integrals",
        run: mass_tables::rows,
    },
    Group {
        name: "mass-rules",
        about: "the guide's checklist of mass properties",
        run: mass_rules::rows,
    },
    Group {
        name: "mass-meshes",
        about: "closed meshes with known mass properties",
        run: mass_meshes::rows,
    },
    Group {
        name: "primitives",
        about: "primitive solids against quadrature",
        run: primitives::rows,
    },
    Group { name: "hulls", about: "convex hulls against Qhull's", run: hulls::rows },
    Group {
        name: "rest-poses",
        about: "support points of tracked bodies at rest on a table",
        run: rest_poses::rows,
    },
];

/// A mesh from an oracle's numbers; one that breaks the promises of a mesh becomes an empty answer, which
/// fails its rows.
fn mesh_of(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Option<TriMesh> {
    let vertices = vertices.iter().map(|v| DVec3::from_array(*v)).collect();
    TriMesh::new(vertices, triangles.to_vec()).ok()
}

/// What stands for an answer that could not be had: every comparison with it fails.
fn no_mass() -> MassProperties {
    MassProperties { mass: f64::NAN, center: DVec3::NAN, inertia: glam::DMat3::NAN }
}

#[cfg(test)]
mod tests;
