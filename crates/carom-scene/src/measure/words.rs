//! The words of measures.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use carom::{Account, BodyId, BodyState, EventCounts, History, Mass, World};
use carom_geometry::Shape;
use glam::DVec3;
use rhai::{Engine, EvalAltResult, FnPtr, NativeCallContext};

use super::contacts::{ContactTracks, Followed};
use super::readings::{self, ReadingTracks};
use super::{Memory, contact_words, happenings, joint_words, search};
use crate::scene::Scene;

/// Words of measures that are functions, and how they are written.
pub const FUNCTIONS: [(&str, &str); 16] = [
    ("body", "body('a'), body('a').at(t)"),
    ("distance", "distance('a', 'b', t)"),
    ("gap", "gap('a', 'b', t)"),
    ("joint", "joint('hinge'), joint('hinge').at(t)"),
    ("linkage", "linkage('a'), linkage('a').at(t)"),
    ("ledger", "ledger(t)"),
    ("contact", "contact('a', 'b'), contact('a', 'b').at(t)"),
    ("force", "force('a', 'b', from, to), force('a', 'b', piece, from, to)"),
    ("contact_force", "contact_force('a', 'b', time)"),
    ("gauge", "gauge('imu').at(t)"),
    (
        "count",
        "count('touch'), count('touch', 'a'), count('touch', 'a', 'b'), count('stop', 'joint')",
    ),
    (
        "event_time",
        "event_time('touch', n), event_time('touch', 'a', n), event_time('touch', 'a', 'b', n)",
    ),
    ("first_zero", "first_zero(|t| f, from, to)"),
    ("maximum", "maximum(|t| f, from, to)"),
    ("minimum", "minimum(|t| f, from, to)"),
    ("mean", "mean(|t| f, from, to)"),
];

/// What a measure may read.
pub(super) struct Run {
    pub(super) history: History,
    pub(super) contacts: ContactTracks,
    pub(super) readings: ReadingTracks,
    pub(super) end: f64,
    pub(super) counts: EventCounts,
    masses: BTreeMap<String, Option<Mass>>,
    pub(super) shapes: BTreeMap<String, Arc<Shape>>,
    /// Names of joints.
    pub(super) joints: BTreeSet<String>,
    /// What collisions gave to linkages, of bodies that were asked for it.
    pub(super) strikes: Mutex<BTreeMap<BodyId, Vec<(f64, f64)>>>,
    /// Whether something was asked for that had not come when the run ended.
    unreached: AtomicBool,
}

fn mass_of(body: &crate::Body) -> Option<Mass> {
    body.mass.as_ref().and_then(|mass| Mass::new(mass).ok())
}

pub(super) type Answer<T> = Result<T, Box<EvalAltResult>>;

/// A body in a measure.
#[derive(Clone)]
struct MeasuredBody {
    run: Arc<Run>,
    name: String,
}

/// A state in a measure.
#[derive(Clone)]
struct MeasuredState {
    state: BodyState,
    mass: Option<Mass>,
    gravity: DVec3,
}

/// The ledger in a measure.
#[derive(Clone)]
struct MeasuredLedger(Account);

impl Run {
    pub(super) fn new(scene: &Scene, memory: Memory, world: &World) -> Self {
        Self::of(scene, memory, world.now(), *world.event_counts())
    }

    /// Of motions without events.
    pub(super) fn of_motions(scene: &Scene, history: History, end: f64) -> Self {
        let contacts = ContactTracks::new(Followed::Nobody, false);
        let readings = ReadingTracks::default();
        Self::of(scene, Memory { history, contacts, readings }, end, EventCounts::default())
    }

    fn of(scene: &Scene, memory: Memory, end: f64, counts: EventCounts) -> Self {
        let Memory { history, contacts, readings } = memory;
        let masses = scene.bodies.iter().map(|body| (body.name.clone(), mass_of(body))).collect();
        let unreached = AtomicBool::new(false);
        let shape = |body: &crate::Body| (body.name.clone(), Arc::clone(&body.shape));
        let shapes = scene.bodies.iter().map(shape).collect();
        let joints = scene.joints.iter().map(|joint| joint.name.clone()).collect();
        let strikes = Mutex::default();
        Self {
            history,
            contacts,
            readings,
            end,
            counts,
            masses,
            shapes,
            joints,
            strikes,
            unreached,
        }
    }

    /// Refuses names that no body has.
    pub(super) fn known_body(&self, name: &str) -> Answer<()> {
        if self.masses.contains_key(name) {
            return Ok(());
        }
        let near = crate::suggest::nearest(name, self.masses.keys().map(String::as_str));
        let hint = near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
        Err(format!("there is no body \"{name}\"{hint}").into())
    }

