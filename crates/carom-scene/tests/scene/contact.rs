//! What a scene says of contact: what a touch does, regimes, envelopes, microcollisions, moving surfaces.

use carom::{ContactSettings, Impacts, Microcollisions, Regime, RestitutionLaw};
use carom_scene::{
    Bound, ContactOverrides, DiskFiles, OnTouch, Options, PairRegime, Scene, Source, load,
};
use glam::DVec3;

use crate::{ball, complains, load_text, scene};

fn world(keys: &str) -> Scene {
    scene(&format!("format = 1\n[world]\n{keys}"))
}

/// Three balls in a row, and a table.
fn row(table: &str) -> String {
    let repeat = "repeat = { kind = \"row\", count = 3, step = [3, 0, 0] }";
    let shape = "shape = { kind = \"ball\", radius = 1 }\nmass = 1";
    format!("format = 1\n[[body]]\nname = \"ball\"\n{shape}\n{repeat}\n{table}")
}

#[test]
fn bodies_collide_unless_the_scene_says_otherwise() {
    assert_eq!(scene("format = 1").on_touch, OnTouch::Collide);
    for on_touch in OnTouch::ALL {
        let scene = world(&format!("on_touch = \"{}\"", on_touch.name()));
        assert_eq!(scene.on_touch, on_touch);
        assert_eq!(scene.contact().passes, on_touch != OnTouch::Collide);
    }
    let slip = "format = 1\n[world]\non_touch = \"pas\"";
    complains(slip, &["a touch cannot \"pas\"", "did you mean \"pass\"?", "scene.toml:3:12"]);
    let nonsense = "format = 1\n[world]\non_touch = \"bounce\"";
    let names = "`on_touch` is one of `collide`, `stop`, `pass`";
    complains(nonsense, &["a touch cannot \"bounce\"", names]);
    complains("format = 1\n[world]\non_touch = true", &["`on_touch` must be a text"]);
}

#[test]
fn contact_settings_reach_the_world_as_the_scene_has_them() {
    assert_eq!(scene("format = 1").contact(), ContactSettings::default());
    let stated = "regime = \"constraint\"\nenvelope = \"2*1e-5\"\nmicrocollisions = \"plain\"\nimpacts = \"simultaneous\"\nsleep = false";
    let settings = ContactSettings {
        regime: Regime::Constraint,
        envelope: Some(2e-5),
        microcollisions: Microcollisions::Plain,
        impacts: Impacts::Simultaneous,
        sleepless: true,
        passes: false,
    };
    assert_eq!(world(stated).contact(), settings);
    let text = row("[world]\nenvelope = 1e-3");
    let made = scene(&text).build(1).unwrap();
    let id = |name| made.find(name).unwrap();
    assert_eq!(made.envelope_of([id("ball_0"), id("ball_1")]), 1e-3);
    let made = scene(&row("")).build(1).unwrap();
    let id = |name| made.find(name).unwrap();
    let share = made.envelope_of([id("ball_0"), id("ball_1")]) / 2.0;
    assert!((share - ContactSettings::ENVELOPE_SHARE).abs() < 1e-15, "{share}");
}

#[test]
fn mistakes_about_contact_are_told_all_at_once() {
    let text = "format = 1\n[world]\nregime = \"impluse\"\nenvelope = 0\n\
                microcollisions = \"train\"\non_touch = \"colide\"";
    complains(
        text,
        &[
            "there is no regime \"impluse\"",
            "did you mean \"impulse\"?",
            "`envelope` must be",
            "microcollisions cannot be \"train\"",
            "did you mean \"trains\"?",
            "`microcollisions` is one of `trains`, `plain`, `off`",
            "did you mean \"collide\"?",
        ],
    );
    let future = "format = 1\n[world]\nregime = \"penalty\"";
    complains(future, &["the regime \"penalty\" is yet to come", "regimes of this version"]);
    let wrong = "format = 1\n[world]\nimpacts = \"simultanous\"";
    complains(wrong, &["impacts cannot be in \"simultanous\"", "did you mean \"simultaneous\"?"]);
}

