//! Hull, verdict, mass and file reading.

use carom_bench::{ball_points, obj_bytes, ply_bytes, sphere_points, stl_bytes, torus};
use carom_geometry::mesh::MeshVerdict;
use carom_geometry::mesh_file::{Format, ReadOptions, parse_mesh};
use carom_geometry::{MassProperties, TriMesh, convex_hull};
use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};

fn main() {
    divan::main();
}

/// Tori with 2·n² triangles, up to a little over a million.
const TORUS_SIDES: [u32; 3] = [50, 224, 708];

fn mesh(side: u32) -> TriMesh {
    torus(side, side)
}

#[divan::bench(args = TORUS_SIDES)]
fn mass_of_mesh(bencher: Bencher, side: u32) {
    let mesh = mesh(side);
    let count = ItemsCount::new(mesh.triangles().len());
    bencher.counter(count).bench(|| MassProperties::of_mesh(divan::black_box(&mesh), 1.0));
}

#[divan::bench(args = TORUS_SIDES, sample_count = 3)]
fn verdict(bencher: Bencher, side: u32) {
    let mesh = mesh(side);
    let count = ItemsCount::new(mesh.triangles().len());
    bencher.counter(count).bench(|| MeshVerdict::new(divan::black_box(&mesh)));
}

#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 5)]
fn hull_of_sphere(bencher: Bencher, count: u32) {
    let points = sphere_points(count);
    bencher.counter(ItemsCount::new(count)).bench(|| convex_hull(divan::black_box(&points)));
}

#[divan::bench(args = [1_000, 100_000, 1_000_000], sample_count = 5)]
fn hull_of_ball(bencher: Bencher, count: u32) {
    let points = ball_points(count);
    bencher.counter(ItemsCount::new(count)).bench(|| convex_hull(divan::black_box(&points)));
}

fn read(bencher: Bencher, bytes: &[u8], format: Format) {
    let options = ReadOptions::default();
    bencher
        .counter(BytesCount::new(bytes.len()))
        .bench(|| parse_mesh(divan::black_box(bytes), format, &options));
}

#[divan::bench(args = TORUS_SIDES, sample_count = 3)]
fn read_stl(bencher: Bencher, side: u32) {
    read(bencher, &stl_bytes(&mesh(side)), Format::Stl);
}

#[divan::bench(args = TORUS_SIDES, sample_count = 3)]
fn read_obj(bencher: Bencher, side: u32) {
    read(bencher, &obj_bytes(&mesh(side)), Format::Obj);
}

#[divan::bench(args = TORUS_SIDES, sample_count = 3)]
fn read_ply(bencher: Bencher, side: u32) {
    read(bencher, &ply_bytes(&mesh(side)), Format::Ply);
}
