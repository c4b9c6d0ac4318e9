//! `carom run` where bodies touch: ends of runs, lists of touches, sensors, and what is recorded of them.

use carom_record::{Ending, Options, Reader, Recorder};
use serde_json::Value;

use crate::common::{Folder, Run, carom};

/// A ball whose lowest point is a metre above the floor, with more in [world] and at the end.
fn landing(world: &str, more: &str) -> String {
    format!(
        r#"format = 1
title = "Landing"
[world]
until = 1
{world}
[[body]]
name = "ball"
shape = {{ kind = "ball", radius = 0.1 }}
density = 1000
position = [0.5, 0, 1.1]
[[body]]
name = "floor"
shape = {{ kind = "half_space" }}
motion = {{ kind = "fixed" }}
{more}"#
    )
}

/// Free fall over a metre `[s]`.
const FALL: f64 = 0.451_600_755_751_787_5;

const PASS: &str = "on_touch = \"pass\"";
const STOP: &str = "on_touch = \"stop\"";

fn expecting(measure: &str, equals: &str) -> String {
    format!(
        "[[expect]]\nwhat = \"{measure}\"\nmeasure = \"{measure}\"\nequals = \"{equals}\"\ntolerance = 1e-9\n"
    )
}

#[track_caller]
fn near(value: &Value, expected: f64) {
    let got = value.as_f64().unwrap_or_else(|| panic!("no number: {value}"));
    assert!((got - expected).abs() < 1e-9, "{got} instead of {expected}");
}

#[track_caller]
fn shows(run: &Run, parts: &[&str]) {
    for part in parts {
        assert!(run.out.contains(part), "\"{part}\" is missing in:\n{}", run.out);
    }
}

#[test]
fn a_run_ends_at_the_first_touch_and_tells_all_about_it() {
    let folder = Folder::with("landing.toml", &landing(STOP, ""));
    let run = folder.carom(&["run", "landing.toml"]).ended(0);
    shows(
        &run,
        &[
            "Landing: 0.451601 s",
            "\n  stopped    at the first touch: \"ball\" and \"floor\" at 0.45160075",
            "\n    point     (0.5, 0, ",
            "\n    normal    (0, 0, 1), from \"floor\" to \"ball\"\n",
            "\n    features  the surface of \"ball\" against the plane of \"floor\"\n",
            "\n    distance  ",
            " m, closing at 4.428691 m/s\n",
        ],
    );
    assert_eq!(run.talk, "");
    let quiet = folder.carom(&["run", "landing.toml", "--quiet"]).ended(0);
    assert_eq!((quiet.out.as_str(), quiet.talk.as_str()), ("", ""));
}

#[test]
fn the_json_of_a_touch_has_every_number_in_its_unit() {
    let folder = Folder::with("landing.toml", &landing(STOP, ""));
    let answer = folder.carom(&["run", "landing.toml", "--json"]).ended(0).json();
    assert_eq!(answer["stopped_by_touch"], true);
    assert_eq!(answer["touching_pairs"], 1);
    let touch = &answer["touches"][0];
    let mut keys: Vec<&str> = touch.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    let mut expected = [
        "time_s",
        "a",
        "b",
        "point_m",
        "contact_points_m",
        "normal",
        "distance_m",
        "speed_m_s",
        "features",
        "feature_names",
        "pieces",
    ];
    expected.sort_unstable();
    assert_eq!(keys, expected);
    assert_eq!([&touch["a"], &touch["b"]], ["ball", "floor"]);
    assert_eq!(touch["time_s"], answer["simulated_s"]);
    near(&touch["time_s"], FALL);
    near(&touch["speed_m_s"], -9.80665 * FALL);
    for (at, expected) in [0.5, 0.0, 0.0].into_iter().enumerate() {
        near(&touch["point_m"][at], expected);
    }
    assert_eq!(touch["normal"], serde_json::json!([0.0, 0.0, 1.0]));
    let distance = touch["distance_m"].as_f64().unwrap();
    assert!(distance > 0.0 && distance < 1e-9, "{distance}");
    assert_eq!(touch["feature_names"], serde_json::json!(["the surface", "the plane"]));
    assert_eq!(touch["features"], serde_json::json!(["face 0", "face 0"]));
    assert_eq!(touch["pieces"], serde_json::json!([0, 0]));
}

