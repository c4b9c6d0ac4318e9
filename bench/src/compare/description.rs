//! A scene as other engines understand it: plain data, and a reason where they cannot.

use carom_geometry::{Pose, Shape};
use carom_scene::{ChangeKind, MotionSpec, OnTouch, Point, Scene};
use glam::{DQuat, DVec3};
use serde::Serialize;

/// Everything that a time-stepping engine needs of a scene.
#[derive(Clone, Debug, Serialize)]
pub struct Description {
    /// Acceleration of free fall `[m/s²]`.
    pub gravity: [f64; 3],
    /// How long to simulate `[s]`.
    pub until: f64,
    /// Typical size of a free body: their median diameter, at most 1 `[m]`.
    pub length: f64,
    /// The bodies, in the order of the scene.
    pub bodies: Vec<BodyOf>,
    /// Friction of every pair of materials `[-]`.
    pub friction: Vec<Vec<f64>>,
    /// Restitution of every pair of materials `[-]`.
    pub restitution: Vec<Vec<f64>>,
    /// Of each material alone: friction, restitution `[-]`.
    pub materials: Vec<[f64; 2]>,
    /// Whether a pair of materials has values of its own, other than those of the rule of combination.
    pub has_pairs: bool,
    /// Pairs of bodies that take no notice of each other.
    pub exclusions: Vec<[usize; 2]>,
    /// Impulses by time.
    pub impulses: Vec<Blow>,
    /// Changes of gravity: time and value.
    pub gravity_changes: Vec<(f64, [f64; 3])>,
}

/// Who moves a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Gravity, contact and impulses.
    Free,
    /// Nobody.
    Fixed,
    /// A law.
    Driven,
}

/// A body.
#[derive(Clone, Debug, Serialize)]
pub struct BodyOf {
    /// Its name in the scene.
    pub name: String,
    /// Who moves it.
    pub role: Role,
    /// Where its frame is at the start `[m]`.
    pub position: [f64; 3],
    /// How its frame is turned, x, y, z, w.
    pub orientation: [f64; 4],
    /// Of the centre of mass `[m/s]`.
    pub velocity: [f64; 3],
    /// In world axes `[rad/s]`.
    pub angular_velocity: [f64; 3],
    /// Of a free body.
    pub mass: Option<MassOf>,
    /// Its shape; empty for those that pass through everything.
    pub parts: Vec<PartOf>,
    /// Index of its material.
    pub material: usize,
    /// Which layers it belongs to and meets, by bits.
    pub layers: [u32; 2],
    /// When it is taken away, if it is `[s]`.
    pub until: Option<f64>,
}

/// Mass of a body, in its frame.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct MassOf {
    /// `[kg]`.
    pub mass: f64,
    /// Centre of mass `[m]`.
    pub center: [f64; 3],
    /// About the centre of mass, by columns `[kg·m²]`.
    pub inertia: [[f64; 3]; 3],
}

/// A placed part of a shape.
#[derive(Clone, Debug, Serialize)]
pub struct PartOf {
    /// Its place in the body's frame `[m]`.
    pub position: [f64; 3],
    /// How it is turned, x, y, z, w.
    pub orientation: [f64; 4],
    /// What it is.
    pub form: Form,
}

/// A shape in its own frame; what has an axis has it along z.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Of this radius `[m]`.
    Ball(f64),
    /// Half its sides `[m]`.
    Box([f64; 3]),
    /// Half the length of the segment, radius `[m]`.
    Capsule(f64, f64),
    /// Half the length, radius `[m]`.
    Cylinder(f64, f64),
    /// Half the length, radius `[m]`.
    Cone(f64, f64),
    /// Semi-axes `[m]`.
    Ellipsoid([f64; 3]),
    /// Everything below a plane: normal, offset along it `[m]`.
    HalfSpace([f64; 3], f64),
    /// The hull of these points `[m]`.
    Hull(Vec<[f64; 3]>),
    /// A closed mesh: vertices `[m]`, triangles.
    Mesh(Vec<[f64; 3]>, Vec<[u32; 3]>),
}

