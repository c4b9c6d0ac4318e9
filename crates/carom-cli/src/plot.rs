//! `carom plot`: pictures of recordings.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use carom_record::figures::{Drawn, Figure, FigureError, FigureOptions, RecordedRun, figure};
use carom_record::plot::{LEAST_SIZE, MOST_SIZE, Theme};

use crate::Outcome;
use crate::args::positive;
use crate::export::open;
use crate::help;
use crate::output::{answer, talk};
use crate::progress::Steps;
use crate::suggest::nearest;

/// Pixels of a PNG for each of the chart's, so that it is sharp on paper and on fine screens.
pub(crate) const SCALE: f64 = 2.0;

/// Draw recordings: where the energy went, forces, heights, any column over any other, histograms
///
/// Several recordings are drawn on top of each other. The picture is an SVG or, by the ending of the file, a PNG; without
/// -o it lies beside the first recording, under the same name.
#[derive(Debug, clap::Args)]
#[command(after_help = help::of_plot())]
pub(crate) struct PlotOptions {
    /// Recordings, as `carom run -o` writes them
    #[arg(required = true)]
    recordings: Vec<PathBuf>,
    /// What to show [default: energy]
    #[arg(long, value_name = "WHAT", value_parser = ["energy", "forces", "heights", "phase"], conflicts_with_all = ["x", "y", "histogram"])]
    what: Option<String>,
    /// Column to the right [default: time_s]
    #[arg(long, value_name = "COL", conflicts_with = "histogram", requires = "y")]
    x: Option<String>,
    /// Column upwards
    #[arg(long, value_name = "COL", conflicts_with = "histogram")]
    y: Option<String>,
    /// Column whose values are counted
    #[arg(long, value_name = "COL")]
    histogram: Option<String>,
    /// How many bins a histogram has
    #[arg(long, value_name = "N", requires = "histogram", value_parser = clap::value_parser!(u16).range(1..=1000))]
    bins: Option<u16>,
    /// Only this body, of forces those on it; may be given several times [default: those that move by themselves]
    #[arg(long, value_name = "NAME")]
    body: Vec<String>,
    /// Only collisions of these two bodies
    #[arg(long, value_name = "A,B", value_parser = pair)]
    pair: Option<[String; 2]>,
    /// Picture to write: .svg or .png
    #[arg(long = "output", short, visible_alias = "out", value_name = "FILE")]
    out: Option<PathBuf>,
    /// Colours
    #[arg(long, value_name = "THEME", default_value = "light", value_parser = theme_parser())]
    theme: Theme,
    /// Width and height in pixels; a PNG has twice as many [default: 720x450]
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<[f64; 2]>,
    /// Title, instead of one that says what is shown
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Print nothing
    #[arg(long, short)]
    quiet: bool,
}

fn theme_parser() -> impl clap::builder::TypedValueParser<Value = Theme> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(Theme::ALL.map(Theme::name))
        .try_map(|name| Theme::of_name(&name).ok_or("unknown theme"))
}

fn pair(text: &str) -> Result<[String; 2], String> {
    match text.split_once(',') {
        Some((a, b)) if !a.trim().is_empty() && !b.trim().is_empty() => {
            Ok([a.trim().to_owned(), b.trim().to_owned()])
        }
        _ => Err("must be two names with a comma between, such as block,ramp".to_owned()),
    }
}

fn size(text: &str) -> Result<[f64; 2], String> {
    let sides =
        text.split_once('x').and_then(|(w, h)| Some([positive(w).ok()?, positive(h).ok()?]));
    let sides = sides.ok_or_else(|| "must be width and height, such as 1280x720".to_owned())?;
    let [least_width, least_height] = LEAST_SIZE;
    let fits = sides[0] >= least_width && sides[1] >= least_height;
    if fits && sides.iter().all(|side| *side <= MOST_SIZE) {
        return Ok(sides);
    }
    Err(format!("must be from {least_width}x{least_height} to {MOST_SIZE}x{MOST_SIZE}"))
}

pub(crate) fn run(options: &PlotOptions) -> anyhow::Result<Outcome> {
    let out = options.out.clone().unwrap_or_else(|| options.recordings[0].with_extension("svg"));
    let is_png = match ending(&out).as_str() {
        "svg" => false,
        "png" => true,
        _ => bail!(
            "cannot tell from the name of {} what to draw\nhint: end it in .svg or .png",
            out.display()
        ),
    };
    let steps =
        Steps::new(!options.quiet, options.recordings.len() + 1, "steps of reading and drawing");
    let mut runs = Vec::new();
    for (path, label) in options.recordings.iter().zip(labels(&options.recordings)) {
        let read = RecordedRun::read(&mut open(path)?, label);
        runs.push(read.with_context(|| path.display().to_string())?);
        steps.done();
    }
    let Drawn { chart, left_out } = figure(&runs, &wish(options)).map_err(advised)?;
    let bytes = if is_png { chart.to_png(SCALE)? } else { chart.to_svg().into_bytes() };
    steps.clear();
    std::fs::write(&out, bytes).with_context(|| format!("cannot write {}", out.display()))?;
    if let Some(left_out) = left_out {
        talk(&format!("note: {}; {}", left_out.told, left_out.hint));
    }
    if !options.quiet {
        answer(&out.display().to_string())?;
    }
    Ok(Outcome::Done)
}

