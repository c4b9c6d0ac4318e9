//! Two ellipsoids described as level sets and by parameters: both give the points, their rates and the second
//! derivative of the gap that the queries give.
//!
//! Level sets F(x) = Σ(x_i/a_i)² − 1 of A and G of B obey, at the nearest points (Baraff 5-2),
//!
//! ∇F(p_A) + λ₂·∇G(p_B) = 0,   F(p_A) = 0,   G(p_B) = 0,   p_B − p_A + λ₁·∇G(p_B) = 0;
//!
//! parameters u, v of S and T obey S_u·N = S_v·N = 0 and (S − T)·T_u = (S − T)·T_v = 0 with N = T_u × T_v (Baraff A-4
//! without the multipliers). Rates follow from the derivatives of the first in time; of the second, from its roots
//! a moment earlier and later. With B's velocity field V(x) = v + ω×(x − t), the gap closes at Ċ = −n·V(p_B), so
//! C̈ = −ṅ·V(p_B) − n·(ω×(ṗ_B − v)).

use carom_geometry::Pose;
use carom_geometry::distance::{Convex, Warm, closest, rates};
use carom_geometry::shapes::Ellipsoid;
use glam::{DMat3, DQuat, DVec3};

use crate::linear::solve;

const AXES_A: DVec3 = DVec3::new(1.0, 0.6, 0.4);
const AXES_B: DVec3 = DVec3::new(0.5, 0.9, 0.7);
const VELOCITY: DVec3 = DVec3::new(-0.8, 0.4, 0.3);
const SPIN: DVec3 = DVec3::new(0.6, -0.9, 0.5);

fn pose(t: f64) -> Pose {
    let start = Pose::new(DVec3::new(1.5, 0.7, -0.4), DQuat::from_rotation_y(0.4));
    let turn = DQuat::from_scaled_axis(t * SPIN);
    Pose::new(start.translation + t * VELOCITY, (turn * start.rotation).normalize())
}

fn solids() -> [Convex; 2] {
    [AXES_A, AXES_B].map(|axes| Convex::Ellipsoid(Ellipsoid::new(axes).expect("positive axes")))
}

fn velocity_at(x: DVec3) -> DVec3 {
    VELOCITY + SPIN.cross(x - pose(0.0).translation)
}

/// Points, their rates, rate of the normal, and C̈ at time 0.
struct Description {
    points: [DVec3; 2],
    rates: [DVec3; 2],
    second: f64,
}

fn second_derivative(normal: DVec3, normal_rate: DVec3, point_b: DVec3, rate_b: DVec3) -> f64 {
    -normal_rate.dot(velocity_at(point_b)) - normal.dot(SPIN.cross(rate_b - VELOCITY))
}

fn queried() -> Description {
    let [a, b] = solids();
    let answer = closest(&a, &b, &pose(0.0), &mut Warm::Cold);
    let moved = rates(&a, &b, &pose(0.0), &answer, VELOCITY, SPIN);
    Description {
        points: [answer.point_a, answer.point_b],
        rates: [moved.point_a, moved.point_b],
        second: second_derivative(answer.normal, moved.normal, answer.point_b, moved.point_b),
    }
}

/// Gradient and Hessian of B's level set.
fn level_set_b(x: DVec3) -> (f64, DVec3, DMat3) {
    let rotation = pose(0.0).rotation_matrix();
    let local = rotation.transpose() * (x - pose(0.0).translation);
    let shape = rotation * DMat3::from_diagonal(2.0 / (AXES_B * AXES_B)) * rotation.transpose();
    let value = (local / AXES_B).length_squared() - 1.0;
    (value, shape * (x - pose(0.0).translation), shape)
}

