//! The form of a body: parts that can be drawn, from a shape of the engine or from its description in a recording.

mod round;
mod surface;

use std::collections::BTreeMap;
use std::sync::Arc;

use carom_geometry::{Aabb, Pose, Shape};
use carom_record::{MeshData, ShapeDescription};
use glam::{DQuat, DVec3};

pub(crate) use surface::Surface;

/// Everything that is drawn of a body, in its own frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Form {
    parts: Vec<(Pose, Part)>,
    planes: Vec<Plane>,
}

/// The half-space n·x ≤ d, of which only the plane is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plane {
    pub(crate) normal: DVec3,
    pub(crate) offset: f64,
}

impl Plane {
    /// The same plane seen from the frame that `pose` maps to.
    pub(crate) fn placed(&self, pose: &Pose) -> Self {
        let normal = pose.vector(self.normal);
        Self { normal, offset: self.offset + normal.dot(pose.translation) }
    }

    /// How far a point lies above it `[m]`.
    pub(crate) fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }
}

/// A part with an end; lengths in metres.
#[derive(Clone, Debug)]
enum Part {
    /// Balls, ellipsoids and superquadrics: semi-axes, exponents of xy and z.
    Round(DVec3, [f64; 2]),
    /// Half the sides.
    Cuboid(DVec3),
    /// Half the length of the middle, and radius.
    Capsule(f64, f64),
    Cylinder(f64, f64),
    Cone(f64, f64),
    Mesh(Arc<Surface>),
}

impl Form {
    /// Of a shape of the engine.
    pub(crate) fn of(shape: &Shape) -> Self {
        let mut form = Self::default();
        form.add(shape, &Pose::IDENTITY);
        form
    }

    /// Of a shape as a recording describes it; meshes that are not there are left out.
    pub(crate) fn described(
        shape: &ShapeDescription,
        meshes: &BTreeMap<u32, Arc<Surface>>,
    ) -> Self {
        let mut form = Self::default();
        form.add_described(shape, meshes, &Pose::IDENTITY);
        form
    }

    fn add(&mut self, shape: &Shape, pose: &Pose) {
        let part = match shape {
            Shape::Ball(it) => Part::Round(DVec3::splat(it.radius()), [2.0; 2]),
            Shape::Cuboid(it) => Part::Cuboid(it.half()),
            Shape::Capsule(it) => Part::Capsule(it.half_length(), it.radius()),
            Shape::Cylinder(it) => Part::Cylinder(it.half_length(), it.radius()),
            Shape::Cone(it) => Part::Cone(it.half_length(), it.radius()),
            Shape::Ellipsoid(it) => Part::Round(it.semi_axes(), [2.0; 2]),
            Shape::Superquadric(it) => Part::Round(it.semi_axes(), it.exponents()),
            Shape::HalfSpace(it) => {
                let plane = Plane { normal: it.normal(), offset: it.offset() };
                self.planes.push(plane.placed(pose));
                return;
            }
            Shape::Polyhedron(it) => Part::Mesh(Arc::new(of_triangles(&it.to_mesh()))),
            Shape::Mesh(it) => Part::Mesh(Arc::new(of_triangles(it.mesh()))),
            Shape::Compound(it) => {
                for part in it.parts() {
                    self.add(&part.shape, &pose.then_from(&part.body_from_shape));
                }
                return;
            }
        };
        self.parts.push((*pose, part));
    }

    fn add_described(
        &mut self,
        shape: &ShapeDescription,
        meshes: &BTreeMap<u32, Arc<Surface>>,
        pose: &Pose,
    ) {
        use ShapeDescription as Described;
        let part = match shape {
            Described::Ball { radius } => Part::Round(DVec3::splat(*radius), [2.0; 2]),
            Described::Cuboid { half } => Part::Cuboid(DVec3::from_array(*half)),
            Described::Capsule { half_length, radius } => Part::Capsule(*half_length, *radius),
            Described::Cylinder { half_length, radius } => Part::Cylinder(*half_length, *radius),
            Described::Cone { half_length, radius } => Part::Cone(*half_length, *radius),
            Described::Ellipsoid { semi_axes } => {
                Part::Round(DVec3::from_array(*semi_axes), [2.0; 2])
            }
            Described::Superquadric { semi_axes, exponents } => {
                Part::Round(DVec3::from_array(*semi_axes), *exponents)
            }
            Described::HalfSpace { normal, offset } => {
                let plane = Plane { normal: DVec3::from_array(*normal), offset: *offset };
                self.planes.push(plane.placed(pose));
                return;
            }
            Described::Polyhedron { mesh } | Described::Mesh { mesh } => match meshes.get(mesh) {
                Some(surface) => Part::Mesh(Arc::clone(surface)),
                None => return,
            },
            Described::Compound { parts } => {
                for part in parts {
                    let rotation = DQuat::from_array(part.orientation_xyzw);
                    let placed = Pose::new(DVec3::from_array(part.position_m), rotation);
                    self.add_described(&part.shape, meshes, &pose.then_from(&placed));
                }
                return;
            }
        };
        self.parts.push((*pose, part));
    }

    /// The planes of its half-spaces.
    pub(crate) fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// The box around its parts in its own frame; none where it has no end, or no part.
    pub(crate) fn bounds(&self) -> Option<Aabb> {
        if self.parts.is_empty() || !self.planes.is_empty() {
            return None;
        }
        // A coarse surface has its farthest points where the shape has: on the axes and at corners.
        let surface = self.surface(8);
        let bounds = Aabb::from_points(surface.points.iter().copied());
        (bounds.min.is_finite() && bounds.max.is_finite()).then_some(bounds)
    }

    /// The surface of all parts, with so many pieces around a full turn.
    pub(crate) fn surface(&self, turns: usize) -> Surface {
        let mut all = Surface::default();
        for (pose, part) in &self.parts {
            match part {
                Part::Round(semi_axes, exponents) => {
                    all.append(&round::superquadric(*semi_axes, *exponents, turns), pose);
                }
                Part::Cuboid(half) => all.append(&surface::cuboid(*half), pose),
                Part::Capsule(h, r) => all.append(&round::capsule(*h, *r, turns), pose),
                Part::Cylinder(h, r) => all.append(&round::cylinder(*h, *r, turns), pose),
                Part::Cone(h, r) => all.append(&round::cone(*h, *r, turns), pose),
                Part::Mesh(surface) => all.append(surface, pose),
            }
        }
        all
    }
}

fn of_triangles(mesh: &carom_geometry::TriMesh) -> Surface {
    Surface::creased(mesh.vertices(), mesh.triangles())
}

/// The meshes of a recording by their numbers, ready to be drawn.
pub(crate) fn of_meshes(meshes: Vec<MeshData>) -> BTreeMap<u32, Arc<Surface>> {
    let surface =
        |mesh: MeshData| (mesh.number, Arc::new(Surface::creased(&mesh.vertices, &mesh.triangles)));
    meshes.into_iter().map(surface).collect()
}
