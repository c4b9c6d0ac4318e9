//! Gap bounds against samples, over pairs of scripted bodies, force-free symmetric tops and bodies in flight.

mod flights;

use carom_geometry::Pose;
use glam::{DQuat, DVec3};
use proptest::prelude::*;

use super::*;
use crate::law::testing::*;
use crate::law::{Law, Oscillator};
use crate::{Ballistic, BodyState, law::Constant};

/// A symmetric top in free fall: it spins about its own axis, which goes round a fixed axis at a fixed angle.
#[derive(Clone, Debug)]
struct Top {
    start: Pose,
    velocity: DVec3,
    fall: DVec3,
    /// Fixed unit axis and precession about it `[rad/s]`.
    around: (DVec3, f64),
    /// Own unit axis, in body axes, and spin about it `[rad/s]`.
    own: (DVec3, f64),
}

impl Top {
    fn kinematics_at(&self, time: f64) -> Kinematics {
        let turn = |(axis, rate): (DVec3, f64)| {
            let (sin, cos) = libm::sincos(0.5 * rate * time);
            DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
        };
        let orientation = turn(self.around) * self.start.rotation * turn(self.own);
        let precession = self.around.1 * self.around.0;
        let spin = self.own.1 * (orientation * self.own.0);
        Kinematics {
            state: BodyState {
                position: self.start.translation + time * (self.velocity + 0.5 * time * self.fall),
                orientation,
                velocity: self.velocity + time * self.fall,
                angular_velocity: precession + spin,
            },
            acceleration: self.fall,
            angular_acceleration: precession.cross(spin),
        }
    }

    /// Both rates and the angle between the axes are constant, and so are the lengths of ω, α and α̇.
    fn rate_bounds(&self, window: Span) -> RateBounds {
        let now = self.kinematics_at(window.start);
        let up = 1.0 + 64.0 * f64::EPSILON;
        let turn = now.angular_acceleration.length();
        let time = window.start.abs().max(window.end.abs());
        let far = self.start.translation.length()
            + time * (self.velocity.length() + time * self.fall.length());
        RateBounds {
            spin: now.state.angular_velocity.length() * up,
            angular_acceleration: turn * up,
            angular_jerk: turn * self.around.1.abs() * up,
            jerk: 0.0,
            rounding: 8.0 * f64::EPSILON * far,
            angular_rounding: f64::EPSILON
                * (16.0 + time * (self.around.1.abs() + self.own.1.abs())),
        }
    }
}

/// Anything that moves.
#[derive(Clone, Debug)]
enum Body {
    Law(Law),
    Top(Top),
    Flight(Box<Ballistic>),
}

impl Body {
    fn kinematics_at(&self, time: f64) -> Kinematics {
        match self {
            Self::Law(law) => law.kinematics_at(time),
            Self::Top(top) => top.kinematics_at(time),
            Self::Flight(flight) => flight.kinematics_at(time),
        }
    }

    fn piece_end(&self, time: f64) -> f64 {
        match self {
            Self::Law(law) => law.piece(time).end,
            Self::Top(_) | Self::Flight(_) => f64::INFINITY,
        }
    }

    fn over(&self, window: Span) -> Moving {
        let rates = match self {
            Self::Law(law) => law.rate_bounds(window),
            Self::Top(top) => top.rate_bounds(window),
            Self::Flight(flight) => flight.rate_bounds(window),
        };
        Moving { kinematics: self.kinematics_at(window.start), rates }
    }

    fn place(&self, time: f64, point_body: DVec3) -> DVec3 {
        self.kinematics_at(time).state.pose().point(point_body)
    }
}

fn top() -> impl Strategy<Value = Top> {
    let turn = || (direction(), -5.0..5.0_f64);
    (pose(), point(3.0), turn(), turn()).prop_map(|(start, velocity, around, own)| Top {
        start,
        velocity,
        fall: DVec3::new(0.0, 0.0, -9.81),
        around,
        own,
    })
}

fn body() -> impl Strategy<Value = Body> {
    prop_oneof![2 => law().prop_map(Body::Law), 1 => top().prop_map(Body::Top)]
}

/// A gap between features of two bodies.
#[derive(Clone, Debug)]
enum Features {
    PlanePoint(BodyPlane, DVec3),
    EdgeEdge(BodyEdge, BodyEdge),
}

impl Features {
    fn bound(&self, motion: &RelativeMotion) -> GapBound {
        match self {
            Self::PlanePoint(plane, point) => motion.plane_point(plane, *point),
            Self::EdgeEdge(one, other) => motion.edge_edge(one, other),
        }
    }

