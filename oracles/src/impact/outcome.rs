//! What a solved collision tells, and how well it is known.

use crate::doubled::Doubled;

use super::matrix::Matrix;
use super::slide::{Progress, Slide};

/// How a collision ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// p `[N·s]`.
    pub impulse: [f64; 3],
    /// u afterwards `[m/s]`.
    pub velocity: [f64; 3],
    /// W_c, work of the normal impulse up to the last end of compression `[J]`.
    pub compression_work: f64,
    /// W_z `[J]`.
    pub normal_work: f64,
    /// W_t `[J]`.
    pub friction_work: f64,
    /// What happened, in the letters of the guide: `+` and `-` for the sign of u_z' while sliding in compression, `|` for
    /// maximum compression, `n` for a negative u_z' in restitution, `R` for compression anew, `S` for stable and `D` for
    /// unstable sticking, after which nothing more is told.
    pub pattern: String,
    /// Largest difference from a solution with larger steps, as a share of the speed, the impulse and the work of the
    /// collision `[-]`.
    pub error: f64,
}

/// Its numbers in doubled precision.
struct Numbers {
    impulse: [Doubled; 3],
    velocity: [Doubled; 3],
    works: [Doubled; 3],
    /// Work by Theorem 11 less the work that was summed up.
    unexplained: Doubled,
    /// u_z by Δu = K·p less the u_z that was integrated.
    unmoved: Doubled,
}

impl Outcome {
    /// From a fine solution and a rough one.
    pub(super) fn new(slide: &Slide, fine: &Progress, rough: &Progress) -> Self {
        let [best, other] = [fine, rough].map(|it| Numbers::new(slide, it));
        let sizes =
            |of: &[Doubled; 3]| of.iter().map(|it| it.abs().value()).fold(0.0_f64, f64::max);
        let difference =
            |a: &[Doubled; 3], b: &[Doubled; 3]| sizes(&[a[0] - b[0], a[1] - b[1], a[2] - b[2]]);
        let work = sizes(&best.works).max(sizes(&[best.unexplained; 3]));
        let errors = [
            difference(&best.impulse, &other.impulse) / sizes(&best.impulse),
            difference(&best.velocity, &other.velocity) / sizes(&slide.start),
            difference(&best.works, &other.works) / work,
            best.unexplained.abs().value() / work,
            best.unmoved.abs().value() / sizes(&slide.start),
        ];
        let [compression_work, normal_work, friction_work] = best.works.map(Doubled::value);
        Self {
            impulse: best.impulse.map(Doubled::value),
            velocity: best.velocity.map(Doubled::value),
            compression_work,
            normal_work,
            friction_work,
            pattern: fine.pattern.join(" "),
            // A NaN is no small error.
            error: errors.iter().fold(0.0, |most, &it| if it <= most { most } else { it }),
        }
    }
}

impl Numbers {
    fn new(slide: &Slide, progress: &Progress) -> Self {
        let [x, y, z, normal, friction] = progress.state;
        let velocity = [x, y, z];
        let impulse = impulse(slide.matrix, &slide.start, &velocity, progress.pushed);
        let half = Doubled::from(0.5);
        let parts = [0, 1, 2].map(|i| half * (slide.start[i] + velocity[i]) * impulse[i]);
        Self {
            impulse,
            velocity,
            works: [progress.compression_work, normal, friction],
            unexplained: parts[0] + parts[1] + parts[2] - normal - friction,
            unmoved: slide.start[2] + slide.matrix.times(&impulse)[2] - z,
        }
    }
}

/// p from p_z and the tangential part of Δu = K·p.
fn impulse(
    matrix: &Matrix,
    before: &[Doubled; 3],
    after: &[Doubled; 3],
    pushed: Doubled,
) -> [Doubled; 3] {
    let x = after[0] - before[0] - matrix.e * pushed;
    let y = after[1] - before[1] - matrix.d * pushed;
    let [x, y] = matrix.tangential_solve([x, y]);
    [x, y, pushed]
}
