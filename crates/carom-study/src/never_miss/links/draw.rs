//! Linkages with plates in their way, or that are in their own.

use carom::{
    Body, BodyId, Command, Joint, JointId, JointKind, Material, RestitutionLaw, Surface, World,
    WorldBuilder,
};
use carom_geometry::{Pose, Shape};
use glam::{DMat3, DQuat, DVec3};

use super::super::numbers::Numbers;
use super::super::shapes::{capsule, cuboid};
use super::{Ending, LinkCase};

/// Most collisions of a case of `Bounces`.
const COLLISIONS: usize = 6;

/// A link with the joint that carries it, as drawn.
struct Part {
    shape: Shape,
    mass: f64,
    pose: Pose,
    kind: JointKind,
    at: DVec3,
    rates: Vec<f64>,
    /// Half of its length, along its z `[m]`.
    half: f64,
    /// Half of its width `[m]`.
    width: f64,
}

/// A motor that starts at once.
struct Start {
    time: f64,
    torques: Vec<f64>,
}

/// A linkage to be built as often as it is run.
struct Plan {
    parts: Vec<Part>,
    gravity: DVec3,
    start: Option<Start>,
    until: f64,
    /// Whether links that are no neighbours meet each other.
    folds: bool,
}

pub(super) fn whip(numbers: &mut Numbers) -> Option<LinkCase> {
    let plan = Plan::pendulum(numbers)?;
    let builder = World::builder().passing();
    plan.with_plates(numbers, builder, Ending::FirstTouch)
}

pub(super) fn bounces(numbers: &mut Numbers) -> Option<LinkCase> {
    let plan = Plan::pendulum(numbers)?;
    plan.with_plates(numbers, World::builder(), Ending::Collisions(COLLISIONS))
}

pub(super) fn actuator(numbers: &mut Numbers) -> Option<LinkCase> {
    let links = 1 + numbers.below(3);
    let planar = numbers.chance(0.5);
    let parts = parts(numbers, links, planar, true, |_| 0.0)?;
    let time = numbers.range(0.01, 0.3);
    // So that the first link reaches 20 to 1000 rad/s in a radian.
    let (mass, half) = (parts[0].mass, parts[0].half);
    let scale = 4.0 / 3.0 * mass * half * half * numbers.decades(2e2, 5e5);
    let torques: Vec<f64> = (0..links)
        .map(|link| numbers.sign() * scale * libm::pow(0.3, link as f64) * numbers.unit())
        .collect();
    let fastest = 0.5 * torques[0].abs() / (4.0 / 3.0 * mass * half * half);
    let until = time + numbers.range(0.5, 1.5) / fastest.max(1.0).sqrt();
    let plan = Plan {
        parts,
        gravity: DVec3::ZERO,
        start: Some(Start { time, torques }),
        until,
        folds: false,
    };
    plan.with_plates(numbers, World::builder().passing(), Ending::FirstTouch)
}

pub(super) fn folds(numbers: &mut Numbers) -> Option<LinkCase> {
    let (links, fast) = (3 + numbers.below(2), numbers.decades(3.0, 30.0));
    // In one plane they meet; in space thin rods hardly ever do.
    let planar = numbers.chance(0.8);
    let parts = parts(numbers, links, planar, false, |numbers| fast * numbers.range(-1.0, 1.0))?;
    let gravity = DVec3::new(0.0, 0.0, -9.81);
    let until = numbers.range(0.1, 0.8);
    let plan = Plan { parts, gravity, start: None, until, folds: true };
    let (builder, ending) = if numbers.chance(0.5) {
        (World::builder().passing(), Ending::FirstTouch)
    } else {
        (World::builder(), Ending::Collisions(COLLISIONS))
    };
    let (world, links, _) = plan.build(builder)?;
    Some(LinkCase { motors: 0.0, world, links, plates: Vec::new(), folds: true, until, ending })
}

/// Rods one after the other from the origin, each lighter than the one before, on hinges only or on joints of several kinds.
fn parts(
    numbers: &mut Numbers,
    links: usize,
    planar: bool,
    hinges: bool,
    rate: impl Fn(&mut Numbers) -> f64,
) -> Option<Vec<Part>> {
    let (mut parts, mut at, mut mass): (Vec<Part>, _, _) =
        (Vec::new(), DVec3::ZERO, numbers.range(0.5, 2.0));
    for _ in 0..links {
        let half = numbers.decades(0.05, 0.25);
        let width = numbers.decades(0.001, 0.01);
        let shape = if numbers.chance(0.5) {
            cuboid(DVec3::new(width, width * numbers.range(0.3, 1.0), half))?
        } else {
            capsule(half - width, width)?
        };
        let turn = if planar {
            let (sin, cos) = libm::sincos(numbers.range(-3.1, 3.1) * 0.5);
            DQuat::from_xyzw(0.0, sin, 0.0, cos)
        } else {
            numbers.rotation()
        };
        let kind = match if hinges { 0 } else { numbers.below(4) } {
            _ if planar => JointKind::Revolute { axis: DVec3::Y },
            0 | 1 => JointKind::Revolute { axis: numbers.direction() },
            2 => {
                let first = numbers.direction();
                JointKind::Universal { first, second: numbers.across(first) }
            }
            _ => JointKind::Spherical,
        };
        let rates = (0..kind.freedoms()).map(|_| rate(numbers)).collect();
        let along = turn * DVec3::Z;
        parts.push(Part {
            shape,
            mass,
            pose: Pose::new(at + half * along, turn),
            kind,
            at,
            rates,
            half,
            width,
        });
        at += 2.0 * half * along;
        mass *= numbers.decades(0.05, 0.8);
    }
    Some(parts)
}

