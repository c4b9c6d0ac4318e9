//! The nearest points of two cores by Newton's method on their offset surfaces.
//!
//! Feet (p_A, n_A) and (p_B, n_B) belong to the nearest points when n_A + n_B = 0 and p_A − p_B is along the normal
//! n = ½(n_B − n_A). Steps r_A·w_A, r_B·w_B along the surfaces at distances r_A, r_B move them as `project` says, so
//! with s the width of the slab between the feet and all vectors taken across n
//!
//! (I − D_A)·w_A + (I − D_B)·w_B = −(n_A + n_B),                                                             (1)
//! r_B·D_B·w_B − r_A·D_A·w_A + s·δn = p_A − p_B,   δn = ½((I − D_B)·w_B − (I − D_A)·w_A).                    (2)
//!
//! The four equations stay regular at flats, rims, corners and through s = 0. Three things are added to them:
//!
//! - *Roundness.* Where both solids are flat in the same direction, (1) has no solution unless they are parallel. The
//!   best points then lie at the end of a flat; I − D + ε instead of I − D makes the step go there, in the direction
//!   in which the flats approach each other.
//! - *Damping.* s is increased by the residual times the size. Where both are corners in the same direction, n is
//!   determined by the difference of two points that may be nearer than they are known yet. As the residual
//!   vanishes so does the damping, and convergence stays faster than linear.
//! - *Uphill.* The second derivative of s(n) is −(s·I + R_A + R_B) with the radii of curvature R = r·D·(I − D)⁻¹.
//!   Where that is not negative, deep inside, |s| instead of s turns the step from the saddle to the maximum.

use glam::DVec3;

use super::linear;
use super::pair::{Feet, Pair};
use crate::tolerances::{
    NEWTON_FLOOR_ULPS, NEWTON_RANK, NEWTON_ROUNDNESS, NEWTON_SLOW, NEWTON_STEPS, NEWTON_UPHILL,
};

/// The equations for unknown steps on both offset surfaces, in a basis across the normal.
pub(super) struct Equations {
    basis: [DVec3; 2],
    rows: [[f64; 4]; 4],
    /// Length that makes positions pure numbers `[m]`.
    scale: f64,
}

/// Steps along both offset surfaces, in units of their distances, in the frame of A.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    pub(super) a: DVec3,
    pub(super) b: DVec3,
}

/// A symmetric 2×2 matrix: xx, xy, yy.
type Symmetric = [f64; 3];

impl Equations {
    /// `damping` is the residual, or zero for rates.
    pub(super) fn new(pair: &Pair<'_>, feet: &Feet, damping: f64) -> Self {
        let (basis, maps) = maps_across(pair, feet);
        let scale = pair.scale();
        let maximum = feet.width >= 0.0 || least_bend(pair, maps) > -feet.width;
        let width = if maximum { feet.width } else { -feet.width };
        let turn = 0.5 * (width + damping * scale);
        let [size_a, size_b] = [pair.a.size, pair.b.size];
        let mut rows = [[0.0; 4]; 4];
        for (i, j, k) in [(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2)] {
            let unit = if i == j { 1.0 + NEWTON_ROUNDNESS } else { 0.0 };
            let (a, b) = (maps[0][k], maps[1][k]);
            rows[i][j] = unit - a;
            rows[i][j + 2] = unit - b;
            rows[i + 2][j] = -(size_a * a + turn * (unit - a)) / scale;
            rows[i + 2][j + 2] = (size_b * b + turn * (unit - b)) / scale;
        }
        Self { basis, rows, scale }
    }

    /// The steps that change n_A + n_B by `tilt` and p_B − p_A, across the normal, by `slip`.
    pub(super) fn solve(&self, tilt: DVec3, slip: DVec3) -> Steps {
        let [s, t] = self.basis;
        let slip = slip / self.scale;
        let right = [s.dot(tilt), t.dot(tilt), s.dot(slip), t.dot(slip)];
        let [a_s, a_t, b_s, b_t] = linear::solve(self.rows, right, NEWTON_RANK);
        Steps { a: a_s * s + a_t * t, b: b_s * s + b_t * t }
    }
}

/// Two unit vectors across the normal, and the tangent maps of A and B in that basis.
fn maps_across(pair: &Pair<'_>, feet: &Feet) -> ([DVec3; 2], [Symmetric; 2]) {
    let first = feet.normal.any_orthonormal_vector();
    let basis = [first, feet.normal.cross(first)];
    let in_b = basis.map(|axis| pair.direction_b(axis));
    let block = |[s, t]: [DVec3; 2], map: glam::DMat3| {
        let image = map * t;
        [s.dot(map * s), s.dot(image), t.dot(image)]
    };
    (basis, [block(basis, feet.a.map), block(in_b, feet.b.map)])
}

