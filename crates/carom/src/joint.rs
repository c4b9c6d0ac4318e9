//! Joints: how to ask for one, and what a world keeps of it.
//!
//! A joint is stated as it stands in the world: a point, and axes in world axes, with both bodies where they are. Its coordinates
//! there are its *start*. From these follow the frames that the tree needs (`carom_dynamics::tree`): the link's frame L has its
//! origin at the joint and, but for planar joints, the axes of the body; the joint's frame F is fixed in the parent,
//!
//! ```text
//! world_from_F = world_from_L · P(start)⁻¹                                                              (1)
//! ```
//!
//! with P the placement that the joint gives by itself. A revolute, prismatic, screw or cylindrical axis is the same in F and in L.
//! Of a universal joint the second axis is fixed in L, and the first, fixed in F, is seen from L as R(u₂, −q₂)·u₁.

use carom_dynamics::linkage::{JointForce, Strength};
use carom_dynamics::tree;
use carom_geometry::{MassProperties, Pose};
use glam::{DMat3, DQuat, DVec3};

use crate::arena::handle;
use crate::body::BodyId;
use crate::error::{JointError, WorldError};
use crate::event::JointLoad;
use crate::world::World;

handle!(
    /// A joint of a world.
    JointId,
    "joint"
);

/// How a joint lets its child move; axes in world axes, as the bodies stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// Turns about an axis.
    Revolute {
        /// The axis.
        axis: DVec3,
    },
    /// Slides along an axis.
    Prismatic {
        /// The axis.
        axis: DVec3,
    },
    /// Turns about an axis and advances along it in proportion.
    Screw {
        /// The axis.
        axis: DVec3,
        /// Advance per radian; that per turn is 2π times as much `[m/rad]`.
        pitch: f64,
    },
    /// Turns about an axis and slides along it.
    Cylindrical {
        /// The axis.
        axis: DVec3,
    },
    /// Slides in a plane and turns about its normal.
    Planar {
        /// The normal. The plane's x and y are the world's, tilted the short way with its z.
        normal: DVec3,
    },
    /// Turns about an axis of the parent, and about one of the child.
    Universal {
        /// Fixed in the parent.
        first: DVec3,
        /// Fixed in the child.
        second: DVec3,
    },
    /// Turns about a point in every way.
    Spherical,
    /// Does not move.
    Fixed,
}

impl JointKind {
    /// Its name in files.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Revolute { .. } => "revolute",
            Self::Prismatic { .. } => "prismatic",
            Self::Screw { .. } => "screw",
            Self::Cylindrical { .. } => "cylindrical",
            Self::Planar { .. } => "planar",
            Self::Universal { .. } => "universal",
            Self::Spherical => "spherical",
            Self::Fixed => "fixed",
        }
    }

    /// How many freedoms it has.
    pub const fn freedoms(&self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute { .. } | Self::Prismatic { .. } | Self::Screw { .. } => 1,
            Self::Cylindrical { .. } | Self::Universal { .. } => 2,
            Self::Planar { .. } | Self::Spherical => 3,
        }
    }
}

/// A joint to be, as [`World::join`](crate::World::join) takes it.
///
/// ```
/// use carom::{Body, Joint, JointKind, World};
/// use carom_geometry::{Shape, shapes::Ball};
/// use glam::DVec3;
///
/// let mut world = World::builder().build()?;
/// let ball = Shape::Ball(Ball::new(0.05)?);
/// let bob = world.add(Body::free(ball).named("bob").at(DVec3::X))?;
/// let hinge = JointKind::Revolute { axis: DVec3::Y };
/// let pendulum = world.join(Joint::new(hinge, None, bob).at(DVec3::ZERO))?;
/// world.advance_to(0.5)?;
/// println!("{:?} rad", world.joint(pendulum).unwrap().coordinates());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    pub(crate) name: Option<String>,
    pub(crate) kind: JointKind,
    pub(crate) parent: Option<BodyId>,
    pub(crate) child: BodyId,
    pub(crate) at: Option<DVec3>,
    pub(crate) start: Vec<f64>,
    pub(crate) velocity: Option<Vec<f64>>,
    pub(crate) forces: Vec<JointForce>,
    pub(crate) strength: Strength,
    pub(crate) collides: bool,
}

