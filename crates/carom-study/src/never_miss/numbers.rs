//! Numbers that look random; the same everywhere.

use glam::{DQuat, DVec3};

/// A generator (splitmix64).
#[derive(Clone, Debug)]
pub(super) struct Numbers(u64);

impl Numbers {
    /// One for each case of each family.
    pub(super) fn of(family: u64, index: u64) -> Self {
        let mut seeds = Self(family.wrapping_mul(0xD1B5_4A32_D192_ED03) ^ index);
        Self(seeds.next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to 1.
    pub(super) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(super) fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Evenly over orders of magnitude.
    pub(super) fn decades(&mut self, low: f64, high: f64) -> f64 {
        low * libm::pow(high / low, self.unit())
    }

    /// A whole number below `limit`.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        (self.unit() * limit as f64) as usize % limit
    }

    /// True in this share of cases.
    pub(super) fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    pub(super) fn sign(&mut self) -> f64 {
        if self.chance(0.5) { 1.0 } else { -1.0 }
    }

    /// A unit vector, evenly over the sphere.
    pub(super) fn direction(&mut self) -> DVec3 {
        let z = self.range(-1.0, 1.0);
        let (sin, cos) = libm::sincos(self.range(0.0, std::f64::consts::TAU));
        let across = (1.0 - z * z).max(0.0).sqrt();
        DVec3::new(across * cos, across * sin, z)
    }

    /// A unit vector perpendicular to another.
    pub(super) fn across(&mut self, n: DVec3) -> DVec3 {
        let (sin, cos) = libm::sincos(self.range(0.0, std::f64::consts::TAU));
        let one = n.any_orthonormal_vector();
        cos * one + sin * n.cross(one)
    }

    pub(super) fn rotation(&mut self) -> DQuat {
        let axis = self.direction();
        let (sin, cos) = libm::sincos(self.range(0.0, std::f64::consts::PI));
        let v = sin * axis;
        DQuat::from_xyzw(v.x, v.y, v.z, cos).normalize()
    }

    /// Along the axes of the world: as it is, after quarter turns, or tilted from there by 10⁻⁹ to 10⁻³ rad.
    pub(super) fn upright(&mut self) -> DQuat {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let quarters = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| {
            let v = half * axis;
            DQuat::from_xyzw(v.x, v.y, v.z, half)
        });
        let mut turn = DQuat::IDENTITY;
        if self.chance(0.5) {
            for _ in 0..3 {
                turn *= quarters[self.below(3)];
            }
        }
        if self.chance(0.5) {
            let v = 0.5 * self.decades(1e-9, 1e-3) * self.direction();
            turn *= DQuat::from_xyzw(v.x, v.y, v.z, 1.0).normalize();
        }
        turn
    }

    /// Along an axis of the world, one way or the other.
    pub(super) fn axis(&mut self) -> DVec3 {
        self.sign() * DVec3::AXES[self.below(3)]
    }
}
