//! Files that include files, and where they may lie.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use carom_scene::expression::Value;
use carom_scene::{DiskFiles, EmbeddedFile, EmbeddedFiles, Limit, Loaded, Options, Source, load};

/// Files in memory, the first of which is the scene.
fn load_files(files: &[(&str, &str)], options: &Options) -> Loaded {
    let embedded = files.iter().map(|(path, text)| EmbeddedFile {
        path: (*path).to_owned(),
        bytes: Arc::from(text.as_bytes()),
    });
    load(&Source::Path(PathBuf::from(files[0].0)), options, &EmbeddedFiles::new(embedded))
}

#[track_caller]
fn told(files: &[(&str, &str)], parts: &[&str]) {
    let loaded = load_files(files, &Options::default());
    let text = loaded.problems.render(false);
    assert!(loaded.scene.is_none(), "accepted");
    for part in parts {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
}

const BALL: &str = "format = 1\n[parameters]\nr = { value = 1, max = 3, unit = \"m\" }\n\
                    [[body]]\nname = \"ball\"\nshape = { kind = \"ball\", radius = \"r\" }\nmass = 1\n";

#[test]
fn an_included_file_gives_its_bodies_and_the_including_one_its_parameters() {
    let files = [
        ("top.toml", "format = 1\ninclude = [\"parts/ball.toml\"]\n[parameters]\nr = 2\n"),
        ("parts/ball.toml", BALL),
    ];
    let scene = load_files(&files, &Options::default()).scene.unwrap();
    assert_eq!(scene.bodies[0].name, "ball");
    assert_eq!(scene.parameter("r"), Some(&Value::Number(2.0)));
    assert_eq!(scene.parameters[0].unit, "m", "what the outer file leaves unsaid is inherited");
    let paths: Vec<&str> = scene.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["top.toml", "parts/ball.toml"]);
}

#[test]
fn a_scene_runs_again_from_the_files_it_carries() {
    let files =
        [("top.toml", "format = 1\ninclude = [\"parts/ball.toml\"]\n"), ("parts/ball.toml", BALL)];
    let scene = load_files(&files, &Options::default()).scene.unwrap();
    let source = Source::Path(PathBuf::from(&scene.files[0].path));
    let again = load(&source, &Options::default(), &EmbeddedFiles::new(scene.files.clone()));
    let again = again.scene.unwrap();
    assert_eq!(again.files, scene.files);
    assert_eq!(again.bodies.len(), scene.bodies.len());
}

#[test]
fn mistakes_point_into_the_included_file() {
    let bad = BALL.replace("mass", "maas");
    told(
        &[("top.toml", "format = 1\ninclude = [\"parts/ball.toml\"]\n"), ("parts/ball.toml", &bad)],
        &["parts/ball.toml:7:1", "did you mean `mass`?"],
    );
    told(
        &[("top.toml", &format!("include = [\"b.toml\"]\n{BALL}")), ("b.toml", BALL)],
        &["top.toml:", "b.toml:", "two bodies are called `ball`", "used first"],
    );
}

#[test]
fn circles_missing_files_and_twins_are_told() {
    let loops = "format = 1\ninclude = [\"b.toml\"]";
    told(
        &[("a.toml", loops), ("b.toml", "format = 1\ninclude = [\"a.toml\"]")],
        &["in a circle", "b.toml:2:"],
    );
    told(&[("a.toml", "format = 1\ninclude = [\"a.toml\"]")], &["in a circle"]);
    told(
        &[("a.toml", "format = 1\ninclude = [\"bal.toml\"]"), ("ball.toml", BALL)],
        &["no such file", "did you mean ball.toml?"],
    );
    let two = "format = 1\ninclude = [\"b.toml\", \"c.toml\"]";
    let parameter = |value: &str| format!("format = 1\n[parameters]\nx = {value}");
    told(
        &[("a.toml", two), ("b.toml", &parameter("1")), ("c.toml", &parameter("2"))],
        &["two included files define the parameter `x`", "that value wins"],
    );
}