impl Joint {
    /// Lets `child` move relative to `parent`, or to the world; both stay where they are.
    pub fn new(kind: JointKind, parent: impl Into<Option<BodyId>>, child: BodyId) -> Self {
        Self {
            name: None,
            kind,
            parent: parent.into(),
            child,
            at: None,
            start: Vec::new(),
            velocity: None,
            forces: vec![JointForce::default(); kind.freedoms()],
            strength: Strength::UNBREAKABLE,
            collides: false,
        }
    }

    /// What people call it; unique among the joints of its world.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// A point of the axis, the plane or the centre, in the world; the child's centre of mass unless stated `[m]`.
    #[must_use]
    pub fn at(mut self, point: DVec3) -> Self {
        self.at = Some(point);
        self
    }

    /// What its coordinates are as the bodies stand, zero unless stated; a spherical joint has none to state `[rad or m]`.
    #[must_use]
    pub fn start(mut self, coordinates: &[f64]) -> Self {
        self.start = coordinates.to_vec();
        self
    }

    /// The rates of its coordinates at first; of a spherical joint, the relative angular velocity in the child's axes. Unless
    /// stated they are what is left of the bodies' velocities when the joint holds them, as in a collision without any
    /// rebound `[rad/s or m/s]`.
    #[must_use]
    pub fn velocity(mut self, rates: &[f64]) -> Self {
        self.velocity = Some(rates.to_vec());
        self
    }

    /// What acts in all of its freedoms.
    #[must_use]
    pub fn force(mut self, force: JointForce) -> Self {
        self.forces.fill(force);
        self
    }

    /// What acts in each of its freedoms.
    #[must_use]
    pub fn forces(mut self, forces: &[JointForce]) -> Self {
        self.forces = forces.to_vec();
        self
    }

    /// Lets it break where it carries more than this.
    #[must_use]
    pub const fn breaking(mut self, strength: Strength) -> Self {
        self.strength = strength;
        self
    }

    /// Lets the two bodies touch each other, which those of a joint else do not.
    #[must_use]
    pub fn colliding(mut self) -> Self {
        self.collides = true;
        self
    }
}

/// A joint as the engine keeps it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JointRecord {
    pub(crate) name: String,
    pub(crate) parent: Option<BodyId>,
    pub(crate) child: BodyId,
    pub(crate) joint: tree::Joint,
    /// F in the parent's axes, with the parent's reference point as origin; in the world without a parent.
    pub(crate) parent_from_joint: Pose,
    /// The child's axes, with its reference point as origin, in L.
    pub(crate) link_from_body: Pose,
    pub(crate) forces: Vec<JointForce>,
    pub(crate) strength: Strength,
}

impl JointRecord {
    /// (1), for bodies that stand at these placements of their axes and reference points.
    pub(crate) fn of(
        joint: &Joint,
        name: String,
        world_from_parent: &Pose,
        world_from_child: &Pose,
    ) -> Result<Self, WorldError> {
        let refuse = |what: &'static str, value: String| {
            Err(WorldError::from(JointError::Value { joint: name.clone(), what, value }))
        };
        let at = joint.at.unwrap_or(world_from_child.translation);
        if !at.is_finite() {
            return refuse("place", at.to_string());
        }
        let freedoms = joint.kind.freedoms();
        let start = match (&joint.start[..], joint.kind) {
            ([], _) => vec![0.0; freedoms],
            (start, kind) if start.len() == freedoms && kind != JointKind::Spherical => {
                start.to_vec()
            }
            (start, _) => return refuse("start", format!("{start:?}")),
        };
        if start.iter().any(|it| !it.is_finite()) {
            return refuse("start", format!("{start:?}"));
        }
        if joint.forces.len() != freedoms {
            return refuse("number of forces", joint.forces.len().to_string());
        }
        for (overload, most) in joint.strength.parts() {
            if most.is_nan() || most <= 0.0 {
                return refuse("strength", format!("{} {most}", overload.name()));
            }
        }
        let units = units(&joint.kind);
        let Some(units) = units else {
            return refuse("axis", format!("{:?}", joint.kind));
        };
        let Frames { world_from_link, joint: kind } =
            frames(&units, world_from_child.rotation, &start);
        let world_from_link = Pose::new(at, world_from_link);
        let world_from_joint = world_from_link.then_from(&placement(kind, &start).inverse());
        Ok(Self {
            parent: joint.parent,
            child: joint.child,
            joint: kind,
            parent_from_joint: normalized(world_from_parent.inverse().then_from(&world_from_joint)),
            link_from_body: normalized(world_from_link.inverse().then_from(world_from_child)),
            forces: joint.forces.clone(),
            strength: joint.strength,
            name,
        })
    }

    /// The configuration of the joint at its start.
    pub(crate) fn configuration(&self, start: &[f64]) -> Vec<f64> {
        match self.joint {
            tree::Joint::Spherical => vec![0.0, 0.0, 0.0, 1.0],
            _ if start.is_empty() => vec![0.0; self.joint.n_q()],
            _ => start.to_vec(),
        }
    }
}

