//! Where the parts of a chart go.
//!
//! Fonts differ from machine to machine, so widths of texts are estimates from the number of letters, on the wide side.

use super::Chart;
use super::scale::Scale;

/// Height of letters `[px]`.
pub(super) const FONT: f64 = 12.0;
/// Of the title `[px]`.
pub(super) const TITLE_FONT: f64 = 15.0;
/// From one line of text to the next, as a share of the height of its letters.
const LEADING: f64 = 1.3;
/// Width of a letter as a share of its height.
const LETTER: f64 = 0.56;
/// Around everything `[px]`.
pub(super) const MARGIN: f64 = 14.0;
/// Between texts and what they belong to `[px]`.
pub(super) const GAP: f64 = 7.0;
/// Length of the piece of line in the legend `[px]`.
pub(super) const SAMPLE: f64 = 38.0;
/// Between entries of the legend `[px]`.
const BETWEEN: f64 = 18.0;

/// Lines of text with the height of their letters.
pub(super) struct Text {
    pub(super) lines: Vec<String>,
    pub(super) font: f64,
}

impl Text {
    /// A text in lines that fit into a width.
    pub(super) fn new(text: &str, font: f64, width: f64) -> Self {
        let letters = (width / (font * LETTER)).max(1.0) as usize;
        Self { lines: wrapped(text, letters), font }
    }

    pub(super) fn leading(&self) -> f64 {
        self.font * LEADING
    }

    pub(super) fn height(&self) -> f64 {
        self.lines.len() as f64 * self.leading()
    }
}

/// Where things are.
pub(super) struct Layout {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
    pub(super) title: Text,
    pub(super) note: Text,
    pub(super) x_title: Text,
    pub(super) y_title: Text,
    /// Entries of the legend: which series, and where its sample begins.
    pub(super) legend: Vec<(usize, [f64; 2])>,
    /// Middle of the first line of the titles.
    pub(super) title_at: [f64; 2],
    pub(super) note_at: [f64; 2],
    pub(super) x_title_at: [f64; 2],
    pub(super) y_title_at: [f64; 2],
}

/// The layout of a chart; lays the ends of its axes down.
pub(super) fn lay_out(chart: &Chart, x: &mut Scale, y: &mut Scale) -> Layout {
    let [width, height] = chart.size;
    let title = Text::new(&chart.title, TITLE_FONT, width - 2.0 * MARGIN);
    let note = Text::new(&chart.note, FONT, width - 2.0 * MARGIN);
    let longest = y.ticks.iter().map(|tick| tick.label.chars().count()).max().unwrap_or_default();
    // About what the axes get of the height and the width, which are known only when the titles are laid.
    let y_title = Text::new(&chart.y.title, FONT, 0.7 * height);
    let x_title = Text::new(&chart.x.title, FONT, 0.8 * width);
    let left = MARGIN + y_title.height() + GAP + longest as f64 * FONT * LETTER + GAP;
    let right = width - MARGIN - GAP;
    let mut legend = Vec::new();
    let legend_top = MARGIN + title.height() + note.height() + 0.5 * FONT;
    let top = if chart.has_legend {
        legend_top + legend_of(chart, [left, right], legend_top, &mut legend)
    } else {
        legend_top
    };
    let below = FONT * LEADING + GAP + x_title.height();
    let bottom = (height - MARGIN - below).max(top + FONT);
    x.lay(left, right.max(left + FONT));
    y.lay(bottom, top);
    Layout {
        title_at: [0.5 * width, MARGIN + title.font],
        note_at: [0.5 * width, MARGIN + title.height() + note.font],
        x_title_at: [0.5 * (left + right), bottom + GAP + FONT * LEADING + FONT],
        y_title_at: [MARGIN + FONT, 0.5 * (top + bottom)],
        left,
        right: right.max(left + FONT),
        top,
        bottom,
        title,
        note,
        x_title,
        y_title,
        legend,
    }
}

/// Rows of entries from left to right; a single series without a name needs none. Gives its height.
pub(super) fn legend_of(
    chart: &Chart,
    [left, right]: [f64; 2],
    top: f64,
    entries: &mut Vec<(usize, [f64; 2])>,
) -> f64 {
    let named: Vec<(usize, &String)> =
        chart.names.iter().enumerate().filter(|(_, name)| !name.is_empty()).collect();
    if named.is_empty() {
        return 0.0;
    }
    let leading = FONT * LEADING + 3.0;
    let mut at = [left, top + 0.5 * leading];
    for (series, name) in named {
        let length = SAMPLE + GAP + name.chars().count() as f64 * FONT * LETTER;
        if at[0] > left && at[0] + length > right {
            at = [left, at[1] + leading];
        }
        entries.push((series, at));
        at[0] += length + BETWEEN;
    }
    at[1] - top + 0.5 * leading + GAP
}

/// A text in lines of at most so many letters, broken at spaces, but not at those that forbid it.
fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split([' ', '\t', '\n']).filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_titles_are_broken_between_words() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("over 95\u{a0}% of it", 7), ["over", "95\u{a0}% of", "it"]);
        assert_eq!(wrapped("unbreakable word", 4), ["unbreakable", "word"]);
        assert!(wrapped("  ", 4).is_empty());
    }
}
