//! `carom compare` from the outside: regimes side by side, refusals, pictures.

use crate::common::{Folder, carom, json};

/// A ball that drops on a floor and comes to rest; what must come out is different by regime.
fn dropped(friction: &str, height: &str) -> String {
    format!(
        r#"format = 1
title = "Dropped"
[parameters]
height = 0.1
[world]
until = 1
[[material]]
name = "smooth"
density = 1000
friction = {friction}
restitution = 0.5
[[body]]
name = "floor"
shape = {{ kind = "half_space" }}
material = "smooth"
motion = {{ kind = "fixed" }}
[[body]]
name = "ball"
shape = {{ kind = "ball", radius = 0.05 }}
material = "smooth"
position = [0, 0, "height + 0.05"]
[[expect]]
what = "it reaches the floor"
measure = "event_time('collision', 'ball', 'floor')"
equals = "sqrt(2*{height}/9.80665)"
tolerance = 1e-6
source = "free fall"
[[expect]]
what = "it hops"
measure = "contact('ball', 'floor').micro"
at_least = 10
regime = ["impulse"]
source = "trains"
[[expect]]
what = "it does not hop"
measure = "contact('ball', 'floor').micro"
at_most = 0
regime = ["constraint"]
source = "forces"
"#
    )
}

#[test]
fn regimes_stand_side_by_side_and_each_is_asked_what_is_meant_for_it() {
    let folder = Folder::with("ball.toml", &dropped("0", "height"));
    let run = folder.carom(&["compare", "ball.toml"]).ended(0);
    let line = |start: &str| {
        let found = run.out.lines().find(|line| line.trim_start().starts_with(start));
        found.unwrap_or_else(|| panic!("{start} is missing in:\n{}", run.out)).to_owned()
    };
    assert!(run.out.starts_with("Dropped under 2 regimes\n"), "{}", run.out);
    assert_eq!(line("impulse  ").split_whitespace().collect::<Vec<_>>(), ["impulse", "constraint"]);
    assert_eq!(line("ended").matches("complete").count(), 2);
    assert_eq!(line("it reaches the floor").matches("ok  ").count(), 2);
    assert!(line("it hops").contains("ok  ") && line("it hops").ends_with("not asked"));
    assert_eq!(line("it does not hop").matches("not asked").count(), 1);
    for start in ["energy at first", "boost", "projection", "residual", "least gap", "wall time"] {
        line(start);
    }
    assert!(run.out.contains("impulse: 2 expectations met, 1 not asked\n"), "{}", run.out);
    assert!(run.out.contains("constraint: 2 expectations met, 1 not asked\n"), "{}", run.out);
}

#[test]
fn json_says_the_same_to_machines() {
    let folder = Folder::with("ball.toml", &dropped("0", "height"));
    let run = folder.carom(&["compare", "ball.toml", "--json", "--until", "0.9"]).ended(0).json();
    let [impulse, constraint] = [&run["regimes"][0], &run["regimes"][1]];
    assert_eq!([&impulse["regime"], &constraint["regime"]], ["impulse", "constraint"]);
    assert_eq!((&run["until_s"], &run["title"]), (&0.9.into(), &"Dropped".into()));
    for one in [impulse, constraint] {
        assert_eq!((&one["ending"], &one["simulated_s"]), (&"complete".into(), &0.9.into()));
        assert!(one["reason"].is_null() && one["wall_s"].as_f64() > Some(0.0), "{one}");
        let residual = one["energy"]["residual"].as_f64().unwrap();
        assert!(residual.abs() < 1e-12, "{one}");
        let gap = one["least_gap_m"].as_f64().unwrap();
        assert!((0.0..1e-6).contains(&gap), "{one}");
    }
    assert!(impulse["micro"].as_u64() > Some(10), "{impulse}");
    assert_eq!(constraint["micro"], 0);
    let alone = folder.carom(&["run", "ball.toml", "--until", "0.9", "--json"]).json();
    assert_eq!(alone["hash"], impulse["hash"], "it is the run that `carom run` makes");
    let under = &run["expectations"][1]["under"];
    assert_eq!(
        (&under["impulse"]["pass"], &under["constraint"]["asked"]),
        (&true.into(), &false.into())
    );
    assert!(under["constraint"]["got"].is_null() && under["constraint"]["pass"].is_null());
}

