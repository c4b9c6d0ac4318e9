//! The growing surface: triangles, their neighbours, and the points still outside each.

use std::cmp::Ordering;

use glam::DVec3;

use crate::predicates::{ExactPoints, side_of_plane};

/// No facet, or no point.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Facet {
    corners: [u32; 3],
    /// Facet across the edge from corner i to corner i + 1.
    neighbors: [u32; 3],
    /// Not normalised: its length is twice the area.
    normal: DVec3,
    origin: DVec3,
    /// Points strictly outside this facet (and possibly others), as a list threaded through
    /// [`Surface::next_point`].
    first_outside: u32,
    /// The one of them farthest from the plane.
    apex: u32,
    apex_height: f64,
    alive: bool,
}

/// The hull so far.
pub(super) struct Surface {
    facets: Vec<Facet>,
    /// Next point in the outside list that a point is in.
    next_point: Vec<u32>,
    /// Surface that got outside points and have not been worked yet.
    pending: Vec<u32>,
    /// Step at which a facet was last found visible; saves clearing flags.
    visible_at: Vec<u32>,
    step: u32,
}

/// An edge of the horizon: from `from` to `to` as seen from the visible side, and what lies beyond.
struct HorizonEdge {
    from: u32,
    to: u32,
    beyond: u32,
}

impl Surface {
    /// The four facets of a simplex whose fourth corner is behind the first three.
    pub(super) fn tetrahedron([a, b, c, d]: [usize; 4], exact: &ExactPoints) -> Self {
        let [a, b, c, d] = [a, b, c, d].map(|i| i as u32);
        let mut this = Self {
            facets: Vec::new(),
            next_point: vec![NONE; exact.as_slice().len()],
            pending: Vec::new(),
            visible_at: Vec::new(),
            step: 0,
        };
        // Neighbours follow from the corners: across a→b of (a, b, c) lies (b, a, d), and so on.
        this.push([a, b, c], [1, 2, 3], exact);
        this.push([b, a, d], [0, 3, 2], exact);
        this.push([c, b, d], [0, 1, 3], exact);
        this.push([a, c, d], [0, 2, 1], exact);
        this
    }

    /// Puts every input point into the outside list of the first facet it is strictly outside of.
    pub(super) fn distribute_all(&mut self, exact: &ExactPoints) {
        let facets: Vec<u32> = (0..self.facets.len() as u32).collect();
        for point in 0..exact.as_slice().len() as u32 {
            self.assign(point, &facets, exact);
        }
        self.pending = facets;
    }

    /// A facet with outside points, and the farthest of them.
    pub(super) fn next_outside(&mut self) -> Option<(u32, u32)> {
        while let Some(facet) = self.pending.pop() {
            let candidate = &self.facets[facet as usize];
            if candidate.alive && candidate.apex != NONE {
                return Some((facet, candidate.apex));
            }
        }
        None
    }

    /// Replaces all facets that `apex` sees by a cone from `apex` to their horizon.
    pub(super) fn add_point(&mut self, seen: u32, apex: u32, exact: &ExactPoints) {
        let (visible, horizon) = self.find_horizon(seen, apex, exact);
        let cone = self.build_cone(apex, &horizon, exact);
        for facet in visible {
            self.facets[facet as usize].alive = false;
            let mut point = self.facets[facet as usize].first_outside;
            while point != NONE {
                let following = self.next_point[point as usize];
                if point != apex {
                    self.assign(point, &cone, exact);
                }
                point = following;
            }
        }
        self.pending.extend(cone);
    }

    /// Corners and neighbours of the surviving facets, renumbered without gaps.
    pub(super) fn into_compact(self) -> (Vec<[u32; 3]>, Vec<[u32; 3]>) {
        let mut new_index = vec![NONE; self.facets.len()];
        let alive = || self.facets.iter().enumerate().filter(|(_, facet)| facet.alive);
        for (new, (old, _)) in alive().enumerate() {
            new_index[old] = new as u32;
        }
        let corners = alive().map(|(_, facet)| facet.corners).collect();
        let neighbors =
            alive().map(|(_, facet)| facet.neighbors.map(|n| new_index[n as usize])).collect();
        (corners, neighbors)
    }