#[test]
fn bodies_pass_through_each_other_where_the_scene_says_so() {
    let folder = Folder::with("landing.toml", &landing(PASS, ""));
    let run = folder.carom(&["run", "landing.toml"]).ended(0);
    let line = "\n  touches    1 pair; the first touch of each:\n";
    shows(&run, &["Landing: 1 s", line, "\"ball\", \"floor\"", "the surface, the plane"]);
    let answer = folder.carom(&["run", "landing.toml", "--json"]).ended(0).json();
    assert_eq!((&answer["stopped_by_touch"], &answer["simulated_s"]), (&false.into(), &1.0.into()));
    near(&answer["touches"][0]["time_s"], FALL);
}

#[test]
fn the_flag_has_the_last_word() {
    let cases =
        [("", "pass", false), (PASS, "stop", true), ("", "stop", true), (STOP, "collide", false)];
    for (world, flag, stopped) in cases {
        let folder = Folder::with("landing.toml", &landing(world, ""));
        let arguments = ["run", "landing.toml", "--on-touch", flag, "--json"];
        let answer = folder.carom(&arguments).ended(0).json();
        assert_eq!(answer["stopped_by_touch"], stopped, "{world} {flag}");
    }
    let slip = carom(&["run", "tumbling", "--on-touch", "pas"]).ended(2);
    slip.said(&["--on-touch", "possible values: collide, stop, pass"]);
}

#[test]
fn expectations_are_measured_for_the_time_that_was_run() {
    let more = [
        expecting("end", "0.4516007557517875"),
        expecting("body('ball').at(0.25).z", "1.1 - 9.80665*0.25**2/2"),
        expecting("body('ball').z", "0.1"),
        expecting("count('touch')", "1"),
        expecting("gap('ball', 'floor', 0.25)", "1 - 9.80665*0.25**2/2"),
    ];
    let folder = Folder::with("landing.toml", &landing(STOP, &more.concat()));
    let run = folder.carom(&["run", "landing.toml"]).ended(0);
    shows(&run, &["5 expectations met"]);
    assert_eq!(run.talk, "");
}

#[test]
fn what_lies_beyond_the_touch_is_not_reached_and_not_met() {
    let later = [
        expecting("body('ball').at(0.75).z", "1.1 - 9.80665*0.75**2/2"),
        expecting("event_time('touch', 'ball', 1)", "2"),
        expecting("maximum(|t| body('ball').at(t).z, 0, 1)", "1.1"),
        expecting("ledger(0.8).residual", "0"),
    ];
    let folder = Folder::with("landing.toml", &landing(STOP, &later.concat()));
    let run = folder.carom(&["run", "landing.toml"]).ended(1);
    shows(&run, &["FAIL", "not reached, expected ", "4 of 4 expectations NOT met"]);
    let run = run.said(&["hint: the run ended at the first touch", "on_touch = \"collide\""]);
    assert!(!run.talk.contains("error"), "{}", run.talk);
    let answer = folder.carom(&["run", "landing.toml", "--json"]).ended(1).json();
    for expectation in answer["expectations"].as_array().unwrap() {
        assert_eq!(expectation["reached"], false);
        assert!(expectation["got"].is_null() && expectation["pass"] == false);
    }
    // A mistake is a mistake, wherever the run ended.
    let wrong = landing(STOP, &expecting("body('ball').foo", "0"));
    let folder = Folder::with("landing.toml", &wrong);
    let run = folder.carom(&["run", "landing.toml", "--json"]).ended(1).said(&["a body has x"]);
    assert_eq!(run.json()["expectations"][0]["reached"], true);
}

#[test]
fn passing_reaches_what_stopping_does_not() {
    let later = expecting("body('ball').at(0.75).z", "1.1 - 9.80665*0.75**2/2");
    let folder = Folder::with("landing.toml", &landing(STOP, &later));
    folder.carom(&["run", "landing.toml"]).ended(1);
    let run = folder.carom(&["run", "landing.toml", "--on-touch", "pass"]).ended(0);
    assert!(!run.talk.contains("hint"), "{}", run.talk);
}

/// A row of balls, each a little higher than the last.
fn rain(count: u32, rise: &str) -> String {
    landing(PASS, "").replace(
        "[[body]]\nname = \"ball\"",
        &format!(
            "[[body]]\nname = \"drop\"\nshape = {{ kind = \"ball\", radius = 0.1 }}\nmass = 1\n\
             position = [\"2*i - (count - 1)\", 5, \"1.1 + {rise}*i\"]\n\
             repeat = {{ kind = \"row\", count = {count}, step = [0, 0, 0] }}\n\
             [[body]]\nname = \"ball\""
        ),
    )
}

