//! No mesh file, however broken, may crash the readers, keep them busy or fill the memory.
//!
//! Valid files of every format are damaged in the ways that disks, transfers, editors and attackers do:
//! flipped bits, lost and repeated pieces, pieces of other files, absurd numbers, forged counts. Each is
//! read as its own format and some as another, and all formats are fed random bytes. A reader must
//! return, with a mesh or an error, within the bounds below; and what it returns must be the same the
//! second time. Memory is counted by the allocator of this test program.
//!
//! The same damage is drawn by two generators. Properties find a few thousand cases and shrink a failing one
//! to its shortest list of damages; a plain generator of random numbers, which is faster, goes through many
//! more and tells a failing case by its seed. Both start from fixed seeds.

use std::fmt::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use carom_geometry::mesh_file::{Format, MeshFile, MeshFileError, ReadOptions, parse_mesh};
use peak_alloc::PeakAlloc;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

mod damage;
mod samples;

use damage::{Damage, LETTERS, NUMBERS, Random, STARTS, Share, TOKENS};
use samples::{glb, grid, obj, ply, small_files, stl_binary, stl_text};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The allocator counts for all threads together, so that one test runs at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Memory that a reader may take besides its share per byte of the file: tables and messages `[byte]`.
const MEMORY_BASE: usize = 1 << 20;

/// Memory per byte of the file `[-]`. Eight bytes of OBJ text make a vertex of 24, which costs three times
/// that while its array grows; three bytes of JSON make a node of 72.
const MEMORY_PER_BYTE: usize = 72;

/// Time after which a reader counts as hung.
///
/// Damaged files of a few kilobytes take microseconds, and the worst polygon a tenth of a second. No busy
/// machine makes a minute of that, while work that grows with a forged count or with the cube of the corners
/// takes hours.
const HANG: Duration = Duration::from_mins(1);

/// Cases of the plain generator for each of the eight files; about a second in all.
const CASES_PER_FILE: u64 = 30_000;

const INFALLIBLE: &str = "a string takes any text";

const FORMATS: [Format; 4] = [Format::Stl, Format::Obj, Format::Ply, Format::Gltf];

