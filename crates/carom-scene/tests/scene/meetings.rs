//! Who meets whom: touches, sensors, layers and exclusions, and bodies that overlap.

use carom::Layers;
use carom_scene::Scene;

use crate::{complains, load_text, scene};

/// A ball of radius 1, with more keys.
fn ball(name: &str, keys: &str) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nshape = {{ kind = \"ball\", radius = 1 }}\nmass = 1\n{keys}\n"
    )
}

/// A floor through the origin.
const FLOOR: &str = "[[body]]\nname = \"floor\"\nshape = { kind = \"half_space\" }\n\
                     motion = { kind = \"fixed\" }\n";

fn with(tables: &[&str]) -> String {
    format!("format = 1\n{}", tables.concat())
}

/// What the engine says to a scene that reads well.
#[track_caller]
fn refused(text: &str) -> String {
    let problems = scene(text).build(1).expect_err("it must be refused");
    problems.render(false)
}

#[track_caller]
fn meet(scene: &Scene, a: &str, b: &str) -> bool {
    let world = scene.build(1).unwrap_or_else(|problems| panic!("{problems}"));
    let id = |name| world.find(name).expect("it is there");
    world.meets(id(a), id(b))
}

#[test]
fn a_sensor_is_no_ghost() {
    let text = with(&[&ball("gate", "sensor = true"), &ball("plain", "position = [5, 0, 0]")]);
    let found: Vec<bool> = scene(&text).bodies.iter().map(|body| body.sensor).collect();
    assert_eq!(found, [true, false]);
    assert!(!meet(&scene(&text), "gate", "plain"));
    let both = with(&[&ball("gate", "sensor = true\nghost = true")]);
    complains(&both, &["`sensor` and `ghost` exclude each other"]);
}

#[test]
fn layers_are_bits_in_the_order_of_their_names() {
    let text = with(&[
        &ball("a", "position = [0, 0, 0]"),
        &ball("b", "position = [5, 0, 0]\nlayer = \"parts\"\nmeets = [\"robot\", \"default\"]"),
        &ball("c", "position = [9, 0, 0]\nlayers = [\"robot\", \"parts\"]"),
        &ball("d", "position = [13, 0, 0]\nlayer = \"robot\"\nmeets = []"),
    ]);
    let scene = scene(&text);
    assert_eq!(scene.layers, ["default", "parts", "robot"]);
    let layers: Vec<Layers> = scene.bodies.iter().map(|body| body.layers).collect();
    assert_eq!(layers[0], Layers::default());
    assert_eq!(layers[1], Layers { belongs: 0b010, meets: 0b101 });
    assert_eq!(layers[2], Layers { belongs: 0b110, meets: u32::MAX });
    assert_eq!(layers[3], Layers { belongs: 0b100, meets: 0 });
    assert!(meet(&scene, "a", "b") && meet(&scene, "a", "c") && meet(&scene, "b", "c"));
    assert!(!meet(&scene, "a", "d") && !meet(&scene, "b", "d") && !meet(&scene, "c", "d"));
}

#[test]
fn copies_may_have_layers_of_their_own() {
    let repeat = "repeat = { kind = \"row\", count = 3, step = [3, 0, 0] }";
    let text =
        with(&[&ball("a", &format!("layer = \"l{{i}}\"\nmeets = [\"l{{2-i}}\"]\n{repeat}"))]);
    let scene = scene(&text);
    assert_eq!(scene.layers, ["l0", "l2", "l1"]);
    assert!(meet(&scene, "a_0", "a_2") && !meet(&scene, "a_0", "a_1"));
}

#[test]
fn bodies_of_layers_that_do_not_meet_may_overlap() {
    let text = with(&[FLOOR, &ball("mole", "layer = \"below\"\nmeets = [\"below\"]")]);
    assert!(!meet(&scene(&text), "mole", "floor"));
    assert!(refused(&with(&[FLOOR, &ball("mole", "")])).contains("overlaps"));
}

