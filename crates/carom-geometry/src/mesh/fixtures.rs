//! Small meshes for tests.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};

use super::TriMesh;

/// A mesh from parts that are known to be valid.
pub(crate) fn mesh(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> TriMesh {
    TriMesh::new(vertices, triangles).unwrap()
}

/// An axis-aligned box.
pub(crate) fn cuboid(min: DVec3, max: DVec3) -> TriMesh {
    let corner = |k: usize| {
        let pick = |bit: usize, axis: usize| if k & bit == 0 { min[axis] } else { max[axis] };
        DVec3::new(pick(1, 0), pick(2, 1), pick(4, 2))
    };
    let quads =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    mesh((0..8).map(corner).collect(), quads.into_iter().flat_map(split_quad).collect())
}

/// The unit cube.
pub(crate) fn cube() -> TriMesh {
    cuboid(DVec3::ZERO, DVec3::ONE)
}

/// The corner tetrahedron of the unit cube.
pub(crate) fn tetrahedron() -> TriMesh {
    let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    mesh(vertices, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
}

/// A torus around z with `n` by `m` quads.
pub(crate) fn torus(ring: f64, tube: f64, n: u32, m: u32) -> TriMesh {
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..n {
        let (sin_u, cos_u) = libm::sincos(TAU * f64::from(i) / f64::from(n));
        for j in 0..m {
            let (sin_v, cos_v) = libm::sincos(TAU * f64::from(j) / f64::from(m));
            let radius = ring + tube * cos_v;
            vertices.push(DVec3::new(radius * cos_u, radius * sin_u, tube * sin_v));
            let at = |i: u32, j: u32| (i % n) * m + j % m;
            triangles.extend(split_quad([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]));
        }
    }
    mesh(vertices, triangles)
}

/// An ellipsoid by longitude and latitude: convex, with poles of high valence.
pub(crate) fn ellipsoid(half_axes: DVec3, n: u32, m: u32) -> TriMesh {
    let mut vertices = vec![half_axes * DVec3::Z];
    for j in 1..m {
        let (sin_v, cos_v) = libm::sincos(0.5 * TAU * f64::from(j) / f64::from(m));
        for i in 0..n {
            let (sin_u, cos_u) = libm::sincos(TAU * f64::from(i) / f64::from(n));
            vertices.push(half_axes * DVec3::new(sin_v * cos_u, sin_v * sin_u, cos_v));
        }
    }
    vertices.push(-half_axes * DVec3::Z);
    let south = vertices.len() as u32 - 1;
    let at = |i: u32, j: u32| 1 + (j - 1) * n + i % n;
    let mut triangles = Vec::new();
    for i in 0..n {
        triangles.push([0, at(i, 1), at(i + 1, 1)]);
        for j in 1..m - 1 {
            triangles.extend(split_quad([at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)]));
        }
        triangles.push([south, at(i + 1, m - 1), at(i, m - 1)]);
    }
    mesh(vertices, triangles)
}

/// A 3 × 3 × 1 block with a square tunnel through its middle.
pub(crate) fn tunnel() -> TriMesh {
    let square = |low: f64, high: f64, z: f64| {
        [(low, low), (high, low), (high, high), (low, high)].map(|(x, y)| DVec3::new(x, y, z))
    };
    let rings = [square(0.0, 3.0, 0.0), square(0.0, 3.0, 1.0), square(1.0, 2.0, 0.0)];
    let mut vertices = rings.concat();
    vertices.extend(square(1.0, 2.0, 1.0));
    let mut triangles = Vec::new();
    for k in 0..4_u32 {
        let next = (k + 1) % 4;
        let ([a, b], [c, d]) = ([k, next], [4 + k, 4 + next]);
        let ([e, f], [g, h]) = ([8 + k, 8 + next], [12 + k, 12 + next]);
        for quad in [[a, b, d, c], [f, e, g, h], [c, d, h, g], [b, a, e, f]] {
            triangles.extend(split_quad(quad));
        }
    }
    mesh(vertices, triangles)
}

/// Parts side by side in one mesh, sharing nothing.
pub(crate) fn join(parts: &[TriMesh]) -> TriMesh {
    let mut vertices: Vec<DVec3> = Vec::new();
    let mut triangles = Vec::new();
    for part in parts {
        let base = vertices.len() as u32;
        vertices.extend(part.vertices());
        triangles.extend(part.triangles().iter().map(|t| t.map(|v| base + v)));
    }
    mesh(vertices, triangles)
}

/// The mesh scaled, turned and moved.
pub(crate) fn placed(source: &TriMesh, scale: f64, turn: DQuat, shift: DVec3) -> TriMesh {
    let vertices = source.vertices().iter().map(|v| turn * (scale * *v) + shift).collect();
    mesh(vertices, source.triangles().to_vec())
}

/// Every triangle with corners of its own.
pub(crate) fn unwelded(source: &TriMesh) -> TriMesh {
    let vertices = source.iter_corners().flatten().collect();
    let n = source.triangles().len() as u32;
    mesh(vertices, (0..n).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect())
}

/// The mesh with its triangle list edited.
pub(crate) fn with_triangles(source: &TriMesh, edit: impl FnOnce(&mut Vec<[u32; 3]>)) -> TriMesh {
    let mut triangles = source.triangles().to_vec();
    edit(&mut triangles);
    mesh(source.vertices().to_vec(), triangles)
}

/// Volume by the divergence theorem.
pub(crate) fn volume(source: &TriMesh) -> f64 {
    let origin = source.vertices()[0];
    source
        .iter_corners()
        .map(|[a, b, c]| (a - origin).dot((b - origin).cross(c - origin)) / 6.0)
        .sum()
}

fn split_quad([a, b, c, d]: [u32; 4]) -> [[u32; 3]; 2] {
    [[a, b, c], [a, c, d]]
}
