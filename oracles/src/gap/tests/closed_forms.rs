//! Pairs whose distance anyone can write down.

use super::super::{Oracle, Pose, Solid};
use super::{assert_is, body, box_mesh, gap, turn};

const TIGHT: f64 = 1e-12;

#[test]
fn balls_are_as_far_apart_as_their_centres_less_their_radii() {
    let (large, small) = (Solid::Ball { radius: 2.0 }, Solid::Ball { radius: 0.5 });
    let at =
        |x: f64| Pose { position: [x, 0.6 * x, -0.8 * x], quaternion: turn([1.0, 2.0, 3.0], 1.0) };
    for x in [10.0, 2.0, 1.7677, 1.0, 0.1, 0.0] {
        let expected = x * 2.0_f64.sqrt() - 2.5;
        assert_is(gap(&large, Pose::IDENTITY, &small, at(x)), expected, TIGHT);
    }
}

#[test]
fn a_ball_over_a_plane_is_as_high_as_its_lowest_point() {
    let ground = Solid::HalfSpace { normal: [0.0, 3.0, 4.0], offset: 1.0 };
    let ball = Solid::Ball { radius: 0.25 };
    for height in [2.0, 1e-9, 0.0, -0.3] {
        let distance = 1.25 + height;
        let position = [7.0, 0.6 * distance, 0.8 * distance];
        assert_is(gap(&ball, Pose::at(position), &ground, Pose::IDENTITY), height, TIGHT);
        assert_is(gap(&ground, Pose::IDENTITY, &ball, Pose::at(position)), height, TIGHT);
    }
}

/// An ellipsoid reaches √(a²n_x² + b²n_y² + c²n_z²) along n.
#[test]
fn an_ellipsoid_over_a_plane_reaches_down_by_its_support() {
    let ground = Solid::HalfSpace { normal: [0.0, 0.0, 1.0], offset: 0.0 };
    let ellipsoid = Solid::Ellipsoid { semi_axes: [3.0, 1.0, 0.5] };
    let angle = 0.7;
    let quaternion = turn([0.0, 1.0, 0.0], angle);
    let reach = libm::hypot(3.0 * libm::sin(angle), 0.5 * libm::cos(angle));
    for height in [1.0, 1e-10, -0.2] {
        let pose = Pose { position: [0.0, 0.0, reach + height], quaternion };
        assert_is(gap(&ellipsoid, pose, &ground, Pose::IDENTITY), height, TIGHT);
    }
}

#[test]
fn boxes_along_the_axes_are_apart_by_the_gaps_of_their_sides() {
    let (one, other) = (Solid::Cuboid { half: [1.0, 2.0, 3.0] }, Solid::Cuboid { half: [0.5; 3] });
    let measured = |position| gap(&one, Pose::IDENTITY, &other, Pose::at(position));
    assert_is(measured([2.0, 0.0, 0.0]), 0.5, TIGHT);
    assert_is(measured([4.5, 6.5, 0.0]), 5.0, TIGHT);
    assert_is(measured([2.5, 3.5, 4.5]), 3.0_f64.sqrt(), TIGHT);
    assert_is(measured([1.5 + 1e-10, 0.3, 0.1]), 1e-10, TIGHT);
    assert!(measured([1.5 + 1e-10, 0.3, 0.1]).is_apart());
    // The shortest way out is sideways.
    assert_is(measured([1.2, 0.0, 0.0]), -0.3, TIGHT);
    assert_is(measured([0.0, 2.3, 3.4]), -0.1, TIGHT);
    assert_is(measured([0.0, 0.0, 0.0]), -1.5, TIGHT);
}

#[test]
fn cylinders_on_one_axis_and_beside_each_other() {
    let (one, other) = (
        Solid::Cylinder { half_length: 1.0, radius: 0.5 },
        Solid::Cylinder { half_length: 0.25, radius: 2.0 },
    );
    let measured = |position| gap(&one, Pose::IDENTITY, &other, Pose::at(position));
    assert_is(measured([0.0, 0.0, 1.75]), 0.5, TIGHT);
    assert_is(measured([0.0, 0.0, 1.25 + 1e-10]), 1e-10, TIGHT);
    assert_is(measured([0.0, 3.0, 0.0]), 0.5, TIGHT);
    assert_is(measured([1.2, 1.6, 0.0]), -0.5, 1e-5);
    // Rim to rim.
    assert_is(measured([5.5, 0.0, 5.25]), 5.0, TIGHT);
}

