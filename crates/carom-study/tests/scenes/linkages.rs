//! Linkages in scenes against sources that share no code with the engine.

use carom_scene::built_in;
use carom_study::run::RunOptions;
use oracles::pendulum::{Pendulum, PendulumLink};

use crate::common::{options, report, scene_of};

const JOINTS: [&str; 3] = ["pivot", "elbow", "wrist"];

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

/// What measures give in the scene without balls, run for 5 s with a tolerance.
fn measured(measures: &[String], tolerance: &str) -> Vec<f64> {
    let mut text = built_in("triple_pendulum")
        .expect("it is there")
        .text
        .split("[[expect]]")
        .next()
        .unwrap_or_default()
        .replacen("\ntolerance = 1e-11\n", &format!("\ntolerance = {tolerance}\n"), 1);
    assert!(text.contains(&format!("\ntolerance = {tolerance}\n")));
    for measure in measures {
        text += &format!(
            "\n[[expect]]\nwhat = \"it\"\nmeasure = \"{measure}\"\nequals = 0\ntolerance = 100\n"
        );
    }
    let scene = scene_of("triple_pendulum", &text, &[("empty", "1")]);
    let until = Some(5.0);
    let report = report(&scene, &RunOptions { until, ..options(1, 60.0) }, &|| Ok(None));
    let got = |index: usize| report.findings.get(index).and_then(|finding| finding.got);
    (0..measures.len())
        .map(|index| got(index).unwrap_or_else(|| panic!("{}", report.problems.render(false))))
        .collect()
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
    let measures = JOINTS.map(|joint| format!("joint('{joint}').at(5).position"));
    let (mut angle, mut worst) = (0.0, 0.0_f64);
    for (turned, expected) in measured(&measures, "1e-11").iter().zip(&expected) {
        angle += turned;
        worst = worst.max((angle - expected).abs());
    }
    println!("off by {worst:e} rad after 5 s; deviations grow by {growth}");
    // Each second's error is within the tolerance of 1e-11 or so, and grows with the rest.
    assert!(worst < 1e-10 * growth.max(1.0), "{worst:e} rad with a growth of {growth}");
}

/// Angles of the links of X-15 from hanging down and their rates after 1 to 5 s, and the growth of deviations, largest over time and all six
/// directions: printed by `oracles/tools/triple_pendulum.py`, Taylor series of order 36 in 40 digits `[rad, rad/s]`.
const X15: [[f64; 6]; 5] = [
    [
        -1.5219090506612392,
        -1.4736090156206734,
        -1.553397382785092,
        -3.2026754121198957,
        -0.24884030202359828,
        0.3009561003613833,
    ],
    [
        1.060677603757608,
        1.491248612055368,
        1.5314123898096212,
        3.3009930032092023,
        -0.2262498553157153,
        3.7872740479302887,
    ],
    [
        -0.9581628914879066,
        -1.0212716487337947,
        -1.2982794710623387,
        2.6012690627860358,
        -8.30696230831998,
        -4.21839214356196,
    ],
    [
        0.7859987160748433,
        0.8581595561177465,
        0.5494586852533213,
        3.3326396521858093,
        4.4447840443201505,
        4.639176298389255,
    ],
    [
        -0.18630115504697276,
        -0.21379697657801908,
        -0.5746839925010183,
        4.829890502428396,
        -12.0833414254032,
        -6.974980739226156,
    ],
];
const X15_GROWTH: f64 = 152_080.0;

/// Angles in radians, rates in units of √(g/L), as the growth is counted.
#[test]
fn x_15_is_as_exact_as_its_growth_of_errors_allows() {
    let limit = 1000.0 * X15_GROWTH * 2.2e-16;
    let unit = (9.81_f64 / 0.9).sqrt();
    let measures: Vec<String> = (1..=5)
        .flat_map(|second| ["position", "velocity"].map(|what| (second, what)))
        .flat_map(|(second, what)| {
            JOINTS.map(|joint| format!("joint('{joint}').at({second}).{what}"))
        })
        .collect();
    for tolerance in ["1e-11", "1e-13"] {
        let found = measured(&measures, tolerance);
        let mut worst = 0.0_f64;
        for (found, expected) in found.chunks_exact(6).zip(&X15) {
            let mut square = 0.0;
            for (half, scale) in [(0, 1.0), (3, unit)] {
                let mut sum = 0.0;
                for link in half..half + 3 {
                    sum += found[link];
                    let off = (sum - expected[link]) / scale;
                    square += off * off;
                }
            }
            worst = worst.max(square.sqrt());
        }
        println!(
            "tolerance {tolerance}: off by {worst:e} at whole seconds to 5 s, {limit:e} allowed"
        );
        assert!(worst <= limit, "{worst:e}");
    }
}
