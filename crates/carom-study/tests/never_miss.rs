//! The never-miss grid, small: no first touch is missed, told late or told falsely, whatever speed, spin and thinness.
//!
//! `bench/` runs the same cases in full. What is right is said by `oracles` and a search of its own over the exact motions.

use carom_study::never_miss::{Family, Tally};

/// Runs the first cases of a family and asserts that all are right.
fn grid(family: Family, cases: u64) -> Tally {
    let mut tally = Tally::default();
    for index in 0..cases {
        tally.add(index, family.case(index).map(carom_study::never_miss::Case::run));
    }
    let (mean, most_of_them, most) = tally.query_figures().expect("cases");
    println!(
        "{}: {} cases, {} touches at {:.3?} of d_touch (to {:.1e}); distances {mean:.1}, {most_of_them}, {most}; \
         {:.0} µs each, judged by {:.0} distances each; wrong: {:?}",
        family.name(),
        tally.cases,
        tally.touches,
        tally.shares,
        tally.widest,
        1e6 * tally.seconds / tally.cases as f64,
        tally.judged_by as f64 / tally.cases as f64,
        &tally.wrong[..tally.wrong.len().min(12)],
    );
    assert!(tally.wrong.is_empty(), "{} cases are wrong: {:?}", tally.wrong.len(), tally.wrong);
    tally
}

/// proves: m1/TOI-R6
#[test]
fn a_ball_at_up_to_ten_kilometres_a_second_never_passes_a_plate_of_a_millimetre() {
    let tally = grid(Family::BallPlate, 700);
    assert_eq!(tally.touches, tally.cases);
}

/// proves: m1/TOI-R1
#[test]
fn bodies_of_every_kind_flying_at_each_other_touch_and_not_later_than_they_do() {
    let tally = grid(Family::HeadOn, 500);
    assert!(tally.touches > tally.cases * 9 / 10, "{}", tally.touches);
}

#[test]
fn a_rod_at_ten_thousand_radians_a_second_touches_an_edge_or_passes_it() {
    let tally = grid(Family::RodEdge, 200);
    assert!(tally.touches > 50 && tally.touches < 190, "{}", tally.touches);
}

/// proves: m1/TOI-R7
#[test]
fn grazing_passes_are_neither_skipped_nor_invented() {
    let tally = grid(Family::Grazing, 600);
    assert!(tally.touches > 200 && tally.touches < 500, "{}", tally.touches);
}

#[test]
fn tumbling_bolts_touch_with_their_threads() {
    let tally = grid(Family::Bolts, 30);
    assert!(tally.touches > 10, "{}", tally.touches);
}