#[test]
fn crossed_capsules_and_cylinders_touch_with_their_sides() {
    let quaternion = turn([1.0, 0.0, 0.0], std::f64::consts::FRAC_PI_2);
    for height in [1.0, 1e-6, 1e-10, -0.25] {
        let pose = Pose { position: [0.75 + height, 0.2, 0.1], quaternion };
        let (one, other) = (
            Solid::Capsule { half_length: 2.0, radius: 0.5 },
            Solid::Capsule { half_length: 1.0, radius: 0.25 },
        );
        assert_is(gap(&one, Pose::IDENTITY, &other, pose), height, TIGHT);
        let (one, other) = (
            Solid::Cylinder { half_length: 2.0, radius: 0.5 },
            Solid::Cylinder { half_length: 1.0, radius: 0.25 },
        );
        let width = if height > 0.0 { 1e-11 } else { 1e-3 };
        assert_is(gap(&one, Pose::IDENTITY, &other, pose), height, width);
    }
}

#[test]
fn a_cone_stands_on_its_base_and_hangs_by_its_apex() {
    let cone = Solid::Cone { half_length: 1.5, radius: 1.0 };
    let slab = Solid::Cuboid { half: [5.0, 5.0, 0.5] };
    for height in [0.5, 1e-10, -0.25] {
        let above = Pose::at([0.2, 0.1, 2.0 + height]);
        assert_is(gap(&cone, above, &slab, Pose::IDENTITY), height, TIGHT);
        let below = Pose::at([0.2, 0.1, -2.0 - height]);
        assert_is(gap(&cone, below, &slab, Pose::IDENTITY), height, TIGHT);
    }
    // A ball beside it: the side falls by 3 over a width of 1.
    let ball = Solid::Ball { radius: 0.1 };
    let distance = 0.7;
    let outwards = [3.0 / 10.0_f64.sqrt(), 1.0 / 10.0_f64.sqrt()];
    let at = Pose::at([0.5 + distance * outwards[0], 0.0, distance * outwards[1]]);
    assert_is(gap(&cone, Pose::IDENTITY, &ball, at), distance - 0.1, TIGHT);
}

/// The point of an ellipsoid nearest to p is x = a²p/(a² + t), where t solves Σ (a·p/(a² + t))² = 1.
#[test]
fn a_ball_beside_an_ellipsoid_agrees_with_the_equation_for_its_nearest_point() {
    let (axes, radius) = ([3.0, 1.0, 0.2], 0.05);
    let ellipsoid = Solid::Ellipsoid { semi_axes: axes };
    for p in [[4.0, 1.0, 1.0], [0.5, 0.1, 0.9], [-2.0, 1.2, -0.1], [2.9, 0.0, 0.3]] {
        let sum = |t: f64| -> f64 {
            axes.iter().zip(p).map(|(a, p)| (a * p / (a * a + t)) * (a * p / (a * a + t))).sum()
        };
        let (mut low, mut high) = (0.0, 100.0);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if sum(middle) > 1.0 { low = middle } else { high = middle }
        }
        let squares = axes.iter().zip(p).map(|(a, p)| p * low / (a * a + low)).map(|d: f64| d * d);
        let expected = squares.sum::<f64>().sqrt() - radius;
        let found = gap(&ellipsoid, Pose::IDENTITY, &Solid::Ball { radius }, Pose::at(p));
        assert_is(found, expected, 1e-11);
    }
}

