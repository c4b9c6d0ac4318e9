//! The judge itself, who must accuse where there is something to accuse, and the cases, which must be what they say.

use carom::{Contact, Observers, StopAtTouch};

use super::grazing::draw_with_clearance;
use super::numbers::Numbers;
use super::proof::Proof;
use super::verdict::{gap_at_meeting, judge};
use super::{Case, Family, Verdict};

/// Runs a case as far as its first touch.
fn touched(case: &mut Case) -> Option<(f64, Contact)> {
    let mut stop = StopAtTouch::default();
    // The touch ends the run with a fault, which is what was asked for.
    let _ = case.world.advance_watched(case.until, &mut Observers::none().with(&mut stop));
    stop.touch
}

#[test]
fn a_touch_kept_silent_is_missed_and_one_told_too_soon_or_too_late_is_false_or_late() {
    for family in Family::ALL {
        let mut accused = 0;
        for index in 0..12 {
            let mut case = family.case(index).expect("a case");
            let Some((time, contact)) = touched(&mut case) else { continue };
            let verdict = |told: Option<(f64, Contact)>| judge(&case, told).0;
            assert_eq!(verdict(Some((time, contact))), Verdict::Right, "{family:?} {index}");
            let early = time - 1e-3 * (time - case.start);
            assert_eq!(
                verdict(Some((early, contact))),
                Verdict::False(early),
                "{family:?} {index}"
            );
            // A grazing pass may be as good as over a thousandth later.
            if matches!(family, Family::Grazing | Family::RodEdge) {
                continue;
            }
            let silence = verdict(None);
            assert!(matches!(silence, Verdict::Missed(_)), "{family:?} {index}: {silence:?}");
            let late = time + 1e-4 * (case.until - time);
            let verdict = verdict(Some((late, contact)));
            assert!(matches!(verdict, Verdict::Late(_)), "{family:?} {index}: {verdict:?}");
            accused += 1;
        }
        let can_accuse = !matches!(family, Family::Grazing | Family::RodEdge);
        assert!(accused > 3 || !can_accuse, "{family:?}: {accused}");
    }
}

/// Without a told touch the judge finds the overlap itself, however shallow.
#[test]
fn grazing_passes_have_the_clearance_they_were_built_with() {
    let (mut apart, mut crossed, mut overlaps) = (0, 0, 0);
    for index in 0..300 {
        let mut numbers = Numbers::of(77, index);
        let Some((case, Some(clearance))) = draw_with_clearance(&mut numbers) else { continue };
        let mut proof = Proof::new(&case.world, case.bodies, case.start).expect("a proof");
        let gap = gap_at_meeting(&case).expect("a gap");
        // Placing the bodies and going back and forth in time rounds a few times as often as the proof allows for.
        let slack = 4.0 * proof.slack(case.meeting).max(proof.slack(case.start));
        if clearance > slack {
            assert!(gap.holds(clearance, slack), "{index}: {gap:?}, not {clearance}");
            assert_eq!(proof.apart_until(case.until), Ok(()), "{index}");
            apart += 1;
        } else if clearance < -slack {
            assert!(gap.lower <= slack, "{index}: {gap:?}, not {clearance}");
            crossed += 1;
            if gap.upper < -slack {
                assert!(proof.apart_until(case.until).is_err(), "{index}");
                overlaps += 1;
            }
        }
    }
    assert!(apart > 40 && overlaps > 40 && overlaps > crossed / 2, "{apart} {crossed} {overlaps}");
}

#[test]
fn a_case_is_the_same_every_time() {
    for family in Family::ALL {
        let states = || {
            let case = family.case(5).expect("a case");
            let of = |i: usize| case.world.state(case.bodies[i]).expect("a state");
            (of(0), of(1), case.start.to_bits(), case.until.to_bits())
        };
        assert_eq!(states(), states());
        assert_eq!(family.case(5).map(|it| it.run().verdict), Some(Verdict::Right));
    }
}
