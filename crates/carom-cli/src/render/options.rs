//! What can be typed for pictures.

use std::path::PathBuf;

use glam::DVec3;

use crate::args::{ContactOptions, LoadOptions, not_negative, positive};
use crate::help;
use crate::suggest::nearest;

/// Draw pictures of a run: a still, a contact sheet, or an animation
///
/// SCENE is a file, the name of a built-in scene, or - for standard input, and is run; a recording (.mcap) is shown as it
/// was. Without more words the picture shows the end of the run. The ending of the output says what is made: .png a still,
/// or with --sheet several times in one picture; .gif and .mp4 an animation, for .mp4 by ffmpeg, which has to be installed.
/// Pictures are drawn without a GPU or a display, and are the same to the byte with any number of threads.
#[derive(Debug, clap::Args)]
#[command(after_help = help::of_render())]
#[expect(clippy::struct_excessive_bools, reason = "each is a word of its own on the command line")]
pub(crate) struct RenderOptions {
    /// Scene file, built-in scene, recording, or - for standard input
    pub(crate) scene: String,
    /// When, in s; several times with commas between make a contact sheet [default: the end]
    #[arg(long, value_name = "T,...", value_delimiter = ',', value_parser = not_negative, allow_negative_numbers = true)]
    pub(crate) at: Vec<f64>,
    /// Contact sheet of N times, or of ROWSxCOLUMNS, evenly from the first to the last [without a number: 6]
    #[arg(long, value_name = "N|RxC", num_args = 0..=1, default_missing_value = "6", value_parser = panels, conflicts_with = "at")]
    pub(crate) sheet: Option<Panels>,
    /// Begin sheets and animations at this simulated time, in s
    #[arg(long, value_name = "T", value_parser = not_negative, allow_negative_numbers = true, conflicts_with = "at")]
    pub(crate) from: Option<f64>,
    /// End sheets and animations at this simulated time, in s [default: the end]
    #[arg(long, value_name = "T", value_parser = not_negative, allow_negative_numbers = true, conflicts_with = "at")]
    pub(crate) to: Option<f64>,
    /// Pictures a second of an animation [default: 25 in .gif, 30 in .mp4]
    #[arg(long, value_name = "N", value_parser = fps)]
    pub(crate) fps: Option<f64>,
    /// Simulated seconds in each second of an animation [default: 1, or as it takes to last between 2 and 15 s]
    #[arg(long, value_name = "X", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) speed: Option<f64>,
    /// Pixels of a picture, or of each panel of a sheet [default: 640x480, in sheets 480x360]
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub(crate) size: Option<[u32; 2]>,
    /// Where to look from: eye=X,Y,Z and, if wanted, target=X,Y,Z, up=X,Y,Z and fov=DEGREES, with commas between
    /// [default: the scene's, or one that has in frame what moves]
    #[arg(long, value_name = "SPEC", value_parser = camera, allow_hyphen_values = true)]
    pub(crate) camera: Option<GivenCamera>,
    /// Let bodies draw a line behind them
    #[arg(long)]
    pub(crate) trails: bool,
    /// Draw contact points, and arrows of the impulses on free bodies
    #[arg(long)]
    pub(crate) contacts: bool,
    /// How many threads may draw; the pictures are the same [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Write to this file: .png, .gif or .mp4 [default: the scene's name with .png, in this folder]
    #[arg(long, short, visible_alias = "out", value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) loading: LoadOptions,
    #[command(flatten)]
    pub(crate) contact: ContactOptions,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Print nothing but what failed
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Panels of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Panels {
    pub(crate) count: usize,
    /// Side by side; none to be chosen.
    pub(crate) columns: Option<usize>,
}

/// A camera as it was typed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GivenCamera {
    pub(crate) eye: DVec3,
    pub(crate) target: Option<DVec3>,
    pub(crate) up: Option<DVec3>,
    pub(crate) fov: Option<f64>,
}

/// Panels that a sheet may have.
const MOST_PANELS: usize = 100;

fn panels(text: &str) -> Result<Panels, String> {
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|it| *it > 0);
    let panels = match text.split_once(['x', 'X', '×']) {
        None => number(text).map(|count| Panels { count, columns: None }),
        Some((rows, columns)) => number(rows).zip(number(columns)).map(|(rows, columns)| Panels {
            count: rows.saturating_mul(columns),
            columns: Some(columns),
        }),
    };
    match panels {
        Some(panels) if panels.count <= MOST_PANELS => Ok(panels),
        Some(_) => Err(format!("a sheet has at most {MOST_PANELS} panels")),
        None => Err("must be a number of panels, or ROWSxCOLUMNS such as 2x3".to_owned()),
    }
}

