//! The plot of a sweep.

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use carom_record::Sheet;
use carom_study::sweep::{Curves, Sweep, Titles, curves};

use super::options::Plot;
use crate::run::advised;
use crate::suggest::nearest;

/// A plot whose columns are there.
pub(super) struct Wanted<'a> {
    plot: &'a Plot,
    columns: [usize; 2],
    by: Option<usize>,
}

/// A plot that is drawn.
pub(crate) struct Drawn {
    pub(super) x: String,
    pub(super) y: String,
    pub(super) by: Option<String>,
    pub(super) bins: Option<f64>,
    pub(super) curves: Curves,
    pub(super) table: Sheet,
    svg: String,
}

/// Whether a file of that name is a picture.
pub(super) fn is_picture(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"))
}

impl<'a> Wanted<'a> {
    /// Finds the columns.
    pub(super) fn new(plot: &'a Plot, sweep: &Sweep) -> anyhow::Result<Self> {
        let sheet = sweep.sheet([]);
        let column = |name: &str| column(sheet.names(), name);
        let by = plot.by.as_deref().map(column).transpose()?;
        Ok(Self { plot, columns: [column(&plot.x)?, column(&plot.y)?], by })
    }

    /// Draws it.
    pub(super) fn draw(&self, sheet: &Sheet, sweep: &Sweep) -> anyhow::Result<Drawn> {
        let Self { plot, columns, by } = *self;
        let curves = curves(sheet, columns, by, plot.bins)?;
        let name = |column: usize| sheet.names()[column].clone();
        let title = |column: usize| sweep.axis_title(column).unwrap_or_else(|| name(column));
        let [x, y] = columns.map(name);
        let [x_title, y_title] = columns.map(title);
        let by = by.map(name);
        let titles = Titles { title: sweep.title(), x: &x_title, y: &y_title, by: by.as_deref() };
        let svg = curves.chart(&titles).to_svg();
        let table = curves.sheet(by.as_deref(), &x);
        Ok(Drawn { x, y, by, bins: plot.bins, curves, table, svg })
    }
}

impl Drawn {
    /// Writes it as what the name of the file says.
    pub(super) fn write(&self, path: &Path) -> anyhow::Result<()> {
        if is_picture(path) {
            return std::fs::write(path, &self.svg)
                .with_context(|| format!("cannot write {}", path.display()));
        }
        self.table.write(path).map_err(advised)
    }
}

/// The column that a person means: by its name, or by a part of it that no other has.
fn column(names: &[String], asked: &str) -> anyhow::Result<usize> {
    if let Some(found) = names.iter().position(|name| name == asked) {
        return Ok(found);
    }
    // Whoever means the verdict says so.
    let matches = |name: &&String| name.contains(asked) && !name.ends_with(" pass");
    let found: Vec<&String> = names.iter().filter(matches).collect();
    match found[..] {
        [one] => names.iter().position(|name| name == one).context("it is there"),
        [] => {
            let near = nearest(asked, names.iter().map(String::as_str));
            let hint = match near {
                Some(near) => format!("did you mean {near}?"),
                None => format!("the columns are {}", names.join(", ")),
            };
            Err(anyhow!("the table has no column {asked}\nhint: {hint}"))
        }
        _ => {
            let found: Vec<String> = found.iter().map(|name| format!("\"{name}\"")).collect();
            bail!("several columns have {asked} in their names: {}", found.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::column;

    #[test]
    fn a_column_is_found_by_its_name_or_by_a_part_that_no_other_has() {
        let names = ["index", "speed", "it flies far", "it flies far pass", "hash"];
        let names = names.map(str::to_owned);
        assert_eq!(column(&names, "speed").unwrap(), 1);
        assert_eq!(column(&names, "flies").unwrap(), 2);
        assert_eq!(column(&names, "it flies far pass").unwrap(), 3);
        let message = column(&names, "sped").unwrap_err().to_string();
        assert!(message.contains("did you mean speed?"), "{message}");
        let message = column(&names, "a").unwrap_err().to_string();
        assert!(message.contains("several columns"), "{message}");
    }
}
