//! The channels are read by the `mcap` library and decoded by `prost-reflect` from the schemas in the file, as Foxglove
//! does it.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom::{Body, World};
use carom_geometry::Shape;
use carom_geometry::shapes::{Ball, Capsule, Compound, Cone, Cuboid, Cylinder, HalfSpace, Part};
use prost_reflect::{DescriptorPool, DynamicMessage, Value};

use super::*;
use crate::testing::{busy_world, record, tetrahedron};
use crate::{Options, Reader};

fn recording(world: &mut World, end: f64) -> Vec<u8> {
    record(world, end, &Options { foxglove: true, ..Options::at(50.0) })
}

/// The messages of a channel with their log times `[ns]`.
fn decoded(bytes: &[u8], topic: &str) -> Vec<(u64, DynamicMessage)> {
    let messages = mcap::MessageStream::new(bytes).expect("it is an MCAP file");
    let messages = messages.map(|message| message.expect("it is whole"));
    let of_topic = messages.filter(|message| message.channel.topic == topic);
    let decode = |message: mcap::Message<'_>| {
        assert_eq!(message.channel.message_encoding, "protobuf");
        let schema = message.channel.schema.as_ref().expect("it has a schema");
        assert_eq!(schema.encoding, "protobuf");
        let pool = DescriptorPool::decode(schema.data.as_ref()).expect("it is complete");
        let kind = pool.get_message_by_name(&schema.name).expect("it is described");
        let decoded = DynamicMessage::decode(kind, message.data.as_ref()).expect("it is one");
        assert_eq!(decoded.unknown_fields().count(), 0);
        (message.log_time, decoded)
    };
    of_topic.map(decode).collect()
}

fn part(message: &DynamicMessage, name: &str) -> DynamicMessage {
    let value = message.get_field_by_name(name).expect("the field is described");
    value.as_message().expect("it is a message").clone()
}

fn list(message: &DynamicMessage, name: &str) -> Vec<DynamicMessage> {
    let value = message.get_field_by_name(name).expect("the field is described");
    let items = value.as_list().expect("it is a list");
    items.iter().map(|item| item.as_message().expect("of messages").clone()).collect()
}

fn text(message: &DynamicMessage, name: &str) -> String {
    let value = message.get_field_by_name(name).expect("the field is described");
    value.as_str().expect("it is a text").to_owned()
}

fn numbers<const N: usize>(message: &DynamicMessage, names: [&str; N]) -> [f64; N] {
    names.map(|name| {
        let value = message.get_field_by_name(name).expect("the field is described");
        value.as_f64().expect("it is a number")
    })
}

fn nanoseconds(message: &DynamicMessage) -> u64 {
    let stamp = part(message, "timestamp");
    let number = |name: &str| match *stamp.get_field_by_name(name).expect("it is described") {
        Value::I64(number) => number as u64,
        Value::I32(number) => number as u64,
        _ => panic!("{name} is no whole number"),
    };
    number("seconds") * 1_000_000_000 + number("nanos")
}

#[test]
fn transforms_put_every_body_where_the_samples_have_it() {
    let bytes = recording(&mut busy_world(), 1.0);
    let mut reader = Reader::new(std::io::Cursor::new(&bytes)).unwrap();
    let bodies: Vec<BodyDescription> = reader.bodies().map(Result::unwrap).collect();
    let samples: Vec<crate::Sample> = reader.samples().map(Result::unwrap).collect();
    let told = decoded(&bytes, "/foxglove/transforms");
    assert_eq!(told.len(), samples.len());
    let mut count = 0;
    for ((log_time, message), sample) in told.iter().zip(&samples) {
        let transforms = list(message, "transforms");
        let by_frame: BTreeMap<String, &DynamicMessage> =
            transforms.iter().map(|it| (text(it, "child_frame_id"), it)).collect();
        assert_eq!(*log_time, crate::format::log_time(sample.time));
        for (number, state) in &sample.states {
            let body = &bodies[*number as usize];
            let Some(transform) = by_frame.get(&body.name) else {
                assert!(body.role == "fixed" && sample.time > 0.0, "{}", body.name);
                continue;
            };
            assert_eq!(text(transform, "parent_frame_id"), "world");
            assert_eq!(nanoseconds(transform), *log_time);
            let place = numbers(&part(transform, "translation"), ["x", "y", "z"]);
            let turn = numbers(&part(transform, "rotation"), ["x", "y", "z", "w"]);
            assert_eq!(turn, state.orientation.to_array());
            // The reference point, carried by the transform, is where the sample has it.
            let turn = DQuat::from_array(turn);
            let reference = DVec3::from_array(place) + turn * DVec3::from_array(body.reference_m);
            assert!((reference - state.position).length() < 1e-14, "{}", body.name);
            count += 1;
        }
    }
    // The floor once, two bodies throughout, one for half a second, one from three quarters of a second on.
    assert_eq!(count, 1 + 51 + 51 + 25 + 13);
}

