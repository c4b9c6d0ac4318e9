//! Errors fall with the step as the order says: 2s − 1 at segment ends, s + 1 for velocities within.

use super::testing::Given;
use crate::Span;
use crate::collocation::Rule;
use crate::collocation::segment::{Point, Segment};
use crate::collocation::sweep::{Attempt, Sweeper};

/// A driven pendulum with drag, integrated from 0 to `end` in equal parts; its last segment and its end.
fn swing(rule: Rule, parts: u32, end: f64) -> (Segment, Point) {
    let mut system = Given(1, |t: f64, q: &[f64], v: &[f64], out: &mut [f64]| {
        out[0] = -4.0 * libm::sin(q[0]) - 0.3 * v[0] * v[0] * v[0] + libm::cos(3.0 * t);
    });
    let (mut sweeper, mut segment) = (Sweeper::default(), Segment::new());
    let mut point = Point { q: vec![1.0], v: vec![0.5], a: vec![0.0] };
    let h = end / f64::from(parts);
    for part in 0..parts {
        sweeper.resize(1, rule.nodes());
        let time = f64::from(part) * h;
        // A hundredth of it is what sweeps leave: 10⁻¹⁴.
        let allowed = &[(1e-12, 1e-12)];
        let attempt = Attempt { rule, time, h, q0: &point.q, v0: &point.v, allowed };
        // Long parts take more sweeps than an integrator would grant: a second call goes on with them.
        let solved = (0..4).any(|_| sweeper.solve(&mut system, &attempt).is_ok());
        assert!(solved, "no solution over {h} s");
        segment.begin(Span::new(time, time + h), rule.nodes(), &point.q, &point.v);
        segment.finish(rule.tables().bernstein, &sweeper.at_nodes);
        segment.state_at(time + h, &mut point);
    }
    (segment, point)
}

fn apart(a: &Point, b: &Point) -> f64 {
    (a.q[0] - b.q[0]).abs().max((a.v[0] - b.v[0]).abs())
}

#[test]
fn segment_ends_converge_with_order_2s_minus_1_and_middles_with_s_plus_1() {
    let (_, truth) = swing(Rule::Six, 24, 1.0);
    for (rule, parts) in [(Rule::Four, [4, 8]), (Rule::Six, [2, 4])] {
        let s = rule.nodes() as f64;
        let (mut at_ends, mut within) = ([0.0; 2], [0.0; 2]);
        for (k, parts) in parts.into_iter().enumerate() {
            at_ends[k] = apart(&swing(rule, parts, 1.0).1, &truth);
            // The integral of the node polynomial is extreme at nodes; the first is inside.
            let (first, _) = swing(rule, 1, 1.0 / f64::from(parts));
            let mut point = Point::default();
            let t = rule.tables().nodes[1] * first.span().end;
            first.state_at(t, &mut point);
            within[k] = apart(&point, &swing(Rule::Six, 12, t).1);
        }
        let [ends, middles] = [at_ends, within].map(|e| libm::log2(e[0] / e[1]));
        println!(
            "{rule:?}: ends {at_ends:?} order {ends:.2}, within {within:?} order {middles:.2}"
        );
        assert!(ends > 2.0 * s - 2.0, "{rule:?}: order {ends} at ends");
        assert!(middles > s + 0.5, "{rule:?}: order {middles} within");
    }
}
