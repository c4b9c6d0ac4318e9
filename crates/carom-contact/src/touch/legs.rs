//! How far a distance measured once can be used: which directions are tried, one after the other.
//!
//! Directions that ride on the closest features come first, and the first that proves enough settles the matter. If none does,
//! the normal itself is tried, at rest on either body, and what proves most counts.
//!
//! At any time they are apart for as long as any direction has proven. That may be all that is asked for, and then the others
//! wait, too, until it is not: most of what a body's neighbours could do is void with its next collision.

use carom_dynamics::{Kinematics, Motion, Moving, RelativeMotion, Seen, Span};
use carom_geometry::Pose;
use carom_geometry::distance::{Closest, Convex, Feature, normal_rate};
use glam::DVec3;

use super::ride::{Ride, View, longest_leg};
use super::rider::{Rider, placed};
use super::{Mover, Step};
use crate::tolerances::{
    ENOUGH_OF_A_LEG, FACING_GAP, FLIGHTS_OF_A_LEG, HOPS_OF_A_LEG, MOST_OF_A_FLIGHT,
};

/// Two solids at the time of a measured distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measured {
    /// When `[s]`.
    pub(super) at: f64,
    /// `[m]`
    pub(super) distance: f64,
    /// d_touch `[m]`.
    pub(super) resolution: f64,
    /// Rate of the distance, when bodies are as good as in contact at the beginning of a search `[m/s]`.
    pub(super) parting: Option<f64>,
    /// How fast bodies within touch distance leave each other; infinite of others `[m/s]`.
    pub(super) leaving: f64,
    /// Rate of the distance `[m/s]`.
    pub(super) rate: f64,
}

/// Directions from a measured distance on, as far as they have been tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Approach {
    measured: Measured,
    /// From B to A in the axes of A's frame, and the reverse in those of B's.
    normals: [DVec3; 2],
    /// What rides on the closest features, seen from A and from B.
    riders: [Option<Rider>; 2],
    /// One of these that proves them apart up to here is enough `[s]`.
    enough: f64,
    /// About when they should meet `[s]`.
    meeting: f64,
    /// How many directions have been tried, of those on features and those at rest.
    tried: usize,
    ride: Option<Ride>,
    best: f64,
    step: Step,
}

impl Approach {
    pub(super) fn new(
        a: &Mover<'_>,
        b: &Mover<'_>,
        measured: Measured,
        nearest: &Closest,
        end: f64,
    ) -> Self {
        let at = measured.at;
        let normals = normals(a, b, nearest, at);
        let features =
            |it: &Mover<'_>, feature| placed(it.convex.skeleton(feature), &it.frame_from_convex);
        let [of_a, of_b] = [features(a, nearest.features[0]), features(b, nearest.features[1])];
        let mut riders = [Rider::on(of_a, of_b), Rider::on(of_b, of_a)];
        if riders.iter().all(Option::is_none) {
            riders = drifts(a, b, nearest, normals[0], at).map(Some);
        }
        if !riders.iter().any(|it| matches!(it, Some(Rider::Still(_)))) {
            let [of_a, of_b] = nearest.features;
            let there = [normals[1], normals[0]];
            let faces =
                [facing(a, b, of_a, &normals, &measured), facing(b, a, of_b, &there, &measured)];
            if faces.iter().any(Option::is_some) {
                riders = faces;
            }
        }
        let mut this = Self {
            measured,
            normals,
            riders,
            enough: end,
            meeting: f64::INFINITY,
            tried: 0,
            ride: None,
            best: at,
            step: Step::None,
        };
        let view = this.view(a, b);
        let [frame, other] = [a, b].map(|it| it.motion.kinematics_at(at));
        let away = measured.away(&view, &frame, &other);
        this.enough = end.min(at + ENOUGH_OF_A_LEG * away);
        this.meeting = measured
            .meeting(&view, &frame, &other)
            .map_or(f64::INFINITY, |time| at + MOST_OF_A_FLIGHT * time);
        this
    }

    /// They are proven apart up to this time `[s]`.
    pub(super) fn cleared(&self) -> f64 {
        self.ride.map_or(self.best, |ride| self.best.max(ride.at()))
    }

    /// From where they are followed.
    pub(super) const fn measured(&self) -> &Measured {
        &self.measured
    }

    /// By what.
    pub(super) const fn step(&self) -> Step {
        self.step
    }

    /// Goes on until no direction proves more; then true. Or until they are proven apart for longer than `pause`.
    pub(super) fn advance(
        &mut self,
        a: &Mover<'_>,
        b: &Mover<'_>,
        end: f64,
        pause: f64,
        legs: &mut u32,
    ) -> bool {
        // Of a half-space only its own normal proves anything, and that is what rides on it.
        let most = if is_bounded(a) && is_bounded(b) { 4 } else { 2 };
        while self.tried < most {
            let view = self.view(a, b);
            let rider = self.rider().filter(|_| is_bounded(view.other));
            let Some(rider) = rider else {
                self.tried += 1;
                continue;
            };
            let ride = self.ride.get_or_insert_with(|| Ride::new(&self.measured, &view, rider));
            let is_over = ride.advance(&self.measured, &view, end, pause.max(self.best), legs);
            if ride.at() > self.best {
                self.step = if self.tried < 2 { Step::Features } else { Step::Still };
            }
            if !is_over {
                return false;
            }
            let has_landed = ride.has_landed();
            self.best = self.cleared();
            self.ride = None;
            self.tried += 1;
            // What lands on a face about when they were to meet most likely touches it: the distance says so.
            let lands = has_landed && self.best >= self.meeting;
            if self.tried <= 2 && (lands || self.best >= self.enough) {
                return true;
            }
            if self.best > pause && self.tried < most {
                return false;
            }
        }
        true
    }

