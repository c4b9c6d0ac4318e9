//! `carom sweep`: tables that are the same whatever happens, and plots of them.

use serde_json::json;

use crate::common::{Folder, carom_fed, good_drop};

/// The drop keeps its promise from any height; below 0 the scene refuses it.
fn drop() -> Folder {
    Folder::with("drop.toml", &good_drop())
}

/// Runs that take a while each: a ball that bounces on a floor for many seconds, with a random throw.
const BOUNCES: &str = r#"format = 1
title = "Bounces"
[parameters]
height = { value = 1, min = 0.1, unit = "m" }
kind = 0
[world]
until = 200
[[material]]
name = "rubber"
density = 1000
friction = 0
restitution = 1
[[body]]
name = "floor"
shape = { kind = "half_space", normal = [0, 0, 1] }
material = "rubber"
motion = { kind = "fixed" }
[[body]]
name = "ball"
shape = { kind = "ball", radius = 0.05 }
material = "rubber"
position = [0, 0, "height + 0.05"]
[[expect]]
what = "it bounces, again and again"
name = "bounces"
measure = "count('collision', 'ball', 'floor')*(1 + kind)"
at_least = 10
"#;

fn column(csv: &str, name: &str) -> Vec<String> {
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().expect("there is a header");
    let at = header.iter().position(|cell| *cell == name);
    let at = at.unwrap_or_else(|| panic!("{name} is missing in {header:?}"));
    lines.map(|line| line[at].to_owned()).collect()
}

#[test]
fn a_grid_has_a_row_for_each_of_its_points_on_standard_output() {
    let folder = drop();
    let run = folder.carom(&["sweep", "drop.toml", "--set", "height=1..2/3", "--threads", "2"]);
    let run = run.ended(0).said(&["Drop: 3 runs", "3 with all expectations met"]);
    assert_eq!(column(&run.out, "index"), ["0", "1", "2"]);
    assert_eq!(column(&run.out, "height"), ["1.0", "1.5", "2.0"]);
    assert_eq!(column(&run.out, "the ball falls for a second pass"), ["true"; 3]);
    assert_eq!(column(&run.out, "end"), ["complete"; 3]);
    assert_eq!(column(&run.out, "error"), [""; 3]);
    let again = folder.carom(&["run", "drop.toml", "--set", "height=1.5", "--json"]).json();
    assert_eq!(json!(column(&run.out, "hash")[1]), again["hash"]);
}

#[test]
fn standard_input_is_swept_too() {
    let folder = Folder::new();
    let run = carom_fed(folder.here(), &["sweep", "-", "--set", "height=3,4", "-q"], &good_drop());
    let run = run.ended(0);
    assert_eq!(column(&run.out, "height"), ["3.0", "4.0"]);
    assert_eq!(run.talk, "");
}

#[test]
fn the_table_is_the_same_to_the_byte_with_any_number_of_threads() {
    let folder = drop();
    for (threads, name) in [("1", "a"), ("2", "b"), ("7", "c")] {
        for ending in ["csv", "parquet"] {
            let output = format!("{name}.{ending}");
            let set = ["--random", "20", "--set", "height=5..6", "--seed", "4"];
            let rest = ["--threads", threads, "--output", output.as_str()];
            let arguments = [&["sweep", "drop.toml"][..], &set, &rest].concat();
            folder.carom(&arguments).ended(0);
            assert!(!folder.path(&format!("{output}.partial")).exists());
        }
    }
    let bytes = |name: &str| std::fs::read(folder.path(name)).unwrap();
    for name in ["b", "c"] {
        assert_eq!(folder.text("a.csv"), folder.text(&format!("{name}.csv")));
        assert_eq!(bytes("a.parquet"), bytes(&format!("{name}.parquet")));
    }
    let mut seeds = column(&folder.text("a.csv"), "seed");
    seeds.sort();
    seeds.dedup();
    assert_eq!(seeds.len(), 20, "every run has a seed of its own");
}

