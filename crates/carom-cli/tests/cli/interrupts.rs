//! Runs that are killed or interrupted while they record.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use carom_record::{Ending, Reader};

use crate::common::{Folder, command};

/// So many bodies that a chunk is full after a few dozen samples, for longer than anybody waits.
const LONG: &str = r#"format = 1
[world]
gravity = [0, 0, 0]
until = 1e7
[[body]]
name = "ball"
shape = { kind = "ball", radius = 0.1 }
density = 1000
velocity = ["0.001*i", 0, 0]
repeat = { kind = "row", count = 200, step = [1, 0, 0] }
"#;

/// Generous: how long anything may take before the test gives up.
const PATIENCE: Duration = Duration::from_mins(1);

/// A run that is surely over when the test is.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Starts the long run and waits until its output has some chunks.
fn recording(folder: &Folder, out: &str) -> Running {
    let child = command(folder.here(), &["run", "long.toml", "--out", out])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command was built for this test");
    let running = Running(child);
    let started = Instant::now();
    while size(&folder.path(out)) < 3 << 20 {
        assert!(started.elapsed() < PATIENCE, "nothing was written");
        std::thread::sleep(Duration::from_millis(2));
    }
    running
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}

/// Starts a command and waits until a file is there and has something in it.
fn writing(folder: &Folder, words: &[&str], file: &str) -> Running {
    let child = command(folder.here(), words)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command was built for this test");
    let running = Running(child);
    let started = Instant::now();
    while size(&folder.path(file)) == 0 {
        assert!(started.elapsed() < PATIENCE, "nothing was written");
        std::thread::sleep(Duration::from_millis(2));
    }
    running
}

/// Ctrl-C, or what a system sends that shuts down.
fn send(signal: &str, running: &Running) {
    let id = running.0.id().to_string();
    let sent = Command::new("kill").args([signal, &id]).status().expect("there is a kill command");
    assert!(sent.success());
}

/// Its exit status and what it said.
fn ended(mut running: Running) -> (Option<i32>, String) {
    let started = Instant::now();
    let status = loop {
        if let Some(status) = running.0.try_wait().expect("it is ours") {
            break status;
        }
        assert!(started.elapsed() < PATIENCE, "it does not end");
        std::thread::sleep(Duration::from_millis(2));
    };
    let stderr = running.0.stderr.take().expect("it was asked for");
    (status.code(), std::io::read_to_string(stderr).expect("output is UTF-8"))
}

fn times(path: &Path) -> Vec<f64> {
    let mut reader = Reader::open(path).expect("it is a recording");
    reader
        .samples()
        .map(|sample| {
            let sample = sample.expect("the chunk is whole");
            assert_eq!(sample.states.len(), 200);
            sample.time
        })
        .collect()
}

#[test]
fn a_recording_whose_writer_is_killed_holds_everything_up_to_its_last_chunk() {
    let folder = Folder::with("long.toml", LONG);
    let mut running = recording(&folder, "x.mcap");
    running.0.kill().unwrap();
    running.0.wait().unwrap();
    let path = folder.path("x.mcap");
    let ending = Reader::open(&path).unwrap().ending().clone();
    let Ending::BrokenOff { until: Some(until), lost_bytes } = ending else { panic!("{ending:?}") };
    let times = times(&path);
    // The first chunk at least: how far it got depends on how busy the machine is.
    assert!(times.len() > 10, "{} samples", times.len());
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
    // Log times are whole nanoseconds.
    assert!((times[times.len() - 1] - until).abs() <= 1e-9, "{until}");
    assert!(lost_bytes <= 2 << 20, "{lost_bytes} bytes are more than a chunk");
    let run = folder.carom(&["run", "x.mcap", "--until", "1"]).ended(0);
    run.said(&["x.mcap was not finished"]);
}

#[test]
fn ctrl_c_finishes_the_recording_and_is_status_130() {
    let folder = Folder::with("long.toml", LONG);
    let running = recording(&folder, "x.mcap");
    send("-INT", &running);
    let (status, talk) = ended(running);
    assert_eq!(status, Some(130), "{talk}");
    assert!(talk.contains("interrupted at "), "{talk}");
    assert!(talk.contains("x.mcap is valid up to there"), "{talk}");
    let path = folder.path("x.mcap");
    let ending = Reader::open(&path).unwrap().ending().clone();
    let Ending::Finished { end: Some(end), .. } = ending else { panic!("{ending:?}") };
    let times = times(&path);
    let last = times[times.len() - 1];
    assert!(last <= end && end - last < 1.0, "samples up to {last} s of {end} s");
    folder.carom(&["run", "x.mcap"]).ended(0).said(&["the same hash as the recording"]);
    folder.carom(&["plot", "x.mcap", "--what", "heights", "--body", "ball_3"]).ended(0);
    assert!(folder.text("x.svg").trim_end().ends_with("</svg>"));
}

#[test]
fn an_animation_ends_with_the_last_picture_before_ctrl_c() {
    let folder = Folder::with("long.toml", LONG);
    let words =
        ["render", "long.toml", "-o", "x.gif", "--to", "600", "--speed", "1", "--size", "64x48"];
    let running = writing(&folder, &words, "x.gif");
    send("-INT", &running);
    let (status, talk) = ended(running);
    assert_eq!(status, Some(130), "{talk}");
    assert!(talk.contains("interrupted; x.gif "), "{talk}");
    if talk.contains("is not written") {
        assert!(!folder.path("x.gif").exists());
        return;
    }
    let bytes = std::fs::read(folder.path("x.gif")).expect("it was written");
    assert!(bytes.starts_with(b"GIF89a") && bytes.ends_with(&[0x3b]), "{talk}");
}

#[test]
fn an_export_that_is_interrupted_leaves_no_file() {
    let folder = Folder::with("long.toml", LONG);
    folder.carom(&["run", "long.toml", "--until", "200", "--out", "x.mcap", "-q"]).ended(0);
    let running = writing(&folder, &["export", "x.mcap", "-o", "y.csv"], "y.csv");
    send("-INT", &running);
    let (status, talk) = ended(running);
    assert_eq!(status, Some(130), "{talk}");
    for name in ["y.csv", "y.events.csv", "y.contacts.csv"] {
        assert!(!folder.path(name).exists(), "{name} is left");
    }
}

#[test]
fn a_sweep_keeps_what_is_done_after_ctrl_c() {
    let scene = LONG
        .replace("until = 1e7", "until = \"span\"")
        .replace("[world]", "[parameters]\nspan = 1\n[world]");
    let folder = Folder::with("long.toml", &scene);
    let set = "span=1,2,1e6";
    let words = ["sweep", "long.toml", "--set", set, "-o", "x.csv", "--threads", "1"];
    let running = writing(&folder, &words, "x.csv.partial");
    send("-INT", &running);
    let (status, talk) = ended(running);
    assert_eq!(status, Some(130), "{talk}");
    assert!(talk.contains("kept in x.csv.partial"), "{talk}");
    assert!(!folder.path("x.csv").exists());
}

#[test]
fn a_table_is_whole_lines_after_ctrl_c() {
    let folder = Folder::with("long.toml", LONG);
    let running = recording(&folder, "x.csv");
    send("-INT", &running);
    assert_eq!(ended(running).0, Some(130));
    let text = folder.text("x.csv");
    let commas = |line: &str| line.matches(',').count();
    let columns = commas(text.lines().next().unwrap());
    assert!(text.ends_with('\n') && text.lines().all(|line| commas(line) == columns));
}
