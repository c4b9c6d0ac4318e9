//! What can be typed.

use std::path::PathBuf;
use std::str::FromStr;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;

use carom::{Regime, RestitutionLaw};
use carom_geometry::mesh_file::{Limit, Unit};
use carom_scene::{ContactOverrides, OnTouch};

use crate::bench::BenchOptions;
use crate::compare::CompareOptions;
use crate::export::ExportOptions;
use crate::import::ImportOptions;
use crate::licenses::LicensesOptions;
use crate::man::ManOptions;
use crate::plot::PlotOptions;
use crate::render::RenderOptions;
use crate::study::Study;
use crate::suggest::nearest;
use crate::sweep::SweepOptions;
use crate::validate::ValidateOptions;
use crate::view::ViewOptions;
use crate::{Outcome, exits, help};

/// Version and commit.
pub(crate) const VERSION: &str =
    concat!(env!("CARGO_PKG_VERSION"), " (", env!("CAROM_COMMIT"), ")");

/// A rigid-body dynamics simulator that proves its answers; so far free and prescribed motion, and contact by
/// collisions.
#[derive(Debug, Parser)]
#[command(
    name = "carom",
    version = VERSION,
    arg_required_else_help = true,
    after_help = "Examples:
  carom run dominos                                       run a built-in scene
  carom view dominos                                      watch it in the browser, push things
  carom render dominos --sheet 6                          six pictures of it in one
  carom sweep bouncing_ball --set e=0.4..0.8/5            run it with other parameters, one row each
  carom compare cradle                                    the same scene under every regime, side by side
  carom plot ball.mcap                                    draw where the energy of a recording went
  carom export ball.mcap -o ball.glb                      an animation for Blender or three.js
  carom import arm.urdf -o arm.toml                       a robot as a scene
  carom new toss                                          write a commented scene to start from
  carom distance near_misses plate bullet --at 0.01       how far two bodies are from each other
  carom mass parts/hex_nut.stl --unit mm --density 7850   mass properties of a steel nut
  carom validate                                          every claim against its reference
  carom help run                                          all about one command"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Everything that can be typed, with how commands end.
pub(crate) fn command() -> clap::Command {
    exits::documented(Arguments::command())
}

/// What was typed; a slip is told, and ends the program.
pub(crate) fn read() -> Result<Arguments, clap::Error> {
    let matches = command().try_get_matches().map_err(advised)?;
    Arguments::from_arg_matches(&matches)
}

/// With the command that is nearest to what was typed: likeness of words as the parser has it takes `rn` for `render`.
fn advised(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) {
        let all = command();
        let near = nearest(typed, all.get_subcommands().map(clap::Command::get_name));
        if let Some(near) = near {
            let near = ContextValue::Strings(vec![near.to_owned()]);
            error.insert(ContextKind::SuggestedSubcommand, near);
        }
    }
    error
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(RunOptions),
    View(ViewOptions),
    Render(RenderOptions),
    Sweep(SweepOptions),
    Compare(CompareOptions),
    Plot(PlotOptions),
    Export(ExportOptions),
    Import(ImportOptions),
    Check(CheckOptions),
    New(NewOptions),
    Distance(DistanceOptions),
    /// List the built-in scenes
    #[command(after_help = "Examples:
  carom scenes
  carom scenes --json    names, titles and descriptions")]
    Scenes {
        /// Print a JSON array
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON Schema of scene files
    #[command(after_help = "Example:\n  carom schema > scene.schema.json")]
    Schema,
    Mass(MassOptions),
    #[command(subcommand)]
    Study(Study),
    Bench(BenchOptions),
    Validate(ValidateOptions),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  carom completions bash > ~/.local/share/bash-completion/completions/carom"
    )]
    Completions {
        /// Which shell
        shell: Shell,
    },
    Man(ManOptions),
    Licenses(LicensesOptions),
}

