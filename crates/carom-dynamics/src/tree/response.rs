//! What impulses do to a tree.
//!
//! During a collision every finite force vanishes and nothing moves (M 5.3, guide F-6.1): Δv = H⁻¹·(P + Jᵀ·p̂), with joint
//! impulses P (guide F-6.9) and impulses p̂ on links. The elimination of `forward.rs` with p̂ ← −p̂ and no velocities is
//! exactly that (M 5.8 to 5.10).
//!
//! **Blocks of J·H⁻¹·Jᵀ.** Going inward with a unit impulse along row a of J leaves the numbers w_k = u_k in the freedoms on its way to
//! the root, which are L⁻¹·J_aᵀ in H = L·D·Lᵀ. Hence
//!
//! ```text
//! J_a·H⁻¹·J_bᵀ = Σ_k w_k^a·w_k^b/D_k,   k over the freedoms that both ways share
//! ```
//!
//! No way outward is needed, the matrix is symmetric to the bit and semidefinite, and rows on different links of one
//! tree, or of several, are all the same to it (guide F-6.6). Deviation from M 5.3, which goes outward for every test
//! impulse.

use glam::{DMat3, DVec3};

use super::{Scratch, SingularJoint, Tree};
use crate::Impulse;
use crate::spatial::ForceVector;

/// A material point of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkPoint {
    /// The link.
    pub link: usize,
    /// Where the point is now, in the world `[m]`.
    pub point: DVec3,
}

/// An impulse on a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkImpulse {
    /// The link.
    pub link: usize,
    /// What acts on it.
    pub impulse: Impulse,
}

/// A velocity that v determines linearly: a row of J.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Row {
    /// That of a point along a direction.
    Point {
        /// The point.
        at: LinkPoint,
        /// The direction.
        direction: DVec3,
    },
    /// How fast a link turns about a direction.
    Spin {
        /// The link.
        link: usize,
        /// The direction.
        direction: DVec3,
    },
    /// One of v.
    Freedom(usize),
}

/// Working memory of responses; grows to what was asked of it and stays.
#[derive(Clone, Debug, Default)]
pub struct ResponseScratch {
    /// Freedoms with w, from the outermost inward, row after row.
    entries: Vec<Entry>,
    /// Where the entries of each row end.
    ends: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    freedom: usize,
    w: f64,
    inv_d: f64,
}

