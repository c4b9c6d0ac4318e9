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
use std::ops::Range;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use carom_geometry::mesh_file::{Format, MeshFile, MeshFileError, ReadOptions, parse_mesh};
use peak_alloc::PeakAlloc;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

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

/// Marsaglia's xorshift with 64 bits and a multiplier.
struct Random(u64);

impl Random {
    fn from_seed(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn share(&mut self) -> Share {
        Share((self.next() >> 16) as u32)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 16) as usize % n.max(1)
    }
}

/// A grid of n·n bent cells, two triangles each.
struct Grid {
    points: Vec<[f64; 3]>,
    triangles: Vec<[usize; 3]>,
}

fn grid(n: usize) -> Grid {
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..=n {
        for j in 0..=n {
            let (x, y) = (i as f64 / n as f64, j as f64 / n as f64);
            points.push([x, y, x * x - 0.3 * y * y]);
        }
    }
    for i in 0..n {
        for j in 0..n {
            let a = i * (n + 1) + j;
            triangles.extend([[a, a + n + 1, a + n + 2], [a, a + n + 2, a + 1]]);
        }
    }
    Grid { points, triangles }
}

fn stl_text(grid: &Grid) -> Vec<u8> {
    let mut text = "solid grid\n".to_owned();
    for triangle in &grid.triangles {
        text += "facet normal 0 0 1\nouter loop\n";
        for [x, y, z] in triangle.map(|v| grid.points[v]) {
            writeln!(text, "vertex {x} {y} {z}").expect(INFALLIBLE);
        }
        text += "endloop\nendfacet\n";
    }
    (text + "endsolid grid\n").into_bytes()
}

fn stl_binary(grid: &Grid) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes.extend((grid.triangles.len() as u32).to_le_bytes());
    for triangle in &grid.triangles {
        bytes.extend([0; 12]);
        for x in triangle.iter().flat_map(|v| grid.points[*v]) {
            bytes.extend((x as f32).to_le_bytes());
        }
        bytes.extend([0; 2]);
    }
    bytes
}

fn obj(grid: &Grid) -> Vec<u8> {
    let mut text = "# grid\no grid\n".to_owned();
    for [x, y, z] in &grid.points {
        writeln!(text, "v {x} {y} {z}").expect(INFALLIBLE);
    }
    for [a, b, c] in grid.triangles.iter().map(|t| t.map(|v| v + 1)) {
        writeln!(text, "f {a}/1 {b}//2 {c}").expect(INFALLIBLE);
    }
    (text + "f -1 -2 -3 \\\n -4 1\nl 1 2\n").into_bytes()
}

fn ply(grid: &Grid, encoding: &str) -> Vec<u8> {
    let mut bytes = format!(
        "ply\nformat {encoding} 1.0\ncomment grid\nelement vertex {}\nproperty double x\n\
         property double y\nproperty double z\nelement face {}\n\
         property list uchar uint vertex_indices\nend_header\n",
        grid.points.len(),
        grid.triangles.len()
    )
    .into_bytes();
    if encoding == "ascii" {
        for [x, y, z] in &grid.points {
            bytes.extend(format!("{x} {y} {z}\n").into_bytes());
        }
        for [a, b, c] in &grid.triangles {
            bytes.extend(format!("3 {a} {b} {c}\n").into_bytes());
        }
        return bytes;
    }
    let is_big = encoding == "binary_big_endian";
    for x in grid.points.iter().flatten() {
        bytes.extend(if is_big { x.to_be_bytes() } else { x.to_le_bytes() });
    }
    for triangle in &grid.triangles {
        bytes.push(3);
        for v in triangle.map(|v| v as u32) {
            bytes.extend(if is_big { v.to_be_bytes() } else { v.to_le_bytes() });
        }
    }
    bytes
}

fn gltf_buffer(grid: &Grid) -> Vec<u8> {
    let positions = grid.points.iter().flatten().flat_map(|x| (*x as f32).to_le_bytes());
    let indices = grid.triangles.iter().flatten().flat_map(|v| (*v as u32).to_le_bytes());
    positions.chain(indices).collect()
}

