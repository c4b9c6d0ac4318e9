//! What a rigid body opposes to forces: mass and principal moments of inertia.
//!
//! The tensor is kept in its principal axes, I_body = R_p·diag(I₁, I₂, I₃)·R_pᵀ with I₁ ≤ I₂ ≤ I₃, so that
//! products with I and I⁻¹ are three multiplications between two rotations (guide RB-1), and so that free
//! rotation can be solved in closed form.

use carom_geometry::MassProperties;
use carom_geometry::mass::InertiaFault;
use glam::{DMat3, DQuat, DVec3};

use crate::BodyState;

/// Mass and inertia of a free body about its centre of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mass {
    /// Mass `[kg]`.
    pub mass: f64,
    /// Principal moments, ascending `[kg·m²]`.
    pub moments: DVec3,
    /// Turns principal axes into body axes.
    pub body_from_principal: DQuat,
}

impl Mass {
    /// Of a link that only joins others. Nothing can be struck that has no more than this.
    pub const NONE: Self =
        Self { mass: 0.0, moments: DVec3::ZERO, body_from_principal: DQuat::IDENTITY };

    /// From mass properties, about their centre.
    ///
    /// # Errors
    /// If mass or inertia are not those of any solid.
    pub fn new(properties: &MassProperties) -> Result<Self, InertiaFault> {
        properties.verdict()?;
        let principal = properties.principal();
        Ok(Self {
            mass: properties.mass,
            moments: principal.moments,
            body_from_principal: DQuat::from_mat3(&principal.axes),
        })
    }

    /// I·ω in world axes, for a body that is turned by `orientation` `[kg·m²/s]`.
    pub fn angular_momentum(&self, orientation: DQuat, angular_velocity: DVec3) -> DVec3 {
        let world_from_principal = orientation * self.body_from_principal;
        let rates = world_from_principal.conjugate() * angular_velocity;
        world_from_principal * (self.moments * rates)
    }

    /// I⁻¹·l in world axes `[rad/s]`.
    pub fn angular_velocity(&self, orientation: DQuat, angular_momentum: DVec3) -> DVec3 {
        let world_from_principal = orientation * self.body_from_principal;
        let momenta = world_from_principal.conjugate() * angular_momentum;
        world_from_principal * (momenta / self.moments)
    }

    /// ½m|v|² + ½ω·I·ω `[J]`.
    pub fn kinetic_energy(&self, state: &BodyState) -> f64 {
        let rates = self.body_from_principal.conjugate() * state.angular_velocity_body();
        0.5 * self.mass * state.velocity.length_squared() + 0.5 * (self.moments * rates).dot(rates)
    }

    /// How the velocity of the material point at `of` answers a unit impulse at `at`, both points of the world:
    /// K with Δu = K·p, a block of J·H⁻¹·Jᵀ (the collision matrix of one body where both are one point) `[1/kg]`.
    ///
    /// K = 1/m·1 − r̃_of·I⁻¹·r̃_at with arms r from the centre of mass (guide CR-2).
    pub fn response(&self, state: &BodyState, of: DVec3, at: DVec3) -> DMat3 {
        let (arm_of, arm_at) = (of - state.position, at - state.position);
        let column = |axis: DVec3| {
            let spin = self.angular_velocity(state.orientation, arm_at.cross(axis));
            axis / self.mass + spin.cross(arm_of)
        };
        DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z))
    }

    /// The state after an impulse `[N·s]` at a world point and an angular impulse `[N·m·s]` (guide RB-6).
    #[must_use]
    pub fn struck(&self, state: &BodyState, impulse: &Impulse) -> BodyState {
        let arm = impulse.point - state.position;
        let twist = arm.cross(impulse.linear) + impulse.angular;
        BodyState {
            velocity: state.velocity + impulse.linear / self.mass,
            angular_velocity: state.angular_velocity
                + self.angular_velocity(state.orientation, twist),
            ..*state
        }
    }
}

/// An impulse on one body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impulse {
    /// Where it acts, in the world frame `[m]`.
    pub point: DVec3,
    /// Time integral of force `[N·s]`.
    pub linear: DVec3,
    /// Time integral of torque beyond that of `linear` at `point` `[N·m·s]`.
    pub angular: DVec3,
}

