//! What scenes measure of joints and linkages: coordinates, rates, energies, moments of impulses, and mistakes in the asking.

use crate::common::{Folder, Run};

/// A number that a scene must give.
fn expecting(measure: &str, equals: &str, tolerance: f64) -> String {
    format!(
        "[[expect]]\nwhat = \"{measure}\"\nmeasure = \"{measure}\"\nequals = \"{equals}\"\ntolerance = {tolerance:e}\n"
    )
}

/// Without gravity: a ball of 2 kg on an arm of 1 m with a spring, a plate that slides and turns on a table, and a ball that nothing
/// holds.
fn swinging(expectations: &[String]) -> Run {
    let text = r#"format = 1
[parameters]
k = 3
inertia = "2*(1 + 0.4*0.1**2)"
w = "sqrt(k/inertia)"
who = "hinge"
[world]
gravity = [0, 0, 0]
until = 2
tolerance = 1e-11
[[body]]
name = "bob"
shape = { kind = "ball", radius = 0.1 }
mass = 2
position = [1, 0, 0]
[[joint]]
name = "hinge"
kind = "revolute"
bodies = ["world", "bob"]
at = [0, 0, 0]
axis = [0, 1, 0]
start = 0.3
stiffness = "k"
[[body]]
name = "plate"
shape = { kind = "box", size = [0.2, 0.2, 0.02] }
mass = 1
position = [5, 0, 0]
[[joint]]
name = "table"
kind = "planar"
bodies = ["world", "plate"]
at = [5, 0, 0]
axis = [0, 0, 1]
velocity = [0.5, -0.25, 2]
[[body]]
name = "loose"
shape = { kind = "ball", radius = 0.1 }
mass = 1
position = [9, 0, 0]
[[expect]]
what = "the parameters are used"
measure = "if who == 'hinge' { k*inertia*w } else { 0 }"
at_least = 1
"#;
    Folder::with("scene.toml", &format!("{text}{}", expectations.concat()))
        .carom(&["run", "scene.toml"])
}

#[test]
fn a_joint_has_its_coordinates_and_rates_at_every_time() {
    let expectations = [
        expecting("joint('hinge').at(0).position", "0.3", 0.0),
        expecting("joint('hinge').at(0.7).position", "0.3*cos(0.7*w)", 1e-10),
        expecting("joint('hinge').at(1.234).velocity", "-0.3*w*sin(1.234*w)", 1e-10),
        expecting("joint(who).position", "0.3*cos(2*w)", 1e-10),
        expecting("joint('hin' + 'ge').velocity", "-0.3*w*sin(2*w)", 1e-10),
        expecting("joint('hinge').motor", "0", 0.0),
        expecting("first_zero(|t| joint('hinge').at(t).position, 0, 2)", "pi/2/w", 1e-10),
        expecting("joint('table').at(1.5).position(0)", "0.75", 1e-12),
        expecting("joint('table').at(1.5).position(1)", "-0.375", 1e-12),
        expecting("joint('table').position(2)", "4", 1e-12),
        expecting("joint('table').at(1).velocity.shift()", "0.5", 1e-12),
        expecting("length(joint('table').at(1).velocity)", "sqrt(0.25 + 0.0625 + 4)", 1e-12),
    ];
    swinging(&expectations).ended(0);
}

#[test]
fn a_linkage_has_its_own_energies_springs_included() {
    let expectations = [
        expecting("linkage('bob').at(0).potential", "k/2*0.3**2", 1e-15),
        expecting("linkage('bob').at(0).kinetic", "0", 1e-15),
        expecting("linkage('bob').at(0.4).kinetic", "inertia/2*(0.3*w*sin(0.4*w))**2", 1e-10),
        expecting("linkage('bob').energy", "k/2*0.3**2", 1e-10),
        expecting("linkage('plate').energy", "0.5*0.3125 + 0.04/12*4", 1e-12),
        expecting("linkage('bob').struck", "0", 0.0),
    ];
    swinging(&expectations).ended(0);
}

/// A bar of 1 kg and 2 m, hinged in its middle, that a ball strikes half a metre out.
fn struck(expectations: &[String]) -> Run {
    let text = r#"format = 1
[world]
gravity = [0, 0, 0]
until = 1
[[material]]
name = "rubber"
restitution = 0.5
friction = 0
[[body]]
name = "bar"
shape = { kind = "box", size = [2, 0.1, 0.1] }
mass = 1
material = "rubber"
[[joint]]
name = "hinge"
kind = "revolute"
bodies = ["world", "bar"]
at = [0, 0, 0]
axis = [0, 1, 0]
[[body]]
name = "ball"
shape = { kind = "ball", radius = 0.1 }
mass = 0.2
material = "rubber"
position = [0.5, 0, 1.15]
velocity = [0, 0, -2]
"#;
    Folder::with("scene.toml", &format!("{text}{}", expectations.concat()))
        .carom(&["run", "scene.toml"])
}

#[test]
fn moments_of_impulses_are_what_a_hinge_lets_through() {
    // One collision of e = 1/2 at an arm of 1/2: p·(1/m + x²/J) = −(1 + e)·u.
    let inertia = "(4 + 0.01)/12";
    let push = format!("1.5*2/(1/0.2 + 0.25/({inertia}))");
    let expectations = [
        expecting("contact('bar', 'ball').at(0.1).moment_y", "0", 0.0),
        expecting("contact('bar', 'ball').moment_y", &format!("0.5*{push}"), 1e-9),
        expecting("contact('ball', 'bar').moment_y", &format!("-0.5*{push}"), 1e-9),
        expecting("contact('bar', 'ball').moment_z", "0", 1e-12),
        expecting("joint('hinge').velocity", &format!("0.5*{push}/({inertia})"), 1e-9),
        expecting("linkage('bar').struck - linkage('bar').energy", "0", 1e-15),
        expecting("linkage('bar').at(0.2).struck", "0", 0.0),
        expecting("linkage('bar').at(0.2).energy", "0", 0.0),
    ];
    struck(&expectations).ended(0);
}

#[test]
fn joints_that_are_not_there_are_answered_with_those_that_are() {
    let asked = |measure: &str| swinging(&[expecting(measure, "0", 1.0)]);
    asked("joint('hinje').position").ended(1).said(&["there is no joint \"hinje\"", "\"hinge\"?"]);
    asked("let n = 'hinje'; joint(n).position").ended(1).said(&["did you mean \"hinge\"?"]);
    asked("joint('bob').position").ended(1).said(&["there is no joint \"bob\""]);
    asked("linkage('bobb').energy").ended(1).said(&["there is no body \"bobb\"", "\"bob\"?"]);
    asked("linkage('loose').energy").ended(1).said(&["no joint holds \"loose\" at 2 s"]);
    asked("joint('hinge').at(7).position").ended(1).said(&["the run ended at 2 s, before 7 s"]);
    asked("joint('table').position").ended(1).said(&["must give a number"]);
    asked("joint('table').position(3)").ended(1).said(&["there is no number 3 of 3"]);
    asked("joint('hinge').angle").ended(1).said(&["a joint has position, velocity, motor"]);
}
