//! The groups, one file each.

mod collisions;
mod complementarity;
mod contact;
mod cyclers;
mod detection;
mod free_flight;
mod free_rotation;
mod hulls;
mod linkages;
mod mass_meshes;
mod mass_rules;
mod mass_tables;
mod primitives;
mod rest_poses;
mod scenes;
mod scripted;
mod spin_bounds;
mod ticks;
mod worlds;

use glam::{DQuat, DVec3};

use carom_dynamics::{BodyState, FreeRotation, Mass};
use carom_geometry::{MassProperties, TriMesh};

use super::{Context, Group};

/// All groups in the order of the table.
pub const GROUPS: [Group; 19] = [
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
    Group {
        name: "free-flight",
        about: "a thrown body and one that tumbles",
        run: free_flight::rows,
    },
    Group {
        name: "free-rotation",
        about: "free rotation against elliptic functions and 50 digits",
        run: free_rotation::rows,
    },
    Group {
        name: "spin-bounds",
        about: "the largest rate of a free rotation",
        run: spin_bounds::rows,
    },
    Group { name: "cyclers", about: "the thesis's bounds on cyclers", run: cyclers::rows },
    Group {
        name: "scripted",
        about: "scripted bodies of a world where their laws put them",
        run: scripted::rows,
    },
    Group { name: "ticks", about: "controllers of a world at four rates", run: ticks::rows },
    Group {
        name: "detection",
        about: "distances of all kinds of solids, and when bodies touch",
        run: detection::rows,
    },
    Group {
        name: "collisions",
        about: "collisions with friction, sequences of them and rest, against printed, exact and integrated answers",
        run: collisions::rows,
    },
    Group {
        name: "linkages",
        about: "links on joints: their dynamics, impacts, stops, motors and constraints, against golden numbers and dense matrices",
        run: linkages::rows,
    },
    Group {
        name: "complementarity",
        about: "forces that only push: every solver on problems worked out by hand and on problems with answers of other programs",
        run: complementarity::rows,
    },
    Group {
        name: "contact",
        about: "lasting contact by forces, without friction, and impacts on it, against statics, closed forms and quadrature",
        run: contact::rows,
    },
    Group { name: "scenes", about: "what every built-in scene promises", run: scenes::rows },
    Group { name: "worlds", about: "struck bodies of a world and its ledger", run: worlds::rows },
];

/// A body whose body axes are its principal axes, as a motion gets it.
fn body_of(context: &Context, moments: [f64; 3]) -> Mass {
    let moments = DVec3::from_array(moments);
    context.subject.moving(Mass { mass: 1.0, moments, body_from_principal: DQuat::IDENTITY })
}

/// Orientation and angular velocity of a free rotation at a time, as they come out.
fn attitude(context: &Context, rotation: &FreeRotation, time: f64) -> (DQuat, DVec3) {
    let (orientation, angular_velocity) = rotation.at(context.subject.time(time));
    let (position, velocity) = (DVec3::ZERO, DVec3::ZERO);
    let state = BodyState { position, orientation, velocity, angular_velocity };
    let state = context.subject.state(state);
    (state.orientation, state.angular_velocity)
}

/// The same rotation as w, x, y, z, with the sign that is nearer to an expected one.
fn quaternion_like(expected: [f64; 4], got: DQuat) -> Vec<f64> {
    let entries = [got.w, got.x, got.y, got.z];
    let product: f64 = entries.iter().zip(expected).map(|(a, b)| a * b).sum();
    entries.iter().map(|entry| entry * 1.0_f64.copysign(product)).collect()
}

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
