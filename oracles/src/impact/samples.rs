//! Collisions at random, the same every time.

use super::{Impact, Law, Striker};

/// Numbers at random (splitmix64).
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// From 0 to 1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// From −1 to 1.
    pub fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// From `low` to `high`, each doubling as likely.
    pub fn scale(&mut self, low: f64, high: f64) -> f64 {
        low * libm::pow(high / low, self.unit())
    }

    /// A rotation matrix, from a random quaternion.
    fn rotation(&mut self) -> [[f64; 3]; 3] {
        let [w, x, y, z] = loop {
            let q = [self.signed(), self.signed(), self.signed(), self.signed()];
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            if (0.1..1.0).contains(&length) {
                break q.map(|x| x / length);
            }
        };
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    }
}

/// The lowest corner of a box of 1 kg strikes a floor at 1 m/s.
///
/// Edges are up to 30 times longer than each other, friction is up to 2; one in ten does not slide at first, others slide
/// at 1/100 to 10 times the closing speed. Restitution is 0 and 1 once in ten each, and anything between.
pub fn box_corner(random: &mut Random, law: Law) -> Impact {
    let half = [random.scale(1.0, 30.0), random.scale(1.0, 30.0), random.scale(1.0, 30.0)];
    let axes = random.rotation();
    let corner = [0, 1, 2].map(|i| if axes[2][i] > 0.0 { -half[i] } else { half[i] });
    let arm = axes.map(|row| (0..3).map(|i| row[i] * corner[i]).sum());
    let squares = half.map(|x| x * x / 3.0);
    let moments = [squares[1] + squares[2], squares[2] + squares[0], squares[0] + squares[1]];
    let inverse_inertia = [0, 1, 2]
        .map(|i| [0, 1, 2].map(|j| (0..3).map(|k| axes[i][k] * axes[j][k] / moments[k]).sum()));
    let still = [0.0; 3];
    let body = Striker { mass: 1.0, inverse_inertia, arm, velocity: still, spin: still };
    let angle = std::f64::consts::PI * random.signed();
    let sliding = if random.unit() < 0.1 { 0.0 } else { random.scale(0.01, 10.0) };
    let restitution = match random.unit() {
        x if x < 0.1 => 0.0,
        x if x > 0.9 => 1.0,
        _ => random.unit(),
    };
    Impact {
        matrix: body.matrix(),
        velocity: [sliding * libm::cos(angle), sliding * libm::sin(angle), -1.0],
        friction: random.scale(0.05, 2.0),
        restitution,
        law,
    }
}
