//! A chart, drawn.

use super::layout::{FONT, GAP, Layout, SAMPLE, Text, lay_out};
use super::scale::Scale;
use super::svg::{element, escaped, line, open, path, px, text_element};
use super::theme::{Colors, dashes, filling};
use super::{Chart, Mark};

/// Half the size of a marker `[px]`.
const MARKER: f64 = 3.0;

/// How far beyond the ends of the axes may be drawn, so that markers and lines at the ends are whole `[px]`.
const BEYOND: f64 = 4.0;

/// Opacity of bands.
const PALE: &str = "0.18";

/// Lengths of marks on the axes, large and small `[px]`.
const TICKS: [f64; 2] = [5.0, 3.0];

pub(super) fn draw(chart: &Chart) -> String {
    let [xs, ys] = chart.extents();
    let mut x = Scale::new(&chart.x, &xs);
    let mut y = Scale::new(&chart.y, &ys);
    let layout = lay_out(chart, &mut x, &mut y);
    if chart.has_equal_scales {
        Scale::equal(&mut x, &mut y);
    }
    let colors = chart.theme.colors();
    let mut inside = axes(&layout, &x, &y, &colors);
    inside += &titles(&layout, &colors);
    inside += &series(chart, &layout, &x, &y);
    inside += &legend(chart, &layout.legend, &colors);
    picture(&chart.title, chart.size, &colors, &inside)
}

/// A picture of a size around what is inside.
pub(super) fn picture(title: &str, size: [f64; 2], colors: &Colors, inside: &str) -> String {
    let [width, height] = size.map(px);
    let mut svg = open(
        "svg",
        &[
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("width", &width),
            ("height", &height),
            ("viewBox", &format!("0 0 {width} {height}")),
            ("role", "img"),
            ("aria-label", &escaped(title)),
            ("font-family", "'Noto Sans', 'DejaVu Sans', system-ui, Helvetica, Arial, sans-serif"),
            ("font-size", &px(FONT)),
        ],
    );
    if !title.is_empty() {
        svg += &text_element("title", &[], title);
    }
    svg += &element("rect", &[("width", &width), ("height", &height), ("fill", colors.background)]);
    svg + inside + "</svg>\n"
}

/// Grid, marks and their labels.
fn axes(layout: &Layout, x: &Scale, y: &Scale, colors: &Colors) -> String {
    let Layout { left, right, top, bottom, .. } = *layout;
    let mut grid = open("g", &[("stroke-width", "1")]);
    let mut marks = open("g", &[("stroke-width", "1")]);
    let mut labels = open("g", &[("fill", colors.text)]);
    for tick in &x.ticks {
        let Some(at) = x.place(tick.at) else { continue };
        let long = !tick.label.is_empty();
        if long {
            grid += &line([at, top], [at, bottom], colors.grid);
            let place = [("x", px(at)), ("y", px(bottom + GAP + FONT))];
            labels += &label(&place, "middle", &tick.label);
        }
        marks += &line([at, bottom], [at, bottom + TICKS[usize::from(!long)]], colors.axis);
    }
    for tick in &y.ticks {
        let Some(at) = y.place(tick.at) else { continue };
        let long = !tick.label.is_empty();
        if long {
            grid += &line([left, at], [right, at], colors.grid);
            // Letters reach about 0.7 of their height above their line.
            let place = [("x", px(left - GAP)), ("y", px(at + 0.35 * FONT))];
            labels += &label(&place, "end", &tick.label);
        }
        marks += &line([left - TICKS[usize::from(!long)], at], [left, at], colors.axis);
    }
    marks += &line([left, bottom], [right, bottom], colors.axis);
    marks += &line([left, top], [left, bottom], colors.axis);
    format!("{grid}</g>\n{marks}</g>\n{labels}</g>\n")
}

fn label(place: &[(&str, String); 2], anchor: &str, text: &str) -> String {
    let [(x, at_x), (y, at_y)] = place;
    text_element("text", &[(x, at_x), (y, at_y), ("text-anchor", anchor)], text)
}

