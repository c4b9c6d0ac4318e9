//! Runs that break down on the way.

use carom_record::{Ending, Reader};

use crate::common::Folder;

/// A ball that falls, with something more.
fn falling(more: &str) -> Folder {
    let ball = r#"format = 1
[world]
until = 4
[[body]]
name = "ball"
shape = { kind = "ball", radius = 0.1 }
density = 1000
"#;
    Folder::with("scene.toml", &format!("{ball}{more}"))
}

const STRUCK: &str = "[[impulse]]\nat = 2\nbody = \"ball\"\nimpulse = [1, 0, 0]\n";

#[test]
fn an_impulse_on_a_body_that_is_gone_names_the_body_and_the_time() {
    let removed = format!("[[change]]\nat = 1\nremove = \"ball\"\n{STRUCK}");
    for more in [removed, format!("until = 1\n{STRUCK}")] {
        let folder = falling(&more);
        let run = folder.carom(&["run", "scene.toml"]).ended(2);
        run.said(&["the run ended early, at 2 s", "body \"ball\" is not in this world"]);
    }
}

#[test]
fn an_impulse_on_a_body_that_has_not_come_yet_names_the_body() {
    let run = falling(&format!("from = 3\n{STRUCK}")).carom(&["run", "scene.toml"]).ended(2);
    run.said(&["at 2 s", "body \"ball\" is not in this world"]);
}

#[test]
fn a_carrier_that_is_gone_is_named() {
    let more = r#"[[body]]
name = "arm"
shape = { kind = "ball", radius = 0.1 }
position = [1, 0, 0]
motion = { kind = "fixed" }
until = 1
[[change]]
at = 2
carry = "ball"
by = "arm"
"#;
    let run = falling(more).carom(&["run", "scene.toml"]).ended(2);
    run.said(&["at 2 s", "\"arm\""]);
}

#[test]
fn a_recording_is_valid_up_to_the_fault() {
    let folder = falling(&format!("until = 1\n{STRUCK}"));
    for out in ["x.csv", "x.parquet", "x.mcap"] {
        let run = folder.carom(&["run", "scene.toml", "--out", out]).ended(2);
        run.said(&[&format!("{out} is valid up to there")]);
    }
    let mut reader = Reader::open(folder.path("x.mcap")).unwrap();
    assert!(
        matches!(reader.ending(), Ending::Finished { end: Some(end), .. } if *end == 2.0),
        "{:?}",
        reader.ending()
    );
    let times: Vec<f64> = reader.samples().map(|sample| sample.unwrap().time).collect();
    assert!(times.len() >= 60, "{times:?}");
    assert!(times.is_sorted() && times.iter().all(|&time| time <= 2.0), "{times:?}");
    folder.carom(&["run", "x.mcap"]).ended(2).said(&["at 2 s", "body \"ball\""]);
}

#[test]
fn numbers_beyond_arithmetic_end_the_run_and_not_the_program() {
    let more = "velocity = [1e308, 0, 0]\nposition = [1e308, 0, 0]\n";
    let run = falling(more).carom(&["run", "scene.toml"]);
    assert!([1, 2].contains(&run.status), "{} {}", run.status, run.talk);
    run.said(&["error", "ball"]);
}
