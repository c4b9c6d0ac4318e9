//! `carom run --audit` from the outside.

use crate::common::{Folder, carom};

/// A ball that passes a fixed post of the same height at a clearance, and one that flies off.
fn near_miss(clearance: &str) -> String {
    format!(
        r#"format = 1
[parameters]
clearance = {clearance}
[world]
gravity = [0, 0, 0]
until = 3
[[body]]
name = "post"
shape = {{ kind = "cylinder", radius = 0.5, height = 2 }}
motion = {{ kind = "fixed" }}
[[body]]
name = "bullet"
shape = {{ kind = "ball", radius = 0.25 }}
density = 1000
position = [-10, "0.75 + clearance", 0.3]
velocity = [8, 0, 0]
angular_velocity = [3, 2, 1]
[[body]]
name = "away"
shape = {{ kind = "box", size = [1, 1, 1] }}
density = 1000
position = [0, -20, 0]
velocity = [0, -5, 0]
angular_velocity = [0, 1, 2]
"#
    )
}

#[test]
fn a_near_miss_is_told_with_its_clearance_pair_and_time() {
    for (clearance, expected) in [("0.125", 0.125), ("1e-3", 1e-3), ("1e-6", 1e-6)] {
        let folder = Folder::with("miss.toml", &near_miss(clearance));
        let answer = folder.carom(&["run", "miss.toml", "--audit", "--json"]).ended(0).json();
        let gap = answer["least_gap_m"].as_f64().unwrap();
        assert!((gap / expected - 1.0).abs() < 1e-6, "{gap} instead of {expected}");
        let least = &answer["audit"]["least_gap"];
        assert_eq!((least["a"].as_str(), least["b"].as_str()), (Some("post"), Some("bullet")));
        assert!((least["time_s"].as_f64().unwrap() - 1.25).abs() < 1e-2, "{least}");
        let (low, high) =
            (least["gap_m"][0].as_f64().unwrap(), least["gap_m"][1].as_f64().unwrap());
        assert!(0.0 < low && low <= high && high - low < 1e-11, "{least}");
        assert!(answer["audit"]["distances"].as_u64().unwrap() > 10, "{answer}");
        let run = folder.carom(&["run", "miss.toml", "--audit"]).ended(0);
        assert!(run.out.contains("\"post\" and \"bullet\" at 1.2"), "{}", run.out);
    }
}

const APART: &str = r#"format = 1
[world]
until = 2
[[body]]
name = "shard_{i}"
shape = { kind = "box", size = [0.2, 0.1, 0.1] }
density = 1000
position = ["cos(rad(60*i))", "sin(rad(60*i))", 5]
velocity = ["3*cos(rad(60*i))", "3*sin(rad(60*i))", 2]
angular_velocity = ["i", 2, 1]
repeat = { kind = "row", count = 6, step = [0, 0, 0] }
"#;

#[test]
fn bodies_that_fly_apart_are_nearest_at_the_beginning() {
    let folder = Folder::with("apart.toml", APART);
    let answer = folder.carom(&["run", "apart.toml", "--audit", "--json"]).ended(0).json();
    let least = &answer["audit"]["least_gap"];
    // Those at 60° and 120° are 1 m apart along x, and half a size of 0.2 nearer each.
    assert_eq!(least["time_s"], 0.0);
    assert!((answer["least_gap_m"].as_f64().unwrap() - 0.8).abs() < 1e-12, "{least}");
    assert_eq!(answer["audit"]["overlaps"].as_array().unwrap().len(), 0);
    assert_eq!(answer["audit"]["left_out"], 0);
}

#[test]
fn without_the_flag_nothing_is_measured() {
    let answer = carom(&["run", "tumbling", "--json"]).ended(0).json();
    assert!(answer["least_gap_m"].is_null() && answer["audit"].is_null());
    let run = carom(&["run", "tumbling"]).ended(0);
    assert!(!run.out.contains("audit"), "{}", run.out);
}

#[test]
fn the_object_of_an_audit_has_exactly_the_promised_keys() {
    let answer = carom(&["run", "projectiles", "--audit", "--json"]).ended(0).json();
    let mut found: Vec<&String> = answer["audit"].as_object().unwrap().keys().collect();
    found.sort_unstable();
    let keys = [
        "disagreements",
        "distances",
        "instants",
        "least_gap",
        "left_out",
        "missed_touches",
        "not_listed",
        "not_measurable",
        "overlaps",
        "second_opinions",
        "times",
        "wall_s",
    ];
    assert_eq!(found, keys);
}

#[test]
fn an_audit_changes_no_bit_and_is_itself_the_same_every_time() {
    let of = |arguments: &[&str]| {
        let mut answer =
            carom(&[&["run", "projectiles", "--json"], arguments].concat()).ended(0).json();
        if let Some(audit) = answer["audit"].as_object_mut() {
            audit.remove("wall_s");
        }
        (answer["hash"].clone(), answer["audit"].clone())
    };
    let (hash, audit) = of(&["--audit"]);
    assert_eq!(hash, of(&[]).0);
    assert_eq!((hash.clone(), audit.clone()), of(&["--audit"]));
    assert_eq!((hash, audit), of(&["--audit", "--threads", "2"]));
}

#[test]
fn one_body_has_nobody_to_come_near() {
    let folder = Folder::with("drop.toml", &crate::common::good_drop());
    let run = folder.carom(&["run", "drop.toml", "--audit"]).ended(0);
    assert!(run.out.contains("  audit      no two bodies that meet; 0 distances"), "{}", run.out);
}
