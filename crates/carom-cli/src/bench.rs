//! `carom bench`: Carom beside its peers.
//!
//! The peers live in a workspace of their own, whose program does the work; here it is found and run.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, anyhow};

use crate::Outcome;
use crate::args::BenchOptions;

/// Names the program, instead of where it is looked for.
const VARIABLE: &str = "CAROM_BENCH";

/// Its name.
const PROGRAM: &str = "carom-bench";

/// Where it is built, from the root of the project.
const BUILT: &str = "bench/target/release";

/// How it is built.
const HOW: &str = "cargo build --release --manifest-path bench/Cargo.toml --bin carom-bench";

pub(crate) fn run(options: &BenchOptions) -> anyhow::Result<Outcome> {
    let program = find()?;
    let mut command = Command::new(&program);
    command.args(&options.scenes);
    if options.json {
        command.arg("--json");
    }
    if options.scaling {
        command.arg("--scaling");
    }
    if let Some(file) = &options.svg {
        command.arg("--svg").arg(file);
    }
    let status =
        command.status().with_context(|| format!("{} cannot be run", program.display()))?;
    match status.code() {
        Some(0) => Ok(Outcome::Done),
        Some(130) | None => Ok(Outcome::Interrupted),
        Some(_) => Err(anyhow!("the benchmark failed")),
    }
}

/// The program: named, beside this one, or built in a project around this one or the current folder.
fn find() -> anyhow::Result<PathBuf> {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    if let Some(named) = std::env::var_os(VARIABLE) {
        let named = PathBuf::from(named);
        return if named.is_file() { Ok(named) } else { Err(missing(&named)) };
    }
    let this = std::env::current_exe().ok();
    let here = std::env::current_dir().ok();
    let beside = this.as_ref().map(|this| this.with_file_name(&name));
    let around = [this.as_deref(), here.as_deref()].into_iter().flatten();
    let built = around.flat_map(Path::ancestors).map(|folder| folder.join(BUILT).join(&name));
    let found = beside.into_iter().chain(built).find(|file| file.is_file());
    found.ok_or_else(|| missing(&Path::new(BUILT).join(&name)))
}

fn missing(program: &Path) -> anyhow::Error {
    anyhow!(
        "the benchmark is not built: there is no {}\n\
         hint: in the project's folder, {HOW}\n\
         hint: {VARIABLE} names a program that is elsewhere",
        program.display()
    )
}
