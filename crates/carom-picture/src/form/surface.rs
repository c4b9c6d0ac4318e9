//! Triangles with a normal at every corner.

use carom_geometry::Pose;
use glam::DVec3;

/// Faces that meet at a sharper angle than this keep an edge between them: the cosine of 35°. Larger: more edges show on
/// coarse round meshes; smaller: real edges are smeared.
const CREASE: f64 = 0.819;

/// A surface for drawing; every triangle counter-clockwise seen from outside.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surface {
    pub(crate) points: Vec<DVec3>,
    /// Outward unit vectors, one for each point.
    pub(crate) normals: Vec<DVec3>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Surface {
    /// Adds another surface, placed.
    pub(crate) fn append(&mut self, other: &Self, pose: &Pose) {
        let first = self.points.len() as u32;
        self.points.extend(other.points.iter().map(|point| pose.point(*point)));
        self.normals.extend(other.normals.iter().map(|normal| pose.vector(*normal)));
        self.triangles.extend(other.triangles.iter().map(|it| it.map(|corner| corner + first)));
    }

    pub(crate) fn push(&mut self, point: DVec3, normal: DVec3) -> u32 {
        self.points.push(point);
        self.normals.push(normal);
        self.points.len() as u32 - 1
    }

    /// From a plain mesh: smooth where faces meet at small angles, with edges elsewhere. Triangles that name points that
    /// are not there are left out.
    pub(crate) fn creased(points: &[DVec3], triangles: &[[u32; 3]]) -> Self {
        let is_sound = |it: &&[u32; 3]| it.iter().all(|&corner| (corner as usize) < points.len());
        let sound: Vec<[u32; 3]> = triangles.iter().filter(is_sound).copied().collect();
        let corners = |it: &[u32; 3]| it.map(|corner| points[corner as usize]);
        // Twice the area along the normal, so that large faces count for more.
        let areas: Vec<DVec3> = sound
            .iter()
            .map(|it| {
                let [a, b, c] = corners(it);
                (b - a).cross(c - a)
            })
            .collect();
        let mut around: Vec<Vec<u32>> = vec![Vec::new(); points.len()];
        for (index, triangle) in sound.iter().enumerate() {
            for &corner in triangle {
                around[corner as usize].push(index as u32);
            }
        }
        let mut surface = Self::default();
        for (triangle, area) in sound.iter().zip(&areas) {
            let own = area.normalize_or_zero();
            let made = triangle.map(|corner| {
                let near = around[corner as usize].iter().map(|&face| areas[face as usize]);
                let smooth = near.filter(|it| it.normalize_or_zero().dot(own) >= CREASE);
                let normal = smooth.sum::<DVec3>().try_normalize().unwrap_or(own);
                surface.push(points[corner as usize], normal)
            });
            surface.triangles.push(made);
        }
        surface
    }
}

/// A box with half sides.
pub(super) fn cuboid(half: DVec3) -> Surface {
    let mut surface = Surface::default();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let (mut normal, mut u, mut v) = ([0.0; 3], [0.0; 3], [0.0; 3]);
            normal[axis] = side;
            u[(axis + 1) % 3] = side;
            v[(axis + 2) % 3] = 1.0;
            let [normal, u, v] = [normal, u, v].map(DVec3::from_array);
            let corners = [-u - v, u - v, u + v, v - u];
            let [a, b, c, d] = corners.map(|it| surface.push((normal + it) * half, normal));
            surface.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    surface
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_closed_and_faces_outwards() {
        let surface = cuboid(DVec3::new(1.0, 2.0, 3.0));
        assert_eq!(surface.triangles.len(), 12);
        let volume: f64 = surface
            .triangles
            .iter()
            .map(|it| {
                let [a, b, c] = it.map(|corner| surface.points[corner as usize]);
                a.dot(b.cross(c)) / 6.0
            })
            .sum();
        assert!((volume - 48.0).abs() < 1e-12, "{volume}");
    }

    #[test]
    fn a_mesh_keeps_its_edges_and_loses_what_it_cannot_name() {
        let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3], [1, 2, 9]];
        let surface = Surface::creased(&points, &faces);
        assert_eq!(surface.triangles.len(), 4);
        let normals = &surface.normals[..3];
        assert!(normals.iter().all(|normal| *normal == -DVec3::Z), "{normals:?}");
    }
}