    fn gap(&self, a: &Body, b: &Body, time: f64) -> f64 {
        let turned = |body: &Body, v: DVec3| body.kinematics_at(time).state.orientation * v;
        match self {
            Self::PlanePoint(plane, point) => turned(a, plane.normal_body)
                .dot(b.place(time, *point) - a.place(time, plane.point_body)),
            Self::EdgeEdge(one, other) => turned(a, one.direction_body)
                .cross(turned(b, other.direction_body))
                .dot(b.place(time, other.point_body) - a.place(time, one.point_body)),
        }
    }
}

fn features() -> impl Strategy<Value = Features> {
    let feature = || (direction(), point(1.5));
    (feature(), feature(), any::<bool>()).prop_map(|((d, p), (e, q), planar)| {
        if planar {
            Features::PlanePoint(BodyPlane { normal_body: d, point_body: p }, q)
        } else {
            let edge = |(direction_body, point_body)| BodyEdge { direction_body, point_body };
            Features::EdgeEdge(edge((d, p)), edge((e, q)))
        }
    })
}

fn clipped(window: Span, a: &Body, b: &Body) -> Span {
    let end = a.piece_end(window.start).min(b.piece_end(window.start));
    Span::new(window.start, window.end.min(end))
}

#[test]
fn gaps_stay_above_their_bounds() {
    let inputs = (body(), body(), window(), features());
    for_all(20_000, &inputs, |(a, b, window, features)| {
        let window = clipped(window, &a, &b);
        let motion = RelativeMotion::independent(a.over(window), b.over(window), window);
        let bound = features.bound(&motion);
        for time in samples(window, 32) {
            let gap = features.gap(&a, &b, time);
            let least = bound.after(time - window.start);
            assert!(
                gap >= least,
                "{a:?} and {b:?} over {window:?}, {features:?} at {time}: {gap} < {least}, {bound:?}"
            );
        }
    });
}

/// Divided difference of fourth order for the first derivative and of second order for the others.
fn slopes(f: impl Fn(f64) -> f64, time: f64, step: f64) -> [f64; 3] {
    let [m2, m1, now, p1, p2] = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|k| f(time + k * step));
    [
        (8.0 * (p1 - m1) - (p2 - m2)) / (12.0 * step),
        (16.0 * (p1 + m1) - (p2 + m2) - 30.0 * now) / (12.0 * step * step),
        (p2 - 2.0 * p1 + 2.0 * m1 - m2) / (2.0 * step * step * step),
    ]
}

#[test]
fn gap_derivatives_are_exact_and_the_third_is_bounded() {
    // Differences of numbers up to 30 lose 16 - 2·3.3 digits in the second derivative at this step.
    let (step, tolerance) = (5e-4, 1e-7);
    let worst = std::cell::Cell::new(0.0_f64);
    let tightness: [Tightness; 2] = Default::default();
    let inputs = (body(), body(), -1.0..3.0_f64, features());
    for_all(4000, &inputs, |(a, b, start, features)| {
        let window = Span::new(start, start + 0.02);
        if clipped(Span::new(start - 0.01, window.end), &a, &b).end < window.end {
            return;
        }
        let motion = RelativeMotion::independent(a.over(window), b.over(window), window);
        let bound = features.bound(&motion);
        let [rate, acceleration, _] = slopes(|t| features.gap(&a, &b, t), start, step);
        for (given, measured) in [(bound.rate, rate), (bound.acceleration, acceleration)] {
            let off = (given - measured).abs() / (100.0 + given.abs());
            worst.set(worst.get().max(off));
            assert!(off < tolerance, "{a:?} {b:?} {features:?}: {given}, {measured}: {off:e}");
        }
        let third = samples(Span::new(start, window.end), 8)
            .map(|time| slopes(|t| features.gap(&a, &b, t), time, 2e-3)[2].abs())
            .fold(0.0, f64::max);
        // Half a step of 2 ms outside the window counts, and rounding of 10⁻¹⁴/10⁻⁸.
        assert!(third <= bound.jerk * 1.05 + 1e-3, "{a:?} {b:?} {features:?}: {third}, {bound:?}");
        if third > 1.0 {
            let planar = matches!(features, Features::PlanePoint(..));
            tightness[usize::from(planar)].record(bound.jerk / third);
        }
    });
    println!("gap slopes: largest relative difference {:.1e}, allowed {tolerance:e}", worst.get());
    tightness[0].print("third derivative of edge-edge gaps over 20 ms");
    tightness[1].print("third derivative of plane-point gaps over 20 ms");
}

