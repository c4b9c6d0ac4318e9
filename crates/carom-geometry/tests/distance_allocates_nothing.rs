//! Queries take no memory once each kind of pair has been asked about.
//!
//! Counted by the allocator of this test program, so it holds one test only: while nothing else runs, an allocation
//! that is given back at once still shows in the peak.

use std::sync::Arc;

use carom_geometry::distance::{Convex, Manifold, Warm, closest, manifold, rates};
use carom_geometry::shapes::{Ball, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Superquadric};
use carom_geometry::{Pose, convex_hull};
use glam::{DQuat, DVec3};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// A hull whose corners lie on the unit sphere.
fn round_hull(n: u32) -> Convex {
    let point = |i: u32| {
        let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(n);
        let (sin, cos) = libm::sincos(2.399963229728653 * f64::from(i));
        DVec3::new(cos, sin, 0.0) * (1.0 - z * z).sqrt() + DVec3::Z * z
    };
    let points: Vec<DVec3> = (0..n).map(point).collect();
    Convex::Polyhedron(Arc::new(convex_hull(&points).expect("the points span a solid")))
}

fn solids() -> Vec<Convex> {
    let valid = "the sizes are positive";
    let axes = DVec3::new(1.0, 0.6, 0.4);
    vec![
        Convex::Ball(Ball::new(0.5).expect(valid)),
        Convex::Capsule(Capsule::new(0.8, 0.2).expect(valid)),
        Convex::Cylinder(Cylinder::new(0.3, 0.9).expect(valid)),
        Convex::Cone(Cone::new(0.7, 0.5).expect(valid)),
        Convex::Ellipsoid(Ellipsoid::new(axes).expect(valid)),
        Convex::Superquadric(Superquadric::new(axes, 4.0, 2.5).expect(valid)),
        Convex::HalfSpace(HalfSpace::new(DVec3::Z, -1.0).expect("a unit vector")),
        round_hull(100),
        round_hull(300),
        Convex::Triangle([DVec3::X, DVec3::Y, DVec3::new(0.1, 0.2, 0.9)]),
    ]
}

/// A solid tumbles past another, through touch and overlap; now and then the last answer is forgotten.
fn tumble(a: &Convex, b: &Convex, points: &mut Manifold) -> f64 {
    let mut warm = Warm::Cold;
    let mut sum = 0.0;
    for step in 0..60 {
        let t = f64::from(step);
        let rotation = DQuat::from_axis_angle(DVec3::new(0.6, 0.8, 0.0), 0.1 * t);
        let pose = Pose::new(DVec3::new(0.05 * t, 0.3, libm::sin(t)), rotation);
        let answer = closest(a, b, &pose, &mut warm);
        let rates = rates(a, b, &pose, &answer, DVec3::X, DVec3::Z);
        manifold(a, b, &pose, &answer, 1e-2, points);
        sum += answer.distance.max(-9.0) + rates.normal.x + points.points().len() as f64;
        warm = if step % 7 == 0 { Warm::Cold } else { warm };
    }
    sum
}

fn tumble_all(solids: &[Convex], points: &mut Manifold) -> f64 {
    let pairs = solids.iter().flat_map(|a| solids.iter().map(move |b| (a, b)));
    pairs.map(|(a, b)| tumble(a, b, points)).sum()
}

#[test]
fn queries_and_manifolds_take_no_memory_after_the_first_round() {
    let (solids, mut points) = (solids(), Manifold::default());
    let first = tumble_all(&solids, &mut points);
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let again = tumble_all(&solids, &mut points);
    let peak = MEMORY.peak_usage();
    assert_eq!(peak, before, "{} bytes in between", peak - before);
    assert_eq!(first.to_bits(), again.to_bits());
}
