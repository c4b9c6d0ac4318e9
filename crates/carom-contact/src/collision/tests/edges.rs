//! Numbers that are none, matrices without full rank, and speeds of any size.

use glam::{DMat3, DVec3};

use super::super::contact::Contact;
use super::super::{Collision, Ending, RestitutionLaw, impulse_to};
use super::random::{Random, corner};
use super::{THESIS, collision, matrix};

#[test]
fn numbers_that_are_not_finite_are_jammed_without_an_impulse() {
    let sound = collision(THESIS, 0.3, 0.5, [0.3, 0.4, -1.0]);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut broken = vec![
            Collision { friction: bad, ..sound },
            Collision { restitution: bad, ..sound },
            Collision { least_rebound: bad, ..sound },
        ];
        for axis in 0..3 {
            let mut it = sound;
            it.velocity[axis] = bad;
            broken.push(it);
            let mut it = sound;
            it.matrix.col_mut(axis)[2 - axis] = bad;
            broken.push(it);
        }
        for it in broken {
            let answer = it.solve();
            assert_eq!((answer.ending, answer.impulse), (Ending::Jammed, DVec3::ZERO), "{it:?}");
        }
    }
    let negative = [(-0.1, 0.5), (0.1, -0.5)];
    for (friction, restitution) in negative {
        let answer = Collision { friction, restitution, ..sound }.solve();
        assert_eq!(answer.ending, Ending::Jammed);
    }
}

#[test]
fn any_finite_numbers_come_to_an_end() {
    let mut random = Random::new(5);
    for number in 0..20_000 {
        let mut entry = || {
            let size = random.power(-300.0, 300.0);
            if random.between(0.0, 1.0) < 0.5 { size } else { -size }
        };
        let matrix = DMat3::from_cols_array(&std::array::from_fn(|_| entry()));
        let collision = Collision {
            matrix,
            velocity: DVec3::new(entry(), entry(), entry()),
            friction: entry().abs(),
            restitution: entry().abs(),
            law: RestitutionLaw::ALL[number % 3],
            least_rebound: entry(),
        };
        let _ = collision.solve();
        let _ = impulse_to(&matrix, collision.velocity, DVec3::ZERO, collision.friction);
    }
}

#[test]
fn restitution_beyond_one_and_near_nothing_is_followed() {
    let mut random = Random::new(15);
    for number in 0..6000 {
        let law = RestitutionLaw::ALL[number % 3];
        let plain = corner(&mut random, law);
        for restitution in [0.0, 1e-9, 1e-5, 5.0] {
            let answer = Collision { restitution, ..plain }.solve();
            assert_ne!(answer.ending, Ending::Jammed, "{plain:?}");
            assert!(answer.velocity.z >= 0.0 && answer.velocity.is_finite());
            if restitution == 0.0 {
                assert_eq!((answer.velocity.z, answer.normal_work), (0.0, answer.compression_work));
            } else if law == RestitutionLaw::Newton {
                assert_eq!(answer.velocity.z, restitution * -plain.velocity.z);
            } else {
                assert!(answer.velocity.z > 0.0, "{answer:?}\n{plain:?}");
            }
        }
    }
}

#[test]
fn grazing_and_steep_collisions_end_as_their_law_says() {
    let mut random = Random::new(16);
    for _ in 0..6000 {
        let mut collision = corner(&mut random, RestitutionLaw::Stronge);
        collision.velocity.z *= random.power(-12.0, 0.0);
        let slip = random.power(-12.0, 0.0);
        collision.velocity.x *= slip;
        collision.velocity.y *= slip;
        let answer = collision.solve();
        assert_ne!(answer.ending, Ending::Jammed, "{collision:?}");
        let expected =
            (1.0 - collision.restitution * collision.restitution) * answer.compression_work;
        let off = (answer.normal_work - expected).abs();
        assert!(off <= 1e-15 * -answer.compression_work, "{answer:?}\n{collision:?}");
        let (p, mu) = (answer.impulse, collision.friction);
        assert!(p.z > 0.0 && p.truncate().length() <= mu * p.z * (1.0 + 1e-12), "{answer:?}");
    }
}

