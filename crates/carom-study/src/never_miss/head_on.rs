//! Bodies of every kind that fly at each other at ±10, ±50, ±200 and ±5,000 m/s, spinning.
//!
//! One in five pairs does not spin and stands along the axes, or nearly so: faces and edges are parallel when they meet.

use carom::BodyState;
use glam::DVec3;

use super::Case;
use super::numbers::Numbers;
use super::shapes::any_convex;
use super::stage::{Actor, Role, Stage};

/// Of each of the two `[m/s]`.
pub const SPEEDS: [f64; 4] = [10.0, 50.0, 200.0, 5000.0];

pub(super) fn draw(numbers: &mut Numbers) -> Option<Case> {
    let speed = SPEEDS[numbers.below(SPEEDS.len())];
    let way = numbers.decades(0.1, 3.0);
    let stage = Stage::any(numbers, way / speed, 0.2 / speed);
    let radii = [numbers.decades(0.005, 0.05), numbers.decades(0.005, 0.05)];
    let aligned = numbers.chance(0.2);
    let along = if aligned { numbers.axis() } else { numbers.direction() };
    let aside = numbers.range(0.0, 0.2) * radii[0].min(radii[1]) * numbers.across(along);
    let mut actor = |radius: f64, position: DVec3, velocity: DVec3| {
        let state = BodyState {
            position,
            orientation: if aligned { numbers.upright() } else { numbers.rotation() },
            velocity,
            // Up to two turns on the way.
            angular_velocity: if aligned {
                DVec3::ZERO
            } else {
                numbers.range(0.0, 12.0) / stage.before * numbers.direction()
            },
        };
        Some(Actor { shape: any_convex(numbers, radius)?, role: Role::Free, state })
    };
    let actors =
        [actor(radii[0], DVec3::ZERO, speed * along)?, actor(radii[1], aside, -speed * along)?];
    stage.case(&actors)
}
