//! No scene, however broken or hostile, may crash the reader, keep it busy or fill the memory.
//!
//! Valid scenes are damaged in the ways that editors, transfers and attackers do: flipped and lost bytes,
//! repeated and exchanged pieces, absurd numbers, words in the wrong place. Each result is loaded, its
//! messages rendered, and time and memory bounded. Cases come from a plain generator with fixed seeds, so that
//! a failing one is told by its number.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use carom_scene::{DiskFiles, EmbeddedFile, EmbeddedFiles, Loaded, Options, Source, load};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The allocator counts for all threads together, so that one test runs at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Time after which a load counts as hung. Damaged scenes of a few kilobytes take milliseconds.
const HANG: Duration = Duration::from_secs(20);

/// Memory that a small scene may take `[byte]`: a few thousand bodies, or the places of copies.
const MEMORY_BASE: usize = 64 << 20;

const EVERYTHING: &str = include_str!("scene/everything.toml");

/// Words that mean something, to be put where they do not belong.
const WORDS: [&str; 29] = [
    "[[body]]",
    "[body]",
    "[parameters]",
    "[[",
    "]]",
    "{",
    "}",
    "\"",
    "'''",
    "=",
    "\n",
    "\\u0000",
    "kind",
    "repeat",
    "1e308",
    "-1e308",
    "nan",
    "inf",
    "1e999",
    "9223372036854775807",
    "-0.0",
    "\"{i}\"",
    "\"{\"",
    "\"1/0\"",
    "true",
    "1979-05-27",
    "ü\u{202e}𝄞",
    "\u{1b}[31m",
    "\"\\u001b[31m\"",
];

/// A small generator (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

fn options() -> Options {
    let mut options = Options::default();
    // A mutated count may be legal: keep each case short.
    options.limits.bodies = 2000;
    options.limits.events = 2000;
    options.limits.operations = 1_000_000;
    options
}

/// Loads and renders within the bounds.
fn survives(text: &str, case: &str) -> Loaded {
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let start = Instant::now();
    let loaded = load(&Source::text("scene.toml", text), &options(), &DiskFiles);
    let rendered = loaded.problems.render(false);
    let _ = (loaded.problems.render(true), loaded.problems.reports());
    assert_eq!(loaded.scene.is_none(), loaded.problems.has_errors(), "{case}: {rendered}");
    let bodies = loaded.scene.iter().flat_map(|scene| &scene.bodies);
    for body in bodies {
        assert!(body.is_finite(), "{case}: {body:?}");
    }
    assert!(!rendered.contains('\u{1b}'), "{case}: escapes reach the terminal: {rendered:?}");
    let (time, peak) = (start.elapsed(), MEMORY.peak_usage().saturating_sub(before));
    assert!(time < HANG, "{case}: {time:?}");
    assert!(peak < MEMORY_BASE + 100 * text.len(), "{case}: {peak} bytes");
    loaded
}

