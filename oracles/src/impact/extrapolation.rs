//! One step of an ordinary differential equation by extrapolation (Gragg 1965; Bulirsch and Stoer 1966).
//!
//! The midpoint rule z₁ = z₀ + h·f(z₀), z_{m+1} = z_{m−1} + 2h·f(z_m) crosses a step of length H in n = H/h substeps. For
//! even n the error of z_n is a series in h². With n_j = 2, 4, 6, … Neville's scheme removes a term of it per column:
//!
//! T_{j,0} = z_{n_j},   T_{j,k} = T_{j,k−1} + (T_{j,k−1} − T_{j−1,k−1})·n_{j−k}²/(n_j² − n_{j−k}²).
//!
//! The last entry of the last row is of order twice the number of columns. The difference from the entry before it is
//! the error of that one, which is far larger.

use crate::doubled::Doubled;

use super::tolerances::N_COLUMNS;

/// What is integrated: u_x, u_y, u_z, the work of the normal impulse, and that of friction.
pub(super) type State = [Doubled; 5];

/// The end of a step, and by how much the last column moved it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub end: State,
    pub moved: State,
}

/// One step of length `length` from `start`.
pub(super) fn step(rate: &impl Fn(&State) -> State, start: &State, length: Doubled) -> Step {
    let mut above: Vec<State> = Vec::new();
    let mut moved = [Doubled::ZERO; 5];
    for j in 0..N_COLUMNS {
        let mut row = vec![midpoint(rate, start, length, 2 * (j + 1))];
        for k in 1..=j {
            let (fine, coarse) = ((j + 1) as f64, (j - k + 1) as f64);
            let weight =
                Doubled::from(coarse * coarse) / Doubled::from((fine - coarse) * (fine + coarse));
            let last = row[k - 1];
            moved = combined(&last, -Doubled::ONE, &above[k - 1]).map(|change| change * weight);
            row.push(combined(&last, Doubled::ONE, &moved));
        }
        above = row;
    }
    Step { end: above[N_COLUMNS - 1], moved }
}

fn midpoint(
    rate: &impl Fn(&State) -> State,
    start: &State,
    length: Doubled,
    n_substeps: usize,
) -> State {
    let substep = length / Doubled::from(n_substeps as f64);
    let mut before = *start;
    let mut here = combined(start, substep, &rate(start));
    for _ in 1..n_substeps {
        let next = combined(&before, substep + substep, &rate(&here));
        (before, here) = (here, next);
    }
    here
}

/// a + weight·b.
fn combined(a: &State, weight: Doubled, b: &State) -> State {
    [0, 1, 2, 3, 4].map(|i| a[i] + weight * b[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_of_a_tenth_is_exact_to_25_digits() {
        // x' = −y, y' = x, and w' = 2·(x² + y²)·t with t' = 1.
        let rate = |s: &State| {
            let two = Doubled::from(2.0);
            [-s[1], s[0], Doubled::ONE, two * (s[0] * s[0] + s[1] * s[1]) * s[2], Doubled::ZERO]
        };
        let start = [1.0, 0.0, 0.0, 0.0, 7.0].map(Doubled::from);
        let tenth = Doubled::from(1.0) / Doubled::from(10.0);
        let there = step(&rate, &start, tenth).end;
        // Once more with the same length, back to where it came from.
        let back = step(&rate, &there, -tenth).end;
        for (got, expected) in back.iter().zip(start) {
            assert!((*got - expected).abs().value() < 1e-25, "{got:?} instead of {expected:?}");
        }
        assert!((there[0].value() - libm::cos(0.1)).abs() < 1e-15);
        assert!((there[3] - tenth * tenth).abs().value() < 1e-25);
        assert_eq!(there[4].value(), 7.0);
    }
}
