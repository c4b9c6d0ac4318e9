//! Repairs that keep the surface where it is.
//!
//! In this order: weld vertices at equal positions (and, on request, within a tolerance), drop faces folded
//! to a line, drop later copies of a face and both sides of an inner wall, drop faces without area that
//! close nothing, split neighbours at T-junctions bridged by a face without area, wind each shell alike,
//! turn shells right side out, drop unused vertices. Only the weld within a tolerance moves anything. Holes
//! are not filled and intersections not removed, because both would invent a surface that nobody drew. For
//! the same reason a shell is turned only where that leaves no choice: an outermost one wound inward, and
//! all that lies in it if everything there is wound the wrong way too.

mod junction;
mod surplus;
#[cfg(test)]
mod tests;
mod weld;
mod winding;

use std::fmt::{Display, Formatter};

use glam::DVec3;
use thiserror::Error;

use super::topology::{Topology, is_folded};
use super::verdict::{Judgement, judge};
use super::{MeshVerdict, TriMesh, VerdictOptions};
use crate::tolerances::{WELD_LARGEST, WELD_SMALLEST};

/// What a repair may do beyond what is always safe.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RepairOptions {
    /// Weld vertices within this share of the diagonal of the mesh's box `[-]`; not at all if `None`.
    pub weld_tolerance: Option<f64>,
    /// Limits of the verdict on the result.
    pub verdict: VerdictOptions,
}

/// Something that was done to the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RepairAction {
    /// Vertices merged into others at the same position.
    WeldedEqual(u64),
    /// Vertices merged into others nearby.
    WeldedNear {
        /// How many.
        count: u64,
        /// How far the farthest moved `[m]`.
        largest_move: f64,
    },
    /// Faces dropped that named a position twice.
    DroppedFolded(u64),
    /// Faces dropped that repeated an earlier one.
    DroppedCopies(u64),
    /// Faces dropped in pairs that lay on each other with opposite winding, as where two bodies share a
    /// wall.
    DroppedWalls(u64),
    /// Faces without area dropped because the mesh closes without them.
    DroppedDangling(u64),
    /// Faces without area removed by splitting the neighbour at their middle corner.
    SplitJunctions(u64),
    /// Faces wound the other way to agree with their shell.
    Rewound(u64),
    /// Shells turned right side out.
    FlippedShells(u64),
    /// Vertices dropped that no face named.
    DroppedUnused(u64),
}

/// A fault that was left, because mending it would invent a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Holes.
    OpenEdges,
    /// Edges of more than two triangles.
    NonmanifoldEdges,
    /// Vertices in which fans meet.
    NonmanifoldVertices,
    /// A one-sided surface, or one with unmended edges, cannot be wound alike.
    Winding,
    /// Faces without area that bridge no simple junction.
    ZeroArea,
    /// Copies of faces that could not be dropped.
    Copies,
    /// Intersections, found or not searched to the end.
    Intersections,
    /// Shells that would have to be turned.
    InsideOut,
    /// Shells in others that may be cavities or second bodies.
    Nested,
    /// Nesting that was not searched to the end.
    Nesting,
    /// Shells without volume.
    Flat,
}

/// What a repair did, left undone and arrived at.
#[derive(Clone, Debug, PartialEq)]
pub struct RepairReport {
    /// What was done, in order.
    pub actions: Vec<RepairAction>,
    /// What was left, and why.
    pub refusals: Vec<Refusal>,
    /// The verdict on the result.
    pub verdict: MeshVerdict,
}

/// Why a repair could not start or left nothing.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RepairError {
    /// The weld tolerance is not a usable number.
    #[error("the weld tolerance {0} is not between {WELD_SMALLEST} and {WELD_LARGEST} of the size")]
    Tolerance(f64),
    /// Every face was without area or cancelled by another.
    #[error(
        "nothing is left of the mesh: every face is without area or lies on one wound against it"
    )]
    NothingLeft,
}

