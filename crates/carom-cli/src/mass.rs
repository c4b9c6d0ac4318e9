//! `carom mass`: mass properties of a part, and the verdict on its mesh.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use serde::Serialize;

use carom_geometry::mass::{PrincipalFrame, check_inertia};
use carom_geometry::mesh::{
    Complaint, MeshVerdict, RepairError, RepairOptions, RepairReport, Severity, VerdictOptions,
    repair,
};
use carom_geometry::mesh_file::{MeshFile, MeshFileError, ReadOptions, read_mesh};
use carom_geometry::{MassProperties, TriMesh};

use crate::args::{LimitName, MassOptions};
use crate::progress::Wait;
use crate::{Outcome, output, suggest};

/// Relative error of a moment beyond which a person should know.
const WORTH_A_WARNING: f64 = 1e-9;

/// About how long a triangle is looked at `[s]`.
const SECONDS_A_TRIANGLE: f64 = 1e-6;

pub(crate) fn run(options: &MassOptions) -> anyhow::Result<Outcome> {
    let file = read(options)?;
    tell_warnings(options, &file);
    let n_triangles = file.mesh.triangles().len();
    let about = n_triangles as f64 * SECONDS_A_TRIANGLE;
    let wait = Wait::new(!options.json, &format!("judging {n_triangles} triangles"), Some(about));
    let Judged { mesh, verdict, repairs, ruin } = judged(file.mesh, options)?;
    let is_solid = verdict.is_solid() && ruin.is_none();
    let facts = if is_solid { Some(Facts::of(&mesh, options)?) } else { None };
    drop(wait);
    let report = Report {
        facts,
        density: options.density,
        warnings: file.warnings.iter().map(ToString::to_string).collect(),
        verdict: VerdictReport::new(&verdict, repairs.as_ref(), ruin.as_ref()),
    };
    if options.json {
        output::answer_json(&report)?;
    } else {
        let unit = options.unit.unwrap_or_default();
        let title = format!("{} ({}, unit {unit})", options.file.display(), file.format);
        output::answer(&format!("{title}\n{}", text(&report, &verdict, options)))?;
    }
    if let Some(facts) = &report.facts {
        facts.warn_if_thin(&options.file);
        return Ok(Outcome::Done);
    }
    tell_refusal(options, &verdict, ruin.as_ref());
    Ok(Outcome::CheckFailed)
}

/// Says why the mesh is not weighed, and what may help.
fn tell_refusal(options: &MassOptions, verdict: &MeshVerdict, ruin: Option<&RepairError>) {
    let why = ruin.map_or_else(
        || "the mesh does not bound a solid, so it has no mass".to_owned(),
        ToString::to_string,
    );
    output::talk(&format!("error: {}: {why}", options.file.display()));
    let repairable = |complaint: &Complaint| {
        complaint.severity == Severity::Problem && complaint.remedy.starts_with("repairable")
    };
    if !options.repair && verdict.complaints().iter().any(repairable) {
        output::talk("hint: --repair mends what can be mended without inventing surface");
    }
    if !verdict.search_is_complete {
        output::talk("hint: --limit pairs=N searches further, from 10000000 pairs");
    }
}

/// Says what is odd about the file.
fn tell_warnings(options: &MassOptions, file: &MeshFile) {
    for warning in &file.warnings {
        output::talk(&format!("warning: {}: {warning}", options.file.display()));
        if let Some(unit) = warning.suggested_unit() {
            output::talk(&format!("hint: --unit {unit}"));
        }
    }
}

fn read(options: &MassOptions) -> anyhow::Result<MeshFile> {
    let (unit, scale) = (options.unit, options.scale);
    let mut how = ReadOptions { unit, scale, ..ReadOptions::default() };
    for &(name, value) in &options.limit {
        if let LimitName::File(limit) = name {
            how.limits.set(limit, value);
        }
    }
    read_mesh(&options.file, &how).map_err(|error| explained(&error, &options.file))
}

/// Names the file, and for a missing one its nearest neighbour, for a limit the flag that raises it.
fn explained(error: &MeshFileError, path: &Path) -> anyhow::Error {
    let file = path.display();
    match error {
        MeshFileError::Io { cause, .. } if cause.kind() == io::ErrorKind::NotFound => {
            let hint = suggest::nearest_file(path).map_or_else(
                || "paths count from the folder you are in".to_owned(),
                |near| format!("did you mean {near}?"),
            );
            anyhow::anyhow!("there is no file {file}\nhint: {hint}")
        }
        MeshFileError::OverLimit { limit, .. } => {
            let text = error.to_string();
            let what = text.split("\nhint: ").next().unwrap_or_default();
            anyhow::anyhow!("{file}: {what}\nhint: --limit {limit}=N sets another limit")
        }
        // These name the file themselves.
        MeshFileError::Io { .. } | MeshFileError::UnknownFormat { .. } => {
            anyhow::anyhow!("{error}")
        }
        _ => anyhow::anyhow!("{file}: {error}"),
    }
}