/// A joint to be asked.
#[derive(Clone, Copy, Debug)]
pub struct JointRef<'a> {
    world: &'a World,
    id: JointId,
    record: &'a JointRecord,
}

impl World {
    /// A joint.
    pub fn joint(&self, id: JointId) -> Option<JointRef<'_>> {
        self.state.joints.get(id).map(|record| JointRef { world: self, id, record })
    }

    /// All joints, in order of their ids.
    pub fn joints(&self) -> impl Iterator<Item = JointRef<'_>> {
        self.state.joints.iter().map(|(id, record)| JointRef { world: self, id, record })
    }

    /// The joint of this name.
    pub fn find_joint(&self, name: &str) -> Option<JointId> {
        self.scratch.joint_names.get(name).copied()
    }
}

impl<'a> JointRef<'a> {
    /// Its handle.
    pub const fn id(&self) -> JointId {
        self.id
    }

    /// What people call it.
    pub fn name(&self) -> &'a str {
        &self.record.name
    }

    /// The body that carries it; none for the world.
    pub const fn parent(&self) -> Option<BodyId> {
        self.record.parent
    }

    /// The body that it carries.
    pub const fn child(&self) -> BodyId {
        self.record.child
    }

    /// How it moves, in the axes of its link.
    pub const fn kind(&self) -> &'a tree::Joint {
        &self.record.joint
    }

    /// The name of its kind in files.
    pub const fn kind_name(&self) -> &'static str {
        match self.record.joint {
            tree::Joint::Revolute { .. } => "revolute",
            tree::Joint::Prismatic { .. } => "prismatic",
            tree::Joint::Screw { .. } => "screw",
            tree::Joint::Cylindrical { .. } => "cylindrical",
            tree::Joint::Planar => "planar",
            tree::Joint::Universal { .. } => "universal",
            tree::Joint::Spherical => "spherical",
            tree::Joint::Free => "free",
            tree::Joint::Fixed => "fixed",
        }
    }

    /// Its axes, unit vectors: one that is the same on both sides, of a planar joint the normal, of a universal joint that in
    /// the axes of [`Self::parent_from_joint`] and then that in those of [`Self::child_from_link`].
    pub fn axes(&self) -> Vec<DVec3> {
        match self.record.joint {
            tree::Joint::Revolute { axis }
            | tree::Joint::Prismatic { axis }
            | tree::Joint::Screw { axis, .. }
            | tree::Joint::Cylindrical { axis } => vec![axis],
            tree::Joint::Planar => vec![DVec3::Z],
            tree::Joint::Universal { first, second } => vec![first, second],
            tree::Joint::Spherical | tree::Joint::Free | tree::Joint::Fixed => Vec::new(),
        }
    }

    /// Of each freedom, whether it is a turn `[rad]` or a slide `[m]`.
    pub fn turns(&self) -> &'static [bool] {
        match self.record.joint {
            tree::Joint::Revolute { .. } | tree::Joint::Screw { .. } => &[true],
            tree::Joint::Prismatic { .. } => &[false],
            tree::Joint::Cylindrical { .. } => &[true, false],
            tree::Joint::Planar => &[false, false, true],
            tree::Joint::Universal { .. } => &[true, true],
            tree::Joint::Spherical => &[true; 3],
            tree::Joint::Free => &[true, true, true, false, false, false],
            tree::Joint::Fixed => &[],
        }
    }

    /// The frame in which its coordinates count: that of the parent's side, in the parent's axes with the parent's reference
    /// point as origin, or in the world without a parent.
    pub const fn parent_from_joint(&self) -> Pose {
        self.record.parent_from_joint
    }

    /// The frame of the child's side, in the child's axes with the child's reference point as origin; axes of [`Self::kind`]
    /// are in its axes.
    pub fn child_from_link(&self) -> Pose {
        self.record.link_from_body.inverse()
    }

    /// What acts in its freedoms.
    pub fn forces(&self) -> &'a [JointForce] {
        &self.record.forces
    }

    /// Its coordinates now; of a spherical joint a quaternion x y z w `[rad or m]`.
    pub fn coordinates(&self) -> Vec<f64> {
        self.state().map(|(q, _)| q).unwrap_or_default()
    }

    /// Its rates now; of a spherical joint the relative angular velocity in the child's axes `[rad/s or m/s]`.
    pub fn rates(&self) -> Vec<f64> {
        self.state().map(|(_, v)| v).unwrap_or_default()
    }

    /// Coordinates and rates now.
    pub(crate) fn state(&self) -> Option<(Vec<f64>, Vec<f64>)> {
        self.state_at(self.world.now())
    }

    /// Coordinates and rates at a time for which the present motion of its linkage holds.
    pub fn state_at(&self, time: f64) -> Option<(Vec<f64>, Vec<f64>)> {
        let group = self.world.group(self.world.state.bodies.get(self.record.child)?.group);
        let coupled = group.coupled()?;
        if !group.span(self.world.now()).contains(time) {
            return None;
        }
        let link = coupled.link_of(self.id)?;
        Some(coupled.joint_state_of(link, time))
    }

    /// What it can carry before it breaks.
    pub const fn strength(&self) -> Strength {
        self.record.strength
    }

    /// What it carries now: all that its parent's side does to its child's, in world axes, motor, spring, friction and stops
    /// included, as a force sensor in the joint would read it. In an instant at which its linkage was struck, that of just before.
    ///
    /// Bodies that rest on links in the impulse regime push them by impulses, which are no part of it.
    pub fn load(&self) -> Option<JointLoad> {
        self.load_at(self.world.now())
    }

    /// The same at a time for which the present motion of its linkage holds.
    pub fn load_at(&self, time: f64) -> Option<JointLoad> {
        let group = self.world.group(self.world.state.bodies.get(self.record.child)?.group);
        let coupled = group.coupled()?;
        let holds = group.is_restarted() || group.span(self.world.now()).contains(time);
        holds.then(|| coupled.load(coupled.link_of(self.id)?, time)).flatten()
    }

    /// What its motors give, as was last commanded `[N·m or N]`.
    pub fn torque(&self) -> Vec<f64> {
        let of = || {
            let group = self.world.group(self.world.state.bodies.get(self.record.child)?.group);
            let coupled = group.coupled()?;
            let link = coupled.link_of(self.id)?;
            Some(coupled.torque()[coupled.linkage().tree().v_range(link)].to_vec())
        };
        of().unwrap_or_default()
    }

    /// Where the child's side of the joint is, at a time for which the present motion of its linkage holds: its origin is on the
    /// axis, and the axes of [`Self::kind`] are in its axes.
    pub fn world_from_link(&self, time: f64) -> Option<Pose> {
        let state = self.world.state_at(self.record.child, time)?;
        Some(state.pose().then_from(&self.record.link_from_body.inverse()))
    }
}