pub(crate) fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// What recordings are called: the names of their files, or their paths where names are the same.
fn labels(paths: &[PathBuf]) -> Vec<String> {
    let stem = |path: &PathBuf| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let stems: Vec<String> = paths.iter().map(stem).collect();
    let is_unique = |label: &String| stems.iter().filter(|it| *it == label).count() == 1;
    let label = |(path, stem): (&PathBuf, &String)| {
        if is_unique(stem) { stem.clone() } else { path.display().to_string() }
    };
    paths.iter().zip(&stems).map(label).collect()
}

fn wish(options: &PlotOptions) -> FigureOptions {
    let time = || "time_s".to_owned();
    let what = match (&options.histogram, &options.y, options.what.as_deref()) {
        (Some(column), ..) => {
            let bins = options.bins.map(usize::from);
            Figure::Histogram { column: column.clone(), bins }
        }
        (_, Some(y), _) => {
            Figure::Columns { x: options.x.clone().unwrap_or_else(time), y: y.clone() }
        }
        (.., Some("forces")) => Figure::Forces,
        (.., Some("heights")) => Figure::Heights,
        (.., Some("phase")) => Figure::Phase,
        // Whoever names a pair means its force.
        (.., None) if options.pair.is_some() => Figure::Forces,
        _ => Figure::Energy,
    };
    FigureOptions {
        bodies: options.body.clone(),
        pair: options.pair.clone(),
        theme: options.theme,
        size: options.size,
        title: options.title.clone(),
        ..FigureOptions::of(what)
    }
}

/// What may be meant by a name that is not there.
fn advised(error: FigureError) -> anyhow::Error {
    let (FigureError::NoColumn { asked, known } | FigureError::NoBody { asked, known, .. }) =
        &error
    else {
        return anyhow!(error);
    };
    // A unit that was left out is the commonest slip.
    let meant = |asked: &str| {
        let begun = known.iter().find(|name| name.starts_with(&format!("{asked}_")));
        begun.map(String::as_str).or_else(|| nearest(asked, known.iter().map(String::as_str)))
    };
    // A body before the column is an option of its own.
    let of_body = || {
        let (body, column) = asked.rsplit_once('.')?;
        // A letter too many, as in vzz.
        let shorter = column.get(..column.len().saturating_sub(1)).filter(|it| !it.is_empty());
        let column = meant(column).or_else(|| meant(shorter?))?;
        Some(format!("{column} with --body {body}"))
    };
    let is_column = matches!(error, FigureError::NoColumn { .. });
    let near = meant(asked).map(str::to_owned).or_else(|| of_body().filter(|_| is_column));
    let hint = match near {
        Some(near) => format!("did you mean {near}?"),
        None if known.len() > 40 => {
            format!("there are {} of them, such as {}", known.len(), known[0])
        }
        None => format!("there are {}", known.join(", ")),
    };
    anyhow!("{error}\nhint: {hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_and_sizes_are_two_of_a_kind() {
        assert_eq!(pair("a, b c"), Ok(["a".to_owned(), "b c".to_owned()]));
        assert!(pair("a").is_err() && pair("a,").is_err());
        assert_eq!(size("640x480"), Ok([640.0, 480.0]));
        assert!(size("640").is_err() && size("0x480").is_err());
        let told = "must be from 240x180 to 10000x10000".to_owned();
        assert_eq!([size("200x480"), size("640x20000")], [Err(told.clone()), Err(told)]);
    }

    #[test]
    fn a_body_before_a_column_is_told_where_it_belongs() {
        let known = vec!["time_s".to_owned(), "vz_m_s".to_owned()];
        for asked in ["ball.vz", "ball.vzz"] {
            let asked = asked.to_owned();
            let told = advised(FigureError::NoColumn { asked, known: known.clone() }).to_string();
            assert!(told.ends_with("did you mean vz_m_s with --body ball?"), "{told}");
        }
    }

    #[test]
    fn recordings_of_the_same_name_are_told_apart_by_their_folders() {
        let paths = ["a/x.mcap", "b/x.mcap", "b/y.mcap"].map(PathBuf::from);
        assert_eq!(labels(&paths), ["a/x.mcap", "b/x.mcap", "y"]);
    }
}
