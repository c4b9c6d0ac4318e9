//! Dense systems of a few equations.

/// Solves a dense system by elimination with row exchanges.
pub(crate) fn solve(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for k in 0..n {
        let pivot =
            (k..n).max_by(|i, j| rows[*i][k].abs().total_cmp(&rows[*j][k].abs())).unwrap_or(k);
        rows.swap(k, pivot);
        right.swap(k, pivot);
        for i in k + 1..n {
            let factor = rows[i][k] / rows[k][k];
            let above = rows[k].clone();
            for (entry, above) in rows[i].iter_mut().zip(above).skip(k) {
                *entry -= factor * above;
            }
            right[i] -= factor * right[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| rows[k][j] * right[j]).sum();
        right[k] = (right[k] - known) / rows[k][k];
    }
    right
}
