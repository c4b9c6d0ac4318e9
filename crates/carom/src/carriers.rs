//! Who is carried by whom, while joints are made.

use std::collections::{BTreeMap, BTreeSet};

use crate::arena::Arena;
use crate::body::BodyId;
use crate::joint::{JointId, JointRecord};

/// Joints by their children, and their names, while new ones are made.
pub(crate) struct Carriers {
    pub(crate) names: BTreeSet<String>,
    /// The name and the parent of the joint that carries a body.
    pub(crate) of_child: BTreeMap<BodyId, (String, Option<BodyId>)>,
}

impl Carriers {
    pub(crate) fn of(joints: &Arena<JointId, JointRecord>) -> Self {
        let records = || joints.iter().map(|(_, it)| it);
        let carrier = |it: &JointRecord| (it.child, (it.name.clone(), it.parent));
        Self {
            names: records().map(|it| it.name.clone()).collect(),
            of_child: records().map(carrier).collect(),
        }
    }

    /// True when joints lead from one body inward to another.
    pub(crate) fn hangs_on(&self, body: BodyId, other: BodyId) -> bool {
        let mut at = Some(body);
        while let Some(here) = at {
            if here == other {
                return true;
            }
            at = self.of_child.get(&here).and_then(|(_, parent)| *parent);
        }
        false
    }
}
