//! Events as recordings and tables have them.

use carom::{
    BodyId, BodyState, Contact, Event, Happening, JointLoad, JointSite, Overload, RestitutionLaw,
    StateChange, World,
};
use glam::{DQuat, DVec3};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value, json};

/// An event of a recording; collisions are [`RecordedCollision`](crate::RecordedCollision)s instead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedEvent {
    /// When `[s]`.
    #[serde(rename = "time_s", with = "number")]
    pub time: f64,
    /// What happened: impulse, added, removed, carried, released, gravity, material, touch, parted, entered, left, joined, unjoined, tied,
    /// untied, broken, stop, rested, lifted, stuck, slipped, taut, slack, law, tick.
    pub kind: String,
    /// The kind of queue entry that brought it: command, law, check, transition, tick.
    pub phase: String,
    /// Number of the body to which it happened.
    pub body: Option<u32>,
    /// Name of that body.
    pub name: Option<String>,
    /// State just before, of a body that was there.
    #[serde(with = "state")]
    pub before: Option<BodyState>,
    /// State just after, of a body that is there.
    #[serde(with = "state")]
    pub after: Option<BodyState>,
    /// What else there is to say, by kind; of a touch `a` and `b` (each with `body` and `name`), `point_m`, `normal`
    /// (from B to A), `distance_m`, `speed_m_s` (its rate), `features`, `feature_names` and `pieces`; of a parting `a`
    /// and `b`; of a sensor that is entered or left `sensor` and `body`; of a joint that is made, parted or broken `joint`, `parent` and
    /// the `role` of the child afterwards; of a force element that takes hold or is taken away `element` and that `role`; of joints
    /// that move by themselves `joint`, `parent`, `child`, `freedom`, `side` or `direction`; of a stop `rate_before`, `rate_after`,
    /// `impulse` (per radian or metre) and `loss_J`; of a joint that broke `by`, `point_m`, and `force_N` and `torque_N_m` or, by an
    /// impact, `impulse_N_s` and `angular_impulse_N_m_s`; of ropes `element`.
    pub details: Map<String, Value>,
}

/// Schema of the messages of `/events`.
pub(crate) const JSON_SCHEMA: &str = r##"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "carom.Event",
  "description": "Something that happened at an instant. Numbers that JSON lacks are \"inf\", \"-inf\", \"nan\".",
  "type": "object",
  "$defs": {
    "state": {
      "type": ["object", "null"],
      "properties": {
        "position_m": {"type": "array", "items": {"type": "number"}},
        "orientation_xyzw": {"type": "array", "items": {"type": "number"}},
        "velocity_m_s": {"type": "array", "items": {"type": "number"}},
        "angular_velocity_rad_s": {"type": "array", "items": {"type": "number"}}
      }
    }
  },
  "properties": {
    "time_s": {"type": "number"},
    "kind": {"type": "string", "description": "what happened"},
    "phase": {"type": "string", "description": "the kind of queue entry that brought it"},
    "body": {"type": ["integer", "null"], "description": "number of the body in the recording"},
    "name": {"type": ["string", "null"]},
    "before": {"$ref": "#/$defs/state"},
    "after": {"$ref": "#/$defs/state"},
    "details": {"type": "object"}
  }
}"##;

impl RecordedEvent {
    /// Writes an event down; `who` gives a body's number and name.
    pub(crate) fn of(
        event: &Event,
        world: &World,
        who: &dyn Fn(BodyId) -> (Option<u32>, Option<String>),
    ) -> Self {
        let (body, name) = event.change.map_or((None, None), |change| who(change.body));
        Self {
            time: event.time,
            kind: event.what.name().to_owned(),
            phase: event.what.kind().name().to_owned(),
            body,
            name,
            before: event.change.and_then(|change| change.before),
            after: event.change.and_then(|change| change.after),
            details: details(event, world, who),
        }
    }
}

