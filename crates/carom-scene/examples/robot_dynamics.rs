//! Mass matrices and accelerations of robots, as the engine has them, for comparison with other programs.
//!
//! Reads one JSON object from each line of standard input:
//!
//! ```text
//! {"file": "arm.urdf", "base": "fixed" or "free", "start": {"elbow": [0.3]}, "rates": {"elbow": 1.0}, "search": ["folder"]}
//! ```
//!
//! and answers with one on standard output: names of all freedoms, those of a body that floats as "name floats, 0" to 5; the mass
//! matrix row by row, with the inertia of drives; accelerations under gravity, springs and dampers; where bodies that float
//! have their centres of mass, and their axes, as position and quaternion x y z w; or an error. The robot goes the way of every
//! other: imported, written as a scene, read again, and built as a world. Friction and stops are left out, and links do not collide.
//! `oracles/tools/robots.py` asks.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::PathBuf;

use carom::World;
use carom_dynamics::tree::{Load, Scratch};
use carom_scene::robot::{Base, ReadOptions, SceneOptions, read_mjcf, read_urdf};
use carom_scene::{DiskFiles, Options, Source, load};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Request {
    file: PathBuf,
    #[serde(default)]
    base: String,
    #[serde(default)]
    start: BTreeMap<String, Vec<f64>>,
    #[serde(default)]
    rates: BTreeMap<String, f64>,
    #[serde(default)]
    search: Vec<PathBuf>,
}

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let answer = serde_json::from_str(&line?)
            .map_err(|error| error.to_string())
            .and_then(|request| answer(&request))
            .unwrap_or_else(|error| json!({ "error": error }));
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

fn answer(request: &Request) -> Result<Value, String> {
    let source = Source::Path(request.file.clone());
    let reading = ReadOptions { search: request.search.clone(), ..ReadOptions::default() };
    let is_mjcf = request.file.extension().is_some_and(|ending| ending == "xml");
    let read = if is_mjcf { read_mjcf } else { read_urdf };
    let imported = read(&source, &reading, &DiskFiles);
    let faults: Vec<String> = imported.faults.iter().map(|fault| fault.kind.to_string()).collect();
    let Some(robot) = imported.robot else { return Err(faults.join("; ")) };
    let options = SceneOptions {
        base: if request.base == "free" { Base::Free } else { Base::Fixed },
        start: request.start.clone(),
        rates: request.rates.clone(),
        combine_joints: false,
        heed_stops: false,
        ..SceneOptions::default()
    };
    let text = robot.to_scene(&options).map_err(|error| error.to_string())?;
    let mut allow_paths = request.search.clone();
    allow_paths.extend(request.file.parent().map(PathBuf::from));
    let allowed = Options { allow_paths, ..Options::default() };
    let loaded = load(&Source::text("scene", text), &allowed, &DiskFiles);
    let mut scene = loaded.scene.ok_or_else(|| loaded.problems.to_string())?;
    for body in &mut scene.bodies {
        body.ghost = true;
    }
    for freedom in scene.joints.iter_mut().flat_map(|joint| &mut joint.freedoms) {
        (freedom.friction, freedom.limits, freedom.restitution) = (0.0, None, 0.0);
    }
    let world = scene.build(1).map_err(|problems| problems.to_string())?;
    told(&world, &faults)
}

fn told(world: &World, faults: &[String]) -> Result<Value, String> {
    let mut seen = Vec::new();
    let (mut names, mut accelerations) = (Vec::new(), Vec::new());
    let (mut blocks, mut floating) = (Vec::new(), serde_json::Map::new());
    for body in world.bodies() {
        if seen.contains(&body.id()) {
            continue;
        }
        let Some(found) = world.linkage(body.id()) else { continue };
        let (q, v) = found.state();
        let (linkage, tree) = (found.linkage(), found.linkage().tree());
        let n = tree.n_v();
        let (mut tau, mut armature) = (vec![0.0; n], vec![0.0; n]);
        for (link, (body, joint)) in found.links().enumerate() {
            seen.push(body);
            let of_body = world.body(body).ok_or("a link without a body")?;
            let name = if let Some(joint) = joint.and_then(|joint| world.joint(joint)) {
                joint.name().to_owned()
            } else {
                let state = of_body.state().ok_or("a link that is nowhere")?;
                let pose = [&state.position.to_array()[..], &state.orientation.to_array()];
                floating.insert(of_body.name().to_owned(), json!(pose.concat()));
                format!("{} floats", of_body.name())
            };
            let freedoms = tree.v_range(link);
            let single = freedoms.len() == 1;
            for (i, freedom) in freedoms.enumerate() {
                let force = linkage.joint_forces()[freedom];
                let away = if single { q[tree.q_range(link).start] - force.rest } else { 0.0 };
                tau[freedom] = -force.stiffness * away - force.damping * v[freedom];
                armature[freedom] = force.armature;
                names.push(if single { name.clone() } else { format!("{name}, {i}") });
            }
        }
        let mut scratch = Scratch::new(tree);
        tree.place(&q, &v, &mut scratch);
        let mut h = vec![0.0; n * n];
        tree.mass_matrix(&mut scratch, &mut h);
        for (i, own) in armature.iter().enumerate() {
            h[i * n + i] += own;
        }
        let load =
            Load { gravity: world.gravity(), tau: &tau, wrenches: &[], added_diagonal: &armature };
        let mut v_dot = vec![0.0; n];
        tree.forward(&load, &mut scratch, &mut v_dot).map_err(|fault| fault.to_string())?;
        accelerations.extend(v_dot);
        blocks.push((n, h));
    }
    let n = names.len();
    let (mut matrix, mut at) = (vec![vec![0.0; n]; n], 0);
    for (size, block) in blocks {
        for (i, row) in block.chunks(size).enumerate() {
            matrix[at + i][at..at + size].copy_from_slice(row);
        }
        at += size;
    }
    Ok(json!({
        "freedoms": names,
        "mass_matrix": matrix,
        "accelerations": accelerations,
        "floating": floating,
        "gravity": world.gravity().to_array(),
        "faults": faults,
    }))
}
