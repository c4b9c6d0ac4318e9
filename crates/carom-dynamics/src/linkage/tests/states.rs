//! What is promised of answers: bits, purity, storage, refusals.

use glam::{DMat3, DVec3};

use super::super::{Ahead, JointForce, Linkage, LinkageError};
use super::dynamics::chain;
use super::{Run, free};
use crate::collocation::IntegrationError;
use crate::tree::tests::{any_case, for_all, largest_difference, rod, tree_of};
use crate::tree::{Chart, Joint, Scratch};
use crate::{BodyState, Motion, Reach, Span};

fn bits(state: &BodyState) -> Vec<u64> {
    let BodyState { position, orientation, velocity, angular_velocity } = state;
    let vectors = [position, velocity, angular_velocity].map(|v| v.to_array().map(f64::to_bits));
    vectors.into_iter().flatten().chain(orientation.to_array().map(f64::to_bits)).collect()
}

#[test]
fn at_its_start_a_course_is_the_state_it_was_made_from_to_the_bit() {
    for_all(200, &any_case(false), |case| {
        let mut run = Run::new(&free(case.tree.clone(), 1e-6), &case.q, &case.v);
        for _ in 0..2 {
            let (q, v) = (run.q.clone(), run.v.clone());
            let course = run.look_ahead(f64::INFINITY);
            let (mut q_start, mut v_start) = (q.clone(), v.clone());
            course.joint_state(run.time, &mut q_start, &mut v_start);
            assert_eq!((&q, &v), (&q_start, &v_start));
            for link in 0..case.tree.n_links() {
                let given = run.linkage.body_state(&q, &v, link, &mut run.workspace);
                assert_eq!(bits(&given), bits(&course.link(link).state_at(run.time)));
            }
            run.go_to(&course, course.span().end);
        }
    });
}

#[test]
fn links_are_where_the_tree_says_at_every_time() {
    for_all(100, &any_case(false), |case| {
        let mut run = Run::new(&free(case.tree.clone(), 1e-6), &case.q, &case.v);
        let course = run.look_ahead(f64::INFINITY);
        let mut scratch = Scratch::new(&case.tree);
        for share in [0.1, 0.77, 1.0] {
            let time = course.span().start + share * course.span().length();
            run.go_to(&course, time);
            case.tree.place(&run.q, &run.v, &mut scratch);
            for link in 0..case.tree.n_links() {
                let own = course.link(link).state_at(time);
                assert_eq!(bits(&scratch.body_state(&case.tree, link)), bits(&own));
                assert_eq!(bits(&own), bits(&course.link(link).state_at(time)));
            }
        }
    });
}

#[test]
fn accelerations_of_links_are_derivatives_of_their_velocities() {
    for_all(60, &any_case(false), |case| {
        let mut run = Run::new(&free(case.tree.clone(), 1e-8), &case.q, &case.v);
        let course = run.look_ahead(f64::INFINITY);
        let (time, h) = (course.span().start + 0.5 * course.span().length(), 1e-4);
        for link in 0..case.tree.n_links() {
            let motion = course.link(link);
            let [before, after] = [time - h, time + h].map(|time| motion.state_at(time));
            let now = motion.kinematics_at(time);
            let by_difference = (after.velocity - before.velocity) / (2.0 * h);
            let spin = (after.angular_velocity - before.angular_velocity) / (2.0 * h);
            let rates = motion.rate_bounds(course.span());
            let scale = 1.0 + rates.jerk + rates.angular_jerk;
            assert!((by_difference - now.acceleration).length() < 1e-5 * scale);
            assert!((spin - now.angular_acceleration).length() < 1e-5 * scale);
        }
    });
}

#[test]
fn rates_in_charts_and_back_are_the_same() {
    for_all(200, &any_case(false), |case| {
        let (tree, n) = (&case.tree, case.tree.n_v());
        let chart = Chart::new(tree, &case.q);
        let [s, s_dot, v_dot] = &case.numbers;
        let (mut s_ddot, mut back) = (vec![0.0; n], vec![0.0; n]);
        chart.accelerations(tree, s, s_dot, v_dot, &mut s_ddot);
        chart.velocity_rates(tree, s, s_dot, &s_ddot, &mut back);
        assert!(largest_difference(&back, v_dot) < 1e-12);
    });
}

#[test]
fn a_memory_that_was_saved_carries_on_with_the_same_bits() {
    for_all(40, &any_case(true), |case| {
        let mut run = Run::new(&free(case.tree.clone(), 1e-7), &case.q, &case.v);
        for _ in 0..3 {
            let course = run.look_ahead(f64::INFINITY);
            run.go_to(&course, course.span().start + 0.4 * course.span().length());
        }
        let mut numbers = Vec::new();
        run.ahead.write(&mut numbers);
        let read = Ahead::read(&numbers).unwrap();
        assert_eq!(read, run.ahead);
        let mut other = Run { ahead: read, ..Run::new(&run.linkage, &run.q, &run.v) };
        other.time = run.time;
        assert_eq!(run.look_ahead(f64::INFINITY), other.look_ahead(f64::INFINITY));
        numbers[0] = -1.0;
        assert_eq!(Ahead::read(&numbers), None);
    });
}

