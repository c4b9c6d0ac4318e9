//! The runs that are open: scenes that run while people watch, and recordings.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;

use carom::RestitutionLaw;
use carom_record::{Ending, Message, ReadError, Reader, Sample};
use carom_scene::{
    ContactOverrides, DiskFiles, Loaded, Options, Parameter, Problems, Scene, Source, built_in,
    load,
};
use carom_study::given::Action;
use carom_study::recorded::{given_of, header_of, scene_of};
use glam::DVec3;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::sync::watch;

use crate::between;
use crate::describe::{self, Geometries};
use crate::history::{History, lock};
use crate::index::Index;
use crate::live::Live;

/// Runs that are open at most; the oldest is ended for another.
const MOST_RUNS: usize = 16;

/// What the person named when the viewer was started.
#[derive(Clone, Debug, Default)]
pub enum Subject {
    /// Nothing: the built-in scenes are shown.
    #[default]
    Gallery,
    /// A built-in scene.
    BuiltIn(String),
    /// A scene file.
    File(PathBuf),
    /// A recording.
    Recording(PathBuf),
}

/// What the page wants to see.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wish {
    scene: Option<String>,
    recording: Option<String>,
    #[serde(default)]
    set: Map<String, Value>,
    seed: Option<u64>,
    law: Option<String>,
}

/// A run that is open.
pub(crate) struct Run {
    pub(crate) id: String,
    pub(crate) name: String,
    /// What it is called where its scene has no title.
    label: String,
    pub(crate) history: Arc<History>,
    pub(crate) index: Arc<Mutex<Index>>,
    pub(crate) geometries: Mutex<Geometries>,
    /// Of a recording that carries none, none.
    pub(crate) scene: Option<Arc<Scene>>,
    /// Numbers of materials by names of bodies.
    pub(crate) materials: Mutex<BTreeMap<String, usize>>,
    /// None of a recording.
    pub(crate) live: Option<Live>,
    /// Told when it is ended, so that sockets do not outlive it.
    ended: watch::Sender<bool>,
    /// Tells when the scene's file has changed since this was opened.
    changes: Changes,
    pub(crate) overrides: Vec<(String, String)>,
    pub(crate) contact: ContactOverrides,
    defaults: Vec<Parameter>,
    /// What a recording's summary says of expectations.
    pub(crate) judged: Option<Value>,
    rate_hz: f64,
}

/// What is told of the scene's file when it changes.
pub(crate) type Changes = watch::Receiver<Arc<Value>>;

/// What a server gives to the runs that it opens.
#[derive(Clone)]
pub(crate) struct Given<'a> {
    /// In their names.
    pub(crate) salt: &'a str,
    /// What has been told before they are opened is not news to them.
    pub(crate) changes: Changes,
}

/// Why a run cannot be opened.
pub(crate) enum Refused {
    /// What is asked for is not there, or not to be had.
    NotThere(String),
    /// The scene has mistakes.
    Mistakes(Problems),
    /// The recording cannot be read.
    Read(ReadError),
}

/// All runs that are open.
#[derive(Default)]
pub(crate) struct Runs {
    open: BTreeMap<u64, Arc<Run>>,
    opened: u64,
}

impl Runs {
    /// A run by its name.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<Run>> {
        self.open.values().find(|run| run.id == id).cloned()
    }

    /// Ends a run.
    pub(crate) fn close(&mut self, id: &str) -> bool {
        let before = self.open.len();
        self.open.retain(|_, run| run.id != id || run.end());
        self.open.len() < before
    }

    fn add(&mut self, make: impl FnOnce(String) -> Run, salt: &str) -> Arc<Run> {
        self.opened += 1;
        // Other than those of a server that ran here before, which a page may still know.
        let id = format!("r{}-{}", self.opened, &salt[..salt.len().min(6)]);
        let run = Arc::new(make(id));
        self.open.insert(self.opened, Arc::clone(&run));
        while self.open.len() > MOST_RUNS
            && let Some((_, oldest)) = self.open.pop_first()
        {
            oldest.end();
        }
        run
    }
}

