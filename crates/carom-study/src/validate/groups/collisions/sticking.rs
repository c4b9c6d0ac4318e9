//! Where sliding stops, and in which directions it stays straight: the thesis's example, and corners of boxes.
//!
//! The solver tells neither the friction from which on contact sticks nor the rays, but its answers do: a contact without
//! sliding speed sticks or does not, one that does not leaves along the diverging ray, and one that slides fast is turned
//! to one side or the other of where it slides unless that is a ray.

use glam::DVec3;
use oracles::impact::cases::THESIS_MATRIX;
use oracles::impact::samples::{Random, box_corner};
use oracles::impact::{Impact, Law, critical_friction, rays};

use carom_contact::collision::Ending;

use super::super::super::{Context, Row};
use super::{solve, worse};

const CRITICAL: &str = "by hand; guide to Mirtich 1996, CR-R4: 0.304138";
const ANGLES: &str =
    "oracles::impact; thesis, figure 3.3: −71° and 147°; guide, CR-R5: −71.113° and 147.001°";
const QUARTIC: &str = "oracles::impact: the real roots of the thesis's quartic";
/// Halvings of an interval, to the last digit of a double.
const N_HALVINGS: u32 = 60;
const N_CORNERS: u32 = 200;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows = vec![critical(context)];
    rows.extend(angles(context));
    rows.push(corners(context));
    rows
}

fn thesis(friction: f64, velocity: [f64; 3]) -> Impact {
    Impact { matrix: THESIS_MATRIX, velocity, friction, restitution: 0.5, law: Law::Stronge }
}

/// Where a statement begins to hold between two numbers.
fn threshold([mut low, mut high]: [f64; 2], holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..N_HALVINGS {
        let middle = 0.5 * (low + high);
        *(if holds(middle) { &mut high } else { &mut low }) = middle;
    }
    high
}

/// M⁻¹s = (1, −6)/20, so the critical friction is √37/20.
fn critical(context: &Context) -> Row {
    let holds = |friction: f64| {
        solve(context, &thesis(friction, [0.0, 0.0, -1.0])).ending == Ending::Sticks
    };
    let what = "the thesis's example: friction from which on sticking is stable";
    let got = threshold([0.1, 0.9], holds);
    Row::case("m1/CR-R4", what, CRITICAL).absolute(1e-14, libm::sqrt(37.0) / 20.0, got)
}

fn angles(context: &Context) -> [Row; 2] {
    let after = |velocity: [f64; 3]| solve(context, &thesis(0.2, velocity)).velocity;
    let leaving = after([0.0, 0.0, -1.0]);
    let turns_on = |degrees: f64| {
        let (sin, cos) = libm::sincos(degrees.to_radians());
        let end = after([cos, sin, -1.0]);
        cos * end.y - sin * end.x > 0.0
    };
    let row = |key: &str, what: &str| {
        Row::case(format!("m1/CR-R5/{key}"), format!("the thesis's example: {what}"), ANGLES)
            .in_unit("°")
    };
    let known = rays(&THESIS_MATRIX, 0.2);
    let ray = |diverges: bool| {
        let found = known.iter().find(|ray| (ray.rate > 0.0) == diverges);
        found.map_or(f64::NAN, |ray| ray.angle.to_degrees())
    };
    [
        row("diverging", "angle of the diverging ray").absolute(
            1e-12,
            ray(true),
            libm::atan2(leaving.y, leaving.x).to_degrees(),
        ),
        // It repels: from beyond it sliding turns on, from before it back. How far it turns is known to 1e-13 of its speed.
        row("converging", "angle of the converging ray").absolute(
            1e-9,
            ray(false),
            threshold([120.0, 170.0], turns_on),
        ),
    ]
}

/// Corners of boxes that do not slide at first: those that friction holds, and the direction of those that it does not.
fn corners(context: &Context) -> Row {
    let mut random = Random(11);
    let mut n_wrong = 0.0;
    let mut aside = 0.0;
    for _ in 0..N_CORNERS {
        let mut impact = box_corner(&mut random, Law::Stronge);
        impact.velocity = [0.0, 0.0, -1.0];
        let got = solve(context, &impact);
        let is_held = critical_friction(&impact.matrix) <= impact.friction;
        n_wrong += f64::from(u8::from((got.ending == Ending::Sticks) != is_held));
        let all = rays(&impact.matrix, impact.friction);
        if let Some(ray) = all.iter().find(|ray| ray.rate > 0.0) {
            let (sin, cos) = libm::sincos(ray.angle);
            let sliding = got.velocity.with_z(0.0).try_normalize().unwrap_or(DVec3::NAN);
            aside = worse(aside, DVec3::new(cos, sin, 0.0).distance(sliding));
        }
    }
    let what = "200 corners of boxes without sliding: wrongly held or let go, and the largest \
                distance of a direction from its diverging ray";
    // Directions come from a matrix whose entries differ by a factor of up to 900.
    Row::case("m1/CR-R7", what, QUARTIC).absolute(1e-12, vec![0.0, 0.0], vec![n_wrong, aside])
}
