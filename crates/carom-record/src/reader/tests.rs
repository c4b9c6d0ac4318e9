use std::io::Cursor;

use carom::{Account, Command, Fault, History, Observers};
use proptest::prelude::*;

use super::*;
use crate::testing::{
    SmallDisk, all_bits, ball, bits, busy_world, first_contact, full_header, passing_world,
    property, record, tetrahedron,
};
use crate::{Options, Recorder, Selection, ShapeDescription};

const RATE: f64 = 100.0;

fn open(bytes: &[u8]) -> Reader<Cursor<&[u8]>> {
    Reader::new(Cursor::new(bytes)).unwrap()
}

fn all<T>(items: impl Iterator<Item = Result<T, ReadError>>) -> Vec<T> {
    items.collect::<Result<_, _>>().unwrap()
}

/// A recording of the busy world with many chunks.
fn long_recording() -> Vec<u8> {
    record(&mut busy_world(), 4.0, &Options::at(RATE))
}

fn account_bits(account: &Account) -> [u64; 4] {
    [account.kinetic, account.potential, account.work, account.residual].map(f64::to_bits)
}

#[test]
fn samples_and_ledger_are_what_the_world_says_to_the_bit() {
    let bytes = record(&mut busy_world(), 1.0, &Options::at(RATE));
    let mut reader = open(&bytes);
    let (samples, ledger) = (all(reader.samples()), all(reader.ledger()));
    assert_eq!((samples.len(), ledger.len()), (101, 101));
    let names: Vec<String> = all(reader.bodies()).into_iter().map(|body| body.name).collect();
    let mut world = busy_world();
    for (n, (sample, line)) in samples.iter().zip(&ledger).enumerate() {
        let time = n as f64 / RATE;
        world.advance_to(time).unwrap();
        assert_eq!((sample.time, line.time), (time, time));
        assert_eq!(sample.states.len(), world.body_count(), "at {time} s");
        for (number, state) in &sample.states {
            let body = world.find(&names[*number as usize]).unwrap();
            assert_eq!(bits(state), bits(&world.state(body).unwrap()), "at {time} s");
        }
        assert_eq!(account_bits(&line.account), account_bits(&world.account()), "at {time} s");
    }
}

#[test]
fn events_are_those_that_happened_with_the_states_around_them() {
    let (mut world, mut history) = (busy_world(), History::of_all());
    world.advance_watched(1.0, &mut Observers::none().with(&mut history)).unwrap();
    let bytes = record(&mut busy_world(), 1.0, &Options::at(RATE));
    let events = all(open(&bytes).events());
    assert_eq!(events.len(), history.events().len());
    for (read, told) in events.iter().zip(history.events()) {
        assert_eq!((read.time, read.kind.as_str()), (told.time, told.what.name()));
        assert_eq!(read.phase, told.what.kind().name());
        let change = |state: Option<carom::BodyState>| state.map(|state| bits(&state));
        assert_eq!(change(read.before), change(told.change.and_then(|it| it.before)));
        assert_eq!(change(read.after), change(told.change.and_then(|it| it.after)));
    }
    let impulse = events.iter().find(|event| event.kind == "impulse").unwrap();
    assert_eq!(impulse.name.as_deref(), Some("ball"));
    assert_eq!(impulse.details["linear_N_s"], serde_json::json!([0.1, 0.0, 0.3]));
    let kinds: Vec<&str> = events.iter().map(|event| event.kind.as_str()).collect();
    let expected =
        ["added", "added", "added", "added", "impulse", "removed", "added", "gravity", "touch"];
    assert_eq!(kinds, expected);
}

