//! `carom bench` from the outside; the benchmark itself is tested where it is.

use crate::common::{Folder, command};

#[test]
fn a_benchmark_that_is_not_built_is_told_with_how_to_build_it() {
    let folder = Folder::new();
    let mut command = command(folder.here(), &["bench", "dominos"]);
    let output = command.env("CAROM_BENCH", "nowhere").output().unwrap();
    let talk = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{talk}");
    assert!(talk.contains("the benchmark is not built: there is no nowhere"), "{talk}");
    let how = "cargo build --release --manifest-path bench/Cargo.toml --bin carom-bench";
    assert!(talk.contains(how), "{talk}");
}

#[cfg(unix)]
#[test]
fn what_is_asked_for_reaches_the_benchmark_and_its_failure_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with("stand_in", "#!/bin/sh\necho \"$@\"\n[ \"$1\" != fail ]\n");
    let program = folder.here().join("stand_in");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let arguments = ["bench", "a", "b", "--json", "--scaling", "--svg", "x.svg"];
    let mut stand_in = command(folder.here(), &arguments);
    let output = stand_in.env("CAROM_BENCH", &program).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "a b --json --scaling --svg x.svg\n");
    let mut failing = command(folder.here(), &["bench", "fail"]);
    let output = failing.env("CAROM_BENCH", &program).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}
