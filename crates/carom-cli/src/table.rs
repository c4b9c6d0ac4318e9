//! Tables that fit where they are shown.
//!
//! Where a table is too wide, long texts in it are shortened as far as their columns allow; if that is not enough, columns
//! go, those first that matter least, until it is. What is left out is told below it. Numbers are never cut.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table as Drawn};

use crate::help::wrapped_to;

/// A column of a table.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    title: String,
    is_right: bool,
    /// It is the sooner left out the larger; at 0 never.
    rank: u8,
    /// How short its texts may become; none if they must stay whole.
    least: Option<usize>,
}

impl Column {
    /// Of texts, that stay.
    pub(crate) fn text(title: impl Into<String>) -> Self {
        Self { title: title.into(), is_right: false, rank: 0, least: None }
    }

    /// Of numbers, that stay.
    pub(crate) fn number(title: impl Into<String>) -> Self {
        Self { is_right: true, ..Self::text(title) }
    }

    /// Left out when width is wanting, the sooner the larger the rank.
    pub(crate) const fn rank(mut self, rank: u8) -> Self {
        self.rank = rank;
        self
    }

    /// With texts that may become so short, at most.
    pub(crate) const fn least(mut self, letters: usize) -> Self {
        self.least = Some(letters);
        self
    }
}

/// A table of text.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
    indent: usize,
}

/// Columns between cells, and to the left of the first one.
const GAP: usize = 2;

impl Table {
    pub(crate) fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Self { columns: columns.into_iter().collect(), rows: Vec::new(), indent: 0 }
    }

    /// So far from the left.
    pub(crate) const fn indented(mut self, indent: usize) -> Self {
        self.indent = indent;
        self
    }

    /// A row; cells that are missing are empty.
    pub(crate) fn add(&mut self, cells: impl IntoIterator<Item = String>) {
        let mut cells: Vec<String> = cells.into_iter().collect();
        cells.resize(self.columns.len(), String::new());
        self.rows.push(cells);
    }

    /// Lines that take so many columns at most, as far as that can be; any number if there is no limit.
    pub(crate) fn to_text(&self, width: Option<usize>) -> String {
        let mut shown: Vec<usize> = (0..self.columns.len()).collect();
        let mut widths: Vec<usize> = (0..self.columns.len()).map(|it| self.natural(it)).collect();
        if let Some(width) = width {
            self.fit(width.saturating_sub(self.indent), &mut shown, &mut widths);
        }
        let mut text = self.drawn(&shown, &widths);
        let is_left_out = |column: &usize| !shown.contains(column);
        let left_out: Vec<&str> = (0..self.columns.len())
            .filter(is_left_out)
            .map(|column| self.columns[column].title.as_str())
            .collect();
        if !left_out.is_empty() {
            let indent = " ".repeat(self.indent + 1);
            let room = width.unwrap_or(usize::MAX).saturating_sub(indent.len());
            let told = format!(
                "left out for want of width: {}; a wider terminal, or a pipe, shows them",
                left_out.join(", ")
            );
            let told = wrapped_to(&told, room).replace('\n', &format!("\n{indent}"));
            text += &format!("{indent}{told}\n");
        }
        text
    }

    /// Letters of the longest cell.
    fn natural(&self, column: usize) -> usize {
        let cells = self.rows.iter().map(|row| letters(&row[column]));
        cells.chain([letters(&self.columns[column].title)]).max().unwrap_or_default()
    }

    /// Shortens texts and leaves out columns.
    fn fit(&self, width: usize, shown: &mut Vec<usize>, widths: &mut [usize]) {
        let total = |shown: &[usize], widths: &[usize]| -> usize {
            shown.iter().map(|&column| widths[column] + GAP).sum()
        };
        let least = |column: usize, width: usize| {
            self.columns[column]
                .least
                .map_or(width, |least| least.max(letters(&self.columns[column].title)).min(width))
        };
        loop {
            let shortest: Vec<usize> = (0..widths.len()).map(|it| least(it, widths[it])).collect();
            let droppable = shown.iter().copied().max_by_key(|&it| (self.columns[it].rank, it));
            let droppable = droppable.filter(|&it| self.columns[it].rank > 0);
            match droppable {
                Some(column) if total(shown, &shortest) > width => shown.retain(|it| *it != column),
                _ => break,
            }
        }
        // A letter from the longest that can give one, until it fits.
        while total(shown, widths) > width {
            let can_give = |column: &usize| least(*column, widths[*column]) < widths[*column];
            let longest = shown.iter().copied().filter(can_give).max_by_key(|&it| widths[it]);
            let Some(column) = longest else { break };
            widths[column] -= 1;
        }
    }

    fn drawn(&self, shown: &[usize], widths: &[usize]) -> String {
        let mut table = Drawn::new();
        table.load_style(NOTHING);
        table.set_header(shown.iter().map(|&column| self.columns[column].title.as_str()));
        for row in &self.rows {
            table.add_row(shown.iter().map(|&column| shortened(&row[column], widths[column])));
        }
        for (place, &column) in shown.iter().enumerate() {
            if let Some(drawn) = table.column_mut(place).filter(|_| self.columns[column].is_right) {
                drawn.set_cell_alignment(CellAlignment::Right);
            }
        }
        let indent = " ".repeat(self.indent);
        let line = |line: &str| format!("{indent}{}\n", line.trim_end());
        table.to_string().lines().map(line).collect()
    }
}

fn letters(text: &str) -> usize {
    text.chars().count()
}

/// As much of a text as has room.
pub(crate) fn shortened(text: &str, width: usize) -> String {
    if letters(text) <= width {
        return text.to_owned();
    }
    let start: String = text.chars().take(width.saturating_sub(1)).collect();
    format!("{}\u{2026}", start.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new([
            Column::text("what").least(8),
            Column::number("mean"),
            Column::number("error").rank(1),
            Column::text("unit").rank(2),
        ]);
        table.add(["the height of the ball", "1.2345", "0.0001", "m"].map(str::to_owned));
        table.add(["its speed", "12.5", "0.01", "m/s"].map(str::to_owned));
        table
    }

    #[test]
    fn where_there_is_room_everything_is_shown() {
        let text = table().to_text(None);
        assert_eq!(text, table().to_text(Some(200)));
        assert_eq!(
            text,
            " what                      mean   error  unit\n \
             the height of the ball  1.2345  0.0001  m\n \
             its speed                 12.5    0.01  m/s\n"
        );
    }

    #[test]
    fn texts_are_shortened_before_columns_go_and_numbers_never() {
        let text = table().to_text(Some(40));
        assert!(text.contains("m/s") && text.contains("the height"), "{text}");
        for width in 18..60 {
            let text = table().to_text(Some(width));
            assert!(text.contains("1.2345") && text.contains("12.5"), "{text}");
            let rows = text.lines().take_while(|line| !line.contains("left out"));
            assert!(
                rows.clone().count() == 3 && rows.clone().all(|it| letters(it) <= width),
                "{text}"
            );
        }
        let text = table().to_text(Some(26));
        assert!(text.contains("left out for want of") && text.contains("unit;"), "{text}");
    }
}