/// Reading the details.
impl RecordedEvent {
    /// Names of the two bodies that it is about, where there are two: A and B that touch or part, who enters or leaves
    /// and the sensor, who is carried and the carrier, child and parent of a joint.
    pub fn pair(&self) -> Option<[&str; 2]> {
        let named = |key: &str| self.details.get(key)?.get("name")?.as_str();
        let names = match self.kind.as_str() {
            "touch" | "parted" | "rests" | "lifts" => [named("a"), named("b")],
            "entered" | "left" => [named("body"), named("sensor")],
            "carried" => [self.name.as_deref(), self.details.get("by_name")?.as_str()],
            "stop" | "rested" | "lifted" | "stuck" | "slipped" => [named("child"), named("parent")],
            _ => return None,
        };
        Some([names[0]?, names[1]?])
    }

    /// A number of the details.
    pub(crate) fn number(&self, key: &str) -> Option<f64> {
        self.details.get(key)?.as_f64()
    }

    /// An entry of a list in the details.
    pub(crate) fn entry(&self, key: &str, index: usize) -> Option<&Value> {
        self.details.get(key)?.get(index)
    }
}

/// Whether what was tied or let go moves freely from then on.
fn role_after(change: Option<StateChange>, world: &World) -> Option<&'static str> {
    change.and_then(|change| world.body(change.body)).map(|body| body.role())
}

fn details(
    event: &Event,
    world: &World,
    who: &dyn Fn(BodyId) -> (Option<u32>, Option<String>),
) -> Map<String, Value> {
    let change = event.change;
    let details = match &event.what {
        Happening::Impulse { impulse, work } => json!({
            "point_m": vector(impulse.point),
            "linear_N_s": vector(impulse.linear),
            "angular_N_m_s": vector(impulse.angular),
            "work_J": number::to_value(*work),
        }),
        Happening::Carried { by } => {
            let (number, name) = who(*by);
            let name = name.or_else(|| world.body(*by).map(|it| it.name().to_owned()));
            json!({ "by": number, "by_name": name })
        }
        Happening::Gravity { gravity } => json!({ "gravity_m_s2": vector(*gravity) }),
        Happening::Material { material, surface } => json!({
            "material": world.material(*material).ok().map(|it| it.name.clone()),
            "friction": number::to_value(surface.friction),
            "restitution": number::to_value(surface.restitution),
            "law": match surface.law {
                RestitutionLaw::Stronge => "stronge",
                RestitutionLaw::Poisson => "poisson",
                RestitutionLaw::Newton => "newton",
            },
        }),
        Happening::Touch(contact) => touch(contact, world, who),
        Happening::Collision(collision) => touch(&collision.contact, world, who),
        Happening::Parted { bodies }
        | Happening::Rests { bodies }
        | Happening::Lifts { bodies } => {
            let [a, b] = bodies.map(|id| name_of(id, world, who));
            json!({ "a": a, "b": b })
        }
        Happening::Entered { sensor, body } | Happening::Left { sensor, body } => {
            let [sensor, body] = [*sensor, *body].map(|id| name_of(id, world, who));
            json!({ "sensor": sensor, "body": body })
        }
        Happening::Tick { controller, count } => {
            let shown = world.shown(*controller).unwrap_or_default();
            let shown: Vec<Value> = shown.iter().map(|it| number::to_value(*it)).collect();
            // Most controllers show nothing; a gauge shows what it has read.
            if shown.is_empty() {
                json!({ "controller": controller.slot(), "count": count })
            } else {
                json!({ "controller": controller.slot(), "count": count, "reading": shown })
            }
        }
        Happening::Joined { name, parent } | Happening::Unjoined { name, parent } => {
            let parent = parent.map(|id| name_of(id, world, who));
            json!({ "joint": name, "parent": parent, "role": role_after(change, world) })
        }
        Happening::Tied { name } | Happening::Untied { name } => {
            json!({ "element": name, "role": role_after(change, world) })
        }
        Happening::Broken { name, parent, overload, load } => {
            let parent = parent.map(|id| name_of(id, world, who));
            let mut told = broken(name, parent.as_ref(), *overload, load);
            told["role"] = json!(role_after(change, world));
            told
        }
        Happening::Stop { site, side, before, after, impulse, loss } => json!({
            "joint": site.name,
            "freedom": site.freedom,
            "child": name_of(site.child, world, who),
            "parent": site.parent.map(|id| name_of(id, world, who)),
            "side": side.name(),
            "rate_before": number::to_value(*before),
            "rate_after": number::to_value(*after),
            "impulse": number::to_value(*impulse),
            "loss_J": number::to_value(*loss),
        }),
        Happening::Rested { site, side } | Happening::Lifted { site, side } => {
            of_joint(site, ("side", Value::from(side.name())), world, who)
        }
        Happening::Stuck { site } => of_joint(site, ("direction", Value::from(0)), world, who),
        Happening::Slipped { site, sense } => {
            of_joint(site, ("direction", Value::from(sense.sign())), world, who)
        }
        Happening::Taut { name, .. } | Happening::Slack { name, .. } => json!({ "element": name }),
        Happening::Added { .. }
        | Happening::Removed { .. }
        | Happening::Released
        | Happening::Law => json!({}),
    };
    if let Value::Object(details) = details { details } else { Map::new() }
}