    /// Whether a joint of the scene has this name, or a joint or force element was told of by it.
    pub(super) fn is_tie(&self, name: &str) -> bool {
        self.joints.contains(name)
            || self.history.events().iter().any(|event| event.tie() == Some(name))
    }

    fn body(self: &Arc<Self>, name: &str) -> Answer<MeasuredBody> {
        self.known_body(name)?;
        Ok(MeasuredBody { run: Arc::clone(self), name: name.to_owned() })
    }

    /// Takes note that something was asked for that had not come when the run ended.
    pub(super) fn note_unreached(&self) {
        self.unreached.store(true, Ordering::Relaxed);
    }

    /// Whether that was so since it was last asked.
    pub(super) fn take_unreached(&self) -> bool {
        self.unreached.swap(false, Ordering::Relaxed)
    }

    /// Between the surfaces of two bodies; negative where they overlap `[m]`.
    fn gap(self: &Arc<Self>, a: &str, b: &str, time: f64) -> Answer<f64> {
        // Whatever is wrong with one of them is told as for its state.
        for name in [a, b] {
            self.body(name)?.at(time)?;
        }
        if a == b {
            return Err(format!("\"{a}\" has no gap from itself").into());
        }
        let history = &self.history;
        let ids = history.find(a).zip(history.find(b));
        let nearest = ids.and_then(|(a, b)| history.nearest_at(a, b, time));
        let missing = || format!("\"{a}\" and \"{b}\" have no gap at {time} s").into();
        nearest.map(|nearest| nearest.distance).ok_or_else(missing)
    }
}

impl MeasuredBody {
    fn at(&self, time: f64) -> Answer<MeasuredState> {
        let history = &self.run.history;
        let state = history.find(&self.name).and_then(|id| history.state_at(id, time));
        let Some(state) = state else {
            let (name, end) = (&self.name, self.run.end);
            return Err(if time > end {
                self.run.note_unreached();
                format!("the run ended at {end} s, before {time} s").into()
            } else {
                format!("\"{name}\" is not there at {time} s").into()
            });
        };
        let mass = self.run.masses.get(&self.name).copied().flatten();
        let gravity = history.gravity_at(time).unwrap_or(DVec3::ZERO);
        Ok(MeasuredState { state, mass, gravity })
    }
}

/// Parts of a state: position of the centre of mass (of bodies without mass, of the origin of their frame),
/// quaternion, velocities in world axes, angular velocity in body axes, momenta in world axes, energies.
pub const STATE_PARTS: [(&str, &str); 32] = [
    ("x", "m"),
    ("y", "m"),
    ("z", "m"),
    ("qx", "-"),
    ("qy", "-"),
    ("qz", "-"),
    ("qw", "-"),
    ("vx", "m/s"),
    ("vy", "m/s"),
    ("vz", "m/s"),
    ("speed", "m/s"),
    ("wx", "rad/s"),
    ("wy", "rad/s"),
    ("wz", "rad/s"),
    ("spin", "rad/s"),
    ("body_wx", "rad/s"),
    ("body_wy", "rad/s"),
    ("body_wz", "rad/s"),
    ("px", "kg·m/s"),
    ("py", "kg·m/s"),
    ("pz", "kg·m/s"),
    ("lx", "kg·m²/s"),
    ("ly", "kg·m²/s"),
    ("lz", "kg·m²/s"),
    ("mass", "kg"),
    ("kinetic", "J"),
    ("rotational", "J"),
    ("potential", "J"),
    ("energy", "J"),
    ("axis_x_z", "-"),
    ("axis_y_z", "-"),
    ("axis_z_z", "-"),
];

impl MeasuredState {
    fn part(&self, name: &str) -> Option<f64> {
        let BodyState { position, orientation, velocity, angular_velocity } = self.state;
        let body_rate = self.state.angular_velocity_body();
        let mass = self.mass.as_ref();
        let momentum = || Some(velocity * mass?.mass);
        let spin = || Some(mass?.angular_momentum(orientation, angular_velocity));
        let kinetic = || Some(mass?.kinetic_energy(&self.state));
        let flight = || Some(0.5 * mass?.mass * velocity.length_squared());
        let potential = || Some(-mass?.mass * self.gravity.dot(position));
        match name {
            "x" => Some(position.x),
            "y" => Some(position.y),
            "z" => Some(position.z),
            "qx" => Some(orientation.x),
            "qy" => Some(orientation.y),
            "qz" => Some(orientation.z),
            "qw" => Some(orientation.w),
            "vx" => Some(velocity.x),
            "vy" => Some(velocity.y),
            "vz" => Some(velocity.z),
            "speed" => Some(velocity.length()),
            "wx" => Some(angular_velocity.x),
            "wy" => Some(angular_velocity.y),
            "wz" => Some(angular_velocity.z),
            "spin" => Some(angular_velocity.length()),
            "body_wx" => Some(body_rate.x),
            "body_wy" => Some(body_rate.y),
            "body_wz" => Some(body_rate.z),
            "px" => momentum().map(|p| p.x),
            "py" => momentum().map(|p| p.y),
            "pz" => momentum().map(|p| p.z),
            "lx" => spin().map(|l| l.x),
            "ly" => spin().map(|l| l.y),
            "lz" => spin().map(|l| l.z),
            "mass" => mass.map(|mass| mass.mass),
            "kinetic" => kinetic(),
            "rotational" => Some(kinetic()? - flight()?),
            "potential" => potential(),
            "energy" => Some(kinetic()? + potential()?),
            "axis_x_z" => Some((orientation * DVec3::X).z),
            "axis_y_z" => Some((orientation * DVec3::Y).z),
            "axis_z_z" => Some((orientation * DVec3::Z).z),
            _ => None,
        }
    }

