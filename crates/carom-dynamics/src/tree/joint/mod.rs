//! Joints: how a link may move relative to its parent.
//!
//! The *joint frame* F is fixed in the parent; the *link frame* is F after the joint's motion, R_J(q) and p_J(q) in
//! F's axes. Every joint answers with its placement, with the directions of its freedoms and with the accelerations that
//! velocity alone causes, all relative to F:
//!
//! ```text
//! ω_J = S_a(q)·v,   ω̇_J = S_a·v̇ + b_a,   ṗ_J = S_l(q)·v,   p̈_J = S_l·v̇ + b_l                    (1)
//! ```
//!
//! | joint | q | v | S and b |
//! |---|---|---|---|
//! | revolute | angle | rate | (u, 0), b = 0 |
//! | prismatic | length | rate | (0, u), b = 0 |
//! | screw | angle | rate | (u, h·u), h the advance per radian, b = 0 |
//! | cylindrical | angle, length | rates | (u, 0), (0, u), b = 0 |
//! | planar | x, y in F, angle about F's z | rates | (0, x), (0, y), (z, 0), b = 0 |
//! | universal | two angles | rates | (u₁, 0), (u₂', 0) with u₂' = R(u₁, q₁)·u₂, b_a = q̇₁q̇₂·u₁×u₂' |
//! | spherical | quaternion x y z w | ω_J in link axes | (R_J·e, 0), b = 0 |
//! | free | p_J in F, quaternion x y z w | ṗ_J and ω_J, both in link axes | (0, R_J·e), (R_J·e, 0), b_l = ω_J×ṗ_J |
//! | fixed | | | |
//!
//! **Convention.** Rates of spherical and free joints are in *link* axes, and v̇ is the derivative of those numbers;
//! for a free joint the ordinary acceleration of the link's origin is therefore R_J·(v̇ + ω×v) (guide F-4.3, the
//! transport term). Forces τ are dual to v, so that τ·v is the power.

mod chart;
mod place;

use glam::DVec3;

/// The kind of a joint. Axes are unit vectors; those given once mean the same in joint and link frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Joint {
    /// Turns about an axis.
    Revolute {
        /// The axis u.
        axis: DVec3,
    },
    /// Slides along an axis.
    Prismatic {
        /// The axis u.
        axis: DVec3,
    },
    /// Turns about an axis and advances along it in proportion.
    Screw {
        /// The axis u.
        axis: DVec3,
        /// Advance per radian; that per turn is 2π times as much `[m/rad]`.
        pitch: f64,
    },
    /// Turns about an axis and slides along it.
    Cylindrical {
        /// The axis u.
        axis: DVec3,
    },
    /// Slides in the plane of the joint frame's x and y and turns about its z.
    Planar,
    /// Turns about an axis of the parent, then about one of the link.
    Universal {
        /// u₁, fixed in the joint frame.
        first: DVec3,
        /// u₂, fixed in the link frame; not parallel to the first.
        second: DVec3,
    },
    /// Turns about a point in every way.
    Spherical,
    /// Moves in every way.
    Free,
    /// Does not move.
    Fixed,
}

impl Joint {
    /// How many numbers its configuration has.
    pub const fn n_q(&self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute { .. } | Self::Prismatic { .. } | Self::Screw { .. } => 1,
            Self::Cylindrical { .. } | Self::Universal { .. } => 2,
            Self::Planar => 3,
            Self::Spherical => 4,
            Self::Free => 7,
        }
    }

    /// How many freedoms it has.
    pub const fn n_v(&self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute { .. } | Self::Prismatic { .. } | Self::Screw { .. } => 1,
            Self::Cylindrical { .. } | Self::Universal { .. } => 2,
            Self::Planar | Self::Spherical => 3,
            Self::Free => 6,
        }
    }

    /// Where its quaternion starts within its configuration, if it has one.
    pub const fn quaternion(&self) -> Option<usize> {
        match self {
            Self::Spherical => Some(0),
            Self::Free => Some(3),
            _ => None,
        }
    }

    /// Which of its freedoms turn the link about its origin and do nothing else.
    pub(super) const fn turns(&self) -> [bool; 6] {
        match self {
            Self::Fixed | Self::Prismatic { .. } | Self::Screw { .. } => [false; 6],
            Self::Revolute { .. } | Self::Universal { .. } | Self::Spherical => [true; 6],
            Self::Cylindrical { .. } => [true, false, false, false, false, false],
            Self::Planar => [false, false, true, false, false, false],
            Self::Free => [false, false, false, true, true, true],
        }
    }

    /// Its axes, with what they are called in messages.
    pub(super) fn axes(&self) -> [Option<(&'static str, DVec3)>; 2] {
        match *self {
            Self::Revolute { axis }
            | Self::Prismatic { axis }
            | Self::Screw { axis, .. }
            | Self::Cylindrical { axis } => [Some(("axis", axis)), None],
            Self::Universal { first, second } => {
                [Some(("first axis", first)), Some(("second axis", second))]
            }
            Self::Planar | Self::Spherical | Self::Free | Self::Fixed => [None, None],
        }
    }

    /// The axis it turns about by its first coordinate alone, seen in the joint frame.
    pub(super) const fn turning_axis(&self) -> DVec3 {
        match *self {
            Self::Revolute { axis } | Self::Screw { axis, .. } | Self::Cylindrical { axis } => axis,
            Self::Universal { first, .. } => first,
            _ => DVec3::ZERO,
        }
    }
}
