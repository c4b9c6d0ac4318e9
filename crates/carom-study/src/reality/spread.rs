//! Mean, standard deviation and median.

/// Mean, standard deviation and median of numbers; not numbers where there are none.
pub(super) fn of(numbers: &[f64]) -> [f64; 3] {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let variance = numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count;
    [mean, variance.sqrt(), median(numbers)]
}

/// The middle one, or the mean of the two in the middle.
pub(super) fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[half],
        _ => 0.5 * (sorted[half - 1] + sorted[half]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_four_numbers() {
        let [mean, sd, median] = of(&[4.0, 1.0, 3.0, 2.0]);
        assert_eq!([mean, median], [2.5, 2.5]);
        assert!((sd * sd - 1.25).abs() < 1e-15);
        assert!(of(&[]).iter().all(|number| number.is_nan()));
    }
}
