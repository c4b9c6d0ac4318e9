//! Recordings that are run again.

use std::path::Path;

use carom_record::{Ending, Options, Reader, Recorder};
use serde_json::Value;

use crate::common::{Folder, carom_fed, good_drop, root};

const SAME: &str = "the same hash as the recording";

/// A scene that is spread over files: an include, a mesh beside it, a parameter and a seed.
fn spread_out() -> Folder {
    let scene = r#"format = 1
include = ["sub/nut.toml"]
[parameters]
height = 2
[world]
until = 1
[[body]]
name = "ball"
shape = { kind = "ball", radius = 0.1 }
density = 1000
position = [0, 0, "height"]
repeat = { kind = "random", count = 5, min = [0, 0, 0], max = [5, 5, 5] }
"#;
    let nut = r#"format = 1
[[body]]
name = "nut"
shape = { kind = "mesh", file = "parts/hex_nut.stl", unit = "mm" }
density = 7850
angular_velocity = [1, 2, 3]
"#;
    let folder = Folder::with("scene.toml", scene).and("sub/nut.toml", nut);
    std::fs::create_dir(folder.path("sub/parts")).expect("temporary files can be written");
    std::fs::copy(root().join("parts/hex_nut.stl"), folder.path("sub/parts/hex_nut.stl"))
        .expect("temporary files can be written");
    folder
}

#[test]
fn a_recording_is_run_again_to_the_same_hash_and_says_so() {
    let folder = Folder::new();
    for scene in
        ["near_misses", "projectiles", "scripted", "tumbling", "block_drop", "slide_to_roll"]
    {
        let first = ["run", scene, "--out", "x.mcap", "--json", "--audit"];
        let first = folder.carom(&first).ended(0).json();
        let again = folder.carom(&["run", "x.mcap", "--json", "--audit"]);
        let again = again.ended(0).said(&[SAME]).json();
        for key in ["hash", "energy", "events", "expectations", "simulated_s", "seed"] {
            assert_eq!(again[key], first[key], "{scene}: {key}");
        }
        let quiet = folder.carom(&["run", "x.mcap", "--quiet"]).ended(0);
        assert_eq!((quiet.out.as_str(), quiet.talk.as_str()), ("", ""));
    }
}

#[test]
fn a_recording_needs_none_of_the_files_it_was_made_from() {
    let folder = spread_out();
    let settings = ["--set", "height=3", "--seed", "9", "--until", "0.7"];
    let arguments = [&["run", "scene.toml", "--out", "x.mcap", "--json"], &settings[..]].concat();
    let first = folder.carom(&arguments).ended(0).json();
    let plain = folder.carom(&["run", "scene.toml", "--until", "0.7", "--json"]).json();
    assert_ne!(first["hash"], plain["hash"], "the settings matter");
    std::fs::remove_dir_all(folder.path("sub")).unwrap();
    std::fs::remove_file(folder.path("scene.toml")).unwrap();
    let again = folder.carom(&["run", "x.mcap", "--json"]).ended(0).said(&[SAME]).json();
    assert_eq!(again["hash"], first["hash"]);
    assert_eq!(again["simulated_s"], 0.7);
    assert_eq!(again["seed"], 9);
}

#[test]
fn a_recording_of_files_from_elsewhere_is_run_again_without_them() {
    for (include, allowed) in [("../elsewhere/drop.toml", "elsewhere"), ("ABSOLUTE", "elsewhere")] {
        let folder = Folder::with("elsewhere/drop.toml", &good_drop());
        let absolute = folder.path("elsewhere/drop.toml");
        let include = include.replace("ABSOLUTE", absolute.to_str().unwrap());
        let scene = format!("format = 1\ninclude = ['{include}']\n[world]\nuntil = 1\n");
        let folder = folder.and("here/scene.toml", &scene);
        let arguments = ["run", "here/scene.toml", "--allow-path", allowed, "--out", "x.mcap"];
        folder.carom(&arguments).ended(0);
        std::fs::remove_dir_all(folder.path("elsewhere")).unwrap();
        std::fs::remove_dir_all(folder.path("here")).unwrap();
        folder.carom(&["run", "x.mcap"]).ended(0).said(&[SAME]);
    }
}