struct Frames {
    world_from_link: DQuat,
    joint: tree::Joint,
}

/// The axes of L, and the joint in them.
fn frames(kind: &JointKind, world_from_body: DQuat, start: &[f64]) -> Frames {
    let seen = |axis: DVec3| world_from_body.conjugate() * axis;
    let joint = match *kind {
        JointKind::Revolute { axis } => tree::Joint::Revolute { axis: seen(axis) },
        JointKind::Prismatic { axis } => tree::Joint::Prismatic { axis: seen(axis) },
        JointKind::Screw { axis, pitch } => tree::Joint::Screw { axis: seen(axis), pitch },
        JointKind::Cylindrical { axis } => tree::Joint::Cylindrical { axis: seen(axis) },
        JointKind::Universal { first, second } => {
            let second = seen(second);
            tree::Joint::Universal { first: turn(second, start[1]) * seen(first), second }
        }
        JointKind::Spherical => tree::Joint::Spherical,
        JointKind::Fixed => tree::Joint::Fixed,
        JointKind::Planar { normal } => {
            let tilted = DQuat::from_rotation_arc(DVec3::Z, normal);
            let turned = tilted * turn(DVec3::Z, start[2]);
            return Frames { world_from_link: turned, joint: tree::Joint::Planar };
        }
    };
    Frames { world_from_link: world_from_body, joint }
}

