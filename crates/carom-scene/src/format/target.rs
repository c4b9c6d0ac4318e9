//! What controllers aim at.

use serde_json::{Value as Json, json};
use toml::de::DeValue;

use crate::decode::{Decode, Decoder, Number, Raw, Schema, choice, table};
use crate::problem::Place;

table! {
    /// Swings: middle + amplitude·sin(2π·frequency·t + phase).
    SineTable as "a sine" {
        /// About which it swings `[rad or m]`; by default where the joint starts, and 0 for kind velocity.
        middle: optional Number,
        /// How far to each side `[rad or m]`.
        amplitude: required Number,
        /// Swings in a second `[Hz]`.
        frequency_hz: required Number,
        /// At time 0 `[deg]`; by default 0.
        phase_deg: optional Number,
    }
}

table! {
    /// A polynomial of time: c0 + c1·(t − from) + c2·(t − from)² + …
    PolynomialTable as "a polynomial" {
        /// The coefficients c0, c1, … in rad or m, per s, per s², and so on.
        coefficients: required Vec<Number>,
        /// The time from which it counts `[s]`; by default 0.
        from: optional Number,
    }
}

table! {
    /// Passes given positions at given times, along cubics between them that have the given rates at both ends. Before the
    /// first and after the last it stays.
    AimWaypointsTable as "waypoints" {
        /// The points, times increasing.
        points: required Vec<AimPointTable>,
    }
}

table! {
    /// A position and when it is passed.
    AimPointTable as "a point of a target" {
        /// When `[s]`.
        time: required Number,
        /// Where `[rad or m]`.
        position: required Number,
        /// How fast `[rad/s or m/s]`; by default 0.
        velocity: optional Number,
    }
}

choice! {
    /// What a controller aims at as time goes on. For controllers of kind velocity, positions are velocities.
    TargetTable as "target" {
        "sine" => Sine(SineTable),
        "polynomial" => Polynomial(PolynomialTable),
        "waypoints" => Waypoints(AimWaypointsTable),
    }
}

/// One target for all, or a list with one for each.
#[derive(Clone, Debug)]
pub(crate) struct Targets {
    pub(crate) place: Place,
    pub(crate) values: Vec<TargetValue>,
    /// Whether they stand in a list.
    pub(crate) is_list: bool,
}

/// A number for what stays, or a table for what changes.
#[derive(Clone, Debug)]
pub(crate) enum TargetValue {
    Constant(Number),
    Course(TargetTable),
}

impl Decode for TargetValue {
    fn decode(value: &Raw<'_>, decoder: &mut Decoder<'_>) -> Option<Self> {
        match value.get_ref() {
            DeValue::Table(_) => TargetTable::decode(value, decoder).map(Self::Course),
            _ => Number::decode(value, decoder).map(Self::Constant),
        }
    }

    fn schema(schema: &mut Schema) -> Json {
        json!({ "anyOf": [Number::schema(schema), TargetTable::schema(schema)] })
    }
}

impl Decode for Targets {
    fn decode(value: &Raw<'_>, decoder: &mut Decoder<'_>) -> Option<Self> {
        let place = decoder.place(value);
        let is_list = matches!(value.get_ref(), DeValue::Array(_));
        let values = if is_list {
            Vec::decode(value, decoder)?
        } else {
            vec![TargetValue::decode(value, decoder)?]
        };
        Some(Self { place, values, is_list })
    }

    fn schema(schema: &mut Schema) -> Json {
        let (number, course) = (Number::schema(schema), TargetTable::schema(schema));
        let one = json!({ "anyOf": [number, course] });
        json!({ "anyOf": [number, course, { "type": "array", "items": one }] })
    }
}
