//! Free rotation and ballistic motion, evaluated at many times.

use carom_dynamics::{Ballistic, BodyState, FreeRotation, Mass, Reach, Span};
use divan::Bencher;
use glam::{DQuat, DVec3};

fn main() {
    divan::main();
}

/// Moments of one body of every kind of motion.
const KINDS: [&str; 5] = ["spherical", "symmetric", "asymmetric", "near_separatrix", "thrown_rod"];

fn body(kind: &str) -> (Mass, DVec3) {
    let (moments, spin) = match kind {
        "spherical" => ([1.0, 1.0, 1.0], [1.0, 2.0, -1.5]),
        "symmetric" => ([1.0, 1.0, 1.5], [1.0, 2.0, -1.5]),
        "near_separatrix" => ([1.0, 2.0, 3.0], [0.01, 2.0, 0.0]),
        "thrown_rod" => ([0.01, 1.0, 1.0 + 1e-6], [1e-3, 2.0, -1.5]),
        _ => ([1.0, 2.0, 2.5], [1.0, 2.0, -1.5]),
    };
    let moments = DVec3::from_array(moments);
    let mass = Mass { mass: 1.0, moments, body_from_principal: DQuat::IDENTITY };
    (mass, DVec3::from_array(spin))
}

/// Times that no branch predictor learns.
fn times() -> impl FnMut() -> f64 {
    let mut count = 0.0;
    move || {
        count += 1.0;
        libm::fmod(count * 7.548776662466927, 100.0)
    }
}

fn flight(kind: &str) -> Ballistic {
    let (mass, angular_velocity) = body(kind);
    let state = BodyState {
        position: DVec3::new(0.3, -0.2, 1.0),
        orientation: DQuat::IDENTITY,
        velocity: DVec3::new(1.0, 0.5, 3.0),
        angular_velocity,
    };
    Ballistic::new(0.0, state, DVec3::new(0.0, 0.0, -9.81), &mass)
}

#[divan::bench(args = KINDS)]
fn rotation_at(bencher: Bencher, kind: &str) {
    let (mass, spin) = body(kind);
    let motion = FreeRotation::new(&mass, DQuat::IDENTITY, spin);
    bencher.with_inputs(times()).bench_local_values(|t| divan::black_box(&motion).at(t));
}

#[divan::bench(args = KINDS)]
fn rotation_new(bencher: Bencher, kind: &str) {
    let (mass, spin) = body(kind);
    bencher.bench(|| {
        FreeRotation::new(divan::black_box(&mass), DQuat::IDENTITY, divan::black_box(spin))
    });
}

#[divan::bench(args = KINDS)]
fn ballistic_kinematics(bencher: Bencher, kind: &str) {
    let flight = flight(kind);
    bencher.with_inputs(times()).bench_local_values(|t| divan::black_box(&flight).kinematics_at(t));
}

#[divan::bench]
fn ballistic_travel(bencher: Bencher) {
    let flight = flight("asymmetric");
    bencher.with_inputs(times()).bench_local_values(|t| {
        divan::black_box(&flight).travel(Span::new(t, t + 0.1), DVec3::X, Reach::Body(0.1))
    });
}

#[divan::bench]
fn ballistic_path_box(bencher: Bencher) {
    let flight = flight("asymmetric");
    bencher
        .with_inputs(times())
        .bench_local_values(|t| divan::black_box(&flight).path_box(Span::new(t, t + 0.1)));
}
