//! `carom distance` from the outside.

use serde_json::{Value, json};

use crate::common::{Folder, carom, carom_fed};

/// A ball that falls on a floor, one that comes at 0.5 s and goes at 0.75 s, and one that is removed.
const SCENE: &str = r#"format = 1
[parameters]
height = 1.1
[world]
until = 1
[[body]]
name = "ball"
shape = { kind = "ball", radius = 0.1 }
density = 1000
position = [0.5, 0, "height"]
[[body]]
name = "floor"
shape = { kind = "half_space" }
motion = { kind = "fixed" }
[[body]]
name = "guest"
shape = { kind = "ball", radius = 0.1 }
density = 1000
position = [3.5, 0, 4.1]
from = 0.5
until = 0.75
[[body]]
name = "doomed"
shape = { kind = "ball", radius = 0.1 }
density = 1000
position = [3.5, 4, 1.1]
[[change]]
at = 0.25
remove = "doomed"
"#;

fn scene() -> Folder {
    Folder::with("scene.toml", SCENE)
}

fn answer(arguments: &[&str]) -> Value {
    let arguments = [&["distance", "scene.toml"], arguments, &["--json"]].concat();
    scene().carom(&arguments).ended(0).json()
}

#[track_caller]
fn near(value: &Value, expected: f64) {
    let got = value.as_f64().unwrap_or_else(|| panic!("no number: {value}"));
    assert!((got - expected).abs() < 1e-14, "{got} instead of {expected}");
}

#[test]
fn the_distance_is_told_with_points_normal_and_features() {
    let run = scene().carom(&["distance", "scene.toml", "ball", "floor"]).ended(0);
    let expected = "\"ball\" and \"floor\" at 0 s
  distance   1 m
  points     (0.5, 0, 1) m on \"ball\"
             (0.5, 0, 0) m on \"floor\"
  normal     (0, 0, 1), from \"floor\" to \"ball\"
  features   the surface of \"ball\" against the plane of \"floor\"
";
    assert_eq!(run.out, expected);
    assert_eq!(run.talk, "");
}

#[test]
fn the_json_of_a_distance_has_exactly_the_promised_keys() {
    let answer = answer(&["floor", "ball"]);
    let mut keys: Vec<&str> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    let mut expected = [
        "scene",
        "time_s",
        "a",
        "b",
        "distance_m",
        "points_m",
        "normal",
        "features",
        "feature_names",
        "pieces",
        "explanation",
    ];
    expected.sort_unstable();
    assert_eq!(keys, expected);
    assert_eq!([&answer["a"], &answer["b"]], ["floor", "ball"]);
    near(&answer["distance_m"], 1.0);
    near(&answer["points_m"][1][2], 1.0);
    assert_eq!(answer["normal"], json!([0.0, 0.0, -1.0]));
    assert_eq!(answer["features"], json!(["face 0", "face 0"]));
    assert_eq!(answer["feature_names"], json!(["the plane", "the surface"]));
    assert!(answer["explanation"].is_null());
}

#[test]
fn the_distance_at_a_time_is_that_of_the_motion_also_beyond_a_touch() {
    let at = |time: &str| {
        answer(&["ball", "floor", "--on-touch", "pass", "--at", time])["distance_m"].clone()
    };
    near(&at("0.25"), 1.0 - 9.80665 / 32.0);
    // After the touch at 0.45 s it is below the floor.
    near(&at("0.75"), 1.0 - 9.80665 * 0.75 * 0.75 / 2.0);
    near(&at("2"), 1.0 - 9.80665 * 2.0);
    let pass = ["distance", "scene.toml", "ball", "floor", "--at", "0.75", "--on-touch", "pass"];
    let run = scene().carom(&pass).ended(0);
    assert!(run.out.contains("\n  overlap    1.758120"), "{}", run.out);
    let both = answer(&["ball", "guest", "--at", "0.5", "--on-touch", "pass"]);
    // Their centres are 3 m and 4.1 − 1.1 + g/8 m apart.
    let fallen: f64 = 3.0 + 9.80665 / 8.0;
    near(&both["distance_m"], (9.0 + fallen * fallen).sqrt() - 0.2);
}

