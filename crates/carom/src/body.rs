//! Bodies: how to ask for one, and what a world keeps of it.

use std::sync::Arc;

use carom_dynamics::{Law, Mass, Span};
use carom_geometry::distance::pieces::Pieces;
use carom_geometry::{Aabb, MassProperties, Pose, Shape};
use glam::DVec3;

use crate::arena::handle;
use crate::error::BodyError;
use crate::group::GroupId;
use crate::material::MaterialId;
use crate::near::Layers;

handle!(
    /// A body of a world.
    BodyId,
    "body"
);

/// A body to be, as [`World::add`](crate::World::add) takes it.
///
/// ```
/// use carom::Body;
/// use carom_geometry::{Shape, shapes::Ball};
/// use glam::DVec3;
///
/// let ball = Shape::Ball(Ball::new(0.1)?);
/// let body = Body::free(ball).named("ball").density(2700.0).at(DVec3::Z).velocity(DVec3::X);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Body {
    pub(crate) name: Option<String>,
    pub(crate) shape: Shape,
    pub(crate) role: Role,
    pub(crate) weight: Weight,
    pub(crate) world_from_frame: Pose,
    pub(crate) velocity: DVec3,
    pub(crate) angular_velocity: DVec3,
    pub(crate) material: Option<MaterialId>,
    pub(crate) surface_velocity: DVec3,
    pub(crate) ghost: bool,
    pub(crate) sensor: bool,
    pub(crate) layers: Layers,
    /// Bodies that it takes no notice of.
    pub(crate) except: Vec<BodyId>,
}

/// Who decides how the body moves.
#[derive(Clone, Debug)]
pub(crate) enum Role {
    Free,
    Fixed,
    Scripted(Law),
    /// Rides on another body's motion, at a placement in that body's frame.
    Carried(BodyId),
}

/// Where the body's mass comes from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Weight {
    Density(f64),
    Mass(f64),
    Given(MassProperties),
}

impl Body {
    fn new(shape: Shape, role: Role) -> Self {
        Self {
            name: None,
            shape,
            role,
            weight: Weight::Density(1000.0),
            world_from_frame: Pose::IDENTITY,
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            material: None,
            surface_velocity: DVec3::ZERO,
            ghost: false,
            sensor: false,
            layers: Layers::default(),
            except: Vec::new(),
        }
    }

    /// Moves as forces and impulses will have it; of the density of water unless told otherwise.
    pub fn free(shape: Shape) -> Self {
        Self::new(shape, Role::Free)
    }

    /// Stands where it is put.
    pub fn fixed(shape: Shape) -> Self {
        Self::new(shape, Role::Fixed)
    }

    /// A link without mass, which only holds joints together: it stands where it is put until a joint carries it, and then moves
    /// as its linkage does. What moves it must carry mass beyond it.
    pub fn massless(shape: Shape) -> Self {
        let none = MassProperties { mass: 0.0, center: DVec3::ZERO, inertia: glam::DMat3::ZERO };
        Self::new(shape, Role::Fixed).mass_properties(none)
    }

    /// Follows a law, which places the body frame in the world.
    pub fn scripted(shape: Shape, law: Law) -> Self {
        Self::new(shape, Role::Scripted(law))
    }

    /// Rides on a fixed or scripted body; its pose is then given in the frame of that carrier.
    pub fn carried(shape: Shape, carrier: BodyId) -> Self {
        Self::new(shape, Role::Carried(carrier))
    }

    /// What people call it; unique in its world.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Uniform density `[kg/m³]`.
    #[must_use]
    pub fn density(mut self, density: f64) -> Self {
        self.weight = Weight::Density(density);
        self
    }

    /// Total mass, uniformly distributed `[kg]`.
    #[must_use]
    pub fn mass(mut self, mass: f64) -> Self {
        self.weight = Weight::Mass(mass);
        self
    }

    /// Mass, centre and inertia as stated, in the body frame, whatever the shape.
    #[must_use]
    pub fn mass_properties(mut self, properties: MassProperties) -> Self {
        self.weight = Weight::Given(properties);
        self
    }

    /// Where the origin of the body frame is at first `[m]`.
    #[must_use]
    pub fn at(mut self, position: DVec3) -> Self {
        self.world_from_frame.translation = position;
        self
    }

    /// Where the body frame is at first.
    #[must_use]
    pub fn pose(mut self, world_from_frame: Pose) -> Self {
        self.world_from_frame = world_from_frame;
        self
    }

    /// Velocity of the centre of mass at first `[m/s]`.
    #[must_use]
    pub fn velocity(mut self, velocity: DVec3) -> Self {
        self.velocity = velocity;
        self
    }

    /// Angular velocity at first, in world axes `[rad/s]`.
    #[must_use]
    pub fn angular_velocity(mut self, angular_velocity: DVec3) -> Self {
        self.angular_velocity = angular_velocity;
        self
    }

    /// What its surface is made of.
    #[must_use]
    pub fn material(mut self, material: MaterialId) -> Self {
        self.material = Some(material);
        self
    }

    /// How fast its surface moves over it, like a conveyor belt, in the body frame; where it is touched, the part along
    /// the tangent plane counts `[m/s]`.
    #[must_use]
    pub fn surface_velocity(mut self, velocity: DVec3) -> Self {
        self.surface_velocity = velocity;
        self
    }

    /// Notices who enters and leaves it, and touches nobody.
    #[must_use]
    pub fn sensor(mut self) -> Self {
        self.sensor = true;
        self
    }

    /// Which layers it belongs to and which it meets.
    #[must_use]
    pub fn layers(mut self, layers: Layers) -> Self {
        self.layers = layers;
        self
    }

