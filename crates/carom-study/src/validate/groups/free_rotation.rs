//! Reference case E1, data set `free-rotation` and the guide's checklist RB-R3 to RB-R5.
//!
//! Energy and angular momentum are measured with the stated moments, not with what the motion was given.

use glam::{DMat3, DQuat, DVec3};
use oracles::free_rotation::{FreeRotationCase, free_rotations};

use carom_dynamics::FreeRotation;

use super::super::{Context, Row};
use super::{attitude, body_of, quaternion_like};

const E1: &str = "reference case E1: Jacobi elliptic functions";
const CARRIED: &str = "oracles: integration in 50 digits (free_rotation.py)";
const GUIDE: &str = "guide to Mirtich 1996, checklist RB-R3 to RB-R5";

/// Digits that the list of reference cases prints; it asks for 1e-5.
const PRINTED: f64 = 1e-7;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    [middle_axis(context), carried(context), restarts(context), turns(context), flips(context)]
        .concat()
}

/// The body of E1: moments and rates about its body axes, which are the world's at first.
const MOMENTS: [f64; 3] = [1.0, 2.0, 3.0];
const RATES: DVec3 = DVec3::new(0.01, 2.0, 0.0);

fn e1(context: &Context) -> FreeRotation {
    FreeRotation::new(&body_of(context, MOMENTS), DQuat::IDENTITY, RATES)
}

fn rates_body(context: &Context, rotation: &FreeRotation, time: f64) -> DVec3 {
    let (orientation, angular_velocity) = attitude(context, rotation, time);
    orientation.conjugate() * angular_velocity
}

/// Energy `[J]` and angular momentum `[kg·m²/s]` with the stated moments.
fn invariants(moments: [f64; 3], orientation: DQuat, angular_velocity: DVec3) -> (f64, DVec3) {
    let axes = DMat3::from_quat(orientation);
    let momentum = axes * (DVec3::from_array(moments) * (axes.transpose() * angular_velocity));
    (0.5 * momentum.dot(angular_velocity), momentum)
}

/// Where the middle rate passes zero between two times, by bisection `[s]`.
fn zero_between(context: &Context, rotation: &FreeRotation, from: f64, to: f64) -> f64 {
    let middle_rate = |time: f64| rates_body(context, rotation, time).y;
    let (mut from, mut to) = (from, to);
    let falls = middle_rate(from) > 0.0;
    // Sixty halvings leave the last place of a double.
    for _ in 0..60 {
        let middle = 0.5 * (from + to);
        if (middle_rate(middle) > 0.0) == falls {
            from = middle;
        } else {
            to = middle;
        }
    }
    0.5 * (from + to)
}

fn middle_axis(context: &Context) -> Vec<Row> {
    let rotation = e1(context);
    let [first, second, third] = [(5.0, 6.5), (16.5, 18.0), (28.0, 29.5)]
        .map(|(from, to)| zero_between(context, &rotation, from, to));
    let row = |key: &str, what: &str| {
        Row::case(format!("ref/E1/{key}"), format!("spin about the middle axis: {what}"), E1)
    };
    // ½(1·0.01² + 2·2²) and (1·0.01, 2·2, 0).
    let (energy, momentum) = (4.00005, DVec3::new(0.01, 4.0, 0.0));
    let (got_energy, got_momentum) = farthest(context, &rotation, energy, momentum);
    vec![
        row("rates", "rates about the body axes at 10 s").in_unit("rad/s").absolute(
            PRINTED,
            DVec3::new(0.03173255, -1.99977325, -0.0173873),
            rates_body(context, &rotation, 10.0),
        ),
        row("first-zero", "the middle rate first vanishes")
            .in_unit("s")
            .absolute(PRINTED, 5.7890128, first),
        row("zeros", "from one zero of the middle rate to the next").in_unit("s").absolute(
            PRINTED,
            vec![11.5780256; 2],
            vec![second - first, third - second],
        ),
        row("period", "period").in_unit("s").absolute(PRINTED, 23.1560512, third - first),
        row("energy", "energy, where it is farthest off within 60 s")
            .in_unit("J")
            .relative(1e-9, energy, got_energy),
        row("momentum", "angular momentum, where it is farthest off within 60 s")
            .in_unit("kg·m²/s")
            .relative(1e-9, momentum, got_momentum),
    ]
}

/// Energy and angular momentum at those of 601 times within a minute at which they are farthest off.
fn farthest(
    context: &Context,
    rotation: &FreeRotation,
    energy: f64,
    momentum: DVec3,
) -> (f64, DVec3) {
    let (mut worst_energy, mut worst_momentum) = (energy, momentum);
    for tenth in 0..=600 {
        let (orientation, rate) = attitude(context, rotation, 0.1 * f64::from(tenth));
        let (now_energy, now_momentum) = invariants(MOMENTS, orientation, rate);
        if (now_energy - energy).abs() >= (worst_energy - energy).abs() {
            worst_energy = now_energy;
        }
        if (now_momentum - momentum).length() >= (worst_momentum - momentum).length() {
            worst_momentum = now_momentum;
        }
    }
    (worst_energy, worst_momentum)
}

