//! Deliberate errors, to show that a wrong answer is noticed.

use glam::{DMat3, DVec3};

use carom::{Account, Contact, Nearest, Push, Surface};
use carom_contact::collision::{Answer, Collision, Ending, RestitutionLaw, impulse_to};
use carom_dynamics::tree::constraint::Hold;
use carom_dynamics::{BodyState, Mass, Travel};
use carom_geometry::mass::PrincipalFrame;
use carom_geometry::{Aabb, MassProperties, TriMesh};

/// A mistake that an implementation could make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The first entry of every inertia tensor is 1.001 times too large.
    InertiaEntry,
    /// One face of every mesh is wound the wrong way.
    FlippedFace,
    /// The third principal axis points the other way, so that the frame is left-handed.
    MirroredAxis,
    /// Every centre of mass is off by a thousandth of a unit along each axis.
    ShiftedCenter,
    /// Every volume, area, distance, speed, share and count is 1.001 times too large.
    ScaledExtent,
    /// Every direction is taken for its opposite.
    FlippedNormal,
    /// The middle principal moment of every body that moves is a millionth too large.
    PerturbedMoment,
    /// Gravity is a millionth too strong.
    StrongGravity,
    /// Every motion is asked for a time that is a millionth later.
    LateReading,
    /// Every orientation is a billionth longer than a unit quaternion.
    StretchedQuaternion,
    /// Every bound on a motion is a thousandth too small.
    LoweredBound,
    /// No impulse reaches its body.
    DroppedImpulse,
    /// A thousandth of the work from outside is not booked.
    UnbookedWork,
    /// Every clock ticks at 0.999 of its rate.
    SlowClock,
    /// Every touch is told a millionth too late, and a micrometre beside its place.
    LateTouch,
    /// What a scene measures is a thousandth more than it may be, or less where it may be anything more.
    MisreadMeasure,
    /// Every coefficient of restitution is 0.999 of what it should be.
    WeakRebound,
    /// Every coefficient of friction is a hundredth too large.
    StrongFriction,
    /// Friction keeps the direction that it has when a collision begins.
    FrozenSliding,
    /// Every law of restitution is taken for Newton's.
    VelocityLaw,
    /// Accelerations of linkages know nothing of velocities: no Coriolis and no centrifugal terms.
    LostCoriolis,
    /// Two links of one linkage answer a collision as if they were strangers, by K₁ + K₂ without cross terms.
    SummedResponses,
    /// The acceleration of a floating link is taken for the derivative of its velocity in its own axes, without ω × v.
    DroppedTransport,
    /// Stops and legs hold both ways, so that they pull where they should let go.
    StickyStop,
    /// Every motor gives a thousandth more than it is told.
    StrongMotor,
    /// What is done with a tree of n links is done n/100 times.
    GrowingCost,
    /// Forces of a complementarity problem are more by a thousandth of the largest, by two, by three and so on.
    ExtraForce,
}

/// By how much [`Fault::PerturbedMoment`], [`Fault::StrongGravity`] and [`Fault::LateReading`] err: far below
/// what anybody would see, far above what the rows allow `[-]`.
const MILLIONTH: f64 = 1e-6;

impl Fault {
    /// All of them, with the names that a person types.
    pub const ALL: [(&'static str, Self); 27] = [
        ("inertia-entry", Self::InertiaEntry),
        ("flipped-face", Self::FlippedFace),
        ("mirrored-axis", Self::MirroredAxis),
        ("shifted-center", Self::ShiftedCenter),
        ("scaled-extent", Self::ScaledExtent),
        ("flipped-normal", Self::FlippedNormal),
        ("perturbed-moment", Self::PerturbedMoment),
        ("strong-gravity", Self::StrongGravity),
        ("late-reading", Self::LateReading),
        ("stretched-quaternion", Self::StretchedQuaternion),
        ("lowered-bound", Self::LoweredBound),
        ("dropped-impulse", Self::DroppedImpulse),
        ("unbooked-work", Self::UnbookedWork),
        ("slow-clock", Self::SlowClock),
        ("late-touch", Self::LateTouch),
        ("misread-measure", Self::MisreadMeasure),
        ("weak-rebound", Self::WeakRebound),
        ("strong-friction", Self::StrongFriction),
        ("frozen-sliding", Self::FrozenSliding),
        ("velocity-law", Self::VelocityLaw),
        ("lost-coriolis", Self::LostCoriolis),
        ("summed-responses", Self::SummedResponses),
        ("dropped-transport", Self::DroppedTransport),
        ("sticky-stop", Self::StickyStop),
        ("strong-motor", Self::StrongMotor),
        ("growing-cost", Self::GrowingCost),
        ("extra-force", Self::ExtraForce),
    ];
}

/// The API under test: passes its answers on, spoilt by a fault if there is one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Subject {
    fault: Option<Fault>,
}

impl Subject {
    /// With a deliberate error.
    pub const fn with_fault(fault: Fault) -> Self {
        Self { fault: Some(fault) }
    }

