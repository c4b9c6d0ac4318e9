//! Two other derivations of points, their rates and the second derivative, for two ellipsoids.
//!
//! *Implicit* (Baraff 1992, equations 5-2 and the closed form with Hessians): level sets F of A and G of B obey
//! ∇F + λ₂∇G = 0, F = G = 0, p_B − p_A + λ₁∇G = 0, eight equations for p_A, p_B, λ₁, λ₂. Where they touch, with heights over the
//! tangent plane and their Hessians H_f = −F_tt/F_n, H_g, K = H_f − H_g, and u the tangential parts of V,
//!
//! ```text
//! K·ṗ = H_f·u_A − H_g·u_B + (Δω_y, −Δω_x),
//! C̈ = n·(a_A − a_B) − 2n·(ω_A×V_A − ω_B×V_B) + u_A·H_f·u_A − u_B·H_g·u_B − ṗ·K·ṗ.
//! ```
//!
//! *Parametric* (Baraff's appendix A without multipliers): surfaces S(u, v) and T(u, v) with N = T_u×T_v obey S_u·N = S_v·N = 0 and
//! (S − T)·T_u = (S − T)·T_v = 0; roots at seven times give points and gap as functions of time.

use glam::{DMat3, DVec2};

use super::*;

const AXES: [DVec3; 2] = [DVec3::new(1.0, 0.6, 0.4), DVec3::new(0.5, 0.9, 0.7)];

/// Gaussian elimination with pivots.
fn solve<const N: usize>(mut rows: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    for k in 0..N {
        let pivot = (k..N).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs()));
        let pivot = pivot.expect("a row");
        rows.swap(k, pivot);
        right.swap(k, pivot);
        let (pivot_row, pivot_right) = (rows[k], right[k]);
        for i in k + 1..N {
            let factor = rows[i][k] / pivot_row[k];
            for (x, p) in rows[i].iter_mut().zip(pivot_row) {
                *x -= factor * p;
            }
            right[i] -= factor * pivot_right;
        }
    }
    for k in (0..N).rev() {
        let known: f64 = (k + 1..N).map(|j| rows[k][j] * right[j]).sum();
        right[k] = (right[k] - known) / rows[k][k];
    }
    right
}

/// An ellipsoid as a level set that moves.
struct Level {
    center: DVec3,
    hessian: DMat3,
    moving: Moving,
    acceleration: DVec3,
}

impl Level {
    fn new(axes: DVec3, flight: &Flight) -> Self {
        let moving = flight.at(0.0);
        let rotation = moving.world_from_frame.rotation_matrix();
        let hessian = rotation * DMat3::from_diagonal(2.0 / (axes * axes)) * rotation.transpose();
        let center = moving.world_from_frame.translation;
        Self { center, hessian, moving, acceleration: flight.acceleration }
    }

    fn gradient(&self, p: DVec3) -> DVec3 {
        self.hessian * (p - self.center)
    }

    fn value(&self, p: DVec3) -> f64 {
        0.5 * self.gradient(p).dot(p - self.center) - 1.0
    }

    fn velocity(&self, p: DVec3) -> DVec3 {
        self.moving.velocity + self.moving.spin.cross(p - self.center)
    }

    /// ∂F/∂t and ∂∇F/∂t.
    fn moved(&self, p: DVec3) -> (f64, DVec3) {
        let (gradient, velocity) = (self.gradient(p), self.velocity(p));
        let turned = self.moving.spin.cross(gradient) - self.hessian * velocity;
        (-gradient.dot(velocity), turned)
    }

    /// Acceleration of the material.
    fn material(&self, p: DVec3) -> DVec3 {
        let spin = self.moving.spin;
        self.acceleration + spin.cross(spin.cross(p - self.center))
    }

    /// Hessian of its height along n over the plane of two tangents: xx, xy, yy.
    fn heights(&self, p: DVec3, [x, y, n]: [DVec3; 3]) -> [f64; 3] {
        let along = self.gradient(p).dot(n);
        [x.dot(self.hessian * x), x.dot(self.hessian * y), y.dot(self.hessian * y)]
            .map(|it| -it / along)
    }
}