#[test]
fn a_run_that_fails_is_a_row_and_the_sweep_goes_on() {
    let folder = drop();
    let run = folder.carom(&["sweep", "drop.toml", "--set", "height=-1,2,3", "-o", "x.csv"]);
    let run = run.ended(1);
    assert!(run.out.contains("2 with all expectations met, 1 FAILED"), "{}", run.out);
    assert!(run.out.contains("run 0 failed:"), "{}", run.out);
    let table = folder.text("x.csv");
    assert_eq!(column(&table, "end"), ["refused", "complete", "complete"]);
    assert_eq!(column(&table, "height"), ["-1.0", "2.0", "3.0"]);
    assert!(table.lines().nth(1).unwrap().contains("height"), "{table}");
}

#[test]
fn a_run_that_breaks_down_is_a_row_with_its_ledger_up_to_there() {
    let world = "[world]\nmicrocollisions = \"off\"";
    let scene = BOUNCES
        .replace("[world]", world)
        .replace("restitution = 1", "restitution = \"1 - kind/2\"");
    let folder = Folder::with("b.toml", &scene);
    let run = folder.carom(&["sweep", "b.toml", "--set", "kind=0,1"]).ended(1);
    let run = run.said(&["1 with all expectations met, 1 FAILED", "run 1 failed: at "]);
    assert_eq!(column(&run.out, "end"), ["complete", "fault"]);
    assert_eq!(column(&run.out, "bounces pass"), ["true", ""]);
    let loss: f64 = column(&run.out, "restitution_loss_J")[1].parse().unwrap();
    assert!(loss > 0.0, "{loss}");
    assert!(run.out.lines().nth(2).unwrap().contains("come to rest"), "{}", run.out);
}

#[test]
fn an_expectation_that_is_not_met_is_status_1_and_told() {
    let folder = Folder::with("drop.toml", &crate::common::drop_to("7"));
    let run = folder.carom(&["sweep", "drop.toml", "--set", "height=2,3", "-q"]).ended(1);
    let run = run.said(&["not met in 2 runs: the ball falls for a second"]);
    assert_eq!(column(&run.out, "the ball falls for a second pass"), ["false"; 2]);
}

#[test]
fn the_summary_as_json_has_exactly_the_promised_keys() {
    let folder = drop();
    let arguments = ["sweep", "drop.toml", "--set", "height=2,3,-1", "--json"];
    let plot = ["--plot", "x=height,y=the ball falls"];
    let value = folder.carom(&[&arguments[..], &plot].concat()).ended(1).json();
    let keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    let help = folder.carom(&["sweep", "--help"]).out;
    let promised = help.split("JSON keys:").nth(1).unwrap();
    for key in &keys {
        assert!(promised.contains(key), "{key} is not in the help");
    }
    assert_eq!(keys.len(), 16, "{keys:?}");
    assert_eq!(
        (&value["met"], &value["failed"], &value["runs"]),
        (&json!(2), &json!(1), &json!(3))
    );
    assert_eq!(value["settings"], json!(["height=2,3,-1"]));
    assert_eq!(value["summary"][0]["met"]["count"], 2);
    assert_eq!(value["summary"][0]["values"]["runs"], 2);
    assert_eq!(value["plot"]["left_out"], 1);
    assert_eq!(value["plot"]["curves"][0]["points"][1]["x"], 3.0);
}

#[test]
fn a_random_set_ends_with_a_summary_that_is_written_to_files_too() {
    let folder = Folder::with("b.toml", &BOUNCES.replace("until = 200", "until = 5"));
    let set = ["--random", "10", "--set", "height=0.5..2", "--set", "kind=0,1", "-o", "t.csv"];
    let files = ["--summary", "s.csv", "--summary", "s.json", "--summary", "s.parquet"];
    let run = folder.carom(&[&["sweep", "b.toml"], &set[..], &files].concat());
    // In 5 s it bounces 4 to 8 times: never often enough, unless each counts twice.
    let run = run.ended(1);
    for text in ["written to s.json", "expectation", "0 of 10", "0.277533"] {
        assert!(run.out.contains(text), "{text} is missing in {}", run.out);
    }
    let (table, summary) = (folder.text("t.csv"), folder.text("s.csv"));
    assert_eq!(column(&summary, "kind"), ["0.0", "1.0"]);
    assert_eq!(column(&summary, "judged"), ["10"; 2]);
    let sum: f64 =
        column(&table, "bounces").iter().take(10).map(|it| it.parse::<f64>().unwrap()).sum();
    let mean: f64 = column(&summary, "mean")[0].parse().unwrap();
    assert!((mean - sum / 10.0).abs() < 1e-12, "{mean} {sum}");
    let json: serde_json::Value = serde_json::from_str(&folder.text("s.json")).unwrap();
    assert_eq!(json[1]["at"]["kind"], 1.0);
    assert_eq!(json[0]["met"]["count"], 0);
    let refused = folder.carom(&["sweep", "b.toml", "--random", "2", "--summary", "s.txt"]);
    refused.ended(2).said(&["s.txt", ".json"]);
}

