//! A dictionary: basic variables as linear functions of nonbasic ones, and the exchange of one for another.
//!
//! With y = T·x, solving row r for x_s and inserting it everywhere gives again y' = T'·x' with y_r and x_s exchanged:
//!
//! ```text
//! T'_rs = 1/T_rs,   T'_rj = −T_rj/T_rs,   T'_is = T_is/T_rs,   T'_ij = T_ij − T_is·T_rj/T_rs
//! ```
//!
//! A constant is a column whose x is 1 and never exchanged.

/// T, by rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Dictionary {
    width: usize,
    entries: Vec<f64>,
    pivot_row: Vec<f64>,
}

impl Dictionary {
    /// Empties it and sets the number of columns.
    pub(super) fn restart(&mut self, width: usize) {
        self.width = width;
        self.entries.clear();
    }

    /// Appends entries, row after row.
    pub(super) fn extend(&mut self, entries: impl IntoIterator<Item = f64>) {
        self.entries.extend(entries);
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.width + column]
    }

    pub(super) fn set(&mut self, row: usize, column: usize, value: f64) {
        self.entries[row * self.width + column] = value;
    }

    /// Exchanges the basic variable of `row` for the nonbasic one of `column`, whose entry is not zero.
    pub(super) fn exchange(&mut self, row: usize, column: usize) {
        let width = self.width;
        let inverse = 1.0 / self.at(row, column);
        let given = &mut self.entries[row * width..(row + 1) * width];
        for entry in given.iter_mut() {
            *entry *= -inverse;
        }
        given[column] = inverse;
        self.pivot_row.clear();
        self.pivot_row.extend_from_slice(given);
        for (other, entries) in self.entries.chunks_exact_mut(width).enumerate() {
            let factor = entries[column];
            if other == row || factor == 0.0 {
                continue;
            }
            entries[column] = 0.0;
            for (entry, pivot) in entries.iter_mut().zip(&self.pivot_row) {
                *entry += factor * pivot;
            }
        }
    }
}
