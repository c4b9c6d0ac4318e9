//! Mistakes in what a scene measures, as `carom run` tells them.

use crate::common::{Folder, Run};

/// Runs a scene of two balls, one struck at 1 s, that expects a measure to be 3.
fn measured(measure: &str) -> Run {
    let text = format!(
        r#"format = 1
[world]
until = 2
[[body]]
name = "ball"
shape = {{ kind = "ball", radius = 0.1 }}
density = 1000
[[body]]
name = "other"
shape = {{ kind = "ball", radius = 0.1 }}
density = 1000
position = [3, 0, 0]
[[impulse]]
at = 1
body = "ball"
impulse = [0, 0, 1]
[[expect]]
what = "three"
measure = "{measure}"
equals = 3
tolerance = 1e-9
"#
    );
    Folder::with("scene.toml", &text).carom(&["run", "scene.toml"])
}

#[test]
fn measures_find_bodies_however_their_names_are_put() {
    for measure in [
        "body('other').x",
        "body ( 'other' ).x",
        "body('oth' + 'er').x",
        "let n = 'other'; body(n).x",
        "distance('ball', 'other', 0)",
        "distance('ba' + 'll', 'other', 0)",
        "let n = 'oth'; n += 'er'; distance('ball', n, 0)",
        "count('impulse') + count('added')",
        "3*event_time('impulse', 0)",
    ] {
        measured(measure).ended(0);
    }
}

#[test]
fn an_event_that_cannot_be_is_not_counted_as_none() {
    measured("3 + count('impuls')").ended(1).said(&["did you mean \"impulse\"?"]);
    measured("3 + count('zzz')").ended(1).said(&["no event is called \"zzz\"", "released"]);
    measured("event_time('aded', 0)").ended(1).said(&["did you mean \"added\"?"]);
}

#[test]
fn a_part_that_is_not_there_is_answered_with_those_that_are() {
    measured("body('ball').foo").ended(1).said(&["a body has x, y, z", "body_wx"]);
    measured("ledger(end).foo").ended(1).said(&["the ledger has initial"]);
}

#[test]
fn a_body_is_not_a_number() {
    measured("body('ball')").ended(1).said(&["this gives a body, not a number"]);
    measured("'ball'").ended(1).said(&["must give a number"]);
}

#[test]
fn times_beyond_the_run_are_told_as_such() {
    measured("body('ball').at(7).x").ended(1).said(&["the run ended at 2 s, before 7 s"]);
    measured("body('ball').at(-1).x").ended(1).said(&["\"ball\" is not there at -1 s"]);
}

/// Runs a scene that is passed by two balls, one of which falls on a floor and one through a sensor, and expects a
/// measure to be 3.
fn passed(measure: &str) -> Run {
    let text = format!(
        r#"format = 1
[parameters]
who = "ball"
[world]
until = 2
on_touch = "pass"
[[body]]
name = "ball"
shape = {{ kind = "ball", radius = 0.1 }}
density = 1000
position = [0, 0, "0.1 + 9.80665/2"]
[[body]]
name = "floor"
shape = {{ kind = "half_space" }}
motion = {{ kind = "fixed" }}
[[body]]
name = "other"
shape = {{ kind = "ball", radius = 0.1 }}
density = 1000
position = [5, 0, "0.1 + 9.80665"]
[[body]]
name = "gate"
shape = {{ kind = "ball", radius = 0.5 }}
position = [5, 0, 5]
motion = {{ kind = "fixed" }}
sensor = true
[[body]]
name = "late"
shape = {{ kind = "ball", radius = 0.1 }}
density = 1000
position = [9, 0, 9]
from = 9
[[expect]]
what = "three"
measure = "{measure}"
equals = 3
tolerance = 1e-8
[[expect]]
what = "the parameter is used"
measure = "if who == 'ball' {{ 1 }} else {{ 0 }}"
equals = 1
tolerance = 0
"#
    );
    Folder::with("scene.toml", &text).carom(&["run", "scene.toml"])
}

#[test]
fn events_are_measured_of_all_bodies_or_of_some() {
    for measure in [
        // The ball falls for a second, the other one for √2.
        "1 + count('touch')",
        "2 + count('touch', 'ball')",
        "2 + count('touch', 'floor', 'ball')",
        "3 + count('touch', 'ball', 'other')",
        "3 + count('touch', 'late')",
        "2 + event_time('touch', 0)",
        "2 + event_time('touch', 'ball')",
        "2 + event_time('touch', 'ball', 'floor')",
        "2 + event_time('touch', 'floor', 0)",
        "1 + event_time('touch', 'floor', 1)**2",
        "1 + event_time('touch', 'floor', 'other', 0)**2",
        "2 + count('entered', 'gate') * count('left', 'other')",
        "3 + count('entered', 'ball')",
        "2 + event_time('entered', 'other', 'gate')**2 / (2*(9.80665 + 0.1 - 5 - 0.6)/9.80665)",
        "2 + count('added', 'gate')",
        "2 + count('touch', who, 'floor')",
    ] {
        passed(measure).ended(0);
    }
}

#[test]
fn gaps_are_those_of_surfaces_and_distances_those_of_centres() {
    for measure in [
        "gap('ball', 'floor', 0) - 9.80665/2 + 3",
        "gap('floor', 'ball', 0.5) - 9.80665*3/8 + 3",
        "3 + gap('ball', 'floor', 1)",
        "gap('ball', 'floor', 2) + 9.80665*3/2 + 3",
        "distance('ball', 'other', 0) - gap('ball', 'other', 0) + 2.8",
        "2 + first_zero(|t| gap('ball', 'floor', t), 0, 2)",
        "gap(who, 'floor', 0) - 9.80665/2 + 3",
    ] {
        passed(measure).ended(0);
    }
}

#[test]
fn mistakes_about_pairs_are_told() {
    passed("count('touch', 'bal')")
        .ended(1)
        .said(&["there is no body \"bal\"", "did you mean \"ball\"?"]);
    passed("gap('ball', 'flor', 0)").ended(1).said(&["did you mean \"floor\"?"]);
    passed("gap('ball', 'ball', 0)").ended(1).said(&["\"ball\" has no gap from itself"]);
    passed("gap('ball', 'late', 0)").ended(1).said(&["\"late\" is not there at 0 s"]);
    passed("count('touch', 'ball', 'ball')").ended(1).said(&["\"ball\" and itself are no pair"]);
    passed("count('tuch', 'ball')").ended(1).said(&["did you mean \"touch\"?"]);
    passed("count('check', 'ball')").ended(1).said(&["no event is called \"check\""]);
    let missing = "there is no \"touch\" of \"ball\" and \"floor\" with number 7";
    passed("event_time('touch', 'ball', 'floor', 7)").ended(1).said(&[missing]);
}
