//! Computes the verdict: edges, vertices, faces, intersections, then shells.

use std::ops::ControlFlow;

use glam::DVec3;

use super::{
    EdgePlace, FacePairPlace, FacePlace, Finding, MeshVerdict, VerdictOptions, VertexPlace,
};
use crate::Aabb;
use crate::mesh::crossing::triangles_cross;
use crate::mesh::topology::{EdgeUse, Topology, is_folded};
use crate::mesh::{Bvh, TriMesh};
use crate::predicates::{ExactPoints, collinear};
use crate::tolerances::SLIVER;

/// Pairs with overlapping boxes that are tested per triangle in any case.
const PAIRS_PER_TRIANGLE: u64 = 64;

/// Pairs of boxes of the tree that may be looked at per pair of triangles.
const STEPS_PER_PAIR: u64 = 4;

/// A verdict with what was built on the way.
#[derive(Clone, Debug)]
pub(crate) struct Judgement {
    pub(crate) verdict: MeshVerdict,
    pub(crate) topology: Topology,
    /// Shells to be wound the other way, by number.
    pub(crate) is_inside_out: Vec<bool>,
}

/// Judges a mesh.
pub(crate) fn judge(mesh: &TriMesh, options: &VerdictOptions) -> Judgement {
    let topology = Topology::new(mesh);
    let exact = ExactPoints::new(mesh.vertices());
    let n_shells = topology.n_shells;
    let mut bench = Bench {
        mesh,
        options,
        points: exact.as_slice(),
        topology: &topology,
        verdict: blank_verdict(mesh, n_shells),
        has_area: vec![false; mesh.triangles().len()],
        is_sound_shell: vec![true; n_shells],
        is_inside_out: vec![false; n_shells],
        n_fans: topology.count_fans(),
    };
    bench.judge_edges();
    bench.judge_vertices();
    bench.judge_faces();
    let tree = bench.tree();
    bench.judge_intersections(&tree);
    bench.judge_shells(&tree);
    let Bench { verdict, is_inside_out, .. } = bench;
    Judgement { verdict, topology, is_inside_out }
}

fn blank_verdict(mesh: &TriMesh, n_shells: usize) -> MeshVerdict {
    MeshVerdict {
        n_vertices: mesh.vertices().len(),
        n_triangles: mesh.triangles().len(),
        n_shells,
        n_cavities: 0,
        n_outer_shells: 0,
        euler_characteristic: 0,
        genus: None,
        open_edges: Finding::none(),
        inconsistent_edges: Finding::none(),
        nonmanifold_edges: Finding::none(),
        nonmanifold_vertices: Finding::none(),
        zero_area_faces: Finding::none(),
        duplicate_faces: Finding::none(),
        self_intersections: Finding::none(),
        search_is_complete: true,
        nesting_is_settled: true,
        inside_out_shells: Finding::none(),
        nested_shells: Finding::none(),
        flat_shells: Finding::none(),
        duplicate_vertices: Finding::none(),
        unused_vertices: Finding::none(),
        slivers: Finding::none(),
    }
}

/// The mesh on the bench, and what is known so far.
pub(super) struct Bench<'a> {
    pub(super) mesh: &'a TriMesh,
    pub(super) options: &'a VerdictOptions,
    /// Vertices scaled for exact predicates.
    pub(super) points: &'a [DVec3],
    pub(super) topology: &'a Topology,
    pub(super) verdict: MeshVerdict,
    /// Triangles whose corners are not collinear.
    has_area: Vec<bool>,
    /// Shells whose edges all have two triangles wound alike and that take part in no intersection.
    pub(super) is_sound_shell: Vec<bool>,
    pub(super) is_inside_out: Vec<bool>,
    /// Fans of triangles around each welded vertex.
    pub(super) n_fans: Vec<u32>,
}

