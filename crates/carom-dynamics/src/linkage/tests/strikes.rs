//! Cuts and strikes.

use glam::DVec3;

use super::dynamics::chain;
use super::{Dice, Run, free};
use crate::Impulse;
use crate::testing::direction;
use crate::tree::tests::{any_case, for_all, largest_difference};
use crate::tree::{LinkImpulse, LinkPoint, Scratch};

#[test]
fn cuts_at_random_times_change_a_run_by_no_more_than_the_tolerance() {
    let tolerance = 1e-10;
    let linkage = free(chain(3, 1.0, 1.0), tolerance);
    let new = || Run::new(&linkage, &[0.0; 3], &[0.0; 3]);
    let (mut whole, mut pieces, mut dice) = (new(), new(), Dice(7));
    whole.advance(3.0);
    while pieces.time < 3.0 {
        let course = pieces.look_ahead(3.0);
        let span = course.span();
        let cut = span.start + (0.1 + dice.roll()).min(1.0) * span.length();
        pieces.go_to(&course, cut.min(span.end));
    }
    let apart = largest_difference(&whole.q, &pieces.q);
    println!("{} and {} segments end {apart:.1e} rad apart", whole.segments, pieces.segments);
    // Each cut may cost the tolerance, and the pendulum multiplies errors by some hundred.
    assert!(apart < tolerance * pieces.segments as f64 * 100.0, "{apart:e}");
}

#[test]
fn a_burst_of_strikes_a_rounding_apart_does_not_stop_a_linkage() {
    let mut run = Run::new(&free(chain(3, 1.0, 1.0), 1e-7), &[0.3; 3], &[0.0; 3]);
    run.advance(10.0);
    let before = run.look_ahead(f64::INFINITY).span().length();
    for _ in 0..50 {
        let course = run.look_ahead(f64::INFINITY);
        run.go_to(&course, run.time.next_up());
        run.v[0] = -run.v[0];
    }
    let after = run.look_ahead(f64::INFINITY).span().length();
    println!("segments of {before:.1e} s before and {after:.1e} s after the burst");
    assert!(after > 1e-3 * before);
}

#[test]
fn a_strike_adds_its_momentum_and_no_more() {
    for_all(100, &(any_case(true), direction(), direction()), |(case, at, along)| {
        let linkage = free(case.tree.clone(), 1e-8);
        let mut run = Run::new(&linkage, &case.q, &case.v);
        let course = run.look_ahead(f64::INFINITY);
        let time = course.span().start + 0.4 * course.span().length();
        run.go_to(&course, time);
        let link = case.tree.n_links() - 1;
        let point = course.link(link).state_at(time).position + 0.2 * at;
        let impulse = Impulse { point, linear: 3.0 * along, angular: DVec3::ZERO };
        let momentum = |v: &[f64]| {
            let mut scratch = Scratch::new(&case.tree);
            case.tree.place(&run.q, v, &mut scratch);
            scratch.momentum()
        };
        let mut after = vec![0.0; case.tree.n_v()];
        let strike = [LinkImpulse { link, impulse }];
        linkage.struck(&run.q, &run.v, &strike, &[], &mut run.workspace, &mut after).unwrap();
        let (before, now) = (momentum(&run.v), momentum(&after));
        let scale = 1.0 + now.angular.length() + now.linear.length();
        let off = (now.linear - before.linear - impulse.linear).length();
        let turned = now.angular - before.angular - point.cross(impulse.linear);
        assert!(off.max(turned.length()) < 1e-10 * scale, "{off:e}, {turned}");
        // The point answers as its block of responses says.
        let mut block = [glam::DMat3::ZERO];
        let points = [LinkPoint { link, point }];
        linkage.responses(&run.q, &points, &mut run.workspace, &mut block).unwrap();
        let mut velocity =
            |v: &[f64]| linkage.body_state(&run.q, v, link, &mut run.workspace).velocity_at(point);
        let jump = velocity(&after) - velocity(&run.v);
        assert!((jump - block[0] * impulse.linear).length() < 1e-10 * (1.0 + jump.length()));
        // And the motion goes on from there.
        run.v = after;
        let next = run.look_ahead(f64::INFINITY);
        assert!(next.span().start == time && next.span().length() > 0.0);
    });
}
