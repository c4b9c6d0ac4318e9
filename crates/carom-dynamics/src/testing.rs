//! What the tests of this crate share.

use std::cell::Cell;

use glam::{DQuat, DVec3};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::Mass;

thread_local! {
    static OPERATIONS: Cell<u64> = const { Cell::new(0) };
}

/// Counts an operation on six-vectors, in builds for tests.
pub(crate) fn count_operation() {
    OPERATIONS.with(|it| it.set(it.get() + 1));
}

/// How many operations on six-vectors this thread does for something.
pub(crate) fn operations_of(work: impl FnOnce()) -> u64 {
    let before = OPERATIONS.with(Cell::get);
    work();
    OPERATIONS.with(Cell::get) - before
}

/// Property tests run the same cases every time; a larger `PROPTEST_CASES` in the environment does not
/// apply to them, another seed here does.
pub(crate) fn property(cases: u32) -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(0xCA20);
    ProptestConfig { cases, failure_persistence: None, rng_seed, ..ProptestConfig::default() }
}

/// A body whose body axes are its principal axes.
pub(crate) fn body(moments: [f64; 3]) -> Mass {
    let moments = DVec3::from_array(moments);
    Mass { mass: 1.0, moments, body_from_principal: DQuat::IDENTITY }
}

/// Any rotation.
pub(crate) fn rotation() -> impl Strategy<Value = DQuat> {
    proptest::array::uniform4(-1.0..1.0_f64).prop_filter_map("near zero", |q| {
        let q = DQuat::from_array(q);
        (q.length() > 0.1).then(|| q.normalize())
    })
}

/// A vector with components up to `reach`.
pub(crate) fn vector(reach: f64) -> impl Strategy<Value = DVec3> {
    proptest::array::uniform3(-reach..reach).prop_map(DVec3::from_array)
}

/// A unit vector.
pub(crate) fn direction() -> impl Strategy<Value = DVec3> {
    vector(1.0).prop_filter_map("near zero", |v| (v.length() > 0.1).then(|| v.normalize_or_zero()))
}

/// A number whose logarithm is spread evenly.
pub(crate) fn log_uniform(exponents: std::ops::Range<f64>) -> impl Strategy<Value = f64> {
    exponents.prop_map(|exponent| libm::pow(10.0, exponent))
}

/// Moments of some solid: anything from rods to plates.
pub(crate) fn any_moments() -> impl Strategy<Value = [f64; 3]> {
    // Second moments of mass along three axes may be anything positive; their pairwise sums are the moments.
    proptest::array::uniform3(log_uniform(-3.0..0.0)).prop_map(|[x, y, z]| {
        let mut moments = [y + z, z + x, x + y];
        moments.sort_by(f64::total_cmp);
        moments
    })
}

/// Moments of which two or three differ by 10⁻³ to 10⁻¹³ of themselves.
pub(crate) fn close_moments() -> impl Strategy<Value = [f64; 3]> {
    let shares = (log_uniform(-13.0..-3.0), log_uniform(-13.0..-3.0), log_uniform(-2.0..0.0));
    (shares, 0..3).prop_map(|((small, other, wide), kind)| match kind {
        0 => [wide, 1.0, 1.0 + small],
        1 => [1.0, 1.0 + small, 1.0 + small + 0.9 * wide],
        _ => [1.0, 1.0 + small, 1.0 + small + other],
    })
}

/// A body with these moments, whose principal axes lie anyhow in it.
pub(crate) fn turned_body(moments: impl Strategy<Value = [f64; 3]>) -> impl Strategy<Value = Mass> {
    (moments, rotation())
        .prop_map(|(moments, body_from_principal)| Mass { body_from_principal, ..body(moments) })
}
