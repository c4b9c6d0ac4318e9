//! What the tests of this crate share.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use carom::{
    Body, BodyId, BodyState, Collision, Command, Contact, Event, Happening, History, Layers,
    Material, Observers, Push, Surface, World,
};
use carom_geometry::shapes::{Ball, Cuboid, HalfSpace};
use carom_geometry::{Shape, convex_hull};
use glam::DVec3;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::{EmbeddedFile, GivenCommand, Options, Recorder, RecordingHeader};

/// Property tests run the same cases every time; another seed here gives others.
pub(crate) fn property(cases: u32) -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(0xCA20);
    ProptestConfig { cases, failure_persistence: None, rng_seed, ..ProptestConfig::default() }
}

/// A tetrahedron whose centre is off its origin.
pub(crate) fn tetrahedron(size: f64) -> Shape {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|corner| corner * size);
    Shape::Polyhedron(Arc::new(convex_hull(&corners).unwrap()))
}

/// Of bodies that meet those of the default layer only.
const FALLING: Layers = Layers { belongs: 2, meets: 1 };

/// A fixed floor, a spinning box, a tetrahedron, and a ball that is struck, removed and replaced. They meet the floor
/// only, and fall through it from about one second on.
pub(crate) fn busy_world() -> World {
    let mut world = World::builder().passing().build().unwrap();
    let floor = HalfSpace::new(DVec3::Z, -5.0).unwrap();
    world.add(Body::fixed(Shape::HalfSpace(floor)).named("floor")).unwrap();
    let cuboid = Shape::Cuboid(Cuboid::new(DVec3::new(0.1, 0.2, 0.3)).unwrap());
    let spin = DVec3::new(0.3, 1.0, 7.0);
    let big = Body::free(cuboid).named("box, \"big\"").angular_velocity(spin);
    world.add(big.layers(FALLING)).unwrap();
    let tetra = Body::free(tetrahedron(0.3)).named("tetra").at(DVec3::X).mass(0.7);
    world.add(tetra.layers(FALLING)).unwrap();
    let ball = world.add(ball("ball")).unwrap();
    let push = Push::at_point(ball, DVec3::new(0.1, 0.0, 0.3), DVec3::new(0.0, 0.05, 1.0));
    world.schedule(0.25, Command::Impulse(push)).unwrap();
    world.schedule(0.5, Command::Remove(ball)).unwrap();
    world.schedule(0.75, Command::add(self::ball("second ball"))).unwrap();
    world.schedule(0.8, Command::Gravity(DVec3::new(0.0, 0.1, -1.62))).unwrap();
    world
}

/// A ball that falls through a sensor and then through the floor.
pub(crate) fn passing_world() -> World {
    let mut world = World::builder().passing().build().unwrap();
    let ball = |radius| Shape::Ball(Ball::new(radius).unwrap());
    let above = |height| DVec3::new(0.25, 0.0, height);
    world.add(Body::free(ball(0.5)).named("ball").at(above(5.0))).unwrap();
    world.add(Body::fixed(ball(0.25)).named("gate").at(above(3.0)).sensor()).unwrap();
    let floor = HalfSpace::new(DVec3::Z, 0.0).unwrap();
    world.add(Body::fixed(Shape::HalfSpace(floor)).named("floor")).unwrap();
    world
}

/// A cube that lands flat on a floor and comes to rest, and a ball that misses both.
pub(crate) fn landing_world() -> World {
    let mut world = World::builder().build().unwrap();
    let rubber = world
        .add_material(Material {
            name: "rubber".into(),
            surface: Surface { restitution: 0.3, ..Surface::default() },
        })
        .unwrap();
    let floor = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).unwrap());
    world.add(Body::fixed(floor).named("floor").material(rubber)).unwrap();
    let cube = Shape::Cuboid(Cuboid::new(DVec3::splat(0.1)).unwrap());
    let cube = Body::free(cube).named("cube").mass(2.0).at(DVec3::new(0.0, 0.0, 0.3));
    world.add(cube.material(rubber)).unwrap();
    world.add(ball("ball").at(DVec3::new(5.0, 0.0, 100.0))).unwrap();
    world
}

