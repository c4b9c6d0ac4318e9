use serde_json::{Value, json};

use super::super::tests::{
    FACES, POINTS, assert_says, assert_tetrahedron, read as read_any, refusal, refusal_within,
};
use super::super::{
    Format, Limits, MeshFile, MeshFileWarning, Place, ReadOptions, parse_mesh_with,
};

/// Positions as f32, then indices as u16.
pub(in super::super) fn tetrahedron_buffer() -> Vec<u8> {
    let positions = POINTS.iter().flatten().flat_map(|x| (*x as f32).to_le_bytes());
    let indices = FACES.iter().flatten().flat_map(|v| (*v as u16).to_le_bytes());
    positions.chain(indices).collect()
}

pub(in super::super) fn tetrahedron_json(uri: &str) -> String {
    tetrahedron(&json!({"byteLength": 72, "uri": uri})).to_string()
}

pub(in super::super) fn tetrahedron_in_one_file() -> String {
    tetrahedron_json(&format!("data:;base64,{}", base64(&tetrahedron_buffer())))
}

fn tetrahedron(buffer: &Value) -> Value {
    json!({
        "asset": {"version": "2.0", "generator": {"deep": [[[{}]]]}},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": "a"}],
        "meshes": [{"primitives": [{"attributes": {"NORMAL": 7, "POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": 48},
            {"buffer": 0, "byteOffset": 48, "byteLength": 24},
        ],
        "buffers": [buffer],
    })
}

/// The tetrahedron with its JSON changed.
fn changed(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut root = tetrahedron(&json!({"byteLength": 72}));
    change(&mut root);
    binary(root.to_string().as_bytes(), &tetrahedron_buffer())
}

fn binary(json: &[u8], buffer: &[u8]) -> Vec<u8> {
    let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (kind, content) in [(b"JSON", json), (b"BIN\0", buffer)] {
        bytes.extend((content.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(content);
    }
    let length = bytes.len() as u32;
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    bytes
}

fn base64(bytes: &[u8]) -> String {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let mut padded = group.to_vec();
        padded.resize(3, 0);
        let bits = u32::from_be_bytes([0, padded[0], padded[1], padded[2]]);
        for i in 0..4 {
            let letter = letters[(bits >> (18 - 6 * i) & 63) as usize] as char;
            text.push(if i <= group.len() { letter } else { '=' });
        }
    }
    text
}

fn read(bytes: &[u8]) -> MeshFile {
    read_any(bytes, Format::Gltf)
}

fn corners(file: &MeshFile) -> Vec<[[f64; 3]; 3]> {
    file.mesh.iter_corners().map(|c| c.map(|p| p.to_array())).collect()
}

#[test]
fn all_three_places_for_buffers_give_the_tetrahedron() {
    let data = format!("data:application/gltf-buffer;base64,{}", base64(&tetrahedron_buffer()));
    for bytes in [
        changed(|_| ()),
        tetrahedron_json(&data).into_bytes(),
        format!("\u{feff}\n{}", tetrahedron_json(&data.replace('/', "\\/"))).into_bytes(),
    ] {
        let file = read(&bytes);
        assert_tetrahedron(&file.mesh);
        assert_eq!(file.warnings, []);
    }
    let load = |name: &str, _: u64| {
        assert_eq!(name, "sub/a b.bin");
        Ok(tetrahedron_buffer())
    };
    let json = tetrahedron_json("sub/a%20b.bin");
    let options = ReadOptions::default();
    let file = parse_mesh_with(json.as_bytes(), Format::Gltf, &options, &load).unwrap();
    assert_tetrahedron(&file.mesh);
}

#[test]
fn indices_of_all_types_and_none_are_read_and_corners_joined() {
    for (number, size) in [(5121, 1), (5125, 4)] {
        let mut buffer = tetrahedron_buffer()[..48].to_vec();
        for v in FACES.iter().flatten() {
            buffer.extend(&(*v as u32).to_le_bytes()[..size]);
        }
        let mut root = tetrahedron(&json!({"byteLength": buffer.len()}));
        root["accessors"][1]["componentType"] = json!(number);
        root["bufferViews"][1]["byteLength"] = json!(12 * size);
        assert_tetrahedron(&read(&binary(root.to_string().as_bytes(), &buffer)).mesh);
    }
    let positions = FACES.iter().flatten().flat_map(|v| POINTS[*v]);
    let buffer: Vec<u8> = positions.flat_map(|x| (x as f32).to_le_bytes()).collect();
    let mut root = tetrahedron(&json!({"byteLength": 144}));
    root["meshes"][0]["primitives"][0] = json!({"attributes": {"POSITION": 0}});
    root["accessors"][0]["count"] = json!(12);
    root["bufferViews"][0]["byteLength"] = json!(144);
    assert_tetrahedron(&read(&binary(root.to_string().as_bytes(), &buffer)).mesh);
}

#[test]
fn quantised_positions_with_a_stride_are_read() {
    let buffer: Vec<u8> = [[0_i8, 0, 0], [127, 0, 0], [0, -128, 0]]
        .iter()
        .flat_map(|p| [p[0] as u8, p[1] as u8, p[2] as u8, 99])
        .collect();
    let root = json!({
        "asset": {"version": "2.0"},
        "extensionsRequired": ["KHR_mesh_quantization", "KHR_materials_unlit"],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5120, "normalized": true, "count": 3,
            "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteLength": 12, "byteStride": 4}],
        "buffers": [{"byteLength": 12}],
    });
    let file = read(&binary(root.to_string().as_bytes(), &buffer));
    assert_eq!(corners(&file), [[[0.0; 3], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]]);
}

#[test]
fn strips_and_fans_wind_as_the_specification_says() {
    let with_mode = |mode: u32, indices: &[u16]| {
        let mut buffer = tetrahedron_buffer()[..48].to_vec();
        buffer.extend(indices.iter().flat_map(|v| v.to_le_bytes()));
        let mut root = tetrahedron(&json!({"byteLength": buffer.len()}));
        root["meshes"][0]["primitives"][0]["mode"] = json!(mode);
        root["accessors"][1]["count"] = json!(indices.len());
        root["bufferViews"][1]["byteLength"] = json!(2 * indices.len());
        corners(&read(&binary(root.to_string().as_bytes(), &buffer)))
    };
    let expected = |faces: &[[usize; 3]]| -> Vec<_> {
        faces.iter().map(|face| face.map(|v| POINTS[v])).collect()
    };
    assert_eq!(with_mode(5, &[0, 1, 2, 3, 0]), expected(&[[0, 1, 2], [1, 3, 2], [2, 3, 0]]));
    assert_eq!(with_mode(5, &[0, 1, 2, 2, 3, 0]), expected(&[[0, 1, 2], [2, 0, 3]]));
    assert_eq!(with_mode(6, &[0, 1, 2, 3]), expected(&[[1, 2, 0], [2, 3, 0]]));
}

#[test]
fn transforms_of_all_ancestors_apply_in_double_precision() {
    let x = 0.123_456_789_012_345_68;
    let half = 0.5_f64.sqrt();
    let file = read(&changed(|root| {
        root["nodes"] = json!([
            {"children": [1], "translation": [x, 0, 0]},
            {"children": [2], "rotation": [0, 0, half, half]},
            {"mesh": 0, "matrix": [2,0,0,0, 0,2,0,0, 0,0,2,0, 0,0,1,1]},
        ]);
    }));
    // Twice as large, up by 1, a quarter turn about z, then along x.
    let moved = |[a, b, c]: [f64; 3]| [x - 2.0 * b, 2.0 * a, 2.0 * c + 1.0];
    for (found, face) in corners(&file).iter().zip(FACES) {
        for (p, v) in found.iter().zip(face) {
            let expected = moved(POINTS[v]);
            let error = p.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            // Rounding of the quarter turn.
            assert!(error < 4e-15, "{p:?} {expected:?}");
        }
    }
    assert_eq!(corners(&file)[0][0][0], x);
}

#[test]
fn mirrors_keep_outside_outside() {
    let volume = |bytes: &[u8]| -> f64 {
        let file = read(bytes);
        file.mesh.iter_corners().map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
    };
    let plain = volume(&changed(|_| ()));
    let mirrored = volume(&changed(|root| root["nodes"][0]["scale"] = json!([-1, 1, 1])));
    let turned = volume(&changed(|root| root["nodes"][0]["scale"] = json!([-1, -1, 1])));
    assert_eq!([mirrored, turned], [plain; 2]);
}

#[test]
fn all_nodes_without_a_parent_stand_in_for_missing_scenes() {
    let file = read(&changed(|root| {
        root["scenes"] = json!([]);
        root["nodes"] = json!([
            {"mesh": 0, "translation": [100, 0, 0]},
            {"children": [0]},
            {"mesh": 0},
        ]);
    }));
    assert_eq!(file.mesh.triangles().len(), 8);
    assert_eq!(corners(&file)[0][0], [100.0, 0.0, 0.0]);
    assert_eq!(corners(&file)[4][0], [0.0; 3]);
}

#[test]
fn what_is_left_out_gets_a_warning() {
    let file = read(&changed(|root| {
        root["scenes"] = json!([{"nodes": [0]}, {}]);
        root["nodes"][0]["skin"] = json!(0);
        root["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
        let primitives = root["meshes"][0]["primitives"].as_array_mut().unwrap();
        primitives[0]["targets"] = json!([{}]);
        primitives.push(json!({"attributes": {}, "mode": 1}));
    }));
    assert_tetrahedron(&file.mesh);
    let first: Vec<_> = file
        .warnings
        .iter()
        .map(|w| match w {
            MeshFileWarning::Ignored { count: 1, first, .. } => *first,
            other => panic!("{other}"),
        })
        .collect();
    let primitive = |primitive| Place::Primitive { mesh: 0, primitive };
    let expected = [Place::Scene(1), Place::Node(0), primitive(1), primitive(0), Place::File];
    assert_eq!(first, expected);
}

/// Each case changes one value; `null` leaves it out.
#[test]
fn refusals_name_the_part() {
    let cases = [
        ("/asset/version", json!("1.0"), vec!["version 1.0", "not supported"]),
        (
            "/extensionsRequired",
            json!(["KHR_draco_mesh_compression"]),
            vec!["KHR_draco_mesh_compression"],
        ),
        (
            "/extensionsRequired",
            json!(["EXT_meshopt_compression"]),
            vec!["EXT_meshopt_compression"],
        ),
        ("/scene", json!(3), vec!["scene 3", "no such scene"]),
        ("/scenes/0/nodes", json!([7]), vec!["node 7", "no such node"]),
        ("/scenes/0/nodes", json!([0, 0]), vec!["node 0", "two parents"]),
        ("/scenes/0/nodes", json!([]), vec!["no triangles"]),
        ("/nodes/0/children", json!([0]), vec!["node 0", "its own ancestor"]),
        ("/nodes/0/mesh", json!(2), vec!["node 0", "no mesh 2"]),
        ("/nodes/0/rotation", json!([0, 0, 0, 0]), vec!["node 0", "no quaternion"]),
        (
            "/nodes/0/matrix",
            json!([1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
            vec!["node 0", "affine"],
        ),
        ("/nodes/0/scale", json!([1e300, 1, 1]), vec![]),
        ("/nodes/0/mesh", json!(-1), vec!["line 1", "JSON", "column"]),
        ("/meshes/0/primitives/0/mode", json!(9), vec!["mesh 0, primitive 0", "mode 9"]),
        ("/meshes/0/primitives/0/mode", json!(0), vec!["no triangles"]),
        (
            "/meshes/0/primitives/0/attributes",
            json!({}),
            vec!["mesh 0, primitive 0", "no positions"],
        ),
        ("/meshes/0/primitives/0/indices", json!(5), vec!["accessor 5", "no such accessor"]),
        ("/accessors/0/sparse", json!({"count": 1}), vec!["accessor 0", "sparse", "shape keys"]),
        ("/accessors/0/bufferView", Value::Null, vec!["accessor 0", "without data", "compression"]),
        ("/accessors/0/bufferView", json!(9), vec!["buffer view 9", "no such"]),
        ("/accessors/0/type", json!("VEC2"), vec!["accessor 0", "VEC2", "positions"]),
        ("/accessors/0/componentType", json!(5125), vec!["accessor 0", "5125"]),
        ("/accessors/1/componentType", json!(5126), vec!["accessor 1", "5126", "indices"]),
        ("/accessors/0/count", json!(5), vec!["accessor 0", "5 items", "48 bytes"]),
        ("/accessors/0/count", json!(u64::MAX), vec!["accessor 0", "18446744073709551615 items"]),
        ("/accessors/0/count", json!(3), vec!["mesh 0, primitive 0", "vertex 3", "3 vertices"]),
        ("/accessors/0/byteOffset", json!(u64::MAX), vec!["accessor 0", "do not fit"]),
        ("/accessors/1/count", json!(11), vec!["mesh 0, primitive 0", "11 corners"]),
        ("/accessors/1/count", json!(0), vec!["no triangles"]),
        ("/bufferViews/0/byteStride", json!(4), vec!["accessor 0", "stride of 4", "12 bytes"]),
        ("/bufferViews/0/byteStride", json!(u64::MAX), vec!["accessor 0", "do not fit"]),
        ("/bufferViews/0/byteLength", json!(u64::MAX), vec!["accessor 0", "do not fit"]),
        ("/bufferViews/0/byteOffset", json!(u64::MAX), vec!["accessor 0", "do not fit"]),
        ("/bufferViews/0/buffer", json!(1), vec!["buffer 1", "no such buffer"]),
        ("/buffers/0/byteLength", json!(73), vec!["buffer 0", "73 bytes", "has 72"]),
        ("/buffers/0/uri", json!("data:,abc"), vec!["buffer 0", "base64"]),
        ("/buffers/0/uri", json!("data:;base64,a*"), vec!["buffer 0", "damaged"]),
        ("/buffers/0/uri", json!("x.bin"), vec!["buffer 0", "x.bin", "out of reach"]),
    ];
    for (pointer, value, parts) in cases {
        let bytes = changed(|root| {
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            root.pointer_mut(parent).unwrap()[key] = value;
        });
        if parts.is_empty() {
            read(&bytes);
        } else {
            assert_says(&refusal(&bytes, Format::Gltf), &parts);
        }
    }
}

#[test]
fn coordinates_that_are_not_finite_name_their_primitive() {
    let mut bytes = changed(|_| ());
    let at = bytes.len() - 72;
    bytes[at..at + 4].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert_says(&refusal(&bytes, Format::Gltf), &["mesh 0, primitive 0", "inf", "not finite"]);
}

#[test]
fn damaged_containers_name_the_byte() {
    let good = changed(|_| ());
    let with = |at: usize, value: u32| {
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        refusal(&bytes, Format::Gltf)
    };
    assert_says(&with(4, 1), &["byte 4", "version 1"]);
    assert_says(&with(8, u32::MAX), &["byte 8", "claims 4294967295 bytes"]);
    assert_says(&with(8, 3), &["byte 12", "not JSON"]);
    assert_says(&with(8, 15), &["byte 12", "header of a chunk"]);
    assert_says(&with(12, u32::MAX), &["byte 12", "a chunk claims 4294967295 bytes"]);
    assert_says(&with(16, 0), &["byte 12", "not JSON"]);
    assert_says(&refusal(b"glTF\x02", Format::Gltf), &["byte 5", "header"]);
    assert_says(&refusal(b"{\"asset\": [", Format::Gltf), &["line 1", "JSON"]);
    let mut long = good;
    let offset = long.len() as u64;
    long.extend([0; 5]);
    assert_eq!(read(&long).warnings, [MeshFileWarning::TrailingBytes { offset, count: 5 }]);
}

#[test]
fn limits_are_kept() {
    let default = Limits::default();
    let bytes = changed(|root| {
        root["nodes"] = json!([{"children": [1]}, {"children": [2], "mesh": 0}, {"mesh": 0}]);
    });
    let cases = [
        (
            Limits { node_depth: 2, ..default.clone() },
            vec!["node 2", "3 levels of nodes", r#"limit "depth" of 2"#],
        ),
        (
            Limits { triangles: 7, ..default.clone() },
            vec!["mesh 0", "8 triangles", r#"limit "triangles" of 7"#],
        ),
        (
            Limits { vertices: 3, ..default.clone() },
            vec!["mesh 0", "4 vertices", r#"limit "vertices" of 3"#],
        ),
        (
            Limits { json_objects: 9, ..default },
            vec!["16 objects in the JSON", r#"limit "objects" of 9"#],
        ),
    ];
    for (limits, parts) in cases {
        assert_says(&refusal_within(&bytes, Format::Gltf, limits), &parts);
    }
}
