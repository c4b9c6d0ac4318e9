//! glTF is read by the `gltf` library, which shares no code with the writer.

use std::io::Cursor;
use std::path::PathBuf;

use ::gltf::animation::util::ReadOutputs;
use carom::{Body, World};
use carom_geometry::Shape;
use carom_geometry::shapes::{Ball, Cuboid};
use glam::{DQuat, DVec3};

use super::*;
use crate::testing::{busy_world, landing_world, record};
use crate::{CsvTables, Options, Sample};
use carom::Observers;

fn reader(bytes: &[u8]) -> Reader<Cursor<&[u8]>> {
    Reader::new(Cursor::new(bytes)).expect("it is a recording")
}

fn film(bytes: &[u8]) -> Film {
    Film::read(&mut reader(bytes)).expect("it has samples")
}

/// A path in a folder of this process.
fn path(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("carom-export-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("temporary folders can be made");
    folder.join(name)
}

fn wide(turn: [f32; 4]) -> DQuat {
    DQuat::from_array(turn.map(f64::from))
}

/// A document and its buffer.
fn opened(bytes: &[u8]) -> (::gltf::Document, Vec<u8>) {
    let ::gltf::Gltf { document, blob } = ::gltf::Gltf::from_slice(bytes).expect("it is valid");
    (document, blob.expect("it has a binary chunk"))
}

#[test]
fn the_animation_has_every_body_where_the_samples_have_it() {
    let bytes = record(&mut busy_world(), 1.0, &Options::at(50.0));
    let samples: Vec<Sample> = reader(&bytes).samples().map(Result::unwrap).collect();
    let film = film(&bytes);
    let (document, blob) = opened(&gltf::binary(&film));
    let root = document.scenes().next().unwrap().nodes().next().unwrap();
    let world = root.transform().decomposed().1;
    // z is up in the recording, y in glTF.
    assert!((wide(world) * DVec3::Z).distance(DVec3::Y) < 1e-6);
    let animation = document.animations().next().unwrap();
    let mut checked = 0;
    for channel in animation.channels() {
        let name = channel.target().node().name().unwrap().to_owned();
        let body = film.actors.iter().find(|it| it.body.name == name).unwrap();
        let reader = channel.reader(|_| Some(&blob));
        let times: Vec<f32> = reader.read_inputs().unwrap().collect();
        assert!(times.is_sorted_by(|a, b| a < b));
        let of_body = samples.iter().filter_map(|sample| {
            sample.states.iter().find(|(number, _)| *number == body.body.body).map(|(_, it)| it)
        });
        match reader.read_outputs().unwrap() {
            ReadOutputs::Translations(places) => {
                for (place, state) in places.zip(of_body) {
                    let origin = state.position
                        - state.orientation * DVec3::from_array(body.body.reference_m);
                    let gap = DVec3::from_array(place.map(f64::from)) - origin;
                    // Single precision of places of a few metres.
                    assert!(gap.length() < 1e-6, "{name}: {gap}");
                    checked += 1;
                }
            }
            ReadOutputs::Rotations(turns) => {
                let turns: Vec<[f32; 4]> = turns.into_f32().collect();
                for (turn, state) in turns.iter().zip(of_body) {
                    let turn = wide(*turn);
                    assert!((turn.dot(state.orientation).abs() - 1.0).abs() < 1e-6, "{name}");
                }
                let dots = turns.iter().zip(&turns[1..]);
                let dot = |(a, b): (&[f32; 4], &[f32; 4])| wide(*a).dot(wide(*b));
                assert!(dots.map(dot).all(|dot| dot > 0.0), "{name} turns the shorter way");
            }
            ReadOutputs::Scales(scales) => {
                let shown: Vec<f32> = scales.map(|scale| scale[0]).collect();
                let expected: &[f32] = if name == "ball" { &[1.0, 0.0] } else { &[0.0, 1.0] };
                assert_eq!(shown, expected, "{name}");
            }
            ReadOutputs::MorphTargetWeights(_) => panic!("there are none"),
        }
    }
    // Two bodies throughout, one for half a second, one from three quarters of a second on.
    assert_eq!(checked, 51 + 51 + 25 + 13);
}

#[test]
fn meshes_have_the_shape_the_colour_and_the_bounds_that_they_should() {
    let bytes = record(&mut busy_world(), 0.2, &Options::at(50.0));
    let (document, blob) = opened(&gltf::binary(&film(&bytes)));
    let node = |name: &str| document.nodes().find(|it| it.name() == Some(name)).unwrap();
    let primitive = |name: &str| node(name).mesh().unwrap().primitives().next().unwrap();
    let read = |name: &str| -> Vec<[f32; 3]> {
        primitive(name).reader(|_| Some(&blob)).read_positions().unwrap().collect()
    };
    let bounds = primitive("box, \"big\"").bounding_box();
    assert_eq!((bounds.min, bounds.max), ([-0.1, -0.2, -0.3], [0.1, 0.2, 0.3]));
    for place in read("ball") {
        assert!((DVec3::from_array(place.map(f64::from)).length() - 0.05).abs() < 1e-8);
    }
    // Its colour is given as 1, 0.5, 0.25 for screens.
    let [r, g, b, a] = primitive("tetra").material().pbr_metallic_roughness().base_color_factor();
    assert_eq!((r, a), (1.0, 1.0));
    assert!((g - 0.214).abs() < 1e-3 && (b - 0.0509).abs() < 1e-3, "{g} {b}");
    assert_eq!(read("floor").len(), 4);
    assert!(read("floor").iter().all(|place| place[2] == -5.0));
}

#[test]
fn bodies_of_one_shape_and_colour_share_a_mesh() {
    let mut world = World::builder().passing().build().unwrap();
    for k in 0..12 {
        let ball = Body::free(Shape::Ball(Ball::new(0.1).unwrap())).named(format!("ball {k}"));
        world.add(ball.at(DVec3::X * f64::from(k))).unwrap();
    }
    let cuboid = Cuboid::new(DVec3::splat(0.1)).unwrap();
    world.add(Body::free(Shape::Cuboid(cuboid)).named("box").at(DVec3::Y)).unwrap();
    let (document, _) = opened(&gltf::binary(&film(&record(&mut world, 0.1, &Options::at(50.0)))));
    // Six colours in turn, and a box.
    assert_eq!((document.meshes().count(), document.nodes().count()), (7, 14));
    // All were there at the same times.
    let inputs: std::collections::BTreeSet<usize> = document
        .animations()
        .flat_map(|it| it.samplers().map(|it| it.input().index()).collect::<Vec<_>>())
        .collect();
    assert_eq!(inputs.len(), 1);
}

#[test]
fn text_and_binary_are_the_same_document() {
    let film = film(&record(&mut busy_world(), 0.2, &Options::at(50.0)));
    let text: serde_json::Value = serde_json::from_slice(&gltf::text(&film)).unwrap();
    let (_, blob) = opened(&gltf::binary(&film));
    let uri = text["buffers"][0]["uri"].as_str().unwrap();
    let data = uri.strip_prefix("data:application/octet-stream;base64,").unwrap();
    assert_eq!(data.len(), blob.len().div_ceil(3) * 4);
    let expected = format!(
        "{:?}",
        ::gltf::Gltf::from_slice(&gltf::binary(&film)).unwrap().document.nodes().count()
    );
    assert_eq!(text["nodes"].as_array().unwrap().len().to_string(), expected);
}

#[test]
fn tables_of_a_recording_are_those_of_the_run() {
    for (name, world) in [("busy", busy_world as fn() -> World), ("landing", landing_world)] {
        let options = Options::at(50.0);
        let bytes = record(&mut world(), 0.7, &options);
        let (ran, read) = (path(&format!("{name}-ran.csv")), path(&format!("{name}-read.csv")));
        let mut tables = CsvTables::create(&ran, &options).unwrap();
        let mut run = world();
        run.advance_watched(0.7, &mut Observers::none().with(&mut tables)).unwrap();
        tables.finish(&run).unwrap();
        let exported = export(&mut reader(&bytes), ExportFormat::Csv, &read).unwrap();
        assert_eq!(exported.samples, 36);
        for extension in ["csv", "events.csv", "contacts.csv"] {
            let text =
                |path: &PathBuf| std::fs::read_to_string(path.with_extension(extension)).unwrap();
            assert_eq!(text(&ran), text(&read), "{name}: {extension}");
        }
    }
}

#[test]
fn usd_has_a_prim_for_every_body_and_balanced_brackets() {
    let bytes = record(&mut busy_world(), 1.0, &Options::at(50.0));
    let path = path("busy.usda");
    export(&mut reader(&bytes), ExportFormat::Usd, &path).unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.starts_with("#usda 1.0\n"));
    for (open, close) in [('{', '}'), ('(', ')'), ('[', ']')] {
        assert_eq!(text.matches(open).count(), text.matches(close).count(), "{open}");
    }
    for prim in
        ["Xform \"box___big_\"", "Xform \"second_ball\"", "Cube \"shape\"", "Sphere \"shape\""]
    {
        assert!(text.contains(&format!("def {prim}")), "{prim}");
    }
    assert!(text.contains("endTimeCode = 50\n") && text.contains("timeCodesPerSecond = 50\n"));
    // Two bodies move throughout, one until half a second, one from three quarters on.
    let translations = text.split("xformOp:translate.timeSamples").skip(1);
    let counts: Vec<usize> =
        translations.map(|it| it.split('}').next().unwrap().matches(": (").count()).collect();
    assert_eq!(counts, [51, 51, 25, 13]);
    assert!(text.contains("0: \"inherited\", 25: \"invisible\""));
    assert!(text.contains("0: \"invisible\", 38: \"inherited\""));
}

#[test]
fn a_recording_without_samples_is_told_as_such() {
    let header = crate::RecordingHeader::default();
    let recorder = crate::Recorder::new(Vec::new(), "memory", &header, &Options::at(1.0)).unwrap();
    let bytes = recorder.close(0.0, "{}").unwrap();
    for format in [ExportFormat::Glb, ExportFormat::Usd, ExportFormat::Foxglove] {
        let made = export(&mut reader(&bytes), format, &path("empty"));
        assert!(matches!(made, Err(ExportError::Empty)), "{format:?}");
    }
}

#[test]
fn formats_are_known_by_their_extensions_and_names() {
    for format in ExportFormat::ALL {
        let path = PathBuf::from(format!("x.{}", format.extension().to_uppercase()));
        assert_eq!(ExportFormat::of_path(&path), Some(format));
        assert_eq!(ExportFormat::of_name(format.name()), Some(format));
    }
    assert_eq!(ExportFormat::of_path(Path::new("x.obj")), None);
}
