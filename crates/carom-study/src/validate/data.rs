//! Where reference data is found.
//!
//! What this project computed is carried in `oracles`. What others measured is not part of it: it is read from
//! a folder beside the project or one that the user names, and where it is absent the rows say so, with the
//! public source it can be had from. A folder may hold other cases of the same layout.

use std::path::{Path, PathBuf};

use oracles::DataError;
use thiserror::Error;

use super::Row;

/// One folder of reference data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataSet {
    /// Name of the folder.
    pub name: &'static str,
    /// Where it comes from.
    pub source: &'static str,
}

impl DataSet {
    /// Says in a row that the set is not there, and where it can be had.
    pub(crate) fn absent(&self, row: Row) -> Row {
        row.skip(format!("data not present: {} from {}", self.name, self.source))
    }
}

/// Tosses of a cube, tracked at 148 Hz.
pub(crate) const CUBE_TOSS: DataSet = DataSet {
    name: "cube-toss",
    source: "GitHub DAIRLab/dair_pll, assets/contactnets_cube (Pfrommer, Halm, Posa 2020), BSD-3-Clause",
};

/// Tosses of two boxes on a hinge, tracked at 148 Hz.
pub(crate) const ELBOW_TOSS: DataSet = DataSet {
    name: "elbow-toss",
    source: "GitHub DAIRLab/dair_pll, assets/contactnets_elbow (Bianchini, Halm, Posa 2023), BSD-3-Clause",
};

/// Planar impacts of an ellipse and drops of a square, tracked at 250 Hz.
pub(crate) const PLANAR_IMPACTS: DataSet = DataSet {
    name: "planar-impacts",
    source: "GitHub DAIRLab/ImpactModeling (Fazeli et al. 2017), BSD-3-Clause",
};

/// Dynamics of robots and random linkages, by two other programs.
pub(crate) const ARTICULATED: DataSet = DataSet {
    name: "articulated",
    source: "Pinocchio's answers in its layout (oracles::articulated); robots of example-robot-data, BSD-3-Clause",
};

/// Distances of convex polyhedra, solved by three other programs.
pub(crate) const CONVEX_DISTANCE: DataSet = DataSet {
    name: "convex-distance",
    source: "any quadratic programme's answers in its layout (oracles/README.md)",
};

/// Linear complementarity problems, most of them with an answer of another program.
pub(crate) const LCP: DataSet = DataSet {
    name: "lcp",
    source: "GitHub siconos/siconos, numerics/src/LCP/test/data (Apache-2.0), in the layout of oracles::complementarity",
};

/// Data sets that are never part of the project: measured ones, and what third parties computed.
pub const DATA_SETS: [DataSet; 6] =
    [CUBE_TOSS, ELBOW_TOSS, PLANAR_IMPACTS, CONVEX_DISTANCE, ARTICULATED, LCP];

/// A folder with data sets in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFolder(PathBuf);

/// The folder that a user named is not there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no data folder {}: name a folder with data sets such as mass-properties in it", .0.display())]
pub struct NoSuchFolder(PathBuf);

impl DataFolder {
    /// A folder that the user named.
    ///
    /// # Errors
    /// If it is not there.
    pub fn named(path: &Path) -> Result<Self, NoSuchFolder> {
        if path.is_dir() { Ok(Self(path.to_owned())) } else { Err(NoSuchFolder(path.to_owned())) }
    }

    /// The folder `shared/data` beside the clone that `start` lies in, if there is one.
    pub fn beside(start: &Path) -> Option<Self> {
        let clone = start.ancestors().find(|folder| folder.join("crates/carom-study").is_dir())?;
        let path = clone.parent()?.join("shared/data");
        path.is_dir().then_some(Self(path))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

/// Runs a case on a data set, or says in its row that the set is not there and where it can be had, or that it
/// cannot be read.
pub(crate) fn on_data(
    folder: Option<&DataFolder>,
    set: &DataSet,
    row: Row,
    run: impl FnOnce(&Path, Row) -> Result<Row, DataError>,
) -> Row {
    match folder {
        Some(folder) if folder.0.join(set.name).is_dir() => {
            run(&folder.0, row.clone()).unwrap_or_else(|error| row.failed(&error))
        }
        _ => set.absent(row),
    }
}

/// Where the cases of a carried data set are read from: the folder if it has them, else what is carried.
pub(crate) fn of_carried<'a>(
    folder: Option<&'a DataFolder>,
    file: &str,
    origin: &str,
) -> (Option<&'a Path>, String) {
    match folder {
        Some(folder) if folder.0.join(file).is_file() => {
            (Some(&folder.0), format!("{file} in the data folder"))
        }
        _ => (None, format!("{file} as carried ({origin})")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_not_there_is_named_in_the_error() {
        let message = DataFolder::named(Path::new("no/such/place")).unwrap_err().to_string();
        assert!(message.starts_with("there is no data folder no/such/place"), "{message}");
    }

    #[test]
    fn absent_data_makes_a_skipped_row_with_its_source() {
        let row = Row::case("data/x", "x", "x");
        let row = on_data(None, &CUBE_TOSS, row, |_, row| Ok(row));
        assert_eq!(row.pass, None);
        let why = row.skipped.unwrap();
        assert!(
            why.starts_with("data not present: cube-toss from GitHub DAIRLab/dair_pll"),
            "{why}"
        );
    }
}
