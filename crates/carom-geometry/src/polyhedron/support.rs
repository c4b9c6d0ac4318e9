//! Support vertices by climbing the edge graph.
//!
//! On a convex polyhedron a vertex none of whose neighbours is higher along a direction is a highest one,
//! so climbing always ends at a support vertex; equal heights are not climbed, so it ends at all.

use glam::DVec3;

use super::ConvexPolyhedron;

impl ConvexPolyhedron {
    /// A vertex farthest along `direction`, which need not be unit.
    pub fn support_vertex(&self, direction: DVec3) -> u32 {
        let height = |v: u32| direction.dot(self.vertices[v as usize]);
        let mut start = (self.extremes[0], height(self.extremes[0]));
        for &v in &self.extremes[1..] {
            let candidate = height(v);
            if candidate > start.1 {
                start = (v, candidate);
            }
        }
        self.support_vertex_from(start.0, direction)
    }

    /// As [`Self::support_vertex`], climbing from a vertex that is thought to be near; the answer's
    /// height does not depend on it.
    ///
    /// # Panics
    /// If there is no such vertex.
    pub fn support_vertex_from(&self, start: u32, direction: DVec3) -> u32 {
        let height = |v: u32| direction.dot(self.vertices[v as usize]);
        let (mut top, mut top_height) = (start, height(start));
        loop {
            let mut best = (top, top_height);
            for spoke in self.spokes(top) {
                let candidate = height(spoke.head);
                if candidate > best.1 {
                    best = (spoke.head, candidate);
                }
            }
            if best.0 == top {
                return top;
            }
            (top, top_height) = best;
        }
    }

    /// The corners of the smallest axis-aligned box around it, low and high.
    pub(crate) fn corners_of_box(&self) -> [DVec3; 2] {
        let extreme = |i: usize, axis: usize| self.vertices[self.extremes[i] as usize][axis];
        let high = DVec3::new(extreme(0, 0), extreme(2, 1), extreme(4, 2));
        let low = DVec3::new(extreme(1, 0), extreme(3, 1), extreme(5, 2));
        [low, high]
    }
}
