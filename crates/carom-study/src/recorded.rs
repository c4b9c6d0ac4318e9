//! The scene that a recording carries, with everything it was run with: what it takes to run it again.

use std::path::{Path, PathBuf};

use carom::{Regime, RestitutionLaw};
use carom_record::{EmbeddedFile, RecordingHeader, Selection};
use carom_scene::{ContactOverrides, EmbeddedFiles, Loaded, OnTouch, Options, Scene, Source, load};
use thiserror::Error;

use crate::given::{ActionError, Given};

/// Why a recording cannot be run again.
#[derive(Debug, Error)]
pub enum RecordedError {
    /// It carries no scene.
    #[error("it carries no scene, so it cannot be run again")]
    NoScene,
    /// It was made with a setting that is not known.
    #[error("the recording was made with --{option} {value}, which this version does not know")]
    Setting {
        /// The option of `carom run`.
        option: &'static str,
        /// Its value.
        value: String,
    },
    /// It has an action that is not known.
    #[error(transparent)]
    Action(#[from] ActionError),
}

/// The contact settings that a recording was made with on top of its scene.
///
/// # Errors
/// If this version does not know one of them.
pub fn contact_of(header: &RecordingHeader) -> Result<ContactOverrides, RecordedError> {
    fn known<T>(
        option: &'static str,
        name: Option<&String>,
        of_name: fn(&str) -> Option<T>,
    ) -> Result<Option<T>, RecordedError> {
        let Some(name) = name else { return Ok(None) };
        let unknown = || RecordedError::Setting { option, value: name.clone() };
        of_name(name).map(Some).ok_or_else(unknown)
    }
    Ok(ContactOverrides {
        on_touch: known("on-touch", header.on_touch.as_ref(), OnTouch::of_name)?,
        regime: known("regime", header.regime.as_ref(), Regime::of_name)?,
        envelope: header.envelope,
        law: known("law", header.law.as_ref(), RestitutionLaw::of_name)?,
    })
}

/// The actions that were taken while it ran.
///
/// # Errors
/// If this version does not know one of them.
pub fn given_of(header: &RecordingHeader) -> Result<Vec<Given>, RecordedError> {
    header.commands.iter().map(|it| Given::of_recorded(it).map_err(RecordedError::Action)).collect()
}

/// The scene that a recording carries; `limits` are those of the options.
///
/// # Errors
/// If it carries none, or was made with settings that are not known.
pub fn scene_of(header: &RecordingHeader, options: &Options) -> Result<Loaded, RecordedError> {
    let contact = contact_of(header)?;
    let path = header.scene.as_ref().ok_or(RecordedError::NoScene)?;
    let files = header.files.iter().map(|file| carom_scene::EmbeddedFile {
        path: file.path.clone(),
        bytes: file.bytes.clone().into(),
    });
    let files = EmbeddedFiles::new(files);
    let mut options = Options { contact, seed: Some(header.seed), ..options.clone() };
    options.overrides.clone_from(&header.overrides);
    let folders = header.files.iter().filter_map(|file| Path::new(&file.path).parent());
    let folders = folders.map(PathBuf::from).filter(|folder| folder.is_absolute());
    options.allow_paths.extend(folders);
    Ok(load(&Source::Path(PathBuf::from(path)), &options, &files))
}

/// What a recording of a scene says about its run, and what it holds.
pub fn header_of(
    scene: &Scene,
    version: &str,
    overrides: &[(String, String)],
    contact: ContactOverrides,
    given: &[Given],
) -> RecordingHeader {
    let mut header = RecordingHeader::new("carom", version);
    header.scene = scene.files.first().map(|file| file.path.clone());
    let embedded = |file: &carom_scene::EmbeddedFile| EmbeddedFile {
        path: file.path.clone(),
        bytes: file.bytes.to_vec(),
    };
    header.files = scene.files.iter().map(embedded).collect();
    header.overrides = overrides.to_vec();
    header.commands = given.iter().map(Given::to_recorded).collect();
    header.seed = scene.seed;
    let ContactOverrides { on_touch, regime, envelope, law } = contact;
    header.on_touch = on_touch.map(|it| it.name().to_owned());
    header.regime = regime.map(|it| it.name().to_owned());
    header.envelope = envelope;
    header.law = law.map(|it| it.name().to_owned());
    for body in &scene.bodies {
        if let Some(color) = body.color {
            let [r, g, b] = color.map(|part| f64::from(part) / 255.0);
            header.colors.insert(body.name.clone(), [r, g, b, 1.0]);
        }
    }
    header
}

/// What a scene asks to be recorded.
pub fn options_of(scene: &Scene, foxglove: bool) -> carom_record::Options {
    let everybody = scene.record.bodies.len() == scene.bodies.len();
    let names = || scene.record.bodies.iter().map(|&index| scene.bodies[index].name.clone());
    carom_record::Options {
        rate_hz: scene.record.rate_hz,
        bodies: if everybody { Selection::All } else { Selection::Named(names().collect()) },
        events: scene.record.events,
        foxglove,
    }
}
