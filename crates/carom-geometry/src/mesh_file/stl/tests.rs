use std::fmt::Write;

use super::super::tests::{
    FACES, POINTS, assert_says, assert_tetrahedron, read, refusal, refusal_within,
};
use super::super::{Format, Limits, MeshFileWarning};

fn facet(corners: [[f64; 3]; 3]) -> String {
    let mut text = "facet normal 0 0 0\n outer loop\n".to_owned();
    for [x, y, z] in corners {
        writeln!(text, "  vertex {x} {y} {z}").unwrap();
    }
    text + " endloop\nendfacet\n"
}

fn facets() -> String {
    FACES.iter().map(|face| facet(face.map(|v| POINTS[v]))).collect()
}

pub(in super::super) fn text() -> String {
    format!("solid a tetrahedron\n{}endsolid a tetrahedron\n", facets())
}

pub(in super::super) fn binary(header: &[u8]) -> Vec<u8> {
    let mut bytes = header.to_vec();
    bytes.resize(80, b' ');
    bytes.extend(4_u32.to_le_bytes());
    for face in FACES {
        bytes.extend([0; 12]);
        for x in face.iter().flat_map(|v| POINTS[*v]) {
            bytes.extend((x as f32).to_le_bytes());
        }
        bytes.extend([7, 7]);
    }
    bytes
}

#[test]
fn text_and_binary_give_the_tetrahedron_with_joined_corners() {
    for bytes in [text().into_bytes(), binary(b"from a test"), binary(b"solid as many write")] {
        let file = read(&bytes, Format::Stl);
        assert_tetrahedron(&file.mesh);
        assert_eq!(file.warnings, []);
    }
}

#[test]
fn text_in_any_dress_is_read() {
    let text = text();
    let dressed = [
        text.to_uppercase(),
        text.replace('\n', "\r\n"),
        text.replace('\n', "\r"),
        text.replace(' ', "\t  "),
        format!("\u{feff}  \n\n{text}\n\n"),
        text.replace(" a tetrahedron", ""),
        text.replace("normal 0 0 0", "normal nan -nan(ind) inf"),
        text.replacen("endfacet\n", "endfacet\nendsolid\n\nsolid second facet\n", 1),
    ];
    for text in dressed {
        let file = read(text.as_bytes(), Format::Stl);
        assert_tetrahedron(&file.mesh);
        assert_eq!(file.warnings, []);
    }
}

#[test]
fn text_keeps_every_digit() {
    let x = 0.123_456_789_012_345_68;
    let text = format!("solid\n{}endsolid", facet([[x, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0; 3]]));
    assert_eq!(read(text.as_bytes(), Format::Stl).mesh.vertices()[0].x, x);
}

#[test]
fn minus_zero_is_zero_when_corners_are_joined() {
    let text = text().replacen(" 0", " -0", 1).replacen("vertex 0", "vertex -0", 1);
    assert_tetrahedron(&read(text.as_bytes(), Format::Stl).mesh);
}

#[test]
fn a_missing_endsolid_is_a_warning() {
    let file = read(format!("solid\n{}", facets()).as_bytes(), Format::Stl);
    assert_tetrahedron(&file.mesh);
    assert_eq!(file.warnings, [MeshFileWarning::NoEndsolid { line: 29 }]);
}

#[test]
fn trailing_bytes_are_a_warning_even_if_the_header_says_solid() {
    for header in [&b"by a test"[..], b"solid \0 by a test", b"solid x\nfacet"] {
        let mut bytes = binary(header);
        bytes.extend([1, 2, 3]);
        let file = read(&bytes, Format::Stl);
        assert_tetrahedron(&file.mesh);
        assert_eq!(file.warnings, [MeshFileWarning::TrailingBytes { offset: 284, count: 3 }]);
    }
}

#[test]
fn errors_in_text_name_the_line() {
    let cases = [
        (text().replacen("outer", "inner", 1), vec!["line 3", "expected outer", "\"inner\""]),
        (text().replacen("1.5", "1,5", 1), vec!["line 5", "a coordinate", "\"1,5\""]),
        (text().replacen("1.5", "nan", 1), vec!["line 5", "NaN", "not finite"]),
        (text().replacen("1.5", "1e999", 1), vec!["line 5", "inf", "not finite"]),
        (text().replacen("endloop", "vertex 0 0 0", 1), vec!["line 7", "expected endloop"]),
        (text().replacen("endsolid", "endsoil", 1), vec!["line 30", "facet or endsolid"]),
        (text()[..text().len() - 60].to_owned(), vec!["file ends", "incomplete"]),
        (text() + "trash", vec!["line 31", "expected solid", "trash"]),
        ("hello".to_owned(), vec!["line 1", "expected solid", "hello"]),
        (String::new(), vec!["the file is empty"]),
        ("solid x\nendsolid".to_owned(), vec!["no triangles", "hint:"]),
    ];
    for (text, parts) in cases {
        assert_says(&refusal(text.as_bytes(), Format::Stl), &parts);
    }
}

#[test]
fn errors_in_binary_name_the_byte() {
    let mut broken = binary(b"");
    broken[84 + 50 + 24..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_says(&refusal(&broken, Format::Stl), &["byte 158", "NaN"]);
    let short = &binary(b"")[..283];
    let parts = ["byte 80", "claims 4 triangles", "need 284 bytes", "has 283", "incomplete"];
    assert_says(&refusal(short, Format::Stl), &parts);
    assert_says(&refusal(&[0; 84], Format::Stl), &["no triangles"]);
}

#[test]
fn a_forged_count_is_seen_through_at_once() {
    let mut forged = vec![0; 200];
    forged[80..84].fill(0xff);
    assert_says(&refusal(&forged, Format::Stl), &["claims 4294967295 triangles", "has 200"]);
}

#[test]
fn limits_on_triangles_and_vertices_are_kept() {
    for bytes in [text().into_bytes(), binary(b"")] {
        let limits = Limits { triangles: 3, ..Limits::default() };
        let message = refusal_within(&bytes, Format::Stl, limits);
        assert_says(
            &message,
            &[r#"4 triangles are more than the limit "triangles" of 3"#, "hint:"],
        );
        let limits = Limits { vertices: 3, ..Limits::default() };
        let message = refusal_within(&bytes, Format::Stl, limits);
        assert_says(&message, &[r#"4 vertices are more than the limit "vertices" of 3"#]);
    }
}