/// A joint that broke, and what it carried.
fn broken(name: &str, parent: Option<&Value>, overload: Overload, load: &JointLoad) -> Value {
    let (force, torque) = match overload {
        Overload::Force | Overload::Torque => ("force_N", "torque_N_m"),
        Overload::Impulse | Overload::AngularImpulse => ("impulse_N_s", "angular_impulse_N_m_s"),
    };
    json!({
        "joint": name,
        "parent": parent,
        "by": overload.name(),
        "point_m": vector(load.point),
        force: vector(load.force),
        torque: vector(load.torque),
    })
}

/// Something that happened to a freedom of a joint.
fn of_joint(
    site: &JointSite,
    (key, value): (&str, Value),
    world: &World,
    who: &dyn Fn(BodyId) -> (Option<u32>, Option<String>),
) -> Value {
    json!({
        "joint": site.name,
        "freedom": site.freedom,
        "child": name_of(site.child, world, who),
        "parent": site.parent.map(|id| name_of(id, world, who)),
        key: value,
    })
}

/// Who touches whom, and where.
fn touch(
    contact: &Contact,
    world: &World,
    who: &dyn Fn(BodyId) -> (Option<u32>, Option<String>),
) -> Value {
    let [a, b] = contact.bodies.map(|id| name_of(id, world, who));
    let feature_names = [0, 1].map(|side| feature_name(contact, side, world));
    json!({
        "a": a,
        "b": b,
        "point_m": vector(contact.point),
        "normal": vector(contact.normal),
        "distance_m": number::to_value(contact.distance),
        "speed_m_s": number::to_value(contact.speed),
        "features": contact.features.map(|feature| feature.to_string()),
        "feature_names": feature_names,
        "pieces": contact.pieces,
    })
}

/// A feature of a touch in words; of a body that is gone, its number.
fn feature_name(contact: &Contact, side: usize, world: &World) -> String {
    let (piece, feature) = (contact.pieces[side], contact.features[side]);
    let body = world.body(contact.bodies[side]);
    body.map_or_else(|| feature.to_string(), |it| it.shape().feature_name(piece, feature))
}

/// A body's number in the recording and its name.
fn name_of(
    id: BodyId,
    world: &World,
    who: &dyn Fn(BodyId) -> (Option<u32>, Option<String>),
) -> Value {
    let (number, name) = who(id);
    let name = name.or_else(|| world.body(id).map(|it| it.name().to_owned()));
    json!({ "body": number, "name": name })
}

fn vector(vector: DVec3) -> Value {
    vector.to_array().into_iter().map(number::to_value).collect()
}

/// Any double in JSON, with every bit but those within NaN.
mod number {
    use super::{Deserialize, Deserializer, Serialize, Serializer, Value, de};

    pub(super) fn to_value(number: f64) -> Value {
        if number.is_finite() { Value::from(number) } else { Value::from(text(number)) }
    }

