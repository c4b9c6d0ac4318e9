//! Finding and reading scenes.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use carom_scene::{
    BUILT_IN, DiskFiles, Files, Loaded, Options, Source, built_in, json_schema, load,
};
use serde::Serialize;

use crate::Outcome;
use crate::args::LoadOptions;
use crate::output::{answer, answer_json};
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
        let mut text = String::new();
        let mut input = std::io::stdin().lock().take(max_bytes + 1);
        input.read_to_string(&mut text).context("standard input is not text")?;
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
    if path.exists() {
        bail!("{name} is not a file");
    }
    let names = || BUILT_IN.iter().map(|scene| scene.name);
    let near = nearest(name, names()).map(str::to_owned).or_else(|| nearest_file(path));
    let hint = near.map_or_else(
        || format!("built-in scenes are {}", names().collect::<Vec<_>>().join(", ")),
        |near| format!("did you mean {near}?"),
    );
    bail!("there is no scene {name}: neither a file nor a built-in scene\nhint: {hint}");
}

/// Reads a scene as the options say.
pub(crate) fn read(source: &Source, options: &LoadOptions, files: &dyn Files) -> Loaded {
    load(source, &loading(options), files)
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
}

/// Lists the built-in scenes.
pub(crate) fn list(json: bool) -> anyhow::Result<Outcome> {
    let mut scenes = Vec::new();
    for scene in BUILT_IN {
        let loaded = load(&Source::text(scene.name, scene.text), &Options::default(), &DiskFiles);
        let found = loaded.scene.with_context(|| loaded.problems.render(false))?;
        let (title, description) = (found.title, found.description);
        scenes.push(Listed { name: scene.name, title, description });
    }
    if json {
        answer_json(&scenes)?;
        return Ok(Outcome::Done);
    }
    let widest = scenes.iter().map(|scene| scene.name.len()).max().unwrap_or_default();
    let line = |scene: &Listed| format!("{:widest$}  {}\n", scene.name, scene.description);
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