#[test]
fn a_layer_to_which_nobody_belongs_is_a_mistake() {
    let text = with(&[
        &ball("a", "layer = \"parts\"\nmeets = [\"prats\", \"default\"]"),
        &ball("b", "layer = \"floor\"\nmeets = [\"zzz\"]"),
    ]);
    complains(
        &text,
        &[
            "no body belongs to the layer `prats`",
            "did you mean `parts`?",
            "scene.toml:7:10",
            "no body belongs to the layer `default`",
            "no body belongs to the layer `zzz`",
            "layers of this scene: `parts`, `floor`",
        ],
    );
    // Of a body that has a mistake of its own, the layer may be the one that is meant.
    let broken =
        with(&[&ball("a", "meets = [\"x\"]"), &ball("b", "layer = \"x\"\nvelocity = [1]")]);
    let rendered = load_text(&broken).problems.render(false);
    assert!(!rendered.contains("no body belongs"), "{rendered}");
}

#[test]
fn names_of_layers_must_say_something() {
    complains(&with(&[&ball("a", "layer = \" \"")]), &["the name of a layer must not be empty"]);
    complains(&with(&[&ball("a", "layers = []")]), &["at least one layer", "ghost = true"]);
    complains(&with(&[&ball("a", "layer = \"x\"\nlayers = [\"y\"]")]), &["exclude each other"]);
    complains(&with(&[&ball("a", "layer = [\"x\"]")]), &["`layer` must be a text"]);
    complains(&with(&[&ball("a", "meets = \"x\"")]), &["`meets` must be a list"]);
}

#[test]
fn thirty_two_layers_are_the_most() {
    let row = |count| {
        let repeat = format!("repeat = {{ kind = \"row\", count = {count}, step = [3, 0, 0] }}");
        with(&[&ball("a", &format!("layer = \"layer {{i}}\"\n{repeat}"))])
    };
    assert_eq!(scene(&row(32)).layers.len(), 32);
    assert_eq!(scene(&row(32)).bodies[31].layers.belongs, 1 << 31);
    complains(
        &row(34),
        &["the scene has 34 layers, but may have 32", "`layer 0`, `layer 1`", "`layer 33`"],
    );
}

fn exclusions(bodies: &str) -> Vec<[usize; 2]> {
    let coins = "repeat = { kind = \"row\", count = 3, step = [3, 0, 0] }";
    let text = with(&[
        &ball("coin", coins),
        &ball("a", "position = [0, 5, 0]"),
        &ball("b", "position = [0, 9, 0]"),
        &format!("[[exclude]]\nbodies = {bodies}\n"),
    ]);
    scene(&text).exclusions
}

#[test]
fn exclusions_name_bodies_one_by_one_or_by_patterns() {
    assert_eq!(exclusions("[\"b\", \"a\"]"), [[3, 4]]);
    assert_eq!(exclusions("[\"coin_0\", \"a\", \"b\"]"), [[0, 3], [0, 4], [3, 4]]);
    assert_eq!(exclusions("[\"coin_*\"]"), [[0, 1], [0, 2], [1, 2]]);
    assert_eq!(exclusions("[\"coin_*\", \"a\"]"), [[0, 3], [1, 3], [2, 3]]);
    assert_eq!(exclusions("[\"coin_*\", \"coin_0\"]"), [[0, 1], [0, 2]]);
    assert_eq!(exclusions("[\"?\"]"), [[3, 4]]);
}

