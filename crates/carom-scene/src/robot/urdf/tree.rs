//! Whether links and joints make one tree.

use super::Urdf;
use crate::problem::Place;
use crate::robot::description::Robot;
use crate::robot::fault::FaultKind;

impl Urdf<'_, '_> {
    fn place_of(&self, robot: &Robot, link: usize) -> Option<Place> {
        self.links.get(&robot.links[link].name).map(|(_, place)| *place)
    }

    /// One root, one parent for each other link, and no circles.
    pub(super) fn check_tree(&self, robot: &Robot) -> Option<()> {
        let mut parents: Vec<Option<usize>> = vec![None; robot.links.len()];
        let mut is_tree = true;
        let mut fault = |link: usize, kind| {
            self.reader.fault(self.place_of(robot, link), kind);
            is_tree = false;
        };
        for joint in &robot.joints {
            if parents[joint.child].is_some() {
                let link = robot.links[joint.child].name.clone();
                fault(joint.child, FaultKind::TwoParents { link });
            }
            parents[joint.child] = joint.parent;
        }
        let roots: Vec<usize> =
            (0..parents.len()).filter(|link| parents[*link].is_none()).collect();
        for second in roots.iter().skip(1) {
            let (first, name) = (&robot.links[roots[0]].name, &robot.links[*second].name);
            fault(*second, FaultKind::TwoRoots { first: first.clone(), second: name.clone() });
        }
        if let Some(link) = circle(&parents) {
            fault(link, FaultKind::Cycle { link: robot.links[link].name.clone() });
        }
        is_tree.then_some(())
    }
}

/// A link that is its own ancestor.
fn circle(parents: &[Option<usize>]) -> Option<usize> {
    // 0 not seen, else the number of the walk that saw it first.
    let mut seen = vec![0; parents.len()];
    for start in 0..parents.len() {
        let mut at = start;
        while seen[at] == 0 {
            seen[at] = start + 1;
            match parents[at] {
                Some(parent) => at = parent,
                None => break,
            }
        }
        if seen[at] == start + 1 && parents[at].is_some() {
            return Some(at);
        }
    }
    None
}