#[test]
fn parameters_and_standard_input_serve_here_too() {
    let set = answer(&["ball", "floor", "--set", "height=3.1"]);
    near(&set["distance_m"], 3.0);
    let folder = Folder::new();
    let fed =
        carom_fed(folder.here(), &["distance", "-", "ball", "floor", "--json"], SCENE).ended(0);
    assert_eq!(fed.json()["scene"], "-");
    carom(&["distance", "tumbling", "plate", "cube"]).ended(0);
}

#[test]
fn an_explanation_says_when_the_pair_is_looked_at() {
    let far = scene().carom(&["distance", "scene.toml", "ball", "floor", "--explain"]).ended(0);
    let last = far.out.lines().last().unwrap();
    assert!(last.starts_with("\"ball\" and \"floor\""), "{last}");
    let told = answer(&["ball", "floor", "--explain"]);
    assert_eq!(told["explanation"], last);
    let near = answer(&["ball", "floor", "--explain", "--at", "0.45"]);
    let text = near["explanation"].as_str().unwrap();
    assert!(text.starts_with("\"ball\" and \"floor\" touch at 0.45160075"), "{text}");
    let ghost =
        SCENE.replace("density = 1000\nposition = [0.5", "mass = 1\nghost = true\nposition = [0.5");
    let folder = Folder::with("scene.toml", &ghost);
    let run = folder.carom(&["distance", "scene.toml", "ball", "floor", "--explain"]).ended(0);
    assert!(
        run.out.ends_with("\"floor\" take no notice of each other: one is a ghost\n"),
        "{}",
        run.out
    );
}

#[test]
fn bodies_that_are_not_there_are_told_with_what_may_be_meant() {
    let told = |a: &str, b: &str, at: &str| {
        scene().carom(&["distance", "scene.toml", a, b, "--at", at]).ended(2)
    };
    told("bal", "floor", "0").said(&["there is no body \"bal\"", "did you mean \"ball\"?"]);
    told("ball", "zzz", "0")
        .said(&["there is no body \"zzz\"", "the first body of the scene is \"ball\""]);
    told("ball", "ball", "0").said(&["\"ball\" has no distance from itself"]);
    told("ball", "guest", "0.25").said(&["\"guest\" is not there at 0.25 s", "appears at 0.5 s"]);
    told("ball", "guest", "0.75").said(&["\"guest\" is not there at 0.75 s", "vanishes at 0.75 s"]);
    told("doomed", "ball", "0.5").said(&["\"doomed\" is not there at 0.5 s", "[[change]]"]);
}

#[test]
fn what_is_wrong_with_the_scene_is_told_as_elsewhere() {
    let folder = Folder::with("bad.toml", "format = 1\nbodies = 3\n").and("scene.toml", SCENE);
    folder.carom(&["distance", "bad.toml", "a", "b"]).ended(1).said(&["bad.toml:2:1"]);
    folder.carom(&["distance", "gone.toml", "a", "b"]).ended(2).said(&["there is no scene"]);
    let run =
        folder.carom(&["distance", "scene.toml", "ball", "floor", "--set", "height=0"]).ended(1);
    run.said(&["body \"floor\" overlaps \"ball\" by 0.1 m", "scene.toml:11:1"]);
    folder.carom(&["run", "scene.toml", "--out", "x.mcap", "-q"]).ended(0);
    folder.carom(&["distance", "x.mcap", "ball", "floor"]).ended(2).said(&["is a recording"]);
    let struck = format!("{SCENE}[[impulse]]\nat = 0.5\nbody = \"doomed\"\nimpulse = [1, 0, 0]\n");
    let folder = Folder::with("scene.toml", &struck);
    let run = folder.carom(&["distance", "scene.toml", "ball", "floor", "--at", "0.75"]).ended(2);
    run.said(&["the run ended early, at 0.5 s", "body \"doomed\""]);
}

#[test]
fn times_that_are_none_are_refused_by_the_flag() {
    for time in ["-1", "nan", "inf", "soon"] {
        let run =
            scene().carom(&["distance", "scene.toml", "ball", "floor", "--at", time]).ended(2);
        run.said(&["--at", "at least 0"]);
    }
    scene().carom(&["distance", "scene.toml", "ball"]).ended(2).said(&["<B>"]);
}
