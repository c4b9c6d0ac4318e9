//! Queries of a pair that has been asked about before take no memory.
//!
//! Counted by the allocator of this test program, so it holds one test only: while nothing else runs, an allocation
//! that is given back at once still shows in the peak.

use std::sync::Arc;

use carom_geometry::distance::{Convex, Manifold, Warm, closest, manifold};
use carom_geometry::{Pose, convex_hull};
use glam::{DQuat, DVec3};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn ball(n: u32) -> Convex {
    let point = |i: u32| {
        let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(n);
        let (sin, cos) = libm::sincos(2.399963229728653 * f64::from(i));
        DVec3::new(cos, sin, 0.0) * (1.0 - z * z).sqrt() + DVec3::Z * z
    };
    let points: Vec<DVec3> = (0..n).map(point).collect();
    Convex::Polyhedron(Arc::new(convex_hull(&points).expect("the points span a solid")))
}

/// A turning ball beside, touching and inside another; every answer with its manifold.
fn tumble(solids: &[Convex; 2], warm: &mut Warm, points: &mut Manifold) -> f64 {
    let mut sum = 0.0;
    for step in 0..360_u32 {
        let (sin, cos) = libm::sincos(f64::from(step).to_radians() / 2.0);
        let rotation = DQuat::from_xyzw(0.6 * sin, 0.8 * sin, 0.0, cos);
        let shift = [2.5, 2.0, 1.5][step as usize % 3];
        let pose = Pose::new(DVec3::new(shift, 0.0, 0.0), rotation);
        let answer = closest(&solids[0], &solids[1], &pose, warm);
        manifold(&solids[0], &solids[1], &pose, &answer, 1e-2, points);
        sum += answer.distance + points.points().len() as f64;
    }
    sum
}

#[test]
fn queries_and_manifolds_take_no_memory_after_the_first_round() {
    let triangle = Convex::Triangle([DVec3::ZERO, DVec3::X, DVec3::Y]);
    for solids in [[ball(100), ball(300)], [ball(300), triangle]] {
        let (mut warm, mut points) = (Warm::Cold, Manifold::default());
        let first = tumble(&solids, &mut warm, &mut points);
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let again = tumble(&solids, &mut warm, &mut points);
        assert_eq!(MEMORY.peak_usage(), before);
        assert_eq!(MEMORY.current_usage(), before);
        assert!((first - again).abs() < 1e-9, "{first} {again}");
    }
}
