//! `<geom>`: shapes.

use carom_geometry::Pose;
use glam::DVec3;

use super::Mjcf;
use super::defaults::Resolved;
use crate::problem::Place;
use crate::robot::description::{Geometry, GeometryShape};
use crate::robot::fault::{FaultKind, Why};
use crate::robot::pose::from_z;

/// Attributes of a shape that are read.
pub(super) const KNOWN: &[&str] = &[
    "type",
    "size",
    "fromto",
    "pos",
    "quat",
    "axisangle",
    "euler",
    "xyaxes",
    "zaxis",
    "mass",
    "density",
    "rgba",
    "material",
    "mesh",
    "contype",
    "conaffinity",
    "group",
];

/// Density of shapes that state none `[kg/m³]`.
const DENSITY: f64 = 1000.0;

/// A shape, and what its body needs to know of it.
pub(super) struct Geom {
    pub(super) geometry: Geometry,
    pub(super) collides: bool,
    pub(super) weight: Weight,
    /// Whether its group counts for the mass of its body.
    pub(super) counts: bool,
    pub(super) place: Place,
}

/// How heavy a shape is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Weight {
    Mass(f64),
    Density(f64),
}

impl<'t> Mjcf<'_, '_, 't> {
    /// A shape in the frame of its link; none, with a word about it, if it is not supported.
    pub(super) fn geom(&self, geom: &Resolved<'t>, link_from_frame: &Pose) -> Option<Geom> {
        let reader = self.reader;
        let place = geom.element.place();
        let name = geom.element.attribute("name").map(|name| name.value.to_owned());
        let group = reader.number(geom.attribute("group")).unwrap_or(0.0);
        let [first, last] = self.compiler.groups;
        let collides = self.collides(geom);
        let color = reader.exactly(geom.attribute("rgba")).or_else(|| {
            let material = geom.attribute("material")?;
            self.colors.get(material.value).copied()
        });
        let (shape, own) = self.geom_shape(geom)?;
        let weight = match (geom.attribute("mass"), geom.attribute("density")) {
            (Some(mass), _) => Weight::Mass(self.not_negative(Some(mass))?),
            (None, Some(density)) => Weight::Density(self.not_negative(Some(density))?),
            (None, None) => Weight::Density(DENSITY),
        };
        let link_from_shape = link_from_frame.then_from(&own);
        let geometry = Geometry { name, link_from_shape, shape, color };
        let counts = first <= group && group <= last;
        Some(Geom { geometry, collides, weight, counts, place })
    }

    fn not_negative(&self, attribute: Option<crate::robot::xml::Attribute<'t>>) -> Option<f64> {
        let value = self.reader.number(attribute)?;
        if value < 0.0 {
            self.reader.bad_value(&attribute?, "zero or more");
            return None;
        }
        Some(value)
    }

    /// Whether it touches anything. Masks that would let it touch some and not others are told.
    fn collides(&self, geom: &Resolved<'t>) -> bool {
        let mask = |name| self.reader.number(geom.attribute(name)).unwrap_or(1.0);
        let (mine, others) = (mask("contype"), mask("conaffinity"));
        let is_plain = |mask: f64| mask == 0.0 || mask == 1.0;
        if mine != others || !is_plain(mine) {
            for name in ["contype", "conaffinity"] {
                geom.leave_stated(name);
            }
        }
        mine != 0.0 || others != 0.0
    }

    fn geom_shape(&self, geom: &Resolved<'t>) -> Option<(GeometryShape, Pose)> {
        let own = self.pose_of_resolved(geom);
        let kind = geom.attribute("type");
        let kind_name = kind.map_or("sphere", |kind| kind.value);
        let mesh = geom.attribute("mesh");
        if kind_name == "mesh" {
            let Some(mesh) = mesh else {
                let kind =
                    FaultKind::MissingAttribute { element: "geom".to_owned(), attribute: "mesh" };
                self.reader.fault(geom.element.place(), kind);
                return None;
            };
            let Some(known) = self.meshes.get(mesh.value) else {
                let kind = FaultKind::Unknown { what: "mesh", name: mesh.value.to_owned() };
                self.reader.fault(mesh.place, kind);
                return None;
            };
            let Some(known) = known else {
                geom.element.leave(Why::NotSupported);
                return None;
            };
            return Some((GeometryShape::Mesh(known.clone()), own));
        }
        let is_supported =
            ["plane", "sphere", "capsule", "ellipsoid", "cylinder", "box"].contains(&kind_name);
        // A primitive fitted to a mesh has sizes that are computed from it.
        if !is_supported || mesh.is_some() {
            geom.element.leave(Why::NotSupported);
            return None;
        }
        self.primitive(geom, kind_name, own)
    }

    fn primitive(
        &self,
        geom: &Resolved<'t>,
        kind: &str,
        own: Pose,
    ) -> Option<(GeometryShape, Pose)> {
        // Drawn sizes of a plane; it has no end.
        let size = geom.attribute("size");
        if kind == "plane" {
            return Some((GeometryShape::Plane, own));
        }
        let from_to = self.reader.exactly::<6>(geom.attribute("fromto"));
        let from_to = from_to.filter(|_| kind != "sphere");
        let Some(size) = size else {
            let kind =
                FaultKind::MissingAttribute { element: "geom".to_owned(), attribute: "size" };
            self.reader.fault(geom.element.place(), kind);
            return None;
        };
        let mut sizes = self.reader.numbers(&size)?;
        let needed = match (kind, from_to) {
            ("sphere", _) | (_, Some(_)) => 1,
            ("box" | "ellipsoid", None) => 3,
            _ => 2,
        };
        if sizes.len() < needed {
            self.reader.bad_value(&size, format!("at least {needed} numbers"));
            return None;
        }
        sizes.truncate(needed);
        if !self.reader.is_positive(&size, &sizes) {
            return None;
        }
        let mut pose = own;
        if let Some([ax, ay, az, bx, by, bz]) = from_to {
            let (a, b) = (DVec3::new(ax, ay, az), DVec3::new(bx, by, bz));
            let Some(rotation) = from_z(a - b) else {
                self.reader.bad_value(&geom.attribute("fromto")?, "two different points");
                return None;
            };
            pose = Pose::new(0.5 * (a + b), rotation.normalize());
            let half = 0.5 * (a - b).length();
            sizes = if matches!(kind, "box" | "ellipsoid") {
                vec![sizes[0], sizes[0], half]
            } else {
                vec![sizes[0], half]
            };
        }
        let shape = match (kind, &sizes[..]) {
            ("sphere", [radius, ..]) => GeometryShape::Ball { radius: *radius },
            ("capsule", [radius, half, ..]) => {
                GeometryShape::Capsule { radius: *radius, length: 2.0 * half }
            }
            ("cylinder", [radius, half, ..]) => {
                GeometryShape::Cylinder { radius: *radius, height: 2.0 * half }
            }
            ("box", [x, y, z]) => GeometryShape::Box { size: 2.0 * DVec3::new(*x, *y, *z) },
            ("ellipsoid", [x, y, z]) => {
                GeometryShape::Ellipsoid { semi_axes: DVec3::new(*x, *y, *z) }
            }
            _ => return None,
        };
        Some((shape, pose))
    }
}
