//! A hundred thousand pairs of every kind, from memories that mean nothing.

use super::cases::{KINDS, Kind, PLACINGS, Placing, place, scaled, solid};
use super::oracle::signed_distance;
use super::*;

/// What a family of pairs is drawn from.
struct Family<'f> {
    seed: u64,
    pairs: u32,
    kinds: &'f [Kind],
    placings: &'f [Placing],
    /// Sizes of both solids, and of the second beside the first.
    sizes: &'f [f64],
    ratios: &'f [f64],
    /// Gaps, as shares of the size, that pairs apart are closed to; none leaves them as they are.
    gaps: &'f [Option<f64>],
}

/// Sums over all queries of a family.
#[derive(Debug, Default)]
struct Tally {
    queries: u32,
    overlaps: u32,
    worst: f64,
    most_steps: u32,
    sum: Effort,
}

impl Tally {
    fn count(&mut self, effort: Effort) {
        self.queries += 1;
        self.most_steps = self.most_steps.max(effort.steps);
        self.sum.steps += effort.steps;
        self.sum.circles += effort.circles;
        self.sum.cut_off += effort.cut_off;
        self.sum.unproved += effort.unproved;
        self.sum.support_points += effort.support_points;
        self.sum.last_resorts += effort.last_resorts;
    }
}

/// A pair, and its distance where it is known from how it was made.
struct Drawn {
    a: Convex,
    b: Convex,
    pose: Pose,
    size: f64,
    known: Option<f64>,
}

impl Family<'_> {
    fn draw(&self, dice: &mut Dice) -> Drawn {
        let (kind_a, kind_b) = (dice.pick(self.kinds), dice.pick(self.kinds));
        let (mut a, mut b) = (solid(dice, kind_a), solid(dice, kind_b));
        let placing = dice.pick(self.placings);
        let mut pose = place(dice, placing);
        let (size, ratio) = (dice.pick(self.sizes), dice.pick(self.ratios));
        if size != 1.0 || ratio != 1.0 {
            a = scaled(&a, size, DVec3::ZERO);
            b = scaled(&b, size * ratio, DVec3::ZERO);
            pose.translation *= size;
        }
        let mut known = None;
        if let Some(gap) = dice.pick(self.gaps) {
            let before = cold(&a, &b, &pose);
            if before.distance > gap.abs() * size {
                // Along the shortest way the nearest points stay nearest.
                pose.translation += before.normal * (before.distance - gap * size);
                known = (gap > 0.0).then_some(gap * size);
            }
        }
        Drawn { a, b, pose, size, known }
    }

    /// Every answer right, proved and without a way out taken; from a cold start and two senseless memories.
    fn check(&self) -> Tally {
        let mut dice = Dice::new(self.seed);
        let mut tally = Tally::default();
        for index in 0..self.pairs {
            let drawn = self.draw(&mut dice);
            let Drawn { a, b, pose, size, known } = &drawn;
            let (bare_a, bare_b) = (Bare::new(a, &Pose::IDENTITY), Bare::new(b, pose));
            let expected = known.unwrap_or_else(|| signed_distance(&bare_a, &bare_b));
            // Coordinates of up to 6 sizes carry 1e-15 each; the sums of both sides differ by a few dozen of them.
            let tolerance = 1e-13 * size;
            for warm in [Warm::Cold, any_memory(&mut dice, a, b), any_memory(&mut dice, a, b)] {
                let (answer, effort) = solved(a, b, pose, &warm);
                tally.count(effort);
                let error = (answer.distance - expected).abs();
                tally.worst = tally.worst.max(error / size);
                let case =
                    || format!("pair {index} from {warm:?}: {answer:?} instead of {expected:e}");
                assert!(error <= tolerance, "{}", case());
                let contradiction = find_contradiction(&answer, &bare_a, &bare_b, tolerance);
                assert_eq!(contradiction, None, "{}", case());
                assert_eq!([effort.cut_off, effort.last_resorts], [0; 2], "{}", case());
            }
            tally.overlaps += u32::from(expected < 0.0);
        }
        println!("{} pairs: {tally:?}", self.pairs);
        tally
    }
}

const NO_GAPS: [Option<f64>; 1] = [None];

/// proves: m1/LC-R1
/// proves: m1/LC-R2
/// proves: baraff/11
#[test]
fn solids_anywhere_are_as_far_apart_or_as_deep_in_each_other_as_brute_force_says() {
    let tally = Family {
        seed: 1,
        pairs: 25_000,
        kinds: &KINDS,
        placings: &PLACINGS,
        sizes: &[1.0],
        ratios: &[1.0],
        gaps: &NO_GAPS,
    }
    .check();
    // Both verdicts are common enough to mean something.
    assert!((5_000..20_000).contains(&tally.overlaps), "{}", tally.overlaps);
}

