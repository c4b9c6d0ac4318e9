//! Complementarity problems: the data set `lcp` by every solver, and contacts without friction worked out by hand.

mod contacts;
mod data;

use super::super::{Context, Row};

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows = contacts::rows(context);
    rows.extend(data::rows(context));
    rows
}