    fn has(self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    /// What a scene measured, on its way out, and between what it may lie.
    pub(crate) fn measure(self, measured: f64, [low, high]: [f64; 2]) -> f64 {
        let beside = |bound: f64| 1e-3 * bound.abs().max(1.0);
        match self.has(Fault::MisreadMeasure) {
            false => measured,
            true if high.is_finite() => high + beside(high),
            true => low - beside(low),
        }
    }

    /// A mesh on its way into the API.
    pub(crate) fn mesh(self, mesh: TriMesh) -> TriMesh {
        if !self.has(Fault::FlippedFace) {
            return mesh;
        }
        // The one most across x, for volumes are summed along x.
        let across = |&t: &usize| {
            let [a, b, c] = mesh.corners(t);
            (b - a).cross(c - a).x.abs()
        };
        let mut triangles = mesh.triangles().to_vec();
        let worst = (0..triangles.len()).max_by(|s, t| across(s).total_cmp(&across(t)));
        triangles[worst.unwrap_or(0)].swap(1, 2);
        TriMesh::new(mesh.vertices().to_vec(), triangles).unwrap_or(mesh)
    }

    /// Mass properties on their way out.
    pub(crate) fn mass(self, mut mass: MassProperties) -> MassProperties {
        if self.has(Fault::InertiaEntry) {
            mass.inertia.x_axis.x *= 1.001;
        }
        if self.has(Fault::ShiftedCenter) {
            mass.center += DVec3::splat(1e-3);
        }
        mass.mass = self.extent(mass.mass);
        mass
    }

    /// Principal axes on their way out.
    pub(crate) fn principal(self, mut frame: PrincipalFrame) -> PrincipalFrame {
        if self.has(Fault::MirroredAxis) {
            frame.axes.z_axis = -frame.axes.z_axis;
        }
        frame
    }

    /// A volume, area, distance, speed, share or count on its way out.
    pub(crate) fn extent(self, value: f64) -> f64 {
        if self.has(Fault::ScaledExtent) { value * 1.001 } else { value }
    }

    /// A direction on its way into the API or out of it.
    pub(crate) fn direction(self, direction: DVec3) -> DVec3 {
        if self.has(Fault::FlippedNormal) { -direction } else { direction }
    }
}

/// Motion.
impl Subject {
    /// Mass and moments on their way into a motion.
    pub(crate) fn moving(self, mut mass: Mass) -> Mass {
        if self.has(Fault::PerturbedMoment) {
            mass.moments.y *= 1.0 + MILLIONTH;
        }
        mass
    }

    /// Gravity on its way in.
    pub(crate) fn gravity(self, gravity: DVec3) -> DVec3 {
        if self.has(Fault::StrongGravity) { gravity * (1.0 + MILLIONTH) } else { gravity }
    }

    /// The time for which a motion or a world is asked.
    pub(crate) fn time(self, time: f64) -> f64 {
        if self.has(Fault::LateReading) { time + MILLIONTH * time.abs() } else { time }
    }

    /// A state on its way out.
    pub(crate) fn state(self, mut state: BodyState) -> BodyState {
        if self.has(Fault::StretchedQuaternion) {
            state.orientation *= 1.0 + 1e-9;
        }
        state
    }

    /// A bound on its way out.
    pub(crate) fn bound(self, bound: f64) -> f64 {
        if self.has(Fault::LoweredBound) { bound * 0.999 } else { bound }
    }

    /// A bound on travel on its way out.
    pub(crate) fn travel(self, travel: Travel) -> Travel {
        Travel { a: self.bound(travel.a), b: self.bound(travel.b), ..travel }
    }

    /// A box on its way out.
    pub(crate) fn swept(self, mut swept: Aabb) -> Aabb {
        if self.has(Fault::LoweredBound) {
            swept.max -= 1e-3 * swept.extents();
        }
        swept
    }

    /// An impulse on its way in.
    pub(crate) fn push(self, push: Push) -> Push {
        if self.has(Fault::DroppedImpulse) {
            return Push { linear: DVec3::ZERO, angular: DVec3::ZERO, ..push };
        }
        push
    }

    /// An account on its way out.
    pub(crate) fn account(self, mut account: Account) -> Account {
        if self.has(Fault::UnbookedWork) {
            account.residual += 1e-3 * account.work;
            account.work *= 0.999;
        }
        account
    }

    /// A rate of ticks on its way in.
    pub(crate) fn hertz(self, hertz: f64) -> f64 {
        if self.has(Fault::SlowClock) { 0.999 * hertz } else { hertz }
    }
}

/// Distances and touches.
impl Subject {
    /// A distance with its normal on its way out.
    pub(crate) fn nearest(self, mut nearest: Nearest) -> Nearest {
        nearest.distance = self.extent(nearest.distance);
        nearest.normal = self.direction(nearest.normal);
        nearest
    }

    /// The time of a touch or a passage on its way out.
    pub(crate) fn told(self, time: f64) -> f64 {
        if self.has(Fault::LateTouch) { time * (1.0 + MILLIONTH) } else { time }
    }

