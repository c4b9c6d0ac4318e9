//! The committed bits, with any number of threads, recorded or not, in one piece or cut by snapshots.

use carom::{Snapshot, World};
use carom_record::{Options as RecordOptions, Output, Reader, RecordingHeader};
use carom_scene::{BUILT_IN, built_in};
use carom_study::run::RunOptions;

use crate::common::{
    AUDITED_IN_PART, assert_met, audited, built, options, report, scene_of, short_time,
};

#[test]
fn every_built_in_scene_ends_with_the_committed_hash_and_meets_its_expectations() {
    for built_in in BUILT_IN {
        let plain = options(1, 60.0);
        let options =
            if AUDITED_IN_PART.contains(&built_in.name) { plain } else { audited(&plain) };
        let report = report(&built(&built_in), &options, &|| Ok(None));
        assert_met(&report, built_in.name);
        let hash = report.hash.to_string();
        assert_eq!(
            Some(&hash),
            built_in.hash().as_ref(),
            "{} ends with another hash: if that is meant, put {hash} into scenes/hashes.json and say why",
            built_in.name
        );
    }
}

#[test]
fn a_ball_among_pins_that_stand_near_overlaps_none() {
    let text = built_in("bowling").unwrap().text;
    let text = text.split("[[expect]]").next().unwrap();
    let scene = scene_of("bowling", text, &[("head", "1")]);
    let until = Some(0.45);
    let report = report(&scene, &audited(&RunOptions { until, ..options(1, 60.0) }), &|| Ok(None));
    let pins = |pair: &[String; 2]| pair.iter().all(|name| name.starts_with("pin_"));
    let met = report.contacts.pairs.iter().filter(|pair| pins(&pair.bodies)).count();
    assert!(met >= 3, "{met} pairs of pins have met");
}

#[test]
fn threads_slices_and_recording_change_no_bit_of_a_scene() {
    let folder = std::env::temp_dir().join(format!("carom-scenes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for built_in in BUILT_IN {
        let scene = built(&built_in);
        let until = short_time(&built_in);
        let run = |threads, rate_hz| RunOptions { until, ..options(threads, rate_hz) };
        let plain = report(&scene, &run(1, 60.0), &|| Ok(None));
        for (threads, rate_hz) in [(2, 60.0), (1, 1000.0), (2, 0.1)] {
            assert_eq!(report(&scene, &run(threads, rate_hz), &|| Ok(None)).hash, plain.hash);
        }
        let watched = report(&scene, &audited(&run(1, 60.0)), &|| Ok(None));
        assert_eq!((watched.hash, &watched.findings), (plain.hash, &plain.findings));
        for ending in Output::EXTENSIONS {
            let path = folder.join(format!("{}.{ending}", built_in.name));
            let header = RecordingHeader::new("test", "0");
            let output = || Output::create(&path, &header, &RecordOptions::at(100.0)).map(Some);
            let recorded = report(&scene, &run(2, 100.0), &output);
            assert_eq!((recorded.hash, recorded.findings), (plain.hash, plain.findings.clone()));
        }
        let mut reader = Reader::open(folder.join(format!("{}.mcap", built_in.name))).unwrap();
        let samples = reader.samples().count();
        assert_eq!(samples as f64, (plain.simulated * 100.0).floor() + 1.0, "{}", built_in.name);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_scene_cut_by_snapshots_at_any_times_has_the_same_bits() {
    for built_in in BUILT_IN {
        let scene = built(&built_in);
        let until = short_time(&built_in).unwrap_or(scene.until);
        let once = RunOptions { until: Some(until), ..options(1, 60.0) };
        let plain = report(&scene, &once, &|| Ok(None));
        let mut world = scene.build(1).unwrap();
        for part in [0.0, 0.01, 0.125, 0.31, 0.5, 0.777, 1.0] {
            world.advance_to(part * until).unwrap();
            let bytes = world.snapshot().unwrap().as_bytes().to_vec();
            let snapshot = Snapshot::from_bytes(bytes).unwrap();
            world = World::restore(&snapshot, scene.fresh_controllers(), 2).unwrap();
        }
        assert_eq!(world.hash(), plain.hash, "{}", built_in.name);
        assert_eq!(world.account(), plain.account);
    }
}

const SCALED: &str = r#"
format = 1
[parameters]
scale = 1
[world]
gravity = [0, 0, "-9.81*scale"]
until = 10
[[body]]
name = "block_{i}"
shape = { kind = "box", size = ["0.1*scale", "0.2*scale", "0.3*scale"] }
density = 1000
position = [0, 0, "scale*i"]
velocity = ["scale*(i - 20)", "scale*2", "scale*40"]
angular_velocity = ["10*sin(i)", "10*cos(3*i)", "i/4"]
repeat = { kind = "row", count = 40, step = [0, "scale", 0] }
[[impulse]]
at = "2 + 0.1*i"
body = "block_{i}"
impulse = ["scale**4*0.1", 0, "scale**4*0.2"]
point_body = [0, "0.05*scale", "0.1*scale"]
repeat = { kind = "row", count = 40, step = [0, 0, 0] }
"#;

#[test]
fn a_scene_a_thousand_times_larger_gives_the_scaled_trajectory() {
    let states = |scale: &str| {
        let scene = scene_of("scaled", SCALED, &[("scale", scale)]);
        let mut world = scene.build(1).unwrap();
        world.advance_to(10.0).unwrap();
        let states: Vec<_> = world.bodies().map(|body| body.state().unwrap()).collect();
        states
    };
    let (mut shift, mut turn) = (0.0_f64, 0.0_f64);
    for (small, large) in states("1").iter().zip(states("1000")) {
        let apart = (1000.0 * small.position - large.position).length();
        shift = shift.max(apart / large.position.length());
        turn = turn.max((small.orientation * large.orientation.conjugate()).xyz().length());
    }
    println!("largest difference: {shift:e} of the distance, {turn:e} rad of half a turn");
    // 1e-12·max(1, |ω|T/1000) with |ω|T below 500.
    assert!(shift < 1e-12 && turn < 1e-12, "{shift:e} {turn:e}");
}
