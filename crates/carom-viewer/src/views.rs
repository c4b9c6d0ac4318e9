//! Questions of the page to a history: samples, states, events, contacts, and columns over time.

use std::ops::ControlFlow;

use carom::CollisionKind;
use carom_record::{BodyDescription, Message, ReadError, RecordedCollision, RecordedEvent, Sample};
use glam::DVec3;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::block;
use crate::history::{History, lock};
use crate::runs::Run;

/// Samples that one answer has at most.
pub(crate) const MOST_SAMPLES: usize = 2000;

/// States that one answer has at most, of all bodies together.
const MOST_ROWS: usize = 500_000;

/// Events that one answer has at most.
pub(crate) const MOST_EVENTS: usize = 2000;

/// State blocks of the samples in a stretch, the one before and the one after, thinned to about `most`.
pub(crate) fn samples(
    history: &History,
    [from, to]: [f64; 2],
    most: usize,
) -> Result<Vec<u8>, ReadError> {
    let mut before: Option<Sample> = None;
    let mut inside: Vec<Sample> = Vec::new();
    let mut after: Option<Sample> = None;
    history.visit([from, to], |message| {
        let Message::Sample(sample) = message else { return ControlFlow::Continue(()) };
        if sample.time < from {
            before = Some(sample.clone());
        } else if sample.time <= to {
            inside.push(sample.clone());
        } else {
            after = Some(sample.clone());
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    let step = inside.len().div_ceil(most.clamp(1, MOST_SAMPLES)).max(1);
    let last = inside.len().saturating_sub(1);
    let thinned = inside.iter().enumerate().filter(|(n, _)| n % step == 0 || *n == last);
    let mut bytes = Vec::new();
    for sample in before.iter().chain(thinned.map(|(_, sample)| sample)).chain(&after) {
        block::append(sample, &mut bytes);
    }
    Ok(bytes)
}

/// State blocks at even times of a stretch, both ends among them, each worked out from what happened before it.
pub(crate) fn fine_samples(
    run: &Run,
    [from, to]: [f64; 2],
    every: f64,
) -> Result<Vec<u8>, ReadError> {
    let bodies = lock(&run.index).bodies.len().max(1);
    let most = MOST_SAMPLES.min((MOST_ROWS / bodies).max(1));
    let count = ((to - from) / every).ceil().clamp(0.0, most as f64) as usize;
    let times: Vec<f64> = (0..=count).map(|n| from + n as f64 * every).collect();
    let mut bytes = Vec::new();
    for sample in run.samples_at(&times)? {
        block::append(&sample, &mut bytes);
    }
    Ok(bytes)
}

/// The state of a body at a time, with every digit.
pub(crate) fn state(sample: &Sample, body: &BodyDescription, gravity: DVec3) -> Option<Value> {
    let (_, state) = sample.states.iter().find(|(number, _)| *number == body.body)?;
    let mass = body.mass();
    let kinetic = mass.as_ref().map(|mass| mass.kinetic_energy(state));
    let potential = mass.as_ref().map(|mass| -mass.mass * gravity.dot(state.position));
    Some(json!({
        "time_s": sample.time,
        "position_m": state.position.to_array(),
        "orientation_xyzw": state.orientation.to_array(),
        "velocity_m_s": state.velocity.to_array(),
        "angular_velocity_rad_s": state.angular_velocity.to_array(),
        "kinetic_J": kinetic,
        "potential_J": potential,
    }))
}

/// Which events are wanted.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventWish {
    /// Later than this, and no later than that; backwards, earlier than that `[s]`.
    pub(crate) span: [f64; 2],
    pub(crate) limit: usize,
    /// None for all but microcollisions and ticks of controllers.
    pub(crate) kinds: Option<Vec<String>>,
    pub(crate) bodies: Vec<u32>,
    pub(crate) is_back: bool,
}

/// An event in the list.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Listed {
    time_s: f64,
    kind: String,
    a: Option<u32>,
    b: Option<u32>,
    #[serde(rename = "impulse_N_s")]
    impulse: Option<f64>,
    text: String,
}

/// The events that are wanted, in order of time, and whether there are more.
pub(crate) fn events(
    history: &History,
    wish: &EventWish,
) -> Result<(Vec<Listed>, bool), ReadError> {
    let limit = wish.limit.clamp(1, MOST_EVENTS);
    let mut found: Vec<Listed> = Vec::new();
    if wish.is_back {
        history.visit_back(wish.span[1], |messages| {
            let mut here: Vec<Listed> = messages.iter().flat_map(listed).collect();
            here.retain(|it| wish.wants(it));
            here.append(&mut found);
            found = here;
            if found.len() > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let more = found.len() > limit;
        let from = found.len().saturating_sub(limit);
        return Ok((found.split_off(from), more));
    }
    history.visit(wish.span, |message| {
        found.extend(listed(message).into_iter().filter(|it| wish.wants(it)));
        if found.len() > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    let more = found.len() > limit;
    found.truncate(limit);
    Ok((found, more))
}

impl EventWish {
    fn wants(&self, event: &Listed) -> bool {
        let [from, to] = self.span;
        let is_in_time = event.time_s > from
            && if self.is_back { event.time_s < to } else { event.time_s <= to };
        let is_of_kind = match &self.kinds {
            Some(kinds) => kinds.contains(&event.kind),
            None => !matches!(event.kind.as_str(), "micro" | "tick"),
        };
        let has = |body: &u32| event.a == Some(*body) || event.b == Some(*body);
        is_in_time && is_of_kind && self.bodies.iter().all(has)
    }
}

/// Counts of collisions, microcollisions and other events of bodies in so many bins from 0 to a time.
pub(crate) fn timeline(
    history: &History,
    bodies: &[u32],
    until: f64,
    bins: usize,
) -> Result<[Vec<u64>; 3], ReadError> {
    let mut counts = [vec![0; bins], vec![0; bins], vec![0; bins]];
    let has = |event: &Listed| bodies.iter().all(|it| [event.a, event.b].contains(&Some(*it)));
    history.visit([f64::NEG_INFINITY, until], |message| {
        for event in listed(message).into_iter().filter(has).filter(|it| it.kind != "tick") {
            let lane = match event.kind.as_str() {
                "collision" => 0,
                "micro" => 1,
                _ => 2,
            };
            let place = (event.time_s / until.max(f64::MIN_POSITIVE) * bins as f64) as usize;
            counts[lane][place.min(bins - 1)] += 1;
        }
        ControlFlow::Continue(())
    })?;
    Ok(counts)
}

fn listed(message: &Message) -> Vec<Listed> {
    match message {
        Message::Event(event) => vec![listed_event(event)],
        Message::Contacts(collisions) => collisions.iter().map(listed_collision).collect(),
        _ => Vec::new(),
    }
}

fn listed_event(event: &RecordedEvent) -> Listed {
    let number = |key: &str| {
        let body = event.details.get(key)?.get("body")?.as_u64()?;
        u32::try_from(body).ok()
    };
    let name = event.name.as_deref().unwrap_or_default();
    Listed {
        time_s: event.time,
        kind: event.kind.clone(),
        a: event.body.or_else(|| number("a")).or_else(|| number("child")),
        b: number("b").or_else(|| number("parent")),
        impulse: None,
        text: told_of(event, name),
    }
}

/// What an event is about, in words.
fn told_of(event: &RecordedEvent, name: &str) -> String {
    let list = |key: &str| event.details.get(key).map(ToString::to_string).unwrap_or_default();
    let word =
        |key: &str| event.details.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    match event.kind.as_str() {
        "gravity" => format!("{} m/s²", list("gravity_m_s2")),
        "material" => format!(
            "{}: friction {}, restitution {}",
            word("material"),
            list("friction"),
            list("restitution")
        ),
        "joined" | "unjoined" | "rested" | "lifted" | "stuck" | "slipped" => word("joint"),
        "broken" => format!("{} by its {}", word("joint"), word("by")),
        "stop" => {
            format!("{}: from {} to {} /s", word("joint"), list("rate_before"), list("rate_after"))
        }
        "taut" | "slack" => word("element"),
        _ => name.to_owned(),
    }
}

fn listed_collision(collision: &RecordedCollision) -> Listed {
    let [a, b] = collision.bodies;
    let kind = kind_of(collision).to_owned();
    let impulse = collision.impulse.length();
    let text = format!("{impulse:.3e} N·s");
    Listed { time_s: collision.time, kind, a, b, impulse: Some(impulse), text }
}

fn kind_of(collision: &RecordedCollision) -> &'static str {
    match collision.kind {
        CollisionKind::Micro => "micro",
        CollisionKind::Ordinary => "collision",
    }
}

/// The largest pushes in a stretch, its beginning left out, of all bodies or of one; `friction` tells the coefficient.
pub(crate) fn contacts(
    history: &History,
    [from, to]: [f64; 2],
    (body, most): (Option<u32>, usize),
    friction: impl Fn(&RecordedCollision) -> Option<f64>,
) -> Result<Vec<Value>, ReadError> {
    let mut found: Vec<RecordedCollision> = Vec::new();
    history.visit([from, to], |message| {
        let Message::Contacts(collisions) = message else { return ControlFlow::Continue(()) };
        let is_in = |it: &&RecordedCollision| {
            it.time > from && it.time <= to && (body.is_none() || it.bodies.contains(&body))
        };
        found.extend(collisions.iter().filter(is_in).copied());
        ControlFlow::Continue(())
    })?;
    found.sort_by(|a, b| b.impulse.length().total_cmp(&a.impulse.length()));
    found.truncate(most);
    let told = |it: &RecordedCollision| {
        json!({
            "time_s": it.time, "a": it.bodies[0], "b": it.bodies[1], "kind": kind_of(it),
            "point_m": it.point.to_array(), "normal": it.normal.to_array(),
            "impulse_N_s": it.impulse.to_array(), "friction": friction(it),
        })
    };
    Ok(found.iter().map(told).collect())
}

/// Names of the columns of a body, after the time.
const BODY_COLUMNS: [&str; 11] = [
    "x_m",
    "y_m",
    "z_m",
    "vx_m_s",
    "vy_m_s",
    "vz_m_s",
    "wx_rad_s",
    "wy_rad_s",
    "wz_rad_s",
    "kinetic_J",
    "potential_J",
];

/// The way of a body in about so many points.
pub(crate) fn series(
    history: &History,
    body: &BodyDescription,
    gravity: impl Fn(f64) -> DVec3,
    points: usize,
) -> Result<Value, ReadError> {
    let mass = body.mass();
    let mut rows: Vec<[f64; 12]> = Vec::new();
    let (mut every, mut passed) = (1, 0_usize);
    history.visit([f64::NEG_INFINITY, f64::INFINITY], |message| {
        let Message::Sample(sample) = message else { return ControlFlow::Continue(()) };
        passed += 1;
        let found = sample.states.iter().find(|(number, _)| *number == body.body);
        let Some((_, state)) = found.filter(|_| (passed - 1).is_multiple_of(every)) else {
            return ControlFlow::Continue(());
        };
        let kinetic = mass.as_ref().map_or(f64::NAN, |mass| mass.kinetic_energy(state));
        let lifted = mass
            .as_ref()
            .map_or(f64::NAN, |it| -it.mass * gravity(sample.time).dot(state.position));
        let [p, v, w] = [state.position, state.velocity, state.angular_velocity];
        rows.push([sample.time, p.x, p.y, p.z, v.x, v.y, v.z, w.x, w.y, w.z, kinetic, lifted]);
        if rows.len() >= 2 * points.max(2) {
            rows = rows.iter().copied().step_by(2).collect();
            every *= 2;
        }
        ControlFlow::Continue(())
    })?;
    let names = ["time_s"].into_iter().chain(BODY_COLUMNS);
    let column = |(place, name): (usize, &str)| {
        (name.to_owned(), json!(rows.iter().map(|row| row[place]).collect::<Vec<f64>>()))
    };
    Ok(Value::Object(names.enumerate().map(column).collect::<Map<String, Value>>()))
}

/// Normal and friction force between two bodies, means over as many spans as points.
pub(crate) fn force(
    history: &History,
    pair: [u32; 2],
    [from, to]: [f64; 2],
    points: usize,
) -> Result<Value, ReadError> {
    let points = points.clamp(1, MOST_SAMPLES);
    let width = ((to - from) / points as f64).max(f64::MIN_POSITIVE);
    let mut sums = vec![[0.0, 0.0]; points];
    history.visit([from, to], |message| {
        let Message::Contacts(collisions) = message else { return ControlFlow::Continue(()) };
        for it in collisions {
            let bodies = it.bodies;
            let [a, b] = pair.map(Some);
            if bodies != [a, b] && bodies != [b, a] {
                continue;
            }
            let place = (((it.time - from) / width).max(0.0) as usize).min(points - 1);
            let normal = it.impulse.dot(it.normal);
            sums[place][0] += normal;
            sums[place][1] += (it.impulse - normal * it.normal).length();
        }
        ControlFlow::Continue(())
    })?;
    let middle = |n: usize| from + (n as f64 + 0.5) * width;
    let of = |side: usize| sums.iter().map(|sum| sum[side] / width).collect::<Vec<f64>>();
    let times: Vec<f64> = (0..points).map(middle).collect();
    Ok(json!({ "time_s": times, "normal_N": of(0), "friction_N": of(1) }))
}
