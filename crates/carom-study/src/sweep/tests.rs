use std::convert::Infallible;

use carom_record::Cell;

use super::*;

/// A ball that is thrown up and is somewhere after a second; below a height of 1 the scene refuses it.
const THROW: &str = r#"
format = 1
title = "Throw"
[parameters]
height = { value = 10, min = 1, unit = "m" }
speed = 2
word = "up"
[world]
until = 1
[[body]]
name = "ball"
shape = { kind = "ball", radius = 0.1 }
density = 1000
position = [0, 0, "height"]
velocity = [0, 0, "speed"]
[[expect]]
what = "it is somewhere, after a second"
name = "place"
measure = "body('ball').z"
equals = "height + 2 - 9.80665/2"
tolerance = 1e-9
"#;

fn request(settings: &[&str]) -> Request {
    let setting = |text: &&str| {
        let (name, values) = text.split_once('=').expect("NAME=VALUES");
        let values = Values::parse(values).expect("the test writes values");
        Setting { name: name.to_owned(), values }
    };
    Request {
        source: Source::text("throw.toml", THROW),
        options: Options::default(),
        settings: settings.iter().map(setting).collect(),
        random: None,
        until: None,
        version: "test".to_owned(),
    }
}

fn rows(sweep: &Sweep, threads: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut take = |row| {
        rows.push(row);
        Ok::<(), Infallible>(())
    };
    let never = AtomicBool::new(false);
    sweep.run(&|_| false, threads, &never, &mut take).expect("every row is taken");
    rows
}

#[test]
fn a_row_has_parameters_seed_expectations_ledger_and_hash() {
    let sweep = Sweep::new(request(&["speed=2,3"])).unwrap();
    let rows = rows(&sweep, 1);
    let sheet = sweep.sheet(&rows);
    let column = |name: &str| sheet.column(name).unwrap_or_else(|| panic!("{name} is missing"));
    let cell = |row: usize, name: &str| sheet.rows()[row][column(name)].clone();
    assert_eq!(cell(1, "index"), Cell::Whole(1));
    assert_eq!(cell(1, "height"), Cell::Number(10.0));
    assert_eq!(cell(1, "speed"), Cell::Number(3.0));
    assert_eq!(cell(1, "word"), "up".into());
    assert_eq!(cell(0, "place pass"), Cell::Truth(true));
    assert_eq!(cell(1, "place pass"), Cell::Truth(false));
    let place = cell(1, "place").as_number().unwrap();
    assert!((place - (13.0 - 9.80665 / 2.0)).abs() < 1e-12, "{place}");
    assert_eq!(cell(1, "end"), "complete".into());
    assert_eq!(cell(1, "simulated_s"), Cell::Number(1.0));
    assert_eq!(cell(1, "collisions"), Cell::Whole(0));
    assert!(cell(1, "residual_J").as_number().unwrap().abs() < 1e-9);
    assert!(matches!(cell(1, "hash"), Cell::Text(hash) if hash.len() == 32));
    assert_eq!(cell(1, "error"), Cell::Empty);
    let verdicts: Vec<Verdict> = rows.iter().map(|row| row.verdict).collect();
    assert_eq!(verdicts, [Verdict::Met, Verdict::Unmet]);
    let tally = sweep.tally(&rows);
    assert_eq!((tally.met, tally.unmet, tally.failed), (1, 1, 0));
    assert_eq!(tally.expectations.len(), 1);
    assert_eq!(tally.expectations[0].runs, 1);
    assert_eq!(sweep.axis_title(column("height")).unwrap(), "height in m");
    assert_eq!(sweep.axis_title(column("place")).unwrap(), "it is somewhere, after a second");
}

#[test]
fn a_run_that_is_refused_is_a_row_that_says_why() {
    let sweep = Sweep::new(request(&["height=0.5,2"])).unwrap();
    let rows = rows(&sweep, 1);
    let sheet = sweep.sheet(&rows);
    let (end, error) = (sheet.column("end").unwrap(), sheet.column("error").unwrap());
    assert_eq!(rows[0].verdict, Verdict::Failed);
    assert_eq!(sheet.rows()[0][1], Cell::Number(0.5));
    assert_eq!(sheet.rows()[0][end], "refused".into());
    let message = sheet.rows()[0][error].to_text();
    assert!(message.contains("height"), "{message}");
    assert_eq!(rows[1].verdict, Verdict::Met);
    assert_eq!(sweep.tally(&rows).errors, [(0, message)]);
}

