//! Balls that fall and bounce.

/// A ball that falls on a floor and leaves it with e of its speed each time (B1).
///
/// It falls h in t₁ = √(2h/g). After the n-th impact it leaves at eⁿ·√(2gh), rises e²ⁿ·h, and is back after 2eⁿ·t₁. So the
/// n-th impact is at t₁·(1 + 2e + … + 2eⁿ⁻¹), and all of them are over at t₁·(1 + e)/(1 − e).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BouncingBall {
    /// h, how far it falls at first `[m]`.
    pub drop: f64,
    /// g `[m/s²]`.
    pub gravity: f64,
    /// e, from 0 to 1 `[-]`.
    pub restitution: f64,
}

impl BouncingBall {
    /// t₁ `[s]`.
    fn first_fall(&self) -> f64 {
        (2.0 * self.drop / self.gravity).sqrt()
    }

    /// eⁿ, by multiplication.
    fn power(&self, n: u32) -> f64 {
        (0..n).fold(1.0, |power, _| power * self.restitution)
    }

    /// When it hits the floor for the n-th time, counted from 1 `[s]`.
    pub fn impact_time(&self, n: u32) -> f64 {
        let later: f64 = (1..n).map(|k| self.power(k)).sum();
        self.first_fall() * (1.0 + 2.0 * later)
    }

    /// How fast it leaves its n-th impact `[m/s]`.
    pub fn leaving_speed(&self, n: u32) -> f64 {
        self.power(n) * (2.0 * self.gravity * self.drop).sqrt()
    }

    /// How high it rises after its n-th impact `[m]`.
    pub fn apex(&self, n: u32) -> f64 {
        self.power(n) * self.power(n) * self.drop
    }

    /// When it comes to rest; never if e = 1 `[s]`.
    pub fn end(&self) -> f64 {
        self.first_fall() * (1.0 + self.restitution) / (1.0 - self.restitution)
    }

    /// How high its lowest point is at a time up to the last of so many impacts `[m]`.
    pub fn height(&self, time: f64, n_impacts: u32) -> Option<f64> {
        if time <= self.first_fall() {
            return Some(self.drop - 0.5 * self.gravity * time * time);
        }
        let n = (1..n_impacts).find(|&n| time <= self.impact_time(n + 1))?;
        let since = time - self.impact_time(n);
        Some(since * (self.leaving_speed(n) - 0.5 * self.gravity * since))
    }
}

/// SimBenchmark's "bouncing": equal balls side by side that fall on a plane and bounce without loss.
///
/// Its energies are m·g·z of the centres above the plane plus kinetic energy. Its centres start at H = 5 m, so 49 balls of
/// 10 kg have 49·10·9.81·5 = 24,034.5 J, though with their radius of 0.1 m they fall only 4.9 m. Counted from where the
/// balls touch, the same balls would have 23,553.81 J.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FallingGrid {
    /// How many `[-]`.
    pub n_balls: u32,
    /// Of each `[kg]`.
    pub mass: f64,
    /// Of each `[m]`.
    pub radius: f64,
    /// Height of the centres above the plane at the start `[m]`.
    pub height: f64,
    /// g `[m/s²]`.
    pub gravity: f64,
}

impl FallingGrid {
    /// The benchmark's numbers.
    pub const SIM_BENCHMARK: Self =
        Self { n_balls: 49, mass: 10.0, radius: 0.1, height: 5.0, gravity: 9.81 };

    /// Of all balls, centres counted from the plane; it stays `[J]`.
    pub fn energy(&self) -> f64 {
        f64::from(self.n_balls) * self.mass * self.gravity * self.height
    }

    /// Each ball.
    pub fn ball(&self) -> BouncingBall {
        let drop = self.height - self.radius;
        BouncingBall { drop, gravity: self.gravity, restitution: 1.0 }
    }

    /// Impacts of all balls up to a time `[-]`.
    pub fn n_impacts(&self, time: f64) -> u32 {
        // The n-th is at t₁·(2n − 1).
        let each = 0.5 * (time / self.ball().first_fall() + 1.0);
        self.n_balls * each as u32
    }
}

#[cfg(test)]
mod tests {
    use super::super::assert_prints;
    use super::*;

    const B1: BouncingBall = BouncingBall { drop: 1.0, gravity: 9.81, restitution: 0.5 };

    #[test]
    fn b1_a_ball_dropped_from_a_metre_is_at_rest_after_its_series() {
        assert_prints(B1.end(), 1.3545709, 5e-8);
        let quarter = [0.25, 0.0625, 0.015625];
        assert_eq!([1, 2, 3].map(|n| B1.apex(n)), quarter);
        assert_prints(B1.leaving_speed(1), 0.5 * 19.62_f64.sqrt(), 1e-15);
        // The series comes to its end, and each flight lasts as long as its speed says.
        assert_prints(B1.impact_time(60), B1.end(), 1e-15);
        let flight = B1.impact_time(3) - B1.impact_time(2);
        assert_prints(flight, 2.0 * B1.leaving_speed(2) / 9.81, 1e-14);
    }

    #[test]
    fn heights_meet_the_floor_at_impacts_and_the_apex_between() {
        for n in 1..5 {
            let (one, next) = (B1.impact_time(n), B1.impact_time(n + 1));
            assert!(B1.height(one, 9).unwrap().abs() < 1e-15);
            assert_prints(B1.height(0.5 * (one + next), 9).unwrap(), B1.apex(n), 1e-13);
        }
        assert_eq!(B1.height(0.0, 9), Some(1.0));
        assert_eq!(B1.height(2.0, 9), None);
    }

    #[test]
    fn the_benchmark_counts_energy_from_the_plane() {
        let grid = FallingGrid::SIM_BENCHMARK;
        assert_prints(grid.energy(), 24_034.5, 1e-15);
        let ball = grid.ball();
        let kinetic = 0.5 * 490.0 * ball.leaving_speed(1) * ball.leaving_speed(1);
        let lowest = 490.0 * 9.81 * grid.radius;
        assert_prints(kinetic + lowest, 24_034.5, 1e-14);
        assert_prints(kinetic, 23_553.81, 1e-14);
        assert_eq!(grid.n_impacts(20.0), 490);
        assert!(ball.impact_time(10) < 20.0 && ball.impact_time(11) > 20.0);
    }
}
