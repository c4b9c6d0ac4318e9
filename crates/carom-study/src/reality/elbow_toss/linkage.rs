//! The two boxes and their hinge, in the engine.

use carom::{Body, BodyId, Joint, JointId, JointKind, Material, RestitutionLaw, Surface, World};
use carom_geometry::shapes::{Cuboid, HalfSpace};
use carom_geometry::{Pose, Shape};
use glam::{DQuat, DVec3};

use super::super::Parameters;

/// Frames a second.
pub(super) const FRAME_RATE: f64 = 148.0;

/// As flight shows it in the tracker's lengths `[m/s²]`.
pub(super) const GRAVITY: f64 = 9.61;

/// Half edges of both boxes `[m]`.
const HALF: DVec3 = DVec3::new(0.05, 0.025, 0.025);

/// Of each box, nominal; only their ratio counts `[kg]`.
const MASS: f64 = 0.37;

/// Where the hinge is in the first box, whose y is its axis `[m]`.
const HINGE: DVec3 = DVec3::new(-0.035, 0.06, 0.0);

/// From the hinge to the centre of the second box, in its axes `[m]`.
const ARM: DVec3 = DVec3::new(0.035, 0.0, 0.0);

/// The envelope, a thousandth of an edge `[m]`.
const ENVELOPE: f64 = 1e-4;

/// Motion at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Start {
    /// Of the first box's centre.
    pub(super) position: DVec3,
    /// Of the first box.
    pub(super) orientation: DQuat,
    pub(super) velocity: DVec3,
    /// In the axes of the first box.
    pub(super) body_rates: DVec3,
    pub(super) hinge: f64,
    pub(super) hinge_rate: f64,
}

/// Where the second box is: its centre, and its axes.
fn second(position: DVec3, orientation: DQuat, hinge: f64) -> Pose {
    let (sin, cos) = libm::sincos(0.5 * hinge);
    let turned = orientation * DQuat::from_xyzw(0.0, sin, 0.0, cos);
    Pose::new(position + orientation * HINGE + turned * ARM, turned)
}

/// Height of the lowest corner of both boxes `[m]`.
pub(super) fn lowest_of(position: DVec3, orientation: DQuat, hinge: f64) -> f64 {
    let first = Pose::new(position, orientation);
    [first, second(position, orientation, hinge)]
        .map(|box_| {
            let up = box_.rotation.conjugate() * DVec3::Z;
            box_.translation.z - HALF.dot(up.abs())
        })
        .into_iter()
        .fold(f64::INFINITY, f64::min)
}

/// A simulated linkage.
pub(super) struct Simulation {
    world: World,
    first: BodyId,
    hinge: JointId,
}

impl Simulation {
    /// Over a table of these parameters, or over none.
    pub(super) fn new(start: &Start, table: Option<Parameters>) -> Option<Self> {
        let gravity = -GRAVITY * DVec3::Z;
        let mut world = World::builder().gravity(gravity).envelope(ENVELOPE).build().ok()?;
        let surface = match table {
            None => Surface::default(),
            Some(Parameters { friction, restitution }) => {
                Surface { friction, restitution, law: RestitutionLaw::Stronge }
            }
        };
        let material = world.add_material(Material { name: "box".into(), surface }).ok()?;
        if table.is_some() {
            let table = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).ok()?);
            world.add(Body::fixed(table).material(material)).ok()?;
        }
        let Start { position, orientation, velocity, body_rates, hinge, hinge_rate } = *start;
        let cuboid = Shape::Cuboid(Cuboid::new(HALF).ok()?);
        let body = |pose: Pose| Body::free(cuboid.clone()).mass(MASS).material(material).pose(pose);
        let spin = orientation * body_rates;
        let first =
            body(Pose::new(position, orientation)).velocity(velocity).angular_velocity(spin);
        let first = world.add(first).ok()?;
        let other = second(position, orientation, hinge);
        let (axis, pin) = (orientation * DVec3::Y, orientation * HINGE);
        let other_spin = spin + hinge_rate * axis;
        let arm = other.translation - position - pin;
        let moving = body(other)
            .velocity(velocity + spin.cross(pin) + other_spin.cross(arm))
            .angular_velocity(other_spin);
        let other = world.add(moving).ok()?;
        let joint = Joint::new(JointKind::Revolute { axis }, first, other)
            .at(position + pin)
            .start(&[hinge])
            .velocity(&[hinge_rate]);
        let hinge = world.join(joint).ok()?;
        Some(Self { world, first, hinge })
    }

    /// Motion at a time since the start, not before one asked for earlier.
    pub(super) fn at(&mut self, time: f64) -> Result<Start, String> {
        self.world.advance_to(time).map_err(|fault| fault.to_string())?;
        let state = self.world.state(self.first).ok_or("the box is gone")?;
        let joint = self.world.joint(self.hinge).ok_or("the hinge is gone")?;
        Ok(Start {
            position: state.position,
            orientation: state.orientation,
            velocity: state.velocity,
            body_rates: state.orientation.conjugate() * state.angular_velocity,
            hinge: joint.coordinates().first().copied().ok_or("the hinge has no angle")?,
            hinge_rate: joint.rates().first().copied().ok_or("the hinge has no rate")?,
        })
    }

    /// Energy that came from nowhere, of that at the start.
    pub(super) fn unbooked(&self) -> f64 {
        let account = self.world.account();
        account.residual.abs() / account.initial.abs().max(f64::MIN_POSITIVE)
    }
}

/// The first box alone and a hinge that turns evenly: what flight would be if the boxes did not act on each other.
pub(super) fn apart(start: &Start, time: f64) -> Option<Start> {
    let mass = carom::Mass::new(&carom_geometry::MassProperties {
        mass: MASS,
        center: DVec3::ZERO,
        inertia: glam::DMat3::from_diagonal(
            MASS / 3.0 * (DVec3::splat(HALF.length_squared()) - HALF * HALF),
        ),
    })
    .ok()?;
    let state = carom::BodyState {
        position: start.position,
        orientation: start.orientation,
        velocity: start.velocity,
        angular_velocity: start.orientation * start.body_rates,
    };
    let state = carom::Ballistic::new(0.0, state, -GRAVITY * DVec3::Z, &mass).state_at(time);
    Some(Start {
        position: state.position,
        orientation: state.orientation,
        velocity: state.velocity,
        body_rates: state.orientation.conjugate() * state.angular_velocity,
        hinge: start.hinge + time * start.hinge_rate,
        hinge_rate: start.hinge_rate,
    })
}
