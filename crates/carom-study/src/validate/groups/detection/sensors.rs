//! A ball of radius ½ flies at 2 m/s through a sensor of radius 1, from 4 m before it: inside from (4 − 1.5)/2 s to
//! (4 + 1.5)/2 s.

use glam::DVec3;

use carom::{Body, Happening, History, Observers, World};
use carom_geometry::Shape;
use carom_geometry::shapes::Ball;

use super::super::super::{Context, Row};

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let times = passages(context).unwrap_or_default();
    let row = |index: usize, key: &str, expected: f64| {
        let what = format!("a ball flies through a sensor: {key}");
        let got = times.get(index).copied().unwrap_or(f64::NAN);
        let row = Row::case(format!("touch/sensor/{key}"), what, "by hand").in_unit("s");
        // Told within a billionth of the size, at 2 m/s.
        row.absolute(1e-8, expected, got)
    };
    vec![row(0, "entered", 1.25), row(1, "left", 2.75)]
}

/// When it enters and leaves.
fn passages(context: &Context) -> Option<Vec<f64>> {
    let mut world = World::builder().passing().gravity(DVec3::ZERO).build().ok()?;
    world.add(Body::fixed(Shape::Ball(Ball::new(1.0).ok()?)).sensor()).ok()?;
    let ball = Shape::Ball(Ball::new(0.5).ok()?);
    let start = DVec3::new(-4.0, 0.0, 0.0);
    world.add(Body::free(ball).at(start).velocity(2.0 * DVec3::X)).ok()?;
    let mut history = History::of_all();
    world.advance_watched(10.0, &mut Observers::none().with(&mut history)).ok()?;
    let is_passage =
        |what: &Happening| matches!(what, Happening::Entered { .. } | Happening::Left { .. });
    let passages = history.events().iter().filter(|event| is_passage(&event.what));
    Some(passages.map(|event| context.subject.told(event.time)).collect())
}
