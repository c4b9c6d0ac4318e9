//! What nothing can stop, what constraints cost, what the library offers to act on joints, and bounds on where links get.

use std::sync::Arc;

use glam::DVec3;

use carom::control::{Axis, ComputedTorque, TrackingGains, VelocityGains, VelocityPd};
use carom::elements::{ElementLaw, GasSpring, Spring};
use carom::{
    Body, Command, Commands, Controller, Element, Fault, Hold, Joint, JointForce, JointId,
    JointKind, LoadError, NotSavable, Rate, Readings, World,
};
use carom_dynamics::law::{Law, LawSpec};
use carom_dynamics::linkage::{Ahead, Drive, Linkage, Mode, Workspace};
use carom_dynamics::tree::constraint::{Constraint, ConstraintScratch};
use carom_dynamics::tree::{
    Joint as TreeJoint, LinkImpulse, LinkPoint, LinkSpec, Load, Scratch, Tree,
};
use carom_dynamics::{Impulse, Reach, Span};
use carom_geometry::shapes::{Ball, Cuboid};
use carom_geometry::{MassProperties, Pose, Shape};

use super::super::super::{Context, Row};
use super::{GUIDE, off, worse};

const G: f64 = 9.81;
const DOWN: DVec3 = DVec3::new(0.0, 0.0, -G);

pub(super) fn rows(context: &Context) -> Vec<Row> {
    vec![
        jammed(context),
        rates(context),
        elements(context),
        friction(context),
        tracked(context),
        copies(context),
        constraint_calls(context),
        bounded(context),
    ]
}

fn row(key: &str, what: &str) -> Row {
    Row::case(format!("m2/{key}"), what, &format!("{GUIDE}, checklist"))
}

fn ball(radius: f64) -> Option<Shape> {
    Some(Shape::Ball(Ball::new(radius).ok()?))
}

/// A plate is driven along the axis of a hinge against the ball that hangs on it: no finite impulse stops either.
fn jammed(context: &Context) -> Row {
    let found = || {
        let mut world = World::builder().gravity(DVec3::ZERO).build().ok()?;
        let bob = world.add(Body::free(ball(0.1)?).at(DVec3::X).named("bob")).ok()?;
        let hinge = JointKind::Revolute { axis: DVec3::Y };
        world.join(Joint::new(hinge, None, bob).at(DVec3::ZERO)).ok()?;
        let law = Law::new(LawSpec::Constant {
            start: 0.0,
            world_from_body: Pose::from_translation(DVec3::new(1.0, -0.6, 0.0)),
            velocity: DVec3::Y,
            angular_velocity: DVec3::ZERO,
        });
        let plate = Shape::Cuboid(Cuboid::new(DVec3::new(0.5, 0.1, 0.5)).ok()?);
        world.add(Body::scripted(plate, law.ok()?).named("plate")).ok()?;
        match world.advance_to(1.0) {
            Err(Fault::Jammed { time, bodies })
                if bodies.contains("bob") && bodies.contains("plate") =>
            {
                Some(context.subject.told(time))
            }
            _ => None,
        }
    };
    // Its face is 0.4 m from the ball.
    let what = "a driven plate against a link that cannot give way: when both are reported";
    row("R-21/jammed", what).in_unit("s").absolute(1e-7, 0.4, found().unwrap_or(f64::NAN))
}

