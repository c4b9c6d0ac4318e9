//! The pictures of the gallery: when each scene is shown and from where.
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
}

const fn shot(scene: &'static str, words: &'static [&'static str]) -> Shot {
    Shot { scene, words }
}

/// All of them, in the order of the scenes.
pub(crate) const SHOTS: &[Shot] = &[
    shot("ball_chain", &["--at", "0.8", "--size", "560x350"]),
    shot("ball_on_sphere", &["--at", "1.75", "--trails", "--size", "480x300"]),
    shot("balls_in_dish", &["--size", "560x350"]),
    shot("billiards", &["--at", "0.4", "--trails", "--size", "560x350"]),
    shot("block_drop", &["--contacts", "--size", "480x300"]),
    shot("block_on_ramp", &["--at", "2", "--trails", "--size", "560x350"]),
    shot("bounce49", &["--at", "0.3", "--size", "480x300"]),
    shot("bouncing_ball", &["--at", "0,0.45,0.68,1.9", "--size", "280x210"]),
    shot("bowling", &["--at", "3.1", "--size", "560x350"]),
    shot("coins", &["--at", "0.5", "--size", "640x480"]),
    shot("cradle", &["--at", "0.33", "--size", "560x350"]),
    shot("cylinder_rim", &["--at", "0.2", "--size", "560x350"]),
    shot("dominos", &["--at", "0.28", "--size", "560x350"]),
    shot("dominos_slippery", &["--at", "0.5", "--size", "480x300"]),
    shot(
        "elastic666",
        &[
            "--at",
            "1.5",
            "--camera",
            "eye=5,-5.4,3.1,target=0.6,0.6,0.7,fov=30",
            "--size",
            "440x275",
        ],
    ),
    shot("eulers_disk", &["--at", "0.55", "--size", "560x350"]),
    shot("exploding_text", &["--at", "0.12", "--size", "560x350"]),
    shot("falling_rod", &["--at", "0,0.4,0.5,0.6", "--size", "280x210"]),
    shot("feeder_chute", &["--at", "0.24", "--size", "480x300"]),
    shot("near_misses", &["--at", "0.0063", "--trails", "--size", "480x300"]),
    shot("part_sorter", &["--at", "1.5", "--size", "560x350"]),
    shot(
        "pool_break",
        &[
            "--at",
            "0.75",
            "--trails",
            "--camera",
            "eye=0.9,-2.1,1.8,target=-0.25,0.1,0,fov=32",
            "--size",
            "440x275",
        ],
    ),
    shot("projectiles", &["--at", "2.883", "--trails", "--size", "560x350"]),
    shot("rattleback", &["--at", "3.3", "--size", "480x300"]),
    shot("robot_drop", &["--at", "0", "--size", "560x350"]),
    shot("rocking_ellipse", &["--at", "0.15", "--contacts", "--size", "480x300"]),
    shot("scripted", &["--at", "3", "--trails", "--size", "560x350"]),
    shot("see_saw", &["--at", "1.3", "--size", "560x350"]),
    shot("settling_coin", &["--at", "0.1", "--size", "560x350"]),
    shot("slide_to_roll", &["--at", "0.6", "--trails", "--size", "480x300"]),
    shot("sliding_block", &["--at", "2", "--trails", "--size", "560x350"]),
    shot("spinning_platter", &["--at", "12", "--trails", "--size", "560x350"]),
    shot("stack_frictionless", &["--at", "1", "--contacts", "--size", "480x300"]),
    shot("table", &["--at", "1", "--contacts", "--size", "480x300"]),
    shot("table_legs", &["--at", "1", "--contacts", "--size", "480x300"]),
    shot("triple_pendulum", &["--at", "1.2", "--size", "560x350"]),
    shot("tumbling", &["--at", "40", "--size", "560x350"]),
    shot("turntable", &["--at", "5", "--trails", "--size", "560x350"]),
    shot("two_balls", &["--at", "1.2", "--trails", "--size", "560x350"]),
    shot("wedge", &["--at", "0.4", "--trails", "--size", "480x300"]),
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
