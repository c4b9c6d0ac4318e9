//! The mass matrix, by composite rigid bodies.
//!
//! With all joints but one frozen, that one moves its whole subtree as a rigid body of composite inertia Îc. So
//! H_kl = ŝ_l·(Îc·ŝ_k), the force carried from the link of k inward to each link l on its way to the root; other entries
//! are zero.

use super::{Scratch, Tree};

impl Tree {
    /// H, row by row, `n_v`² numbers, symmetric to the bit.
    ///
    /// # Panics
    /// If `h` has the wrong length.
    pub fn mass_matrix(&self, scratch: &mut Scratch, h: &mut [f64]) {
        let n = self.n_v;
        assert_eq!(h.len(), n * n, "size of the matrix");
        h.fill(0.0);
        for (composite, frame) in scratch.composites.iter_mut().zip(&scratch.frames) {
            *composite = frame.inertia;
        }
        for (i, link) in self.links.iter().enumerate().rev() {
            for k in link.v_range() {
                let mut force = scratch.composites[i].times(scratch.columns[k].axis);
                let mut at = Some(i);
                while let Some(j) = at {
                    for l in self.links[j].v_range().filter(|l| *l <= k) {
                        let value = force.dot(scratch.columns[l].axis);
                        h[k * n + l] = value;
                        h[l * n + k] = value;
                    }
                    force = force.carried(scratch.frames[j].arm);
                    at = self.parent(j);
                }
            }
            if let Some(parent) = link.parent {
                let carried = scratch.composites[i].carried(scratch.frames[i].arm);
                scratch.composites[parent as usize] += carried;
            }
        }
    }
}
