//! Strikes that one core sustains: cut, impulse, a new segment, new bounds of all links, every millisecond.

use carom::{Body, BodyId, Joint, JointKind, World};
use carom_bench::motion::Numbers;
use carom_dynamics::linkage::Window;
use carom_dynamics::tree::{LinkImpulse, Tree};
use carom_dynamics::{Impulse, Span};
use carom_geometry::shapes::Cuboid;
use carom_geometry::{MassProperties, Shape};
use glam::{DMat3, DVec3};

use crate::median_seconds;
use crate::models::{free, leg_joints, robot, rods};
use crate::run::{GRAVITY, Run};

const PERIOD: f64 = 1e-3;

pub fn measure() {
    println!("strikes per second, one every millisecond");
    println!("{:<20}{:>12}{:>16}{:>16}", "linkage", "tolerance", "dynamics", "engine");
    for tolerance in [1e-6, 1e-8, World::STANDARD_TOLERANCE] {
        let rate = |tree: Tree, strikes: u32| 1.0 / in_dynamics(tree, tolerance, strikes);
        let world = |make: fn(&mut World) -> Vec<BodyId>, strikes: u32| {
            1.0 / in_engine(tolerance, make, strikes)
        };
        let three = [rate(rods(3, 0.3, 1.0), 10_000), world(three_rods, 2_000)];
        let twelve = [rate(robot(), 2_000), world(|it| robot_in(it).0, 500)];
        for (name, [dynamics, engine]) in [("3 rods", three), ("12-joint robot", twelve)] {
            println!("{name:<20}{tolerance:>12.0e}{dynamics:>16.0}{engine:>16.0}");
        }
    }
    println!();
}

fn push(numbers: &mut Numbers) -> DVec3 {
    0.01 * numbers.vector()
}

fn in_dynamics(tree: Tree, tolerance: f64, strikes: u32) -> f64 {
    let (n, links, q) = (tree.n_v(), tree.n_links() as u64, tree.neutral());
    let mut run = Run::new(&free(tree, tolerance), &q, &vec![0.1; n]);
    let (mut numbers, mut window, mut after) = (Numbers(1), Window::default(), vec![0.0; n]);
    let mut course = run.look_ahead(f64::INFINITY);
    median_seconds(strikes, || {
        let time = (course.span().start + PERIOD).min(course.span().end);
        run.go_to(&course, time);
        let link = numbers.below(links) as usize;
        let point = course.link(link).state_at(time).position + 0.01 * DVec3::Y;
        let linear = push(&mut numbers);
        let impulse = Impulse { point, linear, angular: DVec3::ZERO };
        let Run { linkage, q, v, workspace, .. } = &mut run;
        linkage
            .struck(q, v, &[LinkImpulse { link, impulse }], &[], workspace, &mut after)
            .expect("a regular state");
        run.v.copy_from_slice(&after);
        course = run.look_ahead(f64::INFINITY);
        let end = (time + PERIOD).min(course.span().end);
        course.window(Span::new(time, end), &mut window);
    })
}

fn in_engine(tolerance: f64, make: fn(&mut World) -> Vec<BodyId>, strikes: u32) -> f64 {
    let mut world =
        World::builder().gravity(GRAVITY).tolerance(tolerance).build().expect("a world");
    let bodies = make(&mut world);
    let (mut numbers, mut count) = (Numbers(1), 0.0);
    median_seconds(strikes, || {
        count += 1.0;
        world.advance_to(PERIOD * count).expect("a run");
        let body = bodies[numbers.below(bodies.len() as u64) as usize];
        let point = world.state(body).expect("a body").position + 0.01 * DVec3::Y;
        world.apply_impulse(body, push(&mut numbers), point).expect("an impulse");
    })
}

fn three_rods(world: &mut World) -> Vec<BodyId> {
    let shape = Shape::Cuboid(Cuboid::new(DVec3::new(0.14, 0.01, 0.01)).expect("a cuboid"));
    let mut rods: Vec<BodyId> = Vec::new();
    for i in 0..3 {
        let at = 0.3 * (f64::from(i) + 0.5) * DVec3::X;
        let rod = world.add(Body::free(shape.clone()).mass(1.0).at(at)).expect("a rod");
        let kind = JointKind::Revolute { axis: DVec3::Y };
        let hinge = Joint::new(kind, rods.last().copied(), rod);
        world.join(hinge.at(0.3 * f64::from(i) * DVec3::X)).expect("a hinge");
        rods.push(rod);
    }
    rods
}

/// [`robot`] with shapes: its bodies, and the joints of its legs.
///
/// # Panics
/// Never.
pub fn robot_in(world: &mut World) -> (Vec<BodyId>, Vec<carom::JointId>) {
    let cuboid = |half: DVec3| Shape::Cuboid(Cuboid::new(half).expect("a cuboid"));
    let mass = |mass: f64, moments: [f64; 3]| MassProperties {
        mass,
        center: DVec3::ZERO,
        inertia: DMat3::from_diagonal(DVec3::from_array(moments)),
    };
    let trunk = Body::free(cuboid(DVec3::new(0.18, 0.08, 0.04)));
    let trunk = trunk.mass_properties(mass(10.0, [0.1, 0.3, 0.35]));
    let mut bodies = vec![world.add(trunk).expect("a trunk")];
    let mut joints = Vec::new();
    for leg in 0..4 {
        let (mut origin, mut parent) = (DVec3::ZERO, bodies[0]);
        for (at, axis) in leg_joints(leg) {
            origin += at;
            let link = Body::free(cuboid(DVec3::new(0.01, 0.01, 0.08)))
                .mass_properties(mass(0.5, [2e-3, 2e-3, 3e-4]))
                .at(origin - 0.1 * DVec3::Z);
            let link = world.add(link.except(bodies[0])).expect("a link");
            let joint = Joint::new(JointKind::Revolute { axis }, parent, link).at(origin);
            joints.push(joint);
            parent = link;
            bodies.push(link);
        }
    }
    let joints = world.join_all(joints).expect("a robot");
    (bodies, joints)
}