#[test]
fn a_plot_is_a_picture_and_a_table_of_means() {
    let folder = Folder::with("b.toml", &BOUNCES.replace("until = 200", "until = 50"));
    let run = folder.carom(&[
        "sweep",
        "b.toml",
        "--random",
        "12",
        "--set",
        "height=0.5..2",
        "--set",
        "kind=0,1",
        "-o",
        "t.csv",
        "--plot",
        "x=height,y=bounces,bins=0.5,by=kind",
        "--plot-output",
        "p.svg",
        "--plot-output",
        "p.csv",
    ]);
    let run = run.ended(0);
    assert!(run.out.contains("written to p.svg"), "{}", run.out);
    let svg = folder.text("p.svg");
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{svg}");
    for text in ["Bounces", "height in m", "kind = 0", "kind = 1", "it bounces, again and again"] {
        assert!(svg.contains(text), "{text} is missing in {svg}");
    }
    // The means are those of the table, taken here by hand.
    let (table, means) = (folder.text("t.csv"), folder.text("p.csv"));
    let numbers = |text: &str, name: &str| -> Vec<f64> {
        column(text, name).iter().map(|cell| cell.parse().expect("a number")).collect()
    };
    let rows = || {
        let (kinds, heights) = (numbers(&table, "kind"), numbers(&table, "height"));
        kinds.into_iter().zip(heights).zip(numbers(&table, "bounces"))
    };
    let keys = numbers(&means, "kind").into_iter().zip(numbers(&means, "height"));
    let got = numbers(&means, "runs").into_iter().zip(numbers(&means, "mean"));
    let mut seen = 0.0;
    for ((kind, middle), (n, mean)) in keys.zip(got) {
        let inside = |height: f64| (height / 0.5).round() * 0.5 == middle;
        let values: Vec<f64> =
            rows().filter(|((k, h), _)| *k == kind && inside(*h)).map(|(_, y)| y).collect();
        assert_eq!(values.len() as f64, n);
        assert!((values.iter().sum::<f64>() / n - mean).abs() < 1e-9);
        seen += n;
    }
    assert_eq!(seen, 24.0);
}

#[test]
fn what_cannot_be_done_is_told_before_anything_runs() {
    let folder = drop();
    let refused = |arguments: &[&str], said: &[&str]| {
        folder.carom(&[&["sweep", "drop.toml"], arguments].concat()).ended(2).said(said);
    };
    refused(&[], &["nothing varies", "--set"]);
    refused(&["--set", "hight=1,2"], &["no parameter hight", "did you mean height?"]);
    refused(&["--set", "height=1..2"], &["how many values", "--random"]);
    refused(&["--set", "height=1..x"], &["not a range of numbers"]);
    refused(&["--set", "height=1", "--set", "height=2"], &["height is set twice"]);
    refused(&["--set", "height=1,2", "-o", "x.txt"], &["x.txt", ".parquet"]);
    refused(&["--set", "height=1,2", "-o", "no/x.csv"], &["there is no folder no"]);
    refused(&["--set", "height=1,2", "-o", "drop.toml"], &["drop.toml"]);
    let plot = ["--set", "height=1,2", "--plot"];
    refused(&[&plot[..], &["x=hight,y=hash"]].concat(), &["did you mean height?"]);
    refused(&[&plot[..], &["x=height"]].concat(), &["x=speed,y=range"]);
    let same = ["x=height,y=seed", "-o", "a.csv", "--plot-output", "a.csv"];
    refused(&[&plot[..], &same].concat(), &["a.csv is written or read already"]);
    refused(&["--set", "height=1", "--plot-output", "a.svg"], &["--plot"]);
    folder.carom(&["sweep", "drop.mcap", "--set", "a=1"]).ended(2).said(&["recording"]);
    let broken = Folder::with("x.toml", "format = 1\n[world]\nuntill = 3\n");
    broken.carom(&["sweep", "x.toml", "--set", "a=1"]).ended(1).said(&["untill"]);
}

