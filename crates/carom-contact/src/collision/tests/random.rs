//! Random collisions of two bodies, or of one with the ground.

use carom_dynamics::{BodyState, Impulse, Mass};
use glam::{DMat3, DQuat, DVec3};

use super::super::{Collision, RestitutionLaw};

/// Numbers that look random and are the same every time (splitmix64).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0xD134_2543_DE82_EF95))
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Evenly from a range.
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        let share = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        low + share * (high - low)
    }

    /// A power of ten with an exponent from a range.
    pub(super) fn power(&mut self, low: f64, high: f64) -> f64 {
        libm::pow(10.0, self.between(low, high))
    }

    /// A vector with components up to `reach`.
    pub(super) fn vector(&mut self, reach: f64) -> DVec3 {
        let mut component = || self.between(-reach, reach);
        DVec3::new(component(), component(), component())
    }

    pub(super) fn rotation(&mut self) -> DQuat {
        let axis = self.vector(1.0).try_normalize().unwrap_or(DVec3::X);
        DQuat::from_axis_angle(axis, self.between(0.0, std::f64::consts::TAU))
    }
}

/// A body somewhere near the origin, where it is struck.
pub(super) fn body(random: &mut Random) -> (Mass, BodyState) {
    let mass = random.power(-1.0, 1.0);
    // Second moments of mass may be anything positive; their sums satisfy the triangle inequality.
    let second =
        DVec3::new(random.power(-2.0, 0.0), random.power(-2.0, 0.0), random.power(-2.0, 0.0));
    let moments = mass * DVec3::new(second.y + second.z, second.z + second.x, second.x + second.y);
    let state = BodyState {
        position: random.vector(1.0),
        orientation: random.rotation(),
        velocity: random.vector(2.0),
        angular_velocity: random.vector(3.0),
    };
    (Mass { mass, moments, body_from_principal: DQuat::IDENTITY }, state)
}

/// Bodies A and B that meet at the origin with the normal along z; half of the time B is the ground.
pub(super) struct Meeting {
    pub(super) a: (Mass, BodyState),
    pub(super) b: Option<(Mass, BodyState)>,
}

impl Meeting {
    pub(super) fn new(random: &mut Random) -> Self {
        let a = body(random);
        let b = (random.between(0.0, 1.0) < 0.5).then(|| body(random));
        let mut meeting = Self { a, b };
        // One that closes: the velocities are turned over otherwise.
        if meeting.velocity().z > 0.0 {
            for state in [Some(&mut meeting.a), meeting.b.as_mut()].into_iter().flatten() {
                state.1.velocity = -state.1.velocity;
                state.1.angular_velocity = -state.1.angular_velocity;
            }
        }
        meeting
    }

    pub(super) fn matrix(&self) -> DMat3 {
        let of = |(mass, state): &(Mass, BodyState)| mass.response(state, DVec3::ZERO, DVec3::ZERO);
        of(&self.a) + self.b.as_ref().map_or(DMat3::ZERO, of)
    }

    pub(super) fn velocity(&self) -> DVec3 {
        let of = |(_, state): &(Mass, BodyState)| state.velocity_at(DVec3::ZERO);
        of(&self.a) - self.b.as_ref().map_or(DVec3::ZERO, of)
    }

    /// Kinetic energy `[J]`.
    pub(super) fn energy(&self) -> f64 {
        let of = |(mass, state): &(Mass, BodyState)| mass.kinetic_energy(state);
        of(&self.a) + self.b.as_ref().map_or(0.0, of)
    }

    /// After an impulse on A, and its opposite on B.
    pub(super) fn after(&self, linear: DVec3) -> Self {
        let struck = |(mass, state): &(Mass, BodyState), linear: DVec3| {
            let impulse = Impulse { point: DVec3::ZERO, linear, angular: DVec3::ZERO };
            (*mass, mass.struck(state, &impulse))
        };
        Self { a: struck(&self.a, linear), b: self.b.as_ref().map(|b| struck(b, -linear)) }
    }

    pub(super) fn collision(&self, random: &mut Random, law: RestitutionLaw) -> Collision {
        Collision {
            matrix: self.matrix(),
            velocity: self.velocity(),
            friction: random.between(0.0, 2.0),
            restitution: random.between(0.0, 1.0),
            law,
            least_rebound: 0.0,
        }
    }
}

/// How many collisions random tests look at: `CAROM_COLLISIONS`, or `usual`.
pub(super) fn count(usual: u64) -> u64 {
    std::env::var("CAROM_COLLISIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn any_velocity(random: &mut Random, matrix: DMat3, law: RestitutionLaw) -> Collision {
    let mut velocity = random.vector(2.0);
    velocity.z = -velocity.z.abs();
    let (friction, restitution) = (random.between(0.0, 2.0), random.between(0.0, 1.0));
    Collision { matrix, velocity, friction, restitution, law, least_rebound: 0.0 }
}

/// A corner of a box of any aspect ratio up to 30 on a plane.
pub(super) fn corner(random: &mut Random, law: RestitutionLaw) -> Collision {
    let mut side = || libm::pow(30.0, random.between(0.0, 1.0));
    let half = DVec3::new(side(), side(), side());
    let squares = half * half;
    let mass = Mass {
        mass: 1.0,
        moments: (DVec3::splat(squares.element_sum()) - squares) / 3.0,
        body_from_principal: DQuat::IDENTITY,
    };
    let orientation = random.rotation();
    let state = BodyState {
        position: -(orientation * half),
        orientation,
        velocity: DVec3::ZERO,
        angular_velocity: DVec3::ZERO,
    };
    any_velocity(random, mass.response(&state, DVec3::ZERO, DVec3::ZERO), law)
}

/// A matrix with any condition number up to 10⁴.
pub(super) fn any_matrix(random: &mut Random, law: RestitutionLaw) -> Collision {
    let values =
        DVec3::new(random.power(-4.0, 0.0), random.power(-4.0, 0.0), random.power(-4.0, 0.0));
    let turned = DMat3::from_quat(random.rotation());
    any_velocity(random, turned * DMat3::from_diagonal(values) * turned.transpose(), law)
}
