//! The pair bound of the thesis, as a yardstick; nothing of the engine uses it.
//!
//! With d̂ the direction from the closest point of body 1 to that of body 2 and d their distance, convexity keeps each body
//! behind the plane through its closest point across d̂. Whatever points meet first have covered d along d̂ between them.
//! No point of a body gets farther along a direction within τ than (M 2.2, 2.3; guide TOI-2)
//!
//! D(τ) = A·τ² + B·τ,   A = ½·g·d̂,   B = v·d̂ + r_max·ω_max,
//!
//! with r_max the largest distance of its points from the centre of mass and ω_max the largest |ω| of the arc. So nothing
//! touches before the first τ > 0 with
//!
//! (A₁ + A₂)·τ² + (B₁ + B₂)·τ = d.                                                                          (1)
//!
//! | thesis | here |
//! |---|---|
//! | body 1, body 2, d̂ from 1 to 2 | A, B, d̂ = −normal |
//! | ω_max from the energy ellipsoid (M 2.5) | the exact maximum along the arc, which is not larger |
//! | scripted bodies: (M 2.14) or (M 2.15) | the best of what the law promises up to the end of its piece |
//! | aim at d = 0 | half the touch distance, half the gap when that is less (guide TOI-4) |
//!
//! Where bodies turn, B exceeds the true closing speed v, and a step leaves the share 1 − v/B of the gap: an approach takes
//! about (B/v)·ln(d/d_touch) distances, and a grazing pass, v → 0, as good as never ends.

use carom_dynamics::{Motion, Reach, Span};
use carom_geometry::distance::Closest;
use glam::DVec3;

use super::reach::balls_apart_until;
use super::{Mover, Outcome, touch_distance, touch_of};
use crate::tolerances::NEAR_SHARE;

/// The first τ > 0 at which A·τ² + B·τ reaches a distance; infinite if it never does `[s]`.
///
/// With Δ = B² + 4·A·d the five cases are
///
/// | A | B | first root |
/// |---|---|---|
/// | 0 | any | d/B if B > 0, else none |
/// | > 0 | ≥ 0 | 2d/(B + √Δ) |
/// | > 0 | < 0 | (√Δ − B)/2A |
/// | < 0 | ≤ 0 | none |
/// | < 0 | > 0 | 2d/(B + √Δ), none if Δ < 0 |
///
/// Terms of one sign are added in each, so no digits cancel, and as A vanishes each goes over into the first.
pub fn time_to_cover(distance: f64, a: f64, b: f64) -> f64 {
    if distance <= 0.0 {
        return 0.0;
    }
    let discriminant = b * b + 4.0 * a * distance;
    if a == 0.0 {
        if b > 0.0 { distance / b } else { f64::INFINITY }
    } else if b > 0.0 || (b == 0.0 && a > 0.0) {
        if discriminant < 0.0 {
            return f64::INFINITY;
        }
        2.0 * distance / (b + discriminant.sqrt())
    } else if a > 0.0 {
        (discriminant.sqrt() - b) / (2.0 * a)
    } else {
        f64::INFINITY
    }
}

/// How far any point of a body gets along a direction: at most A·τ² + B·τ, as long as it says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advance {
    /// A `[m/s²]`.
    pub a: f64,
    /// B `[m/s]`.
    pub b: f64,
    /// Last time for which it holds `[s]`.
    pub valid_until: f64,
}

/// What a body promises from a time on, along a unit vector of the world.
pub fn advance_along(mover: &Mover<'_>, direction: DVec3, span: Span) -> Advance {
    match mover.motion {
        Motion::Fixed(_) => Advance { a: 0.0, b: 0.0, valid_until: f64::INFINITY },
        Motion::Ballistic(arc) => {
            let (_, velocity) = arc.place_at(span.start);
            let turning = if arc.rotates() { mover.reach * arc.omega_max() } else { 0.0 };
            Advance {
                a: 0.5 * arc.gravity().dot(direction),
                b: velocity.dot(direction) + turning,
                valid_until: f64::INFINITY,
            }
        }
        Motion::Scripted(law) => {
            let travel = law.travel(span, direction, Reach::Body(mover.reach));
            Advance { a: travel.a, b: travel.b, valid_until: travel.valid_until }
        }
        // The thesis has no bound for links; theirs is the engine's.
        Motion::Linked(link) => {
            let travel = link.travel(span, direction, Reach::Body(mover.reach));
            Advance { a: travel.a, b: travel.b, valid_until: travel.valid_until }
        }
    }
}

/// The time before which two bodies cannot cover `distance` of the gap between them, at most the end of the span `[s]`.
///
/// `normal` is the unit vector from B to A, in the world.
pub fn step(a: &Mover<'_>, b: &Mover<'_>, normal: DVec3, distance: f64, span: Span) -> f64 {
    let of_a = advance_along(a, -normal, span);
    let of_b = advance_along(b, normal, span);
    let tau = time_to_cover(distance, of_a.a + of_b.a, of_a.b + of_b.b);
    (span.start + tau).min(of_a.valid_until).min(of_b.valid_until).min(span.end)
}

/// A search that takes one such step after each distance.
///
/// Like the engine's, it follows bounding balls while they are apart, so that both count distances of bodies in reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Search {
    inner: super::Search,
}

impl Search {
    /// A search that begins at a time.
    pub fn from(start: f64) -> Self {
        Self { inner: super::Search::from(start) }
    }

    /// No touch before this time `[s]`.
    pub const fn cleared(&self) -> f64 {
        self.inner.cleared()
    }

    /// Full distance queries so far.
    pub const fn queries(&self) -> u32 {
        self.inner.queries
    }

    /// Goes on until a touch is found, or the motions end at `end`, or so many distances have been measured: then
    /// [`Outcome::Later`].
    pub fn advance(&mut self, a: &Mover<'_>, b: &Mover<'_>, end: f64, queries: u32) -> Outcome {
        let near = NEAR_SHARE * (a.radius + b.radius);
        while self.cleared() < end {
            let rest = Span::new(self.cleared(), end);
            if let Some(next) = balls_apart_until(&a.ball(), &b.ball(), near, rest) {
                self.inner.at = next;
                continue;
            }
            if self.queries() >= queries {
                return Outcome::Later(self.cleared());
            }
            match self.step(a, b, rest) {
                Ok(next) => self.inner.at = next,
                Err(outcome) => return outcome,
            }
        }
        Outcome::Never
    }

    fn step(&mut self, a: &Mover<'_>, b: &Mover<'_>, rest: Span) -> Result<f64, Outcome> {
        let at = rest.start;
        let nearest = self.inner.measure(a, b);
        let resolution = touch_distance(a, b, at);
        if nearest.distance < -resolution {
            return Err(Outcome::Overlap(at));
        }
        let touch = touch_of(a, b, at, &nearest);
        if nearest.distance <= resolution && touch.speed < 0.0 {
            return Err(Outcome::Touch(touch));
        }
        let next = step(a, b, touch.normal, to_cover(&nearest, resolution), rest);
        let next = if next < rest.end { next.next_down() } else { next };
        if next > at {
            return Ok(next);
        }
        let is_touch = nearest.distance <= 2.0 * resolution;
        Err(if is_touch { Outcome::Touch(touch) } else { Outcome::Stuck(at) })
    }
}

/// The part of the gap that a step may cover (guide TOI-4) `[m]`.
fn to_cover(nearest: &Closest, resolution: f64) -> f64 {
    let distance = nearest.distance;
    if distance > resolution { distance - 0.5 * resolution } else { 0.5 * distance }
}