#[test]
fn a_file_included_twice_counts_once() {
    let files = [
        ("a.toml", "format = 1\ninclude = [\"b.toml\", \"ball.toml\", \"./b.toml\"]"),
        ("b.toml", "format = 1\ninclude = [\"ball.toml\"]"),
        ("ball.toml", BALL),
    ];
    let loaded = load_files(&files, &Options::default());
    assert_eq!(
        loaded.scene.map(|scene| scene.bodies.len()),
        Some(1),
        "{}",
        loaded.problems.render(false)
    );
}

#[test]
fn chains_of_includes_end_at_the_limit() {
    let files: Vec<(String, String)> = (0..30)
        .map(|i| (format!("f{i}.toml"), format!("format = 1\ninclude = [\"f{}.toml\"]", i + 1)))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    told(&files, &["deeper than the limit of 16", "--limit include-depth=N", "f16.toml"]);
    let mut options = Options::default();
    options.limits.set(Limit::TextBytes, 100);
    let text = load_files(&files, &options).problems.render(false);
    assert!(text.contains("more bytes than the limit of 100"), "{text}");
}

#[test]
fn files_outside_the_folder_of_the_scene_are_not_read() {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("carom-scene-includes");
    fs::create_dir_all(root.join("scene")).unwrap();
    fs::create_dir_all(root.join("other")).unwrap();
    fs::write(root.join("other/ball.toml"), BALL).unwrap();
    let scene = root.join("scene/top.toml");
    fs::write(&scene, "format = 1\ninclude = [\"../other/ball.toml\"]\n").unwrap();
    let loaded = load(&Source::Path(scene.clone()), &Options::default(), &DiskFiles);
    let text = loaded.problems.render(false);
    assert!(text.contains("outside the folder") && text.contains("--allow-path"), "{text}");
    let options = Options { allow_paths: vec![root.join("other")], ..Options::default() };
    let loaded = load(&Source::Path(scene), &options, &DiskFiles);
    let scene = loaded.scene.unwrap_or_else(|| panic!("{}", loaded.problems));
    // Carried along, it is found where the scene says.
    let paths: Vec<&str> = scene.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["top.toml", "../other/ball.toml"]);
    let files = EmbeddedFiles::new(scene.files);
    let again = load(&Source::Path(PathBuf::from("top.toml")), &Options::default(), &files);
    assert!(again.scene.is_some(), "{}", again.problems);
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out_of_the_folder() {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("carom-scene-links");
    fs::create_dir_all(root.join("scene")).unwrap();
    fs::write(root.join("ball.toml"), BALL).unwrap();
    let link = root.join("scene/ball.toml");
    let _ = fs::remove_file(&link);
    std::os::unix::fs::symlink(root.join("ball.toml"), &link).unwrap();
    let scene = root.join("scene/top.toml");
    fs::write(&scene, "format = 1\ninclude = [\"ball.toml\"]\n").unwrap();
    let loaded = load(&Source::Path(scene), &Options::default(), &DiskFiles);
    let text = loaded.problems.render(false);
    assert!(text.contains("outside the folder"), "{text}");
}

#[test]
fn an_unreadable_scene_is_told_without_a_place() {
    let loaded =
        load(&Source::Path(PathBuf::from("nowhere/none.toml")), &Options::default(), &DiskFiles);
    let text = loaded.problems.render(false);
    assert!(text.contains("cannot read nowhere/none.toml: there is no such file"), "{text}");
    let files = EmbeddedFiles::new([EmbeddedFile {
        path: "a.toml".to_owned(),
        bytes: Arc::from(&b"\xff\xfe"[..]),
    }]);
    let loaded = load(&Source::Path(PathBuf::from("a.toml")), &Options::default(), &files);
    let text = loaded.problems.render(false);
    assert!(text.contains("not text in UTF-8"), "{text}");
}