fn applied([xx, xy, yy]: [f64; 3], v: DVec2) -> DVec2 {
    DVec2::new(xx * v.x + xy * v.y, xy * v.x + yy * v.y)
}

/// The eight equations, their Jacobian and their derivatives in time.
fn eight(f: &Level, g: &Level, unknowns: [f64; 8]) -> ([f64; 8], [[f64; 8]; 8], [f64; 8]) {
    let [p_a, p_b] = [0, 3].map(|i| DVec3::from_slice(&unknowns[i..i + 3]));
    let [lambda_1, lambda_2] = [unknowns[6], unknowns[7]];
    let (grad_f, grad_g) = (f.gradient(p_a), g.gradient(p_b));
    let ((f_t, grad_f_t), (g_t, grad_g_t)) = (f.moved(p_a), g.moved(p_b));
    let (mut e, mut j, mut t) = ([0.0; 8], [[0.0; 8]; 8], [0.0; 8]);
    let one = grad_f + lambda_2 * grad_g;
    let four = p_b - p_a + lambda_1 * grad_g;
    let one_t = grad_f_t + lambda_2 * grad_g_t;
    for i in 0..3 {
        (e[i], e[5 + i]) = (one[i], four[i]);
        (t[i], t[5 + i]) = (one_t[i], lambda_1 * grad_g_t[i]);
        for k in 0..3 {
            let unit = if i == k { 1.0 } else { 0.0 };
            j[i][k] = f.hessian.col(k)[i];
            j[i][3 + k] = lambda_2 * g.hessian.col(k)[i];
            j[5 + i][k] = -unit;
            j[5 + i][3 + k] = unit + lambda_1 * g.hessian.col(k)[i];
        }
        (j[i][7], j[5 + i][6]) = (grad_g[i], grad_g[i]);
        (j[3][i], j[4][3 + i]) = (grad_f[i], grad_g[i]);
    }
    (e[3], e[4], t[3], t[4]) = (f.value(p_a), g.value(p_b), f_t, g_t);
    (e, j, t)
}

/// Points and rates of the eight equations, from points nearby.
fn implicit(f: &Level, g: &Level, points: [DVec3; 2]) -> ([DVec3; 2], [DVec3; 2]) {
    let ratio = f.gradient(points[0]).length() / g.gradient(points[1]).length();
    let gap = (points[0] - points[1]).dot(g.gradient(points[1]));
    let mut unknowns = [0.0; 8];
    points[0].write_to_slice(&mut unknowns[..3]);
    points[1].write_to_slice(&mut unknowns[3..6]);
    unknowns[6] = gap / g.gradient(points[1]).length_squared();
    unknowns[7] = ratio;
    for _ in 0..12 {
        let (e, j, _) = eight(f, g, unknowns);
        let step = solve(j, e);
        for (x, step) in unknowns.iter_mut().zip(step) {
            *x -= step;
        }
    }
    let (_, j, t) = eight(f, g, unknowns);
    let rates = solve(j, t.map(|it| -it));
    let pick = |from: [f64; 8]| [0, 3].map(|i| DVec3::from_slice(&from[i..i + 3]));
    (pick(unknowns), pick(rates))
}

/// C̈ and ṗ_c by the closed form with Hessians, where the two touch at p.
fn closed_form(f: &Level, g: &Level, p: DVec3) -> (f64, DVec3) {
    let n = g.gradient(p).normalize_or(DVec3::Z);
    let x = n.any_orthonormal_vector();
    let frame = [x, n.cross(x), n];
    let flat = |v: DVec3| DVec2::new(frame[0].dot(v), frame[1].dot(v));
    let (h_f, h_g) = (f.heights(p, frame), g.heights(p, frame));
    let k = [h_f[0] - h_g[0], h_f[1] - h_g[1], h_f[2] - h_g[2]];
    let (v_a, v_b) = (f.velocity(p), g.velocity(p));
    let (u_a, u_b) = (flat(v_a), flat(v_b));
    let turn = flat(f.moving.spin - g.moving.spin);
    let right = applied(h_f, u_a) - applied(h_g, u_b) + DVec2::new(turn.y, -turn.x);
    let [p_x, p_y] = solve([[k[0], k[1]], [k[1], k[2]]], [right.x, right.y]);
    let p_rate = DVec2::new(p_x, p_y);
    let spins = f.moving.spin.cross(v_a) - g.moving.spin.cross(v_b);
    let second = n.dot(f.material(p) - g.material(p)) - 2.0 * n.dot(spins)
        + u_a.dot(applied(h_f, u_a))
        - u_b.dot(applied(h_g, u_b))
        - p_rate.dot(applied(k, p_rate));
    (second, p_x * frame[0] + p_y * frame[1] + n.dot(v_a) * n)
}

