//! The path of Lemke's algorithm through dictionaries of v = A·y + d·y₀ + p.
//!
//! y₀ > 0 lifts every v above zero; it enters first, for the most negative p_i/d_i. From then on each dictionary has
//! exactly one pair v_i, y_i of which neither is basic; the one that did not just leave enters. The path ends in
//! an answer when y₀ leaves, and on a ray when nothing stops the entering variable.
//!
//! **Cycling.** Ties of the ratio test are broken as if p were p + (ε, ε², …) with an arbitrarily small ε (CPS 4.4.7):
//! no dictionary can then recur. The powers of ε in a basic variable need no memory of their own: v_k − ε^k takes the
//! place of v_k everywhere, so that the coefficient of ε^k in row i is
//!
//! ```text
//! 1 if v_k is the basic variable of row i,   0 if of another row,   −T_is if v_k is nonbasic in column s.
//! ```
//!
//! Numbers closer than `distinct` (in a problem of size one) count as equal; the proof is one of exact arithmetic, and a
//! limit of pivots stands behind it.

use crate::complementarity::dictionary::Dictionary;

/// Pivots per row, and pivots for any size, before a path is given up. Random problems take 1 to 3 per row.
const PIVOTS_PER_ROW: usize = 40;
const PIVOTS: usize = 400;

/// A dictionary on the path. Variables are numbered v_0 … v_n−1, y_0 … y_n−1, y₀.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    n: usize,
    /// Columns: nonbasic variables, then the constant.
    dictionary: Dictionary,
    basic: Vec<usize>,
    nonbasic: Vec<usize>,
    /// Row or column of each variable.
    seats: Vec<Seat>,
    ties: Vec<usize>,
    distinct: f64,
    pivots: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Seat {
    Row(usize),
    Column(usize),
}

/// Where a path ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum End {
    Answer,
    /// The variable of this column can grow forever.
    Ray(usize),
    Limit,
}

impl Path {
    pub(super) fn load(&mut self, matrix: &[f64], offset: &[f64], covering: &[f64], distinct: f64) {
        let n = offset.len();
        (self.n, self.distinct, self.pivots) = (n, distinct, 0);
        self.dictionary.restart(n + 2);
        for i in 0..n {
            self.dictionary.extend(matrix[i * n..(i + 1) * n].iter().copied());
            self.dictionary.extend([covering[i], offset[i]]);
        }
        self.basic.clear();
        self.basic.extend(0..n);
        self.nonbasic.clear();
        self.nonbasic.extend(n..=2 * n);
        self.seats.clear();
        self.seats.extend((0..n).map(Seat::Row));
        self.seats.extend((0..=n).map(Seat::Column));
    }

    /// Walks to the end.
    pub(super) fn follow(&mut self) -> End {
        let n = self.n;
        if (0..n).all(|row| self.constant(row) >= 0.0) {
            return End::Answer;
        }
        // y₀ is raised to where the last v becomes zero: that v leaves.
        let Some(first) = self.first_row() else { return End::Answer };
        let mut leaving = self.exchange(first, n);
        loop {
            let entering = if leaving < n { leaving + n } else { leaving - n };
            let Seat::Column(column) = self.seats[entering] else { return End::Limit };
            let Some(row) = self.stopping_row(column) else { return End::Ray(column) };
            leaving = self.exchange(row, column);
            if leaving == 2 * n {
                return End::Answer;
            }
            if self.pivots > PIVOTS + PIVOTS_PER_ROW * n {
                return End::Limit;
            }
        }
    }

    pub(super) fn pivots(&self) -> usize {
        self.pivots
    }

    pub(super) fn is_basic(&self, row: usize) -> bool {
        matches!(self.seats[self.n + row], Seat::Row(_))
    }

    /// y of this dictionary.
    pub(super) fn values(&self, y: &mut Vec<f64>) {
        y.clear();
        y.extend((0..self.n).map(|i| match self.seats[self.n + i] {
            Seat::Row(row) => self.constant(row),
            Seat::Column(_) => 0.0,
        }));
    }

    /// How y changes along the ray of a column.
    pub(super) fn ray(&self, column: usize, y: &mut Vec<f64>) {
        y.clear();
        y.extend((0..self.n).map(|i| match self.seats[self.n + i] {
            Seat::Row(row) => self.dictionary.at(row, column),
            Seat::Column(seat) => f64::from(u8::from(seat == column)),
        }));
    }

    fn constant(&self, row: usize) -> f64 {
        self.dictionary.at(row, self.n + 1)
    }

    /// Exchanges, and returns the variable that left. Constants that are zero but for rounding become zero, so
    /// that ties are seen.
    fn exchange(&mut self, row: usize, column: usize) -> usize {
        self.dictionary.exchange(row, column);
        self.pivots += 1;
        let (leaving, entering) = (self.basic[row], self.nonbasic[column]);
        (self.basic[row], self.nonbasic[column]) = (entering, leaving);
        (self.seats[entering], self.seats[leaving]) = (Seat::Row(row), Seat::Column(column));
        for row in 0..self.n {
            if self.constant(row) < 0.01 * self.distinct {
                self.dictionary.set(row, self.n + 1, 0.0);
            }
        }
        leaving
    }

    /// Row with the least (p + powers of ε)/d.
    fn first_row(&mut self) -> Option<usize> {
        self.ties.clear();
        self.ties.extend(0..self.n);
        self.least_of_ties(self.n, 1.0)
    }

    /// Row that stops the variable of a column from growing; the row of y₀ if that is among the first.
    fn stopping_row(&mut self, column: usize) -> Option<usize> {
        let entry = |row: usize| self.dictionary.at(row, column);
        let largest = (0..self.n).fold(0.0, |most: f64, row| most.max(entry(row).abs()));
        let falls = |row: &usize| entry(*row) < -self.distinct * largest;
        self.ties.clear();
        self.ties.extend((0..self.n).filter(falls));
        let ratio = |row: usize| self.constant(row) / -self.dictionary.at(row, column);
        let least = self.ties.iter().map(|&row| ratio(row)).fold(f64::INFINITY, f64::min);
        if let Seat::Row(row) = self.seats[2 * self.n] {
            let is_among =
                self.ties.contains(&row) && ratio(row) <= least + self.distinct * (1.0 + least);
            if is_among {
                return Some(row);
            }
        }
        self.least_of_ties(column, -1.0)
    }

    /// Of the rows in `ties` the one whose (constant, powers of ε) over `sign` times its entry in the column is
    /// lexicographically least.
    fn least_of_ties(&mut self, column: usize, sign: f64) -> Option<usize> {
        let n = self.n;
        for power in 0..=n {
            if self.ties.len() <= 1 {
                break;
            }
            let (dictionary, seats) = (&self.dictionary, &self.seats);
            let coefficient = |row: usize| match power {
                0 => dictionary.at(row, n + 1),
                _ => match seats[power - 1] {
                    Seat::Row(seat) => f64::from(u8::from(seat == row)),
                    Seat::Column(seat) => -dictionary.at(row, seat),
                },
            };
            let ratio = |row: usize| coefficient(row) / (sign * dictionary.at(row, column));
            let least = self.ties.iter().map(|&row| ratio(row)).fold(f64::INFINITY, f64::min);
            let limit = least + self.distinct * (1.0 + least.abs());
            self.ties.retain(|&row| ratio(row) <= limit);
        }
        self.ties.first().copied()
    }
}
