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

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::Pose;
    use crate::distance::Convex;
    use crate::distance::curved::cold;
    use crate::distance::curved::core::Stripped;
    use crate::shapes::{Cone, Cylinder, Ellipsoid};

    /// From −1 to 1.
    fn number(state: &mut u64) -> f64 {
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        2.0 * (*state >> 11) as f64 / (1_u64 << 53) as f64 - 1.0
    }

    fn solid(state: &mut u64) -> Convex {
        let kind = number(state);
        let mut size = || libm::exp2(2.0 * number(state));
        let [x, y, z] = [size(), size(), size()];
        match kind {
            _ if kind < -0.4 => Convex::Ellipsoid(Ellipsoid::new(DVec3::new(x, y, z)).unwrap()),
            _ if kind < 0.4 => Convex::Cylinder(Cylinder::new(x, y).unwrap()),
            _ => Convex::Cone(Cone::new(x, y).unwrap()),
        }
    }

    #[test]
    fn what_stands_over_an_end_is_as_far_as_the_search_finds() {
        let (mut state, mut over) = (1, 0);
        for _ in 0..4000 {
            let (a, b) = (solid(&mut state), solid(&mut state));
            let mut vector =
                || DVec3::new(number(&mut state), number(&mut state), number(&mut state));
            let (place, turn) = (10.0 * vector(), DQuat::from_scaled_axis(3.0 * vector()));
            let pair = Pair::new(Stripped::of(&a), Stripped::of(&b), &Pose::new(place, turn));
            let Some(solution) = solve(&pair) else { continue };
            over += 1;
            let searched = cold::solve(&pair, pair.between_middles());
            let off = (solution.width - searched.width).abs();
            assert!(off <= pair.tolerance(), "{a:?} {b:?} at {place} {turn}: {off:e}");
            let apart = solution.point_a.distance(solution.point_b);
            assert!((apart - solution.width).abs() <= pair.tolerance());
        }
        assert!(over > 80, "{over} of 4000 stand over an end");
    }
}
