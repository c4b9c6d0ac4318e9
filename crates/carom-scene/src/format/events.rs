//! What happens during a run, and what is expected of it.

use super::{RepeatTable, Targets};
use crate::decode::{Flag, Number, Numbers, Text, Vector, table};

table! {
    /// An impulse on a body at a time.
    ImpulseTable as "[[impulse]]" {
        /// When `[s]`.
        at: required Number,
        /// Name of the body.
        body: required Text,
        /// The impulse in world axes `[N·s]`.
        impulse: optional Vector,
        /// An angular impulse in world axes `[N·m·s]`, beyond that of the impulse at its point.
        angular_impulse: optional Vector,
        /// Where the impulse acts, in the world `[m]`; by default at the centre of mass.
        point: optional Vector,
        /// Where the impulse acts, in the frame of the body `[m]`.
        point_body: optional Vector,
        /// Makes many copies; offsets are added to point.
        repeat: optional RepeatTable,
    }
    exclusive [point, point_body]
}

table! {
    /// A change of the world at a time.
    ChangeTable as "[[change]]" {
        /// When `[s]`.
        at: required Number,
        /// New acceleration of free fall `[m/s²]`.
        gravity: optional Vector,
        /// Name of a material that gets another friction or restitution.
        material: optional Text,
        /// New coefficient of friction of the material `[-]`.
        friction: optional Number,
        /// New coefficient of restitution of the material `[-]`.
        restitution: optional Number,
        /// Name of a body that vanishes.
        remove: optional Text,
        /// Name of a body that from now on moves along with the body named by `by`.
        carry: optional Text,
        /// Name of the body that carries.
        by: optional Text,
        /// Name of a carried body that is let go.
        release: optional Text,
        /// Name of a controller that gets another target, or is switched on or off.
        controller: optional Text,
        /// New target of the controller, as in its table `[rad or m]`.
        target: optional Targets,
        /// Names of the joints that get the target, where * stands for any letters and ? for one; by default all that the
        /// controller drives.
        joints: optional Vec<Text>,
        /// Whether the controller ticks from now on; one that stops lets go of its joints.
        enabled: optional Flag,
        /// Name of a joint whose motor gives `effort` from now on, until a controller or another change sets it.
        drive: optional Text,
        /// What the motor gives, one for all freedoms of the joint or one for each `[N·m or N]`.
        effort: optional Numbers,
        /// Name of a body that is pushed from now on, instead of how it was pushed before: by a force and a torque that stay the same
        /// in world axes and go with the centre of mass.
        push: optional Text,
        /// The force, in world axes `[N]`; by default [0, 0, 0].
        force: optional Vector,
        /// A torque in world axes, beyond that of the force at its point `[N·m]`; by default [0, 0, 0].
        torque: optional Vector,
        /// Where the force acts as it begins, in the world `[m]`; by default at the centre of mass.
        point: optional Vector,
        /// The same in the frame of the body `[m]`.
        point_body: optional Vector,
        /// Name of a joint that lets go of its bodies.
        part: optional Text,
        /// Name of a force element that is taken away, such as a rope that is cut.
        untie: optional Text,
    }
    exclusive [gravity, material, remove, carry, release, controller, drive, push, part, untie]
    exclusive [point, point_body]
}

table! {
    /// Bodies that take no notice of each other: they may overlap and never touch.
    ExcludeTable as "[[exclude]]" {
        /// Names of the bodies, where * stands for any letters and ? for one. Each entry is excluded from every other
        /// one; of a single entry, the bodies it names from each other.
        bodies: required Vec<Text>,
    }
}

table! {
    /// How contact of given bodies is worked out, instead of as the world says. Of several tables for one pair, the last
    /// counts.
    PairTable as "[[pair]]" {
        /// Names of the bodies, where * stands for any letters and ? for one. Each entry makes a pair with every other one;
        /// of a single entry, the bodies it names with each other. They must be there from the start.
        bodies: required Vec<Text>,
        /// The regime of their contact, "impulse" or "constraint".
        regime: required Text,
    }
}

table! {
    /// A number that the run must give.
    ExpectTable as "[[expect]]" {
        /// What is expected, in a sentence.
        what: required Text,
        /// A short name for the columns of tables and the axes of plots; by default the sentence.
        name: optional Text,
        /// An expression of what the run gives, of the parameters, and of `envelope`, the collision envelope in force
        /// `[m]`, which the numbers below know, too.
        measure: required Text,
        /// The value it must have.
        equals: optional Number,
        /// The smallest value it may have.
        at_least: optional Number,
        /// The largest value it may have.
        at_most: optional Number,
        /// How far it may be off, in its own unit.
        tolerance: optional Number,
        /// How far it may be off, as a share of the expected value `[-]`.
        tolerance_relative: optional Number,
        /// Where the expected value comes from.
        source: optional Text,
        /// The contact regimes for which it is expected: impulse, constraint, penalty, hybrid; by default all.
        regime: optional Vec<Text>,
        /// Whether it is one of the numbers that prove the scene, which the gallery shows; engines are compared in the
        /// first of them that asks for motions only. By default it is not.
        proof: optional Flag,
    }
    exclusive [equals, at_least]
    exclusive [equals, at_most]
    exclusive [tolerance, tolerance_relative]
}