    /// A touch on its way out.
    pub(crate) fn touch(self, time: f64, mut contact: Contact) -> (f64, Contact) {
        if self.has(Fault::LateTouch) {
            contact.point += MILLIONTH * DVec3::ONE;
        }
        contact.normal = self.direction(contact.normal);
        (self.told(time), contact)
    }
}

/// Collisions.
impl Subject {
    /// A collision on its way in, and its answer on its way out.
    pub(crate) fn collide(self, mut collision: Collision) -> Answer {
        if self.has(Fault::WeakRebound) {
            collision.restitution *= 0.999;
        }
        if self.has(Fault::StrongFriction) {
            collision.friction *= 1.01;
        }
        if self.has(Fault::VelocityLaw) {
            collision.law = RestitutionLaw::Newton;
        }
        if self.has(Fault::DroppedImpulse) {
            return straight(&collision, DVec3::ZERO, 0.0);
        }
        match collision.velocity.truncate().try_normalize() {
            Some(direction) if self.has(Fault::FrozenSliding) => {
                let along = (-collision.friction * direction).extend(1.0);
                let rate = (collision.matrix * along).z;
                let push = -(1.0 + collision.restitution) * collision.velocity.z / rate;
                straight(&collision, along, push)
            }
            _ => collision.solve(),
        }
    }

    /// What a pair of surfaces does, on its way in.
    pub(crate) fn surface(self, mut surface: Surface) -> Surface {
        if self.has(Fault::WeakRebound) {
            surface.restitution *= 0.999;
        }
        if self.has(Fault::StrongFriction) {
            surface.friction *= 1.01;
        }
        if self.has(Fault::VelocityLaw) {
            surface.law = RestitutionLaw::Newton;
        }
        surface
    }

    /// The impulse that reverses a velocity on its way out, if friction allows it.
    pub(crate) fn reverse(self, matrix: &DMat3, velocity: DVec3, friction: f64) -> Option<DVec3> {
        let limit = if self.has(Fault::StrongFriction) { 1.01 * friction } else { friction };
        let impulse = impulse_to(matrix, velocity, -velocity, limit)?;
        Some(if self.has(Fault::DroppedImpulse) { DVec3::ZERO } else { impulse })
    }
}

/// Linkages.
impl Subject {
    /// Rates of a linkage on their way into its dynamics.
    pub(crate) fn rates(self, rates: &[f64]) -> Vec<f64> {
        if self.has(Fault::LostCoriolis) { vec![0.0; rates.len()] } else { rates.to_vec() }
    }

    /// The response of two points that strike each other, from the blocks of both: own ones, and between them.
    pub(crate) fn pair_response(self, own: [DMat3; 2], between: [DMat3; 2]) -> DMat3 {
        let sum = own[0] + own[1];
        if self.has(Fault::SummedResponses) { sum } else { sum - between[0] - between[1] }
    }

    /// Derivative of a velocity in the axes of its link, from that and the acceleration in these axes.
    pub(crate) fn transported(self, derivative: DVec3, spin: DVec3, velocity: DVec3) -> DVec3 {
        if self.has(Fault::DroppedTransport) {
            return derivative + spin.cross(velocity);
        }
        derivative
    }

    /// Which way a constraint holds, on its way in.
    pub(crate) fn hold(self, hold: Hold) -> Hold {
        if self.has(Fault::StickyStop) { Hold::Both } else { hold }
    }

    /// How often something is done that is to be done once, with a tree of so many links.
    pub(crate) fn repeats(self, links: usize) -> usize {
        if self.has(Fault::GrowingCost) { links.div_ceil(100) } else { 1 }
    }

    /// A torque or a gain on its way to a motor.
    pub(crate) fn motor(self, torque: f64) -> f64 {
        if self.has(Fault::StrongMotor) { 1.001 * torque } else { torque }
    }
}

/// Complementarity.
impl Subject {
    /// Forces on their way out.
    pub(crate) fn pushes(self, pushes: &[f64]) -> Vec<f64> {
        let largest = pushes.iter().fold(0.0, |most: f64, push| most.max(push.abs()));
        let size = if largest > 0.0 { largest } else { 1.0 };
        let extra = if self.has(Fault::ExtraForce) { 1e-3 * size } else { 0.0 };
        pushes.iter().enumerate().map(|(i, push)| push + extra * (i + 1) as f64).collect()
    }
}

/// The answer if impulse comes in one direction only, of which all laws of restitution then make the same.
fn straight(collision: &Collision, along: DVec3, push: f64) -> Answer {
    let impulse = push * along;
    let velocity = collision.velocity + collision.matrix * impulse;
    let mean = 0.5 * (collision.velocity + velocity);
    let normal_work = mean.z * impulse.z;
    Answer {
        impulse,
        velocity,
        compression_work: normal_work / (1.0 - collision.restitution * collision.restitution),
        normal_work,
        boost: 0.0,
        friction_work: mean.dot(impulse) - normal_work,
        ending: Ending::Slides,
    }
}
