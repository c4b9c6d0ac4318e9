//! When two bodies that overlap come apart, for those that pass through each other.
//!
//! With a depth p no motion in which every point of B moves less than p against A can part the bodies. So a bound V on
//! those speeds over some time makes a step of p/V safe, and repeating that converges to the parting from inside. The last
//! step crosses the surface: it is taken along the present opening speed. They have *parted* once they can be told to be
//! apart and are still opening.
//!
//! Where bodies graze each other, p stays minute throughout while V is the speed of the pass: a ball of 5 cm that passes
//! 10⁻⁸ m deep is inside for 10⁵ such steps. Steps are therefore never shorter than a share of the time that they have
//! been inside, as long as no point moves farther meanwhile than a share of the smaller body's size. If they are apart after
//! such a step, the time between is halved until they are apart by no more than the touch distance. So the parting is one,
//! though not the first if they come apart and together again within that step.

use carom_dynamics::{Moving, RelativeMotion, Span};
use carom_geometry::distance::pieces::{PiecesCache, closest_pieces, depth_inside};

use super::closed::Closed;
use super::resolution::Resolution;
use super::{Outcome, Rigid};
use crate::tolerances::{LONGEST, PARTING_GROWTH, PARTING_PATIENCE, PARTING_STRIDE};

/// The search for the parting of two bodies, as far as it has come.
#[derive(Clone, Copy, Debug)]
pub struct Parting {
    /// They overlap up to this time, as far as can be told `[s]`.
    at: f64,
    /// When they met `[s]`.
    since: f64,
    /// When they were last seen not apart `[s]`.
    inside: f64,
    steps: u32,
    cache: PiecesCache,
}

/// How two bodies overlap at a time.
struct Overlap {
    /// Of the deepest pieces, or of a point inside a solid mesh; negative when apart `[m]`.
    depth: f64,
    /// Rate of the distance of the closest pieces `[m/s]`.
    opening: f64,
}

impl Parting {
    /// A search that begins inside, at a time.
    pub fn from(start: f64) -> Self {
        Self { at: start, since: start, inside: start, steps: 0, cache: PiecesCache::default() }
    }

    /// They overlap up to this time `[s]`.
    pub const fn inside_until(&self) -> f64 {
        self.at
    }

    /// Goes on until they part, at a time given as [`Outcome::Later`]; [`Outcome::Never`] if they do not before the
    /// motions end, and [`Outcome::Overlap`] with the time reached if that is later than `pause`.
    pub fn advance(&mut self, a: &Rigid<'_>, b: &Rigid<'_>, end: f64, pause: f64) -> Outcome {
        if let Some(closed) = Closed::of(a, b) {
            return closed.parting(self.at, end);
        }
        loop {
            let resolution = Resolution::of_bodies(a, b, self.at);
            let touch = resolution.touch;
            if self.at >= end {
                return Outcome::Never;
            }
            if self.at > pause {
                return Outcome::Overlap(self.at);
            }
            let overlap = self.measure(a, b, self.at);
            if overlap.depth < -touch && self.inside < self.at {
                return Outcome::Later(self.crossing(a, b, &resolution));
            }
            self.inside = self.at;
            if overlap.depth <= touch
                && let Some(parted) = self.across(a, b, &overlap, &resolution, end)
            {
                return Outcome::Later(parted);
            }
            let depth = overlap.depth.max(0.5 * touch);
            let safe = safe_step(a, b, Span::new(self.at, end), depth);
            // From a touch they first go in.
            let entering = (0.5 * touch - overlap.depth) / -overlap.opening;
            let enters = overlap.depth < 0.0 && overlap.opening < 0.0;
            let step = if enters { safe.max(entering) } else { safe };
            let next = self.at + step.max(self.stride(a, b, end));
            self.at = next.max(self.at.next_up());
            self.steps = self.steps.saturating_add(1);
        }
    }

    /// What a step is not shorter than `[s]`.
    fn stride(&self, a: &Rigid<'_>, b: &Rigid<'_>, end: f64) -> f64 {
        let way = PARTING_STRIDE * a.size.min(b.size);
        let way = way * (1.0 + f64::from(self.steps) / PARTING_PATIENCE);
        let small = safe_step(a, b, Span::new(self.at, end), way);
        small.min(PARTING_GROWTH * (self.at - self.since))
    }

