//! Every id promised so far has a row of `carom validate`, or a test that says it proves it.
//!
//! A test says so in its documentation: `/// proves: m1/MP-R7`. Ids are those of the guides' checklists
//! (`m1/`, `m2/`, `baraff/`), of the list of reference cases (`ref/`) and of the data sets (`data/`); what is
//! worked out by hand about worlds is under `world/` and about touches under `touch/`, distances of every kind of solid
//! are under `distance/`, and what built-in scenes promise under `scene/`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use carom_study::validate::{Context, run};

/// Geometry and mass properties; motion and worlds; distances and touches; collisions; links, joints and motors.
const PROMISED: &[&str] = &[
    "m1/MP-R1",
    "m1/MP-R2",
    "m1/MP-R3",
    "m1/MP-R4",
    "m1/MP-R5",
    "m1/MP-R6",
    "m1/MP-R7",
    "m1/MP-R8",
    "m1/GM-R1",
    "m1/GM-R2",
    "m1/Q26",
    "m1/Q27",
    "m1/Q28",
    "m1/Q29",
    "m1/Q30",
    "m1/Q31",
    "data/mass-properties",
    "data/convex-distance/hull",
    "data/convex-distance/queries",
    "data/primitives",
    "data/cube-toss",
    "data/elbow-toss",
    "data/planar-impacts",
    "m1/RB-R1",
    "m1/RB-R2",
    "m1/RB-R3",
    "m1/RB-R4",
    "m1/RB-R5",
    "m1/RB-R6",
    "m1/TOI-R1",
    "m1/TOI-R2",
    "m1/TOI-R3",
    "m1/TOI-R4",
    "m1/TOI-R5",
    "m1/TOI-R6",
    "m1/TOI-R7",
    "m1/TOI-R8",
    "m1/TOI-R9",
    "m1/LC-R1",
    "m1/LC-R2",
    "m1/LC-R3",
    "m1/LC-R4",
    "m1/LC-R5",
    "m1/LC-R6",
    "m1/LC-R7",
    "m1/BP-R1",
    "m1/BP-R2",
    "m1/BP-R3",
    "m1/BP-R4",
    "m1/BP-R5",
    "m1/BP-R6",
    "m1/BP-R7",
    "m1/BP-R8",
    "m1/CR-R1",
    "m1/CR-R2",
    "m1/CR-R3",
    "m1/CR-R4",
    "m1/CR-R5",
    "m1/CR-R6",
    "m1/CR-R7",
    "m1/CR-R8",
    "m1/CR-R9",
    "m1/CR-R10",
    "m1/CR-R11",
    "m1/CR-R12",
    "m1/CR-R13",
    "m1/CR-R14",
    "m1/CR-R15",
    "m1/Q14",
    "m1/Q15",
    "m1/Q16",
    "m1/Q17",
    "m1/Q18",
    "m1/Q19",
    "m1/HP-R1",
    "m1/HP-R2",
    "m1/HP-R3",
    "m1/HP-R4",
    "m1/HP-R5",
    "m1/HP-R6",
    "baraff/3",
    "baraff/4",
    "baraff/6",
    "baraff/8",
    "baraff/9",
    "baraff/10",
    "baraff/11",
    "baraff/12",
    "baraff/13",
    "baraff/14",
    "baraff/15",
    "baraff/16",
    "baraff/17",
    "baraff/18",
    "baraff/19",
    "baraff/20",
    "baraff/21",
    "baraff/22",
    "baraff/23",
    "baraff/24",
    "baraff/25",
    "baraff/26",
    "baraff/27",
    "baraff/28",
    "baraff/30",
    "baraff/31",
    "baraff/32",
    "baraff/33",
    "baraff/34",
    "baraff/35",
    "baraff/36",
    "baraff/37",
    "baraff/38",
    "baraff/39",
    "baraff/40",
    "baraff/41",
    "baraff/54",
    "baraff/62",
    "data/lcp",
    "m1/MC-R1",
    "m1/MC-R2",
    "m1/MC-R3",
    "m1/MC-R4",
    "m1/MC-R5",
    "m1/MC-R6",
    "m1/MC-R7",
    "m1/MC-R8",
    "m1/SY-R1",
    "m1/SY-R2",
    "m1/SY-R3",
    "m1/SY-R4",
    "m1/SY-R5",
    "m1/SY-R7",
    "m1/Q20",
    "m2/G1",
    "m2/G2",
    "m2/G3",
    "m2/G4",
    "m2/G5",
    "m2/G6",
    "m2/G7",
    "m2/R-01",
    "m2/R-02",
    "m2/R-03",
    "m2/R-04",
    "m2/R-05",
    "m2/R-06",
    "m2/R-07",
    "m2/R-08",
    "m2/R-09",
    "m2/R-10",
    "m2/R-11",
    "m2/R-14",
    "m2/R-16",
    "m2/R-17",
    "m2/R-18",
    "m2/R-19",
    "m2/R-20",
    "m2/R-21",
    "m2/R-22",
    "m2/R-23",
    "m2/R-24",
    "m2/R-25",
    "m2/R-26",
    "m2/R-27",
    "m2/R-28",
    "m2/R-29",
    "m2/R-30",
    "m2/R-37",
    "m2/R-38",
    "m2/R-39",
    "m2/R-43",
    "m2/R-48",
    "ref/A1",
    "ref/A2",
    "ref/A3",
    "ref/A4",
    "ref/A5",
    "ref/A6",
    "ref/B1",
    "ref/B2",
    "ref/B3",
    "ref/B4",
    "ref/E1",
    "ref/F1",
    "ref/C5",
    "ref/C7",
    "ref/C8",
    "ref/D1",
    "ref/D2",
    "ref/D3",
    "ref/G2",
    "data/free-rotation",
    "data/articulated",
    "scene/block_on_ramp",
    "scene/bowling",
    "scene/dominos",
    "scene/dominos_slippery",
    "scene/exploding_text",
    "scene/feeder_chute",
    "scene/near_misses",
    "scene/projectiles",
    "scene/scripted",
    "scene/tumbling",
    "world/ledger",
    "world/scripted",
    "world/struck",
    "distance/ball",
    "distance/box",
    "distance/capsule",
    "distance/cylinder",
    "distance/cone",
    "distance/ellipsoid",
    "distance/superquadric",
    "distance/half-space",
    "distance/polyhedron",
    "distance/mesh",
    "distance/compound",
    "touch/drop",
    "touch/projectiles",
    "touch/wall",
    "touch/head-on",
    "touch/rod",
    "touch/tilting",
    "touch/point",
    "touch/normal",
    "touch/speed",
    "touch/cast",
    "touch/refused",
    "touch/sensor",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the sources can be listed") {
        let path = entry.expect("the sources can be listed").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Ids that the text claims to prove in the documentation of a test.
fn proved_in(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut ids = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let Some(claim) = line.strip_prefix("/// proves: ") else { continue };
        let mut following = lines[number + 1..].iter().take_while(|line| !line.contains("fn "));
        if following.any(|line| *line == "#[test]") {
            ids.extend(claim.split_whitespace().map(str::to_owned));
        }
    }
    ids
}

