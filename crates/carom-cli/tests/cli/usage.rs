//! Help, version and slips of the finger.

use crate::common::{carom, commands};

#[test]
fn every_command_has_examples_and_exit_statuses_in_its_help() {
    let all = commands();
    for known in ["", "run", "render", "study", "study cube-toss", "man", "licenses"] {
        assert!(all.iter().any(|words| words == known), "{known} is missing in {all:?}");
    }
    for words in all {
        let line = format!("{words} --help");
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let help = carom(&arguments).ended(0).out;
        let is_called = |line: &str| line.starts_with("  carom ") || line.contains("| carom ");
        assert!(help.contains("Example") && help.lines().any(is_called), "{help}");
        assert!(help.contains("Exit status: 0 "), "{help}");
    }
}

#[test]
fn the_version_names_the_commit() {
    let run = carom(&["--version"]);
    assert!(run.out.starts_with("carom 0.1.0 ("), "{}", run.out);
}

#[test]
fn slips_get_a_suggestion_and_status_two() {
    let cases = [
        (&["mas"][..], "mass"),
        (&["chek"], "check"),
        (&["rn", "coins"], "run"),
        (&["distanse", "x", "a", "b"], "distance"),
        (&["run", "tumbling", "--ouut", "x.csv"], "--out"),
        (&["run", "tumbling", "--limit", "bodys=3"], "bodies"),
        (&["mass", "x.stl", "--dencity", "1"], "--density"),
        (&["mass", "x.stl", "--unit", "mmm"], "mm"),
        (&["validate", "--fault", "inertia-entri"], "inertia-entry"),
        (&["validate", "--only", "m1/MP-R11x"], "m1/MP-R1"),
        (&["licences"], "licenses"),
        (&["man", "--page", "study-cubetoss"], "study-cube-toss"),
        (&["study", "cube-tos"], "cube-toss"),
        (&["run", "bouncing_bal"], "bouncing_ball"),
        (&["distance", "near_misses", "bulet", "plate"], "bullet"),
        (
            &["sweep", "bouncing_ball", "--set", "e=0.4,0.8", "--plot", "x=index,y=residal_J"],
            "residual_J",
        ),
        (&["export", "x.mcap", "-o", "x", "--to", "glff"], "gltf"),
        (&["sweep", "bouncing_ball", "--set", "heigth=2,3"], "height"),
    ];
    for (arguments, suggestion) in cases {
        let run = carom(arguments);
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.talk.contains(suggestion), "{}", run.talk);
    }
}

#[test]
fn numbers_that_are_not_positive_are_refused_by_the_flag() {
    for density in ["0", "-1", "nan", "heavy"] {
        let run = carom(&["mass", "parts/hex_nut.stl", "--density", density]);
        assert_eq!(run.status, 2);
        assert!(run.talk.contains("--density") && run.talk.contains("positive"), "{}", run.talk);
    }
}

#[test]
fn completions_are_printed() {
    let run = carom(&["completions", "bash"]);
    assert_eq!(run.status, 0);
    assert!(run.out.contains("carom") && run.out.contains("distance"), "{}", run.out);
}

#[test]
fn a_command_without_what_it_needs_says_what_that_is() {
    for (command, needed) in [("run", "<SCENE>"), ("check", "<SCENE>"), ("new", "<NAME>")] {
        let run = carom(&[command]);
        assert_eq!(run.status, 2);
        assert!(run.talk.contains(needed), "{}", run.talk);
    }
    let run = carom(&[]);
    assert_eq!(run.status, 2);
    assert!(run.talk.contains("Usage: carom <COMMAND>"), "{}", run.talk);
}
