//! Lasting contact: surfaces that keep links apart by forces that push only.
//!
//! **Problem.** Bodies that rest, slide or roll on each other without friction touch at points i with gaps g_i ≥ 0 along unit
//! normals n_i. The forces f_i between them are determined by (B 8-7)
//!
//! ```text
//! g̈ = K·f + g̈⁰,    f ≥ 0,    g̈ ≥ c,    f·(g̈ − c) = 0,     K = J·H⁻¹·Jᵀ                                   (1)
//! ```
//!
//! with g̈⁰ the acceleration of the gaps without contact forces, velocity and curvature terms included, and c what is asked
//! of them. A mode says which contacts are *active*: within a segment these have g̈ = c, the others f = 0. So the derivative
//! solves equalities only and stays smooth.
//!
//! **Held gaps.** A contact that lasts keeps a small positive gap h, so that neither rounding nor the integrator's tolerance ever
//! makes it an overlap. It is held by what is asked for: from the gap g₀ and the rate ġ₀ at the beginning of a segment it shall go
//! to h as a critically damped spring does,
//!
//! ```text
//! g = h + (A + B·τ)·e^(−κτ),   c = g̈ = (κ²·A − 2κ·B + κ²·B·τ)·e^(−κτ),   A = g₀ − h,  B = ġ₀ + κ·A      (2)
//! ```
//!
//! Within a segment c is a function of time alone, so that the equations are no stiffer for it, however fast κ is; what
//! integration adds to the gap meanwhile is seen by the next segment. Positions never jump. Forces do the work ∫ f·ġ dt by this, which
//! nature would not; it is told ([`Flow::hold`](super::Flow)) and is of the size f·h.
//!
//! **Redundancy.** More contacts than freedoms make K singular: accelerations are unique, forces are not. Those of least norm are
//! taken, which are the forces of equal springs in the limit of infinite stiffness. Because they may be negative
//! although others push only, a mode ends when *no* f ≥ 0 gives its accelerations (`guard.rs`).
//!
//! **Who knows surfaces.** Shapes and what is not a link (fixed and driven bodies) are behind [`Surfaces`]; this module
//! knows points and normals only.
//!
//! | file | idea |
//! |---|---|
//! | `forces` | K, g̈⁰ and f inside the derivative |
//! | `lift` | gaps that are too small at first |
//! | `settle` | which contacts are active; impacts without rebound, or all at once with one |
//! | `guard` | until when that is right |
//! | `sleep` | whether it stays where it is |
//! | `books` | impulses and work along a course |

mod books;
mod forces;
mod guard;
mod lift;
mod settle;
mod sleep;

use std::fmt::Debug;
use std::sync::Arc;

use glam::DVec3;

use crate::BodyState;
use crate::tolerances::{RETURNED_SHARE, STRAYED_SHARE};

pub use books::{ContactFlow, Touching};
pub(super) use forces::ContactRoom;
pub use settle::ContactSettled;
pub(super) use settle::ContactSettling;

/// Surfaces that meet at points, wherever links are.
pub trait Surfaces: Debug + Send + Sync {
    /// How many points there are.
    fn count(&self) -> usize;

    /// The links that meet at a point, A and B; none of what is no link.
    fn links(&self, contact: usize) -> [Option<usize>; 2];

    /// Who meets at a point, by numbers of the caller's own.
    fn tag(&self, contact: usize) -> Tag;

    /// How a point is held.
    fn law(&self, contact: usize) -> HoldLaw;

    /// The point, with links as given, followed at their centres of mass; none where surfaces cannot be told apart. The answer
    /// depends on these numbers alone.
    fn follow(&self, contact: usize, time: f64, links: &[BodyState]) -> Option<Site>;

    /// Until when what is no link moves smoothly, from a time on `[s]`.
    fn smooth_until(&self, time: f64) -> f64;
}

/// Who meets at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Two bodies.
    pub bodies: [u64; 2],
    /// Their convex pieces.
    pub pieces: [u32; 2],
}

/// How a contact is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HoldLaw {
    /// h `[m]`.
    pub gap: f64,
    /// κ `[1/s]`.
    pub rate: f64,
    /// e of an impact in which all contacts take part at once `[-]`.
    pub restitution: f64,
    /// Approaches below this speed do not bounce `[m/s]`.
    pub slow: f64,
    /// Up to this speed a contact that parts is asked whether it lasts `[m/s]`.
    pub hop: f64,
    /// A rate up to this is none `[m/s]`.
    pub still: f64,
}

impl HoldLaw {
    /// c of (2), a time τ after the segment began `[m/s²]`.
    pub(super) fn asked(&self, anchor: &Anchor, tau: f64) -> f64 {
        let (rate, a) = (self.rate, anchor.gap - self.gap);
        let b = anchor.rate + rate * a;
        rate * (rate * (a + b * tau) - 2.0 * b) * libm::exp(-rate * tau)
    }

