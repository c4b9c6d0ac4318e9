//! `carom compare`: one scene under several regimes, side by side.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use carom::{Account, EventKind, Regime, Short};
use carom_scene::{Bound, ContactOverrides, DiskFiles, Expectation, Scene};
use carom_study::compare::{Answer, Comparison, Ending, Trial, compare};
use carom_study::run::RunReport;
use serde_json::{Map, Value, json};

use crate::args::{LoadOptions, VERSION, not_negative, regime_parser};
use crate::audit::{audit_json, complaints};
use crate::help::{self, wrapped_to};
use crate::output::{answer, answer_json, colors, counted, talk, width};
use crate::plot::{SCALE, ending};
use crate::progress::Progress;
use crate::report::{duration, energy_json, expected_json, joules};
use crate::run::{accepted, refuse_own_input};
use crate::scene::{find, is_recording, loading, read};
use crate::table::{Column, Table};
use crate::{Outcome, touches};

/// Run a scene under several regimes and tell side by side what came of it
///
/// SCENE is a file, the name of a built-in scene, or - for standard input. A regime is a way to work out contact: impulse,
/// where everything is a collision, or constraint, where lasting contact is held by forces. Told are expectations, energy, the
/// least gap, events and collisions, and the time it took.
#[derive(Debug, clap::Args)]
#[command(after_help = help::of_compare())]
pub(crate) struct CompareOptions {
    /// Scene file, built-in scene, or - for standard input
    scene: String,
    /// Regimes to run it under, with commas between [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = regime_parser())]
    regime: Vec<Regime>,
    #[command(flatten)]
    loading: LoadOptions,
    /// End at this simulated time instead of the scene's, in s
    #[arg(long, value_name = "T", value_parser = not_negative, allow_negative_numbers = true)]
    until: Option<f64>,
    /// Draw energy and heights over time, a curve for each regime, to a picture: .svg or .png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &CompareOptions) -> anyhow::Result<Outcome> {
    check(options)?;
    let limits = loading(&options.loading).limits;
    let asked = find(&options.scene, limits.text_bytes)?;
    let contact = ContactOverrides::default();
    let loaded = read(&asked.source, &options.loading, contact, &DiskFiles);
    let Some(scene) = accepted(loaded, false) else { return Ok(Outcome::CheckFailed) };
    let wish = carom_study::compare::CompareOptions {
        regimes: regimes(&options.regime),
        until: options.until,
    };
    let mut progress = Progress::new(!options.json);
    let compared = compare(&scene, &wish, &mut progress);
    progress.clear();
    let Some(compared) = compared else { return Ok(interrupted()) };
    if let Some(path) = &options.plot {
        let mut progress = Progress::new(!options.json);
        let drawn = compared.curves(&scene, &wish, &mut progress);
        progress.clear();
        let Some(grid) = drawn? else { return Ok(interrupted()) };
        let is_png = ending(path) == "png";
        let bytes = if is_png { grid.to_png(SCALE)? } else { grid.to_svg().into_bytes() };
        std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    }
    tell(options, &asked.name, &scene, &compared)
}

fn interrupted() -> Outcome {
    talk("interrupted");
    Outcome::Interrupted
}

/// Refuses what could not be done in the end, before anything runs.
fn check(options: &CompareOptions) -> anyhow::Result<()> {
    if is_recording(&options.scene) {
        bail!("{} is a recording\nhint: compare the scene it was made from", options.scene);
    }
    let Some(path) = &options.plot else { return Ok(()) };
    if !["svg", "png"].contains(&ending(path).as_str()) {
        bail!(
            "cannot tell from the name of {} what to draw\nhint: end it in .svg or .png",
            path.display()
        );
    }
    refuse_own_input(path, &options.scene)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!("cannot write {}: there is no folder {}", path.display(), folder.display());
    }
    Ok(())
}

/// Those that are asked for, each once; without any, all.
fn regimes(asked: &[Regime]) -> Vec<Regime> {
    let mut regimes: Vec<Regime> = Vec::new();
    for &regime in if asked.is_empty() { &Regime::ALL[..] } else { asked } {
        if !regimes.contains(&regime) {
            regimes.push(regime);
        }
    }
    regimes
}

/// Prints what came of it, and judges.
fn tell(
    options: &CompareOptions,
    name: &str,
    scene: &Scene,
    compared: &Comparison,
) -> anyhow::Result<Outcome> {
    for problems in compared.problems() {
        talk(problems.render(colors()).trim_end());
    }
    let plot = options.plot.as_deref();
    if options.json {
        let until = options.until.unwrap_or(scene.until);
        answer_json(&as_json(name, scene, until, compared, plot))?;
    } else {
        answer(&as_text(name, scene, compared, plot))?;
    }
    for trial in &compared.trials {
        let audit = trial.report.as_ref().and_then(|report| report.audit.as_ref());
        for complaint in audit.iter().flat_map(|audit| complaints(audit)) {
            talk(&format!("{}: {complaint}", trial.regime.name()));
        }
    }
    if compared.is_refused() {
        bail!("no regime runs the scene");
    }
    if compared.is_good() {
        return Ok(Outcome::Done);
    }
    let unmet = compared.trials.iter().any(|trial| trial.unmet().next().is_some());
    if unmet && options.until.is_some_and(|until| until != scene.until) {
        let meant = scene.until;
        talk(&format!(
            "hint: the scene makes its promises for {meant} s, --until ended it elsewhere"
        ));
    }
    Ok(Outcome::CheckFailed)
}

