//! `carom run`: a scene, from its text to its proof.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use carom::EventKind;
use carom_record::{Ending, Output, Reader, RecordingHeader, Selection};
use carom_scene::measure::Finding;
use carom_scene::{Bound, DiskFiles, EmbeddedFile, EmbeddedFiles, Loaded, Scene, Source};
use carom_study::run::{End, RunError, RunReport};
use serde_json::{Map, Value, json};

use crate::Outcome;
use crate::args::{LoadOptions, RunOptions, VERSION};
use crate::output::{answer, answer_json, colors, talk};
use crate::progress::Progress;
use crate::scene::{find, loading, read};

/// A scene that has been read, and what a recording says of it.
struct Prepared {
    name: String,
    scene: Scene,
    overrides: Vec<(String, String)>,
    /// Of a recording that is run again.
    until: Option<f64>,
    expected_hash: Option<String>,
}

pub(crate) fn run(options: &RunOptions) -> anyhow::Result<Outcome> {
    let Some(prepared) = prepare(options)? else { return Ok(Outcome::CheckFailed) };
    let scene = &prepared.scene;
    let output = match &options.out {
        Some(path) => Some(open_output(path, &prepared)?),
        None => None,
    };
    let run_options = carom_study::run::RunOptions {
        until: options.until.or(prepared.until),
        threads: usize::from(options.threads),
        rate_hz: scene.record.rate_hz,
    };
    let mut progress = Progress::new(!options.quiet && !options.json);
    let summary = |report: &RunReport| as_json(&prepared, report).to_string();
    let result = carom_study::run::run(scene, &run_options, output, &mut progress, &summary);
    progress.clear();
    let report = match result {
        Ok(report) => report,
        Err(RunError::Build(problems)) => {
            talk(problems.render(colors()).trim_end());
            return Ok(Outcome::CheckFailed);
        }
        Err(error) => return Err(anyhow!(error)),
    };
    tell(options, &prepared, &report)
}

/// Prints what came of the run, and judges it.
fn tell(options: &RunOptions, prepared: &Prepared, report: &RunReport) -> anyhow::Result<Outcome> {
    if !report.problems.is_empty() {
        talk(report.problems.render(colors()).trim_end());
    }
    if options.json {
        answer_json(&as_json(prepared, report))?;
    } else if !options.quiet {
        answer(&as_text(prepared, report, options.out.as_deref()))?;
    } else {
        for finding in report.findings.iter().filter(|finding| !finding.pass) {
            talk(&failure(finding));
        }
    }
    match &report.end {
        End::Complete => {}
        End::Stopped => {
            talk(&format!("interrupted at {} s{}", report.simulated, saved(options)));
            return Ok(Outcome::Interrupted);
        }
        End::Fault(fault) => bail!("the run ended early: {fault}{}", saved(options)),
    }
    let complete = options.until.is_none_or(|until| prepared.until == Some(until));
    if let Some(expected) = prepared.expected_hash.as_ref().filter(|_| complete) {
        let found = report.hash.to_string();
        if *expected != found {
            talk(&format!(
                "the recording ended with hash {expected}, but this run with {found}\n\
                 hint: another version of the program or another machine may have made it"
            ));
            return Ok(Outcome::CheckFailed);
        }
        if !options.quiet {
            talk("the same hash as the recording");
        }
    }
    let passed = report.findings.iter().all(|finding| finding.pass);
    Ok(if passed { Outcome::Done } else { Outcome::CheckFailed })
}

fn saved(options: &RunOptions) -> String {
    match &options.out {
        Some(path) => format!("; {} is valid up to there", path.display()),
        None => String::new(),
    }
}

/// Reads what is to be run; none if its mistakes have been told.
fn prepare(options: &RunOptions) -> anyhow::Result<Option<Prepared>> {
    if is_recording(&options.scene) {
        return prepare_recording(options);
    }
    let limits = loading(&options.loading).limits;
    let asked = find(&options.scene, limits.text_bytes)?;
    let loaded = read(&asked.source, &options.loading, &DiskFiles);
    let overrides = options.loading.set.clone();
    Ok(accepted(loaded, options.quiet).map(|scene| Prepared {
        name: asked.name,
        scene,
        overrides,
        until: None,
        expected_hash: None,
    }))
}

