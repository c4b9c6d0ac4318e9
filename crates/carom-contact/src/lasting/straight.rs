//! Corners, round ends, edges and round sides: closed forms.
//!
//! X is the body that the first thing belongs to, Y the other; u is the unit vector from Y's thing to X's, so that the normal is u
//! when X is A and −u when X is B. ė = ω×e for whatever is fixed on a body, ċ = V(c) for a point of it.
//!
//! **A point c with radius r over a plane** with the normal u and the offset d: u̇ = ω_Y×u and
//!
//! ```text
//! h = u·(c − y) − d − r,   p_X = c − r·u,   p_Y = p_X − h·u,   ṗ_X = ċ − r·u̇,   ṗ_Y = ṗ_X − ḣ·u − h·u̇.            (5)
//! ```
//!
//! **A point c and a line** through q along e, radii r_X, r_Y: with d = c − q, l = e·d and w = d − l·e,
//!
//! ```text
//! u = w/|w|,   h = |w| − r_X − r_Y,   l̇ = ė·d + e·ḋ,   ẇ = ḋ − l̇·e − l·ė,   u̇ = (ẇ − u(u·ẇ))/|w|.                  (6)
//! ```
//!
//! Two points are the same with e = 0.
//!
//! **Two lines** through q_A, q_B along e_A, e_B: N = e_A×e_B, n = ±N/|N|, and with D = q_B − q_A the points of the lines that
//! are nearest lie at
//!
//! ```text
//! s = (D×e_B)·N/|N|²,   t = (D×e_A)·N/|N|²,   Ṅ = ė_A×e_B + e_A×ė_B,   ṅ = ±(Ṅ − n(n·Ṅ))/|N|.                     (7)
//! ```
//!
//! Since a_A − a_B = f·n for the points a_A = q_A + s·e_A and a_B, f = n·(q_A − q_B), the speeds along the lines solve
//! ṡ·e_A − ṫ·e_B = ḟ·n + f·ṅ − (V_A − V_B) =: z, so that ṡ = (z×e_B)·N/|N|² and ṫ = (z×e_A)·N/|N|².                  (8)

use glam::DVec3;

use super::{Line, Placed, Plane, Track};
use crate::tolerances::PARALLEL_LINES;

/// A unit vector along w, and its rate.
pub(super) fn unit(w: DVec3, w_rate: DVec3) -> Option<[DVec3; 2]> {
    let length = w.length();
    if length <= 0.0 || !length.is_finite() {
        return None;
    }
    let u = w / length;
    Some([u, (w_rate - u * u.dot(w_rate)) / length])
}

/// Equations (5).
pub(super) fn corner(
    placed: &[Placed; 2],
    of: usize,
    center: DVec3,
    radius: f64,
    plane: &Plane,
) -> Track {
    let (x, y) = (&placed[of], &placed[1 - of]);
    let up = y.pose.vector(plane.normal);
    let up_rate = y.spin.cross(up);
    let c = x.pose.point(center);
    let point_rate = x.velocity_at(c) - radius * up_rate;
    over_plane(placed, of, c - radius * up, point_rate, [up, up_rate], plane.offset)
}

/// A point p of X, with its velocity, over a plane of Y that has the upward normal `up`.
pub(super) fn over_plane(
    placed: &[Placed; 2],
    of: usize,
    p: DVec3,
    p_rate: DVec3,
    [up, up_rate]: [DVec3; 2],
    offset: f64,
) -> Track {
    let (x, y) = (&placed[of], &placed[1 - of]);
    let h = up.dot(p - y.pose.translation) - offset;
    let foot = p - h * up;
    let h_rate = up.dot(x.velocity_at(p) - y.velocity_at(foot));
    let foot_rate = p_rate - h_rate * up - h * up_rate;
    Track::over(of, [p, foot], [p_rate, foot_rate], [up, up_rate], h)
}

