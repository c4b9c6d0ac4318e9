//! `carom import`: a robot as a scene.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use carom_geometry::Pose;
use carom_scene::robot::{
    Base, FixedJoints, Imported, MeshSurface, ReadOptions, Robot, SceneOptions, Why, read_mjcf,
    read_urdf,
};
use carom_scene::{DiskFiles, Files, Options, Problems, Source, load};
use clap::ValueEnum;
use serde_json::json;

use crate::Outcome;
use crate::interrupt::Unfinished;
use crate::output::{answer, answer_json, colors, counted, talk};
use crate::suggest::nearest_file;

/// Most that is looked through for the outermost element `[byte]`; longer files are told by whoever reads them.
const LARGEST: u64 = 64 << 20;

/// Turn a robot's file into a scene
///
/// ROBOT is URDF (.urdf) or MJCF, MuJoCo's format (.xml). Links become bodies, joints become joints, shapes and meshes what
/// touches; mesh files stay where they are, and the scene names them. Everything that nothing was made of is told: every
/// element and attribute of the file that was not read, and all that scenes have no keys for. Without --output the scene goes
/// to standard output.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  carom import arm.urdf -o arm.toml
  carom import dog.urdf -o dog.toml --base free --at 0,0,0.5        dropped from half a metre
  carom import arm.urdf -o arm.toml --start shoulder=0.7 --start elbow=-1.1
  carom import humanoid.xml -o humanoid.toml --keyframe squat
  carom import arm.urdf --search ~/ros/src                          where package://… is looked for")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that a person gives or does not")]
