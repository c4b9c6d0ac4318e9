//! `carom check` from the outside.

use crate::common::{Folder, carom, carom_fed, good_drop};

/// One mistake of each common kind, each on a line of its own.
const MISTAKES: &str = r#"format = 1
titel = "x"
[world]
gravity = [0, 0]
until = -3
[[body]]
name = "a"
shape = { kind = "bal", radius = 1 }
density = 1
[[body]]
name = "b"
shape = { kind = "box", size = [1, 1, -1] }
densty = 3
velocity = ["spd", 0, 0]
[[expect]]
what = "z"
measure = "body('a').z"
equals = 3
"#;

/// Where those mistakes are.
const PLACES: [(u64, u64); 8] =
    [(2, 1), (4, 11), (5, 9), (8, 18), (12, 39), (13, 1), (14, 14), (15, 1)];

#[test]
fn all_mistakes_are_told_at_once_with_their_places() {
    let folder = Folder::with("bad.toml", MISTAKES);
    let run = folder.carom(&["check", "bad.toml"]).ended(1);
    assert_eq!(run.out, "");
    let run = run.said(&["did you mean `title`?", "did you mean \"ball\"?", "8 errors"]);
    let run = run.said(&["did you mean `density`?", "`tolerance` is missing"]);
    for (line, column) in PLACES {
        assert!(run.talk.contains(&format!("bad.toml:{line}:{column}\n")), "{}", run.talk);
    }
}

#[test]
fn mistakes_as_json_have_line_and_column() {
    let folder = Folder::with("bad.toml", MISTAKES);
    let run = folder.carom(&["check", "bad.toml", "--json"]).ended(1);
    assert_eq!(run.talk, "");
    let answer = run.json();
    assert_eq!(answer["ok"], false);
    assert_eq!(answer["scene"], "bad.toml");
    let problems = answer["problems"].as_array().unwrap();
    let places: Vec<(u64, u64)> = problems
        .iter()
        .map(|problem| {
            assert_eq!(problem["severity"], "error");
            assert_eq!(problem["at"]["file"], "bad.toml");
            let number = |key: &str| problem["at"][key].as_u64().unwrap();
            (number("line"), number("column"))
        })
        .collect();
    assert_eq!(places, PLACES);
}

#[test]
fn mistakes_of_meaning_are_told_together() {
    let more = "[[body]]\nname = \"ball\"\nshape = { kind = \"ball\", radius = 1 }\ndensity = 1\n\
                [[impulse]]\nat = 1\nbody = \"bal\"\nimpulse = [1, 0, 0]\n";
    let folder = Folder::with("drop.toml", &(good_drop() + more));
    let run = folder.carom(&["check", "drop.toml"]).ended(1);
    run.said(&["\"ball\"", "drop.toml:19:", "did you mean", "drop.toml:24:", "2 errors"]);
}

#[test]
fn a_fine_scene_is_status_zero_with_its_counts() {
    let folder = Folder::with("drop.toml", &good_drop());
    let run = folder.carom(&["check", "drop.toml"]).ended(0);
    assert_eq!(run.out, "drop.toml: fine, 1 body, 1 expectation\n");
    assert_eq!(run.talk, "");
    let answer = folder.carom(&["check", "drop.toml", "--json"]).ended(0).json();
    assert_eq!(answer["ok"], true);
    assert_eq!(answer["bodies"], 1);
    assert_eq!(answer["problems"].as_array().unwrap().len(), 0);
    let fed = carom_fed(folder.here(), &["check", "-"], &good_drop()).ended(0);
    assert_eq!(fed.out, "-: fine, 1 body, 1 expectation\n");
    for scene in carom_scene::BUILT_IN {
        carom(&["check", scene.name]).ended(0);
    }
}

#[test]
fn a_scene_without_expectations_gets_a_hint() {
    let text = good_drop();
    let folder = Folder::with("drop.toml", text.split("[[expect]]").next().unwrap());
    let run = folder.carom(&["check", "drop.toml"]).ended(0);
    assert!(run.out.contains("0 expectations\nhint: add [[expect]] tables"), "{}", run.out);
}

