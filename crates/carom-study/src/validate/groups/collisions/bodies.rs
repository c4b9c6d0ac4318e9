//! Bodies that strike a plane: the list's cases A1 to A5, from the body's mass to its velocities after.

use glam::{DQuat, DVec3};
use oracles::impact::cases::{BodyCase, body_cases};

use carom_contact::collision::{Collision, RestitutionLaw};
use carom_dynamics::{BodyState, Impulse, Mass};

use super::super::super::{Context, Row};

pub(super) fn rows(context: &Context) -> Vec<Row> {
    body_cases().iter().flat_map(|case| case_rows(context, case)).collect()
}

fn case_rows(context: &Context, case: &BodyCase) -> [Row; 3] {
    let (impulse, state) = struck(context, case);
    let row = |key: &str, what: &str| {
        let what = format!("{}: {what}", case.what);
        Row::case(format!("ref/{}/{key}", case.id), what, "reference cases, part A")
    };
    let vector = DVec3::from_array;
    [
        row("impulse", "impulse").in_unit("N·s").relative(
            case.tolerance,
            vector(case.impulse),
            impulse,
        ),
        row("velocity", "velocity after").in_unit("m/s").relative(
            case.tolerance,
            vector(case.velocity),
            state.velocity,
        ),
        row("spin", "angular velocity after").in_unit("rad/s").relative(
            case.tolerance,
            vector(case.spin),
            state.angular_velocity,
        ),
    ]
}

/// The impulse, and the body after it.
fn struck(context: &Context, case: &BodyCase) -> (DVec3, BodyState) {
    let inverse = case.body.inverse_inertia;
    let mass = context.subject.moving(Mass {
        mass: case.body.mass,
        moments: DVec3::from_array([0, 1, 2].map(|i| 1.0 / inverse[i][i])),
        body_from_principal: DQuat::IDENTITY,
    });
    let state = BodyState {
        position: DVec3::ZERO,
        orientation: DQuat::IDENTITY,
        velocity: DVec3::from_array(case.body.velocity),
        angular_velocity: DVec3::from_array(case.body.spin),
    };
    let point = DVec3::from_array(case.body.arm);
    let answer = context.subject.collide(Collision {
        matrix: mass.response(&state, point, point),
        velocity: state.velocity_at(point),
        friction: case.friction,
        restitution: case.restitution,
        law: RestitutionLaw::Stronge,
        least_rebound: 0.0,
    });
    let impulse = Impulse { point, linear: answer.impulse, angular: DVec3::ZERO };
    (answer.impulse, context.subject.state(mass.struck(&state, &impulse)))
}