/// Mends what can be mended without inventing surface.
///
/// # Errors
/// If the weld tolerance is out of range or no face is left.
pub fn repair(
    mesh: &TriMesh,
    options: &RepairOptions,
) -> Result<(TriMesh, RepairReport), RepairError> {
    let mut actions = Vec::new();
    let n_unused = count_unused(mesh);

    // Weld.
    let mut mesh = mesh.clone();
    let welded = Topology::new(&mesh).welded;
    let n_equal = welded.iter().enumerate().filter(|&(k, &v)| k != v as usize).count();
    renumber(&mut mesh.triangles, &welded);
    note(&mut actions, n_equal as u64, RepairAction::WeldedEqual);
    if let Some(tolerance) = options.weld_tolerance {
        let weld::Weld { target, count, largest_move } = weld::weld_near(&mesh, tolerance)?;
        renumber(&mut mesh.triangles, &target);
        note(&mut actions, count, |count| RepairAction::WeldedNear { count, largest_move });
    }

    // Faces.
    let n_folded = drop_folded(&mut mesh.triangles);
    note(&mut actions, n_folded, RepairAction::DroppedFolded);
    let surplus::Coincident { n_copies, n_walls } = surplus::drop_coincident(&mut mesh);
    note(&mut actions, n_copies, RepairAction::DroppedCopies);
    note(&mut actions, n_walls, RepairAction::DroppedWalls);
    let n_dangling = surplus::drop_dangling(&mut mesh);
    note(&mut actions, n_dangling, RepairAction::DroppedDangling);
    if mesh.triangles.is_empty() {
        return Err(RepairError::NothingLeft);
    }
    let n_split = junction::split_junctions(&mut mesh);
    note(&mut actions, n_split, RepairAction::SplitJunctions);
    note(&mut actions, winding::wind_alike(&mut mesh), RepairAction::Rewound);
    note(&mut actions, n_unused, RepairAction::DroppedUnused);
    compact(&mut mesh);

    // Sides: nesting does not depend on winding, so all wrong shells are turned at once.
    let mut judgement = judge(&mesh, &options.verdict);
    let n_flipped = flip_shells(&mut mesh, &judgement);
    note(&mut actions, n_flipped, RepairAction::FlippedShells);
    if n_flipped > 0 {
        judgement = judge(&mesh, &options.verdict);
    }
    let refusals = refusals(&judgement.verdict);
    Ok((mesh, RepairReport { actions, refusals, verdict: judgement.verdict }))
}

fn note(actions: &mut Vec<RepairAction>, count: u64, action: impl FnOnce(u64) -> RepairAction) {
    if count > 0 {
        actions.push(action(count));
    }
}

fn renumber(triangles: &mut [[u32; 3]], target: &[u32]) {
    for triangle in triangles {
        *triangle = triangle.map(|v| target[v as usize]);
    }
}

fn count_unused(mesh: &TriMesh) -> u64 {
    let mut is_named = vec![false; mesh.vertices.len()];
    for &vertex in mesh.triangles.iter().flatten() {
        is_named[vertex as usize] = true;
    }
    is_named.iter().filter(|named| !**named).count() as u64
}

fn drop_folded(triangles: &mut Vec<[u32; 3]>) -> u64 {
    let before = triangles.len();
    triangles.retain(|t| !is_folded(*t));
    (before - triangles.len()) as u64
}

fn flip_shells(mesh: &mut TriMesh, judgement: &Judgement) -> u64 {
    for (triangle, &shell) in mesh.triangles.iter_mut().zip(&judgement.topology.shell_of) {
        if judgement.is_inside_out.get(shell as usize).is_some_and(|&flip| flip) {
            triangle.swap(1, 2);
        }
    }
    judgement.is_inside_out.iter().filter(|flip| **flip).count() as u64
}

/// Drops vertices that no face names and keeps the others in order.
fn compact(mesh: &mut TriMesh) {
    let mut is_named = vec![false; mesh.vertices.len()];
    for &vertex in mesh.triangles.iter().flatten() {
        is_named[vertex as usize] = true;
    }
    let mut target = vec![0; mesh.vertices.len()];
    let mut kept: Vec<DVec3> = Vec::with_capacity(mesh.vertices.len());
    for (vertex, &position) in mesh.vertices.iter().enumerate() {
        target[vertex] = kept.len() as u32;
        if is_named[vertex] {
            kept.push(position);
        }
    }
    renumber(&mut mesh.triangles, &target);
    mesh.vertices = kept;
}

