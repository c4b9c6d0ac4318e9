//! What holds of every collision, under random input.

use glam::DVec3;

use super::super::{Collision, Ending, RestitutionLaw, impulse_to};
use super::random::{Meeting, Random, any_matrix, corner, count};

/// proves: m1/CR-R8
#[test]
fn works_add_up_and_satisfy_the_law() {
    let mut random = Random::new(8);
    for number in 0..count(100_000) {
        let law = RestitutionLaw::ALL[(number % 3) as usize];
        let collision = match number % 4 {
            0 => corner(&mut random, law),
            1 => any_matrix(&mut random, law),
            _ => Meeting::new(&mut random).collision(&mut random, law),
        };
        let answer = collision.solve();
        let told = || format!("{answer:?}\n{collision:?}");
        assert_ne!(answer.ending, Ending::Jammed, "{}", told());
        let (u, p, e) = (answer.velocity, answer.impulse, collision.restitution);
        assert!(u.z >= 0.0 && p.z > 0.0, "{}", told());
        assert!(p.truncate().length() <= collision.friction * p.z * (1.0 + 1e-12), "{}", told());
        let compression = answer.compression_work;
        assert!(compression < 0.0 || law != RestitutionLaw::Stronge, "{}", told());
        assert!(answer.friction_work <= 0.0, "{}", told());
        // What the whole impulse does is what its parts do.
        let whole = 0.5 * p.dot(collision.velocity + u);
        let size = 0.5 * p.length() * (collision.velocity.length() + u.length());
        let parts = answer.normal_work + answer.friction_work;
        assert!((whole - parts).abs() < 1e-12 * size, "{whole} {parts} {}", told());
        // u = u₀ + K·p to rounding, but for what was cut off near rays and at the end of sliding.
        let reached = collision.velocity + collision.matrix * p;
        let terms =
            collision.velocity.length() + collision.matrix.diagonal().element_sum() * p.length();
        assert!((reached - u).length() < 1e-12 * terms, "{}", told());
        match law {
            RestitutionLaw::Stronge => {
                let off = answer.normal_work - (1.0 - e * e) * compression;
                assert!(off.abs() <= 4.0 * f64::EPSILON * -compression, "{off:e} {}", told());
            }
            RestitutionLaw::Newton => assert_eq!(u.z, e * -collision.velocity.z),
            RestitutionLaw::Poisson => {}
        }
    }
}

#[test]
fn a_least_rebound_is_reached_and_its_work_is_what_is_left() {
    let mut random = Random::new(9);
    let mut boosted = 0;
    for number in 0..20_000 {
        let law = RestitutionLaw::ALL[number % 3];
        let plain = Meeting::new(&mut random).collision(&mut random, law);
        let least_rebound = random.between(0.0, 2.0) * -plain.velocity.z;
        let (without, with) = (plain.solve(), Collision { least_rebound, ..plain }.solve());
        if without.velocity.z >= least_rebound {
            assert_eq!(without, with);
            continue;
        }
        boosted += 1;
        assert_eq!(with.velocity.z, least_rebound);
        assert!(with.impulse.z > without.impulse.z);
        assert_eq!(with.compression_work, without.compression_work);
        // Where friction can press the points together, they may close once more on the way.
        let dips = plain.friction * plain.matrix.z_axis.truncate().length() > plain.matrix.z_axis.z;
        let boost = with.normal_work - without.normal_work;
        assert_eq!(without.boost, 0.0);
        assert!((with.boost - boost).abs() <= 1e-10 * with.compression_work.abs(), "{with:?}");
        assert!(boost > 0.0 || dips, "{without:?}\n{with:?}\n{plain:?}");
        if dips {
            continue;
        }
        // It is the same path: as far as the plain collision goes, and on.
        let to = Collision { law: RestitutionLaw::Newton, ..plain };
        let newton = Collision { restitution: least_rebound / -plain.velocity.z, ..to }.solve();
        let off = (newton.impulse - with.impulse).length() / with.impulse.length();
        assert!(off < 1e-10, "{off:e} {newton:?}\n{with:?}\n{plain:?}");
    }
    assert!(boosted > 5000, "{boosted}");
}

#[test]
fn an_impulse_to_a_chosen_velocity_gets_there_within_the_cone() {
    let mut random = Random::new(11);
    let mut inside = 0;
    for _ in 0..5000 {
        let collision = Meeting::new(&mut random).collision(&mut random, RestitutionLaw::Stronge);
        let (k, u) = (collision.matrix, collision.velocity);
        let target = DVec3::new(-u.x, -u.y, -u.z);
        let by_inverse = k.inverse() * (target - u);
        let cone = by_inverse.truncate().length() <= collision.friction * by_inverse.z;
        let Some(p) = impulse_to(&k, u, target, collision.friction) else {
            assert!(!cone, "{collision:?}");
            continue;
        };
        inside += 1;
        assert!(cone && (p - by_inverse).length() < 1e-10 * p.length(), "{p} {by_inverse}");
        assert!((u + k * p - target).length() < 1e-12 * u.length());
        // Corollary 1: a reversed velocity takes no work.
        assert!(p.dot(u + (u + k * p)).abs() < 1e-12 * p.length() * u.length());
    }
    assert!(inside > 500, "{inside}");
}
