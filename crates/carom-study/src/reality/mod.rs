//! Measured reality: recorded tosses and drops of real bodies, simulated again and scored.
//!
//! The data is not part of the project; the recipes are those of its descriptions, so that figures can be held against
//! published ones. Each study has few material parameters, fitted once on a part of the data and written down here with
//! what they were fitted to; `fit` repeats that.

pub mod cube_toss;
mod each;
pub mod elbow_toss;
mod fit;
pub mod planar_impacts;
mod spread;

use std::collections::BTreeMap;

use serde::Serialize;

/// Friction and restitution of a pair of surfaces, by which a study is scored.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Parameters {
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Coefficient of restitution, by energy.
    pub restitution: f64,
}

/// What a study found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Material parameters by name, and what else was chosen.
    pub params: BTreeMap<String, f64>,
    /// One line for each score and quantity.
    pub scores: Vec<Score>,
    /// What each line is the mean of.
    pub items: Vec<Item>,
}

/// The spread of one quantity over all items.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    /// Name of the recipe.
    pub score: &'static str,
    /// What was measured.
    pub quantity: &'static str,
    /// Of the three numbers.
    pub unit: &'static str,
    /// Over all items.
    pub mean: f64,
    /// Standard deviation over all items.
    pub sd: f64,
    /// Over all items.
    pub median: f64,
    /// The median of another simulator, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mujoco: Option<f64>,
    /// The largest median that meets the target, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<f64>,
}

/// One quantity of one toss or drop.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Item {
    /// Of the toss or drop.
    pub id: String,
    /// Name of the recipe.
    pub score: &'static str,
    /// What was measured.
    pub quantity: &'static str,
    /// In the unit of the score.
    pub value: f64,
}

/// Why a study has no answer.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The data cannot be read.
    #[error(transparent)]
    Data(#[from] oracles::DataError),
    /// The data is there, but nothing in it can be used.
    #[error("there is no {what} in {place}: the folder's README says how it is laid out")]
    Empty {
        /// What was looked for.
        what: &'static str,
        /// Where.
        place: String,
    },
    /// A simulation failed.
    #[error("{id}: {problem}")]
    Run {
        /// Of the toss or drop.
        id: String,
        /// What happened.
        problem: String,
    },
}

/// Parameters by their names.
fn materials(prefix: &str, of: Parameters) -> BTreeMap<String, f64> {
    [("friction", of.friction), ("restitution", of.restitution)]
        .map(|(name, value)| (format!("{prefix}{name}"), value))
        .into()
}

/// A quantity of a recipe, with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Quantity {
    score: &'static str,
    name: &'static str,
    unit: &'static str,
}

/// Mean, spread and items of quantities, from their values by item.
fn told(quantities: &[Quantity], found: &[(String, Vec<Option<f64>>)]) -> (Vec<Score>, Vec<Item>) {
    let mut scores = Vec::new();
    let mut items = Vec::new();
    for (index, Quantity { score, name: quantity, unit }) in quantities.iter().copied().enumerate()
    {
        let values = found.iter().filter_map(|(id, values)| Some((id, values[index]?)));
        let numbers: Vec<f64> = values.clone().map(|(_, value)| value).collect();
        items.extend(values.map(|(id, value)| Item { id: id.clone(), score, quantity, value }));
        let [mean, sd, median] = spread::of(&numbers);
        scores.push(Score { score, quantity, unit, mean, sd, median, mujoco: None, target: None });
    }
    (scores, items)
}
