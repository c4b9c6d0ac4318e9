//! What pictures are made of: a scene that is run, or a recording.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use carom_picture::{Camera, Film, FilmOptions, FilmWatch, Looks};
use carom_record::{Ending, Reader};
use carom_scene::{DiskFiles, Scene};
use carom_study::run::{End, RunError, watch};
use glam::DVec3;

use super::options::RenderOptions;
use crate::output::{colors, talk};
use crate::progress::Progress;
use crate::run::{accepted, recorded_scene};
use crate::scene::{find, is_recording, loading, missing, read};

/// Something to be drawn.
pub(super) enum Source {
    Scene(Box<Scene>),
    /// With the scene it carries, if that can be read.
    Recording {
        path: PathBuf,
        scene: Option<Box<Scene>>,
        end: f64,
    },
}

/// What came of making a film.
pub(super) enum Filmed {
    Film(Film),
    /// A film up to where the run broke down, and why.
    Broken(Film, String),
    /// The engine refused the scene, and said why.
    Refused,
    Interrupted,
}

impl Source {
    /// Reads what is to be drawn; none if its mistakes have been told.
    pub(super) fn prepare(options: &RenderOptions) -> anyhow::Result<Option<Self>> {
        if is_recording(&options.scene) {
            return Self::recording(options).map(Some);
        }
        let limits = loading(&options.loading).limits;
        let asked = find(&options.scene, limits.text_bytes)?;
        let contact = options.contact.overrides();
        let loaded = read(&asked.source, &options.loading, contact, &DiskFiles);
        Ok(accepted(loaded, options.quiet).map(|scene| Self::Scene(Box::new(scene))))
    }

    fn recording(options: &RenderOptions) -> anyhow::Result<Self> {
        let path = PathBuf::from(&options.scene);
        let given = &options.loading;
        if !given.set.is_empty() || given.seed.is_some() || !options.contact.overrides().is_empty()
        {
            bail!(
                "a recording is shown as it was: --set, --seed, --on-touch, --regime and --envelope do not go with it\n\
                 hint: render the scene itself to change something"
            );
        }
        if !path.exists() {
            return Err(missing(&options.scene));
        }
        let mut reader = open(&path)?;
        let end = match reader.ending() {
            Ending::Finished { end: Some(end), .. } => Some(*end),
            _ => None,
        };
        let end = match end {
            Some(end) => end,
            // Nobody said how it ended, so the last sample is the end.
            None => last_sample(&mut reader).with_context(|| options.scene.clone())?,
        };
        // A scene that this version cannot read only costs colours.
        let loaded = recorded_scene(reader.header(), &given.limit);
        let scene = loaded.and_then(|loaded| loaded.scene).map(Box::new);
        Ok(Self::Recording { path, scene, end })
    }

    fn scene(&self) -> Option<&Scene> {
        match self {
            Self::Scene(scene) => Some(scene),
            Self::Recording { scene, .. } => scene.as_deref(),
        }
    }

    /// When it ends `[s]`.
    pub(super) fn end(&self) -> f64 {
        match self {
            Self::Scene(scene) => scene.until,
            Self::Recording { end, .. } => *end,
        }
    }

    /// Whether it can go on beyond its end.
    pub(super) const fn is_recording(&self) -> bool {
        matches!(self, Self::Recording { .. })
    }

    /// What it is called in pictures.
    pub(super) fn title(&self, name: &str) -> String {
        let title = self.scene().map(|scene| scene.title.clone()).filter(|it| !it.is_empty());
        let stem =
            || Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        title.unwrap_or_else(stem)
    }

    /// Against gravity.
    pub(super) fn up(&self) -> DVec3 {
        let gravity = self.scene().map(|scene| scene.gravity);
        gravity.and_then(|gravity| (-gravity).try_normalize()).unwrap_or(DVec3::Z)
    }

    /// The camera that the scene asks for.
    pub(super) fn camera(&self) -> Option<Camera> {
        let camera = self.scene()?.camera?;
        Some(Camera {
            eye: camera.eye,
            target: camera.target,
            up: camera.up.unwrap_or_else(|| self.up()),
            fov: camera.fov.unwrap_or(Camera::DEFAULT_FOV),
        })
    }

    fn looks(&self) -> Looks {
        let mut looks = Looks::default();
        let Some(scene) = self.scene() else { return looks };
        for body in &scene.bodies {
            let of_material = scene.materials.get(body.material).and_then(|it| it.color);
            if let Some(color) = body.color.or(of_material) {
                looks.colors.insert(body.name.clone(), color);
            }
            looks.materials.insert(body.name.clone(), body.material);
        }
        looks
    }

    /// Runs the scene, or reads the recording.
    pub(super) fn film(
        &self,
        options: FilmOptions,
        until: f64,
        progress: &mut Progress,
    ) -> anyhow::Result<Filmed> {
        let looks = self.looks();
        let scene = match self {
            Self::Scene(scene) => scene,
            Self::Recording { path, .. } => {
                let mut reader = open(path)?;
                let film = Film::of_recording(&mut reader, &options, &looks);
                return Ok(Filmed::Film(film.with_context(|| path.display().to_string())?));
            }
        };
        let mut camera = FilmWatch::new(options);
        let (world, end) = match watch(scene, until, 1, &mut camera, progress) {
            Ok(ended) => ended,
            Err(RunError::Build(problems)) => {
                talk(problems.render(colors()).trim_end());
                return Ok(Filmed::Refused);
            }
            Err(RunError::Record(error)) => return Err(error.into()),
        };
        Ok(match end {
            End::Complete | End::Touched => Filmed::Film(camera.finish(&world, &looks)),
            End::Stopped => Filmed::Interrupted,
            End::Fault { message, .. } => Filmed::Broken(camera.finish_broken(&looks), message),
        })
    }
}

fn open(path: &Path) -> anyhow::Result<Reader<std::io::BufReader<std::fs::File>>> {
    Reader::open(path).with_context(|| path.display().to_string())
}

fn last_sample(
    reader: &mut Reader<std::io::BufReader<std::fs::File>>,
) -> Result<f64, carom_record::ReadError> {
    let mut last = 0.0;
    for sample in reader.samples() {
        last = sample?.time;
    }
    Ok(last)
}
