//! Passes with a clearance of 10⁻⁹ to 10⁻³ m either way, known from the construction.
//!
//! Let n be a unit vector, a the point of A that is least along n and b that of B that is greatest. Placed with
//! a − b = c·n they are c apart along n, and so are the bodies where c > 0: the slab between is c wide. If they do not turn
//! and their relative velocity is across n, the slab stays, so c is the least distance of the whole pass. If they do turn,
//! and the velocities of a and b are equal along n, the distance is stationary at the meeting with value c.
//!
//! One in five pairs stands along the axes, or nearly so, with n along one of them: faces slide over faces.
//!
//! Where c < 0, the points have crossed; whether the bodies overlap then is asked of the oracle by whoever judges.

use carom::BodyState;
use carom_geometry::Shape;
use glam::DVec3;

use super::Case;
use super::numbers::Numbers;
use super::shapes::any_convex;
use super::stage::{Actor, Role, Stage};

/// Of the pass, in absolute value `[m]`.
const CLEARANCES: [f64; 2] = [1e-9, 1e-3];

pub(super) fn draw(numbers: &mut Numbers) -> Option<Case> {
    draw_with_clearance(numbers).map(|(case, _)| case)
}

/// A case, and its clearance if that is the least distance of the whole pass.
pub(super) fn draw_with_clearance(numbers: &mut Numbers) -> Option<(Case, Option<f64>)> {
    let speed = numbers.decades(1.0, 5e3);
    let way = numbers.decades(0.2, 2.0);
    let stage = Stage::any(numbers, way / speed, way / speed);
    let clearance = numbers.sign() * numbers.decades(CLEARANCES[0], CLEARANCES[1]);
    let aligned = numbers.chance(0.2);
    let turns = !aligned && numbers.chance(0.5);
    let n = if aligned { numbers.axis() } else { numbers.direction() };
    let boost = if numbers.chance(0.5) { speed * numbers.direction() } else { DVec3::ZERO };
    let mut actor = |velocity: DVec3| {
        let radius = numbers.decades(0.01, 0.1);
        let most = if turns { 0.3 * speed / radius } else { 0.0 };
        let state = BodyState {
            position: DVec3::ZERO,
            orientation: if aligned { numbers.upright() } else { numbers.rotation() },
            velocity,
            angular_velocity: numbers.range(0.0, 1.0) * most * numbers.direction(),
        };
        Some(Actor { shape: any_convex(numbers, radius)?, role: Role::Free, state })
    };
    let (mut a, mut b) = (actor(boost)?, actor(boost)?);
    let (point_a, point_b) = (farthest(&a, -n)?, farthest(&b, n)?);
    b.state.position = point_a - clearance * n - point_b;
    a.state.velocity += speed * numbers.across(n);
    let closing =
        n.dot(a.state.velocity_at(point_a) - b.state.velocity_at(point_a - clearance * n));
    a.state.velocity -= closing * n;
    let case = stage.case(&[a, b])?;
    Some((case, (!turns).then_some(clearance)))
}

/// The point of a body at the origin that is farthest along a direction, in the world.
fn farthest(actor: &Actor, along: DVec3) -> Option<DVec3> {
    let shape: &Shape = &actor.shape;
    let center = shape.as_solid().mass_properties(1.0).ok()?.center;
    let turn = actor.state.orientation;
    let point = shape.as_solid().support(turn.conjugate() * along)?;
    Some(actor.state.position + turn * (point - center))
}