type NamedFile = (&'static str, Format, Vec<u8>);

/// What reading cost: the most memory held at a time `[byte]`, and time.
struct Cost {
    peak: usize,
    time: Duration,
}

fn measure(bytes: &[u8], format: Format) -> (Result<MeshFile, MeshFileError>, Cost) {
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let start = Instant::now();
    let result = parse_mesh(bytes, format, &ReadOptions::default());
    let time = start.elapsed();
    (result, Cost { peak: MEMORY.peak_usage().saturating_sub(before), time })
}

/// Reads and checks the bounds; tells whether a mesh came out.
fn survives_as_mesh(bytes: &[u8], format: Format, case: &str) -> bool {
    let _ = Format::from_content(bytes);
    let (result, cost) = measure(bytes, format);
    let allowed = MEMORY_BASE + MEMORY_PER_BYTE * bytes.len();
    assert!(cost.peak <= allowed, "{case}: {} bytes of memory, allowed {allowed}", cost.peak);
    assert!(cost.time <= HANG, "{case}: {:?}", cost.time);
    let again = parse_mesh(bytes, format, &ReadOptions::default());
    match (&result, &again) {
        (Ok(first), Ok(second)) => assert!(first == second, "{case}: not the same twice"),
        (Err(first), Err(second)) => {
            let message = first.to_string();
            assert_eq!(message, second.to_string(), "{case}");
            assert!(message.contains("hint: ") && message.len() < 2000, "{case}: {message}");
        }
        _ => panic!("{case}: not the same twice"),
    }
    result.is_ok()
}

#[test]
fn damaged_files_of_every_format_give_a_mesh_or_an_error() {
    let _lock = ONE_AT_A_TIME.lock();
    let files = small_files();
    for (i, (name, format, whole)) in files.iter().enumerate() {
        assert!(survives_as_mesh(whole, *format, name), "{name} should be valid");
        let mut n_meshes = 0;
        for k in 0..CASES_PER_FILE {
            let seed = 1 + i as u64 * CASES_PER_FILE + k;
            let mut random = Random::from_seed(seed);
            let mut bytes = whole.clone();
            for _ in 0..=random.below(4) {
                Damage::random(&mut random).apply(&mut bytes, &files);
            }
            let case = format!("{name}, seed {seed}");
            n_meshes += usize::from(survives_as_mesh(&bytes, *format, &case));
            if k % 8 == 0 {
                survives_as_mesh(&bytes, FORMATS[random.below(4)], &case);
            }
        }
        let first = 1 + i as u64 * CASES_PER_FILE;
        println!(
            "{name}: {n_meshes} of {CASES_PER_FILE} damaged files still gave a mesh, seeds from {first}"
        );
    }
}

#[test]
fn random_bytes_give_a_mesh_or_an_error() {
    let _lock = ONE_AT_A_TIME.lock();
    for seed in 1..=4000_u64 {
        let mut random = Random::from_seed(seed);
        let mut bytes = STARTS[random.below(STARTS.len())].to_vec();
        let is_text = random.below(2) == 0;
        for _ in 0..random.below(400) {
            let byte = random.below(1 << 20);
            bytes.push(if is_text { LETTERS[byte % LETTERS.len()] } else { byte as u8 });
        }
        for format in FORMATS {
            survives_as_mesh(&bytes, format, &format!("{format}, seed {seed}"));
        }
    }
}

/// Property tests run the same cases every time.
fn property(cases: u32) -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(0xCA20);
    ProptestConfig { cases, failure_persistence: None, rng_seed, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(property(2000))]

    #[test]
    fn any_list_of_damages_to_any_file_gives_a_mesh_or_an_error(
        file in any::<u32>().prop_map(Share),
        damages in vec(Damage::any(), 1..8),
        read_as in select(&FORMATS[..]),
    ) {
        let _lock = ONE_AT_A_TIME.lock();
        let files = small_files();
        let (name, format, whole) = &files[file.of(files.len())];
        let mut bytes = whole.clone();
        for damage in &damages {
            damage.apply(&mut bytes, &files);
        }
        survives_as_mesh(&bytes, *format, name);
        survives_as_mesh(&bytes, read_as, name);
    }
}

proptest! {
    #![proptest_config(property(500))]

    #[test]
    fn any_bytes_give_a_mesh_or_an_error(
        start in select(&STARTS[..]),
        rest in vec(any::<u8>(), 0..600),
    ) {
        let _lock = ONE_AT_A_TIME.lock();
        let bytes = [start, &rest].concat();
        for format in FORMATS {
            survives_as_mesh(&bytes, format, "any bytes");
        }
    }

    #[test]
    fn any_text_gives_a_mesh_or_an_error(
        start in select(&STARTS[..]),
        words in vec(prop_oneof![select(&TOKENS[..]), select(&NUMBERS[..])], 0..200),
        space in select(&[" ", "\n", ""][..]),
    ) {
        let _lock = ONE_AT_A_TIME.lock();
        let bytes = [start, words.join(space).as_bytes()].concat();
        for format in FORMATS {
            survives_as_mesh(&bytes, format, "any text");
        }
    }
}

