//! What the motion of one joint cannot exceed over a window of time.
//!
//! All coordinates of a joint are polynomials s(t) of which s, ṡ and s̈ are known at a time t_c and M₃ ≥ |s⃛| throughout. For
//! any vector of them, over the window τ = t − t_c from τ₀ to τ₁ with η = max|τ|,
//!
//! ```text
//! r₃ = |M₃|,   r₂ = |s̈| + η·r₃,   r₁ = max over both ends |ṡ + τ·s̈| + ½η²·r₃,   θ = |s| + η·r₁          (1)
//! ```
//!
//! bound |s⃛|, |s̈|, |ṡ| and |s|, since |ṡ + τ·s̈| is convex in τ. From them follow, seen from the parent, bounds m₁, m₂, m₃ on
//! the joint's ω and its first two rates, and l₁, l₂, l₃ on the velocity of the link's origin and its rates:
//!
//! | joint | m | l |
//! |---|---|---|
//! | one angle about a fixed axis | r | |
//! | one length | | r |
//! | screw | r | pitch·r |
//! | cylindrical, planar | r of the angle | r of the lengths |
//! | universal | two joints, one on the other: (2) | |
//! | spherical | (4) | |
//! | free | (4) | r of the position |
//!
//! **Universal.** With first and second angle, and e the cosine of the angle between their axes, which never changes,
//!
//! ```text
//! m₁² = r₁² + r₁'² + 2|e|·r₁r₁',   m₂ = r₂ + r₁r₁' + r₂',   m₃ = r₃ + (r₂ + r₁²)·r₁' + 2r₁r₂' + r₃'       (2)
//! ```
//!
//! **Rotation vectors.** In the joint's axes ω = T₋·ṡ with T₋ = ∫₀¹ E_u du, E_u = exp(u·s). Since dE_u/dt = w_u×E_u with
//! w_u = ∫₀^u E_x·ṡ dx,
//!
//! ```text
//! ω = ∫E_u·ṡ,  ω̇ = ∫(E_u·s̈ + w_u×E_u·ṡ),
//! ω̈ = ∫(E_u·s⃛ + 2w_u×E_u·s̈ + ẇ_u×E_u·ṡ + w_u×(w_u×E_u·ṡ))                                            (3)
//! ```
//!
//! E_u keeps lengths, so |w_u| ≤ u·r₁ and |ẇ_u| ≤ u·r₂ + ½u²·r₁². And |E_x − E_u| ≤ (u−x)·θ, so w_u is u·E_u·ṡ but for
//! ½u²θ·r₁, and |w_u×E_u·ṡ| ≤ ½u²θ·r₁². Either way is a bound; integrated over u,
//!
//! ```text
//! m₁ = r₁,   m₂ = r₂ + min(½, θ/6)·r₁²,   m₃ = r₃ + min(3/2, ½ + ½θ)·r₁r₂ + min(½, θ/6)·r₁³            (4)
//! ```
//!
//! Nothing here is singular for any θ.
//!
//! **Rounding.** With S ≥ |ṡ| and P ≥ |s̈| over the whole segment of length H, unit u = ε/2: weights carry up to 25u as in
//! `collocation/range.rs`, time as a share of the segment 2u, stored coefficients W and D are sums that err by 8u of what
//! they are made of, which is at most H·P and H·S + H²·P. So values are those of the exact integrals of b but for
//!
//! ```text
//! s: 36u·(H·S + H²·P),   ṡ: 36u·(S + H·P),   s̈: 36u·P                                                  (5)
//! ```

use std::ops::Range;

use super::course::{Course, JointAt};
use super::window::Moment;
use crate::collocation::Coordinate;
use crate::tolerances::SEGMENT_VALUE_ULPS;
use crate::tree::Joint;

/// Bounds of one joint, seen from its parent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct JointRates {
    /// m₁, m₂, m₃ `[rad/s]`, `[rad/s²]`, `[rad/s³]`.
    pub(super) turn: [f64; 3],
    /// l₁, l₂, l₃ `[m/s]`, `[m/s²]`, `[m/s³]`.
    pub(super) slide: [f64; 3],
    /// S and P of what turns, over the whole segment.
    pub(super) turn_size: [f64; 2],
    /// S and P of what slides, over the whole segment.
    pub(super) slide_size: [f64; 2],
    /// Rounding of angles `[rad]` and lengths `[m]`.
    pub(super) turn_rounding: f64,
    pub(super) slide_rounding: f64,
}

/// (1) for some of the coordinates of a joint.
struct Group {
    theta: f64,
    rates: [f64; 3],
    size: [f64; 2],
    rounding: f64,
}

