//! Plots: lines, points, bands and areas over two axes, as SVG and PNG.
//!
//! The same chart gives the same bytes: nothing depends on fonts, clocks or the machine, and numbers are written with two
//! decimals of a pixel. Series are told apart by colour, and also by dashes and markers, so that no meaning is lost in
//! print. What is not finite, or not positive on a logarithmic axis, is a gap.
//!
//! ```
//! use carom_record::plot::{Axis, Chart};
//!
//! let fall = (0..=10).map(|n| f64::from(n) / 10.0).map(|t| [t, 4.905 * t * t]);
//! let svg = Chart::new("Free fall")
//!     .x_axis(Axis::linear("time in s"))
//!     .y_axis(Axis::linear("way in m"))
//!     .line("falls", fall)
//!     .to_svg();
//! assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
//! ```
//!
//! A [`Grid`] has several charts under one legend.

mod draw;
mod grid;
mod layout;
mod png;
mod scale;
mod svg;
mod theme;
mod ticks;

pub use grid::Grid;
pub use png::PictureError;
pub use theme::Theme;

/// An axis: what it shows, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    title: String,
    is_logarithmic: bool,
    range: Option<[f64; 2]>,
}

impl Axis {
    /// Equal ways for equal differences.
    pub fn linear(title: impl Into<String>) -> Self {
        Self { title: title.into(), is_logarithmic: false, range: None }
    }

    /// Equal ways for equal ratios; only positive numbers are on it.
    pub fn logarithmic(title: impl Into<String>) -> Self {
        Self { title: title.into(), is_logarithmic: true, range: None }
    }

    /// From here to there at least, whatever the data; a range that is none is left out.
    #[must_use]
    pub fn range(mut self, from: f64, to: f64) -> Self {
        self.range = Some([from, to]);
        self
    }
}

/// What is drawn of a series.
#[derive(Clone, Debug, PartialEq)]
enum Mark {
    /// x and y, joined by a line.
    Line(Vec<[f64; 2]>),
    /// x and y, a marker each.
    Points(Vec<[f64; 2]>),
    /// x, low and high.
    Band(Vec<[f64; 3]>),
    /// The same, filled so that what is stacked is told apart.
    Area(Vec<[f64; 3]>),
}

/// A chart: a title, two axes, and series that are drawn in the order in which they come, bands below lines below points.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    title: String,
    note: String,
    x: Axis,
    y: Axis,
    theme: Theme,
    size: [f64; 2],
    /// Names of series in the order in which they came.
    names: Vec<String>,
    /// What is drawn, each of a series by its index.
    marks: Vec<(usize, Mark)>,
    has_legend: bool,
    has_equal_scales: bool,
}

/// Width and height of a chart `[px]`.
const SIZE: [f64; 2] = [720.0, 450.0];

/// Neither side is shorter than this, so that there is room for the axes `[px]`.
pub const LEAST_SIZE: [f64; 2] = [240.0, 180.0];

/// Neither side is longer than this `[px]`.
pub const MOST_SIZE: f64 = 10_000.0;

impl Chart {
    /// A chart without anything on it.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            note: String::new(),
            x: Axis::linear(""),
            y: Axis::linear(""),
            theme: Theme::default(),
            size: SIZE,
            names: Vec::new(),
            marks: Vec::new(),
            has_legend: true,
            has_equal_scales: false,
        }
    }

    /// With this under the title, in smaller letters.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// With this title.
    #[must_use]
    pub fn titled(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// With this axis to the right.
    #[must_use]
    pub fn x_axis(mut self, axis: Axis) -> Self {
        self.x = axis;
        self
    }

    /// With this axis upwards.
    #[must_use]
    pub fn y_axis(mut self, axis: Axis) -> Self {
        self.y = axis;
        self
    }

    /// With as many pixels for a unit along x as along y, as ways in space need; both axes must be linear.
    #[must_use]
    pub fn equal_scales(mut self) -> Self {
        self.has_equal_scales = true;
        self
    }

    /// In these colours.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// Of this width and height in pixels, brought into 240 × 180 to 10 000 × 10 000.
    #[must_use]
    pub fn size(mut self, width: f64, height: f64) -> Self {
        let side = |side: f64, least: f64| {
            if side.is_finite() { side.clamp(least, MOST_SIZE) } else { least }
        };
        self.size = [side(width, LEAST_SIZE[0]), side(height, LEAST_SIZE[1])];
        self
    }

    /// Joins points by a line. What is drawn under one name is one series, with one colour and one line of the legend.
    #[must_use]
    pub fn line(self, name: &str, points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        self.with(name, Mark::Line(points.into_iter().collect()))
    }

    /// Marks points.
    #[must_use]
    pub fn points(self, name: &str, points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        self.with(name, Mark::Points(points.into_iter().collect()))
    }

    /// Fills the space between low and high; points are x, low and high.
    #[must_use]
    pub fn band(self, name: &str, points: impl IntoIterator<Item = [f64; 3]>) -> Self {
        self.with(name, Mark::Band(points.into_iter().collect()))
    }

    /// Fills the space between low and high boldly, for amounts that are stacked or counted; points are x, low and high.
    #[must_use]
    pub fn area(self, name: &str, points: impl IntoIterator<Item = [f64; 3]>) -> Self {
        self.with(name, Mark::Area(points.into_iter().collect()))
    }

    fn with(mut self, name: &str, mark: Mark) -> Self {
        let known = self.names.iter().position(|known| known == name);
        let series = known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        self.marks.push((series, mark));
        self
    }

    /// The picture.
    pub fn to_svg(&self) -> String {
        draw::draw(self)
    }

    /// The picture in pixels, so many for each of the chart's `[-]`; the same bytes on every machine.
    ///
    /// # Errors
    /// If it would have more than 400 million pixels, or none.
    pub fn to_png(&self, scale: f64) -> Result<Vec<u8>, PictureError> {
        png::render(&self.to_svg(), scale)
    }

    /// All numbers along x and along y.
    fn extents(&self) -> [Vec<f64>; 2] {
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for (_, mark) in &self.marks {
            match mark {
                Mark::Line(points) | Mark::Points(points) => {
                    x.extend(points.iter().map(|point| point[0]));
                    y.extend(points.iter().map(|point| point[1]));
                }
                Mark::Band(points) | Mark::Area(points) => {
                    x.extend(points.iter().map(|point| point[0]));
                    y.extend(points.iter().flat_map(|point| [point[1], point[2]]));
                }
            }
        }
        [x, y]
    }
}

#[cfg(test)]
mod tests;
