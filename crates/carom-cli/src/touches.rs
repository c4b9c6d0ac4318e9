//! Touches and sensors of a run, as JSON and in words.

use carom::Short;
use carom_scene::OnTouch;
use carom_study::run::{End, RunReport};
use carom_study::touches::{FirstTouch, SensorCounts};
use glam::DVec3;
use serde_json::{Value, json};

use crate::output::width;
use crate::table::{Column, Table};

/// Rows that a person reads; the rest is counted.
const MOST_ROWS: usize = 20;

/// Every first touch with all that is known of it.
pub(crate) fn touches_json(report: &RunReport) -> Value {
    let touch = |touch: &FirstTouch| {
        json!({
            "time_s": touch.time,
            "a": touch.bodies[0],
            "b": touch.bodies[1],
            "point_m": touch.point.to_array(),
            "contact_points_m": touch.contact_points.iter().map(DVec3::to_array).collect::<Vec<_>>(),
            "normal": touch.normal.to_array(),
            "distance_m": touch.distance,
            "speed_m_s": touch.speed,
            "features": touch.features.map(|feature| feature.to_string()),
            "feature_names": touch.feature_names,
            "pieces": touch.pieces,
        })
    };
    report.touches.first.iter().map(touch).collect()
}

/// Every sensor with its counts.
pub(crate) fn sensors_json(report: &RunReport) -> Value {
    let sensor = |sensor: &SensorCounts| json!({ "name": sensor.name, "entered": sensor.entered, "left": sensor.left });
    report.touches.sensors.iter().map(sensor).collect()
}

/// Lines about touches and sensors; none where there is nothing to tell. Where bodies collide, what became of touches is
/// told with the contacts.
pub(crate) fn touches_text(report: &RunReport, on_touch: OnTouch) -> String {
    let touches = &report.touches;
    let mut text = String::new();
    match (touches.first.as_slice(), &report.end) {
        ([], _) => {}
        _ if on_touch == OnTouch::Collide => {}
        ([first, others @ ..], End::Touched) => {
            let n_others = touches.pairs - 1;
            text += &stopped(first, n_others);
            if n_others > 0 {
                text += &table(others, n_others);
            }
        }
        (all, _) => {
            let pairs = if touches.pairs == 1 { "pair" } else { "pairs" };
            text += &format!("  touches    {} {pairs}; the first touch of each:\n", touches.pairs);
            text += &table(all, touches.pairs);
        }
    }
    text += &sensors(&touches.sensors);
    text
}

fn stopped(touch: &FirstTouch, others: usize) -> String {
    let [a, b] = &touch.bodies;
    let [feature_a, feature_b] = &touch.feature_names;
    let mut text =
        format!("  stopped    at the first touch: \"{a}\" and \"{b}\" at {} s\n", touch.time);
    text += &format!("    point     {} m\n", vector(touch.point));
    if let [_, _, ..] = &touch.contact_points[..] {
        let points: Vec<String> = touch.contact_points.iter().map(|it| vector(*it)).collect();
        text += &format!("    contacts  at {} m\n", points.join(", "));
    }
    text += &format!("    normal    {}, from \"{b}\" to \"{a}\"\n", vector(touch.normal));
    text += &format!("    features  {feature_a} of \"{a}\" against {feature_b} of \"{b}\"\n");
    text += &format!("    distance  {} m, {}\n", short(touch.distance), rate(touch.speed));
    match others {
        0 => {}
        1 => text += "             and one more pair at the same time:\n",
        n => text += &format!("             and {n} more pairs at the same time:\n"),
    }
    text
}

/// A table of some touches out of `total`.
fn table(touches: &[FirstTouch], total: usize) -> String {
    let mut table = Table::new([
        Column::text("time s"),
        Column::text("bodies").least(20),
        Column::text("point m").rank(2),
        Column::text("contacts").rank(5),
        Column::text("normal").rank(4),
        Column::text("features").rank(3),
        Column::text("distance m").rank(6),
        Column::text("speed m/s").rank(1),
    ])
    .indented(3);
    for touch in touches.iter().take(MOST_ROWS) {
        let [a, b] = &touch.bodies;
        table.add([
            format!("{}", touch.time),
            format!("\"{a}\", \"{b}\""),
            vector(touch.point),
            touch.contact_points.len().max(1).to_string(),
            vector(touch.normal),
            touch.feature_names.join(", "),
            short(touch.distance),
            short(touch.speed),
        ]);
    }
    let mut text = table.to_text(width());
    if total > MOST_ROWS {
        text += &format!("    and {} more; see the recording\n", total - MOST_ROWS);
    }
    text
}

fn sensors(sensors: &[SensorCounts]) -> String {
    let mut text = String::new();
    for (row, sensor) in sensors.iter().take(MOST_ROWS).enumerate() {
        let title = if row == 0 { "sensors" } else { "" };
        let SensorCounts { name, entered, left } = sensor;
        text += &format!("  {title:<10} \"{name}\": {entered} entered, {left} left\n");
    }
    if sensors.len() > MOST_ROWS {
        text +=
            &format!("             and {} more; see the recording\n", sensors.len() - MOST_ROWS);
    }
    text
}

/// How fast the distance changes.
fn rate(speed: f64) -> String {
    match speed {
        speed if speed < 0.0 => format!("closing at {} m/s", short(-speed)),
        speed if speed > 0.0 => format!("opening at {} m/s", short(speed)),
        _ => "at rest against each other".to_owned(),
    }
}

/// A vector as people read it.
pub(crate) fn vector(vector: DVec3) -> String {
    format!("({}, {}, {})", short(vector.x), short(vector.y), short(vector.z))
}

/// A number with about six digits.
pub(crate) fn short(number: f64) -> String {
    Short(number).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_says_which_way() {
        assert_eq!(rate(-4.5), "closing at 4.5 m/s");
        assert_eq!(rate(4.5), "opening at 4.5 m/s");
        assert_eq!(rate(0.0), "at rest against each other");
    }
}