    /// The direction that is tried now.
    fn rider(&self) -> Option<Rider> {
        match self.tried {
            0 | 1 => self.riders[self.tried],
            _ => Some(Rider::Still(self.normals[self.tried - 2])),
        }
    }

    /// The solids as the direction that is tried now sees them.
    fn view<'a>(&self, a: &'a Mover<'a>, b: &'a Mover<'a>) -> View<'a> {
        let side = self.tried % 2;
        let (frame, other) = if side == 0 { (a, b) } else { (b, a) };
        View { frame, other, normal: self.normals[side] }
    }
}

/// A direction that stands still on a face, where the feature that is nearest bounds one and all of the other solid lies above
/// it: of boxes of the same width, a face touches with its edges.
fn facing(
    frame: &Mover<'_>,
    other: &Mover<'_>,
    feature: Feature,
    normals: &[DVec3; 2],
    measured: &Measured,
) -> Option<Rider> {
    let place = &frame.frame_from_convex;
    let normal = frame.convex.face_towards(feature, place.vector_inverse(-normals[0]))?;
    let rider = Rider::Still(-place.vector(normal));
    let view = View { frame, other, normal: normals[0] };
    let gap = view.gap(&rider, measured.at)?;
    (gap >= FACING_GAP * measured.distance).then_some(rider)
}

fn is_bounded(mover: &Mover<'_>) -> bool {
    !matches!(mover.convex, Convex::HalfSpace(_))
}

/// The direction from B to A in the axes of A's frame, and the reverse in those of B's.
fn normals(a: &Mover<'_>, b: &Mover<'_>, nearest: &Closest, at: f64) -> [DVec3; 2] {
    let normal = a.frame_from_convex.vector(nearest.normal);
    let (state_a, state_b) = (a.motion.state_at(at), b.motion.state_at(at));
    [normal, state_b.orientation.conjugate() * (state_a.orientation * -normal)]
}

/// The normal with its rate, as the frame of A and as that of B see it.
fn drifts(a: &Mover<'_>, b: &Mover<'_>, nearest: &Closest, normal: DVec3, at: f64) -> [Rider; 2] {
    let seen = seen(a.motion, b.motion, Span::new(at, at));
    let (place_a, place_b) = (&a.frame_from_convex, &b.frame_from_convex);
    let frames = Pose::new(seen.offset[0], seen.a_from_b);
    let a_from_b = place_a.inverse().then_from(&frames).then_from(place_b);
    let arm = seen.a_from_b * place_b.translation;
    let velocity = seen.offset[1] + seen.spin.cross(arm);
    let rate = normal_rate(
        a.convex,
        b.convex,
        &a_from_b,
        nearest,
        place_a.vector_inverse(velocity),
        place_a.vector_inverse(seen.spin),
    );
    let rate = place_a.vector(rate);
    let back = seen.a_from_b.conjugate();
    let since = at;
    [
        Rider::Drift { direction: normal, rate, since },
        Rider::Drift {
            direction: back * -normal,
            rate: back * (seen.spin.cross(normal) - rate),
            since,
        },
    ]
}

impl Measured {
    /// Length of the first leg: how long they take to meet, if that is shorter than to get somewhere else.
    pub(super) fn first_leg(&self, view: &View<'_>) -> f64 {
        let [frame, other] = [view.frame, view.other].map(|it| it.motion.kinematics_at(self.at));
        let meeting = self.meeting(view, &frame, &other);
        let away = self.away(view, &frame, &other);
        meeting.map_or(away, |time| away.min(FLIGHTS_OF_A_LEG * time))
    }

    /// How long it takes to get somewhere else, or to turn.
    fn away(&self, view: &View<'_>, f: &Kinematics, o: &Kinematics) -> f64 {
        let way = self.distance.max(0.0) + view.frame.reach.min(view.other.reach);
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

    /// When the distance would be used up if its rate changed uniformly `[s]`.
    fn meeting(&self, view: &View<'_>, frame: &Kinematics, other: &Kinematics) -> Option<f64> {
        let normal = frame.state.orientation * view.normal;
        let acceleration = normal.dot(frame.acceleration - other.acceleration);
        if self.leaving.is_finite() {
            return None;
        }
        let root = (self.rate * self.rate - 2.0 * acceleration * self.distance).sqrt();
        let time = if self.rate < 0.0 {
            2.0 * self.distance / (root - self.rate)
        } else {
            (self.rate + root) / -acceleration
        };
        (time > 0.0 && time.is_finite()).then_some(time)
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
