//! Measuring: what a scene promises, asked of the run.
//!
//! Measures are expressions like all others, with these words beside the parameters:
//!
//! | | |
//! |---|---|
//! | `end` | the time at which the run ended `[s]` |
//! | `body("ball")` | a body; its parts are those of its state at the end |
//! | `body("ball").at(t)` | its state at a time: see [`STATE_PARTS`] |
//! | `distance("a", "b", t)` | between the centres of two bodies `[m]` |
//! | `ledger(t)` | the ledger at a time: see [`LEDGER_PARTS`] `[J]` |
//! | `count("impulse")` | how many events of a name or kind there were |
//! | `event_time("impulse", n)` | when the one with number n, from 0, came `[s]` |
//! | `first_zero(\|t\| f, from, to)` | the first time at which f changes its sign, to rounding |
//! | `maximum(\|t\| f, from, to)`, `minimum(…)` | the largest, least value of f, to rounding where f is smooth |
//! | `mean(\|t\| f, from, to)` | the mean of f (Simpson's rule) |
//!
//! Between events motions are exact, and so are these answers: nothing is interpolated.

use std::sync::Arc;

use carom::{Account, BodyState, History, Mass, World};
use glam::DVec3;
use rhai::{Engine, EvalAltResult, FnPtr, NativeCallContext};

use crate::expression::{Environment, Value, base_engine};
use crate::problem::{Problem, Problems};
use crate::scene::{Bound, Expectation, Scene};

/// What came of an expectation.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What is expected, in a sentence.
    pub what: String,
    /// What the measured number is compared with.
    pub bound: Bound,
    /// What was measured; none if it could not be.
    pub got: Option<f64>,
    /// How far it may be off.
    pub tolerance: f64,
    /// Whether it is met.
    pub pass: bool,
    /// Where the expected value comes from.
    pub source: String,
}

/// A run, ready to be asked.
pub struct Measures<'a> {
    scene: &'a Scene,
    engine: Engine,
    end: f64,
}

impl<'a> Measures<'a> {
    /// What a run of the scene must remember for its expectations; none if it has none.
    pub fn history_for(scene: &Scene) -> Option<History> {
        let texts = || scene.expectations.iter().map(|expectation| &expectation.measure_text);
        texts().next()?;
        // Bodies are recognised by their quoted names; a measure that puts names together, or speaks of the
        // ledger, needs everybody.
        let names_all = |text: &String| {
            text.contains("ledger")
                || text.match_indices("body(").any(|(at, _)| {
                    !text[at + 5..].trim_start().starts_with(['"', '\''])
                        || text[at + 5..].split(')').next().is_some_and(|it| it.contains('+'))
                })
        };
        if texts().any(names_all) {
            return Some(History::of_all());
        }
        let named = |name: &&str| {
            let quoted = [format!("\"{name}\""), format!("'{name}'")];
            texts().any(|text| quoted.iter().any(|quoted| text.contains(quoted.as_str())))
        };
        let names = scene.bodies.iter().map(|body| body.name.as_str()).filter(named);
        Some(History::of(names.map(str::to_owned)))
    }

    /// Of a run that has ended.
    pub fn new(scene: &'a Scene, history: History, world: &World) -> Self {
        let run = Arc::new(Run {
            history,
            end: world.now(),
            counts: *world.event_counts(),
            gravity: world.gravity(),
            masses: scene.bodies.iter().map(|body| (body.name.clone(), mass_of(body))).collect(),
        });
        let mut engine = base_engine();
        register(&mut engine, &run);
        Self { scene, engine, end: world.now() }
    }

    /// What came of every expectation that holds for any regime, in order; what could not be measured is a
    /// problem as well.
    pub fn findings(&self) -> (Vec<Finding>, Problems) {
        let mut problems = Problems::new(Arc::clone(&self.scene.sources));
        let of_any_regime = self.scene.expectations.iter().filter(|it| it.regimes.is_empty());
        let findings = of_any_regime
            .map(|expectation| {
                let got = match self.measure(expectation) {
                    Ok(got) => Some(got),
                    Err(problem) => {
                        problems.push(problem);
                        None
                    }
                };
                Finding {
                    what: expectation.what.clone(),
                    bound: expectation.bound,
                    got,
                    tolerance: expectation.tolerance,
                    pass: got.is_some_and(|got| expectation.is_met_by(got)),
                    source: expectation.source.clone(),
                }
            })
            .collect();
        (findings, problems)
    }

