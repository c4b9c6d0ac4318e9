//! Scenes that come with the program.

/// A scene that can be asked for by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// All of them, by name.
pub const BUILT_IN: [BuiltIn; 40] = [
    BuiltIn { name: "ball_chain", text: include_str!("../../../scenes/ball_chain.toml") },
    BuiltIn { name: "ball_on_sphere", text: include_str!("../../../scenes/ball_on_sphere.toml") },
    BuiltIn { name: "balls_in_dish", text: include_str!("../../../scenes/balls_in_dish.toml") },
    BuiltIn { name: "billiards", text: include_str!("../../../scenes/billiards.toml") },
    BuiltIn { name: "block_drop", text: include_str!("../../../scenes/block_drop.toml") },
    BuiltIn { name: "block_on_ramp", text: include_str!("../../../scenes/block_on_ramp.toml") },
    BuiltIn { name: "bounce49", text: include_str!("../../../scenes/bounce49.toml") },
    BuiltIn { name: "bouncing_ball", text: include_str!("../../../scenes/bouncing_ball.toml") },
    BuiltIn { name: "bowling", text: include_str!("../../../scenes/bowling.toml") },
    BuiltIn { name: "coins", text: include_str!("../../../scenes/coins.toml") },
    BuiltIn { name: "cradle", text: include_str!("../../../scenes/cradle.toml") },
    BuiltIn { name: "cylinder_rim", text: include_str!("../../../scenes/cylinder_rim.toml") },
    BuiltIn { name: "dominos", text: include_str!("../../../scenes/dominos.toml") },
    BuiltIn {
        name: "dominos_slippery",
        text: include_str!("../../../scenes/dominos_slippery.toml"),
    },
    BuiltIn { name: "elastic666", text: include_str!("../../../scenes/elastic666.toml") },
    BuiltIn { name: "eulers_disk", text: include_str!("../../../scenes/eulers_disk.toml") },
    BuiltIn { name: "exploding_text", text: include_str!("../../../scenes/exploding_text.toml") },
    BuiltIn { name: "falling_rod", text: include_str!("../../../scenes/falling_rod.toml") },
    BuiltIn { name: "feeder_chute", text: include_str!("../../../scenes/feeder_chute.toml") },
    BuiltIn { name: "near_misses", text: include_str!("../../../scenes/near_misses.toml") },
    BuiltIn { name: "part_sorter", text: include_str!("../../../scenes/part_sorter.toml") },
    BuiltIn { name: "pool_break", text: include_str!("../../../scenes/pool_break.toml") },
    BuiltIn { name: "projectiles", text: include_str!("../../../scenes/projectiles.toml") },
    BuiltIn { name: "rattleback", text: include_str!("../../../scenes/rattleback.toml") },
    BuiltIn { name: "robot_drop", text: include_str!("../../../scenes/robot_drop.toml") },
    BuiltIn { name: "rocking_ellipse", text: include_str!("../../../scenes/rocking_ellipse.toml") },
    BuiltIn { name: "scripted", text: include_str!("../../../scenes/scripted.toml") },
    BuiltIn { name: "see_saw", text: include_str!("../../../scenes/see_saw.toml") },
    BuiltIn { name: "settling_coin", text: include_str!("../../../scenes/settling_coin.toml") },
    BuiltIn { name: "slide_to_roll", text: include_str!("../../../scenes/slide_to_roll.toml") },
    BuiltIn { name: "sliding_block", text: include_str!("../../../scenes/sliding_block.toml") },
    BuiltIn {
        name: "spinning_platter",
        text: include_str!("../../../scenes/spinning_platter.toml"),
    },
    BuiltIn {
        name: "stack_frictionless",
        text: include_str!("../../../scenes/stack_frictionless.toml"),
    },
    BuiltIn { name: "table", text: include_str!("../../../scenes/table.toml") },
    BuiltIn { name: "table_legs", text: include_str!("../../../scenes/table_legs.toml") },
    BuiltIn { name: "triple_pendulum", text: include_str!("../../../scenes/triple_pendulum.toml") },
    BuiltIn { name: "tumbling", text: include_str!("../../../scenes/tumbling.toml") },
    BuiltIn { name: "turntable", text: include_str!("../../../scenes/turntable.toml") },
    BuiltIn { name: "two_balls", text: include_str!("../../../scenes/two_balls.toml") },
    BuiltIn { name: "wedge", text: include_str!("../../../scenes/wedge.toml") },
];

/// Hashes of the last states of all of them, run as they are; committed, so that another machine can compare.
const HASHES: &str = include_str!("../../../scenes/hashes.json");

impl BuiltIn {
    /// The hash of its last state, run as it is, wherever the same numbers come out.
    pub fn hash(&self) -> Option<String> {
        let hashes: serde_json::Value = serde_json::from_str(HASHES).ok()?;
        hashes[self.name].as_str().map(str::to_owned)
    }
}

/// The scene of this name.
pub fn built_in(name: &str) -> Option<&'static BuiltIn> {
    BUILT_IN.iter().find(|scene| scene.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_scenes_folder_is_built_in_under_its_name() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
            .filter_map(|name| name.strip_suffix(".toml").map(str::to_owned))
            .collect();
        files.sort_unstable();
        let names: Vec<&str> = BUILT_IN.iter().map(|scene| scene.name).collect();
        assert_eq!(files, names);
    }

    #[test]
    fn every_built_in_scene_has_a_hash_and_no_other_has() {
        let hashes: std::collections::BTreeMap<String, String> =
            serde_json::from_str(HASHES).unwrap();
        let names: Vec<&str> = BUILT_IN.iter().map(|scene| scene.name).collect();
        assert_eq!(hashes.keys().map(String::as_str).collect::<Vec<_>>(), names);
    }

    #[test]
    fn every_built_in_scene_says_what_to_see_and_proves_itself() {
        for scene in BUILT_IN {
            assert!(scene.text.starts_with("# What you should see: "), "{}", scene.name);
            let source = crate::Source::text(scene.name, scene.text);
            let loaded = crate::load(&source, &crate::Options::default(), &crate::DiskFiles);
            assert!(loaded.problems.is_empty(), "{}", loaded.problems.render(false));
            let scene = loaded.scene.unwrap();
            assert!(!scene.expectations.is_empty(), "{}", scene.title);
            assert!(scene.build(1).is_ok(), "{}", scene.title);
        }
    }
}
