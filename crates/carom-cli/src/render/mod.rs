//! `carom render`: pictures of a run.

mod options;
mod plan;
mod source;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{anyhow, bail};
use carom::Short;
use carom_picture::{
    Animation, Camera, Film, PictureError, PictureOptions, Projector, Sheet, write_gif, write_mp4,
    write_png,
};
use serde_json::{Value, json};

pub(crate) use options::RenderOptions;

use crate::Outcome;
use crate::output::{answer, answer_json, counted, talk};
use crate::progress::Progress;
use crate::run::refuse_own_input;
use plan::{Kind, Plan, default_output, kind_of};
use source::{Filmed, Source};

pub(crate) fn run(options: &RenderOptions) -> anyhow::Result<Outcome> {
    let output = options.output.clone().unwrap_or_else(|| default_output(&options.scene));
    let kind = kind_of(&output, options.sheet.is_some() || options.at.len() > 1)?;
    check_words(options, kind)?;
    if kind == Kind::Mp4 {
        find_ffmpeg()?;
    }
    refuse_own_input(&output, &options.scene)?;
    let Some(source) = Source::prepare(options)? else { return Ok(Outcome::CheckFailed) };
    let mut plan = plan(options, kind, &source)?;
    let mut progress = Progress::new(!options.quiet && !options.json);
    let started = Instant::now();
    let filmed = source.film(plan.film(), plan.until(), &mut progress);
    progress.clear();
    let (film, broken) = match filmed? {
        Filmed::Film(film) => (film, None),
        Filmed::Broken(film, message) => (film, Some(message)),
        Filmed::Refused => return Ok(Outcome::CheckFailed),
        Filmed::Interrupted => {
            talk("interrupted; nothing is drawn");
            return Ok(Outcome::Interrupted);
        }
    };
    let run_s = started.elapsed().as_secs_f64();
    shorten(&mut plan, &film, options);
    if !plan.times.is_empty() {
        let drawing = Drawing { options, source: &source, plan: &plan, output: &output };
        if let Some(outcome) = drawing.draw(&film, &mut progress, run_s)? {
            return Ok(outcome);
        }
    }
    match broken {
        None if plan.times.is_empty() => bail!(PictureError::NoFrames),
        None => Ok(Outcome::Done),
        Some(message) => bail!("the run ended early, {message}"),
    }
}

/// What is drawn, of a recording no later than its end.
fn plan(options: &RenderOptions, kind: Kind, source: &Source) -> anyhow::Result<Plan> {
    let mut plan = Plan::new(options, kind, source.end())?;
    if source.is_recording() {
        let end = source.end();
        if plan.until() > end && !options.quiet {
            talk(&format!(
                "the recording ends at {} s, which is shown instead of later times",
                Short(end)
            ));
        }
        plan.times.iter_mut().for_each(|time| *time = time.min(end));
    }
    Ok(plan)
}

/// Refuses words that say nothing about what is made.
fn check_words(options: &RenderOptions, kind: Kind) -> anyhow::Result<()> {
    if !kind.is_animation() && (options.fps.is_some() || options.speed.is_some()) {
        bail!(
            "--fps and --speed are for animations\nhint: name an output that ends in .gif or .mp4"
        );
    }
    if kind == Kind::Still && (options.from.is_some() || options.to.is_some()) {
        bail!(
            "--from and --to are for sheets and animations\nhint: --at T says when a still is taken"
        );
    }
    if kind.is_animation() && !options.at.is_empty() {
        bail!("--at is for still pictures\nhint: --from and --to say what an animation shows");
    }
    Ok(())
}

/// The program that makes videos.
fn ffmpeg() -> PathBuf {
    std::env::var_os("CAROM_FFMPEG").map_or_else(|| PathBuf::from("ffmpeg"), PathBuf::from)
}

/// Looks for it before anything is run.
fn find_ffmpeg() -> anyhow::Result<()> {
    let program = ffmpeg();
    let mut command = Command::new(&program);
    command.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.status() {
        Ok(_) => Ok(()),
        Err(source) => Err(PictureError::NoFfmpeg { program, source }.into()),
    }
}

/// Takes away the times that a run did not come to, but for its end.
fn shorten(plan: &mut Plan, film: &Film, options: &RenderOptions) {
    let Some(last) = film.frames.last().map(|frame| frame.time) else {
        plan.times.clear();
        return;
    };
    if plan.until() <= last {
        return;
    }
    if !options.quiet {
        talk(&format!("the run ended at {} s, which is shown instead of later times", Short(last)));
    }
    plan.times.iter_mut().for_each(|time| *time = time.min(last));
    plan.times.dedup();
}

/// Says who cannot be seen in the last picture.
fn tell_out_of_frame(names: &[&str]) {
    let others = match names.len() {
        0 => return,
        1 => String::new(),
        2 => " and another body".to_owned(),
        count => format!(" and {} other bodies", count - 1),
    };
    talk(&format!(
        "note: \"{}\"{others} cannot be seen in the last picture\nhint: --camera looks from elsewhere",
        names[0]
    ));
}

/// Pictures in the making.
struct Drawing<'a> {
    options: &'a RenderOptions,
    source: &'a Source,
    plan: &'a Plan,
    output: &'a Path,
}

