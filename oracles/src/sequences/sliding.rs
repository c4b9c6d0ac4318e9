//! A block on a slope.

/// A block that slides down a slope, or along a level floor (C1, C2, and the thesis's ramp).
///
/// Along the slope gravity pulls with g·sin ϑ and friction holds back with μ·g·cos ϑ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockOnSlope {
    /// ϑ `[rad]`.
    pub angle: f64,
    /// μ `[-]`.
    pub friction: f64,
    /// g `[m/s²]`.
    pub gravity: f64,
}

impl BlockOnSlope {
    /// The ramp of the thesis's section 3.5 (the guide's Q23): 30°, μ = 0.9, g = 9.81 m/s².
    pub const THESIS: Self =
        Self { angle: std::f64::consts::FRAC_PI_6, friction: 0.9, gravity: 9.81 };
    /// Down that ramp at the start `[m/s]`.
    pub const THESIS_SPEED: f64 = 5.48;

    /// Downhill, of a block that slides downhill `[m/s²]`.
    pub fn acceleration(&self) -> f64 {
        let (sin, cos) = libm::sincos(self.angle);
        self.gravity * (sin - self.friction * cos)
    }

    /// Whether friction holds a block at rest.
    pub fn holds(&self) -> bool {
        self.acceleration() <= 0.0
    }

    /// Time and way after which a block that slides downhill at a speed stops; none if it does not.
    pub fn stop(&self, speed: f64) -> Option<(f64, f64)> {
        let braking = -self.acceleration();
        (braking > 0.0).then(|| (speed / braking, speed * speed / (2.0 * braking)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::assert_prints;
    use super::*;

    #[test]
    fn c1_a_block_slides_to_rest_on_a_floor() {
        let floor = BlockOnSlope { angle: 0.0, friction: 0.3, gravity: 9.81 };
        let (time, way) = floor.stop(2.0).unwrap();
        assert_prints(time, 0.6795787, 1e-7);
        assert_prints(way, 0.6795787, 1e-7);
    }

    #[test]
    fn c2_a_slope_of_30_degrees_holds_from_its_tangent_on() {
        let slope = |friction| BlockOnSlope { friction, ..BlockOnSlope::THESIS };
        assert!(slope(0.57736).holds() && !slope(0.57734).holds());
        assert_prints(slope(0.4).acceleration(), 1.5067163, 5e-8);
        assert_eq!(slope(0.4).stop(1.0), None);
    }

    /// The thesis prints 2.0 s and 548 cm, rounded: the closed form gives 1.9992 s and 547.77 cm.
    #[test]
    fn the_ramp_of_the_thesis_stops_its_block_just_short_of_two_seconds() {
        assert_prints(-BlockOnSlope::THESIS.acceleration(), 2.741, 1e-4);
        let (time, way) = BlockOnSlope::THESIS.stop(BlockOnSlope::THESIS_SPEED).unwrap();
        assert_prints(time, 1.9991695, 5e-8);
        assert_prints(way, 5.4777244, 5e-8);
        assert_prints(time, 2.0, 5e-4);
        assert_prints(way, 5.48, 5e-4);
    }
}