fn titles(layout: &Layout, colors: &Colors) -> String {
    let mut svg = open("g", &[("fill", colors.text), ("text-anchor", "middle")]);
    svg += &lines_of(&layout.title, layout.title_at, "font-weight=\"600\" ");
    svg += &lines_of(&layout.note, layout.note_at, "");
    svg += &lines_of(&layout.x_title, layout.x_title_at, "");
    let [x, y] = layout.y_title_at;
    svg += &open("g", &[("transform", &format!("rotate(-90 {} {})", px(x), px(y)))]);
    svg += &lines_of(&layout.y_title, [x, y], "");
    svg + "</g>\n</g>\n"
}

pub(super) fn lines_of(text: &Text, [x, y]: [f64; 2], weight: &str) -> String {
    let place = |index: usize| px(y + index as f64 * text.leading());
    let line = |(index, line): (usize, &String)| {
        format!(
            "<text {weight}x=\"{}\" y=\"{}\" font-size=\"{}\">{}</text>\n",
            px(x),
            place(index),
            px(text.font),
            escaped(line)
        )
    };
    text.lines.iter().enumerate().map(line).collect()
}

/// All series, in a frame that cuts off what a given range does not show.
fn series(chart: &Chart, layout: &Layout, x: &Scale, y: &Scale) -> String {
    let [left, top] = [layout.left - BEYOND, layout.top - BEYOND].map(px);
    let width = px(layout.right - layout.left + 2.0 * BEYOND);
    let height = px(layout.bottom - layout.top + 2.0 * BEYOND);
    let frame = format!("{left} {top} {width} {height}");
    let mut svg = open(
        "svg",
        &[("x", &left), ("y", &top), ("width", &width), ("height", &height), ("viewBox", &frame)],
    );
    let place = |[a, b]: [f64; 2]| Some([x.place(a)?, y.place(b)?]);
    for layer in 0..4 {
        for (index, mark) in &chart.marks {
            let color = chart.theme.color(*index);
            svg += &match mark {
                Mark::Area(points) if layer == 0 => area(points, *index, color, &place),
                Mark::Band(points) if layer == 1 => band(points, color, PALE, &place),
                Mark::Line(points) if layer == 2 => joined(points, *index, color, &place),
                Mark::Points(points) if layer == 3 => {
                    let places = points.iter().filter_map(|point| place(*point));
                    places.map(|place| marker(place, *index, color)).collect()
                }
                _ => String::new(),
            };
        }
    }
    svg + "</svg>\n"
}

type Place<'a> = &'a dyn Fn([f64; 2]) -> Option<[f64; 2]>;

fn joined(points: &[[f64; 2]], series: usize, color: &str, place: Place<'_>) -> String {
    let places: Vec<Option<[f64; 2]>> = points.iter().map(|point| place(*point)).collect();
    let stretches = places.split(Option::is_none);
    let stretch = |stretch: &[Option<[f64; 2]>]| {
        let places: Vec<[f64; 2]> = stretch.iter().copied().flatten().collect();
        if places.len() < 2 {
            // A single point between gaps would not be seen.
            return places.iter().map(|place| marker(*place, series, color)).collect();
        }
        stroke(&path(&places, false), series, color)
    };
    stretches.map(stretch).collect()
}

fn stroke(data: &str, series: usize, color: &str) -> String {
    let mut attributes = vec![
        ("d", data),
        ("fill", "none"),
        ("stroke", color),
        ("stroke-width", "1.8"),
        ("stroke-linejoin", "round"),
    ];
    if !dashes(series).is_empty() {
        attributes.push(("stroke-dasharray", dashes(series)));
    }
    element("path", &attributes)
}

