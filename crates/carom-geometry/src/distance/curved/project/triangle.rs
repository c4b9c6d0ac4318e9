//! Projection on a triangle.

use glam::{DMat3, DVec3};

use super::{Foot, dyad};
use crate::distance::Feature;

/// On the face where z lies over it, else on the side or corner whose region holds z.
///
/// Regions decide, not distances: those to a corner and to a side close to it differ by the square of what the
/// normals differ by.
pub(super) fn project(corners: &[DVec3; 3], z: DVec3) -> Option<Foot> {
    let [a, b, c] = *corners;
    let across = (b - a).cross(c - a);
    let normal = (across / across.abs().max_element()).try_normalize();
    let beyond = |i: usize| {
        let (from, to) = (corners[i], corners[(i + 1) % 3]);
        normal.is_none_or(|normal| normal.cross(to - from).dot(z - from) <= 0.0)
    };
    let outside = [beyond(0), beyond(1), beyond(2)];
    if let (Some(normal), [false, false, false]) = (normal, outside) {
        let height = normal.dot(z - a);
        let outward = if height < 0.0 { -normal } else { normal };
        let map = DMat3::IDENTITY - dyad(normal);
        let point = z - height * normal;
        return Some(Foot { point, normal: outward, map, feature: Feature::Face(0) });
    }
    let mut best: Option<(f64, Foot)> = None;
    for i in (0..3).filter(|&i| outside[i]) {
        let Some((foot, between)) = on_side(corners, i, z) else { continue };
        let distance = foot.point.distance_squared(z);
        if normal.is_some() && between {
            return Some(foot);
        }
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, foot));
        }
    }
    best.map(|(_, foot)| foot)
}

/// The foot on a side, and whether it lies between the ends.
fn on_side(corners: &[DVec3; 3], i: usize, z: DVec3) -> Option<(Foot, bool)> {
    let j = (i + 1) % 3;
    let (from, to) = (corners[i], corners[j]);
    let (side, square) = (to - from, from.distance_squared(to));
    let share = (z - from).dot(side) / square;
    if share > 0.0 && share < 1.0 {
        let point = from + share * side;
        let offset = z - point;
        let normal = (offset - side * (side.dot(offset) / square)).try_normalize()?;
        let map = dyad(side) * (1.0 / square);
        return Some((Foot { point, normal, map, feature: Feature::Edge(i as u32) }, true));
    }
    let (point, corner) = if share >= 1.0 { (to, j) } else { (from, i) };
    let normal = (z - point).try_normalize()?;
    let feature = Feature::Vertex(corner as u32);
    Some((Foot { point, normal, map: DMat3::ZERO, feature }, false))
}