#[test]
fn a_regime_that_refuses_the_scene_says_why_and_the_others_run() {
    let folder = Folder::with("ball.toml", &dropped("0.3", "height"));
    let run = folder.carom(&["compare", "ball.toml"]).ended(0);
    for text in [
        "refused",
        "friction of 0.3",
        "constraint: does not run the scene",
        "impulse: 2 expectations met",
    ] {
        assert!(run.out.contains(text), "{text} is missing in:\n{}", run.out);
    }
    let run = folder.carom(&["compare", "ball.toml", "--json"]).ended(0).json();
    assert_eq!(run["regimes"][1]["ending"], "refused");
    let reason = run["regimes"][1]["reason"].as_str().unwrap();
    assert!(reason.contains("know no friction yet"), "{reason}");
    assert!(run["expectations"][0]["under"]["constraint"]["pass"].is_null(), "{run}");
    let run = folder.carom(&["compare", "ball.toml", "--regime", "constraint"]).ended(2);
    run.said(&["no regime runs the scene"]);
}

#[test]
fn an_expectation_that_fails_under_some_regime_is_status_one() {
    let folder = Folder::with("ball.toml", &dropped("0", "2*height"));
    let run = folder.carom(&["compare", "ball.toml"]).ended(1);
    assert!(
        run.out.contains("FAIL 0.14") && run.out.contains("1 of 2 expectations NOT met"),
        "{}",
        run.out
    );
    let only = folder.carom(&["compare", "ball.toml", "--regime", "impulse,impulse"]).ended(1);
    assert!(
        only.out.contains("under 1 regime\n") && !only.out.contains("constraint"),
        "{}",
        only.out
    );
}

#[test]
fn energy_and_heights_are_drawn_with_a_curve_for_each_regime() {
    let folder = Folder::with("ball.toml", &dropped("0", "height"));
    let run = folder.carom(&["compare", "ball.toml", "--plot", "ball.svg"]).ended(0);
    assert!(run.out.ends_with("drawn to ball.svg\n"), "{}", run.out);
    let svg = folder.text("ball.svg");
    for text in [
        ">impulse<",
        ">constraint<",
        ">impulse: ball<",
        ">constraint: ball<",
        "height in m",
        "energy in J",
    ] {
        assert!(svg.contains(text), "{text} is missing in the picture");
    }
    folder.carom(&["compare", "ball.toml", "--plot", "ball.png", "--json"]).ended(0);
    let bytes = std::fs::read(folder.path("ball.png")).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
}

#[test]
fn built_in_scenes_are_compared_with_their_parameters() {
    let run = json(&["compare", "cradle", "--set", "speed=2", "--json"]);
    assert_eq!(run["regimes"].as_array().unwrap().len(), 2);
    for expectation in run["expectations"].as_array().unwrap() {
        assert_eq!(expectation["under"]["impulse"]["pass"], true, "{expectation}");
    }
}

#[test]
fn slips_are_told() {
    carom(&["compare", "cradle", "--regime", "impuls"]).ended(2).said(&["'impulse'"]);
    carom(&["compare", "cradle", "--plot", "x.jpg"]).ended(2).said(&["end it in .svg or .png"]);
    carom(&["compare", "x.mcap"]).ended(2).said(&["compare the scene it was made from"]);
    carom(&["compare", "cradel"]).ended(2).said(&["did you mean cradle?"]);
    carom(&["compare", "cradle", "--plot", "nowhere/x.svg"]).ended(2).said(&["no folder nowhere"]);
}