/// Run a scene, record it, and check the numbers it promises
///
/// SCENE is a file, the name of a built-in scene (`carom scenes` lists them), or - for standard input. A recording
/// (.mcap) is run again from the scene, the settings and the seed it carries, and must end with the same hash.
/// Ctrl-C ends the run early and finishes what is being written.
/// Bodies touch when they are closer than a billionth of the smaller one's size, or than their places can be told apart
/// far from the origin; a touch is told up to that much early, never late. Two bodies neither of which is free, fixed or
/// driven, take no notice of each other. Whoever begins inside a sensor has entered it.
/// Where bodies touch they collide, unless the scene's world says on_touch = "stop" or "pass", or --on-touch is given: then
/// the run ends there, or they pass through each other. Bodies at rest on each other collide some hundred times a second
/// and hop by about the envelope; what that adds in energy is the ledger's boost. Expectations are measured for the
/// time that was run; where a touch ended it, those that ask for later times or events are not reached, and count as failed.
#[derive(Debug, clap::Args)]
#[command(after_help = help::of_run())]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that a person gives or does not")]
pub(crate) struct RunOptions {
    /// Scene file, built-in scene, recording, or - for standard input
    pub(crate) scene: String,
    #[command(flatten)]
    pub(crate) loading: LoadOptions,
    /// End at this simulated time instead of the scene's, in s
    #[arg(long, value_name = "T", value_parser = not_negative, allow_negative_numbers = true)]
    pub(crate) until: Option<f64>,
    #[command(flatten)]
    pub(crate) contact: ContactOptions,
    /// Write the run to a file: a recording (.mcap) or tables (.csv, .parquet)
    #[arg(long = "output", short, visible_alias = "out", value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Leave out the channels by which Foxglove shows a recording: they take 2 % to 70 % more space, the less the more
    /// bodies collide
    #[arg(long, requires = "out")]
    pub(crate) no_foxglove: bool,
    /// How many threads may work; the answer is the same
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
    /// Measure distances by code that shares nothing with the engine, at every event and between: the run fails if
    /// bodies overlap or a touch is missed. Takes time
    #[arg(long)]
    pub(crate) audit: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Print nothing but what failed
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Tell everything that is wrong with a scene, without running it
///
/// Warnings alone are told and pass.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  carom check toss.toml
  carom check toss.toml --json    problems with file, line and column")]
pub(crate) struct CheckOptions {
    /// Scene file, built-in scene, or - for standard input
    pub(crate) scene: String,
    #[command(flatten)]
    pub(crate) loading: LoadOptions,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// What contact does, instead of what the scene says.
#[derive(Debug, clap::Args)]
pub(crate) struct ContactOptions {
    /// What comes of a touch, instead of what the scene says: let the bodies collide, end the run, or let them pass
    /// through each other
    #[arg(long, value_name = "WHAT", value_parser = on_touch_parser())]
    on_touch: Option<OnTouch>,
    /// How contact is worked out, instead of what the scene's world says; pairs with a regime of their own keep it
    #[arg(long, value_name = "NAME", value_parser = regime_parser())]
    regime: Option<Regime>,
    /// Collision envelope of all pairs in m, instead of the scene's: bodies at rest hop by about it [default: 1e-4 of
    /// the smaller free body's size, for each pair by itself]
    #[arg(long, value_name = "E", value_parser = positive, allow_negative_numbers = true)]
    envelope: Option<f64>,
    /// What restitution multiplies, in all materials, instead of what the scene says
    #[arg(long, value_name = "LAW", value_parser = law_parser())]
    law: Option<RestitutionLaw>,
}

impl ContactOptions {
    /// As scenes take them.
    pub(crate) const fn overrides(&self) -> ContactOverrides {
        let Self { on_touch, regime, envelope, law } = *self;
        ContactOverrides { on_touch, regime, envelope, law }
    }
}

/// How scenes are read.
#[derive(Debug, clap::Args)]
pub(crate) struct LoadOptions {
    /// Set a parameter of the scene; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    pub(crate) set: Vec<(String, String)>,
    /// Seed of everything random, instead of the scene's; a whole number from 0
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    /// Raise or lower a limit on what a scene may ask for: bodies, events, exclusions, include-depth, files,
    /// text-bytes, expression-bytes or operations
    #[arg(long, value_name = "NAME=N", value_parser = scene_limit)]
    pub(crate) limit: Vec<(carom_scene::Limit, u64)>,
    /// Let the scene read files in this folder, too
    #[arg(long, value_name = "DIR")]
    pub(crate) allow_path: Vec<PathBuf>,
}

/// Tell how far two bodies of a scene are from each other, where, and by which features
///
/// The scene is run to the time asked for; where it has a touch end the run, bodies pass through each other. Bodies that
/// overlap have the depth instead: the length of the shortest shift that parts them, along the normal.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  carom distance near_misses bullet plate
  carom distance toss.toml ball block_3 --at 0.5 --json
  carom distance toss.toml ball block_3 --explain

JSON keys: scene, time_s, a, b, distance_m (minus the depth where they overlap), points_m (on a and on b), \
normal (from b to a), features, feature_names, pieces (which convex piece of each), explanation (null \
without --explain)")]
pub(crate) struct DistanceOptions {
    /// Scene file, built-in scene, or - for standard input
    pub(crate) scene: String,
    /// Name of one body
    pub(crate) a: String,
    /// Name of the other
    pub(crate) b: String,
    /// When, in s
    #[arg(long, value_name = "T", default_value_t = 0.0, value_parser = not_negative, allow_negative_numbers = true)]
    pub(crate) at: f64,
    /// Say why and when the pair is looked at
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) loading: LoadOptions,
    #[command(flatten)]
    pub(crate) contact: ContactOptions,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Write a commented scene to start from
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  carom new toss    writes toss.toml")]
pub(crate) struct NewOptions {
    /// Name of the scene; the file gets the ending .toml
    pub(crate) name: String,
}

/// Print volume, mass, centre, inertia and principal axes of a part, and a verdict on its mesh
///
/// FILE is STL, OBJ, PLY or glTF. The mesh must bound a solid: one that is open, inside out, self-intersecting or
/// otherwise unsound is refused with the places. Inertia is about the centre of mass in the
/// axes of the file.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  carom mass parts/hex_nut.stl --unit mm --density 7850
  carom mass parts/die.gltf --json
  carom mass scan.stl --unit mm --repair --weld 1e-6

JSON keys, null where the mesh is refused:
  volume             m³
  mass               kg
  center             m
  inertia            kg·m², 3×3 about the centre in the axes of the file
  principal_moments  kg·m², ascending
  principal_axes     one unit vector for each moment
  r_max              m, largest distance from the centre
  surface_area       m²
and always: density (kg/m³), warnings, verdict")]
pub(crate) struct MassOptions {
    /// Mesh file: .stl, .obj, .ply, .gltf or .glb
    pub(crate) file: PathBuf,
    /// Density in kg/m³ [e.g. 7850 steel, 2700 aluminium, 1000 water]
    #[arg(long, value_name = "D", default_value_t = 1.0, value_parser = positive, allow_negative_numbers = true)]
    pub(crate) density: f64,
    /// Unit of the file's lengths, m if none is given; STL files are usually in mm
    #[arg(long, value_name = "UNIT", value_parser = unit_parser())]
    pub(crate) unit: Option<Unit>,
    /// Factor on all lengths, on top of the unit
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = positive, allow_negative_numbers = true)]
    pub(crate) scale: f64,
    /// Mend what can be mended without inventing surface: winding, duplicates, faces without area
    #[arg(long)]
    pub(crate) repair: bool,
    /// With --repair, also weld vertices closer than this share of the part's size
    #[arg(long, value_name = "SHARE", requires = "repair", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) weld: Option<f64>,
    /// Raise or lower a limit on what is read: bytes, triangles, vertices, corners (of a polygon), depth (of
    /// nested nodes), objects (in JSON) or pairs (of triangles tested for intersection)
    #[arg(long, value_name = "NAME=N", value_parser = limit)]
    pub(crate) limit: Vec<(LimitName, u64)>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// What `--limit` can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LimitName {
    /// A limit on the file.
    File(Limit),
    /// Pairs of triangles tested for intersection beyond those always granted.
    Pairs,
}

