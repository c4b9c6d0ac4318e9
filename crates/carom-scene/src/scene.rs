//! A checked scene as plain data: what an engine needs to build its world.

use std::sync::Arc;

use carom::control::Target;
use carom::{ContactSettings, Impacts, Microcollisions, Regime, RestitutionLaw};
use carom_geometry::{MassProperties, Pose, Shape};
use glam::DVec3;

use crate::controller::Controller;
use crate::element::Element;
use crate::expectation::Expectation;
use crate::expression::Value;
use crate::files::EmbeddedFile;
use crate::gauge::Gauge;
use crate::joint::Joint;
use crate::material::{Material, MaterialPair};
use crate::problem::{Place, Sources};

/// Everything that a scene file says, checked, with defaults filled in and copies made.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What it is called; may be empty.
    pub title: String,
    /// What one should see; may be empty.
    pub description: String,
    /// All parameters with their values, in the order of the files.
    pub parameters: Vec<Parameter>,
    /// Acceleration of free fall `[m/s²]`.
    pub gravity: DVec3,
    /// How long to simulate `[s]`.
    pub until: f64,
    /// Where random numbers start.
    pub seed: u64,
    /// What comes of a touch.
    pub on_touch: OnTouch,
    /// How contact is worked out where [`Self::regimes`] says nothing else.
    pub regime: Regime,
    /// The collision envelope; none for [`ContactSettings::ENVELOPE_SHARE`] of each pair's smaller free body `[m]`.
    pub envelope: Option<f64>,
    /// How slow collisions are answered.
    pub microcollisions: Microcollisions,
    /// How impacts go through contacts that last.
    pub impacts: Impacts,
    /// Whether what rests by forces sleeps.
    pub sleeps: bool,
    /// How true linkages are integrated `[-]`.
    pub tolerance: f64,
    /// What to write down.
    pub record: Record,
    /// Where pictures are taken from; none for wherever everything that moves is in frame.
    pub camera: Option<SceneCamera>,
    /// The materials; the first is the default one, for bodies that name none.
    pub materials: Vec<Material>,
    /// What differs from the rule of combination, each pair once.
    pub pairs: Vec<MaterialPair>,
    /// The bodies, copies side by side, in the order of the files.
    pub bodies: Vec<Body>,
    /// The joints, copies side by side, in the order of the files. They form trees.
    pub joints: Vec<Joint>,
    /// The force elements, copies side by side, in the order of the files.
    pub elements: Vec<Element>,
    /// The controllers, in the order of the files.
    pub controllers: Vec<Controller>,
    /// The gauges, in the order of the files.
    pub gauges: Vec<Gauge>,
    /// Names of the layers, by their bits in [`carom::Layers`].
    pub layers: Vec<String>,
    /// Pairs of bodies that take no notice of each other, those of joints among them, as indices into [`Self::bodies`], the smaller first, each
    /// once and in order.
    pub exclusions: Vec<[usize; 2]>,
    /// How contact of given pairs is worked out, each once and in the order of their bodies.
    pub regimes: Vec<PairRegime>,
    /// Impulses by time; of equal times in the order of the files.
    pub impulses: Vec<Impulse>,
    /// Changes by time; of equal times in the order of the files.
    pub changes: Vec<Change>,
    /// The numbers that prove the run.
    pub expectations: Vec<Expectation>,
    /// Every file it was made from, the scene itself first.
    pub files: Vec<EmbeddedFile>,
    /// The texts that places point into, for later problems.
    pub sources: Arc<Sources>,
}

/// What comes of a touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnTouch {
    /// The bodies collide.
    #[default]
    Collide,
    /// The run ends.
    Stop,
    /// The bodies pass through each other.
    Pass,
}

impl OnTouch {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Collide, Self::Stop, Self::Pass];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Collide => "collide",
            Self::Stop => "stop",
            Self::Pass => "pass",
        }
    }

    /// By its name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// How contact of two bodies is worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairRegime {
    /// Indices into [`Scene::bodies`], the smaller first.
    pub bodies: [usize; 2],
    /// The regime.
    pub regime: Regime,
    /// Where it stands in the scene file.
    pub place: Place,
}

/// Contact settings given on top of a scene, see [`Options::contact`](crate::Options::contact); none leaves what the scene
/// says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactOverrides {
    /// What comes of a touch.
    pub on_touch: Option<OnTouch>,
    /// The regime of pairs for which the scene states none of their own.
    pub regime: Option<Regime>,
    /// The collision envelope of all pairs `[m]`.
    pub envelope: Option<f64>,
    /// What restitution multiplies, of all materials and pairs.
    pub law: Option<RestitutionLaw>,
}

impl ContactOverrides {
    /// Whether nothing is given.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A named value.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Value,
    /// Smallest value allowed.
    pub min: Option<f64>,
    /// Largest value allowed.
    pub max: Option<f64>,
    /// Its unit, for people; may be empty.
    pub unit: String,
    /// A remark; may be empty.
    pub about: String,
    /// Where its value stands; the value of an override stands in a text of its own.
    pub place: Place,
}

