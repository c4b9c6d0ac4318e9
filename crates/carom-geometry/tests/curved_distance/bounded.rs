//! Another search for the nearest points, slow and plain, that bounds the distance from both sides.
//!
//! The points it returns are mixtures of support points, hence in their solids, and the slab it returns is a support
//! plane of each: whatever it does in between, the distance lies between its bounds.

use glam::DVec3;

use crate::linear::solve;
use crate::random::{Pair, Random, solid};

/// A support point of A − B.
type Corner = DVec3;

/// Bounds on the distance of two solids that do not overlap.
fn bounds(pair: &Pair) -> [f64; 2] {
    let support = |d: DVec3| -> Corner {
        let b = pair.b.support(pair.a_from_b.vector_inverse(-d));
        pair.a.support(d) - pair.a_from_b.point(b)
    };
    let mut corners = vec![support(pair.a_from_b.translation)];
    let [mut lower, mut upper] = [f64::NEG_INFINITY, f64::INFINITY];
    for _ in 0..300 {
        let v = nearest(&mut corners);
        upper = upper.min(v.length());
        let Some(n) = v.try_normalize() else { break };
        lower = lower.max(pair.slab(n));
        if upper - lower <= 1e-14 * upper {
            break;
        }
        corners.push(support(-n));
    }
    [lower, upper]
}

/// The point nearest to the origin of the hull of up to four corners, of which it keeps those it needs.
fn nearest(corners: &mut Vec<Corner>) -> DVec3 {
    let mut best = (f64::INFINITY, DVec3::ZERO, Vec::new());
    for mask in 1_u32..1 << corners.len() {
        let chosen: Vec<Corner> =
            (0..corners.len()).filter(|i| mask >> i & 1 == 1).map(|i| corners[i]).collect();
        let Some(point) = inside(&chosen) else { continue };
        if point.length() < best.0 {
            best = (point.length(), point, chosen);
        }
    }
    *corners = best.2;
    corners.truncate(3);
    best.1
}

/// The point of the corners' affine hull nearest to the origin, if all weights are positive: weights w with
/// Σw = 1 and p_i·Σ w_j p_j the same for all i, by elimination.
fn inside(corners: &[Corner]) -> Option<DVec3> {
    let n = corners.len();
    let row = |i: usize| {
        let edge = corners[i] - corners[0];
        corners.iter().map(|p| if i == 0 { 1.0 } else { edge.dot(*p) }).collect()
    };
    let right = (0..n).map(|i| if i == 0 { 1.0 } else { 0.0 }).collect();
    let weights = solve((0..n).map(row).collect(), right);
    let total: f64 = weights.iter().sum();
    let positive = weights.iter().all(|w| *w >= 0.0) && (total - 1.0).abs() < 1e-9;
    positive.then(|| corners.iter().zip(&weights).map(|(p, w)| *p * (*w / total)).sum())
}

/// Two solids anywhere near each other.
fn placed(kinds: [&str; 2], aspect: f64, random: &mut Random) -> Pair {
    let [a, b] = kinds.map(|kind| solid(kind, aspect, random));
    let reach = crate::random::size(&a) + crate::random::size(&b);
    let translation = reach * random.between(0.05, 1.5) * random.direction();
    let a_from_b = carom_geometry::Pose::new(translation, random.rotation());
    let nowhere = DVec3::ZERO;
    Pair { a, b, a_from_b, gap: f64::NAN, normal: nowhere, point_a: nowhere, point_b: nowhere }
}

#[test]
fn distances_of_ellipsoids_and_superquadrics_lie_between_proven_bounds() {
    let mut random = Random(0xB0DE);
    let (mut n_apart, mut widths) = (0, Vec::new());
    let kinds = ["ellipsoid", "superquadric"];
    for k in 0..4000 {
        let pair = placed([kinds[k % 2], kinds[k / 2 % 2]], 10.0, &mut random);
        let [lower, upper] = bounds(&pair);
        if lower <= 0.0 {
            continue;
        }
        n_apart += 1;
        let distance = pair.closest().distance;
        let tolerance = 1e-12 * pair.size();
        widths.push((upper - lower) / pair.size());
        let within = lower - tolerance <= distance && distance <= upper + tolerance;
        assert!(within, "{distance}, not between {lower} and {upper}, of {pair:?}");
    }
    widths.sort_by(f64::total_cmp);
    let (median, most) = (widths[widths.len() / 2], widths[widths.len() * 99 / 100]);
    println!(
        "{n_apart} pairs apart, bounds closer than {median:e} for half, {most:e} for 99 of 100"
    );
    assert!(n_apart > 2000 && median < 1e-8);
}

#[test]
fn what_is_called_overlapping_has_no_separating_slab() {
    let mut random = Random(0xB0DF);
    let kinds = ["capsule", "cylinder", "cone", "ellipsoid", "superquadric", "hull"];
    let mut n_overlapping = 0;
    for k in 0..3000 {
        let pair = placed([kinds[k % 6], kinds[k / 6 % 6]], 10.0, &mut random);
        let [lower, upper] = bounds(&pair);
        let answer = pair.closest();
        let tolerance = 1e-12 * pair.size();
        assert!(answer.distance >= lower - tolerance, "{answer:?} below {lower} of {pair:?}");
        if answer.distance < -tolerance {
            n_overlapping += 1;
            assert!(
                lower <= answer.distance + tolerance,
                "{answer:?}, proven {lower}, of {pair:?}"
            );
            // The other search must have come as close to the origin as its steps allow.
            assert!(upper < 1e-2 * pair.size(), "{answer:?}, {upper} apart, of {pair:?}");
        }
    }
    println!("{n_overlapping} overlap");
    assert!(n_overlapping > 500);
}
