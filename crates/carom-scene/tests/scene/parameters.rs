//! Parameters and overrides.

use carom_scene::expression::Value;
use carom_scene::{DiskFiles, Loaded, Options, Source, load};

use crate::{complains, scene};

const SCENE: &str = r#"
format = 1
[parameters]
area = "width * height"
height = "2 * width"
width = { value = 3, min = 1, max = 10, unit = "m", about = "across" }
surface = "ice"
steep = true
sentence = "'two words'"
[world]
until = "if steep && surface == 'ice' { area } else { 1 }"
[[expect]]
what = "a sentence counts as used"
measure = "count(sentence)"
at_least = 0
"#;

fn with(overrides: &[(&str, &str)]) -> Loaded {
    let overrides =
        overrides.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let options = Options { overrides, ..Options::default() };
    load(&Source::text("scene.toml", SCENE), &options, &DiskFiles)
}

#[test]
fn parameters_refer_to_each_other_in_any_order() {
    let scene = scene(SCENE);
    assert_eq!(scene.until, 18.0);
    assert_eq!(scene.parameter("area"), Some(&Value::Number(18.0)));
    assert_eq!(scene.parameter("surface"), Some(&Value::Text("ice".into())));
    assert_eq!(scene.parameter("sentence"), Some(&Value::Text("two words".into())));
    let width = scene.parameters.iter().find(|p| p.name == "width").unwrap();
    assert_eq!(
        (width.min, width.max, width.unit.as_str(), width.about.as_str()),
        (Some(1.0), Some(10.0), "m", "across")
    );
    let names: Vec<&str> = scene.parameters.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(
        names,
        ["area", "height", "width", "surface", "steep", "sentence"],
        "in the order of the file"
    );
}

#[test]
fn overrides_replace_values_and_what_follows_from_them() {
    let until = |overrides: &[(&str, &str)]| with(overrides).scene.unwrap().until;
    assert_eq!(until(&[("width", "5")]), 50.0);
    assert_eq!(until(&[("width", "5"), ("width", "1 + 1")]), 8.0);
    assert_eq!(until(&[("surface", "sand")]), 1.0);
    assert_eq!(until(&[("steep", "false")]), 1.0);
    assert_eq!(until(&[("height", "width")]), 9.0);
}

#[test]
fn mistaken_overrides_are_shown_like_mistakes_in_the_file() {
    let told = |overrides: &[(&str, &str)], parts: &[&str]| {
        let loaded = with(overrides);
        assert!(loaded.scene.is_none());
        let text = loaded.problems.render(false);
        for part in parts {
            assert!(text.contains(part), "`{part}` is missing in:\n{text}");
        }
    };
    told(&[("widht", "5")], &["no parameter `widht`", "did you mean `width`?"]);
    told(&[("width", "50")], &["must be at most 10", "width=50"]);
    told(&[("width", "5 +")], &["--set width=5 +:1:", "stops here"]);
    told(&[("width", "height")], &["circle", "height"]);
}

#[test]
fn names_with_a_meaning_cannot_be_taken() {
    complains("format = 1\n[parameters]\ni = 3", &["cannot be called `i`", "copies"]);
    complains("format = 1\n[parameters]\npi = 3", &["constant"]);
    complains("format = 1\n[parameters]\nsin = 3", &["function"]);
    complains("format = 1\n[parameters]\n\"my height\" = 3", &["letters a to z, digits"]);
}

#[test]
fn a_difference_of_parameters_is_no_text() {
    let text = "format = 1\n[parameters]\na = 5\nb = 3\nc = \"a-b\"\n[world]\nuntil = \"c\"";
    assert_eq!(scene(text).until, 2.0);
}

#[test]
fn a_text_is_no_number() {
    let text = "format = 1\n[parameters]\nx = \"steel\"\n[world]\nuntil = \"x\"";
    complains(text, &["a number is needed, but the expression gives a text \"steel\""]);
}

#[test]
fn the_seed_may_be_set_from_outside() {
    let options = Options { seed: Some(u64::MAX), ..Options::default() };
    let source = Source::text("scene.toml", "format = 1\n[world]\nseed = 4");
    assert_eq!(load(&source, &options, &DiskFiles).scene.unwrap().seed, u64::MAX);
    assert_eq!(scene("format = 1\n[world]\nseed = 4").seed, 4);
    complains("format = 1\n[world]\nseed = 1.5", &["whole number"]);
}
