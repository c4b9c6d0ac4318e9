//! Free fall is exact (guide RB-R1) and its boxes and bounds are conservative, down to windows of 1e-13 s.

use glam::DQuat;
use proptest::prelude::*;

use super::*;
use crate::testing::{
    any_moments, body, direction, log_uniform, property, rotation, turned_body, vector,
};

fn flight() -> impl Strategy<Value = Ballistic> {
    let state = (vector(100.0), rotation(), vector(20.0), vector(30.0));
    let gravity = prop_oneof![Just(DVec3::new(0.0, 0.0, -9.81)), vector(10.0), Just(DVec3::ZERO)];
    (state, gravity, turned_body(any_moments()), -100.0..100.0_f64).prop_map(
        |((position, orientation, velocity, angular_velocity), gravity, mass, start)| {
            let state = BodyState { position, orientation, velocity, angular_velocity };
            Ballistic::new(start, state, gravity, &mass)
        },
    )
}

fn resting(position: DVec3, velocity: DVec3) -> BodyState {
    let at_rest = BodyState::at_rest(carom_geometry::Pose::new(position, DQuat::IDENTITY));
    BodyState { velocity, ..at_rest }
}

/// A window of the flight, from 1e-13 s to 10 s long.
fn window(flight: &Ballistic, delay: f64, length: f64) -> Span {
    let start = flight.start + delay;
    Span::new(start, start + length)
}

#[test]
fn a_thrown_stone_is_where_the_parabola_says() {
    // All numbers are exact in binary: 4 + 8·1.5 − ½·8·2.25 = 7.
    let state = resting(DVec3::new(1.0, 0.0, 4.0), DVec3::new(2.0, 0.0, 8.0));
    let flight = Ballistic::new(0.5, state, DVec3::new(0.0, 0.0, -8.0), &body([1.0, 2.0, 3.0]));
    let later = flight.state_at(2.0);
    assert_eq!(later.position, DVec3::new(4.0, 0.0, 7.0));
    assert_eq!(later.velocity, DVec3::new(2.0, 0.0, -4.0));
    assert_eq!(flight.state_at(0.5), state);
    assert_eq!(flight.span(), Span::from(0.5));
    assert!(!flight.rotates());
}

proptest! {
    #![proptest_config(property(2000))]

    /// proves: m1/RB-R1
    #[test]
    fn any_split_of_the_time_ends_in_the_same_place(
        flight in flight(),
        mass in turned_body(any_moments()),
        duration in 0.1..10.0_f64,
        cuts in proptest::collection::vec(0.0..1.0_f64, 1..10),
    ) {
        let end = flight.start + duration;
        let whole = flight.state_at(end);
        let mut cuts = cuts;
        cuts.sort_by(f64::total_cmp);
        let mut part = flight;
        for cut in cuts {
            let t = flight.start + cut * duration;
            part = Ballistic::new(t, part.state_at(t), flight.gravity, &mass);
        }
        let last = part.state_at(end);
        let scale = whole.position.length() + 20.0 * duration + 5.0 * duration * duration;
        let [position, velocity] =
            [(last.position - whole.position).length(), (last.velocity - whole.velocity).length()];
        prop_assert!(position <= 1e-14 * scale, "position is off by {position:e}, scale {scale}");
        prop_assert!(velocity <= 1e-13, "velocity is off by {velocity:e}");
    }

    #[test]
    fn accelerations_are_those_of_the_motion(flight in flight(), delay in 0.0..10.0_f64) {
        let h = 1e-3 / (1.0 + flight.omega_max());
        let t = flight.start + delay;
        let [before, after] = [t - h, t + h].map(|t| flight.state_at(t));
        let here = flight.kinematics_at(t);
        let bounds = flight.rate_bounds(window(&flight, delay, h));
        let change = (after.angular_velocity - before.angular_velocity) / (2.0 * h);
        let error = (change - here.angular_acceleration).length();
        // Truncation is h²/6 times a third derivative of about J·W; rounding is ε·(1 + Wt)·W/h.
        let allowed = h * h * bounds.angular_jerk * bounds.spin * 2.0
            + 4.0 * bounds.angular_rounding * bounds.spin / h + 1e-9;
        prop_assert!(error <= allowed, "angular acceleration is off by {error:e}, allowed {allowed:e}");
        prop_assert_eq!(here.acceleration, flight.gravity);
        prop_assert!(here.angular_acceleration.length() <= bounds.angular_acceleration * (1.0 + 1e-14));
    }

    #[test]
    fn the_path_stays_in_its_box(
        flight in flight(),
        delay in 0.0..5.0_f64,
        length in log_uniform(-13.0..1.0),
    ) {
        let window = window(&flight, delay, length);
        let bounds = flight.path_box(window);
        for i in 0..=50 {
            let t = window.start + f64::from(i) / 50.0 * window.length();
            let position = flight.state_at(t.min(window.end)).position;
            prop_assert!(bounds.contains(position), "{position} at {t} is outside {bounds:?}");
        }
        let rounding = flight.rate_bounds(window).rounding;
        prop_assert!(rounding < 1e-11 && bounds.extents().max_element() < 1e3 * length + 1e-10);
    }

    #[test]
    fn no_point_travels_further_than_its_bound(
        flight in flight(),
        delay in 0.0..50.0_f64,
        length in log_uniform(-13.0..1.0),
        along in direction(),
        offset in vector(1.0),
        forever in any::<bool>(),
    ) {
        let span = window(&flight, delay, length);
        let asked = if forever { Span::from(span.start) } else { span };
        let point = flight.travel(asked, along, Reach::Point(offset));
        let ball = flight.travel(asked, along, Reach::Body(offset.length()));
        prop_assert!(point.c.is_finite() && point.b.is_finite() && point.b <= ball.b);
        let place = |t: f64| flight.state_at(t).pose().point(offset).dot(along);
        let from = place(span.start);
        for i in 1..=30 {
            let t = (span.start + f64::from(i) / 30.0 * span.length()).min(span.end);
            let [way, bound] = [place(t) - from, point.after(t - span.start)];
            prop_assert!(way <= bound, "{way:e} beyond {bound:e} after {:e} s", t - span.start);
        }
    }
}

