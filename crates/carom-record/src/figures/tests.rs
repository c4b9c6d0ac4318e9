//! Every kind of picture, through its pixels: the right colour at known points, and not blank elsewhere.

use std::io::Cursor;

use carom::World;
use resvg::tiny_skia::Pixmap;

use super::*;
use crate::testing::{busy_world, landing_world, record};
use crate::{Options, Reader};

fn run(world: fn() -> World, end: f64, label: &str) -> RecordedRun {
    let bytes = record(&mut world(), end, &Options::at(100.0));
    let mut reader = Reader::new(Cursor::new(&bytes)).expect("it is a recording");
    RecordedRun::read(&mut reader, label).expect("it is whole")
}

fn landing() -> Vec<RecordedRun> {
    vec![run(landing_world, 1.0, "landing")]
}

fn drawn(runs: &[RecordedRun], options: &FigureOptions) -> Picture {
    let drawn = figure(runs, options).expect("there is something to show");
    Picture(Pixmap::decode_png(&drawn.chart.to_png(1.0).unwrap()).expect("it is a PNG"))
}

/// A picture of 720 × 450 pixels.
struct Picture(Pixmap);

impl Picture {
    fn at(&self, x: u32, y: u32) -> [u8; 3] {
        let color = self.0.pixel(x, y).expect("it lies in the picture").demultiply();
        [color.red(), color.green(), color.blue()]
    }

    /// How many pixels have about this colour.
    fn count(&self, color: [u8; 3]) -> usize {
        let near = |x, y| (0..3).all(|k| self.at(x, y)[k].abs_diff(color[k]) <= 6);
        let (width, height) = (self.0.width(), self.0.height());
        (0..height).map(|y| (0..width).filter(|&x| near(x, y)).count()).sum()
    }
}

const BLUE: [u8; 3] = [0x00, 0x72, 0xb2];
const ORANGE: [u8; 3] = [0xd5, 0x5e, 0x00];
const INK: [u8; 3] = [0x1f, 0x23, 0x28];

/// A colour over white.
fn over_white(color: [u8; 3], opacity: f64) -> [u8; 3] {
    color.map(|part| (opacity * f64::from(part) + (1.0 - opacity) * 255.0).round() as u8)
}

#[test]
fn the_ledger_is_stacked_and_ends_in_what_was_lost() {
    let runs = landing();
    let picture = drawn(&runs, &FigureOptions::of(Figure::Energy));
    let kinetic = over_white(BLUE, 0.85);
    let potential = over_white(ORANGE, 0.55);
    assert!(picture.count(kinetic) > 3000, "{}", picture.count(kinetic));
    assert!(picture.count(potential) > 3000, "{}", picture.count(potential));
    // At first everything is potential: the lower left of the axes is of its colour.
    let is_near = |a: [u8; 3], b: [u8; 3]| (0..3).all(|k| a[k].abs_diff(b[k]) < 30);
    assert!(is_near(picture.at(90, 300), potential), "{:?}", picture.at(90, 300));
    // And in the end the lower right is kinetic.
    assert!(is_near(picture.at(690, 370), kinetic), "{:?}", picture.at(690, 370));
    assert!(picture.count(INK) > 300, "letters are drawn: {}", picture.count(INK));
}

#[test]
fn a_force_at_rest_is_the_weight() {
    let runs = landing();
    let options = FigureOptions {
        pair: Some(["cube".into(), "floor".into()]),
        ..FigureOptions::of(Figure::Forces)
    };
    let svg = figure(&runs, &options).unwrap().chart.to_svg();
    assert!(svg.contains("normal force in N, mean over 0.050 s") && svg.contains("floor, cube"));
    let picture = drawn(&runs, &options);
    assert!(picture.count(BLUE) > 300, "{}", picture.count(BLUE));
    let far = FigureOptions { pair: Some(["cube".into(), "ball".into()]), ..options };
    let told = figure(&runs, &far).unwrap_err().to_string();
    assert_eq!(told, "cube and ball do not collide in landing");
    let of_ball = FigureOptions { bodies: vec!["ball".into()], pair: None, ..far };
    assert!(!figure(&runs, &of_ball).is_ok_and(|it| it.chart.to_svg().contains("cube")));
}

