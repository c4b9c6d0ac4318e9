//! What stands over a flat end: the lowest point over the plane of the end is the answer if it lies over the end itself.
//!
//! With the outward normal n of an end of A, s(−n) is the height of B's lowest point p over the plane. Where the foot of p
//! lies in the end, p and its foot are that far apart, and both bounds on the distance are equal: nothing is searched for.
//! Coins on a plate, cans on a shelf and whatever lies on a box are of this kind.

use glam::DVec3;

use super::core::{Core, NOWHERE};
use super::pair::Pair;
use super::solve::{Solution, over};
use crate::tolerances::NEWTON_ROUNDNESS;

/// Solids of more faces are searched: choosing among many costs as much.
const FEW_FACES: usize = 12;

/// The answer where one core stands over a flat end of the other.
pub(super) fn solve(pair: &Pair<'_>) -> Option<Solution> {
    let middle_a = pair.point_in_b(pair.a.middle);
    let middle_b = pair.in_a(pair.b.middle);
    let of_a = end_below(&pair.a.core, middle_b).map(|outward| -outward);
    let of_b = end_below(&pair.b.core, middle_a).map(|outward| pair.rotation * outward);
    if of_a.zip(of_b).is_some_and(|(a, b)| a.distance(b) <= NEWTON_ROUNDNESS) {
        // Ends that are parallel to the last digit have no lowest point.
        return None;
    }
    let mut ends = [(of_a, false), (of_b, true)].map(|(normal, is_b)| {
        let normal = normal?;
        let lowest = pair.support(-normal, &mut [NOWHERE; 2]);
        let height = normal.dot(lowest.a - lowest.b);
        (height > 0.0).then_some((height, normal, is_b))
    });
    // The direction in which they are farther apart can be the right one.
    let height = |end: &Option<(f64, DVec3, bool)>| end.map_or(0.0, |it| it.0);
    if height(&ends[1]) > height(&ends[0]) {
        ends.swap(0, 1);
    }
    let (_, normal, is_b) = ends[0]?;
    over(pair, normal, is_b, [NOWHERE; 2]).filter(|it| it.is_proven)
}

/// Outward normal of the end over which a point lies highest, if it is above one; in the frame of the core.
fn end_below(core: &Core<'_>, point: DVec3) -> Option<DVec3> {
    match core {
        Core::Cylinder(it) => {
            (point.z.abs() > it.half_length()).then(|| DVec3::new(0.0, 0.0, 1f64.copysign(point.z)))
        }
        Core::Cone(it) => (point.z < -it.half_length()).then_some(-DVec3::Z),
        Core::Polyhedron(it) if it.faces().len() <= FEW_FACES => {
            let heights =
                it.faces().iter().map(|face| (face.normal.dot(point) - face.offset, face));
            let (height, face) = heights.max_by(|one, other| one.0.total_cmp(&other.0))?;
            (height > 0.0).then_some(face.normal)
        }
        _ => None,
    }
}