fn accepted(loaded: Loaded, quiet: bool) -> Option<Scene> {
    let silent = quiet && !loaded.problems.has_errors();
    if !loaded.problems.is_empty() && !silent {
        talk(loaded.problems.render(colors()).trim_end());
    }
    loaded.scene
}

fn is_recording(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("mcap"))
}

/// The scene that a recording carries.
fn prepare_recording(options: &RunOptions) -> anyhow::Result<Option<Prepared>> {
    let path = &options.scene;
    let given = &options.loading;
    if !given.set.is_empty() || given.seed.is_some() {
        bail!(
            "a recording is run again as it was: --set and --seed do not go with it\n\
             hint: run the scene itself to change something"
        );
    }
    let reader = Reader::open(path).with_context(|| format!("cannot read {path}"))?;
    let header = reader.header().clone();
    let Some(scene_path) = header.scene else {
        bail!("{path} carries no scene, so it cannot be run again");
    };
    let (mut until, mut expected_hash) = (None, None);
    match reader.ending() {
        Ending::Finished { end, summary } => {
            until = *end;
            let summary: Value = serde_json::from_str(summary).unwrap_or_default();
            expected_hash = summary["hash"].as_str().map(str::to_owned);
        }
        Ending::Abandoned | Ending::BrokenOff { .. } => {
            talk(&format!("{path} was not finished; its scene is run to its own end"));
        }
    }
    if header.version != VERSION {
        talk(&format!("{path} was made by version {}, this is {VERSION}", header.version));
    }
    let files = header
        .files
        .iter()
        .map(|file| EmbeddedFile { path: file.path.clone(), bytes: file.bytes.clone().into() });
    let files = EmbeddedFiles::new(files);
    let load_options = LoadOptions {
        set: header.overrides.clone(),
        seed: Some(header.seed),
        limit: given.limit.clone(),
        allow_path: header
            .files
            .iter()
            .filter_map(|file| Path::new(&file.path).parent().map(PathBuf::from))
            .filter(|folder| folder.is_absolute())
            .collect(),
    };
    let loaded = read(&Source::Path(PathBuf::from(&scene_path)), &load_options, &files);
    Ok(accepted(loaded, options.quiet).map(|scene| Prepared {
        name: path.clone(),
        scene,
        overrides: header.overrides,
        until,
        expected_hash,
    }))
}

fn open_output(path: &Path, prepared: &Prepared) -> anyhow::Result<Output> {
    let scene = &prepared.scene;
    let mut header = RecordingHeader::new("carom", VERSION);
    header.scene = scene.files.first().map(|file| file.path.clone());
    header.files = scene
        .files
        .iter()
        .map(|file| carom_record::EmbeddedFile {
            path: file.path.clone(),
            bytes: file.bytes.to_vec(),
        })
        .collect();
    header.overrides.clone_from(&prepared.overrides);
    header.seed = scene.seed;
    for body in &scene.bodies {
        if let Some(color) = body.color {
            let [r, g, b] = color.map(|part| f64::from(part) / 255.0);
            header.colors.insert(body.name.clone(), [r, g, b, 1.0]);
        }
    }
    let everybody = scene.record.bodies.len() == scene.bodies.len();
    let names = || scene.record.bodies.iter().map(|&index| scene.bodies[index].name.clone());
    let options = carom_record::Options {
        rate_hz: scene.record.rate_hz,
        bodies: if everybody { Selection::All } else { Selection::Named(names().collect()) },
        events: scene.record.events,
    };
    Ok(Output::create(path, &header, &options)?)
}

