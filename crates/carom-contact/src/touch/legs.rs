//! How far a distance measured once can be used: which directions are tried, and how long their first leg is.

use carom_dynamics::{Motion, Moving, RelativeMotion, Seen, Span};
use carom_geometry::Pose;
use carom_geometry::distance::{Closest, Convex, normal_rate};
use glam::DVec3;

use super::ride::{Ride, View, longest_leg};
use super::rider::{Rider, placed};
use super::{Mover, Step};
use crate::tolerances::{ENOUGH_OF_A_LEG, HOPS_OF_A_LEG};

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

/// How far directions have proven solids apart.
pub(super) struct Proven {
    pub(super) until: f64,
    pub(super) step: Step,
    /// The ride that got there, if it can go on.
    pub(super) ride: Option<Ride>,
}

impl Approach<'_> {
    /// The latest time up to which any direction proves the solids apart, and which kind did; or a time after `pause` up to
    /// which the one that will be found best has.
    pub(super) fn farthest(&self, pause: f64, legs: &mut u32) -> Proven {
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
        let mut best = Proven { until: self.at, step: Step::None, ride: None };
        let enough = self.end.min(self.at + ENOUGH_OF_A_LEG * self.first_leg(&from_a));
        for (view, rider) in riders {
            let Some(rider) = rider else { continue };
            // Once it has proven enough no other direction is tried, and it can wait.
            self.better(&mut best, &view, rider, Step::Features, pause.max(enough), legs);
            if best.until >= enough {
                return best;
            }
        }
        // The last one tried can wait once it is best.
        for (view, pause) in [(from_a, f64::INFINITY), (from_b, pause)] {
            self.better(&mut best, &view, Rider::Still(view.normal), Step::Still, pause, legs);
        }
        best
    }

    /// Replaces what is proven by what a rider proves, if that is more.
    fn better(
        &self,
        best: &mut Proven,
        view: &View<'_>,
        rider: Rider,
        step: Step,
        pause: f64,
        legs: &mut u32,
    ) {
        if matches!(view.other.convex, Convex::HalfSpace(_)) {
            return;
        }
        let mut ride = Ride::new(self, view, rider);
        let is_over = ride.advance(view, self.end, pause.max(best.until), legs);
        if ride.at() > best.until {
            *best = Proven { until: ride.at(), step, ride: (!is_over).then_some(ride) };
        }
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
            View { frame: self.a, other: self.b, normal: normal_a, swapped: false },
            View { frame: self.b, other: self.a, normal: normal_b, swapped: true },
        ]
    }

    /// How long it takes to get somewhere else, or to turn.
    pub(super) fn first_leg(&self, view: &View<'_>) -> f64 {
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
        moved.min(longest_leg(view, self.at))
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
