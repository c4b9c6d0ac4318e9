//! Data folders that a user names may hold anything: every damaged file gives rows, never a panic.

use std::path::{Path, PathBuf};

use carom_study::validate::{Context, DataFolder, Fault, GROUPS, Group, Subject};

/// A fixed sequence of numbers that look random (xorshift).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides.max(1) as u64) as usize
    }
}

/// Numbers and fragments that parsers stumble over.
const NASTY: &[&str] = &[
    "-1",
    "4294967296",
    "1e308",
    "-1e308",
    "1e-308",
    "NaN",
    "null",
    "\"x\"",
    "[]",
    "{}",
    "",
    "0",
    ",,",
    "1e999",
    "[[[[[[[[",
    "\u{0}",
    "vertices",
    "\r",
    "é",
];

fn damaged(text: &str, dice: &mut Dice) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=dice.roll(4) {
        let at = dice.roll(bytes.len());
        match dice.roll(4) {
            0 => bytes.truncate(at),
            1 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << dice.roll(8);
                }
            }
            2 => {
                let end = (at + dice.roll(6)).min(bytes.len());
                bytes.splice(at..end, NASTY[dice.roll(NASTY.len())].bytes());
            }
            _ => {
                let end = (at + dice.roll(40)).min(bytes.len());
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
        }
    }
    bytes
}

const MESHES: &str = r#"{"t": {"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "triangles": [[0,2,1],[0,1,3],[1,2,3],[0,3,2]],
 "volume": 0.16666666666666666, "com": [0.25,0.25,0.25], "inertia_com": [0.0125,0.0020833333333333333,0.0020833333333333333,0.0020833333333333333,0.0125,0.0020833333333333333,0.0020833333333333333,0.0020833333333333333,0.0125]}}"#;
const SHAPES: &str = r#"{"t": {"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "triangles": [[0,2,1],[0,1,3],[1,2,3],[0,3,2]]}}"#;
const TOSS: &str =
    "k,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wbx,wby,wbz\n0,0,0,0.05124,1,0,0,0,0,0,0,0,0,0\n";
const ELBOW: &str =
    "k,px,py,pz,qw,qx,qy,qz,th,vx,vy,vz,wbx,wby,wbz,thdot\n0,0,0,0.025,1,0,0,0,0,0,0,0,0,0,0,0\n";
const ELLIPSE: &str = "id,rx,h,flagged\n0,-0.0023727079,0.0251193158,0\n";
const SQUARE: &str = "k,x,z,phi\n0,0,0.0315,-0.033\n1,0,0.0315,-0.033\n";

const FILES: [(&str, &str); 6] = [
    ("mass-properties/meshes.json", MESHES),
    ("convex-distance/shapes.json", SHAPES),
    ("cube-toss/tosses/toss_1.csv", TOSS),
    ("elbow-toss/tosses/toss_1.csv", ELBOW),
    ("planar-impacts/ellipse.csv", ELLIPSE),
    ("planar-impacts/square/traj_1.csv", SQUARE),
];

fn write(folder: &Path, name: &str, content: &[u8]) {
    let path = folder.join(name);
    let parent = path.parent().expect("every name has a folder");
    std::fs::create_dir_all(parent).expect("the target folder can be written");
    std::fs::write(path, content).expect("the target folder can be written");
}

/// The groups that read a data folder.
fn reading_groups() -> impl Iterator<Item = Group> {
    GROUPS.into_iter().filter(|group| ["mass-meshes", "hulls", "rest-poses"].contains(&group.name))
}

fn context(folder: &Path) -> Context {
    let data = Some(DataFolder::named(folder).expect("it was just written"));
    Context { data, subject: Subject::default() }
}

fn sound_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for (file, content) in FILES {
        write(&folder, file, content.as_bytes());
    }
    folder
}

#[test]
fn a_small_sound_folder_passes() {
    let folder = sound_folder("sound");
    for group in reading_groups() {
        for row in group.rows(&context(&folder)) {
            assert_eq!(row.pass, Some(true), "{row:#?}");
        }
    }
}

/// The measured rows are skipped where there is no data, so their fault test runs on made data everywhere.
#[test]
fn every_measured_row_notices_a_flipped_normal() {
    let folder = sound_folder("faulty");
    let subject = Subject::with_fault(Fault::FlippedNormal);
    let context = Context { subject, ..context(&folder) };
    let mut n_rows = 0;
    for group in reading_groups().filter(|group| group.name == "rest-poses") {
        for row in group.rows(&context) {
            n_rows += 1;
            assert_eq!(row.pass, Some(false), "{row:#?}");
        }
    }
    assert_eq!(n_rows, 4);
}

#[test]
fn damaged_data_gives_rows_that_pass_or_fail() {
    let seed = 0x9E37_79B9_7F4A_7C15;
    println!("seed {seed:#x}");
    let mut dice = Dice(seed);
    let folder = sound_folder("damaged");
    let (mut n_rows, mut n_errors) = (0, 0);
    for round in 0..600 {
        let (name, content) = FILES[round % FILES.len()];
        write(&folder, name, &damaged(content, &mut dice));
        for group in reading_groups() {
            for row in group.rows(&context(&folder)) {
                n_rows += 1;
                n_errors += usize::from(row.pass == Some(false));
            }
        }
        write(&folder, name, content.as_bytes());
    }
    println!("{n_rows} rows, {n_errors} failed");
    assert!(n_rows > 500 && n_errors > 200, "{n_rows} rows, {n_errors} failed");
}