#[test]
fn touches_and_sensors_are_recorded_with_all_that_is_known_of_them() {
    let (mut world, mut history) = (passing_world(), History::of_all());
    world.advance_watched(2.0, &mut Observers::none().with(&mut history)).unwrap();
    let bytes = record(&mut passing_world(), 2.0, &Options::at(RATE));
    let mut reader = open(&bytes);
    let sensors: Vec<bool> = all(reader.bodies()).iter().map(|body| body.sensor).collect();
    assert_eq!(sensors, [false, true, false]);
    let events = all(reader.events());
    let kinds: Vec<&str> = events[3..].iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds, ["entered", "left", "touch"]);
    assert!(events[3..].iter().all(|event| event.phase == "check" && event.body.is_none()));
    let pairs: Vec<_> = events[3..].iter().map(|event| event.pair().unwrap()).collect();
    assert_eq!(pairs, [["ball", "gate"], ["ball", "gate"], ["ball", "floor"]]);
    assert_eq!(events[0].pair(), None);
    let contact = first_contact(&history);
    // From rest at 4.5 m above the floor.
    assert!((events[5].time - (2.0 * 4.5 / 9.80665_f64).sqrt()).abs() < 1e-9);
    assert!(contact.distance > 0.0 && contact.distance < 1e-8);
    let expected = serde_json::json!({
        "a": { "body": 0, "name": "ball" },
        "b": { "body": 2, "name": "floor" },
        "point_m": contact.point.to_array(),
        "normal": contact.normal.to_array(),
        "distance_m": contact.distance,
        "speed_m_s": contact.speed,
        "features": ["face 0", "face 0"],
        "feature_names": ["the surface", "the plane"],
        "pieces": [0, 0],
    });
    assert_eq!(serde_json::Value::Object(events[5].details.clone()), expected);
    let sensor = serde_json::json!({
        "sensor": { "body": 1, "name": "gate" },
        "body": { "body": 0, "name": "ball" },
    });
    assert_eq!(serde_json::Value::Object(events[3].details.clone()), sensor);
}

#[test]
fn of_touches_only_those_of_selected_bodies_are_kept() {
    let kinds = |names: &[&str]| {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        let options = Options { bodies: Selection::Named(names), ..Options::at(RATE) };
        let bytes = record(&mut passing_world(), 2.0, &options);
        let kinds: Vec<String> = all(open(&bytes).events()).into_iter().map(|it| it.kind).collect();
        kinds
    };
    assert_eq!(kinds(&["floor"]), ["added", "touch"]);
    assert_eq!(kinds(&["gate"]), ["added", "entered", "left"]);
    assert_eq!(kinds(&["nobody"]), [""; 0]);
}

#[test]
fn a_recording_says_everything_about_its_run() {
    let bytes = record(&mut busy_world(), 1.0, &Options::at(RATE));
    let reader = open(&bytes);
    let expected = RecordingHeader { colors: BTreeMap::new(), ..full_header() };
    assert_eq!(reader.header(), &expected);
    assert_eq!(reader.rate_hz(), RATE);
    let summary = r#"{"ok":true}"#.to_owned();
    assert_eq!(reader.ending(), &Ending::Finished { end: Some(1.0), summary });
}

#[test]
fn bodies_are_described_when_they_come_and_keep_their_numbers() {
    let bytes = record(&mut busy_world(), 1.0, &Options::at(RATE));
    let mut reader = open(&bytes);
    let (bodies, meshes) = (all(reader.bodies()), all(reader.meshes()));
    let numbers: Vec<u32> = bodies.iter().map(|body| body.body).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 4]);
    // The second ball takes the slot of the first one, but not its number.
    assert_eq!((bodies[4].name.as_str(), bodies[4].since_s), ("second ball", 0.75));
    assert_eq!(bodies[3].shape, ShapeDescription::Ball { radius: 0.05 });
    assert_eq!(bodies[0].mass(), None);
    let world = busy_world();
    let tetra = world.body(world.find("tetra").unwrap()).unwrap();
    assert_eq!(bodies[2].mass().as_ref(), tetra.mass());
    assert_eq!(bodies[2].reference_m, tetra.reference().to_array());
    assert_eq!(bodies[2].color, Some([1.0, 0.5, 0.25, 1.0]));
    assert_eq!(bodies[2].shape, ShapeDescription::Polyhedron { mesh: 0 });
    assert_eq!((meshes[0].vertices.len(), meshes[0].triangles.len()), (4, 4));
}

#[test]
fn recording_changes_no_bit_of_a_run() {
    let (mut watched, mut alone) = (busy_world(), busy_world());
    let mut recorder =
        Recorder::new(Vec::new(), "memory", &full_header(), &Options::at(977.0)).unwrap();
    for end in [0.1, 0.25, 0.6, 1.0, 1.0, 2.5] {
        watched.advance_watched(end, &mut Observers::none().with(&mut recorder)).unwrap();
        alone.advance_to(end).unwrap();
        assert_eq!(all_bits(&watched), all_bits(&alone), "at {end} s");
        assert_eq!(watched.event_counts(), alone.event_counts());
    }
}

