//! What holds for all formats, and what the tests of the formats share.

use std::path::PathBuf;

use glam::DVec3;

use super::*;

/// Corners of a tetrahedron whose numbers are exact in f32.
pub(super) const POINTS: [[f64; 3]; 4] =
    [[0.0, 0.0, 0.0], [1.5, 0.0, 0.0], [0.0, 2.25, 0.0], [0.0, 0.0, -3.0]];

/// Its faces.
pub(super) const FACES: [[usize; 3]; 4] = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];

/// Asserts that a mesh is that tetrahedron, face by face, whatever the order of its vertices.
pub(super) fn assert_tetrahedron(mesh: &TriMesh) {
    let corners: Vec<_> = mesh.iter_corners().map(|c| c.map(|p| p.to_array())).collect();
    assert_eq!(corners, FACES.map(|face| face.map(|v| POINTS[v])));
    assert_eq!(mesh.vertices().len(), 4);
}

/// What a file in metres holds.
pub(super) fn read(bytes: &[u8], format: Format) -> MeshFile {
    let options = ReadOptions { unit: Some(Unit::Metre), ..ReadOptions::default() };
    match parse_mesh(bytes, format, &options) {
        Ok(file) => file,
        Err(error) => panic!("{error}"),
    }
}

/// The message of an error that must come.
pub(super) fn refusal(bytes: &[u8], format: Format) -> String {
    refusal_within(bytes, format, Limits::default())
}

pub(super) fn refusal_within(bytes: &[u8], format: Format, limits: Limits) -> String {
    let options = ReadOptions { limits, ..ReadOptions::default() };
    parse_mesh(bytes, format, &options).unwrap_err().to_string()
}

/// Asserts that a message has all parts.
pub(super) fn assert_says(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "no \"{part}\" in: {message}");
    }
}

const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

fn scaled(obj: &str, unit: Unit, scale: f64) -> Result<MeshFile, MeshFileError> {
    let options = ReadOptions { unit: Some(unit), scale, ..ReadOptions::default() };
    parse_mesh(obj.as_bytes(), Format::Obj, &options)
}

#[test]
fn lengths_are_multiplied_by_unit_and_scale() {
    let file = scaled(OBJ, Unit::Inch, 2.0).unwrap();
    assert_eq!(file.mesh.vertices()[1], DVec3::new(0.0508, 0.0, 0.0));
}

#[test]
fn scales_that_are_no_positive_number_are_refused() {
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(scaled(OBJ, Unit::Metre, scale), Err(MeshFileError::BadScale { .. })));
    }
}

#[test]
fn coordinates_that_overflow_in_metres_are_refused() {
    let error = scaled("v 1e300 0 0\nv 0 0 0\nv 0 1 0\nf 1 2 3", Unit::Metre, 1e10).unwrap_err();
    assert_says(
        &error.to_string(),
        &["after conversion to metres", "vertex 0", "hint: check the unit"],
    );
}

/// What is said about the size of a triangle with legs of that many units.
fn size_warning(extent: f64, format: Format, unit: Option<Unit>) -> Option<MeshFileWarning> {
    let text = match format {
        Format::Stl => format!(
            "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex {extent} 0 0\n\
             vertex 0 {extent} 0\nendloop\nendfacet\nendsolid"
        ),
        Format::Obj => format!("v 0 0 0\nv {extent} 0 0\nv 0 {extent} 0\nf 1 2 3"),
        Format::Ply => format!(
            "ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\n\
             property double z\nelement face 1\nproperty list uchar int vertex_indices\n\
             end_header\n0 0 0\n{extent} 0 0\n0 {extent} 0\n3 0 1 2"
        ),
        Format::Gltf => gltf::tests::tetrahedron_in_one_file(),
    };
    // The corner farthest from the others of the glTF is 3 away.
    let scale = if format == Format::Gltf { extent / 3.0 } else { 1.0 };
    let options = ReadOptions { unit, scale, ..ReadOptions::default() };
    let file = parse_mesh(text.as_bytes(), format, &options).unwrap();
    assert!(file.warnings.len() <= 1, "{:?}", file.warnings);
    file.warnings.into_iter().next()
}

#[test]
fn sizes_beyond_two_metres_are_doubted_where_no_unit_is_stated() {
    let cases = [
        (Format::Stl, "largest extent is 18.5 m: STL files are usually in millimetres"),
        (Format::Obj, "largest extent is 18.5 m: if the file is in millimetres, say so"),
        (Format::Ply, "largest extent is 18.5 m: if the file is in millimetres, say so"),
    ];
    for (format, message) in cases {
        let warning = size_warning(18.5, format, None).unwrap();
        assert_eq!(warning.to_string(), message);
        assert_eq!(warning.suggested_unit(), Some(Unit::Millimetre));
        assert_eq!(size_warning(2.0, format, None), None);
        assert!(size_warning(2.01, format, None).is_some());
    }
    assert_eq!(size_warning(5000.0, Format::Gltf, None), None);
}