/// Sides of a picture that make sense `[px]`.
const SIDES: std::ops::RangeInclusive<u32> = 32..=8192;

fn size(text: &str) -> Result<[u32; 2], String> {
    let wrong = || {
        format!(
            "must be WIDTHxHEIGHT such as 1280x720, each from {} to {}",
            SIDES.start(),
            SIDES.end()
        )
    };
    let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
    let side = |text: &str| text.trim().parse().ok().filter(|side| SIDES.contains(side));
    let (width, height) = side(width).zip(side(height)).ok_or_else(wrong)?;
    Ok([width, height])
}

fn fps(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(fps) if (0.1..=240.0).contains(&fps) => Ok(fps),
        _ => Err("must be a number from 0.1 to 240".to_owned()),
    }
}

/// The words of a camera and how many numbers each takes.
const WORDS: [(&str, usize); 4] = [("eye", 3), ("target", 3), ("up", 3), ("fov", 1)];

fn camera(text: &str) -> Result<GivenCamera, String> {
    let mut given: [Option<Vec<f64>>; 4] = [const { None }; 4];
    let mut last = None;
    for part in text.split([',', ';']) {
        let number = match part.split_once('=') {
            None => part,
            Some((name, number)) => {
                let name = name.trim();
                let index = WORDS.iter().position(|(word, _)| *word == name);
                let index = index.ok_or_else(|| unknown_word(name))?;
                given[index] = Some(Vec::new());
                last = Some(index);
                number
            }
        };
        let value: f64 =
            number.trim().parse().map_err(|_| format!("'{number}' is not a number"))?;
        let index = last.ok_or("must begin with a word, such as eye=4,-6,3")?;
        given[index].get_or_insert_default().push(value);
    }
    for ((word, count), numbers) in WORDS.iter().zip(&given) {
        if numbers
            .as_ref()
            .is_some_and(|it| it.len() != *count || it.iter().any(|it| !it.is_finite()))
        {
            return Err(format!("{word} takes {count} finite numbers"));
        }
    }
    let vector = |index: usize| given[index].as_ref().map(|it| DVec3::new(it[0], it[1], it[2]));
    let eye = vector(0).ok_or("needs eye=X,Y,Z")?;
    if vector(1) == Some(eye) {
        return Err("eye and target are the same point".to_owned());
    }
    if vector(2) == Some(DVec3::ZERO) {
        return Err("up has no direction".to_owned());
    }
    let fov = given[3].as_ref().map(|it| it[0]);
    if fov.is_some_and(|fov| !(1.0..=150.0).contains(&fov)) {
        return Err("fov is an angle from 1 to 150 degrees".to_owned());
    }
    Ok(GivenCamera { eye, target: vector(1), up: vector(2), fov: fov.map(f64::to_radians) })
}

fn unknown_word(name: &str) -> String {
    let near = nearest(name, WORDS.iter().map(|(word, _)| *word));
    let near = near.map_or(String::new(), |near| format!(", did you mean {near}?"));
    format!("a camera has no '{name}'{near} [eye, target, up, fov]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cameras_sizes_and_panels_are_read() {
        let camera = camera("eye=1,-2,3e0,target=0,0,1,fov=30").unwrap();
        assert_eq!(camera.eye, DVec3::new(1.0, -2.0, 3.0));
        assert_eq!(camera.target, Some(DVec3::Z));
        assert_eq!(camera.up, None);
        assert!((camera.fov.unwrap() - 30_f64.to_radians()).abs() < 1e-15);
        assert_eq!(size("1280x720"), Ok([1280, 720]));
        assert_eq!(panels("2x3"), Ok(Panels { count: 6, columns: Some(3) }));
        assert_eq!(panels("4"), Ok(Panels { count: 4, columns: None }));
    }

    #[test]
    fn what_cannot_be_meant_is_told() {
        for text in [
            "1,2,3",
            "eye=1,2",
            "eye=1,2,3,fov=0",
            "eye=a,b,c",
            "target=0,0,0",
            "eye=1,2,inf",
            "eye=1,2,3,target=1,2,3",
            "eye=1,2,3,up=0,0,0",
        ] {
            assert!(camera(text).is_err(), "{text}");
        }
        assert!(camera("eye=1,2,3,targt=0,0,0").unwrap_err().contains("did you mean target"));
        for text in ["640", "0x480", "640x", "99999x99999"] {
            assert!(size(text).is_err(), "{text}");
        }
        for text in ["0", "1000", "2x", "axb"] {
            assert!(panels(text).is_err(), "{text}");
        }
    }
}