/// Four masses, each driven to a rate by a controller with a clock of its own: v' = v + (k/J)·T·(aim − v) at every tick.
fn rates(context: &Context) -> Row {
    const RATES: [f64; 4] = [20.0, 100.0, 1000.0, 2000.0];
    let (inertia, gain) = (0.5, 0.4);
    let expected = RATES.map(|hertz| {
        let stays = 1.0 - gain / (inertia * hertz);
        1.0 - (0..hertz as u32).fold(1.0, |share, _| share * stays)
    });
    let found = || {
        let mut world = World::builder().gravity(DVec3::ZERO).build().ok()?;
        let mut joints = Vec::new();
        for (i, hertz) in RATES.into_iter().enumerate() {
            let at = i as f64 * DVec3::Y;
            let joint = slider(&mut world, inertia, at, JointForce::default())?;
            let gains = VelocityGains { velocity: gain, position: 0.0 };
            let law = VelocityPd::new().control(Axis::new(joint).target(1.0), gains);
            let rate = Rate::Hertz(context.subject.hertz(hertz));
            world.add_controller(rate, Box::new(law)).ok()?;
            joints.push(joint);
        }
        world.advance_to(1.0).ok()?;
        let rate = |joint: &JointId| Some(world.joint(*joint)?.rates()[0]);
        joints.iter().map(rate).collect::<Option<Vec<f64>>>()
    };
    let what =
        "masses driven by controllers at 20, 100, 1000 and 2000 Hz in one world: rates after 1 s";
    row("R-29/driven", what).in_unit("m/s").absolute(
        1e-9,
        expected.to_vec(),
        found().unwrap_or_else(|| vec![f64::NAN; 4]),
    )
}

/// A mass that slides along x.
fn slider(world: &mut World, mass: f64, at: DVec3, force: JointForce) -> Option<JointId> {
    let body = world.add(Body::free(ball(0.1)?).mass(mass).at(at)).ok()?;
    let kind = JointKind::Prismatic { axis: DVec3::X };
    world.join(Joint::new(kind, None, body).at(at).force(force)).ok()
}

/// A weight between a spring above and a gas spring below, both damped, comes to rest where forces cancel.
fn elements(context: &Context) -> Row {
    let spring = Spring { stiffness: 30.0, rest: 0.5, damping: 8.0, pulls_only: false };
    let gas = GasSpring {
        force: 5.0,
        extended: 1.5,
        stroke: 1.2,
        column: 1.4,
        exponent: 1.2,
        damping: 8.0,
    };
    // Ends at z = 1 and −1.2: k·(1 − z − l₀) + F₁·(L₁/(L₁ − (l₁ − z − 1.2)))ⁿ = m·g, falling in z.
    let force = |z: f64| {
        let pushed = 5.0 * libm::pow(1.4 / (1.4 - (1.5 - (z + 1.2))), 1.2);
        30.0 * (1.0 - z - 0.5) + pushed - G
    };
    let (mut low, mut high) = (-0.5, 0.8);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if force(middle) > 0.0 { low = middle } else { high = middle }
    }
    let found = || {
        let gravity = context.subject.gravity(DOWN);
        let mut world = World::builder().gravity(gravity).build().ok()?;
        let body = world.add(Body::free(ball(0.1)?).mass(1.0)).ok()?;
        let holds =
            [(ElementLaw::Spring(spring), DVec3::Z), (ElementLaw::GasSpring(gas), -1.2 * DVec3::Z)];
        for (law, at) in holds {
            let ends = [Hold::body(body, DVec3::ZERO), Hold::world(at)];
            world.add_element(Element::new(law, ends)).ok()?;
        }
        world.advance_to(20.0).ok()?;
        Some(world.state(body)?.position.z)
    };
    let what = "1 kg between a spring and a gas spring, both with dampers: where it comes to rest";
    row("R-30/elements", what).in_unit("m").absolute(1e-8, low, found().unwrap_or(f64::NAN))
}

/// A mass with friction in its joint is pushed: it stops after v²·m/(2F), and stays.
fn friction(context: &Context) -> Row {
    let found = || {
        let mut world = World::builder().gravity(DVec3::ZERO).build().ok()?;
        let force = JointForce { friction: 0.5, ..JointForce::default() };
        let joint = slider(&mut world, 2.0, DVec3::ZERO, force)?;
        let body = world.bodies().next()?.id();
        let push = context.subject.push(carom::Push::central(body, 2.0 * DVec3::X));
        world.command(Command::Impulse(push)).ok()?;
        world.advance_to(10.0).ok()?;
        let it = world.joint(joint)?;
        Some(vec![it.coordinates()[0], it.rates()[0]])
    };
    let what =
        "2 kg at 1 m/s against friction of 0.5 N in the joint: where they stop, and the rate then";
    row("R-30/friction", what).absolute(
        1e-9,
        vec![2.0, 0.0],
        found().unwrap_or_else(|| vec![f64::NAN; 2]),
    )
}