/// The eight equations, their Jacobian, and their partial derivatives in time, at (p_A, p_B, λ₁, λ₂).
fn eight(unknowns: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>, Vec<f64>) {
    let [p_a, p_b] = [0, 3].map(|i| DVec3::from_slice(&unknowns[i..i + 3]));
    let (lambda_1, lambda_2) = (unknowns[6], unknowns[7]);
    let hessian_f = DMat3::from_diagonal(2.0 / (AXES_A * AXES_A));
    let gradient_f = hessian_f * p_a;
    let (g, gradient_g, hessian_g) = level_set_b(p_b);
    let moving = SPIN.cross(gradient_g) - hessian_g * velocity_at(p_b);
    let (e1, e4) = (gradient_f + lambda_2 * gradient_g, p_b - p_a + lambda_1 * gradient_g);
    let (mut e, mut j, mut dt) = (vec![0.0; 8], vec![vec![0.0; 8]; 8], vec![0.0; 8]);
    for i in 0..3 {
        (e[i], e[5 + i]) = (e1[i], e4[i]);
        (dt[i], dt[5 + i]) = (lambda_2 * moving[i], lambda_1 * moving[i]);
        (j[i][7], j[5 + i][6]) = (gradient_g[i], gradient_g[i]);
        (j[3][i], j[4][3 + i]) = (gradient_f[i], gradient_g[i]);
        for k in 0..3 {
            let unit = f64::from(u8::from(i == k));
            j[i][k] = hessian_f.col(k)[i];
            j[i][3 + k] = lambda_2 * hessian_g.col(k)[i];
            j[5 + i][k] = -unit;
            j[5 + i][3 + k] = unit + lambda_1 * hessian_g.col(k)[i];
        }
    }
    (e[3], e[4]) = ((p_a / AXES_A).length_squared() - 1.0, g);
    dt[4] = -gradient_g.dot(velocity_at(p_b));
    (e, j, dt)
}

fn by_level_sets() -> Description {
    // From the middle of the segment between the centres, as the thesis proposes.
    let toward = pose(0.0).translation.normalize_or_zero();
    let start_a = toward * 0.5;
    let start_b = pose(0.0).translation - toward * 0.5;
    let mut x = [start_a.to_array(), start_b.to_array()].concat();
    x.extend([0.1, 1.0]);
    for _ in 0..60 {
        let (e, j, _) = eight(&x);
        let step = solve(j, e);
        let damping = (0.3 / step.iter().fold(0.0, |most: f64, s| most.max(s.abs()))).min(1.0);
        x.iter_mut().zip(&step).for_each(|(x, s)| *x -= damping * s);
    }
    let (residual, j, dt) = eight(&x);
    assert!(residual.iter().all(|r| r.abs() < 1e-13), "{residual:?}");
    assert!(x[6] > 0.0 && x[7] > 0.0, "a spurious root, {x:?}");
    let rate = solve(j, dt.iter().map(|d| -d).collect());
    let vector = |from: &[f64], i: usize| DVec3::from_slice(&from[i..i + 3]);
    let (points, rates) = ([vector(&x, 0), vector(&x, 3)], [vector(&rate, 0), vector(&rate, 3)]);
    let (_, gradient, hessian) = level_set_b(points[1]);
    let turning = SPIN.cross(gradient) + hessian * (rates[1] - velocity_at(points[1]));
    let normal = gradient.normalize_or_zero();
    let normal_rate = (turning - normal * normal.dot(turning)) / gradient.length();
    Description {
        points,
        rates,
        second: second_derivative(normal, normal_rate, points[1], rates[1]),
    }
}

/// Point and tangents of an ellipsoid at parameters (u, v).
fn patch(axes: DVec3, u: f64, v: f64) -> [DVec3; 3] {
    let ((sin_u, cos_u), (sin_v, cos_v)) = (libm::sincos(u), libm::sincos(v));
    [
        axes * DVec3::new(cos_u * cos_v, sin_u * cos_v, sin_v),
        axes * DVec3::new(-sin_u * cos_v, cos_u * cos_v, 0.0),
        axes * DVec3::new(-cos_u * sin_v, -sin_u * sin_v, cos_v),
    ]
}

fn patches(x: &[f64], t: f64) -> ([DVec3; 3], [DVec3; 3]) {
    let pose = pose(t);
    let [point, along_u, along_v] = patch(AXES_B, x[2], x[3]);
    let placed = [pose.point(point), pose.vector(along_u), pose.vector(along_v)];
    (patch(AXES_A, x[0], x[1]), placed)
}

fn four(x: &[f64], t: f64) -> Vec<f64> {
    let ([s, s_u, s_v], [p, p_u, p_v]) = patches(x, t);
    let normal = p_u.cross(p_v);
    vec![s_u.dot(normal), s_v.dot(normal), (s - p).dot(p_u), (s - p).dot(p_v)]
}

