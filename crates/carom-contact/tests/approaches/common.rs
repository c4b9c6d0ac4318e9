//! Bodies in flight and numbers that look random.

use carom_contact::touch::{Mover, Outcome, Search};
use carom_dynamics::{Ballistic, BodyState, Mass, Motion};
use carom_geometry::distance::{Closest, Convex, Warm, closest};
use carom_geometry::{Pose, Shape};
use glam::{DQuat, DVec3};

/// Numbers that look random.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// From 0 to 1.
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Evenly over orders of magnitude.
    pub(crate) fn decades(&mut self, low: f64, high: f64) -> f64 {
        low * libm::pow(high / low, self.unit())
    }

    pub(crate) fn direction(&mut self) -> DVec3 {
        loop {
            let v = DVec3::new(self.range(-1.0, 1.0), self.range(-1.0, 1.0), self.range(-1.0, 1.0));
            if v.length_squared() > 1e-4 && v.length_squared() <= 1.0 {
                return v.normalize_or(DVec3::X);
            }
        }
    }

    pub(crate) fn rotation(&mut self) -> DQuat {
        let axis = self.direction();
        DQuat::from_axis_angle(axis, self.range(0.0, std::f64::consts::TAU))
    }
}

/// A body in flight, or fixed.
#[derive(Clone)]
pub(crate) struct Body {
    pub(crate) motion: Motion,
    pub(crate) convex: Convex,
    pub(crate) reach: f64,
    mass: Option<Mass>,
    gravity: DVec3,
}

impl Body {
    pub(crate) fn fixed(shape: &Shape, pose: Pose) -> Self {
        let convex = Convex::of(shape).expect("a convex shape");
        let reach = convex.radius_about(DVec3::ZERO);
        Self { motion: Motion::Fixed(pose), convex, reach, mass: None, gravity: DVec3::ZERO }
    }

    pub(crate) fn free(shape: &Shape, state: BodyState, gravity: DVec3) -> Self {
        let mass = shape.as_solid().mass_properties(1000.0).expect("a solid");
        let mass = Mass::new(&mass).expect("a mass");
        let motion = Motion::Ballistic(Ballistic::new(0.0, state, gravity, &mass));
        let convex = Convex::of(shape).expect("a convex shape");
        let reach = convex.radius_about(DVec3::ZERO);
        Self { motion, convex, reach, mass: Some(mass), gravity }
    }

    /// The same flight from elsewhere.
    pub(crate) fn shifted(&self, shift: DVec3) -> Self {
        let motion = match (&self.motion, &self.mass) {
            (Motion::Ballistic(arc), Some(mass)) => {
                let (start, state) = arc.beginning();
                let state = BodyState { position: state.position + shift, ..*state };
                Motion::Ballistic(Ballistic::new(start, state, self.gravity, mass))
            }
            (Motion::Fixed(pose), _) => {
                Motion::Fixed(Pose::new(pose.translation + shift, pose.rotation))
            }
            (other, _) => other.clone(),
        };
        Self { motion, ..self.clone() }
    }

    pub(crate) fn mover(&self) -> Mover<'_> {
        Mover {
            motion: &self.motion,
            convex: &self.convex,
            frame_from_convex: Pose::IDENTITY,
            reach: self.reach,
            center: DVec3::ZERO,
            radius: self.reach,
            size: 2.0 * self.reach,
        }
    }
}

/// The answer of a fresh query, in the frame of A.
pub(crate) fn nearest(a: &Body, b: &Body, time: f64) -> Closest {
    let (state_a, state_b) = (a.motion.state_at(time), b.motion.state_at(time));
    let back = state_a.orientation.conjugate();
    let a_from_b =
        Pose::new(back * (state_b.position - state_a.position), back * state_b.orientation);
    closest(&a.convex, &b.convex, &a_from_b, &mut Warm::Cold)
}

pub(crate) fn search(a: &Body, b: &Body, end: f64) -> (Search, Outcome) {
    let mut search = Search::from(0.0);
    let outcome = search.advance(&a.mover(), &b.mover(), end, f64::INFINITY);
    (search, outcome)
}