fn as_json(
    name: &str,
    scene: &Scene,
    until: f64,
    compared: &Comparison,
    plot: Option<&Path>,
) -> Value {
    let expectation = |(index, it): (usize, &Expectation)| {
        let under: Map<String, Value> = compared
            .trials
            .iter()
            .map(|trial| (trial.regime.name().to_owned(), answer_of(&trial.answers[index])))
            .collect();
        json!({
            "what": it.what,
            "expected": expected_json(it.bound),
            "tolerance": it.tolerance,
            "source": it.source,
            "under": under,
        })
    };
    json!({
        "scene": name,
        "title": scene.title,
        "seed": scene.seed,
        "version": VERSION,
        "until_s": until,
        "regimes": compared.trials.iter().map(trial_json).collect::<Vec<_>>(),
        "expectations": scene.expectations.iter().enumerate().map(expectation).collect::<Vec<_>>(),
        "plot": plot.map(|path| path.display().to_string()),
    })
}

fn trial_json(trial: &Trial) -> Value {
    let report = trial.report.as_ref();
    let events = |report: &RunReport| -> Map<String, Value> {
        let count = |kind: EventKind| (kind.name().to_owned(), json!(report.events.of(kind)));
        EventKind::ALL.into_iter().map(count).collect()
    };
    json!({
        "regime": trial.regime.name(),
        "ending": trial.ending.name(),
        "reason": trial.ending.reason(),
        "simulated_s": report.map(|it| it.simulated),
        "wall_s": trial.wall(),
        "least_gap_m": report.and_then(least_gap),
        "energy": report.map(|it| energy_json(&it.account)),
        "events": report.map(events),
        "collisions": report.map(|it| it.contacts.collisions),
        "micro": report.map(|it| it.contacts.micro),
        "hash": report.map(|it| it.hash.to_string()),
        "audit": report.and_then(|it| it.audit.as_ref()).map(audit_json),
    })
}

fn answer_of(answer: &Answer) -> Value {
    let asked = !matches!(answer, Answer::NotAsked);
    match answer {
        Answer::Found(it) => {
            json!({ "asked": asked, "got": it.got, "reached": it.reached, "pass": it.pass })
        }
        Answer::NotAsked | Answer::NoRun => {
            json!({ "asked": asked, "got": null, "reached": null, "pass": null })
        }
    }
}

fn least_gap(report: &RunReport) -> Option<f64> {
    report.audit.as_ref()?.least.as_ref().map(|least| least.gap.upper)
}

fn as_text(name: &str, scene: &Scene, compared: &Comparison, plot: Option<&Path>) -> String {
    let title = if scene.title.is_empty() { name } else { &scene.title };
    let regimes = counted(compared.trials.len() as u64, "regime");
    let mut text = format!("{title} under {regimes}\n\n{}", numbers(compared).to_text(width()));
    if !scene.expectations.is_empty() {
        text += &format!("\n{}\n", expectations(scene, compared).to_text(width()));
    }
    for trial in &compared.trials {
        text += &verdict(trial);
    }
    if let Some(plot) = plot {
        text += &format!("drawn to {}\n", plot.display());
    }
    text
}

/// How wide a reason may be in its column.
const REASON_WIDTH: usize = 34;

/// Everything but expectations, a row each.
fn numbers(compared: &Comparison) -> Table {
    let names = compared.trials.iter().map(|trial| Column::text(trial.regime.name()));
    let mut table = Table::new([Column::text("")].into_iter().chain(names));
    let mut row = |name: &str, of: &dyn Fn(&Trial) -> Option<String>| {
        let cells = compared.trials.iter().map(|it| of(it).unwrap_or_else(|| "-".to_owned()));
        table.add([name.to_owned()].into_iter().chain(cells));
    };
    row("ended", &|trial| Some(trial.ending.name().to_owned()));
    let longest = compared.trials.iter().map(|trial| reason_lines(trial).len()).max();
    for line in 0..longest.unwrap_or_default() {
        row("", &|trial| Some(reason_lines(trial).get(line).cloned().unwrap_or_default()));
    }
    let of_report = |of: fn(&RunReport) -> Option<String>| {
        move |trial: &Trial| trial.report.as_ref().and_then(of)
    };
    row("simulated", &of_report(|it| Some(format!("{} s", Short(it.simulated)))));
    row("wall time", &|trial| trial.wall().map(duration));
    row(
        "least gap",
        &of_report(|it| least_gap(it).map(|gap| format!("{} m", touches::short(gap)))),
    );
    for (name, of) in ENERGY {
        row(name, &|trial| {
            trial.report.as_ref().map(|it| format!("{} J", joules(of(&it.account))))
        });
    }
    row("residual", &of_report(|it| Some(format!("{:.1e} J", it.account.residual))));
    row("collisions", &of_report(|it| Some(it.contacts.collisions.to_string())));
    row("  of them micro", &of_report(|it| Some(it.contacts.micro.to_string())));
    for kind in EventKind::ALL {
        let count = |trial: &Trial| trial.report.as_ref().map(|report| report.events.of(kind));
        if compared.trials.iter().any(|trial| count(trial).is_some_and(|count| count > 0)) {
            row(&format!("{} events", kind.name()), &|trial| count(trial).map(|it| it.to_string()));
        }
    }
    table
}

