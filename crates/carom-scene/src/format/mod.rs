//! What a scene file may say. Each table is declared once; reader, allowed keys and JSON Schema follow from it.

mod body;
mod controller;
mod element;
mod events;
mod gauge;
mod joint;
mod motion;
mod parameter;
mod placement;
mod repeat;
mod shape;
mod target;

use serde_json::{Value, json};

pub(crate) use body::{BodyTable, InertiaTable};
pub(crate) use controller::{ControllerKeys, ControllerTable};
pub(crate) use element::{
    BushingTable, DragTable, ElementKeys, ElementTable, GasSpringTable, GripKeys, LineKeys,
    ThrustTable,
};
pub(crate) use events::{ChangeTable, ExcludeTable, ExpectTable, ImpulseTable, PairTable};
pub(crate) use gauge::{EncoderTable, GaugeTable, MountKeys};
pub(crate) use joint::{JointTable, StrengthTable};
pub(crate) use motion::{
    ConstantTable, CyclerTable, MotionTable, OscillatorTable, TermTable, WaypointsTable,
};
pub(crate) use parameter::{ParameterEntry, ParameterMap};
pub(crate) use placement::{OrientationKeys, PlacementKeys};
pub(crate) use repeat::{GridTable, RandomTable, RepeatTable, RingTable};
pub(crate) use shape::{MeshTable, PartTable, ShapeTable};
pub(crate) use target::{AimWaypointsTable, SineTable, TargetTable, TargetValue, Targets};

use crate::decode::{Decode, Flag, Number, Schema, Tables, Text, Vector, table};

/// The version of the format that this crate reads.
pub(crate) const FORMAT: f64 = 1.0;

table! {
    /// A scene of Carom: bodies, what they are made of, how they start, what happens to them, and the numbers
    /// that prove the run. Lengths are in metres, masses in kilograms, times in seconds; z points up. Every
    /// number may also be an expression of the parameters in quotes.
    SceneTable as "a scene" {
        /// Version of the format: 1.
        format: optional Number,
        /// What the scene is called.
        title: optional Text,
        /// What one should see when it runs.
        description: optional Text,
        /// Other scene files whose parameters, materials, bodies, joints, elements, controllers, gauges, exclusions, pairs, impulses,
        /// changes and expectations become part of this one. Paths are relative to this file. A parameter that this file defines too keeps the
        /// value given here. Title, description, world, record and camera of an included file do not count.
        include: optional Vec<Text>,
        /// Named values for expressions, settable from outside with --set NAME=VALUE.
        parameters: optional ParameterMap,
        /// Gravity, duration, seed, and what contact does.
        world: optional WorldTable,
        /// What to write down while the scene runs.
        record: optional RecordTable,
        /// Where pictures are taken from; without it, from where everything that moves is in frame.
        camera: optional CameraTable,
        /// What bodies are made of.
        material: optional Tables<MaterialTable>,
        /// What happens where two given materials touch, instead of the rule for combining them.
        material_pair: optional Tables<MaterialPairTable>,
        /// The bodies.
        body: optional Tables<BodyTable>,
        /// Joints, which tie bodies into linkages.
        joint: optional Tables<JointTable>,
        /// Springs, ropes, drag and other forces on bodies.
        element: optional Tables<ElementTable>,
        /// Controllers, which drive joints.
        controller: optional Tables<ControllerTable>,
        /// Gauges, which measure as sensors do.
        gauge: optional Tables<GaugeTable>,
        /// Bodies that take no notice of each other.
        exclude: optional Tables<ExcludeTable>,
        /// How contact of given bodies is worked out, instead of as the world says.
        pair: optional Tables<PairTable>,
        /// Impulses on bodies at given times.
        impulse: optional Tables<ImpulseTable>,
        /// Changes of the world at given times.
        change: optional Tables<ChangeTable>,
        /// The numbers that prove the scene, checked on every run.
        expect: optional Tables<ExpectTable>,
    }
}

