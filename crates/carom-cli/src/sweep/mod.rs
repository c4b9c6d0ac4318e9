//! `carom sweep`: a scene with many parameters.

mod options;
mod plot;
mod report;
mod summary;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context, anyhow, bail};
use carom_record::Sheet;
use carom_scene::Options;
use carom_study::sweep::{Journal, Request, Row, Summary, Sweep, SweepError, Tally};

pub(crate) use options::SweepOptions;

use crate::Outcome;
use crate::args::VERSION;
use crate::output::{answer, answer_json, colors, talk};
use crate::progress::SweepProgress;
use crate::run::advised;
use crate::scene::{find, is_recording};
use plot::{Drawn, Wanted, is_picture};
use report::{as_json, as_text, failures};

/// What came of a sweep that ran to its end.
pub(crate) struct Done<'a> {
    pub(crate) scene: &'a str,
    pub(crate) sweep: &'a Sweep,
    pub(crate) tally: Tally,
    pub(crate) summary: Summary,
    /// Runs that were done before.
    pub(crate) resumed: u64,
    /// Time it took `[s]`.
    pub(crate) wall: f64,
    pub(crate) drawn: Option<Drawn>,
}

pub(crate) fn run(options: &SweepOptions) -> anyhow::Result<Outcome> {
    check_outputs(options)?;
    let sweep = match Sweep::new(request(options)?) {
        Ok(sweep) => sweep,
        Err(SweepError::Scene(problems)) => {
            talk(problems.render(colors()).trim_end());
            return Ok(Outcome::CheckFailed);
        }
        Err(error) => return Err(anyhow!(error)),
    };
    if !sweep.problems().is_empty() && !options.quiet {
        talk(sweep.problems().render(colors()).trim_end());
    }
    let wanted = options.plot.as_ref().map(|plot| Wanted::new(plot, &sweep)).transpose()?;
    let mut journal = None;
    let mut rows = BTreeMap::new();
    if let Some(output) = &options.output {
        let (opened, kept) = open_journal(options, output, &sweep)?;
        journal = Some(opened);
        rows.extend(kept.into_iter().map(|row| (row.index, row)));
    }
    let resumed = rows.len() as u64;
    let Some(wall) = work(options, &sweep, journal.as_mut(), &mut rows)? else {
        return Ok(Outcome::Interrupted);
    };
    let sheet = sweep.sheet(rows.values());
    let drawn = wanted.map(|wanted| wanted.draw(&sheet, &sweep)).transpose()?;
    let summary = sweep.summary(rows.values());
    write(options, &sheet, drawn.as_ref(), &summary)?;
    if let Some(journal) = journal {
        journal.remove()?;
    }
    let tally = sweep.tally(rows.values());
    let done = Done { scene: &options.scene, sweep: &sweep, tally, summary, resumed, wall, drawn };
    tell(options, &done, &sheet)
}

fn request(options: &SweepOptions) -> anyhow::Result<Request> {
    if is_recording(&options.scene) {
        bail!("{} is a recording\nhint: sweep the scene it was made from", options.scene);
    }
    let mut loading = Options {
        seed: options.seed,
        contact: options.contact.overrides(),
        allow_paths: options.allow_path.clone(),
        ..Options::default()
    };
    for &(limit, value) in &options.limit {
        loading.limits.set(limit, value);
    }
    let source = find(&options.scene, loading.limits.text_bytes)?.source;
    Ok(Request {
        source,
        options: loading,
        settings: options.set.clone(),
        random: options.random,
        until: options.until,
        version: VERSION.to_owned(),
    })
}

/// Refuses what could not be written at the end, before anything runs.
fn check_outputs(options: &SweepOptions) -> anyhow::Result<()> {
    check_endings(options)?;
    let mut taken = vec![PathBuf::from(&options.scene)];
    if let Some(output) = &options.output {
        taken.push(Journal::path_of(output));
    }
    for path in options.output.iter().chain(&options.plot_output).chain(&options.summary) {
        if taken.contains(path) {
            bail!("{} is written or read already\nhint: name another file", path.display());
        }
        taken.push(path.clone());
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            bail!("cannot write {}: there is no folder {}", path.display(), folder.display());
        }
    }
    Ok(())
}

