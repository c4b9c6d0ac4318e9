//! The pictures of the gallery: when each scene is shown and from where, and which of its numbers stand below.
//!
//! A picture is taken from where the scene's own `[camera]` is, if it has one. Times are those at which one sees what the scene is
//! about; several make a contact sheet.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::SOURCE;
use crate::process::{self, Project};

/// No picture of the gallery may have more bytes: all of them are in every clone.
const LARGEST: u64 = 120 * 1024;

/// One picture.
#[derive(Debug)]
pub(crate) struct Shot {
    pub(crate) scene: &'static str,
    /// Further words of `carom render`.
    pub(crate) words: &'static [&'static str],
    /// Which expectations of the scene the gallery shows, counted from 0.
    pub(crate) proofs: &'static [usize],
}

const fn shot(
    scene: &'static str,
    words: &'static [&'static str],
    proofs: &'static [usize],
) -> Shot {
    Shot { scene, words, proofs }
}

/// All of them, in the order of the scenes.
pub(crate) const SHOTS: &[Shot] = &[
    shot("ball_chain", &["--at", "0.9"], &[1, 3]),
    shot("balls_in_dish", &[], &[0, 1, 5]),
    shot("billiards", &[], &[1, 2, 3]),
    shot("block_drop", &[], &[1, 5, 6]),
    shot("block_on_ramp", &[], &[0, 1, 5]),
    shot("bounce49", &[], &[1, 3]),
    shot("bouncing_ball", &[], &[6, 8]),
    shot("bowling", &[], &[3, 4]),
    shot("coins", &[], &[11, 12, 2]),
    shot("cradle", &[], &[0, 6]),
    shot("dominos", &[], &[3, 4, 9]),
    shot("dominos_slippery", &[], &[5, 6]),
    shot("elastic666", &[], &[1, 2]),
    shot("eulers_disk", &[], &[1, 0]),
    shot("exploding_text", &[], &[2, 4]),
    shot("feeder_chute", &[], &[0, 13]),
    shot("near_misses", &[], &[0, 4, 5]),
    shot("pool_break", &[], &[8, 9, 10]),
    shot("projectiles", &[], &[0, 3]),
    shot("rattleback", &[], &[4, 5, 6]),
    shot("scripted", &[], &[10, 11, 7]),
    shot("settling_coin", &[], &[0, 1, 2]),
    shot("slide_to_roll", &[], &[0, 1, 2]),
    shot("sliding_block", &[], &[0, 2]),
    shot("spinning_platter", &[], &[0, 1]),
    shot("table_legs", &[], &[1, 2, 3, 4]),
    shot("tumbling", &[], &[0, 1, 2]),
    shot("turntable", &[], &[0, 1]),
    shot("two_balls", &[], &[0, 2, 3]),
];

impl Shot {
    /// The command that makes the picture, as a reader types it.
    pub(crate) fn command(&self) -> String {
        let words: Vec<&str> =
            ["carom", "render", self.scene].into_iter().chain(self.words.iter().copied()).collect();
        words.join(" ")
    }
}

/// Takes the pictures of the named scenes, or of all.
pub(crate) fn take(project: &Project, carom: &Path, only: &[String]) -> Result<Vec<String>> {
    let folder = project.root.join(SOURCE).join("pictures");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut lines = Vec::new();
    for shot in
        SHOTS.iter().filter(|shot| only.is_empty() || only.iter().any(|it| it == shot.scene))
    {
        let file = folder.join(shot.scene).with_extension("png");
        let mut command = project.command(carom);
        command.args(["render", shot.scene]).args(shot.words).arg("-o").arg(&file);
        process::ask_for_text(command)?;
        let bytes = fs::metadata(&file)?.len();
        if bytes > LARGEST {
            bail!("the picture of {} has {bytes} bytes; the limit is {LARGEST}", shot.scene);
        }
        lines.push(format!("pictures/{}.png: {} KiB", shot.scene, bytes.div_ceil(1024)));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_has_one_picture() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut scenes: Vec<String> = fs::read_dir(root.join("scenes"))
            .unwrap()
            .filter_map(|entry| {
                let name = entry.unwrap().file_name().to_string_lossy().into_owned();
                name.strip_suffix(".toml").map(str::to_owned)
            })
            .collect();
        scenes.sort();
        let shown: Vec<&str> = SHOTS.iter().map(|shot| shot.scene).collect();
        assert_eq!(shown, scenes);
    }
}
