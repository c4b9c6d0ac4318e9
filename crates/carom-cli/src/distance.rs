//! `carom distance`: how far two bodies of a scene are from each other.

use anyhow::{anyhow, bail};
use carom_scene::{DiskFiles, Scene};
use carom_study::nearest::{NearestError, Proximity, nearest};
use serde_json::{Value, json};

use crate::Outcome;
use crate::args::DistanceOptions;
use crate::output::{answer, answer_json, colors, talk};
use crate::run::accepted;
use crate::scene::{find, is_recording, loading, read};
use crate::touches::vector;

pub(crate) fn run(options: &DistanceOptions) -> anyhow::Result<Outcome> {
    let limits = loading(&options.loading).limits;
    if is_recording(&options.scene) {
        let name = &options.scene;
        bail!("{name} is a recording, not a scene\nhint: `carom run {name}` runs it again");
    }
    let asked = find(&options.scene, limits.text_bytes)?;
    let loaded = read(&asked.source, &options.loading, options.contact.overrides(), &DiskFiles);
    let Some(scene) = accepted(loaded, false) else { return Ok(Outcome::CheckFailed) };
    let bodies = [body(&scene, &options.a)?, body(&scene, &options.b)?];
    if bodies[0] == bodies[1] {
        bail!("\"{}\" has no distance from itself\nhint: name two bodies", options.a);
    }
    let found = match nearest(&scene, bodies, options.at) {
        Ok(found) => found,
        Err(NearestError::Build(problems)) => {
            talk(problems.render(colors()).trim_end());
            return Ok(Outcome::CheckFailed);
        }
        Err(error) => return Err(anyhow!(error)),
    };
    if options.json {
        answer_json(&as_json(&asked.name, &found, options.explain))?;
    } else {
        answer(&as_text(&found, options.explain))?;
    }
    Ok(Outcome::Done)
}

/// The place of a body in the scene.
fn body(scene: &Scene, name: &str) -> anyhow::Result<usize> {
    scene.body_index(name).ok_or_else(|| {
        let names = || scene.bodies.iter().map(|body| body.name.as_str());
        let hint = match carom_scene::nearest(name, names()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None if scene.bodies.is_empty() => "the scene has no bodies".to_owned(),
            None => format!("the first body of the scene is \"{}\"", scene.bodies[0].name),
        };
        anyhow!("there is no body \"{name}\" in the scene\nhint: {hint}")
    })
}

fn as_json(scene: &str, found: &Proximity, explain: bool) -> Value {
    let nearest = &found.nearest;
    json!({
        "scene": scene,
        "time_s": found.time,
        "a": found.names[0],
        "b": found.names[1],
        "distance_m": nearest.distance,
        "points_m": nearest.points.map(|point| point.to_array()),
        "normal": nearest.normal.to_array(),
        "features": nearest.features.map(|feature| feature.to_string()),
        "feature_names": found.feature_names,
        "pieces": nearest.pieces,
        "explanation": explain.then(|| found.explanation.to_string()),
    })
}

fn as_text(found: &Proximity, explain: bool) -> String {
    let [a, b] = &found.names;
    let nearest = &found.nearest;
    let mut text = format!("\"{a}\" and \"{b}\" at {} s\n", found.time);
    if nearest.distance < 0.0 {
        text += &format!("  overlap    {} m deep\n", exact(-nearest.distance));
    } else {
        text += &format!("  distance   {} m\n", exact(nearest.distance));
    }
    text += &format!("  points     {} m on \"{a}\"\n", vector(nearest.points[0]));
    text += &format!("             {} m on \"{b}\"\n", vector(nearest.points[1]));
    text += &format!("  normal     {}, from \"{b}\" to \"{a}\"\n", vector(nearest.normal));
    let [feature_a, feature_b] = &found.feature_names;
    text += &format!("  features   {feature_a} of \"{a}\" against {feature_b} of \"{b}\"\n");
    let [piece_a, piece_b] = nearest.pieces;
    if piece_a > 0 || piece_b > 0 {
        text += &format!("  pieces     {piece_a} of \"{a}\", {piece_b} of \"{b}\"\n");
    }
    if explain {
        text += &format!("{}\n", found.explanation);
    }
    text
}

/// A number with all its digits.
fn exact(number: f64) -> String {
    match number.abs() {
        0.0 => "0".to_owned(),
        size if (1e-4..1e9).contains(&size) => format!("{number}"),
        _ => format!("{number:e}"),
    }
}
