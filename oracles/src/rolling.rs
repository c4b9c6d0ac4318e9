//! A solid with the surface of an ellipsoid that rolls on a level plane and never slips: the rattleback of the textbooks.
//!
//! In axes of the body, with n the upward vertical, ω its rate, c its centre of mass, A = diag(a², b², c²), it touches at
//!
//! ```text
//! p = −A n / √(n·A n),   ρ = p − c,   n' = n × ω.
//! ```
//!
//! Rolling is v = ρ × ω. The force at the contact is m(v̇ + g n), its moment about the centre ρ times that, and so
//!
//! ```text
//! (I + m(ρ² − ρρᵀ)) ω' = −ω × Iω + m ρ × (ρ̇ × ω) + m g ρ × n,   ρ̇ = p' + ω × ρ.
//! ```

type Vector = [f64; 3];

/// The body.
#[derive(Clone, Copy, Debug)]
pub struct RollingEllipsoid {
    /// Along its axes `[m]`.
    pub semi_axes: Vector,
    /// `[kg]`
    pub mass: f64,
    /// Of mass, from the middle of the ellipsoid `[m]`.
    pub center: Vector,
    /// About the centre of mass `[kg·m²]`.
    pub inertia: [Vector; 3],
    /// Of free fall `[m/s²]`.
    pub gravity: f64,
}

/// The vertical and the rate, in axes of the body.
#[derive(Clone, Copy, Debug)]
pub struct Rolling {
    /// Unit vector.
    pub vertical: Vector,
    /// `[rad/s]`
    pub rate: Vector,
}

impl Rolling {
    /// Level, spinning about the vertical.
    pub fn level(rate: f64) -> Self {
        Self { vertical: [0.0, 0.0, 1.0], rate: [0.0, 0.0, rate] }
    }

    /// Rate about the vertical `[rad/s]`.
    pub fn spin(&self) -> f64 {
        dot(self.vertical, self.rate)
    }

    fn moved(&self, by: &Self, times: f64) -> Self {
        Self {
            vertical: plus(self.vertical, scaled(by.vertical, times)),
            rate: plus(self.rate, scaled(by.rate, times)),
        }
    }
}

impl RollingEllipsoid {
    /// Kinetic and potential, from the height of the plane `[J]`.
    pub fn energy(&self, at: &Rolling) -> f64 {
        let arm = self.arm(at.vertical);
        let velocity = cross(arm, at.rate);
        0.5 * self.mass * dot(velocity, velocity)
            + 0.5 * dot(at.rate, times(&self.inertia, at.rate))
            - self.mass * self.gravity * dot(arm, at.vertical)
    }

    /// The state some steps of `[s]` later, by the classical method of Runge and Kutta; each step is shown.
    pub fn advance(
        &self,
        start: Rolling,
        step: f64,
        steps: usize,
        mut seen: impl FnMut(f64, &Rolling),
    ) {
        let mut state = start;
        for index in 0..=steps {
            seen(step * index as f64, &state);
            let k1 = self.change(&state);
            let k2 = self.change(&state.moved(&k1, 0.5 * step));
            let k3 = self.change(&state.moved(&k2, 0.5 * step));
            let k4 = self.change(&state.moved(&k3, step));
            for (k, share) in [(k1, 1.0), (k2, 2.0), (k3, 2.0), (k4, 1.0)] {
                state = state.moved(&k, share * step / 6.0);
            }
        }
    }

    /// From the centre of mass to the contact `[m]`.
    fn arm(&self, vertical: Vector) -> Vector {
        let reach = self.squared(vertical);
        let size = dot(vertical, reach).sqrt();
        plus(scaled(reach, -1.0 / size), scaled(self.center, -1.0))
    }

    /// A times a vector.
    fn squared(&self, vector: Vector) -> Vector {
        [0, 1, 2].map(|i| self.semi_axes[i] * self.semi_axes[i] * vector[i])
    }