/// A sweep that was interrupted, in all ways there are, and goes on.
#[cfg(unix)]
mod interrupted {
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    use super::BOUNCES;
    use crate::common::{Folder, command};

    const SWEEP: [&str; 6] = ["sweep", "b.toml", "--set", "height=0.5..1/40", "-o", "x.csv"];

    /// Generous: how long anything may take before the test gives up.
    const PATIENCE: Duration = Duration::from_mins(2);

    struct Running(Child);

    impl Drop for Running {
        fn drop(&mut self) {
            drop(self.0.kill());
            drop(self.0.wait());
        }
    }

    fn rows(folder: &Folder) -> usize {
        let text = std::fs::read_to_string(folder.path("x.csv.partial")).unwrap_or_default();
        text.lines().count().saturating_sub(1)
    }

    /// A sweep that has done some of its runs.
    fn started(folder: &Folder) -> Running {
        let mut command = command(folder.here(), &SWEEP);
        command.args(["--threads", "2"]).stdout(Stdio::null()).stderr(Stdio::piped());
        let running = Running(command.spawn().expect("the command was built for this test"));
        let start = Instant::now();
        while rows(folder) < 3 {
            assert!(start.elapsed() < PATIENCE, "nothing was kept");
            std::thread::sleep(Duration::from_millis(1));
        }
        running
    }

    fn in_one_go() -> String {
        let folder = Folder::with("b.toml", BOUNCES);
        folder.carom(&SWEEP).ended(0);
        folder.text("x.csv")
    }

    #[test]
    fn ctrl_c_keeps_what_is_done_and_the_same_command_ends_with_the_same_bytes() {
        let folder = Folder::with("b.toml", BOUNCES);
        let mut running = started(&folder);
        let id = running.0.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let status = running.0.wait().unwrap();
        let talk = std::io::read_to_string(running.0.stderr.take().unwrap()).unwrap();
        assert_eq!(status.code(), Some(130), "{talk}");
        assert!(talk.contains("kept in x.csv.partial"), "{talk}");
        assert!(talk.contains("the same command goes on"), "{talk}");
        let kept = rows(&folder);
        assert!((3..40).contains(&kept), "{kept}");
        assert!(!folder.path("x.csv").exists());
        let other = folder.carom(&["sweep", "b.toml", "--set", "height=1,2", "-o", "x.csv"]);
        other.ended(2).said(&["another sweep", "--restart"]);
        let run = folder.carom(&SWEEP).ended(0);
        assert!(run.talk.contains(&format!("goes on with {kept} of 40 runs")), "{}", run.talk);
        assert_eq!(folder.text("x.csv"), in_one_go());
        assert!(!folder.path("x.csv.partial").exists());
    }

    #[test]
    fn a_sweep_that_was_killed_goes_on_too_and_can_begin_anew() {
        let folder = Folder::with("b.toml", BOUNCES);
        let mut running = started(&folder);
        running.0.kill().unwrap();
        running.0.wait().unwrap();
        drop(running);
        let journal = std::fs::read(folder.path("x.csv.partial")).unwrap();
        // As if it had been killed in the middle of a line.
        std::fs::write(folder.path("x.csv.partial"), &journal[..journal.len() - 20]).unwrap();
        folder.carom(&SWEEP).ended(0).said(&["goes on with"]);
        let whole = folder.text("x.csv");
        assert_eq!(whole, in_one_go());
        std::fs::write(folder.path("x.csv.partial"), &journal).unwrap();
        let again = folder.carom(&[&SWEEP[..], &["--restart"]].concat()).ended(0);
        assert!(!again.talk.contains("goes on"), "{}", again.talk);
        assert_eq!(folder.text("x.csv"), whole);
    }
}