    fn push(&mut self, corners: [u32; 3], neighbors: [u32; 3], exact: &ExactPoints) -> u32 {
        let [a, b, c] = corners.map(|v| exact.as_slice()[v as usize]);
        self.facets.push(Facet {
            corners,
            neighbors,
            normal: (b - a).cross(c - a),
            origin: a,
            first_outside: NONE,
            apex: NONE,
            apex_height: f64::NEG_INFINITY,
            alive: true,
        });
        self.visible_at.push(0);
        self.facets.len() as u32 - 1
    }

    /// Puts `point` into the outside list of the first of `candidates` it is strictly outside of; a
    /// point outside none of them is inside the hull for good.
    fn assign(&mut self, point: u32, candidates: &[u32], exact: &ExactPoints) {
        let position = exact.as_slice()[point as usize];
        for &candidate in candidates {
            if !self.sees(candidate, position, exact) {
                continue;
            }
            let facet = &mut self.facets[candidate as usize];
            self.next_point[point as usize] = facet.first_outside;
            facet.first_outside = point;
            let height = facet.normal.dot(position - facet.origin);
            if facet.apex == NONE || height > facet.apex_height {
                (facet.apex, facet.apex_height) = (point, height);
            }
            return;
        }
    }

    fn sees(&self, facet: u32, position: DVec3, exact: &ExactPoints) -> bool {
        let corners = self.facets[facet as usize].corners.map(|v| exact.as_slice()[v as usize]);
        side_of_plane(corners, position) == Ordering::Greater
    }

    /// The facets that `apex` sees, and the loop around them in order, found by walking the boundary of
    /// the visible region depth first.
    fn find_horizon(
        &mut self,
        seen: u32,
        apex: u32,
        exact: &ExactPoints,
    ) -> (Vec<u32>, Vec<HorizonEdge>) {
        self.step += 1;
        let position = exact.as_slice()[apex as usize];
        self.visible_at[seen as usize] = self.step;
        let mut visible = vec![seen];
        let mut horizon = Vec::new();
        // Entries are a facet and how many of its edges, counted from `entry`, remain to be crossed.
        let mut stack = vec![(seen, 0_usize, 3_usize)];
        while let Some((facet, edge, remaining)) = stack.pop() {
            if remaining == 0 {
                continue;
            }
            stack.push((facet, (edge + 1) % 3, remaining - 1));
            let Facet { corners, neighbors, .. } = &self.facets[facet as usize];
            let (from, to) = (corners[edge], corners[(edge + 1) % 3]);
            let beyond = neighbors[edge];
            if self.visible_at[beyond as usize] == self.step {
                continue;
            }
            if self.sees(beyond, position, exact) {
                self.visible_at[beyond as usize] = self.step;
                visible.push(beyond);
                let entry = self.edge_towards(beyond, facet);
                stack.push((beyond, (entry + 1) % 3, 2));
            } else {
                horizon.push(HorizonEdge { from, to, beyond });
            }
        }
        (visible, horizon)
    }

    /// Which edge of `facet` borders on `neighbor`; convex surfaces share at most one edge per pair.
    fn edge_towards(&self, facet: u32, neighbor: u32) -> usize {
        let neighbors = self.facets[facet as usize].neighbors;
        neighbors.iter().position(|&n| n == neighbor).unwrap_or(0)
    }

    /// One facet per horizon edge, joined to its neighbours in the loop and to what lies beyond.
    fn build_cone(&mut self, apex: u32, horizon: &[HorizonEdge], exact: &ExactPoints) -> Vec<u32> {
        let first = self.facets.len() as u32;
        let count = horizon.len() as u32;
        for (i, edge) in (0..count).zip(horizon) {
            let next = first + (i + 1) % count;
            let previous = first + (i + count - 1) % count;
            let facet = self.push([edge.from, edge.to, apex], [edge.beyond, next, previous], exact);
            let outer = &mut self.facets[edge.beyond as usize];
            // The outer facet runs the shared edge the other way round.
            if let Some(side) = outer.corners.iter().position(|&v| v == edge.to) {
                outer.neighbors[side] = facet;
            }
        }
        (first..first + count).collect()
    }
}