    /// True of a point that parts for more than a hop.
    pub(super) fn lets_go(&self, site: &Site) -> bool {
        site.rate > self.hop + self.lifting(site)
    }

    /// True of a point whose rate is not that of the hold.
    pub(super) fn hops(&self, site: &Site) -> bool {
        site.rate > self.still + self.lifting(site)
    }

    /// How fast the hold itself may open a gap: under (2) ġ ≤ κ·(h − g) on the way to h.
    fn lifting(&self, site: &Site) -> f64 {
        self.rate * (self.gap - site.gap).max(0.0)
    }
}

/// A point at which two surfaces are nearest, at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Site {
    /// On A and on B `[m]`.
    pub points: [DVec3; 2],
    /// Unit vector from B to A.
    pub normal: DVec3,
    /// g `[m]`.
    pub gap: f64,
    /// ġ `[m/s]`.
    pub rate: f64,
    /// g̈ if no link accelerated at its centre of mass or turned faster `[m/s²]`.
    pub bias: f64,
    /// How far within its features the point is, negative once another has taken over `[m]`.
    pub room: f64,
}

/// Which of the points of surfaces are in contact, frozen over a segment.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    surfaces: Option<Arc<dyn Surfaces>>,
    /// Of each point.
    active: Vec<bool>,
    /// When the segment began, and all points then.
    since: f64,
    anchors: Vec<Anchor>,
}

/// g₀ and ġ₀ of (2), and the room at first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Anchor {
    gap: f64,
    rate: f64,
    room: f64,
}

impl Anchor {
    fn of(site: &Site) -> Self {
        Self { gap: site.gap, rate: site.rate, room: site.room }
    }
}

impl PartialEq for Contacts {
    fn eq(&self, other: &Self) -> bool {
        let same = match (&self.surfaces, &other.surfaces) {
            (None, None) => true,
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        };
        same && self.active == other.active
    }
}

impl Contacts {
    /// Points of surfaces, of which those are active.
    ///
    /// # Panics
    /// If there is not one answer for each point.
    pub fn new(surfaces: Arc<dyn Surfaces>, active: Vec<bool>) -> Self {
        assert_eq!(active.len(), surfaces.count(), "one answer for each contact");
        Self { surfaces: Some(surfaces), active, ..Self::default() }
    }

    /// Which points are active; empty where there are none.
    pub fn active(&self) -> &[bool] {
        &self.active
    }

    /// The surfaces, where there are any.
    pub fn surfaces(&self) -> Option<&Arc<dyn Surfaces>> {
        self.surfaces.as_ref()
    }

    /// True when none is active.
    pub fn is_idle(&self) -> bool {
        !self.active.contains(&true)
    }

    /// The same surfaces with no point active.
    pub(super) fn idle(&self) -> Self {
        let active = vec![false; self.active.len()];
        Self { surfaces: self.surfaces.clone(), active, ..Self::default() }
    }

    /// Holds points from where they are, at a time.
    pub(super) fn anchor(&mut self, time: f64, sites: &[Site]) {
        self.since = time;
        self.anchors.clear();
        self.anchors.extend(sites.iter().map(Anchor::of));
    }

    /// True when an active point has left its features, by more than a held gap. One that was outside of them at first, because
    /// features are degenerate, has to go on by a share of that.
    pub(super) fn strays(&self, contact: usize, law: &HoldLaw, site: &Site) -> bool {
        let at_first = self.anchors.get(contact).map_or(0.0, |anchor| anchor.room).min(0.0);
        site.room < at_first - law.gap.max(STRAYED_SHARE * at_first.abs())
    }

    /// True when a point that is not active has come back to where it would be held.
    pub(super) fn returns(&self, contact: usize, law: &HoldLaw, site: &Site) -> bool {
        let at_first = self.anchors.get(contact).map_or(law.gap, |anchor| anchor.gap);
        site.rate < 0.0 && site.gap < at_first.min(law.gap) - RETURNED_SHARE * law.gap
    }

    /// Numbers of the points that are not active.
    pub(super) fn others(&self) -> impl Iterator<Item = usize> {
        let active = self.active.iter().enumerate();
        active.filter_map(|(index, is_active)| (!is_active).then_some(index))
    }

    pub(super) fn set(&mut self, contact: usize, is_active: bool) {
        self.active[contact] = is_active;
    }

    /// Numbers of the points that are active.
    pub(super) fn indices(&self) -> impl Iterator<Item = usize> {
        let active = self.active.iter().enumerate();
        active.filter_map(|(index, is_active)| is_active.then_some(index))
    }
}
