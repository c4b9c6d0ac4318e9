//! Colours, and readers that go away.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{Folder, command, drop_to, good_drop};

#[test]
fn nothing_is_coloured_where_nobody_sees_it() {
    let folder = Folder::with("bad.toml", "format = 1\ntitel = 3\n");
    for arguments in [
        &["check", "bad.toml"][..],
        &["run", "bad.toml"],
        &["run", "two_balls"],
        &["render", "two_balls", "--at", "0", "--size", "32x24"],
        &["study", "exploding-tex"],
        &["rum"],
        &["--help"],
    ] {
        let run = folder.carom(arguments);
        assert!(!run.talk.contains('\x1b') && !run.out.contains('\x1b'), "{}", run.talk);
    }
}

/// What `carom` shows on a terminal so many columns wide, or none where there is no way to make one.
fn on_a_terminal(
    folder: &Folder,
    words: &str,
    width: usize,
    no_color: Option<&str>,
) -> Option<String> {
    if !Path::new("/usr/bin/script").exists() || !cfg!(target_os = "linux") {
        return None;
    }
    let line = format!("stty rows 24 cols {width}; '{}' {words}", env!("CARGO_BIN_EXE_carom"));
    let mut script = Command::new("/usr/bin/script");
    script.args(["-qec", &line, "/dev/null"]).current_dir(folder.here()).stdin(Stdio::null());
    script.env("TERM", "xterm-256color").env_remove("NO_COLOR").env_remove("COLUMNS");
    if let Some(value) = no_color {
        script.env("NO_COLOR", value);
    }
    let output = script.output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_terminal_gets_colours_unless_it_says_no() {
    let folder = Folder::with("bad.toml", "format = 1\ntitel = 3\n");
    let check = |no_color| on_a_terminal(&folder, "check bad.toml", 100, no_color);
    let Some(colored) = check(None) else { return };
    assert!(colored.contains("\x1b[") && colored.contains("titel"), "{colored}");
    let plain = check(Some("1")).unwrap();
    assert!(!plain.contains('\x1b') && plain.contains("titel"), "{plain}");
    // As https://no-color.org has it, an empty value is none.
    assert!(check(Some("")).unwrap().contains("\x1b["));
}

/// Lines as they stand on the screen: what was drawn over, such as a bar, is gone.
fn lines_on_screen(shown: &str) -> Vec<String> {
    let last =
        |line: &str| line.trim_end_matches('\r').rsplit('\r').next().unwrap_or("").to_owned();
    let plain = |line: String| line.replace("\x1b[2K", "").replace("\x1b[K", "");
    shown.lines().map(last).map(plain).collect()
}

#[test]
fn tables_fit_the_terminal_and_are_whole_in_a_pipe() {
    let folder = Folder::new();
    let words = "run two_balls";
    for width in [60, 80, 100] {
        let Some(shown) = on_a_terminal(&folder, words, width, None) else { return };
        let lines = lines_on_screen(&shown);
        let start = lines.iter().position(|line| line.contains("bodies  ")).expect("a table");
        let end = lines.iter().position(|line| line.contains("energy")).expect("what follows it");
        for line in &lines[start..end] {
            assert!(line.chars().count() <= width, "wider than {width}: {line}\n{shown}");
        }
        assert!(shown.contains("left out for want of width: "), "{shown}");
        assert!(shown.contains("mean force N"), "{shown}");
    }
    let piped = folder.carom(&["run", "two_balls"]).ended(0).out;
    for column in ["normal work J", "boost J", "at rest s"] {
        assert!(piped.contains(column), "{column} is missing in {piped}");
    }
    assert!(!piped.contains("left out"), "{piped}");
    let shown = on_a_terminal(&folder, "scenes", 70, None).expect("there is a terminal");
    assert!(lines_on_screen(&shown).iter().all(|line| line.chars().count() <= 70), "{shown}");
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