#[test]
fn what_is_given_from_outside_has_the_last_word() {
    let text = "format = 1\n[world]\nenvelope = 1e-3\non_touch = \"stop\"\n[[expect]]\nwhat = \"it hops\"\n\
                measure = \"2*envelope\"\nat_most = \"3*envelope\"\ntolerance = \"envelope/2\"";
    let load = |contact| {
        let options = Options { contact, ..Options::default() };
        let loaded = load(&Source::text("hop", text), &options, &DiskFiles);
        loaded.scene.unwrap_or_else(|| panic!("{}", loaded.problems.render(false)))
    };
    // What its expectation compares, and how far that may be off.
    let numbers = |scene: &Scene| (scene.expectations[0].bound, scene.expectations[0].tolerance);
    let scene = load(ContactOverrides::default());
    assert_eq!((scene.envelope, scene.on_touch), (Some(1e-3), OnTouch::Stop));
    assert_eq!(numbers(&scene), (Bound::Between(f64::NEG_INFINITY, 3.0 * 1e-3), 1e-3 / 2.0));
    let given = ContactOverrides {
        on_touch: Some(OnTouch::Collide),
        regime: Some(Regime::Impulse),
        envelope: Some(1e-5),
        law: Some(RestitutionLaw::Newton),
    };
    assert!(!given.is_empty());
    let scene = load(given);
    assert!(scene.materials.iter().all(|it| it.surface.law == RestitutionLaw::Newton));
    assert_eq!((scene.envelope, scene.on_touch), (Some(1e-5), OnTouch::Collide));
    assert_eq!(numbers(&scene), (Bound::Between(f64::NEG_INFINITY, 3.0 * 1e-5), 1e-5 / 2.0));
}

#[test]
fn the_envelope_has_a_name_in_expectations_only_and_only_where_there_is_one() {
    let expect = "format = 1\n[[expect]]\nwhat = \"it hops\"\nmeasure = \"envelope\"\nat_most = 1";
    complains(expect, &["there is no one envelope", "where [world] states an `envelope`"]);
    let bound =
        "format = 1\n[[expect]]\nwhat = \"it hops\"\nmeasure = \"1\"\nat_most = \"envelope\"";
    complains(bound, &["`envelope` exists in [[expect]], where [world] states"]);
    complains(&row("position = [\"envelope\", 0, 0]"), &["`envelope` exists in [[expect]]"]);
    let parameter = "format = 1\n[parameters]\nenvelope = 1e-3";
    complains(parameter, &["in expectations it is the collision envelope"]);
}

/// What is said of a ball of 2 m on a floor of its material, with these keys of the world.
fn said_of_a_ball(keys: &str, restitution: f64) -> String {
    let text = format!(
        "format = 1\n[world]\n{keys}\n[[material]]\nname = \"clay\"\nrestitution = {restitution}\n[[body]]\n\
         name = \"floor\"\nshape = {{ kind = \"half_space\", normal = [0, 0, 1] }}\nmaterial = \"clay\"\n\
         motion = {{ kind = \"fixed\" }}\n[[body]]\nname = \"ball\"\nshape = {{ kind = \"ball\", radius = 1 }}\n\
         material = \"clay\"\nmass = 1\nposition = [0, 0, 2]"
    );
    let loaded = load(&Source::text("ball", text), &Options::default(), &DiskFiles);
    assert!(loaded.scene.is_some(), "{}", loaded.problems.render(false));
    loaded.problems.render(false)
}

#[test]
fn an_envelope_that_shows_beside_the_smallest_body_is_warned_of() {
    let said = said_of_a_ball("envelope = 0.3", 0.5);
    assert!(
        said.contains("the envelope of 0.3 m is large for body \"ball\", which is 2 m"),
        "{said}"
    );
    assert!(said.contains("give a smaller `envelope`"), "{said}");
    assert_eq!(said_of_a_ball("envelope = 0.1", 0.5), "");
    let said = said_of_a_ball("envelope = 1e-9", 0.5);
    assert!(said.contains("is small for body \"ball\""), "{said}");
    assert_eq!(said_of_a_ball("envelope = 0.3\non_touch = \"pass\"", 0.5), "");
}

#[test]
fn plain_microcollisions_of_bodies_that_hardly_bounce_are_warned_of() {
    let plain = "microcollisions = \"plain\"";
    let said = said_of_a_ball(plain, 0.0);
    assert!(said.contains("take thousands of collisions a second"), "{said}");
    assert_eq!(said_of_a_ball(plain, 0.1), "");
    assert_eq!(said_of_a_ball("", 0.0), "");
}

