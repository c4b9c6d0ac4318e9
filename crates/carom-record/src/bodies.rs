//! Descriptions of bodies: what a viewer needs to draw them and a reader to know them.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom::{BodyRef, Mass};
use carom_geometry::Shape;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// A body as a recording describes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyDescription {
    /// Its number in the recording.
    pub body: u32,
    /// What people call it.
    pub name: String,
    /// When it was first seen `[s]`.
    pub since_s: f64,
    /// Free, fixed, scripted or carried, when it was first seen.
    pub role: String,
    /// Its shape, in the body frame.
    pub shape: ShapeDescription,
    /// The point at which it is followed, in the body frame `[m]`.
    pub reference_m: [f64; 3],
    /// Mass, of a body that has one `[kg]`.
    pub mass_kg: Option<f64>,
    /// Principal moments of inertia, ascending `[kg·m²]`.
    pub moments_kg_m2: Option<[f64; 3]>,
    /// Turns principal axes into body axes.
    pub body_from_principal_xyzw: Option<[f64; 4]>,
    /// True when it passes through everything.
    pub ghost: bool,
    /// True when it notices who enters and leaves it, and touches nobody.
    #[serde(default)]
    pub sensor: bool,
    /// Red, green, blue and opacity, each from 0 to 1.
    pub color: Option<[f64; 4]>,
}

/// A shape as a recording describes it, in its own frame; lengths in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ShapeDescription {
    /// A sphere around the origin.
    Ball {
        /// Radius `[m]`.
        radius: f64,
    },
    /// A box around the origin.
    Cuboid {
        /// Half the sides `[m]`.
        half: [f64; 3],
    },
    /// All points within a radius of a segment on the z axis.
    Capsule {
        /// Half the segment `[m]`.
        half_length: f64,
        /// Radius `[m]`.
        radius: f64,
    },
    /// A circular cylinder along the z axis.
    Cylinder {
        /// Half the height `[m]`.
        half_length: f64,
        /// Radius `[m]`.
        radius: f64,
    },
    /// A circular cone along the z axis, apex up.
    Cone {
        /// Half the height `[m]`.
        half_length: f64,
        /// Radius of the base `[m]`.
        radius: f64,
    },
    /// An ellipsoid around the origin.
    Ellipsoid {
        /// Half the axes `[m]`.
        semi_axes: [f64; 3],
    },
    /// A superquadric around the origin.
    Superquadric {
        /// Half the axes `[m]`.
        semi_axes: [f64; 3],
        /// Exponents across and along z `[-]`.
        exponents: [f64; 2],
    },
    /// Everything below a plane.
    HalfSpace {
        /// Unit vector out of it.
        normal: [f64; 3],
        /// Distance of the plane from the origin, along the normal `[m]`.
        offset: f64,
    },
    /// A convex polyhedron.
    Polyhedron {
        /// Number of its surface among the meshes.
        mesh: u32,
    },
    /// The inside of a closed mesh.
    Mesh {
        /// Number of its surface among the meshes.
        mesh: u32,
    },
    /// Several placed shapes that move as one.
    Compound {
        /// The shapes.
        parts: Vec<PartDescription>,
    },
}

/// A shape with its place in a compound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartDescription {
    /// Where its origin is `[m]`.
    pub position_m: [f64; 3],
    /// Turns its axes into those of the compound.
    pub orientation_xyzw: [f64; 4],
    /// The shape.
    pub shape: ShapeDescription,
}

/// A triangle mesh of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshData {
    /// Its number, by which shapes name it.
    pub number: u32,
    /// Vertices `[m]`.
    pub vertices: Vec<DVec3>,
    /// Corners of the triangles, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Schema of the messages of `/bodies`.
pub(crate) const JSON_SCHEMA: &str = r#"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "carom.Body",
  "description": "A body, when it is first seen.",
  "type": "object",
  "properties": {
    "body": {"type": "integer", "description": "number of the body in the recording"},
    "name": {"type": "string"},
    "since_s": {"type": "number"},
    "role": {"type": "string", "description": "free, fixed, scripted or carried"},
    "shape": {
      "type": "object",
      "description": "kind and sizes in metres; polyhedra and meshes name a message of /meshes",
      "properties": {"kind": {"type": "string"}}
    },
    "reference_m": {"type": "array", "items": {"type": "number"}},
    "mass_kg": {"type": ["number", "null"]},
    "moments_kg_m2": {"type": ["array", "null"], "items": {"type": "number"}},
    "body_from_principal_xyzw": {"type": ["array", "null"], "items": {"type": "number"}},
    "ghost": {"type": "boolean"},
    "sensor": {"type": "boolean"},
    "color": {"type": ["array", "null"], "items": {"type": "number"}}
  }
}"#;

/// Numbers the surfaces that shapes are made of, each once however many bodies share it.
#[derive(Debug, Default)]
pub(crate) struct MeshNumbers {
    /// By address, which decides nothing but whether two shapes share one surface. The surface is kept alive so
    /// that no other can come to lie there.
    known: BTreeMap<usize, (u32, Shape)>,
}

impl MeshNumbers {
    /// The number of a surface; true when it is new.
    fn of(&mut self, shape: &Shape) -> (u32, bool) {
        let address = match shape {
            Shape::Polyhedron(it) => Arc::as_ptr(it).addr(),
            Shape::Mesh(it) => Arc::as_ptr(it).addr(),
            _ => 0,
        };
        let next = self.known.len() as u32;
        let number = self.known.entry(address).or_insert_with(|| (next, shape.clone())).0;
        (number, number == next)
    }
}