/// Computed torque at a period T on a mass under its weight: x' = x + v·T + ½a·T² with a = ω²(aim − x) − 2ω·v.
fn tracked(context: &Context) -> Row {
    let (omega, period, aim) = (15.0, 0.01, 0.3);
    let (mut x, mut v) = (0.0, 0.0);
    for _ in 0..30 {
        let a = omega * omega * (aim - x) - 2.0 * omega * v;
        x += period * (v + 0.5 * period * a);
        v += period * a;
    }
    let found = || {
        let gravity = context.subject.gravity(DOWN);
        let mut world = World::builder().gravity(gravity).build().ok()?;
        let body = world.add(Body::free(ball(0.1)?).mass(3.0)).ok()?;
        let joint = Joint::new(JointKind::Prismatic { axis: DVec3::Z }, None, body);
        let joint = world.join(joint.at(DVec3::ZERO)).ok()?;
        let gains = TrackingGains::critical(omega);
        let law = ComputedTorque::new().control(Axis::new(joint).target(aim), gains);
        let rate = Rate::Hertz(context.subject.hertz(1.0 / period));
        world.add_controller(rate, Box::new(law)).ok()?;
        world.advance_to(30.0 * period).ok()?;
        let it = world.joint(joint)?;
        Some(vec![it.coordinates()[0], it.rates()[0]])
    };
    let what = "computed torque at 100 Hz lifts 3 kg: place and rate after 30 ticks";
    row("R-30/computed", what).absolute(
        1e-9,
        vec![x, v],
        found().unwrap_or_else(|| vec![f64::NAN; 2]),
    )
}

/// A user's law with the handle of a joint and a count of its own.
#[derive(Debug, Default)]
struct Pushes {
    joint: Option<JointId>,
    ticks: u64,
}

impl Controller for Pushes {
    fn tick(&mut self, readings: &Readings<'_>, commands: &mut Commands) {
        let joint = self.joint.or_else(|| readings.world().joints().next().map(|it| it.id()));
        let Some(joint) = joint else { return };
        self.ticks += 1;
        commands.push(Command::Drive { joint, torque: vec![self.ticks as f64].into() });
    }

    fn save(&self) -> Result<Vec<u8>, NotSavable> {
        Ok(self.ticks.to_le_bytes().to_vec())
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let bytes = bytes.try_into();
        let bytes = bytes.map_err(|_| LoadError { reason: "not its own".to_owned() })?;
        self.ticks = u64::from_le_bytes(bytes);
        Ok(())
    }
}

/// A world with a user's controller is copied, one copy has the controller stopped: the other ends like the original.
fn copies(context: &Context) -> Row {
    let found = || {
        let mut world = World::builder().gravity(DVec3::ZERO).build().ok()?;
        let joint = slider(&mut world, 1.0, DVec3::ZERO, JointForce::default())?;
        let law = Pushes { joint: Some(joint), ticks: 0 };
        let id = world.add_controller(Rate::Hertz(10.0), Box::new(law)).ok()?;
        world.advance_to(0.45).ok()?;
        let saved = world.snapshot().ok()?;
        let copy = || World::restore(&saved, vec![Box::<Pushes>::default()], 1).ok();
        let (mut same, mut other) = (copy()?, copy()?);
        other.enable(id, false).ok()?;
        let mut rates = Vec::new();
        for world in [&mut world, &mut same, &mut other] {
            world.advance_to(1.0).ok()?;
            rates.push(context.subject.extent(world.joint(joint)?.rates()[0]));
        }
        Some(rates)
    };
    // Forces of 1, 2, … 10 N for 0.1 s each; of the one that is stopped at 0.45 s, 1 to 4 N, and 5 N for the rest.
    let what = "a user's controller with a joint's handle, in a world, a copy of it, and one in which it is stopped: rates";
    row("R-30/copies", what).in_unit("m/s").absolute(
        1e-9,
        vec![5.5, 5.5, 4.0],
        found().unwrap_or_else(|| vec![f64::NAN; 3]),
    )
}