/// The kind with its axes made unit; none where an axis has no direction.
fn units(kind: &JointKind) -> Option<JointKind> {
    let unit = |axis: DVec3| axis.try_normalize();
    Some(match *kind {
        JointKind::Revolute { axis } => JointKind::Revolute { axis: unit(axis)? },
        JointKind::Prismatic { axis } => JointKind::Prismatic { axis: unit(axis)? },
        JointKind::Screw { axis, pitch } => {
            pitch.is_finite().then_some(JointKind::Screw { axis: unit(axis)?, pitch })?
        }
        JointKind::Cylindrical { axis } => JointKind::Cylindrical { axis: unit(axis)? },
        JointKind::Planar { normal } => JointKind::Planar { normal: unit(normal)? },
        JointKind::Universal { first, second } => {
            JointKind::Universal { first: unit(first)?, second: unit(second)? }
        }
        JointKind::Spherical => JointKind::Spherical,
        JointKind::Fixed => JointKind::Fixed,
    })
}

/// P: what the joint by itself makes of its coordinates.
fn placement(joint: tree::Joint, start: &[f64]) -> Pose {
    match joint {
        tree::Joint::Revolute { axis } => Pose::new(DVec3::ZERO, turn(axis, start[0])),
        tree::Joint::Prismatic { axis } => Pose::from_translation(start[0] * axis),
        tree::Joint::Screw { axis, pitch } => {
            Pose::new(pitch * start[0] * axis, turn(axis, start[0]))
        }
        tree::Joint::Cylindrical { axis } => Pose::new(start[1] * axis, turn(axis, start[0])),
        tree::Joint::Planar => {
            Pose::new(DVec3::new(start[0], start[1], 0.0), turn(DVec3::Z, start[2]))
        }
        tree::Joint::Universal { first, second } => {
            Pose::new(DVec3::ZERO, turn(first, start[0]) * turn(second, start[1]))
        }
        tree::Joint::Spherical | tree::Joint::Fixed | tree::Joint::Free => Pose::IDENTITY,
    }
}

fn turn(axis: DVec3, angle: f64) -> DQuat {
    let (sin, cos) = libm::sincos(0.5 * angle);
    DQuat::from_vec4((sin * axis).extend(cos))
}

fn normalized(pose: Pose) -> Pose {
    Pose::new(pose.translation, pose.rotation.normalize())
}

/// Mass properties of a body in the frame of its link.
pub(crate) fn mass_in_link(mass: &carom_dynamics::Mass, link_from_body: &Pose) -> MassProperties {
    let turn = DMat3::from_quat(link_from_body.rotation * mass.body_from_principal);
    let tensor = turn * DMat3::from_diagonal(mass.moments) * turn.transpose();
    // Products round differently on the two sides of the diagonal.
    let inertia = 0.5 * (tensor + tensor.transpose());
    MassProperties { mass: mass.mass, center: link_from_body.translation, inertia }
}
