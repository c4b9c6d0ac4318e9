//! Several charts in one picture, under one legend.
//!
//! A series has the same colour, dashes and marker in every chart, by its name, whichever charts it is in.

use super::draw::{legend, lines_of, picture};
use super::layout::{FONT, MARGIN, TITLE_FONT, Text, legend_of};
use super::svg::{open, px};
use super::{Chart, PictureError, Theme, png};

/// Charts beside each other, from left to right and then downwards.
///
/// ```
/// use carom_record::plot::{Axis, Chart, Grid};
///
/// let chart = |title: &str, power: f64| {
///     let points = [0.1, 0.01].map(|h: f64| [h, h * power]);
///     Chart::new(title).x_axis(Axis::logarithmic("step")).line("Euler", points)
/// };
/// let svg = Grid::new("Errors").across(2).chart(chart("a", 1.0)).chart(chart("b", 2.0)).to_svg();
/// assert_eq!(svg.matches(">Euler</text>").count(), 1);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    title: String,
    note: String,
    across: usize,
    theme: Theme,
    charts: Vec<Chart>,
}

/// Charts beside each other, if nothing is said.
const ACROSS: usize = 3;

impl Grid {
    /// Without any chart.
    pub fn new(title: impl Into<String>) -> Self {
        let (note, theme, charts) = (String::new(), Theme::default(), Vec::new());
        Self { title: title.into(), note, across: ACROSS, theme, charts }
    }

    /// With this under the title.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// With so many charts beside each other, at least one.
    #[must_use]
    pub fn across(mut self, charts: usize) -> Self {
        self.across = charts.max(1);
        self
    }

    /// In these colours, its charts too.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// With another chart; all get the room of the largest.
    #[must_use]
    pub fn chart(mut self, chart: Chart) -> Self {
        self.charts.push(chart);
        self
    }

    /// The picture.
    pub fn to_svg(&self) -> String {
        let side = |axis: usize| self.charts.iter().map(|it| it.size[axis]).fold(0.0, f64::max);
        let [wide, high] = [0, 1].map(side);
        let columns = self.across.min(self.charts.len()).max(1);
        let width = (wide * columns as f64).max(Chart::new("").size[0]);
        let all = self.together();
        let title = Text::new(&self.title, TITLE_FONT, width - 2.0 * MARGIN);
        let note = Text::new(&self.note, FONT, width - 2.0 * MARGIN);
        let mut entries = Vec::new();
        let top = MARGIN + title.height() + note.height() + 0.5 * FONT;
        let below = top + legend_of(&all, [MARGIN, width - MARGIN], top, &mut entries);
        let rows = self.charts.len().div_ceil(columns) as f64;
        let colors = self.theme.colors();
        let mut inside = open("g", &[("fill", colors.text)]);
        inside += &lines_of(&title, [MARGIN, MARGIN + title.font], "font-weight=\"600\" ");
        inside += &lines_of(&note, [MARGIN, MARGIN + title.height() + note.font], "");
        inside += "</g>\n";
        inside += &legend(&all, &entries, &colors);
        for (index, chart) in self.charts.iter().enumerate() {
            let [row, column] = [index / columns, index % columns].map(|it| it as f64);
            let place = format!("translate({} {})", px(column * wide), px(below + row * high));
            inside += &open("g", &[("transform", &place)]);
            inside +=
                &Chart { has_legend: false, theme: self.theme, ..all.ordering(chart) }.to_svg();
            inside += "</g>\n";
        }
        picture(&self.title, [width, below + rows * high], &colors, &inside)
    }

    /// The picture in pixels, so many for each of the chart's `[-]`; the same bytes on every machine.
    ///
    /// # Errors
    /// If it would have more than 400 million pixels, or none.
    pub fn to_png(&self, scale: f64) -> Result<Vec<u8>, PictureError> {
        png::render(&self.to_svg(), scale)
    }

    /// All series of all charts, each by its name, in the order in which they come.
    fn together(&self) -> Chart {
        let mut all = Chart { theme: self.theme, ..Chart::new("") };
        for chart in &self.charts {
            for (index, name) in chart.names.iter().enumerate() {
                let marks = chart.marks.iter().filter(|(series, _)| *series == index);
                all = marks.fold(all, |all, (_, mark)| all.with(name, mark.clone()));
            }
        }
        all
    }
}

impl Chart {
    /// Another chart, with its series by the numbers that they have in this one.
    fn ordering(&self, chart: &Self) -> Self {
        let number = |series: usize| {
            let name = chart.names.get(series)?;
            self.names.iter().position(|known| known == name)
        };
        let marks =
            chart.marks.iter().filter_map(|(series, mark)| Some((number(*series)?, mark.clone())));
        Self { names: self.names.clone(), marks: marks.collect(), ..chart.clone() }
    }
}