fn limit(text: &str) -> Result<(LimitName, u64), String> {
    let (name, number) =
        text.split_once('=').ok_or("must be NAME=N, such as triangles=50000000")?;
    let known = || Limit::ALL.iter().map(|limit| limit.name()).chain(["pairs"]);
    let found = Limit::ALL.into_iter().find(|limit| limit.name() == name);
    let which = match found {
        Some(limit) => LimitName::File(limit),
        None if name == "pairs" => LimitName::Pairs,
        None => {
            let all: Vec<&str> = known().collect();
            let near = nearest(name, known())
                .map_or(String::new(), |near| format!(", did you mean {near}?"));
            return Err(format!("there is no limit '{name}'{near} [limits: {}]", all.join(", ")));
        }
    };
    let number = number.parse().map_err(|_| format!("'{number}' is not a whole number"))?;
    Ok((which, number))
}

/// Writes the completion script for a shell.
pub(crate) fn write_completions(shell: Shell) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(), "carom", &mut script);
    crate::output::answer(&String::from_utf8(script)?)?;
    Ok(Outcome::Done)
}

fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("must be NAME=VALUE, such as height=2".to_owned()),
    }
}

pub(crate) fn scene_limit(text: &str) -> Result<(carom_scene::Limit, u64), String> {
    let (name, number) = text.split_once('=').ok_or("must be NAME=N, such as bodies=5000000")?;
    let all = carom_scene::Limit::ALL;
    let Some(limit) = all.into_iter().find(|limit| limit.name() == name) else {
        let names: Vec<&str> = all.iter().map(|limit| limit.name()).collect();
        let near = nearest(name, names.iter().copied());
        let near = near.map_or(String::new(), |near| format!(", did you mean {near}?"));
        return Err(format!("there is no limit '{name}'{near} [limits: {}]", names.join(", ")));
    };
    let number = number.parse().map_err(|_| format!("'{number}' is not a whole number"))?;
    Ok((limit, number))
}

