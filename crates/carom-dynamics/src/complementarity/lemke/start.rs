//! Another dictionary to start a path from: one or two rows exchanged for their unknowns beforehand.
//!
//! With v_i and y_i exchanged for the rows i of a set, (v', y') = (y, v) there and (v, y) elsewhere, the problem is again one
//! of the same kind, v' = A'·y' + p', and has the same answers. Its paths are other ones: for games of two players
//! (A with two blocks of zeros) every path from v = p can end on a ray, while these lead to equilibria.

use crate::complementarity::dictionary::Dictionary;
use crate::complementarity::standard::Standard;
use crate::tolerances::DISTINCT;

/// A', p' and the exchanged rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Start {
    dictionary: Dictionary,
    pub(super) matrix: Vec<f64>,
    pub(super) offset: Vec<f64>,
    exchanged: [usize; 2],
}

impl Start {
    /// Exchanges row `first`, alone or, if its diagonal entry is zero, with the row it is coupled to most; false if there
    /// is none.
    pub(super) fn load(&mut self, standard: &Standard, first: usize) -> bool {
        let n = standard.size;
        let entry = |i: usize, j: usize| standard.matrix[i * n + j];
        let is_alone = entry(first, first).abs() > DISTINCT;
        let coupling = |j: usize| (entry(first, j) * entry(j, first)).abs();
        let strongest =
            (0..n).fold(first, |best, j| if coupling(j) > coupling(best) { j } else { best });
        let second = if is_alone { first } else { strongest };
        if !is_alone && coupling(second) <= DISTINCT * DISTINCT {
            return false;
        }
        self.dictionary.restart(n + 1);
        for (i, &offset) in standard.offset.iter().enumerate() {
            self.dictionary.extend((0..n).map(|j| entry(i, j)).chain([offset]));
        }
        self.dictionary.exchange(first, second);
        if second != first {
            self.dictionary.exchange(second, first);
        }
        self.exchanged = [first, second];
        // The exchange across leaves y of one row in the row of the other.
        let seat = |i: usize| match i {
            _ if i == first => second,
            _ if i == second => first,
            _ => i,
        };
        self.matrix.clear();
        self.offset.clear();
        for i in 0..n {
            self.matrix.extend((0..n).map(|j| self.dictionary.at(seat(i), seat(j))));
            self.offset.push(self.dictionary.at(seat(i), n));
        }
        true
    }

    /// True for rows whose v and y have changed places.
    pub(super) fn is_exchanged(&self, row: usize) -> bool {
        self.exchanged.contains(&row)
    }
}
