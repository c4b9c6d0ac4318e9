//! Where things are: `pos` with one of `quat`, `axisangle`, `euler`, `xyaxes` and `zaxis`.

use carom_geometry::Pose;
use glam::{DQuat, DVec3};

use super::Mjcf;
use super::defaults::Resolved;
use crate::robot::fault::FaultKind;
use crate::robot::pose::{from_xy, from_z, turn};
use crate::robot::xml::{Attribute, Element};

/// The attributes that say how something is turned.
pub(super) const ORIENTATIONS: [&str; 5] = ["quat", "axisangle", "euler", "xyaxes", "zaxis"];

impl<'t> Mjcf<'_, '_, 't> {
    /// Place of an element that has no defaults.
    pub(super) fn pose_of(&self, element: &Element<'t>) -> Pose {
        self.pose(|name| element.attribute(name))
    }

    /// Place of an element with defaults.
    pub(super) fn pose_of_resolved(&self, resolved: &Resolved<'t>) -> Pose {
        // A turn that is stated stands against the default one, in whatever way either is written.
        let is_stated = ORIENTATIONS.iter().any(|name| resolved.element.peek(name).is_some());
        self.pose(|name| {
            if is_stated && ORIENTATIONS.contains(&name) {
                resolved.element.attribute(name)
            } else {
                resolved.attribute(name)
            }
        })
    }

    fn pose(&self, get: impl Fn(&str) -> Option<Attribute<'t>>) -> Pose {
        let shift = self.reader.vector(get("pos")).unwrap_or(DVec3::ZERO);
        let stated: Vec<Attribute<'t>> = ORIENTATIONS.iter().filter_map(|name| get(name)).collect();
        if let Some(second) = stated.get(1) {
            let other = stated[0].name;
            self.reader.bad_value(second, format!("left out beside `{other}`"));
        }
        let rotation = stated.first().and_then(|attribute| self.rotation(attribute));
        Pose::new(shift, rotation.unwrap_or(DQuat::IDENTITY))
    }

    fn rotation(&self, attribute: &Attribute<'t>) -> Option<DQuat> {
        let reader = self.reader;
        let numbers = Some(*attribute);
        let rotation = match attribute.name {
            "quat" => {
                let [w, x, y, z] = reader.exactly(numbers)?;
                let quaternion = DQuat::from_xyzw(x, y, z, w);
                let length = quaternion.length();
                (length > 0.0).then(|| quaternion / length)
            }
            "axisangle" => {
                let [x, y, z, angle] = reader.exactly(numbers)?;
                let axis = DVec3::new(x, y, z).try_normalize();
                axis.map(|axis| turn(axis, angle * self.compiler.angle))
            }
            "euler" => Some(self.euler(reader.exactly(numbers)?)),
            "xyaxes" => {
                let [a, b, c, d, e, f] = reader.exactly(numbers)?;
                from_xy(DVec3::new(a, b, c), DVec3::new(d, e, f))
            }
            _ => from_z(reader.vector(numbers)?),
        };
        if rotation.is_none() {
            reader.fault(attribute.place, FaultKind::NoOrientation(attribute.name.to_owned()));
        }
        rotation.map(DQuat::normalize)
    }

    fn euler(&self, angles: [f64; 3]) -> DQuat {
        let mut rotation = DQuat::IDENTITY;
        for (letter, angle) in self.compiler.euler_axes.iter().zip(angles) {
            let axis = match letter.to_ascii_lowercase() {
                'x' => DVec3::X,
                'y' => DVec3::Y,
                _ => DVec3::Z,
            };
            let turn = turn(axis, angle * self.compiler.angle);
            rotation = if letter.is_ascii_lowercase() { rotation * turn } else { turn * rotation };
        }
        rotation
    }
}
