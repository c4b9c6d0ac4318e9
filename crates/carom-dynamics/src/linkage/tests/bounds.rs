//! No point of a link is ever outside what was promised, and the promise is not much larger than the motion.

use std::cell::Cell;
use std::sync::Arc;

use glam::DVec3;
use proptest::prelude::*;

use super::super::window::Shares;
use super::super::{Course, LinkMotion, Window};
use super::{Run, free};
use crate::law::testing::{Tightness, samples};
use crate::testing::{direction, log_uniform};
use crate::tree::tests::{Case, any_case, for_all};
use crate::{Reach, Span};

/// A tree on its way, from a state with velocities `haste` times as large as usual.
pub(super) fn courses(case: &Case, haste: f64, count: usize) -> Vec<Arc<Course>> {
    let v: Vec<f64> = case.v.iter().map(|v| haste * v).collect();
    let mut run = Run::new(&free(case.tree.clone(), 1e-7), &case.q, &v);
    (0..count).map(|_| run.step(f64::INFINITY)).collect()
}

/// Starts anywhere in the span and lasts from 10⁻¹³ s to all that is left of it.
pub(super) fn window_in(course: &Course, start: f64, length: f64) -> Span {
    let span = course.span();
    let start = span.start + start * span.length();
    Span::new(start, (start + length.max(1e-13)).min(span.end))
}

#[derive(Clone, Copy, Debug)]
struct Look {
    haste: f64,
    start: f64,
    length: f64,
    along: DVec3,
    point: DVec3,
}

fn any_look() -> impl Strategy<Value = Look> {
    let start = prop_oneof![2 => Just(0.0), 3 => 0.0..1.0_f64];
    let length = prop_oneof![3 => log_uniform(-13.0..-1.0), 2 => Just(1e3)];
    let haste = prop_oneof![3 => Just(1.0), 1 => Just(0.01), 2 => log_uniform(0.0..1.5)];
    (haste, start, length, direction(), direction()).prop_map(
        |(haste, start, length, along, point)| Look { haste, start, length, along, point },
    )
}

/// How many sampled points break a bound, and how many were looked at.
fn broken(motion: &LinkMotion, window: Span, look: &Look, shares: Shares) -> [u32; 2] {
    let path = motion.path_box_with(window, shares);
    let radius = 0.4;
    let state = motion.state_at(window.start);
    let to_body = state.orientation.conjugate();
    let fastest = to_body * look.along.cross(state.angular_velocity).normalize_or_zero();
    let points = [DVec3::ZERO, radius * look.point, radius * fastest];
    let of_body = motion.travel_with(window, look.along, Reach::Body(radius), shares);
    let of_points =
        points.map(|point| motion.travel_with(window, look.along, Reach::Point(point), shares));
    let (mut count, mut all) = (0, 0);
    let place = |time: f64| points.map(|point| motion.state_at(time).pose().point(point));
    let first = place(window.start);
    for time in samples(window, 16) {
        let (tau, now) = (time - window.start, place(time));
        count += u32::from(!path.contains(now[0]));
        for k in 0..3 {
            let way = look.along.dot(now[k] - first[k]);
            count += u32::from(way > of_points[k].after(tau));
            count += u32::from(way > of_body.after(tau));
            all += 2;
        }
    }
    [count, all]
}

fn broken_in_all(cases: u32, shares: Shares, assert_none: bool) -> [u32; 2] {
    let total = Cell::new([0; 2]);
    for_all(cases, &(any_case(false), proptest::array::uniform3(any_look())), |(case, looks)| {
        for course in courses(&case, looks[0].haste, 2) {
            for look in &looks {
                let window = window_in(&course, look.start, look.length);
                for link in 0..case.tree.n_links() {
                    let motion = course.link(link);
                    let [count, all] = broken(&motion, window, look, shares);
                    if assert_none {
                        assert_eq!(
                            count, 0,
                            "link {link} in {window:?}, {look:?}, {:?}",
                            case.tree
                        );
                    }
                    total.set([total.get()[0] + count, total.get()[1] + all]);
                }
            }
        }
    });
    total.get()
}

