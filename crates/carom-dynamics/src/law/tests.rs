//! Laws against exact values, against differences of themselves, and their bounds against samples.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use carom_geometry::{Aabb, Pose};
use glam::{DQuat, DVec3};
use proptest::prelude::*;

use super::testing::*;
use super::*;

const X: DVec3 = DVec3::X;
const Y: DVec3 = DVec3::Y;
const Z: DVec3 = DVec3::Z;

fn assert_near(measured: DVec3, expected: DVec3, tolerance: f64, what: &str) {
    let off = (measured - expected).length();
    assert!(
        off <= tolerance,
        "{what}: {measured}, expected {expected}: off by {off:e} of {tolerance:e}"
    );
}

fn swing(swing: Swing, amplitude: f64, rate: f64) -> Oscillation {
    Oscillation { swing, amplitude, rate, phase: 0.0, mean: 0.0 }
}

#[test]
fn a_cycler_is_at_its_second_semi_axis_after_a_quarter_turn() {
    let cycler = Cycler::new(Z, [2.0 * X, 0.5 * Y], 4.0, 0.0, DQuat::IDENTITY).unwrap();
    let law = Law::Cycler(cycler);
    let quarter = FRAC_PI_2 / 4.0;
    let now = law.kinematics_at(quarter);
    assert_near(now.state.position, Z + 0.5 * Y, 1e-15, "position");
    assert_near(now.state.velocity, -8.0 * X, 1e-14, "velocity");
    assert_near(now.acceleration, -8.0 * Y, 1e-14, "acceleration");
    let backwards = Cycler::new(Z, [2.0 * X, 0.5 * Y], -4.0, 0.0, DQuat::IDENTITY).unwrap();
    let then = Law::Cycler(backwards).state_at(quarter);
    assert_near(then.position, Z - 0.5 * Y, 1e-15, "backwards");
    assert!(!law.rotates());
}

#[test]
fn a_turntable_is_where_its_exact_angle_says_after_a_million_seconds() {
    // 3·2²⁰ rad is one exact double, so libm reduces it exactly.
    let law = Law::Constant(Constant::new(0.0, Pose::IDENTITY, X, 3.0 * Z).unwrap());
    let time = f64::from(1 << 20);
    let (sin, cos) = libm::sincos(3.0 * time);
    let state = law.state_at(time);
    assert_near(state.orientation * X, DVec3::new(cos, sin, 0.0), 4.0 * f64::EPSILON, "x axis");
    assert_eq!(state.position, time * X);
    assert!(law.rotates());
}

#[test]
fn an_oscillator_sums_its_terms() {
    let pivot = 2.0 * X;
    let terms = [
        swing(Swing::Along { axis: 3.0 * Z }, 0.25, TAU),
        Oscillation { mean: PI, ..swing(Swing::About { axis: Z, pivot }, 0.5, TAU) },
        // The same axis, written the other way round and from another of its points.
        swing(Swing::About { axis: -2.0 * Z, pivot: pivot + Z }, 0.5, TAU),
    ];
    let law = Law::Oscillator(Oscillator::new(Pose::IDENTITY, &terms).unwrap());
    let state = law.state_at(0.25);
    // The turns cancel but for their mean of half a turn about x = 2.
    assert_near(state.position, 4.0 * X + 0.25 * Z, 2e-15, "position");
    assert_near(state.orientation * X, -X, 1e-15, "x axis");
    assert_eq!(state.angular_velocity, DVec3::ZERO);
    assert!(!law.rotates());
}

