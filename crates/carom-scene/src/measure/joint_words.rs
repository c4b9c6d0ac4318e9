//! Joints and linkages in measures: asked of the courses that links followed, exact at every time.

use std::sync::{Arc, PoisonError};

use carom::{JointAt, LinkageAt};
use rhai::{Array, Dynamic, Engine};

use super::words::{Answer, Run};

/// Parts of a joint: its coordinates (of a spherical joint a quaternion x y z w), their rates (of a spherical joint the
/// relative angular velocity in the child's axes), and what its motors give. Of one freedom a number, of several
/// a list; with a place from 0, as in `position(1)`, one of them.
pub const JOINT_PARTS: [(&str, &str); 3] =
    [("position", "rad or m"), ("velocity", "rad/s or m/s"), ("motor", "N·m or N")];

/// Parts of a linkage, in joules: energy of motion, energy in gravity and springs, their sum, and what of it collisions,
/// impulses and stops have given so far, negative where they took some.
pub const LINKAGE_PARTS: [&str; 4] = ["kinetic", "potential", "energy", "struck"];

/// A joint in a measure.
#[derive(Clone)]
struct MeasuredJoint {
    run: Arc<Run>,
    name: String,
}

/// A joint at a time in a measure.
#[derive(Clone)]
struct MeasuredJointState(JointAt);

/// The linkage of a body in a measure.
#[derive(Clone)]
struct MeasuredLinkage {
    run: Arc<Run>,
    body: String,
}

/// A linkage at a time in a measure.
#[derive(Clone)]
struct MeasuredEnergies {
    energies: LinkageAt,
    struck: f64,
}

impl Run {
    fn joint(self: &Arc<Self>, name: &str) -> Answer<MeasuredJoint> {
        if self.joints.contains(name) {
            return Ok(MeasuredJoint { run: Arc::clone(self), name: name.to_owned() });
        }
        let near = crate::suggest::nearest(name, self.joints.iter().map(String::as_str));
        let hint = near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
        Err(format!("there is no joint \"{name}\"{hint}").into())
    }

    fn linkage(self: &Arc<Self>, body: &str) -> Answer<MeasuredLinkage> {
        self.known_body(body)?;
        Ok(MeasuredLinkage { run: Arc::clone(self), body: body.to_owned() })
    }

    /// What collisions have given to the linkage of a body up to a time, those at that time included `[J]`.
    fn struck(&self, body: &str, time: f64) -> f64 {
        let Some(id) = self.history.find(body) else { return 0.0 };
        let mut known = self.strikes.lock().unwrap_or_else(PoisonError::into_inner);
        let strikes = known.entry(id).or_insert_with(|| self.history.strikes(id));
        let after = strikes.partition_point(|(at, _)| *at <= time);
        after.checked_sub(1).map_or(0.0, |last| strikes[last].1)
    }
}

impl MeasuredJoint {
    fn at(&self, time: f64) -> Answer<MeasuredJointState> {
        self.run.reached(time)?;
        let state = self.run.history.joint_at(&self.name, time);
        let missing = || format!("the joint \"{}\" is not there at {time} s", self.name).into();
        state.map(MeasuredJointState).ok_or_else(missing)
    }
}

impl MeasuredJointState {
    fn numbers(&self, part: &str) -> &[f64] {
        match part {
            "position" => &self.0.coordinates,
            "velocity" => &self.0.rates,
            _ => &self.0.torque,
        }
    }

    fn part(&self, part: &str) -> Dynamic {
        match self.numbers(part) {
            [number] => Dynamic::from_float(*number),
            numbers => numbers.iter().map(|it| Dynamic::from_float(*it)).collect::<Array>().into(),
        }
    }

    /// The one with this place in the list, from 0.
    fn part_of(&self, part: &str, place: f64) -> Answer<f64> {
        let numbers = self.numbers(part);
        let found = numbers.iter().enumerate().find(|(index, _)| *index as f64 == place);
        let missing = || format!("there is no number {place} of {}", numbers.len()).into();
        found.map(|(_, number)| *number).ok_or_else(missing)
    }
}

impl MeasuredLinkage {
    fn at(&self, time: f64) -> Answer<MeasuredEnergies> {
        self.run.reached(time)?;
        let history = &self.run.history;
        let found = history.find(&self.body).and_then(|body| history.linkage_at(body, time));
        let Some(energies) = found else {
            return Err(format!("no joint holds \"{}\" at {time} s", self.body).into());
        };
        Ok(MeasuredEnergies { energies, struck: self.run.struck(&self.body, time) })
    }
}

impl MeasuredEnergies {
    fn part(&self, name: &str) -> f64 {
        let LinkageAt { kinetic, potential } = self.energies;
        match name {
            "kinetic" => kinetic,
            "potential" => potential,
            "energy" => kinetic + potential,
            _ => self.struck,
        }
    }
}

/// Gives an engine the words for joints and linkages.
pub(super) fn register(engine: &mut Engine, run: &Arc<Run>) {
    engine.register_type_with_name::<MeasuredJoint>("a joint");
    engine.register_type_with_name::<MeasuredJointState>("the state of a joint");
    engine.register_type_with_name::<MeasuredLinkage>("a linkage");
    engine.register_type_with_name::<MeasuredEnergies>("the energies of a linkage");
    let of = Arc::clone(run);
    engine.register_fn("joint", move |name: &str| of.joint(name));
    engine.register_fn("at", |joint: &mut MeasuredJoint, time: f64| joint.at(time));
    for (part, _) in JOINT_PARTS {
        engine.register_get(part, move |state: &mut MeasuredJointState| state.part(part));
        engine.register_get(part, move |joint: &mut MeasuredJoint| -> Answer<Dynamic> {
            Ok(joint.at(joint.run.end)?.part(part))
        });
        engine.register_fn(part, move |state: &mut MeasuredJointState, place: f64| {
            state.part_of(part, place)
        });
        engine.register_fn(part, move |joint: &mut MeasuredJoint, place: f64| -> Answer<f64> {
            joint.at(joint.run.end)?.part_of(part, place)
        });
    }
    let of = Arc::clone(run);
    engine.register_fn("linkage", move |body: &str| of.linkage(body));
    engine.register_fn("at", |linkage: &mut MeasuredLinkage, time: f64| linkage.at(time));
    for part in LINKAGE_PARTS {
        engine.register_get(part, move |energies: &mut MeasuredEnergies| energies.part(part));
        engine.register_get(part, move |linkage: &mut MeasuredLinkage| -> Answer<f64> {
            Ok(linkage.at(linkage.run.end)?.part(part))
        });
    }
}
