//! The Beta function and Carlson's symmetric elliptic integrals.

/// B(a, b) = Γ(a)·Γ(b)/Γ(a + b) for positive arguments whose sum stays below 170.
pub(crate) fn beta(a: f64, b: f64) -> f64 {
    libm::tgamma(a) * (libm::tgamma(b) / libm::tgamma(a + b))
}

/// Carlson's R_G(x, y, z) for positive arguments (DLMF 19.16.3): the mean length of an ellipsoid's
/// semi-axes, √ of the arguments, in the sense that gives its area.
///
/// By DLMF 19.21.10 with z the middle argument, so that every term is positive.
pub(crate) fn carlson_rg(x: f64, y: f64, z: f64) -> f64 {
    let mut sorted = [x, y, z];
    sorted.sort_by(f64::total_cmp);
    let [low, mid, high] = sorted;
    // Towards R_G(0, 0, z) = ½√z the correction is of the order of (mid/high)·log; below the smallest normal
    // number the duplication would never end.
    if mid <= NEGLIGIBLE * high {
        return 0.5 * high.sqrt();
    }
    let cross = (mid - low) * (high - mid) / 3.0;
    let root = (low * high / mid).sqrt();
    0.5 * (mid * carlson_rf(low, high, mid) + cross * carlson_rd(low, high, mid) + root)
}

/// Arguments of R_G below this share of the largest no longer change a digit.
const NEGLIGIBLE: f64 = 1e-30;

/// How far the arguments may spread around their mean when the duplication stops: the series that follows
/// is of order 6, so 0.0025⁶ ≈ 2e-16 remains.
const SPREAD: f64 = 0.0025;

/// R_F(x, y, z) by duplication (DLMF 19.36.1).
fn carlson_rf(mut x: f64, mut y: f64, mut z: f64) -> f64 {
    loop {
        let mean = (x + y + z) / 3.0;
        let (dx, dy) = (1.0 - x / mean, 1.0 - y / mean);
        let dz = -(dx + dy);
        if dx.abs().max(dy.abs()).max(dz.abs()) < SPREAD {
            let e2 = dx * dy - dz * dz;
            let e3 = dx * dy * dz;
            let series = 1.0 - e2 / 10.0 + e3 / 14.0 + e2 * e2 / 24.0 - 3.0 * e2 * e3 / 44.0;
            return series / mean.sqrt();
        }
        let lambda = (x * y).sqrt() + (y * z).sqrt() + (z * x).sqrt();
        (x, y, z) = ((x + lambda) / 4.0, (y + lambda) / 4.0, (z + lambda) / 4.0);
    }
}

/// R_D(x, y, z) by duplication (DLMF 19.36.2).
fn carlson_rd(mut x: f64, mut y: f64, mut z: f64) -> f64 {
    let mut sum = 0.0;
    let mut factor = 1.0;
    loop {
        let mean = (x + y + 3.0 * z) / 5.0;
        let (dx, dy) = (1.0 - x / mean, 1.0 - y / mean);
        let dz = -(dx + dy) / 3.0;
        if dx.abs().max(dy.abs()).max(dz.abs()) < SPREAD {
            let (xy, zz) = (dx * dy, dz * dz);
            let e2 = xy - 6.0 * zz;
            let e3 = (3.0 * xy - 8.0 * zz) * dz;
            let e4 = 3.0 * (xy - zz) * zz;
            let e5 = xy * zz * dz;
            let series = 1.0 - 3.0 * e2 / 14.0 + e3 / 6.0 + 9.0 * e2 * e2 / 88.0
                - 3.0 * e4 / 22.0
                - 9.0 * e2 * e3 / 52.0
                + 3.0 * e5 / 26.0;
            return 3.0 * sum + factor * series / (mean * mean.sqrt());
        }
        let lambda = (x * y).sqrt() + (y * z).sqrt() + (z * x).sqrt();
        sum += factor / (z.sqrt() * (z + lambda));
        factor /= 4.0;
        (x, y, z) = ((x + lambda) / 4.0, (y + lambda) / 4.0, (z + lambda) / 4.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beta_agrees_with_its_closed_values() {
        let close = |got: f64, expected: f64| (got / expected - 1.0).abs() < 4e-15;
        assert!(close(beta(0.5, 0.5), std::f64::consts::PI), "{}", beta(0.5, 0.5));
        assert!(close(beta(2.0, 3.0), 1.0 / 12.0), "{}", beta(2.0, 3.0));
        assert!(close(beta(0.001, 1.0), 1000.0), "{}", beta(0.001, 1.0));
    }

    #[test]
    fn carlson_integrals_agree_with_printed_values() {
        // Carlson 1995, Numerical computation of real or complex elliptic integrals, section 3.
        let cases = [
            (carlson_rf(1.0, 2.0, 0.0), 1.3110287771461),
            (carlson_rf(2.0, 3.0, 4.0), 0.58408284167715),
            (carlson_rd(0.0, 2.0, 1.0), 1.7972103521034),
            (carlson_rd(2.0, 3.0, 4.0), 0.16510527294261),
        ];
        for (got, expected) in cases {
            assert!((got / expected - 1.0).abs() < 1e-13, "{got} instead of {expected}");
        }
    }
}
