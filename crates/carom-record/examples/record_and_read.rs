//! Records three bodies for two seconds and reads the recording again.
//!
//!     cargo run -p carom-record --example record_and_read -- run.mcap

use std::error::Error;

use carom::{Body, Command, Observers, Push, World};
use carom_geometry::shapes::{Ball, Cuboid, HalfSpace};
use carom_geometry::{Shape, convex_hull};
use carom_record::{EmbeddedFile, Options, Output, Reader, RecordingHeader};
use glam::DVec3;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "run.mcap".to_owned());
    let mut world = World::builder().build()?;
    let floor = Shape::HalfSpace(HalfSpace::new(DVec3::Z, -30.0)?);
    world.add(Body::fixed(floor).named("floor"))?;
    let cuboid = Shape::Cuboid(Cuboid::new(DVec3::new(0.1, 0.2, 0.3))?);
    world.add(Body::free(cuboid).named("box").angular_velocity(DVec3::new(0.3, 1.0, 7.0)))?;
    let wedge = convex_hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z])?;
    world.add(Body::free(Shape::Polyhedron(wedge.into())).named("wedge").at(DVec3::X))?;
    let ball =
        Body::free(Shape::Ball(Ball::new(0.1)?)).named("ball").at(DVec3::new(0.0, -1.0, 0.0));
    let ball = world.add(ball)?;
    world.schedule(0.5, Command::Impulse(Push::central(ball, DVec3::new(1.0, 0.0, 20.0))))?;

    let mut header = RecordingHeader::new("record_and_read", env!("CARGO_PKG_VERSION"));
    header.files.push(EmbeddedFile { path: "scene.toml".into(), bytes: b"# none\n".to_vec() });
    header.colors.insert("ball".into(), [0.9, 0.2, 0.1, 1.0]);
    let mut output = Output::create(&path, &header, &Options::at(60.0))?;
    world.advance_watched(2.0, &mut Observers::none().with(&mut output))?;
    let is_recording = matches!(output, Output::Recording(_));
    output.finish(&world, r#"{"note": "nothing fell on the floor"}"#)?;
    if !is_recording {
        return Ok(());
    }

    let mut reader = Reader::open(&path)?;
    let samples = reader.samples().count();
    let events = reader.events().count();
    let last = reader.samples_from(2.0).next().transpose()?;
    let height = last.map(|sample| sample.states[3].1.position.z);
    assert_eq!((samples, events), (121, 5));
    assert_eq!(height, world.state(ball).map(|state| state.position.z));
    Ok(())
}