/// Refuses names that do not tell what to write.
fn check_endings(options: &SweepOptions) -> anyhow::Result<()> {
    if let Some(path) = options.output.as_ref().filter(|path| !Sheet::is_known(path)) {
        bail!(
            "cannot tell from the name of {} which kind of table to write\n\
             hint: end it in .csv or .parquet",
            path.display()
        );
    }
    for path in &options.plot_output {
        if !is_picture(path) && !Sheet::is_known(path) {
            bail!(
                "cannot tell from the name of {} what to write\n\
                 hint: end it in .svg for a picture, or in .csv or .parquet for a table",
                path.display()
            );
        }
    }
    for path in &options.summary {
        if !summary::is_json(path) && !Sheet::is_known(path) {
            bail!(
                "cannot tell from the name of {} how to write the summary\n\
                 hint: end it in .csv, .parquet or .json",
                path.display()
            );
        }
    }
    Ok(())
}

/// The journal of an output, with the rows that it has already.
fn open_journal(
    options: &SweepOptions,
    output: &Path,
    sweep: &Sweep,
) -> anyhow::Result<(Journal, Vec<Row>)> {
    let path = Journal::path_of(output);
    if options.restart && path.exists() {
        std::fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
    }
    let (journal, rows) = Journal::open(&path, &sweep.header())?;
    if !rows.is_empty() && !options.quiet {
        talk(&format!(
            "goes on with {} of {} runs from {}",
            rows.len(),
            sweep.plan().runs(),
            path.display()
        ));
    }
    Ok((journal, rows))
}

/// Runs what is not done yet, and gives the time that it took; none if the person ended it `[s]`.
fn work(
    options: &SweepOptions,
    sweep: &Sweep,
    mut journal: Option<&mut Journal>,
    rows: &mut BTreeMap<u64, Row>,
) -> anyhow::Result<Option<f64>> {
    let runs = sweep.plan().runs();
    let shown = !options.quiet && !options.json;
    let mut progress = SweepProgress::new(shown, rows.len() as u64, runs);
    let interrupted = progress.interrupted();
    let done_before: Vec<u64> = rows.keys().copied().collect();
    let mut take = |row: Row| -> anyhow::Result<()> {
        if let Some(journal) = journal.as_deref_mut() {
            journal.add(&row)?;
        }
        rows.insert(row.index, row);
        progress.done();
        Ok(())
    };
    let is_done = |index: u64| done_before.binary_search(&index).is_ok();
    sweep.run(&is_done, threads(options), &interrupted, &mut take)?;
    let wall = progress.clear();
    if !interrupted.load(Ordering::Relaxed) || rows.len() as u64 == runs {
        return Ok(Some(wall));
    }
    let done = format!("interrupted with {} of {runs} runs done", rows.len());
    match &options.output {
        Some(output) => talk(&format!(
            "{done}, kept in {}\nhint: the same command goes on from there",
            Journal::path_of(output).display()
        )),
        None => talk(&format!("{done}\nhint: --output FILE keeps them for another time")),
    }
    Ok(None)
}

fn threads(options: &SweepOptions) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    options.threads.map_or_else(cores, usize::from)
}

fn write(
    options: &SweepOptions,
    sheet: &Sheet,
    drawn: Option<&Drawn>,
    summary: &Summary,
) -> anyhow::Result<()> {
    if let Some(output) = &options.output {
        sheet.write(output).map_err(advised)?;
    }
    for path in &options.plot_output {
        if let Some(drawn) = drawn {
            drawn.write(path)?;
        }
    }
    for path in &options.summary {
        summary::write(summary, path)?;
    }
    Ok(())
}

/// Prints what came of it, and judges.
fn tell(options: &SweepOptions, done: &Done<'_>, sheet: &Sheet) -> anyhow::Result<Outcome> {
    if options.json {
        answer_json(&as_json(options, done))?;
    } else if options.output.is_none() {
        answer(&sheet.to_csv())?;
    }
    if options.quiet {
        for failure in failures(done) {
            talk(&failure);
        }
    } else if !options.json {
        let text = as_text(options, done);
        if options.output.is_some() { answer(&text)? } else { talk(text.trim_end()) }
    }
    let all_met = done.tally.unmet == 0 && done.tally.failed == 0;
    Ok(if all_met { Outcome::Done } else { Outcome::CheckFailed })
}