    fn measure(&self, expectation: &Expectation) -> Result<f64, Problem> {
        let value = expectation.measure.evaluate_with(&self.engine, self);
        let place = expectation.measure_place;
        match value {
            Ok(Value::Number(number)) => Ok(number),
            Ok(Value::Bool(truth)) => Ok(if truth { 1.0 } else { 0.0 }),
            Ok(other) => {
                let message = format!("a measure must give a number, but this is {}", other.kind());
                Err(Problem::error(place, message))
            }
            Err(error) => {
                let start = expectation.measure_start;
                let place = crate::decode::expression_place(place, start, &error.span);
                let problem = Problem::error(place, error.message);
                Err(match error.hint {
                    Some(hint) => problem.hint(hint),
                    None => problem,
                })
            }
        }
    }
}

/// Words of measures that are functions.
pub const FUNCTIONS: [&str; 9] = [
    "body",
    "distance",
    "ledger",
    "count",
    "event_time",
    "first_zero",
    "maximum",
    "minimum",
    "mean",
];

impl Environment for Measures<'_> {
    fn variable(&self, name: &str) -> Option<Value> {
        if name == "end" {
            return Some(Value::Number(self.end));
        }
        self.scene.parameter(name).cloned()
    }

    fn names(&self) -> Vec<String> {
        let parameters = self.scene.parameters.iter().map(|parameter| parameter.name.clone());
        let own = FUNCTIONS.into_iter().chain(["end"]).map(str::to_owned);
        parameters.chain(own).collect()
    }
}

/// What a measure may read.
struct Run {
    history: History,
    end: f64,
    counts: carom::EventCounts,
    gravity: DVec3,
    masses: std::collections::BTreeMap<String, Option<Mass>>,
}

fn mass_of(body: &crate::Body) -> Option<Mass> {
    body.mass.as_ref().and_then(|mass| Mass::new(mass).ok())
}

type Answer<T> = Result<T, Box<EvalAltResult>>;

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
    fn body(self: &Arc<Self>, name: &str) -> Answer<MeasuredBody> {
        if !self.masses.contains_key(name) {
            let near = crate::suggest::nearest(name, self.masses.keys().map(String::as_str));
            let hint = near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
            return Err(format!("there is no body \"{name}\"{hint}").into());
        }
        Ok(MeasuredBody { run: Arc::clone(self), name: name.to_owned() })
    }
}

impl MeasuredBody {
    fn at(&self, time: f64) -> Answer<MeasuredState> {
        let history = &self.run.history;
        let state = history.find(&self.name).and_then(|id| history.state_at(id, time));
        let Some(state) = state else {
            return Err(format!("\"{}\" is not there at {time} s", self.name).into());
        };
        let mass = self.run.masses.get(&self.name).copied().flatten();
        Ok(MeasuredState { state, mass, gravity: self.run.gravity })
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
fn register(engine: &mut Engine, run: &Arc<Run>) {
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
    engine.register_fn("ledger", move |time: f64| -> Answer<MeasuredLedger> {
        let account = of.history.account_at(time);
        let outside = || format!("the run has no ledger at {time} s").into();
        account.map(MeasuredLedger).ok_or_else(outside)
    });
    for part in LEDGER_PARTS {
        engine.register_get(part, move |ledger: &mut MeasuredLedger| ledger_part(&ledger.0, part));
    }
    register_events(engine, run);
    engine.register_fn("first_zero", first_zero);
    engine.register_fn("mean", mean);
    engine.register_fn("maximum", |context: NativeCallContext<'_>, f: FnPtr, a: f64, b: f64| {
        extreme(&context, &f, a, b, 1.0)
    });
    engine.register_fn("minimum", |context: NativeCallContext<'_>, f: FnPtr, a: f64, b: f64| {
        extreme(&context, &f, a, b, -1.0).map(|least| -least)
    });
}

