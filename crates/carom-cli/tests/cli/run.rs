//! `carom run` from the outside: answers, settings and verdicts.

use crate::common::{Folder, carom, carom_fed, drop_to, good_drop, json};
use serde_json::Value;

/// Built-in scenes of each kind that take no time; the tests of `carom-study` run all of them.
const BUILT_IN: [&str; 8] = [
    "bouncing_ball",
    "cradle",
    "near_misses",
    "projectiles",
    "scripted",
    "table_legs",
    "tumbling",
    "turntable",
];

/// Twenty balls at random places.
const RANDOM: &str = r#"format = 1
[[body]]
name = "ball"
shape = { kind = "ball", radius = 0.1 }
density = 1000
repeat = { kind = "random", count = 20, min = [0, 0, 0], max = [5, 5, 5] }
"#;

#[track_caller]
fn has_exactly_the_keys(value: &Value, keys: &[&str]) {
    let mut found: Vec<&str> =
        value.as_object().expect("an object").keys().map(String::as_str).collect();
    let mut keys = keys.to_vec();
    found.sort_unstable();
    keys.sort_unstable();
    assert_eq!(found, keys);
}

fn hash(answer: &Value) -> String {
    answer["hash"].as_str().expect("a text").to_owned()
}

#[test]
fn built_in_scenes_keep_their_promises() {
    for scene in BUILT_IN {
        let run = carom(&["run", scene, "--audit"]).ended(0);
        assert!(run.out.contains("expectations met"), "{}", run.out);
        assert!(run.out.contains("\n  audit      least gap "), "{}", run.out);
        assert!(!run.out.contains("FAIL"), "{}", run.out);
        assert_eq!(run.talk, "", "{scene}");
    }
}

