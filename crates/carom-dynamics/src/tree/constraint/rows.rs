//! Rows of J: their values, the sizes of what these are sums of, their response, and what forces along them do.

use glam::DVec3;

use super::{Constraint, ConstraintError, ConstraintScratch};
use crate::Impulse;
use crate::tolerances::IMMOBILE_SHARE;
use crate::tree::{LinkImpulse, Row, Scratch, SingularJoint, Tree};

/// The link that a row reads, from its origin the arm to its point, and the lengths by which turning and sliding count.
struct Reading {
    link: usize,
    point: DVec3,
    turning: f64,
    sliding: f64,
}

impl Tree {
    /// Refuses rows of links and freedoms that are not there, and numbers that are none.
    pub(super) fn check_constraints(&self, given: &[Constraint]) -> Result<(), ConstraintError> {
        for (constraint, Constraint { row, target, .. }) in given.iter().enumerate() {
            let invalid = |what, value, expected| {
                Err(ConstraintError::Invalid { constraint, what, value, expected })
            };
            let (index, count, vector) = match *row {
                Row::Point { at, direction } if at.point.is_finite() => {
                    (at.link, self.n_links(), direction)
                }
                Row::Point { at, .. } => return invalid("point", at.point.length(), "finite"),
                Row::Spin { link, direction } => (link, self.n_links(), direction),
                Row::Freedom(freedom) => (freedom, self.n_v(), DVec3::ZERO),
            };
            if index >= count {
                return invalid("link or freedom", index as f64, "one of the tree");
            }
            if !vector.is_finite() {
                return invalid("direction", vector.length(), "finite");
            }
            if !target.is_finite() {
                return invalid("target", *target, "finite");
            }
        }
        Ok(())
    }

    /// How fast a row moves, v being the velocities that `scratch` was placed with.
    pub(super) fn row_velocity(row: &Row, v: &[f64], scratch: &Scratch) -> f64 {
        match *row {
            Row::Point { at, direction } => {
                let arm = at.point - scratch.frames[at.link].origin;
                scratch.velocity(at.link).at(arm).linear.dot(direction)
            }
            Row::Spin { link, direction } => scratch.velocity(link).angular.dot(direction),
            Row::Freedom(freedom) => v[freedom],
        }
    }

    /// How a row accelerates, v̇ being what `scratch` was solved for last.
    pub(super) fn row_acceleration(row: &Row, v_dot: &[f64], scratch: &Scratch) -> f64 {
        match *row {
            Row::Point { at, direction } => {
                let arm = at.point - scratch.frames[at.link].origin;
                let spin = scratch.velocity(at.link).angular;
                let turned = spin.cross(spin.cross(arm));
                (scratch.acceleration(at.link).at(arm).linear + turned).dot(direction)
            }
            Row::Spin { link, direction } => scratch.acceleration(link).angular.dot(direction),
            Row::Freedom(freedom) => v_dot[freedom],
        }
    }

    /// The sizes of the terms that the bias â⁰ brings to a row.
    pub(super) fn bias_size(row: &Row, scratch: &Scratch) -> f64 {
        match *row {
            Row::Point { at, direction } => {
                let frame = &scratch.frames[at.link];
                let arm = (at.point - frame.origin).length();
                let spin = frame.velocity.angular.length();
                let turned = (frame.bias.angular.length() + spin * spin) * arm;
                (frame.bias.linear.length() + turned) * direction.length()
            }
            Row::Spin { link, direction } => {
                scratch.frames[link].bias.angular.length() * direction.length()
            }
            Row::Freedom(_) => 0.0,
        }
    }

    /// Σ_k |J_k|·|rate_k| and Σ_k |J_k|²/D_k over the freedoms that carry a row, |J_k| without regard to directions: the
    /// sizes beside which a velocity, and a response, is rounding.
    pub(super) fn row_sizes(&self, row: &Row, rates: &[f64], scratch: &Scratch) -> [f64; 2] {
        let reading = match *row {
            Row::Point { at, direction } => {
                let sliding = direction.length();
                Reading { link: at.link, point: at.point, turning: sliding, sliding }
            }
            Row::Spin { link, direction } => {
                let turning = direction.length();
                Reading { link, point: DVec3::ZERO, turning, sliding: 0.0 }
            }
            Row::Freedom(freedom) => {
                return [rates[freedom].abs(), scratch.columns[freedom].inv_d];
            }
        };
        let is_spin = reading.sliding == 0.0;
        let (mut rate, mut response) = (0.0, 0.0);
        let mut at = Some(reading.link);
        while let Some(i) = at {
            let arm =
                if is_spin { 1.0 } else { (reading.point - scratch.frames[i].origin).length() };
            for k in self.links[i].v_range() {
                let column = &scratch.columns[k];
                let size = reading.turning * arm * column.axis.angular.length()
                    + reading.sliding * column.axis.linear.length();
                rate += size * rates[k].abs();
                response += size * size * column.inv_d;
            }
            at = self.parent(i);
        }
        [rate, response]
    }

    /// K for the rows in `memory`, with zeros where a row moves by rounding only.
    pub(super) fn constraint_response(
        &self,
        added_diagonal: &[f64],
        rates: &[f64],
        scratch: &mut Scratch,
        memory: &mut ConstraintScratch,
    ) -> Result<(), SingularJoint> {
        if !added_diagonal.is_empty() {
            self.factorise_with(added_diagonal, scratch)?;
        }
        let ConstraintScratch { rows, responses, matrix, sizes, .. } = memory;
        let m = rows.len();
        matrix.clear();
        matrix.resize(m * m, 0.0);
        self.response_matrix(rows, scratch, responses, matrix)?;
        sizes.clear();
        for (i, row) in rows.iter().enumerate() {
            let [rate, response] = self.row_sizes(row, rates, scratch);
            sizes.push(rate);
            if matrix[i * m + i] <= IMMOBILE_SHARE * response {
                for j in 0..m {
                    matrix[i * m + j] = 0.0;
                    matrix[j * m + i] = 0.0;
                }
            }
        }
        Ok(())
    }

    /// H⁻¹·Jᵀ·f for the rows and forces in `memory`, left in its jumps.
    pub(super) fn push_along_rows(
        &self,
        scratch: &mut Scratch,
        memory: &mut ConstraintScratch,
    ) -> Result<(), SingularJoint> {
        let ConstraintScratch { rows, forces, impulses, joint_impulses, jumps, .. } = memory;
        impulses.clear();
        joint_impulses.clear();
        joint_impulses.resize(self.n_v, 0.0);
        jumps.clear();
        jumps.resize(self.n_v, 0.0);
        for (row, force) in rows.iter().zip(forces.iter()) {
            let (link, point, linear, angular) = match *row {
                Row::Point { at, direction } => {
                    (at.link, at.point, *force * direction, DVec3::ZERO)
                }
                Row::Spin { link, direction } => {
                    (link, scratch.frames[link].origin, DVec3::ZERO, *force * direction)
                }
                Row::Freedom(freedom) => {
                    joint_impulses[freedom] += force;
                    continue;
                }
            };
            impulses.push(LinkImpulse { link, impulse: Impulse { point, linear, angular } });
        }
        self.impulse_response(impulses, joint_impulses, scratch, jumps)
    }
}