#[test]
fn excluded_bodies_may_overlap_whenever_they_come() {
    // The mole comes first or last in the file, before, with or after the floor, and may be gone again by then.
    let exclude = "[[exclude]]\nbodies = [\"mole\", \"floor\"]\n";
    let remove = "[[change]]\nat = 1\nremove = \"mole\"\n";
    for (mole, floor) in [("", ""), ("from = 1", ""), ("", "from = 1"), ("from = 1", "from = 1")] {
        for (mole, more) in [(mole.to_owned(), ""), (format!("{mole}\nuntil = 2"), "")] {
            let mole = ball("mole", &mole);
            let floor = format!("{FLOOR}{floor}\n");
            for order in [[&*mole, &floor], [&floor, &mole]] {
                let text = with(&[order[0], order[1], exclude, more]);
                let mut world = scene(&text).build(1).unwrap();
                world.advance_to(1.5).unwrap();
                let id = |name| world.find(name).unwrap();
                assert!(!world.meets(id("mole"), id("floor")), "{text}");
                world.advance_to(3.0).unwrap();
            }
        }
    }
    for gone in ["until = 1", "until = 0.5"] {
        for order in [true, false] {
            let (mole, floor) = (ball("mole", gone), format!("{FLOOR}from = 1\n"));
            let tables = if order { [mole, floor] } else { [floor, mole] };
            let text = with(&[&tables[0], &tables[1], exclude]);
            scene(&text).build(1).unwrap().advance_to(3.0).unwrap();
        }
    }
    let text = with(&[&ball("mole", ""), &format!("{FLOOR}from = 1\n"), exclude, remove]);
    scene(&text).build(1).unwrap().advance_to(3.0).unwrap();
    let text = text.replace("from = 1", "from = 2");
    scene(&text).build(1).unwrap().advance_to(3.0).unwrap();
}

#[test]
fn exclusions_of_nobody_are_mistakes() {
    let bodies = |list: &str| {
        let coins = "repeat = { kind = \"row\", count = 2, step = [3, 0, 0] }";
        let exclude = format!("[[exclude]]\nbodies = {list}\n");
        with(&[&ball("coin", coins), &ball("hammer", "position = [0, 9, 0]"), &exclude])
    };
    let slips = bodies("[\"hamer\", \"zzz\"]");
    complains(
        &slips,
        &["no body is called `hamer`", "did you mean `hammer`?", "no body is called `zzz`"],
    );
    complains(&slips, &["scene.toml:13:11", "scene.toml:13:20"]);
    complains(&bodies("[\"coin\", \"hammer\"]"), &["its copies", "`coin_*` names all"]);
    complains(&bodies("[\"x*\"]"), &["no body is called `x*`"]);
    let twice = bodies("[\"hammer\", \"hammer\"]");
    complains(&twice, &["the body `hammer` cannot be excluded from itself", "scene.toml:13:21"]);
    complains(&bodies("[\"hammer\"]"), &["`hammer` is one body alone", "excluded from whom?"]);
    complains(&bodies("[]"), &["who is excluded from whom?", "`bodies` is empty"]);
    complains(&bodies("\"hammer\""), &["`bodies` must be a list"]);
    complains(&with(&["[[exclude]]\n"]), &["[[exclude]] needs `bodies`"]);
}

#[test]
fn bodies_that_overlap_are_told_with_both_places_the_depth_and_the_way_out() {
    let text = with(&[FLOOR, &ball("ball", "position = [0, 0, 0.25]")]);
    let rendered = refused(&text);
    let expected = "error: body \"ball\" overlaps \"floor\" by 0.75 m
 --> scene.toml:6:1
  |
2 | [[body]]
  | -------- the other one
...
6 | [[body]]
  | ^^^^^^^^
  |
  = help: move \"ball\" by 0.75075 m along (0, 0, 1), make one of them a ghost, or exclude the pair

1 error
";
    assert!(rendered == expected, "rendered:\n{rendered}\nexpected:\n{expected}");
}

#[test]
fn every_body_that_overlaps_is_told_up_to_what_anybody_reads() {
    let repeat =
        "position = [0, 0, 0.5]\nrepeat = { kind = \"row\", count = 300, step = [3, 0, 0] }";
    let problems = scene(&with(&[FLOOR, &ball("a", repeat)])).build(1).unwrap_err();
    assert_eq!(problems.counts(), (300, 0));
    assert_eq!(problems.iter().count(), 200);
    assert!(problems.render(false).contains("body \"a_17\" overlaps \"floor\" by 0.5 m"));
}

#[test]
fn bodies_that_begin_in_touch_are_accepted() {
    scene(&with(&[FLOOR, &ball("ball", "position = [0, 0, 1]")])).build(1).unwrap();
    let less = with(&[FLOOR, &ball("ball", "position = [0, 0, \"1 - 1e-6\"]")]);
    assert!(refused(&less).contains("by 1.000e-6 m"));
}
