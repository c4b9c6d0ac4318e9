//! The same collision seen differently: turned, from the other body, faster (CR-R12, CR-R13).
//!
//! What comes out is turned or scaled back and compared with the oracle's answer to the question as it was.

use glam::{DMat3, DVec3};
use oracles::impact::samples::Random;
use oracles::impact::{Impact, Outcome};

use super::super::super::{Context, Row};
use super::integrated::{ASKED, INTEGRATED, references};
use super::{difference, largest, solve, worse};

pub(super) fn rows(context: &Context) -> [Row; 3] {
    let mut random = Random(31);
    let mut worst = [0.0; 3];
    for (impact, outcome) in references() {
        let turn = DMat3::from_rotation_z(std::f64::consts::PI * random.signed());
        // From B's side z points the other way, and so does u; turning about x makes that the same problem.
        let swap = -DMat3::from_diagonal(DVec3::new(1.0, -1.0, -1.0));
        let size = random.scale(1e-6, 1e6);
        let off = [
            turned(context, impact, outcome, &turn),
            turned(context, impact, outcome, &swap),
            scaled(context, impact, outcome, size),
        ];
        worst = [0, 1, 2].map(|i| worse(worst[i], off[i]));
    }
    let count = references().len();
    let row = |id: &str, what: &str, got: f64| {
        let what = format!("{count} corners of boxes {what}: largest error of impulse, as a share");
        Row::case(format!("m1/{id}"), what, INTEGRATED).absolute(ASKED, 0.0, got)
    };
    [
        row("CR-R12/tangents", "with other tangents", worst[0]),
        row("CR-R12/swapped", "seen from the other body", worst[1]),
        row("CR-R13", "a millionth to a million times as fast", worst[2]),
    ]
}

fn turned(context: &Context, impact: &Impact, outcome: &Outcome, axes: &DMat3) -> f64 {
    let matrix = *axes * DMat3::from_cols_array_2d(&impact.matrix) * axes.transpose();
    let velocity = *axes * DVec3::from_array(impact.velocity);
    let asked =
        Impact { matrix: matrix.to_cols_array_2d(), velocity: velocity.to_array(), ..*impact };
    off(axes.transpose() * solve(context, &asked).impulse, outcome)
}

fn scaled(context: &Context, impact: &Impact, outcome: &Outcome, size: f64) -> f64 {
    let asked = Impact { velocity: impact.velocity.map(|it| size * it), ..*impact };
    off(solve(context, &asked).impulse / size, outcome)
}

fn off(impulse: DVec3, outcome: &Outcome) -> f64 {
    difference(&impulse.to_array(), &outcome.impulse) / largest(&outcome.impulse)
}
