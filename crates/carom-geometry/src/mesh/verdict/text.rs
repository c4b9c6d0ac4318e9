//! The verdict in words: one line for the whole, one per complaint with place and remedy.

use std::fmt::{Display, Formatter, Result};

use glam::DVec3;

use super::{EdgePlace, FacePairPlace, FacePlace, Finding, MeshVerdict, ShellPlace, VertexPlace};

/// Whether something keeps a mesh from being a solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// It does.
    Problem,
    /// It does not.
    Note,
}

/// One kind of fault or remark, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// Whether it keeps the mesh from being a solid.
    pub severity: Severity,
    /// What was found, in the singular.
    pub what: &'static str,
    /// How often.
    pub count: u64,
    /// Whether there may be more, because the search was ended.
    pub at_least: bool,
    /// The first few places.
    pub places: Vec<String>,
    /// What to do about it: starts with "repairable" if [`crate::mesh::repair()`] mends it as a rule, otherwise
    /// with "not repairable".
    pub remedy: &'static str,
}

impl Display for MeshVerdict {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let standing = if self.is_solid() { "a solid" } else { "not a solid" };
        write!(f, "{standing}: {} triangles, {} vertices, ", self.n_triangles, self.n_vertices)?;
        write!(f, "{} shell{}", self.n_shells, plural(self.n_shells as u64))?;
        if self.n_cavities > 0 {
            write!(f, " ({} of them cavities)", self.n_cavities)?;
        }
        if let Some(genus) = self.genus {
            write!(f, ", {genus} tunnel{}", plural(genus))?;
        }
        let complaints = self.complaints();
        for complaint in &complaints {
            write!(f, "\n  {complaint}")?;
        }
        if complaints.iter().any(|complaint| !complaint.places.is_empty()) {
            write!(f, "\n  (vertices, triangles and shells are counted from 0)")?;
        }
        Ok(())
    }
}

impl Display for Complaint {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let severity = match self.severity {
            Severity::Problem => "problem",
            Severity::Note => "note",
        };
        let bound = if self.at_least { " (at least)" } else { "" };
        write!(f, "{severity}{bound}: {} × {}", self.count, self.what)?;
        if !self.places.is_empty() {
            write!(f, ": {}", self.places.join("; "))?;
        }
        if !self.places.is_empty() && self.count > self.places.len() as u64 {
            write!(f, "; …")?;
        }
        write!(f, "\n    {}", self.remedy)
    }
}

impl MeshVerdict {
    /// Everything worth saying, problems first.
    pub fn complaints(&self) -> Vec<Complaint> {
        let problem = Severity::Problem;
        let note = Severity::Note;
        let edges = if self.duplicate_faces.is_empty() { EDGES } else { EDGES_OF_COPIES };
        let n_apart = self.n_outer_shells as u64;
        let all = [
            complaint(problem, &self.open_edges, "open edge", OPEN),
            complaint(problem, &self.inconsistent_edges, "edge with inconsistent winding", WINDING),
            complaint(problem, &self.nonmanifold_edges, "edge of more than two triangles", edges),
            complaint(problem, &self.nonmanifold_vertices, "vertex where fans meet", FANS),
            complaint(problem, &self.zero_area_faces, "face without area", ZERO_AREA),
            complaint(problem, &self.duplicate_faces, "duplicate face", DUPLICATE_FACES),
            self.crossings(),
            self.unsettled_nesting(),
            complaint(problem, &self.inside_out_shells, "inside-out shell", INSIDE_OUT),
            complaint(problem, &self.nested_shells, "nested shell of doubtful winding", NESTED),
            complaint(problem, &self.flat_shells, "shell without volume", FLAT),
            complaint(note, &self.duplicate_vertices, "vertex repeats a position", WELD),
            complaint(note, &self.unused_vertices, "vertex unused", UNUSED),
            complaint(note, &self.slivers, "sliver face", SLIVERS),
            (n_apart > 1).then(|| plain(note, n_apart, "separate outer shell", APART)),
        ];
        all.into_iter().flatten().collect()
    }

    fn crossings(&self) -> Option<Complaint> {
        let found =
            complaint(Severity::Problem, &self.self_intersections, "self-intersection", CROSSING);
        if self.search_is_complete {
            return found;
        }
        let unknown = plain(Severity::Problem, 0, "self-intersection", UNSEARCHED);
        Some(Complaint { at_least: true, ..found.unwrap_or(unknown) })
    }

