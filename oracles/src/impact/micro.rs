//! The thesis's microcollisions (section 3.4): what keeps a body up that rests within the envelope of its support.
//!
//! A collision slower than a fall through the envelope ε, √(2gε), is one (3.18). The impulse p = −2·K⁻¹·u reverses u and
//! does no work, since ½(u₀ + u)·p = 0 (corollary 1). Where it lies outside the cone of friction, the collision is
//! integrated with a coefficient of restitution that grows with the depth δ in the envelope, by the parabola with
//! e(0) = e₀, e'(0) = 0 and e(ε) = e_max.

use crate::doubled::Doubled;

use super::matrix::Matrix;

/// e_max of the thesis `[-]`.
pub const LARGEST_RESTITUTION: f64 = 5.0;

/// Closing speed below which a collision is a microcollision `[m/s]`.
pub fn threshold(gravity: f64, envelope: f64) -> f64 {
    (2.0 * gravity * envelope).sqrt()
}

/// e(δ), with δ taken into the envelope `[-]`.
pub fn boosted_restitution(restitution: f64, depth: f64, envelope: f64) -> f64 {
    let share = (depth / envelope).clamp(0.0, 1.0);
    restitution + (LARGEST_RESTITUTION - restitution) * share * share
}

/// −2·K⁻¹·u `[N·s]`.
///
/// K⁻¹ by elimination of the tangents: p_z = (v_z − s·M⁻¹·v_t)/(c − s·M⁻¹·s) and p_t = M⁻¹·(v_t − s·p_z) for v = −2u.
pub fn reversing_impulse(matrix: &[[f64; 3]; 3], velocity: [f64; 3]) -> [f64; 3] {
    let matrix = Matrix::new(matrix);
    let [x, y, z] = velocity.map(|it| Doubled::from(-2.0 * it));
    let held = matrix.tangential_solve([x, y]);
    let push = (z - matrix.e * held[0] - matrix.d * held[1]) / matrix.sticking_rate();
    let sideways = matrix.tangential_solve([x - matrix.e * push, y - matrix.d * push]);
    [sideways[0], sideways[1], push].map(Doubled::value)
}

/// Friction from which on an impulse is possible; none if it pulls `[-]`.
pub fn needed_friction([x, y, z]: [f64; 3]) -> Option<f64> {
    (z > 0.0).then(|| libm::hypot(x, y) / z)
}

#[cfg(test)]
mod tests {
    use super::super::cases::THESIS_MATRIX;
    use super::super::critical_friction;
    use super::*;

    #[test]
    fn the_reversing_impulse_reverses() {
        let velocity = [0.03, -0.02, -1.0];
        let p = reversing_impulse(&THESIS_MATRIX, velocity);
        for (row, before) in THESIS_MATRIX.iter().zip(velocity) {
            let change: f64 = row.iter().zip(p).map(|(k, p)| k * p).sum();
            assert!((change + 2.0 * before).abs() < 1e-15, "{change} for {before}");
        }
        // Straight down it needs as much friction as holding does.
        let straight = needed_friction(reversing_impulse(&THESIS_MATRIX, [0.0, 0.0, -1.0]));
        assert!((straight.unwrap() - critical_friction(&THESIS_MATRIX)).abs() < 1e-15);
        assert_eq!(needed_friction([1.0, 0.0, -1.0]), None);
    }

    #[test]
    fn restitution_is_boosted_along_a_parabola() {
        let boosted = |depth| boosted_restitution(0.3, depth, 1e-3);
        assert_eq!([boosted(0.0), boosted(1e-3), boosted(2e-3)], [0.3, 5.0, 5.0]);
        assert!((boosted(5e-4) - (0.3 + 4.7 / 4.0)).abs() < 1e-15);
        // Its slope at the start is 0: the quotient falls with the depth.
        assert!((boosted(1e-9) - 0.3) / 1e-9 < 1e-2);
    }

    #[test]
    fn a_fall_through_the_envelope_is_the_limit() {
        let speed = threshold(9.81, 1e-3);
        assert!((speed * speed / (2.0 * 9.81) - 1e-3).abs() < 1e-18);
    }
}
