//! How cost grows: with the number of spheres, of boxes that settle, and of blocks on top of each other.

use carom::{Body, Material, Observers, Surface, World};
use carom_geometry::Shape;
use carom_geometry::shapes::{Ball, HalfSpace};
use carom_scene::{DiskFiles, Options, Scene, Source, load};
use glam::DVec3;
use serde::Serialize;

use super::clock::Moment;
use super::description::Description;
use super::scene::ONE_KILOHERTZ;
use super::{ours, rapier};
use crate::motion::Numbers;

/// Spheres in a box.
const SPHERES: [u32; 4] = [100, 1000, 10_000, 100_000];
/// Their radius `[m]`, share of the volume, and speed `[m/s]`.
const RADIUS: f64 = 0.1;
const FILLING: f64 = 0.1;
const SPEED: f64 = 1.0;
/// Simulated time: so many sphere-seconds, and not longer than so many seconds.
const SPHERE_SECONDS: f64 = 5e4;
const LONGEST: f64 = 10.0;
/// Boxes that settle.
const BOXES: [u32; 4] = [1, 4, 16, 64];
/// Blocks on top of each other.
const BLOCKS: [u32; 6] = [1, 2, 3, 4, 5, 6];
/// Blocks are left alone for this long, and timed for as long again `[s]`.
const SETTLING: f64 = 2.0;

/// All three series.
#[derive(Clone, Debug, Serialize)]
pub struct Scaling {
    /// Elastic spheres in a box at equal density.
    pub spheres: Vec<Growth>,
    /// Boxes dropped askew on a floor.
    pub boxes: Vec<Growth>,
    /// Blocks at rest on each other.
    pub resting: Vec<Growth>,
}

/// One size.
#[derive(Clone, Debug, Serialize)]
pub struct Growth {
    /// Number of bodies that move.
    pub bodies: u32,
    /// Simulated time `[s]`.
    pub simulated_s: f64,
    /// Time that the thread worked `[s]`.
    pub cpu_s: f64,
    /// Events that were worked.
    pub events: u64,
    /// Collisions among them.
    pub collisions: u64,
    /// Collisions per body and simulated second `[1/s]`.
    pub collisions_per_body_s: f64,
    /// Time per simulated second `[s]`.
    pub per_simulated_s: f64,
    /// Time per event `[s]`.
    pub per_event_s: f64,
    /// Time per body and simulated second `[s]`.
    pub per_body_s: f64,
    /// The same as a multiple of that of the smallest size.
    pub slowdown: f64,
    /// The same of Rapier at 1 kHz, where it was run `[s]`.
    pub rapier_per_body_s: Option<f64>,
    /// Why the run ended early.
    pub failed: Option<String>,
}

/// Measures all of them; `told` hears what comes next.
pub fn measure(told: &dyn Fn(&str)) -> Scaling {
    let each = |what: &str, sizes: &[u32], one: &dyn Fn(u32) -> Growth| -> Vec<Growth> {
        let tell = |&size: &u32| {
            told(&format!("{what}: {size}"));
            one(size)
        };
        slowed(sizes.iter().map(tell).collect())
    };
    Scaling {
        spheres: each("spheres in a box", &SPHERES, &spheres),
        boxes: each("boxes settling", &BOXES, &boxes),
        resting: each("blocks at rest", &BLOCKS, &blocks),
    }
}

/// Each beside the first.
fn slowed(mut all: Vec<Growth>) -> Vec<Growth> {
    let first = all.first().map_or(1.0, |first| first.per_body_s);
    for growth in &mut all {
        growth.slowdown = growth.per_body_s / first;
    }
    all
}

/// What passed between two looks at a world.
fn timed(world: &mut World, bodies: u32, until: f64) -> Growth {
    let collided = |world: &World| world.contacts().map(|it| it.sums().collisions).sum::<u64>();
    let (start, events, collisions) = (world.now(), world.event_counts().total(), collided(world));
    let started = Moment::now();
    let failed = world.advance_to(until).err().map(|fault| fault.to_string());
    let cpu_s = started.seconds();
    let (simulated_s, events) = (world.now() - start, world.event_counts().total() - events);
    let collisions = collided(world) - collisions;
    Growth {
        bodies,
        simulated_s,
        cpu_s,
        events,
        collisions,
        collisions_per_body_s: collisions as f64 / simulated_s / f64::from(bodies),
        per_simulated_s: cpu_s / simulated_s,
        per_event_s: cpu_s / events.max(1) as f64,
        per_body_s: cpu_s / simulated_s / f64::from(bodies),
        slowdown: 1.0,
        rapier_per_body_s: None,
        failed,
    }
}

fn spheres(count: u32) -> Growth {
    let mut world = gas(count);
    timed(&mut world, count, LONGEST.min(SPHERE_SECONDS / f64::from(count)))
}