fn gltf_json(grid: &Grid, uri: &str) -> String {
    let (n_points, n_corners) = (grid.points.len(), 3 * grid.triangles.len());
    let (first, second) = (12 * n_points, 4 * n_corners);
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,2]}}],
        "nodes":[{{"children":[1],"scale":[1,-1,2.5]}},
        {{"mesh":0,"rotation":[0,0,1,0],"translation":[9,0,0]}},
        {{"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,5,0,0,1]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"mode":4}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{n_points},"type":"VEC3"}},
        {{"bufferView":1,"componentType":5125,"count":{n_corners},"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":{first},"byteStride":12}},
        {{"buffer":0,"byteOffset":{first},"byteLength":{second}}}],
        "buffers":[{{"byteLength":{}{uri}}}]}}"#,
        first + second
    )
}

fn glb(grid: &Grid) -> Vec<u8> {
    let (json, buffer) = (gltf_json(grid, ""), gltf_buffer(grid));
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((28 + json.len() as u32 + buffer.len() as u32).to_le_bytes());
    for (kind, content) in [(b"JSON", json.as_bytes()), (b"BIN\0", &buffer)] {
        bytes.extend((content.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(content);
    }
    bytes
}

/// One triangle: the points (0, 0, 0), (1, 0, 0), (0, 1, 0) and the indices 0, 1, 2 in base64.
fn gltf_text() -> Vec<u8> {
    let data = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAEAAAACAAAA";
    let triangle = Grid { points: vec![[0.0; 3]; 3], triangles: vec![[0, 1, 2]] };
    gltf_json(&triangle, &format!(r#","uri":"data:;base64,{data}""#)).into_bytes()
}

fn small_files() -> Vec<NamedFile> {
    let grid = grid(2);
    vec![
        ("STL text", Format::Stl, stl_text(&grid)),
        ("STL binary", Format::Stl, stl_binary(&grid)),
        ("OBJ", Format::Obj, obj(&grid)),
        ("PLY text", Format::Ply, ply(&grid, "ascii")),
        ("PLY little endian", Format::Ply, ply(&grid, "binary_little_endian")),
        ("PLY big endian", Format::Ply, ply(&grid, "binary_big_endian")),
        ("glTF text", Format::Gltf, gltf_text()),
        ("glTF binary", Format::Gltf, glb(&grid)),
    ]
}

const NUMBERS: [&str; 16] = [
    "0",
    "-1",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "-9223372036854775808",
    "1e308",
    "1e999",
    "nan",
    "-inf",
    "1e-320",
    "0.5",
    "3",
    "99999999999999999999999",
    "",
    "x",
];

/// How files of the formats start.
const STARTS: [&[u8]; 6] =
    [b"", b"solid ", b"ply\nformat ascii 1.0\n", b"glTF\x02\0\0\0", b"{\"asset\":", b"v "];

/// What text files are made of.
const LETTERS: &[u8] = b" 0123456789.-ef\nv/x[]{}\"\\#";

/// Words and signs with a meaning in some format.
const TOKENS: [&str; 20] = [
    "\n",
    " ",
    "\0",
    "\\\n",
    "#",
    "f 1 2 3\n",
    "f -1 -1 -1 -1\n",
    "v 1e999 0 0\n",
    "solid ",
    "endsolid\n",
    "facet normal ",
    "vertex ",
    "end_header\n",
    "element face 9\n",
    "property list uint int x\n",
    "{",
    "]",
    ",",
    "\"",
    "glTF",
];

/// Counts and offsets that reach out of a small file.
const FORGED: [u32; 6] = [u32::MAX, 0x7fff_ffff, 1 << 31, 0x0100_0000, 1000, 0];

/// A place in a file of any length, as a share of it in units of 2⁻³².
#[derive(Clone, Copy, Debug)]
struct Share(u32);

impl Share {
    /// Below `n`, or 0.
    fn of(self, n: usize) -> usize {
        ((n as u64 * u64::from(self.0)) >> 32) as usize
    }
}

/// Something that happens to a file; lengths are in bytes.
#[derive(Clone, Debug)]
enum Damage {
    FlipBit {
        at: Share,
        bit: u8,
    },
    SetByte {
        at: Share,
        value: u8,
    },
    Truncate {
        at: Share,
    },
    Remove {
        at: Share,
        length: usize,
    },
    Repeat {
        at: Share,
        length: usize,
        times: usize,
    },
    ReplaceNumber {
        from: Share,
        by: &'static str,
    },
    Insert {
        at: Share,
        token: &'static str,
    },
    Forge {
        at: Share,
        value: u32,
    },
    /// A piece of another file takes the place of one of this.
    Graft {
        at: Share,
        length: usize,
        other: Share,
        from: Share,
        n_grafted: usize,
    },
}

impl Damage {
    fn any() -> impl Strategy<Value = Self> {
        let share = || any::<u32>().prop_map(Share);
        prop_oneof![
            (share(), 0..8_u8).prop_map(|(at, bit)| Self::FlipBit { at, bit }),
            (share(), any::<u8>()).prop_map(|(at, value)| Self::SetByte { at, value }),
            share().prop_map(|at| Self::Truncate { at }),
            (share(), 1..60_usize).prop_map(|(at, length)| Self::Remove { at, length }),
            (share(), 1..60_usize, 1..20_usize).prop_map(|(at, length, times)| Self::Repeat {
                at,
                length,
                times
            }),
            (share(), select(&NUMBERS[..])).prop_map(|(from, by)| Self::ReplaceNumber { from, by }),
            (share(), select(&TOKENS[..])).prop_map(|(at, token)| Self::Insert { at, token }),
            (share(), select(&FORGED[..])).prop_map(|(at, value)| Self::Forge { at, value }),
            (share(), 1..60_usize, share(), share(), 0..200_usize).prop_map(
                |(at, length, other, from, n_grafted)| {
                    Self::Graft { at, length, other, from, n_grafted }
                }
            ),
        ]
    }

    fn random(random: &mut Random) -> Self {
        let at = random.share();
        let length = 1 + random.below(60);
        match random.below(9) {
            0 => Self::FlipBit { at, bit: random.below(8) as u8 },
            1 => Self::SetByte { at, value: random.next() as u8 },
            2 => Self::Truncate { at },
            3 => Self::Remove { at, length },
            4 => Self::Repeat { at, length, times: 1 + random.below(20) },
            5 => Self::ReplaceNumber { from: at, by: NUMBERS[random.below(NUMBERS.len())] },
            6 => Self::Insert { at, token: TOKENS[random.below(TOKENS.len())] },
            7 => Self::Forge { at, value: FORGED[random.below(FORGED.len())] },
            _ => {
                let (other, from, n_grafted) = (random.share(), random.share(), random.below(200));
                Self::Graft { at, length, other, from, n_grafted }
            }
        }
    }

    fn apply(&self, bytes: &mut Vec<u8>, others: &[NamedFile]) {
        let n = bytes.len();
        if n == 0 {
            return;
        }
        match *self {
            Self::FlipBit { at, bit } => bytes[at.of(n)] ^= 1 << bit,
            Self::SetByte { at, value } => bytes[at.of(n)] = value,
            Self::Truncate { at } => bytes.truncate(at.of(n)),
            Self::Remove { at, length } => drop(bytes.drain(piece(n, at, length))),
            Self::Repeat { at, length, times } => {
                let copies = bytes[piece(n, at, length)].repeat(times);
                bytes.splice(at.of(n)..at.of(n), copies);
            }
            Self::ReplaceNumber { from, by } => replace_number(bytes, from.of(n), by),
            Self::Insert { at, token } => drop(bytes.splice(at.of(n)..at.of(n), token.bytes())),
            Self::Forge { at, value } => {
                let place = piece(n, at, 4);
                let n_there = place.len();
                bytes[place].copy_from_slice(&value.to_le_bytes()[..n_there]);
            }
            Self::Graft { at, length, other, from, n_grafted } => {
                let other = &others[other.of(others.len())].2;
                let graft = &other[piece(other.len(), from, n_grafted)];
                bytes.splice(piece(n, at, length), graft.iter().copied());
            }
        }
    }
}

/// At most that many of `n` bytes.
fn piece(n: usize, at: Share, length: usize) -> Range<usize> {
    let start = at.of(n);
    start..(start + length).min(n)
}

/// Replaces the next run of digits.
fn replace_number(bytes: &mut Vec<u8>, from: usize, by: &str) {
    let is_digit = |b: &u8| b.is_ascii_digit() || matches!(b, b'.' | b'-');
    let Some(start) = bytes[from..].iter().position(is_digit).map(|at| from + at) else { return };
    let n_digits = bytes[start..].iter().position(|b| !is_digit(b)).unwrap_or(bytes.len() - start);
    bytes.splice(start..start + n_digits, by.bytes());
}

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
