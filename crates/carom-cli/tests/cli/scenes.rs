//! `carom new`, `carom scenes` and `carom schema` from the outside.

use crate::common::{Folder, carom, json, root};

#[test]
fn a_new_scene_checks_and_runs_green() {
    let folder = Folder::new();
    let run = folder.carom(&["new", "toss"]).ended(0);
    assert_eq!(run.out, "wrote toss.toml\ncarom run toss.toml runs it\n");
    let check = folder.carom(&["check", "toss.toml"]).ended(0);
    assert_eq!(check.talk, "", "no warnings");
    let run = folder.carom(&["run", "toss.toml", "--audit"]).ended(0);
    assert!(run.out.starts_with("toss: ") && run.out.contains("expectations met"), "{}", run.out);
    let set = ["--set", "height=3", "--set", "speed=12"];
    folder.carom(&[&["run", "toss.toml"][..], &set].concat()).ended(0);
}

#[test]
fn a_new_scene_replaces_nothing() {
    let folder = Folder::with("toss.toml", "precious");
    for name in ["toss", "toss.toml", "toss.TOML"] {
        let run = folder.carom(&["new", name]);
        if name == "toss.TOML" && run.status == 0 {
            continue; // Another file, where names are told apart by case.
        }
        run.ended(2).said(&["is there already", "choose another name"]);
    }
    assert_eq!(folder.text("toss.toml"), "precious");
}

#[test]
fn a_name_that_no_file_can_have_is_refused() {
    let folder = Folder::new();
    for name in ["", "..", "/"] {
        folder.carom(&["new", name]).ended(2).said(&["is no name for a scene"]);
    }
    folder.carom(&["new", "gone/toss"]).ended(2).said(&["cannot write gone/toss.toml"]);
}

#[test]
fn a_title_with_quotes_is_still_a_scene() {
    let folder = Folder::new();
    folder.carom(&["new", "a \"b\" \\ c"]).ended(0);
    folder.carom(&["run", "a \"b\" \\ c.toml"]).ended(0);
}

#[test]
fn the_list_of_scenes_is_the_folder_of_scenes() {
    let entries = std::fs::read_dir(root().join("scenes")).unwrap();
    let mut files: Vec<String> = entries
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            name.strip_suffix(".toml").map(str::to_owned)
        })
        .collect();
    files.sort_unstable();
    let listed = json(&["scenes", "--json"]);
    let listed = listed.as_array().unwrap();
    let names: Vec<&str> = listed.iter().map(|scene| scene["name"].as_str().unwrap()).collect();
    assert_eq!(names, files);
    let text = carom(&["scenes"]).ended(0).out;
    for scene in listed {
        assert!(!scene["title"].as_str().unwrap().is_empty());
        let line = text.lines().find(|line| line.starts_with(scene["name"].as_str().unwrap()));
        assert!(line.unwrap().ends_with(scene["description"].as_str().unwrap()), "{text}");
    }
}

#[test]
fn the_printed_schema_is_that_of_the_library() {
    let printed = json(&["schema"]);
    assert_eq!(printed, serde_json::to_value(carom_scene::json_schema()).unwrap());
    assert!(printed["$schema"].as_str().unwrap().contains("2020-12"));
    assert!(printed["properties"]["body"].is_object());
}
