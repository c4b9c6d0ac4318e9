//! Balls and discs that roll, or come to roll.
//!
//! A solid ball has I = (2/5)·m·r². A force F at its lowest point accelerates the centre by F/m and the surface there,
//! relative to the centre, by F·r²/I = (5/2)·F/m in the same direction; together 7/2.

/// A solid ball thrown along a floor (C3).
///
/// Friction decelerates the centre by μg and the sliding of the lowest point by (7/2)·μg, at a constant direction. So the
/// sliding speed w is used up at t = 2w/(7μg); the centre has then lost (2/7)·w.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlidingBall {
    /// Of the centre, along x and y `[m/s]`.
    pub velocity: [f64; 2],
    /// Of the lowest point relative to the centre; 0 without spin, −velocity if it rolls `[m/s]`.
    pub surface: [f64; 2],
    /// μ `[-]`.
    pub friction: f64,
    /// g `[m/s²]`.
    pub gravity: f64,
}

impl SlidingBall {
    fn sliding(&self) -> [f64; 2] {
        [0, 1].map(|i| self.velocity[i] + self.surface[i])
    }

    /// When it begins to roll `[s]`.
    pub fn rolls_after(&self) -> f64 {
        let [x, y] = self.sliding();
        2.0 * libm::hypot(x, y) / (7.0 * self.friction * self.gravity)
    }

    /// Velocity of the centre from then on `[m/s]`.
    pub fn rolling(&self) -> [f64; 2] {
        let sliding = self.sliding();
        [0, 1].map(|i| self.velocity[i] - 2.0 / 7.0 * sliding[i])
    }

    /// Way of the centre until then `[m]`.
    pub fn way(&self) -> [f64; 2] {
        let (time, rolling) = (self.rolls_after(), self.rolling());
        [0, 1].map(|i| 0.5 * (self.velocity[i] + rolling[i]) * time)
    }
}

/// A solid ball let go on a slope (C4).
///
/// Rolling, it accelerates by (5/7)·g·sin ϑ and needs friction (2/7)·m·g·sin ϑ, so μ ≥ (2/7)·tan ϑ. With less it slides
/// with g·(sin ϑ − μ·cos ϑ), and its spin grows by (5/2)·μ·g·cos ϑ / r.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallOnSlope {
    /// ϑ `[rad]`.
    pub angle: f64,
    /// μ `[-]`.
    pub friction: f64,
    /// g `[m/s²]`.
    pub gravity: f64,
}

impl BallOnSlope {
    /// Friction from which on it rolls `[-]`.
    pub fn least_friction(&self) -> f64 {
        2.0 / 7.0 * libm::tan(self.angle)
    }

    /// Of the centre, downhill `[m/s²]`.
    pub fn acceleration(&self) -> f64 {
        let (sin, cos) = libm::sincos(self.angle);
        let friction = self.friction.min(self.least_friction());
        self.gravity * (sin - friction * cos)
    }

    /// Angular acceleration times the radius `[m/s²]`.
    pub fn spin_acceleration(&self) -> f64 {
        let friction = self.friction.min(self.least_friction());
        2.5 * friction * self.gravity * libm::cos(self.angle)
    }
}

/// A solid ball that rolls on a turntable (C5; Weckesser 1997).
///
/// Let the table turn at Ω about z. Rolling means v − r·ω × ẑ = Ω·ẑ × x. The force F of the table gives m·v' = F and
/// I·ω' = −r·ẑ × F, so the derivative of the condition is v' + (5/2)·v' = Ω·ẑ × v: the velocity turns at the rate (2/7)·Ω,
/// and the centre runs round a circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallOnTurntable {
    /// Ω `[rad/s]`.
    pub rate: f64,
    /// Of the ball `[m]`.
    pub radius: f64,
    /// Of its centre from the axis at the start `[m]`.
    pub position: [f64; 2],
    /// Of its centre at the start, in the room's frame `[m/s]`.
    pub velocity: [f64; 2],
}

impl BallOnTurntable {
    /// (2/7)·Ω `[rad/s]`.
    pub fn orbit_rate(&self) -> f64 {
        2.0 / 7.0 * self.rate
    }

    /// For one round `[s]`.
    pub fn period(&self) -> f64 {
        2.0 * std::f64::consts::PI / self.orbit_rate().abs()
    }

    /// Of the circle `[m]`.
    pub fn circle_radius(&self) -> f64 {
        libm::hypot(self.velocity[0], self.velocity[1]) / self.orbit_rate().abs()
    }

    /// Centre of the circle `[m]`.
    pub fn circle_center(&self) -> [f64; 2] {
        let [x, y] = self.position;
        let [vx, vy] = self.velocity;
        [x - vy / self.orbit_rate(), y + vx / self.orbit_rate()]
    }

    /// Where its centre is at a time, and how fast `[m]`, `[m/s]`.
    pub fn at(&self, time: f64) -> ([f64; 2], [f64; 2]) {
        let (sin, cos) = libm::sincos(self.orbit_rate() * time);
        let [vx, vy] = self.velocity;
        let velocity = [vx * cos - vy * sin, vx * sin + vy * cos];
        let [cx, cy] = self.circle_center();
        let position = [cx + velocity[1] / self.orbit_rate(), cy - velocity[0] / self.orbit_rate()];
        (position, velocity)
    }