/// Every collision that is told of a world up to a time, with its time.
pub(crate) fn collisions_of(mut world: World, end: f64) -> Vec<(f64, Collision)> {
    let mut history = History::of_all();
    world.advance_watched(end, &mut Observers::none().with(&mut history)).unwrap();
    let collision = |event: &Event| match event.what {
        Happening::Collision(collision) => Some((event.time, collision)),
        _ => None,
    };
    history.events().iter().filter_map(collision).collect()
}

/// The first touch that was seen.
pub(crate) fn first_contact(history: &History) -> Contact {
    let contact = |event: &Event| match event.what {
        Happening::Touch(contact) => Some(contact),
        _ => None,
    };
    history.events().iter().find_map(contact).expect("somebody touches")
}

pub(crate) fn ball(name: &str) -> Body {
    Body::free(Shape::Ball(Ball::new(0.05).unwrap())).named(name).at(DVec3::Z).layers(FALLING)
}

/// A header with everything in it.
pub(crate) fn full_header() -> RecordingHeader {
    RecordingHeader {
        scene: Some("scene.toml".into()),
        files: vec![
            EmbeddedFile { path: "scene.toml".into(), bytes: b"[world]\n".to_vec() },
            EmbeddedFile { path: "meshes/part.stl".into(), bytes: (0..=255).collect() },
        ],
        overrides: vec![("mu".into(), "0.3".into()), ("mu".into(), "0.4".into())],
        commands: vec![GivenCommand { time_s: 0.25, text: "push ball".into() }],
        seed: 0xCA20,
        on_touch: Some("pass".into()),
        regime: Some("impulse".into()),
        envelope: Some(1e-4),
        colors: [("tetra".to_owned(), [1.0, 0.5, 0.25, 1.0])].into(),
        ..RecordingHeader::new("carom-test", "0.0.1")
    }
}

/// A recording of a world up to a time.
pub(crate) fn record(world: &mut World, end: f64, options: &Options) -> Vec<u8> {
    let mut recorder = Recorder::new(Vec::new(), "memory", &full_header(), options).unwrap();
    world.advance_watched(end, &mut Observers::none().with(&mut recorder)).unwrap();
    recorder.finish(world, r#"{"ok":true}"#).unwrap()
}

/// Every number of a state, bit by bit.
pub(crate) fn bits(state: &BodyState) -> [u64; 13] {
    let [x, y, z] = state.position.to_array();
    let [qx, qy, qz, qw] = state.orientation.to_array();
    let [vx, vy, vz] = state.velocity.to_array();
    let [wx, wy, wz] = state.angular_velocity.to_array();
    [x, y, z, qx, qy, qz, qw, vx, vy, vz, wx, wy, wz].map(f64::to_bits)
}

/// Every state of a world now, bit by bit.
pub(crate) fn all_bits(world: &World) -> Vec<(BodyId, [u64; 13])> {
    world.bodies().map(|body| (body.id(), bits(&body.state().unwrap()))).collect()
}

/// A disk of limited size, which keeps what is written to it.
#[derive(Clone, Debug)]
pub(crate) struct SmallDisk {
    size: usize,
    disk: Arc<Mutex<Vec<u8>>>,
}

impl SmallDisk {
    pub(crate) fn of(size: usize) -> Self {
        Self { size, disk: Arc::default() }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.disk.lock().unwrap().clone()
    }
}

impl Write for SmallDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut disk = self.disk.lock().unwrap();
        let room = self.size.saturating_sub(disk.len()).min(bytes.len());
        if room == 0 && !bytes.is_empty() {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        disk.extend_from_slice(&bytes[..room]);
        Ok(room)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
