//! The guide's checklist GM-R1: bounds on the travel of cyclers and the distance D* at which they cross.
//!
//! By hand: a circle of radius 2 at 3 rad/s, at (2, 0) with the velocity (0, 6). Along d = (0.6, 0.8) the linear
//! bound is r·Ω = 6, the quadratic one ½·r·Ω² = 9 and d·v = 4.8, and D* = 2·(6 − 4.8)/3 = 0.8. On the ellipse of
//! semi-axes 2 and 1 the velocity is (0, 3) and the width along d √(1.2² + 0.8²) = √2.08 stands for r.

use glam::{DQuat, DVec3};

use carom_dynamics::law::Cycler;
use carom_dynamics::{Law, Span, Travel};

use super::super::{Context, Row};

const THESIS: &str = "Mirtich 1996, (2.14), (2.15) and D*, by hand";

/// A few roundings of a rate times a width.
const ROUNDING: f64 = 1e-14;

const ALONG: DVec3 = DVec3::new(0.6, 0.8, 0.0);

const RATE: f64 = 3.0;

fn cycler(second: f64) -> Option<Cycler> {
    let semi_axes = [2.0 * DVec3::X, second * DVec3::Y];
    Cycler::new(DVec3::ZERO, semi_axes, RATE, 0.0, DQuat::IDENTITY).ok()
}

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let (Some(circle), Some(ellipse)) = (cycler(2.0), cycler(1.0)) else {
        return vec![Row::case("m1/GM-R1", "cyclers", THESIS).failed(&"a cycler was refused")];
    };
    // √2.08, then 3·√2.08, ½·9·√2.08 and ⅔·(3·√2.08 − 2.4).
    let wide = 1.4422205101855958;
    let mut rows = cycler_rows(context, "circle", &circle, [6.0, 9.0, 4.8, 0.8]);
    let of_ellipse = [3.0 * wide, 4.5 * wide, 2.4, 1.2844410203711913];
    rows.extend(cycler_rows(context, "ellipse", &ellipse, of_ellipse));
    rows.push(choice(context, &circle));
    rows.push(quarter_box(context, circle.clone()));
    rows.push(overtaken(context, [circle, ellipse]));
    rows
}

/// B of (2.14), A and B of (2.15), and D*.
fn cycler_rows(context: &Context, name: &str, law: &Cycler, expected: [f64; 4]) -> Vec<Row> {
    let window = Span::new(0.0, 0.1);
    let linear = context.subject.travel(law.linear_travel(window, ALONG));
    let quadratic = context.subject.travel(law.quadratic_travel(window, ALONG));
    let crossing = context.subject.bound(law.crossing_distance(0.0, ALONG));
    let row = |key: &str, what: &str| {
        Row::case(format!("m1/GM-R1/{name}-{key}"), format!("{name}: {what}"), THESIS)
    };
    let [speed, acceleration, now, distance] = expected;
    vec![
        row("linear", "A and B of the linear bound").in_unit("m/s², m/s").relative(
            ROUNDING,
            vec![0.0, speed],
            vec![linear.a, linear.b],
        ),
        row("quadratic", "A and B of the quadratic bound").in_unit("m/s², m/s").relative(
            ROUNDING,
            vec![acceleration, now],
            vec![quadratic.a, quadratic.b],
        ),
        row("crossing", "D*").in_unit("m").relative(ROUNDING, distance, crossing),
    ]
}

/// Nearer than D* = 0.8 the quadratic bound is chosen, farther the linear one.
fn choice(context: &Context, circle: &Cycler) -> Row {
    let window = Span::new(0.0, 0.1);
    let chosen = [0.5, 0.79, 0.81, 5.0]
        .map(|distance| context.subject.travel(circle.travel_towards(window, ALONG, distance)).a);
    let what = "circle: A of the bound chosen at 0.5, 0.79, 0.81 and 5 m";
    let row = Row::case("m1/GM-R1/choice", what, THESIS).in_unit("m/s²");
    row.relative(ROUNDING, vec![9.0, 9.0, 0.0, 0.0], chosen.to_vec())
}

/// From angle 0 to π/2 the circle of radius 2 stays in the square from 0 to 2.
fn quarter_box(context: &Context, circle: Cycler) -> Row {
    let end = context.subject.time(std::f64::consts::FRAC_PI_2 / RATE);
    let swept = context.subject.swept(Law::from(circle).path_box(Span::new(0.0, end)));
    let got = [swept.min.to_array(), swept.max.to_array()].concat();
    let what = "circle: box of a quarter of the way round, least and largest corner";
    // The box has room for the rounding of positions.
    let row = Row::case("m1/GM-R1/box", what, THESIS).in_unit("m");
    row.absolute(1e-13, vec![0.0, 0.0, 0.0, 2.0, 2.0, 0.0], got)
}

/// How often the way along one of many directions exceeds a bound, from many starts.
fn overtaken(context: &Context, laws: [Cycler; 2]) -> Row {
    let mut count = 0;
    for cycler in laws {
        let law = Law::from(cycler.clone());
        for index in 0..200 {
            let (sin, cos) = libm::sincos(2.399963229728653 * f64::from(index));
            let along = DVec3::new(cos, sin, 0.0);
            let start = 0.01 * f64::from(index);
            let place = |time: f64| law.state_at(time).position.dot(along);
            for duration in [1e-13, 1e-6, 0.01, 0.1, 1.0] {
                let window = Span::new(start, start + duration);
                let way = place(window.end) - place(start);
                let over =
                    |travel: Travel| way > context.subject.travel(travel).after(window.length());
                let bounds =
                    [cycler.linear_travel(window, along), cycler.quadratic_travel(window, along)];
                count += bounds.into_iter().filter(|travel| over(*travel)).count();
            }
        }
    }
    let what = "times that one of 2000 ways is longer than a bound";
    Row::case("m1/GM-R1/conservative", what, THESIS).absolute(0.0, 0.0, count as f64)
}