impl Bench<'_> {
    fn judge_edges(&mut self) {
        let mut n_edges = 0;
        for edge in self.topology.edges() {
            n_edges += 1;
            self.judge_edge(edge);
            for pair in edge.windows(2) {
                // The side between the two lower corners speaks for the face.
                if pair[0].apex == pair[1].apex && pair[0].apex > pair[0].high {
                    let place = self.pair_place([pair[0].triangle, pair[1].triangle]);
                    self.verdict.duplicate_faces.add(self.options.max_places, || place);
                }
            }
        }
        let proper = self.topology.triangles.iter().filter(|t| !is_folded(**t));
        self.verdict.euler_characteristic = signed(proper.count()) - n_edges;
    }

    fn judge_edge(&mut self, edge: &[EdgeUse]) {
        let EdgeUse { low, high, triangle, .. } = edge[0];
        let finding = match edge {
            [_] => &mut self.verdict.open_edges,
            [a, b] if a.is_forward == b.is_forward => &mut self.verdict.inconsistent_edges,
            [_, _] => return,
            _ => &mut self.verdict.nonmanifold_edges,
        };
        let position = |v: u32| self.mesh.vertices()[v as usize];
        finding.add(self.options.max_places, || EdgePlace {
            vertices: [low, high],
            positions: [position(low), position(high)],
            triangle,
        });
        self.is_sound_shell[self.topology.shell_of[triangle as usize] as usize] = false;
    }

    fn judge_vertices(&mut self) {
        let mut is_named = vec![false; self.points.len()];
        for &vertex in self.mesh.triangles().iter().flatten() {
            is_named[vertex as usize] = true;
        }
        for (k, &position) in self.mesh.vertices().iter().enumerate() {
            let place = || VertexPlace { vertex: k as u32, position };
            if self.topology.welded[k] as usize != k {
                self.verdict.duplicate_vertices.add(self.options.max_places, place);
            }
            if !is_named[k] {
                self.verdict.unused_vertices.add(self.options.max_places, place);
            }
            if self.n_fans[k] > 0 {
                self.verdict.euler_characteristic += 1;
            }
            if self.n_fans[k] > 1 {
                self.verdict.nonmanifold_vertices.add(self.options.max_places, place);
            }
        }
    }

    fn judge_faces(&mut self) {
        for triangle in 0..self.has_area.len() {
            let [a, b, c] = self.corners(triangle as u32);
            let longest_sq = (b - a)
                .length_squared()
                .max((c - b).length_squared().max((a - c).length_squared()));
            // Far from collinear is certain in floating point.
            if (b - a).cross(c - a).length() > SLIVER * longest_sq {
                self.has_area[triangle] = true;
                continue;
            }
            let place = || FacePlace {
                triangle: triangle as u32,
                position: self.mesh.corners(triangle).iter().map(|p| *p / 3.0).sum(),
            };
            if is_folded(self.topology.triangles[triangle]) || collinear(a, b, c) {
                self.verdict.zero_area_faces.add(self.options.max_places, place);
            } else {
                self.has_area[triangle] = true;
                self.verdict.slivers.add(self.options.max_places, place);
            }
        }
    }

    /// The tree over faces with area, in scaled coordinates.
    fn tree(&self) -> Bvh {
        Bvh::new((0..self.has_area.len()).map(|t| {
            if self.has_area[t] { Aabb::from_points(self.corners(t as u32)) } else { Aabb::EMPTY }
        }))
    }

    fn judge_intersections(&mut self, tree: &Bvh) {
        let max_tested = self.max_pairs();
        let mut n_tested = 0;
        let mut found = Finding::none();
        let mut crossed_shells = Vec::new();
        let outcome = tree.visit_pairs(max_tested.saturating_mul(STEPS_PER_PAIR), |a, b| {
            if n_tested >= max_tested || found.count >= self.options.max_pairs_found {
                return ControlFlow::Break(());
            }
            n_tested += 1;
            let corners = |t: u32| self.topology.triangles[t as usize];
            if triangles_cross(self.points, corners(a), corners(b)) {
                found.add(self.options.max_places, || self.pair_place([a, b]));
                crossed_shells.extend([a, b].map(|t| self.topology.shell_of[t as usize]));
            }
            ControlFlow::Continue(())
        });
        self.verdict.self_intersections = found;
        self.verdict.search_is_complete = outcome.is_continue();
        for shell in crossed_shells {
            self.is_sound_shell[shell as usize] = false;
        }
    }

    pub(super) fn max_pairs(&self) -> u64 {
        let granted = PAIRS_PER_TRIANGLE * self.has_area.len() as u64;
        self.options.max_pairs_tested.saturating_add(granted)
    }

    /// Scaled corners.
    pub(super) fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.topology.triangles[triangle as usize].map(|v| self.points[v as usize])
    }

    fn pair_place(&self, mut triangles: [u32; 2]) -> FacePairPlace {
        triangles.sort_unstable();
        let [a, b] = triangles.map(|t| Aabb::from_points(self.mesh.corners(t as usize)));
        let (min, max) = (a.min.max(b.min), a.max.min(b.max));
        FacePairPlace { triangles, position: 0.5 * min + 0.5 * max }
    }
}

/// Counts of things with 32-bit indices fit.
pub(super) fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
