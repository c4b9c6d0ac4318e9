//! How far a distance measured once can be used: certificates carried on leg by leg.
//!
//! A leg is as long as relative motion to third order is worth following, about a radian of turning. When a direction has
//! proven a whole leg, it rides on into the next one, with the motions evaluated anew; no distance is measured for that.

use carom_dynamics::{Motion, Moving, RelativeMotion, Seen, Span};
use carom_geometry::Pose;
use carom_geometry::distance::{Closest, Convex, normal_rate};
use glam::DVec3;

use super::certificate::Certificate;
use super::rider::{Rider, placed};
use super::{Mover, Step};
use crate::tolerances::{
    ENOUGH_OF_A_LEG, FIRST_GAP, HOPS_OF_A_LEG, LANDING, LEG_GROWTH, LONGEST, MOST_LEGS,
    MOST_WAYS_OUT, OUT_OF_REACH, POOR_SHARE, TOLD_APART, TURN_OF_A_LEG,
};

/// Two solids at the time of a measured distance.
pub(super) struct Approach<'a> {
    pub(super) a: &'a Mover<'a>,
    pub(super) b: &'a Mover<'a>,
    pub(super) at: f64,
    pub(super) end: f64,
    pub(super) nearest: &'a Closest,
    /// d_touch `[m]`.
    pub(super) resolution: f64,
    /// Rate of the distance, when bodies are as good as in contact at the beginning of a search `[m/s]`.
    pub(super) parting: Option<f64>,
    /// How fast bodies within touch distance leave each other; infinite of others `[m/s]`.
    pub(super) leaving: f64,
}

/// The two solids as seen from one of them.
#[derive(Clone, Copy)]
struct View<'a> {
    frame: &'a Mover<'a>,
    other: &'a Mover<'a>,
    /// From `other` to `frame`, in the axes of `frame`.
    normal: DVec3,
}

