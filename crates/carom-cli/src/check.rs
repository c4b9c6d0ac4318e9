//! `carom check`: everything that is wrong with a scene.

use anyhow::bail;
use carom_scene::{ContactOverrides, DiskFiles, Problems};
use serde_json::json;

use crate::Outcome;
use crate::args::CheckOptions;
use crate::output::{answer, answer_json, colors, talk};
use crate::scene::{find, is_recording, loading, read};

pub(crate) fn run(options: &CheckOptions) -> anyhow::Result<Outcome> {
    let limits = loading(&options.loading).limits;
    if is_recording(&options.scene) {
        let name = &options.scene;
        bail!("{name} is a recording, not a scene\nhint: `carom run {name}` runs it again");
    }
    let asked = find(&options.scene, limits.text_bytes)?;
    let loaded = read(&asked.source, &options.loading, ContactOverrides::default(), &DiskFiles);
    let bodies = loaded.scene.as_ref().map_or(0, |scene| scene.bodies.len());
    // The engine may refuse what the text alone does not show.
    let refused = loaded.scene.as_ref().and_then(|scene| scene.build(1).err());
    let judged: Vec<&Problems> =
        [Some(&loaded.problems), refused.as_ref()].into_iter().flatten().collect();
    let sound = !judged.iter().any(|problems| problems.has_errors());
    if options.json {
        let reports: Vec<_> = judged.iter().flat_map(|problems| problems.reports()).collect();
        answer_json(
            &json!({ "scene": asked.name, "ok": sound, "bodies": bodies, "problems": reports }),
        )?;
    } else {
        for problems in judged.iter().filter(|problems| !problems.is_empty()) {
            talk(problems.render(colors()).trim_end());
        }
        if sound {
            answer(&format!("{}: {}", asked.name, count(bodies, loaded.scene.as_ref())))?;
        }
    }
    Ok(if sound { Outcome::Done } else { Outcome::CheckFailed })
}

fn count(bodies: usize, scene: Option<&carom_scene::Scene>) -> String {
    let expectations = scene.map_or(0, |scene| scene.expectations.len());
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    let mut text = format!("fine, {bodies} bod{}", if bodies == 1 { "y" } else { "ies" });
    text += &format!(", {expectations} expectation{}", plural(expectations));
    if expectations == 0 {
        text += "\nhint: add [[expect]] tables, so that every run proves itself";
    }
    text
}