    /// Takes no notice of another body, which is there or
    /// [scheduled](crate::World::schedule_add) to come: neither now, when overlaps are refused, nor later.
    #[must_use]
    pub fn except(mut self, other: BodyId) -> Self {
        self.except.push(other);
        self
    }

    /// Whether it was made by [`Self::massless`].
    fn is_massless(&self) -> bool {
        let is_nothing = |it: &MassProperties| it.mass == 0.0 && it.inertia == glam::DMat3::ZERO;
        matches!(self.role, Role::Fixed)
            && matches!(&self.weight, Weight::Given(properties) if is_nothing(properties))
    }

    /// Passes through everything.
    #[must_use]
    pub fn ghost(mut self) -> Self {
        self.ghost = true;
        self
    }
}

/// What does not change of a body while it exists.
#[derive(Clone, Debug)]
pub(crate) struct BodyModel {
    pub(crate) name: String,
    pub(crate) shape: Shape,
    /// Of a body that has one; free bodies do.
    pub(crate) mass: Option<Mass>,
    /// The reference point in the body frame: centre of mass, or zero without mass `[m]`.
    pub(crate) reference: DVec3,
    /// Largest distance of a point of the shape from the reference point `[m]`.
    pub(crate) radius: f64,
    pub(crate) material: Option<MaterialId>,
    /// Of its surface over the body, in the body frame `[m/s]`.
    pub(crate) surface_velocity: DVec3,
    pub(crate) ghost: bool,
    pub(crate) sensor: bool,
    pub(crate) layers: Layers,
    /// The shape as convex pieces.
    pub(crate) pieces: Arc<Pieces>,
    /// Diameter of the ball around it; infinite of bodies without end `[m]`.
    pub(crate) size: f64,
}

impl BodyModel {
    /// Checks what was asked for.
    pub(crate) fn of(body: &Body, name: String) -> Result<Self, BodyError> {
        let properties = properties_of(body).map_err(|why| why.of(&name))?;
        let mass = match &properties {
            Some(_) if body.is_massless() => Some(Mass::NONE),
            Some(properties) => {
                let inertia = |fault| BodyError::Inertia { body: name.clone(), fault };
                Some(Mass::new(properties).map_err(inertia)?)
            }
            None => None,
        };
        let reference = properties.map_or(DVec3::ZERO, |properties| properties.center);
        let radius = body.shape.as_solid().radius_about(reference);
        if mass.is_some() && !radius.is_finite() {
            return Err(BodyError::Unbounded { body: name });
        }
        let pieces = Arc::new(Pieces::of(&body.shape));
        Ok(Self {
            name,
            shape: body.shape.clone(),
            mass,
            reference,
            radius,
            material: body.material,
            surface_velocity: body.surface_velocity,
            ghost: body.ghost,
            sensor: body.sensor,
            layers: body.layers,
            size: 2.0 * pieces.tree()[0].radius,
            pieces,
        })
    }

    /// Whether it only holds joints together.
    pub(crate) fn is_massless(&self) -> bool {
        self.mass == Some(Mass::NONE)
    }

    /// Placement of the shape in the frame whose origin is the reference point.
    pub(crate) fn body_from_shape(&self) -> Pose {
        Pose::from_translation(DVec3::ZERO - self.reference)
    }
}

/// What is wrong with a body's mass, before its name is known.
enum MassProblem {
    Shape(carom_geometry::MassError),
    Value(f64),
}

impl MassProblem {
    fn of(self, name: &str) -> BodyError {
        let body = name.to_owned();
        match self {
            Self::Shape(error) => BodyError::Mass { body, error },
            Self::Value(mass) => BodyError::MassValue { body, mass },
        }
    }
}

/// Mass properties in the body frame; none for shapes without end that do not move freely.
fn properties_of(body: &Body) -> Result<Option<MassProperties>, MassProblem> {
    let solid = body.shape.as_solid();
    let needs_mass = matches!(body.role, Role::Free);
    if let Weight::Given(properties) = &body.weight {
        return Ok(Some(*properties));
    }
    if !needs_mass && solid.volume().is_infinite() {
        return Ok(None);
    }
    match body.weight {
        Weight::Density(density) => {
            solid.mass_properties(density).map(Some).map_err(MassProblem::Shape)
        }
        Weight::Mass(mass) if mass.is_finite() && mass > 0.0 => {
            let unit = solid.mass_properties(1.0).map_err(MassProblem::Shape)?;
            let scaled = unit.times(mass / unit.mass).map_err(MassProblem::Shape)?;
            Ok(Some(MassProperties { mass, ..scaled }))
        }
        Weight::Mass(mass) => Err(MassProblem::Value(mass)),
        Weight::Given(properties) => Ok(Some(properties)),
    }
}

/// A body as the engine follows it.
#[derive(Clone, Debug)]
pub(crate) struct BodyRecord {
    pub(crate) model: Arc<BodyModel>,
    pub(crate) group: GroupId,
    /// Grows with every change of the body's motion; what was predicted under an older one is void.
    pub(crate) epoch: u64,
    /// When its present motion began `[s]`.
    pub(crate) since: f64,
    /// The times for which `swept` holds.
    pub(crate) window: Span,
    /// A box that the body does not leave during `window`; everything for shapes without end.
    pub(crate) swept: Aabb,
}

/// When a body began to move as it does; never if it is gone `[s]`.
pub(crate) fn began(bodies: &crate::arena::Arena<BodyId, BodyRecord>, body: BodyId) -> f64 {
    bodies.get(body).map_or(f64::INFINITY, |record| record.since)
}
