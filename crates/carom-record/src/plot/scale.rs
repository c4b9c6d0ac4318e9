//! From numbers to places along an axis.

use super::Axis;
use super::ticks::{LARGEST, SMALLEST, Tick, Ticks, linear, logarithmic};

/// An axis with its ends and marks.
pub(super) struct Scale {
    is_logarithmic: bool,
    ends: [f64; 2],
    pub(super) ticks: Vec<Tick>,
    /// Where its ends lie `[px]`.
    places: [f64; 2],
}

impl Scale {
    /// An axis over numbers, those that it cannot show left out; its ends still without a place.
    pub(super) fn new(axis: &Axis, numbers: &[f64]) -> Self {
        let is_shown = |number: &f64| shows(axis.is_logarithmic, *number);
        let given = axis.range.filter(|range| range.iter().all(is_shown));
        let numbers = numbers.iter().copied().chain(given.into_iter().flatten()).filter(is_shown);
        let (low, high) = numbers
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| {
                (low.min(number), high.max(number))
            });
        let stretch = if low <= high { [low, high] } else { [1.0, 10.0] };
        let Ticks { ends, ticks } =
            if axis.is_logarithmic { logarithmic(stretch) } else { linear(stretch) };
        Self { is_logarithmic: axis.is_logarithmic, ends, ticks, places: [0.0, 1.0] }
    }

    /// Lays its ends down.
    pub(super) fn lay(&mut self, from: f64, to: f64) {
        self.places = [from, to];
    }

    /// Widens one of two linear axes, so that a unit is as long on both.
    pub(super) fn equal(x: &mut Self, y: &mut Self) {
        let [along_x, along_y] = [&*x, &*y].map(Self::pixels_per_unit);
        if x.is_logarithmic || y.is_logarithmic {
            return;
        }
        if along_x > along_y {
            x.widen(along_x / along_y);
        } else {
            y.widen(along_y / along_x);
        }
    }

    fn pixels_per_unit(&self) -> f64 {
        (self.places[1] - self.places[0]).abs() / (self.ends[1] - self.ends[0])
    }

    /// So many times as wide around its middle, with the same marks and others beyond.
    fn widen(&mut self, factor: f64) {
        let [low, high] = self.ends;
        let more = 0.5 * (factor - 1.0) * (high - low);
        if !(more.is_finite() && more > 0.0) {
            return;
        }
        self.ends = [low - more, high + more];
        self.ticks = linear(self.ends).ticks;
        self.ticks.retain(|tick| (self.ends[0]..=self.ends[1]).contains(&tick.at));
    }

    /// Where a number lies; none if it cannot be shown `[px]`.
    pub(super) fn place(&self, number: f64) -> Option<f64> {
        if !shows(self.is_logarithmic, number) {
            return None;
        }
        let along = |x: f64| if self.is_logarithmic { libm::log10(x) } else { x };
        let [low, high] = self.ends.map(along);
        let share = (along(number) - low) / (high - low);
        let [from, to] = self.places;
        Some(from + share * (to - from))
    }
}

fn shows(is_logarithmic: bool, number: f64) -> bool {
    if is_logarithmic { (SMALLEST..=LARGEST).contains(&number) } else { number.abs() <= LARGEST }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_even_in_differences_or_in_ratios() {
        let mut linear = Scale::new(&Axis::linear(""), &[0.0, 10.0, f64::NAN]);
        linear.lay(100.0, 200.0);
        assert_eq!([0.0, 2.5, 10.0].map(|x| linear.place(x)), [100.0, 125.0, 200.0].map(Some));
        assert_eq!(linear.place(f64::INFINITY), None);
        let mut logarithmic = Scale::new(&Axis::logarithmic(""), &[0.01, 100.0, -1.0, 0.0]);
        logarithmic.lay(0.0, 4.0);
        assert_eq!([0.1, 1.0, 10.0].map(|x| logarithmic.place(x)), [1.0, 2.0, 3.0].map(Some));
        assert_eq!([0.0, -1.0].map(|x| logarithmic.place(x)), [None, None]);
    }

    #[test]
    fn a_range_is_the_least_that_is_shown() {
        let mut scale = Scale::new(&Axis::linear("").range(0.0, 10.0), &[3.0, 4.0]);
        scale.lay(0.0, 1.0);
        assert_eq!([0.0, 10.0].map(|x| scale.place(x)), [0.0, 1.0].map(Some));
    }
}
