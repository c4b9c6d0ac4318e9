//! Boxes that change as those of bodies in an event-driven simulation do, without the simulation.

use carom_geometry::Aabb;
use glam::DVec3;

/// Numbers that look random (splitmix64); the same everywhere.
pub struct Numbers(pub u64);

impl Numbers {
    /// A whole number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % limit
    }

    /// Between −1 and 1.
    pub fn signed(&mut self) -> f64 {
        self.below(1 << 53) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Within a cube of side 2.
    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }

    /// A unit vector.
    pub fn direction(&mut self) -> DVec3 {
        let vector = self.vector();
        vector.try_normalize().unwrap_or(DVec3::X)
    }
}

/// Spheres in a cube, each in straight flight; one in five windows is cut short by a collision.
pub struct Gas {
    numbers: Numbers,
    /// Of every sphere `[m]`.
    pub radius: f64,
    /// Side of the cube `[m]`.
    side: f64,
    /// Distance flown in a window `[m]`.
    travel: f64,
    positions: Vec<DVec3>,
    directions: Vec<DVec3>,
}

impl Gas {
    /// `filling` is the spheres' share of the volume, and `windows` the travel in a window in radii.
    pub fn new(spheres: u32, radius: f64, filling: f64, windows: f64) -> Self {
        let volume = 4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius;
        let side = libm::cbrt(f64::from(spheres) * volume / filling);
        let mut numbers = Numbers(7);
        let positions = (0..spheres).map(|_| 0.5 * side * numbers.vector()).collect();
        let directions = (0..spheres).map(|_| numbers.direction()).collect();
        Self { numbers, radius, side, travel: windows * radius, positions, directions }
    }

    /// The box of a sphere's current window.
    pub fn bounds(&self, sphere: u32) -> Aabb {
        let from = self.positions[sphere as usize];
        let to = from + self.travel * self.directions[sphere as usize];
        Aabb::from_points([from, to]).padded(self.radius)
    }

    /// Some sphere's window ends, or is ended by a collision: the sphere, and the box of its next window.
    pub fn update(&mut self) -> (u32, Aabb) {
        let sphere = self.numbers.below(self.positions.len() as u64) as usize;
        let struck = self.numbers.below(5) == 0;
        let flown = if struck { 0.5 * self.travel } else { self.travel };
        let position = self.positions[sphere] + flown * self.directions[sphere];
        let wall = DVec3::splat(0.5 * self.side);
        let inside = position.clamp(-wall, wall);
        self.positions[sphere] = inside;
        for axis in 0..3 {
            if position[axis].abs() > wall[axis] {
                self.directions[sphere][axis] *= -1.0;
            }
        }
        if struck {
            self.directions[sphere] = self.numbers.direction();
        }
        (sphere as u32, self.bounds(sphere as u32))
    }
}

/// Dice coming to rest on a floor, all alike and none near another (thesis 2.4.4): their tops and bottoms
/// are all at nearly the same heights.
pub struct Dice {
    numbers: Numbers,
    /// Number of dice.
    pub dice: u32,
    across: u32,
}

impl Dice {
    /// Of side 1 `[m]`, in a square pattern three sides wide.
    pub fn new(dice: u32) -> Self {
        let across = dice.isqrt() + u32::from(dice.isqrt() * dice.isqrt() < dice);
        Self { numbers: Numbers(3), dice, across }
    }

    /// A die rocks a little: its box is anywhere within a tenth of its side.
    pub fn bounds(&mut self, die: u32) -> Aabb {
        let place = DVec3::new(f64::from(die % self.across), f64::from(die / self.across), 0.0);
        let low = 3.0 * place + 0.05 * (self.numbers.vector() + DVec3::ONE);
        let high = low + DVec3::ONE + 0.05 * (self.numbers.vector() + DVec3::ONE);
        Aabb { min: low, max: high }
    }

    /// Any die, and its next box.
    pub fn update(&mut self) -> (u32, Aabb) {
        let die = self.numbers.below(u64::from(self.dice)) as u32;
        (die, self.bounds(die))
    }

    /// The floor under the dice, just touched by the lowest.
    pub fn floor(&self) -> Aabb {
        let side = 3.0 * f64::from(self.across);
        Aabb { min: DVec3::new(-1.0, -1.0, -1.0), max: DVec3::new(side, side, 0.02) }
    }
}