#[test]
fn waypoints_are_met_and_left_at_rest() {
    let quarter = DQuat::from_xyzw(0.0, 0.0, 0.5_f64.sqrt(), 0.5_f64.sqrt());
    let points = [
        Waypoint { time: 1.0, pose: Pose::IDENTITY },
        Waypoint { time: 3.0, pose: Pose::new(4.0 * X, quarter) },
        Waypoint { time: 4.0, pose: Pose::new(4.0 * X, quarter) },
    ];
    let law = Law::Waypoints(Waypoints::new(&points).unwrap());
    for point in points {
        let state = law.state_at(point.time);
        assert_eq!(state.position, point.pose.translation);
        assert_eq!(state.velocity, DVec3::ZERO);
        assert_near(state.orientation * X, point.pose.rotation * X, 2e-16, "x axis");
    }
    // Half-way in time is half-way in place, at 15/8 of the mean speed.
    let middle = law.kinematics_at(2.0);
    assert_near(middle.state.position, 2.0 * X, 1e-15, "middle");
    assert_near(middle.state.velocity, 15.0 / 8.0 * 2.0 * X, 1e-14, "speed");
    assert_near(middle.state.angular_velocity, 15.0 / 8.0 * FRAC_PI_2 / 2.0 * Z, 1e-14, "spin");
    assert_eq!(law.piece(0.0), Span::new(f64::NEG_INFINITY, 1.0));
    assert_eq!(law.piece(1.0), Span::new(1.0, 3.0));
    assert_eq!(law.piece(3.0), Span::new(3.0, 4.0));
    assert_eq!(law.piece(9.0), Span::from(4.0));
}

#[test]
fn a_closed_way_repeats_and_comes_to_rest_in_the_end() {
    let points = [
        Waypoint { time: 0.5, pose: Pose::IDENTITY },
        Waypoint { time: 1.5, pose: Pose::from_translation(X) },
    ];
    let law = Law::Waypoints(Waypoints::closed(&points, 3.0).unwrap());
    assert_eq!(law.piece(0.5 + 3.0 * 7.0), Span::new(21.5, 22.5));
    assert_eq!(law.piece(23.0), Span::new(22.5, 24.5));
    let (here, later) = (law.kinematics_at(1.0), law.kinematics_at(1.0 + 3.0 * 1024.0));
    assert_eq!(here, later);
    assert_eq!(law.state_at(1e12), BodyState::at_rest(Pose::IDENTITY));
    assert_eq!(law.piece(1e12).end, f64::INFINITY);
    assert_eq!(law.state_at(-5.0), BodyState::at_rest(Pose::IDENTITY));
}

#[test]
fn each_fault_of_a_law_is_named() {
    let refused = |error: LawError, part: &str| {
        let message = error.to_string();
        assert!(message.contains(part), "{message}: does not say {part}");
    };
    let identity = DQuat::IDENTITY;
    refused(Cycler::new(Z, [X, X + Y], 1.0, 0.0, identity).unwrap_err(), "not orthogonal");
    refused(Cycler::new(Z, [X, Y], f64::NAN, 0.0, identity).unwrap_err(), "the rate is NaN");
    refused(Cycler::new(Z, [X, Y], 1.0, 0.0, identity * 2.0).unwrap_err(), "has length 2");
    let start = Constant::new(f64::INFINITY, Pose::IDENTITY, X, Z).unwrap_err();
    refused(start, "start time is inf");
    refused(Constant::new(0.0, Pose::IDENTITY, 1e31 * X, Z).unwrap_err(), "velocity is 1");
    let turn = |axis, pivot| swing(Swing::About { axis, pivot }, 1.0, 1.0);
    let oscillator = |terms: &[Oscillation]| Oscillator::new(Pose::IDENTITY, terms).unwrap_err();
    let along = swing(Swing::Along { axis: X }, 1.0, 1.0);
    refused(oscillator(&[along, turn(X, Z), turn(Y, Z)]), "oscillations 2 and 3");
    refused(oscillator(&[turn(X, Z), turn(X, Y)]), "different axes");
    refused(
        oscillator(&[swing(Swing::Along { axis: 0.0 * X }, 1.0, 1.0)]),
        "oscillation 1 is zero",
    );
    let at = |time| Waypoint { time, pose: Pose::IDENTITY };
    refused(Waypoints::new(&[]).unwrap_err(), "empty");
    refused(Waypoints::new(&[at(1.0), at(1.0)]).unwrap_err(), "times must increase");
    refused(Waypoints::closed(&[at(1.0), at(2.0)], 1.0).unwrap_err(), "way back");
}

/// Fourth-order difference quotient.
fn slope(f: impl Fn(f64) -> DVec3, time: f64, step: f64) -> DVec3 {
    (8.0 * (f(time + step) - f(time - step)) - (f(time + 2.0 * step) - f(time - 2.0 * step)))
        / (12.0 * step)
}