fn chain(links: usize) -> Option<Tree> {
    let mut builder = Tree::builder();
    for link in 0..links {
        let half = 0.25;
        let moment = half * half / 3.0;
        let inertia = glam::DMat3::from_diagonal(DVec3::new(moment, moment, 1e-4));
        builder.add(LinkSpec {
            parent: link.checked_sub(1),
            parent_from_joint: Pose::from_translation(if link > 0 {
                0.5 * DVec3::X
            } else {
                DVec3::ZERO
            }),
            joint: TreeJoint::Revolute { axis: if link % 2 == 0 { DVec3::Y } else { DVec3::Z } },
            body: MassProperties { mass: 1.0, center: half * DVec3::X, inertia },
        });
    }
    builder.build().ok()
}

/// Test forces: one unit response for each of m constraints and one unconstrained motion, each linear in n, and a system of m
/// equations give what the library gives. What is counted is the calls.
fn constraint_calls(context: &Context) -> Row {
    let (mut expected, mut got) = (Vec::new(), Vec::new());
    for (links, m) in [(20, 2), (20, 6), (200, 6)] {
        let (calls, error) = by_test_forces(context, links, m).unwrap_or((f64::NAN, f64::NAN));
        expected.extend([(m + 1) as f64, 0.0]);
        got.extend([calls, error]);
    }
    let what = "2 and 6 constraints on chains of 20 and 200 links: calls of linear cost that solve them, and how far the answer is off";
    row("R-37/calls", what).absolute(1e-9, expected, got)
}

fn by_test_forces(context: &Context, links: usize, m: usize) -> Option<(f64, f64)> {
    let tree = chain(links)?;
    let n = tree.n_v();
    let q: Vec<f64> = (0..n).map(|i| 0.3 * libm::sin(1.0 + i as f64)).collect();
    let v: Vec<f64> = (0..n).map(|i| 0.2 * libm::cos(2.0 * i as f64)).collect();
    let mut scratch = Scratch::new(&tree);
    tree.place(&q, &v, &mut scratch);
    let points: Vec<(LinkPoint, DVec3)> = (0..m)
        .map(|i| {
            let link = (i + 1) * links / m - 1;
            let point = scratch.pose(link).point(0.5 * DVec3::X);
            (LinkPoint { link, point }, if i % 2 == 0 { DVec3::Z } else { DVec3::Y })
        })
        .collect();
    let constraints: Vec<Constraint> =
        points.iter().map(|(at, along)| Constraint::along(*at, *along, 0.5)).collect();
    let load = Load { gravity: DOWN, ..Load::default() };
    let (mut held, mut forces) = (vec![0.0; n], vec![0.0; m]);
    let mut memory = ConstraintScratch::default();
    tree.constrain_accelerations(
        &load,
        &constraints,
        &mut scratch,
        &mut memory,
        &mut held,
        &mut forces,
    )
    .ok()?;
    tree.place(&q, &v, &mut scratch);
    let mut calls = context.subject.repeats(links);
    let mut free = vec![0.0; n];
    tree.forward(&load, &mut scratch, &mut free).ok()?;
    // a + α × r + ω × (ω × r), along each direction.
    let wanted = points.iter().map(|(at, along)| {
        let seen = scratch.body_kinematics(&tree, at.link);
        let (arm, spin) = (at.point - seen.state.position, seen.state.angular_velocity);
        let bent = seen.angular_acceleration.cross(arm) + spin.cross(spin.cross(arm));
        0.5 - along.dot(seen.acceleration + bent)
    });
    let wanted: Vec<f64> = wanted.collect();
    let (mut columns, mut matrix) = (Vec::new(), Vec::new());
    let mut moving = Scratch::new(&tree);
    for (at, along) in &points {
        calls += context.subject.repeats(links);
        let impulse = Impulse { point: at.point, linear: *along, angular: DVec3::ZERO };
        let mut jumps = vec![0.0; n];
        let struck = [LinkImpulse { link: at.link, impulse }];
        tree.impulse_response(&struck, &[], &mut scratch, &mut jumps).ok()?;
        // Velocities are linear in rates: those of the jumps are the response of each point.
        tree.place(&q, &jumps, &mut moving);
        let of = |(at, along): &(LinkPoint, DVec3)| {
            let arm = at.point - moving.pose(at.link).translation;
            along.dot(moving.velocity(at.link).at(arm).linear)
        };
        matrix.push(points.iter().map(of).collect());
        columns.push(jumps);
    }
    let strengths = solved(matrix, wanted)?;
    let mut v_dot = free;
    for (column, strength) in columns.iter().zip(&strengths) {
        for (a, c) in v_dot.iter_mut().zip(column) {
            *a += strength * c;
        }
    }
    Some((calls as f64, off(&held, &v_dot)))
}

