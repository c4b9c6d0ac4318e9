//! `carom run`: a scene, from its text to its proof.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use carom::Fault;
use carom_record::{Ending, Output, Reader, RecordError, RecordingHeader};
use carom_scene::{ContactOverrides, DiskFiles, Loaded, Scene};
use carom_study::audit::{AuditOptions, AuditReport};
use carom_study::given::Given;
use carom_study::recorded::{contact_of, given_of, header_of, options_of, scene_of};
use carom_study::run::{End, RunError, RunReport};
use serde_json::Value;

use crate::Outcome;
use crate::args::{RunOptions, VERSION};
use crate::audit::complaints;
use crate::output::{answer, answer_json, colors, talk};
use crate::progress::Progress;
use crate::report::{as_json, as_text, unmet};
use crate::scene::{find, is_recording, loading, missing, read};

/// A scene that has been read, and what a recording says of it.
pub(crate) struct Prepared {
    pub(crate) name: String,
    pub(crate) scene: Scene,
    pub(crate) overrides: Vec<(String, String)>,
    /// What is given on top of the scene's contact settings; the scene has it already.
    pub(crate) contact: ContactOverrides,
    /// Actions that were taken while a recording was made.
    given: Vec<Given>,
    /// Of a recording that is run again.
    until: Option<f64>,
    expected_hash: Option<String>,
}

pub(crate) fn run(options: &RunOptions) -> anyhow::Result<Outcome> {
    let Some(prepared) = prepare(options)? else { return Ok(Outcome::CheckFailed) };
    let scene = &prepared.scene;
    if let Some(out) = &options.out {
        refuse_own_input(out, &options.scene)?;
    }
    let run_options = carom_study::run::RunOptions {
        until: options.until.or(prepared.until),
        threads: usize::from(options.threads),
        rate_hz: scene.record.rate_hz,
        audit: options.audit.then(AuditOptions::default),
        given: prepared.given.clone(),
    };
    let mut progress = Progress::new(!options.quiet && !options.json);
    let summary = |report: &RunReport| as_json(&prepared, report).to_string();
    let open = || {
        let open = |path: &PathBuf| open_output(path, &prepared, !options.no_foxglove);
        options.out.as_ref().map(open).transpose()
    };
    let result = carom_study::run::run(scene, &run_options, &open, &mut progress, &summary);
    progress.clear();
    let report = match result {
        Ok(report) => report,
        Err(RunError::Build(problems)) => {
            talk(problems.render(colors()).trim_end());
            return Ok(Outcome::CheckFailed);
        }
        Err(RunError::Record(error)) => return Err(advised(error)),
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
            talk(&unmet(finding));
        }
    }
    for complaint in report.audit.iter().flat_map(complaints) {
        talk(&complaint);
    }
    match &report.end {
        End::Complete | End::Touched => {}
        End::Stopped => {
            talk(&format!("interrupted at {} s{}", report.simulated, saved(options)));
            return Ok(Outcome::Interrupted);
        }
        // The output itself failed; its complaint says what is left of it.
        End::Fault { fault: Fault::Observer { .. }, message } => {
            bail!("the run ended early, {message}")
        }
        End::Fault { message, .. } => {
            let (what, hint) = message.split_once("\nhint: ").unwrap_or((message, ""));
            let hint = if hint.is_empty() { String::new() } else { format!("\nhint: {hint}") };
            // What broke off in a recording must break off in the same way.
            is_as_recorded(options, prepared, report);
            bail!("the run ended early, {what}{}{hint}", saved(options));
        }
    }
    if !is_as_recorded(options, prepared, report) {
        return Ok(Outcome::CheckFailed);
    }
    if report.findings.iter().all(|finding| finding.pass) {
        let is_clean = report.audit.as_ref().is_none_or(AuditReport::is_clean);
        return Ok(if is_clean { Outcome::Done } else { Outcome::CheckFailed });
    }
    if matches!(report.end, End::Touched) {
        talk(
            "hint: the run ended at the first touch; `on_touch = \"collide\"` under [world], or \
             --on-touch collide, lets bodies collide and go on",
        );
    }
    let meant = prepared.scene.until;
    if options.until.is_some_and(|until| until != meant) {
        talk(&format!(
            "hint: the scene makes its promises for {meant} s, --until ended it elsewhere"
        ));
    }
    Ok(Outcome::CheckFailed)
}

/// Compares the hash with that of the recording that was run again, and tells; true where there is none.
fn is_as_recorded(options: &RunOptions, prepared: &Prepared, report: &RunReport) -> bool {
    let complete = options.until.is_none_or(|until| prepared.until == Some(until));
    let Some(expected) = prepared.expected_hash.as_ref().filter(|_| complete) else { return true };
    let found = report.hash.to_string();
    if *expected != found {
        talk(&format!(
            "the recording ended with hash {expected}, but this run with {found}\n\
             hint: another version of the program or another machine may have made it"
        ));
    } else if !options.quiet {
        talk("the same hash as the recording");
    }
    *expected == found
}

