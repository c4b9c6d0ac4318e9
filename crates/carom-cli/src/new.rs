//! `carom new`: a commented scene to start from.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};

use crate::Outcome;
use crate::args::NewOptions;
use crate::output::answer;

pub(crate) fn run(options: &NewOptions) -> anyhow::Result<Outcome> {
    let typed = Path::new(&options.name);
    let is_toml = typed.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
    let path = if is_toml { typed.to_owned() } else { typed.with_added_extension("toml") };
    let Some(title) = path.file_stem().and_then(|stem| stem.to_str()) else {
        bail!("\"{}\" is no name for a scene", options.name);
    };
    let shown = path.display();
    let file = OpenOptions::new().write(true).create_new(true).open(&path);
    let exists = |error: &std::io::Error| error.kind() == std::io::ErrorKind::AlreadyExists;
    if file.as_ref().is_err_and(exists) {
        bail!("{shown} is there already\nhint: choose another name, or remove the file first");
    }
    let mut file = file.with_context(|| format!("cannot write {shown}"))?;
    file.write_all(carom_scene::starter(title).as_bytes())
        .with_context(|| format!("cannot write {shown}"))?;
    answer(&format!("wrote {shown}\ncarom run {shown} runs it"))?;
    Ok(Outcome::Done)
}
