//! Collisions that can be solved by hand.
//!
//! **Without friction** p = (0, 0, (1 + e)·|u_z|/K₃₃), whatever K couples.
//!
//! **A ball on a plane** has K = diag(7/2, 7/2, 1)/m. Friction takes at most (7/2)·μ·(1 + e)·|u_z| of the sliding speed. If
//! that is less, p_t = −μ·p_z·û; else u_t ends at 0 and p_t = −(2/7)·m·u_t.

use oracles::impact::cases::THESIS_MATRIX;
use oracles::impact::{Impact, Law};

use super::super::super::{Context, Row};
use super::{both, solve};

const BY_HAND: &str = "by hand";
/// Everything is a handful of roundings.
const ROUNDING: f64 = 1e-15;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows = smooth(context);
    rows.extend(ball(context));
    rows
}

fn smooth(context: &Context) -> Vec<Row> {
    let impact = |restitution| Impact {
        matrix: THESIS_MATRIX,
        velocity: [0.3, 0.4, -1.0],
        friction: 0.0,
        restitution,
        law: Law::Stronge,
    };
    let row = |id: &str, what: &str| {
        Row::case(id, format!("no friction, {what}: impulse and velocity after"), BY_HAND)
    };
    let compare = |row: Row, restitution: f64, [x, y, z]: [f64; 3]| {
        let got = solve(context, &impact(restitution));
        let push = [0.0, 0.0, (1.0 + restitution) / 5.0];
        row.absolute(ROUNDING, both(push, [x, y, z]), both(got.impulse, got.velocity))
    };
    let elastic = solve(context, &impact(1.0));
    let total = elastic.normal_work + elastic.friction_work;
    vec![
        compare(row("m1/CR-R2", "e = 0.5"), 0.5, [0.6, 0.1, 0.5]),
        compare(row("m1/CR-R9/elastic", "e = 1"), 1.0, [0.7, 0.0, 1.0]),
        compare(row("m1/CR-R9/dull", "e = 0"), 0.0, [0.5, 0.2, 0.0]),
        Row::case(
            "m1/CR-R9/work",
            "no friction, e = 1: work, and the part of compression",
            BY_HAND,
        )
        .in_unit("J")
        .absolute(ROUNDING, vec![0.0, -0.1], vec![total, elastic.compression_work]),
    ]
}

/// A ball of 2 kg that closes at 1 m/s with e = 0.8 and μ = 0.1: friction takes 0.63 m/s.
fn ball(context: &Context) -> Vec<Row> {
    let (mass, push) = (2.0, 3.6);
    let matrix = [[3.5 / mass, 0.0, 0.0], [0.0, 3.5 / mass, 0.0], [0.0, 0.0, 1.0 / mass]];
    let solved = |velocity| {
        let got = solve(
            context,
            &Impact { matrix, velocity, friction: 0.1, restitution: 0.8, law: Law::Stronge },
        );
        both(got.impulse, got.velocity)
    };
    let row = |key: &str, what: &str| {
        let what = format!("a ball on a plane {what}: impulse and velocity after");
        Row::case(format!("m1/CR-R3/{key}"), what, BY_HAND)
    };
    // û = (0.6, 0.8).
    let slides = both([-0.6 * 0.36, -0.8 * 0.36, push], [0.6 * 0.27, 0.8 * 0.27, 0.8]);
    let sticks = both([-4.0 / 7.0 * 0.36, -4.0 / 7.0 * 0.48, push], [0.0, 0.0, 0.8]);
    vec![
        row("slides", "slides at 0.9 m/s").absolute(ROUNDING, slides, solved([0.54, 0.72, -1.0])),
        row("sticks", "slides at 0.6 m/s and sticks").absolute(
            ROUNDING,
            sticks,
            solved([0.36, 0.48, -1.0]),
        ),
    ]
}
