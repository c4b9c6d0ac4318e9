//! What several regimes make of a scene, over time: the energy that is left, and heights.

use std::io::Cursor;

use carom_record::figures::{Figure, FigureError, FigureOptions, RecordedRun, figure};
use carom_record::plot::Grid;
use carom_record::{ReadError, Reader, RecordError, Recorder, RecordingHeader};
use carom_scene::Scene;
use thiserror::Error;

use super::{CompareOptions, Comparison, Turn, under};
use crate::recorded::options_of;
use crate::run::{End, RunError, Supervisor, watch};

/// Why there are no curves.
#[derive(Debug, Error)]
pub enum CurvesError {
    /// No regime can begin.
    #[error("no regime runs the scene, so there is nothing to plot")]
    Nothing,
    /// The run cannot be kept.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// What was kept cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// There is nothing to show.
    #[error(transparent)]
    Figure(#[from] FigureError),
}

impl Comparison {
    /// Charts with a curve for each regime: the energy that is left over time, and below it heights of centres where bodies move by
    /// themselves. A run that ended early is drawn up to there. None if the supervisor ended it.
    ///
    /// # Errors
    /// If no regime can begin, or nothing can be kept of the runs.
    pub fn curves(
        &self,
        scene: &Scene,
        options: &CompareOptions,
        supervisor: &mut dyn Supervisor,
    ) -> Result<Option<Grid>, CurvesError> {
        let begun = self.trials.iter().filter(|trial| trial.report.is_some());
        let regimes: Vec<_> = begun.map(|trial| trial.regime).collect();
        let mut runs = Vec::new();
        for (before, &regime) in regimes.iter().enumerate() {
            let mut turn = Turn { supervisor, before, of: regimes.len() };
            let until = options.until.unwrap_or(scene.until);
            let Some(run) = recorded(&under(scene, regime), until, &mut turn)? else {
                return Ok(None);
            };
            runs.push(run);
        }
        if runs.is_empty() {
            return Err(CurvesError::Nothing);
        }
        let energy = figure(&runs, &FigureOptions::of(Figure::Energy))?.chart;
        let names: Vec<&str> = regimes.iter().map(|regime| regime.name()).collect();
        let title = format!("{}: {}", scene.title, names.join(" and "));
        let grid = Grid::new(title.trim_start_matches(": ")).across(1).chart(energy);
        // A scene in which everything is driven has no heights to show.
        Ok(Some(match figure(&runs, &FigureOptions::of(Figure::Heights)) {
            Ok(heights) => grid.chart(heights.chart),
            Err(_) => grid,
        }))
    }
}

/// A run as charts take it; none if the supervisor ended it.
fn recorded(
    scene: &Scene,
    until: f64,
    supervisor: &mut dyn Supervisor,
) -> Result<Option<RecordedRun>, CurvesError> {
    let label = scene.regime.name();
    let header = RecordingHeader::new("carom", "");
    let mut recorder = Recorder::new(Vec::new(), label, &header, &options_of(scene, false))?;
    let (world, end) = match watch(scene, until, 1, &mut recorder, supervisor) {
        Ok(ended) => ended,
        Err(RunError::Record(error)) => return Err(error.into()),
        Err(RunError::Build(_)) => return Err(CurvesError::Nothing),
    };
    let bytes = match end {
        End::Stopped => return Ok(None),
        End::Complete | End::Touched => recorder.finish(&world, "{}")?,
        End::Fault { .. } => recorder.close(world.now(), "{}")?,
    };
    let mut reader = Reader::new(Cursor::new(bytes))?;
    Ok(Some(RecordedRun::read(&mut reader, label)?))
}
