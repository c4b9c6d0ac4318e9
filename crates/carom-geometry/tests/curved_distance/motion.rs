//! Rates of normals and points beside finite differences.

use carom_geometry::Pose;
use carom_geometry::distance::{Closest, Convex, Warm, closest, normal_rate, rates};
use carom_geometry::shapes::Superquadric;
use glam::{DQuat, DVec3};

use crate::random::{KINDS, Pair, Random, opposite, size, solid};

/// The pair after B has moved for a time.
fn moved(pair: &Pair, velocity: DVec3, spin: DVec3, t: f64) -> Pair {
    let turn = DQuat::from_scaled_axis(t * spin);
    let rotation = (turn * pair.a_from_b.rotation).normalize();
    let a_from_b = Pose::new(pair.a_from_b.translation + t * velocity, rotation);
    Pair { a_from_b, ..pair.clone() }
}

/// Whether points and normal belong together to rounding: on flats of high order they need not, although the
/// distance is exact, and then differences of normals say nothing.
fn is_sharp(pair: &Pair, answer: &Closest) -> bool {
    let slip = answer.point_a - answer.point_b - answer.distance * answer.normal;
    slip.length() < 1e-14 * pair.size()
}

/// Whether the points lie off the planes where superquadrics have no or an endless curvature.
fn is_generic(pair: &Pair, answer: &Closest) -> bool {
    let off_planes = |solid: &Convex, point: DVec3| match solid {
        Convex::Superquadric(it) => (point / it.semi_axes()).abs().min_element() > 0.02,
        _ => true,
    };
    let local_b = pair.a_from_b.inverse().point(answer.point_b);
    off_planes(&pair.a, answer.point_a) && off_planes(&pair.b, local_b)
}

/// Superquadrics with moderate exponents, whose points are well determined.
fn smooth(kind: &str, random: &mut Random) -> Convex {
    if kind != "superquadric" {
        return solid(kind, 5.0, random);
    }
    let axes =
        DVec3::new(random.between(0.3, 1.0), random.between(0.3, 1.0), random.between(0.3, 1.0));
    let exponents = [random.between(1.5, 3.0), random.between(1.5, 3.0)];
    Convex::Superquadric(Superquadric::new(axes, exponents[0], exponents[1]).expect("valid sizes"))
}

/// All kinds, polyhedral ones among themselves as well: faces, edges, corners and everything round.
#[test]
fn normals_turn_at_the_rate_of_their_differences() {
    let mut random = Random(0x0707);
    let (mut n_compared, mut n_skipped) = (0, 0);
    for (i, first) in KINDS.iter().enumerate() {
        for second in &KINDS[i..] {
            for k in 0..40 {
                let [a, b] = [*first, *second].map(|kind| smooth(kind, &mut random));
                let gap = [0.5, 0.05, 1e-3][k % 3] * size(&a).max(size(&b));
                let pair = opposite(a, b, gap, &mut random);
                let (velocity, spin) = (random.direction(), random.direction());
                let h = 1e-6 * gap.min(0.1);
                let here = pair.closest();
                let [before, after] = [-h, h].map(|t| {
                    let mut warm = Warm::Last(here);
                    let there = moved(&pair, velocity, spin, t);
                    closest(&there.a, &there.b, &there.a_from_b, &mut warm)
                });
                let steady = before.features == here.features && after.features == here.features;
                let sharp = [&before, &here, &after].iter().all(|it| is_sharp(&pair, it));
                let bend = (after.normal - 2.0 * here.normal + before.normal).length();
                // A border of a smooth patch, or of a cone of normals, lies between the three.
                let clear = steady && sharp && is_generic(&pair, &here);
                if !clear || bend > 1e-3 * (after.normal - before.normal).length() + 1e-13 {
                    n_skipped += 1;
                    continue;
                }
                let measured = (after.normal - before.normal) / (2.0 * h);
                let computed = normal_rate(&pair.a, &pair.b, &pair.a_from_b, &here, velocity, spin);
                let tolerance = 1e-4 * (1.0 + measured.length()) + 4e-15 / h;
                let off = (measured - computed).length();
                assert!(
                    off < tolerance,
                    "{computed}, measured {measured}, gap {gap}, {here:?}, {pair:?}"
                );
                n_compared += 1;
            }
        }
    }
    println!("{n_compared} normals compared, {n_skipped} skipped at borders");
    assert!(n_compared > 1000);
}

/// Between smooth solids, and through touch: there the equations stay regular.
#[test]
fn points_of_smooth_solids_move_at_the_rate_of_their_differences() {
    let kinds = ["ball", "capsule", "ellipsoid", "superquadric"];
    let mut random = Random(0x0708);
    let mut n_compared = 0;
    for k in 0..600 {
        let [a, b] = [kinds[k % 4], kinds[k / 4 % 4]].map(|kind| smooth(kind, &mut random));
        let gap = [0.5, 1e-3, 0.0, -1e-3][k / 16 % 4];
        let pair = opposite(a, b, gap, &mut random);
        let (velocity, spin) = (random.direction(), random.direction());
        let h = 1e-5;
        let here = pair.closest();
        let [before, after] = [-h, h].map(|t| moved(&pair, velocity, spin, t).closest());
        let sharp = [&before, &here, &after].iter().all(|it| is_sharp(&pair, it));
        let bend = (after.normal - 2.0 * here.normal + before.normal).length();
        let far = here.normal.distance(after.normal) > 0.1;
        let clear = before.features == after.features && sharp && is_generic(&pair, &here);
        if !clear || far || bend > 1e-7 {
            continue;
        }
        let computed = rates(&pair.a, &pair.b, &pair.a_from_b, &here, velocity, spin);
        let speed = |one: DVec3, other: DVec3| (other - one) / (2.0 * h);
        let measured = [
            (speed(before.normal, after.normal), computed.normal),
            (speed(before.point_a, after.point_a), computed.point_a),
            (speed(before.point_b, after.point_b), computed.point_b),
        ];
        for (measured, computed) in measured {
            let tolerance = 1e-3 * (1.0 + measured.length());
            let off = (measured - computed).length();
            assert!(off < tolerance, "{computed}, measured {measured}, {here:?}, {pair:?}");
        }
        n_compared += 1;
    }
    println!("{n_compared} pairs compared");
    assert!(n_compared > 300, "{n_compared}");
}
