//! `carom licenses`: notices of everything that is linked.

use std::process::Command;

use crate::common::{carom, root};

/// Names and versions of all packages from elsewhere that the command needs on this platform, as cargo knows them.
fn needed() -> Vec<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let words = ["tree", "-p", "carom-cli", "-e", "normal", "--prefix", "none", "--locked"];
    let output = Command::new(cargo)
        .args(words)
        .args(["--offline", "--format", "{p}"])
        .current_dir(root())
        .output()
        .expect("cargo runs this test");
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{talk}");
    let lines = String::from_utf8(output.stdout).expect("names are UTF-8");
    // Crates of the project itself are followed by where they lie.
    let from_elsewhere =
        |line: &&str| !line.is_empty() && !line.contains('/') && !line.contains('\\');
    lines.lines().filter(from_elsewhere).map(|line| line.replace(" (proc-macro)", "")).collect()
}

#[test]
fn every_package_that_is_linked_is_listed_with_a_text() {
    let notices = carom(&["licenses"]).ended(0).out;
    let needed = needed();
    assert!(needed.len() > 100, "{needed:?}");
    for package in needed {
        let (name, version) = package.split_once(" v").expect("a name and a version");
        let version = version.trim_end_matches(" (*)");
        let start = format!("{name} {version}: ");
        let line = notices.lines().find(|line| line.starts_with(&start));
        let line = line.unwrap_or_else(|| panic!("{start} is missing"));
        let number = line.rsplit('[').next().and_then(|end| end.strip_suffix(']'));
        let number = number.unwrap_or_else(|| panic!("no text: {line}"));
        let heading = notices.lines().find(|it| it.starts_with(&format!("[{number}] ")));
        assert!(heading.is_some_and(|it| it.contains(&format!("{name} {version}"))), "{line}");
    }
}

#[test]
fn the_list_has_no_texts() {
    let list = carom(&["licenses", "--list"]).ended(0).out;
    assert!(list.contains("clap ") && !list.contains("Permission is hereby granted"), "{list}");
    assert!(list.lines().count() > 100, "{list}");
}
