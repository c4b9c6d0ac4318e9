//! `carom run` where bodies collide: settings from outside, and what is recorded of them.

use carom_record::{Ending, Reader};
use serde_json::Value;

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

#[track_caller]
fn near(value: &Value, expected: f64, tolerance: f64) {
    let got = value.as_f64().unwrap_or_else(|| panic!("no number: {value}"));
    assert!((got - expected).abs() <= tolerance, "{got} instead of {expected} ± {tolerance}");
}

#[test]
fn the_summary_says_what_every_contact_did() {
    let folder = Folder::with("landing.toml", &landing("", ""));
    let run = folder.carom(&["run", "landing.toml"]).ended(0);
    for part in [
        "\n  contacts   1 pair, ",
        " of them micro:\n    bodies ",
        "\n    \"cube\", \"floor\" ",
        "\n  losses     0.",
        " J to restitution, ",
        "\n  residual ",
    ] {
        assert!(run.out.contains(part), "\"{part}\" is missing in:\n{}", run.out);
    }
    assert!(!run.out.contains("\n  touches "), "{}", run.out);
    let answer = folder.carom(&["run", "landing.toml", "--json"]).ended(0).json();
    let contact = &answer["contacts"][0];
    let mut keys: Vec<&str> = contact.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    let expected = [
        "a",
        "b",
        "boost_J",
        "collisions",
        "first_s",
        "friction_work_J",
        "impulse_N_s",
        "last_s",
        "mean_force_N",
        "micro",
        "normal_impulse_N_s",
        "normal_work_J",
        "piece_pairs",
        "pieces",
        "settled_s",
        "slip_m",
    ];
    assert_eq!(keys, expected);
    let fall = (2.0_f64 * 0.05 / 9.80665).sqrt();
    near(&contact["first_s"], fall, 1e-9);
    // t₁(1 + e)/(1 − e), with what the last bounces before the envelope leave open.
    near(&contact["settled_s"], fall * 1.25 / 0.75, 1e-3);
    near(&contact["normal_impulse_N_s"], 9.80665, 0.05);
    near(&contact["mean_force_N"], 9.80665 / (1.0 - fall), 0.05);
    near(&contact["impulse_N_s"][2], contact["normal_impulse_N_s"].as_f64().unwrap(), 1e-12);
    near(&answer["energy"]["boost"], contact["boost_J"].as_f64().unwrap(), 1e-15);
    let settled = format!("{:.4}", contact["settled_s"].as_f64().unwrap());
    assert!(run.out.contains(&settled), "{settled} is missing in:\n{}", run.out);
    for key in ["collisions", "micro"] {
        assert_eq!(answer[key], contact[key], "{key}");
    }
    assert_eq!((&answer["contact_pairs"], &contact["piece_pairs"]), (&1.into(), &0.into()));
}

#[test]
fn pieces_of_compound_bodies_are_listed_one_by_one() {
    let feet = "shape = { kind = \"compound\", parts = [\
        { shape = { kind = \"box\", size = [0.1, 0.1, 0.02] }, position = [0, 0, 0.05] }, \
        { shape = { kind = \"ball\", radius = 0.02 }, position = [-0.04, -0.03, 0] }, \
        { shape = { kind = \"ball\", radius = 0.02 }, position = [0.04, -0.03, 0] }, \
        { shape = { kind = \"ball\", radius = 0.02 }, position = [0, 0.06, 0] } ] }";
    let text = landing("", "").replace("shape = { kind = \"box\", size = [0.1, 0.1, 0.1] }", feet);
    let folder = Folder::with("stool.toml", &text);
    let run = folder.carom(&["run", "stool.toml"]).ended(0);
    for piece in 1..4 {
        let part = format!("\n      pieces {piece}, 0 ");
        assert!(run.out.contains(&part), "{part} is missing in:\n{}", run.out);
    }
    let answer = folder.carom(&["run", "stool.toml", "--json"]).ended(0).json();
    let contact = &answer["contacts"][0];
    let pieces = contact["pieces"].as_array().unwrap();
    assert_eq!((pieces.len(), &contact["piece_pairs"]), (3, &3.into()));
    let sum: f64 = pieces.iter().map(|it| it["normal_impulse_N_s"].as_f64().unwrap()).sum();
    near(&contact["normal_impulse_N_s"], sum, 1e-9);
}

