//! Once warm, searches for touches and partings take no memory, those over compounds and meshes included.

use std::sync::Arc;

use carom_contact::touch::{Outcome, PairSearch, Parting, Rigid, Spares};
use carom_dynamics::{Ballistic, BodyState, Mass, Motion};
use carom_geometry::distance::pieces::Pieces;
use carom_geometry::shapes::{Ball, Compound, Cuboid, Cylinder, HalfSpace, Part, Superquadric};
use carom_geometry::{ClosedMesh, Pose, Shape, convex_hull};
use glam::{DQuat, DVec3};

/// A body, and its state in flight.
struct Body {
    pieces: Pieces,
    mass: Option<Mass>,
}

impl Body {
    fn of(shape: &Shape) -> Self {
        let mass = shape.as_solid().mass_properties(1000.0).ok();
        let mass = mass.map(|properties| Mass::new(&properties).expect("a mass"));
        Self { pieces: Pieces::of(shape), mass }
    }

    fn motion(&self, place: DVec3, velocity: DVec3, spin: DVec3) -> Motion {
        let orientation = DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), spin.x);
        let state = BodyState { position: place, orientation, velocity, angular_velocity: spin };
        match &self.mass {
            Some(mass) => Motion::Ballistic(Ballistic::new(0.0, state, DVec3::NEG_Z, mass)),
            None => Motion::Fixed(Pose::from_translation(place)),
        }
    }

    fn rigid<'a>(&'a self, motion: &'a Motion) -> Rigid<'a> {
        let size = 2.0 * self.pieces.tree()[0].radius;
        Rigid { motion, pieces: &self.pieces, frame_from_shape: Pose::IDENTITY, size }
    }
}

fn dumbbell(bar: Shape, end: &Shape) -> Shape {
    let part = |x: f64, shape: Shape| Part {
        body_from_shape: Pose::from_translation(DVec3::X * x),
        shape,
    };
    let parts = vec![part(-0.5, end.clone()), part(0.0, bar), part(0.5, end.clone())];
    Shape::Compound(Arc::new(Compound::new(parts).expect("parts")))
}

fn mesh() -> Shape {
    let point = |i: u32| {
        let (sin, cos) = libm::sincos(2.4 * f64::from(i));
        let z = 1.0 - (2.0 * f64::from(i) + 1.0) / 40.0;
        0.4 * (DVec3::new(cos, sin, 0.0) * (1.0 - z * z).sqrt() + DVec3::Z * z)
    };
    let hull = convex_hull(&(0..40).map(point).collect::<Vec<DVec3>>()).expect("a hull");
    Shape::Mesh(Arc::new(ClosedMesh::new(hull.to_mesh()).expect("a closed mesh")))
}

fn bodies() -> Vec<Body> {
    let valid = "the sizes are positive";
    let ball = Shape::Ball(Ball::new(0.3).expect(valid));
    let cuboid = Shape::Cuboid(Cuboid::new(DVec3::new(0.3, 0.2, 0.1)).expect(valid));
    let cylinder = Shape::Cylinder(Cylinder::new(0.1, 0.9).expect(valid));
    let axes = DVec3::new(0.4, 0.3, 0.2);
    let round = Shape::Superquadric(Superquadric::new(axes, 4.0, 2.5).expect(valid));
    let floor = Shape::HalfSpace(HalfSpace::new(DVec3::Z, -0.2).expect("a unit vector"));
    [
        dumbbell(cuboid.clone(), &ball),
        dumbbell(cylinder.clone(), &cuboid),
        mesh(),
        ball,
        cuboid,
        cylinder,
        round,
        floor,
    ]
    .iter()
    .map(Body::of)
    .collect()
}

/// What was found on the way of one body through another: how often they touched and parted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tally {
    touches: u32,
    partings: u32,
}

/// One body flies through the other, which is found again and again in short spells.
fn fly(a: &Body, b: &Body, offset: f64, spares: &mut Spares, tally: &mut Tally) {
    let motion_a = a.motion(DVec3::new(0.0, 0.0, 1.5), DVec3::new(0.1, 0.0, -1.0), DVec3::ONE);
    let motion_b = b.motion(DVec3::new(offset, 0.1, 0.0), DVec3::Z, DVec3::new(2.0, -1.0, 0.5));
    let (a, b) = (a.rigid(&motion_a), b.rigid(&motion_b));
    let mut search = PairSearch::reusing(spares, a.pieces, b.pieces, 0.0.into());
    let end = 3.0;
    let touch = (1..=60).find_map(|spell| {
        match search.advance(&a, &b, end, 0.05 * f64::from(spell)).outcome {
            Outcome::Touch(touch) => Some(touch.time),
            Outcome::Stuck(at) | Outcome::Blurred(at) => panic!("stuck at {at}"),
            _ => None,
        }
    });
    spares.keep(search);
    let Some(touch) = touch else { return };
    tally.touches += 1;
    let mut parting = Parting::from(touch);
    let parted = (1..=60).any(|spell| {
        let pause = touch + 0.05 * f64::from(spell);
        matches!(parting.advance(&a, &b, end, pause), Outcome::Later(_))
    });
    tally.partings += u32::from(parted);
}

fn fly_all(bodies: &[Body], spares: &mut Spares) -> Tally {
    let mut tally = Tally::default();
    let (floor, free) = bodies.split_last().expect("bodies");
    for (place, a) in free.iter().enumerate() {
        for b in free[place..].iter().chain([floor]) {
            for offset in [-0.4, 0.0, 0.3] {
                fly(a, b, offset, spares, &mut tally);
            }
        }
    }
    tally
}

#[test]
fn searches_for_touches_and_partings_take_no_memory_after_the_first_round() {
    let (bodies, mut spares) = (bodies(), Spares::default());
    let first = fly_all(&bodies, &mut spares);
    assert!(first.touches > 70 && first.partings > 50, "{first:?}");
    let mut again = Tally::default();
    let memory = allocation_counter::measure(|| again = fly_all(&bodies, &mut spares));
    assert_eq!(again, first);
    assert_eq!(memory.count_total, 0, "{memory:?}");
}
