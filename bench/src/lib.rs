//! Inputs for benchmarks, made by formula so that every machine measures the same.

pub mod compare;
pub mod counters;
pub mod motion;

use carom_geometry::TriMesh;
use glam::DVec3;

/// A torus of radii 1 and 0.35 with `2·around·across` triangles: closed, smooth and not convex.
///
/// # Panics
/// Never, for counts of at least 3.
pub fn torus(around: u32, across: u32) -> TriMesh {
    let mut vertices = Vec::with_capacity((around * across) as usize);
    for i in 0..around {
        let (sin_u, cos_u) = libm::sincos(std::f64::consts::TAU * f64::from(i) / f64::from(around));
        for j in 0..across {
            let angle = std::f64::consts::TAU * f64::from(j) / f64::from(across);
            let (sin_v, cos_v) = libm::sincos(angle);
            let radius = 1.0 + 0.35 * cos_v;
            vertices.push(DVec3::new(radius * cos_u, radius * sin_u, 0.35 * sin_v));
        }
    }
    let at = |i: u32, j: u32| (i % around) * across + j % across;
    let quads = (0..around).flat_map(|i| (0..across).map(move |j| (i, j)));
    let triangles = quads
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    TriMesh::new(vertices, triangles).expect("indices and coordinates are sound by construction")
}

/// Points spread evenly over the unit sphere along a golden spiral: all of them are hull vertices.
pub fn sphere_points(count: u32) -> Vec<DVec3> {
    let point = |i: u32| {
        let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(count);
        let (sin, cos) = libm::sincos(2.399963229728653 * f64::from(i));
        DVec3::new(cos, sin, 0.0) * (1.0 - z * z).sqrt() + DVec3::Z * z
    };
    (0..count).map(point).collect()
}

/// Points filling the unit ball evenly: few of them are hull vertices.
pub fn ball_points(count: u32) -> Vec<DVec3> {
    let shell = |(i, p): (usize, DVec3)| {
        let share = libm::fmod(0.7548776662466927 * i as f64, 1.0);
        p * libm::cbrt(share)
    };
    sphere_points(count).into_iter().enumerate().map(shell).collect()
}

/// Binary STL.
pub fn stl_bytes(mesh: &TriMesh) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes.extend((mesh.triangles().len() as u32).to_le_bytes());
    for corners in mesh.iter_corners() {
        bytes.extend([0_u8; 12]);
        let numbers = corners.iter().flat_map(DVec3::to_array);
        bytes.extend(numbers.flat_map(|x| (x as f32).to_le_bytes()));
        bytes.extend([0_u8; 2]);
    }
    bytes
}

/// OBJ.
pub fn obj_bytes(mesh: &TriMesh) -> Vec<u8> {
    let mut text = String::new();
    for v in mesh.vertices() {
        text += &format!("v {} {} {}\n", v.x, v.y, v.z);
    }
    for [a, b, c] in mesh.triangles() {
        text += &format!("f {} {} {}\n", a + 1, b + 1, c + 1);
    }
    text.into_bytes()
}

/// Binary little-endian PLY with double coordinates.
pub fn ply_bytes(mesh: &TriMesh) -> Vec<u8> {
    let mut bytes = format!(
        "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty double x\nproperty double y\n\
         property double z\nelement face {}\nproperty list uchar uint vertex_indices\nend_header\n",
        mesh.vertices().len(),
        mesh.triangles().len()
    )
    .into_bytes();
    bytes.extend(mesh.vertices().iter().flat_map(DVec3::to_array).flat_map(f64::to_le_bytes));
    for corners in mesh.triangles() {
        bytes.push(3);
        bytes.extend(corners.iter().flat_map(|v| v.to_le_bytes()));
    }
    bytes
}
