//! Four linear equations that may be singular.

/// Solves rows·x = right by elimination with full pivoting on rows scaled to one.
///
/// Directions that the equations do not determine, to within `rank` of the largest coefficient, get no share.
pub(super) fn solve(mut rows: [[f64; 4]; 4], mut right: [f64; 4], rank: f64) -> [f64; 4] {
    for (row, right) in rows.iter_mut().zip(&mut right) {
        let largest = row.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        if largest > 0.0 {
            for x in row.iter_mut() {
                *x /= largest;
            }
            *right /= largest;
        }
    }
    let mut order = [0, 1, 2, 3];
    let mut n_pivots = 0;
    for k in 0..4 {
        let (i, j) = largest_entry(&rows, k);
        if rows[i][j].abs() <= rank || rows[i][j].is_nan() {
            break;
        }
        rows.swap(k, i);
        right.swap(k, i);
        for row in &mut rows {
            row.swap(k, j);
        }
        order.swap(k, j);
        let (pivot_row, pivot_right) = (rows[k], right[k]);
        for i in k + 1..4 {
            let factor = rows[i][k] / pivot_row[k];
            for j in k..4 {
                rows[i][j] -= factor * pivot_row[j];
            }
            right[i] -= factor * pivot_right;
        }
        n_pivots = k + 1;
    }
    let mut x = [0.0; 4];
    for k in (0..n_pivots).rev() {
        let known: f64 = (k + 1..n_pivots).map(|j| rows[k][j] * x[order[j]]).sum();
        x[order[k]] = (right[k] - known) / rows[k][k];
    }
    x
}

fn largest_entry(rows: &[[f64; 4]; 4], from: usize) -> (usize, usize) {
    let mut best = (from, from);
    for i in from..4 {
        for j in from..4 {
            if rows[i][j].abs() > rows[best.0][best.1].abs() {
                best = (i, j);
            }
        }
    }
    best
}