/// The mesh to weigh and what is known about it.
struct Judged {
    mesh: TriMesh,
    verdict: MeshVerdict,
    /// What was repaired on the way.
    repairs: Option<RepairReport>,
    /// Why the repair left nothing to judge; the verdict is then that on the file.
    ruin: Option<RepairError>,
}

fn judged(mesh: TriMesh, options: &MassOptions) -> anyhow::Result<Judged> {
    let mut limits = VerdictOptions::default();
    for &(name, value) in &options.limit {
        if name == LimitName::Pairs {
            limits.max_pairs_tested = value;
        }
    }
    if !options.repair {
        let verdict = MeshVerdict::with_options(&mesh, &limits);
        return Ok(Judged { mesh, verdict, repairs: None, ruin: None });
    }
    let how = RepairOptions { weld_tolerance: options.weld, verdict: limits };
    match repair(&mesh, &how) {
        Ok((mesh, report)) => {
            Ok(Judged { mesh, verdict: report.verdict.clone(), repairs: Some(report), ruin: None })
        }
        Err(ruin @ RepairError::NothingLeft) => {
            let verdict = MeshVerdict::with_options(&mesh, &limits);
            Ok(Judged { mesh, verdict, repairs: None, ruin: Some(ruin) })
        }
        Err(error) => Err(error.into()),
    }
}

/// The numbers, in SI units and the axes of the file.
#[derive(Serialize)]
struct Facts {
    volume: f64,
    mass: f64,
    center: [f64; 3],
    inertia: [[f64; 3]; 3],
    principal_moments: [f64; 3],
    principal_axes: [[f64; 3]; 3],
    r_max: f64,
    surface_area: f64,
}

impl Facts {
    fn of(mesh: &TriMesh, options: &MassOptions) -> anyhow::Result<Self> {
        let (at_unit_density, unit_frame) = MassProperties::of_mesh_with_principal(mesh, 1.0)?;
        let mass = at_unit_density.times(options.density)?;
        let principal =
            PrincipalFrame { moments: unit_frame.moments * options.density, ..unit_frame };
        check_inertia(mass.mass, &glam::DMat3::from_diagonal(principal.moments))?;
        Ok(Self {
            volume: at_unit_density.mass,
            mass: mass.mass,
            center: mass.center.to_array(),
            inertia: mass.inertia.transpose().to_cols_array_2d(),
            principal_moments: principal.moments.to_array(),
            principal_axes: principal.axes.to_cols_array_2d(),
            r_max: mesh.radius_about(mass.center),
            surface_area: mesh.surface_area(),
        })
    }
}

impl Facts {
    /// A tensor in axes that are not the part's own holds its smallest moment to the rounding of the largest.
    fn warn_if_thin(&self, file: &Path) {
        let [smallest, _, largest] = self.principal_moments;
        let share = f64::EPSILON * largest / smallest;
        let is_turned =
            self.inertia[0][1] != 0.0 || self.inertia[1][2] != 0.0 || self.inertia[2][0] != 0.0;
        if is_turned && share > WORTH_A_WARNING {
            output::talk(&format!(
                "warning: {}: the part is long and thin and lies off the axes: the inertia tensor holds its \
                 smallest moment to about {share:.0e} only; the principal moments are right",
                file.display()
            ));
        }
    }
}

/// What `--json` prints; the numbers are null where the mesh is refused.
struct Report {
    facts: Option<Facts>,
    density: f64,
    warnings: Vec<String>,
    verdict: VerdictReport,
}

impl Serialize for Report {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(None)?;
        let facts = self.facts.as_ref();
        map.serialize_entry("volume", &facts.map(|f| f.volume))?;
        map.serialize_entry("mass", &facts.map(|f| f.mass))?;
        map.serialize_entry("center", &facts.map(|f| f.center))?;
        map.serialize_entry("inertia", &facts.map(|f| f.inertia))?;
        map.serialize_entry("principal_moments", &facts.map(|f| f.principal_moments))?;
        map.serialize_entry("principal_axes", &facts.map(|f| f.principal_axes))?;
        map.serialize_entry("r_max", &facts.map(|f| f.r_max))?;
        map.serialize_entry("surface_area", &facts.map(|f| f.surface_area))?;
        map.serialize_entry("density", &self.density)?;
        map.serialize_entry("warnings", &self.warnings)?;
        map.serialize_entry("verdict", &self.verdict)?;
        map.end()
    }
}

