//! Many copies of one table.

use crate::decode::{Flag, Number, Vector, choice, table};

table! {
    /// Copies in a row.
    RowTable as "a row" {
        /// How many, a whole number.
        count: required Number,
        /// From one copy to the next `[m]`.
        step: required Vector,
    }
}

table! {
    /// Copies on a grid; x counts fastest. Expressions know ix, iy and iz.
    GridTable as "a grid" {
        /// How many along x, y and z, whole numbers.
        counts: required Vector,
        /// From one copy to the next along x, y and z `[m]`.
        step: required Vector,
    }
}

table! {
    /// Copies evenly around a circle. The first is where the x axis leaves the circle, made perpendicular to
    /// the axis; for an axis along x, where the y axis does.
    RingTable as "a ring" {
        /// How many, a whole number.
        count: required Number,
        /// Radius of the circle `[m]`.
        radius: required Number,
        /// Axis of the circle through its centre, of any length; by default [0, 0, 1].
        axis: optional Vector,
        /// Whether each copy is turned about the axis by its angle on the circle; by default false.
        turn: optional Flag,
    }
}

table! {
    /// Copies at random places in a box.
    RandomTable as "a random repeat" {
        /// How many, a whole number.
        count: required Number,
        /// Corner of the box with the smallest coordinates `[m]`.
        min: required Vector,
        /// Corner of the box with the largest coordinates `[m]`.
        max: required Vector,
        /// Where the random numbers start, together with the seed of the world and the name of what is
        /// repeated; a whole number from 0, by default 0.
        seed: optional Number,
        /// Whether each copy is turned at random, all orientations alike; by default false.
        turn: optional Flag,
        /// Smallest distance between the origins of two copies `[m]`; by default 0.
        min_distance: optional Number,
    }
}

choice! {
    /// Makes many copies of a table. In it, expressions may use i (the number of the copy, from 0) and count.
    /// Offsets are added to its position. A copy is called name_0, name_1, …, or as the name says: texts may
    /// contain expressions in braces, such as ball_{i}.
    RepeatTable as "repeat" {
        "row" => Row(RowTable),
        "grid" => Grid(GridTable),
        "ring" => Ring(RingTable),
        "random" => Random(RandomTable),
    }
}