impl Approach<'_> {
    /// The latest time up to which any direction proves the solids apart, and which kind did.
    pub(super) fn farthest(&self, legs: &mut u32) -> (f64, Step) {
        let [from_a, from_b] = self.views();
        let skeletons = [
            placed(self.a.convex.skeleton(self.nearest.features[0]), &self.a.frame_from_convex),
            placed(self.b.convex.skeleton(self.nearest.features[1]), &self.b.frame_from_convex),
        ];
        let mut riders = [
            (from_a, Rider::on(skeletons[0], skeletons[1])),
            (from_b, Rider::on(skeletons[1], skeletons[0])),
        ];
        if riders.iter().all(|(_, rider)| rider.is_none()) {
            let [drift_a, drift_b] = self.drifts(&from_a);
            riders = [(from_a, Some(drift_a)), (from_b, Some(drift_b))];
        }
        let mut best = (self.at, Step::None);
        let enough = self.at + ENOUGH_OF_A_LEG * self.first_leg(&from_a);
        for (view, rider) in riders {
            let Some(rider) = rider else { continue };
            best = self.better(best, &view, &rider, Step::Features, legs);
            if best.0 >= self.end.min(enough) {
                return best;
            }
        }
        for view in [from_a, from_b] {
            best = self.better(best, &view, &Rider::Still(view.normal), Step::Still, legs);
        }
        best
    }

    /// The better of what is proven and what a rider proves.
    fn better(
        &self,
        best: (f64, Step),
        view: &View<'_>,
        rider: &Rider,
        step: Step,
        legs: &mut u32,
    ) -> (f64, Step) {
        if matches!(view.other.convex, Convex::HalfSpace(_)) {
            return best;
        }
        let until = self.proven(view, rider, legs);
        if until > best.0 { (until, step) } else { best }
    }

    /// The normal with its rate, as the frame of A and as that of B see it.
    fn drifts(&self, from_a: &View<'_>) -> [Rider; 2] {
        let seen = seen(self.a.motion, self.b.motion, Span::new(self.at, self.at));
        let (place_a, place_b) = (&self.a.frame_from_convex, &self.b.frame_from_convex);
        let frames = Pose::new(seen.offset[0], seen.a_from_b);
        let a_from_b = place_a.inverse().then_from(&frames).then_from(place_b);
        let arm = seen.a_from_b * place_b.translation;
        let velocity = seen.offset[1] + seen.spin.cross(arm);
        let rate = normal_rate(
            self.a.convex,
            self.b.convex,
            &a_from_b,
            self.nearest,
            place_a.vector_inverse(velocity),
            place_a.vector_inverse(seen.spin),
        );
        let rate = place_a.vector(rate);
        let back = seen.a_from_b.conjugate();
        let normal = from_a.normal;
        let since = self.at;
        [
            Rider::Drift { direction: normal, rate, since },
            Rider::Drift {
                direction: back * -normal,
                rate: back * (seen.spin.cross(normal) - rate),
                since,
            },
        ]
    }

    fn views(&self) -> [View<'_>; 2] {
        let normal_a = self.a.frame_from_convex.vector(self.nearest.normal);
        let (state_a, state_b) = (self.a.motion.state_at(self.at), self.b.motion.state_at(self.at));
        let normal_b = state_b.orientation.conjugate() * (state_a.orientation * -normal_a);
        [
            View { frame: self.a, other: self.b, normal: normal_a },
            View { frame: self.b, other: self.a, normal: normal_b },
        ]
    }

    /// The time up to which a rider proves the solids apart.
    fn proven(&self, view: &View<'_>, rider: &Rider, legs: &mut u32) -> f64 {
        let mut at = self.at;
        let mut normal = view.normal;
        let mut length = self.first_leg(view);
        let mut left = MOST_LEGS;
        let (mut last_gap, mut last_rounding) = (f64::INFINITY, f64::INFINITY);
        // Rounding grows with the leg; whether they are in contact is asked of now.
        let now = seen(view.frame.motion, view.other.motion, Span::new(self.at, self.at));
        let in_contact = self.parting.is_some() && self.is_contact(view, rider, &now);
        while left > 0 && at < self.end {
            left -= 1;
            *legs += 1;
            let window = Span::new(at, self.end.min(at + length));
            let seen = seen(view.frame.motion, view.other.motion, window);
            // Out of reach the bounding balls are followed, which is cheaper.
            let reach = view.frame.reach + view.other.reach;
            if at > self.at && seen.offset[0].length() > OUT_OF_REACH * reach {
                break;
            }
            let Some(direction) = rider.path(&seen, normal, at) else { break };
            let certificate = Certificate {
                frame: view.frame.placed(),
                other: view.other.placed(),
                seen: &seen,
                direction,
            };
            let (gap, rounding) = (certificate.gap(), certificate.rounding());
            if gap < TOLD_APART * rounding && at == self.at && in_contact {
                let Some(next) = self.out_of_contact(view, rider, rounding) else { break };
                (at, length) = (next, LEG_GROWTH * (next - at));
                last_gap = gap;
                normal = seen_later(&certificate, next - self.at);
                continue;
            }
            let aim = 0.5 * self.resolution.min(gap - rounding);
            let landing = LANDING * self.resolution;
            if gap - aim <= landing && gap < last_gap && at > self.at {
                break;
            }
            last_gap = gap;
            let clear = certificate.clear(window.length(), aim, landing);
            if clear.whole {
                at = window.end;
                normal = seen_later(&certificate, window.length());
                length = (LEG_GROWTH * length).min(self.longest_leg(view));
            } else if clear.until == 0.0 {
                // Rounding grows with the leg, and may be all that is in the way.
                if rounding >= 0.5 * last_rounding {
                    break;
                }
                length /= LEG_GROWTH;
            } else if clear.until < POOR_SHARE * window.length() && left > 1 {
                // Bounds over a shorter leg are tighter.
                length = 2.0 * clear.until;
            } else {
                let next = (at + clear.until).next_down();
                if next <= at {
                    break;
                }
                normal = seen_later(&certificate, clear.until);
                // What is left is short beside what was gone.
                length = clear.until.min(0.1 * length);
                at = next;
            }
            last_rounding = rounding;
        }
        at
    }

    /// True when the gap is too small to be told from none.
    fn is_contact(&self, view: &View<'_>, rider: &Rider, now: &Seen) -> bool {
        let Some(direction) = rider.path(now, view.normal, self.at) else { return false };
        let certificate = Certificate {
            frame: view.frame.placed(),
            other: view.other.placed(),
            seen: now,
            direction,
        };
        certificate.gap() < TOLD_APART * certificate.rounding()
    }

    /// The time at which bodies that part from contact can be told to be apart, if they get there without sinking by more
    /// than their rounding meanwhile.
    fn out_of_contact(&self, view: &View<'_>, rider: &Rider, rounding: f64) -> Option<f64> {
        let speed = self.parting.filter(|speed| *speed >= 0.0)?;
        let mut length = (FIRST_GAP * rounding / speed).min(self.longest_leg(view));
        // Where they part so slowly that they turn meanwhile, it is their turning that parts them, if anything does. Where they
        // do not part at all, they stay as they are.
        for _ in 0..MOST_WAYS_OUT {
            if let Some(time) = self.apart_after(view, rider, length) {
                return Some(time);
            }
            length /= LEG_GROWTH;
        }
        None
    }

    /// The end of a leg out of contact, if bodies can be told to be apart there and do not sink on the way.
    fn apart_after(&self, view: &View<'_>, rider: &Rider, length: f64) -> Option<f64> {
        let window = Span::new(self.at, self.at + length);
        if window.end <= self.at || window.end > self.end {
            return None;
        }
        let leg = seen(view.frame.motion, view.other.motion, window);
        let certificate = Certificate {
            frame: view.frame.placed(),
            other: view.other.placed(),
            seen: &leg,
            direction: rider.path(&leg, view.normal, self.at)?,
        };
        let rounding = certificate.rounding();
        let sinks = certificate.gap() - 2.0 * rounding;
        if !certificate.clear(length, sinks, 0.0).whole {
            return None;
        }
        let later = seen(view.frame.motion, view.other.motion, Span::new(window.end, window.end));
        let normal = seen_later(&certificate, length);
        let certificate = Certificate {
            seen: &later,
            direction: rider.path(&later, normal, window.end)?,
            ..certificate
        };
        let is_apart = certificate.gap() >= TOLD_APART * certificate.rounding();
        (is_apart || self.parting == Some(0.0)).then_some(window.end)
    }

    fn longest_leg(&self, view: &View<'_>) -> f64 {
        let spins = [view.frame, view.other]
            .map(|mover| mover.motion.rate_bounds(Span::new(self.at, self.at)).spin);
        (TURN_OF_A_LEG / (spins[0] + spins[1])).min(LONGEST)
    }

    /// How long it takes to get somewhere else, or to turn.
    fn first_leg(&self, view: &View<'_>) -> f64 {
        let (f, o) =
            (view.frame.motion.kinematics_at(self.at), view.other.motion.kinematics_at(self.at));
        let way = self.nearest.distance.max(0.0) + view.frame.reach.min(view.other.reach);
        let speed = (f.state.velocity - o.state.velocity).length();
        let acceleration = (f.acceleration - o.acceleration).length();
        let moved = (way / speed).min((2.0 * way / acceleration).sqrt());
        let turning = |it: &Mover<'_>, spin: DVec3| it.reach.min(way) * spin.length_squared();
        let pull = acceleration
            + turning(view.frame, f.state.angular_velocity)
            + turning(view.other, o.state.angular_velocity);
        let hop = HOPS_OF_A_LEG * self.leaving / pull;
        let moved = if hop > 0.0 { moved.min(hop) } else { moved };
        moved.min(self.longest_leg(view))
    }
}

/// The other solid as the frame sees it.
pub(super) fn seen(frame: &Motion, other: &Motion, window: Span) -> Seen {
    let moving = |motion: &Motion| Moving {
        kinematics: motion.kinematics_at(window.start),
        rates: motion.rate_bounds(window),
    };
    RelativeMotion::independent(moving(frame), moving(other), window).seen_from_a()
}

/// The direction at the end of a leg.
fn seen_later(certificate: &Certificate<'_>, after: f64) -> DVec3 {
    certificate.direction.at(after).normalize_or(certificate.direction.0[0])
}