    /// Between when they were inside and when they are apart, a time at which they are apart by no more than the touch
    /// distance.
    fn crossing(&mut self, a: &Rigid<'_>, b: &Rigid<'_>, resolution: &Resolution) -> f64 {
        let (mut inside, mut apart) = (self.inside, self.at);
        loop {
            let middle = 0.5 * (inside + apart);
            if middle <= inside || middle >= apart {
                return apart;
            }
            let overlap = self.measure(a, b, middle);
            if overlap.depth < -resolution.touch {
                apart = middle;
            } else if overlap.depth <= -resolution.apart && overlap.opening > 0.0 {
                return middle;
            } else {
                inside = middle;
            }
        }
    }

    /// A time just after at which they are apart, by no more than the touch distance.
    fn across(
        &mut self,
        a: &Rigid<'_>,
        b: &Rigid<'_>,
        overlap: &Overlap,
        resolution: &Resolution,
        end: f64,
    ) -> Option<f64> {
        // Where they touch they are still apart, but closing.
        if overlap.opening <= 0.0 {
            return None;
        }
        if overlap.depth <= -resolution.apart {
            return Some(self.at);
        }
        let time = self.at + (overlap.depth + 0.75 * resolution.touch) / overlap.opening;
        let later = time.max(self.at.next_up());
        if later >= end {
            return None;
        }
        (self.measure(a, b, later).depth <= -resolution.apart).then_some(later)
    }

    fn measure(&mut self, a: &Rigid<'_>, b: &Rigid<'_>, time: f64) -> Overlap {
        let (a_from_b, world_from_a) = a.placement(b, time);
        let found = closest_pieces(a.pieces, b.pieces, &a_from_b, &mut self.cache).closest;
        let inside = depth_inside(a.pieces, b.pieces, &a_from_b).unwrap_or(0.0);
        let normal = world_from_a.vector(found.normal);
        let (state_a, state_b) = (a.motion.state_at(time), b.motion.state_at(time));
        let velocity = state_a.velocity_at(world_from_a.point(found.point_a))
            - state_b.velocity_at(world_from_a.point(found.point_b));
        let depth = if inside > 0.0 { inside.max(-found.distance) } else { -found.distance };
        Overlap { depth, opening: normal.dot(velocity) }
    }
}

/// How long no point of B gets farther than `way` against A, looking at most to the end of the span.
fn safe_step(a: &Rigid<'_>, b: &Rigid<'_>, span: Span, way: f64) -> f64 {
    let moving = |body: &Rigid<'_>, window: Span| Moving {
        kinematics: body.motion.kinematics_at(window.start),
        rates: body.motion.rate_bounds(window),
    };
    // From the bounded one's points, seen from the other.
    let reach = |body: &Rigid<'_>| {
        let node = body.pieces.tree()[0];
        body.frame_from_shape.point(node.center).length() + node.radius
    };
    let (frame, other) = if reach(b).is_finite() { (a, b) } else { (b, a) };
    let arm = reach(other);
    let bound = |length: f64| {
        let window = Span::new(span.start, span.start + length);
        let relative =
            RelativeMotion::independent(moving(frame, window), moving(other, window), window);
        let rates = relative.rates();
        rates.velocity + arm * rates.spin
    };
    let step = |speed: f64| if speed > 0.0 { (way / speed).min(LONGEST) } else { LONGEST };
    // As fast as now it takes this long; what speeds can grow to meanwhile shortens it.
    let length =
        step(bound(0.0)).min(accelerated(frame, other, span.start, way)).min(span.length());
    step(bound(length)).min(length)
}

/// How long it takes to cover a way from rest `[s]`.
fn accelerated(a: &Rigid<'_>, b: &Rigid<'_>, time: f64, way: f64) -> f64 {
    let [one, other] = [a, b].map(|body| body.motion.kinematics_at(time).acceleration);
    (2.0 * way / (one - other).length()).sqrt()
}
