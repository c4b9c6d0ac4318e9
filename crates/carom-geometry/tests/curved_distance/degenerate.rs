//! Placements without a unique answer, and those at the edge of what numbers can do.

use std::sync::Arc;

use carom_geometry::distance::{Closest, Convex, Warm, closest};
use carom_geometry::shapes::{Ball, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Superquadric};
use carom_geometry::{Pose, convex_hull};
use glam::{DQuat, DVec3};

use crate::random::{KINDS, Random, solid};

const VALID: &str = "the sizes are positive";

fn ball(radius: f64) -> Convex {
    Convex::Ball(Ball::new(radius).expect(VALID))
}

fn capsule(half_length: f64, radius: f64) -> Convex {
    Convex::Capsule(Capsule::new(half_length, radius).expect(VALID))
}

fn cylinder(half_length: f64, radius: f64) -> Convex {
    Convex::Cylinder(Cylinder::new(half_length, radius).expect(VALID))
}

fn cone(half_length: f64, radius: f64) -> Convex {
    Convex::Cone(Cone::new(half_length, radius).expect(VALID))
}

fn ellipsoid(x: f64, y: f64, z: f64) -> Convex {
    Convex::Ellipsoid(Ellipsoid::new(DVec3::new(x, y, z)).expect(VALID))
}

fn superquadric(axes: [f64; 3], m: f64, n: f64) -> Convex {
    Convex::Superquadric(Superquadric::new(DVec3::from_array(axes), m, n).expect(VALID))
}

fn cuboid(half: DVec3) -> Convex {
    let sign = |i: u32, bit: u32| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
    let corner = |i: u32| half * DVec3::new(sign(i, 0), sign(i, 1), sign(i, 2));
    let corners: Vec<DVec3> = (0..8).map(corner).collect();
    Convex::Polyhedron(Arc::new(convex_hull(&corners).expect("a box has a volume")))
}

fn at(translation: DVec3) -> Pose {
    Pose::from_translation(translation)
}

fn upside_down(height: f64) -> Pose {
    Pose::new(DVec3::Z * height, DQuat::from_rotation_x(std::f64::consts::PI))
}

fn ask(a: &Convex, b: &Convex, a_from_b: &Pose) -> Closest {
    closest(a, b, a_from_b, &mut Warm::Cold)
}

#[track_caller]
fn expect(a: &Convex, b: &Convex, a_from_b: &Pose, distance: f64) -> Closest {
    let answer = ask(a, b, a_from_b);
    let tolerance = 4e-13 * (1.0 + distance.abs());
    assert!(
        (answer.distance - distance).abs() < tolerance,
        "{answer:?}, not {distance}, of {a:?} and {b:?}"
    );
    assert!((answer.normal.length() - 1.0).abs() < 1e-14, "{answer:?}");
    assert!(answer.point_a.is_finite() && answer.point_b.is_finite(), "{answer:?}");
    answer
}

#[test]
fn solids_with_one_centre_are_as_deep_as_the_way_out() {
    let here = Pose::IDENTITY;
    expect(&ball(1.0), &ball(0.5), &here, -1.5);
    expect(&ball(0.5), &cylinder(1.0, 2.0), &here, -1.5);
    expect(&ball(0.25), &cuboid(DVec3::new(1.0, 2.0, 3.0)), &here, -1.25);
    expect(&capsule(1.0, 0.5), &capsule(1.0, 0.5), &here, -1.0);
    expect(&cylinder(1.0, 0.5), &cylinder(1.0, 0.5), &here, -1.0);
    expect(&ellipsoid(1.0, 0.5, 0.25), &ellipsoid(1.0, 0.5, 0.25), &here, -0.5);
    expect(&superquadric([1.0, 0.5, 0.25], 8.0, 8.0), &ball(0.1), &here, -0.35);
    let across = Pose::new(DVec3::ZERO, DQuat::from_rotation_x(1.0));
    expect(&capsule(1.0, 0.3), &capsule(2.0, 0.2), &across, -0.5);
}

