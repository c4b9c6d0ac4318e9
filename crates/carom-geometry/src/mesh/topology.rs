//! How the triangles of a mesh hang together, judged by position.
//!
//! Vertices at bit-equal positions (−0 equals 0) are one vertex here, called by the lowest of their
//! indices. Triangles that name a position twice are folded to a line, bound nothing and are left out.
//! Everything is sorted arrays, so the order of every answer follows from the mesh alone.

use std::cmp::Ordering;

use glam::DVec3;

use super::TriMesh;

/// Shell of a triangle that belongs to none because it names a position twice.
pub(crate) const NO_SHELL: u32 = u32::MAX;

/// One side of one triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeUse {
    /// Lower vertex of the edge.
    pub(crate) low: u32,
    /// Higher vertex of the edge.
    pub(crate) high: u32,
    /// The triangle's corner opposite.
    pub(crate) apex: u32,
    /// The triangle.
    pub(crate) triangle: u32,
    /// Which side of it this is: side k runs from corner k to the next.
    pub(crate) side: u8,
    /// Whether the triangle runs from the lower to the higher vertex.
    pub(crate) is_forward: bool,
}

/// Welded triangles, their edges and their shells.
#[derive(Clone, Debug)]
pub(crate) struct Topology {
    /// For each vertex of the mesh the lowest one at the same position.
    pub(crate) welded: Vec<u32>,
    /// Triangles between welded vertices.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Sides of the proper triangles, sorted by edge, then apex, then triangle.
    pub(crate) uses: Vec<EdgeUse>,
    /// Shell of each triangle, numbered by first triangle; [`NO_SHELL`] for folded ones.
    pub(crate) shell_of: Vec<u32>,
    /// Number of shells: sets of triangles connected through edges.
    pub(crate) n_shells: usize,
}

impl Topology {
    pub(crate) fn new(mesh: &TriMesh) -> Self {
        let welded = weld_equal(mesh.vertices());
        let triangles: Vec<[u32; 3]> =
            mesh.triangles().iter().map(|t| t.map(|v| welded[v as usize])).collect();
        let uses = sorted_uses(welded.len(), &triangles);
        let (shell_of, n_shells) = shells(&triangles, &uses);
        Self { welded, triangles, uses, shell_of, n_shells }
    }

    /// The uses of each edge in turn.
    pub(crate) fn edges(&self) -> impl Iterator<Item = &[EdgeUse]> {
        self.uses.chunk_by(|a, b| a.low == b.low && a.high == b.high)
    }

    /// For each welded vertex the number of fans: sets of its triangles connected through edges at it.
    pub(crate) fn count_fans(&self) -> Vec<u32> {
        let mut corners = DisjointSets::new(3 * self.triangles.len());
        let corner_at = |edge_use: &EdgeUse, vertex: u32| {
            let triangle = edge_use.triangle as usize;
            let start = usize::from(edge_use.side);
            let is_start = self.triangles[triangle][start] == vertex;
            3 * triangle + if is_start { start } else { (start + 1) % 3 }
        };
        for edge in self.edges() {
            for pair in edge.windows(2) {
                for vertex in [pair[0].low, pair[0].high] {
                    corners.unite(corner_at(&pair[0], vertex), corner_at(&pair[1], vertex));
                }
            }
        }
        let mut n_fans = vec![0; self.welded.len()];
        for (triangle, corner_vertices) in self.triangles.iter().enumerate() {
            if is_folded(*corner_vertices) {
                continue;
            }
            for (k, &vertex) in corner_vertices.iter().enumerate() {
                if corners.find(3 * triangle + k) == 3 * triangle + k {
                    n_fans[vertex as usize] += 1;
                }
            }
        }
        n_fans
    }

    /// For each triangle the triangle across each side; its own number where a side is not shared by
    /// exactly two.
    pub(crate) fn neighbors(&self) -> Vec<[u32; 3]> {
        let mut across: Vec<[u32; 3]> = (0..self.triangles.len()).map(|t| [t as u32; 3]).collect();
        for edge in self.edges() {
            if let [a, b] = edge {
                across[a.triangle as usize][usize::from(a.side)] = b.triangle;
                across[b.triangle as usize][usize::from(b.side)] = a.triangle;
            }
        }
        across
    }
}

