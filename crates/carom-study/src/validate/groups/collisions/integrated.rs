//! Collisions at random, against an integration in the normal impulse and exact planar pieces.
//!
//! Errors are shares: of the largest component of the impulse, of the velocity before, and of the larger of the works of
//! compression and friction.

use std::sync::OnceLock;

use oracles::impact::planar::{self, PlanarImpact};
use oracles::impact::samples::{Random, box_corner};
use oracles::impact::{self, Impact, Law, Outcome};

use carom_contact::collision::Answer;

use super::super::super::{Context, Row};
use super::{difference, largest, solve, worse};

pub(super) const INTEGRATED: &str = "oracles::impact: extrapolation in p_z in doubled precision";
const PLANAR: &str = "oracles::impact::planar: exact pieces";
const LAWS: [(Law, &str); 3] =
    [(Law::Stronge, "stronge"), (Law::Poisson, "poisson"), (Law::Newton, "newton")];
const N_CORNERS: u32 = 60;
const N_PLANAR: u32 = 300;
/// What is asked of the solver `[-]`.
pub(super) const ASKED: f64 = 1e-10;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows: Vec<Row> = LAWS.into_iter().map(|law| corners(context, law)).collect();
    rows.push(planes(context));
    rows
}

/// Corners of boxes with the oracle's answers, which are the same for every run.
pub(super) fn references() -> &'static [(Impact, Outcome)] {
    static REFERENCES: OnceLock<Vec<(Impact, Outcome)>> = OnceLock::new();
    REFERENCES.get_or_init(|| {
        let mut random = Random(12);
        let mut all = Vec::new();
        for (law, _) in LAWS {
            for _ in 0..N_CORNERS {
                let impact = box_corner(&mut random, law);
                all.extend(impact::solve(&impact).map(|outcome| (impact, outcome)));
            }
        }
        all
    })
}

fn corners(context: &Context, (law, name): (Law, &str)) -> Row {
    let mut worst = [0.0; 3];
    let mut count = 0;
    for (impact, outcome) in references().iter().filter(|(impact, _)| impact.law == law) {
        let errors = errors(impact, &solve(context, impact), outcome);
        worst = [0, 1, 2].map(|i| worse(worst[i], errors[i]));
        count += 1;
    }
    let what = format!(
        "{count} corners of boxes by the law of {name}: largest errors of impulse, velocity and work"
    );
    let row = Row::case(format!("m1/CR-R14/random/{name}"), what, INTEGRATED);
    row.absolute(ASKED, vec![0.0; 3], worst.to_vec())
}

fn errors(impact: &Impact, got: &Answer, expected: &Outcome) -> [f64; 3] {
    let works = [expected.compression_work, expected.normal_work, expected.friction_work];
    let got_works = [got.compression_work, got.normal_work, got.friction_work];
    let (impulse, velocity) = (got.impulse.to_array(), got.velocity.to_array());
    [
        difference(&impulse, &expected.impulse) / largest(&expected.impulse),
        difference(&velocity, &expected.velocity) / largest(&impact.velocity),
        difference(&got_works, &works) / largest(&works),
    ]
}

/// Contacts in the plane of x and z, with any coupling.
fn planes(context: &Context) -> Row {
    let mut random = Random(13);
    let mut worst = 0.0;
    for number in 0..N_PLANAR {
        let (a, b, c) = (random.scale(0.1, 10.0), random.scale(0.1, 10.0), random.scale(0.1, 10.0));
        let e = 0.99 * (a * c).sqrt() * random.signed();
        let case = PlanarImpact {
            matrix: [a, e, c],
            velocity: [random.signed() * random.scale(0.01, 10.0), -1.0],
            friction: random.scale(0.02, 3.0),
            restitution: random.unit(),
            law: LAWS[number as usize % 3].0,
        };
        worst = worse(worst, planar_error(context, &case, b).unwrap_or(f64::NAN));
    }
    let what = "300 planar contacts: largest error of impulse and velocity";
    Row::case("m1/CR-R14/random/planar", what, PLANAR).absolute(ASKED, 0.0, worst)
}

fn planar_error(context: &Context, case: &PlanarImpact, across: f64) -> Option<f64> {
    let [a, e, c] = case.matrix;
    let exact = planar::solve(case)?;
    let got = solve(
        context,
        &Impact {
            matrix: [[a, 0.0, e], [0.0, across, 0.0], [e, 0.0, c]],
            velocity: [case.velocity[0], 0.0, case.velocity[1]],
            friction: case.friction,
            restitution: case.restitution,
            law: case.law,
        },
    );
    let [px, pz] = exact.impulse;
    let [ux, uz] = exact.velocity;
    let impulse = difference(&got.impulse.to_array(), &[px, 0.0, pz]) / largest(&[px, pz]);
    let velocity = difference(&got.velocity.to_array(), &[ux, 0.0, uz]) / largest(&case.velocity);
    Some(worse(impulse, velocity))
}
