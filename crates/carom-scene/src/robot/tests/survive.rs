//! No input makes reading panic.

use proptest::prelude::*;

use super::*;
use crate::robot::SceneOptions;

const WALKER: &str = r#"<mujoco model="w"><compiler eulerseq="XYZ" settotalmass="3" balanceinertia="true"/>
  <default><geom type="capsule" size="0.05"/><default class="k"><joint range="-10 10" damping="1"/></default></default>
  <asset><material name="m" rgba="1 0 0 1"/></asset>
  <worldbody><geom type="plane" size="1 1 1"/>
    <body name="t" pos="0 0 1" euler="1 2 3"><freejoint name="r"/><geom fromto="0 0 0 0 0 0.3" material="m"/>
      <frame pos="0 0 0.1"><body name="l" childclass="k"><joint name="a" axis="1 0 0"/><joint name="b" axis="0 1 0"/>
        <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom fromto="0 0 0 0 0 -0.3"/></body></frame></body>
  </worldbody>
  <actuator><position joint="a" kp="3" ctrlrange="-1 1"/></actuator>
  <contact><exclude body1="t" body2="l"/></contact>
  <keyframe><key name="k" qpos="0 0 1 1 0 0 0 0.1 0.2"/></keyframe></mujoco>"#;

/// Reads as both formats, renders what is said, and writes what came of it.
fn read_all(text: &str) {
    for imported in [urdf(text), mjcf(text)] {
        assert!(imported.robot.is_some() || imported.problems.has_errors());
        let _ = imported.problems.render(false);
        if let Some(robot) = imported.robot {
            let _ = robot.to_scene(&SceneOptions::default()).unwrap();
        }
    }
}

#[test]
fn texts_cut_off_anywhere_are_refused_in_peace() {
    for text in [ARM, WALKER] {
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            read_all(&text[..end]);
        }
    }
}

#[test]
fn elements_and_attributes_may_be_missing() {
    for text in [ARM, WALKER] {
        read_all(text);
        // Each attribute is taken out, emptied, and given another value.
        let starts: Vec<usize> = text.match_indices("=\"").map(|(at, _)| at).collect();
        for start in starts {
            let end = start + 2 + text[start + 2..].find('"').unwrap();
            let name = text[..start].rfind([' ', '\n']).unwrap();
            for other in
                ["", "0", "-1", "nan", "1e999", "1 2", "x", "true", "0 0 0", "1e308 1e308 1e308"]
            {
                read_all(&format!("{}{other}{}", &text[..start + 2], &text[end..]));
            }
            read_all(&format!("{}{}", &text[..name], &text[end + 1..]));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn mutated_bytes_never_panic(
        which in any::<bool>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
        n_cut in 0..40_usize,
    ) {
        let mut bytes = if which { ARM } else { WALKER }.as_bytes().to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let start = cut.index(bytes.len());
        bytes.drain(start..(start + n_cut).min(bytes.len()));
        read_all(&String::from_utf8_lossy(&bytes));
    }
}
