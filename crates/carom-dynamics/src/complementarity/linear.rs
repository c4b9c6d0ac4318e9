//! Dense linear algebra that solvers need: row products with twice the digits, and elimination that knows rank.
//!
//! Elimination is by rows with partial pivoting on a copy, P·A = L·U in echelon form: a column without a pivot
//! above the tolerance is passed over, and its unknown stays zero. For a consistent system of lower rank that
//! gives one of its solutions.

/// a·b, in four sums that processors add at once; the same bits everywhere.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    const LANES: usize = 4;
    let mut sums = [0.0; LANES];
    let (a_whole, a_rest) = a.as_chunks::<LANES>();
    let (b_whole, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in a_whole.iter().zip(b_whole) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

/// row·z + start, as if summed with twice the digits and rounded once (Ogita, Rump, Oishi's Dot2).
pub(super) fn precise_row(row: &[f64], z: &[f64], start: f64) -> f64 {
    let (mut sum, mut rest) = (start, 0.0);
    for (&a, &b) in row.iter().zip(z) {
        if a == 0.0 || b == 0.0 {
            continue;
        }
        let product = a * b;
        let next = sum + product;
        let part = next - sum;
        rest += (sum - (next - part)) + (product - part) + product_error(a, b, product);
        sum = next;
    }
    sum + rest
}

/// a·b − fl(a·b), exactly (Dekker), for factors within about 1e±140.
fn product_error(a: f64, b: f64, product: f64) -> f64 {
    let split = |x: f64| {
        let spread = 134_217_729.0 * x; // 2²⁷ + 1
        let high = spread - (spread - x);
        (high, x - high)
    };
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
}

/// A square matrix, factorised.
#[derive(Clone, Debug, Default)]
pub(super) struct Elimination {
    n: usize,
    /// L below and U from the diagonal staircase, by rows, in pivot order.
    factors: Vec<f64>,
    /// Given row of each row in pivot order.
    order: Vec<usize>,
    /// Column of the pivot of each row, in pivot order; as many as the rank.
    columns: Vec<usize>,
    scratch: Vec<f64>,
}

impl Elimination {
    /// Takes over a matrix by rows; `tolerance` is the share of its largest entry below which a pivot is none.
    pub(super) fn factorise(
        &mut self,
        n: usize,
        entries: impl Iterator<Item = f64>,
        tolerance: f64,
    ) {
        self.n = n;
        self.factors.clear();
        self.factors.extend(entries);
        self.order.clear();
        self.order.extend(0..n);
        self.columns.clear();
        let least = tolerance * self.factors.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        for column in 0..n {
            let step = self.columns.len();
            let size = |row: usize| self.factors[row * n + column].abs();
            let best =
                (step..n).fold(step, |best, row| if size(row) > size(best) { row } else { best });
            if best < n && size(best) > least {
                self.eliminate(step, best, column);
                self.columns.push(column);
            }
        }
    }

    fn eliminate(&mut self, step: usize, best: usize, column: usize) {
        let n = self.n;
        self.order.swap(step, best);
        if best > step {
            let (above, below) = self.factors.split_at_mut(best * n);
            above[step * n..(step + 1) * n].swap_with_slice(&mut below[..n]);
        }
        let (above, below) = self.factors.split_at_mut((step + 1) * n);
        let pivot_row = &above[step * n..];
        for row in below.chunks_exact_mut(n) {
            let factor = row[column] / pivot_row[column];
            if factor == 0.0 {
                continue;
            }
            for (entry, pivot) in row[column + 1..].iter_mut().zip(&pivot_row[column + 1..]) {
                *entry -= factor * pivot;
            }
            row[column] = factor;
        }
    }

    /// True if some column depends on those before it.
    pub(super) fn is_singular(&self) -> bool {
        self.columns.len() < self.n
    }

    /// x with A·x = b where that can be had; unknowns of dependent columns are zero.
    pub(super) fn solve(&mut self, b: &[f64], x: &mut [f64]) {
        let (n, rank) = (self.n, self.columns.len());
        self.scratch.clear();
        for step in 0..rank {
            let row = &self.factors[step * n..];
            let known = self.columns[..step].iter().zip(&self.scratch);
            let sum: f64 = known.map(|(&column, y)| row[column] * y).sum();
            self.scratch.push(b[self.order[step]] - sum);
        }
        x.fill(0.0);
        for step in (0..rank).rev() {
            let (row, column) = (&self.factors[step * n..(step + 1) * n], self.columns[step]);
            let sum: f64 = row[column + 1..].iter().zip(&x[column + 1..]).map(|(a, x)| a * x).sum();
            x[column] = (self.scratch[step] - sum) / row[column];
        }
    }
}
