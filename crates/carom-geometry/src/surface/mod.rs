//! Surfaces of shapes as triangles with normals, for pictures and exports.
//!
//! Vertices lie on the surface to rounding, so a tessellation of a convex shape is inscribed and its volume comes out
//! too small by a share of order 1/n² for n edges around a full turn. Where the surface is smooth, neighbouring triangles
//! share vertices with the exact normal there; along creases (rims, edges) each side has vertices of its own. Vertices
//! that coincide have the same bits, so that the surface is closed once they are welded.
//!
//! | shape | how |
//! |---|---|
//! | ball, capsule, cylinder, cone | an outline turned about the z axis |
//! | ellipsoid, superquadric | a grid of angles, normals along the gradient of the norm |
//! | box, polyhedron | faces as fans |
//! | mesh | its triangles, smooth where they meet at less than [`CREASE_ANGLE`](crate::tolerances::CREASE_ANGLE) |
//! | compound | its parts, each whole |
//! | half-space | unbounded: has no surface of its own; [`Surface::square`] shows a part of its plane |

mod creases;
mod lathe;
mod quadric;
#[cfg(test)]
mod tests;

use glam::DVec3;

use crate::{ConvexPolyhedron, Pose, Shape, TriMesh};

/// Triangles with a normal at every vertex, counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    positions: Vec<DVec3>,
    normals: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

/// How fine curved surfaces are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fineness {
    quarter: u32,
}

impl Fineness {
    /// So many edges around a full turn, rounded up to a multiple of four and brought into 8 to 1024.
    pub fn around(edges: u32) -> Self {
        Self { quarter: edges.clamp(8, 1024).div_ceil(4) }
    }

    /// Edges around a full turn.
    pub const fn edges(self) -> u32 {
        4 * self.quarter
    }
}

impl Default for Fineness {
    /// 32 edges around: their corners are 0.5 % of the radius outside the middles of edges.
    fn default() -> Self {
        Self::around(32)
    }
}

impl Surface {
    /// The surface of a shape in its own frame; none if it is unbounded.
    pub fn of(shape: &Shape, fineness: Fineness) -> Option<Self> {
        Some(match shape {
            Shape::Ball(it) => lathe::ball(it.radius(), fineness),
            Shape::Capsule(it) => lathe::capsule(it.half_length(), it.radius(), fineness),
            Shape::Cylinder(it) => lathe::cylinder(it.half_length(), it.radius(), fineness),
            Shape::Cone(it) => lathe::cone(it.half_length(), it.radius(), fineness),
            Shape::Ellipsoid(it) => quadric::ellipsoid(it, fineness),
            Shape::Superquadric(it) => quadric::superquadric(it, fineness),
            Shape::Cuboid(it) => cuboid(it.half()),
            Shape::Polyhedron(it) => polyhedron(it),
            Shape::Mesh(it) => Self::of_mesh(it.mesh()),
            Shape::Compound(it) => {
                let mut whole = Self::default();
                for part in it.parts() {
                    whole.add(&Self::of(&part.shape, fineness)?, &part.body_from_shape);
                }
                whole
            }
            Shape::HalfSpace(_) => return None,
        })
    }

    /// The triangles of a mesh; those without area are left out.
    pub fn of_mesh(mesh: &TriMesh) -> Self {
        creases::shaded(mesh)
    }

    /// A square in a plane, two triangles seen from where the normal points to.
    pub fn square(center: DVec3, normal: DVec3, half_side: f64) -> Self {
        let (u, v) = normal.any_orthonormal_pair();
        let corner = |a: f64, b: f64| center + half_side * (a * u + b * v);
        let mut square = Self::default();
        let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        // The pair and the normal may be left-handed.
        let rim = if u.cross(v).dot(normal) > 0.0 { [0, 1, 2, 3] } else { [3, 2, 1, 0] };
        square.fan(rim.map(|k| corners[k]), normal);
        square
    }

    /// Vertices `[m]`.
    pub fn positions(&self) -> &[DVec3] {
        &self.positions
    }

    /// Outward unit normals at the vertices, one by one `[-]`.
    pub fn normals(&self) -> &[DVec3] {
        &self.normals
    }

    /// Corners of the triangles, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Adds another surface at its place.
    pub fn add(&mut self, other: &Self, self_from_other: &Pose) {
        let first = self.positions.len() as u32;
        self.positions.extend(other.positions.iter().map(|&point| self_from_other.point(point)));
        self.normals.extend(other.normals.iter().map(|&normal| self_from_other.vector(normal)));
        let moved = other.triangles.iter().map(|triangle| triangle.map(|corner| first + corner));
        self.triangles.extend(moved);
    }

    /// Adds a vertex and gives its index.
    fn vertex(&mut self, position: DVec3, normal: DVec3) -> u32 {
        self.positions.push(position);
        self.normals.push(normal);
        self.positions.len() as u32 - 1
    }

    /// Adds a triangle unless two of its corners are the same point.
    fn triangle(&mut self, [a, b, c]: [u32; 3]) {
        let [p, q, r] = [a, b, c].map(|corner| self.positions[corner as usize]);
        if p != q && q != r && r != p {
            self.triangles.push([a, b, c]);
        }
    }

    /// Adds a flat convex face by its rim.
    fn fan(&mut self, rim: impl IntoIterator<Item = DVec3>, normal: DVec3) {
        let first = self.positions.len() as u32;
        for point in rim {
            self.vertex(point, normal);
        }
        let end = self.positions.len() as u32;
        for corner in first + 1..end.saturating_sub(1) {
            self.triangles.push([first, corner, corner + 1]);
        }
    }
}

fn cuboid(half: DVec3) -> Surface {
    let mut surface = Surface::default();
    for axis in 0..3 {
        let [u, v] = [DVec3::AXES[(axis + 1) % 3], DVec3::AXES[(axis + 2) % 3]];
        for normal in [DVec3::AXES[axis], -DVec3::AXES[axis]] {
            let turn = normal[axis];
            let signs = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
            let corner = |[a, b]: [f64; 2]| half * (normal + turn * a * u + b * v);
            surface.fan(signs.map(corner), normal);
        }
    }
    surface
}

fn polyhedron(hull: &ConvexPolyhedron) -> Surface {
    let mut surface = Surface::default();
    for (index, face) in hull.faces().iter().enumerate() {
        let rim = hull.face_vertices(index).map(|vertex| hull.vertices()[vertex as usize]);
        surface.fan(rim, face.normal);
    }
    surface
}