pub(crate) struct ImportOptions {
    /// URDF or MJCF file
    robot: PathBuf,
    /// Scene to write
    #[arg(long = "output", short, visible_alias = "out", value_name = "FILE")]
    out: Option<PathBuf>,
    /// Format of the robot, whatever its file is called
    #[arg(long, value_name = "FORMAT")]
    from: Option<RobotFormat>,
    /// What the link does that no joint moves
    #[arg(long, default_value = "fixed")]
    base: BaseKind,
    /// Where that link is, in m
    #[arg(long, value_name = "X,Y,Z", value_parser = place, allow_hyphen_values = true)]
    at: Option<glam::DVec3>,
    /// Coordinates of a joint at the start, in rad or m; repeatable. Several with commas
    #[arg(long, value_name = "JOINT=Q", value_parser = coordinates)]
    start: Vec<(String, Vec<f64>)>,
    /// Rate of a joint at the start, in rad/s or m/s; repeatable
    #[arg(long, value_name = "JOINT=RATE", value_parser = coordinates)]
    velocity: Vec<(String, Vec<f64>)>,
    /// Start from this keyframe of an MJCF file
    #[arg(long, value_name = "NAME")]
    keyframe: Option<String>,
    /// What becomes of fixed joints
    #[arg(long, value_name = "WHAT", default_value = "merge-massless")]
    fixed_joints: FixedJointsKind,
    /// What becomes of meshes
    #[arg(long, value_name = "WHAT", default_value = "hull")]
    meshes: MeshKind,
    /// Keep several joints of one body apart, also where they are one universal, cylindrical or planar joint
    #[arg(long)]
    apart: bool,
    /// Give links with an inertia that no body has the mean of their moments
    #[arg(long)]
    balance_inertia: bool,
    /// Folder to search for packages and meshes; repeatable
    #[arg(long, value_name = "FOLDER")]
    search: Vec<PathBuf>,
    /// Stands before the names of all bodies and joints
    #[arg(long, value_name = "TEXT", default_value = "")]
    prefix: String,
    /// Print one JSON object with everything that was not carried over
    #[arg(long, requires = "out")]
    json: bool,
    /// Say nothing of what was not carried over
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RobotFormat {
    Urdf,
    Mjcf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum BaseKind {
    /// It stays where it is
    Fixed,
    /// It moves freely
    Free,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FixedJointsKind {
    /// All are written
    Keep,
    /// Links without mass, or with an inertia that no body has, become one body with the link they are fixed to
    MergeMassless,
    /// All links that are fixed to each other become one body
    Merge,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum MeshKind {
    /// Their convex hulls
    Hull,
    /// The solids inside of them, which must be closed
    Exact,
}

pub(crate) fn run(options: &ImportOptions) -> anyhow::Result<Outcome> {
    let imported = read(options)?;
    let faults = faults(&imported);
    let Some(robot) = &imported.robot else {
        talk(faults.render(colors()).trim_end());
        return Ok(Outcome::CheckFailed);
    };
    let folder = folder_of(options.out.as_deref());
    let written = options.scene(folder.clone())?;
    let text = robot.to_scene(&written).map_err(|error| {
        let known: Vec<&str> = robot.joints.iter().map(|joint| &joint.name[..]).collect();
        anyhow!("{error}\nhint: its joints are {}", known.join(", "))
    })?;
    if let Some(out) = &options.out {
        let unfinished = Unfinished::new(&[out]);
        std::fs::write(out, &text).with_context(|| format!("cannot write {}", out.display()))?;
        drop(unfinished);
    } else {
        answer(&text)?;
    }
    // What was written is read again, as whoever runs it will.
    let name = options.out.as_ref().map_or("the scene".to_owned(), |out| out.display().to_string());
    let source = Source::Text { name, text, folder };
    let loaded = load(&source, &Options::default(), &DiskFiles);
    if options.json {
        tell_machines(options, robot, &imported, &faults, &loaded.problems)?;
    } else {
        tell_people(options, robot, &imported, &faults)?;
        if !loaded.problems.is_empty() {
            talk(loaded.problems.render(colors()).trim_end());
        }
    }
    Ok(if loaded.scene.is_some() { Outcome::Done } else { Outcome::CheckFailed })
}

impl ImportOptions {
    fn scene(&self, folder: PathBuf) -> anyhow::Result<SceneOptions> {
        let mut rates = BTreeMap::new();
        for (joint, rate) in &self.velocity {
            let [rate] = rate[..] else { bail!("--velocity {joint}=… takes one number") };
            rates.insert(joint.clone(), rate);
        }
        Ok(SceneOptions {
            base: match self.base {
                BaseKind::Fixed => Base::Fixed,
                BaseKind::Free => Base::Free,
            },
            world_from_base: Pose::from_translation(self.at.unwrap_or_default()),
            keyframe: self.keyframe.clone(),
            start: self.start.iter().cloned().collect(),
            rates,
            prefix: self.prefix.clone(),
            fixed_joints: match self.fixed_joints {
                FixedJointsKind::Keep => FixedJoints::Keep,
                FixedJointsKind::MergeMassless => FixedJoints::MergeMassless,
                FixedJointsKind::Merge => FixedJoints::Merge,
            },
            combine_joints: !self.apart,
            meshes: match self.meshes {
                MeshKind::Hull => MeshSurface::Hull,
                MeshKind::Exact => MeshSurface::Exact,
            },
            folder,
        })
    }
}

fn read(options: &ImportOptions) -> anyhow::Result<Imported> {
    let path = &options.robot;
    let shown = path.display();
    if !path.is_file() {
        let near = nearest_file(path).map(|near| format!("\nhint: did you mean {near}?"));
        bail!("there is no file {shown}{}", near.unwrap_or_default());
    }
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if ending.eq_ignore_ascii_case("xacro") {
        bail!("{shown} is a template\nhint: make URDF of it first: xacro {shown} > robot.urdf");
    }
    let format = match options.from {
        Some(format) => format,
        None => format_of(path)?,
    };
    let reading = ReadOptions {
        search: options.search.clone(),
        balance_inertia: options.balance_inertia,
        ..ReadOptions::default()
    };
    let source = Source::Path(path.clone());
    Ok(match format {
        RobotFormat::Urdf => read_urdf(&source, &reading, &DiskFiles),
        RobotFormat::Mjcf => read_mjcf(&source, &reading, &DiskFiles),
    })
}

/// By the outermost element, whichever ending the file has: both formats use .xml.
fn format_of(path: &Path) -> anyhow::Result<RobotFormat> {
    let shown = path.display();
    let bytes = DiskFiles.read(path, LARGEST).with_context(|| format!("cannot read {shown}"))?;
    let text = String::from_utf8_lossy(&bytes);
    match (text.find("<robot"), text.find("<mujoco")) {
        (Some(robot), Some(mujoco)) if mujoco < robot => Ok(RobotFormat::Mjcf),
        (Some(_), _) => Ok(RobotFormat::Urdf),
        (None, Some(_)) => Ok(RobotFormat::Mjcf),
        (None, None) => bail!(
            "{shown} has neither <robot>, as URDF has, nor <mujoco>, as MJCF has\n\
             hint: --from says which it is"
        ),
    }
}

/// The folder that a file lies in, links followed.
fn folder_of(out: Option<&Path>) -> PathBuf {
    let folder = out.and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new(".")).canonicalize().unwrap_or_default()
}

fn faults(imported: &Imported) -> Problems {
    let mut problems = Problems::new(std::sync::Arc::clone(imported.problems.sources()));
    for fault in &imported.faults {
        problems.push(fault.problem());
    }
    problems
}

fn tell_people(
    options: &ImportOptions,
    robot: &Robot,
    imported: &Imported,
    faults: &Problems,
) -> anyhow::Result<()> {
    if !options.quiet {
        if !faults.is_empty() {
            talk(faults.render(colors()).trim_end());
        }
        let left_out = left_out(imported);
        if !left_out.is_empty() {
            talk("left out, because carom makes nothing of it:");
            for line in &left_out {
                talk(&format!("  {line}"));
            }
        }
        let unwritten = robot.unwritten();
        if !unwritten.is_empty() {
            talk("read, but scenes have no keys for it:");
            for line in &unwritten {
                talk(&format!("  {line}"));
            }
        }
    }
    let Some(out) = &options.out else { return Ok(()) };
    let links = counted(robot.links.len() as u64, "link");
    let joints = counted(robot.joints.len() as u64, "joint");
    let shown = out.display();
    answer(&format!(
        "{shown}: {links}, {joints}, {} kg\ncarom run {shown} runs it",
        carom::Short(robot.total_mass())
    ))
}

/// Elements and attributes that nothing was made of, each path once.
fn left_out(imported: &Imported) -> Vec<String> {
    let mut counts: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for leftover in imported.leftovers.iter().filter(|leftover| !leftover.is_nested) {
        let span = leftover.place.span;
        let at = imported.problems.sources().line_column(leftover.place.file, span.start);
        let line = at.map_or(0, |(line, _)| line);
        let entry = counts.entry((&leftover.path, why(leftover.why))).or_insert((0, line));
        entry.0 += 1;
    }
    let line = |((path, why), (count, line)): (&(&str, &str), &(usize, usize))| {
        let often = if *count > 1 { format!(", {count} times, first") } else { String::new() };
        format!("{path} ({why}{often} in line {line})")
    };
    counts.iter().map(line).collect()
}

const fn why(why: Why) -> &'static str {
    match why {
        Why::NotSupported => "not supported",
        Why::NoMeaning => "without meaning here",
    }
}

fn tell_machines(
    options: &ImportOptions,
    robot: &Robot,
    imported: &Imported,
    faults: &Problems,
    of_scene: &Problems,
) -> anyhow::Result<()> {
    let sources = imported.problems.sources();
    let left_out: Vec<_> = (imported.leftovers.iter())
        .map(|leftover| {
            let place = leftover.place;
            let line = sources.line_column(place.file, place.span.start).map(|(line, _)| line);
            let file = sources.get(place.file).map(|file| file.name.clone());
            let (path, nested) = (&leftover.path, leftover.is_nested);
            json!({ "path": path, "why": why(leftover.why), "file": file, "line": line, "nested": nested })
        })
        .collect();
    answer_json(&json!({
        "robot": robot.name,
        "scene": options.out.as_ref().map(|out| out.display().to_string()),
        "links": robot.links.len(),
        "joints": robot.joints.len(),
        "mass": robot.total_mass(),
        "ok": !of_scene.has_errors(),
        "faults": faults.reports(),
        "left_out": left_out,
        "unwritten": robot.unwritten(),
        "problems": of_scene.reports(),
    }))
}

/// Three numbers with commas between them.
fn place(text: &str) -> Result<glam::DVec3, String> {
    let parts = numbers(text)?;
    <[f64; 3]>::try_from(parts)
        .map(glam::DVec3::from_array)
        .map_err(|parts| format!("three numbers are needed, such as 0,0,0.5, not {}", parts.len()))
}

/// `JOINT=Q`, where Q may be several numbers with commas.
fn coordinates(text: &str) -> Result<(String, Vec<f64>), String> {
    // Names of joints may have the sign in them; numbers have not.
    let (joint, values) =
        text.rsplit_once('=').ok_or("write JOINT=VALUE, such as elbow=0.5".to_owned())?;
    Ok((joint.to_owned(), numbers(values)?))
}

fn numbers(text: &str) -> Result<Vec<f64>, String> {
    let number = |part: &str| {
        let value: Option<f64> = part.trim().parse().ok().filter(|value: &f64| value.is_finite());
        value.ok_or_else(|| format!("\"{part}\" is no finite number"))
    };
    text.split(',').map(number).collect()
}
