//! What can be typed for a sweep.

use std::path::PathBuf;

use carom_study::sweep::{Setting, Values};

use crate::args::{ContactOptions, not_negative, positive, scene_limit, seed};
use crate::help;

/// Run a scene again and again with other parameters, and make a table of what came out
///
/// SCENE is a file, the name of a built-in scene, or - for standard input. Lists and steps of several --set make a full
/// grid; with --random N there are N runs at each of its points, with values drawn evenly from ranges without a number of
/// steps, and a seed of its own for each scene. Runs are worked in parallel; the table has one row for each, in order, and
/// is the same to the bit whatever the number of threads. A run that fails is a row with its error. Ctrl-C ends
/// the sweep and keeps what is done; the same command goes on from there.
#[derive(Debug, clap::Args)]
#[command(after_help = help::of_sweep())]
pub(crate) struct SweepOptions {
    /// Scene file, built-in scene, or - for standard input
    pub(crate) scene: String,
    /// What a parameter is set to: FROM..TO/N for N values from FROM to TO, A,B,C for these, FROM..TO to be drawn from
    /// with --random, or one value; may be given several times
    #[arg(long, value_name = "NAME=VALUES", value_parser = setting)]
    pub(crate) set: Vec<Setting>,
    /// Make N runs at each point of the grid, with values drawn from ranges and seeds of their own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) random: Option<u64>,
    /// Seed of everything random, instead of the scene's: of the draws with --random, else of every run
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    /// Raise or lower a limit on what a scene may ask for, as in `carom run`
    #[arg(long, value_name = "NAME=N", value_parser = scene_limit)]
    pub(crate) limit: Vec<(carom_scene::Limit, u64)>,
    /// Let the scene read files in this folder, too
    #[arg(long, value_name = "DIR")]
    pub(crate) allow_path: Vec<PathBuf>,
    /// End at this simulated time instead of the scene's, in s
    #[arg(long, value_name = "T", value_parser = not_negative, allow_negative_numbers = true)]
    pub(crate) until: Option<f64>,
    #[command(flatten)]
    pub(crate) contact: ContactOptions,
    /// Write the table to a file (.csv, .parquet) [default: as CSV to standard output]
    #[arg(long, short, visible_alias = "out", value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Throw away what an interrupted sweep has kept for this output, and begin anew
    #[arg(long, requires = "output")]
    pub(crate) restart: bool,
    /// How many runs are worked at once [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Plot the mean of a column over another: x=COLUMN,y=COLUMN, with bins=WIDTH and by=COLUMN if wanted
    #[arg(long, value_name = "SPEC", value_parser = plot)]
    pub(crate) plot: Option<Plot>,
    /// Write the plot to a file, as a picture (.svg) or as a table (.csv, .parquet); may be given several times
    #[arg(long, value_name = "FILE", requires = "plot")]
    pub(crate) plot_output: Vec<PathBuf>,
    /// Write to a file (.csv, .parquet, .json) how the values of each expectation are spread and how often it is met; may
    /// be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) summary: Vec<PathBuf>,
    /// Print one JSON object: a summary, and the curves of the plot
    #[arg(long)]
    pub(crate) json: bool,
    /// Print nothing but the table and what failed
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// What to plot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plot {
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) by: Option<String>,
    pub(crate) bins: Option<f64>,
}

fn setting(text: &str) -> Result<Setting, String> {
    let (name, values) = match text.split_once('=') {
        Some((name, values)) if !name.trim().is_empty() => (name.trim(), values.trim()),
        _ => return Err("must be NAME=VALUES, such as height=1..2/11".to_owned()),
    };
    let values = Values::parse(values).map_err(|error| error.to_string())?;
    Ok(Setting { name: name.to_owned(), values })
}

/// What a plot can be told.
const KEYS: [&str; 4] = ["x", "y", "by", "bins"];

fn plot(text: &str) -> Result<Plot, String> {
    let mut given: [Option<String>; 4] = Default::default();
    for piece in pieces(text) {
        let (key, value) = piece.split_once('=').unwrap_or((&piece, ""));
        let Some(at) = KEYS.iter().position(|known| *known == key.trim()) else {
            return Err(format!("'{piece}' is not one of x=…, y=…, by=… and bins=…"));
        };
        if value.trim().is_empty() || given[at].is_some() {
            return Err(format!("{key} must be given once, with a value"));
        }
        given[at] = Some(value.trim().to_owned());
    }
    let [x, y, by, bins] = given;
    let (Some(x), Some(y)) = (x, y) else {
        return Err("must name two columns, such as x=speed,y=range".to_owned());
    };
    let bins = bins.map(|bins| positive(&bins).map_err(|error| format!("bins {error}")));
    Ok(Plot { x, y, by, bins: bins.transpose()? })
}

/// A text cut at those commas that a key and an equals sign follow: sentences have commas, too.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for part in text.split(',') {
        let key = part.split_once('=').map(|(key, _)| key.trim());
        match pieces.last_mut() {
            Some(piece) if !key.is_some_and(|key| KEYS.contains(&key)) => {
                piece.push(',');
                piece.push_str(part);
            }
            _ => pieces.push(part.to_owned()),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_is_read_from_its_keys_and_sentences_keep_their_commas() {
        let read = plot("x=speed, y=it flies, and lands,bins=0.005,by=hook").unwrap();
        let expected = Plot {
            x: "speed".to_owned(),
            y: "it flies, and lands".to_owned(),
            by: Some("hook".to_owned()),
            bins: Some(0.005),
        };
        assert_eq!(read, expected);
        for text in ["", "x=a", "y=b", "x=a,y=b,bins=0", "x=a,y=b,x=c", "z=a,x=a,y=b", "x=,y=b"] {
            assert!(plot(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_setting_needs_a_name_and_values() {
        assert_eq!(setting("a = 1").unwrap().name, "a");
        for text in ["a", "=1", "a=", "a=0..1/0"] {
            assert!(setting(text).is_err(), "{text}");
        }
    }
}
