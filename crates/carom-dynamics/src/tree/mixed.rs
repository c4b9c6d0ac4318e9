//! Mixed dynamics: some freedoms have prescribed accelerations, the others prescribed forces.
//!
//! A prescribed freedom does not give way (guide F-4.4): nothing is subtracted from ÎA, and p̂ gains Û·v̇*. Outward,
//! v̇ = v̇* and the force that this takes is ŝ·(ÎA·δ̂ + p̂) = Û·δ̂ − u, with u = −ŝ·p̂ from before p̂ gained that and δ̂
//! from after. All prescribed is inverse dynamics, none is forward dynamics; v̇* = v = 0 is a locked joint.

use super::forward::entry;
use super::{Factor, Load, Scratch, SingularJoint, Tree};

impl Tree {
    /// Where `prescribed`, takes v̇ from `v_dot` and writes the force into `tau`; elsewhere the other way round, with
    /// forces from `load`, to which `tau` is set.
    ///
    /// # Errors
    /// If a joint that is not prescribed is singular in this configuration.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn mixed(
        &self,
        load: &Load<'_>,
        prescribed: &[bool],
        scratch: &mut Scratch,
        v_dot: &mut [f64],
        tau: &mut [f64],
    ) -> Result<(), SingularJoint> {
        load.validate(self);
        let lengths = [prescribed.len(), v_dot.len(), tau.len()];
        assert_eq!(lengths, [self.n_v; 3], "lengths of what is prescribed, v̇ and τ");
        scratch.factor = Factor::Other;
        for i in (0..self.links.len()).rev() {
            let (mut inertia, mut force) = scratch.needed(self, i, load);
            for k in self.links[i].v_range().rev() {
                let column = &mut scratch.columns[k];
                let needed = force.dot(column.axis);
                if prescribed[k] {
                    column.momentum = inertia.times(column.axis);
                    column.drive = -needed;
                    // What is held answers nothing.
                    column.inv_d = 0.0;
                    force += v_dot[k] * column.momentum;
                } else {
                    let is_regular = column.reduce(&mut inertia, entry(load.added_diagonal, k));
                    if !is_regular {
                        return Err(column.singular(&inertia, i, k));
                    }
                    column.drive = entry(load.tau, k) - needed;
                    force += (column.drive * column.inv_d) * column.momentum;
                }
            }
            scratch.carry(self, i, &inertia, force);
        }
        self.mixed_outward(load, prescribed, scratch, [v_dot, tau]);
        Ok(())
    }

    fn mixed_outward(
        &self,
        load: &Load<'_>,
        prescribed: &[bool],
        scratch: &mut Scratch,
        [v_dot, tau]: [&mut [f64]; 2],
    ) {
        for (i, link) in self.links.iter().enumerate() {
            let mut change = scratch.change_of_parent(link.parent, i);
            for k in link.v_range() {
                let column = &scratch.columns[k];
                if prescribed[k] {
                    change += v_dot[k] * column.axis;
                    tau[k] = column.momentum.dot(change) - column.drive
                        + entry(load.added_diagonal, k) * v_dot[k];
                } else {
                    v_dot[k] = (column.drive - column.momentum.dot(change)) * column.inv_d;
                    change += v_dot[k] * column.axis;
                    tau[k] = entry(load.tau, k);
                }
            }
            scratch.works[i].change = change;
        }
    }
}