/// Elastic spheres on a lattice in a cube of six planes, in random directions.
fn gas(count: u32) -> World {
    let volume = 4.0 / 3.0 * std::f64::consts::PI * RADIUS * RADIUS * RADIUS;
    let side = libm::cbrt(f64::from(count) * volume / FILLING);
    let mut world = World::builder().gravity(DVec3::ZERO).build().expect("no gravity");
    let surface = Surface { friction: 0.0, restitution: 1.0, ..Surface::default() };
    let material = Material { name: "elastic".to_owned(), surface };
    let material = world.add_material(material).expect("an elastic material");
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        for normal in [axis, -axis] {
            let wall = Shape::HalfSpace(HalfSpace::new(normal, -0.5 * side).expect("a plane"));
            world.add(Body::fixed(wall).material(material)).expect("a wall");
        }
    }
    let across = libm::ceil(libm::cbrt(f64::from(count))) as u32;
    let pitch = side / f64::from(across);
    let ball = Shape::Ball(Ball::new(RADIUS).expect("a radius"));
    let mut numbers = Numbers(11);
    for index in 0..count {
        let cell = [index % across, index / across % across, index / across / across];
        let place = pitch * (DVec3::from(cell.map(f64::from)) + 0.5) - 0.5 * side;
        let body = Body::free(ball.clone()).mass(1.0).material(material);
        let body = body.at(place).velocity(SPEED * numbers.direction());
        world.add(body).expect("places on a lattice are apart");
    }
    world
}

/// What boxes and blocks have in common.
const HEAD: &str = "format = 1\n[world]\ngravity = [0, 0, -9.81]\nuntil = 4\n[[material]]\nname = 'wood'\n\
    density = 700\nfriction = 0.5\nrestitution = 0.3\n[[body]]\nname = 'floor'\n\
    shape = { kind = 'half_space', normal = [0, 0, 1] }\nmaterial = 'wood'\nmotion = { kind = 'fixed' }\n";

fn scene(text: &str) -> Scene {
    let loaded = load(&Source::text("scaling.toml", text), &Options::default(), &DiskFiles);
    loaded.scene.expect("the text is made by formula")
}

/// Boxes of 10 cm, dropped askew from 20 cm, half a metre apart.
fn boxes(count: u32) -> Growth {
    let across = f64::from(count).sqrt().ceil() as u32;
    let mut text = HEAD.to_owned();
    let mut numbers = Numbers(5);
    for index in 0..count {
        let [x, y] = [index % across, index / across].map(|i| 0.5 * f64::from(i));
        let axis = numbers.direction();
        text += &format!(
            "[[body]]\nname = 'box_{index}'\nshape = {{ kind = 'box', size = [0.1, 0.1, 0.1] }}\n\
             material = 'wood'\nposition = [{x}, {y}, 0.2]\naxis = [{:.6}, {:.6}, {:.6}]\nangle_deg = {:.3}\n",
            axis.x,
            axis.y,
            axis.z,
            40.0 * numbers.signed(),
        );
    }
    let scene = scene(&text);
    let Ok((mut world, _)) = ours::build(&scene) else { unreachable!("boxes are apart") };
    let mut growth = timed(&mut world, count, scene.until);
    growth.rapier_per_body_s = rapier_cost(&scene, count, 0.0);
    growth
}

/// Blocks of 20 × 20 × 10 cm, on top of each other.
fn blocks(count: u32) -> Growth {
    let mut text = HEAD.to_owned();
    for index in 0..count {
        let z = 0.05 + 0.1 * f64::from(index) + 1e-5 * f64::from(index + 1);
        text += &format!(
            "[[body]]\nname = 'block_{index}'\nshape = {{ kind = 'box', size = [0.2, 0.2, 0.1] }}\n\
             material = 'wood'\nposition = [0, 0, {z}]\n"
        );
    }
    let scene = scene(&text);
    let Ok((mut world, _)) = ours::build(&scene) else { unreachable!("blocks are apart") };
    let settled = world.advance_watched(SETTLING, &mut Observers::none());
    let mut growth = timed(&mut world, count, 2.0 * SETTLING);
    growth.failed = settled.err().map(|fault| fault.to_string()).or(growth.failed);
    growth.rapier_per_body_s = rapier_cost(&scene, count, SETTLING);
    growth
}

/// Rapier at 1 kHz from a time to the end, per body and simulated second `[s]`.
fn rapier_cost(scene: &Scene, bodies: u32, from: f64) -> Option<f64> {
    let about = Description::of(scene).ok()?;
    let mut stage =
        rapier::Stage::new(scene, &about, rapier::Stepping::by_default(ONE_KILOHERTZ)).ok()?;
    let mut advance = |time: f64| {
        for _ in 0..rapier::steps_until(time, ONE_KILOHERTZ) {
            stage.prepare();
            stage.step();
        }
    };
    advance(from);
    let started = Moment::now();
    advance(about.until - from);
    Some(started.seconds() / (about.until - from) / f64::from(bodies))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_at_rest_are_counted_per_block_and_second_and_beside_a_single_one() {
        let one = blocks(1);
        assert_eq!((one.bodies, one.failed.as_deref()), (1, None));
        assert!((one.simulated_s - SETTLING).abs() < 1e-9);
        assert!(one.collisions > 0 && one.rapier_per_body_s.is_some());
        let collisions = one.collisions_per_body_s * SETTLING;
        assert!((collisions - one.collisions as f64).abs() < 1e-6, "{one:?}");
        let slower = Growth { bodies: 2, per_body_s: 3.0 * one.per_body_s, ..one.clone() };
        let slowdowns: Vec<f64> = slowed(vec![one, slower]).iter().map(|it| it.slowdown).collect();
        assert!(slowdowns[0] == 1.0 && (slowdowns[1] - 3.0).abs() < 1e-12, "{slowdowns:?}");
    }
}