/// Opens what the page wants.
pub(crate) fn open(
    runs: &Mutex<Runs>,
    subject: &Subject,
    wish: &Wish,
    given: Given<'_>,
) -> Result<Arc<Run>, Refused> {
    if wish.recording.is_some() {
        let Subject::Recording(path) = subject else {
            return Err(Refused::NotThere("no recording was named on the command line".to_owned()));
        };
        return open_recording(runs, path, given);
    }
    let name = wish.scene.clone().unwrap_or_default();
    let (source, label) = match (name.as_str(), subject) {
        ("file", Subject::File(path)) => (Source::Path(path.clone()), stem(path)),
        (name, _) => match built_in(name) {
            Some(scene) => (Source::text(format!("{name}.toml"), scene.text), name.to_owned()),
            None => return Err(Refused::NotThere(format!("there is no scene \"{name}\""))),
        },
    };
    let law = wish.law.as_deref().map(|law| {
        let unknown = || Refused::NotThere(format!("there is no law \"{law}\""));
        RestitutionLaw::of_name(law).ok_or_else(unknown)
    });
    let contact = ContactOverrides { law: law.transpose()?, ..ContactOverrides::default() };
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let overrides: Vec<(String, String)> =
        wish.set.iter().map(|(name, value)| (name.clone(), text(value))).collect();
    let options =
        Options { overrides: overrides.clone(), seed: wish.seed, contact, ..Options::default() };
    let scene = checked(load(&source, &options, &DiskFiles))?;
    let defaults = load(&source, &Options::default(), &DiskFiles).scene;
    open_live(runs, Opened { name, label, scene, overrides, contact, defaults }, given)
}

/// The name of a file without its folder and its ending.
fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn checked(loaded: Loaded) -> Result<Scene, Refused> {
    match loaded.scene {
        Some(scene) if !loaded.problems.has_errors() => Ok(scene),
        _ => Err(Refused::Mistakes(loaded.problems)),
    }
}

/// A scene about to run.
struct Opened {
    name: String,
    label: String,
    scene: Scene,
    overrides: Vec<(String, String)>,
    contact: ContactOverrides,
    defaults: Option<Scene>,
}

fn open_live(runs: &Mutex<Runs>, opened: Opened, given: Given<'_>) -> Result<Arc<Run>, Refused> {
    let Opened { name, label, scene, overrides, contact, defaults } = opened;
    let colors = header_of(&scene, "", &[], contact, &[]).colors;
    let scene = Arc::new(scene);
    let (history, index) = (Arc::new(History::live()), Arc::new(Mutex::new(Index::default())));
    let started = Live::start(Arc::clone(&scene), colors, Arc::clone(&history), Arc::clone(&index));
    let live = started.map_err(Refused::Mistakes)?;
    let rate_hz = scene.record.rate_hz;
    let run = |id| Run {
        id,
        name,
        label,
        history,
        index,
        geometries: Mutex::default(),
        materials: Mutex::new(materials_of(&scene)),
        scene: Some(scene),
        live: Some(live),
        ended: watch::Sender::new(false),
        changes: given.changes,
        overrides,
        contact,
        defaults: defaults.map(|it| it.parameters).unwrap_or_default(),
        judged: None,
        rate_hz,
    };
    Ok(lock(runs).add(run, given.salt))
}

fn open_recording(runs: &Mutex<Runs>, path: &Path, given: Given<'_>) -> Result<Arc<Run>, Refused> {
    let reader = Reader::open(path).map_err(Refused::Read)?;
    let loaded = scene_of(reader.header(), &Options::default()).ok();
    let scene = loaded.and_then(|loaded| loaded.scene).map(Arc::new);
    let judged = match reader.ending() {
        Ending::Finished { summary, .. } => {
            let summary: Value = serde_json::from_str(summary).unwrap_or_default();
            summary.get("expectations").cloned()
        }
        _ => None,
    };
    let (rate_hz, header) = (reader.rate_hz(), reader.header().clone());
    let history = Arc::new(History::of(reader));
    let index = Arc::new(Mutex::new(Index::default()));
    lock(&index).span = span_of(&history).map_err(Refused::Read)?;
    read_ahead(&history, &index, path.to_owned());
    let mut materials = scene.as_deref().map(materials_of).unwrap_or_default();
    for action in given_of(&header).unwrap_or_default().into_iter().map(|it| it.action) {
        materials.extend(scene.as_deref().and_then(|scene| material_of(&action, scene)));
    }
    let name = stem(path);
    let run = |id| Run {
        id,
        label: name.clone(),
        name,
        history,
        index,
        geometries: Mutex::default(),
        materials: Mutex::new(materials),
        scene,
        live: None,
        ended: watch::Sender::new(false),
        changes: given.changes,
        overrides: header.overrides,
        contact: ContactOverrides::default(),
        defaults: Vec::new(),
        judged,
        rate_hz,
    };
    Ok(lock(runs).add(run, given.salt))
}

fn materials_of(scene: &Scene) -> BTreeMap<String, usize> {
    scene.bodies.iter().map(|body| (body.name.clone(), body.material)).collect()
}

