//! What holds in every scene: the ledger closes, and no energy comes from nowhere. And what holds of dominos and
//! of a break.

use carom::Account;
use carom_scene::{BUILT_IN, built_in};
use carom_study::run::RunOptions;

use crate::common::{built, options, report, scene_of, short_time};

/// All that moved through the books of a world, as far as they show it `[J]`.
fn passed_through(account: &Account) -> f64 {
    account.kinetic
        + account.work.abs()
        + account.restitution_loss
        + account.friction_loss
        + account.boost
}

#[test]
fn energy_grows_in_no_scene_but_by_what_is_booked_and_every_ledger_closes() {
    for built_in in BUILT_IN {
        let scene = built(&built_in);
        let mut world = scene.build(1).unwrap();
        let until = short_time(&built_in).unwrap_or(scene.until);
        let mut last = world.account();
        for step in 1..=100 {
            world.advance_to(until * f64::from(step) / 100.0).unwrap();
            let now = world.account();
            let scale = passed_through(&now).max(last.kinetic);
            // What holds gaps open lifts bodies by 5e-8 of their size, and what integrates errs by its tolerance: booked, and bounded.
            let held = now.projection - last.projection + now.integration - last.integration;
            let given = now.work - last.work + now.boost - last.boost + held;
            let gained = now.total() - last.total() - given;
            let rounding = 1e-13 * (now.initial.abs() + now.potential.abs());
            let name = built_in.name;
            assert!(gained < 1e-9 * scale + rounding, "{name}, step {step}: {gained:e} J");
            let bound = 1e-5 * (scale + now.initial.abs());
            assert!(held.abs() < bound, "{name}, step {step}: {held:e} J by the hold");
            assert!(now.residual.abs() < 1e-9 * scale + rounding, "{name}, step {step}: {now:?}");
            last = now;
        }
    }
}

/// What a measure gives in a built-in scene with other values of parameters, run for a share of its time.
fn measured(name: &str, measure: &str, overrides: &[(&str, &str)], share: f64) -> f64 {
    let text = built_in(name).expect("it is built in").text;
    measured_in(name, text, measure, overrides, share)
}

/// The same in any scene's text.
fn measured_in(
    name: &str,
    text: &str,
    measure: &str,
    overrides: &[(&str, &str)],
    share: f64,
) -> f64 {
    let text = text.split("[[expect]]").next().expect("a first part");
    let text = format!(
        "{text}\n[[expect]]\nwhat = \"it\"\nmeasure = \"{measure}\"\nequals = 1\ntolerance = 1\n"
    );
    let scene = scene_of(name, &text, overrides);
    let until = Some(scene.until * share);
    let report = report(&scene, &RunOptions { until, ..options(1, 60.0) }, &|| Ok(None));
    report.findings[0].got.unwrap_or_else(|| panic!("{}", report.problems.render(false)))
}

/// Speed of the wave from the third to the sixth of the dominos, as a share of √(gh).
fn wave_speed(overrides: &[(&str, &str)]) -> f64 {
    let wave = "3*pitch/(event_time('collision', 'domino_5', 'domino_6') \
                - event_time('collision', 'domino_2', 'domino_3'))/sqrt(g*high)";
    // A little longer than the wave takes.
    measured("dominos", wave, overrides, 0.37)
}

/// proves: m1/SY-R7
#[test]
fn a_ball_with_side_spin_curves_while_it_slides_and_goes_straight_once_it_rolls() {
    // It comes to the pins after 2.9 s of 4.5 s.
    let course = |measure: &str| measured("bowling", measure, &[], 0.63);
    let turned = course("body('ball').at(0.2).vx - body('ball').at(rolls - 0.1).vx");
    let right_most = course("maximum(|t| body('ball').at(t).x, 0, end) - body('ball').x");
    let after =
        course("maximum(|t| abs(body('ball').at(t).vx - body('ball').vx), rolls + 0.1, end)");
    println!("turned by {turned} m/s, back by {right_most} m, then {after} m/s");
    assert!(turned > 0.3 && right_most > 0.05 && after < 1e-9);
}

/// proves: ref/G2
#[test]
fn dominos_of_any_size_and_density_fall_alike() {
    let speed = wave_speed(&[]);
    let (larger, heavier) = (wave_speed(&[("scale", "10")]), wave_speed(&[("density", "7850")]));
    println!("waves at {speed}, {larger}, {heavier} of the root of g h");
    // Reference case G2.
    assert!((larger / speed - 1.0).abs() < 0.05 && (heavier / speed - 1.0).abs() < 0.05);
}

/// Speeds of the wave along a row of twenty dominos, as a share of √(gh): at its beginning, in its middle and at its end.
fn speeds_along_a_longer_row(push: &str) -> [f64; 3] {
    let text = built_in("dominos").expect("it is built in").text;
    let text = text.replace("count = 7,", "count = 20,");
    [[0, 3], [9, 13], [13, 17]].map(|[from, to]| {
        let hit = |k: i32| format!("event_time('collision', 'domino_{k}', 'domino_{}')", k + 1);
        let wave = format!("{}*pitch/({} - {})/sqrt(g*high)", to - from, hit(to), hit(from));
        // A little longer than the slowest wave takes, of 12 units of time.
        measured_in("dominos", &text, &wave, &[("push", push)], 1.1)
    })
}

#[test]
fn the_wave_along_a_longer_row_of_dominos_gets_a_speed_of_its_own() {
    let waves = ["0.2", "0.4", "0.6"].map(speeds_along_a_longer_row);
    println!("waves at {waves:?} of the root of g h");
    for [_, middle, end] in waves {
        // Steps from one domino to the next scatter by 1 %, four of them together by half of that.
        assert!((end / middle - 1.0).abs() < 0.02, "{waves:?}");
        assert!((end / waves[0][2] - 1.0).abs() < 0.02, "{waves:?}");
    }
    // The push, which is three times as strong, is what the beginning depends on.
    assert!(waves[2][0] > 1.2 * waves[0][0], "{waves:?}");
}

#[test]
fn a_break_that_comes_from_the_other_side_is_the_mirror_image() {
    let speed = |ball: &str, aside: &str| {
        let measure = format!("body('{ball}').at(broken + 0.01).speed");
        measured("pool_break", &measure, &[("aside", aside)], 0.1)
    };
    for (left, right) in [("ball_10", "ball_14"), ("ball_11", "ball_13"), ("ball_0", "ball_0")] {
        let (one, other) = (speed(left, "1e-6"), speed(right, "-1e-6"));
        println!("{left} {one} m/s, {right} {other} m/s");
        // Rounding, which a rack of impacts makes larger.
        assert!((one - other).abs() < 1e-9, "{left} {one}, {right} {other}");
    }
}