/// Lines of the ledger.
type Line = (&'static str, fn(&Account) -> f64);
const ENERGY: [Line; 8] = [
    ("energy at first", |it| it.initial),
    ("  at the end", |it| it.total()),
    ("  work from outside", |it| it.work),
    ("  lost to restitution", |it| it.restitution_loss),
    ("  lost to friction", |it| it.friction_loss),
    ("  boost", |it| it.boost),
    ("  projection", |it| it.projection),
    ("  integration", |it| it.integration),
];

fn reason_lines(trial: &Trial) -> Vec<String> {
    let reason = trial.ending.reason().unwrap_or_default();
    let lines = |line: &str| -> Vec<String> {
        wrapped_to(line, REASON_WIDTH).lines().map(str::to_owned).collect()
    };
    reason.lines().flat_map(lines).collect()
}

/// What the scene promises, and what came of it under each regime.
fn expectations(scene: &Scene, compared: &Comparison) -> Table {
    let names = compared.trials.iter().map(|trial| Column::text(trial.regime.name()));
    let columns = [Column::text("expectation").least(24), Column::text("expected").rank(1)];
    let mut table = Table::new(columns.into_iter().chain(names));
    for (index, expectation) in scene.expectations.iter().enumerate() {
        let cells = compared.trials.iter().map(|trial| answer_text(&trial.answers[index]));
        let first = [expectation.what.clone(), bound(expectation)];
        table.add(first.into_iter().chain(cells));
    }
    table
}

fn bound(expectation: &Expectation) -> String {
    let off = match expectation.tolerance {
        0.0 => String::new(),
        off => format!(" ± {off:.1e}"),
    };
    match expectation.bound {
        Bound::Equals(value) => format!("{}{off}", digits(value)),
        Bound::Between(low, high) if high.is_infinite() => format!("≥ {}{off}", digits(low)),
        Bound::Between(low, high) if low.is_infinite() => format!("≤ {}{off}", digits(high)),
        Bound::Between(low, high) => format!("{} to {}{off}", digits(low), digits(high)),
    }
}

fn answer_text(answer: &Answer) -> String {
    match answer {
        Answer::NotAsked => "not asked".to_owned(),
        Answer::NoRun => "-".to_owned(),
        Answer::Found(finding) => {
            let mark = if finding.pass { "ok  " } else { "FAIL" };
            match finding.got {
                Some(got) => format!("{mark} {}", digits(got)),
                None if !finding.reached => format!("{mark} not reached"),
                None => format!("{mark} not measured"),
            }
        }
    }
}

/// A number with ten digits, so that regimes can be told apart, and without zeros that say nothing.
fn digits(number: f64) -> String {
    match number.abs() {
        0.0 => "0".to_owned(),
        size if (1e-3..1e6).contains(&size) => {
            let text = format!("{number:.9}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => format!("{number:.3e}"),
    }
}

/// One line for each regime.
fn verdict(trial: &Trial) -> String {
    let name = trial.regime.name();
    let found = trial.answers.iter().filter(|it| matches!(it, Answer::Found(_))).count();
    let not_asked = trial.answers.iter().filter(|it| matches!(it, Answer::NotAsked)).count();
    let elsewhere = if not_asked > 0 { format!(", {not_asked} not asked") } else { String::new() };
    let told = match (&trial.ending, trial.unmet().count()) {
        (Ending::Refused { .. }, _) => "does not run the scene".to_owned(),
        (Ending::Broken { .. }, _) => "BREAKS DOWN".to_owned(),
        (_, 0) => format!("{} met{elsewhere}", counted(found as u64, "expectation")),
        (_, failed) => {
            format!("{failed} of {} NOT met{elsewhere}", counted(found as u64, "expectation"))
        }
    };
    format!("{name}: {told}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_regime_is_compared_once_and_all_where_none_is_named() {
        assert_eq!(regimes(&[]), Regime::ALL);
        let twice = [Regime::Constraint, Regime::Impulse, Regime::Constraint];
        assert_eq!(regimes(&twice), [Regime::Constraint, Regime::Impulse]);
    }

    #[test]
    fn numbers_have_enough_digits_to_be_told_apart() {
        assert_eq!(digits(0.451_523_640_985_73), "0.451523641");
        assert_eq!([digits(0.0), digits(2.0), digits(-3e-12)], ["0", "2", "-3.000e-12"]);
    }
}
