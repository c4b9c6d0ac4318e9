//! Force elements.

use super::{OrientationKeys, RepeatTable};
use crate::decode::{Number, Numbers, Text, Vector, choice, table};

table! {
    /// What all force elements have.
    ElementKeys as "a force element" {
        /// What it is called; every element has its own name.
        name: required Text,
        /// Names of the bodies: the one that it acts on, then the one that feels the opposite. Without a second one, or with
        /// "world", that is the world. Bodies may be free, linked or fixed.
        bodies: required Vec<Text>,
        /// Makes many copies; offsets are added to points in the world.
        repeat: optional RepeatTable,
    }
}

table! {
    /// Where an element takes hold of the first body.
    GripKeys as "a point of a force element" {
        /// Where it takes hold of the first body, in the world as the bodies stand at the start `[m]`; by default the centre of mass.
        at: optional Vector,
        /// The same in the frame of the first body `[m]`.
        at_body: optional Vector,
    }
    exclusive [at, at_body]
}

table! {
    /// Where an element takes hold of both bodies.
    LineKeys as "the ends of a force element" {
        /// Where it takes hold of the second body, in the world as the bodies stand at the start `[m]`; by default the centre of
        /// mass. The world has none: there it must be stated.
        to: optional Vector,
        /// The same in the frame of the second body `[m]`.
        to_body: optional Vector,
        + grip: GripKeys,
    }
    exclusive [to, to_body]
}

table! {
    /// A spring along the line between two points, with a damper: it pulls by stiffness·(length − rest) + damping·(rate of length),
    /// and pushes where that is negative.
    SpringTable as "a spring" {
        /// Force per elongation `[N/m]`.
        stiffness: required Number,
        /// Length at which it is relaxed `[m]`; by default the one that it has at the start.
        rest: optional Number,
        /// Force per rate of its length `[N·s/m]`; by default 0.
        damping: optional Number,
        + line: LineKeys,
        + keys: ElementKeys,
    }
}

table! {
    /// A damper along the line between two points.
    DamperTable as "a damper" {
        /// Force per rate of its length `[N·s/m]`.
        damping: required Number,
        + line: LineKeys,
        + keys: ElementKeys,
    }
}

table! {
    /// A rope between two points: it pulls like a spring where it is longer than its length, and never pushes.
    RopeTable as "a rope" {
        /// Force per elongation `[N/m]`.
        stiffness: required Number,
        /// Its length without load `[m]`; by default the distance of its ends at the start.
        length: optional Number,
        /// Force per rate of its length, while it is taut `[N·s/m]`; by default 0.
        damping: optional Number,
        + line: LineKeys,
        + keys: ElementKeys,
    }
}

table! {
    /// A cylinder of gas that pushes two points apart: by `force` when it is extended, and more when it is compressed.
    GasSpringTable as "a gas spring" {
        /// Push when it is extended `[N]`.
        force: required Number,
        /// How far it can be compressed `[m]`.
        stroke: required Number,
        /// Distance of its ends when it is extended `[m]`; by default the one at the start.
        extended: optional Number,
        /// How many times the push grows over the stroke, as catalogues give it `[-]`; more than 1.
        ratio: optional Number,
        /// Length of the gas when it is extended, instead of `ratio` `[m]`; more than the stroke.
        column: optional Number,
        /// Exponent of pressure over volume `[-]`: 1 for slow strokes, 1.4 for fast ones of nitrogen; by default 1.
        exponent: optional Number,
        /// Force per rate of its length `[N·s/m]`; by default 0.
        damping: optional Number,
        + line: LineKeys,
        + keys: ElementKeys,
    }
    exclusive [ratio, column]
}

table! {
    /// Springs and dampers between two bodies in three directions and about three axes, relaxed as the bodies stand at the start.
    /// Quantities are one number for all directions, or a list of three along the axes of the second body's end, which are those of
    /// the world at the start unless an orientation says otherwise.
    BushingTable as "a bushing" {
        /// Force per displacement `[N/m]`; by default 0.
        stiffness: optional Numbers,
        /// Force per velocity `[N·s/m]`; by default 0.
        damping: optional Numbers,
        /// Torque per angle `[N·m/rad]`; by default 0.
        torsion_stiffness: optional Numbers,
        /// Torque per angular velocity `[N·m·s/rad]`; by default 0.
        torsion_damping: optional Numbers,
        + orientation: OrientationKeys,
        + grip: GripKeys,
        + keys: ElementKeys,
    }
}

table! {
    /// Drag of air or water on a body: −(linear + quadratic·|u|)·u at a point that moves with u through it, and −angular·ω.
    DragTable as "drag" {
        /// Force per velocity `[N·s/m]`; by default 0.
        linear: optional Number,
        /// Force per square of velocity, half of density, coefficient and area `[N·s²/m²]`; by default 0.
        quadratic: optional Number,
        /// Density of the medium, with `coefficient` and `area` instead of `quadratic` `[kg/m³]`.
        density: optional Number,
        /// Drag coefficient `[-]`.
        coefficient: optional Number,
        /// Area across the motion `[m²]`.
        area: optional Number,
        /// Torque per angular velocity `[N·m·s/rad]`; by default 0.
        angular: optional Number,
        /// Velocity of the medium `[m/s]`; by default [0, 0, 0].
        wind: optional Vector,
        + grip: GripKeys,
        + keys: ElementKeys,
    }
    exclusive [quadratic, density]
    exclusive [quadratic, coefficient]
    exclusive [quadratic, area]
}

table! {
    /// A constant force and torque: a thruster, a propeller, a load.
    ThrustTable as "a thrust" {
        /// Force at the point `[N]`; by default [0, 0, 0].
        force: optional Vector,
        /// Torque besides `[N·m]`; by default [0, 0, 0].
        torque: optional Vector,
        /// In which axes both are constant: "world" (the default) or "body", which turn with it.
        axes: optional Text,
        + grip: GripKeys,
        + keys: ElementKeys,
    }
}

table! {
    /// Attraction between two points that falls with the square of their distance: gravity, or charges.
    AttractionTable as "an attraction" {
        /// Force times square of distance `[N·m²]`; negative where they repel.
        strength: required Number,
        + line: LineKeys,
        + keys: ElementKeys,
    }
}

choice! {
    /// A force element: something that acts between two bodies, or between a body and the world, besides joints and contact.
    ElementTable as "[[element]]" {
        "spring" => Spring(SpringTable),
        "damper" => Damper(DamperTable),
        "rope" => Rope(RopeTable),
        "gas_spring" => GasSpring(GasSpringTable),
        "bushing" => Bushing(BushingTable),
        "drag" => Drag(DragTable),
        "thrust" => Thrust(ThrustTable),
        "attraction" => Attraction(AttractionTable),
    }
}

impl ElementTable {
    /// What all kinds have.
    pub(crate) fn keys(&self) -> &ElementKeys {
        match self {
            Self::Spring(table) => &table.keys,
            Self::Damper(table) => &table.keys,
            Self::Rope(table) => &table.keys,
            Self::GasSpring(table) => &table.keys,
            Self::Bushing(table) => &table.keys,
            Self::Drag(table) => &table.keys,
            Self::Thrust(table) => &table.keys,
            Self::Attraction(table) => &table.keys,
        }
    }
}
