//! The messages of Foxglove's schemas that recordings use, described as its own files describe them
//! (<https://docs.foxglove.dev/docs/sdk/schemas>).

use crate::proto::{Field, FieldType, MessageType, ProtoFile, file_descriptor_set};

const fn one(name: &'static str, number: u32, kind: FieldType) -> Field {
    Field { name, number, kind, repeated: false }
}

const fn many(name: &'static str, number: u32, kind: FieldType) -> Field {
    Field { name, number, kind, repeated: true }
}

const fn message(name: &'static str, fields: &'static [Field]) -> MessageType {
    MessageType { name, fields, words: None }
}

const TIMESTAMP: FieldType = FieldType::Message(".google.protobuf.Timestamp");
const DURATION: FieldType = FieldType::Message(".google.protobuf.Duration");
const VECTOR: FieldType = FieldType::Message(".foxglove.Vector3");
const POINT: FieldType = FieldType::Message(".foxglove.Point3");
const QUATERNION: FieldType = FieldType::Message(".foxglove.Quaternion");
const POSE: FieldType = FieldType::Message(".foxglove.Pose");
const COLOR: FieldType = FieldType::Message(".foxglove.Color");

const NUMBER: FieldType = FieldType::Double;
const TEXT: FieldType = FieldType::Text;
const TRUTH: FieldType = FieldType::Bool;

/// Seconds and nanoseconds, of a point in time and of a length of time alike.
const CLOCK: [Field; 2] = [one("seconds", 1, FieldType::Int64), one("nanos", 2, FieldType::Int32)];
const XYZ: [Field; 3] = [one("x", 1, NUMBER), one("y", 2, NUMBER), one("z", 3, NUMBER)];
const XYZW: [Field; 4] = [XYZ[0], XYZ[1], XYZ[2], one("w", 4, NUMBER)];

/// What has a place, a size and a colour.
const SIZED: [Field; 3] = [one("pose", 1, POSE), one("size", 2, VECTOR), one("color", 3, COLOR)];

static MESSAGES: [MessageType; 18] = [
    message("Vector3", &XYZ),
    message("Point3", &XYZ),
    message("Quaternion", &XYZW),
    message("Pose", &[one("position", 1, VECTOR), one("orientation", 2, QUATERNION)]),
    message(
        "Color",
        &[one("r", 1, NUMBER), one("g", 2, NUMBER), one("b", 3, NUMBER), one("a", 4, NUMBER)],
    ),
    message("KeyValuePair", &[one("key", 1, TEXT), one("value", 2, TEXT)]),
    message(
        "ArrowPrimitive",
        &[
            one("pose", 1, POSE),
            one("shaft_length", 2, NUMBER),
            one("shaft_diameter", 3, NUMBER),
            one("head_length", 4, NUMBER),
            one("head_diameter", 5, NUMBER),
            one("color", 6, COLOR),
        ],
    ),
    message("CubePrimitive", &SIZED),
    message("SpherePrimitive", &SIZED),
    message(
        "CylinderPrimitive",
        &[
            one("pose", 1, POSE),
            one("size", 2, VECTOR),
            one("bottom_scale", 3, NUMBER),
            one("top_scale", 4, NUMBER),
            one("color", 5, COLOR),
        ],
    ),
    MessageType {
        name: "LinePrimitive",
        fields: &[
            one("type", 1, FieldType::Enum(".foxglove.LinePrimitive.Type")),
            one("pose", 2, POSE),
            one("thickness", 3, NUMBER),
            one("scale_invariant", 4, TRUTH),
            many("points", 5, POINT),
            one("color", 6, COLOR),
            many("colors", 7, COLOR),
            many("indices", 8, FieldType::Fixed32),
        ],
        words: Some(("Type", &["LINE_STRIP", "LINE_LOOP", "LINE_LIST"])),
    },
    message(
        "TriangleListPrimitive",
        &[
            one("pose", 1, POSE),
            many("points", 2, POINT),
            one("color", 3, COLOR),
            many("colors", 4, COLOR),
            many("indices", 5, FieldType::Fixed32),
        ],
    ),
    message(
        "TextPrimitive",
        &[
            one("pose", 1, POSE),
            one("billboard", 2, TRUTH),
            one("font_size", 3, NUMBER),
            one("scale_invariant", 4, TRUTH),
            one("color", 5, COLOR),
            one("text", 6, TEXT),
        ],
    ),
    message(
        "ModelPrimitive",
        &[
            one("pose", 1, POSE),
            one("scale", 2, VECTOR),
            one("color", 3, COLOR),
            one("override_color", 4, TRUTH),
            one("url", 5, TEXT),
            one("media_type", 6, TEXT),
            one("data", 7, FieldType::Bytes),
        ],
    ),
    message("SceneEntity", &ENTITY),
    MessageType {
        name: "SceneEntityDeletion",
        fields: &[
            one("timestamp", 1, TIMESTAMP),
            one("type", 2, FieldType::Enum(".foxglove.SceneEntityDeletion.Type")),
            one("id", 3, TEXT),
        ],
        words: Some(("Type", &["MATCHING_ID", "ALL"])),
    },
    message(
        "SceneUpdate",
        &[
            many("deletions", 1, FieldType::Message(".foxglove.SceneEntityDeletion")),
            many("entities", 2, FieldType::Message(".foxglove.SceneEntity")),
        ],
    ),
    message(
        "FrameTransform",
        &[
            one("timestamp", 1, TIMESTAMP),
            one("parent_frame_id", 2, TEXT),
            one("child_frame_id", 3, TEXT),
            one("translation", 4, VECTOR),
            one("rotation", 5, QUATERNION),
        ],
    ),
];