#[test]
fn coaxial_and_parallel_flats_are_apart_by_the_gap_between_them() {
    for gap in [1.0, 1e-3, 1e-9, 0.0] {
        expect(&cylinder(0.5, 1.0), &cylinder(0.25, 2.0), &at(DVec3::Z * (0.75 + gap)), gap);
        expect(
            &cylinder(0.5, 1.0),
            &cylinder(0.25, 2.0),
            &at(DVec3::new(0.5, 1.0, 0.75 + gap)),
            gap,
        );
        expect(&cylinder(0.5, 1.0), &cylinder(0.5, 1.0), &at(DVec3::X * (2.0 + gap)), gap);
        expect(&cone(0.5, 1.0), &cone(0.5, 1.0), &upside_down(-1.0 - gap), gap);
        expect(&cuboid(DVec3::ONE), &cylinder(1.0, 1.0), &at(DVec3::Z * (2.0 + gap)), gap);
        expect(&cuboid(DVec3::ONE), &cylinder(1.0, 1.0), &at(DVec3::X * (2.0 + gap)), gap);
        expect(&cuboid(DVec3::ONE), &capsule(3.0, 0.5), &at(DVec3::X * (1.5 + gap)), gap);
        expect(
            &capsule(3.0, 0.5),
            &capsule(1.0, 0.5),
            &at(DVec3::new(0.6, 0.8, 0.0) * (1.0 + gap)),
            gap,
        );
        expect(&capsule(3.0, 0.5), &capsule(1.0, 0.5), &at(DVec3::Z * (5.0 + gap)), gap);
        expect(
            &superquadric([1.0; 3], 20.0, 20.0),
            &superquadric([1.0; 3], 20.0, 20.0),
            &at(DVec3::X * (2.0 + gap)),
            gap,
        );
    }
}

/// Two discs one above the other and tilted by ever less: the lowest rim point hangs over the other cap.
#[test]
fn nearly_parallel_caps_touch_at_the_lowest_rim_point() {
    for k in 0..60 {
        let tilt = libm::pow(10.0, -0.25 * f64::from(k));
        let azimuth = 0.7 * f64::from(k);
        let axis = DVec3::new(libm::cos(azimuth), libm::sin(azimuth), 0.0);
        let rotation = DQuat::from_axis_angle(axis, tilt);
        let (half, radius) = (0.01, 0.5);
        // Depth of the lowest rim point below the centre, and where it lies.
        let below = half * libm::cos(tilt) + radius * libm::sin(tilt);
        let pose = Pose::new(DVec3::Z * (0.25 + below + 1e-3), rotation);
        expect(&cylinder(0.25, 2.0), &cylinder(half, radius), &pose, 1e-3);
        let pose = Pose::new(DVec3::Z * (0.25 + below), rotation);
        expect(&cylinder(0.25, 2.0), &cylinder(half, radius), &pose, 0.0);
    }
}

#[test]
fn points_touch_points() {
    let needle = cone(1.0, 1e-3);
    expect(&cone(1.0, 0.5), &cone(0.5, 0.5), &upside_down(1.5), 0.0);
    expect(&cone(1.0, 0.5), &cone(0.5, 0.5), &upside_down(2.5), 1.0);
    expect(&needle, &needle, &upside_down(2.0), 0.0);
    expect(&needle, &needle, &upside_down(2.0 + 1e-9), 1e-9);
    expect(&needle, &ball(1.0), &at(DVec3::Z * 2.0), 0.0);
    let corner = DVec3::ONE;
    let rotation = DQuat::from_rotation_arc(corner.normalize_or_zero(), -DVec3::Z);
    let reach = 3.0_f64.sqrt();
    let box_on_tip = Pose::new(DVec3::Z * (1.0 + reach), rotation);
    expect(&cone(1.0, 0.5), &cuboid(corner), &box_on_tip, 0.0);
    expect(&superquadric([1.0; 3], 1.0, 1.0), &cone(1.0, 0.5), &upside_down(2.0), 0.0);
    expect(
        &superquadric([1.0; 3], 1.0, 1.0),
        &superquadric([1.0; 3], 1.0, 1.0),
        &at(DVec3::X * 2.5),
        0.5,
    );
}

