//! The guide's checklist RB-R1 and RB-R2: a thrown body and a tumbling box.

use glam::{DMat3, DQuat, DVec3};

use carom_dynamics::{Ballistic, BodyState, FreeRotation};

use super::super::{Context, Row};
use super::{attitude, body_of};

const BY_HAND: &str = "guide to Mirtich 1996, checklist RB-R1: parabola by hand";
const INVARIANTS: &str = "guide to Mirtich 1996, checklist RB-R2: invariants by hand";

pub(super) fn rows(context: &Context) -> Vec<Row> {
    [thrown(context), tumbling(context)].concat()
}

/// RB-R1: from (1, 0, 4) with (2, 1, 8) m/s under 8 m/s² for 3 s: (1 + 6, 3, 4 + 24 − 36).
fn thrown(context: &Context) -> Vec<Row> {
    let gravity = context.subject.gravity(DVec3::new(0.0, 0.0, -8.0));
    let mass = body_of(context, [1.0, 2.0, 3.0]);
    let start = BodyState {
        position: DVec3::new(1.0, 0.0, 4.0),
        orientation: DQuat::IDENTITY,
        velocity: DVec3::new(2.0, 1.0, 8.0),
        angular_velocity: DVec3::new(3.0, -1.0, 2.0),
    };
    let end = |parts: u32| {
        let mut flight = Ballistic::new(0.0, start, gravity, &mass);
        for cut in 1..parts {
            // Golden shares: no two parts are alike, and no cut is a short binary number.
            let share = libm::fmod(f64::from(cut) * 0.618033988749895, 1.0);
            let time = 3.0 * (f64::from(cut) + share - 0.5) / f64::from(parts);
            flight = Ballistic::new(time, flight.state_at(time), gravity, &mass);
        }
        context.subject.state(flight.state_at(context.subject.time(3.0)))
    };
    [1, 10, 1000]
        .map(|parts| {
            let what = format!("a throw of 3 s, cut into {parts}: position, then velocity");
            let row = Row::case(format!("m1/RB-R1/{parts}"), what, BY_HAND).in_unit("m, m/s");
            let end = end(parts);
            let got = [end.position.to_array(), end.velocity.to_array()].concat();
            // The checklist's own figure; a thousand restarts round by 1e-13.
            row.relative(1e-12, vec![7.0, 3.0, -8.0, 2.0, 1.0, -16.0], got)
        })
        .to_vec()
}

/// RB-R2: a box of edges 1, 2, 3 and mass 12 has moments 5, 10, 13; 10 rad/s along (1, 1, 1).
///
/// E = ½·28·100/3 and L = (50, 100, 130)/√3, with 1/√3 = 0.5773502691896258.
fn tumbling(context: &Context) -> Vec<Row> {
    let moments = [5.0, 10.0, 13.0];
    let share = 0.5773502691896258;
    let mass = body_of(context, moments);
    let rotation = FreeRotation::new(&mass, DQuat::IDENTITY, 10.0 * share * DVec3::ONE);
    let rows = [10.0, 1000.0].map(|time| {
        let (orientation, rates) = attitude(context, &rotation, time);
        let axes = DMat3::from_quat(orientation);
        let momentum = axes * (DVec3::from_array(moments) * (axes.transpose() * rates));
        let row = |key: &str, what: &str| {
            let what = format!("a tumbling box after {time} s: {what}");
            Row::case(format!("m1/RB-R2/{key}-{time}"), what, INVARIANTS)
        };
        // The checklist asks for 1e-8; rounding of one evaluation is what is left.
        [
            row("energy", "energy").in_unit("J").relative(
                1e-13,
                1400.0 / 3.0,
                0.5 * momentum.dot(rates),
            ),
            row("momentum", "angular momentum").in_unit("kg·m²/s").relative(
                1e-13,
                share * DVec3::new(50.0, 100.0, 130.0),
                momentum,
            ),
        ]
    });
    rows.concat()
}