impl ShapeDescription {
    /// Describes a shape; new surfaces are added to `new`.
    pub(crate) fn of(shape: &Shape, numbers: &mut MeshNumbers, new: &mut Vec<MeshData>) -> Self {
        let mut number_of = |mesh: &dyn Fn() -> MeshData| {
            let (number, is_new) = numbers.of(shape);
            if is_new {
                new.push(MeshData { number, ..mesh() });
            }
            number
        };
        match shape {
            Shape::Ball(ball) => Self::Ball { radius: ball.radius() },
            Shape::Cuboid(cuboid) => Self::Cuboid { half: cuboid.half().to_array() },
            Shape::Capsule(it) => {
                Self::Capsule { half_length: it.half_length(), radius: it.radius() }
            }
            Shape::Cylinder(it) => {
                Self::Cylinder { half_length: it.half_length(), radius: it.radius() }
            }
            Shape::Cone(it) => Self::Cone { half_length: it.half_length(), radius: it.radius() },
            Shape::Ellipsoid(it) => Self::Ellipsoid { semi_axes: it.semi_axes().to_array() },
            Shape::Superquadric(it) => Self::Superquadric {
                semi_axes: it.semi_axes().to_array(),
                exponents: it.exponents(),
            },
            Shape::HalfSpace(it) => {
                Self::HalfSpace { normal: it.normal().to_array(), offset: it.offset() }
            }
            Shape::Polyhedron(it) => {
                Self::Polyhedron { mesh: number_of(&|| surface(&it.to_mesh())) }
            }
            Shape::Mesh(it) => Self::Mesh { mesh: number_of(&|| surface(it.mesh())) },
            Shape::Compound(it) => {
                let part = |part: &carom_geometry::shapes::Part| PartDescription {
                    position_m: part.body_from_shape.translation.to_array(),
                    orientation_xyzw: part.body_from_shape.rotation.to_array(),
                    shape: Self::of(&part.shape, numbers, new),
                };
                Self::Compound { parts: it.parts().iter().map(part).collect() }
            }
        }
    }
}

fn surface(mesh: &carom_geometry::TriMesh) -> MeshData {
    MeshData { number: 0, vertices: mesh.vertices().to_vec(), triangles: mesh.triangles().to_vec() }
}

impl BodyDescription {
    /// Describes a body; new surfaces are added to `new`.
    pub(crate) fn of(
        body: &BodyRef<'_>,
        number: u32,
        since_s: f64,
        numbers: &mut MeshNumbers,
        new: &mut Vec<MeshData>,
    ) -> Self {
        let mass = body.mass();
        Self {
            body: number,
            name: body.name().to_owned(),
            since_s,
            role: body.role().to_owned(),
            shape: ShapeDescription::of(body.shape(), numbers, new),
            reference_m: body.reference().to_array(),
            mass_kg: mass.map(|mass| mass.mass),
            moments_kg_m2: mass.map(|mass| mass.moments.to_array()),
            body_from_principal_xyzw: mass.map(|mass| mass.body_from_principal.to_array()),
            ghost: body.is_ghost(),
            sensor: body.is_sensor(),
            color: None,
        }
    }

    /// Its mass and inertia, if it has any.
    pub fn mass(&self) -> Option<Mass> {
        Some(Mass {
            mass: self.mass_kg?,
            moments: DVec3::from_array(self.moments_kg_m2?),
            body_from_principal: DQuat::from_array(self.body_from_principal_xyzw?),
        })
    }
}

#[cfg(test)]
mod tests {
    use carom_geometry::Pose;
    use carom_geometry::shapes::{Ball, Compound, HalfSpace, Part};

    use super::*;
    use crate::testing::tetrahedron;

    #[test]
    fn a_surface_that_two_shapes_share_is_kept_once() {
        let (mut numbers, mut new) = (MeshNumbers::default(), Vec::new());
        let hull = tetrahedron(1.0);
        let part = |shape: &Shape| Part { body_from_shape: Pose::IDENTITY, shape: shape.clone() };
        let pair = Compound::new(vec![part(&hull), part(&hull)]).unwrap();
        let pair = Shape::Compound(Arc::new(pair));
        for shape in [&pair, &hull, &tetrahedron(1.0)] {
            ShapeDescription::of(shape, &mut numbers, &mut new);
        }
        assert_eq!(new.len(), 2, "one shared, one of its own");
        assert_eq!((new[0].vertices.len(), new[0].triangles.len()), (4, 4));
        assert_eq!(new[1].number, 1);
    }

    #[test]
    fn sizes_come_back_from_json_with_every_bit() {
        let shapes = [
            Shape::Ball(Ball::new(0.1 + 0.2).unwrap()),
            Shape::HalfSpace(HalfSpace::new(DVec3::new(1.0, 2.0, 3.0), -0.3).unwrap()),
        ];
        for shape in &shapes {
            let described =
                ShapeDescription::of(shape, &mut MeshNumbers::default(), &mut Vec::new());
            let text = serde_json::to_string(&described).unwrap();
            assert_eq!(serde_json::from_str::<ShapeDescription>(&text).unwrap(), described);
        }
    }

    #[test]
    fn the_schema_is_json_and_names_every_field() {
        let schema: serde_json::Value = serde_json::from_str(JSON_SCHEMA).unwrap();
        let body = BodyDescription {
            body: 0,
            name: String::new(),
            since_s: 0.0,
            role: String::new(),
            shape: ShapeDescription::Ball { radius: 1.0 },
            reference_m: [0.0; 3],
            mass_kg: None,
            moments_kg_m2: None,
            body_from_principal_xyzw: None,
            ghost: false,
            sensor: false,
            color: None,
        };
        let body = serde_json::to_value(body).unwrap();
        let keys = |value: &serde_json::Value| -> Vec<String> {
            value.as_object().unwrap().keys().cloned().collect()
        };
        assert_eq!(keys(&body), keys(&schema["properties"]));
    }
}