/// What to write down while the scene runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// How often states are written `[Hz]`.
    pub rate_hz: f64,
    /// Which bodies, as indices into [`Scene::bodies`], ascending.
    pub bodies: Vec<usize>,
    /// Whether events are written.
    pub events: bool,
}

/// Where pictures are taken from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneCamera {
    /// Where the camera is `[m]`.
    pub eye: DVec3,
    /// The point in the middle of the picture `[m]`.
    pub target: DVec3,
    /// What is up in the picture; none for against gravity.
    pub up: Option<DVec3>,
    /// Angle between the lower and the upper edge of the picture; none for the default `[rad]`.
    pub fov: Option<f64>,
}

/// A rigid body as it starts.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its own name.
    pub name: String,
    /// Its shape in its own frame; copies share it.
    pub shape: Arc<Shape>,
    /// Mass, centre and inertia in its own frame; some for every free body, but for those that only hold joints together.
    pub mass: Option<MassProperties>,
    /// Where its frame is at the start. A law of motion that says otherwise wins.
    pub world_from_body: Pose,
    /// Velocity of the centre of mass `[m/s]`; zero unless free.
    pub velocity: DVec3,
    /// Angular velocity, world axes `[rad/s]`; zero unless free.
    pub angular_velocity: DVec3,
    /// Of its surface over the body, in its own axes `[m/s]`.
    pub surface_velocity: DVec3,
    /// How it moves.
    pub motion: MotionSpec,
    /// Index into [`Scene::materials`].
    pub material: usize,
    /// Its colour, red, green and blue; none for the viewer to choose.
    pub color: Option<[u8; 3]>,
    /// Whether it passes through everything.
    pub ghost: bool,
    /// Whether it notices who enters and leaves it, and touches nobody.
    pub sensor: bool,
    /// Which layers it belongs to and which it meets, by bits.
    pub layers: carom::Layers,
    /// When it appears `[s]`.
    pub from: f64,
    /// When it vanishes `[s]`; infinite for never.
    pub until: f64,
    /// Where it stands in the scene file.
    pub place: Place,
}

/// How a body moves.
#[derive(Clone, Debug, PartialEq)]
pub enum MotionSpec {
    /// By gravity, contact and impulses.
    Free,
    /// Not at all.
    Fixed,
    /// With constant velocity of its frame's origin.
    Constant {
        /// Velocity of the origin `[m/s]`.
        velocity: DVec3,
        /// Angular velocity, world axes `[rad/s]`.
        angular_velocity: DVec3,
    },
    /// Around an ellipse without turning: center + a·cos(ωt + φ) + b·sin(ωt + φ).
    Cycler {
        /// Centre of the ellipse `[m]`.
        center: DVec3,
        /// The vector a `[m]`.
        semi_axis_a: DVec3,
        /// The vector b `[m]`.
        semi_axis_b: DVec3,
        /// ω `[rad/s]`.
        rate: f64,
        /// φ `[rad]`.
        phase: f64,
    },
    /// Swings about the starting placement; turns are applied in the order of the terms, the first innermost,
    /// and shifts are added.
    Oscillator {
        /// The terms.
        terms: Vec<OscillatorTerm>,
    },
    /// Through given placements, in straight lines and even turns.
    Waypoints {
        /// The placements, times increasing.
        points: Vec<Waypoint>,
        /// Whether it starts anew after the last.
        repeat: bool,
    },
}

impl MotionSpec {
    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Free | Self::Fixed => true,
            Self::Constant { velocity, angular_velocity } => {
                velocity.is_finite() && angular_velocity.is_finite()
            }
            Self::Cycler { center, semi_axis_a, semi_axis_b, rate, phase } => {
                let vectors = [center, semi_axis_a, semi_axis_b];
                vectors.iter().all(|vector| vector.is_finite())
                    && rate.is_finite()
                    && phase.is_finite()
            }
            Self::Oscillator { terms } => terms.iter().all(OscillatorTerm::is_finite),
            Self::Waypoints { points, .. } => points
                .iter()
                .all(|point| point.time.is_finite() && is_finite(&point.world_from_body)),
        }
    }
}

/// Whether every number of a placement is finite.
pub(crate) fn is_finite(pose: &Pose) -> bool {
    pose.translation.is_finite() && pose.rotation.is_finite()
}

/// A term of an oscillator, amplitude·sin(ωt + φ).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OscillatorTerm {
    /// A shift.
    Shift {
        /// Unit direction `[-]`.
        along: DVec3,
        /// Largest shift `[m]`.
        amplitude: f64,
        /// ω `[rad/s]`.
        rate: f64,
        /// φ `[rad]`.
        phase: f64,
    },
    /// A turn.
    Turn {
        /// Unit axis `[-]`.
        about: DVec3,
        /// A point that stays `[m]`.
        pivot: DVec3,
        /// Largest angle `[rad]`.
        amplitude: f64,
        /// ω `[rad/s]`.
        rate: f64,
        /// φ `[rad]`.
        phase: f64,
    },
}