#[test]
fn the_json_of_a_run_has_exactly_the_promised_keys() {
    for scene in BUILT_IN {
        let answer = carom(&["run", scene, "--json", "--audit"]).ended(0).json();
        let keys = ["scene", "seed", "version", "simulated_s", "wall_s", "bodies", "events"];
        let more = ["least_gap_m", "energy", "hash", "expectations", "stopped_by_touch", "audit"];
        let touches = ["touches", "touching_pairs", "sensors", "regime", "envelope_m", "on_touch"];
        let contacts = ["contacts", "contact_pairs", "collisions", "micro"];
        has_exactly_the_keys(&answer, &[&keys[..], &more, &touches, &contacts].concat());
        let kinds = ["command", "law", "check", "transition", "tick", "box", "span"];
        has_exactly_the_keys(&answer["events"], &kinds);
        let lines = ["initial", "final", "work", "restitution_loss", "friction_loss", "boost"];
        let more = ["projection", "integration", "residual"];
        has_exactly_the_keys(&answer["energy"], &[&lines[..], &more].concat());
        assert!(answer["least_gap_m"].as_f64().unwrap() > 0.0);
        assert_eq!(answer["scene"], *scene);
        let hash = hash(&answer);
        assert_eq!(hash.len(), 32, "{hash}");
        assert!(hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')), "{hash}");
        let expectations = answer["expectations"].as_array().unwrap();
        assert!(!expectations.is_empty());
        for expectation in expectations {
            let keys = ["what", "expected", "got", "reached", "tolerance", "pass", "source"];
            has_exactly_the_keys(expectation, &keys);
            assert_eq!(expectation["pass"], true, "{expectation}");
        }
    }
}

#[test]
fn a_quiet_run_that_succeeds_says_nothing_at_all() {
    for scene in BUILT_IN {
        let run = carom(&["run", scene, "--quiet", "--audit"]).ended(0);
        assert_eq!((run.out.as_str(), run.talk.as_str()), ("", ""), "{scene}");
        let run = carom(&["run", scene, "--quiet", "--json", "--audit"]).ended(0);
        assert_eq!(run.talk, "", "{scene}");
    }
}

#[test]
fn a_broken_promise_is_status_one_with_both_numbers() {
    let folder = Folder::with("drop.toml", &drop_to("3"));
    let run = folder.carom(&["run", "drop.toml"]).ended(1);
    assert!(run.out.contains("FAIL the ball falls for a second"), "{}", run.out);
    assert!(run.out.contains("got 5.096675, expected 3.0 ± 1.0e-12 (free fall)"), "{}", run.out);
    assert!(run.out.contains("1 of 1 expectations NOT met"), "{}", run.out);
    let quiet = folder.carom(&["run", "drop.toml", "-q"]).ended(1);
    assert_eq!(quiet.out, "");
    let quiet = quiet.said(&["expectation not met", "got 5.096675, expected 3.0"]);
    assert_eq!(quiet.talk.lines().count(), 1, "{}", quiet.talk);
    let answer = folder.carom(&["run", "drop.toml", "--json"]).ended(1).json();
    assert_eq!(answer["expectations"][0]["pass"], false);
    assert_eq!(answer["expectations"][0]["expected"], 3.0);
}

#[test]
fn a_measure_that_names_no_body_is_told_before_the_run_and_underlined() {
    let text = good_drop().replace("body('ball')", "body('bal')");
    let folder = Folder::with("drop.toml", &text);
    for command in ["run", "check"] {
        let told = folder.carom(&[command, "drop.toml"]).ended(1);
        let told = told.said(&["did you mean \"ball\"?", "drop.toml:14:18", "^^^"]);
        assert_eq!(told.out, "");
    }
}

#[test]
fn an_expectation_that_cannot_be_measured_is_status_one_and_underlined() {
    let text = good_drop().replace("body('ball')", "body('ba' + 'l')");
    let folder = Folder::with("drop.toml", &text);
    let run = folder.carom(&["run", "drop.toml"]).ended(1);
    let run = run.said(&["did you mean \"ball\"?", "drop.toml:14:12", "^^^^"]);
    assert!(run.out.contains("could not be measured, expected 5.096675"), "{}", run.out);
    let answer = folder.carom(&["run", "drop.toml", "--json"]).ended(1).json();
    assert!(answer["expectations"][0]["got"].is_null());
}

#[test]
fn a_promise_that_fails_for_the_flag_until_says_so() {
    let hint = "the scene makes its promises for 60 s";
    carom(&["run", "tumbling", "--until", "3"]).ended(1).said(&[hint, "the run ended at 3 s"]);
    let folder = Folder::with("drop.toml", &drop_to("3"));
    let run = folder.carom(&["run", "drop.toml"]).ended(1);
    assert!(!run.talk.contains("--until"), "{}", run.talk);
}

#[test]
fn a_scene_that_is_not_there_is_status_two_with_a_suggestion() {
    carom(&["run", "tumblin"]).ended(2).said(&["there is no scene", "did you mean tumbling?"]);
    carom(&["run", "zzz"])
        .ended(2)
        .said(&["built-in scenes are ball_chain, ball_on_sphere, ", ", turntable, two_balls"]);
    let folder = Folder::with("toss.toml", &good_drop()).and("toss.mcap", "");
    folder.carom(&["run", "toss"]).ended(2).said(&["did you mean toss.toml?"]);
    folder.carom(&["run", "tos.mcap"]).ended(2).said(&["no recording", "did you mean toss.mcap?"]);
    folder.carom(&["run", "."]).ended(2).said(&["is a folder"]);
}

#[test]
fn parameters_are_set_by_name_and_slips_get_a_suggestion() {
    let folder = Folder::with("drop.toml", &good_drop());
    let answer =
        folder.carom(&["run", "drop.toml", "--set", "height=20", "--json"]).ended(0).json();
    assert_eq!(answer["expectations"][0]["got"], 20.0 - 9.80665 / 2.0);
    let answer = folder.carom(&["run", "drop.toml", "--set", "height = 2*3", "--json"]).ended(0);
    assert_eq!(answer.json()["expectations"][0]["got"], 6.0 - 9.80665 / 2.0);
    let run = folder.carom(&["run", "drop.toml", "--set", "heigth=20"]).ended(1);
    run.said(&["no parameter `heigth`", "did you mean `height`?"]);
    let run = folder.carom(&["run", "drop.toml", "--set", "height=-1"]).ended(1);
    run.said(&["must be at least 0", "drop.toml:4:"]);
    folder.carom(&["run", "drop.toml", "--set", "height"]).ended(2).said(&["NAME=VALUE"]);
}

#[test]
fn until_ends_a_run_where_it_says() {
    for (until, simulated) in [("0", 0.0), ("0.1", 0.1), ("7.25", 7.25)] {
        let answer = carom(&["run", "scripted", "--until", until, "--json"]).json();
        assert_eq!(answer["simulated_s"], simulated);
    }
    for until in ["-1", "nan", "inf", "soon"] {
        carom(&["run", "scripted", "--until", until]).ended(2).said(&["--until", "at least 0"]);
    }
}

#[test]
fn random_places_depend_on_the_seed_and_on_nothing_else() {
    let folder = Folder::with("random.toml", RANDOM);
    let of = |arguments: &[&str]| {
        let arguments = [&["run", "random.toml", "--json"], arguments].concat();
        let answer = folder.carom(&arguments).ended(0).json();
        (answer["seed"].as_u64().unwrap(), hash(&answer))
    };
    let (seed, zero) = of(&[]);
    assert_eq!(seed, 0);
    assert_eq!(of(&["--seed", "0"]), (0, zero.clone()));
    let (seed, seven) = of(&["--seed", "7"]);
    assert_eq!(seed, 7);
    assert_ne!(zero, seven);
    assert_eq!(of(&["--seed", "7"]).1, seven);
    let largest = u64::MAX.to_string();
    assert_eq!(of(&["--seed", &largest]).0, u64::MAX);
    for seed in ["-1", "1.5", "x"] {
        folder
            .carom(&["run", "random.toml", "--seed", seed])
            .ended(2)
            .said(&["--seed", "must be a whole number from 0"]);
    }
}

#[test]
fn a_scene_comes_from_standard_input_as_well() {
    let folder = Folder::with("drop.toml", &good_drop());
    let fed = carom_fed(folder.here(), &["run", "-", "--json"], &good_drop()).ended(0).json();
    assert_eq!(fed["scene"], "-");
    let read = folder.carom(&["run", "drop.toml", "--json"]).json();
    assert_eq!(hash(&fed), hash(&read));
    let broken = carom_fed(folder.here(), &["run", "-"], "format = 2\n").ended(1);
    broken.said(&["standard input:1:10"]);
}

#[test]
fn standard_input_beyond_a_limit_is_refused_by_its_name_whatever_the_limit() {
    let folder = Folder::new();
    // Cut within a letter of two bytes.
    let long = "format = 1\n#ääääää\n";
    let run = carom_fed(folder.here(), &["check", "-", "--limit", "text-bytes=13"], long).ended(1);
    run.said(&["text-bytes"]);
    let all = format!("text-bytes={}", u64::MAX);
    carom_fed(folder.here(), &["check", "-", "--limit", &all], &good_drop()).ended(0);
}

#[test]
fn threads_and_outputs_change_no_bit() {
    let folder = Folder::with("random.toml", RANDOM);
    for scene in ["scripted", "random.toml"] {
        let alone = hash(&folder.carom(&["run", scene, "--json"]).ended(0).json());
        let ways: [&[&str]; 6] = [
            &["--threads", "1"],
            &["--threads", "2"],
            &["--out", "x.mcap"],
            &["--out", "x.csv"],
            &["--out", "x.parquet"],
            &["--threads", "2", "--out", "y.mcap"],
        ];
        for way in ways {
            let arguments = [&["run", scene, "--json"], way].concat();
            assert_eq!(hash(&folder.carom(&arguments).ended(0).json()), alone, "{scene} {way:?}");
        }
    }
    carom(&["run", "scripted", "--threads", "0"]).ended(2).said(&["--threads"]);
}

#[test]
fn a_limit_is_named_where_it_is_passed() {
    let folder = Folder::with("random.toml", RANDOM);
    let run = folder.carom(&["run", "random.toml", "--limit", "bodies=5"]).ended(1);
    run.said(&["limit of 5", "random.toml:6:", "--limit bodies=N"]);
    folder.carom(&["run", "random.toml", "--limit", "bodies=20"]).ended(0);
    let run = folder.carom(&["run", "random.toml", "--limit", "bodis=5"]).ended(2);
    run.said(&["did you mean bodies?"]);
}

#[test]
fn files_outside_the_folder_of_the_scene_are_refused_unless_allowed() {
    let scene = "format = 1\ninclude = [\"../elsewhere/drop.toml\"]\n[world]\nuntil = 1\n";
    let folder = Folder::with("here/scene.toml", scene).and("elsewhere/drop.toml", &good_drop());
    let run = folder.carom(&["run", "here/scene.toml"]).ended(1);
    run.said(&["outside the folder of the scene", "here/scene.toml:2:12", "--allow-path"]);
    folder.carom(&["run", "here/scene.toml", "--allow-path", "elsewhere"]).ended(0);
    folder.carom(&["check", "here/scene.toml", "--allow-path", "elsewhere"]).ended(0);
}

#[test]
fn warnings_are_told_unless_quiet_and_break_nothing() {
    let text = good_drop().replace("[world]", "unused = 3\n[world]");
    let folder = Folder::with("drop.toml", &text);
    folder.carom(&["run", "drop.toml"]).ended(0).said(&["`unused` is never used"]);
    assert_eq!(folder.carom(&["run", "drop.toml", "--quiet"]).ended(0).talk, "");
    assert!(json(&["run", "tumbling", "--json"])["wall_s"].as_f64().unwrap() >= 0.0);
}

#[test]
fn one_is_not_spoken_of_in_the_plural() {
    let folder = Folder::with("drop.toml", &good_drop());
    let run = folder.carom(&["run", "drop.toml"]).ended(0);
    assert!(run.out.contains("1 body\n"), "{}", run.out);
    assert!(run.out.contains("\n1 expectation met\n"), "{}", run.out);
}

#[test]
fn a_sample_rate_costs_nothing_where_nothing_is_written() {
    // A billion samples a second would take half a minute.
    let text = good_drop().replace("[world]", "[record]\nrate_hz = 1e12\n[world]");
    let folder = Folder::with("drop.toml", &text);
    folder.carom(&["run", "drop.toml"]).ended(0);
    folder.carom(&["run", "drop.toml", "--until", "5e-324", "-q"]).ended(1);
}
