//! A picture of error against cost, one panel for each scene, both axes in logarithms.

/// A curve of one engine.
pub struct Series {
    /// Its name.
    pub name: String,
    /// Cost and error of each run, in order.
    pub points: Vec<(f64, f64)>,
}

/// A pair of axes with curves.
pub struct Panel {
    /// What stands above it.
    pub title: String,
    /// What stands under the title, smaller.
    pub subtitle: String,
    /// The curves.
    pub series: Vec<Series>,
}

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 250.0;
const ACROSS: usize = 4;
/// Room for text at the left, top, right and bottom of a panel.
const MARGINS: [f64; 4] = [52.0, 44.0, 14.0, 38.0];
/// Told apart without colour vision, too.
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];
/// Errors that are zero are drawn at this.
const FLOOR: f64 = 1e-17;
/// Characters of a subtitle that fit.
const FITS: usize = 52;

/// A range of a logarithmic axis, in whole decades.
struct Decades {
    low: f64,
    high: f64,
}

impl Decades {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let logs: Vec<f64> = values.map(|value| libm::log10(value.max(FLOOR))).collect();
        let low = logs.iter().copied().fold(f64::INFINITY, f64::min).floor();
        let high = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max).ceil();
        if low.is_finite() {
            Self { low, high: high.max(low + 1.0) }
        } else {
            Self { low: 0.0, high: 1.0 }
        }
    }

    fn share(&self, value: f64) -> f64 {
        (libm::log10(value.max(FLOOR)) - self.low) / (self.high - self.low)
    }

    /// Exponents to be marked: not more than six.
    fn ticks(&self) -> impl Iterator<Item = i32> {
        let step = ((self.high - self.low) / 6.0).ceil().max(1.0) as usize;
        (self.low as i32..=self.high as i32).step_by(step)
    }
}

/// The picture as SVG.
pub fn svg(panels: &[Panel]) -> String {
    let rows = panels.len().div_ceil(ACROSS).max(1);
    let (width, height) = (WIDTH * ACROSS.min(panels.len().max(1)) as f64, HEIGHT * rows as f64);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"9\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (index, panel) in panels.iter().enumerate() {
        let (x, y) = (WIDTH * (index % ACROSS) as f64, HEIGHT * (index / ACROSS) as f64);
        text += &format!("<g transform=\"translate({x} {y})\">\n{}</g>\n", drawn(panel));
    }
    text + "</svg>\n"
}

fn drawn(panel: &Panel) -> String {
    let [left, top, right, bottom] = MARGINS;
    let (wide, high) = (WIDTH - left - right, HEIGHT - top - bottom);
    let points = || panel.series.iter().flat_map(|series| &series.points);
    let across = Decades::of(points().map(|point| point.0));
    let up = Decades::of(points().map(|point| point.1));
    let place = |&(cost, error): &(f64, f64)| {
        (left + wide * across.share(cost), top + high * (1.0 - up.share(error)))
    };
    let mut text = format!(
        "<text x=\"{left}\" y=\"16\" font-size=\"12\" font-weight=\"bold\">{}</text>\n\
         <text x=\"{left}\" y=\"28\" font-size=\"8\">{}</text>\n\
         <rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\" fill=\"none\" stroke=\"#888\"/>\n",
        escaped(&panel.title),
        escaped(&shortened(&panel.subtitle)),
    );
    for tick in across.ticks() {
        let x = left + wide * across.share(libm::exp10(f64::from(tick)));
        let y = top + high + 12.0;
        text +=
            &format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">1e{tick}</text>\n");
    }
    for tick in up.ticks() {
        let (x, y) =
            (left - 4.0, top + high * (1.0 - up.share(libm::exp10(f64::from(tick)))) + 3.0);
        text += &format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\">1e{tick}</text>\n");
    }
    for (index, series) in panel.series.iter().enumerate() {
        text += &curve(
            &series.points.iter().map(place).collect::<Vec<_>>(),
            COLOURS[index % COLOURS.len()],
        );
        let y = top + 11.0 * (index as f64 + 1.0);
        let x = left + wide - 4.0;
        let (colour, name) = (COLOURS[index % COLOURS.len()], escaped(&series.name));
        text += &format!(
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\" fill=\"{colour}\">{name}</text>\n"
        );
    }
    let (x, y) = (left + 0.5 * wide, HEIGHT - 10.0);
    let half = top + 0.5 * high;
    text += &format!(
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">time of the run [s]</text>\n\
         <text x=\"12\" y=\"{half}\" text-anchor=\"middle\" transform=\"rotate(-90 12 {half})\">error</text>\n"
    );
    text
}

fn curve(places: &[(f64, f64)], colour: &str) -> String {
    let line: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let mut text = format!(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\n",
        line.join(" ")
    );
    for (x, y) in places {
        text += &format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>\n");
    }
    text
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= FITS {
        return text.to_owned();
    }
    text.chars().take(FITS - 1).chain(['…']).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_every_point_within_its_panel_and_survives_errors_of_zero() {
        let series = |name: &str, points: &[(f64, f64)]| Series {
            name: name.to_owned(),
            points: points.to_vec(),
        };
        let panel = Panel {
            title: "a < b".to_owned(),
            subtitle: "x".repeat(200),
            series: vec![
                series("Carom", &[(0.01, 0.0)]),
                series("Rapier", &[(0.1, 1e-2), (1.0, 1e-3)]),
            ],
        };
        let text = svg(&[
            panel,
            Panel { title: String::new(), subtitle: String::new(), series: Vec::new() },
        ]);
        assert_eq!(text.matches("<circle").count(), 3);
        assert!(text.contains("a &lt; b") && !text.contains("NaN") && !text.contains("inf"));
        for part in text.split("cx=\"").skip(1) {
            let x: f64 = part.split('"').next().unwrap().parse().unwrap();
            assert!((MARGINS[0]..=WIDTH).contains(&x), "{x}");
        }
    }
}