/// True when a position occurs twice among the corners.
pub(crate) fn is_folded([a, b, c]: [u32; 3]) -> bool {
    a == b || b == c || c == a
}

/// For each position the lowest index at which it occurs.
fn weld_equal(positions: &[DVec3]) -> Vec<u32> {
    // Adding zero turns −0 into 0.
    let mut sorted: Vec<(DVec3, u32)> =
        positions.iter().enumerate().map(|(k, p)| (*p + DVec3::ZERO, k as u32)).collect();
    sorted.sort_unstable_by(|(p, i), (q, j)| compare_positions(*p, *q).then(i.cmp(j)));
    let mut welded = vec![0; positions.len()];
    for group in sorted.chunk_by(|(p, _), (q, _)| p == q) {
        for &(_, k) in group {
            welded[k as usize] = group[0].1;
        }
    }
    welded
}

fn compare_positions(p: DVec3, q: DVec3) -> Ordering {
    p.x.total_cmp(&q.x).then_with(|| p.y.total_cmp(&q.y)).then_with(|| p.z.total_cmp(&q.z))
}

/// Sides of all proper triangles: scattered by lower vertex, then each short list sorted.
fn sorted_uses(n_vertices: usize, triangles: &[[u32; 3]]) -> Vec<EdgeUse> {
    let sides = |triangle: usize| {
        let corners = triangles[triangle];
        (0..3_usize).map(move |k| {
            let (from, to, apex) = (corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]);
            EdgeUse {
                low: from.min(to),
                high: from.max(to),
                apex,
                triangle: triangle as u32,
                side: k as u8,
                is_forward: from < to,
            }
        })
    };
    let proper = || (0..triangles.len()).filter(|&t| !is_folded(triangles[t]));
    let mut starts = vec![0_usize; n_vertices + 1];
    for side in proper().flat_map(sides) {
        starts[side.low as usize + 1] += 1;
    }
    for k in 0..n_vertices {
        starts[k + 1] += starts[k];
    }
    let blank = EdgeUse { low: 0, high: 0, apex: 0, triangle: 0, side: 0, is_forward: false };
    let mut uses = vec![blank; starts[n_vertices]];
    let mut next = starts.clone();
    for side in proper().flat_map(sides) {
        let slot = &mut next[side.low as usize];
        uses[*slot] = side;
        *slot += 1;
    }
    for range in starts.windows(2) {
        uses[range[0]..range[1]].sort_unstable_by_key(|u| (u.high, u.apex, u.triangle));
    }
    uses
}

/// Numbers the edge-connected sets of triangles.
fn shells(triangles: &[[u32; 3]], uses: &[EdgeUse]) -> (Vec<u32>, usize) {
    let mut sets = DisjointSets::new(triangles.len());
    for pair in uses.windows(2) {
        if pair[0].low == pair[1].low && pair[0].high == pair[1].high {
            sets.unite(pair[0].triangle as usize, pair[1].triangle as usize);
        }
    }
    let mut shell_of = vec![NO_SHELL; triangles.len()];
    let mut n_shells = 0;
    for triangle in (0..triangles.len()).filter(|&t| !is_folded(triangles[t])) {
        // The root is the lowest member, so it is numbered before the others ask.
        let root = sets.find(triangle);
        if root == triangle {
            shell_of[triangle] = n_shells;
            n_shells += 1;
        } else {
            shell_of[triangle] = shell_of[root];
        }
    }
    (shell_of, n_shells as usize)
}

/// Disjoint sets of small numbers; the root of a set is its lowest member.
#[derive(Clone, Debug)]
pub(crate) struct DisjointSets {
    parent: Vec<u32>,
}

impl DisjointSets {
    pub(crate) fn new(n: usize) -> Self {
        Self { parent: (0..n as u32).collect() }
    }

    pub(crate) fn find(&mut self, mut member: usize) -> usize {
        loop {
            let parent = self.parent[member];
            if parent as usize == member {
                return member;
            }
            // Path halving.
            self.parent[member] = self.parent[parent as usize];
            member = parent as usize;
        }
    }

    pub(crate) fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b) as u32;
    }
}