/// The verdict for machines.
#[derive(Serialize)]
struct VerdictReport {
    solid: bool,
    triangles: usize,
    vertices: usize,
    shells: usize,
    cavities: usize,
    tunnels: Option<u64>,
    problems: Vec<ComplaintReport>,
    notes: Vec<ComplaintReport>,
    repairs: Vec<String>,
    refusals: Vec<String>,
}

#[derive(Serialize)]
struct ComplaintReport {
    what: &'static str,
    count: u64,
    at_least: bool,
    places: Vec<String>,
    remedy: &'static str,
}

impl VerdictReport {
    fn new(
        verdict: &MeshVerdict,
        repairs: Option<&RepairReport>,
        ruin: Option<&RepairError>,
    ) -> Self {
        let complaints = verdict.complaints();
        let of = |severity: Severity| {
            let wanted = complaints.iter().filter(|complaint| complaint.severity == severity);
            wanted.map(ComplaintReport::new).collect()
        };
        let actions = repairs.map_or(&[][..], |report| &report.actions);
        let refusals = repairs.map_or(&[][..], |report| &report.refusals);
        let refusals = refusals.iter().map(ToString::to_string);
        Self {
            solid: verdict.is_solid() && ruin.is_none(),
            triangles: verdict.n_triangles,
            vertices: verdict.n_vertices,
            shells: verdict.n_shells,
            cavities: verdict.n_cavities,
            tunnels: verdict.genus,
            problems: of(Severity::Problem),
            notes: of(Severity::Note),
            repairs: actions.iter().map(ToString::to_string).collect(),
            refusals: refusals.chain(ruin.map(ToString::to_string)).collect(),
        }
    }
}

impl ComplaintReport {
    fn new(complaint: &Complaint) -> Self {
        Self {
            what: complaint.what,
            count: complaint.count,
            at_least: complaint.at_least,
            places: complaint.places.clone(),
            remedy: complaint.remedy,
        }
    }
}

/// The report for people.
fn text(report: &Report, verdict: &MeshVerdict, options: &MassOptions) -> String {
    let mut text = String::new();
    let mut line = |label: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {label:<24}{value}");
    };
    if let Some(facts) = &report.facts {
        let inertia = facts.principal_moments[2];
        let vector =
            |v: [f64; 3], scale: f64| v.map(|x| format!("{:>15}", short(x, scale))).join(" ");
        let number = |x: f64| format!("{:>15}", short(x, x));
        line("volume", &format!("{} m³", number(facts.volume)));
        line("mass", &format!("{} kg   at {} kg/m³", number(facts.mass), options.density));
        line("surface area", &format!("{} m²", number(facts.surface_area)));
        line("bounding radius", &format!("{} m", number(facts.r_max)));
        line("centre of mass", &format!("{} m", vector(facts.center, facts.r_max)));
        let row = |i: usize| {
            let entry = |j: usize| {
                let x = facts.inertia[i][j];
                // Rounding error stands off the diagonal only.
                format!("{:>15}", short(x, if i == j { x } else { inertia }))
            };
            [0, 1, 2].map(entry).join(" ")
        };
        line("inertia about it", &format!("{} kg·m²", row(0)));
        line("", &row(1));
        line("", &row(2));
        let moments = facts.principal_moments.map(number).join(" ");
        line("principal moments", &format!("{moments} kg·m²"));
        for (name, axis) in ["first", "second", "third"].iter().zip(facts.principal_axes) {
            line(&format!("{name} axis"), &vector(axis, 1.0));
        }
    }
    for action in &report.verdict.repairs {
        line("repaired", action);
    }
    for refusal in &report.verdict.refusals {
        line("not repaired", refusal);
    }
    let _ = write!(text, "  verdict: {}", verdict.to_string().replace('\n', "\n  "));
    text
}

/// Nine digits, enough to check a hand calculation by; zero where only rounding error of `scale` is left.
fn short(x: f64, scale: f64) -> String {
    let exponent = decimal_exponent(x.abs());
    if x.abs() <= 16.0 * f64::EPSILON * scale.abs() {
        "0".to_owned()
    } else if (-3..7).contains(&exponent) {
        format!("{x:.*}", (8 - exponent).unsigned_abs() as usize)
    } else {
        format!("{x:.8e}")
    }
}

/// The exponent that a number has in scientific notation.
fn decimal_exponent(x: f64) -> i32 {
    let text = format!("{x:e}");
    text.rsplit('e').next().and_then(|exponent| exponent.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_are_printed_with_nine_digits_and_without_noise() {
        assert_eq!(short(1234.56789012, 1.0), "1234.56789");
        assert_eq!(short(0.00123456789012, 1.0), "0.00123456789");
        assert_eq!(short(-1.5e-9, 1e-9), "-1.50000000e-9");
        assert_eq!(short(1e-20, 1e-3), "0");
        assert_eq!(short(0.0, 0.0), "0");
    }
}
