//! Mass properties that anyone can write down, at density 1 unless a mass is given.

/// Diagonal of the inertia of a box with these edge lengths about its centre.
pub fn box_inertia([x, y, z]: [f64; 3]) -> [f64; 3] {
    let twelfth = x * y * z / 12.0;
    [twelfth * (y * y + z * z), twelfth * (z * z + x * x), twelfth * (x * x + y * y)]
}

/// Diagonal of the inertia of a box with a hole in the shape of a smaller box at its centre.
pub fn hollow_box_inertia(outer: [f64; 3], hole: [f64; 3]) -> [f64; 3] {
    let (outer, hole) = (box_inertia(outer), box_inertia(hole));
    [0, 1, 2].map(|i| outer[i] - hole[i])
}

/// Centre and inertia, row by row, of a uniform ball at the origin together with a point mass.
///
/// About the common centre the two contribute the reduced mass times the squared distance of their centres.
pub fn ball_with_point_mass(
    ball_mass: f64,
    radius: f64,
    point_mass: f64,
    at: [f64; 3],
) -> ([f64; 3], [f64; 9]) {
    let total = ball_mass + point_mass;
    let reduced = ball_mass * point_mass / total;
    let own = 0.4 * ball_mass * radius * radius;
    let distance_sq: f64 = at.iter().map(|x| x * x).sum();
    let mut inertia = [0.0; 9];
    for i in 0..3 {
        for j in 0..3 {
            let diagonal = if i == j { own + reduced * distance_sq } else { 0.0 };
            inertia[3 * i + j] = diagonal - reduced * at[i] * at[j];
        }
    }
    (at.map(|x| x * point_mass / total), inertia)
}

/// Eigenvalues of a symmetric matrix given row by row, ascending: the trigonometric solution of its
/// characteristic cubic.
pub fn eigenvalues(matrix: [f64; 9]) -> [f64; 3] {
    let [a, d, e, _, b, f, _, _, c] = matrix;
    let mean = (a + b + c) / 3.0;
    let off = d * d + e * e + f * f;
    let squares: f64 = [a, b, c].iter().map(|x| (x - mean) * (x - mean)).sum();
    let p = ((squares + 2.0 * off) / 6.0).sqrt();
    if p == 0.0 {
        return [mean; 3];
    }
    let [a, b, c] = [a, b, c].map(|x| (x - mean) / p);
    let [d, e, f] = [d, e, f].map(|x| x / p);
    let determinant = a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e);
    let angle = libm::acos((determinant / 2.0).clamp(-1.0, 1.0)) / 3.0;
    let third = 2.0 * std::f64::consts::PI / 3.0;
    let mut roots = [0.0, third, -third].map(|turn| mean + 2.0 * p * libm::cos(angle + turn));
    roots.sort_by(f64::total_cmp);
    roots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_of_a_known_matrix() {
        // Eigenvalues 1, 2 and 4 in axes turned by 45° about z.
        let got = eigenvalues([1.5, 0.5, 0.0, 0.5, 1.5, 0.0, 0.0, 0.0, 4.0]);
        for (got, expected) in got.iter().zip([1.0, 2.0, 4.0]) {
            assert!((got - expected).abs() < 1e-14, "{got} instead of {expected}");
        }
    }

    #[test]
    fn a_point_mass_at_the_centre_changes_no_inertia() {
        let (center, inertia) = ball_with_point_mass(2.0, 1.0, 5.0, [0.0; 3]);
        assert_eq!((center, inertia[0], inertia[1]), ([0.0; 3], 0.8, 0.0));
    }
}
