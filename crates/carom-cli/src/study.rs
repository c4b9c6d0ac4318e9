//! `carom study`: measured reality, and a run undone.

use std::path::{Path, PathBuf};

use clap::Subcommand;

use carom_study::reality::{Parameters, Report, cube_toss, elbow_toss, planar_impacts};
use carom_study::reversal;

use crate::args::{not_negative, share};
use crate::data::data_folder;
use crate::progress::{Steps, Wait};
use crate::table::{Column, Table};
use crate::{Outcome, output};

/// Simulate measured motion of real bodies again and score it
///
/// The data is not part of the project: it is read from --data DIR, the variable CAROM_DATA, or the folder shared/data
/// beside the clone. DIR is the data set itself or a folder that it lies in.
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  carom study cube-toss --data measured --json
  carom study exploding-text")]
pub(crate) enum Study {
    /// Tosses of an acrylic cube onto a table, 148 frames a second
    ///
    /// Scores: A, the whole toss from its first frame, mean over all frames; A', the same in the tracker's own lengths; A°, with the moment of
    /// inertia that is published with the data, 8.1e-4 kg·m², instead of that of a hollow cube, which is among the params; B5 to
    /// B40, so many frames after the first contact. Each toss is also checked: does it end on the same face and at which speed, how low
    /// was its lowest corner, does its energy add up and never rise; and how many frames it has.
    #[command(after_help = "Examples:
  carom study cube-toss --data measured
  carom study cube-toss --data measured --friction 0.2 --restitution 0.1
  carom study cube-toss --data measured --fit --json
  carom study cube-toss --data measured --folds 5")]
    CubeToss(TossOptions),
    /// Tosses of two boxes on a free hinge onto a table, 148 frames a second
    ///
    /// Scores: C, from the third frame to the first contact, and C+5 and C+10, so many frames later: how far the centre of the first box
    /// is off, its turn and the hinge, beside the medians of MuJoCo and the largest ones that meet the target. F, the flight
    /// alone, with its start fitted to it, and the same for boxes that do not act on each other. Nothing else is fitted.
    #[command(after_help = "Examples:
  carom study elbow-toss --data measured
  carom study elbow-toss --data measured --friction 0.15 --restitution 0 --json")]
    ElbowToss(ElbowOptions),
    /// Planar impacts of an ellipse and first impacts of a square
    ///
    /// The error is that of the motion after the impact, as a share of it, by kinetic energy.
    #[command(after_help = "Example:
  carom study planar-impacts --data measured --json")]
    PlanarImpacts(StudyOptions),
    /// Exploding text backwards: letters fly apart, all velocities are turned round, and they come back
    ///
    /// The built-in scene exploding_text loses nothing, so it can be undone. A row for each time at which velocities are
    /// turned round: collisions on the way there and back, and how far the letters are then from where they started. Needs
    /// no data.
    #[command(after_help = "Examples:
  carom study exploding-text
  carom study exploding-text --seed 7 --json")]
    ExplodingText(ReversalOptions),
}

