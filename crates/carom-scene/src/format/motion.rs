//! How bodies move.

use super::OrientationKeys;
use crate::decode::{Flag, Number, Vector, choice, table};

table! {
    /// Moved by gravity, contact and impulses.
    FreeTable as "free motion" {}
}

table! {
    /// Does not move.
    FixedTable as "a fixed body" {}
}

table! {
    /// Moves on with constant velocity, whatever it meets.
    ConstantTable as "constant motion" {
        /// Velocity of the origin of its frame `[m/s]`; by default none.
        velocity: optional Vector,
        /// Angular velocity in world axes `[rad/s]`; by default none.
        angular_velocity: optional Vector,
        /// Angular velocity in world axes `[deg/s]`.
        angular_velocity_deg: optional Vector,
    }
    exclusive [angular_velocity, angular_velocity_deg]
}

table! {
    /// Goes around an ellipse without turning: at center + a·cos(ωt + phase) + b·sin(ωt + phase).
    CyclerTable as "a cycler" {
        /// Centre of the ellipse `[m]`; by default the position of the body.
        center: optional Vector,
        /// The vector a `[m]`.
        semi_axis_a: required Vector,
        /// The vector b `[m]`.
        semi_axis_b: required Vector,
        /// Rate ω `[rad/s]`.
        rate: optional Number,
        /// Rate ω `[deg/s]`.
        rate_deg: optional Number,
        /// Time of one round `[s]`.
        period: optional Number,
        /// Angle at time 0 `[deg]`; by default 0.
        phase_deg: optional Number,
    }
    exclusive [rate, rate_deg, period]
}

table! {
    /// Swings about the place where the body is put; the terms add up.
    OscillatorTable as "an oscillator" {
        /// The terms.
        terms: required Vec<TermTable>,
    }
}

table! {
    /// One term of an oscillator: a shift along a direction, or a turn about an axis, by
    /// amplitude·sin(ωt + phase).
    TermTable as "a term" {
        /// Direction of a shift, of any length.
        along: optional Vector,
        /// Largest shift `[m]`.
        amplitude: optional Number,
        /// Axis of a turn, of any length.
        about: optional Vector,
        /// A point that the turn leaves in place `[m]`; by default the position of the body.
        pivot: optional Vector,
        /// Largest angle `[deg]`.
        amplitude_deg: optional Number,
        /// Swings per second `[Hz]`.
        frequency_hz: optional Number,
        /// Rate ω `[rad/s]`.
        rate: optional Number,
        /// Angle at time 0 `[deg]`; by default 0.
        phase_deg: optional Number,
    }
    exclusive [along, about]
    exclusive [amplitude, amplitude_deg]
    exclusive [frequency_hz, rate]
}

table! {
    /// Passes through given places at given times, in straight lines and even turns between them.
    WaypointsTable as "waypoints" {
        /// The places, times increasing. Before the first and after the last the body stays.
        points: required Vec<WaypointTable>,
        /// Whether it starts anew after the last; by default false.
        repeat: optional Flag,
    }
}

table! {
    /// A place and when it is reached.
    WaypointTable as "a waypoint" {
        /// When `[s]`.
        time: required Number,
        /// Where `[m]`.
        position: required Vector,
        + orientation: OrientationKeys,
    }
}

choice! {
    /// How a body moves.
    MotionTable as "motion" {
        "free" => Free(FreeTable),
        "fixed" => Fixed(FixedTable),
        "constant" => Constant(ConstantTable),
        "cycler" => Cycler(CyclerTable),
        "oscillator" => Oscillator(OscillatorTable),
        "waypoints" => Waypoints(WaypointsTable),
    }
}
