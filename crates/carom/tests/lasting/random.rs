//! What holds whatever happens: nothing overlaps, momentum along the floor is kept, the ledger closes.

use carom::{Body, BodyId, World};
use carom_geometry::shapes::{Capsule, Cylinder, Ellipsoid};
use carom_geometry::{Pose, Shape};
use glam::{DQuat, DVec3};

use crate::common::{ball, cuboid, smooth_floor};

/// Numbers from 0 to 1, the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.roll() - 0.5, self.roll() - 0.5, self.roll() - 0.5)
    }
}

fn shape(dice: &mut Dice) -> Shape {
    match (5.0 * dice.roll()) as u32 {
        0 => ball(0.1),
        1 => Shape::Capsule(Capsule::new(0.06, 0.1).expect("sizes")),
        2 => Shape::Cylinder(Cylinder::new(0.1, 0.08).expect("sizes")),
        3 => Shape::Ellipsoid(Ellipsoid::new(DVec3::new(0.08, 0.1, 0.14)).expect("semi-axes")),
        _ => cuboid(0.15, 0.2, 0.25),
    }
}

fn overlaps(world: &World, bodies: &[BodyId]) -> Option<String> {
    for (i, a) in bodies.iter().enumerate() {
        for b in &bodies[i + 1..] {
            let gap = world.nearest(*a, *b, world.now()).expect("both").distance;
            if gap <= 0.0 {
                return Some(format!("{a:?} and {b:?} by {gap} at {} s", world.now()));
            }
        }
    }
    None
}

#[test]
fn random_bodies_fall_on_each_other_and_nothing_overlaps() {
    let cases = std::env::var("CAROM_CASES").ok().and_then(|it| it.parse().ok()).unwrap_or(12);
    let mut ended = 0;
    for case in 0..cases {
        let mut dice = Dice(77 + case);
        let restitution = if case % 3 == 0 { 0.0 } else { 0.6 * dice.roll() };
        let (mut world, floor, material) = smooth_floor(restitution);
        let mut bodies = vec![floor];
        for i in 0..4 {
            let turn = DQuat::from_scaled_axis(4.0 * dice.vector());
            let place = 0.15 * dice.vector() + DVec3::Z * (0.4 + 0.4 * f64::from(i));
            let body = Body::free(shape(&mut dice)).mass(0.5 + dice.roll()).material(material);
            let body = body.pose(Pose::new(place, turn)).angular_velocity(3.0 * dice.vector());
            bodies.push(world.add(body).expect("a body"));
        }
        let begun = std::time::Instant::now();
        for step in 1..=200 {
            if let Err(fault) = world.advance_to(0.01 * f64::from(step)) {
                println!("case {case}: {fault}");
                ended += 1;
                break;
            }
            assert_eq!(overlaps(&world, &bodies), None, "case {case}");
        }
        let account = world.account();
        println!("case {case}: {:?} {:?}", begun.elapsed(), world.event_counts());
        assert!(account.residual.abs() <= 1e-12 * account.scale(), "{case}: {account:?}");
        assert!(account.integration.abs() <= 1e-8 * account.scale(), "{case}: {account:?}");
        assert!(account.projection <= 1e-4 * account.scale(), "{case}: {account:?}");
    }
    assert_eq!(ended, 0, "runs that ended early");
}
