//! The starter scene must teach, so it must be right.

use carom_scene::starter;

use crate::load_text;

#[test]
fn the_starter_scene_has_no_problems() {
    for name in ["drop", "a \"quoted\" \\ name", "two\nlines"] {
        let loaded = load_text(&starter(name));
        assert!(loaded.problems.is_empty(), "{}", loaded.problems.render(false));
        let scene = loaded.scene.unwrap();
        assert_eq!(scene.bodies.len(), 8);
    }
}

#[test]
fn scenes_and_problems_may_go_to_other_threads() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<carom_scene::Scene>();
    is_shared::<carom_scene::Problems>();
}
