//! The `carom` command.
//!
//! What was typed becomes [`args::Command`]; each command has a file of its own that turns it into calls of the
//! libraries and their answers into text or JSON. Answers go to standard output, talk to standard error.
//! Exit status: 0 done, 1 a check failed, 2 it could not be done, 130 interrupted; `exits.rs` has it in detail.

mod args;
mod audit;
mod bench;
mod check;
mod compare;
mod contacts;
mod data;
mod distance;
mod exits;
mod export;
mod help;
mod import;
mod interrupt;
mod licenses;
mod man;
mod mass;
mod new;
mod output;
mod plot;
mod progress;
mod reference;
mod render;
mod report;
mod run;
mod scene;
mod study;
mod suggest;
mod sweep;
mod table;
mod touches;
mod validate;
mod view;

use std::process::ExitCode;

/// How a command ended; what could not be done at all is an error instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Everything asked for was done and holds.
    Done,
    /// It was done, and a check failed.
    CheckFailed,
    /// The person ended it.
    Interrupted,
}

fn main() -> ExitCode {
    let arguments = args::read().unwrap_or_else(|error| error.exit());
    interrupt::watch();
    let result = match &arguments.command {
        args::Command::Run(options) => run::run(options),
        args::Command::View(options) => view::run(options),
        args::Command::Render(options) => render::run(options),
        args::Command::Sweep(options) => sweep::run(options),
        args::Command::Compare(options) => compare::run(options),
        args::Command::Plot(options) => plot::run(options),
        args::Command::Export(options) => export::run(options),
        args::Command::Import(options) => import::run(options),
        args::Command::Check(options) => check::run(options),
        args::Command::New(options) => new::run(options),
        args::Command::Distance(options) => distance::run(options),
        args::Command::Scenes { json } => scene::list(*json),
        args::Command::Schema => scene::schema(),
        args::Command::Mass(options) => mass::run(options),
        args::Command::Study(study) => study::run(study),
        args::Command::Bench(options) => bench::run(options),
        args::Command::Validate(options) => validate::run(options),
        args::Command::Completions { shell } => args::write_completions(*shell),
        args::Command::Man(options) => man::run(options),
        args::Command::Licenses(options) => licenses::run(options),
    };
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::CheckFailed) => ExitCode::from(1),
        Ok(Outcome::Interrupted) => ExitCode::from(130),
        Err(error) => {
            output::talk(&format!("error: {}", output::explained(&error)));
            ExitCode::from(2)
        }
    }
}