/// Equations (6) with e = 0.
pub(super) fn points(
    placed: &[Placed; 2],
    centers: [DVec3; 2],
    [r_a, r_b]: [f64; 2],
) -> Option<Track> {
    let [c_a, c_b] = [0, 1].map(|i| placed[i].pose.point(centers[i]));
    let [v_a, v_b] = [placed[0].velocity_at(c_a), placed[1].velocity_at(c_b)];
    let [n, n_rate] = unit(c_a - c_b, v_a - v_b)?;
    let h = c_a.distance(c_b) - r_a - r_b;
    let points = [c_a - r_a * n, c_b + r_b * n];
    let rates = [v_a - r_a * n_rate, v_b + r_b * n_rate];
    let radius = parallel_sum(r_a, r_b);
    Some(Track { radius, ..Track::over(0, points, rates, [n, n_rate], h) })
}

/// Equations (6).
pub(super) fn point_line(
    placed: &[Placed; 2],
    of: usize,
    center: DVec3,
    line: &Line,
    [r_x, r_y]: [f64; 2],
) -> Option<Track> {
    let (x, y) = (&placed[of], &placed[1 - of]);
    let (c, q) = (x.pose.point(center), y.pose.point(line.middle));
    let e = y.pose.vector(line.direction);
    let e_rate = y.spin.cross(e);
    let (c_rate, q_rate) = (x.velocity_at(c), y.velocity_at(q));
    let (d, d_rate) = (c - q, c_rate - q_rate);
    let (l, l_rate) = (e.dot(d), e_rate.dot(d) + e.dot(d_rate));
    let w = d - l * e;
    let [u, u_rate] = unit(w, d_rate - l_rate * e - l * e_rate)?;
    let points = [c - r_x * u, q + l * e + r_y * u];
    let rates = [c_rate - r_x * u_rate, q_rate + l_rate * e + l * e_rate + r_y * u_rate];
    // Across the line the radii are side by side; along it only that of the point bends.
    let track = Track::over(of, points, rates, [u, u_rate], w.length() - r_x - r_y);
    Some(Track { radius: r_x, ..track })
}

/// Equations (7) and (8).
pub(super) fn lines(
    placed: &[Placed; 2],
    lines: &[Line; 2],
    [r_a, r_b]: [f64; 2],
    sign: f64,
) -> Option<Track> {
    let [q_a, q_b] = [0, 1].map(|i| placed[i].pose.point(lines[i].middle));
    let [e_a, e_b] = [0, 1].map(|i| placed[i].pose.vector(lines[i].direction));
    let [e_a_rate, e_b_rate] = [placed[0].spin.cross(e_a), placed[1].spin.cross(e_b)];
    let cross = e_a.cross(e_b);
    let square = cross.length_squared();
    if square <= PARALLEL_LINES * PARALLEL_LINES {
        return None;
    }
    let [n, n_rate] = unit(sign * cross, sign * (e_a_rate.cross(e_b) + e_a.cross(e_b_rate)))?;
    let apart = q_b - q_a;
    let (s, t) = (apart.cross(e_b).dot(cross) / square, apart.cross(e_a).dot(cross) / square);
    let (a, b) = (q_a + s * e_a, q_b + t * e_b);
    let (v_a, v_b) = (placed[0].velocity_at(a), placed[1].velocity_at(b));
    let f = -n.dot(apart);
    let z = n.dot(v_a - v_b) * n + f * n_rate - (v_a - v_b);
    let s_rate = z.cross(e_b).dot(cross) / square;
    let t_rate = z.cross(e_a).dot(cross) / square;
    let points = [a - r_a * n, b + r_b * n];
    let rates = [v_a + s_rate * e_a - r_a * n_rate, v_b + t_rate * e_b + r_b * n_rate];
    // R_A is r_A across e_A and endless along it: together they bend least by the larger radius over the square of the sine.
    let radius = r_a.max(r_b) / square;
    Some(Track { radius, ..Track::over(0, points, rates, [n, n_rate], f - r_a - r_b) })
}

/// 1/(1/a + 1/b), zero if one of them is.
fn parallel_sum(a: f64, b: f64) -> f64 {
    if a > 0.0 && b > 0.0 { a * b / (a + b) } else { 0.0 }
}