/// An ellipsoid by parameters: a point and its two tangents.
fn surface(axes: DVec3, pose: &Pose, u: f64, v: f64) -> [DVec3; 3] {
    let ((su, cu), (sv, cv)) = (libm::sincos(u), libm::sincos(v));
    let at = axes * DVec3::new(cv * cu, cv * su, sv);
    let by_u = axes * DVec3::new(-cv * su, cv * cu, 0.0);
    let by_v = axes * DVec3::new(-sv * cu, -sv * su, cv);
    [pose.point(at), pose.vector(by_u), pose.vector(by_v)]
}

fn parameters(axes: DVec3, pose: &Pose, p: DVec3) -> [f64; 2] {
    let local = pose.inverse().point(p) / axes;
    [libm::atan2(local.y, local.x), libm::asin(local.z.clamp(-1.0, 1.0))]
}

/// The four equations at parameters of A and B.
fn four(poses: &[Pose; 2], x: [f64; 4]) -> [f64; 4] {
    let [s, s_u, s_v] = surface(AXES[0], &poses[0], x[0], x[1]);
    let [t, t_u, t_v] = surface(AXES[1], &poses[1], x[2], x[3]);
    let normal = t_u.cross(t_v);
    [s_u.dot(normal), s_v.dot(normal), (s - t).dot(t_u), (s - t).dot(t_v)]
}

/// Points of A and B and the gap between them, by Newton's method with differences for the Jacobian.
fn parametric(flights: &[Flight; 2], time: f64, near: [DVec3; 2]) -> ([DVec3; 2], f64) {
    let poses = [0, 1].map(|i| flights[i].at(time).world_from_frame);
    let [a, b] = [0, 1].map(|i| parameters(AXES[i], &poses[i], near[i]));
    let mut x = [a[0], a[1], b[0], b[1]];
    for _ in 0..8 {
        let mut rows = [[0.0; 4]; 4];
        for k in 0..4 {
            let h = 1e-5;
            let (mut more, mut less) = (x, x);
            (more[k], less[k]) = (x[k] + h, x[k] - h);
            let (more, less) = (four(&poses, more), four(&poses, less));
            for i in 0..4 {
                rows[i][k] = (more[i] - less[i]) / (2.0 * h);
            }
        }
        let step = solve(rows, four(&poses, x));
        for (x, step) in x.iter_mut().zip(step) {
            *x -= step;
        }
    }
    let [s, ..] = surface(AXES[0], &poses[0], x[0], x[1]);
    let [t, t_u, t_v] = surface(AXES[1], &poses[1], x[2], x[3]);
    // ∂u×∂v points outward: u runs east, v north.
    let normal = t_u.cross(t_v).normalize_or(DVec3::Z);
    ([s, t], normal.dot(s - t))
}

/// Ellipsoids that touch, accelerate and turn.
fn touching(numbers: &mut Numbers, pieces: [&Pieces; 2], gap: f64) -> [Flight; 2] {
    let place = DVec3::new(1.5, 0.7, -0.4);
    let mut flights = [DVec3::ZERO, place].map(|place| Flight::random(numbers, place));
    for _ in 0..3 {
        let found = measured(pieces, &flights, 0.0).closest;
        let normal = flights[0].start.vector(found.normal);
        flights[1].start.translation += (found.distance - gap) * normal;
    }
    flights
}

