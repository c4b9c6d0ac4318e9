//! Rapier, built from a scene and stepped.
//!
//! Friction combines by the geometric mean and restitution by the maximum, which is our rule; pairs of materials with values
//! of their own get them by a hook before each solve, and so do pairs that take no notice of each other. Masses are ours, not
//! computed from colliders. The cap on speeds is lifted. Everything else is Rapier's default, sleeping and continuous
//! detection included; but its tolerances go with a unit of length, 1 m by default and to be set for small bodies, so it is
//! run twice: by its default, and with the typical size of a free body for a unit. Impulses act, and bodies
//! are taken away, before the step nearest to their time.

use std::collections::{BTreeMap, BTreeSet};

use carom::{BodyState, Law};
use carom_geometry::Pose;
use carom_scene::Scene;
use glam::{DQuat, DVec3};
use rapier3d_f64::math;
use rapier3d_f64::prelude as rapier;

use super::clock::Moment;
use super::description::{Blow, BodyOf, Description, Form, MassOf, PartOf, Role};
use super::track::{Stepped, Track};

/// The name in tables.
pub const NAME: &str = "Rapier";

/// The same with the typical size of a free body for a unit of length.
pub const SCALED: &str = "Rapier, scaled";

/// Rapier's own unit of length `[m]`.
pub const DEFAULT_UNIT: f64 = 1.0;

/// How to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stepping {
    /// Length of a step `[s]`.
    pub dt: f64,
    /// Unit of length `[m]`.
    pub length_unit: f64,
}

impl Stepping {
    /// With steps of `dt` `[s]`, and everything else by default.
    pub const fn by_default(dt: f64) -> Self {
        Self { dt, length_unit: DEFAULT_UNIT }
    }
}

/// Greater than any speed of a scene, in units of length a second: the cap on speeds is off.
const NO_CAP: f64 = 1e12;

/// Times are compared with multiples of the step to this share of a step: rounding of a quotient.
const SHARE_OF_STEP: f64 = 1e-9;

/// A scene in Rapier.
pub struct Stage<'a> {
    /// Rapier's own.
    pub world: rapier::PhysicsWorld,
    /// Its bodies, in the order of the scene.
    pub handles: Vec<rapier::RigidBodyHandle>,
    description: &'a Description,
    hooks: Hooks<'a>,
    laws: Vec<(usize, Law)>,
    /// Impulses and changes of gravity that have been done.
    done: [usize; 2],
    /// Bodies that are to be taken away, and when, the last one first `[s]`.
    leaving: Vec<(f64, usize)>,
    /// Last states of those that were.
    gone: BTreeMap<usize, BodyState>,
    steps: usize,
}

/// How many steps of a length reach a time.
pub fn steps_until(until: f64, dt: f64) -> usize {
    (until / dt - SHARE_OF_STEP).ceil().max(0.0) as usize
}

/// Runs a scene and takes down its states; time is not measured.
///
/// # Errors
/// If Rapier has no such shape.
pub fn run(scene: &Scene, about: &Description, how: Stepping) -> Result<Stepped, String> {
    let mut stage = Stage::new(scene, about, how)?;
    let free = about.free();
    let steps = steps_until(about.until, how.dt);
    let stride = Track::stride(steps, free.len());
    let (mut track, mut failed) = (Track::of(free), None);
    for step in 0..=steps {
        if step % stride == 0 || step == steps {
            stage.take_down(step as f64 * how.dt, &mut track);
        }
        if step < steps {
            stage.prepare();
            stage.step();
            failed = failed.or_else(|| stage.lost());
        }
    }
    Ok(Stepped { steps, cpu: f64::INFINITY, track, failed })
}

/// Runs a scene and measures the time of stepping, as the thread worked `[s]`.
///
/// # Errors
/// If Rapier has no such shape.
pub fn timed(scene: &Scene, about: &Description, how: Stepping) -> Result<f64, String> {
    let mut stage = Stage::new(scene, about, how)?;
    let started = Moment::now();
    for _ in 0..steps_until(about.until, how.dt) {
        stage.prepare();
        stage.step();
    }
    Ok(started.seconds())
}

impl<'a> Stage<'a> {
    /// At the beginning of a scene.
    ///
    /// # Errors
    /// If Rapier has no such shape, or a law is none.
    pub fn new(scene: &Scene, about: &'a Description, how: Stepping) -> Result<Self, String> {
        let mut world = rapier::PhysicsWorld::new();
        world.gravity = vector(about.gravity);
        world.integration_parameters.dt = how.dt;
        world.integration_parameters.length_unit = how.length_unit;
        world.integration_parameters.normalized_max_linear_velocity = NO_CAP;
        let hooks = Hooks::new(about);
        let mut handles = Vec::new();
        let mut laws = Vec::new();
        for (index, body) in about.bodies.iter().enumerate() {
            handles.push(insert(&mut world, index, body, about, hooks.needed())?);
            let spec = &scene.bodies[index];
            match spec.motion.law(&spec.world_from_body, spec.from) {
                Some(Ok(law)) => laws.push((index, law)),
                Some(Err(error)) => return Err(error.to_string()),
                None => {}
            }
        }
        Ok(Self {
            world,
            handles,
            description: about,
            hooks,
            laws,
            done: [0; 2],
            leaving: leaving(about),
            gone: BTreeMap::new(),
            steps: 0,
        })
    }