#[test]
fn friction_of_any_size_is_followed_to_the_same_digits() {
    let mut random = Random::new(19);
    let mut worst = 0.0_f64;
    for number in 0..3000 {
        let mut collision = corner(&mut random, RestitutionLaw::ALL[number % 3]);
        collision.friction = random.power(-6.0, 4.0);
        let (usual, best) = (collision.solve(), collision.integrate(1e-15));
        assert_ne!(usual.ending, Ending::Jammed, "{collision:?}");
        let off = (usual.impulse - best.impulse).length() / best.impulse.length();
        worst = worst.max(off);
    }
    println!("impulses are off by at most {worst:e}");
    // Some ten steps of 10⁻¹³; steps that do not regard the size of friction end 6·10⁻¹² off.
    assert!(worst < 2e-12, "{worst:e}");
}

#[test]
fn friction_that_just_holds_and_friction_that_just_fails_to_do_nearly_the_same() {
    let mut random = Random::new(18);
    let mut largest = 0.0_f64;
    for number in 0..6000 {
        let plain = corner(&mut random, RestitutionLaw::ALL[number % 3]);
        let critical = Contact::new(&plain.matrix, 1.0).hold().length();
        let share = random.power(-16.0, -2.0);
        let answers = [1.0 - share, 1.0 + share]
            .map(|factor| Collision { friction: factor * critical, ..plain }.solve());
        for answer in &answers {
            assert_ne!(answer.ending, Ending::Jammed, "{share:e} {plain:?}");
        }
        let [below, above] = answers.map(|answer| answer.impulse);
        let apart = (below - above).length() / above.length();
        largest = largest.max(apart / (share + 1e-12));
    }
    println!(
        "a change of friction by a share of it changes the impulse by at most {largest} such shares"
    );
    // The path depends on friction continuously; some ends where u_z just falls again are steep.
    assert!(largest < 20.0, "{largest}");
}

/// K = JᵀJ of a point that cannot move along some direction.
fn held(along: DVec3) -> DMat3 {
    let n = along.try_normalize().unwrap_or(DVec3::X);
    DMat3::IDENTITY - DMat3::from_cols(n * n.x, n * n.y, n * n.z)
}

#[test]
fn a_point_that_cannot_leave_along_the_normal_is_jammed_when_friction_holds() {
    // It moves along (1, 0, 1) only and is pushed along x and down; friction of 1 and more holds it for ever.
    let k =
        held(DVec3::Y) - DMat3::from_cols_array(&[0.5, 0.0, -0.5, 0.0, 0.0, 0.0, -0.5, 0.0, 0.5]);
    let collision = Collision {
        matrix: k,
        velocity: DVec3::new(-1.0, 0.0, -1.0),
        friction: 2.0,
        restitution: 0.5,
        law: RestitutionLaw::Stronge,
        least_rebound: 0.0,
    };
    let answer = collision.solve();
    assert!(answer.impulse.is_finite() && answer.velocity.is_finite(), "{answer:?}");
    assert_eq!(answer.ending, Ending::Jammed);
    // Less friction lets it go.
    let answer = Collision { friction: 0.5, ..collision }.solve();
    assert_ne!(answer.ending, Ending::Jammed);
    assert!(answer.velocity.z > 0.0);
}

#[test]
fn a_point_that_gives_way_in_a_plane_or_a_line_is_solved() {
    let mut random = Random::new(17);
    for number in 0..5000 {
        let mut velocity = random.vector(1.0);
        velocity.z = -velocity.z.abs();
        let collision = Collision {
            matrix: held(random.vector(1.0)),
            velocity,
            friction: random.between(0.0, 1.5),
            restitution: random.between(0.0, 1.0),
            law: RestitutionLaw::ALL[number % 3],
            least_rebound: 0.0,
        };
        let answer = collision.solve();
        assert!(answer.impulse.is_finite() && answer.velocity.is_finite(), "{answer:?}");
        assert!(answer.ending == Ending::Jammed || answer.velocity.z >= 0.0, "{answer:?}");
        assert_eq!(impulse_to(&collision.matrix, velocity, -velocity, 10.0), None);
    }
    // Only the normal gives way: friction does nothing.
    let normal = matrix([0.0, 0.0, 0.0, 0.0, 0.0, 2.0]);
    let collision = Collision { matrix: normal, ..collision(THESIS, 0.5, 0.5, [1.0, 0.0, -1.0]) };
    let answer = collision.solve();
    assert_eq!((answer.velocity, answer.impulse.z), (DVec3::new(1.0, 0.0, 0.5), 0.75));
}