#[test]
fn coins_and_needles_keep_their_digits() {
    let coin = cylinder(1e-3, 1.0);
    let on_edge = Pose::new(DVec3::Z * 1.002, DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2));
    expect(&coin, &coin, &on_edge, 1e-3);
    expect(&coin, &coin, &at(DVec3::new(1.3, 0.0, 2e-3 + 1e-9)), 1e-9);
    let needle = ellipsoid(1e-3, 1e-3, 1.0);
    let crossed = Pose::new(DVec3::Y * 2e-3, DQuat::from_rotation_y(1.0));
    expect(&needle, &needle, &crossed, 0.0);
    expect(&needle, &needle, &at(DVec3::Z * 2.0), 0.0);
    expect(&needle, &coin, &at(DVec3::Z * (1.0 + 1e-3 + 1e-6)), 1e-6);
}

#[test]
fn exponents_from_one_to_a_thousand_reach_as_far_as_their_axes() {
    for exponent in [1.0, 1.0 + 1e-12, 1.0001, 1.5, 2.0, 2.0001, 4.0, 33.3, 1000.0] {
        for other in [1.0, 1.3, 2.0, 7.0, 1000.0] {
            let shape = superquadric([0.5, 0.25, 1.0], exponent, other);
            for (axis, reach) in [(DVec3::X, 0.5), (DVec3::Y, 0.25), (DVec3::Z, 1.0)] {
                for gap in [0.5, 1e-6, 0.0] {
                    let away = at(axis * (reach + 0.125 + gap));
                    expect(&shape, &ball(0.125), &away, gap);
                    expect(&shape, &cuboid(DVec3::splat(0.125)), &away, gap);
                    expect(&shape, &shape, &at(2.0 * axis * (reach + gap)), 2.0 * gap);
                }
            }
        }
    }
}

#[test]
fn half_spaces_face_each_other_or_overlap_without_end() {
    let plane = |up: DVec3, offset: f64| {
        Convex::HalfSpace(HalfSpace::new(up, offset).expect("a unit vector"))
    };
    let answer = ask(&plane(DVec3::Z, -1.0), &plane(-DVec3::Z, -2.0), &Pose::IDENTITY);
    assert_eq!((answer.distance, answer.normal), (3.0, -DVec3::Z));
    for up in [DVec3::Z, DVec3::X] {
        let answer = ask(&plane(DVec3::Z, -1.0), &plane(up, -2.0), &Pose::IDENTITY);
        assert_eq!(answer.distance, f64::NEG_INFINITY);
        assert!(answer.normal.is_finite() && answer.point_a.is_finite(), "{answer:?}");
    }
}

/// Whatever is asked, the answer is made of numbers, and its distance is that of its own slab.
#[test]
fn nothing_valid_gives_what_is_not_a_number() {
    let mut random = Random(0xDE);
    let mut n_asked = 0;
    for k in 0..20_000 {
        let kinds = [KINDS[k % 9], KINDS[k / 9 % 9]];
        let [a, b] = kinds.map(|kind| {
            let shape = solid(kind, [1.0 + 1e-9, 1e3][random.below(2)], &mut random);
            crate::random::scaled(&shape, [1.0, random.log_between(1e-6, 1e6)][random.below(2)])
        });
        let reach = crate::random::size(&a) + crate::random::size(&b);
        let shift = [0.0, 1e-300, 1e-12, 0.3, 1.0, 1e9][random.below(6)] * reach;
        let direction = [DVec3::ZERO, DVec3::X, DVec3::Z, random.direction()][random.below(4)];
        let quarter = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
        let turn = [DQuat::IDENTITY, quarter, random.rotation()][random.below(3)];
        let answer = ask(&a, &b, &Pose::new(shift * direction, turn));
        let finite = answer.distance.is_finite() && answer.normal.is_finite();
        assert!(finite && answer.point_a.is_finite() && answer.point_b.is_finite(), "{a:?} {b:?}");
        let high = b.support_value(turn.conjugate() * answer.normal);
        let slab = -a.support_value(-answer.normal) - high - answer.normal.dot(shift * direction);
        let tolerance = 1e-12 * (reach + shift);
        assert!(
            (slab - answer.distance).abs() <= tolerance,
            "{answer:?}, {slab}, of {a:?} and {b:?}"
        );
        n_asked += 1;
    }
    println!("{n_asked} questions");
}
