//! Random linkages with friction and stops over long runs.

use std::cell::Cell;
use std::sync::Arc;

use glam::DVec3;

use super::super::{Ahead, JointForce, Linkage, Mode};
use super::dynamics::chain;
use super::{Dice, Run};
use crate::tree::Tree;
use crate::tree::tests::{any_case, for_all, largest_difference};
use crate::{Reach, Span};

/// Friction and stops around `q` in every freedom that can have them.
fn restrained(tree: &Tree, q: &[f64], dice: &mut Dice) -> Vec<JointForce> {
    let mut joints = Vec::new();
    for link in 0..tree.n_links() {
        let plain = tree.joint(link).quaternion().is_none();
        for k in 0..tree.v_range(link).len() {
            let mut joint = JointForce { damping: 0.2 * dice.roll(), ..JointForce::default() };
            if plain {
                let q = q[tree.q_range(link).start + k];
                joint.restitution = dice.roll();
                if dice.roll() < 0.7 {
                    joint.limits = Some([q - dice.roll(), q + dice.roll()]);
                }
                if dice.roll() < 0.5 {
                    joint.friction = 2.0 * dice.roll();
                }
            }
            joints.push(joint);
        }
    }
    joints
}

/// A run with cuts at random times; the largest growth of energy beyond work and losses, and strikes of stops.
fn run_with_cuts(run: &mut Run, end: f64, cuts: f64, seed: u64) -> (f64, usize) {
    let mut dice = Dice(seed);
    let settled = run.settle(None);
    let (mut booked, mut strikes) = (run.energy(), settled.strikes);
    let mut growth = 0.0_f64;
    let (mut q, mut v) = (run.q.clone(), run.v.clone());
    while run.time < end {
        let course = run.look_ahead(end);
        let span = course.span();
        for share in [0.0, dice.roll(), dice.roll(), 1.0] {
            let time = (span.start + share * span.length()).min(span.end);
            course.joint_state(time, &mut q, &mut v);
            for restraint in &run.linkage.restraints {
                if let Some([low, high]) = restraint.limits {
                    let q = q[restraint.coordinate];
                    assert!(low <= q && q <= high, "{q} of {low}..{high}");
                }
            }
        }
        let is_cut = dice.roll() < cuts && span.length() > 0.0;
        let time = if is_cut { span.start + dice.roll() * span.length() } else { span.end };
        run.go_to(&course, time);
        booked += course.work(span.start, time) - course.loss(span.start, time);
        let transition = course.transition().filter(|_| time == span.end);
        let settled = run.settle(transition);
        booked -= settled.loss;
        strikes += settled.strikes;
        growth = growth.max(run.energy() - booked);
        assert!(run.segments < 100_000, "no way out at {} s", run.time);
    }
    (growth, strikes)
}

#[test]
fn random_linkages_with_friction_and_stops_never_gain_energy_nor_leave_their_limits() {
    let (most, strikes, segments) = (Cell::new(0.0_f64), Cell::new(0), Cell::new(0_u64));
    let (rounds, densest) = (Cell::new(0_u64), Cell::new(0_u64));
    for_all(60, &any_case(false), |case| {
        rounds.set(rounds.get() + 1);
        let mut dice = Dice(rounds.get());
        let joints = restrained(&case.tree, &case.q, &mut dice);
        let linkage = Arc::new(Linkage::new(case.tree.clone(), joints, 1e-10).unwrap());
        let mut run = Run::new(&linkage, &case.q, &case.v);
        let mut again = run.clone();
        let kinetic = linkage.kinetic_energy(&case.q, &case.v, &mut run.workspace);
        let (growth, struck) = run_with_cuts(&mut run, 2.0, 0.2, 3);
        // Trees fall, and what they fall counts, too.
        let scale = 1.0 + kinetic + linkage.kinetic_energy(&run.q, &run.v, &mut run.workspace);
        most.set(most.get().max(growth / scale));
        strikes.set(strikes.get() + struck);
        segments.set(segments.get() + run.segments);
        densest.set(densest.get().max(run.segments));
        if rounds.get() <= 10 {
            run_with_cuts(&mut again, 2.0, 0.2, 3);
            let bits = |run: &Run| -> Vec<u64> {
                run.q.iter().chain(&run.v).map(|x| x.to_bits()).collect()
            };
            assert_eq!(bits(&run), bits(&again));
            assert_eq!(run.mode, again.mode);
        }
    });
    println!(
        "{} linkages for 2 s: {} strikes, {} segments, at most {} for one; energy grew by {:.1e} of its size at most",
        rounds.get(),
        strikes.get(),
        segments.get(),
        densest.get(),
        most.get()
    );
    assert!(most.get() < 1e-9, "{:e}", most.get());
    // Light links between narrow stops rattle, but they do not do so without end.
    assert!(densest.get() < 10_000);
}

