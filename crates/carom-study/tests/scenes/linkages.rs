//! Linkages in scenes against sources that share no code with the engine.

use carom_scene::built_in;
use carom_study::run::RunOptions;
use oracles::pendulum::{Pendulum, PendulumLink};

use crate::common::{options, report, scene_of};

/// A part of a link: mass, distance from the upper hinge, and moment of inertia about its own centre.
type Part = (f64, f64, f64);

/// A link of parts that lie on its axis.
fn link(length: f64, parts: &[Part]) -> PendulumLink {
    let mass: f64 = parts.iter().map(|part| part.0).sum();
    let center = parts.iter().map(|part| part.0 * part.1).sum::<f64>() / mass;
    let inertia = parts.iter().map(|(m, x, own)| own + m * (x - center) * (x - center)).sum();
    PendulumLink { length, center, mass, inertia }
}

/// The pendulum of the scene, from the sizes and densities that it states.
fn pendulum() -> Pendulum {
    let (long, thick, side, head, head_long) = (0.3, 0.02, 0.05, 0.03, 0.12);
    let bar = |length: f64, middle: f64| -> Part {
        let mass = 700.0 * thick * thick * length;
        (mass, middle, mass * (length * length + thick * thick) / 12.0)
    };
    let pin_radius: f64 = thick / 4.0;
    let pin_mass = 700.0 * std::f64::consts::PI * pin_radius * pin_radius * (side - thick);
    let pin = (pin_mass, long, pin_mass * pin_radius * pin_radius / 2.0);
    let plain = link(long, &[bar(long + thick, long / 2.0), pin]);
    let head_mass = 2700.0 * std::f64::consts::PI * head * head * head_long;
    // Its axis is across that of the hinge.
    let hammer = (head_mass, long, head_mass * (3.0 * head * head + head_long * head_long) / 12.0);
    let stick = bar(long + thick / 2.0 - head, (long - thick / 2.0 - head) / 2.0);
    Pendulum::new(&[plain, plain, link(long, &[stick, hammer])], 9.81)
}

/// What a measure gives in the scene without balls, run for 5 s.
fn measured(measure: &str) -> f64 {
    let text = built_in("triple_pendulum")
        .expect("it is there")
        .text
        .split("[[expect]]")
        .next()
        .unwrap_or_default();
    let text = format!(
        "{text}\n[[expect]]\nwhat = \"it\"\nmeasure = \"{measure}\"\nequals = 0\ntolerance = 100\n"
    );
    let scene = scene_of("triple_pendulum", &text, &[("empty", "1")]);
    let until = Some(5.0);
    let report = report(&scene, &RunOptions { until, ..options(1, 60.0) }, &|| Ok(None));
    report.findings[0].got.unwrap_or_else(|| panic!("{}", report.problems.render(false)))
}

#[test]
fn without_balls_the_triple_pendulum_follows_lagranges_equations_for_five_seconds() {
    let (pendulum, half) = (pendulum(), std::f64::consts::FRAC_PI_2);
    let start = [half, half, half, 0.0, 0.0, 0.0];
    let expected = pendulum.after(&start, 5.0, 5000);
    // How much a deviation at the start has grown by then.
    let mut grown = 0.0_f64;
    for k in 0..6 {
        let mut beside = start;
        beside[k] += 1e-7;
        let other = pendulum.after(&beside, 5.0, 5000);
        let apart = other.iter().zip(&expected).map(|(a, b)| (a - b).abs());
        grown = apart.fold(grown, f64::max);
    }
    let growth = grown / 1e-7;
    let joints = ["pivot", "elbow", "wrist"];
    let (mut angle, mut worst) = (0.0, 0.0_f64);
    for (joint, expected) in joints.iter().zip(&expected) {
        angle += measured(&format!("joint('{joint}').at(5).position"));
        worst = worst.max((angle - expected).abs());
    }
    println!("off by {worst:e} rad after 5 s; deviations grow by {growth}");
    // Each second's error is within the tolerance of 1e-11 or so, and grows with the rest.
    assert!(worst < 1e-10 * growth.max(1.0), "{worst:e} rad with a growth of {growth}");
}