/// A run must not replace what it reads: were it to fail, both would be lost.
pub(crate) fn refuse_own_input(out: &Path, scene: &str) -> anyhow::Result<()> {
    let same = |scene: PathBuf| out.canonicalize().is_ok_and(|out| out == scene);
    if Path::new(scene).canonicalize().is_ok_and(same) {
        bail!("{} is what is to be run\nhint: write to another file", out.display());
    }
    Ok(())
}

/// What to do when the output cannot be made.
pub(crate) fn advised(error: RecordError) -> anyhow::Error {
    let hint = match &error {
        RecordError::Create { path, source } if source.kind() == ErrorKind::NotFound => {
            path.parent().map(|folder| format!("there is no folder {}", folder.display()))
        }
        _ => None,
    };
    match hint {
        Some(hint) => anyhow!("{error}\nhint: {hint}"),
        None => anyhow!(error),
    }
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
    let overrides = options.loading.set.clone();
    let contact = options.contact.overrides();
    let loaded = read(&asked.source, &options.loading, contact, &DiskFiles);
    Ok(accepted(loaded, options.quiet).map(|scene| Prepared {
        name: asked.name,
        scene,
        overrides,
        contact,
        given: Vec::new(),
        until: None,
        expected_hash: None,
    }))
}

/// The scene, if it has no errors; what there is to say about it is told.
pub(crate) fn accepted(loaded: Loaded, quiet: bool) -> Option<Scene> {
    let silent = quiet && !loaded.problems.has_errors();
    if !loaded.problems.is_empty() && !silent {
        talk(loaded.problems.render(colors()).trim_end());
    }
    loaded.scene
}

/// The scene that a recording carries.
fn prepare_recording(options: &RunOptions) -> anyhow::Result<Option<Prepared>> {
    let path = &options.scene;
    let loading = &options.loading;
    if !loading.set.is_empty() || loading.seed.is_some() || !options.contact.overrides().is_empty()
    {
        bail!(
            "a recording is run again as it was: --set, --seed, --on-touch, --regime, --envelope and --law do not go \
             with it\n\
             hint: run the scene itself to change something"
        );
    }
    if !Path::new(path).exists() {
        return Err(missing(path));
    }
    let reader = Reader::open(path).with_context(|| path.clone())?;
    let header = reader.header().clone();
    let contact = contact_of(&header).with_context(|| path.clone())?;
    let given = given_of(&header).with_context(|| path.clone())?;
    let (mut until, mut expected_hash, mut is_session) = (None, None, false);
    match reader.ending() {
        Ending::Finished { end, summary } => {
            until = *end;
            let summary: Value = serde_json::from_str(summary).unwrap_or_default();
            expected_hash = summary["hash"].as_str().map(str::to_owned);
            is_session = summary["session"] == true && summary.get("expectations").is_none();
        }
        Ending::Abandoned | Ending::BrokenOff { .. } if options.quiet => {}
        Ending::Abandoned | Ending::BrokenOff { .. } => {
            talk(&format!("{path} was not finished; its scene is run to its own end"));
        }
    }
    if header.version != VERSION && !options.quiet {
        talk(&format!("{path} was made by version {}, this is {VERSION}", header.version));
    }
    let loaded =
        scene_of(&header, &limited(&options.loading.limit)).with_context(|| path.clone())?;
    let mut accepted = accepted(loaded, options.quiet);
    if let Some(scene) =
        accepted.as_mut().filter(|scene| is_session && !scene.expectations.is_empty())
    {
        // A scene makes its promises for itself, not for what people do to it.
        scene.expectations.clear();
        if !options.quiet {
            talk(&format!(
                "a session of `carom view` with {} action{}: the scene's expectations are not asked",
                given.len(),
                if given.len() == 1 { "" } else { "s" }
            ));
        }
    }
    Ok(accepted.map(|scene| Prepared {
        name: path.clone(),
        scene,
        overrides: header.overrides,
        contact,
        given,
        until,
        expected_hash,
    }))
}

/// The scene that a recording carries; none if it carries none, or was made with settings that are not known.
pub(crate) fn recorded_scene(
    header: &RecordingHeader,
    limits: &[(carom_scene::Limit, u64)],
) -> Option<Loaded> {
    scene_of(header, &limited(limits)).ok()
}

fn limited(limits: &[(carom_scene::Limit, u64)]) -> carom_scene::Options {
    let mut options = carom_scene::Options::default();
    for &(limit, value) in limits {
        options.limits.set(limit, value);
    }
    options
}

fn open_output(path: &Path, prepared: &Prepared, foxglove: bool) -> Result<Output, RecordError> {
    let Prepared { scene, overrides, contact, given, .. } = prepared;
    let header = header_of(scene, VERSION, overrides, *contact, given);
    Output::create(path, &header, &options_of(scene, foxglove))
}
