//! Once warm, the broad phase takes no memory: updates, neighbours and queries of a scene in motion are free of
//! allocations, whichever way overlapping boxes are found.

use carom::broad::{BroadPhase, BroadPhaseKind};
use carom_geometry::Aabb;
use glam::DVec3;

/// A small generator of numbers that look random (splitmix64); the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % limit
    }

    fn next(&mut self) -> f64 {
        self.below(1 << 53) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}

/// Spheres of radius 1 that fill a tenth of a cube above a floor; every eighth is a large one, and boxes differ in
/// size from window to window, so that they change levels.
struct Scene {
    numbers: Numbers,
    positions: Vec<DVec3>,
    half: f64,
}

impl Scene {
    fn new(spheres: usize) -> Self {
        let mut numbers = Numbers(1);
        let half = 0.5 * libm::cbrt(spheres as f64 * 41.89);
        let positions = (0..spheres).map(|_| half * numbers.vector()).collect();
        Self { numbers, positions, half }
    }

    fn next(&mut self) -> (u32, Aabb, f64) {
        let sphere = self.numbers.below(self.positions.len() as u64) as usize;
        let radius = if sphere.is_multiple_of(8) { 2.0 } else { 1.0 };
        let wall = DVec3::splat(self.half);
        let travel = 1.5 * self.numbers.next().abs() * self.numbers.vector();
        let to = (self.positions[sphere] + radius * travel).clamp(-wall, wall);
        let bounds = Aabb::from_points([self.positions[sphere], to]).padded(radius);
        self.positions[sphere] = to;
        (sphere as u32, bounds, radius)
    }
}

#[test]
fn updates_neighbours_and_queries_allocate_nothing_once_warm() {
    for (kind, spheres, warm) in [
        (BroadPhaseKind::Hash, 1000, 100_000),
        (BroadPhaseKind::Sweep, 300, 100_000),
        (BroadPhaseKind::All, 300, 100_000),
    ] {
        let mut scene = Scene::new(spheres);
        let mut broad = BroadPhase::new(kind);
        let mut changes = Vec::with_capacity(spheres);
        let mut neighbours = Vec::with_capacity(spheres);
        let mut found = Vec::with_capacity(spheres);
        let floor = Aabb {
            min: DVec3::NEG_INFINITY,
            max: DVec3::new(f64::INFINITY, f64::INFINITY, -scene.half),
        };
        broad.update(spheres as u32, &floor, f64::INFINITY, &mut changes);
        let mut run = |broad: &mut BroadPhase, updates: u32| {
            for _ in 0..updates {
                let (sphere, bounds, radius) = scene.next();
                changes.clear();
                broad.update(sphere, &bounds, radius, &mut changes);
                broad.neighbours(sphere, &mut neighbours);
                broad.query(&bounds, &mut found);
            }
        };
        run(&mut broad, warm);
        let before = *broad.counts();
        let memory = allocation_counter::measure(|| run(&mut broad, warm));
        assert!(broad.counts().changes > before.changes + u64::from(warm) / 4);
        assert_eq!(memory.count_total, 0, "{kind:?}: {memory:?}");
    }
}
