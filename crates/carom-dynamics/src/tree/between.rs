//! Rows between two links: how fast a point of one moves away from a point of another, along a direction.
//!
//! With w^A = L⁻¹·J_Aᵀ of a row that reads one link (`response.rs`), the row J = d·(J_A − J_B) has w = w^A − w^B, and
//!
//! ```text
//! J_a·H⁻¹·J_bᵀ = Σ_k w_k^a·w_k^b/D_k                                                                  (1)
//! ```
//!
//! over the freedoms that carry both rows, of one tree or of several. A side that is no link does not move. The factors are those
//! that the last forward or mixed dynamics left, so that freedoms that are held answer nothing, and damping that is implicit
//! counts.

use glam::DVec3;

use super::{LinkPoint, Scratch, Tree};
use crate::spatial::ForceVector;

/// A velocity between two links: that of the first point less that of the second, along a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairRow {
    /// Points of links; none of what does not belong to the tree.
    pub ends: [Option<LinkPoint>; 2],
    /// The direction.
    pub direction: DVec3,
}

/// Working memory; grows to what was asked of it and stays.
#[derive(Clone, Debug, Default)]
pub struct PairScratch {
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

impl PairScratch {
    fn row(&self, row: usize) -> &[Entry] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.entries[start..self.ends[row]]
    }

    /// Σ w^a·w^b/D over the freedoms of both, which are in rising order.
    fn product(&self, a: usize, b: usize) -> f64 {
        let (mut a, mut b) = (self.row(a), self.row(b));
        let mut sum = 0.0;
        while let ([one, rest_a @ ..], [other, rest_b @ ..]) = (a, b) {
            if one.freedom == other.freedom {
                sum += one.w * other.w * one.inv_d;
            }
            if one.freedom <= other.freedom {
                a = rest_a;
            }
            if other.freedom <= one.freedom {
                b = rest_b;
            }
        }
        sum
    }

    /// Adds a number to the freedom of the row that is being made.
    fn add(&mut self, start: usize, entry: Entry) {
        match self.entries[start..].binary_search_by_key(&entry.freedom, |it| it.freedom) {
            Ok(place) => self.entries[start + place].w += entry.w,
            Err(place) => self.entries.insert(start + place, entry),
        }
    }
}

impl Tree {
    /// J·H⁻¹·Jᵀ for a list of rows, row by row, m² numbers, with the factors that were made last.
    ///
    /// # Panics
    /// If `matrix` has the wrong length.
    pub fn pair_responses(
        &self,
        rows: &[PairRow],
        scratch: &Scratch,
        memory: &mut PairScratch,
        matrix: &mut [f64],
    ) {
        let m = rows.len();
        assert_eq!(matrix.len(), m * m, "size of the matrix");
        memory.entries.clear();
        memory.ends.clear();
        for row in rows {
            self.sweep_pair(row, scratch, memory);
        }
        for a in 0..m {
            for b in 0..=a {
                let value = memory.product(a, b);
                matrix[a * m + b] = value;
                matrix[b * m + a] = value;
            }
        }
    }

    fn sweep_pair(&self, row: &PairRow, scratch: &Scratch, memory: &mut PairScratch) {
        let start = memory.entries.len();
        for (end, sign) in row.ends.iter().zip([1.0, -1.0]) {
            let Some(LinkPoint { link, point }) = *end else { continue };
            let arm = point - scratch.frames[link].origin;
            let mut force = -ForceVector::acting_at(arm, sign * row.direction);
            let mut at = Some(link);
            while let Some(i) = at {
                for k in self.links[i].v_range().rev() {
                    let column = &scratch.columns[k];
                    let w = -force.dot(column.axis);
                    force += (w * column.inv_d) * column.momentum;
                    memory.add(start, Entry { freedom: k, w, inv_d: column.inv_d });
                }
                force = force.carried(scratch.frames[i].arm);
                at = self.parent(i);
            }
        }
        memory.ends.push(memory.entries.len());
    }
}

impl PairRow {
    /// How fast it grows, in the state that `scratch` was placed in.
    pub fn velocity(&self, scratch: &Scratch) -> f64 {
        self.sum(|LinkPoint { link, point }| {
            let arm = point - scratch.frames[link].origin;
            scratch.velocity(link).at(arm).linear
        })
    }

    /// Adds the wrenches of a force along it, at the origins of its links.
    pub fn push(&self, force: f64, scratch: &Scratch, wrenches: &mut [ForceVector]) {
        for (end, sign) in self.ends.iter().zip([1.0, -1.0]) {
            if let Some(LinkPoint { link, point }) = *end {
                let arm = point - scratch.frames[link].origin;
                wrenches[link] += ForceVector::acting_at(arm, sign * force * self.direction);
            }
        }
    }

    fn sum(&self, of: impl Fn(LinkPoint) -> DVec3) -> f64 {
        let ends = self.ends.iter().zip([1.0, -1.0]);
        ends.filter_map(|(end, sign)| Some(sign * of((*end)?).dot(self.direction))).sum()
    }
}