/// proves: m1/LC-R4
#[test]
fn solids_brought_into_contact_keep_the_gap_they_were_given_and_no_walk_is_ever_cut_off() {
    let gaps = [0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, -1e-15, -1e-12, -1e-9, -1e-6, -1e-3].map(Some);
    Family {
        seed: 2,
        pairs: 35_000,
        kinds: &KINDS,
        placings: &PLACINGS,
        sizes: &[1.0],
        ratios: &[1.0],
        gaps: &gaps,
    }
    .check();
}

/// proves: m1/LC-R5
#[test]
fn parallel_faces_and_edges_and_coincident_planes_make_no_walk_oscillate() {
    Family {
        seed: 3,
        pairs: 20_000,
        kinds: &[Kind::Box, Kind::GridBox, Kind::Prism, Kind::Triangle],
        placings: &[Placing::Grid, Placing::NearlyParallel],
        sizes: &[1.0],
        ratios: &[1.0],
        gaps: &[None, Some(0.0), Some(1e-9), Some(-1e-9)],
    }
    .check();
}

#[test]
fn sizes_from_micrometres_to_a_thousand_kilometres_and_mixed_ones_make_no_difference() {
    Family {
        seed: 4,
        pairs: 20_000,
        kinds: &KINDS,
        placings: &PLACINGS,
        sizes: &[1e-6, 1e-3, 1e3, 1e6],
        ratios: &[1.0, 1e-3],
        gaps: &[None, Some(0.0), Some(1e-9), Some(-1e-9)],
    }
    .check();
}

#[test]
fn where_the_features_are_unique_the_bits_do_not_depend_on_the_start() {
    let kinds = [Kind::Hull, Kind::Sliver, Kind::Needle, Kind::Triangle, Kind::SliverTriangle];
    let family = Family {
        seed: 5,
        pairs: 0,
        kinds: &kinds,
        placings: &[Placing::Loose, Placing::Crowded],
        sizes: &[1.0],
        ratios: &[1.0],
        gaps: &[None, Some(1e-3), Some(1e-6)],
    };
    let mut dice = Dice::new(family.seed);
    for index in 0..5_000 {
        let Drawn { a, b, pose, .. } = family.draw(&mut dice);
        let first = cold(&a, &b, &pose);
        for _ in 0..3 {
            let again = solved(&a, &b, &pose, &any_memory(&mut dice, &a, &b)).0;
            assert_eq!(again, first, "pair {index}");
        }
    }
}

#[test]
fn solids_far_from_their_own_origins_lose_only_the_digits_of_their_coordinates() {
    let mut dice = Dice::new(6);
    for index in 0..2_000 {
        let offset = dice.magnitude(0.0, 6.0);
        let shifts = [0; 2].map(|_| dice.direction() * offset);
        let make = |dice: &mut Dice, shift| {
            let kind = dice.pick(&[Kind::Hull, Kind::Box, Kind::Triangle]);
            scaled(&solid(dice, kind), 1.0, shift)
        };
        let (a, b) = (make(&mut dice, shifts[0]), make(&mut dice, shifts[1]));
        let rotation = dice.rotation();
        let nearby = dice.vector() * 3.0;
        let pose = Pose::new(shifts[0] + nearby - rotation * shifts[1], rotation);
        let (bare_a, bare_b) = (Bare::new(&a, &Pose::IDENTITY), Bare::new(&b, &pose));
        let expected = signed_distance(&bare_a, &bare_b);
        let (answer, effort) = solved(&a, &b, &pose, &Warm::Cold);
        let error = (answer.distance - expected).abs();
        assert!(error <= 1e-13 * offset, "pair {index}: {error:e} at {offset:e}");
        assert_eq!([effort.cut_off, effort.last_resorts], [0; 2], "pair {index}");
    }
}

#[test]
fn the_last_resort_agrees_with_brute_force_wherever_solids_are_apart() {
    let family = Family {
        seed: 7,
        pairs: 0,
        kinds: &KINDS,
        placings: &[Placing::Loose, Placing::Grid],
        sizes: &[1.0],
        ratios: &[1.0],
        gaps: &[None, Some(1e-3)],
    };
    let mut dice = Dice::new(family.seed);
    for index in 0..3_000 {
        let Drawn { a, b, pose, .. } = family.draw(&mut dice);
        let expected = signed_distance(&Bare::new(&a, &Pose::IDENTITY), &Bare::new(&b, &pose));
        let (Convex::Polyhedron(a), Convex::Polyhedron(b)) = (&a, &b) else { continue };
        if expected <= 0.0 {
            continue;
        }
        let query = Query::new(a.as_ref(), b.as_ref(), &pose);
        let (measured, _) = simplex::nearest(&query, [0, 0]);
        let error = (measured.distance - expected).abs();
        // Support points alone settle a direction to the root of rounding, a distance to rounding over it.
        assert!(error <= 1e-9, "pair {index}: {} instead of {expected}", measured.distance);
    }
}