    fn change(&self, at: &Rolling) -> Rolling {
        let Rolling { vertical: n, rate: w } = *at;
        let turning = cross(n, w);
        let reach = self.squared(n);
        let size = dot(n, reach).sqrt();
        let bend = dot(reach, turning) / (size * size * size);
        let along = plus(scaled(self.squared(turning), -1.0 / size), scaled(reach, bend));
        let arm = self.arm(n);
        let arm_rate = plus(along, cross(w, arm));
        let gyroscopic = cross(w, times(&self.inertia, w));
        let carried = plus(cross(arm_rate, w), scaled(n, self.gravity));
        let moment = plus(scaled(cross(arm, carried), self.mass), scaled(gyroscopic, -1.0));
        let mut matrix = self.inertia;
        for (i, row) in matrix.iter_mut().enumerate() {
            for (j, cell) in row.iter_mut().enumerate() {
                let diagonal = if i == j { dot(arm, arm) } else { 0.0 };
                *cell += self.mass * (diagonal - arm[i] * arm[j]);
            }
        }
        Rolling { vertical: turning, rate: solved(&matrix, moment) }
    }
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn plus(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn scaled(a: Vector, by: f64) -> Vector {
    a.map(|x| by * x)
}

fn times(matrix: &[Vector; 3], vector: Vector) -> Vector {
    matrix.map(|row| dot(row, vector))
}

/// By Cramer's rule, of a symmetric matrix.
fn solved(matrix: &[Vector; 3], right: Vector) -> Vector {
    let [a, b, c] = *matrix;
    let volume = dot(a, cross(b, c));
    [dot(right, cross(b, c)), dot(a, cross(right, c)), dot(a, cross(b, right))]
        .map(|it| it / volume)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A solid ellipsoid of 0.5 kg with a point of 30 g at (0.07, y).
    fn with_point(y: f64) -> RollingEllipsoid {
        let ([a, b, c], mass, extra, x) = ([0.1, 0.025, 0.02], 0.5, 0.03, 0.07);
        let (share, reduced) = (extra / (mass + extra), mass * extra / (mass + extra));
        RollingEllipsoid {
            semi_axes: [a, b, c],
            mass: mass + extra,
            center: [share * x, share * y, 0.0],
            inertia: [
                [mass * (b * b + c * c) / 5.0 + reduced * y * y, -reduced * x * y, 0.0],
                [-reduced * x * y, mass * (c * c + a * a) / 5.0 + reduced * x * x, 0.0],
                [0.0, 0.0, mass * (a * a + b * b) / 5.0 + reduced * (x * x + y * y)],
            ],
            gravity: 9.81,
        }
    }

    #[test]
    fn energy_is_kept() {
        let body = with_point(-0.0177);
        let start = Rolling::level(6.0);
        let mut worst: f64 = 0.0;
        let whole = body.energy(&start);
        body.advance(start, 1e-4, 50_000, |_, state| {
            worst = worst.max((body.energy(state) / whole - 1.0).abs());
        });
        assert!(worst < 1e-9, "{worst}");
    }

    #[test]
    fn mirror_images_spun_the_other_way_do_the_same() {
        let (one, other) = (with_point(-0.0177), with_point(0.0177));
        let mut spins = Vec::new();
        one.advance(Rolling::level(6.0), 1e-4, 20_000, |_, state| spins.push(state.spin()));
        let mut index = 0;
        other.advance(Rolling::level(-6.0), 1e-4, 20_000, |_, state| {
            assert!((state.spin() + spins[index]).abs() < 1e-9);
            index += 1;
        });
    }

    #[test]
    fn small_rocking_has_its_period() {
        // Solid, of revolution about x: rocking across a circle of radius r is neutral, rocking along has the frequency of
        // a body on a surface of curvature R = a²/c: ω² = g(R − c)/(I/m + c²).
        let (a, c, mass) = (0.1, 0.02, 1.0);
        let along = mass * (a * a + c * c) / 5.0;
        let inertia = [[mass * 2.0 * c * c / 5.0, 0.0, 0.0], [0.0, along, 0.0], [0.0, 0.0, along]];
        let body = RollingEllipsoid {
            semi_axes: [a, c, c],
            mass,
            center: [0.0; 3],
            inertia,
            gravity: 9.81,
        };
        let frequency = (9.81 * (a * a / c - c) / (along / mass + c * c)).sqrt();
        let start = Rolling { vertical: [1e-4, 0.0, 1.0], rate: [0.0; 3] };
        let quarter = 0.5 * std::f64::consts::PI / frequency;
        let steps = 1000;
        let mut last = 1.0;
        body.advance(start, quarter / f64::from(steps), steps as usize, |_, state| {
            last = state.vertical[0];
        });
        assert!(last.abs() < 1e-7, "{last}");
    }
}