impl Drawing<'_> {
    /// Draws and tells; some outcome if it was interrupted.
    fn draw(
        &self,
        film: &Film,
        progress: &mut Progress,
        run_s: f64,
    ) -> anyhow::Result<Option<Outcome>> {
        let started = Instant::now();
        let frames: Vec<usize> =
            self.plan.times.iter().filter_map(|it| film.nearest(*it)).collect();
        let threads = self.options.threads.map_or_else(cores, usize::from);
        let picture = PictureOptions {
            size: self.plan.size,
            camera: self.camera(),
            up: self.source.up(),
            frames: Some(frames.clone()),
            trails: self.options.trails,
            touches: self.options.contacts,
            threads,
        };
        let projector = Projector::new(film, &picture);
        if let (Some(last), false) = (frames.last(), self.options.quiet) {
            tell_out_of_frame(&projector.out_of_frame(*last));
        }
        let written = self.write(&projector, frames, progress);
        progress.clear();
        match written {
            Ok(()) => {}
            Err(PictureError::Interrupted { pictures }) => {
                talk(&self.interrupted(pictures));
                return Ok(Some(Outcome::Interrupted));
            }
            Err(error) => return Err(advised(error)),
        }
        self.tell(projector.camera(), run_s, started.elapsed().as_secs_f64())?;
        Ok(None)
    }

    fn write(
        &self,
        projector: &Projector<'_>,
        frames: Vec<usize>,
        progress: &mut Progress,
    ) -> Result<(), PictureError> {
        let title = self.title();
        let Plan { kind, columns, fps, .. } = *self.plan;
        let mut goes_on = |done: usize, all: usize| progress.pictures(done, all);
        match kind {
            Kind::Still => {
                let frame = frames.first().copied().unwrap_or_default();
                write_png(&projector.still(frame, &title), self.output)
            }
            Kind::Sheet => {
                let sheet = Sheet { frames, columns, title };
                write_png(&sheet.image(projector, &mut goes_on)?, self.output)
            }
            Kind::Gif => {
                let animation = Animation { frames, fps, title };
                write_gif(projector, &animation, self.output, &mut goes_on)
            }
            Kind::Mp4 => {
                let animation = Animation { frames, fps, title };
                write_mp4(projector, &animation, self.output, &ffmpeg(), &mut goes_on)
            }
        }
    }

    /// What is left of an animation that was ended early.
    fn interrupted(&self, pictures: usize) -> String {
        let output = self.output.display();
        match pictures {
            0 => format!("interrupted; {output} is not written"),
            n => {
                let pictures = counted(n as u64, "picture");
                format!("interrupted; {output} ends after {pictures} of {}", self.plan.times.len())
            }
        }
    }

    fn title(&self) -> String {
        let title = self.source.title(&self.options.scene);
        match self.plan.speed {
            speed if self.plan.kind.is_animation() && speed != 1.0 => {
                format!("{title} ({speed}× speed)")
            }
            _ => title,
        }
    }

    /// The camera of the option, else of the scene.
    fn camera(&self) -> Option<Camera> {
        let Some(given) = self.options.camera else { return self.source.camera() };
        Some(Camera {
            eye: given.eye,
            target: given.target.unwrap_or_default(),
            up: given.up.unwrap_or_else(|| self.source.up()),
            fov: given.fov.unwrap_or(Camera::DEFAULT_FOV),
        })
    }

    fn tell(&self, camera: &Camera, run_s: f64, draw_s: f64) -> anyhow::Result<()> {
        if self.options.json {
            return answer_json(&self.json(camera, run_s, draw_s));
        }
        if self.options.quiet {
            return Ok(());
        }
        let Plan { times, size: [width, height], .. } = self.plan;
        let (first, last) = (times.first().copied(), times.last().copied());
        let (first, last) = (first.unwrap_or_default(), last.unwrap_or_default());
        let what = match self.plan.kind {
            Kind::Still if self.options.at.is_empty() => {
                format!(
                    "{width}×{height}, the end at {last} s (--at T shows another time, --sheet several)"
                )
            }
            Kind::Still => format!("{width}×{height}, at {last} s"),
            Kind::Sheet => {
                let panels = counted(times.len() as u64, "panel");
                format!("{panels} of {width}×{height} from {first} to {last} s")
            }
            Kind::Gif | Kind::Mp4 => {
                let pictures = counted(times.len() as u64, "picture");
                let (fps, speed) = (self.plan.fps, self.plan.speed);
                format!(
                    "{pictures} of {width}×{height}, {fps} a second, from {first} to {last} s at {speed} times real time"
                )
            }
        };
        let how = if self.source.is_recording() { "read" } else { "run" };
        let output = self.output.display();
        answer(&format!("wrote {output}: {what}; {how} in {run_s:.2} s, drawn in {draw_s:.2} s"))
    }

    fn json(&self, camera: &Camera, run_s: f64, draw_s: f64) -> Value {
        let of_animation = |value: f64| self.plan.kind.is_animation().then_some(value);
        json!({
            "output": self.output,
            "kind": self.plan.kind.name(),
            "size": self.plan.size,
            "times_s": self.plan.times,
            "speed": of_animation(self.plan.speed),
            "fps": of_animation(self.plan.fps),
            "run_s": run_s,
            "draw_s": draw_s,
            "camera": {
                "eye_m": camera.eye.to_array(),
                "target_m": camera.target.to_array(),
                "up": camera.up.to_array(),
                "fov_deg": camera.fov.to_degrees(),
            },
        })
    }
}

/// What to do when the file cannot be made.
fn advised(error: PictureError) -> anyhow::Error {
    match &error {
        PictureError::Write { path, source } if source.kind() == std::io::ErrorKind::NotFound => {
            let folder = path.parent().unwrap_or(Path::new("")).display();
            anyhow!("{error}\nhint: there is no folder {folder}")
        }
        _ => error.into(),
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