/// The root at a time, by Newton's method with differences for the Jacobian, from a guess.
fn root(mut x: Vec<f64>, t: f64) -> Vec<f64> {
    for _ in 0..30 {
        let h = 1e-6;
        let columns: Vec<Vec<f64>> = (0..4)
            .map(|k| {
                let shifted = |by: f64| {
                    let mut y = x.clone();
                    y[k] += by;
                    four(&y, t)
                };
                shifted(h).iter().zip(shifted(-h)).map(|(a, b)| (a - b) / (2.0 * h)).collect()
            })
            .collect();
        let rows = (0..4).map(|i| (0..4).map(|k| columns[k][i]).collect()).collect();
        let step = solve(rows, four(&x, t));
        x.iter_mut().zip(&step).for_each(|(x, s)| *x -= s);
    }
    x
}

fn by_parameters(near: &Description) -> Description {
    let parameters = |axes: DVec3, local: DVec3| {
        let unit = local / axes;
        [libm::atan2(unit.y, unit.x), libm::asin(unit.z)]
    };
    let local_b = pose(0.0).inverse().point(near.points[1]);
    let start = [parameters(AXES_A, near.points[0]), parameters(AXES_B, local_b)].concat();
    // Off the answer, so that the root is its own.
    let start: Vec<f64> = start.iter().map(|x| x + 0.05).collect();
    let h = 3e-5;
    let at = |t: f64| {
        let ([point_a, ..], [point_b, along_u, along_v]) = patches(&root(start.clone(), t), t);
        let normal = along_u.cross(along_v).normalize_or_zero();
        let arm = point_b - pose(t).translation;
        ([point_a, point_b], -normal.dot(VELOCITY + SPIN.cross(arm)))
    };
    let ((before, slope_before), (now, _), (after, slope_after)) = (at(-h), at(0.0), at(h));
    Description {
        points: now,
        rates: [0, 1].map(|i| (after[i] - before[i]) / (2.0 * h)),
        second: (slope_after - slope_before) / (2.0 * h),
    }
}

/// proves: baraff/20
#[test]
fn level_sets_and_parameters_give_the_same_points_rates_and_second_derivative() {
    let ours = queried();
    let implicit = by_level_sets();
    let parametric = by_parameters(&implicit);
    for (name, other, tolerance) in
        [("level sets", &implicit, 1e-12), ("parameters", &parametric, 1e-8)]
    {
        for i in 0..2 {
            let off = (ours.points[i] - other.points[i]).length();
            assert!(off < 1e-12, "points by {name} off by {off}");
            let off = (ours.rates[i] - other.rates[i]).length();
            assert!(off < tolerance, "rates by {name} off by {off}");
        }
        let off = (ours.second - other.second).abs();
        assert!(
            off < tolerance,
            "second derivative by {name}: {} and {}",
            other.second,
            ours.second
        );
    }
}

/// proves: baraff/15
#[test]
fn two_spheres_as_ellipsoids_are_exact_and_their_far_sides_are_no_answer() {
    let sphere =
        |r: f64| Convex::Ellipsoid(Ellipsoid::new(DVec3::splat(r)).expect("a positive radius"));
    for (distance, expected) in [(3.0, 1.0), (1.6, -0.4)] {
        let pose = Pose::from_translation(DVec3::new(0.6, 0.0, 0.8) * distance);
        let (a, b) = (sphere(1.0), sphere(1.0));
        let cold = closest(&a, &b, &pose, &mut Warm::Cold);
        assert!((cold.distance - expected).abs() < 1e-15, "{cold:?}");
        let direction = DVec3::new(0.6, 0.0, 0.8);
        assert!(cold.normal.distance(-direction) < 1e-12, "{cold:?}");
        // Near or far side of either: four roots of the same equations, of which one is the answer.
        for (side_a, side_b) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let mut start = cold;
            start.point_a = side_a * direction;
            start.point_b = pose.translation - side_b * direction;
            start.normal = side_a * -direction;
            let answer = closest(&a, &b, &pose, &mut Warm::Last(start));
            assert!((answer.distance - expected).abs() < 1e-15, "{answer:?} from {start:?}");
        }
    }
}