#[test]
fn a_long_list_is_cut_and_counted_and_whole_in_json() {
    let folder = Folder::with("rain.toml", &rain(25, "0.1"));
    let run = folder.carom(&["run", "rain.toml"]).ended(0);
    shows(&run, &["touches    26 pairs; the first", "\n    and 6 more; see the recording\n"]);
    assert_eq!(run.out.matches("\"floor\"").count(), 20, "{}", run.out);
    let answer = folder.carom(&["run", "rain.toml", "--json"]).ended(0).json();
    assert_eq!(answer["touching_pairs"], 26);
    let touches = answer["touches"].as_array().unwrap();
    let times: Vec<f64> = touches.iter().map(|it| it["time_s"].as_f64().unwrap()).collect();
    assert_eq!(times.len(), 26);
    assert!(times.is_sorted(), "{times:?}");
}

#[test]
fn touches_at_the_same_time_are_all_told() {
    let higher = rain(2, "0").replace("position = [0.5, 0, 1.1]", "position = [0.5, 0, 1.5]");
    let folder = Folder::with("rain.toml", &higher);
    let run = folder.carom(&["run", "rain.toml", "--on-touch", "stop"]).ended(0);
    shows(&run, &["\"drop_0\" and \"floor\"", "and one more pair at the same time:", "\"drop_1\""]);
}

#[test]
fn bodies_that_begin_in_touch_and_close_touch_at_once() {
    let text = landing(STOP, "").replace("position = [0.5, 0, 1.1]", "position = [0.5, 0, 0.1]");
    let falling = text.replace("density = 1000", "density = 1000\nvelocity = [0, 0, -1]");
    let folder = Folder::with("landing.toml", &falling);
    let answer = folder.carom(&["run", "landing.toml", "--json"]).ended(0).json();
    assert_eq!((&answer["simulated_s"], &answer["stopped_by_touch"]), (&0.0.into(), &true.into()));
    let rising = text.replace("density = 1000", "density = 1000\nvelocity = [0, 0, 9]");
    let folder = Folder::with("landing.toml", &rising);
    let answer = folder.carom(&["run", "landing.toml", "--json"]).ended(0).json();
    assert_eq!(answer["stopped_by_touch"], false);
}

#[test]
fn sensors_count_who_passes_and_stop_nobody() {
    let gate = "[[body]]\nname = \"gate\"\nshape = { kind = \"ball\", radius = 0.2 }\nsensor = true\n\
                motion = { kind = \"fixed\" }\nposition = [0.5, 0, 0.5]\n\
                [[body]]\nname = \"idle\"\nshape = { kind = \"ball\", radius = 0.2 }\nsensor = true\n\
                motion = { kind = \"fixed\" }\nposition = [9, 0, 0.5]\n";
    let measured = [
        // The gap closes after 1.1 − 0.5 − 0.3 m.
        expecting("event_time('entered', 'gate', 'ball')", "sqrt(2*0.3/9.80665)"),
        expecting("count('entered', 'gate')", "1"),
        expecting("count('entered', 'idle')", "0"),
    ];
    let folder =
        Folder::with("landing.toml", &landing(PASS, &format!("{gate}{}", measured.concat())));
    let run = folder.carom(&["run", "landing.toml"]).ended(0);
    let lines =
        "  sensors    \"gate\": 1 entered, 1 left\n             \"idle\": 0 entered, 0 left\n";
    shows(&run, &[lines, "3 expectations met"]);
    let answer = folder.carom(&["run", "landing.toml", "--json"]).ended(0).json();
    let expected = serde_json::json!([
        { "name": "gate", "entered": 1, "left": 1 },
        { "name": "idle", "entered": 0, "left": 0 },
    ]);
    assert_eq!(answer["sensors"], expected);
}

#[test]
fn a_body_that_begins_inside_a_sensor_has_entered_it() {
    let zone = "[[body]]\nname = \"zone\"\nshape = { kind = \"half_space\", normal = [0, 0, -1], offset = -0.75 }\n\
                motion = { kind = \"fixed\" }\nsensor = true\n";
    let measured = [
        expecting("event_time('entered', 'zone', 'ball')", "0"),
        // Its highest point falls from 1.2 m to the zone's lower end.
        expecting("event_time('left', 'zone', 'ball')", "sqrt(2*0.45/9.80665)"),
    ];
    let text = landing(PASS, &format!("{zone}{}", measured.concat()));
    let run = Folder::with("landing.toml", &text).carom(&["run", "landing.toml"]).ended(0);
    shows(&run, &["\"zone\": 1 entered, 1 left", "2 expectations met"]);
}