/// An impulse.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Blow {
    /// When `[s]`.
    pub at: f64,
    /// Index of the body.
    pub body: usize,
    /// `[N·s]`.
    pub impulse: [f64; 3],
    /// Beyond the impulse `[N·m·s]`.
    pub angular: [f64; 3],
    /// Where it acts `[m]`; none for the centre of mass.
    pub point: Option<[f64; 3]>,
    /// Whether the point is in the body's frame.
    pub in_body: bool,
}

impl Description {
    /// Of a scene.
    ///
    /// # Errors
    /// What no time-stepping engine here can be told.
    pub fn of(scene: &Scene) -> Result<Self, String> {
        if scene.on_touch != OnTouch::Collide {
            return Err(format!("touches are to {}, not to collide", scene.on_touch.name()));
        }
        if !scene.joints.is_empty() || !scene.elements.is_empty() {
            return Err("bodies are tied by joints or springs".to_owned());
        }
        let n = scene.materials.len();
        let table = |value: &dyn Fn(carom::Surface) -> f64| -> Vec<Vec<f64>> {
            (0..n).map(|a| (0..n).map(|b| value(scene.surface(a, b))).collect()).collect()
        };
        let alone = |it: &carom_scene::Material| [it.surface.friction, it.surface.restitution];
        Ok(Self {
            gravity: scene.gravity.to_array(),
            until: scene.until,
            length: typical_length(scene),
            bodies: (0..scene.bodies.len()).map(|it| body(scene, it)).collect::<Result<_, _>>()?,
            friction: table(&|surface| surface.friction),
            restitution: table(&|surface| surface.restitution),
            materials: scene.materials.iter().map(alone).collect(),
            has_pairs: !scene.pairs.is_empty(),
            exclusions: scene.exclusions.clone(),
            impulses: scene.impulses.iter().map(blow).collect(),
            gravity_changes: changes(scene)?,
        })
    }

    /// Indices of the free bodies.
    pub fn free(&self) -> Vec<usize> {
        let free = |index: &usize| self.bodies[*index].role == Role::Free;
        (0..self.bodies.len()).filter(free).collect()
    }
}

fn changes(scene: &Scene) -> Result<Vec<(f64, [f64; 3])>, String> {
    let change = |change: &carom_scene::Change| match change.what {
        ChangeKind::Gravity(gravity) => Some(Ok((change.at, gravity.to_array()))),
        ChangeKind::Material { .. } => Some(Err("a material changes".to_owned())),
        ChangeKind::Carry { .. } | ChangeKind::Release(_) => {
            Some(Err("bodies are carried".to_owned()))
        }
        ChangeKind::Push { .. } => Some(Err("forces are held on bodies".to_owned())),
        ChangeKind::Target { .. }
        | ChangeKind::Enable { .. }
        | ChangeKind::Drive { .. }
        | ChangeKind::Part(_)
        | ChangeKind::Untie(_) => Some(Err("joints and springs change".to_owned())),
        // Told with the body.
        ChangeKind::Remove(_) => None,
    };
    scene.changes.iter().filter_map(change).collect()
}

/// When a body is taken away; none if it stays to the end `[s]`.
pub fn taken_away(scene: &Scene, index: usize) -> Option<f64> {
    let removals = scene.changes.iter().filter_map(|change| match change.what {
        ChangeKind::Remove(body) if body == index => Some(change.at),
        _ => None,
    });
    let end = removals.fold(scene.bodies[index].until, f64::min);
    (end <= scene.until).then_some(end)
}

