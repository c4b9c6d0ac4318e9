//! Accelerations that joints and points must have, at least have, or at most have.

use super::{Constraint, ConstraintError, ConstraintScratch, Held};
use crate::tree::{Factor, Load, Scratch, Tree};

impl Tree {
    /// v̇ under a load and the forces that make constraints on accelerations hold, in the state that `scratch` was placed in.
    /// Leaves accelerations of all links in `scratch`.
    ///
    /// # Errors
    /// If a constraint is none, contradicts others, or a joint is singular; `v_dot` and `forces` then hold nothing of use.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn constrain_accelerations(
        &self,
        load: &Load<'_>,
        constraints: &[Constraint],
        scratch: &mut Scratch,
        memory: &mut ConstraintScratch,
        v_dot: &mut [f64],
        forces: &mut [f64],
    ) -> Result<Held, ConstraintError> {
        assert_eq!(forces.len(), constraints.len(), "number of forces");
        self.check_constraints(constraints)?;
        self.forward(load, scratch, v_dot)?;
        memory.take(constraints);
        for (i, constraint) in constraints.iter().enumerate() {
            let value = Self::row_acceleration(&constraint.row, v_dot, scratch);
            memory.offset[i] = value - constraint.target;
        }
        self.constraint_response(load.added_diagonal, v_dot, scratch, memory)?;
        for (size, constraint) in memory.sizes.iter_mut().zip(constraints) {
            *size += constraint.target.abs() + Self::bias_size(&constraint.row, scratch);
        }
        let held = memory.solve()?;
        self.push_along_rows(scratch, memory)?;
        for (rate, jump) in v_dot.iter_mut().zip(&memory.jumps) {
            *rate += jump;
        }
        self.change_outward(v_dot, scratch);
        scratch.forget_added(load.added_diagonal);
        forces.copy_from_slice(&memory.forces);
        Ok(held)
    }
}

impl Scratch {
    /// A factorisation with an added diagonal is not that of H, which others would take it for.
    pub(super) fn forget_added(&mut self, added_diagonal: &[f64]) {
        if !added_diagonal.is_empty() {
            self.factor = Factor::Other;
        }
    }
}

impl ConstraintScratch {
    /// Makes room for constraints, and takes over their rows and sides.
    pub(super) fn take(&mut self, constraints: &[Constraint]) {
        self.rows.clear();
        self.rows.extend(constraints.iter().map(|constraint| constraint.row));
        self.holds.clear();
        self.holds.extend(constraints.iter().map(|constraint| constraint.hold));
        self.offset.clear();
        self.offset.resize(constraints.len(), 0.0);
    }
}
