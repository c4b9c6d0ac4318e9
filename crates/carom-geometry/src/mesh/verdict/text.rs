//! The verdict in words: one line for the whole, one per complaint with place and remedy.

use std::fmt::{Display, Formatter, Result};

use glam::DVec3;

use super::{EdgePlace, FacePairPlace, FacePlace, Finding, MeshVerdict, ShellPlace, VertexPlace};

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
        self.write_problems(f)?;
        self.write_notes(f)
    }
}

impl MeshVerdict {
    fn write_problems(&self, f: &mut Formatter<'_>) -> Result {
        let problem = "problem";
        complain(f, problem, &self.open_edges, "open edge", OPEN)?;
        complain(f, problem, &self.inconsistent_edges, "edge with inconsistent winding", WINDING)?;
        complain(f, problem, &self.nonmanifold_edges, "edge of more than two triangles", EDGES)?;
        complain(f, problem, &self.nonmanifold_vertices, "vertex where fans meet", FANS)?;
        complain(f, problem, &self.zero_area_faces, "face without area", ZERO_AREA)?;
        complain(f, problem, &self.duplicate_faces, "duplicate face", DUPLICATE_FACES)?;
        let bound = if self.search_is_complete { problem } else { "problem (at least)" };
        complain(f, bound, &self.self_intersections, "self-intersection", CROSSING)?;
        if !self.search_is_complete && self.self_intersections.is_empty() {
            write!(
                f,
                "\n  problem: too many triangles overlap to search them all for intersections"
            )?;
            write!(f, "; hint: raise max_pairs_tested")?;
        }
        complain(f, problem, &self.inside_out_shells, "inside-out shell", INSIDE_OUT)?;
        complain(f, problem, &self.flat_shells, "shell without volume", FLAT)
    }

    fn write_notes(&self, f: &mut Formatter<'_>) -> Result {
        let note = "note";
        complain(f, note, &self.duplicate_vertices, "vertex repeats a position", WELD)?;
        complain(f, note, &self.unused_vertices, "vertex unused", UNUSED)?;
        complain(f, note, &self.slivers, "sliver face", SLIVERS)?;
        if self.n_shells > self.n_cavities + 1 {
            write!(f, "\n  note: {} separate outer shells move as one body", {
                self.n_shells - self.n_cavities
            })?;
        }
        Ok(())
    }
}

const OPEN: &str = "not repairable: holes are not filled; close the surface in the modeller \
    (repairable if the gap is smaller than a weld tolerance)";
const WINDING: &str = "repairable: wind each shell alike";
const EDGES: &str = "not repairable unless duplicate faces cause it: remove inner walls, \
    separate bodies that touch along an edge";
const FANS: &str = "not repairable: separate the parts that touch in this point";
const ZERO_AREA: &str = "repairable if a corner is repeated or lies on the side of a neighbour \
    that can be split there";
const DUPLICATE_FACES: &str = "repairable: drop the later copy";
const CROSSING: &str = "not repairable: unite the overlapping parts in the modeller";
const INSIDE_OUT: &str = "repairable: flip the shell";
const FLAT: &str = "not repairable: a sheet bounds nothing; give it thickness";
const WELD: &str = "harmless; repairable: weld";
const UNUSED: &str = "harmless; repairable: drop";
const SLIVERS: &str = "harmless; its normal is imprecise";

/// Writes one line with count, places and remedy, if there is anything to say.
fn complain<Place: Display>(
    f: &mut Formatter<'_>,
    severity: &str,
    finding: &Finding<Place>,
    what: &str,
    remedy: &str,
) -> Result {
    if finding.is_empty() {
        return Ok(());
    }
    write!(f, "\n  {severity}: {} × {what}", finding.count)?;
    for (k, place) in finding.places.iter().enumerate() {
        write!(f, "{} {place}", if k == 0 { ":" } else { ";" })?;
    }
    if finding.count > finding.places.len() as u64 {
        write!(f, "; …")?;
    }
    write!(f, "\n    {remedy}")
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
        write!(
            f,
            "shell {shell} ({n_triangles} triangles from {triangle}, volume {volume:.6e} m³, "
        )?;
        write!(f, "inside {depth} other{}) at {}", plural(u64::from(*depth)), At(*position))
    }
}

/// A position in short.
struct At(DVec3);

impl Display for At {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let short = |x: f64| {
            let is_handy = x == 0.0 || (1e-3..1e6).contains(&x.abs());
            if is_handy { format!("{}", (x * 1e6).round() / 1e6) } else { format!("{x:.6e}") }
        };
        let DVec3 { x, y, z } = self.0;
        write!(f, "({}, {}, {})", short(x), short(y), short(z))
    }
}
