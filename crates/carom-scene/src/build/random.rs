//! Random placements with the same bits on every machine.
//!
//! The generator is PCG XSL-RR 128/64 (`Pcg64`). Its state starts from the seed of the scene and its stream
//! from the seed of the repeat (low half) and the FNV-1a hash of the repeated name (high half), so that two
//! repeats of one scene differ without anybody choosing seeds. A number in [0, 1) is the upper 53 bits of a
//! draw. Draws per copy: three for the place (again as often as it is too near), then, with `turn`, three
//! for the orientation.

use std::collections::HashMap;
use std::f64::consts::TAU;

use glam::{DQuat, DVec3};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

use crate::tolerances::TRIES_PER_COPY;

/// Where copies go.
#[derive(Clone, Copy, Debug)]
pub(super) struct RandomBox {
    pub(super) count: usize,
    pub(super) min: DVec3,
    pub(super) max: DVec3,
    pub(super) turn: bool,
    pub(super) min_distance: f64,
}

pub(super) struct Random(Pcg64);

impl Random {
    pub(super) fn new(scene_seed: u64, seed: u64, name: &str) -> Self {
        let stream = u128::from(fnv1a(name)) << 64 | u128::from(seed);
        Self(Pcg64::new(u128::from(scene_seed), stream))
    }

    /// Uniform in [0, 1).
    fn unit(&mut self) -> f64 {
        const SCALE: f64 = 1.0 / (1_u64 << 53) as f64;
        (self.0.next_u64() >> 11) as f64 * SCALE
    }

    fn point(&mut self, min: DVec3, max: DVec3) -> DVec3 {
        let (x, y, z) = (self.unit(), self.unit(), self.unit());
        min + (max - min) * DVec3::new(x, y, z)
    }

    /// Uniform over all orientations (Shoemake, Graphics Gems III, 1992).
    fn orientation(&mut self) -> DQuat {
        let (u, a, b) = (self.unit(), TAU * self.unit(), TAU * self.unit());
        let (sin_a, cos_a) = libm::sincos(a);
        let (sin_b, cos_b) = libm::sincos(b);
        let (p, q) = ((1.0 - u).sqrt(), u.sqrt());
        DQuat::from_xyzw(p * sin_a, p * cos_a, q * sin_b, q * cos_b).normalize()
    }

    /// Places and turns of all copies; the error is how many found a place before it was given up.
    pub(super) fn scatter(&mut self, asked: &RandomBox) -> Result<Vec<(DVec3, DQuat)>, usize> {
        let mut copies = Vec::with_capacity(asked.count);
        let mut cells = Cells::new(asked);
        let mut tries_left = TRIES_PER_COPY.saturating_mul(asked.count as u64);
        while copies.len() < asked.count {
            if tries_left == 0 {
                return Err(copies.len());
            }
            tries_left -= 1;
            let point = self.point(asked.min, asked.max);
            if !cells.insert(point) {
                continue;
            }
            let rotation = if asked.turn { self.orientation() } else { DQuat::IDENTITY };
            copies.push((point, rotation));
        }
        Ok(copies)
    }
}

/// Points in cells as wide as the distance they must keep: only neighbouring cells need be looked at.
struct Cells {
    origin: DVec3,
    distance: f64,
    /// Looked up by key only, never iterated.
    points: HashMap<[i64; 3], Vec<DVec3>>,
}

impl Cells {
    fn new(asked: &RandomBox) -> Self {
        Self { origin: asked.min, distance: asked.min_distance, points: HashMap::new() }
    }

    /// Adds a point unless another is too near.
    fn insert(&mut self, point: DVec3) -> bool {
        if self.distance <= 0.0 {
            return true;
        }
        let cell = ((point - self.origin) / self.distance).floor();
        let key = [cell.x as i64, cell.y as i64, cell.z as i64];
        for offset in 0..27_i64 {
            let step = [offset % 3 - 1, offset / 3 % 3 - 1, offset / 9 - 1];
            let near = [0, 1, 2].map(|axis| key[axis].saturating_add(step[axis]));
            let points = self.points.get(&near).map_or(&[][..], Vec::as_slice);
            if points.iter().any(|other| other.distance(point) < self.distance) {
                return false;
            }
        }
        self.points.entry(key).or_default().push(point);
        true
    }
}

/// The 64-bit FNV-1a hash of a text.
fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(count: usize, min_distance: f64) -> RandomBox {
        RandomBox { count, min: DVec3::ZERO, max: DVec3::ONE, turn: true, min_distance }
    }

    #[test]
    fn the_same_seeds_and_name_give_the_same_bits_and_others_do_not() {
        let first = |random: &mut Random| random.scatter(&asked(1, 0.0)).unwrap()[0].0;
        let point = first(&mut Random::new(1, 2, "ball"));
        assert_eq!(point, first(&mut Random::new(1, 2, "ball")));
        assert_ne!(point, first(&mut Random::new(2, 2, "ball")));
        assert_ne!(point, first(&mut Random::new(1, 3, "ball")));
        assert_ne!(point, first(&mut Random::new(1, 2, "cube")));
    }

    #[test]
    fn copies_keep_their_distance_and_a_full_box_is_told() {
        let copies = Random::new(0, 0, "ball").scatter(&asked(100, 0.1)).unwrap();
        for (i, (a, _)) in copies.iter().enumerate() {
            let nearest = copies[..i].iter().map(|(b, _)| a.distance(*b)).fold(f64::MAX, f64::min);
            assert!(nearest >= 0.1, "copies are {nearest} m apart, asked for 0.1 m");
        }
        let placed = Random::new(0, 0, "ball").scatter(&asked(1000, 0.5)).unwrap_err();
        assert!((8..60).contains(&placed), "{placed} copies half a metre apart in a cube of 1 m");
    }

    #[test]
    fn numbers_fill_the_unit_interval_evenly() {
        let mut random = Random::new(7, 0, "x");
        let n = 100_000;
        let mean = (0..n).map(|_| random.unit()).sum::<f64>() / f64::from(n);
        // Four standard deviations of the mean, 1/√(12n).
        let tolerance = 4.0 / (12.0 * f64::from(n)).sqrt();
        assert!((mean - 0.5).abs() < tolerance, "mean {mean}, expected 0.5 ± {tolerance}");
    }
}
