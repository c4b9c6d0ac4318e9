//! What all joints do at a time: positions, rates and forces of motors, freedom by freedom.
//!
//! Whoever records or shows joints asks for all of them at once. A linkage is then evaluated once, not once for each of its
//! joints, which would take the square of their number.

use smallvec::SmallVec;

use crate::control::Seen;
use crate::joint::JointId;
use crate::world::World;

/// What one freedom of a joint does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FreedomState {
    /// Its coordinate; of a spherical joint a component of the rotation vector, as [`Seen`] has it `[rad or m]`.
    pub position: f64,
    /// How fast that changes; of a spherical joint the angular velocity `[rad/s or m/s]`.
    pub rate: f64,
    /// What its motor gives, as it was last commanded `[N·m or N]`.
    pub force: f64,
}

/// What a joint does.
#[derive(Clone, Debug, PartialEq)]
pub struct JointState {
    /// Which.
    pub joint: JointId,
    /// Its freedoms, in order; a fixed joint has none.
    pub freedoms: SmallVec<[FreedomState; 1]>,
}

impl World {
    /// What all joints do at a time for which the present motions of their linkages hold, in order of their ids.
    pub fn joint_states_at(&self, time: f64, states: &mut Vec<JointState>) {
        states.clear();
        for (_, group) in self.state.groups.iter() {
            let Some(coupled) = group.coupled() else { continue };
            if !group.span(self.state.now).contains(time) {
                continue;
            }
            let tree = coupled.linkage().tree();
            let ((q, v), torque) = (coupled.joint_state(time), coupled.torque());
            for (link, it) in coupled.links().iter().enumerate() {
                let known = it.joint.and_then(|id| Some((id, self.state.joints.get(id)?)));
                let Some((joint, record)) = known else { continue };
                let (q, rows) = (&q[tree.q_range(link)], tree.v_range(link));
                let freedom = |(freedom, row): (usize, usize)| {
                    let seen = Seen::in_state(&record.joint, freedom, q, &v[rows.clone()]);
                    let Seen { position, velocity } = seen.unwrap_or_default();
                    FreedomState { position, rate: velocity, force: torque[row] }
                };
                let freedoms = rows.clone().enumerate().map(freedom).collect();
                states.push(JointState { joint, freedoms });
            }
        }
        states.sort_unstable_by_key(|state| state.joint);
    }
}
