//! Linear complementarity problems: a reader for the data set `lcp`, and answers by trying every set of rows.
//!
//! z ≥ 0, w = M·z + q ≥ 0, zᵀw = 0. For each of the 2ⁿ sets of rows w = 0 is solved in those and z = 0 taken in the
//! others; what has no negative entry is an answer. Sets with dependent rows are passed over: semidefinite problems
//! that have an answer have one without (Lemke's path ends there), others may not.

use std::path::Path;

use serde::Deserialize;

use crate::{DataError, malformed, read_text};

/// One problem of the data set.
#[derive(Clone, Debug, Deserialize)]
pub struct LcpCase {
    /// What it is called.
    pub name: String,
    /// Rows.
    pub n: usize,
    /// M, by rows.
    #[serde(rename = "M")]
    pub matrix: Vec<f64>,
    /// q.
    pub q: Vec<f64>,
    /// An answer that another program found.
    pub z: Option<Vec<f64>>,
    /// Least eigenvalue of the symmetric part of M.
    pub min_eig_sym: f64,
    /// Whether w is the same for all answers.
    #[serde(default)]
    pub w_unique: bool,
}

/// All problems of `lcp/problems.json`, or none if that file is not there.
///
/// # Errors
/// If the file cannot be read or is not of that layout.
pub fn lcp_cases(folder: &Path) -> Result<Option<Vec<LcpCase>>, DataError> {
    let path = folder.join("lcp/problems.json");
    if !path.is_file() {
        return Ok(None);
    }
    let cases: Vec<LcpCase> =
        serde_json::from_str(&read_text(&path)?).map_err(|error| malformed(&path, &error))?;
    let is_square = |case: &LcpCase| case.q.len() == case.n && case.matrix.len() == case.n * case.n;
    match cases.iter().find(|case| !is_square(case)) {
        Some(case) => Err(malformed(&path, &format!("'{}' is not square", case.name))),
        None => Ok(Some(cases)),
    }
}

/// Entries below this are zero: for problems of small whole numbers.
const ZERO: f64 = 1e-9;

/// All answers with independent rows, for problems of up to 16 rows.
///
/// # Panics
/// If there are more.
pub fn enumerate(matrix: &[f64], q: &[f64]) -> Vec<Vec<f64>> {
    let n = q.len();
    assert!(n <= 16, "enumeration of {n} rows would not end");
    (0_u32..1 << n).filter_map(|set| answer_of(set, matrix, q)).collect()
}

fn answer_of(set: u32, matrix: &[f64], q: &[f64]) -> Option<Vec<f64>> {
    let n = q.len();
    let rows: Vec<usize> = (0..n).filter(|i| set >> i & 1 == 1).collect();
    let mut system: Vec<Vec<f64>> = rows
        .iter()
        .map(|&i| rows.iter().map(|&j| matrix[i * n + j]).chain([-q[i]]).collect())
        .collect();
    // Gauss and Jordan, with the largest pivot of each column.
    for step in 0..rows.len() {
        let best = (step..rows.len())
            .max_by(|&a, &b| system[a][step].abs().total_cmp(&system[b][step].abs()))?;
        system.swap(step, best);
        let pivot = system[step].clone();
        if pivot[step].abs() < ZERO {
            return None;
        }
        for (index, row) in system.iter_mut().enumerate() {
            if index != step {
                let factor = row[step] / pivot[step];
                row.iter_mut().zip(&pivot).for_each(|(a, b)| *a -= factor * b);
            }
        }
    }
    let mut z = vec![0.0; n];
    for (step, &i) in rows.iter().enumerate() {
        z[i] = system[step][rows.len()] / system[step][step];
    }
    let w = |i: usize| q[i] + (0..n).map(|j| matrix[i * n + j] * z[j]).sum::<f64>();
    let is_answer = z.iter().all(|z| *z >= -ZERO) && (0..n).all(|i| w(i) >= -ZERO);
    is_answer.then_some(z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negative_row_has_both_its_answers() {
        assert_eq!(enumerate(&[-1.0], &[1.0]), [[0.0], [1.0]]);
        assert!(enumerate(&[-1.0], &[-1.0]).is_empty());
    }
}
