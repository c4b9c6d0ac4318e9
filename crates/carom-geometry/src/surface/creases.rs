//! Normals of meshes: smooth across edges where neighbours hardly turn, broken where they do.
//!
//! The normal of a triangle at a corner is the sum of the normals of the triangles around that vertex that are turned
//! away from it by less than the crease angle, weighted by their angles there.

use std::collections::BTreeMap;

use glam::DVec3;

use super::Surface;
use crate::TriMesh;
use crate::tolerances::CREASE_ANGLE;

/// A triangle at one of its corners.
#[derive(Clone, Copy)]
struct Corner {
    normal: DVec3,
    angle: f64,
}

pub(super) fn shaded(mesh: &TriMesh) -> Surface {
    let normals: Vec<DVec3> = mesh.iter_corners().map(unit_normal).collect();
    let points = welded(mesh);
    let mut around: Vec<Vec<Corner>> = vec![Vec::new(); mesh.vertices().len()];
    for ((triangle, corners), &normal) in
        mesh.triangles().iter().zip(mesh.iter_corners()).zip(&normals)
    {
        for (k, &vertex) in triangle.iter().enumerate() {
            let angle = angle_at(corners, k);
            around[points[vertex as usize] as usize].push(Corner { normal, angle });
        }
    }
    let mut surface = Surface::default();
    // Vertices with the same place and the same normal are one.
    let mut known: BTreeMap<(u32, [u64; 3]), u32> = BTreeMap::new();
    for (triangle, &normal) in mesh.triangles().iter().zip(&normals) {
        if normal == DVec3::ZERO {
            continue;
        }
        let corners = triangle.map(|vertex| {
            let point = points[vertex as usize];
            let smooth = smoothed(&around[point as usize], normal);
            *known
                .entry((point, smooth.to_array().map(f64::to_bits)))
                .or_insert_with(|| surface.vertex(mesh.vertices()[point as usize], smooth))
        });
        surface.triangle(corners);
    }
    surface
}

/// Of every vertex the first one at the same place.
fn welded(mesh: &TriMesh) -> Vec<u32> {
    let mut first: BTreeMap<[u64; 3], u32> = BTreeMap::new();
    // Adding zero takes the sign from −0, which is the same place as 0.
    let key = |point: &DVec3| (*point + DVec3::ZERO).to_array().map(f64::to_bits);
    let place = |(index, point)| *first.entry(key(point)).or_insert(index);
    (0..).zip(mesh.vertices()).map(place).collect()
}

fn smoothed(around: &[Corner], own: DVec3) -> DVec3 {
    let least = libm::cos(CREASE_ANGLE);
    let near = around.iter().filter(|corner| corner.normal.dot(own) > least);
    let sum: DVec3 = near.map(|corner| corner.angle * corner.normal).sum();
    sum.try_normalize().unwrap_or(own)
}

/// Zero for a triangle without area.
fn unit_normal(corners: [DVec3; 3]) -> DVec3 {
    crate::precise::triangle_normal(corners).normalize_or_zero()
}

fn angle_at(corners: [DVec3; 3], k: usize) -> f64 {
    let (next, last) = (corners[(k + 1) % 3] - corners[k], corners[(k + 2) % 3] - corners[k]);
    libm::atan2(next.cross(last).length(), next.dot(last))
}
