//! What parry says of a pair.

use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query::{ClosestPoints, closest_points};
use parry3d_f64::shape::SharedShape;

use glam::DVec3;

use super::{Body, Pose, Solid};

/// A solid as parry has it, with its axis along y.
#[derive(Clone)]
pub(super) struct Opinionated {
    shape: SharedShape,
    /// From parry's frame of the solid to ours.
    ours: ParryPose,
    /// A surface only: what is inside a mesh is not of it.
    hollow: bool,
}

/// What parry says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opinion {
    /// Zero where they overlap.
    pub(super) distance: f64,
    /// Unit vector from B to A.
    pub(super) direction: Option<DVec3>,
}

fn vector([x, y, z]: [f64; 3]) -> Vector {
    Vector::new(x, y, z)
}

impl Opinionated {
    /// None for solids that parry does not have, or does not accept.
    pub(super) fn new(solid: &Solid) -> Option<Self> {
        let upright = ParryPose::IDENTITY;
        let turned = ParryPose::from_parts(
            Vector::ZERO,
            Rotation::from_rotation_x(std::f64::consts::FRAC_PI_2),
        );
        let mut hollow = false;
        let (shape, ours) = match *solid {
            Solid::Ball { radius } => (SharedShape::ball(radius), upright),
            Solid::Cuboid { half: [x, y, z] } => (SharedShape::cuboid(x, y, z), upright),
            Solid::Capsule { half_length, radius } => {
                (SharedShape::capsule_z(half_length, radius), upright)
            }
            Solid::Cylinder { half_length, radius } => {
                (SharedShape::cylinder(half_length, radius), turned)
            }
            Solid::Cone { half_length, radius } => (SharedShape::cone(half_length, radius), turned),
            Solid::Hull { ref points } => {
                let points: Vec<Vector> = points.iter().map(|point| vector(*point)).collect();
                (SharedShape::convex_hull(&points)?, upright)
            }
            Solid::HalfSpace { normal, offset } => {
                let normal = vector(normal).try_normalize()?;
                let place = ParryPose::from_parts(normal * offset, Rotation::IDENTITY);
                (SharedShape::halfspace(normal), place)
            }
            Solid::Mesh { ref vertices, ref triangles } => {
                hollow = true;
                let vertices = vertices.iter().map(|vertex| vector(*vertex)).collect();
                let triangles = triangles.iter().map(|corners| corners.map(|corner| corner as u32));
                (SharedShape::trimesh(vertices, triangles.collect()).ok()?, upright)
            }
            Solid::Ellipsoid { .. } | Solid::Superquadric { .. } | Solid::Compound { .. } => {
                return None;
            }
        };
        Some(Self { shape, ours, hollow })
    }

    fn placed(&self, pose: &Pose, from: &Pose) -> ParryPose {
        let [x, y, z, w] = pose.quaternion;
        let rotation = Rotation::from_xyzw(x, y, z, w).normalize();
        ParryPose::from_parts(vector(pose.position) - vector(from.position), rotation) * self.ours
    }
}

/// Parry's closest points; none where it cannot tell.
pub(super) fn opinion(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> Option<Opinion> {
    let (one, other) = (a.second.as_ref()?, b.second.as_ref()?);
    let places = [one.placed(pose_a, pose_a), other.placed(pose_b, pose_a)];
    let found =
        closest_points(&places[0], &*one.shape, &places[1], &*other.shape, f64::MAX).ok()?;
    match found {
        ClosestPoints::Intersecting => Some(Opinion { distance: 0.0, direction: None }),
        ClosestPoints::WithinMargin(point_a, point_b) => {
            let between = point_a - point_b;
            let between = DVec3::new(between.x, between.y, between.z);
            Some(Opinion { distance: between.length(), direction: between.try_normalize() })
        }
        ClosestPoints::Disjoint => None,
    }
}

/// How many of two bodies parry knows by their surface only.
pub(super) fn hollow_ones(a: &Body, b: &Body) -> usize {
    let hollow = |body: &&Body| body.second.as_ref().is_some_and(|second| second.hollow);
    [a, b].iter().filter(|body| hollow(body)).count()
}