impl Plan {
    /// A triple pendulum on its way, under gravity.
    fn pendulum(numbers: &mut Numbers) -> Option<Self> {
        let fast = numbers.decades(0.5, 30.0);
        let planar = numbers.chance(0.5);
        let parts = parts(numbers, 3, planar, false, |numbers| fast * numbers.range(-1.0, 1.0))?;
        let gravity = DVec3::new(0.0, 0.0, -9.81);
        Some(Self { parts, gravity, start: None, until: numbers.range(0.1, 0.8), folds: false })
    }

    /// The linkage alone in a world of its own, with the handles of links and joints.
    fn build(&self, builder: WorldBuilder) -> Option<(World, Vec<BodyId>, Vec<JointId>)> {
        let mut world = builder.gravity(self.gravity).build().ok()?;
        let surface = Surface { friction: 0.3, restitution: 0.6, law: RestitutionLaw::Stronge };
        let steel = world.add_material(Material { name: "steel".into(), surface }).ok()?;
        let (mut links, mut joints): (Vec<BodyId>, Vec<Joint>) = (Vec::new(), Vec::new());
        for part in &self.parts {
            let mut body =
                Body::free(part.shape.clone()).mass(part.mass).pose(part.pose).material(steel);
            // Where only plates count, links may pass through each other; neighbours always do.
            let n_passed = if self.folds { links.len().saturating_sub(1) } else { 0 };
            for other in &links[n_passed..] {
                body = body.except(*other);
            }
            let id = world.add(body).ok()?;
            let joint = Joint::new(part.kind, links.last().copied(), id).at(part.at);
            joints.push(joint.velocity(&part.rates));
            links.push(id);
        }
        let joints = world.join_all(joints).ok()?;
        if let Some(start) = &self.start {
            for (joint, torque) in joints.iter().zip(&start.torques) {
                let freedoms = world.joint(*joint)?.rates().len();
                let torque = std::iter::repeat_n(*torque, freedoms).collect();
                world.schedule(start.time, Command::Drive { joint: *joint, torque }).ok()?;
            }
        }
        Some((world, links, joints))
    }

    /// What motors add to c of (1) in `judge.rs`: that of a hinge with axis u is |τ|·(|u·ω| + |u·ω'|), and |u·ω| ≤ √(2T)·√(u·I⁻¹u).
    fn motors(&self, world: &World, links: &[BodyId]) -> Option<f64> {
        let Some(start) = &self.start else { return Some(0.0) };
        let mut sum = 0.0;
        for (index, (part, torque)) in self.parts.iter().zip(&start.torques).enumerate() {
            let JointKind::Revolute { axis } = part.kind else { return None };
            for link in [Some(index), index.checked_sub(1)].into_iter().flatten() {
                let (body, state) = (world.body(links[link])?, world.state(links[link])?);
                let mass = body.mass()?;
                let seen = (state.orientation * mass.body_from_principal).conjugate() * axis;
                let mobility = (seen * seen / mass.moments).element_sum();
                sum += torque.abs() * (0.5 * mobility).sqrt();
            }
        }
        Some(sum)
    }

    /// With one plate, or two around a window, where a point of the last link is at some time.
    fn with_plates(
        &self,
        numbers: &mut Numbers,
        builder: WorldBuilder,
        ending: Ending,
    ) -> Option<LinkCase> {
        let from = self.start.as_ref().map_or(0.0, |start| start.time);
        let meeting = numbers.range(from, self.until);
        let (mut alone, links, _) = self.build(World::builder().passing())?;
        alone.advance_to(meeting).ok()?;
        let (last, part) = (*links.last()?, self.parts.last()?);
        let state = alone.state(last)?;
        let along = state.orientation * DVec3::Z;
        let point = state.position + numbers.range(-0.8, 1.0) * part.half * along;
        let moving = state.velocity_at(point).try_normalize().unwrap_or(DVec3::X);
        let normal = (moving + numbers.range(0.0, 1.5) * numbers.direction()).try_normalize()?;
        let thickness = 0.5 * numbers.decades(1e-4, 3e-3);
        let [x, y] = [0, 1].map(|_| numbers.decades(0.01, 0.2));
        let first = numbers.across(normal);
        let second = normal.cross(first);
        let turn = DQuat::from_mat3(&DMat3::from_cols(first, second, normal)).normalize();
        let half = DVec3::new(x, y, thickness);
        let mut centers = Vec::new();
        if numbers.chance(1.0 / 3.0) {
            // A window across `first`, from half as wide as the link to three times as wide.
            let width = part.width * numbers.range(0.5, 3.0);
            centers.extend([point + (width + x) * first, point - (width + x) * first]);
        } else {
            let [a, b] = [0, 1].map(|_| numbers.range(-1.1, 1.1));
            centers.push(point + a * x * first + b * y * second);
        }
        let (mut world, links, _) = self.build(builder)?;
        let mut plates = Vec::new();
        for center in centers {
            let plate = Body::fixed(cuboid(half)?).pose(Pose::new(center, turn));
            plates.push(world.add(plate).ok()?);
        }
        let apart = |link: &BodyId| {
            let mut near = plates.iter().map(|plate| world.nearest(*link, *plate, 0.0));
            near.all(|near| near.is_some_and(|near| near.distance > 1e-6))
        };
        if !links.iter().all(apart) {
            return None;
        }
        let motors = self.motors(&world, &links)?;
        Some(LinkCase { motors, world, links, plates, folds: false, until: self.until, ending })
    }
}
