//! Bodies.

use super::{MotionTable, PlacementKeys, RepeatTable, ShapeTable};
use crate::decode::{Flag, Matrix, Number, Text, Vector, table};

table! {
    /// A rigid body.
    BodyTable as "[[body]]" {
        /// What it is called; every body has its own name.
        name: required Text,
        /// Its shape, such as { kind = "ball", radius = 0.1 }.
        shape: required ShapeTable,
        /// Name of its material; by default one with the default friction and restitution and no density.
        material: optional Text,
        /// Mass per volume `[kg/m³]`; by default that of its material.
        density: optional Number,
        /// Its mass `[kg]`, spread evenly.
        mass: optional Number,
        /// Mass, centre and inertia as measured or computed elsewhere.
        inertia: optional InertiaTable,
        /// Velocity of its centre of mass `[m/s]`; by default at rest.
        velocity: optional Vector,
        /// Angular velocity in world axes `[rad/s]`; by default none.
        angular_velocity: optional Vector,
        /// Angular velocity in world axes `[deg/s]`.
        angular_velocity_deg: optional Vector,
        /// Angular velocity in the axes of the body `[rad/s]`.
        angular_velocity_body: optional Vector,
        /// How fast its surface moves over it, as on a conveyor belt, in the axes of the body `[m/s]`; where it is touched,
        /// the part along the tangent plane counts. By default not at all.
        surface_velocity: optional Vector,
        /// How it moves, such as { kind = "fixed" }; by default { kind = "free" }.
        motion: optional MotionTable,
        /// Its colour in pictures: "#rrggbb", or a name such as "orange".
        color: optional Text,
        /// Whether it passes through everything and is only seen; by default false.
        ghost: optional Flag,
        /// Whether it notices who enters and leaves it and touches nobody; by default false.
        sensor: optional Flag,
        /// Name of the layer it belongs to; by default "default".
        layer: optional Text,
        /// Names of the layers it belongs to, if there are several.
        layers: optional Vec<Text>,
        /// Names of the layers it meets; by default all. Two bodies meet if each belongs to a layer that the other
        /// meets; others pass through each other.
        meets: optional Vec<Text>,
        /// When it appears `[s]`; by default at the start.
        from: optional Number,
        /// When it vanishes `[s]`; by default never.
        until: optional Number,
        /// Makes many copies, such as { kind = "row", count = 10, step = [0.1, 0, 0] }.
        repeat: optional RepeatTable,
        + placement: PlacementKeys,
    }
    exclusive [density, mass, inertia]
    exclusive [ghost, sensor]
    exclusive [layer, layers]
    exclusive [angular_velocity, angular_velocity_deg, angular_velocity_body]
}

table! {
    /// Mass, centre and inertia: moments with their axes, or a tensor.
    InertiaTable as "inertia" {
        /// The mass `[kg]`.
        mass: required Number,
        /// The centre of mass in the frame of the body `[m]`; by default [0, 0, 0].
        center: optional Vector,
        /// Principal moments about the centre of mass `[kg·m²]`.
        moments: optional Vector,
        /// Directions of the principal axes in the frame of the body, perpendicular to each other; by default
        /// the axes of the frame.
        axes: optional Matrix,
        /// Inertia tensor about the centre of mass in the frame of the body, as rows `[kg·m²]`; off the
        /// diagonal stand minus the products of inertia.
        tensor: optional Matrix,
    }
    exclusive [moments, tensor]
    exclusive [axes, tensor]
}
