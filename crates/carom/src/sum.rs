//! Sums that keep their small terms.

/// A running sum with Neumaier's correction: exact to one rounding of the result for any number of terms of
/// the size of the ledger's, whatever the order of their sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sum {
    pub(crate) total: f64,
    pub(crate) correction: f64,
}

impl Sum {
    pub(crate) fn add(&mut self, term: f64) {
        let total = self.total + term;
        self.correction += if self.total.abs() >= term.abs() {
            (self.total - total) + term
        } else {
            (term - total) + self.total
        };
        self.total = total;
    }

    pub(crate) fn value(&self) -> f64 {
        self.total + self.correction
    }
}

impl FromIterator<f64> for Sum {
    fn from_iter<I: IntoIterator<Item = f64>>(terms: I) -> Self {
        let mut sum = Self::default();
        for term in terms {
            sum.add(term);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_terms_survive_large_ones() {
        let sum: Sum = [1.0, 1e100, 1.0, -1e100].into_iter().collect();
        assert_eq!(sum.value(), 2.0);
    }
}
