//! What the tests of this crate share.

use glam::{DQuat, DVec3};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::{Pose, TriMesh, convex_hull};

/// Property tests run the same cases every time; a larger `PROPTEST_CASES` in the environment does not
/// apply to them, another seed here does.
pub(crate) fn property(cases: u32) -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(0xCA20);
    ProptestConfig { cases, failure_persistence: None, rng_seed, ..ProptestConfig::default() }
}

/// The corners of a box centred on the origin.
pub(crate) fn box_corners(half: DVec3) -> Vec<DVec3> {
    let sign = |bit: u32| if bit == 0 { -1.0 } else { 1.0 };
    (0..8).map(|i| half * DVec3::new(sign(i & 1), sign(i & 2), sign(i & 4))).collect()
}

/// The surface of a box centred on the origin.
pub(crate) fn box_mesh(half: DVec3) -> TriMesh {
    convex_hull(&box_corners(half)).unwrap().to_mesh()
}

/// Any rotation.
pub(crate) fn rotation() -> impl Strategy<Value = DQuat> {
    proptest::array::uniform4(-1.0..1.0_f64).prop_filter_map("near zero", |q| {
        let q = DQuat::from_array(q);
        (q.length() > 0.1).then(|| q.normalize())
    })
}

/// Any rotation, and a shift of a few units.
pub(crate) fn pose() -> impl Strategy<Value = Pose> {
    (point(5.0), rotation()).prop_map(|(translation, rotation)| Pose::new(translation, rotation))
}

/// A point with coordinates up to `reach`.
pub(crate) fn point(reach: f64) -> impl Strategy<Value = DVec3> {
    proptest::array::uniform3(-reach..reach).prop_map(DVec3::from_array)
}

/// A unit vector.
pub(crate) fn direction() -> impl Strategy<Value = DVec3> {
    point(1.0).prop_filter_map("near zero", |v| (v.length() > 0.1).then(|| v.normalize_or_zero()))
}