#[test]
fn every_promised_id_has_a_row_or_a_test() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    sources(&crates, &mut files);
    let proved: BTreeSet<String> =
        files.iter().flat_map(|path| proved_in(&std::fs::read_to_string(path).unwrap())).collect();
    let rows = run(&Context::default());
    let has_row = |id: &str| {
        rows.iter().any(|row| {
            row.id.strip_prefix(id).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    };
    let missing: Vec<&&str> =
        PROMISED.iter().filter(|id| !has_row(id) && !proved.contains(**id)).collect();
    assert!(missing.is_empty(), "neither a row nor a test: {missing:?}");
    let promised: BTreeSet<&str> = PROMISED.iter().copied().collect();
    let unknown: Vec<&String> =
        proved.iter().filter(|id| !promised.contains(id.as_str())).collect();
    assert!(unknown.is_empty(), "proved but not promised, a slip of the pen? {unknown:?}");
}

#[test]
fn a_claim_counts_only_in_front_of_a_test() {
    let claim = "/// proves: m1/X-1 m1/X-2\n";
    assert_eq!(proved_in(&format!("{claim}#[test]\nfn a() {{}}")), ["m1/X-1", "m1/X-2"]);
    assert_eq!(proved_in(&format!("{claim}fn helper() {{}}\n#[test]\nfn b() {{}}")), [""; 0]);
}
