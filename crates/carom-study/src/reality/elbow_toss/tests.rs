//! Tosses that the engine makes itself, and those of the data set where it is there.

use oracles::measured::TossFrame;

use super::*;
use crate::validate::DataFolder;

/// A toss that the engine makes itself, as a tracker without noise would see it.
fn own_toss(with: Parameters) -> ElbowToss {
    let start = Start {
        position: DVec3::new(0.1, -0.2, 0.35),
        orientation: DQuat::from_scaled_axis(DVec3::new(0.4, -0.7, 0.2)),
        velocity: DVec3::new(0.8, 0.3, 0.5),
        body_rates: DVec3::new(6.0, -9.0, 4.0),
        hinge: 0.6,
        hinge_rate: 12.0,
    };
    let mut simulation = Simulation::new(&start, Some(with)).unwrap();
    let frames = (0..60).map(|row| {
        let found = simulation.at(f64::from(row) / FRAME_RATE).unwrap();
        let q = found.orientation;
        let link = TossFrame {
            position: found.position.to_array(),
            quaternion: [q.w, q.x, q.y, q.z],
            velocity: (found.velocity + 0.5 / FRAME_RATE * GRAVITY * DVec3::Z).to_array(),
            body_rates: found.body_rates.to_array(),
        };
        ElbowFrame { link, hinge: found.hinge, hinge_rate: found.hinge_rate }
    });
    ElbowToss { id: "own".to_owned(), frames: frames.collect() }
}

#[test]
fn a_toss_of_its_own_has_no_error_but_that_of_the_start() {
    let toss = own_toss(GIVEN);
    let after = after_contact(&toss, GIVEN).unwrap().unwrap();
    let at_contact = after.errors[0].unwrap();
    // Rates are medians of four rows and the velocity is that of a centre on a hinge, whose acceleration is not g alone.
    println!("{at_contact:?}");
    assert!(at_contact.position < 3.0 && at_contact.rotation < 40.0, "{at_contact:?}");
    assert!(after.unbooked < 1e-9);
    let contact = contact_row(&toss).unwrap();
    let [hinged, apart] = flight::fits(&toss.frames[..contact]).unwrap().unwrap();
    println!("{hinged:?} {apart:?}");
    assert!(hinged.left.position < 1e-6 && hinged.left.rotation < 1e-5, "{hinged:?}");
    assert!(apart.left.position > 0.1 && apart.left.rotation > 5.0, "{apart:?}");
}

#[test]
fn a_flight_that_is_too_short_has_no_fit() {
    let toss = own_toss(GIVEN);
    assert!(flight::fits(&toss.frames[..7]).unwrap().is_none());
    let short = ElbowToss { frames: toss.frames[12..].to_vec(), ..toss };
    assert!(contact_row(&short).is_none_or(|row| row < contact_row(&own_toss(GIVEN)).unwrap()));
}

/// The targets that the data's description sets, on all tosses.
///
/// proves: data/elbow-toss
#[test]
fn real_tosses_meet_their_targets() {
    let folder =
        std::env::var_os("CAROM_DATA").map(|path| DataFolder::named(path.as_ref()).unwrap());
    let folder = folder.or_else(|| DataFolder::beside(&std::env::current_dir().unwrap()));
    let Some(folder) = folder.filter(|it| it.path().join("elbow-toss").is_dir()) else {
        return println!("skipped: data not present: elbow-toss");
    };
    let tosses = tosses_in(folder.path()).unwrap();
    let report = score(&tosses, GIVEN, &|| ()).unwrap();
    for score in &report.scores {
        println!("{score:?}");
        if let Some(target) = score.target {
            assert!(score.median <= target, "{score:?}");
        }
    }
    let median = |score: &str, quantity: &str| {
        let same = |it: &&super::super::Score| it.score == score && it.quantity == quantity;
        report.scores.iter().find(same).unwrap().median
    };
    assert!(median("C+10", "unbooked_energy") < 1e-9);
    // With its best start a flight is left with the tracker's noise.
    assert!(median("F", "position") < 0.1 && median("F", "rotation") < 0.6);
    assert!(median("F", "hinge") < 0.5);
    let ratios = report.items.iter().filter(|it| it.quantity == "ratio").map(|it| it.value);
    let (better, all) = (ratios.clone().filter(|it| *it < 1.0).count(), ratios.count());
    println!("the hinge explains {better} of {all} flights better than boxes apart");
}
