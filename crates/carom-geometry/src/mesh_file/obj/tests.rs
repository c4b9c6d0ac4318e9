use glam::DVec3;

use super::super::tests::{
    FACES, POINTS, assert_says, assert_tetrahedron, read, refusal, refusal_within,
};
use super::super::{Format, Limits, MeshFileWarning, Place};

fn vertices() -> String {
    POINTS.map(|[x, y, z]| format!("v {x} {y} {z}\n")).concat()
}

fn faces(write: impl Fn(usize) -> String) -> String {
    let face = |f: &[usize; 3]| format!("f {} {} {}\n", write(f[0]), write(f[1]), write(f[2]));
    FACES.iter().map(face).collect()
}

pub(in super::super) fn plain() -> String {
    vertices() + &faces(|v| (v + 1).to_string())
}

#[test]
fn every_way_to_write_a_tetrahedron_is_read() {
    let ways = [
        plain(),
        plain().replace('\n', "\r\n"),
        format!("\u{feff}# first\n\n{}", plain().replace('\n', " # aside\n")),
        vertices() + &faces(|v| format!("-{}", 4 - v)),
        vertices() + &faces(|v| format!("{}/1", v + 1)),
        vertices() + &faces(|v| format!("{}//1", v + 1)),
        vertices() + &faces(|v| format!("{}/1/-1", v + 1)),
        vertices().replace('\n', " 1.0\n") + &faces(|v| (v + 1).to_string()),
        vertices().replace('\n', " 0.5 0.5 0.5\n") + &faces(|v| (v + 1).to_string()),
        faces(|v| (v + 1).to_string()) + &vertices(),
        plain().replace("f 1 ", "f \\\n 1 \\\r\n "),
        plain().replace('f', "  f"),
        plain().replacen('f', "g a\nusemtl b\ns off\nf", 1).replacen("f 1 4", "o c\nf 1 4", 1),
    ];
    for text in ways {
        let file = read(text.as_bytes(), Format::Obj);
        assert_tetrahedron(&file.mesh);
        assert_eq!(file.warnings, [], "{text}");
    }
}

#[test]
fn vertices_stay_as_given() {
    let text = "v 0 0 0\nv 9 9 9\nv 1 0 0\nv 0 1 0\nv 0 0 0\nf 1 3 4\nf 5 3 4";
    let mesh = read(text.as_bytes(), Format::Obj).mesh;
    assert_eq!(mesh.vertices().len(), 5);
    assert_eq!(mesh.triangles(), [[0, 2, 3], [4, 2, 3]]);
}

#[test]
fn digits_beyond_f32_are_kept() {
    let text = "v 0.12345678901234568 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3";
    let x = read(text.as_bytes(), Format::Obj).mesh.vertices()[0].x;
    assert_eq!(x, 0.123_456_789_012_345_68);
}

#[test]
fn concave_polygons_are_cut_inside() {
    // An arrowhead: the fan from its first corner would cover the notch.
    let text = "v 0 0 0\nv 2 1 0\nv 0 2 0\nv 1 1 0\nf 1 2 3 4";
    let file = read(text.as_bytes(), Format::Obj);
    assert_eq!(file.mesh.surface_area(), 1.0);
    assert_eq!(file.warnings, []);
    for [a, b, c] in file.mesh.iter_corners() {
        assert!((b - a).cross(c - a).dot(DVec3::Z) > 0.0);
    }
}

#[test]
fn polygons_that_cross_themselves_get_a_warning() {
    let text = "v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 4\nf 1 2 3 4";
    let warnings = read(text.as_bytes(), Format::Obj).warnings;
    assert_eq!(warnings, [MeshFileWarning::Fanned { count: 2, first: Place::Line(5) }]);
}

#[test]
fn lines_points_and_unknown_words_get_a_warning() {
    let text = plain() + "l 1 2 3\np 1\nmolecule 3\n";
    let file = read(text.as_bytes(), Format::Obj);
    assert_tetrahedron(&file.mesh);
    let what = "points, lines, curves or free-form surfaces";
    let expected = [
        MeshFileWarning::Ignored { what, count: 2, first: Place::Line(9) },
        MeshFileWarning::UnknownStatements { word: "molecule".to_owned(), line: 11, count: 1 },
    ];
    assert_eq!(file.warnings, expected);
}

#[test]
fn errors_name_the_line() {
    let cases = [
        (plain().replacen("1.5", "x", 1), vec!["line 2", "a coordinate", "\"x\""]),
        (plain().replacen("1.5 0 0", "1.5 0", 1), vec!["line 2", "a coordinate", "\"\""]),
        (plain().replacen("1.5", "inf", 1), vec!["line 2", "not finite"]),
        (plain() + "f 1 2 5", vec!["line 9", "vertex 5", "4 vertices"]),
        (plain() + "f 1 2 0", vec!["line 9", "vertex 0"]),
        (plain() + "f 1 2 -5", vec!["line 9", "vertex -5", "4 vertices"]),
        (plain() + "f 1 2 9223372036854775807", vec!["line 9", "vertex 9223372036854775807"]),
        (plain() + "f 1 2 -9223372036854775808", vec!["line 9", "vertex -9223372036854775808"]),
        (plain() + "f 1 2 a", vec!["line 9", "vertex index", "\"a\""]),
        (plain() + "f 1 2", vec!["line 9", "2 corners"]),
        (plain() + "f", vec!["line 9", "0 corners"]),
        (vertices(), vec!["OBJ file has no triangles", "hint:"]),
    ];
    for (text, parts) in cases {
        assert_says(&refusal(text.as_bytes(), Format::Obj), &parts);
    }
}

#[test]
fn limits_are_kept() {
    let default = Limits::default();
    let polygon = plain() + "f 1 2 3 4 1";
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
            Limits { triangles: 6, ..default.clone() },
            vec!["line 9", "7 triangles", r#"limit "triangles" of 6"#],
        ),
        (
            Limits { polygon_corners: 4, ..default },
            vec!["line 9", "5 corners", r#"limit "corners" of 4"#],
        ),
    ];
    for (limits, parts) in cases {
        assert_says(&refusal_within(polygon.as_bytes(), Format::Obj, limits), &parts);
    }
}
