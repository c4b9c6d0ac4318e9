use std::fmt::Write;

use super::super::tests::{
    FACES, POINTS, assert_says, assert_tetrahedron, read, refusal, refusal_within,
};
use super::super::{Format, Limits, MeshFileWarning, Place};

const HEADER: &str = "ply\nformat ascii 1.0\ncomment by hand\nelement vertex 4\nproperty float x\n\
    property float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\n\
    end_header\n";

pub(in super::super) fn text() -> String {
    let mut text = HEADER.to_owned();
    for [x, y, z] in POINTS {
        writeln!(text, "{x} {y} {z}").unwrap();
    }
    for [a, b, c] in FACES {
        writeln!(text, "3 {a} {b} {c}").unwrap();
    }
    text
}

/// A binary file with properties of every type, a list to pass over, and an element before the vertices.
fn binary(is_big: bool, index_type: &str, coordinate_type: &str) -> Vec<u8> {
    let order = if is_big { "big" } else { "little" };
    let mut bytes = format!(
        "ply\r\nformat binary_{order}_endian 1.0\r\nobj_info x\r\nelement camera 2\r\n\
         property list ushort double lens\r\nproperty short id\r\nelement vertex 4\r\n\
         property {coordinate_type} x\r\nproperty uchar red\r\nproperty {coordinate_type} y\r\n\
         property {coordinate_type} z\r\nelement face 4\r\nproperty char flag\r\n\
         property list int {index_type} vertex_index\r\nelement rest 9\r\nproperty int a\r\n\
         end_header\r\n"
    )
    .into_bytes();
    let put = |bytes: &mut Vec<u8>, little: &[u8]| {
        let mut number = little.to_vec();
        if is_big {
            number.reverse();
        }
        bytes.extend(number);
    };
    for id in 0..2_i16 {
        put(&mut bytes, &(id as u16).to_le_bytes());
        for _ in 0..id {
            put(&mut bytes, &0.5_f64.to_le_bytes());
        }
        put(&mut bytes, &id.to_le_bytes());
    }
    for point in POINTS {
        for (axis, x) in point.into_iter().enumerate() {
            if coordinate_type == "double" {
                put(&mut bytes, &x.to_le_bytes());
            } else {
                put(&mut bytes, &(x as f32).to_le_bytes());
            }
            if axis == 0 {
                bytes.push(200);
            }
        }
    }
    for face in FACES {
        bytes.push(0xff);
        put(&mut bytes, &3_i32.to_le_bytes());
        for v in face {
            let size = if index_type.ends_with("char") {
                1
            } else if index_type.ends_with("short") {
                2
            } else {
                4
            };
            put(&mut bytes, &v.to_le_bytes()[..size]);
        }
    }
    bytes
}

#[test]
fn text_is_read_in_any_dress() {
    let text = text();
    let dressed = [
        text.clone(),
        text.replace('\n', "\r\n"),
        text.replace('\n', "\r"),
        format!("\u{feff}{text}\n\n"),
        text.replace("end_header\n", "comment more\nend_header\n\n"),
        text.replace("3 0 1 2\n", "\n 3\t0  1 2 \n"),
        text.replace("vertex_indices", "vertex_index").replace("uchar int", "uint8 uint16"),
        text.replace("0 0 -3", ".0 0. -3e0").replace("float", "double"),
    ];
    for text in dressed {
        let file = read(text.as_bytes(), Format::Ply);
        assert_tetrahedron(&file.mesh);
        assert_eq!(file.warnings, []);
    }
}

#[test]
fn binary_is_read_in_both_orders_with_all_types() {
    for is_big in [false, true] {
        for index_type in ["char", "uchar", "short", "ushort", "int", "uint"] {
            for coordinate_type in ["float", "double"] {
                let bytes = binary(is_big, index_type, coordinate_type);
                assert_tetrahedron(&read(&bytes, Format::Ply).mesh);
            }
        }
    }
}

#[test]
fn faces_before_vertices_are_read() {
    let text = "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\n\
        element vertex 4\nproperty int x\nproperty int y\nproperty int z\nend_header\n\
        4 0 1 2 3\n0 0 0\n2 1 0\n0 2 0\n1 1 0\n";
    assert_eq!(read(text.as_bytes(), Format::Ply).mesh.surface_area(), 1.0);
}

#[test]
fn text_keeps_every_digit_even_of_float() {
    let text = text().replace("1.5 0 0", "0.12345678901234568 0 0");
    let x = read(text.as_bytes(), Format::Ply).mesh.vertices()[1].x;
    assert_eq!(x, 0.123_456_789_012_345_68);
}

#[test]
fn polygons_without_area_get_a_warning() {
    let text = text().replace("3 1 3 2", "4 1 1 1 1");
    let warnings = read(text.as_bytes(), Format::Ply).warnings;
    assert_eq!(warnings, [MeshFileWarning::Fanned { count: 1, first: Place::Line(18) }]);
}

