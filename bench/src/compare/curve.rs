//! Reading a ratio of costs off curves of error against cost.
//!
//! Ours is one point, (C, ε). A peer has a point for each step size. Between two neighbours in cost its curve is a straight
//! line in logarithms, and where it passes ε it has the cost C' at equal error: the ratio is C'/C. A peer whose coarsest step
//! is better than ε is read there, which is in its disfavour by less than a coarser step would gain. A peer that never reaches
//! ε is read at its least error: then the ratio of costs is for a worse answer.

use serde::Serialize;

/// Errors below this count as this: logarithms need a floor. Far below any error that is measured, of numbers near one.
pub const LEAST_ERROR: f64 = 1e-300;

/// One run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// Time it took `[s]`.
    pub cost: f64,
    /// How far it was off, in the unit of the quantity.
    pub error: f64,
}

/// What the two curves say.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reading {
    /// Whether the peer reaches our error.
    pub at_equal_error: bool,
    /// The peer's cost where it is read `[s]`.
    pub peer_cost: f64,
    /// Its error there.
    pub peer_error: f64,
    /// Its cost as a multiple of ours; below 1 it is cheaper.
    pub cost_ratio: f64,
    /// Its error as a multiple of ours; none where ours is zero.
    pub error_ratio: Option<f64>,
}

impl Reading {
    /// Whether the peer is as exact as ours, and cheaper.
    pub fn peer_wins(&self) -> bool {
        self.at_equal_error && self.cost_ratio < 1.0
    }
}

/// Reads the ratio; none without a point of the peer that has an error.
pub fn read(ours: Point, peer: &[Point]) -> Option<Reading> {
    let mut points: Vec<Point> = peer.iter().copied().filter(|it| it.error.is_finite()).collect();
    points.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    let reaches = points.iter().position(|point| point.error <= ours.error);
    let (at, equal) = match reaches {
        Some(0) => (points[0], true),
        Some(index) => (crossing(points[index - 1], points[index], ours.error), true),
        None => (points.into_iter().min_by(|a, b| a.error.total_cmp(&b.error))?, false),
    };
    Some(Reading {
        at_equal_error: equal,
        peer_cost: at.cost,
        peer_error: at.error,
        cost_ratio: at.cost / ours.cost,
        error_ratio: (ours.error > 0.0).then(|| at.error / ours.error),
    })
}

/// Where the straight line through two points, in logarithms, has an error; the first is above it, the second not.
fn crossing(above: Point, below: Point, error: f64) -> Point {
    let log = |x: f64| libm::log(x.max(LEAST_ERROR));
    let (high, low) = (log(above.error), log(below.error));
    let share = if high > low { (high - log(error)) / (high - low) } else { 1.0 };
    let cost = libm::exp(log(above.cost) + share * (log(below.cost) - log(above.cost)));
    Point { cost, error }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: Point = Point { cost: 2.0, error: 1e-3 };

    fn line(points: &[(f64, f64)]) -> Vec<Point> {
        points.iter().map(|&(cost, error)| Point { cost, error }).collect()
    }

    #[test]
    fn a_peer_of_first_order_is_read_where_its_line_passes_our_error() {
        // error·cost = 0.1, so that 1e-3 costs 100, though no step was measured there; order of the steps does not matter.
        let peer = line(&[(1000.0, 1e-4), (1.0, 1e-1), (10.0, 1e-2)]);
        let reading = read(OURS, &peer).unwrap();
        assert!(reading.at_equal_error && !reading.peer_wins());
        assert!((reading.cost_ratio - 50.0).abs() < 1e-9, "{reading:?}");
        assert!((reading.error_ratio.unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_peer_that_never_reaches_our_error_is_read_at_its_best() {
        let peer = line(&[(1.0, 0.5), (10.0, 0.05), (100.0, 0.2)]);
        let reading = read(OURS, &peer).unwrap();
        assert!(!reading.at_equal_error && !reading.peer_wins());
        assert_eq!((reading.peer_cost, reading.peer_error, reading.cost_ratio), (10.0, 0.05, 5.0));
        // Cheaper and worse is no win.
        let cheap = read(OURS, &line(&[(0.1, 0.5)])).unwrap();
        assert!(cheap.cost_ratio < 1.0 && !cheap.peer_wins());
    }

    #[test]
    fn a_peer_that_is_better_at_its_coarsest_step_is_read_there_and_wins_if_cheaper() {
        let reading = read(OURS, &line(&[(0.5, 1e-4), (5.0, 1e-5)])).unwrap();
        assert!(reading.peer_wins());
        assert_eq!((reading.peer_cost, reading.cost_ratio), (0.5, 0.25));
    }

    #[test]
    fn errors_of_zero_and_of_no_number_are_read_without_trouble() {
        let exact = Point { cost: 1.0, error: 0.0 };
        let reading = read(exact, &line(&[(1.0, 0.1), (3.0, 0.0)])).unwrap();
        assert!(reading.at_equal_error);
        assert_eq!(reading.error_ratio, None);
        assert!((reading.cost_ratio - 3.0).abs() < 1e-9, "{reading:?}");
        assert_eq!(read(OURS, &line(&[(1.0, f64::NAN)])), None);
        assert_eq!(read(OURS, &[]), None);
    }
}