#[test]
fn what_is_not_told_by_body_or_pair_says_so() {
    let runs = landing();
    let pair = || Some(["cube".into(), "floor".into()]);
    let columns = |x: &str, y: &str| Figure::Columns { x: x.into(), y: y.into() };
    for (figure_of, bodies, pair, told) in [
        (Figure::Energy, vec!["cube".into()], None, "energy is not told by body"),
        (Figure::Energy, vec![], pair(), "energy is not told by pair"),
        (Figure::Heights, vec![], pair(), "height is not told by pair"),
        (
            columns("time_s", "residual_J"),
            vec!["cube".into()],
            None,
            "residual_J is not told by body",
        ),
        (columns("time_s", "z_m"), vec![], pair(), "z_m is not told by pair"),
        (columns("time_s", "share"), vec!["cube".into()], None, "share is not told by body"),
    ] {
        let options = FigureOptions { bodies, pair, ..FigureOptions::of(figure_of) };
        let said = figure(&runs, &options).unwrap_err().to_string();
        assert!(said.starts_with(told), "{said}");
    }
}

#[test]
fn a_path_in_space_has_the_same_scale_along_both_axes() {
    let figure_of = Figure::Columns { x: "x_m".into(), y: "z_m".into() };
    let options = FigureOptions::of(figure_of);
    let svg = figure(&landing(), &options).unwrap().chart.to_svg();
    let apart = |anchor: &str, side: &str| -> Vec<(f64, f64)> {
        let labels = svg.lines().filter(|it| it.contains(&format!("text-anchor=\"{anchor}\">")));
        let place = |line: &str| -> Option<(f64, f64)> {
            let value = line.split('>').nth(1)?.split('<').next()?.replace('−', "-");
            let at = line.split(&format!(" {side}=\"")).nth(1)?.split('"').next()?;
            Some((value.parse().ok()?, at.parse().ok()?))
        };
        labels.filter_map(place).collect()
    };
    let per_metre = |marks: &[(f64, f64)]| {
        let (first, last) = (marks[0], marks[marks.len() - 1]);
        ((last.1 - first.1) / (last.0 - first.0)).abs()
    };
    let [x, y] = [apart("middle", "x"), apart("end", "y")].map(|marks| per_metre(&marks));
    // Places are written to a hundredth of a pixel.
    assert!((x / y - 1.0).abs() < 1e-3, "{x} and {y} px/m");
}

#[test]
fn heights_and_phase_plots_have_a_line_for_every_body() {
    let runs = landing();
    let picture = drawn(&runs, &FigureOptions::of(Figure::Heights));
    assert!(picture.count(BLUE) > 200, "{}", picture.count(BLUE));
    assert!(picture.count(ORANGE) > 100, "{}", picture.count(ORANGE));
    let bodies = vec!["cube".to_owned()];
    let picture = drawn(&runs, &FigureOptions { bodies, ..FigureOptions::of(Figure::Phase) });
    // It falls from the right, below the middle, and comes to rest on the left.
    assert!(picture.count(BLUE) > 300, "{}", picture.count(BLUE));
}

#[test]
fn lines_have_a_gap_where_a_body_collides() {
    let runs = landing();
    let run = &runs[0];
    let bodies = run.chosen(&["cube".to_owned()]);
    let times = |gap: Option<&f64>| run.ways(&bodies, gap, |_, _, time, _| time).remove(0).1;
    let parted = times(Some(&f64::NAN));
    let hit = run.contacts[0].time;
    let gap = parted.iter().position(|time| time.is_nan()).expect("it lands");
    assert!(parted[gap - 1] < hit && hit <= parted[gap + 1], "{parted:?}");
    assert!(times(None).iter().all(|time| time.is_finite()));
}

