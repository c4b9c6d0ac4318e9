//! Balls: the projection of the centre is the answer.

use glam::DVec3;

use super::core::{Core, NOWHERE, Stripped};
use super::pair::Pair;
use super::project::{Foot, project};
use super::solve::Solution;
use crate::distance::Feature;

/// The answer where one core is a point outside the other, if it proves itself.
pub(super) fn solve(pair: &Pair<'_>, features: [Feature; 2]) -> Option<Solution> {
    match (pair.a.core, pair.b.core) {
        (Core::Point, Core::Point) => Some(between_points(pair)),
        (Core::Point, _) => {
            let z = pair.point_in_b(DVec3::ZERO);
            let foot = foot_of(&pair.b, z, features[1])?;
            let (point_b, normal) = (pair.in_a(foot.point), pair.rotation * foot.normal);
            proven(pair, [DVec3::ZERO, point_b], normal, [Feature::Face(0), foot.feature])
        }
        (_, Core::Point) => {
            let foot = foot_of(&pair.a, pair.translation, features[0])?;
            let points = [foot.point, pair.translation];
            proven(pair, points, -foot.normal, [foot.feature, Feature::Face(0)])
        }
        _ => None,
    }
}

/// The foot of a point on the other core, from the feature where it was last or else from the side it lies on.
fn foot_of(solid: &Stripped<'_>, z: DVec3, feature: Feature) -> Option<Foot> {
    let (point, side) = solid.core.support(z - solid.middle, feature);
    let feature = if feature == NOWHERE { side } else { feature };
    project(&solid.core, z, &Foot::guess(point, DVec3::Z, feature))
}

fn between_points(pair: &Pair<'_>) -> Solution {
    let apart = -pair.translation;
    let width = apart.length();
    Solution {
        point_a: DVec3::ZERO,
        point_b: pair.translation,
        // Where the centres coincide every normal is as good.
        normal: apart.try_normalize().unwrap_or(DVec3::Z),
        width,
        features: [Feature::Face(0); 2],
        is_proven: true,
    }
}

fn proven(
    pair: &Pair<'_>,
    [point_a, point_b]: [DVec3; 2],
    normal: DVec3,
    features: [Feature; 2],
) -> Option<Solution> {
    let near = features.map(|feature| Foot::guess(DVec3::ZERO, normal, feature));
    let width = pair.slab(normal, &near[0], &near[1]);
    let is_proven = (point_a.distance(point_b) - width).abs() <= pair.tolerance();
    is_proven.then_some(Solution { point_a, point_b, normal, width, features, is_proven })
}