#[test]
fn cuts_change_a_run_with_friction_and_stops_by_no_more_than_the_tolerance() {
    let tolerance = 1e-10;
    let joint = |low, high| JointForce {
        friction: 0.4,
        limits: Some([low, high]),
        restitution: 0.5,
        ..JointForce::default()
    };
    let linkage =
        Linkage::new(chain(2, 1.0, 1.0), vec![joint(-1.0, 2.0), joint(-0.8, 0.8)], tolerance);
    let linkage = Arc::new(linkage.unwrap());
    let mut whole = Run::new(&linkage, &[0.0; 2], &[0.0; 2]);
    let (_, strikes) = run_with_cuts(&mut whole, 2.0, 0.0, 0);
    let mut worst = 0.0_f64;
    for seed in 1..10 {
        let mut pieces = Run::new(&linkage, &[0.0; 2], &[0.0; 2]);
        let (_, other) = run_with_cuts(&mut pieces, 2.0, 0.5, seed);
        worst = worst.max(largest_difference(&whole.q, &pieces.q));
        assert_eq!(strikes, other);
    }
    println!("{strikes} strikes, {} segments, runs end {worst:.1e} rad apart", whole.segments);
    assert!(strikes > 3 && worst < 1e-6, "{worst:e}");
}

#[test]
fn links_stay_within_their_bounds_up_to_their_stops() {
    let (checked, at_stops) = (Cell::new(0), Cell::new(0));
    for_all(60, &any_case(false), |case| {
        let mut dice = Dice(case.tree.n_v() as u64 + 17);
        let joints = restrained(&case.tree, &case.q, &mut dice);
        let linkage = Arc::new(Linkage::new(case.tree.clone(), joints, 1e-8).unwrap());
        let mut run = Run::new(&linkage, &case.q, &case.v);
        run.time = 1000.0;
        run.follow(1000.3, |run, course, _| {
            let span = course.span();
            at_stops.set(at_stops.get() + usize::from(course.transition().is_some()));
            for length in [span.length(), 1e-6, 1e-9, 1e-13] {
                let window = Span::new((span.end - length).max(span.start), span.end);
                for link in 0..run.linkage.tree().n_links() {
                    let motion = course.link(link);
                    let travel = motion.travel(window, DVec3::X, Reach::Body(0.0));
                    let before = motion.state_at(window.start).position;
                    for share in [0.0, 0.37, 1.0] {
                        let time = (window.start + share * window.length()).min(window.end);
                        let position = motion.state_at(time).position;
                        assert!(motion.path_box(window).contains(position));
                        let way = (position - before).x;
                        assert!(way <= travel.after(time - window.start), "{way:e}");
                        checked.set(checked.get() + 1);
                    }
                }
            }
        });
    });
    println!("{} places, {} courses with transitions", checked.get(), at_stops.get());
    assert!(at_stops.get() > 100);
}

#[test]
fn stops_that_are_never_reached_change_no_bit() {
    let limits = Some([-100.0, 100.0]);
    let [mut plain, mut stopped] = [None, limits].map(|limits| {
        let joint = JointForce { limits, damping: 0.1, ..JointForce::default() };
        Run::new(&super::linkage(chain(4, 0.5, 1.0), joint, 1e-8), &[0.2; 4], &[0.0; 4])
    });
    plain.advance(3.0);
    stopped.follow(3.0, |_, course, _| assert_eq!(course.transition(), None));
    println!("{} segments, {} calls", plain.segments, plain.calls);
    assert_eq!((plain.q, plain.v, plain.calls), (stopped.q, stopped.v, stopped.calls));
}

#[test]
fn a_run_that_was_saved_with_its_mode_carries_on_with_the_same_bits() {
    let joint = JointForce {
        friction: 0.4,
        limits: Some([-0.8, 0.8]),
        restitution: 0.5,
        ..JointForce::default()
    };
    let linkage = super::linkage(chain(3, 1.0, 1.0), joint, 1e-8);
    let mut run = Run::new(&linkage, &[0.0; 3], &[0.0; 3]);
    run.follow(1.3, |_, _, _| {});
    let (mut numbers, mut grips) = (Vec::new(), Vec::new());
    run.ahead.write(&mut numbers);
    run.mode.write(&mut grips);
    let mut other = Run::new(&linkage, &run.q, &run.v);
    other.time = run.time;
    other.ahead = Ahead::read(&numbers).unwrap();
    other.mode = Mode::read(&grips).unwrap();
    println!("{:?}", other.mode.grips());
    for _ in 0..20 {
        let [course, same] = [&mut run, &mut other].map(|run| {
            let course = run.step(f64::INFINITY);
            run.settle(course.transition());
            course
        });
        assert_eq!(course, same);
    }
}
