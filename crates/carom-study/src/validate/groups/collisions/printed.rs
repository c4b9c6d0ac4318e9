//! The guide's vectors, to the digits that it prints.

use oracles::impact::cases::{VECTORS, Vector};

use carom_contact::collision::Ending;

use super::super::super::{Context, Row};
use super::{both, solve};

const SOURCE: &str =
    "guide to Mirtich 1996, section 20: an integration in p_z, refined to 7 digits";

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows: Vec<Row> = VECTORS.iter().map(|vector| row(context, vector)).collect();
    rows.push(endings(context));
    rows
}

fn row(context: &Context, vector: &Vector) -> Row {
    let got = solve(context, &vector.impact());
    let what = format!("vector {} ({}): impulse and velocity after", vector.id, vector.pattern);
    Row::case(format!("m1/CR-R14/{}", vector.id), what, SOURCE).absolute(
        Vector::DIGITS,
        both(vector.impulse, vector.after),
        both(got.impulse, got.velocity),
    )
}

/// B2 is left out: it starts 10⁻¹⁰ beside its ray, and so passes by the end of sliding rather than through it.
fn endings(context: &Context) -> Row {
    let vectors = VECTORS.iter().filter(|vector| vector.id != "B2");
    let is_as_printed = |vector: &Vector| {
        let expected = match vector.pattern.chars().last() {
            Some('S') => Ending::Sticks,
            Some('D') => Ending::Diverges,
            _ => Ending::Slides,
        };
        solve(context, &vector.impact()).ending == expected
    };
    let count = vectors.filter(|vector| is_as_printed(vector)).count();
    let what = "vectors that slide, stick and diverge at the end as printed";
    Row::case("m1/CR-R11/endings", what, SOURCE).absolute(0.0, 13.0, count as f64)
}
