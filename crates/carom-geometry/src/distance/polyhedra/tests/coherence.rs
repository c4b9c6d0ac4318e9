//! What the memory of the last answer saves.

use glam::DQuat;

use super::cases::{cuboid, tessellated};
use super::*;

fn about(axis: DVec3, degrees: f64) -> DQuat {
    let (sin, cos) = libm::sincos(degrees.to_radians() / 2.0);
    let axis = axis * sin;
    DQuat::from_xyzw(axis.x, axis.y, axis.z, cos)
}

/// Steps per call, mean and largest, while a ball of 2n − 4 facets turns beside a cube, about an axis parallel to the
/// nearest face.
fn steps_while_turning(n: u32, degrees_per_call: f64, memory: bool) -> (f64, u32) {
    let (cube, ball) = (cuboid(DVec3::ONE), tessellated(n));
    let mut warm = Warm::Cold;
    let (mut sum, mut most) = (0, 0);
    let calls = 2_000;
    for call in 0..calls {
        let rotation = about(DVec3::new(0.6, 0.8, 0.0), degrees_per_call * f64::from(call));
        let pose = Pose::new(DVec3::new(0.1, 0.2, 2.5), rotation);
        let (answer, effort) = solved(&cube, &ball, &pose, &warm);
        if memory {
            warm = Warm::Last(answer);
        }
        sum += effort.steps;
        most = most.max(effort.steps);
    }
    (f64::from(sum) / f64::from(calls), most)
}

/// proves: m1/LC-R6
#[test]
fn at_one_degree_per_call_a_few_steps_do_and_hardly_grow_with_the_facets() {
    let mut means = Vec::new();
    for n in [12, 83, 327, 2502] {
        let (warm, most) = steps_while_turning(n, 1.0, true);
        let (cold, cold_most) = steps_while_turning(n, 1.0, false);
        println!("{} facets: warm {warm} most {most}, cold {cold} most {cold_most}", 2 * n - 4);
        means.push(warm);
    }
    // Facets of 5000 are 2.5° wide, so that about half the calls change the feature, by two steps each.
    assert!(means.iter().all(|mean| *mean < 4.0), "{means:?}");
    // 250 times the facets: √250 = 16 times as many borders crossed per degree.
    assert!(means[3] < 16.0 * means[0] + 1.0, "{means:?}");
}

/// proves: m1/LC-R6
#[test]
fn steps_grow_with_the_turn_per_call() {
    let slow = steps_while_turning(2502, 0.1, true).0;
    let fast = steps_while_turning(2502, 20.0, true).0;
    assert!(slow < 0.5 && slow < fast, "{slow} {fast}");
}

/// proves: baraff/11
#[test]
fn in_a_slow_tumble_the_last_features_are_still_nearest_in_nine_frames_of_ten() {
    let a = cuboid(DVec3::new(0.5, 0.7, 0.9));
    let b = cuboid(DVec3::new(0.8, 0.4, 0.6));
    let mut warm = Warm::Cold;
    let (mut kept, frames) = (0, 5_000);
    for frame in 0..frames {
        let t = f64::from(frame);
        let rotation = about(DVec3::new(0.36, 0.48, 0.8), 0.2 * t) * about(DVec3::X, 0.13 * t);
        let (answer, effort) =
            solved(&a, &b, &Pose::new(DVec3::new(1.4, 1.3, 0.2), rotation), &warm);
        kept += u32::from(effort.steps == 0);
        warm = Warm::Last(answer);
    }
    assert!(f64::from(kept) > 0.9 * f64::from(frames), "{kept} of {frames}");
}

#[test]
fn either_side_of_a_triangle_is_remembered() {
    let triangle = Convex::Triangle([DVec3::ZERO, 4.0 * DVec3::X, 4.0 * DVec3::Y]);
    let cube = cuboid(DVec3::splat(0.3));
    for height in [1.0, -1.0] {
        let mut warm = Warm::Cold;
        for call in 0..360 {
            let rotation = about(DVec3::new(0.6, 0.8, 0.0), f64::from(call));
            let pose = Pose::new(DVec3::new(1.0, 1.0, height), rotation);
            let (answer, effort) = solved(&triangle, &cube, &pose, &warm);
            assert_eq!(answer.features[0], Feature::Face(0));
            assert!(answer.normal.z * height < 0.0, "{answer:?}");
            assert!(effort.steps <= 8 && effort.support_points == 0, "{effort:?}");
            warm = Warm::Last(answer);
        }
    }
}
