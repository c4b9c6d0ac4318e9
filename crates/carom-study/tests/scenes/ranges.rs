//! Ranges of parameters: a scene's promises hold to the ends of what it allows.

use carom_scene::BUILT_IN;

use crate::common::{assert_met, built, options, report, scene_of};

/// Scenes whose runs take seconds each, or minutes at the ends of their ranges.
const TAKE_LONG: [&str; 8] = [
    "balls_in_dish",
    "bowling",
    "coins",
    "dominos",
    "elastic666",
    "feeder_chute",
    "part_sorter",
    "robot_drop",
];

#[test]
fn every_scene_keeps_its_promises_at_both_ends_of_the_range_of_each_parameter() {
    for built_in in BUILT_IN.iter().filter(|it| !TAKE_LONG.contains(&it.name)) {
        for parameter in built(built_in).parameters {
            for end in [parameter.min, parameter.max].into_iter().flatten() {
                let set = format!("{} = {end}", parameter.name);
                let overrides = [(parameter.name.as_str(), end.to_string())];
                let overrides = overrides.each_ref().map(|(name, end)| (*name, end.as_str()));
                let scene = scene_of(built_in.name, built_in.text, &overrides);
                let report = report(&scene, &options(1, 60.0), &|| Ok(None));
                assert_met(&report, &format!("{} with {set}", built_in.name));
            }
        }
    }
}