    fn unsettled_nesting(&self) -> Option<Complaint> {
        // If the search for intersections was ended too, that is the complaint.
        let is_reason = self.search_is_complete && !self.nesting_is_settled;
        let n_shells = self.n_shells as u64;
        let what = "shell that may lie in another";
        is_reason.then(|| plain(Severity::Problem, n_shells, what, UNSETTLED))
    }
}

const OPEN: &str = "not repairable: holes are not filled; close the surface in the modeller \
    (repairable if the gap is smaller than a weld tolerance)";
const WINDING: &str = "repairable: wind each shell alike";
const EDGES: &str = "not repairable: remove inner walls, separate bodies that touch along an edge";
const EDGES_OF_COPIES: &str = "repairable if the duplicate faces cause it; otherwise remove inner \
    walls, separate bodies that touch along an edge";
const FANS: &str = "not repairable: separate the parts that touch in this point";
const ZERO_AREA: &str = "repairable if it can be dropped without opening the mesh or a corner lies \
    on the side of a neighbour that can be split there";
const DUPLICATE_FACES: &str =
    "repairable: drop the later copy, or both where they are the two sides of an inner wall";
const CROSSING: &str = "not repairable: unite the overlapping parts in the modeller";
const UNSEARCHED: &str =
    "not repairable: too many triangles overlap to search them all within the limit on pairs";
const UNSETTLED: &str = "not repairable: too many shells lie in each other to settle which is inside \
    which within the limit on pairs";
const NESTED: &str = "not repairable: say whether it is a cavity (wind it inward) or a second body \
    (remove one)";
const APART: &str = "not repairable, and harmless: all of them move as one body";
const INSIDE_OUT: &str = "repairable: flip the shell";
const FLAT: &str = "not repairable: a sheet bounds nothing; give it thickness";
const WELD: &str = "repairable: weld; harmless";
const UNUSED: &str = "repairable: drop; harmless";
const SLIVERS: &str = "not repairable, and harmless: its normal is imprecise";

/// A finding in words; `None` if there is nothing to say.
fn complaint<Place: Display>(
    severity: Severity,
    finding: &Finding<Place>,
    what: &'static str,
    remedy: &'static str,
) -> Option<Complaint> {
    let places = finding.places.iter().map(ToString::to_string).collect();
    let plain = plain(severity, finding.count, what, remedy);
    (!finding.is_empty()).then_some(Complaint { places, ..plain })
}

fn plain(severity: Severity, count: u64, what: &'static str, remedy: &'static str) -> Complaint {
    Complaint { severity, what, count, at_least: false, places: Vec::new(), remedy }
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

impl Display for EdgePlace {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let ([a, b], [p, q]) = (self.vertices, self.positions);
        write!(f, "{a}–{b} from {} to {} (triangle {})", At(p), At(q), self.triangle)
    }
}

impl Display for VertexPlace {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "vertex {} at {}", self.vertex, At(self.position))
    }
}

impl Display for FacePlace {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "triangle {} at {}", self.triangle, At(self.position))
    }
}

impl Display for FacePairPlace {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let [a, b] = self.triangles;
        write!(f, "triangles {a} and {b} at {}", At(self.position))
    }
}

impl Display for ShellPlace {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self { shell, triangle, n_triangles, volume, depth, position } = self;
        let volume = Short(*volume);
        write!(f, "shell {shell} ({n_triangles} triangles from {triangle}, volume {volume} m³, ")?;
        write!(f, "inside {depth} other{}) at {}", plural(u64::from(*depth)), At(*position))
    }
}

/// A position in short.
struct At(DVec3);

impl Display for At {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let [x, y, z] = self.0.to_array().map(Short);
        write!(f, "({x}, {y}, {z})")
    }
}

/// A number with six digits after the point, or with an exponent if that would hide it.
struct Short(f64);

impl Display for Short {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let x = self.0;
        if x == 0.0 {
            // Without the sign that a zero may carry.
            f.write_str("0")
        } else if (1e-3..1e6).contains(&x.abs()) {
            write!(f, "{}", (x * 1e6).round() / 1e6)
        } else {
            write!(f, "{x:.6e}")
        }
    }
}