pub(crate) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("must be a whole number from 0 to {}", u64::MAX))
}

pub(crate) fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        _ => Err("must be a number of at least 0".to_owned()),
    }
}

pub(crate) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value > 0.0 => Ok(value),
        _ => Err("must be a positive number".to_owned()),
    }
}

pub(crate) fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("must be a number from 0 to 1".to_owned()),
    }
}

/// Units as listed values, so that help names them and slips get a suggestion.
fn unit_parser() -> impl clap::builder::TypedValueParser<Value = Unit> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(Unit::ALL.iter().map(|unit| unit.name()))
        .try_map(|name| Unit::from_str(&name))
}

fn on_touch_parser() -> impl clap::builder::TypedValueParser<Value = OnTouch> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(OnTouch::ALL.map(OnTouch::name))
        .try_map(|name| OnTouch::of_name(&name).ok_or("unknown word"))
}

fn law_parser() -> impl clap::builder::TypedValueParser<Value = RestitutionLaw> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(RestitutionLaw::ALL.map(RestitutionLaw::name))
        .try_map(|name| RestitutionLaw::of_name(&name).ok_or("unknown word"))
}

pub(crate) fn regime_parser() -> impl clap::builder::TypedValueParser<Value = Regime> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(Regime::ALL.map(Regime::name))
        .try_map(|name| Regime::of_name(&name).ok_or("unknown word"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        command().debug_assert();
    }
}