/// Whether s(n) has a maximum at the feet: the radii of curvature of both together exceed the depth.
pub(super) fn is_maximum(pair: &Pair<'_>, feet: &Feet) -> bool {
    feet.width >= 0.0 || least_bend(pair, maps_across(pair, feet).1) > -feet.width
}

/// The smaller eigenvalue of R_A + R_B.
fn least_bend(pair: &Pair<'_>, [map_a, map_b]: [Symmetric; 2]) -> f64 {
    let (a, b) = (radii(map_a, pair.a.size), radii(map_b, pair.b.size));
    let [xx, xy, yy] = [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
    let (mean, half) = (0.5 * (xx + yy), 0.5 * (xx - yy));
    // The determinant over the larger eigenvalue, which cancels no digits.
    (xx * yy - xy * xy) / (mean + libm::sqrt(half * half + xy * xy)).max(f64::MIN_POSITIVE)
}

/// The largest eigenvalue of (R_A⁻¹ + R_B⁻¹)⁻¹ = R_A − R_A·(R_A + R_B)⁻¹·R_A, of the solids with their radii `[m]`.
pub(super) fn relative_radius(pair: &Pair<'_>, feet: &Feet) -> f64 {
    let (_, maps) = maps_across(pair, feet);
    let thick = |[xx, xy, yy]: Symmetric, radius: f64| [xx + radius, xy, yy + radius];
    let a = thick(radii(maps[0], pair.a.size), pair.a.radius);
    let b = thick(radii(maps[1], pair.b.size), pair.b.radius);
    // The difference loses no digits where it starts from the smaller of the two.
    let trace = |[xx, _, yy]: Symmetric| xx + yy;
    let (a, b) = if trace(a) > trace(b) { (b, a) } else { (a, b) };
    let [sx, sz, sy] = [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
    let determinant = sx * sy - sz * sz;
    if determinant <= 0.0 || !determinant.is_finite() {
        return 0.0;
    }
    // R_A·adj(S)·R_A / det S, with S = R_A + R_B.
    let [xx, xy, yy] = a;
    let (px, pxy) = (xx * sy - xy * sz, xy * sx - xx * sz);
    let (pyx, py) = (xy * sy - yy * sz, yy * sx - xy * sz);
    let together = [
        xx - (px * xx + pxy * xy) / determinant,
        xy - (px * xy + pxy * yy) / determinant,
        yy - (pyx * xy + py * yy) / determinant,
    ];
    let (mean, half) = (0.5 * (together[0] + together[2]), 0.5 * (together[0] - together[2]));
    (mean + libm::sqrt(half * half + together[1] * together[1])).max(0.0)
}

/// r·D·(I − D)⁻¹ = r·((I − D)⁻¹ − I), large where D is flat.
fn radii([xx, xy, yy]: Symmetric, size: f64) -> Symmetric {
    let (a, b, c) = (1.0 - xx + NEWTON_ROUNDNESS, -xy, 1.0 - yy + NEWTON_ROUNDNESS);
    let determinant = (a * c - b * b).max(NEWTON_ROUNDNESS * NEWTON_ROUNDNESS);
    [size * (c / determinant - 1.0), -size * b / determinant, size * (a / determinant - 1.0)]
}

/// How far feet are from being nearest points, as a pure number.
pub(super) fn residual(pair: &Pair<'_>, feet: &Feet) -> f64 {
    let scale = pair.scale();
    libm::sqrt(feet.tilt.length_squared() + feet.slip.length_squared() / (scale * scale))
}

/// Whether only rounding is left: in normals of their own, in positions of their coordinates.
fn is_exact(pair: &Pair<'_>, feet: &Feet) -> bool {
    feet.tilt.length() <= NEWTON_FLOOR_ULPS * f64::EPSILON
        && feet.slip.length() <= pair.ulps(NEWTON_FLOOR_ULPS)
}

/// Takes steps until the residual is down to rounding or falls no more, and returns the best feet and whether their
/// residual is down to rounding.
///
/// `good_enough` is asked when progress is slow, as on flats of high order, whose points are hardly determined and
/// hardly matter.
pub(super) fn improve(
    pair: &Pair<'_>,
    start: &Feet,
    good_enough: impl Fn(&Feet) -> bool,
) -> (Feet, bool) {
    let (mut feet, mut now) = (*start, residual(pair, start));
    let (mut best, mut least) = (feet, now);
    let mut uphill = 0;
    for _ in 0..NEWTON_STEPS {
        if is_exact(pair, &feet) {
            return (feet, true);
        }
        let steps = Equations::new(pair, &feet, now).solve(-feet.tilt, feet.slip);
        let Some((next, then)) = stepped(pair, &feet, now, steps) else { break };
        let slow = then > NEWTON_SLOW * now;
        (feet, now) = (next, then);
        uphill += 1;
        if now < least {
            (best, least, uphill) = (feet, now, 0);
        }
        if uphill > NEWTON_UPHILL || (slow && good_enough(&feet)) {
            break;
        }
    }
    (best, is_exact(pair, &best))
}

/// The largest of the step and its first halves that makes the residual smaller; the whole step if none does, for
/// features change by jumps.
fn stepped(pair: &Pair<'_>, feet: &Feet, now: f64, steps: Steps) -> Option<(Feet, f64)> {
    let longest = steps.a.length().max(steps.b.length());
    let whole = if longest > 1.0 { 1.0 / longest } else { 1.0 };
    let normal_b = pair.rotation * feet.b.normal;
    let mut first = None;
    for share in [whole, 0.5 * whole, 0.25 * whole, 0.125 * whole] {
        let z_a = feet.a.point + pair.a.size * (feet.a.normal + share * steps.a);
        let z_b = feet.point_b + pair.b.size * (normal_b + share * steps.b);
        let Some(next) = pair.feet(z_a, z_b, &feet.a, &feet.b) else { continue };
        let then = residual(pair, &next);
        if then < now * (1.0 - 0.1 * share) {
            return Some((next, then));
        }
        first = first.or(Some((next, then)));
    }
    first
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::Pose;
    use crate::distance::curved::core::Stripped;
    use crate::distance::curved::solve::Guess;
    use crate::distance::{Convex, Feature};
    use crate::shapes::Ellipsoid;

    fn ellipsoid(x: f64, y: f64, z: f64) -> Convex {
        Convex::Ellipsoid(Ellipsoid::new(DVec3::new(x, y, z)).expect("the axes are positive"))
    }

    /// Steps until only rounding is left.
    fn steps_to_the_end(pair: &Pair<'_>, mut feet: Feet) -> (usize, Feet) {
        for count in 0..NEWTON_STEPS {
            if is_exact(pair, &feet) {
                return (count, feet);
            }
            let now = residual(pair, &feet);
            let steps = Equations::new(pair, &feet, now).solve(-feet.tilt, feet.slip);
            (feet, _) = stepped(pair, &feet, now, steps).expect("points above smooth solids");
        }
        (NEWTON_STEPS, feet)
    }

    /// Steps of a hundredth of the size, from apart to one per cent deep, as a tracker takes them.
    ///
    /// proves: baraff/16
    #[test]
    fn tracked_ellipsoids_take_four_steps_at_most_through_touch() {
        let (a, b) = (ellipsoid(1.0, 0.6, 0.4), ellipsoid(0.5, 0.9, 0.7));
        let direction = DVec3::new(0.8, 0.36, 0.48);
        let mut guess: Option<Guess> = None;
        let mut widths = Vec::new();
        for k in 0..30 {
            let turn = DQuat::from_rotation_y(0.4 + 0.01 * f64::from(k));
            let pose = Pose::new(direction * (1.58 - 0.01 * f64::from(k)), turn);
            let pair = Pair::new(Stripped::of(&a), Stripped::of(&b), &pose);
            let feet = match &guess {
                Some(guess) => guess.feet(&pair),
                None => Guess {
                    point_a: direction * 0.5,
                    point_b: direction,
                    normal: -direction,
                    features: [Feature::Face(0); 2],
                }
                .feet(&pair),
            };
            let (count, feet) = steps_to_the_end(&pair, feet.expect("points above smooth solids"));
            assert!(guess.is_none() || count <= 4, "{count} steps at {k}, {} wide", feet.width);
            widths.push(feet.width);
            guess = Some(Guess {
                point_a: feet.a.point,
                point_b: feet.point_b,
                normal: feet.normal,
                features: [Feature::Face(0); 2],
            });
        }
        let (first, last) = (widths[0], widths[29]);
        assert!(first > 0.05 && (-0.2..-0.01).contains(&last), "from {first} to {last}");
    }

    #[test]
    fn undetermined_directions_get_no_step() {
        let mut rows = [[0.0; 4]; 4];
        (rows[0][0], rows[1][1], rows[2][2]) = (2.0, -3.0, 1e-20);
        let x = linear::solve(rows, [4.0, 6.0, 0.0, 5.0], NEWTON_RANK);
        assert_eq!(x, [2.0, -2.0, 0.0, 0.0]);
        let rows = [
            [0.0, 1.0, 2.0, 3.0],
            [4.0, 0.0, 1.0, 1.0],
            [1.0, 2.0, 0.0, 5.0],
            [2.0, 1.0, 3.0, 0.0],
        ];
        let expected = [1.0, -2.0, 3.0, -4.0];
        let right = rows.map(|row| row.iter().zip(expected).map(|(r, x)| r * x).sum());
        let x = linear::solve(rows, right, NEWTON_RANK);
        assert!(x.iter().zip(expected).all(|(x, e)| (x - e).abs() < 1e-14), "{x:?}");
    }
}