fn refusals(verdict: &MeshVerdict) -> Vec<Refusal> {
    let crosses = !verdict.self_intersections.is_empty() || !verdict.search_is_complete;
    let left = [
        (!verdict.open_edges.is_empty(), Refusal::OpenEdges),
        (!verdict.nonmanifold_edges.is_empty(), Refusal::NonmanifoldEdges),
        (!verdict.nonmanifold_vertices.is_empty(), Refusal::NonmanifoldVertices),
        (!verdict.inconsistent_edges.is_empty(), Refusal::Winding),
        (!verdict.zero_area_faces.is_empty(), Refusal::ZeroArea),
        (!verdict.duplicate_faces.is_empty(), Refusal::Copies),
        (crosses, Refusal::Intersections),
        (!verdict.inside_out_shells.is_empty(), Refusal::InsideOut),
        (!verdict.nested_shells.is_empty(), Refusal::Nested),
        (verdict.search_is_complete && !verdict.nesting_is_settled, Refusal::Nesting),
        (!verdict.flat_shells.is_empty(), Refusal::Flat),
    ];
    left.into_iter().filter_map(|(is_left, refusal)| is_left.then_some(refusal)).collect()
}

impl Display for RepairAction {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let some =
            |n: u64, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
        let faces = |n: u64| some(n, "face", "faces");
        let vertices = |n: u64| some(n, "vertex", "vertices");
        match *self {
            Self::WeldedEqual(n) => write!(f, "welded {} at equal positions", vertices(n)),
            Self::WeldedNear { count, largest_move } => {
                let nearby = some(count, "nearby vertex", "nearby vertices");
                write!(f, "welded {nearby}, moved by at most {largest_move:.3e} m")
            }
            Self::DroppedFolded(n) => write!(f, "dropped {} folded to a line", faces(n)),
            Self::DroppedCopies(n) => {
                let copies = some(n, "copy of a face", "copies of faces");
                write!(f, "dropped {copies}")
            }
            Self::DroppedWalls(n) => {
                write!(f, "dropped {} of inner walls wound both ways", faces(n))
            }
            Self::DroppedDangling(n) => {
                let without =
                    some(n, "face without area that closes", "faces without area that close");
                write!(f, "dropped {without} nothing")
            }
            Self::SplitJunctions(n) => {
                let split = some(n, "neighbour of a face", "neighbours of faces");
                write!(f, "split {split} without area")
            }
            Self::Rewound(n) => write!(f, "rewound {}", faces(n)),
            Self::FlippedShells(n) => {
                write!(f, "turned {} right side out", some(n, "shell", "shells"))
            }
            Self::DroppedUnused(n) => {
                write!(f, "dropped {}", some(n, "unused vertex", "unused vertices"))
            }
        }
    }
}

impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::OpenEdges => "open edges remain: filling a hole would invent a surface",
            Self::NonmanifoldEdges => "edges of more than two triangles remain: it is not known which to keep",
            Self::NonmanifoldVertices => "fans still meet in a vertex: parting them would move surface",
            Self::Winding => "inconsistent winding remains: the shell is one-sided or its edges are faulty",
            Self::ZeroArea => "faces without area remain: dropping them would open the mesh",
            Self::Copies => "copies of faces remain",
            Self::Intersections => "self-intersections remain or were not searched to the end: removing them would cut surface",
            Self::InsideOut => "inside-out shells remain",
            Self::Nested => "nested shells of doubtful winding remain: each may be a cavity or a second body",
            Self::Nesting => "which shells lie in which was not searched to the end: none is turned",
            Self::Flat => "shells without volume remain: they bound nothing",
        })
    }
}

impl Display for RepairReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        for action in &self.actions {
            writeln!(f, "{action}")?;
        }
        for refusal in &self.refusals {
            writeln!(f, "refused: {refusal}")?;
        }
        write!(f, "{}", self.verdict)
    }
}