    const fn text(number: f64) -> &'static str {
        if number.is_nan() {
            "nan"
        } else if number > 0.0 {
            "inf"
        } else {
            "-inf"
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
    pub(super) fn serialize<S: Serializer>(number: &f64, to: S) -> Result<S::Ok, S::Error> {
        if number.is_finite() { number.serialize(to) } else { text(*number).serialize(to) }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written<'a> {
            Number(f64),
            Text(&'a str),
        }
        match Written::deserialize(from)? {
            Written::Number(number) => Ok(number),
            Written::Text("nan") => Ok(f64::NAN),
            Written::Text("inf") => Ok(f64::INFINITY),
            Written::Text("-inf") => Ok(f64::NEG_INFINITY),
            Written::Text(other) => {
                Err(de::Error::invalid_value(de::Unexpected::Str(other), &"a number"))
            }
        }
    }
}

/// A state in JSON.
mod state {
    use super::{BodyState, DQuat, DVec3, Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Number(#[serde(with = "super::number")] f64);

    #[derive(Serialize, Deserialize)]
    struct Written {
        position_m: [Number; 3],
        orientation_xyzw: [Number; 4],
        velocity_m_s: [Number; 3],
        angular_velocity_rad_s: [Number; 3],
    }

    #[expect(clippy::ref_option, reason = "serde hands out references")]
    pub(super) fn serialize<S: Serializer>(
        state: &Option<BodyState>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let written = state.map(|state| Written {
            position_m: state.position.to_array().map(Number),
            orientation_xyzw: state.orientation.to_array().map(Number),
            velocity_m_s: state.velocity.to_array().map(Number),
            angular_velocity_rad_s: state.angular_velocity.to_array().map(Number),
        });
        written.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<BodyState>, D::Error> {
        let vector = |numbers: [Number; 3]| DVec3::from_array(numbers.map(|number| number.0));
        let written: Option<Written> = Option::deserialize(from)?;
        Ok(written.map(|written| BodyState {
            position: vector(written.position_m),
            orientation: DQuat::from_array(written.orientation_xyzw.map(|number| number.0)),
            velocity: vector(written.velocity_m_s),
            angular_velocity: vector(written.angular_velocity_rad_s),
        }))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::property;

    fn event(time: f64, state: BodyState) -> RecordedEvent {
        RecordedEvent {
            time,
            kind: "impulse".into(),
            phase: "command".into(),
            body: Some(3),
            name: Some("\"a\", b".into()),
            before: None,
            after: Some(state),
            details: Map::from_iter([("work_J".to_owned(), number::to_value(time))]),
        }
    }

    fn same_bits(a: f64, b: f64) -> bool {
        a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
    }

    proptest! {
        #![proptest_config(property(256))]

        #[test]
        fn any_double_comes_back_from_json_with_its_bits(
            bits in proptest::array::uniform32(any::<u64>()),
        ) {
            let numbers = bits.map(f64::from_bits);
            let part = |at: usize| DVec3::new(numbers[at], numbers[at + 1], numbers[at + 2]);
            let state = BodyState {
                position: part(1),
                orientation: DQuat::from_xyzw(numbers[4], numbers[5], numbers[6], numbers[7]),
                velocity: part(8),
                angular_velocity: part(11),
            };
            let text = serde_json::to_string(&event(numbers[0], state)).unwrap();
            let read: RecordedEvent = serde_json::from_str(&text).unwrap();
            let after = read.after.unwrap();
            let pairs = [
                (read.time, numbers[0]),
                (after.position.x, numbers[1]),
                (after.orientation.w, numbers[7]),
                (after.velocity.y, numbers[9]),
                (after.angular_velocity.z, numbers[13]),
            ];
            for (got, expected) in pairs {
                prop_assert!(same_bits(got, expected), "{got:?} instead of {expected:?}");
            }
        }
    }

    #[test]
    fn the_schema_is_json_and_names_every_field() {
        let schema: Value = serde_json::from_str(JSON_SCHEMA).unwrap();
        let state = BodyState::at_rest(carom_geometry::Pose::IDENTITY);
        let event = serde_json::to_value(event(0.0, state)).unwrap();
        let keys =
            |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
        assert_eq!(keys(&event), keys(&schema["properties"]));
        assert_eq!(keys(&event["after"]), keys(&schema["$defs"]["state"]["properties"]));
    }
}