const ENTITY: [Field; 14] = [
    one("timestamp", 1, TIMESTAMP),
    one("frame_id", 2, TEXT),
    one("id", 3, TEXT),
    one("lifetime", 4, DURATION),
    one("frame_locked", 5, TRUTH),
    many("metadata", 6, FieldType::Message(".foxglove.KeyValuePair")),
    many("arrows", 7, FieldType::Message(".foxglove.ArrowPrimitive")),
    many("cubes", 8, FieldType::Message(".foxglove.CubePrimitive")),
    many("spheres", 9, FieldType::Message(".foxglove.SpherePrimitive")),
    many("cylinders", 10, FieldType::Message(".foxglove.CylinderPrimitive")),
    many("lines", 11, FieldType::Message(".foxglove.LinePrimitive")),
    many("triangles", 12, FieldType::Message(".foxglove.TriangleListPrimitive")),
    many("texts", 13, FieldType::Message(".foxglove.TextPrimitive")),
    many("models", 14, FieldType::Message(".foxglove.ModelPrimitive")),
];

static TRANSFORMS: [MessageType; 1] = [message(
    "FrameTransforms",
    &[many("transforms", 1, FieldType::Message(".foxglove.FrameTransform"))],
)];

const TIMESTAMP_FILE: &str = "google/protobuf/timestamp.proto";
const DURATION_FILE: &str = "google/protobuf/duration.proto";
const SCENE_FILE: &str = "foxglove/scene.proto";

/// Describes scenes and transforms, with all that they are made of.
pub(super) fn descriptor_set() -> Vec<u8> {
    let clock =
        |name, messages| ProtoFile { name, package: "google.protobuf", uses: &[], messages };
    let foxglove = |name, uses, messages| ProtoFile { name, package: "foxglove", uses, messages };
    file_descriptor_set(&[
        clock(TIMESTAMP_FILE, &const { [message("Timestamp", &CLOCK)] }),
        clock(DURATION_FILE, &const { [message("Duration", &CLOCK)] }),
        foxglove(SCENE_FILE, &[TIMESTAMP_FILE, DURATION_FILE], &MESSAGES),
        foxglove("foxglove/transforms.proto", &[SCENE_FILE], &TRANSFORMS),
    ])
}