    fn answer(&self, name: &str) -> Answer<f64> {
        self.part(name).ok_or_else(|| format!("a body without mass has no `{name}`").into())
    }
}

/// Parts of the ledger.
pub const LEDGER_PARTS: [&str; 11] = [
    "initial",
    "kinetic",
    "potential",
    "total",
    "work",
    "restitution_loss",
    "friction_loss",
    "boost",
    "projection",
    "integration",
    "residual",
];

fn ledger_part(account: &Account, name: &str) -> f64 {
    match name {
        "initial" => account.initial,
        "kinetic" => account.kinetic,
        "potential" => account.potential,
        "total" => account.total(),
        "work" => account.work,
        "restitution_loss" => account.restitution_loss,
        "friction_loss" => account.friction_loss,
        "boost" => account.boost,
        "projection" => account.projection,
        "integration" => account.integration,
        _ => account.residual,
    }
}

/// Gives an engine the words of measures.
pub(super) fn register(engine: &mut Engine, run: &Arc<Run>) {
    engine.register_type_with_name::<MeasuredBody>("a body");
    engine.register_type_with_name::<MeasuredState>("a state");
    engine.register_type_with_name::<MeasuredLedger>("the ledger");
    let of = Arc::clone(run);
    engine.register_fn("body", move |name: &str| of.body(name));
    engine.register_fn("at", |body: &mut MeasuredBody, time: f64| body.at(time));
    for (part, _) in STATE_PARTS {
        engine.register_get(part, move |state: &mut MeasuredState| state.answer(part));
        engine.register_get(part, move |body: &mut MeasuredBody| -> Answer<f64> {
            body.at(body.run.end)?.answer(part)
        });
    }
    let of = Arc::clone(run);
    engine.register_fn("distance", move |a: &str, b: &str, time: f64| -> Answer<f64> {
        let (a, b) = (of.body(a)?.at(time)?, of.body(b)?.at(time)?);
        Ok((a.state.position - b.state.position).length())
    });
    let of = Arc::clone(run);
    engine.register_fn("gap", move |a: &str, b: &str, time: f64| of.gap(a, b, time));
    let of = Arc::clone(run);
    engine.register_fn("ledger", move |time: f64| -> Answer<MeasuredLedger> {
        let account = of.history.account_at(time);
        if time > of.end {
            of.note_unreached();
        }
        let outside = || format!("the run has no ledger at {time} s").into();
        account.map(MeasuredLedger).ok_or_else(outside)
    });
    for part in LEDGER_PARTS {
        engine.register_get(part, move |ledger: &mut MeasuredLedger| ledger_part(&ledger.0, part));
    }
    joint_words::register(engine, run);
    contact_words::register(engine, run);
    readings::register(engine, run);
    happenings::register(engine, run);
    register_searches(engine);
}

fn register_searches(engine: &mut Engine) {
    type Context<'a> = NativeCallContext<'a>;
    engine.register_fn("first_zero", |context: Context<'_>, f: FnPtr, from: f64, to: f64| {
        search::first_zero(&|time| value(&context, &f, time), from, to)
    });
    engine.register_fn("mean", |context: Context<'_>, f: FnPtr, from: f64, to: f64| {
        search::mean(&|time| value(&context, &f, time), from, to)
    });
    engine.register_fn("maximum", |context: Context<'_>, f: FnPtr, from: f64, to: f64| {
        search::maximum(&|time| value(&context, &f, time), from, to)
    });
    engine.register_fn("minimum", |context: Context<'_>, f: FnPtr, from: f64, to: f64| {
        let negative = |time| value(&context, &f, time).map(|value| -value);
        search::maximum(&negative, from, to).map(|least| -least)
    });
}

fn value(context: &NativeCallContext<'_>, f: &FnPtr, time: f64) -> Answer<f64> {
    f.call_within_context(context, (time,))
}
