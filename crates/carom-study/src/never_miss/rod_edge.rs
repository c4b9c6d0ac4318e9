//! A thin rod that spins at 10⁴ rad/s past a thin edge: its tips come round every 0.3 ms, and may or may not get there.
//!
//! The edge is that of a plate, a wire or a capsule, fixed or flying. At the meeting the middle of the rod is nearer to the
//! edge than 1.2 half lengths; which of the turns before meets it, if any, is for the search to say.

use carom::BodyState;
use carom_geometry::{Pose, Shape};
use glam::DVec3;

use super::Case;
use super::numbers::Numbers;
use super::shapes::{capsule, cuboid, cylinder};
use super::stage::{Actor, Role, Stage};

/// Of the rod, about an axis across it `[rad/s]`.
const SPIN: f64 = 1e4;
/// Half of the rod's length `[m]`.
const HALF_LENGTH: f64 = 0.1;
/// Half of the width of a plate whose edge it is `[m]`.
const PLATE: f64 = 0.03;
/// Half of the edge's length `[m]`.
const HALF_EDGE: f64 = 0.2;

pub(super) fn draw(numbers: &mut Numbers) -> Option<Case> {
    let speed = numbers.decades(50.0, 500.0);
    let way = numbers.range(1.3, 2.5) * HALF_LENGTH;
    let stage = Stage::any(numbers, way / speed, 1.5 * HALF_LENGTH / speed);
    let rod = rod(numbers)?;
    let (edge, inwards) = edge(numbers)?;
    let role = [Role::Fixed, Role::Free][numbers.below(2)];
    let orientation = numbers.rotation();
    // The rod lies along z, so it turns about an axis across that, with a little wobble.
    let about = numbers.across(DVec3::Z) + 0.02 * numbers.direction();
    let spin = orientation * (SPIN * about);
    let edge_orientation = numbers.rotation();
    let along_edge = edge_orientation * DVec3::Z;
    let away = numbers.across(along_edge);
    let place = numbers.range(0.0, 1.2) * HALF_LENGTH * away
        + numbers.range(-0.5, 0.5) * HALF_EDGE * along_edge;
    let passing = speed * numbers.direction();
    let met = BodyState { position: place, orientation, velocity: passing, angular_velocity: spin };
    let still = BodyState::at_rest(Pose::new(edge_orientation * inwards, edge_orientation));
    let turning = BodyState { angular_velocity: 50.0 * numbers.direction(), ..still };
    let actors = [
        Actor { shape: rod, role: Role::Free, state: met },
        Actor { shape: edge, role, state: if role == Role::Free { turning } else { still } },
    ];
    stage.case(&actors)
}

fn rod(numbers: &mut Numbers) -> Option<Shape> {
    let radius = numbers.decades(0.0003, 0.002);
    match numbers.below(3) {
        0 => cuboid(DVec3::new(radius, radius * numbers.range(0.3, 1.0), HALF_LENGTH)),
        1 => capsule(HALF_LENGTH - radius, radius),
        _ => cylinder(HALF_LENGTH, radius),
    }
}

/// Along z through the origin, and from there to its centre.
fn edge(numbers: &mut Numbers) -> Option<(Shape, DVec3)> {
    let radius = numbers.decades(0.0003, 0.002);
    Some(match numbers.below(3) {
        0 => (cuboid(DVec3::new(PLATE, radius, HALF_EDGE))?, PLATE * DVec3::X),
        1 => (capsule(HALF_EDGE, radius)?, DVec3::ZERO),
        _ => (cylinder(HALF_EDGE, radius)?, DVec3::ZERO),
    })
}