#[test]
fn a_box_turns_at_the_apex_and_opens_where_time_has_no_end() {
    let state = resting(DVec3::new(1.0, 2.0, 3.0), DVec3::new(0.0, 1.0, 4.0));
    let flight = Ballistic::new(0.0, state, DVec3::new(0.0, 0.0, -8.0), &body([1.0, 1.0, 1.0]));
    let near = |a: DVec3, b: DVec3| (a - b).length() < 1e-13;
    let bounds = flight.path_box(Span::new(0.0, 1.0));
    assert!(near(bounds.min, DVec3::new(1.0, 2.0, 3.0)), "{bounds:?}");
    assert!(near(bounds.max, DVec3::new(1.0, 3.0, 4.0)), "{bounds:?}");
    let forever = flight.path_box(flight.span());
    assert!((forever.min.x - 1.0).abs() < 1e-13 && (forever.max.x - 1.0).abs() < 1e-13);
    assert!((forever.min.y - 2.0).abs() < 1e-13 && forever.max.y == f64::INFINITY);
    assert!(forever.min.z == f64::NEG_INFINITY && (forever.max.z - 4.0).abs() < 1e-13);
}

/// How much wider bounds are than the way of the fastest point. In the shortest window rounding is all there is.
#[test]
fn bounds_on_travel_are_as_tight_as_the_spin_allows() {
    let state = BodyState {
        velocity: DVec3::new(1.0, 0.0, 0.0),
        angular_velocity: DVec3::new(1.0, 5.0, -2.0),
        ..resting(DVec3::new(0.3, -0.2, 1.0), DVec3::ZERO)
    };
    let flight = Ballistic::new(0.0, state, DVec3::new(0.0, 0.0, -9.81), &body([1.0, 2.0, 2.5]));
    for length in [1e-13, 1e-9, 1e-3, 0.1] {
        let window = Span::new(0.0, length);
        let mut ratios = [f64::INFINITY, 0.0_f64];
        for i in 0..200 {
            let angle = f64::from(i) * 2.4;
            let (sin, cos) = libm::sincos(angle);
            let along = DVec3::new(0.6 * cos, 0.6 * sin, 0.8);
            let offset = 0.1 * state.angular_velocity.cross(along).normalize_or_zero();
            let place = |t: f64| flight.state_at(t).pose().point(-offset).dot(along);
            let way = place(length) - place(0.0);
            let travel = flight.travel(window, along, Reach::Body(0.1));
            let ratio = (travel.after(length) - way) / (0.1 * flight.omega_max() * length);
            assert!(way <= travel.after(length));
            ratios = [ratios[0].min(ratio), ratios[1].max(ratio)];
        }
        println!(
            "window {length:e} s: slack between {:.3} and {:.3} of the spin term",
            ratios[0], ratios[1]
        );
    }
    let travel = flight.travel(Span::new(0.0, 1e-3), DVec3::X, Reach::Body(0.0));
    assert!(
        (travel.b - 1.0).abs() < 1e-14 && travel.a.abs() < 1e-14 && travel.c < 1e-14,
        "{travel:?}"
    );
}