/// Small files that ask for as much as their format lets them.
#[test]
fn greedy_files_are_refused_without_taking_memory() {
    let _lock = ONE_AT_A_TIME.lock();
    let mut stl = vec![0; 200];
    stl[80..84].fill(0xff);
    let ply = |count: &str, list: &str| {
        format!(
            "ply\nformat binary_little_endian 1.0\nelement vertex {count}\nproperty char x\n\
             property char y\nproperty char z\nelement face {count}\n\
             property list {list} vertex_indices\nend_header\nabcabcabc\u{7f}\u{7f}\u{7f}\u{7f}"
        )
        .into_bytes()
    };
    let scene =
        |nodes: &str| format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}]}}"#).into_bytes();
    let chain = (1..300).map(|child| format!(r#"{{"children":[{child}]}}"#)).collect::<Vec<_>>();
    let files = [
        (Format::Stl, stl),
        (Format::Ply, ply("18446744073709551615", "uchar int")),
        (Format::Ply, ply("3", "uint char")),
        (Format::Ply, b"ply\nformat ascii 1.0\nelement vertex 4000000000\nend_header\n".to_vec()),
        (Format::Obj, [b"v 0 0 0\nf".to_vec(), b" 1".repeat(100_000)].concat()),
        (Format::Gltf, scene(&(chain.join(",") + ",{}"))),
        (Format::Gltf, scene(&format!(r#"{{"children":[{}0]}},{{}}"#, "1,".repeat(100_000)))),
        (Format::Gltf, [b"[".repeat(100_000), b"{".repeat(100_000)].concat()),
        (Format::Gltf, format!(r#"{{"x":{}"#, "[".repeat(100_000)).into_bytes()),
        (Format::Gltf, format!(r#"{{"scene":"{}"}}"#, "a".repeat(100_000)).into_bytes()),
        (Format::Gltf, scene(&("{},".repeat(100_000) + "{}"))),
    ];
    for (i, (format, bytes)) in files.iter().enumerate() {
        let case = format!("greedy file {i}");
        assert!(!survives_as_mesh(bytes, *format, &case), "{case} should be refused");
    }
}

/// A spiral band, the shape that keeps ear clipping longest, with as many corners as the limit allows.
#[test]
fn the_worst_polygon_does_not_hang_the_reader() {
    let _lock = ONE_AT_A_TIME.lock();
    let n = 2048_u32;
    let mut text = String::new();
    let there_and_back = (0..n).map(|k| (k, 0.0)).chain((0..n).rev().map(|k| (k, 0.01)));
    for (k, inward) in there_and_back {
        let (angle, radius) = (f64::from(k) * 0.05, 0.1 + f64::from(k) * 2e-4 - inward);
        writeln!(text, "v {} {} 0", radius * libm::cos(angle), radius * libm::sin(angle)).unwrap();
    }
    let corners: Vec<_> = (1..=2 * n).map(|v| v.to_string()).collect();
    writeln!(text, "f {}", corners.join(" ")).unwrap();
    let (result, cost) = measure(text.as_bytes(), Format::Obj);
    let file = result.unwrap();
    println!("{} corners in {:?}", 2 * n, cost.time);
    assert_eq!(file.mesh.triangles().len(), 2 * n as usize - 2);
    assert_eq!(file.warnings, []);
    assert!(cost.time < HANG, "{:?}", cost.time);
}

#[test]
fn memory_for_large_valid_files_is_a_small_multiple_of_their_size() {
    let _lock = ONE_AT_A_TIME.lock();
    let grid = grid(200);
    let n_triangles = grid.triangles.len();
    let files = [
        ("STL text", Format::Stl, stl_text(&grid)),
        ("STL binary", Format::Stl, stl_binary(&grid)),
        ("OBJ", Format::Obj, obj(&grid)),
        ("PLY text", Format::Ply, ply(&grid, "ascii")),
        ("PLY binary", Format::Ply, ply(&grid, "binary_little_endian")),
        ("glTF binary", Format::Gltf, glb(&grid)),
    ];
    for (name, format, bytes) in files {
        let (result, cost) = measure(&bytes, format);
        assert!(result.unwrap().mesh.triangles().len() >= n_triangles);
        let ratio = cost.peak as f64 / bytes.len() as f64;
        println!(
            "{name}: {n_triangles} triangles, {} bytes in {:?}, memory {ratio:.2} times that",
            bytes.len(),
            cost.time
        );
        assert!(ratio < 8.0, "{name}: {ratio}");
    }
}