#[test]
fn no_point_of_a_link_is_ever_where_it_was_promised_not_to_be() {
    let [count, all] = broken_in_all(400, Shares::WHOLE, true);
    println!("{count} of {all} samples outside");
    assert_eq!(count, 0);
}

#[test]
fn deliberate_faults_are_caught() {
    let faults = [
        ("no remainder", Shares { remainder: 0.0, rounding: 1.0 }),
        ("a fifth of the remainder", Shares { remainder: 0.2, rounding: 1.0 }),
        ("no rounding", Shares { remainder: 1.0, rounding: 0.0 }),
    ];
    for (name, shares) in faults {
        let [count, all] = broken_in_all(60, shares, false);
        println!("{name}: {count} of {all} samples outside");
        assert!(count > 0, "{name} was not caught");
    }
}

/// Bound over actual way of points 0.3 m from the centre of mass, along the way they went.
fn record_tightness(motion: &LinkMotion, window: Span, point: DVec3, into: &[Tightness; 2]) {
    let place = |time: f64| motion.state_at(time).pose().point(0.3 * point);
    let way = place(window.end) - place(window.start);
    if way.length() > 1e-4 {
        let reach = Reach::Point(0.3 * point);
        let bound = motion.travel(window, way.normalize_or_zero(), reach);
        into[0].record(bound.after(window.length()) / way.length());
    }
    let mut actual = carom_geometry::Aabb::EMPTY;
    for time in samples(window, 16) {
        actual = actual.with_point(motion.state_at(time).position);
    }
    if actual.diagonal() > 1e-4 {
        into[1].record(motion.path_box(window).diagonal() / actual.diagonal());
    }
}

#[test]
fn bounds_are_tight() {
    let (short, whole): ([Tightness; 2], [Tightness; 2]) = Default::default();
    let lengths = Tightness::default();
    for_all(300, &(any_case(false), any_look()), |(case, look)| {
        for course in courses(&case, 1.0, 12) {
            let span = course.span();
            lengths.record(span.length());
            for link in 0..case.tree.n_links() {
                if course.linkage().depths[link] > 5 {
                    continue;
                }
                let motion = course.link(link);
                record_tightness(
                    &motion,
                    window_in(&course, 0.3 * look.start, 5e-3),
                    look.point,
                    &short,
                );
                record_tightness(&motion, span, look.point, &whole);
            }
        }
    });
    lengths.print("segments, seconds");
    short[0].print("travel, 5 ms");
    short[1].print("boxes, 5 ms");
    whole[0].print("travel, whole segments");
    whole[1].print("boxes, whole segments");
    assert!(short[0].mean() <= 1.05, "{}", short[0].mean());
    assert!(whole[0].mean() <= 1.25, "{}", whole[0].mean());
}

#[test]
fn a_window_for_all_links_is_that_of_each() {
    for_all(60, &(any_case(false), any_look()), |(case, look)| {
        let mut all = Window::default();
        for course in courses(&case, look.haste, 1) {
            let window = window_in(&course, look.start, look.length);
            course.window(window, &mut all);
            for link in 0..case.tree.n_links() {
                let motion = course.link(link);
                assert_eq!(all.boxes[link], motion.path_box(window));
                assert_eq!(all.rates[link], motion.rate_bounds(window));
            }
            course.all_kinematics(window.start, &mut all);
            let tree = &case.tree;
            let (mut q, mut v) = (tree.neutral(), vec![0.0; tree.n_v()]);
            course.joint_state(window.start, &mut q, &mut v);
            for link in 0..tree.n_links() {
                assert_eq!(all.kinematics[link], course.link(link).kinematics_at(window.start));
                let (of_q, of_v) = (tree.q_range(link), tree.v_range(link));
                let (mut own_q, mut own_v) = (vec![0.0; of_q.len()], vec![0.0; of_v.len()]);
                course.joint_state_of(link, window.start, &mut own_q, &mut own_v);
                assert_eq!((&own_q[..], &own_v[..]), (&q[of_q], &v[of_v]));
            }
        }
    });
}
