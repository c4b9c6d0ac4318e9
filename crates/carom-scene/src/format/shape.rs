//! Shapes.

use super::OrientationKeys;
use crate::decode::{Number, Text, Vector, choice, table};

table! {
    /// A sphere around the origin.
    BallTable as "a ball" {
        /// Its radius `[m]`.
        radius: required Number,
    }
}

table! {
    /// A box around the origin.
    BoxTable as "a box" {
        /// Full lengths of its edges along x, y and z `[m]`.
        size: required Vector,
    }
}

table! {
    /// All points within a radius of a segment on the z axis.
    CapsuleTable as "a capsule" {
        /// Its radius `[m]`.
        radius: required Number,
        /// Length of the segment, without the round ends `[m]`.
        length: required Number,
    }
}

table! {
    /// A circular cylinder along the z axis around the origin.
    CylinderTable as "a cylinder" {
        /// Its radius `[m]`.
        radius: required Number,
        /// Its full height `[m]`.
        height: required Number,
    }
}

table! {
    /// A circular cone along the z axis, apex up; the origin is halfway between base and apex.
    ConeTable as "a cone" {
        /// Radius of its base `[m]`.
        radius: required Number,
        /// Its full height `[m]`.
        height: required Number,
    }
}

table! {
    /// An ellipsoid around the origin.
    EllipsoidTable as "an ellipsoid" {
        /// Half its extent along x, y and z `[m]`.
        semi_axes: required Vector,
    }
}

table! {
    /// A superquadric around the origin: from octahedron (exponents 1) by ellipsoid (2) to box (large).
    SuperquadricTable as "a superquadric" {
        /// Half its extent along x, y and z `[m]`.
        semi_axes: required Vector,
        /// Exponent that rounds the outline seen along z `[-]`, 1 to 1000; 2/ε₂ of Barr.
        exponent_xy: required Number,
        /// Exponent that rounds z against that outline `[-]`, 1 to 1000; 2/ε₁ of Barr.
        exponent_z: required Number,
    }
}

table! {
    /// Everything below a plane: a floor or wall without end, for bodies that do not move freely.
    HalfSpaceTable as "a half-space" {
        /// Direction out of the solid, of any length; by default [0, 0, 1].
        normal: optional Vector,
        /// Distance of the plane from the origin along the normal `[m]`; by default 0.
        offset: optional Number,
    }
}

table! {
    /// The convex hull of points.
    HullTable as "a hull" {
        /// At least four points that span a volume `[m]`.
        points: required Vec<Vector>,
    }
}

table! {
    /// The solid inside the closed surface of a mesh file (STL, OBJ, PLY, glTF).
    MeshTable as "a mesh" {
        /// Path of the file, relative to this scene file.
        file: required Text,
        /// Unit of the file's lengths: m, cm, mm, um, in or ft; by default m.
        unit: optional Text,
        /// Factor on all lengths, on top of the unit `[-]`; by default 1.
        scale: optional Number,
    }
}

table! {
    /// Several placed shapes that move as one. Where they overlap, mass counts twice.
    CompoundTable as "a compound" {
        /// The parts.
        parts: required Vec<PartTable>,
    }
}

table! {
    /// A part of a compound.
    PartTable as "a part" {
        /// Its shape.
        shape: required ShapeTable,
        /// Where its origin is in the frame of the compound `[m]`; by default [0, 0, 0].
        position: optional Vector,
        /// Mass per volume `[kg/m³]`; by default that of the body or its material.
        density: optional Number,
        + orientation: OrientationKeys,
    }
}

choice! {
    /// The shape of a body, in its own frame.
    ShapeTable as "a shape" {
        "ball" => Ball(BallTable),
        "box" => Box(BoxTable),
        "capsule" => Capsule(CapsuleTable),
        "cylinder" => Cylinder(CylinderTable),
        "cone" => Cone(ConeTable),
        "ellipsoid" => Ellipsoid(EllipsoidTable),
        "superquadric" => Superquadric(SuperquadricTable),
        "half_space" => HalfSpace(HalfSpaceTable),
        "hull" => Hull(HullTable),
        "mesh" => Mesh(MeshTable),
        "hull_of_mesh" => HullOfMesh(MeshTable),
        "compound" => Compound(CompoundTable),
    }
}
