//! Joints as the page reads them: what they are, what drives them, and what they do at a time and over time.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use carom::World;
use carom_record::{
    FreedomDescription, Gatherer, JointDescription, JointRow, JointSample, Message, ReadError,
};
use carom_scene::{Freedom, Scene};
use carom_study::grab::hands;
use serde_json::{Map, Value, json};

use crate::history::{History, lock};
use crate::runs::Run;
use crate::views::MOST_SAMPLES;

/// What is known of a controlled freedom of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Control {
    /// Which controller, by its slot.
    controller: u32,
    /// Whether the target is a rate.
    is_rate: bool,
    /// Most that its motor gives; infinite without a limit `[N·m or N]`.
    effort: f64,
    is_enabled: bool,
}

/// Controlled freedoms, by number of the joint and freedom.
pub(crate) type Controls = BTreeMap<(u32, usize), Control>;

/// The freedoms of joints that controllers drive now.
pub(crate) fn controls(world: &World, gatherer: &Gatherer, joints: &[u32]) -> Controls {
    let mut controls = Controls::new();
    let numbers: BTreeMap<_, u32> =
        joints.iter().filter_map(|&number| Some((gatherer.joint(number)?, number))).collect();
    for controller in world.controllers() {
        for aim in controller.aims() {
            let Some(&number) = numbers.get(&aim.joint) else { continue };
            let control = Control {
                controller: controller.id().slot(),
                is_rate: aim.is_rate,
                effort: aim.motor.effort(),
                is_enabled: controller.is_enabled(),
            };
            controls.entry((number, aim.freedom)).or_insert(control);
        }
    }
    controls
}

/// The hands that pull at bodies.
pub(crate) fn told_hands(world: &World, gatherer: &Gatherer) -> Vec<Value> {
    let told = |it: carom_study::grab::Hand| {
        json!({
            "body": gatherer.number(it.body), "point_m": it.point_body.to_array(), "to_m": it.to.to_array(),
            "stiffness_N_m": it.stiffness, "damping_N_s_m": it.damping,
        })
    };
    hands(world).into_iter().map(told).collect()
}

/// All joints that are known.
pub(crate) fn describe(run: &Run, controls: &Controls) -> Value {
    let (joints, parted) = {
        let index = lock(&run.index);
        (index.joints.values().cloned().collect::<Vec<_>>(), index.parted.clone())
    };
    let told = |joint: &JointDescription| {
        let of_scene = run.scene.as_deref().and_then(|scene| stated(scene, &joint.name));
        let freedom = |(place, it): (usize, &FreedomDescription)| {
            let control = controls.get(&(joint.joint, place));
            let motor = of_scene.and_then(|all| all.get(place));
            let effort = motor.and_then(|it| it.effort);
            let effort = effort.or(control.map(|it| it.effort)).filter(|it| it.is_finite());
            let control = control.map(|it| {
                json!({ "controller": it.controller, "is_rate": it.is_rate, "is_enabled": it.is_enabled })
            });
            json!({
                "unit": if it.turns { "rad" } else { "m" },
                "lower": it.lower, "upper": it.upper, "damping": it.damping, "stiffness": it.stiffness,
                "rest": it.rest, "friction": it.friction, "effort": effort,
                "speed": motor.and_then(|it| it.speed),
                "control": control,
            })
        };
        let freedoms: Vec<Value> = joint.freedoms.iter().enumerate().map(freedom).collect();
        json!({
            "number": joint.joint, "name": joint.name, "kind": joint.kind, "since_s": joint.since_s,
            "until_s": parted.get(&joint.joint),
            "parent": joint.parent, "parent_name": joint.parent_name, "child": joint.child,
            "parent_from_joint": joint.parent_from_joint, "child_from_link": joint.child_from_link,
            "axes": joint.axes, "freedoms": freedoms,
        })
    };
    Value::Array(joints.iter().map(told).collect())
}

/// What the scene says of the freedoms of a joint.
fn stated<'a>(scene: &'a Scene, name: &str) -> Option<&'a [Freedom]> {
    let found = scene.joints.iter().find(|joint| joint.name == name)?;
    Some(&found.freedoms)
}

