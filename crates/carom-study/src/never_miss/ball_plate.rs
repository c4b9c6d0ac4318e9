//! A ball of 1 cm against a plate of 1 mm, from 1 m/s to 10 km/s: at the meeting its centre is inside the plate.
//!
//! The plate is fixed, or flies, or follows a law, and then spins; the ball comes from either side at up to 80° from the
//! normal, spinning, so the way of its centre through the plate takes from 10⁻⁷ s on.

use carom::BodyState;
use glam::DVec3;

use super::Case;
use super::numbers::Numbers;
use super::shapes::{ball, cuboid};
use super::stage::{Actor, Role, Stage};

/// Of the ball `[m]`.
const RADIUS: f64 = 0.005;
/// Half of the plate's sides `[m]`.
const HALF: DVec3 = DVec3::new(0.1, 0.1, 0.0005);
/// Of incidence, from the normal `[rad]`.
const STEEPEST: f64 = 80.0 / 180.0 * std::f64::consts::PI;

pub(super) fn draw(numbers: &mut Numbers) -> Option<Case> {
    let speed = numbers.decades(1.0, 1e4);
    let way = numbers.decades(0.02, 1.0);
    let stage = Stage::any(numbers, way / speed, 0.1 * way / speed);
    let role = [Role::Fixed, Role::Free, Role::Scripted][numbers.below(3)];
    let orientation = numbers.rotation();
    let (sin, cos) = libm::sincos(numbers.range(0.0, STEEPEST));
    let towards = numbers.sign() * cos * DVec3::Z + sin * numbers.across(DVec3::Z);
    let inside = 0.9 * HALF * DVec3::new(numbers.range(-1.0, 1.0), numbers.range(-1.0, 1.0), 0.0);
    let plate = match role {
        Role::Fixed => BodyState::at_rest(carom_geometry::Pose::new(DVec3::ZERO, orientation)),
        _ => BodyState {
            position: DVec3::ZERO,
            orientation,
            velocity: numbers.range(0.0, 0.5) * speed * numbers.direction(),
            // Up to two turns on the way.
            angular_velocity: numbers.range(0.0, 12.0) / stage.before * numbers.direction(),
        },
    };
    let place = orientation * inside;
    let met = BodyState {
        position: place,
        orientation: numbers.rotation(),
        velocity: plate.velocity_at(place) + speed * (orientation * towards),
        angular_velocity: numbers.decades(1.0, 1e3) * numbers.direction(),
    };
    let actors = [
        Actor { shape: ball(RADIUS)?, role: Role::Free, state: met },
        Actor { shape: cuboid(HALF)?, role, state: plate },
    ];
    stage.case(&actors)
}