#[test]
fn links_answer_as_any_motion_does_and_allocate_nothing() {
    let mut run = Run::new(&free(chain(80, 0.1, 0.1), 1e-6), &[0.1; 80], &[0.2; 80]);
    let course = run.look_ahead(f64::INFINITY);
    let motion = Motion::Linked(course.link(79));
    let span = motion.span(run.time);
    let window = Span::new(span.start, span.start + 0.3 * span.length());
    // A thread has room for what it remembers once it has been asked some times.
    for i in 0..16 {
        let _ = motion.state_at(span.start + f64::from(i) / 16.0 * span.length());
    }
    let info = allocation_counter::measure(|| {
        let state = motion.state_at(window.end);
        let (position, velocity) = motion.place_at(window.end);
        assert_eq!((state.position, state.velocity), (position, velocity));
        assert_eq!(motion.kinematics_at(window.end).state, state);
        assert!(motion.path_box(window).contains(position));
        assert!(motion.rotates());
        let way = position - motion.state_at(window.start).position;
        let travel = motion.travel(window, DVec3::X, Reach::Body(0.0));
        assert!(way.x <= travel.after(window.length()));
        assert!(motion.rate_bounds(window).spin >= state.angular_velocity.length());
    });
    assert_eq!(info.count_total, 0);
    assert_eq!(motion, motion.clone());
    assert_ne!(motion, Motion::Linked(course.link(78)));
    let sliding = tree_of(&[rod(None, DVec3::ZERO, Joint::Prismatic { axis: DVec3::X })]);
    let mut run = Run::new(&free(sliding, 1e-6), &[0.0], &[1.0]);
    assert!(!run.look_ahead(1.0).link(0).rotates());
}

#[test]
fn what_makes_no_sense_is_refused() {
    let tree = chain(2, 1.0, 1.0);
    let with = |joint: JointForce| Linkage::new(tree.clone(), vec![joint; 2], 1e-6);
    let refused = |result: Result<Linkage, LinkageError>| println!("{}", result.unwrap_err());
    refused(with(JointForce { damping: -1.0, ..JointForce::default() }));
    refused(with(JointForce { rest: f64::NAN, ..JointForce::default() }));
    refused(Linkage::new(tree.clone(), Vec::new(), 1e-6));
    refused(Linkage::new(tree.clone(), vec![JointForce::default(); 2], 1.0));
    refused(Linkage::new(tree_of(&[]), Vec::new(), 1e-6));
    let ball = tree_of(&[rod(None, DVec3::ZERO, Joint::Spherical)]);
    let uneven = [1.0, 2.0, 1.0].map(|stiffness| JointForce { stiffness, ..JointForce::default() });
    refused(Linkage::new(ball, uneven.to_vec(), 1e-6));
    let mut run = Run::new(&free(tree, 1e-6), &[0.0; 2], &[0.0; 2]);
    let extend = |run: &mut Run| {
        let Run { linkage, q, v, mode, drive, ahead, workspace, .. } = run;
        linkage.extend(0.0, q, v, mode, drive, 1.0, ahead, workspace)
    };
    let is_bad = |result| matches!(result, Err(IntegrationError::BadStart { .. }));
    run.v[0] = f64::NAN;
    assert!(is_bad(extend(&mut run)));
    run.v[0] = 0.0;
    run.drive.torque = vec![1.0];
    assert!(is_bad(extend(&mut run)));
    run.drive.torque = vec![f64::INFINITY; 2];
    assert!(is_bad(extend(&mut run)));
}

#[test]
fn responses_of_points_count_armatures() {
    let tree = chain(1, 1.0, 3.0);
    let joint = JointForce { armature: 2.0, ..JointForce::default() };
    let linkage = super::linkage(tree, joint, 1e-6);
    let mut run = Run::new(&linkage, &[0.0], &[0.5]);
    let mut after = [0.0];
    linkage.struck(&[0.0], &[0.5], &[], &[6.0], &mut run.workspace, &mut after).unwrap();
    // ⅓·m·l² + 2 = 3 kg·m².
    assert!((after[0] - 2.5).abs() < 1e-14);
    let mut block = [DMat3::ZERO];
    let tip = crate::tree::LinkPoint { link: 0, point: DVec3::X };
    linkage.responses(&[0.0], &[tip], &mut run.workspace, &mut block).unwrap();
    assert!((block[0].z_axis.z - 1.0 / 3.0).abs() < 1e-14, "{}", block[0]);
    let energy = linkage.kinetic_energy(&[0.0], &[0.5], &mut run.workspace);
    assert!((energy - 0.5 * 3.0 * 0.25).abs() < 1e-15);
}
