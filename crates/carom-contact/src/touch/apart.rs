//! Bodies that stay apart throughout a window of time, proven at one stroke.
//!
//! Most neighbours never meet, and of links of one linkage most are next to each other for ever. For those it is enough that one
//! direction n, from B to A, that stands still separates them with room to spare. With the gap S along n at the middle of the window,
//! velocities v and accelerations a of the reference points there, and over the window of half length η bounds K on their third
//! derivatives and W on the spins, a point at up to ρ from its reference point gets nowhere farther along n than
//!
//! ```text
//! S(τ) ≥ S − |n·(v_A − v_B)|·η − ½|n·(a_A − a_B)|·η² − ⅙(K_A + K_B)·η³ − (W_A·ρ_A + W_B·ρ_B)·η
//! ```
//!
//! since an orientation changes by at most W·η. What is proven so is no touch that a search would find, whenever it looked: a
//! pair may be passed over for the window, and nothing that is found later depends on it.

use carom_dynamics::{Kinematics, RateBounds, Span};
use carom_geometry::distance::Convex;
use carom_geometry::distance::pieces::{Piece, PiecesCache, closest_pieces};
use glam::DVec3;

use super::Rigid;
use super::certificate::Placed;
use super::resolution::{reach_of, share_of_touch_by};
use crate::tolerances::{APART_SHARES, LONGEST_REFUSAL, MOST_PIECES_APART};

/// A direction that has told two bodies apart, to be tried again.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aside {
    /// From B to A, in the axes of A's frame.
    normal: Option<DVec3>,
    /// How often in a row no direction was found, and for how many questions none is looked for.
    refusals: u32,
    pause: u32,
}

/// A body over a window.
struct Passer<'a> {
    body: &'a Rigid<'a>,
    /// In the middle.
    kinematics: Kinematics,
    rates: RateBounds,
    reach: f64,
}

impl<'a> Passer<'a> {
    fn of(body: &'a Rigid<'a>, window: Span) -> Self {
        let middle = window.start + 0.5 * window.length();
        Self {
            body,
            kinematics: body.motion.kinematics_at(middle),
            rates: body.motion.rate_bounds(window),
            reach: reach_of(body),
        }
    }

    /// Its plane's unit normal in the world, if it is a half-space.
    fn plane(&self) -> Option<DVec3> {
        let piece = self.body.pieces.single()?;
        let Convex::HalfSpace(plane) = &piece.convex else { return None };
        let place = self.body.frame_from_shape.then_from(&piece.shape_from_piece);
        Some(self.kinematics.state.orientation * place.vector(plane.normal()))
    }

    /// How far it reaches from its reference point along a direction of the world; of a half-space, along its normal `[m]`.
    fn extent(&self, direction: DVec3) -> f64 {
        let pieces = self.body.pieces;
        let own = self.kinematics.state.orientation.conjugate() * direction;
        if pieces.pieces().len() > MOST_PIECES_APART {
            let ball = pieces.tree()[0];
            return own.dot(self.body.frame_from_shape.point(ball.center)) + ball.radius;
        }
        let extent = |piece: &Piece| {
            let place = self.body.frame_from_shape.then_from(&piece.shape_from_piece);
            if let Convex::HalfSpace(plane) = &piece.convex {
                return place.translation.dot(own) + plane.offset();
            }
            let (convex, reach) = (&piece.convex, self.reach);
            Placed { convex, frame_from_convex: place, reach }.support_value(own)
        };
        pieces.pieces().iter().map(extent).fold(f64::NEG_INFINITY, f64::max)
    }

    /// W·ρ; what does not turn may be without bounds `[m/s]`.
    fn turning(&self) -> f64 {
        if self.rates.spin == 0.0 { 0.0 } else { self.rates.spin * self.reach }
    }

    /// What its place along any direction is rounded by `[m]`.
    fn rounding(&self) -> f64 {
        let reach = if self.reach.is_finite() { self.reach } else { 0.0 };
        self.rates.rounding + self.rates.angular_rounding * reach
    }

    fn share_of_touch(&self, window: Span) -> f64 {
        share_of_touch_by(self.body, window, &self.kinematics, &self.rates)
    }
}

impl Aside {
    /// True when two bodies are proven to stay farther from each other than any touch distance, throughout a window that lies
    /// in one span of both motions. False says nothing.
    pub fn proves(&mut self, a: &Rigid<'_>, b: &Rigid<'_>, window: Span) -> bool {
        if !window.length().is_finite() || self.is_pausing() {
            return false;
        }
        let [one, other] = [a, b].map(|body| Passer::of(body, window));
        let turned = one.kinematics.state.orientation;
        let plane = one.plane().map(|normal| -normal).or_else(|| other.plane());
        let known = plane.or_else(|| self.normal.map(|normal| turned * normal));
        if known.is_some_and(|normal| separates(&one, &other, normal, window)) {
            self.refusals = 0;
            return true;
        }
        let found = if plane.is_some() { None } else { nearest(&one, &other) };
        self.normal = found.map(|normal| turned.conjugate() * normal);
        let is_apart = found.is_some_and(|normal| separates(&one, &other, normal, window));
        self.refusals = if is_apart { 0 } else { self.refusals + 1 };
        self.pause = if is_apart { 0 } else { 1 << self.refusals.min(LONGEST_REFUSAL) };
        is_apart
    }

    /// Pairs that come near each other are not asked each time.
    fn is_pausing(&mut self) -> bool {
        let pauses = self.pause > 0;
        self.pause = self.pause.saturating_sub(1);
        pauses
    }
}

/// The direction between the points that are nearest in the middle of the window, if the bodies are apart there.
fn nearest(a: &Passer<'_>, b: &Passer<'_>) -> Option<DVec3> {
    let (here, there) = (&a.kinematics.state, &b.kinematics.state);
    let (a_from_b, world_from_a) = a.body.placement_of(b.body, here, there);
    let found =
        closest_pieces(a.body.pieces, b.body.pieces, &a_from_b, &mut PiecesCache::default());
    (found.closest.distance > 0.0).then(|| world_from_a.vector(found.closest.normal))
}

/// Whether a unit vector from B to A tells them apart throughout.
fn separates(a: &Passer<'_>, b: &Passer<'_>, normal: DVec3, window: Span) -> bool {
    let (one, other) = (&a.kinematics, &b.kinematics);
    let gap = normal.dot(one.state.position - other.state.position)
        - a.extent(-normal)
        - b.extent(normal);
    let eta = 0.5 * window.length() * (1.0 + 4.0 * f64::EPSILON);
    let speed = normal.dot(one.state.velocity - other.state.velocity).abs();
    let push = normal.dot(one.acceleration - other.acceleration).abs();
    let jerk = a.rates.jerk + b.rates.jerk;
    let way = eta * (speed + a.turning() + b.turning() + eta * (0.5 * push + eta / 6.0 * jerk));
    let touch = a.share_of_touch(window) + b.share_of_touch(window);
    gap > way + a.rounding() + b.rounding() + APART_SHARES * touch
}