#[test]
fn superquadrics_are_what_their_exponents_say() {
    let axes = [1.0, 2.0, 0.5];
    let with =
        |m: f64, n: f64| Solid::Superquadric { semi_axes: axes, exponent_xy: m, exponent_z: n };
    let ball = Solid::Ball { radius: 0.5 };
    let at = Pose::at([2.0, 3.0, 1.0]);
    let like = |one: &Solid, other: &Solid, slack: f64| {
        let (one, other) =
            (gap(one, Pose::IDENTITY, &ball, at), gap(other, Pose::IDENTITY, &ball, at));
        assert!((one.upper - other.upper).abs() <= slack, "{one:?} and {other:?}");
    };
    like(&with(2.0, 2.0), &Solid::Ellipsoid { semi_axes: axes }, 1e-12);
    let corners = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.5]];
    let opposite = corners.map(|corner| corner.map(|x| -x));
    like(&with(1.0, 1.0), &Solid::Hull { points: [corners, opposite].concat() }, 1e-12);
    // Its corners are cut off by 3^(−1/1000), a thousandth.
    like(&with(1000.0, 1000.0), &Solid::Cuboid { half: axes }, 3e-3);
    // Where all three coordinates are alike, |x|ⁿ = 1/3 for m = n.
    let unit = Solid::Superquadric { semi_axes: [1.0; 3], exponent_xy: 4.0, exponent_z: 4.0 };
    let far = 3.0_f64.sqrt() * libm::pow(3.0, -0.25);
    let found = gap(&unit, Pose::IDENTITY, &ball, Pose::at([2.0; 3]));
    assert_is(found, 2.0 * 3.0_f64.sqrt() - far - 0.5, 1e-12);
}

#[test]
fn a_box_is_the_same_as_a_hull_a_mesh_and_a_compound() {
    let half = [1.0, 2.0, 0.5];
    let corner = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 0 { half[k] } else { -half[k] });
    let part = |x: f64| (Pose::at([x, 0.0, 0.0]), Solid::Cuboid { half: [0.5, 2.0, 0.5] });
    let boxes = [
        Solid::Cuboid { half },
        Solid::Hull { points: (0..8).map(corner).collect() },
        box_mesh(half),
        Solid::Compound { parts: vec![part(0.5), part(-0.5)] },
    ];
    let cylinder = Solid::Cylinder { half_length: 0.7, radius: 0.3 };
    let quaternion = turn([1.0, -1.0, 0.3], 0.8);
    for position in [[3.0, 1.0, 1.0], [1.2, 2.4, 0.9], [0.1, 0.2, 1.3]] {
        let gaps = boxes
            .each_ref()
            .map(|solid| gap(solid, Pose::IDENTITY, &cylinder, Pose { position, quaternion }));
        assert!(gaps[0].is_apart(), "{gaps:?}");
        for found in gaps {
            assert!((found.upper - gaps[0].upper).abs() < 1e-11, "{gaps:?}");
            assert!(found.width() < 1e-10, "{gaps:?}");
        }
    }
    for solid in &boxes {
        let inside =
            gap(solid, Pose::IDENTITY, &cylinder, Pose { position: [0.3, 0.2, 0.7], quaternion });
        assert!(inside.is_overlap(), "{solid:?}: {inside:?}");
    }
}

#[test]
fn what_makes_no_solid_is_refused() {
    let bad = [
        Solid::Ball { radius: -1.0 },
        Solid::Cuboid { half: [1.0, f64::NAN, 1.0] },
        Solid::Superquadric { semi_axes: [1.0; 3], exponent_xy: 0.5, exponent_z: 2.0 },
        Solid::HalfSpace { normal: [0.0; 3], offset: 1.0 },
        Solid::Hull { points: vec![] },
        Solid::Mesh { vertices: vec![[0.0; 3]], triangles: vec![[0, 1, 2]] },
        Solid::Compound { parts: vec![] },
        Solid::Compound {
            parts: vec![(
                Pose::IDENTITY,
                Solid::HalfSpace { normal: [0.0, 0.0, 1.0], offset: 0.0 },
            )],
        },
    ];
    for solid in bad {
        assert!(super::Body::new(&solid).is_err(), "{solid:?}");
    }
}

#[test]
fn poses_that_are_no_numbers_leave_everything_open() {
    let ball = body(&Solid::Ball { radius: 1.0 });
    let ellipsoid = body(&Solid::Ellipsoid { semi_axes: [1.0, 2.0, 3.0] });
    for x in [f64::NAN, f64::INFINITY] {
        for other in [&ball, &ellipsoid] {
            let found = Oracle::new().gap(&ball, &Pose::IDENTITY, other, &Pose::at([x, 0.0, 0.0]));
            assert!(!found.is_apart() && !found.is_overlap(), "{found:?}");
        }
    }
}
