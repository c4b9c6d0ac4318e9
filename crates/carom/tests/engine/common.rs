//! Worlds to test with.

use carom::{Body, BodyId, BodyState, Command, Law, Place, Push, World, WorldBuilder};
use carom_dynamics::law::{LawSpec, Oscillation, Swing, Waypoint};
use carom_geometry::shapes::{Ball, Cuboid, Cylinder, HalfSpace};
use carom_geometry::{Pose, Shape, convex_hull};
use glam::{DQuat, DVec3};

/// A small generator of numbers that look random (splitmix64); the same everywhere.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// Between −1 and 1.
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        (z >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// A whole number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        ((0.5 + 0.5 * self.next()) * limit as f64) as usize % limit
    }

    pub(crate) fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }

    pub(crate) fn rotation(&mut self) -> DQuat {
        let q = DQuat::from_xyzw(self.next(), self.next(), self.next(), self.next());
        q.normalize()
    }
}

pub(crate) fn ball(radius: f64) -> Shape {
    Shape::Ball(Ball::new(radius).expect("a radius"))
}

pub(crate) fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(0.5 * DVec3::new(x, y, z)).expect("sizes"))
}

pub(crate) fn floor() -> Shape {
    Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).expect("a normal"))
}

/// One of several shapes; spherical, symmetric and asymmetric tops among them.
fn shape(index: usize, numbers: &mut Numbers) -> Shape {
    match index % 4 {
        0 => ball(0.1),
        1 => cuboid(0.1, 0.2, 0.3),
        2 => Shape::Cylinder(Cylinder::new(0.05, 0.1).expect("sizes")),
        _ => {
            let points: Vec<DVec3> = (0..12).map(|_| 0.2 * numbers.vector()).collect();
            Shape::Polyhedron(std::sync::Arc::new(convex_hull(&points).expect("a cloud")))
        }
    }
}

/// Every kind of scripted law.
pub(crate) fn laws() -> [Law; 4] {
    let turn = DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8);
    let pose = |x: f64, rotation| Pose::new(DVec3::new(x, 0.0, 0.0), rotation);
    let along = Oscillation {
        swing: Swing::Along { axis: DVec3::Z },
        amplitude: 0.01,
        rate: 300.0,
        phase: 0.3,
        mean: 0.0,
    };
    let about = Swing::About { axis: DVec3::X, pivot: DVec3::Y };
    let specs = [
        LawSpec::Constant {
            start: 0.0,
            world_from_body: pose(3.0, turn),
            velocity: DVec3::Y,
            angular_velocity: DVec3::new(0.0, 1.0, 2.0),
        },
        LawSpec::Cycler {
            centre: DVec3::ZERO,
            semi_axes: [2.0 * DVec3::X, DVec3::Y],
            rate: 3.0,
            phase: 0.1,
            orientation: turn,
        },
        LawSpec::Oscillator {
            base: pose(1.0, DQuat::IDENTITY),
            terms: vec![along, Oscillation { swing: about, rate: 7.0, ..along }],
        },
        LawSpec::Waypoints {
            points: vec![
                Waypoint { time: 0.25, pose: pose(0.0, DQuat::IDENTITY) },
                Waypoint { time: 0.75, pose: pose(1.0, turn) },
                Waypoint { time: 1.5, pose: pose(-1.0, turn) },
            ],
            period: None,
        },
    ];
    specs.map(|spec| Law::new(spec).expect("a law"))
}

/// A world in which everything happens that can: free, fixed, scripted and carried bodies, impulses, bodies
/// that come and go, gravity that changes.
pub(crate) fn busy_world(builder: WorldBuilder, seed: u64, bodies: usize) -> World {
    let mut numbers = Numbers(seed);
    let mut world = builder.build().expect("a world");
    world.add(Body::fixed(floor()).named("floor")).expect("a floor");
    let mut carrier = None;
    for (index, law) in laws().into_iter().enumerate() {
        let body = Body::scripted(cuboid(1.0, 1.0, 0.1), law).named(format!("law{index}"));
        carrier = Some(world.add(body).expect("a scripted body"));
    }
    let carrier = carrier.expect("there are laws");
    let rider = Body::carried(cuboid(0.1, 0.2, 0.3), carrier).named("rider").at(DVec3::Z).ghost();
    let rider = world.add(rider).expect("a rider");
    let free: Vec<BodyId> = (0..bodies)
        .map(|index| {
            let body = Body::free(shape(index, &mut numbers))
                .density(1000.0)
                .pose(Pose::new(place(index), numbers.rotation()))
                .velocity(5.0 * numbers.vector())
                .angular_velocity(20.0 * numbers.vector());
            world.add(body).expect("a free body")
        })
        .collect();
    let mut at = |time, command| {
        world.schedule(time, command).expect("a time");
    };
    for (index, &body) in free.iter().enumerate().skip(1) {
        let push = Push {
            body,
            linear: numbers.vector(),
            angular: 0.1 * numbers.vector(),
            point: Place::Body(0.1 * numbers.vector()),
        };
        at(0.1 + 0.07 * index as f64, Command::Impulse(push));
    }
    at(0.6, Command::Release(rider));
    at(0.9, Command::Carry { body: rider, by: carrier });
    at(1.1, Command::Remove(free[0]));
    at(
        1.2,
        Command::add(Body::free(ball(0.2)).named("late").at(30.0 * DVec3::Z).velocity(DVec3::X)),
    );
    at(1.3, Command::Gravity(DVec3::new(0.0, 1.0, -3.0)));
    world
}

/// Places above the floor and beside the scripted bodies, 3 m from each other.
fn place(index: usize) -> DVec3 {
    let [x, y, z] = [index % 4, index / 4 % 4, index / 16].map(|i| 3.0 * i as f64);
    DVec3::new(x + 6.0, y - 4.5, z + 3.0)
}

/// All states, as bits.
pub(crate) fn bits(world: &World) -> Vec<u64> {
    let mut states = Vec::new();
    world.states_at(world.now(), &mut states);
    states.iter().flat_map(|(_, state)| bits_of(state)).collect()
}

pub(crate) fn bits_of(state: &BodyState) -> Vec<u64> {
    let numbers = state
        .position
        .to_array()
        .into_iter()
        .chain(state.orientation.to_array())
        .chain(state.velocity.to_array())
        .chain(state.angular_velocity.to_array());
    numbers.map(f64::to_bits).collect()
}

pub(crate) fn cylinder(radius: f64, height: f64) -> Shape {
    Shape::Cylinder(Cylinder::new(0.5 * height, radius).expect("sizes"))
}
