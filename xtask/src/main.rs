//! The commands of the project itself: `cargo xtask test` runs every check there is, `cargo xtask book` writes
//! pages of the manual.
//!
//! Takes words, gives lines on standard output and an exit code. The checks stand in one table,
//! `steps.rs`; what they run is cargo, the `carom` command and a few readers of the tree. Nothing here
//! uses a crate of the simulator, so a broken simulator can still be checked.

mod args;
mod arrows;
mod book;
mod crew;
mod gltf;
mod hygiene;
mod libtest;
mod licences;
mod map;
mod metadata;
mod notices;
mod page;
mod process;
mod programs;
mod runner;
mod rust_text;
mod sizes;
mod sources;
mod spdx;
mod steps;
mod tally;
mod toolchain;
mod tracked;
mod validation;
mod viewer;

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;

use args::{Choice, Request};
use process::Project;
use runner::Output;
use steps::{STEPS, Step};
use tally::Skips;

/// How the program ends.
#[derive(Clone, Copy, Debug)]
enum Exit {
    AllFine = 0,
    SomethingFailed = 1,
    BadUse = 2,
}

fn main() -> ExitCode {
    let words: Vec<String> =
        env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let exit = match args::parse(&words, &steps::names()) {
        Ok(request) => answer(&request).unwrap_or_else(|error| {
            complain(&format!("{error:#}"));
            Exit::SomethingFailed
        }),
        Err(message) => {
            complain(&format!("{message}\n\nTry `cargo xtask --help`."));
            Exit::BadUse
        }
    };
    ExitCode::from(exit as u8)
}

fn answer(request: &Request) -> Result<Exit> {
    let mut out = io::stdout().lock();
    match request {
        Request::Help => write!(out, "{}", args::USAGE)?,
        Request::List => {
            for step in STEPS {
                writeln!(out, "{:10} {}", step.name, step.about)?;
            }
        }
        Request::Notices => {
            notices::write(&Project::find()?)?;
            writeln!(out, "wrote {}", notices::FILE)?;
        }
        Request::Test(choice) => return test(choice, &mut out),
        Request::Book(wishes) => book::write(&Project::find()?, wishes, &mut out)?,
    }
    Ok(Exit::AllFine)
}

fn test(choice: &Choice, out: &mut impl Write) -> Result<Exit> {
    let is_chosen =
        |step: &Step| choice.only.is_empty() || choice.only.iter().any(|name| name == step.name);
    let chosen: Vec<&Step> = STEPS.iter().filter(|step| is_chosen(step)).collect();
    let shown = if choice.verbose { Output::OfAll } else { Output::OfFailures };
    let skips = Skips::from_ci_variable(env::var("CI").ok().as_deref());
    let good = runner::run_all(&chosen, &Project::find()?, shown, skips, out)?;
    Ok(if good { Exit::AllFine } else { Exit::SomethingFailed })
}

/// Talks to whoever started the program; when even that fails there is nobody to tell.
fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "error: {message}");
}
