//! Approaches of curved bodies: balls, capsules, cylinders, cones, ellipsoids, superquadrics, against each other and boxes.

use crate::Tally;
use crate::families::{CURVED, curved, curved_grazing};

#[test]
fn curved_bodies_that_turn_less_than_once_in_reach() {
    for first in 0..7 {
        for second in first..7 {
            let mut tally = Tally::default();
            for seed in 0..60 {
                let [a, b] = curved([first, second], seed);
                tally.check(&a, &b, 20.0, seed);
            }
            let name = format!("{} and {}", CURVED[first as usize], CURVED[second as usize]);
            let (mean, _, max) = tally.report(&name);
            assert!(mean <= 5.0 && max <= 24, "{name}");
        }
    }
}

#[test]
fn grazing_passes_of_curved_bodies() {
    for first in 0..7 {
        let mut tally = Tally::default();
        let mut seed = 0;
        while tally.queries.len() < 60 {
            seed += 1;
            let Some(([a, b], clearance)) = curved_grazing(first, seed) else { continue };
            let touched = tally.check(&a, &b, 20.0, seed).is_some();
            assert!(touched || clearance > -1e-8, "seed {seed}: clearance {clearance:e} missed");
        }
        let (mean, _, max) = tally.report(&format!("{} grazing", CURVED[first as usize]));
        assert!(mean <= 8.0 && max <= 24);
    }
}
