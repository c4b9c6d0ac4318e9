//! Impulses that reverse a velocity, which do no work (MC-R2).

use glam::{DMat3, DVec3};
use oracles::impact::micro::{needed_friction, reversing_impulse};
use oracles::impact::samples::{Random, box_corner};
use oracles::impact::{Impact, Law};

use super::super::super::{Context, Row};
use super::{difference, largest, worse};

const SOURCE: &str = "oracles::impact::micro: −2·K⁻¹·u in doubled precision";
const COROLLARY: &str = "thesis, corollary 1";
const N_CORNERS: u32 = 1000;
/// How close to the least friction with which it is possible the impulse is asked for, above and below `[-]`.
const NEAR: f64 = 1e-9;

/// What came of all corners.
#[derive(Default)]
struct Sums {
    n_wrong: f64,
    impulse: f64,
    velocity: f64,
    work: f64,
}

pub(super) fn rows(context: &Context) -> [Row; 3] {
    let mut random = Random(16);
    let mut sums = Sums::default();
    for _ in 0..N_CORNERS {
        sums.add(context, &box_corner(&mut random, Law::Stronge));
    }
    let row = |key: &str, what: &str, source: &str| {
        let what =
            format!("{N_CORNERS} corners of boxes, reversed with just enough friction: {what}");
        Row::case(format!("m1/MC-R2/{key}"), what, source)
    };
    // Entries of K differ by a factor of up to 900, which is what its inverse makes of rounding.
    let rounding = 1e-12;
    [
        row("cone", "allowed with too little, or refused with enough", SOURCE).absolute(
            0.0,
            0.0,
            sums.n_wrong,
        ),
        row("impulse", "largest errors of the impulse and of u + u₀, as shares", SOURCE).absolute(
            rounding,
            vec![0.0; 2],
            vec![sums.impulse, sums.velocity],
        ),
        row("work", "largest work, as a share of what its parts do", COROLLARY)
            .absolute(rounding, 0.0, sums.work),
    ]
}

impl Sums {
    fn add(&mut self, context: &Context, impact: &Impact) {
        let matrix = DMat3::from_cols_array_2d(&impact.matrix);
        let before = DVec3::from_array(impact.velocity);
        let reversed = |friction| context.subject.reverse(&matrix, before, friction);
        let expected = reversing_impulse(&impact.matrix, impact.velocity);
        let Some(needed) = needed_friction(expected) else {
            self.n_wrong += f64::from(u8::from(reversed(impact.friction).is_some()));
            return;
        };
        let is_refused = reversed(needed * (1.0 - NEAR)).is_none();
        let Some(got) = reversed(needed * (1.0 + NEAR)).filter(|_| is_refused) else {
            self.n_wrong += 1.0;
            return;
        };
        let after = before + matrix * got;
        let mean = 0.5 * (before + after);
        let parts = before.abs().dot(got.abs());
        let error = difference(&got.to_array(), &expected) / largest(&expected);
        self.impulse = worse(self.impulse, error);
        self.velocity = worse(self.velocity, (after + before).length() / before.length());
        // No impulse does no work, but reverses nothing either.
        self.work = worse(self.work, if parts > 0.0 { mean.dot(got).abs() / parts } else { 1.0 });
    }
}
