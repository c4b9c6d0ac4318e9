//! `carom import`: a robot as a scene.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use carom_geometry::Pose;
use carom_scene::robot::{
    Base, FixedJoints, Imported, MeshSurface, ReadOptions, Robot, SceneOptions, Why,
    exclude_overlaps, read_mjcf, read_urdf,
};
use carom_scene::{DiskFiles, Files, Options, Problem, Problems, Scene, Source, load};
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
/// touches; mesh files stay where they are, and the scene names them. Joints start within their stops, those with both stops at
/// one place are fixed, and links that overlap at the start do not collide. The scene is built and started before it is said
/// to run. Everything that nothing was made of is told: every
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
    /// Let the scene read files in this folder, too; repeatable. Needed for meshes outside the folder of the scene
    #[arg(long, value_name = "DIR")]
    allow_path: Vec<PathBuf>,
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
    let written = robot.write_scene(&written).map_err(|error| {
        let known: Vec<&str> = robot.joints.iter().map(|joint| &joint.name[..]).collect();
        anyhow!("{error}\nhint: its joints are {}", known.join(", "))
    })?;
    let tried = tried(options, written.text, &folder);
    if let Some(out) = &options.out {
        let unfinished = Unfinished::new(&[out]);
        std::fs::write(out, &tried.text)
            .with_context(|| format!("cannot write {}", out.display()))?;
        drop(unfinished);
    } else {
        answer(&tried.text)?;
    }
    let told = Told { robot, imported: &imported, faults: &faults, changed: &written.changed };
    if options.json {
        told.to_machines(options, &tried)?;
    } else {
        told.to_people(options, &tried)?;
    }
    Ok(if tried.runs { Outcome::Done } else { Outcome::CheckFailed })
}

/// A scene that was tried.
struct Tried {
    text: String,
    /// Bodies that overlap at the start, by name.
    overlaps: Vec<[String; 2]>,
    /// What is wrong with it or might be.
    problems: Problems,
    /// Whether it was built and has started.
    runs: bool,
}

/// Reads what is written, as whoever runs it will, has what overlaps take no notice of each other, and starts it.
fn tried(options: &ImportOptions, mut text: String, folder: &Path) -> Tried {
    let name = options.out.as_ref().map_or("the scene".to_owned(), |out| out.display().to_string());
    let loading = Options { allow_paths: options.allow_path.clone(), ..Options::default() };
    let read = |text: &str| {
        let source =
            Source::Text { name: name.clone(), text: text.to_owned(), folder: folder.to_owned() };
        load(&source, &loading, &DiskFiles)
    };
    let mut loaded = read(&text);
    let mut overlaps = Vec::new();
    if let Some(scene) = &loaded.scene {
        let name = |index: usize| scene.bodies[index].name.clone();
        // What the engine refuses of the world itself, it refuses again below.
        overlaps.extend(scene.overlaps().unwrap_or_default().iter().map(|pair| pair.map(name)));
        let pairs: Vec<[&str; 2]> = overlaps.iter().map(|[a, b]| [&a[..], &b[..]]).collect();
        exclude_overlaps(&mut text, &pairs);
        if !pairs.is_empty() {
            loaded = read(&text);
        }
    }
    let started = loaded.scene.as_ref().map(start);
    let runs = matches!(started, Some(Ok(())));
    let mut problems = loaded.problems;
    if let Some(Err(refused)) = started {
        problems = refused;
    }
    Tried { text, overlaps, problems, runs }
}

/// Builds the world of a scene and begins its first instant.
fn start(scene: &Scene) -> Result<(), Problems> {
    let mut world = scene.build(1)?;
    world.advance_to(0.0).map_err(|fault| {
        let mut problems = Problems::new(std::sync::Arc::clone(&scene.sources));
        let text = fault.to_string();
        let (what, hint) = text.split_once("\nhint: ").unwrap_or((&text, ""));
        let problem = Problem::placeless(what);
        problems.push(if hint.is_empty() { problem } else { problem.hint(hint) });
        problems
    })
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
            ..SceneOptions::default()
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

/// What there is to tell of an import.
struct Told<'a> {
    robot: &'a Robot,
    imported: &'a Imported,
    faults: &'a Problems,
    changed: &'a [String],
}

impl Told<'_> {
    fn to_people(&self, options: &ImportOptions, tried: &Tried) -> anyhow::Result<()> {
        if !options.quiet {
            self.what_differs(tried);
        }
        if !tried.problems.is_empty() {
            talk(tried.problems.render(colors()).trim_end());
        }
        let Some(out) = &options.out else { return Ok(()) };
        let links = counted(self.robot.links.len() as u64, "link");
        let joints = counted(self.robot.joints.len() as u64, "joint");
        let shown = out.display();
        let mass = carom::Short(self.robot.total_mass());
        let mut allowed = String::new();
        for folder in &options.allow_path {
            allowed += &format!(" --allow-path {}", folder.display());
        }
        let runs = if tried.runs {
            format!("carom run {shown}{allowed} runs it")
        } else {
            "it does not run as it is".to_owned()
        };
        answer(&format!("{shown}: {links}, {joints}, {mass} kg\n{runs}"))
    }

    fn what_differs(&self, tried: &Tried) {
        if !self.faults.is_empty() {
            talk(self.faults.render(colors()).trim_end());
        }
        let overlaps: Vec<String> =
            tried.overlaps.iter().map(|[a, b]| format!("{a}, {b}")).collect();
        let lists = [
            ("left out, because carom makes nothing of it:", &left_out(self.imported)[..]),
            ("read, but scenes have no keys for it:", &self.robot.unwritten()),
            ("other than in the file, so that it can start:", self.changed),
            ("links that overlap at the start, and so do not collide:", &overlaps),
        ];
        for (title, lines) in lists.into_iter().filter(|(_, lines)| !lines.is_empty()) {
            talk(title);
            for line in lines {
                talk(&format!("  {line}"));
            }
        }
    }

    fn to_machines(&self, options: &ImportOptions, tried: &Tried) -> anyhow::Result<()> {
        let sources = self.imported.problems.sources();
        let left_out: Vec<_> = (self.imported.leftovers.iter())
            .map(|leftover| {
                let place = leftover.place;
                let line = sources.line_column(place.file, place.span.start).map(|(line, _)| line);
                let file = sources.get(place.file).map(|file| file.name.clone());
                let (path, nested) = (&leftover.path, leftover.is_nested);
                json!({ "path": path, "why": why(leftover.why), "file": file, "line": line, "nested": nested })
            })
            .collect();
        answer_json(&json!({
            "robot": self.robot.name,
            "scene": options.out.as_ref().map(|out| out.display().to_string()),
            "links": self.robot.links.len(),
            "joints": self.robot.joints.len(),
            "mass": self.robot.total_mass(),
            "ok": tried.runs,
            "faults": self.faults.reports(),
            "left_out": left_out,
            "unwritten": self.robot.unwritten(),
            "changed": self.changed,
            "overlaps": tried.overlaps,
            "problems": tried.problems.reports(),
        }))
    }
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