/// What all joints do at a time: a sample, or between two of them the cubic through both.
pub(crate) fn states_at(
    history: &History,
    newest: Option<&JointSample>,
    time: f64,
) -> Result<Value, ReadError> {
    let (mut before, mut after): (Option<JointSample>, Option<JointSample>) = (None, None);
    if let Some(newest) = newest.filter(|it| time >= it.time) {
        return Ok(told(newest));
    }
    history.visit([time, time], |message| {
        let Message::Joints(sample) = message else { return ControlFlow::Continue(()) };
        if sample.time <= time || before.is_none() {
            before = Some(sample.clone());
            return ControlFlow::Continue(());
        }
        after = Some(sample.clone());
        ControlFlow::Break(())
    })?;
    let after = after.as_ref().or(newest);
    Ok(before.map_or_else(
        || json!({ "time_s": time, "rows": [] }),
        |it| told(&between(&it, after, time)),
    ))
}

/// The state between two samples; motors give what they gave at the first.
fn between(before: &JointSample, after: Option<&JointSample>, time: f64) -> JointSample {
    let Some(after) = after.filter(|it| time > before.time && it.time > before.time) else {
        return before.clone();
    };
    let span = after.time - before.time;
    let s = (time - before.time) / span;
    let (s2, s3) = (s * s, s * s * s);
    let row = |(place, a): (usize, &JointRow)| {
        // Where joints came or went between the two, rows stand elsewhere; they are then left as they were.
        let Some(b) = after.rows.get(place).filter(|b| b.joint == a.joint) else { return *a };
        let position = (2.0 * s3 - 3.0 * s2 + 1.0) * a.position
            + (3.0 * s2 - 2.0 * s3) * b.position
            + span * ((s3 - 2.0 * s2 + s) * a.rate + (s3 - s2) * b.rate);
        JointRow { position, rate: a.rate + s * (b.rate - a.rate), ..*a }
    };
    JointSample { time, rows: before.rows.iter().enumerate().map(row).collect() }
}

fn told(sample: &JointSample) -> Value {
    let row = |it: &JointRow| {
        json!({ "joint": it.joint, "position": it.position, "rate": it.rate, "force": it.force,
                "target": it.target })
    };
    json!({ "time_s": sample.time, "rows": sample.rows.iter().map(row).collect::<Vec<Value>>() })
}

/// The name of a column, and what is in it.
type Quantity = (&'static str, fn(&JointRow) -> f64);

/// What a joint does over time, in about so many points: columns for each of its freedoms.
pub(crate) fn series(history: &History, joint: u32, points: usize) -> Result<Value, ReadError> {
    let mut rows: Vec<(f64, Vec<JointRow>)> = Vec::new();
    let (mut every, mut passed) = (1, 0_usize);
    let most = 2 * points.clamp(2, MOST_SAMPLES);
    history.visit([f64::NEG_INFINITY, f64::INFINITY], |message| {
        let Message::Joints(sample) = message else { return ControlFlow::Continue(()) };
        passed += 1;
        if !(passed - 1).is_multiple_of(every) {
            return ControlFlow::Continue(());
        }
        let own: Vec<JointRow> = sample.of_joint(joint).copied().collect();
        if !own.is_empty() {
            rows.push((sample.time, own));
        }
        if rows.len() >= most {
            let mut place = 0;
            rows.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            every *= 2;
        }
        ControlFlow::Continue(())
    })?;
    let mut columns = Map::new();
    columns.insert("time_s".to_owned(), json!(rows.iter().map(|it| it.0).collect::<Vec<f64>>()));
    let freedoms = rows.iter().map(|it| it.1.len()).max().unwrap_or(0);
    let quantities: [Quantity; 4] = [
        ("position", |it| it.position),
        ("rate", |it| it.rate),
        ("force", |it| it.force),
        ("target", |it| it.target),
    ];
    for freedom in 0..freedoms {
        for (name, of) in quantities {
            let column: Vec<f64> =
                rows.iter().map(|it| it.1.get(freedom).map_or(f64::NAN, of)).collect();
            columns.insert(format!("{name}{freedom}"), json!(column));
        }
    }
    Ok(Value::Object(columns))
}
