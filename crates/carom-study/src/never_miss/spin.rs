//! The largest angular velocity of a body in free rotation, from its two invariants.
//!
//! With xᵢ = ωᵢ² about the principal axes, twice the energy is Σ Iᵢ·xᵢ and the square of the angular momentum Σ Iᵢ²·xᵢ, both
//! constant, and xᵢ ≥ 0. So |ω|² = Σ xᵢ is at most its maximum over these x, a linear programme in three unknowns with two
//! equations: the maximum is where one of the unknowns is zero, and the other two follow.
//!
//! Of the same equations, |ω̇ᵢ| = |Iⱼ − Iₖ|/Iᵢ·|ωⱼωₖ| ≤ |ωⱼωₖ|, since Iᵢ ≥ |Iⱼ − Iₖ| for every solid. Hence
//! |ω̇|² ≤ ω₂²ω₃² + ω₃²ω₁² + ω₁²ω₂² ≤ |ω|⁴/3, and a point at r from the centre is accelerated by at most (1 + 1/√3)·ω²·r.

use carom::{BodyState, Mass};
use glam::DVec3;

use super::tolerances::SPIN_SLACK;

/// 1 + 1/√3, rounded up: the acceleration of a point is at most this times ω²·r `[-]`.
pub(super) const TURNING: f64 = 1.577_350_27;

/// Not less than |ω| at any time of a free rotation `[rad/s]`.
pub(super) fn largest_spin(mass: &Mass, state: &BodyState) -> f64 {
    let rates = mass.body_from_principal.conjugate() * state.angular_velocity_body();
    (largest_square(mass.moments, rates * rates) * (1.0 + SPIN_SLACK)).sqrt()
}

fn largest_square(moments: DVec3, squares: DVec3) -> f64 {
    let energy = moments.dot(squares);
    let momentum = (moments * moments).dot(squares);
    let mut largest = squares.element_sum();
    let slack = SPIN_SLACK * largest;
    for [j, k] in [[0, 1], [0, 2], [1, 2]] {
        let (low, high) = (moments[j], moments[k]);
        let apart = high - low;
        if apart <= SPIN_SLACK * high {
            // As good as one moment: all of the energy in it, if the momentum fits.
            if (momentum - energy * high).abs() <= 4.0 * SPIN_SLACK * momentum {
                largest = largest.max(energy / low);
            }
            continue;
        }
        let one = (energy * high - momentum) / (low * apart);
        let other = (momentum - energy * low) / (high * apart);
        if one >= -slack && other >= -slack {
            largest = largest.max(one + other);
        }
    }
    largest
}

#[cfg(test)]
mod tests {
    use carom_dynamics::Ballistic;
    use carom_geometry::shape::Solid;
    use carom_geometry::shapes::Cuboid;

    use super::super::numbers::Numbers;
    use super::*;

    #[test]
    fn no_spin_along_a_free_rotation_is_larger_and_some_are_nearly_as_large() {
        let mut numbers = Numbers::of(99, 0);
        let mut closest = 0.0_f64;
        for _ in 0..200 {
            let half =
                DVec3::new(numbers.decades(0.01, 1.0), numbers.decades(0.01, 1.0), numbers.unit());
            let properties = Cuboid::new(half).unwrap().mass_properties(1000.0).unwrap();
            let mass = Mass::new(&properties).unwrap();
            let state = BodyState {
                position: DVec3::ZERO,
                orientation: numbers.rotation(),
                velocity: DVec3::ZERO,
                angular_velocity: numbers.decades(0.1, 10.0) * numbers.direction(),
            };
            let bound = largest_spin(&mass, &state);
            let flight = Ballistic::new(0.0, state, DVec3::ZERO, &mass);
            let spin = |i: u32| flight.state_at(0.05 * f64::from(i)).angular_velocity.length();
            let seen = (0..400).map(spin).fold(0.0, f64::max);
            assert!(seen <= bound, "{seen} > {bound}");
            closest = closest.max(seen / bound);
        }
        assert!(closest > 0.999, "{closest}");
    }
}
