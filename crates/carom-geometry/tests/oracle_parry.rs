//! Hulls and masses beside parry's, on random clouds.
//!
//! Parry decides by tolerances where we decide exactly. Where it answers the two must agree; its refusals and
//! panics are counted and printed.

use std::panic::catch_unwind;

use carom_geometry::mass::VolumeIntegrals;
use carom_geometry::{MassProperties, TriMesh, convex_hull};
use glam::DVec3;
use parry3d_f64::mass_properties::MassProperties as ParryMass;
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::try_convex_hull;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngSeed, TestRunner};

fn runner(cases: u32) -> TestRunner {
    let rng_seed = RngSeed::Fixed(0xCA20);
    TestRunner::new(Config { cases, failure_persistence: None, rng_seed, ..Config::default() })
}

fn theirs(points: &[DVec3]) -> Option<TriMesh> {
    let input: Vec<Vector> = points.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
    let (vertices, triangles) = catch_unwind(|| try_convex_hull(&input).ok()).ok().flatten()?;
    let vertices = vertices.iter().map(|v| DVec3::new(v.x, v.y, v.z)).collect();
    TriMesh::new(vertices, triangles).ok()
}

#[test]
fn hulls_of_random_clouds_have_the_volume_of_parrys() {
    let point = proptest::array::uniform3(-1.0..1.0_f64).prop_map(DVec3::from_array);
    let clouds = proptest::collection::vec(point, 8..200);
    let outcome = runner(300).run(&clouds, |points| {
        let ours = VolumeIntegrals::of_mesh(&convex_hull(&points).unwrap().to_mesh()).volume;
        let Some(mesh) = theirs(&points) else { return Ok(()) };
        let theirs = VolumeIntegrals::of_mesh(&mesh).volume;
        // Parry drops points within its own tolerance of a face, so it may be smaller by that much.
        prop_assert!((ours / theirs - 1.0).abs() < 1e-6, "{} beside {}", ours, theirs);
        Ok(())
    });
    outcome.unwrap();
}

#[test]
fn grid_clouds_full_of_coplanar_points_agree_wherever_parry_answers() {
    let quiet = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let level = (-2_i32..3).prop_map(f64::from);
    let point = proptest::array::uniform3(level).prop_map(DVec3::from_array);
    let clouds = proptest::collection::vec(point, 4..40);
    let (mut answered, mut refused, mut disagreed) = (0, 0, 0);
    let mut runner = runner(0);
    for _ in 0..500 {
        let points = clouds.new_tree(&mut runner).unwrap().current();
        // Flat clouds are refused by us too; the unit tests show with what reason.
        let Ok(hull) = convex_hull(&points) else { continue };
        answered += 1;
        let ours = VolumeIntegrals::of_mesh(&hull.to_mesh()).volume;
        match theirs(&points).map(|mesh| VolumeIntegrals::of_mesh(&mesh).volume) {
            None => refused += 1,
            Some(theirs) if (ours / theirs - 1.0).abs() > 1e-9 => disagreed += 1,
            Some(_) => {}
        }
    }
    std::panic::set_hook(quiet);
    println!("{answered} grid clouds: parry refused {refused}, and differs on {disagreed}");
    assert!(answered > 300 && disagreed == 0, "{answered} answered, {disagreed} differ");
}

#[test]
fn masses_of_random_hulls_agree_with_parrys() {
    let point = proptest::array::uniform3(-1.0..1.0_f64).prop_map(DVec3::from_array);
    let clouds = proptest::collection::vec(point, 10..60);
    let outcome = runner(200).run(&clouds, |points| {
        let mesh = convex_hull(&points).unwrap().to_mesh();
        let ours = MassProperties::of_mesh(&mesh, 2.0).unwrap();
        let vertices: Vec<Vector> =
            mesh.vertices().iter().map(|v| Vector::new(v.x, v.y, v.z)).collect();
        let theirs = ParryMass::from_trimesh(2.0, &vertices, mesh.triangles());
        prop_assert!((ours.mass * theirs.inv_mass - 1.0).abs() < 1e-12);
        let mut moments = [
            theirs.inv_principal_inertia.x,
            theirs.inv_principal_inertia.y,
            theirs.inv_principal_inertia.z,
        ]
        .map(|inverse| 1.0 / inverse);
        moments.sort_by(f64::total_cmp);
        for (ours, theirs) in ours.principal().moments.to_array().iter().zip(moments) {
            prop_assert!((ours / theirs - 1.0).abs() < 1e-9, "{} beside {}", ours, theirs);
        }
        Ok(())
    });
    outcome.unwrap();
}
