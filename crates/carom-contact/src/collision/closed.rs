//! Collisions with a closed form: without friction, and of round bodies.
//!
//! Without friction p = (0, 0, p_z), and u_z rises from −v to the rebound speed w = e·v under every law, because
//! W_c = −v²/2c, and work, impulse and speed then say the same. So p_z = (v + w)/c, and the normal work is
//! (w² − v²)/2c = (w − v)(w + v)/2c, exactly 0 where w = v.
//!
//! A ball has s = 0 and M = a·1: normal and tangential motion decouple, and friction acts along −û throughout. It stops
//! sliding if μ·a·p_z ≥ r, with p_t = −u_t/a; otherwise p_t = −μp_z·û (guide CR-R3).

use glam::{DMat3, DVec2, DVec3};

use super::{Answer, Collision, Ending};
use crate::tolerances::ROUND_ULPS;

/// Whether K is that of a ball, to rounding.
pub(super) fn is_round(matrix: &DMat3) -> bool {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let uneven = (x.x - y.y).abs() + x.y.abs() + y.x.abs();
    let coupled = x.z.abs() + y.z.abs() + z.x.abs() + z.y.abs();
    x.x > 0.0 && uneven + coupled <= ROUND_ULPS * f64::EPSILON * x.x.min(z.z)
}

/// The answer for a collision without friction or of round bodies.
pub(super) fn solve(collision: &Collision) -> Answer {
    let u = collision.velocity;
    let c = collision.matrix.z_axis.z;
    let closing = (-u.z).max(0.0);
    let lawful = collision.restitution * closing;
    let rebound = lawful.max(collision.least_rebound);
    let normal = (rebound - u.z) / c;
    // What parts without having closed has been given all of its speed.
    let given = lawful.max(u.z);
    let answer = Answer {
        impulse: DVec3::new(0.0, 0.0, normal),
        velocity: DVec3::new(u.x, u.y, rebound),
        compression_work: -0.5 * closing * closing / c,
        normal_work: 0.5 * (rebound + u.z) * (rebound - u.z) / c,
        boost: 0.5 * (rebound + given) * (rebound - given) / c,
        friction_work: 0.0,
        ending: Ending::Slides,
    };
    if collision.friction == 0.0 {
        let coupling = collision.matrix.z_axis.truncate();
        let velocity = (u.truncate() + normal * coupling).extend(rebound);
        return Answer { velocity, ..answer };
    }
    rub(collision, answer)
}

/// Adds friction between round bodies.
fn rub(collision: &Collision, answer: Answer) -> Answer {
    let a = collision.matrix.x_axis.x;
    let slip = collision.velocity.truncate();
    let speed = slip.length();
    let normal = answer.impulse.z;
    let lost = collision.friction * normal * a;
    if lost >= speed {
        return Answer {
            impulse: (-slip / a).extend(normal),
            velocity: DVec2::ZERO.extend(answer.velocity.z),
            friction_work: -0.5 * speed * speed / a,
            ending: Ending::Sticks,
            ..answer
        };
    }
    let along = slip / speed;
    let left = speed - lost;
    Answer {
        impulse: (-collision.friction * normal * along).extend(normal),
        velocity: (left * along).extend(answer.velocity.z),
        friction_work: -0.5 * collision.friction * normal * (speed + left),
        ..answer
    }
}