    /// What comes from outside before the next step.
    pub fn prepare(&mut self) {
        let dt = self.world.integration_parameters.dt;
        let steps = self.steps as f64;
        let is_due = |at: f64| (at / dt).round() <= steps;
        while let Some((_, index)) = self.leaving.pop_if(|(at, _)| is_due(*at)) {
            self.gone.insert(index, self.state(index));
            self.laws.retain(|(driven, _)| *driven != index);
            self.world.remove_body(self.handles[index]);
        }
        let about = self.description;
        for blow in about.impulses[self.done[0]..].iter().take_while(|it| is_due(it.at)) {
            self.done[0] += 1;
            self.strike(blow);
        }
        let changes = &about.gravity_changes[self.done[1]..];
        for (_, gravity) in changes.iter().take_while(|it| is_due(it.0)) {
            self.done[1] += 1;
            self.world.gravity = vector(*gravity);
        }
        for (index, law) in &self.laws {
            let body = &mut self.world.bodies[self.handles[*index]];
            body.set_next_kinematic_position(pose(&law.state_at((steps + 1.0) * dt).pose()));
        }
    }

    fn strike(&mut self, blow: &Blow) {
        let Some(body) = self.world.bodies.get_mut(self.handles[blow.body]) else { return };
        let point = match blow.point {
            None => body.center_of_mass(),
            Some(point) if blow.in_body => body.position().transform_point(vector(point)),
            Some(point) => vector(point),
        };
        body.apply_impulse_at_point(vector(blow.impulse), point, true);
        body.apply_torque_impulse(vector(blow.angular), true);
    }

    /// One step.
    pub fn step(&mut self) {
        self.world.step_with_events(&self.hooks, &());
        self.steps += 1;
    }

    /// Whether it gave up a body in the last step, which it does quietly.
    fn lost(&self) -> Option<String> {
        let lost = self.world.quarantine().bodies();
        let time = self.steps as f64 * self.world.integration_parameters.dt;
        (!lost.is_empty()).then(|| format!("it lost a body's numbers at {time:.3} s"))
    }

    /// The state of a body, of its centre of mass; of one that was taken away, its last.
    pub fn state(&self, index: usize) -> BodyState {
        if let Some(last) = self.gone.get(&index) {
            return *last;
        }
        let body = &self.world.bodies[self.handles[index]];
        let q = body.rotation();
        let array = |v: math::Vector| DVec3::new(v.x, v.y, v.z);
        BodyState {
            position: array(body.center_of_mass()),
            orientation: DQuat::from_xyzw(q.x, q.y, q.z, q.w),
            velocity: array(body.linvel()),
            angular_velocity: array(body.angvel()),
        }
    }

    fn take_down(&self, time: f64, track: &mut Track) {
        track.times.push(time);
        let bodies = std::mem::take(&mut track.bodies);
        track.states.extend(bodies.iter().map(|index| self.state(*index)));
        track.bodies = bodies;
    }
}

/// Bodies that are to be taken away, and when, the last one first `[s]`.
fn leaving(about: &Description) -> Vec<(f64, usize)> {
    let ends = about.bodies.iter().enumerate().filter_map(|(index, it)| Some((it.until?, index)));
    let mut leaving: Vec<(f64, usize)> = ends.collect();
    leaving.sort_by(|a, b| b.0.total_cmp(&a.0));
    leaving
}

fn vector(v: [f64; 3]) -> math::Vector {
    math::Vector::new(v[0], v[1], v[2])
}

fn rotation(q: [f64; 4]) -> math::Rotation {
    math::Rotation::from_xyzw(q[0], q[1], q[2], q[3])
}

fn pose(pose: &Pose) -> math::Pose {
    let translation = vector(pose.translation.to_array());
    math::Pose::from_parts(translation, rotation(pose.rotation.to_array()))
}

