//! `carom export`: a recording for other programs.

use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use carom_record::{Ending, ExportError, ExportFormat, Output, Reader, export};

use crate::Outcome;
use crate::interrupt::Unfinished;
use crate::output::{answer, counted, talk};
use crate::progress::ByteProgress;
use crate::run::advised;
use crate::scene::missing;

/// Write a recording in a format that other programs open
///
/// The format follows from the ending of FILE, or is given by --to: glTF 2.0 (.gltf as text, .glb as binary; for Blender,
/// three.js), USD as text (.usda), tables (.csv, .parquet; events and contacts beside them), or an MCAP file for Foxglove.
/// glTF and USD have every body's shape in its colour, and its way as an animation. A plane without an end is shown as a square.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  carom run dominos -o dominos.mcap
  carom export dominos.mcap -o dominos.glb           an animation for Blender or three.js
  carom export dominos.mcap -o dominos.csv           tables: also dominos.events.csv, dominos.contacts.csv
  carom export dominos.mcap -o shown.mcap            for Foxglove, where --no-foxglove left that out")]
pub(crate) struct ExportOptions {
    /// Recording, as `carom run -o` writes it
    recording: PathBuf,
    /// File to write
    #[arg(long = "output", short, visible_alias = "out", value_name = "FILE")]
    out: PathBuf,
    /// Format, whatever the ending of FILE
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    to: Option<ExportFormat>,
    /// Print nothing
    #[arg(long, short)]
    quiet: bool,
}

fn format_parser() -> impl clap::builder::TypedValueParser<Value = ExportFormat> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(ExportFormat::ALL.map(ExportFormat::name))
        .try_map(|name| ExportFormat::of_name(&name).ok_or("unknown format"))
}

pub(crate) fn run(options: &ExportOptions) -> anyhow::Result<Outcome> {
    let ExportOptions { recording, out, .. } = options;
    let format = options.to.or_else(|| ExportFormat::of_path(out)).ok_or_else(|| {
        let endings: Vec<String> =
            ExportFormat::ALL.iter().map(|it| format!(".{}", it.extension())).collect();
        anyhow!(
            "cannot tell from the name of {} what to write\nhint: end it in {}, or give --to",
            out.display(),
            endings.join(", ")
        )
    })?;
    let bytes = ByteProgress::new(!options.quiet);
    let mut reader = open_watched(recording, |file| bytes.watch(file))?;
    let same = |path: PathBuf| recording.canonicalize().is_ok_and(|recording| recording == path);
    if out.canonicalize().is_ok_and(same) {
        bail!("{} is what is to be exported\nhint: write to another file", out.display());
    }
    let unfinished = unfinished(out);
    let exported = export(&mut reader, format, out).map_err(|error| match error {
        ExportError::Write(error) => advised(error),
        other => anyhow!(other).context(recording.display().to_string()),
    })?;
    bytes.clear();
    drop(unfinished);
    if !options.quiet {
        let bodies = counted(exported.bodies as u64, "body").replace("bodys", "bodies");
        let samples = counted(exported.samples as u64, "sample");
        answer(&format!("{}: {bodies}, {samples}", out.display()))?;
    }
    Ok(Outcome::Done)
}

/// The files that an export writes, until it is done.
fn unfinished(out: &Path) -> Unfinished {
    match Output::events_paths(out) {
        Some([events, contacts]) => Unfinished::new(&[out, &events, &contacts]),
        None => Unfinished::new(&[out]),
    }
}

/// A recording; one that breaks off is told, and used as far as it goes.
pub(crate) fn open(path: &Path) -> anyhow::Result<Reader<impl Read + Seek>> {
    open_watched(path, |file| file)
}

/// The same, read through what somebody looks through.
fn open_watched<R: Read + Seek>(
    path: &Path,
    watched: impl FnOnce(File) -> R,
) -> anyhow::Result<Reader<BufReader<R>>> {
    if !path.exists() {
        return Err(missing(&path.display().to_string()));
    }
    let named = || path.display().to_string();
    let file = File::open(path).with_context(named)?;
    let reader = Reader::new(BufReader::new(watched(file))).with_context(named)?;
    if let Ending::BrokenOff { until, .. } = reader.ending() {
        let until = until.map_or_else(String::new, |until| format!(" after {until} s"));
        talk(&format!("{} breaks off{until}; what is there is used", path.display()));
    }
    Ok(reader)
}
