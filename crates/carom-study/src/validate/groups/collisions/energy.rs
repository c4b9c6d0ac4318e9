//! What no collision may do, and what Newton's law does.

use std::sync::OnceLock;

use glam::{DQuat, DVec3};
use oracles::impact::samples::{Random, box_corner};
use oracles::impact::{self, Impact, Law};

use carom_contact::collision::{Collision, RestitutionLaw};
use carom_dynamics::{BodyState, Impulse, Mass};

use super::super::super::{Context, Row};
use super::{solve, worse};

const LIST: &str = "reference cases, A6: energy and Coulomb's cone";
const GUIDE: &str = "guide to Mirtich 1996, CR-1 and Q19; oracles::impact";
const N_BODIES: u32 = 10_000;
const N_ELASTIC: u32 = 60;
/// Work that counts as a gain, of collisions that compress by 0.1 to 0.5 J: far above rounding `[J]`.
const GAIN: f64 = 1e-12;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows = bodies(context, N_BODIES).to_vec();
    rows.extend(newton(context));
    rows
}

/// Largest violations of A6 by so many random bodies.
pub(super) fn bodies(context: &Context, count: u32) -> [Row; 4] {
    let mut random = Random(14);
    let mut worst = [0.0; 4];
    for _ in 0..count {
        let violations = violations(context, &mut random);
        worst = [0, 1, 2, 3].map(|i| worse(worst[i], violations[i]));
    }
    let row = |key: &str, what: &str, got: f64| {
        let what = format!("{count} random bodies strike a plane: {what}");
        Row::case(format!("ref/A6/{key}"), what, LIST).absolute(1e-9, 0.0, got)
    };
    let [energy, push, cone, parting] = worst;
    [
        row("energy", "largest gain of kinetic energy, as a share of it", energy),
        row("push", "those pulled rather than pushed", push),
        row("cone", "largest excess of friction, as a share of its limit", cone),
        row("parting", "largest speed that still closes after, as a share of that before", parting),
    ]
}

/// Gain of energy, pulling, excess of friction and closing speed of one random body.
fn violations(context: &Context, random: &mut Random) -> [f64; 4] {
    let (mass, state, point) = loop {
        let (mass, state, point) = body(random);
        if state.velocity_at(point).z < 0.0 {
            break (mass, state, point);
        }
    };
    let before = state.velocity_at(point);
    let friction = 2.0 * random.unit();
    let answer = context.subject.collide(Collision {
        matrix: mass.response(&state, point, point),
        velocity: before,
        friction,
        restitution: random.unit(),
        law: RestitutionLaw::Stronge,
        least_rebound: 0.0,
    });
    let push = answer.impulse;
    let after = mass.struck(&state, &Impulse { point, linear: push, angular: DVec3::ZERO });
    let energy = mass.kinetic_energy(&state);
    let limit = friction * push.z;
    [
        worse(0.0, (mass.kinetic_energy(&after) - energy) / energy),
        f64::from(u8::from(push.z.is_nan() || push.z <= 0.0)),
        worse(0.0, (push.truncate().length() - limit) / limit),
        worse(0.0, after.velocity_at(point).z / before.z),
    ]
}

/// Any mass, inertia that a solid can have, arm, velocity and spin.
pub(super) fn body(random: &mut Random) -> (Mass, BodyState, DVec3) {
    let mut squares = [random.scale(0.01, 1.0), random.scale(0.01, 1.0), random.scale(0.01, 1.0)];
    squares.sort_by(f64::total_cmp);
    let [x, y, z] = squares;
    let kilograms = random.scale(0.1, 10.0);
    let mut vector = || DVec3::new(random.signed(), random.signed(), random.signed());
    let (velocity, angular_velocity, point, turn) =
        (3.0 * vector(), 10.0 * vector(), vector(), vector());
    let moments = kilograms * DVec3::new(x + y, x + z, y + z);
    let orientation = DQuat::from_scaled_axis(3.0 * turn);
    (
        Mass { mass: kilograms, moments, body_from_principal: DQuat::IDENTITY },
        BodyState { position: DVec3::ZERO, orientation, velocity, angular_velocity },
        point,
    )
}

/// Elastic collisions of corners with the work that Newton's law does in each.
fn elastic() -> &'static [(Impact, f64)] {
    static ELASTIC: OnceLock<Vec<(Impact, f64)>> = OnceLock::new();
    ELASTIC.get_or_init(|| {
        let mut random = Random(15);
        let mut all = Vec::new();
        for _ in 0..N_ELASTIC {
            let impact = Impact { restitution: 1.0, ..box_corner(&mut random, Law::Newton) };
            let work = impact::solve(&impact).map(|it| it.normal_work + it.friction_work);
            all.extend(work.map(|work| (impact, work)));
        }
        all
    })
}

/// Newton's law adds energy to some, the other two to none of the same.
fn newton(context: &Context) -> [Row; 4] {
    let work = |impact: &Impact| {
        let answer = solve(context, impact);
        answer.normal_work + answer.friction_work
    };
    let gains = |law: Law| -> f64 {
        let works = elastic().iter().map(|(impact, _)| work(&Impact { law, ..*impact }));
        works.filter(|work| work.is_nan() || *work > GAIN).count() as f64
    };
    let most = elastic().iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let expected = elastic().iter().filter(|(_, work)| *work > GAIN).count() as f64;
    let row = |key: &str, what: &str| {
        let what = format!("{N_ELASTIC} elastic corners of boxes with friction: {what}");
        Row::case(format!("m1/{key}"), what, GUIDE)
    };
    [
        row("Q19/count", "how many gain energy by Newton's law").absolute(
            0.0,
            expected,
            gains(Law::Newton),
        ),
        row("Q19/most", "the largest gain").in_unit("J").relative(
            1e-10,
            most.map_or(f64::NAN, |it| it.1),
            most.map_or(f64::NAN, |it| work(&it.0)),
        ),
        row("Q18", "how many gain energy by Stronge's law").absolute(0.0, 0.0, gains(Law::Stronge)),
        row("Q20", "how many gain energy by Poisson's law").absolute(0.0, 0.0, gains(Law::Poisson)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: ref/A6
    #[test]
    fn a_hundred_thousand_bodies_gain_no_energy_and_keep_to_the_cone() {
        for row in bodies(&Context::default(), 100_000) {
            assert_eq!(row.pass, Some(true), "{row:#?}");
        }
    }
}
