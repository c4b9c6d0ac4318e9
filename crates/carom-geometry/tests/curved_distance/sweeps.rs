//! Along motions: the signed distance follows them, through touch and back.

use carom_geometry::Pose;
use carom_geometry::distance::{Convex, Warm, closest, rates};
use carom_geometry::shapes::Ellipsoid;
use glam::{DQuat, DVec3};

use crate::random::{Pair, Random, curved_pairs, opposite, size, solid};

/// Shifting one solid by δ shifts every s(n) by at most δ, hence their maximum; turning it about its origin by an
/// angle φ moves its points by at most φ·r.
#[test]
fn the_signed_distance_never_outruns_the_motion() {
    let mut random = Random(21);
    let mut n_steps = 0;
    for kinds in curved_pairs() {
        for _ in 0..6 {
            let [a, b] = kinds.map(|kind| solid(kind, 30.0, &mut random));
            let least = size(&a).min(size(&b));
            let pair = opposite(a, b, 0.3 * least, &mut random);
            let (size, reach) = (pair.size(), pair.b.radius_about(DVec3::ZERO));
            let spin = 0.02 * random.unit() * random.direction();
            let mut pose = pair.a_from_b;
            let mut warm = Warm::Cold;
            let mut last = closest(&pair.a, &pair.b, &pose, &mut warm).distance;
            // In, along the first normal and a little across it, to a tenth of the smaller size; and out again.
            for k in 0..80 {
                let sign = if k < 40 { 1.0 } else { -1.0 };
                let shift = sign * 0.01 * least * (pair.normal + 0.2 * random.direction());
                let turn = DQuat::from_scaled_axis(sign * spin);
                pose = Pose::new(pose.translation + shift, (turn * pose.rotation).normalize());
                let now = closest(&pair.a, &pair.b, &pose, &mut warm).distance;
                let allowed = shift.length() + spin.length() * reach + 1e-11 * size;
                let depth = if now < 0.0 { 1e-7 * now.abs() } else { 0.0 };
                assert!((now - last).abs() <= allowed + depth, "{last} then {now} of {pair:?}");
                last = now;
                n_steps += 1;
            }
        }
    }
    println!("{n_steps} steps");
}

fn ellipsoids() -> [Convex; 2] {
    let axes = [DVec3::new(1.0, 0.6, 0.4), DVec3::new(0.5, 0.9, 0.7)];
    axes.map(|axes| Convex::Ellipsoid(Ellipsoid::new(axes).expect("the axes are positive")))
}

/// One per cent of the size through touch: values, slopes and curvatures of the signed distance at either side of zero
/// continue each other, as those of one smooth function do.
///
/// proves: baraff/16
#[test]
fn two_ellipsoids_pass_smoothly_through_touch() {
    let [a, b] = ellipsoids();
    let (velocity, spin) = (DVec3::new(-1.0, 0.3, 0.2), DVec3::new(0.4, -0.7, 0.5));
    let start = Pose::new(DVec3::new(1.8, 0.2, -0.3), DQuat::from_rotation_y(0.4));
    let at = |t: f64| {
        let turn = DQuat::from_scaled_axis(t * spin);
        Pose::new(start.translation + t * velocity, (turn * start.rotation).normalize())
    };
    let mut warm = Warm::Cold;
    let mut distance = |t: f64| closest(&a, &b, &at(t), &mut warm).distance;
    // The time of touch, by bisection.
    let (mut early, mut late) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (early + late);
        (early, late) = if distance(middle) > 0.0 { (middle, late) } else { (early, middle) };
    }
    // Differences of five values: the fourth is h⁴ times a derivative that varies slowly if it is there at all.
    let h = 1e-3;
    let fourth = |t: f64, f: &mut dyn FnMut(f64) -> f64| {
        (f(t - 2.0 * h) - 4.0 * f(t - h) + 6.0 * f(t) - 4.0 * f(t + h) + f(t + 2.0 * h))
            / (h * h * h * h)
    };
    let far = fourth(early - 0.02, &mut distance);
    for k in -8..=8 {
        let near = fourth(early + f64::from(k) * 1e-3, &mut distance);
        assert!((near - far).abs() < 0.3 * far.abs() + 1.0, "{near} at step {k}, {far} before");
    }
    let depth = distance(early + 0.02);
    assert!((-0.03..-0.01).contains(&depth), "{depth}");
}

/// The rate of the distance is that of the slab: minus the velocity of B at its point, along the normal.
#[test]
fn the_distance_changes_at_the_rate_of_the_points() {
    let mut random = Random(22);
    let mut n_checked = 0;
    for kinds in curved_pairs() {
        for k in 0..12 {
            let [a, b] = kinds.map(|kind| solid(kind, 5.0, &mut random));
            let pair = opposite(a, b, [0.3, 1e-2, 1e-6][k % 3], &mut random);
            let (velocity, spin) = (random.direction(), random.direction());
            let h = 1e-6;
            let at = |t: f64| {
                let turn = DQuat::from_scaled_axis(t * spin);
                let rotation = (turn * pair.a_from_b.rotation).normalize();
                Pair {
                    a_from_b: Pose::new(pair.a_from_b.translation + t * velocity, rotation),
                    ..pair.clone()
                }
            };
            let here = pair.closest();
            let arm = here.point_b - pair.a_from_b.translation;
            let expected = -here.normal.dot(velocity + spin.cross(arm));
            let ahead = (at(h).closest().distance - here.distance) / h;
            let behind = (here.distance - at(-h).closest().distance) / h;
            // Where the nearest points are not unique the two sides differ, and the rate lies between them.
            let (low, high) = (ahead.min(behind) - 1e-4, ahead.max(behind) + 1e-4);
            assert!((low..high).contains(&expected), "{expected}, not in {low}..{high}, {pair:?}");
            let moved = rates(&pair.a, &pair.b, &pair.a_from_b, &here, velocity, spin);
            assert!(moved.normal.dot(here.normal).abs() < 1e-9 * (1.0 + moved.normal.length()));
            n_checked += 1;
        }
    }
    println!("{n_checked} rates");
}
