//! Collisions: one with friction and restitution, sequences of them, and rest by collisions alone.

mod alike;
mod bodies;
mod energy;
mod every;
mod integrated;
mod micro;
mod printed;
mod rest;
mod reversing;
mod sequences;
mod simple;
mod stage;
mod sticking;
mod systems;

use glam::{DMat3, DVec3};
use oracles::impact::{Impact, Law};

use carom_contact::collision::{Answer, Collision, RestitutionLaw};

use super::super::{Context, Row};

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows = printed::rows(context);
    rows.extend(bodies::rows(context));
    rows.extend(simple::rows(context));
    rows.extend(sticking::rows(context));
    rows.extend(integrated::rows(context));
    rows.extend(alike::rows(context));
    rows.extend(energy::rows(context));
    rows.extend(every::rows(context));
    rows.extend(reversing::rows(context));
    rows.extend(sequences::rows(context));
    rows.extend(rest::rows(context));
    rows.extend(micro::rows(context));
    rows.extend(systems::rows(context));
    rows
}

/// The simulator's answer to an oracle's question, as it comes out.
fn solve(context: &Context, impact: &Impact) -> Answer {
    context.subject.collide(Collision {
        matrix: DMat3::from_cols_array_2d(&impact.matrix).transpose(),
        velocity: DVec3::from_array(impact.velocity),
        friction: impact.friction,
        restitution: impact.restitution,
        law: match impact.law {
            Law::Stronge => RestitutionLaw::Stronge,
            Law::Poisson => RestitutionLaw::Poisson,
            Law::Newton => RestitutionLaw::Newton,
        },
        least_rebound: 0.0,
    })
}

/// Impulse and velocity as one value.
fn both(impulse: impl Into<[f64; 3]>, velocity: impl Into<[f64; 3]>) -> Vec<f64> {
    [impulse.into(), velocity.into()].concat()
}

/// The larger of two errors; a NaN is the largest.
fn worse(a: f64, b: f64) -> f64 {
    if a >= b || a.is_nan() { a } else { b }
}

/// Largest difference of entries.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, worse)
}

/// Largest entry without its sign.
fn largest(entries: &[f64]) -> f64 {
    entries.iter().map(|entry| entry.abs()).fold(0.0, worse)
}