#[test]
fn warnings_alone_are_told_and_pass() {
    let text = good_drop().replace("[world]", "unused = 3\n[world]");
    let folder = Folder::with("drop.toml", &text);
    let run = folder.carom(&["check", "drop.toml"]).ended(0);
    let run = run.said(&["warning: ", "`unused` is never used", "drop.toml:5:1", "1 warning"]);
    assert!(run.out.contains("fine"), "{}", run.out);
    let answer = folder.carom(&["check", "drop.toml", "--json"]).ended(0).json();
    assert_eq!(answer["ok"], true);
    assert_eq!(answer["problems"][0]["severity"], "warning");
}

#[test]
fn what_is_no_toml_is_told_with_its_place() {
    let folder = Folder::with("bad.toml", "format = 1\n[[body]\n");
    folder.carom(&["check", "bad.toml"]).ended(1).said(&["not valid TOML", "bad.toml:2:7"]);
    std::fs::write(folder.path("bytes.toml"), b"format = 1\n\xff\n").unwrap();
    folder.carom(&["check", "bytes.toml"]).ended(1).said(&["bytes.toml", "UTF-8"]);
}

#[test]
fn settings_are_checked_with_the_scene() {
    let folder = Folder::with("drop.toml", &good_drop());
    folder.carom(&["check", "drop.toml", "--set", "height=5"]).ended(0);
    let run = folder.carom(&["check", "drop.toml", "--set", "height=-5"]).ended(1);
    run.said(&["must be at least 0", "--set height=-5"]);
}

#[test]
fn a_scene_that_is_not_there_is_status_two() {
    carom(&["check", "tumblin"]).ended(2).said(&["did you mean tumbling?"]);
}

#[test]
fn mistakes_in_an_included_file_name_that_file() {
    let folder = Folder::with("scene.toml", "format = 1\ninclude = [\"sub/part.toml\"]\n");
    let folder = folder.and("sub/part.toml", "format = 1\n[[bdoy]]\nname = \"x\"\n");
    folder.carom(&["check", "scene.toml"]).ended(1).said(&["sub/part.toml:2:3", "`body`"]);
}

#[test]
fn bodies_that_overlap_at_the_start_are_told_with_depth_and_direction() {
    let floor = "[[body]]\nname = \"floor\"\nshape = { kind = \"half_space\", offset = 9.95 }\n\
                 motion = { kind = \"fixed\" }\n";
    let folder = Folder::with("drop.toml", &(good_drop() + floor));
    let run = folder.carom(&["check", "drop.toml"]).ended(1);
    let overlap = "body \"floor\" overlaps \"ball\" by 0.05 m";
    let run = run.said(&[overlap, "drop.toml:18:1", "the other one", "along (0, 0, -1)"]);
    assert_eq!(run.out, "");
    let answer = folder.carom(&["check", "drop.toml", "--json"]).ended(1).json();
    let problem = &answer["problems"][0];
    assert_eq!(problem["message"], overlap);
    assert_eq!([&problem["at"]["line"], &problem["related"][0][0]["line"]], [18, 7]);
    assert!(problem["hint"].as_str().unwrap().contains("exclude the pair"), "{problem}");
    let exclude = "[[exclude]]\nbodies = [\"ball\", \"floor\"]\n";
    let folder = Folder::with("drop.toml", &(good_drop() + floor + exclude));
    folder.carom(&["check", "drop.toml"]).ended(0);
}

#[test]
fn mistakes_about_touches_layers_and_exclusions_are_told_together() {
    let more = "layer = \"balls\"\nmeets = [\"flor\"]\n[[exclude]]\nbodies = [\"ball\", \"bal\"]\n[[expect]]";
    let text = good_drop()
        .replace("[[expect]]", more)
        .replace("until = 1", "until = 1\non_touch = \"halt\"");
    let folder = Folder::with("drop.toml", &text);
    let run = folder.carom(&["check", "drop.toml"]).ended(1);
    run.said(&[
        "a touch cannot \"halt\"",
        "no body belongs to the layer `flor`",
        "no body is called `bal`",
        "did you mean `ball`?",
        "3 errors",
    ]);
}
