//! Velocities that joints and points must have after an impact, through the whole tree at once.

use super::{Constraint, ConstraintError, ConstraintScratch, Held};
use crate::tree::{Scratch, Tree};

impl Tree {
    /// Impulses that bring velocities to their targets, and the jumps Δv of all freedoms, in the state that `scratch` was placed
    /// in with velocities `v`. `added_diagonal` is inertia of the joints' own, or empty.
    ///
    /// Nothing but velocities and inertia takes part (erratum E16). Targets are met whatever energy that takes; collisions are
    /// [`Self::bounce`].
    ///
    /// # Errors
    /// If a constraint is none, contradicts others, or a joint is singular; `jumps` and `impulses` then hold nothing of use.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    #[expect(clippy::too_many_arguments, reason = "state, question, memory and answer, as in tree")]
    pub fn constrain_velocities(
        &self,
        v: &[f64],
        added_diagonal: &[f64],
        constraints: &[Constraint],
        scratch: &mut Scratch,
        memory: &mut ConstraintScratch,
        jumps: &mut [f64],
        impulses: &mut [f64],
    ) -> Result<Held, ConstraintError> {
        let lengths = [v.len(), jumps.len(), impulses.len()];
        assert_eq!(lengths, [self.n_v, self.n_v, constraints.len()], "lengths of v, Δv, impulses");
        self.check_constraints(constraints)?;
        memory.take(constraints);
        self.constraint_response(added_diagonal, v, scratch, memory)?;
        for (i, constraint) in constraints.iter().enumerate() {
            let value = Self::row_velocity(&constraint.row, v, scratch);
            memory.offset[i] = value - constraint.target;
            memory.sizes[i] += constraint.target.abs();
        }
        let held = memory.solve()?;
        self.push_along_rows(scratch, memory)?;
        scratch.forget_added(added_diagonal);
        jumps.copy_from_slice(&memory.jumps);
        impulses.copy_from_slice(&memory.forces);
        Ok(held)
    }
}
