//! Balls that hit each other in turn.
//!
//! Two balls on a line with velocities a and b part with e·(a − b), and keep their momentum:
//! a' = (m_a·a + m_b·b − m_b·e·(a − b))/(m_a + m_b), b' = a' + e·(a − b).

/// Velocities of two balls of these masses after they hit.
fn hit(masses: [f64; 2], [a, b]: [f64; 2], restitution: f64) -> [f64; 2] {
    let total = masses[0] + masses[1];
    let parting = restitution * (a - b);
    let first = (masses[0] * a + masses[1] * b - masses[1] * parting) / total;
    [first, first + parting]
}

/// A ball on top of another, dropped together (B2).
///
/// The lower one comes back from the floor at once and meets the upper one, which still falls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StackedDrop {
    /// Of the lower and the upper ball `[kg]`.
    pub masses: [f64; 2],
    /// How far both fall `[m]`.
    pub drop: f64,
    /// g `[m/s²]`.
    pub gravity: f64,
    /// Between floor and ball, and between the balls `[-]`.
    pub restitutions: [f64; 2],
}

impl StackedDrop {
    /// Upward velocities of the lower and the upper ball after they met `[m/s]`.
    pub fn speeds(&self) -> [f64; 2] {
        let fall = (2.0 * self.gravity * self.drop).sqrt();
        let [floor, balls] = self.restitutions;
        hit(self.masses, [floor * fall, -fall], balls)
    }

    /// How high the upper ball rises from where they met `[m]`.
    pub fn rise(&self) -> f64 {
        let [_, upper] = self.speeds();
        upper * upper / (2.0 * self.gravity)
    }
}

/// Equal balls in a row with gaps, the first of which is pushed (B3).
///
/// Each hit passes (1 + e)/2 of the speed on and keeps (1 − e)/2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cradle {
    /// Of the first ball `[m/s]`.
    pub speed: f64,
    /// e `[-]`.
    pub restitution: f64,
}

impl Cradle {
    /// How fast the k-th ball leaves the first hit it takes, counted from 1; the first ball was pushed `[m/s]`.
    pub fn passed_on(&self, k: u32) -> f64 {
        (1..k).fold(self.speed, |speed, _| hit([1.0; 2], [speed, 0.0], self.restitution)[1])
    }

    /// How fast the k-th ball is after it has hit the next one `[m/s]`.
    pub fn kept(&self, k: u32) -> f64 {
        hit([1.0; 2], [self.passed_on(k), 0.0], self.restitution)[0]
    }
}

/// A rolling cue ball hits an equal ball at rest, without friction between them and without loss (B4).
///
/// The object ball takes the part of the velocity along the line of centres, v·cos φ, and no spin. Both then slide on the
/// cloth until they roll. Friction of the cloth acts at the lowest point, about which angular momentum is kept:
/// (7/5)·v_rolling = v + (2/5)·(velocity that would roll with the spin). The cue ball kept the spin of its old velocity,
/// so it ends with 5/7 of the tangential velocity and 2/7 of the old one; the object ball with 5/7 of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CutShot {
    /// Of the cue ball, along x `[m/s]`.
    pub speed: f64,
    /// φ, from the old velocity to the line of centres `[rad]`.
    pub cut: f64,
}

impl CutShot {
    /// Velocity of the cue ball once it rolls, the side it leaves to being +y `[m/s]`.
    pub fn cue(&self) -> [f64; 2] {
        let (sin, cos) = libm::sincos(self.cut);
        let tangent = [self.speed * sin * sin, self.speed * sin * cos];
        [(5.0 * tangent[0] + 2.0 * self.speed) / 7.0, 5.0 * tangent[1] / 7.0]
    }

    /// Velocity of the object ball once it rolls `[m/s]`.
    pub fn object(&self) -> [f64; 2] {
        let (sin, cos) = libm::sincos(self.cut);
        let speed = 5.0 / 7.0 * self.speed * cos;
        [speed * cos, -speed * sin]
    }
}

#[cfg(test)]
mod tests {
    use super::super::assert_prints;
    use super::*;

    #[test]
    fn b2_the_upper_ball_is_thrown_up() {
        let mut drop =
            StackedDrop { masses: [0.6, 0.06], drop: 1.0, gravity: 9.81, restitutions: [1.0; 2] };
        let [lower, upper] = drop.speeds();
        assert_prints(upper, 11.677633, 5e-8);
        assert_prints(lower, 2.818739, 2e-7);
        assert_prints(drop.rise(), 6.950413, 1e-7);
        drop.restitutions = [0.8, 0.7];
        let [lower, upper] = drop.speeds();
        assert_prints(upper, 7.892469, 1e-7);
        assert_prints(lower, 2.311366, 3e-7);
        assert_prints(drop.rise(), 3.174876, 2e-7);
    }

    #[test]
    fn b3_a_cradle_passes_its_speed_on() {
        let elastic = Cradle { speed: 1.0, restitution: 1.0 };
        assert_eq!((1..=5).map(|k| elastic.passed_on(k)).collect::<Vec<_>>(), [1.0; 5]);
        assert_eq!((1..=4).map(|k| elastic.kept(k)).collect::<Vec<_>>(), [0.0; 4]);
        let dull = Cradle { speed: 1.0, restitution: 0.9 };
        assert_prints(dull.passed_on(5), 0.81450625, 1e-15);
        // Nothing of the momentum is lost.
        let kept: f64 = (1..=4).map(|k| dull.kept(k)).sum();
        assert_prints(kept + dull.passed_on(5), 1.0, 1e-15);
    }

    #[test]
    fn b4_a_cut_shot_leaves_at_the_printed_angles() {
        let degree = std::f64::consts::PI / 180.0;
        let rows = [(15.0, 0.3783538, 28.16221, 0.6899470), (45.0, 0.7354022, 29.05460, 0.5050763)];
        for (cut, cue, angle, object) in rows {
            let shot = CutShot { speed: 1.0, cut: cut * degree };
            let [x, y] = shot.cue();
            assert_prints(libm::hypot(x, y), cue, 2e-7);
            assert_prints(libm::atan2(y, x) / degree, angle, 2e-7);
            let [x, y] = shot.object();
            assert_prints(libm::hypot(x, y), object, 1e-7);
            assert_prints(libm::atan2(-y, x) / degree, cut, 1e-14);
        }
    }
}
