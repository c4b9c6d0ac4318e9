//! What follows from the laws of restitution, and which questions have no answer.

use super::super::samples::{Random, box_corner};
use super::*;

#[test]
fn without_friction_all_laws_agree() {
    for law in [Law::Stronge, Law::Poisson, Law::Newton] {
        let mut impact = stronge([8.0, -2.0, 1.0, 3.0, -1.0, 5.0], 0.0, 0.5, [0.3, 0.4, -1.0]);
        impact.law = law;
        let got = solved(&impact);
        assert_near(got.impulse, [0.0, 0.0, 0.3], 1e-16, "impulse");
        assert_near(got.velocity, [0.6, 0.1, 0.5], 1e-15, "velocity");
        assert_near([got.compression_work, got.normal_work], [-0.1, -0.075], 1e-16, "work");
        assert_eq!(got.friction_work, 0.0);
    }
}

/// The laws as they are stated, friction in its cone, and energy.
#[test]
fn every_law_ends_where_it_says() {
    let mut random = Random(4);
    let mut gains = [0; 3];
    for number in 0..300 {
        let laws = [Law::Stronge, Law::Poisson, Law::Newton];
        let impact = box_corner(&mut random, laws[number % 3]);
        let got = solved(&impact);
        let e = impact.restitution;
        let [x, y, z] = got.impulse;
        assert!(z > 0.0 && libm::hypot(x, y) <= impact.friction * z * (1.0 + 1e-15));
        assert!(got.compression_work < 0.0 && got.friction_work <= 0.0);
        assert!(got.velocity[2] >= 0.0);
        match impact.law {
            Law::Stronge => {
                let expected = (1.0 - e * e) * got.compression_work;
                assert!((got.normal_work - expected).abs() < 1e-15, "{got:?}");
            }
            Law::Newton => assert!((got.velocity[2] - e).abs() < 1e-15, "{got:?}"),
            Law::Poisson => assert!(e > 0.0 || got.velocity[2] == 0.0),
        }
        let work = got.normal_work + got.friction_work;
        gains[number % 3] += usize::from(work > 1e-14);
    }
    let [stronge, poisson, newton] = gains;
    assert_eq!((stronge, poisson), (0, 0));
    assert!(newton > 0, "Newton's law raises energy somewhere");
}

#[test]
fn turning_the_axes_and_scaling_the_speeds_does_the_same_to_the_answer() {
    let mut random = Random(5);
    for _ in 0..50 {
        let impact = box_corner(&mut random, Law::Stronge);
        let first = solved(&impact);
        // x → y, y → −x, and everything at 2¹⁰ of the speed: both exact.
        let [[a, f, e], [_, b, d], [_, _, c]] = impact.matrix;
        let [x, y, z] = impact.velocity.map(|it| 1024.0 * it);
        let turned =
            Impact { matrix: matrix([b, -f, -d, a, e, c]), velocity: [-y, x, z], ..impact };
        let second = solved(&turned);
        let [x, y, z] = first.impulse.map(|it| 1024.0 * it);
        let size = x.abs() + y.abs() + z.abs();
        assert_near(second.impulse, [-y, x, z], 1e-15 * size, "impulse");
        assert_eq!(first.pattern, second.pattern);
    }
}

#[test]
fn what_is_no_collision_has_no_answer() {
    let sound = stronge([8.0, -2.0, 1.0, 3.0, -1.0, 5.0], 0.2, 0.5, [0.3, 0.4, -1.0]);
    assert!(solve(&sound).is_some());
    let flat = stronge([1.0, 0.0, 1.0, 1.0, 0.0, 1.0], 0.2, 0.5, [0.3, 0.4, -1.0]);
    let unsound = [
        Impact { velocity: [0.3, 0.4, 0.0], ..sound },
        Impact { velocity: [f64::NAN, 0.4, -1.0], ..sound },
        Impact { friction: -0.1, ..sound },
        Impact { restitution: f64::INFINITY, ..sound },
        flat,
    ];
    for impact in unsound {
        assert_eq!(solve(&impact), None, "{impact:?}");
    }
}
