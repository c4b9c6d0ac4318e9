//! `carom-bench`: the work behind `carom bench`.

use std::path::PathBuf;

use anyhow::{Context, anyhow};
use carom_bench::compare::description::Description;
use carom_bench::compare::picture;
use carom_bench::compare::report::Report;
use carom_bench::compare::scene::{STEPS, compare};
use carom_bench::compare::{memory, mujoco, ours, rapier, scaling, table};
use carom_scene::{BUILT_IN, DiskFiles, Options, Scene, Source, built_in, load};
use clap::Parser;

/// Carom beside its peers, on scenes.
#[derive(Debug, Parser)]
#[command(name = "carom-bench")]
struct Arguments {
    /// Scene files or built-in scenes; all built-in ones if none is named
    scenes: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Draw error against cost
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Measure how cost grows, too; alone if no scene is named
    #[arg(long)]
    scaling: bool,
    /// Load and run the scene and print the peak memory: by Carom, or by Rapier with this step in s
    #[arg(long, hide = true, num_args = 1..=2)]
    only_run: Option<Vec<String>>,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    if let Some(which) = &arguments.only_run {
        return only_run(which);
    }
    let python = mujoco::Python::find();
    let mut names = arguments.scenes.clone();
    if names.is_empty() && !arguments.scaling {
        names = BUILT_IN.iter().map(|scene| scene.name.to_owned()).collect();
    }
    let mut report = Report { settings: settings(&python), ..Report::default() };
    // All of them are read before the first is run, which may take minutes.
    let scenes = names.iter().map(|name| read(name)).collect::<anyhow::Result<Vec<_>>>()?;
    for (name, scene) in names.iter().zip(&scenes) {
        eprintln!("{name} …");
        report.scenes.push(compare(name, scene, &python));
    }
    if arguments.scaling {
        report.scaling = Some(scaling::measure(&|what| eprintln!("{what} …")));
    }
    if let Some(file) = &arguments.svg {
        std::fs::write(file, picture::svg(&report.scenes))
            .with_context(|| format!("{} cannot be written", file.display()))?;
    }
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{}", table::text(&report));
    }
    Ok(())
}

fn read(name: &str) -> anyhow::Result<Scene> {
    let path = PathBuf::from(name);
    let source = match built_in(name) {
        _ if path.is_file() => Source::Path(path),
        Some(scene) => Source::text(format!("{name}.toml"), scene.text),
        None => return Err(anyhow!("there is no scene {name}")),
    };
    let loaded = load(&source, &Options::default(), &DiskFiles);
    loaded.scene.ok_or_else(|| anyhow!("{}", loaded.problems.render(false)))
}

fn settings(python: &mujoco::Python) -> Vec<String> {
    let steps = STEPS.map(|dt| format!("1/{:.0}", 1.0 / dt)).join(", ");
    let build =
        if cfg!(debug_assertions) { "DEBUG BUILD: timings say nothing" } else { "release build" };
    let clock = if cfg!(unix) { "as the thread worked" } else { "by the clock" };
    let mujoco = match &python.version {
        Ok(version) => format!(
            "MuJoCo {version} by its Python package: pairs' friction, elliptic cone; contact as spring and damper that lasts \
             5 steps of 1/60 s, 20 of 1/1000 s, damped so that it rebounds with the pair's restitution at that step; everything else \
             its default, no sleeping included"
        ),
        Err(reason) => format!("MuJoCo: not run, {reason}"),
    };
    vec![
        format!("{build}, one thread; time of stepping only, {clock}, the fastest of several runs where they are short"),
        "Carom: the scene's own settings; its curve with ten times the envelope and a tenth".to_owned(),
        format!(
            "peers at steps of {steps} s; scenes they cannot express are named; states kept at steps, positions between \
             them by parabolas"
        ),
        "Rapier 0.36 (f64): default solver, sleeping and CCD; friction and restitution of our pairs; speed cap off; \
         unit of length its default of 1 m, or \"scaled\" to the median size of the free bodies"
            .to_owned(),
        mujoco,
        "error: in the first proof of the scene that reads motions; `met` counts all expectations that do"
            .to_owned(),
        "profile: a second run with a stopwatch; memory: peak of a process of its own".to_owned(),
    ]
}

fn only_run(which: &[String]) -> anyhow::Result<()> {
    let scene = read(&which[0])?;
    if let Some(dt) = which.get(1) {
        let about = Description::of(&scene).map_err(anyhow::Error::msg)?;
        rapier::timed(&scene, &about, rapier::Stepping::by_default(dt.parse()?))
            .map_err(anyhow::Error::msg)?;
    } else {
        let (mut world, _) = ours::build(&scene).map_err(anyhow::Error::msg)?;
        ours::advance_alone(&mut world, &scene).map_err(anyhow::Error::msg)?;
    }
    println!("{}", memory::peak().context("the system does not tell")?);
    Ok(())
}
