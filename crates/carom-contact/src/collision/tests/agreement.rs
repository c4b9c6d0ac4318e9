//! Agreement with a second way to integrate.

use super::super::{Collision, Ending, RestitutionLaw};
use super::random::{Meeting, Random, any_matrix, corner};
use super::reference;

/// How far velocity and impulse are from the reference, as shares of |u₀| and of the impulse; `None` if it does not finish.
fn off(collision: &Collision) -> Option<[f64; 2]> {
    let answer = collision.solve();
    assert_ne!(answer.ending, Ending::Jammed, "{collision:?}");
    let other = reference::integrate(collision)?;
    let velocity = (answer.velocity - other.velocity).length() / collision.velocity.length();
    let impulse = (answer.impulse - other.impulse).length() / other.impulse.length();
    Some([velocity, impulse])
}

/// Compares `number` collisions; the share that the reference does not finish stays below `unfinished`.
fn compare(
    name: &str,
    number: u64,
    unfinished: f64,
    next: impl Fn(&mut Random, RestitutionLaw) -> Collision,
) {
    let mut random = Random::new(77);
    let (mut worst, mut lost) = ([0.0_f64; 2], 0.0);
    for number in 0..number {
        let collision = next(&mut random, RestitutionLaw::ALL[(number % 3) as usize]);
        let Some(off) = off(&collision) else {
            lost += 1.0;
            continue;
        };
        assert!(off.iter().all(|off| *off < 1e-10), "{off:?} {collision:?}");
        worst = [worst[0].max(off[0]), worst[1].max(off[1])];
    }
    println!("{name}: velocity and impulse differ by at most {worst:?}; {lost} unfinished");
    assert!(lost <= unfinished * number as f64, "{lost} of {number}");
}

#[test]
fn collisions_of_bodies_agree_with_a_second_way_to_integrate() {
    compare("bodies", 1500, 0.01, |random, law| Meeting::new(random).collision(random, law));
}

#[test]
fn corners_of_boxes_agree_with_a_second_way_to_integrate() {
    compare("corners", 800, 0.01, corner);
}

#[test]
fn collisions_with_any_matrix_agree_with_a_second_way_to_integrate() {
    // One is lost: at 10⁻¹⁰ of its sliding speed the direction settles far faster than the speed falls, and explicit steps in
    // p_z run out before it.
    compare("any matrix", 150, 0.01, any_matrix);
}
