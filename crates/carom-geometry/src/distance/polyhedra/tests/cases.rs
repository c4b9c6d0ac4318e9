//! Solids and placements of every kind that has ever made a distance routine fail.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use crate::distance::Convex;
use crate::testing::box_corners;
use crate::{Pose, convex_hull};

/// Numbers from a seed (SplitMix64).
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    pub(super) fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// A power of ten with an exponent in the range.
    pub(super) fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        libm::pow(10.0, self.within(low, high))
    }

    pub(super) fn vector(&mut self) -> DVec3 {
        DVec3::new(self.within(-1.0, 1.0), self.within(-1.0, 1.0), self.within(-1.0, 1.0))
    }

    pub(super) fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.vector();
            if v.length() > 0.1 && v.length() < 1.0 {
                return v.normalize_or_zero();
            }
        }
    }

    pub(super) fn rotation(&mut self) -> DQuat {
        loop {
            let [x, y, z, w] = [0; 4].map(|_| self.within(-1.0, 1.0));
            let q = DQuat::from_xyzw(x, y, z, w);
            if q.length() > 0.1 && q.length() < 1.0 {
                return q.normalize();
            }
        }
    }

    pub(super) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}

pub(super) fn polyhedron(points: &[DVec3]) -> Convex {
    Convex::Polyhedron(Arc::new(convex_hull(points).expect("the points span a solid")))
}

pub(super) fn cuboid(half: DVec3) -> Convex {
    polyhedron(&box_corners(half))
}

/// A ball tessellated along a golden spiral: 2n − 4 facets.
pub(super) fn tessellated(n: u32) -> Convex {
    polyhedron(&spiral(n))
}

pub(super) fn spiral(n: u32) -> Vec<DVec3> {
    let point = |i: u32| {
        let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(n);
        let (sin, cos) = libm::sincos(2.399963229728653 * f64::from(i));
        DVec3::new(cos, sin, 0.0) * (1.0 - z * z).sqrt() + DVec3::Z * z
    };
    (0..n).map(point).collect()
}

/// A regular prism along z.
pub(super) fn prism(sides: u32, radius: f64, half_height: f64) -> Convex {
    let rim = |i: u32| {
        let (sin, cos) = libm::sincos(std::f64::consts::TAU * f64::from(i) / f64::from(sides));
        let foot = DVec3::new(radius * cos, radius * sin, 0.0);
        [foot + DVec3::Z * half_height, foot - DVec3::Z * half_height]
    };
    polyhedron(&(0..sides).flat_map(rim).collect::<Vec<_>>())
}

/// What solids a pair is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Hull,
    Box,
    GridBox,
    Sliver,
    Needle,
    Prism,
    Ball,
    Triangle,
    SliverTriangle,
}

pub(super) const KINDS: [Kind; 9] = [
    Kind::Hull,
    Kind::Box,
    Kind::GridBox,
    Kind::Sliver,
    Kind::Needle,
    Kind::Prism,
    Kind::Ball,
    Kind::Triangle,
    Kind::SliverTriangle,
];

/// A solid of about unit size.
pub(super) fn solid(dice: &mut Dice, kind: Kind) -> Convex {
    let cloud = |dice: &mut Dice, stretch: DVec3| loop {
        let count = 4 + dice.below(16);
        let turn = dice.rotation();
        let points: Vec<DVec3> = (0..count).map(|_| turn * (dice.vector() * stretch)).collect();
        if let Ok(hull) = convex_hull(&points) {
            return Convex::Polyhedron(Arc::new(hull));
        }
    };
    match kind {
        Kind::Hull => cloud(dice, DVec3::ONE),
        Kind::Box => {
            let half = DVec3::new(dice.within(0.05, 1.0), dice.within(0.05, 1.0), 0.5);
            cuboid(half)
        }
        Kind::GridBox => {
            let side = |dice: &mut Dice| 0.25 * (1.0 + dice.below(4) as f64);
            cuboid(DVec3::new(side(dice), side(dice), side(dice)))
        }
        Kind::Sliver => {
            let thickness = dice.magnitude(-6.0, -3.0);
            cloud(dice, DVec3::new(1.0, 1.0, thickness))
        }
        Kind::Needle => {
            let [width, thickness] = [0; 2].map(|_| dice.magnitude(-5.0, -2.0));
            cloud(dice, DVec3::new(1.0, width, thickness))
        }
        Kind::Prism => {
            prism(3 + dice.below(12) as u32, dice.within(0.1, 1.0), dice.within(0.05, 1.0))
        }
        Kind::Ball => tessellated(8 + dice.below(16) as u32),
        Kind::Triangle => Convex::Triangle([0; 3].map(|_| dice.vector())),
        Kind::SliverTriangle => {
            let [a, along] = [0; 2].map(|_| dice.vector());
            let apex =
                a + along * dice.within(0.0, 1.0) + dice.vector() * dice.magnitude(-6.0, -3.0);
            Convex::Triangle([a, a + along, apex])
        }
    }
}

/// The solid times a factor, moved in its own frame.
pub(super) fn scaled(solid: &Convex, factor: f64, shift: DVec3) -> Convex {
    match solid {
        Convex::Polyhedron(it) => {
            let points: Vec<DVec3> = it.vertices().iter().map(|v| *v * factor + shift).collect();
            polyhedron(&points)
        }
        Convex::Triangle(corners) => Convex::Triangle(corners.map(|v| v * factor + shift)),
        other => other.clone(),
    }
}

/// How the second solid is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placing {
    /// Anywhere, mostly apart.
    Loose,
    /// Anywhere, mostly overlapping.
    Crowded,
    /// Axes parallel, shifts on a grid: parallel faces and edges, coincident planes.
    Grid,
    /// Axes parallel up to a tiny turn.
    NearlyParallel,
    /// The same middle.
    Nested,
}

pub(super) const PLACINGS: [Placing; 5] =
    [Placing::Loose, Placing::Crowded, Placing::Grid, Placing::NearlyParallel, Placing::Nested];

pub(super) fn place(dice: &mut Dice, placing: Placing) -> Pose {
    let quarter = DQuat::from_xyzw(0.0, 0.0, 0.5_f64.sqrt(), 0.5_f64.sqrt());
    match placing {
        Placing::Loose => Pose::new(dice.vector() * dice.within(1.0, 6.0), dice.rotation()),
        Placing::Crowded => Pose::new(dice.vector() * 0.7, dice.rotation()),
        Placing::Grid => {
            let mut step = || 0.25 * (dice.below(17) as f64 - 8.0);
            let shift = DVec3::new(step(), step(), step());
            Pose::new(shift, dice.pick(&[DQuat::IDENTITY, quarter]))
        }
        Placing::NearlyParallel => {
            let tilt = dice.vector() * dice.magnitude(-9.0, -3.0);
            let turn = DQuat::from_xyzw(tilt.x, tilt.y, tilt.z, 1.0).normalize();
            let turn = dice.pick(&[turn, turn * quarter]);
            let mut step = || 0.25 * (dice.below(17) as f64 - 8.0);
            Pose::new(DVec3::new(step(), step(), step()), turn)
        }
        Placing::Nested => Pose::new(dice.vector() * 0.05, dice.rotation()),
    }
}
