//! `carom study`: measured reality, and a run undone.

use std::io::IsTerminal;
use std::path::PathBuf;

use carom_study::reality::{Report, cube_toss, planar_impacts};
use carom_study::reversal;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use indicatif::{ProgressBar, ProgressDrawTarget};

use crate::args::{ReversalOptions, Study, StudyOptions};
use crate::data::data_folder;
use crate::{Outcome, output};

pub(crate) fn run(study: &Study) -> anyhow::Result<Outcome> {
    let (report, options) = match study {
        Study::CubeToss(options) => (cube_toss(options)?, options),
        Study::PlanarImpacts(options) => (planar_impacts(options)?, options),
        Study::ExplodingText(options) => return exploding_text(options),
    };
    if options.json {
        output::answer_json(&report)?;
    } else {
        output::answer(&table(&report))?;
    }
    Ok(Outcome::Done)
}

fn folder(options: &StudyOptions) -> anyhow::Result<PathBuf> {
    if let Some(path) = &options.data {
        anyhow::ensure!(path.is_dir(), "there is no folder {}", path.display());
        return Ok(path.clone());
    }
    let found = data_folder(None)?;
    let found = found.ok_or_else(|| anyhow::anyhow!("where is the data?\nhint: --data DIR"))?;
    Ok(found.path().to_owned())
}

fn cube_toss(options: &StudyOptions) -> anyhow::Result<Report> {
    let tosses = cube_toss::tosses_in(&folder(options)?)?;
    let bar = progress();
    let done = || bar.inc(1);
    let with = if options.fit {
        bar.set_length((cube_toss::TRIES * tosses.len()) as u64);
        cube_toss::fitted(&tosses, &done)?
    } else {
        cube_toss::FITTED
    };
    bar.set_position(0);
    bar.set_length(tosses.len() as u64);
    let report = cube_toss::score(&tosses, with, &done)?;
    bar.finish_and_clear();
    Ok(report)
}

/// A bar on terminals, and nothing elsewhere.
fn progress() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    if std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::stderr());
    }
    bar
}

fn exploding_text(options: &ReversalOptions) -> anyhow::Result<Outcome> {
    let bar = progress();
    bar.set_length(reversal::TIMES.len() as u64);
    let report = reversal::study(&reversal::TIMES, options.seed, &|| bar.inc(1))?;
    bar.finish_and_clear();
    if options.json {
        output::answer_json(&report)?;
    } else {
        output::answer(&table_of_rows(&report))?;
    }
    Ok(Outcome::Done)
}

fn table_of_rows(report: &reversal::Report) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header([
        "turned round at [s]",
        "collisions",
        "back",
        "position [m]",
        "mean [m]",
        "turn [rad]",
        "energy [-]",
    ]);
    for row in &report.rows {
        table.add_row([
            row.time_s.to_string(),
            row.collisions.to_string(),
            row.collisions_back.to_string(),
            short(row.position_m),
            short(row.mean_position_m),
            short(row.turn_rad),
            short(row.energy),
        ]);
    }
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    format!("{} letters, seed {}\n{table}", report.bodies, report.seed)
}

fn planar_impacts(options: &StudyOptions) -> anyhow::Result<Report> {
    let impacts = planar_impacts::impacts_in(&folder(options)?)?;
    let with = if options.fit { planar_impacts::fitted(&impacts)? } else { planar_impacts::FITTED };
    Ok(planar_impacts::score(&impacts, &with)?)
}

fn table(report: &Report) -> String {
    let mut text = String::new();
    for (name, value) in &report.params {
        text += &format!("{name} {value:.4}\n");
    }
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header(["score", "quantity", "mean", "sd", "median", "items", "unit"]);
    for score in &report.scores {
        let same = |item: &&carom_study::reality::Item| {
            item.score == score.score && item.quantity == score.quantity
        };
        table.add_row([
            score.score.to_owned(),
            score.quantity.to_owned(),
            short(score.mean),
            short(score.sd),
            short(score.median),
            report.items.iter().filter(same).count().to_string(),
            score.unit.to_owned(),
        ]);
    }
    for column in 2..6 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    format!("{text}{table}")
}

fn short(number: f64) -> String {
    if number == 0.0 || (1e-3..1e6).contains(&number.abs()) {
        format!("{number:.4}")
    } else {
        format!("{number:.2e}")
    }
}