#[test]
fn any_number_of_threads_gives_the_same_table() {
    let mut request = request(&["height=1..100", "speed=1,2"]);
    request.random = Some(20);
    let sweep = Sweep::new(request).unwrap();
    let table = |threads| sweep.sheet(&rows(&sweep, threads)).to_csv();
    let one = table(1);
    assert_eq!(one.lines().count(), 41);
    assert_eq!(one, table(2));
    assert_eq!(one, table(5));
}

#[test]
fn what_is_done_is_not_done_again() {
    let sweep = Sweep::new(request(&["height=1..10/10"])).unwrap();
    let mut begun = Vec::new();
    let mut take = |row: Row| {
        begun.push(row.index);
        Ok::<(), Infallible>(())
    };
    let never = AtomicBool::new(false);
    sweep.run(&|index| index % 3 != 0, 2, &never, &mut take).unwrap();
    begun.sort_unstable();
    assert_eq!(begun, [0, 3, 6, 9]);
}

#[test]
fn a_fingerprint_follows_everything_that_decides() {
    let print = |change: &dyn Fn(&mut Request)| {
        let mut request = request(&["height=1,2"]);
        change(&mut request);
        Sweep::new(request).unwrap().header().fingerprint
    };
    let first = print(&|_| {});
    assert_eq!(first, print(&|_| {}));
    let changes: [&dyn Fn(&mut Request); 6] = [
        &|it| it.version = "other".to_owned(),
        &|it| it.until = Some(2.0),
        &|it| it.options.seed = Some(3),
        &|it| it.options.contact.envelope = Some(1e-5),
        &|it| {
            let text = THROW.replace("tolerance = 1e-9", "tolerance = 1");
            it.source = Source::text("throw.toml", text);
        },
        &|it| it.settings[0].values = Values::Listed(vec!["1".to_owned(), "3".to_owned()]),
    ];
    let prints: Vec<String> = changes.iter().map(|change| print(*change)).collect();
    assert!(!prints.contains(&first), "{prints:?}");
}

#[test]
fn a_sweep_that_makes_no_sense_is_refused_before_it_begins() {
    let message = Sweep::new(request(&["hieght=1,2"])).unwrap_err().to_string();
    assert!(message.contains("did you mean height?"), "{message}");
    let broken = Request { source: Source::text("x", "format = 2"), ..request(&["a=1"]) };
    assert!(matches!(Sweep::new(broken), Err(SweepError::Scene(_))));
}

#[test]
fn a_summary_has_every_expectation_at_each_point_of_the_grid() {
    let mut request = request(&["height=1..100", "speed=1,2", "word=up,down"]);
    request.random = Some(10);
    let sweep = Sweep::new(request).unwrap();
    let rows = rows(&sweep, 2);
    let summary = sweep.summary(&rows);
    assert_eq!(summary.by, ["speed", "word"]);
    assert_eq!(summary.lines.len(), 4);
    for (line, speed) in summary.lines.iter().zip([1.0, 1.0, 2.0, 2.0]) {
        assert_eq!((line.at[0].clone(), line.name.as_str()), (Cell::Number(speed), "place"));
        // The scene promises what comes of a speed of 2.
        let met = if speed == 2.0 { 10 } else { 0 };
        assert_eq!(line.met, Proportion::new(met, 10));
        let values = line.values.unwrap();
        let place = |height: f64| height + speed - 9.80665 / 2.0;
        assert_eq!(values.runs, 10);
        assert!(values.least > place(1.0) && values.greatest < place(100.0), "{values:?}");
    }
    assert_eq!(summary.lines[1].at[1], "down".into());
    let table = summary.sheet();
    assert_eq!((table.rows().len(), table.column("share_high").is_some()), (4, true));
}

#[test]
fn a_grid_is_summed_up_as_a_whole_and_refused_runs_are_left_out() {
    let sweep = Sweep::new(request(&["height=0.5,2,3", "speed=1,2"])).unwrap();
    let summary = sweep.summary(&rows(&sweep, 1));
    assert!(summary.by.is_empty() && summary.lines.len() == 1);
    assert_eq!(summary.lines[0].met, Proportion::new(2, 4));
    assert_eq!(summary.lines[0].values.unwrap().runs, 4);
}