fn blow(impulse: &carom_scene::Impulse) -> Blow {
    let (point, in_body) = match impulse.point {
        Point::CenterOfMass => (None, false),
        Point::World(point) => (Some(point.to_array()), false),
        Point::Body(point) => (Some(point.to_array()), true),
    };
    Blow {
        at: impulse.at,
        body: impulse.body,
        impulse: impulse.impulse.to_array(),
        angular: impulse.angular_impulse.to_array(),
        point,
        in_body,
    }
}

/// Who moves a body.
pub fn role(motion: &MotionSpec) -> Role {
    match motion {
        MotionSpec::Free => Role::Free,
        MotionSpec::Fixed => Role::Fixed,
        _ => Role::Driven,
    }
}

fn body(scene: &Scene, index: usize) -> Result<BodyOf, String> {
    let body = &scene.bodies[index];
    if body.from > 0.0 {
        return Err(format!("\"{}\" comes while time passes", body.name));
    }
    if body.surface_velocity != DVec3::ZERO {
        return Err(format!("the surface of \"{}\" moves over it", body.name));
    }
    let mut parts = Vec::new();
    if !body.ghost && !body.sensor {
        collect(&body.shape, &Pose::IDENTITY, &mut parts)?;
    }
    let role = role(&body.motion);
    let mass = body.mass.filter(|_| role == Role::Free).map(|mass| MassOf {
        mass: mass.mass,
        center: mass.center.to_array(),
        inertia: mass.inertia.to_cols_array_2d(),
    });
    Ok(BodyOf {
        name: body.name.clone(),
        role,
        position: body.world_from_body.translation.to_array(),
        orientation: body.world_from_body.rotation.to_array(),
        velocity: body.velocity.to_array(),
        angular_velocity: body.angular_velocity.to_array(),
        mass,
        parts,
        material: body.material,
        layers: [body.layers.belongs, body.layers.meets],
        until: taken_away(scene, index),
    })
}

fn collect(shape: &Shape, pose: &Pose, parts: &mut Vec<PartOf>) -> Result<(), String> {
    let points = |all: &[DVec3]| all.iter().map(DVec3::to_array).collect();
    let form = match shape {
        Shape::Ball(ball) => Form::Ball(ball.radius()),
        Shape::Cuboid(cuboid) => Form::Box(cuboid.half().to_array()),
        Shape::Capsule(it) => Form::Capsule(it.half_length(), it.radius()),
        Shape::Cylinder(it) => Form::Cylinder(it.half_length(), it.radius()),
        Shape::Cone(it) => Form::Cone(it.half_length(), it.radius()),
        Shape::Ellipsoid(it) => Form::Ellipsoid(it.semi_axes().to_array()),
        Shape::Superquadric(_) => return Err("it has superquadrics".to_owned()),
        Shape::HalfSpace(plane) => Form::HalfSpace(plane.normal().to_array(), plane.offset()),
        Shape::Polyhedron(hull) => Form::Hull(points(hull.vertices())),
        Shape::Mesh(mesh) => {
            Form::Mesh(points(mesh.mesh().vertices()), mesh.mesh().triangles().to_vec())
        }
        Shape::Compound(compound) => {
            for part in compound.parts() {
                collect(&part.shape, &pose.then_from(&part.body_from_shape), parts)?;
            }
            return Ok(());
        }
    };
    let Pose { translation, rotation } = *pose;
    let (position, orientation) = (translation.to_array(), DQuat::to_array(&rotation));
    parts.push(PartOf { position, orientation, form });
    Ok(())
}

fn typical_length(scene: &Scene) -> f64 {
    let free = scene.bodies.iter().filter(|body| body.motion == MotionSpec::Free);
    let mut sizes: Vec<f64> = free
        .map(|body| {
            let pieces = carom_geometry::distance::pieces::Pieces::of(&body.shape);
            2.0 * pieces.tree()[0].radius
        })
        .filter(|size| size.is_finite())
        .collect();
    sizes.sort_unstable_by(f64::total_cmp);
    sizes.get(sizes.len() / 2).map_or(1.0, |size| size.min(1.0))
}
