//! `carom run` where bodies collide: settings from outside, and what is recorded of them.

use carom_record::Reader;

use crate::common::{Folder, carom};

/// A cube of 0.1 m and 1 kg that falls flat on a floor, with more in [world] and at the end.
fn landing(world: &str, more: &str) -> String {
    format!(
        r#"format = 1
title = "Landing"
[world]
until = 1
{world}
[[material]]
name = "wood"
friction = 0.5
restitution = 0.25
[[body]]
name = "cube"
shape = {{ kind = "box", size = [0.1, 0.1, 0.1] }}
mass = 1
material = "wood"
position = [0, 0, 0.1]
[[body]]
name = "floor"
shape = {{ kind = "half_space" }}
material = "wood"
motion = {{ kind = "fixed" }}
{more}"#
    )
}

#[test]
fn the_envelope_is_the_scenes_unless_one_is_given() {
    let hash = |world: &str, arguments: &[&str]| {
        let folder = Folder::with("landing.toml", &landing(world, ""));
        let arguments = [&["run", "landing.toml", "--json"], arguments].concat();
        folder.carom(&arguments).ended(0).json()["hash"].clone()
    };
    let coarse = hash("envelope = 1e-4", &[]);
    assert_eq!(hash("", &["--envelope", "1e-4"]), coarse);
    assert_eq!(hash("envelope = 1e-5", &["--envelope", "1e-4"]), coarse);
    assert_ne!(hash("envelope = 1e-5", &[]), coarse);
    assert_eq!(hash("envelope = 1e-4", &["--regime", "impulse"]), coarse);
    assert_eq!(hash("envelope = 1e-4\nregime = \"impulse\"", &[]), coarse);
}

#[test]
fn wrong_contact_settings_are_told_before_anything_runs() {
    let wrong = |option: &str, value: &str| carom(&["run", "tumbling", option, value]).ended(2);
    for envelope in ["0", "-1", "wide", "inf"] {
        wrong("--envelope", envelope).said(&["--envelope", "must be a positive number"]);
    }
    wrong("--regime", "impuls").said(&["--regime", "possible values: impulse"]);
}

#[test]
fn a_recording_is_run_again_with_the_contact_settings_it_was_made_with() {
    let folder = Folder::with("landing.toml", &landing("on_touch = \"stop\"", ""));
    let settings = ["--envelope", "2.5e-5", "--regime", "impulse", "--on-touch", "collide"];
    let arguments = [&["run", "landing.toml", "--json", "--out", "x.mcap"], &settings[..]].concat();
    let first = folder.carom(&arguments).ended(0).json();
    assert_eq!(first["simulated_s"], 1.0);
    let header = Reader::open(folder.path("x.mcap")).unwrap().header().clone();
    assert_eq!(header.envelope, Some(2.5e-5));
    assert_eq!(header.regime.as_deref(), Some("impulse"));
    assert_eq!(header.on_touch.as_deref(), Some("collide"));
    let again = folder.carom(&["run", "x.mcap", "--json", "--out", "y.mcap"]).ended(0);
    assert_eq!(again.said(&["the same hash as the recording"]).json()["hash"], first["hash"]);
    folder.carom(&["run", "y.mcap"]).ended(0).said(&["the same hash as the recording"]);
    for more in [["--envelope", "1e-4"], ["--regime", "impulse"]] {
        let run = folder.carom(&[&["run", "x.mcap"], &more[..]].concat()).ended(2);
        run.said(&["do not go with it"]);
    }
}

#[test]
fn distances_are_those_after_collisions() {
    let folder = Folder::with("landing.toml", &landing("", ""));
    let at = |more: &[&str]| {
        let arguments = ["distance", "landing.toml", "cube", "floor", "--at", "1", "--json"];
        let answer = folder.carom(&[&arguments, more].concat()).ended(0).json();
        answer["distance_m"].as_f64().unwrap()
    };
    let resting = at(&[]);
    assert!((0.0..2e-5).contains(&resting), "{resting}");
    assert!((0.0..2e-6).contains(&at(&["--envelope", "1e-6"])));
    assert!(at(&["--on-touch", "stop"]) < -1.0);
}