#[test]
fn a_long_list_of_contacts_begins_with_the_largest_and_is_whole_in_json() {
    let row = "[[body]]\nname = \"ball\"\nshape = { kind = \"ball\", radius = 0.1 }\n\
               mass = \"1 + i\"\nposition = [2, 0, 0.1]\n\
               repeat = { kind = \"row\", count = 20, step = [1, 0, 0] }\n";
    let folder = Folder::with("row.toml", &landing("", row));
    let run = folder.carom(&["run", "row.toml"]).ended(0);
    assert!(run.out.contains("\n  contacts   21 pairs, "), "{}", run.out);
    assert!(run.out.contains("\n    and 9 more with smaller impulses; --json has them\n"));
    assert_eq!(run.out.matches("\"floor\"").count(), 12, "{}", run.out);
    let first = run.out.lines().find(|line| line.contains("\"floor\"")).unwrap();
    assert!(first.contains("\"ball_19\""), "{first}");
    let answer = folder.carom(&["run", "row.toml", "--json"]).ended(0).json();
    assert_eq!(answer["contacts"].as_array().unwrap().len(), 21);
}

#[test]
fn a_cascade_ends_the_run_with_its_summary_and_a_usable_recording() {
    let plate = |name: &str, x: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nshape = {{ kind = \"box\", size = [0.1, 1, 1] }}\n\
             position = [{x}, 0, 0]\nmotion = {{ kind = \"constant\", velocity = [{}, 0, 0] }}\n",
            -x
        )
    };
    let text = format!(
        "format = 1\n[world]\nuntil = 2\ngravity = [0, 0, 0]\n{}{}[[body]]\nname = \"ball\"\n\
         shape = {{ kind = \"ball\", radius = 0.1 }}\nmass = 1\n",
        plate("left", -1.0),
        plate("right", 1.0)
    );
    let folder = Folder::with("press.toml", &text);
    let run = folder.carom(&["run", "press.toml", "--out", "x.mcap"]).ended(2);
    assert!(
        run.out.contains("\"left\", \"ball\"") && run.out.contains("\n  residual "),
        "{}",
        run.out
    );
    let run = run.said(&["the run ended early, at 0.8", "collisions of", "do not end", "hint: "]);
    for name in ["\"left\"", "\"right\"", "\"ball\"", "x.mcap is valid up to there"] {
        assert!(run.talk.contains(name), "{}", run.talk);
    }
    let mut reader = Reader::open(folder.path("x.mcap")).unwrap();
    let Ending::Finished { end, .. } = *reader.ending() else { panic!("unfinished") };
    assert!((end.unwrap() - 0.85).abs() < 1e-6, "{end:?}");
    let samples: Vec<_> = reader.samples().map(Result::unwrap).collect();
    assert_eq!(samples.len(), 51, "60 a second up to just before 0.85 s");
    let again = folder.carom(&["run", "x.mcap", "--json"]).ended(2);
    let again = again.said(&["the same hash as the recording", "do not end"]).json();
    // One point each: the log has the rounds of the last instant, too.
    let logged = reader.contacts().map(Result::unwrap).count() as u64;
    assert!(logged > 10_000 && again["collisions"] == logged, "{logged} {}", again["collisions"]);
}

#[test]
fn a_recording_of_collisions_has_each_of_them() {
    let folder = Folder::with("landing.toml", &landing("", ""));
    let arguments = ["run", "landing.toml", "--json", "--out", "x.mcap"];
    let answer = folder.carom(&arguments).ended(0).json();
    let mut reader = Reader::open(folder.path("x.mcap")).unwrap();
    let contacts: Vec<_> = reader.contacts().map(Result::unwrap).collect();
    let count: f64 = contacts.iter().map(|it| it.share).sum();
    near(&answer["collisions"], count, 1e-6);
    let impulse: f64 = contacts.iter().map(|it| it.impulse.z).sum();
    near(&answer["contacts"][0]["impulse_N_s"][2], impulse, 1e-9);
    folder.carom(&["run", "landing.toml", "-q", "--out", "x.csv"]).ended(0);
    let table = folder.text("x.contacts.csv");
    assert_eq!(table.lines().count(), contacts.len() + 1);
    assert!(table.lines().nth(1).unwrap().contains(",cube,floor,collision,"), "{table}");
    assert!(!folder.text("x.events.csv").contains(",collision,"));
}