#[test]
fn the_same_run_in_pieces_gives_the_same_file() {
    let whole = record(&mut busy_world(), 1.0, &Options::at(RATE));
    let mut world = busy_world();
    let mut recorder =
        Recorder::new(Vec::new(), "memory", &full_header(), &Options::at(RATE)).unwrap();
    for end in [0.005, 0.25, 0.3, 0.75, 1.0] {
        world.advance_watched(end, &mut Observers::none().with(&mut recorder)).unwrap();
    }
    assert!(recorder.finish(&world, r#"{"ok":true}"#).unwrap() == whole);
}

#[test]
fn only_the_selected_bodies_are_kept() {
    let options = Options {
        bodies: Selection::Named(vec!["tetra".into(), "second ball".into()]),
        ..Options::at(RATE)
    };
    let bytes = record(&mut busy_world(), 1.0, &options);
    let mut reader = open(&bytes);
    let names: Vec<String> = all(reader.bodies()).into_iter().map(|body| body.name).collect();
    assert_eq!(names, ["tetra", "second ball"]);
    let counts: Vec<usize> = all(reader.samples()).iter().map(|it| it.states.len()).collect();
    assert_eq!((counts[74], counts[75]), (1, 2));
    let kinds: Vec<String> = all(reader.events()).into_iter().map(|event| event.kind).collect();
    assert_eq!(kinds, ["added", "added", "gravity"]);
    let bytes = record(&mut busy_world(), 1.0, &Options { events: false, ..Options::at(RATE) });
    assert_eq!(open(&bytes).events().count(), 0);
}

#[test]
fn a_body_that_comes_and_goes_in_one_instant_confuses_nobody() {
    let mut world = busy_world();
    let slot = world.add(ball("third")).unwrap();
    world.remove(slot).unwrap();
    world.add(ball("fourth")).unwrap();
    let bytes = record(&mut world, 0.0, &Options::at(RATE));
    let mut reader = open(&bytes);
    let bodies = all(reader.bodies());
    let fourth = bodies.iter().find(|body| body.name == "fourth").unwrap().body;
    let events = all(reader.events());
    let of = |name: &str| -> Vec<u32> {
        events
            .iter()
            .filter(|it| it.name.as_deref() == Some(name))
            .filter_map(|it| it.body)
            .collect()
    };
    assert_eq!(of("fourth"), [fourth]);
    assert_eq!(of("third").len(), 2, "added and removed");
    assert_ne!(of("third")[0], fourth);
    let sample = reader.samples().next().unwrap().unwrap();
    assert!(sample.states.iter().any(|(number, _)| *number == fourth));
}

#[test]
fn samples_from_a_time_are_the_last_ones() {
    let bytes = long_recording();
    let mut reader = open(&bytes);
    let samples = all(reader.samples());
    assert!(reader.chunks.len() > 6, "{} chunks", reader.chunks.len());
    for start in [-1.0, 0.0, 0.013, 1.0, 2.005, 4.0, 5.0, f64::NAN] {
        let expected: Vec<&Sample> = samples.iter().filter(|it| it.time >= start).collect();
        let read = all(reader.samples_from(start));
        assert_eq!(read.iter().collect::<Vec<_>>(), expected, "from {start} s");
    }
}

#[test]
fn the_library_that_wrote_a_recording_reads_it() {
    let bytes = long_recording();
    let summary = mcap::Summary::read(&bytes).unwrap().unwrap();
    let stats = summary.stats.as_ref().unwrap();
    assert_eq!((stats.channel_count, stats.attachment_count, stats.metadata_count), (8, 2, 2));
    let ours = open(&bytes).messages().count();
    let theirs: Vec<mcap::Message> =
        mcap::MessageStream::new(&bytes).unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(ours, theirs.len());
    assert_eq!(stats.message_count, theirs.len() as u64);
    let states = theirs.iter().filter(|it| it.channel.topic == "/states").count();
    assert_eq!(states, 401);
    let log_times: Vec<u64> =
        theirs.iter().filter(|it| it.channel.topic == "/ledger").map(|it| it.log_time).collect();
    assert_eq!(log_times[..3], [0, 10_000_000, 20_000_000]);
}

/// Where chunks end in a file, with the number of messages up to there.
fn ends_of_chunks(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut reader = open(bytes);
    let places = reader.chunks.clone();
    let mut messages = 0;
    let mut ends = Vec::new();
    for place in places {
        let records = reader.load(place).unwrap();
        let mut rest = Bytes::of(&records);
        while let Some((opcode, _)) = next_record(&mut rest) {
            messages += usize::from(opcode == op::MESSAGE);
        }
        ends.push(((place.offset + RECORD_HEAD + place.length) as usize, messages));
    }
    ends
}

#[test]
fn a_file_that_breaks_off_is_read_up_to_its_last_complete_chunk() {
    let bytes = long_recording();
    let ends = ends_of_chunks(&bytes);
    assert!(ends.len() > 6);
    let mut cuts: Vec<usize> =
        ends.iter().flat_map(|(end, _)| [end - 1, *end, end + 1, end + 1000]).collect();
    // Nobody needs a random generator to cut a file at odd places.
    cuts.extend((0..400).map(|i| (i * 7919 * 31) % bytes.len()));
    cuts.extend(bytes.len() - 700..bytes.len());
    let whole: Vec<Message> = all(open(&bytes).messages());
    for cut in cuts.into_iter().filter(|cut| *cut < bytes.len()) {
        let expected = ends.iter().rev().find(|(end, _)| *end <= cut);
        let mut reader = match Reader::new(Cursor::new(&bytes[..cut])) {
            Ok(reader) => reader,
            Err(error) => {
                assert!(expected.is_none(), "cut at {cut}: {error}");
                continue;
            }
        };
        let read = all(reader.messages());
        assert_eq!(read.len(), expected.map_or(0, |(_, messages)| *messages), "cut at {cut}");
        assert!(read.iter().eq(&whole[..read.len()]), "cut at {cut}");
        let Ending::BrokenOff { until, .. } = *reader.ending() else {
            panic!("cut at {cut}: {:?}", reader.ending());
        };
        let last = reader.samples().last().map(|sample| sample.unwrap().time);
        assert!(last <= until, "cut at {cut}: {until:?} {last:?}");
    }
}

#[test]
fn a_recorder_that_is_dropped_leaves_a_whole_file_without_an_end() {
    let disk = SmallDisk::of(usize::MAX);
    let mut recorder =
        Recorder::new(disk.clone(), "disk", &full_header(), &Options::at(RATE)).unwrap();
    busy_world().advance_watched(1.0, &mut Observers::none().with(&mut recorder)).unwrap();
    drop(recorder);
    let bytes = disk.bytes();
    let mut reader = open(&bytes);
    assert_eq!(reader.ending(), &Ending::Abandoned);
    assert_eq!(reader.samples().count(), 100);
}

#[test]
fn what_is_on_the_disk_while_a_run_goes_on_lacks_at_most_one_chunk() {
    let disk = SmallDisk::of(usize::MAX);
    let mut recorder =
        Recorder::new(disk.clone(), "disk", &full_header(), &Options::at(RATE)).unwrap();
    let mut world = busy_world();
    for n in 1..400_u32 {
        let time = f64::from(n) / RATE;
        world.advance_watched(time, &mut Observers::none().with(&mut recorder)).unwrap();
        let bytes = disk.bytes();
        let samples = open(&bytes).samples().count();
        let missing = n as usize - samples;
        assert!(missing < 64, "{missing} samples are missing at {time} s");
    }
}

#[test]
fn a_full_disk_ends_the_run_and_what_fitted_is_read() {
    let whole = long_recording();
    let ends = ends_of_chunks(&whole);
    for size in (0..whole.len()).step_by(whole.len() / 60).chain(ends.iter().map(|it| it.0 + 5)) {
        let disk = SmallDisk::of(size);
        let options = Options::at(RATE);
        let message = match Recorder::new(disk.clone(), "out/run.mcap", &full_header(), &options) {
            Err(error) => error.to_string(),
            Ok(mut recorder) => {
                let mut world = busy_world();
                let mut observers = Observers::none().with(&mut recorder);
                if let Err(fault) = world.advance_watched(4.0, &mut observers) {
                    assert!(matches!(fault, Fault::Observer { .. }));
                    // Once failed, it stays failed and writes nothing more.
                    assert!(recorder.close(0.0, "{}").is_err());
                    fault.to_string()
                } else {
                    let finished = recorder.finish(&world, r#"{"ok":true}"#);
                    finished.unwrap_err().to_string()
                }
            }
        };
        assert!(message.contains("out/run.mcap"), "{message}");
        let bytes = disk.bytes();
        assert!(whole.starts_with(&bytes), "a disk of {size} bytes has what fits of the whole");
        let fitted = ends.iter().rev().find(|(end, _)| *end <= bytes.len());
        if let Some((_, messages)) = fitted {
            assert_eq!(open(&bytes).messages().count(), *messages, "disk of {size} bytes");
        }
    }
}

#[test]
fn strangers_and_later_formats_are_refused_in_words() {
    assert!(matches!(Reader::new(Cursor::new(b"")), Err(ReadError::NotMcap)));
    assert!(matches!(Reader::new(Cursor::new(b"PNG and so on")), Err(ReadError::NotMcap)));
    let mut writer = mcap::Writer::new(Cursor::new(Vec::new())).unwrap();
    writer.finish().unwrap();
    let stranger = writer.into_inner();
    assert!(matches!(Reader::new(stranger), Err(ReadError::NotARecording)));
    let bytes = long_recording();
    let at = bytes.windows(7).position(|window| window == b"format\x01").unwrap();
    let mut later = bytes;
    later[at + 6 + 4] = b'2';
    let message = Reader::new(Cursor::new(later)).unwrap_err().to_string();
    for part in ["format 2", "up to 1", "0.0.1", "carom-test"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn a_damaged_chunk_is_told_and_the_next_ones_are_read() {
    let mut bytes = long_recording();
    let place = open(&bytes).chunks[3];
    bytes[(place.offset + 200) as usize] ^= 1;
    let mut reader = open(&bytes);
    let (good, bad): (Vec<_>, Vec<_>) = reader.samples().partition(Result::is_ok);
    assert_eq!(bad.len(), 1);
    let message = bad[0].as_ref().unwrap_err().to_string();
    assert!(message.contains("checksum") && message.contains(&place.offset.to_string()));
    assert_eq!(good.len(), 401 - 64);
}

#[test]
fn a_run_that_never_advanced_has_its_bodies_and_one_sample() {
    let world = busy_world();
    let recorder = Recorder::new(Vec::new(), "memory", &full_header(), &Options::at(RATE)).unwrap();
    let bytes = recorder.finish(&world, "{}").unwrap();
    let mut reader = open(&bytes);
    assert_eq!((reader.bodies().count(), reader.samples().count()), (4, 1));
}

#[test]
fn many_bodies_share_one_mesh() {
    let mut world = carom::World::builder().build().unwrap();
    let shape = tetrahedron(0.1);
    for i in 0..50 {
        world.schedule(f64::from(i) * 0.01, add(&shape, i)).unwrap();
    }
    let bytes = record(&mut world, 1.0, &Options::at(10.0));
    let mut reader = open(&bytes);
    assert_eq!((reader.bodies().count(), reader.meshes().count()), (50, 1));
}

fn add(shape: &carom_geometry::Shape, i: i32) -> Command {
    Command::add(carom::Body::free(shape.clone()).named(format!("part {i}")).ghost())
}

/// Reads all there is and returns how much; must not panic.
fn read_all(bytes: &[u8]) -> usize {
    Reader::new(Cursor::new(bytes)).map_or(0, |mut reader| reader.messages().count())
}

/// A small recording with correct checksums around one mutated message.
fn with_checksums(mut bytes: Vec<u8>, places: &[ChunkPlace]) -> Vec<u8> {
    for place in places {
        let start = (place.offset + RECORD_HEAD) as usize;
        let end = start + place.length as usize;
        let head = 8 + 8 + 8 + 4 + 4 + 8;
        if let Some(crc) = bytes.get(start + head..end).map(crc32fast::hash) {
            bytes[start + 24..start + 28].copy_from_slice(&crc.to_le_bytes());
        }
    }
    bytes
}

proptest! {
    #![proptest_config(property(300))]

    #[test]
    fn mutated_recordings_never_panic(
        places in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
        checksums in any::<bool>(),
    ) {
        let bytes = record(&mut busy_world(), 0.3, &Options::at(20.0));
        let chunks = open(&bytes).chunks;
        let mut mutated = bytes;
        for (place, byte) in places {
            let at = place.index(mutated.len());
            mutated[at] = byte;
        }
        if checksums {
            mutated = with_checksums(mutated, &chunks);
        }
        read_all(&mutated);
    }

    #[test]
    fn mutated_chunks_with_right_checksums_never_panic(
        places in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let bytes = record(&mut busy_world(), 0.3, &Options::at(20.0));
        let chunks = open(&bytes).chunks;
        let mut mutated = bytes;
        for (place, byte) in places {
            let chunk = chunks[place.index(chunks.len())];
            let at = chunk.offset as usize + 49 + place.index(chunk.length as usize - 40);
            mutated[at] = byte;
        }
        let mutated = with_checksums(mutated, &chunks);
        read_all(&mutated);
    }

    #[test]
    fn random_bytes_never_panic(mut bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        read_all(&bytes);
        let magic = record::MAGIC;
        if bytes.len() > magic.len() {
            bytes[..magic.len()].copy_from_slice(magic);
        }
        read_all(&bytes);
    }
}