#[test]
fn pairs_of_bodies_may_have_a_regime_of_their_own() {
    let pairs = |table: &str| -> Vec<[usize; 2]> {
        let scene = scene(&row(table));
        scene.build(1).unwrap_or_else(|problems| panic!("{problems}"));
        scene.regimes.iter().map(|it: &PairRegime| it.bodies).collect()
    };
    let pair = |bodies: &str| format!("[[pair]]\nbodies = {bodies}\nregime = \"impulse\"\n");
    assert_eq!(pairs(&pair("[\"ball_2\", \"ball_0\"]")), [[0, 2]]);
    assert_eq!(pairs(&pair("[\"ball_*\"]")), [[0, 1], [0, 2], [1, 2]]);
    let twice = format!("{}{}", pair("[\"ball_*\"]"), pair("[\"ball_0\", \"ball_1\"]"));
    assert_eq!(pairs(&twice), [[0, 1], [0, 2], [1, 2]]);
    complains(&row(&pair("[]")), &["which bodies make the pair?"]);
    complains(&row(&pair("[\"ball_1\"]")), &["`ball_1` is one body alone", "a pair with whom?"]);
    let same = pair("[\"ball_1\", \"ball_1\"]");
    complains(&row(&same), &["the body `ball_1` and itself are no pair"]);
    complains(&row(&pair("[\"ball_7\", \"ball_0\"]")), &["no body is called `ball_7`"]);
    let future = pair("[\"ball_*\"]").replace("impulse", "hybrid");
    complains(&row(&future), &["the regime \"hybrid\" is yet to come"]);
    let later = row(&pair("[\"ball_*\"]")).replace("mass = 1", "mass = 1\nfrom = \"i\"");
    complains(&later, &["`ball_1` is not there at the start"]);
}

#[test]
fn a_surface_may_move_over_its_body() {
    let velocity = |keys: &str| ball(&format!("mass = 1\n{keys}")).surface_velocity;
    assert_eq!(velocity(""), DVec3::ZERO);
    assert_eq!(velocity("surface_velocity = [\"1/2\", 0, 3]"), DVec3::new(0.5, 0.0, 3.0));
    complains(
        &row("").replace("mass = 1", "mass = 1\nsurface_velocity = 3"),
        &["surface_velocity"],
    );
}

#[test]
fn a_belt_carries_what_lies_on_it() {
    // A box put on a belt slides until it moves with it: v = 1 m/s after v/(μg) = 0.204 s.
    let text = "format = 1\n[world]\nuntil = 1\n[[material]]\nname = \"rubber\"\nfriction = 0.5\n\
        [[body]]\nname = \"belt\"\nshape = { kind = \"half_space\" }\nmaterial = \"rubber\"\n\
        motion = { kind = \"fixed\" }\nsurface_velocity = [1, 0, 7]\n\
        [[body]]\nname = \"box\"\nshape = { kind = \"box\", size = [0.2, 0.2, 0.1] }\nmass = 1\n\
        material = \"rubber\"\nposition = [0, 0, 0.05]\n";
    let mut made = scene(text).build(1).unwrap();
    made.advance_to(1.0).unwrap();
    let id = made.find("box").unwrap();
    let state = made.state(id).unwrap();
    assert!((state.velocity.x - 1.0).abs() < 0.02, "{:?}", state.velocity);
    assert!(state.position.z < 0.051, "the part across the surface does not count");
}

#[test]
fn expectations_of_other_regimes_are_not_asked() {
    let text = "format = 1\n[[expect]]\nwhat = \"a\"\nmeasure = \"1\"\nequals = 1\ntolerance = 0\n";
    let with = |regimes: &str| format!("{text}regime = {regimes}\n");
    let asked = |text: &str| {
        let scene = scene(text);
        scene.expectations[0].holds_for(scene.regime)
    };
    assert!(asked(text));
    assert!(asked(&with("[\"constraint\", \"impulse\"]")));
    assert!(!asked(&with("[\"constraint\"]")));
    assert!(load_text(&with("[\"impuls\"]")).scene.is_none());
}
