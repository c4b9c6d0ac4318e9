//! Who can meet whom.

use crate::arena::Handle as _;
use crate::body::{BodyId, BodyModel};
use crate::world::World;

/// Which layers a body belongs to, and which it meets, as bits.
///
/// Two bodies meet if each belongs to a layer that the other meets. Unless told otherwise a body belongs to layer 0 and
/// meets all layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// Layers it belongs to.
    pub belongs: u32,
    /// Layers it meets.
    pub meets: u32,
}

impl Default for Layers {
    fn default() -> Self {
        Self { belongs: 1, meets: u32::MAX }
    }
}

impl Layers {
    /// True when bodies of these layers meet.
    pub const fn meet(&self, other: &Self) -> bool {
        self.belongs & other.meets != 0 && other.belongs & self.meets != 0
    }
}

/// What a pair of bodies is to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pairing {
    /// They touch.
    Solid,
    /// One of them is a sensor, which is entered and left.
    Sensor,
}

impl World {
    /// What two bodies are to each other; none if they take no notice: a ghost, two sensors, layers that do not meet, an
    /// excluded pair, or two bodies neither of which is free. A sensor notices free bodies, and scripted ones that pass a
    /// fixed sensor or are passed by a scripted one.
    pub(crate) fn pairing(&self, a: BodyId, b: BodyId) -> Option<Pairing> {
        let (record_a, record_b) = (self.state.bodies.get(a)?, self.state.bodies.get(b)?);
        let (model_a, model_b) = (&record_a.model, &record_b.model);
        if !notice(model_a, model_b) {
            return None;
        }
        // Riders stay where they are on their carrier; links of one linkage meet.
        let group_a = self.state.groups.get(record_a.group)?;
        if record_a.group == record_b.group && group_a.coupled().is_none() {
            return None;
        }
        if self.state.excluded.contains(&(a.min(b), a.max(b))) {
            return None;
        }
        let group_b = self.state.groups.get(record_b.group)?;
        let sensor = model_a.sensor || model_b.sensor;
        if sensor {
            let still = group_a.is_fixed() && group_b.is_fixed();
            return (!still).then_some(Pairing::Sensor);
        }
        (group_a.is_free() || group_b.is_free()).then_some(Pairing::Solid)
    }

    /// As [`Self::pairing`], for the slots of two bodies.
    pub(super) fn bodies_in(&self, pair: [u32; 2]) -> Option<[BodyId; 2]> {
        let [a, b] = pair.map(|index| self.state.bodies.handle_at(index));
        let bodies = [a?, b?];
        debug_assert!(bodies[0].index() < bodies[1].index());
        Some(bodies)
    }
}

/// True unless one of them passes through everything, both are sensors, or their layers do not meet.
pub(crate) fn notice(a: &BodyModel, b: &BodyModel) -> bool {
    let pass = a.ghost || b.ghost || (a.sensor && b.sensor);
    !pass && a.layers.meet(&b.layers)
}
