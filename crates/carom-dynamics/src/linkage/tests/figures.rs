//! Speed. Figures are printed; only what cannot depend on the machine is asserted.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use carom_geometry::Pose;
use glam::DVec3;

use super::super::{JointForce, Linkage, Window};
use super::dynamics::chain;
use super::{Dice, Run, free};
use crate::tree::tests::{diagonal, tree_of};
use crate::tree::{Joint, LinkImpulse, LinkSpec, Tree};
use crate::{Impulse, Reach, Span};

/// A body with four legs of three revolute joints each, floating.
fn robot() -> Tree {
    let trunk = diagonal(10.0, DVec3::ZERO, [0.1, 0.3, 0.35]);
    let mut links = vec![LinkSpec {
        parent: None,
        parent_from_joint: Pose::IDENTITY,
        joint: Joint::Free,
        body: trunk,
    }];
    for leg in 0..4 {
        let sign = |bit: usize| if leg >> bit & 1 == 0 { -1.0 } else { 1.0 };
        let hip = DVec3::new(0.2 * sign(0), 0.1 * sign(1), 0.0);
        let places = [hip, DVec3::new(0.0, 0.05 * sign(1), 0.0), DVec3::new(0.0, 0.0, -0.2)];
        let axes = [DVec3::X, DVec3::Y, DVec3::Y];
        for (k, (at, axis)) in places.into_iter().zip(axes).enumerate() {
            links.push(LinkSpec {
                parent: Some(if k == 0 { 0 } else { links.len() - 1 }),
                parent_from_joint: Pose::from_translation(at),
                joint: Joint::Revolute { axis },
                body: diagonal(0.5, DVec3::new(0.0, 0.0, -0.1), [2e-3, 2e-3, 3e-4]),
            });
        }
    }
    tree_of(&links)
}

/// Strikes every millisecond: cut, impulse, a new segment, new bounds for all links.
fn strike(name: &str, tree: Tree, tolerance: f64, strikes: u32) {
    let (n, links) = (tree.n_v(), tree.n_links());
    let q = tree.neutral();
    let mut run = Run::new(&free(tree, tolerance), &q, &vec![0.1; n]);
    let (mut dice, mut window) = (Dice(1), Window::default());
    let mut after = vec![0.0; n];
    let mut course = run.look_ahead(f64::INFINITY);
    run.calls = 0;
    let each = seconds(strikes, || {
        let time = (course.span().start + 1e-3).min(course.span().end);
        run.go_to(&course, time);
        let link = (dice.roll() * links as f64) as usize;
        let point = course.link(link).state_at(time).position + DVec3::new(0.0, 0.01, 0.0);
        let linear = 0.02 * (DVec3::new(dice.roll(), dice.roll(), dice.roll()) - 0.5);
        let impulses =
            [LinkImpulse { link, impulse: Impulse { point, linear, angular: DVec3::ZERO } }];
        run.linkage.struck(&run.q, &run.v, &impulses, &[], &mut run.workspace, &mut after).unwrap();
        run.v.copy_from_slice(&after);
        course = run.look_ahead(f64::INFINITY);
        let end = (time + 1e-3).min(course.span().end);
        course.window(Span::new(time, end), &mut window);
    });
    let calls = run.calls as f64 / f64::from(BATCHES * strikes);
    println!(
        "{name}, tolerance {tolerance:e}: {:.0} strikes per second, {calls:.1} calls each, segments of {:.1} ms",
        1.0 / each,
        1e3 * course.span().length()
    );
    assert!(calls < 60.0);
}

#[test]
fn strikes_are_cheap() {
    for tolerance in [1e-6, 1e-8] {
        strike("3 rods", chain(3, 0.3, 1.0), tolerance, 2_000);
        strike("12-joint robot", robot(), tolerance, 500);
    }
}

/// How often a time is taken; the least counts, because others use the machine, too.
const BATCHES: u32 = 10;

/// Time of one piece of work `[s]`.
fn seconds(repeats: u32, mut work: impl FnMut()) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..BATCHES {
        let clock = Instant::now();
        for _ in 0..repeats {
            work();
        }
        least = least.min(clock.elapsed().as_secs_f64() / f64::from(repeats));
    }
    least
}

#[test]
fn a_window_costs_a_small_share_of_a_segment() {
    for (name, tree) in
        [("3 rods", chain(3, 0.3, 1.0)), ("12 rods", chain(12, 0.1, 0.1)), ("robot", robot())]
    {
        let (n, links) = (tree.n_v(), tree.n_links());
        let q = tree.neutral();
        let mut run = Run::new(&free(tree, 1e-8), &q, &vec![0.3; n]);
        let mut course = run.step(f64::INFINITY);
        let segment = seconds(30, || course = run.step(f64::INFINITY));
        let mut window = Window::default();
        let all = seconds(2000, || course.window(black_box(course.span()), &mut window));
        let motion = course.link(links - 1);
        let time = course.span().start + 0.3 * course.span().length();
        let state = seconds(5000, || {
            black_box(motion.state_at(black_box(time)));
        });
        let travel = seconds(5000, || {
            black_box(motion.travel(black_box(course.span()), DVec3::X, Reach::Body(0.1)));
        });
        println!(
            "{name}: segment {:.1} µs, window for all links {:.2} µs ({:.1} %), last link: state {:.0} ns, travel {:.0} ns",
            1e6 * segment,
            1e6 * all,
            100.0 * all / segment,
            1e9 * state,
            1e9 * travel
        );
    }
}

/// Segments and settling of the robot, with friction in so many of its legs' joints that hold.
#[test]
fn friction_and_stops_cost_what_they_hold() {
    for (name, friction, limits) in [
        ("free", 0.0, None),
        ("stops that are not reached", 0.0, Some([-3.0, 3.0])),
        ("all joints slide", 1e-3, None),
        ("all joints stick", 100.0, None),
    ] {
        let tree = robot();
        let (n, q) = (tree.n_v(), tree.neutral());
        let joint = JointForce { friction, limits, ..JointForce::default() };
        let joints = (0..n).map(|k| if k < 6 { JointForce::default() } else { joint }).collect();
        let linkage = Arc::new(Linkage::new(tree, joints, 1e-8).unwrap());
        let mut v = vec![0.3; n];
        if friction > 1.0 {
            v[6..].fill(0.0);
        }
        let mut run = Run::new(&linkage, &q, &v);
        run.settle(None);
        let mut course = run.look_ahead(0.01);
        run.calls = 0;
        let segment = seconds(50, || course = run.look_ahead(0.01));
        let calls = run.calls as f64 / f64::from(50 * BATCHES);
        let settling = seconds(200, || {
            run.settle(None);
        });
        println!(
            "robot, {name}: a segment of {:.1} ms takes {:.1} µs and {calls:.1} calls, settling {:.2} µs",
            1e3 * course.span().length(),
            1e6 * segment,
            1e6 * settling
        );
        let info = allocation_counter::measure(|| {
            run.settle(None);
        });
        assert_eq!(info.count_total, 0);
    }
}
