//! Support functions against quadrature.

use super::super::convex::Core;
use super::Random;
use crate::primitives::primitives;
use glam::DVec3;

fn core_of(kind: &str, sizes: &[f64]) -> (Core, f64) {
    let axes = || DVec3::new(sizes[0], sizes[1], sizes[2]);
    match kind {
        "ball" => (Core::Point, sizes[0]),
        "box" => (Core::Cuboid { half: axes() }, 0.0),
        "capsule" => (Core::Segment { half_length: sizes[0] }, sizes[1]),
        "cylinder" => (Core::Cylinder { half_length: sizes[0], radius: sizes[1] }, 0.0),
        "cone" => (Core::Cone { half_length: sizes[0], radius: sizes[1] }, 0.0),
        "ellipsoid" => (Core::Ellipsoid { semi_axes: axes() }, 0.0),
        _ => (
            Core::Superquadric { semi_axes: axes(), exponent_xy: sizes[3], exponent_z: sizes[4] },
            0.0,
        ),
    }
}

#[test]
fn supports_reach_as_far_as_25_digits_say() {
    for (name, case) in primitives().unwrap() {
        let (core, radius) = core_of(&case.kind, &case.sizes);
        for reach in &case.support {
            let d = DVec3::from(reach.direction).try_normalize().unwrap();
            let (value, point) = core.support(d);
            let off = (value + radius - reach.value).abs() / reach.value;
            assert!(off < 1e-14, "{name}: {} instead of {}", value + radius, reach.value);
            assert!((d.dot(point) - value).abs() < 1e-14, "{name}: {point} is not at {value}");
        }
    }
}

#[test]
fn no_support_point_of_a_superquadric_lies_outside_it_however_odd_its_exponents() {
    let mut random = Random(5);
    for _ in 0..20_000 {
        let exponent = |random: &mut Random| match (3.0 * random.unit()) as u32 {
            0 => 1.0 + libm::exp2(-50.0 * random.unit()),
            1 => 1.0 + 3.0 * random.unit(),
            _ => libm::pow(10.0, 3.0 * random.unit()),
        };
        let (m, n) = (exponent(&mut random), exponent(&mut random));
        let semi_axes = DVec3::new(random.length(), random.length(), random.length());
        let core = Core::Superquadric { semi_axes, exponent_xy: m, exponent_z: n };
        let d = DVec3::new(random.signed(), random.signed(), random.signed());
        let Some(d) = d.try_normalize() else { continue };
        let (value, point) = core.support(d);
        let scaled = (point / semi_axes).abs();
        // Scaled by the larger one, whose power might underflow by itself.
        let (large, small) = (scaled.x.max(scaled.y), scaled.x.min(scaled.y));
        let ratio = if large > 0.0 { small / large } else { 0.0 };
        let plane = large * libm::pow(1.0 + libm::pow(ratio, m), 1.0 / m);
        let whole = libm::pow(plane, n) + libm::pow(scaled.z, n);
        // Rounding of the coordinates, which the exponent magnifies.
        let noise = 8.0 * f64::EPSILON * (1.0 + n);
        assert!(whole <= 1.0 + noise, "{m} {n} {d}: {whole}");
        let short = (value - d.dot(point)) / value;
        assert!(short > -1e-14 && short < 1e-9, "{m} {n} {d}: short by {short:e}");
    }
}
