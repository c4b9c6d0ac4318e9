//! What holds of every collision.

use super::super::{Ending, RestitutionLaw};
use super::random::{Meeting, Random, count};
use super::reference;

#[test]
fn a_second_way_to_integrate_agrees() {
    let mut worst = [0.0_f64; 2];
    let mut random = Random::new(7);
    let mut unfinished = 0;
    for number in 0..count(300) {
        let law = RestitutionLaw::ALL[(number % 3) as usize];
        let collision = Meeting::new(&mut random).collision(&mut random, law);
        let answer = collision.solve();
        assert_ne!(answer.ending, Ending::Jammed, "{collision:?}");
        let Some(other) = reference::integrate(&collision) else {
            unfinished += 1;
            continue;
        };
        let size = collision.velocity.length();
        let off = [
            (answer.velocity - other.velocity).length() / size,
            (answer.impulse - other.impulse).length() / size * collision.matrix.z_axis.z,
        ];
        if off[0].max(off[1]) > 3e-12 {
            println!("{number} {off:?} {answer:?}\n{other:?}\n{collision:?}");
        }
        worst = [worst[0].max(off[0]), worst[1].max(off[1])];
    }
    println!("velocity and impulse differ by at most {worst:?}, {unfinished} unfinished");
}

#[test]
fn dev_energy() {
    let mut random = Random::new(7);
    let mut worst = 0.0_f64;
    for number in 0..count(20000) {
        let law = RestitutionLaw::ALL[(number % 3) as usize];
        let collision = Meeting::new(&mut random).collision(&mut random, law);
        let answer = collision.solve();
        let total = 0.5 * answer.impulse.dot(collision.velocity + answer.velocity);
        let off = (total - answer.normal_work - answer.friction_work).abs()
            / collision.velocity.length_squared()
            * collision.matrix.z_axis.z;
        if off > worst {
            println!("{number} {off:e} {:?}", answer.ending);
        }
        worst = worst.max(off);
        if answer.ending == Ending::Jammed {
            println!("{number} {answer:?} {collision:?}");
        }
    }
}
