//! Valid files of every format, small and large.

use std::fmt::Write;

use carom_geometry::mesh_file::Format;

use crate::{INFALLIBLE, NamedFile};

/// A grid of n·n bent cells, two triangles each.
pub(crate) struct Grid {
    pub(crate) points: Vec<[f64; 3]>,
    pub(crate) triangles: Vec<[usize; 3]>,
}

pub(crate) fn grid(n: usize) -> Grid {
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..=n {
        for j in 0..=n {
            let (x, y) = (i as f64 / n as f64, j as f64 / n as f64);
            points.push([x, y, x * x - 0.3 * y * y]);
        }
    }
    for i in 0..n {
        for j in 0..n {
            let a = i * (n + 1) + j;
            triangles.extend([[a, a + n + 1, a + n + 2], [a, a + n + 2, a + 1]]);
        }
    }
    Grid { points, triangles }
}

pub(crate) fn stl_text(grid: &Grid) -> Vec<u8> {
    let mut text = "solid grid\n".to_owned();
    for triangle in &grid.triangles {
        text += "facet normal 0 0 1\nouter loop\n";
        for [x, y, z] in triangle.map(|v| grid.points[v]) {
            writeln!(text, "vertex {x} {y} {z}").expect(INFALLIBLE);
        }
        text += "endloop\nendfacet\n";
    }
    (text + "endsolid grid\n").into_bytes()
}

pub(crate) fn stl_binary(grid: &Grid) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes.extend((grid.triangles.len() as u32).to_le_bytes());
    for triangle in &grid.triangles {
        bytes.extend([0; 12]);
        for x in triangle.iter().flat_map(|v| grid.points[*v]) {
            bytes.extend((x as f32).to_le_bytes());
        }
        bytes.extend([0; 2]);
    }
    bytes
}

pub(crate) fn obj(grid: &Grid) -> Vec<u8> {
    let mut text = "# grid\no grid\n".to_owned();
    for [x, y, z] in &grid.points {
        writeln!(text, "v {x} {y} {z}").expect(INFALLIBLE);
    }
    for [a, b, c] in grid.triangles.iter().map(|t| t.map(|v| v + 1)) {
        writeln!(text, "f {a}/1 {b}//2 {c}").expect(INFALLIBLE);
    }
    (text + "f -1 -2 -3 \\\n -4 1\nl 1 2\n").into_bytes()
}

pub(crate) fn ply(grid: &Grid, encoding: &str) -> Vec<u8> {
    let mut bytes = format!(
        "ply\nformat {encoding} 1.0\ncomment grid\nelement vertex {}\nproperty double x\n\
         property double y\nproperty double z\nelement face {}\n\
         property list uchar uint vertex_indices\nend_header\n",
        grid.points.len(),
        grid.triangles.len()
    )
    .into_bytes();
    if encoding == "ascii" {
        for [x, y, z] in &grid.points {
            bytes.extend(format!("{x} {y} {z}\n").into_bytes());
        }
        for [a, b, c] in &grid.triangles {
            bytes.extend(format!("3 {a} {b} {c}\n").into_bytes());
        }
        return bytes;
    }
    let is_big = encoding == "binary_big_endian";
    for x in grid.points.iter().flatten() {
        bytes.extend(if is_big { x.to_be_bytes() } else { x.to_le_bytes() });
    }
    for triangle in &grid.triangles {
        bytes.push(3);
        for v in triangle.map(|v| v as u32) {
            bytes.extend(if is_big { v.to_be_bytes() } else { v.to_le_bytes() });
        }
    }
    bytes
}

pub(crate) fn gltf_buffer(grid: &Grid) -> Vec<u8> {
    let positions = grid.points.iter().flatten().flat_map(|x| (*x as f32).to_le_bytes());
    let indices = grid.triangles.iter().flatten().flat_map(|v| (*v as u32).to_le_bytes());
    positions.chain(indices).collect()
}

pub(crate) fn gltf_json(grid: &Grid, uri: &str) -> String {
    let (n_points, n_corners) = (grid.points.len(), 3 * grid.triangles.len());
    let (first, second) = (12 * n_points, 4 * n_corners);
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,2]}}],
        "nodes":[{{"children":[1],"scale":[1,-1,2.5]}},
        {{"mesh":0,"rotation":[0,0,1,0],"translation":[9,0,0]}},
        {{"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,5,0,0,1]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"mode":4}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{n_points},"type":"VEC3"}},
        {{"bufferView":1,"componentType":5125,"count":{n_corners},"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":{first},"byteStride":12}},
        {{"buffer":0,"byteOffset":{first},"byteLength":{second}}}],
        "buffers":[{{"byteLength":{}{uri}}}]}}"#,
        first + second
    )
}

pub(crate) fn glb(grid: &Grid) -> Vec<u8> {
    let (json, buffer) = (gltf_json(grid, ""), gltf_buffer(grid));
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((28 + json.len() as u32 + buffer.len() as u32).to_le_bytes());
    for (kind, content) in [(b"JSON", json.as_bytes()), (b"BIN\0", &buffer)] {
        bytes.extend((content.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(content);
    }
    bytes
}

/// One triangle: the points (0, 0, 0), (1, 0, 0), (0, 1, 0) and the indices 0, 1, 2 in base64.
pub(crate) fn gltf_text() -> Vec<u8> {
    let data = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAEAAAACAAAA";
    let triangle = Grid { points: vec![[0.0; 3]; 3], triangles: vec![[0, 1, 2]] };
    gltf_json(&triangle, &format!(r#","uri":"data:;base64,{data}""#)).into_bytes()
}

pub(crate) fn small_files() -> Vec<NamedFile> {
    let grid = grid(2);
    vec![
        ("STL text", Format::Stl, stl_text(&grid)),
        ("STL binary", Format::Stl, stl_binary(&grid)),
        ("OBJ", Format::Obj, obj(&grid)),
        ("PLY text", Format::Ply, ply(&grid, "ascii")),
        ("PLY little endian", Format::Ply, ply(&grid, "binary_little_endian")),
        ("PLY big endian", Format::Ply, ply(&grid, "binary_big_endian")),
        ("glTF text", Format::Gltf, gltf_text()),
        ("glTF binary", Format::Gltf, glb(&grid)),
    ]
}
