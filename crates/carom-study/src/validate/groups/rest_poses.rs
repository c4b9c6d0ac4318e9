//! Measured poses of bodies at rest: the support point of the shape must lie on the table.
//!
//! Nothing is simulated. The tracker says where a body came to rest, our support function says where its
//! lowest point is, and the table is at z = 0.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use oracles::measured::{cube_toss_ends, elbow_toss_ends, ellipse_impacts, square_drop_ends};

use carom_geometry::shape::Solid;
use carom_geometry::shapes::{Compound, Cuboid, Ellipsoid, Part};
use carom_geometry::{Pose, Shape};

use super::super::data::{CUBE_TOSS, ELBOW_TOSS, PLANAR_IMPACTS, on_data};
use super::super::{Context, Row};

/// Below this the tracker's noise is faster than the body `[m/s]`.
const REST_SPEED: f64 = 0.02;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    vec![cube(context), elbow(context), square(context), ellipse(context)]
}

/// Height of the lowest point of a placed shape.
fn lowest(context: &Context, shape: &Shape, pose: &Pose) -> f64 {
    let down = pose.vector_inverse(-DVec3::Z);
    let point = shape.as_solid().support(context.subject.direction(down));
    pose.point(point.unwrap_or(DVec3::NAN)).z
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn cuboid(half: DVec3) -> Option<Shape> {
    Cuboid::new(half).ok().map(Shape::Cuboid)
}

fn quaternion([w, x, y, z]: [f64; 4]) -> DQuat {
    DQuat::from_xyzw(x, y, z, w).normalize()
}

/// The cube in the tracker's own length unit, half edge 51.24 mm, as its description corrects it. A face is
/// level only to the tracker's 0.45° per axis, which lowers the lowest of four corners by up to 1 mm.
fn cube(context: &Context) -> Row {
    let what = "cube at rest: height of its lowest point, median";
    let row = Row::case("data/cube-toss/rest-height", what, CUBE_TOSS.source).in_unit("m");
    on_data(context.data.as_ref(), &CUBE_TOSS, row, |folder, row| {
        let shape = cuboid(DVec3::splat(0.05124));
        let ends = cube_toss_ends(folder)?;
        let at_rest = ends.iter().filter(|end| end.speed < REST_SPEED).filter_map(|end| {
            let pose = Pose::new(DVec3::from_array(end.position), quaternion(end.quaternion));
            Some(lowest(context, shape.as_ref()?, &pose))
        });
        Ok(row.absolute(1e-3, 0.0, median(at_rest.collect())))
    })
}

/// Two boxes on a hinge, as a compound at the measured hinge angle. The tracker's owners put the table under
/// its lowest corner.
fn elbow(context: &Context) -> Row {
    let what = "two hinged boxes at rest: height of the lowest point, median";
    let row = Row::case("data/elbow-toss/rest-height", what, ELBOW_TOSS.source).in_unit("m");
    on_data(context.data.as_ref(), &ELBOW_TOSS, row, |folder, row| {
        let ends = elbow_toss_ends(folder)?;
        let at_rest = ends.iter().filter(|(end, _)| end.speed < REST_SPEED);
        let heights = at_rest.filter_map(|(end, hinge_angle)| {
            let pose = Pose::new(DVec3::from_array(end.position), quaternion(end.quaternion));
            Some(lowest(context, &hinged_boxes(*hinge_angle)?, &pose))
        });
        Ok(row.absolute(1e-5, 0.0, median(heights.collect())))
    })
}

/// Link 1 is centred on its frame; the hinge runs along y at (−0.035, 0.06, 0) of it, and link 2 is centred
/// 0.035 m along its own x.
fn hinged_boxes(angle: f64) -> Option<Shape> {
    let link = cuboid(DVec3::new(0.05, 0.025, 0.025))?;
    let hinge = Pose::new(DVec3::new(-0.035, 0.06, 0.0), DQuat::from_rotation_y(angle));
    let link_2 = hinge.then_from(&Pose::from_translation(DVec3::X * 0.035));
    let part = |body_from_shape| Part { body_from_shape, shape: link.clone() };
    let compound = Compound::new(vec![part(Pose::IDENTITY), part(link_2)]).ok()?;
    Some(Shape::Compound(Arc::new(compound)))
}

/// A square of 60 mm dropped between plates, its offsets in height and angle as its description measures them.
fn square(context: &Context) -> Row {
    let what = "square at rest: height of its lowest point, median";
    let id = "data/planar-impacts/square-rest-height";
    let row = Row::case(id, what, PLANAR_IMPACTS.source).in_unit("m");
    on_data(context.data.as_ref(), &PLANAR_IMPACTS, row, |folder, row| {
        let shape = cuboid(DVec3::splat(0.03));
        let ends = square_drop_ends(folder)?;
        let frame_rate = 250.0;
        let at_rest = ends.iter().filter(|[before, last]| {
            (last.z - before.z).abs() * frame_rate < REST_SPEED
                && 0.04 * (last.angle - before.angle).abs() * frame_rate < REST_SPEED
        });
        let heights = at_rest.filter_map(|[_, last]| {
            // Angles run from x towards z, against the right-hand rule about y.
            let turn = DQuat::from_rotation_y(-(last.angle + 1.91_f64.to_radians()));
            let pose = Pose::new(DVec3::Z * (last.z - 0.0015), turn);
            Some(lowest(context, shape.as_ref()?, &pose))
        });
        // Frames scatter by 1 to 2 mm either way; the median of 145 drops by a tenth of that.
        Ok(row.absolute(5e-4, 0.0, median(heights.collect())))
    })
}

/// Where a tilted ellipse touches the ground: its lowest point lies (rx, −h) from the centre. The tilt follows
/// from h, then rx is compared.
fn ellipse(context: &Context) -> Row {
    let what = "ellipse touching the ground: offset of the contact point, median error";
    let id = "data/planar-impacts/ellipse-contact";
    let row = Row::case(id, what, PLANAR_IMPACTS.source).in_unit("m");
    on_data(context.data.as_ref(), &PLANAR_IMPACTS, row, |folder, row| {
        let (a, b) = (0.035, 0.025);
        let disc = Ellipsoid::new(DVec3::new(a, 0.01, b)).ok();
        let errors = ellipse_impacts(folder)?.into_iter().filter_map(|impact| {
            let sine =
                ((impact.height * impact.height - b * b) / (a * a - b * b)).clamp(0.0, 1.0).sqrt();
            let angle = libm::asin(sine).copysign(-impact.contact_x);
            let pose = Pose::new(DVec3::ZERO, DQuat::from_rotation_y(-angle));
            let down = context.subject.direction(pose.vector_inverse(-DVec3::Z));
            let contact = pose.point(disc.as_ref()?.support(down)?);
            Some((contact.x - impact.contact_x).abs())
        });
        // The table prints seven digits after the point.
        Ok(row.absolute(1e-6, 0.0, median(errors.collect())))
    })
}
