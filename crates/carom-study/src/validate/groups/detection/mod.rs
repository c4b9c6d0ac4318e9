//! Distances of solids, and when bodies touch.

mod arrangements;
mod certified;
mod manifolds;
mod queries;
mod sensors;
mod touches;

use carom::{Body, Nearest, World};
use carom_geometry::{Pose, Shape};

use super::super::{Context, Row};

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows = arrangements::rows(context);
    rows.extend(queries::rows(context));
    rows.extend(certified::rows(context));
    rows.extend(manifolds::rows(context));
    rows.extend(touches::rows(context));
    rows.extend(sensors::rows(context));
    rows
}

/// Where two placed shapes are nearest, as a world tells it.
fn nearest(context: &Context, shapes: [&Shape; 2], poses: [Pose; 2]) -> Option<Nearest> {
    let mut world = World::builder().passing().build().ok()?;
    let [a, b] = [0, 1].map(|i| world.add(Body::fixed(shapes[i].clone()).pose(poses[i])).ok());
    Some(context.subject.nearest(world.nearest(a?, b?, 0.0)?))
}
