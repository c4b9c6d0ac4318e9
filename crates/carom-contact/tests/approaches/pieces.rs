//! Bodies of many pieces touch when the solid they make up does, and where a search is suspended changes no bit.

use std::sync::Arc;

use carom_contact::touch::{Outcome, PairOutcome, PairSearch, Rigid, Touch};
use carom_dynamics::{Ballistic, BodyState, Mass, Motion};
use carom_geometry::distance::pieces::Pieces;
use carom_geometry::mesh::TriMesh;
use carom_geometry::shapes::{Ball, Compound, Cuboid, HalfSpace, Part};
use carom_geometry::{ClosedMesh, Pose, Shape, convex_hull};
use glam::DVec3;

use crate::common::Numbers;

struct Body {
    motion: Motion,
    pieces: Pieces,
}

impl Body {
    fn rigid(&self) -> Rigid<'_> {
        Rigid {
            motion: &self.motion,
            pieces: &self.pieces,
            frame_from_shape: Pose::IDENTITY,
            size: 2.0 * self.pieces.tree()[0].radius,
        }
    }
}

fn flight(shape: &Shape, numbers: &mut Numbers, position: DVec3, velocity: DVec3) -> Motion {
    let properties = shape.as_solid().mass_properties(1000.0).expect("a solid");
    let mass = Mass::new(&properties).expect("a mass");
    let state = BodyState {
        position,
        orientation: numbers.rotation(),
        velocity,
        angular_velocity: numbers.direction() * numbers.range(0.0, 5.0),
    };
    Motion::Ballistic(Ballistic::new(0.0, state, -9.81 * DVec3::Z, &mass))
}

fn first_touch(a: &Body, b: &Body) -> Option<Touch> {
    let mut search = PairSearch::new(&a.rigid(), &b.rigid(), 0.0);
    match search.advance(&a.rigid(), &b.rigid(), 10.0, f64::INFINITY).outcome {
        Outcome::Touch(touch) => Some(touch),
        Outcome::Never => None,
        other => panic!("{other:?}"),
    }
}

fn as_mesh(half: DVec3) -> Shape {
    let corner = |i: u32| {
        let sign = |bit: u32| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
        half * DVec3::new(sign(0), sign(1), sign(2))
    };
    let hull = convex_hull(&(0..8).map(corner).collect::<Vec<DVec3>>()).expect("a box");
    let mesh: TriMesh = hull.to_mesh();
    Shape::Mesh(Arc::new(ClosedMesh::new(mesh).expect("a closed mesh")))
}

/// Eight octants of a box.
fn as_compound(half: DVec3) -> Shape {
    let octant = Shape::Cuboid(Cuboid::new(0.5 * half).expect("a box"));
    let part = |i: u32| {
        let sign = |bit: u32| if i >> bit & 1 == 0 { -0.5 } else { 0.5 };
        let place = half * DVec3::new(sign(0), sign(1), sign(2));
        Part { body_from_shape: Pose::from_translation(place), shape: octant.clone() }
    };
    Shape::Compound(Arc::new(Compound::new((0..8).map(part).collect()).expect("parts")))
}

/// proves: m1/LC-R7
#[test]
fn a_mesh_and_a_compound_of_a_box_touch_when_the_box_does() {
    let mut touches = 0;
    for seed in 0..300 {
        let mut numbers = Numbers(seed);
        let half = DVec3::new(numbers.range(0.1, 1.0), numbers.range(0.1, 1.0), 0.3);
        let cuboid = Shape::Cuboid(Cuboid::new(half).expect("a box"));
        let direction = numbers.direction();
        let speed = numbers.range(1.0, 10.0);
        let motion_a = flight(&cuboid, &mut numbers, DVec3::ZERO, DVec3::ZERO);
        let place = 4.0 * direction + 0.5 * numbers.direction();
        let motion_b = flight(&cuboid, &mut numbers, place, -speed * direction);
        let forms = [cuboid.clone(), as_mesh(half), as_compound(half)].map(|it| Pieces::of(&it));
        let touch = |i: usize, j: usize| {
            let a = Body { motion: motion_a.clone(), pieces: forms[i].clone() };
            let b = Body { motion: motion_b.clone(), pieces: forms[j].clone() };
            first_touch(&a, &b)
        };
        let expected = touch(0, 0);
        touches += usize::from(expected.is_some());
        for (i, j) in [(1, 0), (0, 1), (1, 1), (2, 0), (2, 2), (1, 2)] {
            let found = touch(i, j);
            match (expected, found) {
                (Some(one), Some(other)) => {
                    // Both lie within the touch distance of the true touch.
                    let slack = 4e-9 / one.speed.abs().min(other.speed.abs());
                    let late = (one.time - other.time).abs();
                    assert!(late < slack, "seed {seed} {i} {j}: {one:?} {other:?}");
                }
                (None, None) => {}
                other => panic!("seed {seed} {i} {j}: {other:?}"),
            }
        }
    }
    assert!(touches > 200, "{touches}");
}