/// A system of equations by elimination with the largest pivot.
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let n = right.len();
    for i in 0..n {
        let largest = (i..n).max_by(|a, b| matrix[*a][i].abs().total_cmp(&matrix[*b][i].abs()))?;
        matrix.swap(i, largest);
        right.swap(i, largest);
        let pivot = matrix[i].clone();
        for k in i + 1..n {
            let share = matrix[k][i] / pivot[i];
            for (a, p) in matrix[k].iter_mut().zip(&pivot) {
                *a -= share * p;
            }
            right[k] -= share * right[i];
        }
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|k| matrix[i][k] * right[k]).sum();
        right[i] = (right[i] - known) / matrix[i][i];
    }
    Some(right)
}

/// Links of a chain of six that falls from the horizontal: travel of their ends over windows of 10 µs, as a share of its bound. The share may come near one, for the
/// bound is the motion itself but for a remainder; it must not pass it.
fn bounded(context: &Context) -> Row {
    let found = || {
        let tree = chain(6)?;
        let n = tree.n_v();
        let linkage = Arc::new(Linkage::new(tree, vec![JointForce::default(); n], 1e-9).ok()?);
        let drive = Drive { gravity: DOWN, ..Drive::default() };
        let (mut ahead, mut workspace) = (Ahead::new(), Workspace::new(&linkage));
        let (mut q, mut v, mut time) = (vec![0.1; n], vec![0.5; n], 0.0);
        let mut largest: f64 = 0.0;
        for _ in 0..40 {
            let (mode, end) = (Mode::default(), f64::INFINITY);
            let course = Arc::new(
                linkage
                    .extend(time, &q, &v, &mode, &drive, end, &mut ahead, &mut workspace)
                    .ok()?,
            );
            let window = Span::new(time, time + 1e-5);
            for link in 0..n {
                let motion = course.link(link);
                let tip = 0.25 * DVec3::X;
                let place = |time: f64| motion.state_at(time).pose().point(tip);
                let Some(along) = motion.state_at(time).velocity_at(place(time)).try_normalize()
                else {
                    continue;
                };
                let travel =
                    context.subject.travel(motion.travel(window, along, Reach::Point(tip)));
                for share in [0.25, 0.5, 1.0] {
                    let tau = share * 1e-5;
                    let gone = along.dot(place(time + tau) - place(time));
                    largest = worse(gone / travel.after(tau), largest);
                }
            }
            time = course.span().end;
            course.joint_state(time, &mut q, &mut v);
        }
        Some(largest)
    };
    let what = "ends of six falling links over windows of 10 µs: the largest share of the bound on their travel that they use";
    row("R-14/bounds", what).between(0.0, [0.999, 1.0], found().unwrap_or(f64::NAN))
}
