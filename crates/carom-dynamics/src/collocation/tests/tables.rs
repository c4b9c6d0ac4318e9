//! Nodes and matrices are what their definitions say, to rounding.

use crate::collocation::Rule;
use crate::collocation::segment::weights;

/// Roundings of literals and of the sums that check them.
const ROUNDING: f64 = 4e-15;

/// P_m(x) by its recurrence.
fn legendre(m: usize, x: f64) -> f64 {
    let (mut before, mut here) = (1.0, x);
    for k in 1..m {
        let k = k as f64;
        (before, here) = (here, ((2.0 * k + 1.0) * x * here - k * before) / (k + 1.0));
    }
    here
}

fn power(x: f64, exponent: usize) -> f64 {
    (0..exponent).fold(1.0, |p, _| p * x)
}

#[test]
fn nodes_are_the_zeros_of_radau_and_matrices_integrate_powers_exactly() {
    let mut worst = 0.0_f64;
    for rule in [Rule::Four, Rule::Six] {
        let (s, tables) = (rule.nodes(), rule.tables());
        for &c in tables.nodes {
            worst = worst.max((legendre(s, 2.0 * c - 1.0) - legendre(s - 1, 2.0 * c - 1.0)).abs());
        }
        assert_eq!(tables.nodes[s - 1], 1.0);
        for j in 0..s {
            let c = tables.nodes[j];
            for m in 0..s {
                let apply = |row: &[f64]| -> f64 {
                    row.iter().zip(tables.nodes).map(|(w, c)| w * power(*c, m)).sum()
                };
                let row = j * s..(j + 1) * s;
                let (k, l) = ((m + 1) as f64, (m + 2) as f64);
                let once = apply(&tables.once[row.clone()]) - power(c, m + 1) / k;
                let twice = apply(&tables.twice[row]) - power(c, m + 2) / (k * l);
                worst = worst.max(once.abs()).max(twice.abs());
            }
        }
    }
    println!("nodes and integrals are off by at most {worst:e}");
    assert!(worst < ROUNDING, "{worst:e}");
}

#[test]
fn the_lower_factor_times_a_unit_upper_one_is_q() {
    for rule in [Rule::Four, Rule::Six] {
        let (s, tables) = (rule.nodes(), rule.tables());
        let (l, q) = (tables.crout, tables.once);
        // U = L⁻¹·Q by forward substitution must be upper triangular with ones on its diagonal.
        for k in 0..s {
            let mut column = [0.0; 6];
            for i in 0..s {
                let known: f64 = (0..i).map(|j| l[i * s + j] * column[j]).sum();
                column[i] = (q[i * s + k] - known) / l[i * s + i];
                assert!((i + 1..s).all(|j| l[i * s + j] == 0.0));
            }
            assert!((column[k] - 1.0).abs() < ROUNDING);
            let below = column[k + 1..s].iter().fold(0.0_f64, |most, u| most.max(u.abs()));
            assert!(below < ROUNDING, "{below:e} below the diagonal of U");
        }
    }
}

#[test]
fn bernstein_coefficients_take_the_given_values_at_the_nodes() {
    for rule in [Rule::Four, Rule::Six] {
        let (s, tables) = (rule.nodes(), rule.tables());
        for k in 0..s {
            for (j, &c) in tables.nodes.iter().enumerate() {
                let basis = weights(s, c);
                let value: f64 = (0..s).map(|i| basis[i] * tables.bernstein[i * s + k]).sum();
                let expected = if j == k { 1.0 } else { 0.0 };
                assert!((value - expected).abs() < ROUNDING, "l_{k}(c_{j}) = {value}");
            }
            let leading: f64 = (0..s)
                .filter(|j| *j != k)
                .fold(1.0, |p, j| p * (tables.nodes[k] - tables.nodes[j]));
            assert!((tables.leading[k] * leading - 1.0).abs() < ROUNDING);
            // The last coefficient is the value at the last node, to the bit.
            assert_eq!(tables.bernstein[(s - 1) * s + k], if k == s - 1 { 1.0 } else { 0.0 });
        }
    }
}

/// Integrals of Π(θ − c_j) by Simpson's rule on 4000 parts.
#[test]
fn constants_of_the_error_are_the_extremes_of_the_integrated_node_polynomial() {
    for rule in [Rule::Four, Rule::Six] {
        let tables = rule.tables();
        let product = |theta: f64| tables.nodes.iter().fold(1.0, |p, c| p * (theta - c));
        assert!((tables.defect * product(0.0) - 1.0).abs() < 1e-13);
        let (mut once, mut twice) = (0.0, 0.0);
        let [mut most_once, mut most_twice] = [0.0_f64; 2];
        let step = 1.0 / 4000.0;
        for k in 0..4000 {
            let [a, m, b] = [0.0, 0.5, 1.0].map(|part| product((f64::from(k) + part) * step));
            let half = once + step / 24.0 * (5.0 * a + 8.0 * m - b);
            let next = once + step / 6.0 * (a + 4.0 * m + b);
            twice += step / 6.0 * (once + 4.0 * half + next);
            once = next;
            most_once = most_once.max(once.abs());
            most_twice = most_twice.max(twice.abs());
        }
        // The grid misses an extreme by its curvature: less than 10⁻⁵ of it.
        assert!((most_once * tables.defect / tables.dense_velocity - 1.0).abs() < 1e-5);
        assert!((most_twice * tables.defect / tables.dense_displacement - 1.0).abs() < 1e-5);
        // Both vanish at the end, which is why segment ends are better than their middles.
        assert!(once.abs() * tables.defect < 1e-12 && twice.abs() * tables.defect < 1e-12);
    }
}