#[test]
fn velocities_and_accelerations_are_slopes() {
    // What remains is 2·10⁻¹⁵ s⁴ times the fifth derivative, and that is below (20 rad/s)⁴ of the first.
    let (step, tolerance) = (5e-4, 1e-9);
    let worst = std::cell::Cell::new(0.0_f64);
    for_all(2000, &(law(), -2.0..8.0_f64), |(law, time)| {
        let piece = law.piece(time);
        if time - piece.start < 3.0 * step || piece.end - time < 3.0 * step {
            return;
        }
        let now = law.kinematics_at(time);
        let mut pairs = vec![
            (now.state.velocity, slope(|t| law.state_at(t).position, time, step)),
            (now.acceleration, slope(|t| law.state_at(t).velocity, time, step)),
            (now.angular_acceleration, slope(|t| law.state_at(t).angular_velocity, time, step)),
        ];
        for axis in DVec3::AXES {
            let turned = now.state.angular_velocity.cross(now.state.orientation * axis);
            pairs.push((turned, slope(|t| law.state_at(t).orientation * axis, time, step)));
        }
        for (given, measured) in pairs {
            let size = 10.0 + given.length();
            worst.set(worst.get().max((given - measured).length() / size));
            assert_near(given, measured, tolerance * size, &format!("{law:?} at {time}"));
        }
    });
    println!("slopes: largest relative difference {:.1e}, allowed {tolerance:e}", worst.get());
}

#[test]
fn waypoints_join_with_two_derivatives() {
    for_all(500, &(waypoints(), 0.0..3.0_f64), |(waypoints, time)| {
        let law = Law::Waypoints(waypoints);
        let joint = law.piece(time).end;
        if joint.is_infinite() {
            return;
        }
        let (left, right) = (law.kinematics_at(joint.next_down()), law.kinematics_at(joint));
        assert_near(left.state.position, right.state.position, 1e-14, "position");
        assert_near(left.state.velocity, right.state.velocity, 1e-13, "velocity");
        // s⃛ = 60/T³ times 17 m, over an ulp of time.
        assert_near(left.acceleration, right.acceleration, 1e-11, "acceleration");
        let spins = (left.state.angular_velocity, right.state.angular_velocity);
        assert_near(spins.0, spins.1, 1e-13, "spin");
        assert_near(left.angular_acceleration, right.angular_acceleration, 1e-11, "turn");
        for axis in DVec3::AXES {
            let axes = (left.state.orientation * axis, right.state.orientation * axis);
            assert_near(axes.0, axes.1, 4e-15, "orientation");
        }
    });
}

#[test]
fn paths_stay_in_their_boxes() {
    let tightness: [Tightness; 4] = Default::default();
    for_all(6000, &(law(), window(), any::<bool>()), |(law, window, moved)| {
        let window = at_joint(&law, window, moved);
        let bounds = law.path_box(window);
        let piece = Span::new(window.start, window.end.min(law.piece(window.start).end));
        let path = Aabb::from_points(samples(piece, 256).map(|time| law.state_at(time).position));
        assert!(
            bounds.contains(path.min) && bounds.contains(path.max),
            "{law:?} over {window:?}: {path:?} leaves {bounds:?}"
        );
        if path.diagonal() > 1e-6 {
            tightness[kind(&law)].record(bounds.diagonal() / path.diagonal());
        }
    });
    for (name, tightness) in KINDS.iter().zip(&tightness) {
        tightness.print(&format!("box of {name}"));
    }
    assert!(tightness[0].mean() < 1.001 && tightness[1].mean() < 1.001);
    assert!(tightness[2].mean() < 1.3 && tightness[3].mean() < 1.001);
}

