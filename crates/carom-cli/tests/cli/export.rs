//! `carom export` from the outside: files for other programs, and what cannot be written.

use carom_record::Reader;
use serde_json::Value;

use crate::common::{Folder, good_drop};

/// A folder with a recording of the drop.
pub(crate) fn recorded() -> Folder {
    let folder = Folder::with("drop.toml", &good_drop());
    folder.carom(&["run", "drop.toml", "--out", "x.mcap", "-q"]).ended(0);
    folder
}

#[test]
fn an_animation_has_a_node_for_the_ball_and_a_keyframe_for_every_sample() {
    let folder = recorded();
    let run = folder.carom(&["export", "x.mcap", "-o", "x.gltf"]).ended(0);
    assert_eq!(run.out, "x.gltf: 1 body, 61 samples\n");
    let document: Value = serde_json::from_str(&folder.text("x.gltf")).unwrap();
    assert_eq!(document["nodes"][1]["name"], "ball");
    assert_eq!(document["nodes"][1]["translation"], serde_json::json!([0.0, 0.0, 10.0]));
    // The last accessors are those of the animation: times, places, turns.
    let input = &document["animations"][0]["samplers"][0]["input"];
    let times = &document["accessors"][input.as_u64().unwrap() as usize];
    assert_eq!((&times["count"], &times["max"]), (&61.into(), &serde_json::json!([1.0])));
    folder.carom(&["export", "x.mcap", "-o", "x.glb", "-q"]).ended(0);
    assert!(std::fs::read(folder.path("x.glb")).unwrap().starts_with(b"glTF\x02\0\0\0"));
}

#[test]
fn tables_of_a_recording_are_those_that_the_run_writes() {
    let folder = recorded();
    folder.carom(&["run", "drop.toml", "--out", "ran.csv", "-q"]).ended(0);
    folder.carom(&["export", "x.mcap", "-o", "read.csv"]).ended(0);
    for table in ["csv", "events.csv", "contacts.csv"] {
        assert_eq!(folder.text(&format!("ran.{table}")), folder.text(&format!("read.{table}")));
    }
    folder.carom(&["export", "x.mcap", "-o", "read.parquet"]).ended(0);
    assert!(std::fs::read(folder.path("read.parquet")).unwrap().ends_with(b"PAR1"));
}

#[test]
fn the_format_is_that_of_the_ending_or_the_one_that_is_given() {
    let folder = recorded();
    folder.carom(&["export", "x.mcap", "-o", "x.usda"]).ended(0);
    folder.carom(&["export", "x.mcap", "-o", "x.txt", "--to", "usd"]).ended(0);
    assert!(folder.text("x.usda").starts_with("#usda 1.0\n"));
    assert_eq!(folder.text("x.usda"), folder.text("x.txt"));
    folder.carom(&["export", "x.mcap", "-o", "x.obj"]).ended(2).said(&["end it in .gltf, .glb"]);
    folder.carom(&["export", "x.mcap", "-o", "y", "--to", "gtlf"]).ended(2).said(&["'gltf'"]);
}

#[test]
fn foxglove_gets_a_file_of_its_own_or_channels_in_the_recording() {
    let folder = recorded();
    folder.carom(&["run", "drop.toml", "--out", "own.mcap", "--no-foxglove", "-q"]).ended(0);
    folder.carom(&["export", "own.mcap", "-o", "shown.mcap"]).ended(0);
    let told = |name: &str| {
        let bytes = std::fs::read(folder.path(name)).unwrap();
        let has = |text: &[u8]| bytes.windows(text.len()).any(|it| it == text);
        [has(b"/foxglove/scene"), has(b"/foxglove/transforms"), has(b"/states")]
    };
    assert_eq!(told("shown.mcap"), [true, true, false]);
    assert_eq!(told("own.mcap"), [false, false, true]);
    assert_eq!(told("x.mcap"), [true; 3]);
    // It is a recording like any other.
    folder.carom(&["run", "own.mcap"]).ended(0).said(&["the same hash as the recording"]);
    let samples = |name: &str| Reader::open(folder.path(name)).unwrap().samples().count();
    assert_eq!(samples("own.mcap"), samples("x.mcap"));
    folder.carom(&["run", "drop.toml", "--no-foxglove"]).ended(2).said(&["--out"]);
}

#[test]
fn what_cannot_be_exported_is_told_and_left_alone() {
    let folder = recorded();
    folder.carom(&["export", "y.mcap", "-o", "y.glb"]).ended(2).said(&["did you mean x.mcap?"]);
    folder.carom(&["export", "drop.toml", "-o", "y.glb"]).ended(2).said(&["not a recording"]);
    let run = folder.carom(&["export", "x.mcap", "-o", "./x.mcap"]).ended(2);
    run.said(&["is what is to be exported"]);
    let run = folder.carom(&["export", "x.mcap", "-o", "none/x.glb"]).ended(2);
    run.said(&["there is no folder none"]);
    assert!(Reader::open(folder.path("x.mcap")).is_ok());
}

#[test]
fn a_recording_that_breaks_off_is_exported_as_far_as_it_goes() {
    let folder = recorded();
    let bytes = std::fs::read(folder.path("x.mcap")).unwrap();
    std::fs::write(folder.path("cut.mcap"), &bytes[..bytes.len() * 3 / 4]).unwrap();
    let run = folder.carom(&["export", "cut.mcap", "-o", "cut.glb"]).ended(0);
    run.said(&["cut.mcap breaks off"]);
}