/// Options of `carom study exploding-text`.
#[derive(Debug, clap::Args)]
pub(crate) struct ReversalOptions {
    /// Seed of the letters' velocities, instead of the scene's; a whole number from 0
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Print one JSON object: seed, bodies, and rows with `time_s`, collisions, `collisions_back`, `position_m`,
    /// `mean_position_m`, `turn_rad`, `velocity_m_s` and energy
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options of `carom study cube-toss`.
#[derive(Debug, clap::Args)]
pub(crate) struct TossOptions {
    #[command(flatten)]
    pub(crate) common: StudyOptions,
    /// Friction of cube and table, instead of the fitted one
    #[arg(long, value_name = "MU", conflicts_with_all = ["fit", "folds"], value_parser = not_negative)]
    pub(crate) friction: Option<f64>,
    /// Restitution of cube and table, by energy, instead of the fitted one; 0 to 1
    #[arg(long, value_name = "E", conflicts_with_all = ["fit", "folds"], value_parser = share)]
    pub(crate) restitution: Option<f64>,
    /// Cross-validate: deal the tosses out to so many folds and score each with a fit to the others; 2 or more
    #[arg(long, value_name = "N", conflicts_with = "fit", value_parser = clap::value_parser!(u16).range(2..))]
    pub(crate) folds: Option<u16>,
}

/// Options of `carom study elbow-toss`.
#[derive(Debug, clap::Args)]
pub(crate) struct ElbowOptions {
    /// Folder with the data [default: $CAROM_DATA, or shared/data beside the clone]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Friction of boxes and table [default: 0.2, as in the run of MuJoCo]
    #[arg(long, value_name = "MU", value_parser = not_negative)]
    pub(crate) friction: Option<f64>,
    /// Restitution of boxes and table, by energy [default: that of the cube]; 0 to 1
    #[arg(long, value_name = "E", value_parser = share)]
    pub(crate) restitution: Option<f64>,
    /// Print one JSON object: params, scores, and items with the values of every toss
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options of studies that fit friction and restitution.
#[derive(Debug, clap::Args)]
pub(crate) struct StudyOptions {
    /// Folder with the data [default: $CAROM_DATA, or shared/data beside the clone]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Fit friction and restitution to this data instead of taking the fitted ones that come with the program
    #[arg(long)]
    pub(crate) fit: bool,
    /// Print one JSON object: params, scores, and items with the values of every toss or impact
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(study: &Study) -> anyhow::Result<Outcome> {
    let (report, json) = match study {
        Study::CubeToss(options) => (cube_toss(options)?, options.common.json),
        Study::ElbowToss(options) => (elbow_toss(options)?, options.json),
        Study::PlanarImpacts(options) => (planar_impacts(options)?, options.json),
        Study::ExplodingText(options) => return exploding_text(options),
    };
    if json {
        output::answer_json(&report)?;
    } else {
        output::answer(&table(&report))?;
    }
    Ok(Outcome::Done)
}

fn folder(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(path) = named {
        anyhow::ensure!(path.is_dir(), "there is no folder {}", path.display());
        return Ok(path.to_owned());
    }
    let found = data_folder(None)?;
    let found = found.ok_or_else(|| anyhow::anyhow!("where is the data?\nhint: --data DIR"))?;
    Ok(found.path().to_owned())
}

fn cube_toss(options: &TossOptions) -> anyhow::Result<Report> {
    let TossOptions { common, friction, restitution, folds } = options;
    let tosses = cube_toss::tosses_in(&folder(common.data.as_deref())?)?;
    let folds = folds.map_or(0, usize::from);
    anyhow::ensure!(
        folds <= tosses.len(),
        "{folds} folds need as many tosses, not {}",
        tosses.len()
    );
    // Every fold is left out of one fit, so that the others are simulated in it.
    let fits = if folds > 0 { folds - 1 } else { usize::from(common.fit) };
    let steps = Steps::new(!common.json, (fits * cube_toss::TRIES + 1) * tosses.len(), "tosses");
    let done = || steps.done();
    let report = if folds > 0 {
        cube_toss::cross_validated(&tosses, folds, &done)?
    } else {
        let fitted = cube_toss::FITTED;
        let given = Parameters {
            friction: friction.unwrap_or(fitted.friction),
            restitution: restitution.unwrap_or(fitted.restitution),
        };
        let with = if common.fit { cube_toss::fitted(&tosses, &done)? } else { given };
        cube_toss::score(&tosses, with, &done)?
    };
    steps.clear();
    Ok(report)
}

fn elbow_toss(options: &ElbowOptions) -> anyhow::Result<Report> {
    let tosses = elbow_toss::tosses_in(&folder(options.data.as_deref())?)?;
    let given = elbow_toss::GIVEN;
    let with = Parameters {
        friction: options.friction.unwrap_or(given.friction),
        restitution: options.restitution.unwrap_or(given.restitution),
    };
    let steps = Steps::new(!options.json, tosses.len(), "tosses");
    let report = elbow_toss::score(&tosses, with, &|| steps.done())?;
    steps.clear();
    Ok(report)
}

fn exploding_text(options: &ReversalOptions) -> anyhow::Result<Outcome> {
    let steps = Steps::new(!options.json, reversal::TIMES.len(), "runs there and back");
    let report = reversal::study(&reversal::TIMES, options.seed, &|| steps.done())?;
    steps.clear();
    if options.json {
        output::answer_json(&report)?;
    } else {
        output::answer(&table_of_rows(&report))?;
    }
    Ok(Outcome::Done)
}

fn table_of_rows(report: &reversal::Report) -> String {
    let mut table = Table::new([
        Column::number("turned round at [s]"),
        Column::number("collisions").rank(3),
        Column::number("back").rank(2),
        Column::number("position [m]"),
        Column::number("mean [m]").rank(1),
        Column::number("turn [rad]").rank(4),
        Column::number("energy off by [-]").rank(5),
    ]);
    for row in &report.rows {
        table.add([
            row.time_s.to_string(),
            row.collisions.to_string(),
            row.collisions_back.to_string(),
            short(row.position_m),
            short(row.mean_position_m),
            short(row.turn_rad),
            short(row.energy),
        ]);
    }
    format!("{} letters, seed {}\n{}", report.bodies, report.seed, table.to_text(output::width()))
}

fn planar_impacts(options: &StudyOptions) -> anyhow::Result<Report> {
    let impacts = planar_impacts::impacts_in(&folder(options.data.as_deref())?)?;
    let _wait = Wait::new(!options.json, "impacts", None);
    let with = if options.fit { planar_impacts::fitted(&impacts)? } else { planar_impacts::FITTED };
    Ok(planar_impacts::score(&impacts, &with)?)
}

fn table(report: &Report) -> String {
    let mut text = String::new();
    for (name, value) in &report.params {
        let value = if *value < 0.01 { format!("{value:.3e}") } else { format!("{value:.3}") };
        text += &format!("{name} {value}\n");
    }
    let compared = report.scores.iter().any(|score| score.mujoco.is_some());
    let mut columns = vec![
        Column::text("score"),
        Column::text("quantity").least(16),
        Column::number("mean"),
        Column::number("sd").rank(2),
        Column::number("median").rank(3),
        Column::number("items").rank(4),
        Column::text("unit").rank(1),
    ];
    if compared {
        columns.insert(5, Column::number("MuJoCo"));
        columns.insert(6, Column::number("at most"));
    }
    let mut table = Table::new(columns);
    for score in &report.scores {
        let same = |item: &&carom_study::reality::Item| {
            item.score == score.score && item.quantity == score.quantity
        };
        let mut cells = vec![
            score.score.to_owned(),
            score.quantity.to_owned(),
            short(score.mean),
            short(score.sd),
            short(score.median),
            report.items.iter().filter(same).count().to_string(),
            score.unit.to_owned(),
        ];
        if compared {
            let of = |known: Option<f64>| known.map(short).unwrap_or_default();
            cells.insert(5, of(score.mujoco));
            cells.insert(6, of(score.target));
        }
        table.add(cells);
    }
    format!("{text}{}", table.to_text(output::width()))
}

fn short(number: f64) -> String {
    if number == 0.0 || (1e-3..1e6).contains(&number.abs()) {
        format!("{number:.4}")
    } else {
        format!("{number:.2e}")
    }
}
