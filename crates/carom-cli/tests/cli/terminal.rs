//! Colours, and readers that go away.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{Folder, command, drop_to, good_drop};

#[test]
fn nothing_is_coloured_where_nobody_sees_it() {
    let folder = Folder::with("bad.toml", "format = 1\ntitel = 3\n");
    for arguments in [&["check", "bad.toml"][..], &["run", "bad.toml"], &["rum"], &["--help"]] {
        let run = folder.carom(arguments);
        assert!(!run.talk.contains('\x1b') && !run.out.contains('\x1b'), "{}", run.talk);
    }
}

/// What `carom check bad.toml` shows on a terminal, or none where there is no way to make one.
fn on_a_terminal(folder: &Folder, no_color: Option<&str>) -> Option<String> {
    if !Path::new("/usr/bin/script").exists() || !cfg!(target_os = "linux") {
        return None;
    }
    let line = format!("'{}' check bad.toml", env!("CARGO_BIN_EXE_carom"));
    let mut script = Command::new("/usr/bin/script");
    script.args(["-qec", &line, "/dev/null"]).current_dir(folder.here()).stdin(Stdio::null());
    script.env("TERM", "xterm-256color").env_remove("NO_COLOR");
    if let Some(value) = no_color {
        script.env("NO_COLOR", value);
    }
    let output = script.output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_terminal_gets_colours_unless_it_says_no() {
    let folder = Folder::with("bad.toml", "format = 1\ntitel = 3\n");
    let Some(colored) = on_a_terminal(&folder, None) else { return };
    assert!(colored.contains("\x1b[") && colored.contains("titel"), "{colored}");
    let plain = on_a_terminal(&folder, Some("1")).unwrap();
    assert!(!plain.contains('\x1b') && plain.contains("titel"), "{plain}");
    // As https://no-color.org has it, an empty value is none.
    assert!(on_a_terminal(&folder, Some("")).unwrap().contains("\x1b["));
}

/// Runs a scene from standard input whose answer nobody reads; status and standard error.
fn unread(arguments: &[&str], scene: &str) -> (Option<i32>, String) {
    let folder = Folder::new();
    let mut child = command(folder.here(), arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command was built for this test");
    // The reader is gone before the scene, and so the answer, can come.
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("it was asked for");
    stdin.write_all(scene.as_bytes()).expect("it is read");
    drop(stdin);
    let stderr = child.stderr.take().expect("it was asked for");
    let talk = std::io::read_to_string(stderr).expect("output is UTF-8");
    (child.wait().expect("it is ours").code(), talk)
}

#[test]
fn a_reader_that_goes_away_is_a_clean_end() {
    for arguments in [&["run", "-"][..], &["run", "-", "--json"], &["check", "-"]] {
        let (status, talk) = unread(arguments, &good_drop());
        assert_eq!((status, talk.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn a_reader_that_goes_away_does_not_make_a_failure_a_success() {
    let (status, talk) = unread(&["run", "-"], &drop_to("3"));
    assert_eq!((status, talk.as_str()), (Some(1), ""));
}

/// Elsewhere there is no `sh`; the tests above say the same without one.
#[cfg(unix)]
#[test]
fn the_first_line_is_enough_for_head() {
    let carom = env!("CARGO_BIN_EXE_carom");
    let line = format!("'{carom}' run tumbling | head -1");
    let output = Command::new("sh").args(["-c", &line]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("Tumbling: 60 s simulated in "), "{text}");
    assert_eq!(text.lines().count(), 1);
    assert!(output.status.success() && output.stderr.is_empty());
}