#[test]
fn layers_and_exclusions_let_bodies_fall_through() {
    let exclude = "[[exclude]]\nbodies = [\"ball\", \"floor\"]\n";
    let layered = landing("", "").replace("density = 1000", "density = 1000\nmeets = []");
    for text in [landing("", exclude), layered] {
        let folder = Folder::with("landing.toml", &text);
        let answer = folder.carom(&["run", "landing.toml", "--json"]).ended(0).json();
        assert_eq!((&answer["simulated_s"], &answer["touching_pairs"]), (&1.0.into(), &0.into()));
    }
}

#[test]
fn a_recording_is_marked_with_the_touch_and_ends_there_whole() {
    let folder = Folder::with("landing.toml", &landing(STOP, ""));
    let arguments = ["run", "landing.toml", "--out", "x.mcap", "--json"];
    let answer = folder.carom(&arguments).ended(0).json();
    let mut reader = Reader::open(folder.path("x.mcap")).unwrap();
    let Ending::Finished { end, summary } = reader.ending().clone() else { panic!("unfinished") };
    assert_eq!(end, answer["simulated_s"].as_f64());
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["touches"], answer["touches"]);
    let touch = reader.events().map(Result::unwrap).find(|event| event.kind == "touch").unwrap();
    assert_eq!(touch.pair(), Some(["ball", "floor"]));
    assert_eq!(Some(touch.time), end);
    assert_eq!(touch.details["point_m"], answer["touches"][0]["point_m"]);
    let again = folder.carom(&["run", "x.mcap", "--json"]).ended(0);
    let again = again.said(&["the same hash as the recording"]).json();
    for key in ["hash", "touches", "stopped_by_touch", "simulated_s"] {
        assert_eq!(again[key], answer[key], "{key}");
    }
    folder.carom(&["run", "landing.toml", "--out", "x.csv", "-q"]).ended(0);
    let events = folder.text("x.events.csv");
    let line = events.lines().last().unwrap();
    assert!(
        line.contains(",touch,check,ball,") && line.ends_with("the surface,the plane"),
        "{line}"
    );
}

#[test]
fn a_recording_remembers_what_was_said_about_touches() {
    let folder = Folder::with("landing.toml", &landing(STOP, ""));
    let arguments = ["run", "landing.toml", "--on-touch", "pass", "--out", "x.mcap", "--json"];
    let first = folder.carom(&arguments).ended(0).json();
    assert_eq!(first["simulated_s"], 1.0);
    let again = folder.carom(&["run", "x.mcap", "--out", "y.mcap", "--json"]).ended(0);
    assert_eq!(again.said(&["the same hash"]).json()["simulated_s"], 1.0);
    folder.carom(&["run", "y.mcap"]).ended(0).said(&["the same hash"]);
    let run = folder.carom(&["run", "x.mcap", "--on-touch", "stop"]).ended(2);
    run.said(&["--on-touch, --regime, --envelope and --law do not go with it"]);
}

#[test]
fn a_recording_of_a_later_version_is_not_run_as_if_it_were_of_this_one() {
    let folder = Folder::with("landing.toml", &landing("", ""));
    folder.carom(&["run", "landing.toml", "--on-touch", "pass", "--out", "x.mcap", "-q"]).ended(0);
    let reader = Reader::open(folder.path("x.mcap")).unwrap();
    let mut header = reader.header().clone();
    assert_eq!(header.on_touch.as_deref(), Some("pass"));
    header.on_touch = Some("bounce".to_owned());
    let recorder = Recorder::create(folder.path("y.mcap"), &header, &Options::at(60.0)).unwrap();
    recorder.close(1.0, "{}").unwrap();
    let run = folder.carom(&["run", "y.mcap"]).ended(2);
    run.said(&["--on-touch bounce, which this version does not know"]);
}

#[test]
fn a_body_that_comes_into_another_ends_the_run_with_both_names() {
    let late = "[[body]]\nname = \"late\"\nshape = { kind = \"ball\", radius = 0.1 }\nmass = 1\nfrom = 0.25\n\
                position = [9, 0, 0.05]\n";
    let folder = Folder::with("landing.toml", &landing("", late));
    let run = folder.carom(&["run", "landing.toml"]).ended(2);
    run.said(&["at 0.25 s", "body \"late\" overlaps \"floor\" by 0.05 m", "hint: move \"late\""]);
}
