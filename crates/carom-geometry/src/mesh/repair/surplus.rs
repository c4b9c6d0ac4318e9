//! Faces that can go without opening the mesh.
//!
//! Three kinds: later copies of a face; the two sides of an inner wall, which are faces between the same
//! vertices wound against each other; faces without area that close nothing. Of the last two a whole patch
//! goes or stays: it goes if the other faces close without it, that is, if an even number of them, or none,
//! meets in each of its edges.

use crate::mesh::TriMesh;
use crate::mesh::topology::{DisjointSets, EdgeUse, Topology};
use crate::predicates::{ExactPoints, collinear};

/// Faces dropped because others lie on them.
pub(super) struct Coincident {
    /// Later copies of a face.
    pub(super) n_copies: u64,
    /// Both sides of inner walls.
    pub(super) n_walls: u64,
}

/// Leaves at most one of the faces between the same three vertices: none of an inner wall, otherwise the
/// first.
pub(super) fn drop_coincident(mesh: &mut TriMesh) -> Coincident {
    // Copies wound alike.
    let mut is_copy = vec![false; mesh.triangles.len()];
    for group in coincident(&Topology::new(mesh)) {
        for is_forward in [false, true] {
            for copy in group.iter().filter(|side| side.is_forward == is_forward).skip(1) {
                is_copy[copy.triangle as usize] = true;
            }
        }
    }
    let n_alike = drop_marked(mesh, &is_copy);

    // What is left is wound against each other: walls, or a copy that was turned.
    let topology = Topology::new(mesh);
    let mut is_paired = vec![false; mesh.triangles.len()];
    for side in coincident(&topology).flatten() {
        is_paired[side.triangle as usize] = true;
    }
    let is_wall = droppable(&topology, &is_paired);
    let mut is_turned_copy = vec![false; mesh.triangles.len()];
    for group in coincident(&topology) {
        let later = group[1].triangle as usize;
        is_turned_copy[later] = !is_wall[later];
    }
    let n_walls = is_wall.iter().filter(|wall| **wall).count() as u64;
    let is_dropped: Vec<bool> =
        is_wall.iter().zip(&is_turned_copy).map(|(a, b)| *a || *b).collect();
    let n_dropped = drop_marked(mesh, &is_dropped);
    Coincident { n_copies: n_alike + n_dropped - n_walls, n_walls }
}

/// Drops the faces without area that close nothing; returns how many.
pub(super) fn drop_dangling(mesh: &mut TriMesh) -> u64 {
    let exact = ExactPoints::new(&mesh.vertices);
    let is_flat = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|v| exact.as_slice()[v as usize]);
        collinear(a, b, c)
    };
    let is_flat: Vec<bool> = mesh.triangles.iter().map(is_flat).collect();
    if !is_flat.contains(&true) {
        return 0;
    }
    let is_dangling = droppable(&Topology::new(mesh), &is_flat);
    drop_marked(mesh, &is_dangling)
}

/// Sides of two or more faces between the same vertices, one set for each side of the face.
fn coincident(topology: &Topology) -> impl Iterator<Item = &[EdgeUse]> {
    let corners = |side: &EdgeUse| (side.low, side.high, side.apex);
    let groups = topology.uses.chunk_by(move |a, b| corners(a) == corners(b));
    groups.filter(|group| group.len() > 1)
}

/// Those of the marked faces whose patch can go. Patches hang together through edges that need a decision:
/// where a positive even number of other faces meets, the edge is in order whatever goes.
fn droppable(topology: &Topology, is_marked: &[bool]) -> Vec<bool> {
    let mut patches = DisjointSets::new(is_marked.len());
    let mut holds = Vec::new();
    for edge in topology.edges() {
        let marked = || edge.iter().map(|side| side.triangle as usize).filter(|&t| is_marked[t]);
        let n_others = edge.len() - marked().count();
        let Some(first) = marked().next() else { continue };
        if n_others > 0 && n_others.is_multiple_of(2) {
            continue;
        }
        marked().for_each(|triangle| patches.unite(first, triangle));
        if n_others > 0 {
            holds.push(first);
        }
    }
    let mut is_held = vec![false; is_marked.len()];
    for triangle in holds {
        is_held[patches.find(triangle)] = true;
    }
    (0..is_marked.len()).map(|t| is_marked[t] && !is_held[patches.find(t)]).collect()
}

fn drop_marked(mesh: &mut TriMesh, is_marked: &[bool]) -> u64 {
    let before = mesh.triangles.len();
    let mut marks = is_marked.iter();
    mesh.triangles.retain(|_| !marks.next().is_some_and(|&marked| marked));
    (before - mesh.triangles.len()) as u64
}