#[test]
fn a_recording_of_a_recording_is_as_good_as_the_first() {
    let folder = spread_out();
    folder.carom(&["run", "scene.toml", "--set", "height=3", "--out", "x.mcap", "-q"]).ended(0);
    folder.carom(&["run", "x.mcap", "--out", "y.mcap"]).ended(0).said(&[SAME]);
    std::fs::remove_file(folder.path("x.mcap")).unwrap();
    folder.carom(&["run", "y.mcap"]).ended(0).said(&[SAME]);
}

#[test]
fn a_scene_from_standard_input_is_run_again_from_its_recording() {
    let folder = Folder::new();
    carom_fed(folder.here(), &["run", "-", "--out", "x.mcap"], &good_drop()).ended(0);
    folder.carom(&["run", "x.mcap"]).ended(0).said(&[SAME]);
}

/// Writes a recording like another one, with another hash in its summary.
fn with_another_hash(original: &Path, changed: &Path) -> String {
    let reader = Reader::open(original).expect("it is a recording");
    let Ending::Finished { end, summary } = reader.ending().clone() else { panic!("unfinished") };
    let mut summary: Value = serde_json::from_str(&summary).expect("it is JSON");
    let hash = "0123456789abcdef0123456789abcdef".to_owned();
    summary["hash"] = Value::String(hash.clone());
    let recorder = Recorder::create(changed, reader.header(), &Options::at(reader.rate_hz()));
    let end = end.expect("it ended");
    let closed = recorder.and_then(|recorder| recorder.close(end, &summary.to_string()));
    closed.expect("temporary files can be written");
    hash
}

#[test]
fn another_hash_than_the_recorded_one_is_status_one_and_shows_both() {
    let folder = Folder::with("drop.toml", &good_drop());
    let first = folder.carom(&["run", "drop.toml", "--out", "x.mcap", "--json"]).ended(0).json();
    let stored = with_another_hash(&folder.path("x.mcap"), &folder.path("y.mcap"));
    let found = first["hash"].as_str().unwrap();
    folder.carom(&["run", "y.mcap"]).ended(1).said(&[&stored, found]);
    folder.carom(&["run", "y.mcap", "--quiet"]).ended(1).said(&[&stored, found]);
    // Ended elsewhere, there is nothing to compare with.
    let run = folder.carom(&["run", "y.mcap", "--until", "0.5"]).ended(1);
    assert!(!run.talk.contains(&stored), "{}", run.talk);
}

#[test]
fn a_recording_takes_no_settings_that_would_make_it_another_run() {
    let folder = Folder::with("drop.toml", &good_drop());
    folder.carom(&["run", "drop.toml", "--out", "x.mcap", "-q"]).ended(0);
    for flags in [["--set", "height=3"], ["--seed", "3"]] {
        let run = folder.carom(&[&["run", "x.mcap"][..], &flags].concat()).ended(2);
        run.said(&[
            "--on-touch, --regime, --envelope and --law do not go with it",
            "run the scene itself",
        ]);
    }
}

#[test]
fn what_is_no_recording_is_told_as_such() {
    let folder = Folder::with("x.mcap", "no recording at all").and("empty.mcap", "");
    for name in ["x.mcap", "empty.mcap"] {
        let run = folder.carom(&["run", name]).ended(2);
        run.said(&[&format!("{name}: this is not a recording")]);
    }
}

#[test]
fn check_sends_a_recording_to_run() {
    let folder = Folder::with("drop.toml", &good_drop());
    folder.carom(&["run", "drop.toml", "--out", "x.mcap", "-q"]).ended(0);
    folder.carom(&["check", "x.mcap"]).ended(2).said(&["`carom run x.mcap`"]);
}
