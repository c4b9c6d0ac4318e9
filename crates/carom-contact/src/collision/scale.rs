//! Units in which closing speed and K are near 1, so that nothing over- or underflows.
//!
//! Only powers of two are divided by, so no digit changes: collisions that differ by such a factor have answers that do.

use super::course::Course;
use super::{Answer, Collision, Ending};

/// Units of speed and of K, powers of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    speed: f64,
    matrix: f64,
}

/// The largest power of two that is not above a positive number.
fn power_of_two(number: f64) -> f64 {
    f64::from_bits(number.max(f64::MIN_POSITIVE).to_bits() & 0x7FF0_0000_0000_0000)
}

impl Scale {
    pub(super) fn of(collision: &Collision) -> Self {
        let fastest = collision.velocity.abs().max_element().max(collision.least_rebound);
        let speed = power_of_two(fastest);
        Self { speed, matrix: power_of_two(collision.matrix.z_axis.z) }
    }

    /// The collision in these units.
    pub(super) fn apply(&self, collision: &Collision) -> Collision {
        Collision {
            matrix: collision.matrix * (1.0 / self.matrix),
            velocity: collision.velocity / self.speed,
            least_rebound: collision.least_rebound / self.speed,
            ..*collision
        }
    }

    /// What a course has come to, in the units of the collision.
    pub(super) fn restore(&self, course: &Course, ending: Ending) -> Answer {
        let impulse = self.speed / self.matrix;
        let energy = self.speed * impulse;
        Answer {
            impulse: impulse * course.impulse,
            velocity: self.speed * course.velocity,
            compression_work: energy * course.compression_work,
            normal_work: energy * course.normal_work(),
            boost: energy * course.boost(),
            friction_work: energy * course.friction_work(),
            ending,
        }
    }
}