/// A body that an action adds, and the number of its material.
pub(crate) fn material_of(action: &Action, scene: &Scene) -> Option<(String, usize)> {
    let Action::Add { name, material: Some(material), .. } = action else { return None };
    let number = scene.materials.iter().position(|it| it.name == *material)?;
    Some((name.clone(), number))
}

/// From the first to the last sample of a recording, of which no more is read than its ends.
fn span_of(history: &History) -> Result<Option<[f64; 2]>, ReadError> {
    let time = |message: &Message| match message {
        Message::Sample(sample) => Some(sample.time),
        _ => None,
    };
    let (mut first, mut last) = (None, None);
    for place in 0..history.count() {
        first = history.chunk(place)?.iter().find_map(time);
        if first.is_some() {
            break;
        }
    }
    for place in (0..history.count()).rev() {
        // Where the end of the file is damaged, the last chunk that can be read counts.
        last = history.chunk(place).ok().and_then(|chunk| chunk.iter().rev().find_map(time));
        if last.is_some() {
            break;
        }
    }
    Ok(first.zip(last).map(|(first, last)| [first, last]))
}

/// Chunks that are read before a recording is shown: the scene, its bodies and the first samples.
const FIRST_CHUNKS: usize = 3;

/// Goes over a recording once: its beginning now, the rest aside, through a reader of its own.
fn read_ahead(history: &Arc<History>, index: &Arc<Mutex<Index>>, path: PathBuf) {
    for place in 0..FIRST_CHUNKS.min(history.count()) {
        if let Ok(chunk) = history.chunk(place) {
            let mut index = lock(index);
            for message in &*chunk {
                index.add(message);
            }
        }
    }
    let (count, index) = (history.count(), Arc::downgrade(index));
    let rest = move || -> Result<(), ReadError> {
        let mut reader = Reader::new(BufReader::new(File::open(path)?))?;
        for place in FIRST_CHUNKS..count {
            let chunk = reader.chunk(place)?;
            let Some(index) = index.upgrade() else { return Ok(()) };
            let mut index = lock(&index);
            for message in &chunk {
                index.add(message);
            }
        }
        Ok(())
    };
    // Where the file is damaged, what was read before counts.
    drop(thread::Builder::new().name("carom index".to_owned()).spawn(rest));
}

impl Run {
    /// Tells those who listen that it is ended; false, for it is kept no longer.
    fn end(&self) -> bool {
        self.ended.send_replace(true);
        false
    }

    /// Tells when the scene's file has changed since this was opened.
    pub(crate) fn changes(&self) -> Changes {
        self.changes.clone()
    }

    /// Tells when it is ended.
    pub(crate) fn ended(&self) -> watch::Receiver<bool> {
        self.ended.subscribe()
    }

    /// States at times in ascending order, each worked out from what happened before it.
    ///
    /// # Errors
    /// If the recording is damaged there.
    pub(crate) fn samples_at(&self, times: &[f64]) -> Result<Vec<Sample>, ReadError> {
        let flyers = lock(&self.index).flyers();
        let newest = self.live.as_ref().map(|live| live.state.borrow().clone());
        let newest = newest.as_ref().map(|it| &it.sample);
        let gravity = self.gravity_at(times.first().copied().unwrap_or_default());
        between::samples_at(&self.history, &flyers, gravity, newest, times)
    }

    /// Gravity at a time, for potential energy `[m/s²]`.
    pub(crate) fn gravity_at(&self, time: f64) -> DVec3 {
        let told = lock(&self.index).gravity_at(time);
        told.or_else(|| self.scene.as_ref().map(|it| it.gravity)).unwrap_or_default()
    }

    /// What the page is told before it shows a run.
    pub(crate) fn describe(&self) -> Value {
        let mut about = match &self.scene {
            Some(scene) => describe::scene(scene, &self.defaults, &self.overrides),
            None => {
                json!({ "title": self.name, "description": "", "parameters": [], "materials": [],
                            "laws": [], "gauges": [], "camera": null, "up": [0, 0, 1], "gravity_m_s2": [0, 0, 0],
                            "seed": 0, "until_s": 0, "bounds_m": [[-1, -1, -1], [1, 1, 1]] })
            }
        };
        if about["title"] == "" {
            about["title"] = json!(self.label);
        }
        let span = lock(&self.index).span.unwrap_or([0.0; 2]);
        about["run"] = json!(self.id);
        about["kind"] = json!(if self.live.is_some() { "live" } else { "recording" });
        about["name"] = json!(self.label);
        about["rate_hz"] = json!(self.rate_hz);
        about["law"] = json!(self.contact.law.map(RestitutionLaw::name));
        about["span_s"] = json!(span);
        about["is_complete"] = json!(self.live.is_none());
        about
    }
}
