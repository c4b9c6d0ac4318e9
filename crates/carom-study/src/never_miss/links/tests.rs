//! The judge of links, who must accuse where there is something to accuse.

use super::*;

/// Runs a case to its end, with or without a stop at the first touch.
fn watched(case: &mut LinkCase, stops: bool) -> (History, Option<(f64, carom::Contact)>) {
    let (mut history, mut stop) = (History::of_all(), StopAtTouch::default());
    let watchers = Observers::none().with(&mut history);
    // The touch ends the run with a fault, which is what was asked for.
    let _ = if stops {
        case.world.advance_watched(case.until, &mut watchers.with(&mut stop))
    } else {
        case.world.advance_watched(case.until, &mut { watchers })
    };
    (history, stop.touch)
}

#[test]
fn a_touch_kept_silent_is_missed_and_one_told_too_soon_is_false() {
    for family in [LinkFamily::Whip, LinkFamily::Actuator, LinkFamily::Rod, LinkFamily::Folds] {
        let (mut accused, mut touched) = (0, 0);
        // Links of one linkage meet in one case of three, and half of those go on.
        let cases = if family == LinkFamily::Folds { 60 } else { 12 };
        for index in 0..cases {
            let mut case = family.case(index).expect("a case");
            if matches!(case.ending, Ending::Collisions(_)) {
                continue;
            }
            let (history, touch) = watched(&mut case, true);
            let Some((time, contact)) = touch else { continue };
            touched += 1;
            let early = time - 1e-3 * time;
            let mut soon = Landing::of(&case.world, time, &contact).expect("a landing");
            let mut judge = Judge::new(&case, &history).expect("a judge");
            assert_eq!(judge.touch(&soon), None, "{family:?} {index}");
            // The same touch told where the two are still apart.
            soon.time = early;
            soon.gap = oracles::gap::Gap { lower: 1e-3, upper: 1e-3 };
            assert_eq!(judge.touch(&soon), Some(Verdict::False(early)), "{family:?} {index}");
            let mut whole = family.case(index).expect("a case");
            let (history, _) = watched(&mut whole, false);
            let mut judge = Judge::new(&whole, &history).expect("a judge");
            accused += u32::from(matches!(judge.silence(whole.until), Verdict::Missed(_)));
        }
        // A link that grazes a plate and one that comes to it at the very end overlap by nothing that can be told.
        assert!(touched > 5 && accused + 3 > touched, "{family:?}: {accused} of {touched}");
    }
}

#[test]
fn a_case_is_the_same_every_time() {
    for family in LinkFamily::ALL {
        let of = || {
            let case = family.case(3).expect("a case");
            let states = case.links.iter().map(|id| case.world.state(*id).expect("a state"));
            (states.collect::<Vec<_>>(), case.until.to_bits())
        };
        assert_eq!(of(), of());
    }
}
