//! Reference cases A1 to A6: one body on a fixed plane.

use carom_dynamics::{BodyState, Impulse, Mass};
use glam::{DQuat, DVec3};

use super::super::{Collision, RestitutionLaw};
use super::random::{Meeting, Random, count};

struct Case {
    mass: f64,
    moments: [f64; 3],
    arm: [f64; 3],
    velocity: [f64; 3],
    spin: [f64; 3],
    friction: f64,
    restitution: f64,
}

/// Body A1, which is A2's and A5's too.
const BLOCK: Case = Case {
    mass: 2.0,
    moments: [0.02, 0.03, 0.04],
    arm: [0.1, -0.15, -0.2],
    velocity: [1.0, 0.5, -2.0],
    spin: [1.0, -2.0, 3.0],
    friction: 0.3,
    restitution: 0.5,
};

/// Eight decimals are printed of components of the size of 1.
const PRINTED: f64 = 2e-8;

impl Case {
    /// Impulse, velocity and spin after are these, to a share of the largest component.
    fn assert(&self, impulse: [f64; 3], velocity: [f64; 3], spin: [f64; 3], allowed: f64) {
        let mass = Mass {
            mass: self.mass,
            moments: DVec3::from_array(self.moments),
            body_from_principal: DQuat::IDENTITY,
        };
        let state = BodyState {
            position: DVec3::ZERO,
            orientation: DQuat::IDENTITY,
            velocity: DVec3::from_array(self.velocity),
            angular_velocity: DVec3::from_array(self.spin),
        };
        let point = DVec3::from_array(self.arm);
        let collision = Collision {
            matrix: mass.response(&state, point, point),
            velocity: state.velocity_at(point),
            friction: self.friction,
            restitution: self.restitution,
            law: RestitutionLaw::Stronge,
            least_rebound: 0.0,
        };
        let answer = collision.solve();
        let after =
            mass.struck(&state, &Impulse { point, linear: answer.impulse, angular: DVec3::ZERO });
        let found = [answer.impulse, after.velocity, after.angular_velocity];
        for (found, expected) in found.into_iter().zip([impulse, velocity, spin]) {
            let expected = DVec3::from_array(expected);
            let off = (found - expected).abs().max_element() / expected.abs().max_element();
            assert!(off < allowed, "{found} instead of {expected}: off by {off:e}");
        }
    }
}

/// proves: ref/A1
#[test]
fn case_a1_slides_on_a_curve_throughout() {
    BLOCK.assert(
        [-0.46487055, 0.08353163, 1.67337129],
        [0.76756472, 0.54176582, -1.16331436],
        [-10.7149683, -4.4787673, 1.4655645],
        PRINTED,
    );
}

/// proves: ref/A2
#[test]
fn case_a2_slides_and_sticks_during_compression() {
    let case = Case { velocity: [0.2, 0.1, -2.0], spin: [0.0; 3], friction: 0.8, ..BLOCK };
    case.assert(
        [-1.45269424, 2.17758337, 3.69572929],
        [-0.52634712, 1.18879169, -0.15213536],
        [-5.9421359, -2.6344693, -0.0036450],
        PRINTED,
    );
}

/// proves: ref/A3
#[test]
fn case_a3_is_planar_and_its_sliding_reverses() {
    let case = Case {
        mass: 1.0,
        moments: [0.01, 0.0834, 0.0834],
        arm: [0.35, 0.0, -0.35],
        velocity: [-0.3, 0.0, -1.5],
        spin: [0.0; 3],
        friction: 0.15,
        restitution: 0.6,
    };
    case.assert(
        [-0.10386713, 0.0, 1.01868544],
        [-0.40386713, 0.0, -0.48131456],
        [0.0, -3.8391656, 0.0],
        PRINTED,
    );
}

/// proves: ref/A4
#[test]
fn case_a4_is_a_sphere_that_slides_throughout() {
    let case = Case {
        mass: 0.17,
        moments: [4.9e-5; 3],
        arm: [0.0, 0.0, -0.02857],
        velocity: [1.0, 0.0, -1.0],
        spin: [0.0, -60.0, 0.0],
        friction: 0.1,
        restitution: 0.9,
    };
    case.assert([-0.0323, 0.0, 0.323], [0.81, 0.0, 0.9], [0.0, -41.1671224, 0.0], 1e-8);
}

/// proves: ref/A5
#[test]
fn case_a5_is_without_friction() {
    let case = Case { friction: 0.0, ..BLOCK };
    case.assert(
        [0.0, 0.0, 1.49361702],
        [1.0, 0.5, -1.25319149],
        [-10.2021277, -6.9787234, 3.0],
        1e-8,
    );
}

/// proves: ref/A6 m1/CR-R8 m1/Q17 m1/Q18 m1/Q19
#[test]
fn case_a6_no_collision_creates_energy_but_by_newtons_law() {
    for law in RestitutionLaw::ALL {
        let mut random = Random::new(61);
        let (mut gains, mut largest, mut off) = (0_u32, 0.0_f64, 0.0_f64);
        for _ in 0..count(100_000) {
            let meeting = Meeting::new(&mut random);
            let collision = meeting.collision(&mut random, law);
            let answer = collision.solve();
            let (before, after) = (meeting.energy(), meeting.after(answer.impulse).energy());
            largest = largest.max((after - before) / before);
            gains += u32::from(after > before * (1.0 + 1e-9));
            let (u, p) = (answer.velocity, answer.impulse);
            let friction = p.truncate().length();
            assert!(u.z >= 0.0 && p.z > 0.0, "{answer:?}\n{collision:?}");
            assert!(
                friction <= collision.friction * p.z * (1.0 + 1e-12),
                "{answer:?}\n{collision:?}"
            );
            // Theorem 11: the work of the impulse is the change of energy.
            let work = 0.5 * p.dot(collision.velocity + u);
            off = off.max((after - before - work).abs() / before);
        }
        println!("{}: {gains} gain energy, the most {largest:e}; work off by {off:e}", law.name());
        // Energies of light and slender bodies are sums of larger ones.
        assert!(off < 1e-12, "{off:e}");
        if law == RestitutionLaw::Newton {
            assert!(gains > 0, "Newton's law is known to create energy");
        } else {
            assert!(largest < 1e-14, "{}: {largest:e}", law.name());
        }
    }
}
