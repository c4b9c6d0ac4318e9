//! The starter scene must teach, so it must be right.

use carom_scene::starter;

use crate::load_text;

#[test]
fn the_starter_scene_has_no_problems() {
    for name in ["drop", "a \"quoted\" \\ name", "two\nlines"] {
        let loaded = load_text(&starter(name));
        assert!(loaded.problems.is_empty(), "{}", loaded.problems.render(false));
        let scene = loaded.scene.unwrap();
        assert_eq!(scene.bodies.len(), 12);
    }
}