#[test]
fn travel_bounds_hold_and_are_close() {
    let short: [Tightness; 4] = Default::default();
    let middling: [Tightness; 4] = Default::default();
    let inputs = (law(), window(), any::<bool>(), point(2.0), prop::option::of(direction()));
    for_all(12000, &inputs, |(law, window, moved, arm, direction)| {
        let window = at_joint(&law, window, moved);
        let end = window.end.min(law.piece(window.start).end);
        let place = |time: f64| law.state_at(time).pose().point(arm);
        let start = place(window.start);
        let way = place(end) - start;
        let Some(d) = direction.or(way.try_normalize()) else { return };
        let all = law.travels(window, d, Reach::Point(arm)).into_iter();
        let all = all.chain(law.travels(window, d, Reach::Body(arm.length())));
        let all: Vec<Travel> = all.chain([law.travel(window, d, Reach::Point(arm))]).collect();
        for time in samples(Span::new(window.start, end), 64) {
            let gone = d.dot(place(time) - start);
            for (index, travel) in all.iter().enumerate() {
                let bound = travel.after(time - window.start);
                assert!(
                    gone <= bound,
                    "{law:?} over {window:?} along {d}, bound {index} {travel:?} at {time}: {gone:e} > {bound:e}"
                );
            }
        }
        // Over longer windows bodies come back, and the ratio says nothing.
        let lapse = end - window.start;
        if direction.is_none() && way.length() > 1e-6 && lapse < 0.1 {
            let class = if lapse < 0.01 { &short } else { &middling };
            class[kind(&law)].record(all[6].after(lapse) / way.length());
        }
    });
    for (index, name) in KINDS.iter().enumerate() {
        short[index].print(&format!("travel of points of {name}, below 10 ms"));
        middling[index].print(&format!("travel of points of {name}, 10 to 100 ms"));
        assert!(short[index].mean() < 1.05 && middling[index].mean() < 1.3, "{name}");
    }
}

#[test]
fn rates_stay_below_their_bounds() {
    for_all(4000, &(law(), window(), any::<bool>()), |(law, window, moved)| {
        let window = at_joint(&law, window, moved);
        let bounds = law.rate_bounds(window);
        let end = window.end.min(law.piece(window.start).end);
        let last = end.next_down().max(window.start);
        let all: Vec<(f64, Kinematics)> = samples(Span::new(window.start, last), 64)
            .map(|time| (time, law.kinematics_at(time)))
            .collect();
        for (_, now) in &all {
            assert!(now.state.angular_velocity.length() <= bounds.spin, "{law:?} {window:?}");
            let turn = now.angular_acceleration.length();
            assert!(turn <= bounds.angular_acceleration, "{law:?} {window:?} {turn}");
        }
        // Mean third derivatives are below the largest; differences round.
        for pair in all.windows(2) {
            let lapse = pair[1].0 - pair[0].0;
            if lapse < 1e-3 || window.start > 10.0 {
                continue;
            }
            let jerk = (pair[1].1.acceleration - pair[0].1.acceleration).length() / lapse;
            assert!(jerk <= bounds.jerk + 1e-9, "{law:?} {window:?}: {jerk} > {}", bounds.jerk);
            let angular = pair[1].1.angular_acceleration - pair[0].1.angular_acceleration;
            assert!(angular.length() / lapse <= bounds.angular_jerk + 1e-9, "{law:?} {window:?}");
        }
    });
}

#[test]
fn endless_windows_have_answers_without_nan() {
    for_all(400, &(law(), -2.0..5.0_f64, direction()), |(law, start, d)| {
        let window = Span::from(start);
        let bounds = law.path_box(window);
        assert!(!bounds.min.is_nan() && !bounds.max.is_nan(), "{law:?}: {bounds:?}");
        for travel in law.travels(window, d, Reach::Body(1.0)) {
            assert!(!(travel.a + travel.b + travel.c).is_nan(), "{law:?}: {travel:?}");
        }
        let travel = law.travel(window, d, Reach::Point(X));
        assert!(travel.b.is_finite(), "{law:?}: {travel:?}");
    });
}

#[test]
fn no_time_makes_a_law_panic() {
    let times = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 0.0];
    for_all(200, &(law(), direction()), |(law, d)| {
        for start in times {
            let window = Span::new(start, start + 1.0);
            let _ = (law.kinematics_at(start), law.piece(start), law.path_box(window));
            let _ = law.travel_towards(window, d, Reach::Body(1.0), 1.0);
        }
    });
}

const KINDS: [&str; 4] = ["constants", "cyclers", "oscillators", "waypoints"];

fn kind(law: &Law) -> usize {
    match law {
        Law::Constant(_) => 0,
        Law::Cycler(_) => 1,
        Law::Oscillator(_) => 2,
        Law::Waypoints(_) => 3,
    }
}

