//! Controllers of a scene, as plain data.

use carom::JointId;
use carom::control::{
    Axis, ComputedTorque, Motor, Pd, PdGains, Pid, PidGains, Target, TrackingGains, VelocityGains,
    VelocityPd,
};

use crate::problem::Place;

/// Something that drives joints at its own rate.
#[derive(Clone, Debug, PartialEq)]
pub struct Controller {
    /// Its own name.
    pub name: String,
    /// Its law.
    pub law: ControlLaw,
    /// The freedoms that it drives, each once.
    pub axes: Vec<ControlledAxis>,
    /// How often it ticks `[Hz]`.
    pub rate_hz: f64,
    /// When it begins `[s]`.
    pub from: f64,
    /// When it stops; infinite for never `[s]`.
    pub until: f64,
    /// Where it stands in the scene file.
    pub place: Place,
}

/// By what law a controller drives joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlLaw {
    /// Like a spring with a damper.
    Pd,
    /// The same with a sum of errors.
    Pid,
    /// Keeps speeds.
    Velocity,
    /// Prescribes accelerations.
    ComputedTorque,
}

/// A freedom under control.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlledAxis {
    /// Index into [`Scene::joints`](crate::Scene::joints).
    pub joint: usize,
    /// Which of its freedoms, from 0.
    pub freedom: usize,
    /// What it aims at.
    pub target: Target,
    /// What its motor can give.
    pub motor: Motor,
    /// Gains of the law.
    pub gains: Gains,
}

/// Gains of a law; what it does not have is zero. Units are those of the law, see [`carom::control`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gains {
    /// On displacements.
    pub kp: f64,
    /// On rates.
    pub kv: f64,
    /// On the sum of displacements.
    pub ki: f64,
}

impl ControlLaw {
    /// A controller of this law that drives nothing yet; one that is loaded from a snapshot takes its joints from there.
    pub fn fresh(self) -> Box<dyn carom::Controller> {
        match self {
            Self::Pd => Box::new(Pd::new()),
            Self::Pid => Box::new(Pid::new()),
            Self::Velocity => Box::new(VelocityPd::new()),
            Self::ComputedTorque => Box::new(ComputedTorque::new()),
        }
    }
}

impl Controller {
    /// The controller for a world; `joint` gives the handles of joints by their indices.
    pub(crate) fn make(
        &self,
        joint: impl Fn(usize) -> Option<JointId>,
    ) -> Option<Box<dyn carom::Controller>> {
        let axes: Vec<(Axis, Gains)> = (self.axes.iter())
            .map(|it| {
                let axis = Axis::new(joint(it.joint)?).freedom(it.freedom);
                Some((axis.target(it.target.clone()).motor(it.motor), it.gains))
            })
            .collect::<Option<_>>()?;
        let axes = axes.into_iter();
        Some(match self.law {
            ControlLaw::Pd => Box::new(axes.fold(Pd::new(), |made, (axis, gains)| {
                made.control(axis, PdGains { position: gains.kp, velocity: gains.kv })
            })),
            ControlLaw::Pid => Box::new(axes.fold(Pid::new(), |made, (axis, gains)| {
                let Gains { kp: position, kv: velocity, ki: integral } = gains;
                made.control(axis, PidGains { position, velocity, integral })
            })),
            ControlLaw::Velocity => {
                Box::new(axes.fold(VelocityPd::new(), |made, (axis, gains)| {
                    made.control(axis, VelocityGains { velocity: gains.kv, position: gains.kp })
                }))
            }
            ControlLaw::ComputedTorque => {
                Box::new(axes.fold(ComputedTorque::new(), |made, (axis, gains)| {
                    made.control(axis, TrackingGains { position: gains.kp, velocity: gains.kv })
                }))
            }
        })
    }
}