impl Group {
    fn new(course: &Course, link: usize, joint: &JointAt, of: Range<usize>, at: &Moment) -> Self {
        let own = &course.coordinates(link)[of.clone()];
        let norm = |term: fn(&Coordinate) -> f64| {
            own.iter().map(|it| term(it) * term(it)).sum::<f64>().sqrt()
        };
        let length = course.length();
        let third = norm(|it| it.jerk);
        let push = norm(|it| it.push);
        let speed = norm(|it| it.speed) + length * push;
        let share = SEGMENT_VALUE_ULPS * f64::EPSILON;
        let [s, s_dot, s_ddot] = &joint.chart;
        let after = |tau: f64| {
            of.clone().map(|k| s_dot[k] + tau * s_ddot[k]).map(|x| x * x).sum::<f64>().sqrt()
        };
        let eta = at.farthest();
        let size = |list: &[f64; 6]| list[of.clone()].iter().map(|x| x * x).sum::<f64>().sqrt();
        let second = size(s_ddot) + eta * third + share * push;
        let first = after(at.back).max(after(at.ahead)) + 0.5 * eta * eta * third + share * speed;
        // The coordinate itself is s added to what it was at the start, in joints without quaternions.
        let added = if own.len() == 1 { joint.state.q[of.start].abs() } else { 0.0 };
        Self {
            theta: size(s) + eta * first,
            rates: [first, second, third],
            size: [speed, push],
            rounding: share * length * speed + f64::EPSILON * added,
        }
    }

    /// (4).
    fn turning(&self) -> [f64; 3] {
        let (theta, [r1, r2, r3]) = (self.theta, self.rates);
        let bend = (theta / 6.0).min(0.5);
        let mixed = (0.5 + 0.5 * theta).min(1.5);
        [r1, r2 + bend * r1 * r1, r3 + mixed * r1 * r2 + bend * r1 * r1 * r1]
    }
}

impl JointRates {
    /// Over the window around a moment at which the joint is as given.
    pub(super) fn over(course: &Course, link: usize, joint: &JointAt, at: &Moment) -> Self {
        let group = |of: Range<usize>| Group::new(course, link, joint, of, at);
        match course.linkage().tree().joint(link) {
            Joint::Revolute { .. } => Self::default().turned(&group(0..1)),
            Joint::Prismatic { .. } => Self::default().slid(&group(0..1), 1.0),
            Joint::Screw { pitch, .. } => {
                let angle = group(0..1);
                Self::default().turned(&angle).slid(&angle, pitch.abs())
            }
            Joint::Cylindrical { .. } => {
                Self::default().turned(&group(0..1)).slid(&group(1..2), 1.0)
            }
            Joint::Planar => {
                let shift = group(0..2);
                let places = f64::EPSILON * (joint.state.q[0].abs() + joint.state.q[1].abs());
                let moved = Self::default().turned(&group(2..3)).slid(&shift, 1.0);
                Self { slide_rounding: moved.slide_rounding + places, ..moved }
            }
            Joint::Universal { first, second } => {
                Self::universal(&group(0..1), &group(1..2), first.dot(*second).abs())
            }
            Joint::Spherical => Self::default().spun(&group(0..3)),
            Joint::Free => {
                let shift = group(0..3);
                let size = joint.state.q[..3].iter().map(|x| x.abs()).sum::<f64>();
                let moved = Self::default().spun(&group(3..6)).slid(&shift, 1.0);
                Self { slide_rounding: moved.slide_rounding + f64::EPSILON * size, ..moved }
            }
            Joint::Fixed => Self::default(),
        }
    }

    fn turned(self, angle: &Group) -> Self {
        let Group { rates, size, rounding, .. } = *angle;
        Self { turn: rates, turn_size: size, turn_rounding: rounding, ..self }
    }

    fn spun(self, vector: &Group) -> Self {
        let [speed, push] = vector.size;
        Self {
            turn: vector.turning(),
            turn_size: [speed, push + speed * speed],
            ..self.turned(vector)
        }
    }

    fn slid(self, length: &Group, share: f64) -> Self {
        Self {
            slide: length.rates.map(|rate| share * rate),
            slide_size: length.size.map(|size| share * size),
            slide_rounding: share * length.rounding,
            ..self
        }
    }

    /// (2).
    fn universal(first: &Group, second: &Group, cosine: f64) -> Self {
        let ([r1, r2, r3], [s1, s2, s3]) = (first.rates, second.rates);
        let ([speed, push], [other_speed, other_push]) = (first.size, second.size);
        Self {
            turn: [
                (r1 * r1 + s1 * s1 + 2.0 * cosine * r1 * s1).sqrt(),
                r2 + r1 * s1 + s2,
                r3 + (r2 + r1 * r1) * s1 + 2.0 * r1 * s2 + s3,
            ],
            turn_size: [speed + other_speed, push + speed * other_speed + other_push],
            turn_rounding: first.rounding + second.rounding,
            ..Self::default()
        }
    }
}