/// proves: m1/GM-R1
#[test]
fn a_cycler_stays_in_box_and_bounds_of_the_thesis() {
    let inputs = (cycler(), window(), direction(), 0.0..3.0_f64);
    for_all(6000, &inputs, |(cycler, window, d, radius)| {
        let law = Law::Cycler(cycler.clone());
        let start = law.state_at(window.start).position;
        let bounds = law.path_box(window);
        let linear = cycler.linear_travel(window, d);
        let quadratic = cycler.quadratic_travel(window, d);
        assert_eq!(linear.a, 0.0);
        for time in samples(window, 64) {
            let place = law.state_at(time).position;
            assert!(bounds.contains(place), "{cycler:?} at {time}: {place} outside {bounds:?}");
            // The orientation is constant, so each point of the body gets as far as the centre.
            let arm = law.state_at(time).orientation * (radius * X);
            let gone = d
                .dot(place + arm - (start + law.state_at(window.start).orientation * (radius * X)));
            let padding = 8.0 * f64::EPSILON * radius;
            for travel in [linear, quadratic] {
                let bound = travel.after(time - window.start);
                assert!(gone <= bound + padding, "{cycler:?} at {time}: {gone} > {bound}");
            }
        }
    });
}

/// proves: m1/GM-R1
#[test]
fn the_choice_between_the_bounds_of_a_cycler_follows_the_crossing_distance() {
    for_all(2000, &(cycler(), -2.0..5.0_f64, direction()), |(cycler, start, d)| {
        let window = Span::new(start, start + 10.0);
        let (linear, quadratic) =
            (cycler.linear_travel(window, d), cycler.quadratic_travel(window, d));
        let crossing = cycler.crossing_distance(start, d);
        let (nearer, farther) = (0.999 * crossing, 1.001 * crossing);
        assert_eq!(cycler.travel_towards(window, d, nearer), quadratic);
        assert_eq!(cycler.travel_towards(window, d, farther), linear);
        // That is the bound that takes longer to get there.
        let time = |travel: &Travel, distance| time_to_cover(travel, distance);
        if crossing > 1e-6 {
            assert!(time(&quadratic, nearer) >= time(&linear, nearer), "{cycler:?} {d}");
            assert!(time(&linear, farther) >= time(&quadratic, farther), "{cycler:?} {d}");
        }
    });
}

/// proves: m1/GM-R1
#[test]
fn the_box_of_a_cycler_is_that_of_its_ends_and_axis_crossings() {
    let cycler = Cycler::new(Z, [2.0 * X, Y], 1.0, 0.0, DQuat::IDENTITY).unwrap();
    let law = Law::Cycler(cycler);
    let same = |window: Span, min: DVec3, max: DVec3| {
        let bounds = law.path_box(window);
        assert_near(bounds.min, min, 1e-13, "least corner");
        assert_near(bounds.max, max, 1e-13, "largest corner");
    };
    let (sin, cos) = libm::sincos(1.0);
    same(Span::new(0.0, 1.0), DVec3::new(2.0 * cos, 0.0, 1.0), DVec3::new(2.0, sin, 1.0));
    same(Span::new(-1.0, 1.0), DVec3::new(2.0 * cos, -sin, 1.0), DVec3::new(2.0, sin, 1.0));
    same(Span::new(1.0, 1.0 + PI), DVec3::new(-2.0, -sin, 1.0), DVec3::new(2.0 * cos, 1.0, 1.0));
    let (least, most) = (DVec3::new(-2.0, -1.0, 1.0), DVec3::new(2.0, 1.0, 1.0));
    same(Span::new(3.0, 3.0 + TAU), least, most);
    same(Span::from(3.0), least, most);
}

#[test]
fn a_bound_towards_a_distance_is_the_slowest_of_all() {
    let inputs = (law(), -2.0..5.0_f64, direction(), 1e-3..3.0_f64);
    for_all(2000, &inputs, |(law, start, d, distance)| {
        let window = Span::new(start, start + 1.0);
        let reach = Reach::Body(0.3);
        let chosen = law.travel_towards(window, d, reach, distance);
        let lapse = chosen.valid_until - start;
        let time = |travel: &Travel| time_to_cover(travel, distance).min(lapse);
        for travel in law.travels(window, d, reach) {
            assert!(time(&chosen) >= time(&travel) - 1e-12, "{law:?}: {chosen:?}, {travel:?}");
        }
    });
}