/// Filled between low and high; where a point stands alone, a bar.
fn band(points: &[[f64; 3]], color: &str, opacity: &str, place: Place<'_>) -> String {
    let places: Vec<Option<[[f64; 2]; 2]>> =
        points.iter().map(|&[x, low, high]| Some([place([x, low])?, place([x, high])?])).collect();
    let stretch = |stretch: &[Option<[[f64; 2]; 2]>]| {
        let ends: Vec<[[f64; 2]; 2]> = stretch.iter().copied().flatten().collect();
        if let [[low, high]] = ends[..] {
            return line(low, high, color);
        }
        let lows = ends.iter().map(|ends| ends[0]);
        let highs = ends.iter().rev().map(|ends| ends[1]);
        let outline: Vec<[f64; 2]> = lows.chain(highs).collect();
        let data = path(&outline, true);
        element("path", &[("d", &data), ("fill", color), ("fill-opacity", opacity)])
    };
    let stretches = places.split(Option::is_none).filter(|stretch| !stretch.is_empty());
    stretches.map(stretch).collect()
}

/// Filled boldly, with its upper edge drawn so that neighbours part in grey, too.
fn area(points: &[[f64; 3]], series: usize, color: &str, place: Place<'_>) -> String {
    let edge: Vec<[f64; 2]> = points.iter().map(|&[x, _, high]| [x, high]).collect();
    band(points, color, filling(series), place) + &joined(&edge, 0, color, place)
}

/// A circle, square, diamond or triangle.
fn marker([x, y]: [f64; 2], series: usize, color: &str) -> String {
    let r = MARKER;
    let outline: &[[f64; 2]] = match series % 4 {
        0 => {
            let (x, y, r) = (px(x), px(y), px(r));
            return element("circle", &[("cx", &x), ("cy", &y), ("r", &r), ("fill", color)]);
        }
        1 => &[[-r, -r], [r, -r], [r, r], [-r, r]],
        2 => &[[0.0, -1.4 * r], [1.4 * r, 0.0], [0.0, 1.4 * r], [-1.4 * r, 0.0]],
        _ => &[[0.0, -1.3 * r], [1.2 * r, 0.9 * r], [-1.2 * r, 0.9 * r]],
    };
    let places: Vec<[f64; 2]> = outline.iter().map(|[dx, dy]| [x + dx, y + dy]).collect();
    element("path", &[("d", &path(&places, true)), ("fill", color)])
}

/// A sample of every series, and its name.
pub(super) fn legend(chart: &Chart, entries: &[(usize, [f64; 2])], colors: &Colors) -> String {
    let mut svg = open("g", &[("fill", colors.text)]);
    for (series, [x, y]) in entries {
        let color = chart.theme.color(*series);
        let marks = || chart.marks.iter().filter(|(index, _)| index == series).map(|(_, it)| it);
        let (from, to) = ([*x, *y], [x + SAMPLE, *y]);
        let filled = marks().find_map(|mark| match mark {
            Mark::Band(_) => Some(PALE),
            Mark::Area(_) => Some(filling(*series)),
            Mark::Line(_) | Mark::Points(_) => None,
        });
        if let Some(opacity) = filled {
            let (x, y) = (px(from[0]), px(from[1] - 5.0));
            let (width, height) = (px(SAMPLE), px(10.0));
            let place = [("x", x.as_str()), ("y", &y), ("width", &width), ("height", &height)];
            let fill = [("fill", color), ("fill-opacity", opacity)];
            svg += &element("rect", &[place.as_slice(), &fill].concat());
        }
        if marks().any(|mark| matches!(mark, Mark::Line(_))) {
            svg += &stroke(&path(&[from, to], false), *series, color);
        }
        if marks().any(|mark| matches!(mark, Mark::Points(_))) {
            svg += &marker([x + 0.5 * SAMPLE, *y], *series, color);
        }
        let place = [("x", px(to[0] + GAP)), ("y", px(y + 0.35 * FONT))];
        svg += &label(&place, "start", chart.names.get(*series).map_or("", String::as_str));
    }
    svg + "</g>\n"
}
