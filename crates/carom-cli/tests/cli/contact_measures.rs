//! What scenes measure of contacts: sums, forces over a time, counts and times of collisions.

use crate::common::{Folder, Run};

/// A number that a scene must give.
fn expecting(measure: &str, equals: &str, tolerance: f64) -> String {
    format!(
        "[[expect]]\nwhat = \"{measure}\"\nmeasure = \"{measure}\"\nequals = \"{equals}\"\ntolerance = {tolerance:e}\n"
    )
}

/// A ball of 2 kg that falls by 1 m and bounces with e = 1/2, a wall that nobody meets, and expectations.
fn bouncing(expectations: &[String]) -> Run {
    let text = r#"format = 1
[parameters]
g = 9.80665
fall = "sqrt(2/g)"
who = "ball"
[world]
until = 2
[[material]]
name = "rubber"
restitution = 0.5
[[body]]
name = "floor"
shape = { kind = "half_space" }
material = "rubber"
motion = { kind = "fixed" }
[[body]]
name = "ball"
shape = { kind = "ball", radius = 0.1 }
mass = 2
material = "rubber"
position = [0, 0, 1.1]
[[body]]
name = "wall"
shape = { kind = "box", size = [1, 1, 1] }
position = [9, 9, 9]
motion = { kind = "fixed" }
[[expect]]
what = "the parameters are used"
measure = "if who == 'ball' { g*fall } else { 0 }"
at_least = 4
"#;
    Folder::with("scene.toml", &format!("{text}{}", expectations.concat()))
        .carom(&["run", "scene.toml"])
}

#[test]
fn sums_of_a_contact_follow_its_collisions() {
    // After n bounces with e: Σ m·v·eⁿ(1 + e), and work −½m·v²·e²ⁿ(1 − e²).
    let expectations = [
        expecting("contact('ball', 'floor').first", "fall", 1e-9),
        expecting("contact('ball', 'floor').at(0.3).collisions", "0", 0.0),
        expecting("contact('ball', 'floor').at(0.3).normal_impulse", "0", 0.0),
        expecting("contact('ball', 'floor').at(0.6).collisions", "1", 0.0),
        expecting("contact('ball', 'floor').at(0.6).normal_impulse", "2*g*fall*1.5", 1e-8),
        expecting("contact('ball', 'floor').at(0.6).impulse_z", "2*g*fall*1.5", 1e-8),
        expecting("contact('floor', 'ball').at(0.6).impulse_z", "-2*g*fall*1.5", 1e-8),
        expecting("contact('floor', who).at(0.6).impulse_x", "0", 1e-12),
        expecting("contact('ball', 'floor').at(0.6).normal_work", "-2*g*0.75", 1e-8),
        expecting("contact('ball', 'floor').at(0.6).friction_work", "0", 1e-12),
        expecting("contact('ball', 'floor').at(1).normal_impulse", "2*g*fall*1.5*1.5", 1e-8),
        expecting("contact('ball', 'floor').at(0.6).last", "fall", 1e-9),
        expecting("contact('ball', 'floor').at(0.6).slip", "0", 1e-12),
        // t₁(1 + e)/(1 − e), with what the last bounces before the envelope leave open.
        expecting("contact('ball', 'floor').settled", "3*fall", 1e-3),
        // Impulses hold what gravity gave: m·g·t, but for the momentum of the last hop.
        expecting("contact('ball', 'floor').normal_impulse", "2*g*2", 0.2),
        expecting("contact('ball', 'floor').boost - ledger(end).boost", "0", 1e-12),
        expecting("contact('ball', 'floor').micro / contact('ball', 'floor').collisions", "1", 0.1),
        expecting("contact('ball', 'wall').collisions + contact('ball', 'wall').slip", "0", 0.0),
    ];
    bouncing(&expectations).ended(0);
}

#[test]
fn collisions_are_counted_and_timed_by_pair_body_or_all() {
    let expectations = [
        expecting("event_time('collision', 'ball', 'floor')", "fall", 1e-9),
        expecting("event_time('collision', 'floor', 'ball', 0)", "fall", 1e-9),
        expecting("event_time('collision', 'ball', 'floor', 1)", "2*fall", 1e-9),
        expecting("event_time('collision', 'ball', 2)", "2.5*fall", 1e-9),
        expecting("event_time('collision', 3)", "2.75*fall", 1e-9),
        expecting("count('collision') - count('collision', 'ball', 'floor')", "0", 0.0),
        expecting("count('collision', 'ball') - contact(who, 'floor').collisions", "0", 0.0),
        expecting("count('collision', 'wall') + count('collision', 'ball', 'wall')", "0", 0.0),
        expecting("count('touch')", "0", 0.0),
    ];
    bouncing(&expectations).ended(0);
}