impl Tree {
    /// Jumps Δv of all freedoms by impulses on links and impulses of joints (empty for none).
    ///
    /// # Errors
    /// If a joint is singular in this configuration.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn impulse_response(
        &self,
        impulses: &[LinkImpulse],
        joint_impulses: &[f64],
        scratch: &mut Scratch,
        jumps: &mut [f64],
    ) -> Result<(), SingularJoint> {
        assert!(joint_impulses.is_empty() || joint_impulses.len() == self.n_v, "joint impulses");
        assert_eq!(jumps.len(), self.n_v, "length of the jumps");
        self.factorise(scratch)?;
        for work in &mut scratch.works {
            work.force = ForceVector::ZERO;
        }
        for LinkImpulse { link, impulse } in impulses {
            let arm = impulse.point - scratch.frames[*link].origin;
            let seen = ForceVector::new(impulse.angular, impulse.linear).carried(arm);
            scratch.works[*link].force += -seen;
        }
        for (i, link) in self.links.iter().enumerate().rev() {
            let mut force = scratch.works[i].force;
            for k in link.v_range().rev() {
                let column = &mut scratch.columns[k];
                column.drive = super::forward::entry(joint_impulses, k) - force.dot(column.axis);
                force += (column.drive * column.inv_d) * column.momentum;
            }
            if let Some(parent) = link.parent {
                let carried = force.carried(scratch.frames[i].arm);
                scratch.works[parent as usize].force += carried;
            }
        }
        self.solve_outward(scratch, jumps);
        Ok(())
    }

    /// J·H⁻¹·Jᵀ for a list of rows, row by row, m² numbers: how velocity a answers a unit impulse along b.
    ///
    /// # Errors
    /// If a joint is singular in this configuration.
    ///
    /// # Panics
    /// If `matrix` has the wrong length.
    pub fn response_matrix(
        &self,
        rows: &[Row],
        scratch: &mut Scratch,
        memory: &mut ResponseScratch,
        matrix: &mut [f64],
    ) -> Result<(), SingularJoint> {
        let m = rows.len();
        assert_eq!(matrix.len(), m * m, "size of the matrix");
        self.factorise(scratch)?;
        memory.clear();
        for row in rows {
            self.sweep(row, scratch, memory);
        }
        for a in 0..m {
            for b in 0..=a {
                let value = memory.product(a, b);
                matrix[a * m + b] = value;
                matrix[b * m + a] = value;
            }
        }
        Ok(())
    }

    /// The 3×3 blocks of J·H⁻¹·Jᵀ for a list of points, row by row, m² blocks: Δu_a = K_ab·p_b `[1/kg]`.
    ///
    /// # Errors
    /// If a joint is singular in this configuration.
    ///
    /// # Panics
    /// If `blocks` has the wrong length.
    pub fn point_responses(
        &self,
        points: &[LinkPoint],
        scratch: &mut Scratch,
        memory: &mut ResponseScratch,
        blocks: &mut [DMat3],
    ) -> Result<(), SingularJoint> {
        let m = points.len();
        assert_eq!(blocks.len(), m * m, "number of blocks");
        self.factorise(scratch)?;
        memory.clear();
        for at in points {
            for direction in DVec3::AXES {
                self.sweep(&Row::Point { at: *at, direction }, scratch, memory);
            }
        }
        for a in 0..m {
            for b in 0..=a {
                let entry = |row: usize, column: usize| memory.product(3 * a + row, 3 * b + column);
                let column = |c: usize| DVec3::new(entry(0, c), entry(1, c), entry(2, c));
                let block = DMat3::from_cols(column(0), column(1), column(2));
                blocks[a * m + b] = block;
                blocks[b * m + a] = block.transpose();
            }
        }
        Ok(())
    }

    /// Goes inward with a unit impulse along a row, and notes w in every freedom on the way.
    fn sweep(&self, row: &Row, scratch: &Scratch, memory: &mut ResponseScratch) {
        let (first, mut force, mut drive) = match *row {
            Row::Point { at, direction } => {
                let arm = at.point - scratch.frames[at.link].origin;
                (at.link, -ForceVector::acting_at(arm, direction), None)
            }
            Row::Spin { link, direction } => {
                (link, ForceVector::new(-direction, DVec3::ZERO), None)
            }
            Row::Freedom(freedom) => {
                (self.link_of_freedom(freedom), ForceVector::ZERO, Some(freedom))
            }
        };
        let mut at = Some(first);
        while let Some(i) = at {
            for k in self.links[i].v_range().rev() {
                if drive.is_some_and(|freedom| k > freedom) {
                    continue;
                }
                let column = &scratch.columns[k];
                let w = if drive.take().is_some() { 1.0 } else { -force.dot(column.axis) };
                force += (w * column.inv_d) * column.momentum;
                memory.entries.push(Entry { freedom: k, w, inv_d: column.inv_d });
            }
            force = force.carried(scratch.frames[i].arm);
            at = self.parent(i);
        }
        memory.ends.push(memory.entries.len());
    }
}

impl ResponseScratch {
    fn clear(&mut self) {
        self.entries.clear();
        self.ends.clear();
    }

    fn row(&self, row: usize) -> &[Entry] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.entries[start..self.ends[row]]
    }

    /// Σ w^a·w^b/D from the root outward, for as long as both ways are the same.
    fn product(&self, a: usize, b: usize) -> f64 {
        let pairs = self.row(a).iter().rev().zip(self.row(b).iter().rev());
        let shared = pairs.take_while(|(a, b)| a.freedom == b.freedom);
        shared.fold(0.0, |sum, (a, b)| sum + a.w * b.w * a.inv_d)
    }
}