fn register_events(engine: &mut Engine, run: &Arc<Run>) {
    let of = Arc::clone(run);
    engine.register_fn("count", move |name: &str| -> f64 {
        let kind = carom::EventKind::ALL.into_iter().find(|kind| kind.name() == name);
        let named =
            || of.history.events().iter().filter(|it| it.what.name() == name).count() as f64;
        kind.map_or_else(named, |kind| of.counts.of(kind) as f64)
    });
    let of = Arc::clone(run);
    engine.register_fn("event_time", move |name: &str, number: f64| -> Answer<f64> {
        let mut named = of.history.events().iter().filter(|event| event.what.name() == name);
        let event = named.nth(number.max(0.0) as usize);
        let missing = || format!("there is no \"{name}\" with number {number}").into();
        event.map(|event| event.time).ok_or_else(missing)
    });
}

/// Into so many parts an interval is cut in search of a change of sign, an extreme or a mean.
const PARTS: u32 = 2000;

/// Halvings after which an interval of doubles cannot be cut any more.
const HALVINGS: u32 = 1100;

fn value(context: &NativeCallContext<'_>, f: &FnPtr, time: f64) -> Answer<f64> {
    f.call_within_context(context, (time,))
}

fn at_part(from: f64, to: f64, part: u32) -> f64 {
    if part == PARTS { to } else { from + (to - from) * (f64::from(part) / f64::from(PARTS)) }
}

fn first_zero(context: NativeCallContext<'_>, f: FnPtr, from: f64, to: f64) -> Answer<f64> {
    let mut before = (from, value(&context, &f, from)?);
    for part in 1..=PARTS {
        let time = at_part(from, to, part);
        let after = (time, value(&context, &f, time)?);
        if before.1 == 0.0 {
            return Ok(before.0);
        }
        if (before.1 < 0.0) != (after.1 < 0.0) {
            return halved(&context, &f, before, after.0);
        }
        before = after;
    }
    Err(format!("the function does not change its sign between {from} s and {to} s").into())
}

fn halved(
    context: &NativeCallContext<'_>,
    f: &FnPtr,
    (mut low, at_low): (f64, f64),
    mut high: f64,
) -> Answer<f64> {
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if (value(context, f, middle)? < 0.0) == (at_low < 0.0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(high)
}

/// The largest value of sign·f: the best of the parts, refined between its neighbours by golden sections.
fn extreme(
    context: &NativeCallContext<'_>,
    f: &FnPtr,
    from: f64,
    to: f64,
    sign: f64,
) -> Answer<f64> {
    let mut best = (0, f64::NEG_INFINITY);
    for part in 0..=PARTS {
        let found = sign * value(context, f, at_part(from, to, part))?;
        if found > best.1 {
            best = (part, found);
        }
    }
    let mut low = at_part(from, to, best.0.saturating_sub(1));
    let mut high = at_part(from, to, (best.0 + 1).min(PARTS));
    let golden = 0.618_033_988_749_894_8;
    for _ in 0..60 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        let (at_left, at_right) =
            (sign * value(context, f, left)?, sign * value(context, f, right)?);
        best.1 = best.1.max(at_left).max(at_right);
        if at_left > at_right {
            high = right;
        } else {
            low = left;
        }
    }
    Ok(best.1)
}

fn mean(context: NativeCallContext<'_>, f: FnPtr, from: f64, to: f64) -> Answer<f64> {
    let mut sum = 0.0;
    for part in 0..=PARTS {
        let weight = match part {
            0 | PARTS => 1.0,
            odd if odd % 2 == 1 => 4.0,
            _ => 2.0,
        };
        sum += weight * value(&context, &f, at_part(from, to, part))?;
    }
    Ok(sum / (3.0 * f64::from(PARTS)))
}
