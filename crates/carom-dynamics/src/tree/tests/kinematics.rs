//! Velocities and accelerations of links are derivatives of their poses and velocities.

use std::cell::Cell;

use glam::{DMat3, DVec3};

use super::{Case, any_case, for_all};
use crate::spatial::MotionVector;
use crate::tree::{Chart, Load, Scratch};

/// Step of a difference of fourth order `[s]`: its truncation is some 10⁻¹² of the fifth derivative, its rounding 10⁻¹³.
const STEP: f64 = 1e-3;
/// Fifth derivatives of the poses of nine links that turn with 1 rad/s each reach 10⁵.
const ALLOWED: f64 = 3e-7;

/// s, ṡ and s̈ of a path at time t: a parabola in every coordinate of the chart.
fn path(case: &Case, t: f64) -> [Vec<f64>; 3] {
    let [rate, acceleration, _] = &case.numbers;
    let at = |f: &dyn Fn(f64, f64) -> f64| {
        rate.iter().zip(acceleration).map(|(r, a)| f(*r, *a)).collect()
    };
    [at(&|r, a| t * (r + 0.5 * t * a)), at(&|r, a| r + t * a), at(&|_, a| a)]
}

fn at(case: &Case, chart: &Chart, t: f64) -> (Scratch, Vec<f64>) {
    let tree = &case.tree;
    let [s, s_dot, _] = path(case, t);
    let (mut q, mut v) = (vec![0.0; tree.n_q()], vec![0.0; tree.n_v()]);
    chart.configuration(tree, &s, &mut q);
    chart.velocity(tree, &s, &s_dot, &mut v);
    let mut scratch = Scratch::new(tree);
    tree.place(&q, &v, &mut scratch);
    (scratch, v)
}

/// The derivative from values at −2, −1, 1 and 2 steps.
fn slope<T>(f: [T; 4]) -> T
where
    T: std::ops::Sub<Output = T> + std::ops::Mul<f64, Output = T> + Copy,
{
    let [a, b, c, d] = f;
    ((c - b) * 8.0 - (d - a)) * (1.0 / (12.0 * STEP))
}

/// proves: m2/R-02 m2/R-03
#[test]
fn velocities_and_accelerations_are_derivatives_along_a_path_in_a_chart() {
    let worst = Cell::new([0.0_f64; 5]);
    for_all(300, &any_case(false), |case| {
        let (tree, n) = (&case.tree, case.tree.n_v());
        let chart = Chart::new(tree, &case.q);
        let now = 0.4;
        let around = [-2.0, -1.0, 1.0, 2.0].map(|steps| at(&case, &chart, now + steps * STEP));
        let (mut scratch, _) = at(&case, &chart, now);
        let v_dot: Vec<f64> = (0..n).map(|k| slope([0, 1, 2, 3].map(|i| around[i].1[k]))).collect();
        // s̈ of the path from v̇.
        let [s, s_dot, s_ddot] = path(&case, now);
        let mut found = vec![0.0; n];
        chart.accelerations(tree, &s, &s_dot, &v_dot, &mut found);
        let mut off = [0.0_f64; 5];
        off[4] = super::largest_difference(&found, &s_ddot);
        tree.inverse(&Load::default(), &v_dot, &mut scratch, &mut found);
        for link in 0..tree.n_links() {
            let of = |f: &dyn Fn(&Scratch) -> DVec3| slope([0, 1, 2, 3].map(|i| f(&around[i].0)));
            let velocity = scratch.velocity(link);
            let acceleration = scratch.acceleration(link);
            let moved = of(&|it| it.pose(link).translation);
            let turned =
                slope([0, 1, 2, 3].map(|i| DMat3::from_quat(around[i].0.pose(link).rotation)));
            let spin = turned * DMat3::from_quat(scratch.pose(link).rotation).transpose();
            let spin = DVec3::new(spin.y_axis.z, spin.z_axis.x, spin.x_axis.y);
            let gained = MotionVector::new(
                of(&|it| it.velocity(link).angular),
                of(&|it| it.velocity(link).linear),
            );
            let size = 1.0 + velocity.angular.length() + velocity.linear.length();
            let sizes = size * (1.0 + velocity.angular.length_squared());
            let seen = [
                (moved - velocity.linear).length() / sizes,
                (spin - velocity.angular).length() / sizes,
                (gained.linear - acceleration.linear).length() / (sizes * size),
                (gained.angular - acceleration.angular).length() / (sizes * size),
            ];
            for (off, seen) in off.iter_mut().zip(seen) {
                *off = off.max(seen);
            }
        }
        let old = worst.get();
        worst.set([0, 1, 2, 3, 4].map(|i| old[i].max(off[i])));
    });
    println!("v, ω, a, α of links and s̈ against differences: off by {:?}", worst.get());
    assert!(worst.get().iter().all(|off| *off < ALLOWED), "{:?}", worst.get());
}
