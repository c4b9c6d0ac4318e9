//! Numbers that must lie in a range.

use glam::DVec3;

use super::{Builder, WHOLE_NUMBER};
use crate::decode::{Number, Vector};
use crate::problem::Problem;

impl Builder<'_, '_> {
    /// A number above zero.
    pub(super) fn positive(&mut self, number: &Number, key: &str) -> Option<f64> {
        self.in_range(number, key, |value| value > 0.0, "must be positive")
    }

    /// A number from zero on.
    pub(super) fn not_negative(&mut self, number: &Number, key: &str) -> Option<f64> {
        self.in_range(number, key, |value| value >= 0.0, "must not be negative")
    }

    /// A number from 0 to 1.
    pub(super) fn share(&mut self, number: &Number, key: &str) -> Option<f64> {
        self.in_range(number, key, |value| (0.0..=1.0).contains(&value), "must lie between 0 and 1")
    }

    /// A whole number from 0 to `most`.
    pub(super) fn whole(&mut self, number: &Number, key: &str, most: f64) -> Option<u64> {
        let is_whole =
            |value: f64| (value - value.round()).abs() <= WHOLE_NUMBER && value.round() >= 0.0;
        let value = self.in_range(number, key, is_whole, "must be a whole number from 0")?;
        if value > most {
            self.error(number.place, format!("`{key}` is {value}, but must be at most {most}"));
            return None;
        }
        Some(value.round() as u64)
    }

    fn in_range(
        &mut self,
        number: &Number,
        key: &str,
        is_in: impl Fn(f64) -> bool,
        rule: &str,
    ) -> Option<f64> {
        let value = self.number(number)?;
        if is_in(value) {
            return Some(value);
        }
        let problem = Problem::error(number.place, format!("`{key}` {rule}"))
            .label(if value == 0.0 { "this is 0".to_owned() } else { format!("this is {value}") });
        self.report(problem);
        None
    }

    /// Three numbers above zero.
    pub(super) fn positive_vector(&mut self, vector: &Vector, key: &str) -> Option<DVec3> {
        let [x, y, z] = vector.values.as_ref();
        let parts = [self.positive(x, key), self.positive(y, key), self.positive(z, key)];
        Some(DVec3::new(parts[0]?, parts[1]?, parts[2]?))
    }

    /// A vector scaled to length 1.
    pub(super) fn direction(&mut self, vector: &Vector, key: &str) -> Option<DVec3> {
        let value = self.vector(vector)?;
        // Scaled first, so that neither tiny nor huge components are lost in the squares.
        let largest = value.abs().max_element();
        let unit = (value / largest).try_normalize().filter(|unit| unit.is_finite());
        if unit.is_none() {
            let problem = Problem::error(vector.place, format!("`{key}` has no direction"))
                .label("this has no length")
                .hint("give a vector that is not zero, such as [0, 0, 1]");
            self.report(problem);
        }
        unit
    }
}
