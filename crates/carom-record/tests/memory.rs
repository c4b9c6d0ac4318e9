//! No recording, however forged, may make its reader take more memory than its own size accounts for.
//!
//! Every length and count in a small recording is replaced by absurd ones, with and without a checksum that
//! agrees. Memory is counted by the allocator of this test program.

use std::error::Error;
use std::io::Cursor;
use std::sync::Mutex;

use carom::{Body, Observers, World};
use carom_geometry::Shape;
use carom_geometry::shapes::{Ball, Cuboid, HalfSpace};
use carom_record::{EmbeddedFile, Limits, Options, ReadError, Reader, Recorder, RecordingHeader};
use glam::DVec3;
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The allocator counts for all threads together, so that one test runs at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Memory that a reader may take besides its share per byte of the file: buffers, tables, messages `[byte]`.
const MEMORY_BASE: usize = 1 << 18;

/// Memory per byte of the file `[-]`: two bytes of JSON make a value of 32, twice that while its array grows.
const MEMORY_PER_BYTE: usize = 64;

/// What stands before the records of a chunk without compression, after opcode and length `[byte]`.
const CHUNK_HEAD: usize = 8 + 8 + 8 + 4 + 4 + 8;

fn recording() -> Result<Vec<u8>, Box<dyn Error>> {
    let mut world = World::builder().build()?;
    for i in 0..5 {
        let ball = Shape::Ball(Ball::new(0.1)?);
        world.add(Body::free(ball).named(format!("ball {i}")).ghost())?;
    }
    let mut header = RecordingHeader::new("test", "1");
    header.files.push(EmbeddedFile { path: "scene.toml".into(), bytes: vec![b'#'; 100] });
    let mut recorder = Recorder::new(Vec::new(), "memory", &header, &Options::at(10.0))?;
    world.advance_watched(0.5, &mut Observers::none().with(&mut recorder))?;
    Ok(recorder.finish(&world, "{}")?)
}

/// Where the records of a file begin, and their lengths.
fn records(bytes: &[u8]) -> Vec<(u8, usize, usize)> {
    let mut places = Vec::new();
    let mut at = 8;
    while let Some(head) = bytes.get(at..at + 9) {
        let length = head[1..].iter().rev().fold(0, |sum, &byte| sum << 8 | usize::from(byte));
        if at + 9 + length > bytes.len() {
            break;
        }
        places.push((head[0], at + 9, length));
        at += 9 + length;
    }
    places
}

fn mend_checksums(bytes: &mut [u8], places: &[(u8, usize, usize)]) {
    for &(opcode, start, length) in places {
        if opcode == 6 {
            let crc = crc32fast::hash(&bytes[start + CHUNK_HEAD..start + length]);
            bytes[start + 24..start + 28].copy_from_slice(&crc.to_le_bytes());
        }
    }
}

/// Reads everything and returns the most memory held meanwhile `[byte]`.
fn memory_of_reading(bytes: &[u8]) -> usize {
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    if let Ok(mut reader) = Reader::new(Cursor::new(bytes)) {
        for message in reader.messages() {
            drop(message);
        }
    }
    MEMORY.peak_usage().saturating_sub(before)
}

#[test]
fn a_forged_length_takes_no_memory() {
    let _alone = ONE_AT_A_TIME.lock().unwrap();
    let good = recording().unwrap();
    let places = records(&good);
    let bound = MEMORY_BASE + MEMORY_PER_BYTE * good.len();
    let mut worst = 0;
    for at in 8..good.len() {
        for forged in [[0xff; 4], [0xff, 0xff, 0xff, 0x7f], [0, 0, 0, 0x40], [0xff, 0xff, 0xff, 0]]
        {
            let mut bytes = good.clone();
            let end = (at + 4).min(bytes.len());
            bytes[at..end].copy_from_slice(&forged[..end - at]);
            worst = worst.max(memory_of_reading(&bytes));
            mend_checksums(&mut bytes, &places);
            worst = worst.max(memory_of_reading(&bytes));
        }
    }
    println!("worst: {worst} bytes for a file of {}, bound {bound}", good.len());
    assert!(worst <= bound, "{worst} bytes of memory for {} of file, bound {bound}", good.len());
}

#[test]
fn limits_are_kept_and_named() {
    let _alone = ONE_AT_A_TIME.lock().unwrap();
    let bytes = recording().unwrap();
    let open = |limits: Limits| Reader::with_limits(Cursor::new(&bytes), limits);
    let few = Limits { record_bytes: 300, ..Limits::default() };
    let refused = open(few).err();
    assert!(matches!(refused, Some(ReadError::OverLimit { allowed: 300, .. })), "{refused:?}");
    let few = Limits { embedded_bytes: 50, ..Limits::default() };
    let refused = open(few).err();
    assert!(matches!(refused, Some(ReadError::OverLimit { allowed: 50, .. })), "{refused:?}");
}

/// A cube that rests on a floor by some hundred collisions a second.
fn resting() -> Result<World, Box<dyn Error>> {
    let mut world = World::builder().build()?;
    world.add(Body::fixed(Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0)?)))?;
    let cube = Shape::Cuboid(Cuboid::new(DVec3::splat(0.1))?);
    world.add(Body::free(cube).at(DVec3::new(0.0, 0.0, 0.1)))?;
    Ok(world)
}

/// What the directory of chunks may grow by while a few of them are written `[byte]`.
const DIRECTORY: usize = 1 << 14;

#[test]
fn a_longer_run_of_collisions_takes_no_more_memory() {
    let _alone = ONE_AT_A_TIME.lock().unwrap();
    let (mut world, header) = (resting().unwrap(), RecordingHeader::new("test", "1"));
    let mut recorder =
        Recorder::new(std::io::sink(), "nowhere", &header, &Options::at(60.0)).unwrap();
    let mut peak_to = |time: f64| {
        MEMORY.reset_peak_usage();
        world.advance_watched(time, &mut Observers::none().with(&mut recorder)).unwrap();
        (MEMORY.peak_usage(), world.contacts().map(|it| it.sums().collisions).sum::<u64>())
    };
    let (early, few) = peak_to(3.0);
    let (late, many) = peak_to(12.0);
    println!("{few} collisions: {early} bytes; {many}: {late}");
    assert!(many > 3 * few && few > 500, "{few}, {many}");
    assert!(late <= early + DIRECTORY, "{late} bytes after {early}");
}
