//! First roots of polynomials in Bernstein form.
//!
//! A polynomial lies between its least and its greatest coefficient, so that none is negative where no coefficient is. Otherwise
//! the interval is halved by de Casteljau's triangle and the left half looked at first, until it is as short as the
//! rounding of θ. A half whose coefficients have the wrong sign without reason loses them after a few more halvings, because
//! coefficients approach values with the square of the length.

/// The most coefficients that a function here has.
pub(in crate::linkage) const MOST: usize = 9;

/// Shortest interval that is halved, as a share of a segment.
const SHORTEST: f64 = f64::EPSILON;

/// A function of θ on [0, 1].
#[derive(Clone, Copy, Debug)]
pub(in crate::linkage) struct Bernstein {
    coefficients: [f64; MOST],
    count: usize,
}

impl Bernstein {
    /// start + sign·Σ c_i·B_i.
    pub(in crate::linkage) fn new(start: f64, sign: f64, coefficients: &[f64]) -> Self {
        let mut out = Self { coefficients: [0.0; MOST], count: coefficients.len() };
        for (own, given) in out.coefficients.iter_mut().zip(coefficients) {
            *own = start + sign * given;
        }
        out
    }

    /// The last θ before which the function is nowhere negative, if it is negative somewhere before `until`.
    pub(in crate::linkage) fn first_negative(&self, until: f64) -> Option<f64> {
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

#[cfg(test)]
mod tests {
    use super::{Bernstein, MOST};
    use crate::tree::tests::for_all;

    impl Bernstein {
        fn at(&self, theta: f64) -> f64 {
            let mut c = self.coefficients;
            for level in 1..self.count {
                for i in 0..self.count - level {
                    c[i] = (1.0 - theta) * c[i] + theta * c[i + 1];
                }
            }
            c[0]
        }
    }

    #[test]
    fn nothing_is_negative_before_the_first_root_and_something_just_after() {
        let coefficients = proptest::collection::vec(-0.4..1.0_f64, 2..=MOST);
        let found = std::cell::Cell::new([0; 2]);
        for_all(2000, &coefficients, |coefficients| {
            let function = Bernstein::new(0.0, 1.0, &coefficients);
            let root = function.first_negative(1.0);
            let clear = root.unwrap_or(1.0);
            for k in 0..=500 {
                let value = function.at(clear * f64::from(k) / 500.0);
                assert!(coefficients[0] < 0.0 || value > -1e-14, "{value:e} of {coefficients:?}");
            }
            if let Some(root) = root {
                let beyond = function.at(root + 1e-7);
                assert!(beyond < 1e-14, "{beyond:e} of {coefficients:?}");
            }
            let [some, none] = found.get();
            let has = usize::from(root.is_some());
            found.set([some + has, none + 1 - has]);
        });
        println!("{:?} with and without a root", found.get());
    }

    #[test]
    fn a_dip_as_short_as_a_millionth_is_found() {
        // (θ − 0.37)² − 2.5e-13, a dip of 10⁻⁶ in length.
        let [center, depth] = [0.37_f64, 2.5e-13];
        let ends = [center * center - depth, (1.0 - center) * (1.0 - center) - depth];
        let function = Bernstein::new(0.0, 1.0, &[ends[0], ends[0] - center, ends[1]]);
        let root = function.first_negative(1.0).unwrap();
        println!("found {:.2e} before its middle", center - root);
        assert!((center - root - 5e-7).abs() < 1e-9);
    }
}