#[test]
fn a_mean_force_is_impulse_over_time() {
    let expectations = [
        expecting("force('ball', 'floor', 0, 0.3)", "0", 0.0),
        expecting("force('ball', 'floor', 0.2, 0.6)", "2*g*fall*1.5/0.4", 1e-7),
        expecting("force('floor', 'ball', 0.2, 0.6)", "2*g*fall*1.5/0.4", 1e-7),
        expecting("force('ball', 'floor', 0, 0.2, 0.6)", "2*g*fall*1.5/0.4", 1e-7),
        // At rest it carries the weight, to the momentum of one hop.
        expecting("force('ball', 'floor', 1.5, 2) / (2*g)", "1", 0.02),
        expecting("force('ball', 'wall', 0, 1)", "0", 0.0),
    ];
    bouncing(&expectations).ended(0);
}

#[test]
fn what_cannot_be_measured_of_a_contact_is_told() {
    let measured = |measure: &str| bouncing(&[expecting(measure, "0", 0.0)]).ended(1);
    measured("contact('ball', 'wall').first")
        .said(&["\"ball\" and \"wall\" have not collided by 2"]);
    measured("contact('ball', 'flor').slip").said(&["there is no body \"flor\"", "did you mean"]);
    measured("contact('ball', 'ball').slip").said(&["\"ball\" and itself are no pair"]);
    measured("contact('ball', 'floor').foo").said(&["contact has", "normal_impulse"]);
    measured("contact('ball', 'floor')").said(&["this gives a contact, not a number"]);
    measured("contact('ball', 'floor').at(3).slip").said(&["the run ended at 2 s, before 3 s"]);
    measured("force('ball', 'floor', 1, 3)").said(&["the run ended at 2 s, before 3 s"]);
    measured("force('ball', 'floor', 1, 1)").said(&["1 s is not before 1 s"]);
    measured("force('ball', 'floor', 1, 0, 1)")
        .said(&["\"ball\" has no piece 1, but one piece, 0"]);
    measured("event_time('collision', 'ball', 'wall')").said(&["there is no \"collision\" of"]);
    measured("contact('ball', 'floor').at(0.1).settled").said(&["have not collided by 0.1 s"]);
}

#[test]
fn each_leg_of_a_table_carries_its_share() {
    let leg = |x: f64, y: f64| {
        format!(
            "{{ shape = {{ kind = \"box\", size = [0.1, 0.1, 0.5] }}, position = [{x}, {y}, 0.25] }}"
        )
    };
    let legs = [leg(-0.4, -0.4), leg(-0.4, 0.4), leg(0.4, -0.4), leg(0.4, 0.4)].join(", ");
    let mut text = format!(
        r#"format = 1
[world]
until = 2
[[material]]
name = "wood"
friction = 0.5
restitution = 0.3
[[body]]
name = "floor"
shape = {{ kind = "half_space" }}
material = "wood"
motion = {{ kind = "fixed" }}
[[body]]
name = "table"
material = "wood"
mass = 10
position = [0, 0, 0.01]
shape = {{ kind = "compound", parts = [
    {{ shape = {{ kind = "box", size = [1, 1, 0.1] }}, position = [0, 0, 0.55] }}, {legs},
] }}
"#
    );
    let weight = "10*9.80665";
    text += &expecting("force('table', 'floor', 1, 2)", weight, 1.0);
    text += &expecting("force('table', 'floor', 0, 1, 2)", "0", 0.0);
    for leg in 1..5 {
        let quarter = format!("{weight}/4");
        text += &expecting(&format!("force('table', 'floor', {leg}, 1, 2)"), &quarter, 0.5);
    }
    let all = "force('table', 'floor', 1, 1, 2) + force('table', 'floor', 2, 1, 2) \
               + force('table', 'floor', 3, 1, 2) + force('table', 'floor', 4, 1, 2) \
               - force('table', 'floor', 1, 2)";
    text += &expecting(all, "0", 1e-9);
    text +=
        &expecting("force('floor', 'table', 0, 1, 2) - force('table', 'floor', 1, 2)", "0", 1e-9);
    Folder::with("table.toml", &text).carom(&["run", "table.toml"]).ended(0);
}

#[test]
fn a_function_that_is_given_too_little_shows_how_it_is_written() {
    let scene = "format = 1\n[[expect]]\nwhat = \"push\"\nmeasure = \"force('ball')\"\nequals = 0\ntolerance = 1\n\
                 [[body]]\nname = \"ball\"\nshape = { kind = \"ball\", radius = 1 }\nmass = 1\n";
    let run = Folder::with("scene.toml", scene).carom(&["run", "scene.toml"]).ended(1);
    run.said(&["`force` cannot be called with a text", "force('a', 'b', from, to)"]);
}
