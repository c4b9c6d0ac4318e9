//! Finding and reading scenes.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use carom_scene::{
    BUILT_IN, ContactOverrides, DiskFiles, Expectation, Files, Loaded, Options, Source, built_in,
    json_schema, load,
};
use serde::Serialize;

use crate::Outcome;
use crate::args::LoadOptions;
use crate::help::wrapped_to;
use crate::output::{answer, answer_json, width};
use crate::report::expected_json;
use crate::suggest::{nearest, nearest_file};

/// A scene as it was asked for.
pub(crate) struct Asked {
    /// What it is called in answers.
    pub(crate) name: String,
    pub(crate) source: Source,
}

/// Where the scene is that a person means by a name.
pub(crate) fn find(name: &str, max_bytes: u64) -> anyhow::Result<Asked> {
    if name == "-" {
        let text = standard_input(max_bytes)?;
        let source =
            Source::Text { name: "standard input".to_owned(), text, folder: PathBuf::new() };
        return Ok(Asked { name: "-".to_owned(), source });
    }
    let path = Path::new(name);
    if path.is_file() {
        return Ok(Asked { name: name.to_owned(), source: Source::Path(path.to_owned()) });
    }
    if let Some(scene) = built_in(name) {
        let source = Source::text(format!("{name}.toml"), scene.text);
        return Ok(Asked { name: name.to_owned(), source });
    }
    if path.is_dir() {
        bail!("{name} is a folder, not a scene");
    }
    if path.exists() {
        bail!("{name} is not a plain file\nhint: `carom run -` reads standard input");
    }
    Err(missing(name))
}

/// That there is nothing of this name, and what may be meant.
pub(crate) fn missing(name: &str) -> anyhow::Error {
    let path = Path::new(name);
    let recording = is_recording(name);
    let names = || BUILT_IN.iter().map(|scene| scene.name);
    let with_ending = || {
        let file = path.with_added_extension("toml");
        file.is_file().then(|| file.display().to_string())
    };
    let built_in = || nearest(name, names()).filter(|_| !recording).map(str::to_owned);
    let near = with_ending().or_else(built_in).or_else(|| nearest_file(path));
    let hint = match near {
        Some(near) => format!("\nhint: did you mean {near}?"),
        None if recording => String::new(),
        None => {
            format!("\nhint: built-in scenes are {}", names().collect::<Vec<_>>().join(", "))
        }
    };
    if recording {
        return anyhow!("there is no recording {name}{hint}");
    }
    if names().any(|scene| scene == name) {
        return anyhow!(
            "{name} is a scene, not a recording\nhint: record it first: carom run {name} -o {name}.mcap"
        );
    }
    anyhow!("there is no scene {name}: neither a file nor a built-in scene{hint}")
}

/// Whether a name is that of a recording.
pub(crate) fn is_recording(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("mcap"))
}

/// What comes from outside, up to one byte more than is allowed, so that the limit is seen to be passed.
fn standard_input(max_bytes: u64) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let mut input = std::io::stdin().lock().take(max_bytes.saturating_add(1));
    input.read_to_end(&mut bytes).context("cannot read standard input")?;
    // A text beyond the limit may be cut within a letter.
    if bytes.len() as u64 > max_bytes {
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    String::from_utf8(bytes).context("standard input is not text in UTF-8")
}

/// Reads a scene as the options say.
pub(crate) fn read(
    source: &Source,
    options: &LoadOptions,
    contact: ContactOverrides,
    files: &dyn Files,
) -> Loaded {
    load(source, &Options { contact, ..loading(options) }, files)
}

/// The options of the library.
pub(crate) fn loading(options: &LoadOptions) -> Options {
    let mut loading = Options {
        overrides: options.set.clone(),
        seed: options.seed,
        allow_paths: options.allow_path.clone(),
        ..Options::default()
    };
    for &(limit, value) in &options.limit {
        loading.limits.set(limit, value);
    }
    loading
}

/// A built-in scene in the list.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    title: String,
    description: String,
    expectations: Vec<Promised>,
}

/// A number that a scene promises.
#[derive(Serialize)]
struct Promised {
    what: String,
    /// A number, or the ends between which it must lie.
    expected: serde_json::Value,
    tolerance: f64,
    source: String,
    /// Whether it is one of those that prove the scene.
    proof: bool,
}

impl Promised {
    fn of(expectation: Expectation) -> Self {
        Self {
            what: expectation.what,
            expected: expected_json(expectation.bound),
            tolerance: expectation.tolerance,
            source: expectation.source,
            proof: expectation.proof,
        }
    }
}

/// Lists the built-in scenes.
pub(crate) fn list(json: bool) -> anyhow::Result<Outcome> {
    let mut scenes = Vec::new();
    for scene in BUILT_IN {
        let loaded = load(&Source::text(scene.name, scene.text), &Options::default(), &DiskFiles);
        let found = loaded.scene.with_context(|| loaded.problems.render(false))?;
        let (title, description) = (found.title, found.description);
        let expectations = found.expectations.into_iter().map(Promised::of).collect();
        scenes.push(Listed { name: scene.name, title, description, expectations });
    }
    if json {
        answer_json(&scenes)?;
        return Ok(Outcome::Done);
    }
    let widest = scenes.iter().map(|scene| scene.name.len()).max().unwrap_or_default();
    let room = width().map_or(usize::MAX, |width| width.saturating_sub(widest + 2).max(20));
    let line = |scene: &Listed| {
        let about =
            wrapped_to(&scene.description, room).replace('\n', &format!("\n{:widest$}  ", ""));
        format!("{:widest$}  {about}\n", scene.name)
    };
    let lines: String = scenes.iter().map(line).collect();
    answer(&format!(
        "{lines}\ncarom run NAME runs one of them; its text is in scenes/NAME.toml\n"
    ))?;
    Ok(Outcome::Done)
}

/// Prints the JSON Schema of scene files.
pub(crate) fn schema() -> anyhow::Result<Outcome> {
    answer_json(&json_schema())?;
    Ok(Outcome::Done)
}
