//! Whole scenes: what is made of them, and what is said about mistakes.

use carom_scene::{DiskFiles, Loaded, Options, Scene, Source, load};

mod bodies;
mod contact;
mod controllers;
mod elements;
mod gauges;
mod includes;
mod joints;
mod limits;
mod meetings;
mod meshes;
mod mistakes_of_form;
mod mistakes_of_meaning;
mod parameters;
mod repeats;
mod schema;
mod starter;

fn load_text(text: &str) -> Loaded {
    load(&Source::text("scene.toml", text), &Options::default(), &DiskFiles)
}

/// The scene of a text without mistakes.
#[track_caller]
fn scene(text: &str) -> Scene {
    let loaded = load_text(text);
    loaded.scene.unwrap_or_else(|| panic!("{}", loaded.problems.render(false)))
}

/// A scene with one ball, to whose table `keys` are added.
#[track_caller]
fn ball(keys: &str) -> carom_scene::Body {
    let text = format!(
        "format = 1\n[[body]]\nname = \"ball\"\nshape = {{ kind = \"ball\", radius = 1 }}\n{keys}\n"
    );
    scene(&text).bodies.swap_remove(0)
}

/// Fails unless the messages contain every part.
#[track_caller]
fn complains(text: &str, parts: &[&str]) {
    let loaded = load_text(text);
    let rendered = loaded.problems.render(false);
    assert!(loaded.scene.is_none(), "accepted:\n{text}");
    for part in parts {
        assert!(rendered.contains(part), "`{part}` is missing in:\n{rendered}");
    }
}

#[track_caller]
fn check_rendered(text: &str, expected: &str) {
    let rendered = load_text(text).problems.render(false);
    assert!(rendered == expected, "rendered:\n{rendered}\nexpected:\n{expected}");
}