#[test]
fn where_a_search_is_suspended_changes_no_bit() {
    let floor = Shape::HalfSpace(HalfSpace::new(DVec3::Z, -3.0).expect("a half-space"));
    for seed in 0..60 {
        let mut numbers = Numbers(seed);
        let half = DVec3::new(0.5, 0.4, 0.3);
        let round = Shape::Ball(Ball::new(0.3).expect("a ball"));
        let shapes =
            [Shape::Cuboid(Cuboid::new(half).expect("a box")), as_mesh(half), as_compound(half)];
        let one = &shapes[seed as usize % 3];
        let other = if seed % 4 == 0 { &floor } else { &shapes[seed as usize / 3 % 3] };
        let a = Body {
            motion: flight(&round, &mut numbers, DVec3::ZERO, DVec3::X),
            pieces: Pieces::of(one),
        };
        let b = if seed % 4 == 0 {
            Body { motion: Motion::Fixed(Pose::IDENTITY), pieces: Pieces::of(other) }
        } else {
            let place = 2.0 * numbers.direction();
            Body {
                motion: flight(&round, &mut numbers, place, -2.0 * place),
                pieces: Pieces::of(other),
            }
        };
        let run = |pauses: &mut dyn FnMut() -> f64| {
            let mut search = PairSearch::new(&a.rigid(), &b.rigid(), 0.0);
            let mut pause = 0.0;
            for _ in 0..100_000 {
                pause += pauses();
                let found = search.advance(&a.rigid(), &b.rigid(), 5.0, pause);
                if !matches!(found, PairOutcome { outcome: Outcome::Later(_), .. }) {
                    return found;
                }
            }
            panic!("it never ends");
        };
        let whole = run(&mut || f64::INFINITY);
        let mut more = Numbers(seed + 1000);
        let cut = run(&mut || 0.02 * more.unit());
        assert_eq!(whole, cut, "seed {seed}");
    }
}

/// A box that hops on a floor, as at rest: as a mesh its facets are passed over for slices of the time that is asked for, but what
/// is found is the same however that is cut, and it is what the convex box finds.
#[test]
fn facets_that_are_passed_over_above_a_plane_are_found_when_they_come_down() {
    let half = DVec3::new(0.5, 0.4, 0.3);
    let floor = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).expect("a half-space"));
    let ground = Body { motion: Motion::Fixed(Pose::IDENTITY), pieces: Pieces::of(&floor) };
    let convex = Shape::Cuboid(Cuboid::new(half).expect("a box"));
    let properties = convex.as_solid().mass_properties(1000.0).expect("a solid");
    let mass = Mass::new(&properties).expect("a mass");
    for seed in 0..60 {
        let mut numbers = Numbers(seed);
        let tilt = libm::exp10(numbers.range(-6.0, -1.0));
        let state = BodyState {
            position: DVec3::Z * (half.z + tilt * half.length() + 1e-4 * numbers.unit()),
            orientation: glam::DQuat::from_scaled_axis(tilt * numbers.direction()),
            velocity: DVec3::Z * numbers.range(-0.1, 0.3),
            angular_velocity: numbers.direction() * numbers.range(0.0, 0.3),
        };
        let motion = Motion::Ballistic(Ballistic::new(0.0, state, -9.81 * DVec3::Z, &mass));
        let body = |shape: &Shape| Body { motion: motion.clone(), pieces: Pieces::of(shape) };
        let (mesh, convex) = (body(&as_mesh(half)), body(&convex));
        let find = |pause: f64| {
            let mut search = PairSearch::new(&mesh.rigid(), &ground.rigid(), 0.0);
            let mut until = 0.0;
            loop {
                until += pause;
                match search.advance(&mesh.rigid(), &ground.rigid(), 10.0, until) {
                    PairOutcome { outcome: Outcome::Later(_), .. } => {}
                    found => return found,
                }
            }
        };
        let found = find(f64::INFINITY);
        for pause in [1.0, 0.1, 3e-3] {
            assert_eq!(found, find(pause), "seed {seed}, pause {pause}");
        }
        let Outcome::Touch(touch) = found.outcome else { panic!("seed {seed}: {found:?}") };
        let expected = first_touch(&convex, &ground).expect("what falls, touches");
        // Touches are found within the touch distance, 1e-9 of the size, at the speed of the corner.
        let slack = 4e-9 / touch.speed.abs().max(1e-3);
        let late = (touch.time - expected.time).abs();
        assert!(late < slack, "seed {seed}: {touch:?} instead of {expected:?}");
    }
}
