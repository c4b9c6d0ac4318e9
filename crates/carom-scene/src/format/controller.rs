//! Controllers.

use super::Targets;
use crate::decode::{Number, Numbers, Text, choice, table};

table! {
    /// What all controllers have.
    ControllerKeys as "a controller" {
        /// What it is called; every controller has its own name.
        name: required Text,
        /// Names of the joints that it drives, where * stands for any letters and ? for one.
        joints: required Vec<Text>,
        /// Which freedom of each joint it drives, a whole number from 0; by default all of them. Quantities for several
        /// freedoms are one for all, or a list with one for each: joint after joint as `joints` names them, those of a
        /// pattern in the order of the file.
        freedom: optional Number,
        /// What it aims at `[rad or m]`: a number, or a table for what changes with time; by default where each joint
        /// starts, and 0 for kind velocity. Of a spherical joint, positions are the components of its rotation vector.
        target: optional Targets,
        /// How often it reads the joints and sets their motors `[Hz]`; by default 1000. Between, motors hold what was set.
        rate_hz: optional Number,
        /// The most that the motor gives `[N·m or N]`; by default `effort` of the joint.
        effort: optional Numbers,
        /// Speed at which the motor gives nothing more: what it gives falls from `effort` at rest in proportion `[rad/s or m/s]`;
        /// by default `speed` of the joint. It counts where there is an effort.
        speed: optional Numbers,
        /// When it begins `[s]`; by default 0.
        from: optional Number,
        /// When it stops, and lets go of the joints `[s]`; by default never.
        until: optional Number,
    }
}

table! {
    /// Pulls each joint to its target like a spring with a damper: kp·(q* − q) + kv·(v* − v). Motors are set at each tick only,
    /// so kv must be more than kp/(2·rate_hz) and less than twice the inertia times rate_hz.
    PdTable as "a PD controller" {
        /// Force per displacement `[N·m/rad or N/m]`.
        kp: required Numbers,
        /// Force per rate `[N·m·s/rad or N·s/m]`.
        kv: required Numbers,
        + keys: ControllerKeys,
    }
}

table! {
    /// Like "pd", and besides by the sum of displacements over time, which removes what a load leaves. The sum stands still while
    /// the motor is at its limit.
    PidTable as "a PID controller" {
        /// Force per displacement `[N·m/rad or N/m]`.
        kp: required Numbers,
        /// Force per rate `[N·m·s/rad or N·s/m]`.
        kv: required Numbers,
        /// Force per displacement and time `[N·m/(rad·s) or N/(m·s)]`.
        ki: required Numbers,
        + keys: ControllerKeys,
    }
}

table! {
    /// Keeps a speed: kv·(v* − v); the target is the speed.
    VelocityTable as "a controller of velocity" {
        /// Force per rate `[N·m·s/rad or N·s/m]`.
        kv: required Numbers,
        /// Force per way that is missing since it began `[N·m/rad or N/m]`; by default 0.
        kp: optional Numbers,
        + keys: ControllerKeys,
    }
}

table! {
    /// Gives what makes the joints accelerate by kp·(q* − q) + kv·(v* − v) beyond their targets, whatever hangs on them. Without
    /// gains it carries the weight, and the joints move as if there were none.
    ComputedTorqueTable as "computed torque" {
        /// Acceleration per displacement `[1/s²]`; by default 0.
        kp: optional Numbers,
        /// Acceleration per rate `[1/s]`; by default 2·√kp, at which displacements die out without swinging.
        kv: optional Numbers,
        + keys: ControllerKeys,
    }
}

choice! {
    /// A controller: at its own rate it reads joints and sets what their motors give until the next tick.
    ControllerTable as "[[controller]]" {
        "pd" => Pd(PdTable),
        "pid" => Pid(PidTable),
        "velocity" => Velocity(VelocityTable),
        "computed_torque" => ComputedTorque(ComputedTorqueTable),
    }
}

impl ControllerTable {
    /// What all kinds have.
    pub(crate) fn keys(&self) -> &ControllerKeys {
        match self {
            Self::Pd(table) => &table.keys,
            Self::Pid(table) => &table.keys,
            Self::Velocity(table) => &table.keys,
            Self::ComputedTorque(table) => &table.keys,
        }
    }
}
