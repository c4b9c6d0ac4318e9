//! First roots of polynomials in Bernstein form.
//!
//! A polynomial lies between its least and its greatest coefficient, so that none is negative where no coefficient is. Otherwise
//! the interval is halved by de Casteljau's triangle and the left half looked at first, until it is as short as the
//! rounding of θ. A half whose coefficients have the wrong sign without reason loses them after a few more halvings, because
//! coefficients approach values with the square of the length.

/// The most coefficients that a function here has.
pub(super) const MOST: usize = 9;

/// Shortest interval that is halved, as a share of a segment.
const SHORTEST: f64 = f64::EPSILON;

/// A function of θ on [0, 1].
#[derive(Clone, Copy, Debug)]
pub(super) struct Bernstein {
    coefficients: [f64; MOST],
    count: usize,
}

impl Bernstein {
    /// start + sign·Σ c_i·B_i.
    pub(super) fn new(start: f64, sign: f64, coefficients: &[f64]) -> Self {
        let mut out = Self { coefficients: [0.0; MOST], count: coefficients.len() };
        for (own, given) in out.coefficients.iter_mut().zip(coefficients) {
            *own = start + sign * given;
        }
        out
    }

    /// The last θ before which the function is nowhere negative, if it is negative somewhere before `until`.
    pub(super) fn first_negative(&self, until: f64) -> Option<f64> {
        self.search(0.0, 1.0, until)
    }

    fn search(&self, from: f64, width: f64, until: f64) -> Option<f64> {
        let own = &self.coefficients[..self.count];
        if from >= until || own.iter().all(|c| *c >= 0.0) {
            return None;
        }
        if own[0] < 0.0 || width <= SHORTEST {
            return Some(from);
        }
        let (left, right) = self.halves();
        let half = 0.5 * width;
        left.search(from, half, until).or_else(|| right.search(from + half, half, until))
    }

    /// First and last entries of de Casteljau's triangle.
    fn halves(&self) -> (Self, Self) {
        let (mut left, mut right) = (*self, *self);
        let last = self.count - 1;
        for level in 1..=last {
            for i in 0..=last - level {
                let mean = 0.5 * (right.coefficients[i] + right.coefficients[i + 1]);
                right.coefficients[i] = mean;
            }
            left.coefficients[level] = right.coefficients[0];
        }
        (left, right)
    }
}