#[test]
fn stated_units_are_doubted_at_absurd_sizes_only() {
    for format in [Format::Stl, Format::Obj, Format::Ply, Format::Gltf] {
        assert_eq!(size_warning(99.0, format, Some(Unit::Metre)), None);
        assert_eq!(size_warning(99e3, format, Some(Unit::Millimetre)), None);
        let warning = size_warning(15e3, format, Some(Unit::Centimetre)).unwrap();
        let said = "largest extent is 150 m: it was read in cm, check the unit and the scale";
        assert_eq!(warning.to_string(), said);
        assert_eq!(warning.suggested_unit(), None);
        let warning = size_warning(4.0, format, Some(Unit::Micrometre)).unwrap();
        assert_says(&warning.to_string(), &["largest extent is 4 µm", "read in um"]);
        assert_eq!(size_warning(4e-6, format, None).unwrap().suggested_unit(), None);
    }
}

#[test]
fn millimetres_are_not_suggested_where_they_would_be_absurd_too() {
    let warning = size_warning(1e200, Format::Stl, None).unwrap();
    assert_eq!(warning.suggested_unit(), None);
    assert_says(&warning.to_string(), &["largest extent is 1e200 m: it was read in m, check"]);
}

#[test]
fn files_over_the_limit_are_refused_by_its_name() {
    let limits = Limits { file_bytes: 10, ..Limits::default() };
    let message = refusal_within(OBJ.as_bytes(), Format::Obj, limits);
    assert_says(&message, &["32 bytes of a mesh file", r#"limit "bytes" of 10"#]);
}

#[test]
fn the_extension_tells_the_format_in_any_case() {
    let cases = [
        ("a.stl", Some(Format::Stl)),
        ("a.OBJ", Some(Format::Obj)),
        ("a.b.Ply", Some(Format::Ply)),
        ("a.gltf", Some(Format::Gltf)),
        ("a.glb", Some(Format::Gltf)),
        ("a.step", None),
        ("stl", None),
    ];
    for (name, format) in cases {
        assert_eq!(Format::from_extension(Path::new(name)), format, "{name}");
    }
}

#[test]
fn the_content_tells_the_format_where_the_name_does_not() {
    let cases: [(&[u8], Option<Format>); 8] = [
        (b"\xef\xbb\xbf solid x", Some(Format::Stl)),
        (&[0; 84], Some(Format::Stl)),
        (b"ply\r\nformat", Some(Format::Ply)),
        (b"glTF\x02", Some(Format::Gltf)),
        (b" {\"asset\"", Some(Format::Gltf)),
        (b"# by hand\no thing\nv 1 2 3", Some(Format::Obj)),
        (b"plywood", None),
        (b"", None),
    ];
    for (bytes, format) in cases {
        assert_eq!(Format::from_content(bytes), format, "{bytes:?}");
    }
}

/// A folder of its own for one test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn files_are_read_from_disk_or_refused_with_their_path() {
    let folder = Folder::new("read");
    let options = ReadOptions::default();
    let path = folder.write("part.obj", OBJ.as_bytes());
    assert_eq!(read_mesh(&path, &options).unwrap().mesh.triangles(), [[0, 1, 2]]);
    let path = folder.write("nameless", OBJ.as_bytes());
    assert_eq!(read_mesh(&path, &options).unwrap().format, Format::Obj);
    let path = folder.write("letter", b"Dear reader");
    assert_says(&read_mesh(&path, &options).unwrap_err().to_string(), &["letter", ".glb"]);
    let missing = folder.0.join("missing.stl");
    assert_says(&read_mesh(&missing, &options).unwrap_err().to_string(), &["missing.stl"]);
    let error = read_mesh(&folder.0, &options).unwrap_err().to_string();
    assert_says(&error, &["cannot read", "is a folder, not a file", "hint: name a file"]);
}

#[test]
fn empty_files_are_called_empty_whatever_their_name() {
    let folder = Folder::new("empty");
    for name in ["a.stl", "a.obj", "a.ply", "a.gltf", "a.glb", "nameless"] {
        let error = read_mesh(&folder.write(name, b""), &ReadOptions::default()).unwrap_err();
        assert_says(&error.to_string(), &["the file is empty\nhint: "]);
        let blank = folder.write(name, b"\xef\xbb\xbf \r\n\t\n");
        let error = read_mesh(&blank, &ReadOptions::default()).unwrap_err();
        assert_says(&error.to_string(), &["the file is empty but for white space\nhint: "]);
    }
}

#[test]
fn misnamed_files_are_read_as_what_they_hold() {
    let folder = Folder::new("misnamed");
    let options = ReadOptions { unit: Some(Unit::Metre), ..ReadOptions::default() };
    let held: [(&str, Format, Vec<u8>); 5] = [
        ("binary STL", Format::Stl, stl::tests::binary(b"by a test")),
        ("STL", Format::Stl, stl::tests::text().into_bytes()),
        ("OBJ", Format::Obj, obj::tests::plain().into_bytes()),
        ("PLY", Format::Ply, ply::tests::text().into_bytes()),
        ("glTF", Format::Gltf, gltf::tests::tetrahedron_in_one_file().into_bytes()),
    ];
    for (kind, format, bytes) in &held {
        for extension in ["stl", "OBJ", "ply", "gltf", "glb"] {
            let path = folder.write(&format!("part.{extension}"), bytes);
            let file = read_mesh(&path, &options).unwrap();
            assert_eq!(file.mesh.triangles().len(), 4, "{kind} as {extension}");
            assert_eq!(file.format, *format);
            let said: Vec<_> = file.warnings.iter().map(ToString::to_string).collect();
            if Format::from_extension(&path) == Some(*format) {
                assert_eq!(said, [""; 0]);
            } else {
                assert_eq!(
                    said,
                    [format!("named .{extension} but holds {kind}: read as {format}")]
                );
            }
        }
    }
}

#[test]
fn misnamed_files_that_are_broken_too_get_the_error_for_their_name() {
    let folder = Folder::new("misnamed-broken");
    let options = ReadOptions::default();
    let message = |name, bytes| read_mesh(&folder.write(name, bytes), &options).unwrap_err();
    let error = message("a.obj", b"solid x\nfacet normal 0 0 1\nouter").to_string();
    assert_says(&error, &["the OBJ file has no triangles"]);
    let error = message("a.ply", b"v 0 0 0\nf 1 2 3").to_string();
    assert_says(&error, &["PLY file, line 1"]);
}

/// The errors that wrap another one say all of it once, with the hint on the last line.
#[test]
fn errors_have_no_source_that_would_be_printed_twice() {
    let folder = Folder::new("source");
    let options = ReadOptions::default();
    let no_buffer = folder.write("a.gltf", gltf::tests::tetrahedron_json("gone.bin").as_bytes());
    let errors = [
        read_mesh(&folder.0.join("missing.stl"), &options).unwrap_err(),
        read_mesh(&folder.0, &options).unwrap_err(),
        read_mesh(&no_buffer, &options).unwrap_err(),
        scaled("v 1e300 0 0\nv 0 0 0\nv 0 1 0\nf 1 2 3", Unit::Metre, 1e10).unwrap_err(),
    ];
    for error in errors {
        assert!(std::error::Error::source(&error).is_none(), "{error}");
        let message = error.to_string();
        let (_, last) = message.rsplit_once('\n').unwrap();
        assert!(last.starts_with("hint: ") && message.matches("hint: ").count() == 1, "{message}");
    }
}

#[test]
fn gltf_buffers_come_from_the_folder_of_the_file_only() {
    let folder = Folder::new("gltf");
    let options = ReadOptions::default();
    folder.write("my mesh.bin", &gltf::tests::tetrahedron_buffer());
    let json = |uri: &str| gltf::tests::tetrahedron_json(uri);
    let path = folder.write("good.gltf", json("my%20mesh.bin").as_bytes());
    assert_tetrahedron(&read_mesh(&path, &options).unwrap().mesh);
    for uri in ["../mesh.bin", "/dev/zero", "https://example.org/a.bin", "gone.bin"] {
        let path = folder.write("bad.gltf", json(uri).as_bytes());
        let message = read_mesh(&path, &options).unwrap_err().to_string();
        assert_says(&message, &["buffer 0", uri, "hint: keep the buffer files beside"]);
    }
    let limits = Limits { file_bytes: path.metadata().unwrap().len() + 20, ..Limits::default() };
    let error = read_mesh(&path, &ReadOptions { limits, ..options }).unwrap_err();
    assert!(matches!(error, MeshFileError::OverLimit { limit: Limit::FileBytes, .. }), "{error}");
    assert_says(&error.to_string(), &["buffer 0", r#"limit "bytes" of"#]);
}
