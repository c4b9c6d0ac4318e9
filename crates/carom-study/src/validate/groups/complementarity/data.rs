//! Problems with answers of other programs: each has to be solved by some solver, and the one without an answer refuted.

use carom_dynamics::complementarity::Outcome;
use oracles::DataError;
use oracles::complementarity::{LcpCase, lcp_cases};

use super::super::super::data::LCP;
use super::super::super::{Context, DataFolder, Row};
use crate::solvers::{ACCEPTED, Trial, margin, residual, trials, verdict};

/// The one that has no answer.
const UNSOLVABLE: &str = "lcp_Pang_isolated_sol_perturbed";

/// Margins of a proof, as shares of the size of its terms.
const PROVES: [f64; 2] = [1e-6, 1.0];

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let all = || Row::case("data/lcp", "problems solved by some solver", LCP.source);
    let Some(folder) = context.data.as_ref() else { return vec![LCP.absent(all())] };
    match cases(folder) {
        Ok(Some(cases)) => cases.iter().map(|case| row(context, case)).collect(),
        Ok(None) => vec![LCP.absent(all())],
        Err(error) => vec![all().failed(&error)],
    }
}

fn cases(folder: &DataFolder) -> Result<Option<Vec<LcpCase>>, DataError> {
    lcp_cases(folder.path())
}

fn row(context: &Context, case: &LcpCase) -> Row {
    let trials = trials(&case.matrix, &case.q).unwrap_or_default();
    let told: Vec<String> =
        trials.iter().map(|trial| format!("{} {}", trial.solver, verdict(trial))).collect();
    let id = format!("data/lcp/{}", case.name);
    if case.name == UNSOLVABLE {
        let margin = context.subject.measure(refuted(case, &trials), PROVES);
        let what = format!("has no answer: margin of the proof; {}", told.join(", "));
        return Row::case(id, what, LCP.source).between(0.0, PROVES, margin);
    }
    let what = format!("residual of the best answer that is called solved; {}", told.join(", "));
    Row::case(id, what, LCP.source).absolute(ACCEPTED, 0.0, best(context, case, &trials))
}

/// The least margin of all proofs; not a number if there is none, or some solver claims an answer.
fn refuted(case: &LcpCase, trials: &[Trial]) -> f64 {
    if trials.iter().any(|trial| trial.outcome == Outcome::Solved) {
        return f64::NAN;
    }
    let proofs = trials.iter().filter(|trial| trial.outcome == Outcome::Infeasible);
    let margins = proofs.map(|trial| margin(case, &trial.solution.direction));
    margins.reduce(f64::min).unwrap_or(f64::NAN)
}

/// The least residual of those that claim an answer, if all of them are right, else a wrong one.
fn best(context: &Context, case: &LcpCase, trials: &[Trial]) -> f64 {
    let solved = trials.iter().filter(|trial| trial.outcome == Outcome::Solved);
    let residuals: Vec<f64> =
        solved.map(|trial| residual(case, &context.subject.pushes(&trial.solution.z))).collect();
    // An answer that is none is worse than no answer.
    let wrong = residuals.iter().find(|residual| residual.is_nan() || **residual > ACCEPTED);
    wrong.copied().unwrap_or_else(|| residuals.into_iter().reduce(f64::min).unwrap_or(f64::NAN))
}
