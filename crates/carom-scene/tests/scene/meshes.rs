//! Bodies from mesh files.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{cell::Cell, io};

use carom_geometry::Shape;
use carom_scene::{EmbeddedFile, EmbeddedFiles, Files, Loaded, Options, Source, load};

/// A tetrahedron of edge 1 at the origin; with `open`, one face short.
fn tetrahedron(open: bool) -> String {
    let faces = ["f 1 3 2", "f 1 2 4", "f 1 4 3", "f 2 3 4"];
    let faces = &faces[..if open { 3 } else { 4 }];
    format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n{}\n", faces.join("\n"))
}

/// Counts how often a file is read.
struct Counting {
    files: EmbeddedFiles,
    n_reads: Cell<usize>,
}

impl Files for Counting {
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        self.files.resolve(path)
    }

    fn read(&self, path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
        self.n_reads.set(self.n_reads.get() + 1);
        self.files.read(path, max_bytes)
    }
}

fn load_with(bodies: &str, mesh: &str) -> (Loaded, usize) {
    let embedded = |path: &str, text: &str| EmbeddedFile {
        path: path.to_owned(),
        bytes: Arc::from(text.as_bytes()),
    };
    let scene = format!("format = 1\n{bodies}");
    let files = EmbeddedFiles::new([embedded("s.toml", &scene), embedded("parts/t.obj", mesh)]);
    let files = Counting { files, n_reads: Cell::new(0) };
    let loaded = load(&Source::Path(PathBuf::from("s.toml")), &Options::default(), &files);
    (loaded, files.n_reads.get())
}

fn body(name: &str, shape: &str) -> String {
    format!("[[body]]\nname = \"{name}\"\nshape = {{ {shape} }}\ndensity = 6000\n")
}

#[test]
fn a_mesh_used_by_many_bodies_is_read_once_and_carried_along() {
    let mesh = "kind = \"mesh\", file = \"parts/t.obj\"";
    let scaled = "kind = \"mesh\", file = \"parts/t.obj\", unit = \"cm\", scale = 50";
    let hull = "kind = \"hull_of_mesh\", file = \"parts/t.obj\"";
    let bodies = [body("a", mesh), body("b", mesh), body("c", scaled), body("d", hull)].concat();
    let (loaded, n_reads) = load_with(&bodies, &tetrahedron(false));
    let scene = loaded.scene.unwrap_or_else(|| panic!("{}", loaded.problems));
    assert_eq!(n_reads, 2, "the scene and the mesh");
    assert!(Arc::ptr_eq(&scene.bodies[0].shape, &scene.bodies[1].shape));
    let masses: Vec<f64> = scene.bodies.iter().map(|body| body.mass.unwrap().mass).collect();
    for (mass, expected) in masses.iter().zip([1000.0, 1000.0, 125.0, 1000.0]) {
        assert!((mass - expected).abs() < 1e-9, "mass {mass}, expected {expected} ± 1e-9");
    }
    assert!(matches!(scene.bodies[3].shape.as_ref(), Shape::Polyhedron(_)));
    assert_eq!(scene.files[1].path, "parts/t.obj");
}

#[test]
fn a_mesh_that_bounds_no_solid_is_refused_with_the_verdict() {
    let (loaded, _) =
        load_with(&body("a", "kind = \"mesh\", file = \"parts/t.obj\""), &tetrahedron(true));
    let text = loaded.problems.render(false);
    for part in ["does not bound a solid", "3 ×", "hull_of_mesh", "s.toml:4:"] {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
}

#[test]
fn other_mistakes_about_meshes_are_told() {
    let told = |shape: &str, mesh: &str, part: &str| {
        let text = load_with(&body("a", shape), mesh).0.problems.render(false);
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    };
    told("kind = \"mesh\", file = \"parts/tt.obj\"", "", "there is no such file");
    told(
        "kind = \"mesh\", file = \"parts/t.obj\", unit = \"furlong\"",
        "",
        "m, cm, mm, um, in, ft",
    );
    told("kind = \"mesh\", file = \"parts/t.obj\", scale = -1", "", "must be positive");
    told("kind = \"mesh\", file = \"parts/t.obj\"", "v 1 2 x", "cannot read the mesh");
}
