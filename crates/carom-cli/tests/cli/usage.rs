//! Help, version and slips of the finger.

use crate::common::carom;

#[test]
fn help_has_examples_for_every_command() {
    let commands =
        ["run", "check", "new", "distance", "schema", "mass", "study", "validate", "completions"];
    for arguments in
        commands.map(|command| vec![command, "--help"]).into_iter().chain([vec!["--help"]])
    {
        let run = carom(&arguments);
        assert_eq!(run.status, 0);
        assert!(run.out.contains("Example"), "{}", run.out);
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
        (&["distanse", "x", "a", "b"], "distance"),
        (&["run", "tumbling", "--ouut", "x.csv"], "--out"),
        (&["run", "tumbling", "--limit", "bodys=3"], "bodies"),
        (&["mass", "x.stl", "--dencity", "1"], "--density"),
        (&["mass", "x.stl", "--unit", "mmm"], "mm"),
        (&["validate", "--fault", "inertia-entri"], "inertia-entry"),
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
