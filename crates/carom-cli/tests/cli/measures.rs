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
