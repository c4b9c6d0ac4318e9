//! Every limit ends with a message that names it.

use carom_scene::{DiskFiles, Limit, Options, Source, load};

#[track_caller]
fn stops(limit: Limit, value: u64, text: &str) {
    let mut options = Options::default();
    assert!(
        load(&Source::text("s.toml", text), &options, &DiskFiles).scene.is_some(),
        "must be fine without the limit {limit}"
    );
    options.limits.set(limit, value);
    let loaded = load(&Source::text("s.toml", text), &options, &DiskFiles);
    let rendered = loaded.problems.render(false);
    assert!(loaded.scene.is_none() && loaded.problems.iter().count() < 4, "{rendered}");
    assert!(rendered.contains("limit"), "{rendered}");
}

const BALLS: &str = "format = 1\n[[body]]\nname = \"a\"\nshape = { kind = \"ball\", radius = \"1+i\" }\nmass = 1\n\
                     repeat = { kind = \"row\", count = 100, step = [9, 0, 0] }\n";

#[test]
fn every_limit_is_enforced_and_named() {
    stops(Limit::Bodies, 50, BALLS);
    stops(Limit::Operations, 50, BALLS);
    stops(Limit::TextBytes, 50, BALLS);
    stops(Limit::ExpressionBytes, 2, BALLS);
    let written: Vec<String> = (0..9)
        .map(|i| {
            format!(
                "[[body]]\nname = \"b{i}\"\nshape = {{ kind = \"ball\", radius = 1 }}\nmass = 1\n"
            )
        })
        .collect();
    stops(Limit::Bodies, 5, &format!("format = 1\n{}", written.concat()));
    let impulses = "[[impulse]]\nat = 1\nbody = \"a_0\"\nimpulse = [1, 0, 0]\n\
                    repeat = { kind = \"row\", count = 100, step = [0, 0, 0] }\n";
    stops(Limit::Events, 50, &format!("{BALLS}{impulses}"));
    let exclude = "[[exclude]]\nbodies = [\"a_*\"]\n";
    stops(Limit::Exclusions, 4949, &format!("{BALLS}{exclude}"));
    let exclude = "[[exclude]]\nbodies = [\"a_*\", \"a_?\"]\n";
    stops(Limit::Exclusions, 999, &format!("{BALLS}{exclude}"));
    stops(
        Limit::Events,
        1,
        &format!("{BALLS}{}", "[[change]]\nat = 1\ngravity = [0, 0, 0]\n".repeat(9)),
    );
}

#[test]
fn many_problems_are_cut_and_counted() {
    let text = format!("format = 1\n{}", "[[body]]\nmas = 1\n".repeat(1000));
    let loaded = load(&Source::text("s.toml", text), &Options::default(), &DiskFiles);
    assert_eq!(loaded.problems.iter().count(), 200);
    assert_eq!(loaded.problems.counts(), (3000, 0));
    assert!(loaded.problems.render(false).ends_with("3000 errors; the last 2800 are not shown\n"));
}