impl OscillatorTerm {
    fn is_finite(&self) -> bool {
        let (Self::Shift { along: axis, amplitude, rate, phase }
        | Self::Turn { about: axis, amplitude, rate, phase, .. }) = self;
        let pivot = if let Self::Turn { pivot, .. } = self { *pivot } else { DVec3::ZERO };
        let numbers = [*amplitude, *rate, *phase];
        axis.is_finite() && pivot.is_finite() && numbers.into_iter().all(f64::is_finite)
    }
}

/// A placement and its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    /// When `[s]`.
    pub time: f64,
    /// Where.
    pub world_from_body: Pose,
}

/// Where an impulse acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Point {
    /// At the centre of mass.
    CenterOfMass,
    /// At a point of the world `[m]`.
    World(DVec3),
    /// At a point of the body's frame `[m]`.
    Body(DVec3),
}

/// An impulse on a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Impulse {
    /// When `[s]`.
    pub at: f64,
    /// Index into [`Scene::bodies`].
    pub body: usize,
    /// The impulse `[N·s]`.
    pub impulse: DVec3,
    /// An angular impulse beyond it `[N·m·s]`.
    pub angular_impulse: DVec3,
    /// Where the impulse acts.
    pub point: Point,
    /// Where it stands in the scene file.
    pub place: Place,
}

/// A change of the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// When `[s]`.
    pub at: f64,
    /// What changes.
    pub what: ChangeKind,
    /// Where it stands in the scene file.
    pub place: Place,
}

/// What changes. Bodies, materials and all else are indices into the scene's lists.
#[derive(Clone, Debug, PartialEq)]
pub enum ChangeKind {
    /// The acceleration of free fall `[m/s²]`.
    Gravity(DVec3),
    /// The coefficients of a material; none stays as it is.
    Material {
        /// Which one.
        material: usize,
        /// New friction `[-]`.
        friction: Option<f64>,
        /// New restitution `[-]`.
        restitution: Option<f64>,
    },
    /// A body vanishes.
    Remove(usize),
    /// A body moves along with another.
    Carry {
        /// The body that is carried.
        body: usize,
        /// The body that carries.
        by: usize,
    },
    /// A carried body is let go.
    Release(usize),
    /// Freedoms of a controller get other targets.
    Target {
        /// Index into [`Scene::controllers`].
        controller: usize,
        /// Joints, as indices into [`Scene::joints`], their freedoms, and what these aim at.
        targets: Vec<(usize, usize, Target)>,
    },
    /// A controller is switched on or off.
    Enable {
        /// Index into [`Scene::controllers`].
        controller: usize,
        /// Whether it ticks.
        enabled: bool,
    },
    /// A motor gives something else.
    Drive {
        /// Index into [`Scene::joints`].
        joint: usize,
        /// One for each freedom `[N·m or N]`.
        effort: Vec<f64>,
    },
    /// A body is pushed from now on.
    Push {
        /// Index into [`Scene::bodies`].
        body: usize,
        /// In world axes `[N]`.
        force: DVec3,
        /// Beyond that of the force, in world axes `[N·m]`.
        torque: DVec3,
        /// Where the force acts.
        point: Point,
    },
    /// A joint lets go; an index into [`Scene::joints`].
    Part(usize),
    /// A force element goes; an index into [`Scene::elements`].
    Untie(usize),
}

impl Body {
    /// Whether every number that is not meant to be infinite is finite.
    pub fn is_finite(&self) -> bool {
        let mass = self.mass.is_none_or(|mass| {
            mass.mass.is_finite() && mass.center.is_finite() && mass.inertia.is_finite()
        });
        let velocities = [self.velocity, self.angular_velocity, self.surface_velocity];
        let velocities = velocities.into_iter().all(DVec3::is_finite);
        mass && velocities && is_finite(&self.world_from_body) && self.motion.is_finite()
    }
}

impl Scene {
    /// What touching bodies do.
    pub fn contact(&self) -> ContactSettings {
        ContactSettings {
            regime: self.regime,
            envelope: self.envelope,
            microcollisions: self.microcollisions,
            impacts: self.impacts,
            sleepless: !self.sleeps,
            passes: self.on_touch != OnTouch::Collide,
        }
    }

    /// The index of the body with that name.
    pub fn body_index(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|body| body.name == name)
    }

    /// The value of the parameter with that name.
    pub fn parameter(&self, name: &str) -> Option<&Value> {
        self.parameters
            .iter()
            .find(|parameter| parameter.name == name)
            .map(|parameter| &parameter.value)
    }

    /// Friction, restitution and law where two materials touch; indices into [`Self::materials`].
    ///
    /// # Panics
    /// If an index is out of range.
    pub fn surface(&self, a: usize, b: usize) -> carom::Surface {
        let of_pair =
            self.pairs.iter().find(|pair| pair.materials == [a, b] || pair.materials == [b, a]);
        of_pair.map_or_else(
            || self.materials[a].surface.combined(&self.materials[b].surface),
            |pair| pair.surface,
        )
    }
}