/// How far the roots of the four equations are off in ṗ_A and C̈, as shares; nothing near a pole of the parameters.
fn off_by_roots(flights: &[Flight; 2], here: &Followed, second: f64) -> f64 {
    let poses = [0, 1].map(|i| flights[i].at(0.0).world_from_frame);
    let height = |i: usize| parameters(AXES[i], &poses[i], here.points[i])[1].abs();
    if height(0).max(height(1)) > 1.2 {
        return 0.0;
    }
    let h = 2.5e-3;
    let roots = [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0]
        .map(|k: f64| parametric(flights, k * h, here.points));
    assert!(roots[3].0[0].distance(here.points[0]) < 1e-8);
    let by_roots = second_difference(roots.map(|it| it.1), h);
    let x = first_difference(roots.map(|it| it.0[0].x), h);
    let off = (by_roots - second).abs() / (10.0 + second.abs());
    off.max((x - here.point_rates[0].x).abs() / (10.0 + x.abs()))
}

/// The queries, level sets and parameters agree on points, rates and the second derivative.
///
/// proves: baraff/20 baraff/21
#[test]
fn implicit_and_parametric_routes_agree_with_what_is_followed() {
    let shapes = AXES.map(|it| Pieces::of(&ellipsoid(it.x, it.y, it.z)));
    let pieces = [&shapes[0], &shapes[1]];
    let solids = [&solid(pieces[0]), &solid(pieces[1])];
    let mut numbers = Numbers(17);
    let mut worst = [0.0_f64; 4];
    for _ in 0..200 {
        let flights = touching(&mut numbers, pieces, 0.0);
        let poses = flights.map(|it| it.at(0.0).world_from_frame);
        let point = points_at(solids, [&poses[0], &poses[1]], 1e-9)[0];
        let here = follow(&point, solids, &flights, 0.0).expect("followed");
        let moving = flights.map(|it| it.at(0.0));
        let accelerating = flights.map(|it| it.accelerating());
        let second =
            here.acceleration([&moving[0], &moving[1]], [&accelerating[0], &accelerating[1]]);
        let size = 10.0 + second.abs();
        let [f, g] = [0, 1].map(|i| Level::new(AXES[i], &flights[i]));
        let (points, rates) = implicit(&f, &g, here.points);
        let (closed, rate) = closed_form(&f, &g, here.points[0]);
        let apart = [0, 1].map(|i| points[i].distance(here.points[i]));
        let moved = [0, 1].map(|i| rates[i].distance(here.point_rates[i]));
        worst[0] = worst[0].max(apart[0]).max(apart[1]);
        worst[1] = worst[1].max(moved[0]).max(moved[1]).max(rate.distance(here.point_rates[0]));
        worst[2] = worst[2].max((closed - second).abs() / size);
        worst[3] = worst[3].max(off_by_roots(&flights, &here, second));
    }
    println!(
        "points {:e}, rates {:e}, closed form {:e}, roots {:e}",
        worst[0], worst[1], worst[2], worst[3]
    );
    assert!(worst.iter().all(|off| *off < 1e-8), "{worst:?}");
}

/// And apart from each other: the rates of the eight equations, and the second derivative of the roots.
#[test]
fn the_routes_agree_at_any_gap() {
    let shapes = AXES.map(|it| Pieces::of(&ellipsoid(it.x, it.y, it.z)));
    let pieces = [&shapes[0], &shapes[1]];
    let solids = [&solid(pieces[0]), &solid(pieces[1])];
    let mut numbers = Numbers(23);
    for case in 0..100 {
        let flights = touching(&mut numbers, pieces, 0.4 * f64::from(case) / 100.0 - 0.01);
        let poses = flights.map(|it| it.at(0.0).world_from_frame);
        let point = points_at(solids, [&poses[0], &poses[1]], 1e-9)[0];
        let here = follow(&point, solids, &flights, 0.0).expect("followed");
        let [f, g] = [0, 1].map(|i| Level::new(AXES[i], &flights[i]));
        let (points, rates) = implicit(&f, &g, here.points);
        for i in 0..2 {
            let off = points[i].distance(here.points[i]);
            assert!(off < 1e-10, "{case}: {off:e}");
            let off = rates[i].distance(here.point_rates[i]);
            assert!(off < 1e-9 * (1.0 + rates[i].length()), "{case}: {off:e}");
        }
        let n = g.gradient(points[1]).normalize_or(DVec3::Z);
        assert!((n.dot(points[0] - points[1]) - here.gap).abs() < 1e-12);
    }
}
