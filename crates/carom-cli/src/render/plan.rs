//! Which times are drawn, and into what.

use std::path::{Path, PathBuf};

use anyhow::bail;
use carom_picture::{FilmOptions, Sheet};

use super::options::RenderOptions;

/// What is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Still,
    Sheet,
    Gif,
    Mp4,
}

impl Kind {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Still => "still",
            Self::Sheet => "sheet",
            Self::Gif | Self::Mp4 => "animation",
        }
    }

    pub(super) const fn is_animation(self) -> bool {
        matches!(self, Self::Gif | Self::Mp4)
    }
}

/// Everything that follows from what was typed and the length of the run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    pub(super) kind: Kind,
    /// The times of the pictures `[s]`.
    pub(super) times: Vec<f64>,
    pub(super) columns: usize,
    pub(super) fps: f64,
    pub(super) speed: f64,
    pub(super) size: [u32; 2],
    /// How long before each picture impulses are gathered `[s]`.
    window: f64,
    trails: bool,
    contacts: bool,
}

/// Pictures that an animation may have.
const MOST_PICTURES: f64 = 20_000.0;

/// A picture that falls on the end but for rounding is drawn `[-]`. Larger: one is drawn after the end; smaller: the last
/// one may be missing.
const ROUNDING: f64 = 1e-9;

/// An animation lasts at least and at most so long, unless a speed is given `[s]`.
const LENGTHS: [f64; 2] = [2.0, 15.0];

/// Points of a trail in a second, and at most in all.
const TRAIL_RATE: f64 = 120.0;
const MOST_TRAIL_POINTS: f64 = 1200.0;

/// How long impulses are gathered for stills `[s]`.
const STILL_WINDOW: f64 = 1.0 / 30.0;

/// What the ending of a file asks for; `is_sheet` if several times go into one picture.
pub(super) fn kind_of(path: &Path, is_sheet: bool) -> anyhow::Result<Kind> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match ending.as_str() {
        "png" if is_sheet => Ok(Kind::Sheet),
        "png" => Ok(Kind::Still),
        "gif" | "mp4" if is_sheet => bail!(
            "--at and --sheet make still pictures, but {} is an animation\nhint: write a .png, or use --from and --to",
            path.display()
        ),
        "gif" => Ok(Kind::Gif),
        "mp4" => Ok(Kind::Mp4),
        _ => bail!(
            "cannot tell what to make of {}\nhint: pictures end in .png, .gif or .mp4",
            path.display()
        ),
    }
}

/// The file that is written if none is named.
pub(super) fn default_output(scene: &str) -> PathBuf {
    let stem = Path::new(scene).file_stem().filter(|_| scene != "-");
    PathBuf::from(stem.unwrap_or("picture".as_ref())).with_added_extension("png")
}

impl Plan {
    /// For a run that ends at a time `[s]`.
    pub(super) fn new(options: &RenderOptions, kind: Kind, end: f64) -> anyhow::Result<Self> {
        let (from, to) = (options.from.unwrap_or(0.0), options.to.unwrap_or(end));
        if from > to {
            bail!("--from {from} is after the last time, {to} s");
        }
        let fps = options.fps.unwrap_or(if kind == Kind::Gif { 25.0 } else { 30.0 });
        let speed = options.speed.unwrap_or_else(|| fitting_speed(to - from));
        let panels = options.sheet.map_or(options.at.len(), |panels| panels.count);
        let times = match kind {
            Kind::Still => vec![options.at.first().copied().unwrap_or(to)],
            Kind::Sheet if !options.at.is_empty() => options.at.clone(),
            Kind::Sheet => evenly(from, to, panels),
            Kind::Gif | Kind::Mp4 => animated(from, to, speed, fps)?,
        };
        let columns = options.sheet.and_then(|panels| panels.columns);
        let size =
            options.size.unwrap_or(if kind == Kind::Sheet { [480, 360] } else { [640, 480] });
        let window = if kind.is_animation() { speed / fps } else { STILL_WINDOW };
        Ok(Self {
            kind,
            times,
            columns: columns.unwrap_or_else(|| Sheet::columns_for(panels)),
            fps,
            speed,
            size,
            window,
            trails: options.trails,
            contacts: options.contacts,
        })
    }

    /// The last time that is drawn `[s]`.
    pub(super) fn until(&self) -> f64 {
        self.times.iter().copied().fold(0.0, f64::max)
    }

    /// What has to be kept of the run.
    pub(super) fn film(&self) -> FilmOptions {
        let mut film = FilmOptions::at(self.times.iter().copied());
        if self.trails {
            let until = self.until();
            let count = (until * TRAIL_RATE).ceil().min(MOST_TRAIL_POINTS);
            film = film.with_trails((0..count as usize).map(|n| until * n as f64 / count));
        }
        if self.contacts { film.with_touches(self.window) } else { film }
    }
}

/// The times of an animation.
fn animated(from: f64, to: f64, speed: f64, fps: f64) -> anyhow::Result<Vec<f64>> {
    let count = ((to - from) / speed * fps + ROUNDING).floor();
    if count > MOST_PICTURES {
        bail!(
            "the animation would have {count:.0} pictures, more than {MOST_PICTURES}\n\
             hint: --speed {} makes it shorter",
            speed * (count / MOST_PICTURES).ceil() * 10.0
        );
    }
    Ok((0..=count as usize).map(|n| (from + n as f64 * speed / fps).min(to)).collect())
}

/// So many times from the first to the last.
fn evenly(from: f64, to: f64, count: usize) -> Vec<f64> {
    let share = |n: usize| if count > 1 { n as f64 / (count - 1) as f64 } else { 1.0 };
    (0..count).map(|n| from + (to - from) * share(n)).collect()
}

/// The roundest speed at which a time lasts as long as people like to watch.
fn fitting_speed(time: f64) -> f64 {
    let [shortest, longest] = LENGTHS;
    let ladder = |n: i32| {
        let digit = [1.0, 2.0, 5.0][n.rem_euclid(3) as usize];
        let tens = n.div_euclid(3);
        (0..tens.abs()).fold(digit, |it, _| if tens < 0 { it / 10.0 } else { it * 10.0 })
    };
    if time > longest {
        return (1..60).map(ladder).find(|speed| time / speed <= longest).unwrap_or(1.0);
    }
    if time > 0.0 && time < shortest {
        return (1..60).map(|n| ladder(-n)).find(|it| time / it >= shortest).unwrap_or(1.0);
    }
    1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_round_and_lengths_pleasant() {
        for (time, speed) in [(5.0, 1.0), (60.0, 5.0), (20.0, 2.0), (1.5, 0.5), (0.01, 0.005)] {
            let found = fitting_speed(time);
            assert!((found / speed - 1.0).abs() < 1e-12, "{time}: {found}");
        }
        assert_eq!(fitting_speed(0.0), 1.0);
    }

    #[test]
    fn panels_go_from_the_first_to_the_last_time() {
        assert_eq!(evenly(1.0, 3.0, 3), [1.0, 2.0, 3.0]);
        assert_eq!(evenly(1.0, 3.0, 1), [3.0]);
    }

    #[test]
    fn the_name_of_the_picture_is_that_of_the_scene() {
        assert_eq!(default_output("a/b/toss.toml"), PathBuf::from("toss.png"));
        assert_eq!(default_output("coins"), PathBuf::from("coins.png"));
        assert_eq!(default_output("-"), PathBuf::from("picture.png"));
    }
}