table! {
    /// Gravity, duration, seed, and what contact does.
    WorldTable as "[world]" {
        /// Acceleration of free fall `[m/s²]`; by default [0, 0, -9.80665].
        gravity: optional Vector,
        /// How long to simulate `[s]`; by default 10.
        until: optional Number,
        /// Where random numbers start, a whole number from 0; by default 0. Settable from outside with --seed.
        /// Expressions outside [parameters] call it `seed`, as in random(seed, 7).
        seed: optional Number,
        /// What comes of a touch: "collide" lets the bodies push each other (the default), "stop" ends the run there,
        /// "pass" notes it and lets the bodies pass through each other.
        on_touch: optional Text,
        /// How contact is worked out: "impulse" (the default) makes everything a collision, and rest a train of small ones;
        /// "constraint" answers fast touches by collisions and holds lasting contact by forces, without friction yet.
        /// Settable from outside with --regime.
        regime: optional Text,
        /// The collision envelope ε_c `[m]`: bodies at rest hop by about it, and a touch slower than a fall through it
        /// may be one of rest; by default 1e-4 of the smaller free body's size, for each pair by itself. Settable from
        /// outside with --envelope.
        envelope: optional Number,
        /// How collisions slower than a fall through the envelope are answered: "trains" (the default) as part of a train
        /// that holds bodies at rest, "plain" by the letter of Mirtich's thesis, "off" like all others, so that what comes
        /// to rest ends the run.
        microcollisions: optional Text,
        /// How an impact goes through bodies that stay in contact, under the regime "constraint": in "sequence" (the default) from
        /// contact to contact, "simultaneous" through all at once, by Baraff's model.
        impacts: optional Text,
        /// Whether what rests by forces sleeps until something wakes it; by default true.
        sleep: optional Flag,
        /// How true linkages are integrated, at every time: angles to so many radians, lengths to so much of the linkage's size,
        /// rates alike; from 1e-13 to 0.01, by default 1e-9.
        tolerance: optional Number,
    }
}

table! {
    /// What to write down while the scene runs.
    RecordTable as "[record]" {
        /// How often states are written `[Hz]`; by default 60.
        rate_hz: optional Number,
        /// Names of the bodies to record, where * stands for any letters and ? for one; by default all.
        bodies: optional Vec<Text>,
        /// Whether collisions and other events are written; by default true.
        events: optional Flag,
    }
}

table! {
    /// Where pictures are taken from.
    CameraTable as "[camera]" {
        /// Where the camera is `[m]`.
        eye: required Vector,
        /// The point in the middle of the picture `[m]`; by default [0, 0, 0].
        target: optional Vector,
        /// What is up in the picture; by default against gravity.
        up: optional Vector,
        /// Angle between the lower and the upper edge of the picture `[deg]`, from 1 to 150; by default 28.
        fov_deg: optional Number,
    }
}

table! {
    /// What bodies are made of. Where two materials touch and no material_pair says otherwise, friction is the
    /// geometric mean of the two, restitution the larger one, and the law the first of stronge, poisson,
    /// newton that either has.
    MaterialTable as "[[material]]" {
        /// What bodies call it.
        name: required Text,
        /// Mass per volume `[kg/m³]`, for bodies that state no mass of their own.
        density: optional Number,
        /// Coefficient of Coulomb friction `[-]`, from 0; by default 0.5.
        friction: optional Number,
        /// Coefficient of restitution `[-]`, from 0 (no bounce) to 1 (no loss); by default 0.
        restitution: optional Number,
        /// What restitution means: "stronge" (ratio of energies, the default), "poisson" (of impulses) or
        /// "newton" (of speeds).
        law: optional Text,
        /// Colour in pictures of bodies that have none of their own: "#rrggbb", or a name such as "orange".
        color: optional Text,
        /// A remark.
        about: optional Text,
    }
}

table! {
    /// What happens where two given materials touch.
    MaterialPairTable as "[[material_pair]]" {
        /// The names of the two materials, which may be the same.
        materials: required Vec<Text>,
        /// Coefficient of Coulomb friction `[-]`; by default combined from the materials.
        friction: optional Number,
        /// Coefficient of restitution `[-]`; by default combined from the materials.
        restitution: optional Number,
        /// What restitution means; by default combined from the materials.
        law: optional Text,
    }
}

/// The JSON Schema (draft 2020-12) of scene files.
pub fn json_schema() -> Value {
    let mut schema = Schema::default();
    let _ = SceneTable::schema(&mut schema);
    let mut root = schema.definitions.remove("SceneTable").unwrap_or_default();
    if let Value::Object(object) = &mut root {
        object.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
        object.insert("title".to_owned(), json!("Carom scene, format 1"));
        object.insert("required".to_owned(), json!(["format"]));
        if let Some(format) = object.get_mut("properties").and_then(|keys| keys.get_mut("format")) {
            *format = json!({ "const": 1, "description": "Version of the format: 1." });
        }
        object.insert("$defs".to_owned(), json!(schema.definitions));
    }
    root
}
