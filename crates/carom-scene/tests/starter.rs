//! The starter scene must teach, so it must be right.

use carom_scene::{DiskFiles, Options, Source, load, starter};

#[test]
fn the_starter_scene_has_no_problems() {
    for name in ["drop", "a \"quoted\" \\ name", "two\nlines"] {
        let loaded =
            load(&Source::text("new.toml", starter(name)), &Options::default(), &DiskFiles);
        assert!(loaded.problems.is_empty(), "{}", loaded.problems.render(false));
        let scene = loaded.scene.unwrap();
        assert_eq!(scene.bodies.len(), 12);
    }
}