fn damaged(random: &mut Random) -> String {
    let mut bytes = EVERYTHING.as_bytes().to_vec();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len());
        let length = random.below(40).min(bytes.len() - at);
        match random.below(6) {
            0 => bytes[at] = random.next() as u8,
            1 => drop(bytes.drain(at..at + length)),
            2 => {
                let piece = bytes[at..at + length].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            3 => {
                let line = bytes[at..].iter().position(|b| *b == b'\n').unwrap_or(0);
                drop(bytes.drain(at..at + line));
            }
            _ => {
                let word = WORDS[random.below(WORDS.len())];
                bytes.splice(at..at + length / 8, word.bytes());
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn damaged_scenes_are_told_not_crashed_on() {
    let _guard = ONE_AT_A_TIME.lock();
    let mut n_good = 0;
    for seed in 0..1500 {
        let text = damaged(&mut Random(seed));
        n_good += usize::from(survives(&text, &format!("seed {seed}")).scene.is_some());
    }
    println!("{n_good} of 1500 damaged scenes are still valid");
}

#[test]
fn numbers_exchanged_for_absurd_ones_are_told_not_crashed_on() {
    let _guard = ONE_AT_A_TIME.lock();
    let absurd = [
        "1e308",
        "-1e308",
        "1e-308",
        "0",
        "-1",
        "1e15",
        "\"sqrt(-1)\"",
        "\"1e308*10\"",
        "\"i\"",
        "[]",
        "{}",
    ];
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let bytes = EVERYTHING.as_bytes();
    let starts: Vec<usize> = (1..bytes.len())
        .filter(|&i| {
            bytes[i].is_ascii_digit()
                && !is_number(bytes[i - 1] as char)
                && b" [".contains(&bytes[i - 1])
        })
        .collect();
    for start in starts {
        let end = start + EVERYTHING[start..].find(|c| !is_number(c)).unwrap_or(0);
        for number in absurd {
            let text = format!("{}{number}{}", &EVERYTHING[..start], &EVERYTHING[end..]);
            survives(&text, &format!("byte {start} is {number}"));
        }
    }
}

#[test]
fn random_bytes_are_told_not_crashed_on() {
    let _guard = ONE_AT_A_TIME.lock();
    for seed in 0..2000 {
        let mut random = Random(seed);
        let words = seed % 2 == 0;
        let length = random.below(300);
        let text: String = (0..length)
            .map(|_| {
                if words {
                    WORDS[random.below(WORDS.len())].to_owned()
                } else {
                    char::from(random.next() as u8).to_string()
                }
            })
            .collect();
        survives(&format!("format = 1\n{text}"), &format!("seed {seed}"));
    }
}

#[test]
fn hostile_scenes_end_soon() {
    let _guard = ONE_AT_A_TIME.lock();
    let ball = "[[body]]\nname = \"a\"\nmass = 1\n";
    let hostile = [
        format!("a = {}", "[".repeat(200_000)),
        format!("a = {}", "{a=".repeat(200_000)),
        format!("[{}]", "a.".repeat(100_000)),
        format!("{}format = 1", "[[a]]\n".repeat(100_000)),
        format!("{ball}shape = {{ kind = \"ball\", radius = \"{}1\" }}", "(".repeat(9000)),
        format!("{ball}shape = {{ kind = \"ball\", radius = \"{}\" }}", "9**".repeat(3000)),
        format!("{ball}shape = {{ kind = \"ball\", radius = \"loop {{}}\" }}"),
        format!(
            "{ball}shape = {{ kind = \"ball\", radius = 1 }}\nrepeat = {{ kind = \"row\", count = 1e300, step = [0, 0, 0] }}"
        ),
        format!(
            "{ball}shape = {{ kind = \"ball\", radius = 1 }}\nrepeat = {{ kind = \"random\", count = 2000, \
             min = [0, 0, 0], max = [1, 1, 1], min_distance = 1e300 }}"
        ),
        format!(
            "{ball}shape = {{ kind = \"ball\", radius = 1 }}\nrepeat = {{ kind = \"random\", count = 2000, \
             min = [-1e308, 0, 0], max = [1e308, 1, 1], min_distance = 1e-300 }}"
        ),
        format!("name = \"{}\"", "x".repeat(1_000_000)),
        format!("{} = 1", "x".repeat(1_000_000)),
        format!(
            "{ball}shape = {}{{ kind = \"half_space\" }}{}",
            "{ kind = \"compound\", parts = [{ shape = ".repeat(26),
            " }] }".repeat(26)
        ),
        format!(
            "{ball}shape = {{ kind = \"ball\", radius = 1 }}\n\
             repeat = {{ kind = \"row\", count = 9, step = [1e308, 0, 0] }}"
        ),
        format!(
            "[[body]]\nname = \"{}\"\nmass = 1\nshape = {{ kind = \"ball\", radius = 1 }}\n\
             repeat = {{ kind = \"row\", count = 2000, step = [1, 0, 0] }}",
            "x".repeat(100_000)
        ),
        // Two thousand copies of a law of motion with as many places, beyond the operations allowed here.
        format!(
            "{ball}shape = {{ kind = \"ball\", radius = 1 }}\nmotion = {{ kind = \"waypoints\", points = [{}] }}\n\
             repeat = {{ kind = \"row\", count = 2000, step = [1, 0, 0] }}",
            "{ time = 0, position = [0, 0, 0] }, ".repeat(2000)
        ),
        format!(
            "[[impulse]]\nat = 1\nimpulse = [1, 0, 0]\nbody = \"{}\\u001b[31m\"",
            "x".repeat(100)
        ),
        format!("[[impulse]]\nat = 1\nimpulse = [1, 0, 0]\nbody = \"{}\"", "x".repeat(1_000_000)),
    ];
    for (i, text) in hostile.iter().enumerate() {
        let loaded = survives(&format!("format = 1\n{text}\n"), &format!("case {i}"));
        assert!(loaded.scene.is_none(), "case {i} is accepted");
        let rendered = loaded.problems.render(false);
        assert!(rendered.len() < 200_000, "case {i}: {} bytes of messages", rendered.len());
    }
}

#[test]
fn laughing_parameters_and_includes_end_soon() {
    let _guard = ONE_AT_A_TIME.lock();
    // Each doubles the one before; a chain of many thousands.
    let chain: Vec<String> =
        (1..20_000).map(|i| format!("p{i} = \"p{} + p{}\"\n", i - 1, i - 1)).collect();
    let chain = chain.concat();
    let loaded = survives(&format!("format = 1\n[parameters]\np0 = 1\n{chain}"), "doubling");
    assert!(loaded.scene.is_none(), "2^20000 is accepted");
    let backwards: Vec<String> =
        (1..20_000).rev().map(|i| format!("p{i} = \"p{}\"\n", i - 1)).collect();
    let backwards = backwards.concat();
    survives(&format!("format = 1\n[parameters]\n{backwards}p0 = 1\n"), "backwards");
    // Ten files, each of which includes all the others ten times.
    let all: Vec<String> = (0..100).map(|i| format!("\"f{}.toml\"", i % 10)).collect();
    let files = (0..10).map(|i| EmbeddedFile {
        path: format!("f{i}.toml"),
        bytes: Arc::from(format!("format = 1\ninclude = [{}]\n", all.join(", ")).into_bytes()),
    });
    let start = Instant::now();
    let loaded =
        load(&Source::Path(PathBuf::from("f0.toml")), &options(), &EmbeddedFiles::new(files));
    assert!(start.elapsed() < HANG && loaded.scene.is_none());
}
