//! Reference cases run through the public API, each against a source that shares no code with it.
//!
//! A [`Group`] makes rows. What is *expected* is a literal from the cited source or comes from the crate
//! `oracles`, which depends on no carom crate; what is *got* passes through the [`Subject`], the one place
//! where a deliberate [`Fault`] can be let in, so that a test can show every row turn red.

mod data;
mod fault;
mod groups;
mod row;

pub use data::{DATA_SETS, DataFolder, DataSet};
pub use fault::{Fault, Subject};
pub use groups::GROUPS;
pub use row::{Measure, Row, Value};

/// Cases that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Short name, as in the rows.
    pub name: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// Makes its rows; data that cannot be read makes a row that fails.
    pub run: fn(&Context) -> Vec<Row>,
}

/// What cases may read.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Where reference data lies, if there is any.
    pub data: Option<DataFolder>,
    /// The API under test, with a fault or without.
    pub subject: Subject,
}

/// All rows of all groups, in order.
pub fn run(context: &Context) -> Vec<Row> {
    GROUPS.iter().flat_map(|group| group.rows(context)).collect()
}

impl Group {
    /// Its rows.
    pub fn rows(&self, context: &Context) -> Vec<Row> {
        let mut rows = (self.run)(context);
        for row in &mut rows {
            row.group = self.name;
        }
        rows
    }
}
