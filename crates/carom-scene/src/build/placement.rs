//! Orientations in the ways people write them.

use std::f64::consts::PI;

use carom_geometry::Pose;
use glam::{DMat3, DQuat, DVec3};

use super::Builder;
use crate::decode::{Four, Text, Vector};
use crate::format::{OrientationKeys, PlacementKeys};
use crate::problem::Problem;
use crate::tolerances::{PARALLEL_TO_UP, UNIT_QUATERNION};

/// Radians of one degree `[rad/deg]`.
pub(super) const DEGREE: f64 = PI / 180.0;

/// The turn by an angle `[rad]` about a unit axis.
pub(super) fn turn(axis: DVec3, angle: f64) -> DQuat {
    let (sin, cos) = libm::sincos(0.5 * angle);
    DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}

impl Builder<'_, '_> {
    /// Where something is and how it is turned.
    pub(super) fn placement(&mut self, keys: &PlacementKeys, offset: DVec3) -> Option<Pose> {
        let position = self.vector_or(keys.position.as_ref(), DVec3::ZERO).map(|at| at + offset);
        let rotation = self.orientation(&keys.orientation, position.unwrap_or(DVec3::ZERO));
        Some(Pose::new(position?, rotation?))
    }

    /// How something at `position` is turned.
    pub(super) fn orientation(&mut self, keys: &OrientationKeys, position: DVec3) -> Option<DQuat> {
        let lonely = [
            (keys.angle_deg.as_ref().map(|n| n.place), keys.axis.is_none(), "angle_deg", "axis"),
            (keys.angle_rad.as_ref().map(|n| n.place), keys.axis.is_none(), "angle_rad", "axis"),
            (
                keys.euler_order.as_ref().map(|t| t.place),
                keys.euler_deg.is_none(),
                "euler_order",
                "euler_deg",
            ),
            (keys.up.as_ref().map(|v| v.place), keys.look_at.is_none(), "up", "look_at"),
        ];
        let mut is_lonely = false;
        for (place, partner_missing, key, partner) in lonely {
            let Some(place) = place.filter(|_| partner_missing && !keys.faulty) else { continue };
            is_lonely = true;
            let problem = Problem::error(place, format!("`{key}` needs `{partner}`"))
                .label(format!("`{partner}` is missing beside it"));
            self.report(problem);
        }
        if is_lonely {
            return None;
        }
        if let Some(quaternion) = &keys.quaternion {
            self.quaternion(quaternion)
        } else if let Some(axis) = &keys.axis {
            self.axis_angle(axis, keys)
        } else if let Some(angles) = &keys.euler_deg {
            self.euler(angles, keys.euler_order.as_ref())
        } else if let Some(target) = &keys.look_at {
            self.look_at(target, keys.up.as_ref(), position)
        } else {
            Some(DQuat::IDENTITY)
        }
    }

    fn quaternion(&mut self, four: &Four) -> Option<DQuat> {
        let [x, y, z, w] = four.values.as_ref();
        let parts = [self.number(x), self.number(y), self.number(z), self.number(w)];
        let quaternion = DQuat::from_xyzw(parts[0]?, parts[1]?, parts[2]?, parts[3]?);
        let length = quaternion.length();
        if (length - 1.0).abs() <= UNIT_QUATERNION {
            return Some(quaternion.normalize());
        }
        let problem = Problem::error(four.place, "a quaternion must have length 1")
            .label(format!("this has length {length}"))
            .hint(
                "the order is [x, y, z, w], scalar last; `axis` with `angle_deg` is often easier",
            );
        self.report(problem);
        None
    }

    fn axis_angle(&mut self, axis: &Vector, keys: &OrientationKeys) -> Option<DQuat> {
        let place = axis.place;
        let axis = self.direction(axis, "axis");
        let angle = match (&keys.angle_deg, &keys.angle_rad) {
            (Some(degrees), _) => self.number(degrees).map(|degrees| degrees * DEGREE),
            (None, Some(radians)) => self.number(radians),
            (None, None) if keys.faulty => None,
            (None, None) => {
                let problem = Problem::error(place, "`axis` needs an angle")
                    .label("by how much?")
                    .hint("add `angle_deg = …` or `angle_rad = …`");
                self.report(problem);
                None
            }
        };
        Some(turn(axis?, angle?))
    }

    fn euler(&mut self, angles: &Vector, order: Option<&Text>) -> Option<DQuat> {
        let angles = self.vector(angles);
        let (axes, is_intrinsic) = match order {
            Some(order) => self.euler_order(order)?,
            None => ([DVec3::X, DVec3::Y, DVec3::Z], true),
        };
        let angles = angles?.to_array();
        let mut turns: Vec<DQuat> =
            axes.into_iter().zip(angles).map(|(axis, angle)| turn(axis, angle * DEGREE)).collect();
        if !is_intrinsic {
            turns.reverse();
        }
        Some(turns.into_iter().fold(DQuat::IDENTITY, |product, turn| product * turn))
    }

    fn euler_order(&mut self, order: &Text) -> Option<([DVec3; 3], bool)> {
        let text = self.text(order)?;
        let axes = euler_axes(&text);
        if axes.is_none() {
            let problem = Problem::error(order.place, format!("\"{text}\" is no order of turns"))
                .hint("three letters: \"xyz\" turns about the body's own axes, \"XYZ\" about the world's");
            self.report(problem);
        }
        axes
    }

    fn look_at(&mut self, target: &Vector, up: Option<&Vector>, position: DVec3) -> Option<DQuat> {
        let place = target.place;
        let target = self.vector(target);
        let up = up.map_or(Some(DVec3::Z), |up| self.direction(up, "up"));
        let (target, up) = (target?, up?);
        let Some(forward) = (target - position).try_normalize() else {
            let problem = Problem::error(place, "`look_at` is the position of the body itself")
                .hint("give a point elsewhere");
            self.report(problem);
            return None;
        };
        let across = up.cross(forward);
        if across.length() < PARALLEL_TO_UP {
            let problem = Problem::error(place, "`look_at` lies straight along `up`")
                .hint("give another `up`, such as up = [1, 0, 0]");
            self.report(problem);
            return None;
        }
        let across = across.try_normalize()?;
        let axes = DMat3::from_cols(forward, across, forward.cross(across));
        Some(DQuat::from_mat3(&axes).normalize())
    }
}

/// The axes that three letters name, and whether they are those of the turned body.
fn euler_axes(order: &str) -> Option<([DVec3; 3], bool)> {
    let is_intrinsic = order.chars().all(|c| "xyz".contains(c));
    if !is_intrinsic && !order.chars().all(|c| "XYZ".contains(c)) {
        return None;
    }
    let axis = |letter: char| match letter.to_ascii_lowercase() {
        'x' => DVec3::X,
        'y' => DVec3::Y,
        _ => DVec3::Z,
    };
    let axes: Vec<DVec3> = order.chars().map(axis).collect();
    Some((axes.try_into().ok()?, is_intrinsic))
}