#[test]
fn strips_are_refused_by_name() {
    let strips = "element tristrips 1\nproperty list int int vertex_indices\nend_header";
    let text = text().replace("end_header", strips);
    assert_says(&refusal(text.as_bytes(), Format::Ply), &["line 10", "tristrips", "not supported"]);
}

#[test]
fn errors_in_text_name_the_line() {
    let cases = [
        ("ply", "plx", vec!["line 1", "ply"]),
        ("ascii", "morse", vec!["line 2", "format morse"]),
        ("ascii 1.0", "ascii 2.0", vec!["line 2", "header line"]),
        ("format ascii 1.0\n", "", vec!["line 9", "no format"]),
        ("float y", "quad y", vec!["line 6", "property quad y"]),
        ("float y", "float w", vec!["line 4", "one number y"]),
        ("float y", "float x", vec!["line 4", "one number x"]),
        ("float y", "list uchar float y", vec!["line 4", "one number y"]),
        ("vertex 4", "vertex -4", vec!["line 4", "element vertex -4"]),
        ("vertex 4", "vertices 4", vec!["no element vertex"]),
        ("face 4", "vertex 4", vec!["line 8", "vertex is declared twice"]),
        ("face 4", "fact 4", vec!["no triangles", "cloud of points"]),
        ("uchar int", "uchar float", vec!["line 8", "vertex_indices of integers"]),
        ("uchar int", "float int", vec!["line 9", "header line"]),
        ("end_header", "comment", vec!["line 11", "0 0 0"]),
        ("1.5 0 0", "1.5 0", vec!["line 12", "too few values"]),
        ("1.5 0 0", "1.5 0 0 0", vec!["line 12", "end of the line"]),
        ("1.5 0 0", "x 0 0", vec!["line 12", "a number", "\"x\""]),
        ("1.5 0 0", "nan 0 0", vec!["line 12", "not finite"]),
        ("3 0 1 2", "3 0 1 4", vec!["line 15", "vertex 4", "4 vertices"]),
        ("3 0 1 2", "3 0 1 -1", vec!["line 15", "vertex -1"]),
        ("3 0 1 2", "3 0 1 2.5", vec!["line 15", "an integer", "\"2.5\""]),
        ("3 0 1 2", "2 0 1", vec!["line 15", "2 corners"]),
        ("3 0 1 2", "-3 0 1 2", vec!["line 15", "-3 entries"]),
        ("3 1 3 2\n", "", vec!["line 17", "file ends", "incomplete"]),
        ("vertex 4", "vertex 4000000000", vec!["line 4", "claims 4000000000 rows", "bytes"]),
        ("face 4", "face 18446744073709551615", vec!["line 8", "claims 18446744073709551615"]),
    ];
    for (good, bad, parts) in cases {
        let text = text();
        assert!(text.contains(good), "{good}");
        assert_says(&refusal(text.replacen(good, bad, 1).as_bytes(), Format::Ply), &parts);
    }
    assert_says(&refusal(b"ply\nformat ascii 1.0\n", Format::Ply), &["no end_header"]);
}

#[test]
fn errors_in_binary_name_the_byte() {
    let bytes = binary(false, "int", "float");
    let short = &bytes[..bytes.len() - 1];
    let message = refusal(short, Format::Ply);
    assert_says(&message, &[&format!("byte {}", bytes.len() - 4), "file ends"]);
    let mut wrong = bytes.clone();
    let last = wrong.len() - 4;
    wrong[last..].copy_from_slice(&(-7_i32).to_le_bytes());
    assert_says(&refusal(&wrong, Format::Ply), &[&format!("byte {last}"), "vertex -7"]);
    let mut long = bytes;
    let at = last - 12;
    long[at..at + 4].copy_from_slice(&4000_i32.to_le_bytes());
    assert_says(&refusal(&long, Format::Ply), &["file ends", "incomplete"]);
}

#[test]
fn an_element_without_properties_costs_nothing_whatever_its_count() {
    let text = text().replace("element face", "element ghost 18446744073709551615\nelement face");
    assert_tetrahedron(&read(text.as_bytes(), Format::Ply).mesh);
}

#[test]
fn limits_are_kept() {
    let default = Limits::default();
    let text = text().replace("3 1 3 2", "4 1 3 2 1");
    let cases = [
        (
            Limits { vertices: 3, ..default.clone() },
            vec!["line 4", "4 vertices", r#"limit "vertices" of 3"#],
        ),
        (
            Limits { triangles: 3, ..default.clone() },
            vec!["line 8", "4 triangles", r#"limit "triangles" of 3"#],
        ),
        (
            Limits { triangles: 4, ..default.clone() },
            vec!["line 18", "5 triangles", r#"limit "triangles" of 4"#],
        ),
        (
            Limits { polygon_corners: 3, ..default },
            vec!["line 18", "4 corners", r#"limit "corners" of 3"#],
        ),
    ];
    for (limits, parts) in cases {
        assert_says(&refusal_within(text.as_bytes(), Format::Ply, limits), &parts);
    }
}
