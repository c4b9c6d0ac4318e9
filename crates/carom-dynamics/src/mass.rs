//! What a rigid body opposes to forces: mass and principal moments of inertia.
//!
//! The tensor is kept in its principal axes, I_body = R_p·diag(I₁, I₂, I₃)·R_pᵀ with I₁ ≤ I₂ ≤ I₃, so that
//! products with I and I⁻¹ are three multiplications between two rotations (guide RB-1), and so that free
//! rotation can be solved in closed form.

use carom_geometry::MassProperties;
use carom_geometry::mass::InertiaFault;
use glam::{DQuat, DVec3};

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