    /// Horizontal angular velocity with which a ball rolls at a place, if its centre moves so `[rad/s]`.
    pub fn rolling_spin(&self, [x, y]: [f64; 2], [vx, vy]: [f64; 2]) -> [f64; 2] {
        [(self.rate * x - vy) / self.radius, (vx + self.rate * y) / self.radius]
    }
}

/// A thin disc that rolls on its rim with its centre at rest (C10; Moffatt 2000).
///
/// Its plane makes the angle α with the floor, and the point of contact runs round at Ω. The centre and the point of
/// contact are at rest, so the disc turns about the line between them, which is a diameter: ω = Ω·sin α, and
/// L = (m·R²/4)·Ω·sin α along it. Its horizontal part L·cos α turns at Ω, which the moment m·g·R·cos α of the floor does:
/// Ω²·sin α = 4g/R.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EulerDisk {
    /// R `[m]`.
    pub radius: f64,
    /// α `[rad]`.
    pub tilt: f64,
    /// g `[m/s²]`.
    pub gravity: f64,
}

impl EulerDisk {
    /// Ω `[rad/s]`.
    pub fn precession(&self) -> f64 {
        (4.0 * self.gravity / (self.radius * libm::sin(self.tilt))).sqrt()
    }

    /// Angular velocity along the line from the centre to the point of contact `[rad/s]`.
    pub fn spin(&self) -> f64 {
        self.precession() * libm::sin(self.tilt)
    }

    /// Of the centre above the floor `[m]`.
    pub fn height(&self) -> f64 {
        self.radius * libm::sin(self.tilt)
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_6, PI};

    use super::super::assert_prints;
    use super::*;

    #[test]
    fn c3_a_sliding_ball_comes_to_roll() {
        let ball =
            SlidingBall { velocity: [2.0, 0.0], surface: [0.0; 2], friction: 0.2, gravity: 9.81 };
        assert_prints(ball.rolls_after(), 0.291248, 1e-6);
        assert_prints(ball.way()[0], 0.4992823, 1e-7);
        assert_prints(ball.rolling()[0], 1.4285714, 5e-8);
        // One that rolls already stays as it is; one with back spin of the same surface speed ends with 3/7.
        let rolling = SlidingBall { surface: [-2.0, 0.0], ..ball };
        assert_eq!((rolling.rolls_after(), rolling.rolling()), (0.0, [2.0, 0.0]));
        assert_prints(SlidingBall { surface: [2.0, 0.0], ..ball }.rolling()[0], 6.0 / 7.0, 1e-15);
    }

    #[test]
    fn c4_a_ball_on_a_slope_rolls_or_slides() {
        let slope = |friction| BallOnSlope { angle: FRAC_PI_6, friction, gravity: 9.81 };
        assert_prints(slope(1.0).least_friction(), 0.1649572, 3e-7);
        assert_prints(slope(0.5).acceleration(), 3.5035714, 5e-8);
        assert_prints(slope(0.5).spin_acceleration(), 3.5035714, 5e-8);
        assert_prints(slope(0.1).acceleration(), 4.0554291, 5e-8);
        assert_prints(slope(0.1).spin_acceleration(), 2.1239273, 5e-8);
    }

    #[test]
    fn c5_a_ball_on_a_turntable_runs_round_in_seven_seconds() {
        let ball = BallOnTurntable {
            rate: PI,
            radius: 0.02,
            position: [0.1, -0.05],
            velocity: [0.18, 0.24],
        };
        assert_prints(ball.period(), 7.0, 1e-15);
        assert_prints(ball.circle_radius(), 0.3342254, 1e-7);
        let start = ball.rolling_spin(ball.position, ball.velocity);
        for time in [0.0, 0.3, 1.7, 7.0] {
            let (position, velocity) = ball.at(time);
            // What the table's force did to the centre, it did to the spin: (2/5)·r²·Δω = −r·ẑ × Δv.
            let change = [0, 1].map(|i| (velocity[i] - ball.velocity[i]) / (0.4 * ball.radius));
            let spin = [start[0] + change[1], start[1] - change[0]];
            let rolling = ball.rolling_spin(position, velocity);
            for i in 0..2 {
                assert!((spin[i] - rolling[i]).abs() < 1e-13, "{spin:?} is not {rolling:?}");
            }
        }
    }

    #[test]
    fn c10_eulers_disk_turns_faster_the_flatter_it_lies() {
        for (degrees, rate) in [(10.0, 77.62717), (5.0, 109.57232), (1.0, 244.86190)] {
            let tilt = degrees * PI / 180.0;
            let disk = EulerDisk { radius: 0.0375, tilt, gravity: 9.81 };
            assert_prints(disk.precession(), rate, 1e-7);
            assert_prints(disk.spin(), rate * libm::sin(tilt), 1e-7);
            assert_prints(disk.height(), 0.0375 * libm::sin(tilt), 1e-15);
        }
    }
}