fn carried(context: &Context) -> Vec<Row> {
    match free_rotations() {
        Ok(cases) => cases.iter().flat_map(|(name, case)| case_rows(context, name, case)).collect(),
        Err(error) => vec![Row::case("data/free-rotation", "motions", CARRIED).failed(&error)],
    }
}

fn case_rows(context: &Context, name: &str, case: &FreeRotationCase) -> Vec<Row> {
    let [w, x, y, z] = case.orientation;
    let start = DVec3::from_array(case.angular_velocity);
    let mass = body_of(context, case.moments);
    let rotation = FreeRotation::new(&mass, DQuat::from_xyzw(x, y, z, w), start);
    let (orientation, rates) = attitude(context, &rotation, case.time);
    // Rounding of one evaluation; near the separatrix that of the start grows by 1/k'² = 5e5.
    let tolerance = if name == "near_separatrix" { 1e-11 } else { 1e-13 };
    let row = |key: &str, what: &str, unit: &'static str| {
        let id = format!("data/free-rotation/{name}/{key}");
        Row::case(id, format!("{name}: {what} after {} s", case.time), CARRIED).in_unit(unit)
    };
    vec![
        row("orientation", "orientation as w, x, y, z", "-").absolute(
            tolerance,
            case.final_orientation.to_vec(),
            quaternion_like(case.final_orientation, orientation),
        ),
        row("rates", "angular velocity", "rad/s").relative(
            tolerance,
            case.final_angular_velocity.to_vec(),
            rates,
        ),
    ]
}

/// RB-R3: the attitude restarted every millisecond of ten seconds; a million restarts are in the tests.
fn restarts(context: &Context) -> Vec<Row> {
    let mass = body_of(context, [0.7, 1.0, 1.4]);
    let (mut orientation, mut rates) = (DQuat::IDENTITY, DVec3::new(1.0, -2.0, 3.0));
    for _ in 0..10_000 {
        let rotation = FreeRotation::new(&mass, orientation, rates);
        (orientation, rates) = attitude(context, &rotation, 1e-3);
    }
    let axes = DMat3::from_quat(orientation);
    let row = |key: &str, what: &str| {
        Row::case(format!("m1/RB-R3/{key}"), format!("after 10⁴ restarts: {what}"), GUIDE)
    };
    // The checklist's own figure.
    vec![
        row("unit", "length of the quaternion").absolute(1e-12, 1.0, orientation.length()),
        row("orthogonal", "RᵀR").absolute(1e-12, DMat3::IDENTITY, axes.transpose() * axes),
    ]
}

/// RB-R4: 7 rad/s about each principal axis of a body that stands askew, x to y to z to x.
///
/// With q = ½(1 + i + j + k), a quarter turn about the first body axis is q·√½(1 + i) = √½(i + j), and the
/// others follow in the cycle.
fn turns(context: &Context) -> Vec<Row> {
    let askew = DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5);
    let mass = body_of(context, [1.0, 2.0, 2.5]);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let quarters = [[0.0, half, half, 0.0], [0.0, 0.0, half, half], [0.0, half, 0.0, half]];
    let rate = 7.0;
    let turn = std::f64::consts::TAU / rate;
    let row = |axis: usize, key: &str, what: &str| {
        let number = axis + 1;
        let what = format!("spin about principal axis {number}: {what}");
        Row::case(format!("m1/RB-R4/{key}-{number}"), what, GUIDE)
    };
    let axes = DVec3::AXES.into_iter().zip(quarters).enumerate();
    axes.flat_map(|(index, (axis, quarter))| {
        let rotation = FreeRotation::new(&mass, askew, askew * (rate * axis));
        let at = |time: f64| attitude(context, &rotation, time).0;
        // Rounding of an angle of 2π, and of what the middle axis makes grow by e^σt within a turn.
        let tolerance = 1e-14;
        [
            row(index, "turn", "orientation after a turn, w, x, y, z").absolute(
                tolerance,
                vec![0.5; 4],
                quaternion_like([0.5; 4], at(turn)),
            ),
            row(index, "quarter", "orientation after a quarter turn, w, x, y, z").absolute(
                tolerance,
                quarter.to_vec(),
                quaternion_like(quarter, at(0.25 * turn)),
            ),
        ]
    })
    .collect()
}

/// RB-R5: the body of E1 has turned over after half of its period.
///
/// There the rates are (ω₁, −ω₂, 0) and stand still but for ω₃, which changes by −⅓ω₁ω₂ = 0.007 rad/s².
fn flips(context: &Context) -> Vec<Row> {
    let rotation = e1(context);
    let (half_period, flips) = (11.5780256, 9.0);
    let (orientation, rates) = attitude(context, &rotation, flips * half_period);
    let (_, momentum) = invariants(MOMENTS, orientation, rates);
    let row = |key: &str, what: &str| Row::case(format!("m1/RB-R5/{key}"), what, GUIDE);
    vec![
        row("flip", "spin about the middle axis: rates after half a period")
            .in_unit("rad/s")
            .absolute(
                1e-9,
                DVec3::new(0.01, -2.0, 0.0),
                rates_body(context, &rotation, half_period),
            ),
        row("momentum", "spin about the middle axis: angular momentum after nine flips")
            .in_unit("kg·m²/s")
            .relative(1e-12, DVec3::new(0.01, 4.0, 0.0), momentum),
    ]
}