fn insert(
    world: &mut rapier::PhysicsWorld,
    index: usize,
    body: &BodyOf,
    about: &Description,
    hooks: rapier::ActiveHooks,
) -> Result<rapier::RigidBodyHandle, String> {
    let builder = match body.role {
        Role::Free => rapier::RigidBodyBuilder::dynamic(),
        Role::Fixed => rapier::RigidBodyBuilder::fixed(),
        Role::Driven => rapier::RigidBodyBuilder::kinematic_position_based(),
    };
    let place = math::Pose::from_parts(vector(body.position), rotation(body.orientation));
    let builder = builder.pose(place);
    let builder = builder.linvel(vector(body.velocity)).angvel(vector(body.angular_velocity));
    let builder = match &body.mass {
        Some(mass) => builder.additional_mass_properties(mass_of(mass)),
        None => builder,
    };
    let handle = world.insert_body(builder);
    let [friction, restitution] = about.materials[body.material];
    for part in &body.parts {
        let (shape, place) = shape(part)?;
        let collider = rapier::ColliderBuilder::new(shape)
            .position(place)
            .density(0.0)
            .friction(friction)
            .restitution(restitution)
            .friction_combine_rule(rapier::CoefficientCombineRule::GeometricMean)
            .restitution_combine_rule(rapier::CoefficientCombineRule::Max)
            .collision_groups(groups(body.layers))
            .active_hooks(hooks)
            .user_data(index as u128);
        world.insert_collider(collider, Some(handle));
    }
    Ok(handle)
}

fn groups([belongs, meets]: [u32; 2]) -> rapier::InteractionGroups {
    let bits = rapier::Group::from_bits_truncate;
    rapier::InteractionGroups::new(bits(belongs), bits(meets), rapier::InteractionTestMode::And)
}

fn mass_of(mass: &MassOf) -> rapier::MassProperties {
    let columns = mass.inertia.map(vector);
    let inertia = math::Matrix::from_cols(columns[0], columns[1], columns[2]);
    rapier::MassProperties::with_inertia_matrix(vector(mass.center), mass.mass, inertia)
}

/// A shape, and its place in the body's frame: Rapier's axes are along y, ours along z.
fn shape(part: &PartOf) -> Result<(rapier::SharedShape, math::Pose), String> {
    use rapier::SharedShape as Shape;
    let place = math::Pose::from_parts(vector(part.position), rotation(part.orientation));
    let upright = math::Pose::rotation(math::Vector::X * std::f64::consts::FRAC_PI_2);
    let vectors = |all: &[[f64; 3]]| all.iter().map(|p| vector(*p)).collect::<Vec<_>>();
    Ok(match &part.form {
        Form::Ball(radius) => (Shape::ball(*radius), place),
        Form::Box([x, y, z]) => (Shape::cuboid(*x, *y, *z), place),
        Form::Capsule(half, radius) => (Shape::capsule_z(*half, *radius), place),
        Form::Cylinder(half, radius) => (Shape::cylinder(*half, *radius), place * upright),
        Form::Cone(half, radius) => (Shape::cone(*half, *radius), place * upright),
        Form::Ellipsoid(_) => return Err("it has ellipsoids".to_owned()),
        Form::HalfSpace(normal, offset) => {
            let shift = math::Pose::from_translation(vector(*normal) * *offset);
            (Shape::halfspace(vector(*normal)), place * shift)
        }
        Form::Hull(points) => {
            let hull = Shape::convex_hull(&vectors(points)).ok_or("it makes no hull of a solid")?;
            (hull, place)
        }
        Form::Mesh(points, triangles) => {
            let mesh = Shape::trimesh(vectors(points), triangles.clone());
            (mesh.map_err(|error| error.to_string())?, place)
        }
    })
}

/// What the rule of combination does not know.
struct Hooks<'a> {
    about: &'a Description,
    excluded: BTreeSet<[usize; 2]>,
}

impl<'a> Hooks<'a> {
    fn new(about: &'a Description) -> Self {
        Self { about, excluded: about.exclusions.iter().copied().collect() }
    }

    fn needed(&self) -> rapier::ActiveHooks {
        let mut needed = rapier::ActiveHooks::empty();
        needed.set(rapier::ActiveHooks::FILTER_CONTACT_PAIRS, !self.excluded.is_empty());
        needed.set(rapier::ActiveHooks::MODIFY_SOLVER_CONTACTS, self.about.has_pairs);
        needed
    }
}

fn owners(colliders: &rapier::ColliderSet, pair: [rapier::ColliderHandle; 2]) -> [usize; 2] {
    let mut owners = pair.map(|handle| colliders[handle].user_data as usize);
    owners.sort_unstable();
    owners
}

impl rapier::PhysicsHooks for Hooks<'_> {
    fn filter_contact_pair(
        &self,
        context: &rapier::PairFilterContext<'_>,
    ) -> Option<rapier::SolverFlags> {
        let pair = owners(context.colliders, [context.collider1, context.collider2]);
        let is_free = |index: usize| self.about.bodies[index].role == Role::Free;
        let meet = pair.into_iter().any(is_free) && !self.excluded.contains(&pair);
        meet.then_some(rapier::SolverFlags::COMPUTE_RIGID_IMPULSES)
    }

    fn modify_solver_contacts(&self, context: &mut rapier::ContactModificationContext<'_>) {
        let pair = owners(context.colliders, [context.collider1, context.collider2]);
        let [a, b] = pair.map(|index| self.about.bodies[index].material);
        if let Some(manifold) = context.rigid_mut() {
            *manifold.friction = self.about.friction[a][b];
            *manifold.restitution = self.about.restitution[a][b];
        }
    }
}
