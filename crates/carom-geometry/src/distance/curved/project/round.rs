//! Projection on solids of revolution with straight outlines, in the half-plane of (ρ, z).

use glam::{DMat3, DVec3};

use super::{Foot, dyad};
use crate::distance::Feature;
use crate::shapes::{Cone, Cylinder};

pub(super) fn on_point(z: DVec3) -> Option<Foot> {
    let normal = z.try_normalize()?;
    Some(Foot { point: DVec3::ZERO, normal, map: DMat3::ZERO, feature: Feature::Face(0) })
}

pub(super) fn on_segment(half_length: f64, z: DVec3) -> Option<Foot> {
    let point = DVec3::Z * z.z.clamp(-half_length, half_length);
    let normal = (z - point).try_normalize()?;
    let inside = z.z.abs() < half_length;
    let map = if inside { dyad(DVec3::Z) } else { DMat3::ZERO };
    Some(Foot { point, normal, map, feature: Feature::Face(0) })
}

/// Distance from the axis, the direction away from it and the one around it.
struct Meridian {
    rho: f64,
    out: DVec3,
    around: DVec3,
}

impl Meridian {
    fn of(z: DVec3) -> Self {
        let rho = libm::sqrt(z.x * z.x + z.y * z.y);
        let out = if rho > 0.0 { DVec3::new(z.x / rho, z.y / rho, 0.0) } else { DVec3::X };
        Self { rho, out, around: DVec3::Z.cross(out) }
    }

    /// On a circle of the given radius around the axis: turning z by an angle turns p by the same angle.
    fn around_map(&self, radius: f64) -> DMat3 {
        dyad(self.around) * (radius / self.rho)
    }
}

pub(super) fn on_cylinder(cylinder: &Cylinder, z: DVec3) -> Option<Foot> {
    let (radius, half) = (cylinder.radius(), cylinder.half_length());
    let meridian = Meridian::of(z);
    let cap = DVec3::Z * half.copysign(z.z);
    let (beyond_side, beyond_cap) = (meridian.rho > radius, z.z.abs() > half);
    let (point, normal, map, feature) = match (beyond_side, beyond_cap) {
        (false, false) => return None,
        (true, false) => {
            let point = radius * meridian.out + DVec3::Z * z.z;
            let map = meridian.around_map(radius) + dyad(DVec3::Z);
            (point, meridian.out, map, Feature::Face(0))
        }
        (false, true) => {
            let point = DVec3::new(z.x, z.y, cap.z);
            let map = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0));
            (point, cap / half, map, Feature::Face(1))
        }
        (true, true) => {
            let point = radius * meridian.out + cap;
            let normal = (z - point).try_normalize()?;
            (point, normal, meridian.around_map(radius), Feature::Edge(0))
        }
    };
    Some(Foot { point, normal, map, feature })
}

/// With the outline from the rim (R, −h) to the apex (0, h): t along it, k away from it.
pub(super) fn on_cone(cone: &Cone, z: DVec3) -> Option<Foot> {
    let (radius, half) = (cone.radius(), cone.half_length());
    let meridian = Meridian::of(z);
    let rim = radius * meridian.out - DVec3::Z * half;
    let length = libm::sqrt(radius * radius + 4.0 * half * half);
    let along = (DVec3::Z * (2.0 * half) - radius * meridian.out) / length;
    let outward = (2.0 * half * meridian.out + DVec3::Z * radius) / length;
    let (t, k) = ((z - rim).dot(along), (z - rim).dot(outward));
    let (point, normal, map, feature) = if z.z < -half && meridian.rho <= radius {
        let map = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0));
        (DVec3::new(z.x, z.y, -half), -DVec3::Z, map, Feature::Face(1))
    } else if t <= 0.0 {
        let normal = (z - rim).try_normalize()?;
        (rim, normal, meridian.around_map(radius), Feature::Edge(0))
    } else if k <= 0.0 {
        return None;
    } else if t >= length {
        let apex = DVec3::Z * half;
        (apex, (z - apex).try_normalize()?, DMat3::ZERO, Feature::Vertex(0))
    } else {
        let rho = radius * (1.0 - t / length);
        let map = meridian.around_map(rho) + dyad(along);
        (rim + t * along, outward, map, Feature::Face(0))
    };
    Some(Foot { point, normal, map, feature })
}
