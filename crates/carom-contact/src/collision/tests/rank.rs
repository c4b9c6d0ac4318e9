//! Points of linkages that give way in a plane or along a line only (guide 2 F-6.7).

use glam::{DMat3, DVec3};

use super::random::Random;
use crate::collision::{Collision, Ending, RestitutionLaw, impulse_to};

/// J·Jᵀ for columns of J: how a point answers that freedoms move along these.
fn moving_along(columns: &[DVec3]) -> DMat3 {
    columns.iter().map(|c| DMat3::from_cols(c.x * *c, c.y * *c, c.z * *c)).sum()
}

/// A point that gives way along one or two random directions, with a velocity that these can have.
fn random_case(random: &mut Random, rank: usize) -> (DMat3, DVec3) {
    let columns: Vec<DVec3> = (0..rank).map(|_| random.vector(1.0)).collect();
    let mut velocity: DVec3 = columns.iter().map(|c| random.between(-1.0, 1.0) * *c).sum();
    if velocity.z > 0.0 {
        velocity = -velocity;
    }
    (moving_along(&columns), velocity)
}

/// proves: m2/R-20
#[test]
fn collisions_of_points_of_rank_one_and_two_have_answers_that_fit_their_matrix() {
    let mut random = Random::new(20);
    let (mut endings, mut closing) = ([0; 5], f64::NEG_INFINITY);
    for number in 0..20_000 {
        let (matrix, velocity) = random_case(&mut random, 1 + number % 2);
        let friction = random.between(0.0, 1.5);
        let collision = Collision {
            matrix,
            velocity,
            friction,
            restitution: random.between(0.0, 1.0),
            law: RestitutionLaw::ALL[number % 3],
            least_rebound: 0.0,
        };
        let answer = collision.solve();
        endings[answer.ending as usize] += 1;
        let (p, after) = (answer.impulse, answer.velocity);
        assert!(p.is_finite() && after.is_finite(), "{collision:?} {answer:?}");
        let size = velocity.length() + matrix.diagonal().element_sum() * p.length();
        assert!((velocity + matrix * p - after).length() < 1e-9 * size, "{collision:?} {answer:?}");
        assert!(p.truncate().length() <= (friction + 1e-9) * p.z, "{collision:?} {answer:?}");
        let work = 0.5 * p.dot(velocity + after);
        let booked = answer.normal_work + answer.friction_work;
        assert!((work - booked).abs() < 1e-8 * p.length() * size, "{collision:?} {answer:?}");
        // Newton's and Poisson's laws may give back more than was taken.
        let gains = collision.law != RestitutionLaw::Stronge;
        assert!(gains || work <= 1e-9 * p.length() * size, "{collision:?} {answer:?}");
        // What is wedged has stopped; everything else leaves.
        let slowest = -1e-9 * size;
        assert!(after.z >= slowest, "{collision:?} {answer:?}");
        if answer.ending == Ending::Jammed {
            closing = closing.max(-after.z / size);
            assert!(after.length() < 1e-6 * size, "{collision:?} {answer:?}");
        }
    }
    println!(
        "receding, sliding, sticking, diverging, wedged: {endings:?}; these close by {closing:e}"
    );
    assert!(endings[1] > 1000 && endings[4] > 100, "{endings:?}");
}

/// A planar linkage on a plate has no mobility across its plane: its impulse has no part there, and friction that holds is
/// found although K⁻¹ is not.
///
/// proves: m2/R-20
#[test]
fn nothing_acts_across_the_plane_of_a_planar_linkage() {
    let mut random = Random::new(21);
    let mut held = 0;
    for _ in 0..5000 {
        let columns = [(); 2].map(|()| random.vector(1.0) * DVec3::new(1.0, 0.0, 1.0));
        let mut velocity = random.vector(1.0) * DVec3::new(1.0, 0.0, 1.0);
        velocity.z = -velocity.z.abs();
        let collision = Collision {
            matrix: moving_along(&columns),
            velocity,
            friction: random.between(0.0, 1.5),
            restitution: 0.5,
            law: RestitutionLaw::Stronge,
            least_rebound: 0.0,
        };
        let answer = collision.solve();
        assert_eq!((answer.impulse.y, answer.velocity.y), (0.0, 0.0), "{collision:?}");
        held += usize::from(answer.ending == Ending::Sticks);
    }
    assert!(held > 500, "{held}");
}

/// A microcollision reverses what can be reversed, by an impulse that has no part that does nothing unless friction needs one.
///
/// proves: m2/R-20
#[test]
fn velocities_of_points_without_full_rank_are_reversed_without_work() {
    let mut random = Random::new(22);
    let mut shortest = [0; 2];
    for number in 0..10_000 {
        let rank = 1 + number % 2;
        let (matrix, u) = random_case(&mut random, rank);
        let friction = random.between(0.0, 1.5);
        let Some(p) = impulse_to(&matrix, u, -u, friction) else { continue };
        let size = matrix.diagonal().element_sum() * p.length() + u.length();
        assert!((u + matrix * p + u).length() < 1e-8 * size, "{matrix} {u} {p}");
        assert!(p.truncate().length() <= friction * p.z, "{p}");
        // Without a part in the null space p is K·x for some x, so that K⁺K·p = p.
        let again = impulse_to(&matrix, u, -u, 1e12).unwrap_or(DVec3::ZERO);
        shortest[usize::from((again - p).length() < 1e-9 * p.length())] += 1;
    }
    println!("by other impulses, by the shortest: {shortest:?}");
    assert!(shortest[0] > 100 && shortest[1] > 1000, "{shortest:?}");
    // What it cannot do it does not claim: a plate driven against a direction that does not give way.
    let matrix = moving_along(&[DVec3::X, DVec3::Y]);
    assert_eq!(impulse_to(&matrix, -DVec3::Z, DVec3::Z, 1.0), None);
}

/// proves: m2/R-21
#[test]
fn against_a_direction_that_does_not_give_way_there_is_no_impulse() {
    for columns in [[DVec3::X, DVec3::Y], [DVec3::X, DVec3::ZERO], [DVec3::ZERO; 2]] {
        let collision = Collision {
            matrix: moving_along(&columns),
            velocity: DVec3::new(0.1, 0.2, -1.0),
            friction: 0.5,
            restitution: 0.5,
            law: RestitutionLaw::Stronge,
            least_rebound: 0.0,
        };
        let answer = collision.solve();
        assert_eq!((answer.ending, answer.impulse), (Ending::Jammed, DVec3::ZERO));
        assert_eq!(answer.velocity, collision.velocity);
    }
}
