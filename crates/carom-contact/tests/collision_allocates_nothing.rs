//! A collision takes no memory, however it goes.

use carom_contact::collision::{Collision, Ending, RestitutionLaw, impulse_to};
use glam::{DMat3, DVec3};

#[test]
fn collisions_of_every_ending_take_no_memory() {
    let matrix = DMat3::from_cols_array(&[8.0, -2.0, 1.0, -2.0, 3.0, -1.0, 1.0, -1.0, 5.0]);
    let mut seen = [0_u32; 5];
    let info = allocation_counter::measure(|| {
        for number in 0..5000_u32 {
            let turn = f64::from(number);
            let (sin, cos) = libm::sincos(turn);
            let collision = Collision {
                matrix,
                velocity: DVec3::new(cos, sin, -1.0) * libm::fmod(0.37 * turn, 3.0),
                friction: libm::fmod(0.01 * turn, 0.7),
                restitution: libm::fmod(0.13 * turn, 1.0),
                law: RestitutionLaw::ALL[(number % 3) as usize],
                least_rebound: libm::fmod(0.29 * turn, 1.0),
            };
            let answer = collision.solve();
            let _ = impulse_to(&matrix, collision.velocity, -collision.velocity, 1.0);
            seen[match answer.ending {
                Ending::Receding => 0,
                Ending::Slides => 1,
                Ending::Sticks => 2,
                Ending::Diverges => 3,
                Ending::Jammed => 4,
            }] += 1;
        }
    });
    assert_eq!(info.count_total, 0);
    assert!(seen[1] > 0 && seen[2] > 0, "{seen:?}");
}
