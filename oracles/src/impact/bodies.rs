//! A body that strikes something immovable: its collision matrix, and what an impulse does to it.

/// A body that touches a fixed one at a point; all in axes with z along the normal, towards the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Striker {
    /// m `[kg]`.
    pub mass: f64,
    /// Inverse of the inertia about the centre, row by row `[1/(kg·m²)]`.
    pub inverse_inertia: [[f64; 3]; 3],
    /// From the centre to the contact `[m]`.
    pub arm: [f64; 3],
    /// Of the centre `[m/s]`.
    pub velocity: [f64; 3],
    /// Angular velocity `[rad/s]`.
    pub spin: [f64; 3],
}

/// Inverse of a diagonal inertia.
pub fn inverse_of_moments(moments: [f64; 3]) -> [[f64; 3]; 3] {
    let mut inverse = [[0.0; 3]; 3];
    for i in 0..3 {
        inverse[i][i] = 1.0 / moments[i];
    }
    inverse
}

impl Striker {
    /// K = 1/m − r̃·I⁻¹·r̃: its j-th column is what a unit impulse along axis j changes at the contact.
    pub fn matrix(&self) -> [[f64; 3]; 3] {
        let mut matrix = [[0.0; 3]; 3];
        for j in 0..3 {
            let mut unit = [0.0; 3];
            unit[j] = 1.0;
            let turned = cross(self.turn(unit), self.arm);
            for i in 0..3 {
                matrix[i][j] = unit[i] / self.mass + turned[i];
            }
        }
        // Rounding must not make it unsymmetric.
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let mean = 0.5 * (matrix[i][j] + matrix[j][i]);
            (matrix[i][j], matrix[j][i]) = (mean, mean);
        }
        matrix
    }

    /// u = v + ω × r `[m/s]`.
    pub fn contact_velocity(&self) -> [f64; 3] {
        let turning = cross(self.spin, self.arm);
        [0, 1, 2].map(|i| self.velocity[i] + turning[i])
    }

    /// Velocity of the centre and angular velocity after an impulse at the contact.
    pub fn after(&self, impulse: [f64; 3]) -> ([f64; 3], [f64; 3]) {
        let turned = self.turn(impulse);
        let velocity = [0, 1, 2].map(|i| self.velocity[i] + impulse[i] / self.mass);
        (velocity, [0, 1, 2].map(|i| self.spin[i] + turned[i]))
    }

    /// I⁻¹·(r × p).
    fn turn(&self, impulse: [f64; 3]) -> [f64; 3] {
        let torque = cross(self.arm, impulse);
        self.inverse_inertia.map(|row| (0..3).map(|i| row[i] * torque[i]).sum())
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