fn as_json(prepared: &Prepared, report: &RunReport) -> Value {
    let events: Map<String, Value> = EventKind::ALL
        .into_iter()
        .map(|kind| (kind.name().to_owned(), json!(report.events.of(kind))))
        .collect();
    let account = &report.account;
    let expectations: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| {
            json!({
                "what": finding.what,
                "expected": expected_json(finding.bound),
                "got": finding.got,
                "tolerance": finding.tolerance,
                "pass": finding.pass,
                "source": finding.source,
            })
        })
        .collect();
    json!({
        "scene": prepared.name,
        "seed": prepared.scene.seed,
        "version": VERSION,
        "simulated_s": report.simulated,
        "wall_s": report.wall,
        "bodies": report.bodies,
        "events": events,
        "least_gap_m": Value::Null,
        "energy": {
            "initial": account.initial,
            "final": account.total(),
            "work": account.work,
            "restitution_loss": account.restitution_loss,
            "friction_loss": account.friction_loss,
            "boost": account.boost,
            "projection": account.projection,
            "integration": account.integration,
            "residual": account.residual,
        },
        "hash": report.hash.to_string(),
        "expectations": expectations,
    })
}

/// A number, or the ends between which it must lie.
fn expected_json(bound: Bound) -> Value {
    let end = |x: f64| if x.is_finite() { json!(x) } else { Value::Null };
    match bound {
        Bound::Equals(value) => json!(value),
        Bound::Between(low, high) => json!([end(low), end(high)]),
    }
}

fn as_text(prepared: &Prepared, report: &RunReport, out: Option<&Path>) -> String {
    let account = &report.account;
    let title =
        if prepared.scene.title.is_empty() { &prepared.name } else { &prepared.scene.title };
    let rate = if report.wall > 0.0 { report.simulated / report.wall } else { f64::INFINITY };
    let mut text = format!("{title}: {} s simulated in {:.3} s", report.simulated, report.wall);
    text += &format!(" ({rate:.0} times real time), {} bodies\n", report.bodies);
    let events: Vec<String> = EventKind::ALL
        .into_iter()
        .filter(|kind| report.events.of(*kind) > 0)
        .map(|kind| format!("{} {}", report.events.of(kind), kind.name()))
        .collect();
    let events = if events.is_empty() { "none".to_owned() } else { events.join(", ") };
    text += &format!("  events     {events}\n");
    text += &format!(
        "  energy     {:.6} J at first, {:.6} J at the end, {:.6} J of work from outside\n",
        account.initial,
        account.total(),
        account.work
    );
    text += &format!("  unbooked   {:.1e} J\n", account.residual);
    text += &format!("  hash       {}\n", report.hash);
    if let Some(out) = out {
        text += &format!("  written to {}\n", out.display());
    }
    if !report.findings.is_empty() {
        text += "\n";
        let failed = report.findings.iter().filter(|finding| !finding.pass).count();
        for finding in &report.findings {
            text += &finding_line(finding);
        }
        let all = report.findings.len();
        text += &match failed {
            0 => format!("{all} expectations met\n"),
            failed => format!("{failed} of {all} expectations NOT met\n"),
        };
    }
    text
}

fn finding_line(finding: &Finding) -> String {
    let mark = if finding.pass { "ok  " } else { "FAIL" };
    let got = finding.got.map_or_else(|| "not measured".to_owned(), |got| format!("{got:?}"));
    let mut line = format!("  {mark} {}\n", finding.what);
    line += &format!("       got {got}, expected {}", expected(finding));
    if !finding.source.is_empty() {
        line += &format!(" ({})", finding.source);
    }
    line + "\n"
}

fn expected(finding: &Finding) -> String {
    let off = if finding.tolerance > 0.0 {
        format!(" ± {:.1e}", finding.tolerance)
    } else {
        String::new()
    };
    match finding.bound {
        Bound::Equals(value) => format!("{value:?}{off}"),
        Bound::Between(low, high) if high.is_infinite() => format!("at least {low:?}{off}"),
        Bound::Between(low, high) if low.is_infinite() => format!("at most {high:?}{off}"),
        Bound::Between(low, high) => format!("{low:?} to {high:?}{off}"),
    }
}

fn failure(finding: &Finding) -> String {
    format!("expectation not met: {}", finding_line(finding).trim())
}