#[test]
fn entities_come_once_and_are_deleted_with_their_bodies() {
    let bytes = recording(&mut busy_world(), 1.0);
    let updates = decoded(&bytes, "/foxglove/scene");
    let ids = |name: &str| -> Vec<(u64, String)> {
        let of = |(time, update): &(u64, DynamicMessage)| -> Vec<(u64, String)> {
            list(update, name).iter().map(|it| (*time / 1_000_000, text(it, "id"))).collect()
        };
        updates.iter().flat_map(of).collect()
    };
    let entities = ids("entities");
    let expected = [(0, "floor"), (0, "box, \"big\""), (0, "tetra"), (0, "ball")];
    let mut expected: Vec<(u64, String)> =
        expected.iter().map(|&(time, id)| (time, id.to_owned())).collect();
    expected.push((760, "second ball".to_owned()));
    assert_eq!(entities, expected);
    // It is removed at half a second, before the sample of that time.
    assert_eq!(ids("deletions"), [(500, "ball".to_owned())]);
}

/// One body of every kind that is a primitive, and one that is not.
fn shapes() -> World {
    let mut world = World::builder().passing().build().unwrap();
    let ball = Shape::Ball(Ball::new(0.25).unwrap());
    let cuboid = Shape::Cuboid(Cuboid::new(DVec3::new(0.1, 0.2, 0.3)).unwrap());
    let place = |shape: &Shape| Part {
        body_from_shape: Pose::from_translation(DVec3::X),
        shape: shape.clone(),
    };
    let pair = Compound::new(vec![place(&ball), place(&cuboid)]).unwrap();
    let shapes = [
        ("ball", ball),
        ("box", cuboid),
        ("cylinder", Shape::Cylinder(Cylinder::new(0.5, 0.25).unwrap())),
        ("cone", Shape::Cone(Cone::new(0.5, 0.25).unwrap())),
        ("capsule", Shape::Capsule(Capsule::new(0.5, 0.25).unwrap())),
        ("tetra", tetrahedron(0.3)),
        ("pair", Shape::Compound(Arc::new(pair))),
    ];
    for (index, (name, shape)) in shapes.into_iter().enumerate() {
        let body =
            Body::free(shape).named(name).mass(1.0).at(DVec3::Z * (5.0 + 5.0 * index as f64));
        world.add(body).unwrap();
    }
    let floor = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).unwrap());
    world.add(Body::fixed(floor).named("world")).unwrap();
    world
}

#[test]
fn shapes_are_primitives_where_there_are_such() {
    let bytes = recording(&mut shapes(), 0.1);
    let updates = decoded(&bytes, "/foxglove/scene");
    assert_eq!(updates.len(), 1);
    let entities = list(&updates[0].1, "entities");
    let kinds = ["cubes", "spheres", "cylinders", "triangles"];
    let counts = |entity: &DynamicMessage| kinds.map(|kind| list(entity, kind).len());
    let found: Vec<(String, [usize; 4])> =
        entities.iter().map(|it| (text(it, "id"), counts(it))).collect();
    let expected = [
        ("ball", [0, 1, 0, 0]),
        ("box", [1, 0, 0, 0]),
        ("cylinder", [0, 0, 1, 0]),
        ("cone", [0, 0, 1, 0]),
        ("capsule", [0, 2, 1, 0]),
        ("tetra", [0, 0, 0, 1]),
        ("pair", [1, 1, 0, 0]),
        // The frame of that name is taken.
        ("world #7", [0, 0, 0, 1]),
    ];
    assert_eq!(found, expected.map(|(id, counts)| (id.to_owned(), counts)));
    let cube = &list(&entities[1], "cubes")[0];
    assert_eq!(numbers(&part(cube, "size"), ["x", "y", "z"]), [0.2, 0.4, 0.6]);
    let cone = &list(&entities[3], "cylinders")[0];
    assert_eq!(numbers(cone, ["bottom_scale", "top_scale"]), [1.0, 0.0]);
    let triangles = &list(&entities[5], "triangles")[0];
    assert_eq!(list(triangles, "points").len(), 12, "four faces with corners of their own");
    let moved = part(&part(&list(&entities[6], "spheres")[0], "pose"), "position");
    assert_eq!(numbers(&moved, ["x", "y", "z"]), [1.0, 0.0, 0.0]);
}

#[test]
fn a_recording_without_them_has_no_such_channels_and_reads_the_same() {
    let plain = record(&mut busy_world(), 1.0, &Options::at(50.0));
    assert!(decoded(&plain, "/foxglove/scene").is_empty());
    let shown = recording(&mut busy_world(), 1.0);
    let messages = |bytes: &[u8]| -> Vec<crate::Message> {
        let mut reader = Reader::new(std::io::Cursor::new(bytes)).unwrap();
        reader.messages().map(Result::unwrap).collect()
    };
    assert_eq!(messages(&plain), messages(&shown));
}