impl Impulse {
    /// Work it does on a body that goes from `before` to `after` by it: p·½(u⁻+u⁺) + l·½(ω⁻+ω⁺) `[J]`.
    ///
    /// Exact for any impulse, because momentum is linear in it.
    pub fn work(&self, before: &BodyState, after: &BodyState) -> f64 {
        let speed = 0.5 * (before.velocity_at(self.point) + after.velocity_at(self.point));
        let spin = 0.5 * (before.angular_velocity + after.angular_velocity);
        self.linear.dot(speed) + self.angular.dot(spin)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::law::testing::for_all;
    use crate::testing::{any_moments, log_uniform, rotation, turned_body, vector};

    /// A body of 1 g to 1 t with moments to match, anywhere and moving anyhow.
    fn moving_body() -> impl Strategy<Value = (Mass, BodyState)> {
        let state = (vector(5.0), rotation(), vector(10.0), vector(20.0));
        (log_uniform(-3.0..3.0), turned_body(any_moments()), state).prop_map(
            |(mass, shape, (position, orientation, velocity, angular_velocity))| {
                let body = Mass { mass, moments: mass * shape.moments, ..shape };
                (body, BodyState { position, orientation, velocity, angular_velocity })
            },
        )
    }

    /// Linear momentum, and angular momentum about the origin, with the sizes of their terms.
    fn momenta((mass, state): &(Mass, BodyState)) -> ([DVec3; 2], [f64; 2]) {
        let linear = mass.mass * state.velocity;
        let orbital = state.position.cross(linear);
        let own = mass.angular_momentum(state.orientation, state.angular_velocity);
        let largest = mass.moments.z * state.angular_velocity.length();
        let sizes = [linear.length(), state.position.length() * linear.length() + largest];
        ([linear, orbital + own], sizes)
    }

    /// proves: m1/RB-R6
    #[test]
    fn an_impulse_pair_at_a_common_point_conserves_both_momenta() {
        let worst = std::cell::Cell::new([0.0_f64; 2]);
        let inputs =
            (moving_body(), moving_body(), vector(5.0), vector(1.0), log_uniform(-3.0..3.0));
        for_all(4000, &inputs, |(a, b, point, along, size)| {
            let push = |sign: f64| Impulse {
                point,
                linear: sign * size * along,
                angular: sign * 0.1 * size * along,
            };
            let after_a = (a.0, a.0.struck(&a.1, &push(1.0)));
            let after_b = (b.0, b.0.struck(&b.1, &push(-1.0)));
            let before = [momenta(&a), momenta(&b)];
            let after = [momenta(&after_a), momenta(&after_b)];
            let mut shares = [0.0; 2];
            for (kind, allowed) in [1e-13, 1e-12].into_iter().enumerate() {
                let total =
                    |bodies: &[([DVec3; 2], [f64; 2]); 2]| bodies[0].0[kind] + bodies[1].0[kind];
                let scale: f64 = before.iter().chain(&after).map(|(_, sizes)| sizes[kind]).sum();
                shares[kind] = (total(&after) - total(&before)).length() / scale;
                assert!(shares[kind] < allowed, "momentum {kind}: {:e} of {scale}", shares[kind]);
            }
            let [linear, angular] = worst.get();
            worst.set([linear.max(shares[0]), angular.max(shares[1])]);
        });
        println!("impulse pairs change linear and angular momentum by {:?} of it", worst.get());
    }

    #[test]
    fn the_work_of_an_impulse_is_the_change_of_kinetic_energy() {
        let worst = std::cell::Cell::new(0.0_f64);
        let inputs = (moving_body(), vector(5.0), vector(1.0), vector(0.3), log_uniform(-6.0..3.0));
        for_all(4000, &inputs, |((mass, before), point, linear, angular, size)| {
            let impulse = Impulse { point, linear: size * linear, angular: size * angular };
            let after = mass.struck(&before, &impulse);
            let [from, to] = [before, after].map(|state| mass.kinetic_energy(&state));
            let share = (to - from - impulse.work(&before, &after)).abs() / from.max(to);
            worst.set(worst.get().max(share));
            // Rods of moments 1:1000 struck off their axis turn rounding of ω by their ratio of moments.
            assert!(share < 1e-13, "{share:e} of {} J", from.max(to));
        });
        println!("work differs from the change of energy by {:e} of the energy", worst.get());
    }

    #[test]
    fn the_response_says_what_an_impulse_does_to_any_point() {
        let worst = std::cell::Cell::new([0.0_f64; 2]);
        let inputs = (moving_body(), vector(3.0), vector(3.0), vector(1.0));
        for_all(2000, &inputs, |((mass, state), of, at, linear)| {
            let (of, at) = (state.position + of, state.position + at);
            let impulse = Impulse { point: at, linear, angular: DVec3::ZERO };
            let after = mass.struck(&state, &impulse);
            let change = after.velocity_at(of) - state.velocity_at(of);
            let response = mass.response(&state, of, at);
            let size = state.velocity_at(of).length() + change.length();
            let wrong = (response * linear - change).length() / size.max(f64::MIN_POSITIVE);
            // Betti: what p at one point does along q at the other, q does along p.
            let mirrored = mass.response(&state, at, of).transpose();
            let skew =
                (response - mirrored).to_cols_array().iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let norm = response.to_cols_array().iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            worst.set([worst.get()[0].max(wrong), worst.get()[1].max(skew / norm)]);
        });
        println!(
            "response against strike {:e}, against its mirror {:e}",
            worst.get()[0],
            worst.get()[1]
        );
        // Velocities of points up to 3 m off are sums of some ten products; the spin of slender bodies is large.
        assert!(worst.get()[0] < 1e-12 && worst.get()[1] < 1e-12, "{:?}", worst.get());
    }

    #[test]
    fn a_body_struck_and_struck_back_moves_as_before() {
        let inputs = (moving_body(), vector(5.0), vector(1.0), vector(0.3), log_uniform(-3.0..3.0));
        for_all(4000, &inputs, |((mass, state), point, linear, angular, size)| {
            let push = |sign: f64| {
                let size = sign * size;
                Impulse { point, linear: size * linear, angular: size * angular }
            };
            let struck = mass.struck(&state, &push(1.0));
            let back = mass.struck(&struck, &push(-1.0));
            let off = |of: fn(&BodyState) -> DVec3| {
                (of(&back) - of(&state)).length() / of(&struck).length().max(of(&state).length())
            };
            let [velocity, spin] = [off(|it| it.velocity), off(|it| it.angular_velocity)];
            // A sum, and a difference of the same two numbers.
            let allowed = 2.0 * f64::EPSILON;
            assert!(velocity <= allowed && spin <= allowed, "off by {velocity:e} and {spin:e}");
            assert_eq!((back.position, back.orientation), (state.position, state.orientation));
        });
    }
}
