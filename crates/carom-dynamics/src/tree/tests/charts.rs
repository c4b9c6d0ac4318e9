//! Charts: there and back, composition, and rotation vectors near zero and far from it.

use std::cell::Cell;

use glam::{DQuat, DVec3};
use proptest::prelude::*;

use super::{any_case, for_all, largest_difference};
use crate::testing::{direction, log_uniform, vector};
use crate::tree::Chart;
use crate::tree::exponential::{exp, log, rate, rate_bias, rate_inverse};

#[test]
fn charts_lead_there_and_back() {
    let worst = Cell::new([0.0_f64; 2]);
    for_all(1000, &any_case(false), |case| {
        let (tree, n) = (&case.tree, case.tree.n_v());
        let chart = Chart::new(tree, &case.q);
        let [s, s_dot, _] = &case.numbers;
        let (mut q, mut v) = (vec![0.0; tree.n_q()], vec![0.0; n]);
        let (mut s_again, mut s_dot_again) = (vec![0.0; n], vec![0.0; n]);
        chart.configuration(tree, s, &mut q);
        chart.velocity(tree, s, s_dot, &mut v);
        chart.displacement(tree, &q, &mut s_again);
        chart.rates(tree, s, &v, &mut s_dot_again);
        tree.check_state(&q, &v).unwrap();
        let off = [largest_difference(s, &s_again), largest_difference(s_dot, &s_dot_again)];
        worst.set([worst.get()[0].max(off[0]), worst.get()[1].max(off[1])]);
        // The start to the bit, and its velocities as they are for all but positions of free joints.
        chart.configuration(tree, &vec![0.0; n], &mut q);
        assert_eq!(q, case.q);
        assert!(Chart::turn(tree, s) <= 1.5 * 3.0_f64.sqrt());
    });
    println!("displacements off by {:e}, rates by {:e}", worst.get()[0], worst.get()[1]);
    // Rotation vectors of up to 2.6 rad: near π their digits are those of a cosine near zero.
    assert!(worst.get()[0] < 1e-14 * 10.0 && worst.get()[1] < 1e-14 * 10.0, "{:?}", worst.get());
}

#[test]
fn a_chart_from_half_way_leads_to_the_same_configuration() {
    for_all(500, &any_case(false), |case| {
        let (tree, n) = (&case.tree, case.tree.n_v());
        let chart = Chart::new(tree, &case.q);
        let [half, s, s_dot] = &case.numbers;
        let (mut middle, mut end, mut q) =
            (vec![0.0; tree.n_q()], vec![0.0; tree.n_q()], vec![0.0; tree.n_q()]);
        chart.configuration(tree, half, &mut middle);
        chart.configuration(tree, s, &mut end);
        let other = Chart::new(tree, &middle);
        let mut rest = vec![0.0; n];
        other.displacement(tree, &end, &mut rest);
        other.configuration(tree, &rest, &mut q);
        for link in 0..tree.n_links() {
            let at = tree.q_range(link);
            if let Some(start) = tree.joint(link).quaternion() {
                let [a, b] = [&q, &end].map(|q| DQuat::from_slice(&q[at.start + start..]));
                // A quaternion and its negative are one rotation.
                assert!(a.dot(b).abs() > 1.0 - 1e-14, "{a} {b}");
            } else {
                assert!(largest_difference(&q[at.clone()], &end[at]) < 1e-14);
            }
        }
        // The same velocity, by the rates that each chart gives it.
        let (mut v, mut rates, mut v_again) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        chart.velocity(tree, s, s_dot, &mut v);
        other.rates(tree, &rest, &v, &mut rates);
        other.velocity(tree, &rest, &rates, &mut v_again);
        assert!(largest_difference(&v, &v_again) < 1e-12, "{v:?} {v_again:?}");
    });
}

/// Central differences of second order, with steps as large as rounding asks for.
#[test]
fn rates_of_rotation_vectors_are_derivatives_of_the_rotation() {
    let worst = Cell::new([0.0_f64; 3]);
    let inputs = (direction(), log_uniform(-9.0..0.7), vector(1.0), vector(1.0));
    for_all(3000, &inputs, |(axis, angle, s_dot, s_ddot)| {
        let s = angle * axis;
        let h = 1e-4;
        let along = |t: f64| s + t * (s_dot + 0.5 * t * s_ddot);
        let between = log(exp(along(-h)).conjugate() * exp(along(h)));
        let omega = rate(s, s_dot);
        let rate_at = |t: f64| rate(along(t), s_dot + t * s_ddot);
        let omega_dot = (rate_at(h) - rate_at(-h)) / (2.0 * h);
        let closed = rate(s, s_ddot) + rate_bias(s, s_dot);
        let back = rate_inverse(s, omega);
        let off = [
            (between / (2.0 * h) - omega).length(),
            (omega_dot - closed).length(),
            (back - s_dot).length(),
        ];
        let old = worst.get();
        worst.set([0, 1, 2].map(|i| old[i].max(off[i])));
    });
    println!("ω, ω̇ and ṡ: off by {:?}", worst.get());
    // Truncation h² times third derivatives up to 10; the last is exact but for the factor 1/|1 − θ/2π| of T⁻¹.
    assert!(
        worst.get()[0] < 1e-6 && worst.get()[1] < 1e-6 && worst.get()[2] < 1e-13,
        "{:?}",
        worst.get()
    );
}

proptest! {
    #![proptest_config(crate::testing::property(2000))]

    #[test]
    fn series_and_closed_forms_meet(axis in direction(), s_dot in vector(1.0)) {
        // On both sides of θ² = 1, two roundings apart.
        let [below, above] = [1.0 - 1e-15, 1.0 + 1e-15].map(|angle: f64| angle * axis);
        for f in [rate, rate_inverse, rate_bias] {
            let jump = (f(below, s_dot) - f(above, s_dot)).length();
            // The closed slopes lose some thirty roundings.
            prop_assert!(jump < 3e-14, "{jump:e}");
        }
    }
}

#[test]
fn a_rotation_of_nothing_is_nothing_to_the_bit() {
    assert_eq!(exp(DVec3::ZERO), DQuat::IDENTITY);
    assert_eq!(log(DQuat::IDENTITY), DVec3::ZERO);
    assert_eq!(rate(DVec3::ZERO, DVec3::X), DVec3::X);
    assert_eq!(rate_inverse(DVec3::ZERO, DVec3::X), DVec3::X);
    let tiny = DVec3::new(1e-150, 0.0, 0.0);
    assert_eq!(log(exp(tiny)), tiny);
}
