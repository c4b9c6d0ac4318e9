//! Joints.

use super::RepeatTable;
use crate::decode::{Flag, Number, Numbers, Ranges, Text, Vector, table};

table! {
    /// A joint: how a body, the child, may move against another one, its parent. It is stated as the bodies stand at the
    /// start. Every body is the child of at most one joint, and joints close no loops. Quantities of a joint with several
    /// freedoms are one number for all of them, or a list with one for each: the turn before the slide of a cylindrical
    /// joint, both slides before the turn of a planar one, the parent's axis before the child's of a universal one.
    JointTable as "[[joint]]" {
        /// What it is called; every joint has its own name.
        name: required Text,
        /// How it lets the child move: "revolute" (turns about the axis), "prismatic" (slides along it), "screw" (turns about it
        /// and advances along it in proportion), "cylindrical" (turns about it and slides along it), "planar" (slides
        /// across it and turns about it), "universal" (turns about two axes), "spherical" (turns in any way) or "fixed".
        kind: required Text,
        /// Names of the two bodies, parent first. The parent may be fixed, or "world" for the world itself.
        bodies: required Vec<Text>,
        /// A point of the axis, the plane or the centre, in the world `[m]`; a fixed joint needs none.
        at: optional Vector,
        /// The axis in world axes; the normal of a planar joint.
        axis: optional Vector,
        /// The two axes of a universal joint in world axes: that of the parent, then that of the child.
        axes: optional Vec<Vector>,
        /// Advance of a screw per turn, as screws are measured `[m]`; negative for one with a left-hand thread.
        pitch: optional Number,
        /// What its coordinates are as the bodies stand `[rad or m]`; by default 0. A spherical joint has none to state.
        start: optional Numbers,
        /// Rates of its coordinates at the start `[rad/s or m/s]`; of a spherical joint the angular velocity in the child's
        /// axes. Where one joint of a linkage states them, the others have 0 unless they do, too. By default what is left
        /// of the bodies' velocities when the joints hold them.
        velocity: optional Numbers,
        /// Force per rate `[N·m·s/rad or N·s/m]`; by default 0.
        damping: optional Numbers,
        /// Force per displacement from rest `[N·m/rad or N/m]`; by default 0.
        stiffness: optional Numbers,
        /// Coordinate at which the spring is relaxed `[rad or m]`; by default 0.
        rest: optional Numbers,
        /// Inertia of its drive, reflected to it `[kg·m² or kg]`; by default 0.
        armature: optional Numbers,
        /// Dry friction: the force that must be overcome to move it `[N·m or N]`; by default 0.
        friction: optional Numbers,
        /// Smallest and largest coordinate `[rad or m]`, or a list of such pairs; by default there are no stops.
        limits: optional Ranges,
        /// Coefficient of restitution of its stops `[-]`, from 0 to 1; by default 0.
        restitution: optional Numbers,
        /// The most that its motor gives `[N·m or N]`, for controllers; by default without bound.
        effort: optional Numbers,
        /// The fastest that its motor moves `[rad/s or m/s]`, for controllers; by default without bound.
        speed: optional Numbers,
        /// What is too much for it, such as { force = 500 }; by default nothing. Where it carries more, it breaks; what it carries
        /// is all that its parent's side does to its child's at `at`, motor and stops included.
        breaks: optional StrengthTable,
        /// Whether parent and child touch each other; by default false.
        collide: optional Flag,
        /// Makes many copies; offsets are added to `at`, and copies that are turned turn the axes.
        repeat: optional RepeatTable,
    }
    exclusive [axis, axes]
}

table! {
    /// What a joint can carry; without bound where nothing is said.
    StrengthTable as "breaks" {
        /// Largest force `[N]`. Bodies that lie on links push by impulses, which it does not see.
        force: optional Number,
        /// Largest torque about the joint's point `[N·m]`.
        torque: optional Number,
        /// Largest impulse at one instant `[N·s]`: the joint holds through the impact, and breaks after it.
        impulse: optional Number,
        /// Largest angular impulse about the joint's point, at one instant `[N·m·s]`.
        angular_impulse: optional Number,
    }
}