#[test]
fn relative_rates_bound_what_one_body_sees_of_the_other() {
    let inputs = (body(), body(), -1.0..3.0_f64, -3.0..0.0_f64);
    for_all(3000, &inputs, |(a, b, start, exponent)| {
        let window = clipped(Span::new(start, start + libm::exp10(exponent)), &a, &b);
        if window.length() < 1e-3 {
            return;
        }
        let rates = RelativeRates::independent(&a.over(window), &b.over(window), window);
        let step = window.length() / 64.0;
        let place = |time: f64| {
            let seen = a.kinematics_at(time).state.pose().inverse();
            seen.point(b.kinematics_at(time).state.position)
        };
        let spin = |time: f64| {
            let (a, b) = (a.kinematics_at(time).state, b.kinematics_at(time).state);
            a.orientation.conjugate() * (b.angular_velocity - a.angular_velocity)
        };
        // Mean values over a step are below the largest; rounding is divided by the step.
        for index in 0..62 {
            let time = window.start + f64::from(index) * step;
            let differences = |f: &dyn Fn(f64) -> DVec3| {
                let [p0, p1, p2, p3] =
                    [0.0, 1.0, 2.0, 3.0].map(|k| f((time + k * step).min(window.end)));
                let (first, second) = ((p1 - p0) / step, (p2 - 2.0 * p1 + p0) / (step * step));
                let third = (p3 - 3.0 * p2 + 3.0 * p1 - p0) / (step * step * step);
                [p0.length(), first.length(), second.length(), third.length()]
            };
            let ([_, velocity, acceleration, jerk], [turned, first, second, _]) =
                (differences(&place), differences(&spin));
            let noise = 1e-13;
            let below = |measured: f64, bound: f64, order: f64, what: &str| {
                let allowed = bound * (1.0 + 1e-9) + noise / libm::pow(step, order);
                assert!(measured <= allowed, "{what} {measured} > {bound}: {a:?} {b:?} {window:?}");
            };
            below(velocity, rates.velocity, 1.0, "velocity");
            below(acceleration, rates.acceleration, 2.0, "acceleration");
            below(jerk, rates.jerk, 3.0, "jerk");
            below(turned, rates.spin, 0.0, "spin");
            below(first, rates.angular_acceleration, 1.0, "angular acceleration");
            below(second, rates.angular_jerk, 2.0, "angular jerk");
        }
    });
}

#[test]
fn bodies_that_are_carried_together_do_not_move_against_each_other() {
    let inputs = (pose(), pose(), oscillation_terms(), window(), features());
    for_all(3000, &inputs, |(pose_a, pose_b, terms, window, features)| {
        let law = |base: Pose| Body::Law(Law::Oscillator(Oscillator::new(base, &terms).unwrap()));
        let (a, b) = (law(pose_a), law(pose_b));
        let (moving_a, moving_b) = (a.over(window), b.over(window));
        let motion = RelativeMotion::with_rates(moving_a, moving_b, window, RelativeRates::CARRIED);
        let bound = features.bound(&motion);
        assert_eq!([bound.rate, bound.acceleration, bound.jerk], [0.0; 3]);
        for time in samples(window, 16) {
            let gap = features.gap(&a, &b, time);
            assert!(gap >= bound.gap, "{a:?} {b:?} {features:?} at {time}: {gap} < {bound:?}");
            assert!(gap <= bound.gap + 1e-11, "{gap} far above {bound:?}");
        }
    });
}

#[test]
fn a_still_point_before_a_spinning_wall_has_the_jerk_of_the_wall_alone() {
    // g = n·z with z fixed in the world: |g⃛| ≤ W³·|z|, here 27·2.
    let spinning = Constant::new(0.0, Pose::IDENTITY, DVec3::ZERO, 3.0 * DVec3::Z).unwrap();
    let still =
        Constant::new(0.0, Pose::from_translation(2.0 * DVec3::X), DVec3::ZERO, DVec3::ZERO);
    let (a, b) = (Body::Law(Law::Constant(spinning)), Body::Law(Law::Constant(still.unwrap())));
    let window = Span::new(0.0, 0.1);
    let motion = RelativeMotion::independent(a.over(window), b.over(window), window);
    let plane = BodyPlane { normal_body: DVec3::X, point_body: DVec3::new(1.0, 0.5, 0.0) };
    let bound = motion.plane_point(&plane, DVec3::ZERO);
    assert!((bound.jerk - 54.0).abs() < 1e-9, "{bound:?}");
    assert!((bound.gap - 1.0).abs() < 1e-13 && bound.rate.abs() < 1e-15, "{bound:?}");
    assert!((bound.acceleration + 18.0).abs() < 1e-13, "{bound:?}");
}