#[test]
fn a_column_over_another_is_where_it_belongs() {
    let runs = landing();
    let columns = Figure::Columns { x: "time_s".into(), y: "z_m".into() };
    let options = FigureOptions { bodies: vec!["ball".into()], ..FigureOptions::of(columns) };
    let drawn_chart = figure(&runs, &options).unwrap().chart;
    let svg = drawn_chart.to_svg();
    assert!(svg.contains(">z in m</text>") && svg.contains(">time in s</text>"), "{svg}");
    // It falls by g/2 from 100 m in a second: from mark to mark 1 m, the axis from 95 to 100.
    let picture = drawn(&runs, &options);
    let of_line =
        |x: u32| (0..450).find(|&y| picture.at(x, y)[0] < 90 && picture.at(x, y)[2] > 140);
    let [first, last] = [of_line(75), of_line(690)].map(|y| y.expect("the line is there"));
    assert!(first < 80 && last > 350, "{first} {last}");
}

#[test]
fn a_histogram_has_bars_of_the_right_height() {
    let runs = landing();
    let histogram = Figure::Histogram { column: "z_m".into(), bins: Some(10) };
    let options = FigureOptions { bodies: vec!["cube".into()], ..FigureOptions::of(histogram) };
    let picture = drawn(&runs, &options);
    let bars = over_white(BLUE, 0.85);
    // It lies in the lowest bin for most of the time, and for a few samples in others.
    assert!(picture.count(bars) > 10_000, "{}", picture.count(bars));
    assert_eq!(picture.at(80, 380), picture.at(100, 380));
    assert_ne!(picture.at(680, 200), picture.at(80, 200));
}

#[test]
fn several_recordings_lie_on_top_of_each_other_with_their_names() {
    let runs = [run(landing_world, 1.0, "one"), run(busy_world, 1.0, "two")];
    let columns = Figure::Columns { x: "time_s".into(), y: "kinetic_J".into() };
    let histogram = Figure::Histogram { column: "z_m".into(), bins: None };
    for what in [Figure::Energy, Figure::Heights, columns, histogram] {
        let options = FigureOptions::of(what);
        let svg = figure(&runs, &options).unwrap().chart.to_svg();
        assert!(svg.contains(">one") && svg.contains(">two"), "{:?}", options.figure);
        assert!(drawn(&runs, &options).count(ORANGE) > 100);
    }
}

#[test]
fn greys_have_no_colour_and_dark_is_dark() {
    let runs = landing();
    let of = |theme| drawn(&runs, &FigureOptions { theme, ..FigureOptions::of(Figure::Heights) });
    let grey = of(Theme::Grey);
    let colored = (0..720).flat_map(|x| (0..450).map(move |y| (x, y)));
    // Letters and axes are bluish greys.
    let is_grey = |(x, y)| {
        let [r, g, b] = grey.at(x, y);
        r.max(g).max(b) - r.min(g).min(b) <= 24
    };
    assert!(colored.clone().all(is_grey));
    assert_eq!(of(Theme::Dark).at(2, 2), [0x15, 0x18, 0x1c]);
}

#[test]
fn what_is_not_there_is_told_with_what_is() {
    let runs = landing();
    let columns = |x: &str, y: &str| {
        figure(&runs, &FigureOptions::of(Figure::Columns { x: x.into(), y: y.into() })).map(|_| ())
    };
    let Err(FigureError::NoColumn { asked, known }) = columns("time_s", "zz_m") else {
        panic!("there is no such column");
    };
    assert!(asked == "zz_m" && known.contains(&"z_m".to_owned()));
    assert!(matches!(columns("work_J", "x_m"), Err(FigureError::Apart { .. })));
    let options =
        FigureOptions { bodies: vec!["cub".into()], ..FigureOptions::of(Figure::Heights) };
    assert!(matches!(figure(&runs, &options), Err(FigureError::NoBody { .. })));
}

#[test]
fn axes_say_what_they_show_in_which_unit() {
    for (column, title) in [
        ("time_s", "time in s"),
        ("vz_m_s", "velocity along z in m/s"),
        ("wx_rad_s", "angular velocity about x in rad/s"),
        ("impulse_x_N_s", "impulse x in N·s"),
        ("kinetic_J", "kinetic energy in J"),
        ("friction_loss_J", "friction loss in J"),
        ("qx", "qx"),
        ("share", "share"),
    ] {
        assert_eq!(column::axis_title(column), title);
    }
}
