//! `carom bench`: Carom beside its peers.
//!
//! The peers live in a workspace of their own, whose program does the work; here it is found and run.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, anyhow};

use crate::Outcome;
use crate::interrupt::Asking;

/// Names the program, instead of where it is looked for.
const VARIABLE: &str = "CAROM_BENCH";

/// Its name.
const PROGRAM: &str = "carom-bench";

/// Where it is built, from the root of the project.
const BUILT: &str = "bench/target/release";

/// How it is built.
const HOW: &str = "cargo build --release --manifest-path bench/Cargo.toml --bin carom-bench";

/// Measure Carom beside other engines: what every scene costs, and how far off the answers are
///
/// SCENE is a file or the name of a built-in scene; without any, all built-in ones are run. Each is run by Carom on one thread,
/// by Rapier (f64) built from the same scene, and by MuJoCo where its Python package is installed, the peers at four step
/// sizes. Errors are in a quantity that the scene promises; ratios of cost are read at equal error, or where a peer cannot
/// reach ours, at its best.
/// The peers live in a workspace of their own that has to be built once; where it is not, the command says how.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  carom bench                                all scenes
  carom bench dominos --svg dominos.svg      one scene, with a picture of error against cost
  carom bench --scaling                      spheres in a box, boxes settling, blocks at rest

Variables: CAROM_BENCH names the program that measures, CAROM_PYTHON the interpreter that has the package mujoco

JSON keys: settings, scenes (scene, bodies, carom, quantity, error, promises, peers), scaling")]
pub(crate) struct BenchOptions {
    /// Scene files or built-in scenes
    pub(crate) scenes: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw error against cost, all engines in one picture
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Measure how cost grows with the number of bodies; scenes only if they are named
    #[arg(long)]
    pub(crate) scaling: bool,
}

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
    // It is interrupted by the same keys, and this command ends when it has.
    let _asking = Asking::new();
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
